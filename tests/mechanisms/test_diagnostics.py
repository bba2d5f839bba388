"""Signs of reports that the design did not make, and silence about those that it did."""

import numpy as np
import pytest
from scipy.stats import binom, multinomial

from mechanisms import (
    DirectEncoding,
    Matrix,
    SubsetSelection,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    Window,
    diagnostics,
)
from tests.mechanisms.enumeration import distribution, truths

UNARY = UnaryEncoding(14, "3/4", "1/4")


def honest(mechanism, n, seed):
    rng = np.random.default_rng(seed)
    return mechanism.randomize(rng.integers(0, mechanism.size, n) // 2, rng)


def test_feasible_shares_have_no_z():
    found = diagnostics.feasibility(TwoCoin(), Tally(100, [60, 40]))
    assert found.feasible.all()
    assert list(found.z) == [0, 0]
    assert (found.lowest[1], found.highest[1]) == (0.25, 0.75)


def test_an_infeasible_share_is_some_errors_outside():
    found = diagnostics.feasibility(Warner("0.7"), Tally(1000, [750, 250]))
    assert not found.feasible.any()
    assert found.z[1] == pytest.approx((0.25 - 0.3) / np.sqrt(0.3 * 0.7 / 1000))
    assert found.z[0] == pytest.approx(-found.z[1])


@pytest.mark.parametrize(
    "mechanism",
    [DirectEncoding(4, 1), UNARY, SubsetSelection(8, 1), UnaryEncoding(4, 0.2, 0.6)],
    ids=repr,
)
def test_honest_reports_are_feasible_within_chance(mechanism):
    found = diagnostics.feasibility(mechanism, mechanism.tally(honest(mechanism, 2000, 3)))
    assert np.abs(found.z).max() < 4
    assert np.all(found.lowest < found.highest)


def test_feasibility_of_a_general_matrix_looks_at_its_columns():
    mechanism = Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)
    found = diagnostics.feasibility(mechanism, Tally(1000, [900, 90, 10]))
    assert list(found.lowest) == [0.1, 0.2, 0.1]
    assert list(found.highest) == [0.7, 0.8, 0.6]
    assert found.z[0] > 10
    assert found.z[1] < -5


@pytest.mark.parametrize(
    "mechanism",
    [UnaryEncoding(4, "3/4", "1/4"), UnaryEncoding(5, "1/2", "1/5"), UnaryEncoding(3, 0.2, 0.6)],
    ids=repr,
)
def test_the_law_of_the_number_of_ones_is_the_enumerated_one(mechanism):
    for truth in truths(mechanism):
        expected = np.zeros(mechanism.size + 1)
        for report, chance in distribution(mechanism, truth).items():
            expected[sum(report)] += float(chance)
        assert diagnostics.ones_law(mechanism) == pytest.approx(expected)


def test_the_number_of_ones_of_honest_reports_rejects_no_more_often_than_it_says():
    p_values = [
        diagnostics.number_of_ones(UNARY, honest(UNARY, 300, seed)).p_value for seed in range(200)
    ]
    assert 0 < np.mean(np.array(p_values) < 0.05) <= 0.05


def histograms(n, cells):
    """Every way in which n reports can fall into so many cells."""
    if cells == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in histograms(n - first, cells - 1):
            yield (first, *rest)


@pytest.mark.parametrize(
    "mechanism", [UnaryEncoding(2, "3/4", "1/4"), UnaryEncoding.optimized(3, 3)], ids=repr
)
@pytest.mark.parametrize("n", [7, 16])
def test_the_number_of_ones_is_exact_at_every_level(mechanism, n):
    """All outcomes of n reports with their multinomial chances: a p-value at or below a limit is as rare as that."""
    law = diagnostics.ones_law(mechanism)
    found = []
    for ones in histograms(n, law.size):
        chance = multinomial.pmf(ones, n, law)
        found.append((diagnostics.odd_ones(mechanism, np.array(ones)).p_value, chance))
    p_values, chances = np.array(found).T
    assert chances.sum() == pytest.approx(1)
    for limit in (0.2, 0.05, 0.01, 1e-4, 1e-6):
        assert chances[p_values <= limit].sum() <= limit


def test_the_oddest_number_of_ones_is_named():
    ones = np.array([0, 0, 5, 60, 30, 5])
    found = diagnostics.odd_ones(UnaryEncoding(5, "3/4", "1/4"), ones)
    law = diagnostics.ones_law(UnaryEncoding(5, "3/4", "1/4"))
    assert (found.first, found.last, found.came) == (3, 3, 60) or (found.first, found.last) == (
        0,
        2,
    )
    assert found.expected == pytest.approx(100 * law[found.first : found.last + 1].sum())
    tests = [(v, v) for v in range(6)] + [(0, v) for v in (1, 2, 3)]
    smallest = min(
        min(1, 2 * min(binom.cdf(c, 100, p), binom.sf(c - 1, 100, p)))
        for c, p in ((ones[a : b + 1].sum(), law[a : b + 1].sum()) for a, b in tests)
    )
    assert found.p_value == pytest.approx(9 * smallest)


def test_the_number_of_ones_shows_truths_sent_as_they_are():
    bare = np.eye(14, dtype=int)[np.random.default_rng(1).integers(0, 14, 60)]
    mixed = np.vstack([honest(UNARY, 500, 2), bare])
    assert diagnostics.number_of_ones(UNARY, mixed).p_value < 1e-6


def test_repeated_long_reports_are_noticed():
    reports = honest(UNARY, 1000, 5)
    quiet = diagnostics.repeated_reports(UNARY, reports)
    assert quiet.p_value > 0.01
    reports[:60] = np.array([1, 0] * 7)
    loud = diagnostics.repeated_reports(UNARY, reports)
    assert loud.report == "10" * 7
    assert loud.times >= 60
    assert loud.p_value < 1e-6


def test_the_p_value_of_repeats_is_never_too_small():
    for mechanism in (UNARY, UnaryEncoding(20, "1/2", "1/4"), SubsetSelection(20, 1)):
        p_values = [
            diagnostics.repeated_reports(mechanism, honest(mechanism, 200, seed)).p_value
            for seed in range(60)
        ]
        assert np.mean(np.array(p_values) < 0.1) <= 0.1


@pytest.mark.parametrize(
    "mechanism",
    [UnaryEncoding(4, "3/4", "1/4"), SubsetSelection(6, 1, 2), SubsetSelection(5, 2, 3)],
    ids=repr,
)
def test_the_likeliest_report_is_the_enumerated_one(mechanism):
    most = max(max(distribution(mechanism, truth).values()) for truth in truths(mechanism))
    assert diagnostics.likeliest_report(mechanism) == pytest.approx(float(most))


def test_a_single_report_is_no_repeat():
    assert diagnostics.repeated_reports(UNARY, ["10" * 7]) == ("10" * 7, 1, 1.0)


def test_sensitivity_is_what_the_worst_replaced_reports_do():
    tally = Tally(1000, [600, 400])
    lowest, highest = diagnostics.sensitivity(TwoCoin(), tally, 0.05)[1]
    # Fifty reports of No replaced by Yes, or of Yes by No: by 0.05/slope either way.
    assert highest == pytest.approx(TwoCoin().estimate(Tally(1000, [550, 450])).proportions[1])
    assert lowest == pytest.approx(TwoCoin().estimate(Tally(1000, [650, 350])).proportions[1])


def test_no_more_reports_are_replaced_than_there_are():
    lowest, highest = diagnostics.sensitivity(TwoCoin(), Tally(100, [98, 2]), 0.05)[1]
    assert lowest == pytest.approx(TwoCoin().estimate(Tally(100, [100, 0])).proportions[1])
    assert highest == pytest.approx(TwoCoin().estimate(Tally(100, [93, 7])).proportions[1])


@pytest.mark.parametrize(
    "mechanism",
    [
        Warner("0.3"),
        DirectEncoding(3, 1),
        Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10),
        UnaryEncoding(3, "1/5", "3/5"),
    ],
    ids=repr,
)
def test_no_tally_within_reach_has_a_more_extreme_estimate(mechanism):
    """Every tally of 12 reports that differs from the given one in up to 3 of them."""
    n, changed = 12, 3
    given = mechanism.tally(honest(mechanism, n, 4))
    ends = diagnostics.sensitivity(mechanism, given, changed / n)
    if mechanism.name == "unary":  # one answer's bits by themselves
        reachable = [c for c in range(n + 1) if abs(c - given.counts[0]) <= changed]
        found = [(c / n - 0.6) / -0.4 for c in reachable]
        assert (min(found), max(found)) == pytest.approx(tuple(ends[0]))
        return
    tallies = [
        t
        for t in histograms(n, mechanism.size)
        if np.abs(np.array(t) - given.counts).sum() <= 2 * changed
    ]
    found = np.array(
        [mechanism.estimate(Tally(n, t), interval="wald").proportions for t in tallies]
    )
    assert found.min(axis=0) == pytest.approx(ends[:, 0])
    assert found.max(axis=0) == pytest.approx(ends[:, 1])


@pytest.mark.parametrize(
    "mechanism",
    [
        DirectEncoding(4, 1),
        Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10),
        UNARY,
        SubsetSelection(8, 1),
    ],
    ids=repr,
)
def test_sensitivity_broadcasts_and_nothing_moves_nothing(mechanism):
    tally = mechanism.tally(honest(mechanism, 500, 1))
    moved = diagnostics.sensitivity(mechanism, tally, [0, 0.01, 0.1])
    estimate = mechanism.estimate(tally, interval="wald").proportions
    assert moved.shape == (3, mechanism.size, 2)
    assert moved[0] == pytest.approx(np.stack([estimate, estimate], axis=1))
    assert np.all(moved[2, :, 0] < moved[1, :, 0])
    assert np.all(moved[1, :, 1] < moved[2, :, 1])


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: diagnostics.number_of_ones(DirectEncoding(3, 1), [[0, 1, 1]]),
        lambda: diagnostics.number_of_ones(UnaryEncoding(3, 0.75, 0.25, "any"), [[0, 1, 1]]),
        lambda: diagnostics.number_of_ones(UNARY, []),
        lambda: diagnostics.odd_ones(UNARY, np.ones(14, dtype=int)),
        lambda: diagnostics.repeated_reports(TwoCoin(), [0, 1]),
        lambda: diagnostics.repeated_reports(UnaryEncoding(3, 0.75, 0.25, "any"), ["010"]),
        lambda: diagnostics.repeated_reports(UNARY, []),
        lambda: diagnostics.sensitivity(TwoCoin(), Tally(2, [1, 1]), 1.1),
        lambda: diagnostics.sensitivity(TwoCoin(), Tally(2, [1, 1]), np.nan),
        lambda: diagnostics.feasibility(TwoCoin(), Tally(0, [0, 0])),
    ],
)
def test_it_is_refused_with_a_reason(attempt):
    with pytest.raises(ValueError, match="allowed"):
        attempt()


def test_windows_have_limits_and_a_price_of_fakes_too():
    """By hand: putting one fake report moves a share by the difference of two of its weights, over n."""
    mechanism, rng = Window(5, 1), np.random.default_rng(8)
    tally = mechanism.tally(mechanism.randomize(rng.integers(0, 5, 4000), rng))
    found = diagnostics.feasibility(mechanism, tally)
    assert found.feasible.all()
    assert found.lowest.shape == (mechanism.reports,)
    one_sided = mechanism.tally([0] * 1000)
    assert diagnostics.feasibility(mechanism, one_sided).z[0] > 10
    weight = mechanism.decode(np.eye(mechanism.reports))
    moved = diagnostics.sensitivity(mechanism, one_sided, 0.01)
    estimate = mechanism.estimate(one_sided).proportions
    assert moved[:, 1] == pytest.approx(estimate + 0.01 * (weight.max(axis=1) - weight[:, 0]))
