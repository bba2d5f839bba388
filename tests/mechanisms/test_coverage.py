"""How often 95 percent intervals hold the truth, and that docs/coverage.md says so."""

from pathlib import Path

import numpy as np
import pytest

from tests.mechanisms import coverage

EXACT = 0.95 - 1e-9


def cells():
    return [(m, share, n) for m in coverage.DESIGNS.values() for share in coverage.SHARES for n in coverage.SIZES]


def test_clopper_pearson_is_never_below_its_confidence():
    assert min(coverage.coverage(*cell, "exact") for cell in cells()) >= EXACT
    for n in (50, 77, 1000):
        assert min(coverage.share_coverage("exact", chance, n) for chance in np.linspace(0, 0.5, 501)) >= EXACT


def test_wilson_is_never_below_92_percent_where_both_reports_are_usual():
    for n in (50, 51, 73, 100, 200, 500, 1000):
        assert coverage.lowest_wilson(n)[0] >= 0.92, n


def test_the_page_is_the_one_these_numbers_give():
    page = Path(__file__).parents[2] / "docs" / "coverage.md"
    assert page.read_text() == coverage.page(), "run python -m tests.mechanisms.coverage"


def simulated(mechanism, share, n, method, *, surveys, rng):
    """The share of simulated surveys, from truth to report to estimate, whose interval holds the true share."""
    held = 0
    for _ in range(surveys):
        truths = np.where(rng.random(n) < share, 1, 0)
        low, high = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)), interval=method).intervals[1]
        held += low <= share <= high
    return held / surveys


def assert_as_computed(mechanism, share, n, method, *, surveys, seed):
    rng = np.random.default_rng(seed)
    exact = coverage.coverage(mechanism, share, n, method)
    error = np.sqrt(max(exact * (1 - exact), 0.01) / surveys)
    assert simulated(mechanism, share, n, method, surveys=surveys, rng=rng) == pytest.approx(exact, abs=4.5 * error)


@pytest.mark.parametrize("method", coverage.NAMES)
@pytest.mark.parametrize("name", ["Crosswise 1/6", "Mangat 0.9", "Unary optimized, epsilon 4"])
def test_simulated_surveys_agree(name, method):
    assert_as_computed(coverage.DESIGNS[name], 0.01, 50, method, surveys=300, seed=6)


@pytest.mark.long
@pytest.mark.parametrize("method", coverage.NAMES)
@pytest.mark.parametrize("n", [50, 1000])
@pytest.mark.parametrize("share", coverage.SHARES)
@pytest.mark.parametrize("name", coverage.DESIGNS)
def test_many_simulated_surveys_agree(name, share, n, method):
    assert_as_computed(coverage.DESIGNS[name], share, n, method, surveys=2000, seed=7)


@pytest.mark.long
def test_wilson_on_every_size():
    for n in range(50, 5001, 25):
        assert coverage.lowest_wilson(n)[0] >= 0.92, n


@pytest.mark.long
@pytest.mark.parametrize("name", ["Direct, 10 answers, epsilon 3", "Unary 3/4, 1/4", "Subset, 64 answers, epsilon 2"])
def test_simultaneous_intervals_hold_all_truths_together(name):
    mechanism, rng = coverage.DESIGNS[name], np.random.default_rng(8)
    shares = np.arange(mechanism.size, 0, -1.0) / np.arange(1, mechanism.size + 1).sum()
    held = 0
    for _ in range(1000):
        truths = rng.choice(mechanism.size, 500, p=shares)
        estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)), simultaneous=True)
        held += np.all((estimate.intervals[:, 0] <= shares) & (shares <= estimate.intervals[:, 1]))
    assert held / 1000 >= 0.93
