"""The names under which users of statsmodels and of packages in general look for things."""

import numpy as np
import pytest

import candor_client
import mechanisms
from mechanisms import (
    DirectEncoding,
    FiniteEstimate,
    Predictor,
    Variable,
    Warner,
    least_squares,
    regress,
    regress_on,
)
from surveys.site.version import VERSION


def test_both_packages_say_their_version() -> None:
    assert mechanisms.__version__ == candor_client.__version__ == VERSION


def test_an_estimate_has_errors_and_intervals_by_their_usual_names() -> None:
    mechanism = DirectEncoding(3, 1.0)
    tally = mechanism.tally(np.repeat([0, 1, 2], (120, 90, 90)))
    estimate = mechanism.estimate(tally)
    assert estimate.se is estimate.standard_errors
    assert estimate.conf_int() is estimate.intervals
    assert np.array_equal(estimate.conf_int(0.1), mechanism.estimate(tally, 0.9).intervals)
    few = FiniteEstimate(estimate, 400)
    assert np.array_equal(
        few.conf_int(0.1), FiniteEstimate(mechanism.estimate(tally, 0.9), 400).intervals
    )
    with pytest.raises(ValueError, match="confidence"):
        estimate.conf_int(0)


def test_a_model_has_them_too() -> None:
    rng = np.random.default_rng(1)
    group, mechanism = rng.integers(0, 2, 2000), Warner("3/4")
    reports = mechanism.randomize((rng.random(2000) < 0.2 + 0.2 * group).astype(int), rng)
    table = np.column_stack([np.ones(2000), group])
    hidden: Predictor = regress_on(Variable(reports, mechanism), mechanism, reports, table[:, :1])
    for estimate in (
        regress(mechanism, reports, table),
        least_squares(mechanism, reports, table, choice=1),
        hidden,
    ):
        assert np.array_equal(estimate.se, estimate.standard_errors, equal_nan=True)
        assert np.array_equal(estimate.conf_int(0.1), estimate.interval(0.9), equal_nan=True)
