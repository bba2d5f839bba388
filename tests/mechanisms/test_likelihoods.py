"""Likelihood curves, tests of shares and groups, and pooling."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2_contingency, norm

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Matrix,
    Tally,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    equal_groups_test,
    likelihood_ratio_test,
    log_likelihood,
    planning,
    pool,
    z_test,
)
from mechanisms.planning.channels import Channel

WARNER = (Warner("3/4"), Tally(400, [240, 160]))
FORCED = (ForcedResponse("2/3", "1/6", "1/6"), Tally(600, [430, 170]))


def test_the_curve_has_its_top_at_the_estimate():
    grid = np.linspace(-0.4, 1.4, 1801)
    curve = log_likelihood(*WARNER, grid)
    assert curve.shape == grid.shape
    assert grid[curve.argmax()] == pytest.approx(0.3, abs=1e-3)
    assert log_likelihood(*WARNER, np.array(0.3)) == pytest.approx(
        160 * math.log(0.4) + 240 * math.log(0.6)
    )


def test_the_curve_is_minus_infinity_where_reports_would_be_impossible():
    assert list(np.isfinite(log_likelihood(*WARNER, np.array([-0.51, -0.49, 1.49, 1.51])))) == [
        False,
        True,
        True,
        False,
    ]


def test_the_curve_of_no_is_that_of_yes_mirrored():
    shares = np.array([[0.1, 0.2], [0.3, 0.4]])
    assert log_likelihood(*WARNER, shares, choice=0) == pytest.approx(
        log_likelihood(*WARNER, 1 - shares)
    )


def test_the_likelihood_ratio_agrees_with_the_interval():
    low, high = Warner("3/4").estimate(WARNER[1], interval="likelihood").intervals[1]
    for end in (low, high):
        assert likelihood_ratio_test(*WARNER, end).p_value == pytest.approx(0.05, abs=1e-6)
    assert likelihood_ratio_test(*WARNER, 0.3).statistic == pytest.approx(0, abs=1e-9)
    assert likelihood_ratio_test(*WARNER, 0.3).p_value == pytest.approx(1, abs=1e-4)
    assert likelihood_ratio_test(*WARNER, 0.1).p_value < 1e-4


def test_equal_groups_of_one_design_is_the_g_test_of_their_reports():
    groups = [
        (TwoCoin(), Tally(400, [240, 160])),
        (TwoCoin(), Tally(300, [210, 90])),
        (TwoCoin(), Tally(100, [66, 34])),
    ]
    expected = chi2_contingency(
        [tally.counts for _, tally in groups], correction=False, lambda_="log-likelihood"
    )
    result = equal_groups_test(groups)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert result.degrees == expected.dof == 2
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_the_z_test_divides_the_difference_by_its_error_if_there_is_none():
    first, second = WARNER[0].estimate(WARNER[1]), FORCED[0].estimate(FORCED[1])
    common = pool([WARNER, FORCED]).proportions[1]
    errors = [
        planning.standard_error(Channel.of(mechanism), common, tally.n)
        for mechanism, tally in (WARNER, FORCED)
    ]
    z = (first.proportions[1] - second.proportions[1]) / math.hypot(*errors)
    result = z_test(WARNER, FORCED)
    assert result.statistic == pytest.approx(z)
    assert result.p_value == pytest.approx(2 * norm.sf(abs(z)))
    assert z_test(FORCED, WARNER).statistic == pytest.approx(-z)


def test_the_z_test_of_one_design_is_the_pooled_test_of_its_reports():
    one, other = Tally(400, [240, 160]), Tally(300, [210, 90])
    common = 250 / 700
    z = (160 / 400 - 90 / 300) / math.sqrt(common * (1 - common) * (1 / 400 + 1 / 300))
    assert z_test((Warner("0.2"), one), (Warner("0.2"), other)).statistic == pytest.approx(-z)


def test_the_z_test_keeps_its_level_where_few_reports_come():
    """Exactly: an unrelated question at a share of 2%, 40 and 80 respondents; the estimates' own errors gave 8.5%."""
    design = UnrelatedQuestion("7/10", "1/12")
    chance = float(design.line().offset[1] + design.line().slope[1] * 0.02)
    rejected = 0.0
    for a in range(12):
        for b in range(16):
            groups = [(design, Tally(40, [40 - a, a])), (design, Tally(80, [80 - b, b]))]
            if (a or b) and z_test(*groups).p_value < 0.05:
                rejected += binom.pmf(a, 40, chance) * binom.pmf(b, 80, chance)
    assert rejected == pytest.approx(0.037, abs=0.002)


def test_a_matrix_of_three_answers_has_a_z_test_by_its_own_errors():
    matrix = Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)
    one, other = (
        matrix.estimate(Tally(300, [150, 100, 50])),
        matrix.estimate(Tally(300, [120, 120, 60])),
    )
    z = (one.proportions[1] - other.proportions[1]) / math.hypot(
        one.standard_errors[1], other.standard_errors[1]
    )
    assert z_test((matrix, one.tally), (matrix, other.tally)).statistic == pytest.approx(z)


def test_tests_keep_their_level():
    """With equal shares a test at 5 percent rejects about 5 percent of 1,000 pairs of surveys."""
    rng = np.random.default_rng(21)
    one, other = Warner("3/4"), GeneralizedResponse.from_epsilon(2)
    yes = [rng.binomial(n, m.probabilities()[0][1] + (m.probabilities()[1][1] - m.probabilities()[0][1]) * 0.2, 1000)
           for m, n in ((one, 300), (other, 500))]  # fmt: skip
    rejected = np.zeros(2)
    for a, b in zip(*yes, strict=True):
        groups = [(one, Tally(300, [300 - a, a])), (other, Tally(500, [500 - b, b]))]
        rejected += [z_test(*groups).p_value < 0.05, equal_groups_test(groups).p_value < 0.05]
    assert rejected / 1000 == pytest.approx(0.05, abs=0.025)


def joint(share, groups):
    total = 0.0
    for mechanism, tally in groups:
        no, yes = (float(row[1]) for row in mechanism.probabilities())
        report = no + (yes - no) * share
        total += tally.counts[1] * math.log(report) + tally.counts[0] * math.log1p(-report)
    return total


def test_pooling_maximizes_the_joint_likelihood():
    groups = [WARNER, FORCED]
    best = minimize_scalar(
        lambda share: -joint(share, groups), bounds=(-0.2, 1.2), options={"xatol": 1e-12}
    )
    pooled = pool(groups)
    assert pooled.n == 1000
    assert pooled.proportions[1] == pytest.approx(best.x, abs=1e-6)
    assert pooled.proportions.sum() == pytest.approx(1)
    top = joint(pooled.proportions[1], groups)
    for end in pooled.intervals[1]:
        assert 2 * (top - joint(end, groups)) == pytest.approx(3.841458820694124, rel=1e-6)


def test_pooling_one_design_is_adding_the_tallies():
    one, other = Tally(400, [240, 160]), Tally(300, [210, 90])
    pooled = pool([(TwoCoin(), one), (TwoCoin(), other)])
    together = TwoCoin().estimate(one + other)
    assert pooled.proportions == pytest.approx(together.proportions)
    assert pooled.standard_errors == pytest.approx(together.standard_errors)


def test_pooling_choices_goes_choice_by_choice():
    rng = np.random.default_rng(3)
    truths = rng.integers(0, 4, 4000) // 2
    groups = []
    for mechanism in (
        UnaryEncoding.symmetric(4, 1),
        UnaryEncoding.symmetric(4, 3),
        DirectEncoding(4, 2),
    ):
        groups.append((mechanism, mechanism.tally(mechanism.randomize(truths, rng))))
    pooled = pool(groups)
    assert pooled.proportions == pytest.approx(np.bincount(truths, minlength=4) / 4000, abs=0.06)
    assert np.all(
        pooled.standard_errors < np.min([m.estimate(t).standard_errors for m, t in groups], axis=0)
    )
    assert pooled.homogeneity.p_value > 0.01
    assert pooled.statistics.shape == (4,)


def test_pooling_notices_different_populations():
    assert pool([WARNER, (TwoCoin(), Tally(400, [120, 280]))]).homogeneity.p_value < 1e-6


def test_pooling_at_the_edge_stays_unclipped_and_finite():
    pooled = pool([(TwoCoin(), Tally(50, [50, 0])), (Warner("2/3"), Tally(50, [50, 0]))])
    assert pooled.proportions[1] == pytest.approx(-0.5)  # the least for which two coins give no Yes
    assert np.isfinite(pooled.intervals).all()
    assert np.isfinite(pooled.standard_errors).all()


def test_pooled_intervals_cover_where_inverse_variances_do_not():
    """n = 100 + 100, share .02: the exact coverage of both, over all pairs of counts."""
    designs = [GeneralizedResponse.from_epsilon(0.5), GeneralizedResponse.from_epsilon(2)]
    chances = [
        float(m.probabilities()[0][1] + (m.probabilities()[1][1] - m.probabilities()[0][1]) / 50)
        for m in designs
    ]
    counts = np.arange(101)
    weights = [
        np.array([math.comb(100, y) * c**y * (1 - c) ** (100 - y) for y in range(101)])
        for c in chances
    ]
    likely = [counts[w > 1e-6] for w in weights]
    ours = theirs = total = 0.0
    for a in likely[0][::3]:  # every third count of each is enough to tell 95 from 88 percent
        for b in likely[1][::3]:
            weight = weights[0][a] * weights[1][b]
            tallies = [Tally(100, [100 - y, y]) for y in (a, b)]
            low, high = pool(list(zip(designs, tallies, strict=True))).intervals[1]
            estimates = [m.estimate(t) for m, t in zip(designs, tallies, strict=True)]
            inverse = np.array([e.standard_errors[1] ** -2 for e in estimates])
            center = inverse @ [e.proportions[1] for e in estimates] / inverse.sum()
            half = 1.96 / math.sqrt(inverse.sum())
            total += weight
            ours += weight * (low <= 0.02 <= high)
            theirs += weight * (abs(center - 0.02) <= half)
    assert ours / total > 0.93
    assert theirs < ours


BAD = {
    "no groups": lambda: pool([]),
    "one group": lambda: pool([WARNER]),
    "different sizes": lambda: pool([WARNER, (DirectEncoding(3, 1), Tally(3, [1, 1, 1]))]),
    "an empty tally": lambda: pool([WARNER, (TwoCoin(), Tally(0, [0, 0]))]),
    "a general matrix": lambda: log_likelihood(
        Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10), Tally(3, [1, 1, 1]), np.array([0.5])
    ),
    "a tally of another": lambda: likelihood_ratio_test(TwoCoin(), Tally(3, [1, 1, 1]), 0.2),
    "not a mechanism": lambda: likelihood_ratio_test("two-coin", Tally(3, [1, 2]), 0.2),
    "an impossible share": lambda: likelihood_ratio_test(*WARNER, 1.6),
    "NaN": lambda: likelihood_ratio_test(*WARNER, math.nan),
    "NaN in a curve": lambda: log_likelihood(*WARNER, np.array([0.1, math.nan])),
    "a choice out of range": lambda: likelihood_ratio_test(*WARNER, 0.2, choice=2),
    "no variance": lambda: z_test((TwoCoin(), Tally(3, [3, 0])), (TwoCoin(), Tally(3, [3, 0]))),
    "one group to compare": lambda: equal_groups_test([WARNER]),
    "confidence": lambda: pool([WARNER, FORCED], 95),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_refused_with_a_reason(name):
    with pytest.raises(ValueError, match="allowed"):
        BAD[name]()
