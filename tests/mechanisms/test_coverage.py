"""How often 95 percent intervals hold the truth, and that docs/coverage.md says so."""

from pathlib import Path

import numpy as np
import pytest

from mechanisms import Geometry, Tally, UnaryEncoding
from mechanisms.estimation import intervals
from tests.mechanisms import coverage

EXACT = 0.95 - 1e-9


def cells():
    return [
        (m, share, n)
        for m in coverage.DESIGNS.values()
        for share in coverage.SHARES
        for n in coverage.SIZES
    ]


def test_clopper_pearson_is_never_below_its_confidence():
    assert min(coverage.coverage(*cell, "exact") for cell in cells()) >= EXACT
    for n in (50, 77, 1000):
        assert (
            min(coverage.share_coverage("exact", chance, n) for chance in np.linspace(0, 0.5, 501))
            >= EXACT
        )


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
        low, high = mechanism.estimate(
            mechanism.tally(mechanism.randomize(truths, rng)), interval=method
        ).intervals[1]
        held += low <= share <= high
    return held / surveys


def assert_as_computed(mechanism, share, n, method, *, surveys, seed):
    rng = np.random.default_rng(seed)
    exact = coverage.coverage(mechanism, share, n, method)
    error = np.sqrt(max(exact * (1 - exact), 0.01) / surveys)
    assert simulated(mechanism, share, n, method, surveys=surveys, rng=rng) == pytest.approx(
        exact, abs=4.5 * error
    )


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
@pytest.mark.parametrize(
    "name", ["Direct, 10 answers, epsilon 3", "Unary 3/4, 1/4", "Subset, 64 answers, epsilon 2"]
)
def test_simultaneous_intervals_hold_all_truths_together(name):
    mechanism, rng = coverage.DESIGNS[name], np.random.default_rng(8)
    shares = np.arange(mechanism.size, 0, -1.0) / np.arange(1, mechanism.size + 1).sum()
    held = 0
    for _ in range(1000):
        truths = rng.choice(mechanism.size, 500, p=shares)
        estimate = mechanism.estimate(
            mechanism.tally(mechanism.randomize(truths, rng)), simultaneous=True
        )
        held += np.all((estimate.intervals[:, 0] <= shares) & (shares <= estimate.intervals[:, 1]))
    assert held / 1000 >= 0.93


def geometry_held(surveys, size=300, n=4000, simultaneous=False):
    """How often the interval of a frequent, a rare and a missing choice holds its share, and that of their sum."""
    mechanism, rng = Geometry(size, 1.0987, den="survey"), np.random.default_rng(11)
    shares = np.append([0.3, 0.02], np.full(size - 2, 0.68 / (size - 3)))
    shares[7] = 0
    held = np.zeros(5)
    for _ in range(surveys):
        truths = rng.choice(size, n, p=shares)
        estimate = mechanism.estimate(
            mechanism.tally(mechanism.randomize(truths, rng)), simultaneous=simultaneous
        )
        inside = (estimate.intervals[:, 0] <= shares) & (shares <= estimate.intervals[:, 1])
        total = estimate.total(range(0, size, 2))
        off = abs(total.share - shares[::2].sum())
        held += [*inside[[0, 1, 7]], off <= 1.96 * total.standard_error, inside.all()]
    return held / surveys


def test_intervals_of_a_long_list_hold_their_truths():
    assert (geometry_held(200)[:4] >= 0.9).all()


@pytest.mark.long
def test_intervals_of_a_long_list_hold_as_often_as_they_say():
    each = geometry_held(1000)[:4]
    assert ((each >= 0.93) & (each <= 0.97)).all()
    assert 0.93 <= geometry_held(1000, simultaneous=True)[4] <= 0.97


def test_of_fifteen_intervals_all_hold_in_fewer_than_half_of_surveys_unless_made_to():
    """Given how many have each answer, the marks of the answers are counted independently of each other."""
    mechanism, n, surveys, rng = (
        UnaryEncoding(15, "3/4", "1/4"),
        2000,
        5000,
        np.random.default_rng(9),
    )
    shares = np.arange(15, 0, -1.0) / 120
    truths = rng.multinomial(n, shares, size=surveys)
    counts = rng.binomial(truths, 0.75) + rng.binomial(n - truths, 0.25)

    def held(confidence):
        ends = intervals.binomial_intervals("wilson", counts.ravel(), n, confidence).reshape(
            surveys, 15, 2
        )
        chances = 0.25 + 0.5 * shares
        return ((ends[..., 0] <= chances) & (chances <= ends[..., 1])).all(axis=1).mean()

    assert held(0.95) == pytest.approx(0.46, abs=0.03)
    estimate = mechanism.estimate(Tally(n, counts[0]), simultaneous=True)
    assert held(1 - 0.05 / 15) == pytest.approx(0.95, abs=0.015)
    together = intervals.binomial_intervals("exact", counts[0], n, 1 - 0.05 / 15)
    assert estimate.intervals == pytest.approx((together - 0.25) / 0.5)
