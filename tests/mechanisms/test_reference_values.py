"""Published and independently computed values, to 1e-9."""

import math

import numpy as np
import pytest

from mechanisms import (
    Crosswise,
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    odds_percent,
    round_up,
)


def close(value, tolerance=1e-9):
    return pytest.approx(value, rel=0, abs=tolerance)


SYMMETRIC_1 = GeneralizedResponse.from_epsilon(1)
REFERENCE = {
    "warner 3/4": (
        Warner("3/4"), 400, 160, 0.3, 0.0489897948557,
        (0.2039817665, 0.3960182335), (0.2063230578, 0.3974818599),
    ),
    "warner .7": (
        Warner(0.7), 1000, 250, -0.125, 0.0342326598441,
        (-0.1920947804, -0.0579052196), (-0.1896172525, -0.0555992993),
    ),
    "forced": (
        ForcedResponse("2/3", "1/6", "1/6"), 2457, 839, 0.262210012210, 0.014350061535,
        (0.2340844084, 0.2903356160), (0.2344751166, 0.2906873046),
    ),
    "crosswise": (
        Crosswise(0.25), 800, 560, 0.1, 0.0324037034920,
        (0.0364899082, 0.1635100918), (0.0385245641, 0.1652985368),
    ),
    "epsilon 1": (
        SYMMETRIC_1, 1000, 450, 0.391802329313, 0.0340436023104,
        (0.3250780949, 0.4585265637), (0.3256186453, 0.4588141061),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCE)
def test_estimate_agrees_with_the_reference(name):
    mechanism, n, yes, estimate, error, wald, wilson = REFERENCE[name]
    tally = Tally(n, [n - yes, yes])
    # An epsilon becomes integers on the private side, up to 4e-9 away from the real number e.
    tolerance = 4e-9 if mechanism is SYMMETRIC_1 else 1e-9

    result = mechanism.estimate(tally)

    assert result.proportions[1] == close(estimate, tolerance)
    assert result.standard_errors[1] == close(error, tolerance)
    assert result.intervals[1] == close(wilson, tolerance)
    assert mechanism.estimate(tally, interval="wald").intervals[1] == close(wald, tolerance)


def test_no_is_the_mirror_of_yes():
    result = Warner("3/4").estimate(Tally(400, [240, 160]))
    assert result.proportions == close([0.7, 0.3])
    assert result.intervals[0] == close(1 - result.intervals[1][::-1])
    assert result.covariance == close(np.array([[1, -1], [-1, 1]]) * 0.0489897948557**2)


def test_constrained_estimate_of_an_impossible_share_is_at_the_end():
    result = Warner("0.7").estimate(Tally(1000, [750, 250]))
    assert result.proportions[1] == close(-0.125)
    assert result.constrained == close([1, 0])
    assert result.constrained_by == "maximum likelihood"


def test_known_epsilons():
    assert TwoCoin().epsilon == close(math.log(3), 1e-15)
    assert UnaryEncoding(14, 0.75, 0.25).epsilon == close(2.1972245773, 1e-10)
    assert GeneralizedResponse("0.7", "0.6").epsilon == close(0.693147, 1e-6)
    assert GeneralizedResponse.from_gamma("1/4").epsilon == close(math.log(3), 1e-15)
    assert UnaryEncoding(4, "1/2", "1/4").epsilon == close(math.log(3), 1e-15)


def test_epsilon_2_means_88_percent():
    (_, _), (_, p) = GeneralizedResponse.from_epsilon(2).probabilities()
    assert float(p) == close(0.8808, 5e-5)


def test_the_adult_demo_is_near_the_truth():
    result = TwoCoin().estimate(Tally(32561, [32561 - 9928, 9928]))
    assert result.proportions[1] * 32561 == close(3575.5)
    assert abs(result.proportions[1] - 3650 / 32561) < 4 * result.standard_errors[1]


@pytest.mark.parametrize(
    ("size", "expected"),
    [(4, 4.0 * math.e / (math.e - 1) ** 2), (64, 4.0 * math.e / (math.e - 1) ** 2)],
)
def test_variance_of_optimized_unary_at_zero(size, expected):
    mechanism = UnaryEncoding.optimized(size, 1)
    n = mechanism.den
    counts = np.full(size, mechanism.rows[0][1])  # what f = 0 everywhere would give on average
    assert mechanism.estimate(Tally(n, counts)).standard_errors ** 2 * n == close(expected, 1e-7)


def test_variance_of_symmetric_unary_and_direct_at_zero():
    half = math.exp(0.5)
    symmetric = UnaryEncoding.symmetric(8, 1)
    counts = np.full(8, symmetric.rows[0][1])
    result = symmetric.estimate(Tally(symmetric.den, counts))
    assert result.standard_errors**2 * symmetric.den == close(half / (half - 1) ** 2, 1e-7)

    direct = DirectEncoding(8, 1)
    counts = np.array([direct.truthful] + [direct.other] * 7)
    result = direct.estimate(Tally(direct.den, counts))
    assert result.standard_errors[1] ** 2 * direct.den == close(
        (math.e + 6) / (math.e - 1) ** 2, 1e-7
    )


def test_round_up_never_promises_more():
    assert round_up(math.log(3)) == 1.0987
    assert round_up(2 * math.log(3)) == 2.1973
    assert round_up(3 * math.log(3)) == 3.2959
    assert round_up(1.0) == 1.0
    assert round_up(1.1) == 1.1
    assert round_up(1.00001, 2) == 1.01
    assert round_up(0) == 0
    assert round_up(math.inf) == math.inf


def test_odds_percent_is_the_chance_of_a_right_guess():
    assert odds_percent(math.log(3)) == 75
    assert odds_percent(0) == 50
    assert odds_percent(1) == 74
    assert odds_percent(2 * math.log(3)) == 90
    assert odds_percent(math.inf) == 100
    assert odds_percent(20) == 100


@pytest.mark.parametrize("value", [-1, math.nan])
def test_round_up_and_odds_refuse_what_is_no_privacy_loss(value):
    with pytest.raises(ValueError, match="epsilon is"):
        round_up(value)
    with pytest.raises(ValueError, match="epsilon is"):
        odds_percent(value)
