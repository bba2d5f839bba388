"""Margins and chances of a clear difference, as they are planned."""

import math

import numpy as np
import pytest

from mechanisms import Differences, GroupReports, TwoCoin, Window
from mechanisms.planning import power_of_groups
from mechanisms.planning.channels import Channel
from surveys.authoring.planning.precision import verdict
from surveys.statements.family import Family
from surveys.statements.plans import (
    ENUMERATED,
    NORMAL,
    PlannedMean,
    PlannedShare,
    Power,
    PowerStatement,
    people_for_shares,
    power_of_means,
    power_of_shares,
    smallest_number_of_people,
)
from surveys.statements.quantity import WIDEST
from surveys.statements.statement import State

TWO_COINS = Channel.of(TwoCoin())
WARNER = Channel(0.95, 0.05)


@pytest.mark.parametrize(
    ("size", "chance"), [(6, 0.6531), (30, 0.4545), (57, 0.3832), (85, 0.3414)]
)
def test_the_chance_is_that_of_the_rule_with_the_family_of_the_page(
    size: int, chance: float
) -> None:
    """43 against 23% with two coins, one of three equal groups of 1,000 people."""
    group, others = PlannedShare(0.43, 333), PlannedShare(0.23, 667)

    power = power_of_shares(TWO_COINS, group, others, Family(size=size))

    assert power.chance == pytest.approx(chance, abs=1e-3)
    assert power.method == ENUMERATED


def test_the_number_of_people_reaches_the_target() -> None:
    family = Family(size=30)

    people = people_for_shares(TWO_COINS, 0.43, 0.23, 1 / 3, family)

    group, others = PlannedShare(0.43, round(people / 3)), PlannedShare(0.23, people * 2 // 3)
    assert people == 1_739
    assert power_of_shares(TWO_COINS, group, others, family).chance == pytest.approx(0.8, abs=0.01)


def test_the_chance_at_a_precise_design_is_planned_too() -> None:
    """25 against 5% with Warner's design at 19/20, one of three equal groups of 300 people."""
    family = Family(size=30)

    power = power_of_shares(WARNER, PlannedShare(0.25, 100), PlannedShare(0.05, 200), family)

    assert power.chance == pytest.approx(0.7818, abs=1e-3)
    assert people_for_shares(WARNER, 0.25, 0.05, 1 / 3, family) == 313


def test_the_chance_is_how_often_drawn_surveys_are_called_clear() -> None:
    rng = np.random.default_rng(7)
    family = Family(size=30)
    hits = rng.binomial(100, 0.05 + 0.9 * 0.25, 20_000)
    other_hits = rng.binomial(200, 0.05 + 0.9 * 0.05, 20_000)
    sides = GroupReports(100, hits, 0.9, 0.05), GroupReports(200, other_hits, 0.9, 0.05)

    verdicts = np.array(Differences(*sides, comparisons=family.size).verdicts)
    power = power_of_shares(WARNER, PlannedShare(0.25, 100), PlannedShare(0.05, 200), family)

    # Four standard errors of a share of 20,000 surveys.
    assert (verdicts == "higher").mean() == pytest.approx(power.chance, abs=0.012)


def test_a_lower_share_is_planned_like_a_higher_one() -> None:
    family = Family(size=6)
    lower = power_of_shares(TWO_COINS, PlannedShare(0.23, 667), PlannedShare(0.43, 333), family)

    assert lower.chance == pytest.approx(0.6531, abs=1e-3)


def test_large_groups_have_the_normal_approximation() -> None:
    """Where counts are still enumerated, it differs from them by at most 0.002."""
    family = Family(size=6)
    group, others = PlannedShare(0.33, 1_500), PlannedShare(0.25, 1_500)
    larger_group, larger_others = PlannedShare(0.33, 2_000), PlannedShare(0.25, 2_000)

    enumerated = power_of_shares(TWO_COINS, group, others, family)
    normal = power_of_shares(TWO_COINS, larger_group, larger_others, family)

    assert (enumerated.method, normal.method) == (ENUMERATED, NORMAL)
    approximation = power_of_groups(TWO_COINS, 0.33, 0.25, 1_500, alpha=family.alpha)
    assert enumerated.chance == pytest.approx(float(approximation), abs=2e-3)
    assert normal.chance == pytest.approx(
        float(power_of_groups(TWO_COINS, 0.33, 0.25, 2_000, alpha=family.alpha))
    )


def test_a_group_without_reports_is_never_clear() -> None:
    power = power_of_shares(TWO_COINS, PlannedShare(0.4, 0), PlannedShare(0.2, 100), Family())

    assert power.chance == 0


def test_the_chance_for_means_is_that_of_the_normal_test() -> None:
    """Two groups of 100 with a variance of 2 have the error 0.2: the distance is three of them."""
    group, others = PlannedMean(3.6, 2.0, 100), PlannedMean(3.0, 2.0, 100)

    alone = power_of_means(group, others, 0.0, Family())
    in_a_family = power_of_means(group, others, 0.0, Family(size=10))

    # The error of equal variances divides by the people less both means.
    assert alone.chance == pytest.approx(0.849, abs=3e-3)
    assert in_a_family.chance < alone.chance
    assert power_of_means(group, others, 8.0, Family()).chance < alone.chance


def test_no_number_of_people_is_enough_for_some_differences() -> None:
    assert smallest_number_of_people(lambda people: 0.5) is None
    assert people_for_shares(TWO_COINS, 0.2, 0.2001, 0.5, Family()) is None


def test_the_sentence_says_for_what_the_chance_allows() -> None:
    statement = PowerStatement(
        n=1_000,
        groups="in 3 groups of equal size",
        power=Power(chance=0.4545, method=ENUMERATED),
        family=Family(size=30),
        people_for_target=1_739,
    )

    assert statement.sentence == (
        "With 1,000 respondents in 3 groups of equal size, the report will call this difference "
        "clear in about 45 of 100 surveys. For 80 of 100 you need about 1,800. The report makes 30 "
        "comparisons, and this chance allows for all of them."
    )
    assert statement.printed.number == 45


def test_a_single_comparison_has_nothing_to_allow_for() -> None:
    statement = PowerStatement(
        n=1, groups="", power=Power(chance=0.0001, method=NORMAL), family=Family()
    )

    assert statement.sentence == (
        "With 1 respondent, the report will call this difference clear in about 1 of 100 surveys."
    )


def test_the_margin_of_a_share_is_stated() -> None:
    margin = verdict("yes-no", TwoCoin(), 1_000)

    assert (margin.sentence, margin.stress) == ("±6.2 points with 1,000 responses.", "±6.2 points")
    assert (margin.printed.number, margin.printed.low, margin.printed.unit) == (6.2, -6.2, "points")


def test_the_margin_of_a_mean_is_at_most_what_is_stated() -> None:
    margin = verdict("quantity", Window(31, math.log(3)), 1_000, unit="days")

    assert margin.sentence == "At most ±2.1 days with 1,000 responses, whatever they answer."
    assert margin.printed.number == 2.1


def test_a_margin_is_withheld_where_the_report_withholds_the_number() -> None:
    people = verdict("yes-no", TwoCoin(), 100).people_for_number
    too_few = verdict("yes-no", TwoCoin(), people - 1)
    reached = verdict("yes-no", TwoCoin(), people)

    assert (too_few.state, reached.state) == (State.WITHHELD, State.NUMBER)
    assert (too_few.number_in_brief, too_few.number_in_words) == ("no number", "no number")
    assert (reached.number_in_brief, reached.number_in_words) == ("±10", "±10 points")
    assert 2 * reached.margin <= WIDEST < 2 * too_few.margin
    assert too_few.sentence == ("Needs about 390 people to show a number, whatever they answer.")
    assert too_few.printed.number is None


def test_a_share_that_is_not_scrambled_is_never_withheld() -> None:
    margin = verdict("background", None, 30)

    assert margin.margin > WIDEST / 2
    assert (margin.state, margin.grade) == (State.NUMBER, "rough")
