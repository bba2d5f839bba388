"""Changes between versions: by exact enumeration how often one is said that is not there, and how often ranges hold the
true one. From how many responses on this holds, features.trend.trend decides.
"""

import numpy as np
import pytest

from mechanisms import Differences
from tests.mechanisms.test_differences import DIRECT, SHARES, Line, chance, clear, side, warner

TWO_COINS = (0.5, 0.25)


def level(sizes: tuple[int, int], lines: tuple[Line, Line], comparisons: int) -> float:
    """k times the largest chance of a false change."""
    is_clear = clear(sizes, lines, comparisons)
    return comparisons * max(chance(is_clear, sizes, lines, (share, share)) for share in SHARES)


def coverage(
    sizes: tuple[int, int], lines: tuple[Line, Line], shares: tuple[float, float]
) -> float:
    """How often the interval of one change holds the true one."""
    counts = np.meshgrid(*(np.arange(n + 1) for n in sizes), indexing="ij")
    both = (side(hits.ravel(), n, line) for hits, n, line in zip(counts, sizes, lines, strict=True))
    low, high = Differences(*both).simultaneous_intervals.T
    true = shares[0] - shares[1]
    holds = ((low <= true + 1e-12) & (true - 1e-12 <= high)).reshape(counts[0].shape)
    return chance(holds, sizes, lines, shares)


FAMILIES = (1, 10, 25, 60)


@pytest.mark.parametrize(
    ("sizes", "lines", "most"),
    [  # one design, from 30 responses on; two scrambled ones, from 100; scrambled in one version only, from 300
        ((30, 30), (DIRECT, DIRECT), (0.055,) * 4),
        ((30, 30), (warner(0.75), warner(0.75)), (0.055,) * 4),
        ((100, 100), (warner(0.75), warner(0.8)), (0.055,) * 4),
        ((100, 100), (warner(0.75), warner(0.95)), (0.055,) * 4),
        pytest.param((300, 300), (TWO_COINS, DIRECT), (0.046,) * 4, marks=pytest.mark.long),
        pytest.param((300, 300), (DIRECT, TWO_COINS), (0.046,) * 4, marks=pytest.mark.long),
        pytest.param(
            (300, 300), (warner(0.95), DIRECT), (0.053, 0.053, 0.053, 0.063), marks=pytest.mark.long
        ),
    ],
)
def test_a_change_that_is_not_there_is_rare(
    sizes: tuple[int, int], lines: tuple[Line, Line], most: tuple[float, ...]
) -> None:
    for comparisons, highest in zip(FAMILIES, most, strict=True):
        assert level(sizes, lines, comparisons) <= highest + 0.0005


@pytest.mark.parametrize(
    ("sizes", "lines", "shares", "expected"),
    [
        ((60, 300), (warner(0.95), warner(0.95)), (0.0, 0.0), 0.963),
        pytest.param(
            (400, 400), (warner(0.75), warner(0.75)), (0.3, 0.2), 0.949, marks=pytest.mark.long
        ),
        pytest.param(
            (400, 400), (warner(0.75), warner(0.8)), (0.3, 0.2), 0.950, marks=pytest.mark.long
        ),
        pytest.param((300, 300), (warner(0.75), DIRECT), (0.3, 0.2), 0.957, marks=pytest.mark.long),
        pytest.param((400, 400), (warner(0.75), DIRECT), (0.3, 0.2), 0.956, marks=pytest.mark.long),
    ],
)
def test_a_range_holds_the_true_change(
    sizes: tuple[int, int], lines: tuple[Line, Line], shares: tuple[float, float], expected: float
) -> None:
    assert coverage(sizes, lines, shares) == pytest.approx(expected, abs=0.0005)
