"""Accounting: conversions that never round an epsilon down, sums, and meanings."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Mangat,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    Warner,
    privacy,
)
from tests.mechanisms.enumeration import distribution, truths


def true_log(ratio):
    with localcontext() as context:
        context.prec = 60
        return (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()


@pytest.mark.parametrize("p", [Fraction(a, 97) for a in range(49, 97)])
def test_epsilon_of_a_probability_is_never_below_the_real_number(p):
    exact = true_log(p / (1 - p))
    found = privacy.epsilon_of(p, p)
    assert Decimal(found) >= exact
    assert found == pytest.approx(float(exact), rel=1e-15)
    assert privacy.epsilon_of_gamma(p - Fraction(1, 2)) == found


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 0.5, 1, math.log(3), 2, 5, 20])
def test_going_to_probabilities_and_back_never_gains_epsilon(epsilon):
    p = privacy.p_of_epsilon(epsilon)
    assert true_log(p / (1 - p)) <= Decimal(epsilon) * (1 + Decimal("1e-15"))
    assert float(p) == pytest.approx(1 / (1 + math.exp(-epsilon)), abs=2**-31)
    assert privacy.gamma_of_epsilon(epsilon) == privacy.gamma_of_p(p)
    assert privacy.p_of_gamma(privacy.gamma_of_p(p)) == p


def test_epsilon_of_two_different_chances():
    assert privacy.epsilon_of("0.7", "0.6") == pytest.approx(math.log(2))
    assert privacy.epsilon_of(1, "0.6") == math.inf
    assert privacy.epsilon_of("0.2", "0.6") == pytest.approx(math.log(2))


def test_questions_and_surveys_add_up():
    survey = [TwoCoin(), UnaryEncoding(15, 0.75, 0.25)]
    assert privacy.survey_epsilon(survey) == pytest.approx(3 * math.log(3))
    assert privacy.round_up(privacy.survey_epsilon(survey)) == 3.2959
    assert privacy.respondent_epsilon([survey, [Warner("3/4")], []]) == pytest.approx(
        4 * math.log(3)
    )
    assert privacy.survey_epsilon([]) == 0
    assert privacy.survey_epsilon([TwoCoin(), Mangat("0.6")]) == math.inf


LOTS = [
    ([], [Warner("3/4"), Warner("2/3"), Warner("9/10")], 1),
    ([], [Warner("3/4"), Warner("2/3"), Warner("9/10")], 2),
    (
        [TwoCoin()],
        [GeneralizedResponse("0.9", "0.6"), ForcedResponse("1/2", "1/3", "1/6"), Warner("2/3")],
        2,
    ),
    ([Warner("3/5")], [DirectEncoding(3, 1, den=10), Warner("3/4")], 1),
    (
        [],
        [SubsetSelection(3, 1, den=10), UnaryEncoding(2, "3/4", "1/4", select="any"), TwoCoin()],
        2,
    ),
]


@pytest.mark.parametrize(("fixed", "drawn", "count"), LOTS)
def test_the_epsilon_of_a_lot_is_the_largest_ratio_of_all_outputs(fixed, drawn, count):
    """P(S, y given x) for every truth x of a person, every set S that can be drawn and all reports y to it."""
    chances = [
        all_outputs(fixed, drawn, count, truth) for truth in product(*map(truths, [*fixed, *drawn]))
    ]
    assert all(sum(of.values()) == 1 for of in chances)
    assert all(of.keys() == chances[0].keys() for of in chances)
    worst = max(
        max(of[output] for of in chances) / min(of[output] for of in chances)
        for output in chances[0]
    )
    assert privacy.survey_epsilon(fixed, drawn, count) == pytest.approx(math.log(worst), rel=1e-12)


def all_outputs(fixed, drawn, count, truth):
    """(which were drawn, reports) -> chance, with a person of this truth."""
    known, rest = truth[: len(fixed)], truth[len(fixed) :]
    found = {}
    for lot in combinations(range(len(drawn)), count):
        asked = [*zip(fixed, known, strict=True), *((drawn[place], rest[place]) for place in lot)]
        for reports in product(*(distribution(mechanism, one).items() for mechanism, one in asked)):
            chance = math.prod(each for _, each in reports)
            found[lot, tuple(report for report, _ in reports)] = Fraction(chance) / math.comb(
                len(drawn), count
            )
    return found


def test_no_more_can_be_drawn_than_there_are():
    with pytest.raises(ValueError, match="count"):
        privacy.survey_epsilon([], [TwoCoin()], 2)
    assert privacy.survey_epsilon([TwoCoin()], [TwoCoin(), Mangat("0.6")], 1) == math.inf


def test_a_sum_is_never_below_its_parts():
    losses = np.random.default_rng(1).uniform(0, 3, 1000).tolist()
    assert Fraction(privacy.total_epsilon(losses)) >= sum(map(Fraction, losses))
    assert privacy.total_epsilon([0.1, 0.2]) >= 0.1 + 0.2 - 1e-15


@pytest.mark.parametrize("digits", [0, 4, 15])
def test_what_is_shown_is_never_below_and_less_than_a_digit_above(digits):
    shown = privacy.round_up(math.log(3), digits)
    assert math.log(3) <= shown < math.log(3) + 10.0**-digits


def test_the_meaning_is_a_sentence_about_odds():
    assert (
        privacy.odds_sentence(math.log(3))
        == "A guess that starts at 50:50 is right at most 75 times in 100."
    )
    assert privacy.odds_sentence(math.inf) == "A report can give the truth away for certain."


@pytest.mark.parametrize("epsilon", [0.5, 1, 2])
@pytest.mark.parametrize("share", [0, 0.3, 0.5, 1])
def test_the_error_bound_holds(epsilon, share):
    """Against the exact expected absolute error, summed over all counts."""
    mechanism, n = DirectEncoding(2, epsilon), 40
    no, yes = (float(row[1]) for row in mechanism.probabilities())
    report = no + (yes - no) * share
    counts = np.arange(n + 1)
    chances = np.array([math.comb(n, y) * report**y * (1 - report) ** (n - y) for y in counts])
    errors = np.abs((counts / n - no) / (yes - no) - share)
    assert chances @ errors <= privacy.error_bound(epsilon, n)
    e = math.exp(epsilon)
    assert privacy.error_bound(epsilon, n) == pytest.approx((e + 1) / (e - 1) / (2 * math.sqrt(n)))


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: privacy.epsilon_of("1/2", "1/2"),
        lambda: privacy.epsilon_of(2, 0.5),
        lambda: privacy.epsilon_of_gamma(0),
        lambda: privacy.p_of_gamma("0.6"),
        lambda: privacy.gamma_of_p("0.5"),
        lambda: privacy.p_of_epsilon(0),
        lambda: privacy.total_epsilon([1, math.nan]),
        lambda: privacy.total_epsilon([-1]),
        lambda: privacy.round_up(1, -1),
        lambda: privacy.round_up(1, 16),
        lambda: privacy.error_bound(0, 10),
        lambda: privacy.error_bound(1, 0),
    ],
)
def test_it_is_refused_with_a_reason(attempt):
    with pytest.raises(ValueError, match="allowed"):
        attempt()
