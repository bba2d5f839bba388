"""Intervals against SciPy's, their orientation, and what they do at the ends."""

import numpy as np
import pytest
from scipy.stats import binomtest, chi2

from mechanisms import (
    DirectEncoding,
    Matrix,
    OneSided,
    SubsetSelection,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
)
from mechanisms.estimation.intervals import METHODS, binomial_intervals, exact

CASES = [(0, 20), (1, 20), (7, 20), (20, 20), (160, 400), (3, 5000), (2500, 5000)]


@pytest.mark.parametrize(("count", "n"), CASES)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_wilson_and_clopper_pearson_are_those_of_scipy(count, n, confidence):
    test = binomtest(count, n)
    counts = np.array([count])
    for ours, theirs in (("wilson", "wilson"), ("exact", "exact")):
        expected = test.proportion_ci(confidence, method=theirs)
        assert binomial_intervals(ours, counts, n, confidence)[0] == pytest.approx(
            tuple(expected), abs=1e-10
        )


@pytest.mark.parametrize(("count", "n"), CASES)
def test_the_likelihood_interval_ends_where_the_test_rejects(count, n):
    low, high = binomial_intervals("likelihood", np.array([count]), n, 0.95)[0]

    def drop(share):
        return 2 * (log_likelihood(count, n, count / n) - log_likelihood(count, n, share))

    assert low == 0 if count == 0 else drop(low) == pytest.approx(chi2.ppf(0.95, 1), rel=1e-6)
    assert high == 1 if count == n else drop(high) == pytest.approx(chi2.ppf(0.95, 1), rel=1e-6)


def log_likelihood(count, n, share):
    yes = count * np.log(share) if count else 0
    no = (n - count) * np.log1p(-share) if n > count else 0
    return yes + no


@pytest.mark.parametrize("method", METHODS)
def test_a_negative_slope_swaps_nothing(method):
    """Warner with p and with 1 - p is the same question with the report's words exchanged."""
    one = Warner("3/4").estimate(Tally(400, [240, 160]), interval=method)
    other = Warner("1/4").estimate(Tally(400, [160, 240]), interval=method)
    assert other.intervals == pytest.approx(one.intervals)
    assert np.all(other.intervals[:, 0] < other.intervals[:, 1])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "mechanism",
    [DirectEncoding(4, 1), UnaryEncoding(4, "3/4", "1/4"), UnaryEncoding(4, "1/4", "3/4")],
    ids=repr,
)
def test_every_choice_has_its_interval_around_its_estimate(mechanism, method):
    reports = mechanism.randomize(np.arange(4).repeat(100), 3)
    result = mechanism.estimate(mechanism.tally(reports), interval=method)
    assert result.intervals.shape == (4, 2)
    assert np.all(result.intervals[:, 0] < result.proportions)
    assert np.all(result.proportions < result.intervals[:, 1])


@pytest.mark.parametrize("method", METHODS)
def test_more_confidence_is_wider(method):
    tally = Tally(400, [240, 160])
    widths = [
        np.diff(TwoCoin().estimate(tally, confidence, method).intervals[1])[0]
        for confidence in (0.5, 0.9, 0.95, 0.99)
    ]
    assert widths == sorted(widths)


def test_estimates_outside_of_the_possible_are_not_clipped():
    result = TwoCoin().estimate(Tally(100, [100, 0]))
    assert result.proportions[1] == pytest.approx(-0.5)
    assert result.intervals[1] == pytest.approx([-0.5, (0.0369935 - 0.25) * 2], abs=1e-6)
    assert result.constrained == pytest.approx([1, 0])


def test_simultaneous_intervals_share_the_error_among_the_choices():
    mechanism = SubsetSelection(5, 1)
    tally = mechanism.tally(mechanism.randomize(np.arange(5).repeat(50), 3))
    together = mechanism.estimate(tally, 0.95, simultaneous=True)
    assert together.intervals == pytest.approx(
        mechanism.estimate(tally, 1 - 0.05 / 5, "exact").intervals
    )
    assert mechanism.estimate(tally).simultaneous_estimate.intervals == pytest.approx(
        together.intervals
    )
    named = mechanism.estimate(tally, 0.95, "wilson", simultaneous=True)
    assert named.intervals == pytest.approx(mechanism.estimate(tally, 1 - 0.05 / 5).intervals)
    assert np.all(np.diff(together.intervals) > np.diff(mechanism.estimate(tally, 0.95).intervals))


@pytest.mark.parametrize(
    ("count", "n", "of", "ends"),
    [(16, 300, 2_000, [0.0146663149, 0.1286855081]), (22, 100, 200, [0.0937709538, 0.3980108923])],
)
def test_exact_ends_of_a_shared_level_are_those_of_binom_test(count, n, of, ends):
    """R: binom.test(count, n, conf.level = 1 - .05 / of)."""
    assert exact(np.array([count]), n, 1 - 0.05 / of)[0] == pytest.approx(ends, abs=1e-10)


def test_yes_and_no_are_one_comparison():
    tally = Tally(400, [240, 160])
    alone = OneSided("0.3").estimate(tally)
    assert OneSided("0.3").estimate(tally, simultaneous=True).intervals == pytest.approx(
        alone.intervals
    )


def test_a_general_matrix_has_wald_intervals_from_its_full_covariance():
    mechanism = Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)
    result = mechanism.estimate(Tally(100, [40, 35, 25]))
    assert result.interval == "wald"
    half = 1.959963984540054 * np.sqrt(result.covariance.diagonal())
    assert result.intervals == pytest.approx(
        np.stack([result.proportions - half, result.proportions + half], axis=1)
    )


def test_a_general_matrix_of_two_answers_is_a_yes_no_design():
    as_matrix = Matrix([[3, 1], [1, 3]], 4).estimate(Tally(400, [240, 160]))
    named = Warner("3/4").estimate(Tally(400, [240, 160]))
    assert as_matrix.interval == "wilson"
    assert as_matrix.intervals == pytest.approx(named.intervals)
