"""Marks picked by chance: the reference numbers, what is refused, and what is known of a mark that nobody picked."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import chisquare

from mechanisms import (
    OptionSampling,
    Tally,
    TwoCoin,
    UnaryEncoding,
    diagnostics,
    from_spec,
    likelihood_ratio_test,
    planning,
    pool,
    z_test,
)
from mechanisms.designs.picking import best_pick
from mechanisms.planning.channels import Channel
from tests.mechanisms.enumeration import (
    distribution,
    enumerated_epsilon,
    mixed_distribution,
    some_weights,
    true_shares,
)

FOUR = OptionSampling.from_integers(4, 1, 0, 3, 1)
SMALL = [
    OptionSampling.from_integers(size, pick, reach, 5, 2)
    for size in range(2, 6)
    for pick in range(1, size + 1)
    for reach in range((pick - 1) // 2 + 1)
]
small = pytest.mark.parametrize("mechanism", SMALL, ids=repr)


def picked_and_set(mechanism, truth, answer=0):
    return sum(
        chance for report, chance in distribution(mechanism, truth).items() if report[answer] == 1
    )


def test_the_published_numbers_of_four_marks():
    assert math.exp(enumerated_epsilon(FOUR)) == pytest.approx(3)
    assert picked_and_set(FOUR, {0, 2}) == Fraction(3, 16)
    assert picked_and_set(FOUR, {1}) == Fraction(1, 16)


def test_the_published_numbers_of_ten_marks():
    ten = OptionSampling.from_integers(10, 1, 0, 3, 1)
    r = ten.flip_probability + (1 - 2 * ten.flip_probability) / 5
    assert ten.flip_probability == Fraction(1, 4)
    assert r * (1 - r) / (1 - 2 * ten.flip_probability) ** 2 / Fraction(
        ten.pick, ten.size
    ) == Fraction(91, 10)
    assert planning.standard_error(Channel.of(ten), 0.2, 1000) == pytest.approx(
        math.sqrt(9.1 / 1000)
    )


def test_numbers_that_people_can_say():
    assert OptionSampling(10, 1.0987, den="survey") == OptionSampling.from_integers(10, 1, 0, 3, 1)
    assert OptionSampling(10, 0.6932, den="survey").spec() | {"size": 0} == {
        **{"kind": "marks", "size": 0, "pick": 1, "reach": 0},
        **{"high": 4, "low": 2, "den": 6},
    }


def test_how_many_are_picked_at_which_epsilon():
    picks = [
        best_pick(20, epsilon) for epsilon in (0.1, 1, 1.5, math.log(9), math.log(20), math.log(54))
    ]
    assert picks == [(1, 0), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0)]
    assert best_pick(2, 20) == (2, 0)
    assert best_pick(100, 20)[0] <= 12


@small
def test_p_and_q_are_the_enumerated_ones(mechanism):
    """Of the reports that speak of a mark, how many set it where it is true and where not."""
    for truth in ({0}, set(range(mechanism.size)), set(), {1}):
        chances = distribution(mechanism, truth)
        picked = sum(chance for report, chance in chances.items() if report[0] is not None)
        own = 1 - mechanism.flip_probability if 0 in truth else mechanism.flip_probability
        assert picked == Fraction(mechanism.pick, mechanism.size)
        assert picked_and_set(mechanism, truth) / picked == own


@small
def test_the_estimate_is_unbiased_and_its_error_the_enumerated_one(mechanism):
    weights = some_weights(mechanism)
    chances = mixed_distribution(mechanism, weights)
    picked = sum(chance for report, chance in chances.items() if report[0] is not None)
    marked = sum(chance for report, chance in chances.items() if report[0] == 1)
    n = 10**9
    counts = np.full(2 * mechanism.size, int(n * picked))
    counts[: mechanism.size] = int(n * marked)
    estimate = mechanism.estimate(Tally(n, _even(counts, mechanism, n)))
    r = float(marked / picked)
    assert estimate.proportions[0] == pytest.approx(true_shares(mechanism, weights)[0], abs=1e-7)
    assert estimate.standard_errors[0] * math.sqrt(n) == pytest.approx(
        math.sqrt(r * (1 - r) / float(picked)) / float(1 - 2 * mechanism.flip_probability), rel=1e-6
    )


def _even(counts, mechanism, n):
    """The same, so that the picks sum to what was picked in all."""
    counts[mechanism.size] += n * mechanism.pick - counts[mechanism.size :].sum()
    return counts


@pytest.mark.parametrize("mechanism", [FOUR, *SMALL[3:9]], ids=repr)
def test_whole_reports_have_their_exact_distribution(mechanism):
    truth = {0, mechanism.size - 1}
    chances = distribution(mechanism, truth)
    truths = np.zeros((20_000, mechanism.size), int)
    truths[:, list(truth)] = 1
    found = dict.fromkeys(chances, 0)
    for report, times in zip(
        *np.unique(mechanism.randomize(truths, 3), axis=0, return_counts=True), strict=True
    ):
        found[tuple(None if bit < 0 else bit for bit in report.tolist())] += int(times)
    expected = [20_000 * float(chance) for chance in chances.values()]
    assert chisquare(list(found.values()), expected).pvalue > 1e-5


@given(
    st.integers(2, 60),
    st.floats(0.05, 12),
    st.sampled_from([2**32, "survey"]),
    st.integers(0, 2**32),
)
def test_arrays_strings_and_stored_reports_have_the_same_tally(size, epsilon, den, seed):
    mechanism, rng = OptionSampling(size, epsilon, den=den), np.random.default_rng(seed)
    truths = rng.integers(0, 2, (30, size))
    masked, stored = mechanism.randomize(truths, seed), mechanism.randomize_stored(truths, seed)
    reports = masked.filled()
    texts = ["".join("-01"[bit + 1] for bit in row) for row in reports.tolist()]
    tally = mechanism.tally(masked)
    assert mechanism.tally(texts) == mechanism.tally_packed(stored) == tally
    assert mechanism.tally(reports) == tally
    assert mechanism.wire.reports(stored) == texts
    assert (mechanism.informative_reports(tally) == (reports >= 0).sum(axis=0)).all()
    assert (mechanism.support_counts(tally) == (reports == 1).sum(axis=0)).all()


@given(st.integers(2, 40), st.integers(1, 12), st.integers(0, 5), st.floats(0.05, 8))
def test_a_chosen_pick_and_reach_keep_the_epsilon(size, pick, reach, epsilon):
    if pick > size or reach > (pick - 1) / 2:
        with pytest.raises(ValueError, match="allowed"):
            OptionSampling(size, epsilon, pick, reach)
        return
    mechanism = OptionSampling(size, epsilon, pick, reach)
    assert (mechanism.pick, mechanism.reach) == (pick, reach)
    assert 0.98 * epsilon <= mechanism.epsilon <= epsilon
    assert from_spec(mechanism.spec()) == mechanism


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: OptionSampling(1, 1),
        lambda: OptionSampling(4, 0),
        lambda: OptionSampling(4, math.inf),
        lambda: OptionSampling(4, 1, pick=5),
        lambda: OptionSampling(20, 1, pick=13),
        lambda: OptionSampling(20, 1, pick=2, reach=1),
        lambda: OptionSampling(20, 1, reach=7),
        lambda: OptionSampling(4, 1, den=1),
        lambda: OptionSampling.from_integers(4, 1, 0, 1, 1),
        lambda: OptionSampling.from_integers(4, 1, 0, 1, 3),
        lambda: OptionSampling.from_integers(4, 1, 0, 3, 0),
        lambda: OptionSampling.from_integers(4, 2, 0, 2**32 - 3, 2),
        lambda: from_spec(FOUR.spec() | {"den": 5}),
        lambda: from_spec(FOUR.spec() | {"pick": 13}),
        lambda: from_spec(FOUR.spec() | {"more": 1}),
        lambda: FOUR.tally(["01--"]),
        lambda: FOUR.tally(["0---", "----"]),
        lambda: FOUR.tally(["0--"]),
        lambda: FOUR.tally([[0, -1, -1, 2]]),
        lambda: FOUR.tally([[0, 0, -1, -1]]),
        lambda: FOUR.tally([[0.0, -1, -1, -1]]),
        lambda: FOUR.tally_packed(np.array([[0, 128]], np.uint8)),
        lambda: FOUR.tally_packed(np.array([[128, 128, 0]], np.uint8)),
        lambda: FOUR.tally_packed(np.array([[8, 8]], np.uint8)),
        lambda: FOUR.randomize_one([0, 0], int),
        lambda: FOUR.estimate(Tally(3, [1, 1, 1, 0])),
        lambda: FOUR.estimate(Tally(3, [2, 0, 0, 0, 1, 1, 1, 0])),
        lambda: FOUR.estimate(Tally(3, [0, 0, 0, 0, 1, 1, 0, 0])),
        lambda: FOUR.estimate(Tally(0, np.zeros(8, int))),
        lambda: FOUR.maximum_likelihood([]),
        lambda: diagnostics.evenly_picked(TwoCoin(), Tally(3, [1, 2])),
    ],
)
def test_it_is_refused_with_a_reason(attempt):
    with pytest.raises(ValueError, match="allowed"):
        attempt()


def test_sums_and_pairs_are_refused_with_the_reason():
    estimate = FOUR.estimate(FOUR.tally(["0---", "-1--"]))
    for attempt in (lambda: estimate.total([0, 1]), lambda: estimate.covariance):
        with pytest.raises(ValueError, match="tell each share by itself"):
            attempt()


def test_of_a_mark_that_nobody_picked_nothing_is_known():
    tally = FOUR.tally(["0---", "-1--", "--1-", "--0-"])
    estimate = FOUR.estimate(tally)
    assert estimate.informative_reports.tolist() == [1, 1, 2, 0]
    for found in (
        estimate.observed,
        estimate.proportions,
        estimate.standard_errors,
        estimate.constrained,
    ):
        assert np.isnan(found).tolist() == [False, False, False, True]
    for kind in ("wilson", "wald", "exact", "likelihood"):
        assert np.isnan(FOUR.estimate(tally, interval=kind).intervals).all(axis=1).tolist() == [
            False,
            False,
            False,
            True,
        ]
    assert np.isnan(FOUR.maximum_likelihood(["0---"])).tolist() == [False, True, True, True]


def test_of_few_reports_the_intervals_of_all_marks_hold_together():
    """20 marks, some 15 of 100 reports for each, none of them true: by Wilson's all hold in 85 of 100 surveys."""
    mechanism, rng, held = OptionSampling(20, 4), np.random.default_rng(31), 0
    nothing = np.zeros((100, 20), int)
    for _ in range(200):
        estimate = mechanism.estimate(
            mechanism.tally(mechanism.randomize(nothing, rng)), simultaneous=True
        )
        held += bool(((estimate.intervals[:, 0] <= 0) & (estimate.intervals[:, 1] >= 0)).all())
    assert held >= 190


@pytest.mark.parametrize("kind", ["wilson", "wald", "exact", "likelihood"])
def test_each_interval_has_its_own_number_of_reports(kind):
    """The same as a yes/no question with the same chances has, asked of those who were."""
    tally = Tally(100, [20, 10, 5, 1, 40, 30, 20, 10])
    found = FOUR.estimate(tally, interval=kind)
    for mark in range(4):
        n, hits = int(tally.counts[4 + mark]), int(tally.counts[mark])
        alone = TwoCoin().estimate(Tally(n, [n - hits, hits]), interval=kind)
        assert found.proportions[mark] == pytest.approx(alone.proportions[1])
        assert found.standard_errors[mark] == pytest.approx(alone.standard_errors[1])
        assert found.intervals[mark] == pytest.approx(alone.intervals[1])


def test_groups_are_compared_and_pooled_on_what_was_asked():
    one, other = Tally(100, [20, 10, 5, 1, 40, 30, 20, 10]), Tally(80, [5, 5, 5, 5, 20, 20, 20, 20])
    alone = TwoCoin(), Tally(40, [20, 20])
    also = TwoCoin(), Tally(20, [15, 5])
    assert z_test((FOUR, one), (FOUR, other), 0).p_value == pytest.approx(
        z_test(alone, also).p_value
    )
    assert likelihood_ratio_test(FOUR, one, 0.2, 0).p_value == pytest.approx(
        likelihood_ratio_test(*alone, 0.2).p_value
    )
    together = pool([(FOUR, one), (FOUR, other)])
    assert together.proportions[0] == pytest.approx(pool([alone, also]).proportions[1])
    assert together.standard_errors[0] == pytest.approx(pool([alone, also]).standard_errors[1])
    nobody = Tally(2, [0, 0, 0, 0, 0, 1, 1, 0])
    for attempt in (
        lambda: z_test((FOUR, one), (FOUR, nobody), 0),
        lambda: likelihood_ratio_test(FOUR, nobody, 0.2, 0),
    ):
        with pytest.raises(ValueError, match="no report that speaks"):
            attempt()


class TestPlanning:
    def test_one_mark_of_ten_needs_ten_times_the_respondents_of_one_question(self):
        marks, alone = (
            Channel.of(OptionSampling.from_integers(10, 1, 0, 3, 1)),
            Channel.of(TwoCoin()),
        )
        for n in (10, 500):
            assert planning.half_width(marks, 10 * n) == pytest.approx(
                planning.half_width(alone, n)
            )
            assert planning.interval_reach(marks, 10 * n, 0.2) == pytest.approx(
                planning.interval_reach(alone, n, 0.2)
            )
            assert planning.power(marks, 0.3, 0.1, 10 * n) == pytest.approx(
                planning.power(alone, 0.3, 0.1, n)
            )
            assert planning.exact_power(marks, 0.3, 0.1, 10 * n) == pytest.approx(
                planning.exact_power(alone, 0.3, 0.1, n)
            )
            assert planning.power_of_groups(marks, 0.3, 0.1, 10 * n) == pytest.approx(
                planning.power_of_groups(alone, 0.3, 0.1, n)
            )
        few, many = planning.sample_size(alone, 0.05), planning.sample_size(marks, 0.05)
        assert 10 * (few - 1) < many <= 10 * few
        few = planning.exact_sample_size_for_power(alone, 0.3, 0.1)
        assert 10 * (few - 1) < planning.exact_sample_size_for_power(marks, 0.3, 0.1) <= 10 * few

    def test_the_channel_of_the_formulas_is_that_of_the_integers(self):
        for epsilon in (0.5, 1.0987, 2.2, 4):
            real, whole = Channel.marks(epsilon, 12), Channel.of(OptionSampling(12, epsilon))
            assert (real.p, real.q, real.reported_fraction) == pytest.approx(tuple(whole), rel=1e-6)

    def test_side_by_side_for_choose_all(self):
        found = planning.side_by_side(10, 1.0987, 1000, 0.2, "any")
        assert (found["unary symmetric"] / found["marks"]) ** 2 == pytest.approx(
            82.9 / 9.1, rel=0.01
        )

    def test_many_channels_at_once(self):
        channels = [Channel.of(FOUR), Channel.of(TwoCoin())]
        wide = planning.half_width(Channel(*np.array(channels).T), np.array([400, 100]))
        assert wide[0] == pytest.approx(wide[1])


class TestSigns:
    def test_honest_picks_are_even(self):
        mechanism, rng = OptionSampling(10, 1.0987), np.random.default_rng(2)
        low = 0
        for _ in range(200):
            tally = mechanism.tally(mechanism.randomize(rng.integers(0, 2, (100, 10)), rng))
            low += diagnostics.evenly_picked(mechanism, tally).p_value < 0.05
        assert low <= 22

    @pytest.mark.parametrize(
        "mechanism",
        [OptionSampling(10, 1), OptionSampling(6, 2.2), OptionSampling(5, 3, 4, 1)],
        ids=repr,
    )
    def test_the_chi_square_has_its_mean(self, mechanism):
        """Its variances are those of drawing without replacement: over many surveys it comes to size - 1."""
        rng = np.random.default_rng(3)
        values = [
            diagnostics.evenly_picked(
                mechanism, mechanism.tally(mechanism.randomize(truths, rng))
            ).p_value
            for truths in rng.integers(0, 2, (400, 100 * mechanism.size, mechanism.size))
        ]
        assert np.mean(values) == pytest.approx(0.5, abs=0.06)
        assert np.mean(np.array(values) < 0.1) == pytest.approx(0.1, abs=0.06)

    def test_fakes_aimed_at_one_mark_show(self):
        mechanism = OptionSampling(10, 1.0987)
        honest = mechanism.randomize(np.zeros((2000, 10), int), 4)
        fake = np.full((200, 10), -1)
        fake[:, 3] = 1
        found = diagnostics.evenly_picked(
            mechanism, mechanism.tally(np.concatenate([honest, fake]))
        )
        assert (found.odd, found.expected) == (3, 220.0)
        assert found.p_value < 1e-6

    def test_few_reports_are_judged_by_exact_chances(self):
        mechanism = OptionSampling(10, 1.0987)
        five = mechanism.tally(["---1------"] * 5)
        assert diagnostics.evenly_picked(mechanism, five).p_value == pytest.approx(10 * 2 * 0.1**5)

    def test_where_all_are_picked_nothing_can_be_odd(self):
        mechanism = OptionSampling(3, 12)
        assert mechanism.pick == 3
        assert diagnostics.evenly_picked(mechanism, mechanism.tally(["111", "000"])).p_value == 1

    def test_a_share_is_judged_by_those_who_were_asked(self):
        tally = Tally(400, [10, 25, 50, 50, 100, 100, 100, 100])
        found = diagnostics.feasibility(FOUR, tally)
        assert found.lowest[0] == 0.25
        assert found.z[0] == pytest.approx((0.1 - 0.25) / math.sqrt(0.25 * 0.75 / 100))
        unknown = diagnostics.feasibility(FOUR, FOUR.tally(["0---"]))
        assert unknown.feasible[1:].all()

    def test_fakes_may_all_be_aimed_at_one_mark(self):
        """Ten fakes in 400 are as bad for a mark of which 100 reports speak as ten in 100 for a yes/no question."""
        tally = Tally(400, [40, 40, 40, 40, 100, 100, 100, 100])
        found = diagnostics.sensitivity(FOUR, tally, 0.025)
        alone = diagnostics.sensitivity(TwoCoin(), Tally(100, [60, 40]), 0.1)
        assert found[0] == pytest.approx(alone[1])
        replaced = np.array([40, 40, 40, 40, 100, 100, 100, 100])
        replaced[0] += 10  # ten reports that said 0 of the first mark now say 1
        assert found[0, 1] == pytest.approx(FOUR.estimate(Tally(400, replaced)).proportions[0])

    def test_fakes_and_a_mark_that_nobody_picked(self):
        assert np.isnan(diagnostics.sensitivity(FOUR, FOUR.tally(["0---"]), 0.1)[1]).all()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["wilson", "exact", "likelihood", "wald"])
@pytest.mark.parametrize(
    ("mechanism", "n"),
    [
        (OptionSampling(10, 1.0987), 2000),
        (OptionSampling(5, 2.1973), 500),
        (OptionSampling(20, 4), 2000),
    ],
    ids=repr,
)
def test_intervals_hold_the_truth_in_93_to_97_percent_of_surveys(mechanism, n, kind):
    """1,000 surveys whose people are drawn too, on shares from .02 to .6; every mark of every survey."""
    rng, shares = np.random.default_rng(17), np.linspace(0.02, 0.6, mechanism.size)
    held = np.zeros(mechanism.size)
    for _ in range(1000):
        truths = (rng.random((n, mechanism.size)) < shares).astype(np.uint8)
        ends = mechanism.estimate(
            mechanism.tally_packed(mechanism.randomize_stored(truths, rng)), interval=kind
        ).intervals
        held += (ends[:, 0] <= shares) & (shares <= ends[:, 1])
    highest = 0.985 if kind == "exact" else 0.97
    assert 0.93 <= held.mean() / 1000 <= highest
    assert held.min() / 1000 >= 0.92


@pytest.mark.long
def test_marks_against_scrambling_every_mark_at_the_same_epsilon():
    """10 marks, 5,000 respondents: root mean square errors of .044 and .128."""
    rng, errors = np.random.default_rng(5), {}
    for mechanism in (OptionSampling(10, 1.0987), UnaryEncoding.symmetric(10, 1.0987, "any")):
        truths = (rng.random((100, 5000, 10)) < 0.2).astype(np.uint8)
        found = [
            mechanism.estimate(mechanism.tally(mechanism.randomize(each, rng))).proportions
            for each in truths
        ]
        errors[mechanism.name] = float(np.sqrt(((np.array(found) - 0.2) ** 2).mean()))
    assert errors["marks"] == pytest.approx(0.0427, abs=0.003)
    assert errors["unary"] == pytest.approx(0.1288, abs=0.008)
