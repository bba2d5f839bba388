"""Ranges are rounded outwards, with as many decimals as they need."""

import pytest

from surveys.statements.rounding import Rounding


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (24.13, 29.42, (24.1, 29.5, 1)),
        (12.0, 40.0, (12, 40, 0)),
        (0.0, 1.42, (0, 1.5, 1)),
        # A width of 6 units needs no more decimals, and a little less does.
        (10.0, 16.0, (10, 16, 0)),
        (10.0, 15.9, (10, 15.9, 1)),
        (-3.26, 4.31, (-4, 5, 0)),
    ],
)
def test_range_is_rounded_outwards(low: float, high: float, expected: tuple) -> None:
    rounding = Rounding.for_range(low, high)
    assert (rounding.low, rounding.high, rounding.decimals) == expected


@pytest.mark.parametrize(("low", "high"), [(0.02, 40.0), (-40.0, -0.004), (1e-7, 90.0)])
def test_end_of_a_range_that_excludes_zero_does_not_become_zero(low: float, high: float) -> None:
    rounding = Rounding.for_range(low, high)
    assert rounding.low * rounding.high > 0
    assert rounding.low <= low <= high <= rounding.high


def test_rounded_number_lies_in_the_printed_range() -> None:
    rounding = Rounding.for_range(24.96, 31.02)
    assert rounding.decimals == 0
    for value in (24.96, 27.5, 31.02):
        assert rounding.low <= rounding.round(value) <= rounding.high


def test_zero_has_no_decimals_and_no_sign() -> None:
    rounding = Rounding.for_range(-0.004, 1.2)
    assert rounding.text(rounding.round(-0.0001)) == "0"
    assert rounding.text(-1.5) == "−1.5"
