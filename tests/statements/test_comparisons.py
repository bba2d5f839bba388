"""Statements about two sides: what decides them, how they are printed, and their sentences."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mechanisms import Differences, GroupReports, Matrix, Tally, Warner, mean_error
from mechanisms.designs.unary import identity_mechanism
from surveys.statements.changes import Change, unclear_changes
from surveys.statements.comparisons import (
    OTHERS,
    Comparison,
    Side,
    SidePair,
    compare,
    share_difference,
    share_side,
    unclear_differences,
)
from surveys.statements.family import Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.statement import State

TAX = share_difference("Tax")
HOURS = Quantity(
    kind=Kind.DIFFERENCE, name="Hours", unit=" hours", factor=1, lowest=-50.0, highest=50.0
)
AGREES = replace(HOURS, name="Agrees", unit=" points of the scale", lowest=-4.0, highest=4.0)


def warner_side(name: str, yes: int, n: int, p: str = "3/4") -> Side:
    return share_side(name, Warner(p).estimate(Tally(n, [n - yes, yes])), 1)


def comparison(
    estimate: float, interval: tuple[float, float], quantity: Quantity = TAX, versus: str = OTHERS
) -> Comparison:
    """Return a comparison whose verdict is that of its interval."""
    low, high = interval
    verdict = "no_clear_difference"
    if low > 0:
        verdict = "higher"
    if high < 0:
        verdict = "lower"
    return Comparison(
        quantity=replace(quantity, group="X"),
        n=900,
        estimate=estimate,
        interval=interval,
        method="score",
        family=Family(),
        versus=versus,
        versus_n=1800,
        standard_error=0.04,
        interval_alone=interval,
        p=0.02,
        guard=None,
        verdict=verdict,
    )


@pytest.mark.parametrize(
    ("estimate", "interval", "quantity", "sentence"),
    [
        (
            0.14,
            (0.055, 0.2249),
            TAX,
            "Tax: 14 points higher in “X” than in the other groups (95% range 5 to 23).",
        ),
        (
            -0.0021,
            (-0.0039, -0.0003),
            TAX,
            "Tax: 0.21 points lower in “X” than in the other groups (95% range 0.03 to 0.39).",
        ),
        (
            -0.21,
            (-0.39, -0.03),
            AGREES,
            "Agrees: 0.21 points of the scale lower in “X” than in the other groups "
            "(95% range 0.03 to 0.39).",
        ),
        (
            0.04,
            (-0.0331, 0.0889),
            TAX,
            "Tax: no clear difference between the groups. Differences of up to 9 points are still "
            "possible.",
        ),
        (
            0.002,
            (-0.005, 0.01),
            TAX,
            "Tax: no clear difference between the groups. Differences of up to 1.0 points are still "
            "possible.",
        ),
        (
            2.1,
            (-0.5, 3.81),
            HOURS,
            "Hours: no clear difference between the groups. Differences of up to 3.9 hours are "
            "still possible.",
        ),
        (
            11.0,
            (8.02, 14.06),
            HOURS,
            "Hours: 11 hours more in “X” than in the other groups (95% range 8 to 15).",
        ),
        # The range is longer than a fifth of all possible differences.
        (
            0.5,
            (0.25, 0.751),
            TAX,
            "Tax: 25 to 76 points higher in “X” than in the other groups (95% range).",
        ),
        # What is impossible is cut off.
        (
            1.04,
            (0.93, 1.11),
            TAX,
            "Tax: 100 points higher in “X” than in the other groups (95% range 93 to 100).",
        ),
    ],
)
def test_sentence_says_what_the_range_supports(
    estimate: float, interval: tuple, quantity: Quantity, sentence: str
) -> None:
    assert comparison(estimate, interval, quantity).sentence == sentence


def test_table_has_signs_and_the_digits_of_the_range() -> None:
    statement = comparison(-0.082, (-0.1351, -0.0288))
    assert (statement.number, statement.range) == ("−8", "−14 to −2")
    assert statement.mirrored.number == "+8"
    assert statement.mirrored.range == "+2 to +14"
    assert statement.mirrored.verdict == "higher"
    assert (statement.mirrored.group, statement.mirrored.versus) == (OTHERS, "X")
    assert statement.mirrored.mirrored == statement


def test_wide_range_has_no_number_and_programs_get_its_ends() -> None:
    statement = comparison(0.5, (0.25, 0.751))
    assert statement.state == State.WITHHELD
    assert statement.number == ""
    assert statement.is_grey
    assert statement.printed.number is None
    assert (statement.printed.low, statement.printed.high, statement.printed.unit) == (
        25,
        76,
        "points",
    )


def test_slope_has_no_largest_size() -> None:
    slope = replace(TAX, kind=Kind.SLOPE, lowest=-np.inf, highest=np.inf)
    assert comparison(1.5, (1.2, 1.8), slope).size == "150 points"


def test_no_range_that_excludes_0_is_printed_with_an_end_at_0() -> None:
    rng = np.random.default_rng(6)
    nearest = 10 ** rng.uniform(-6, -1, 300)
    widths = rng.uniform(0, 0.3, 300)
    for near, width in zip(nearest.tolist(), widths.tolist(), strict=True):
        statement = comparison(near + width / 2, (near, near + width))
        assert statement.rounding.low > 0
        assert "+0 " not in statement.range
        assert statement.mirrored.rounding.high < 0


def test_shares_are_decided_as_the_library_decides_them() -> None:
    counts = [((150, 400), (580, 1200)), ((200, 400), (530, 1200)), ((2, 30), (20, 300))]
    pairs = [
        SidePair(TAX, warner_side("A", *first), warner_side("B", *second))
        for first, second in counts
    ]
    firsts, seconds = zip(*counts, strict=True)
    sides = [
        GroupReports([n for _, n in side], [yes for yes, _ in side], 0.5, 0.25)
        for side in (firsts, seconds)
    ]
    expected = Differences(*sides, comparisons=9)

    compared = compare(pairs, Family(size=9))

    assert [each.estimate for each in compared] == pytest.approx(expected.values.tolist())
    for index, statement in enumerate(compared):
        assert statement.interval == pytest.approx(expected.simultaneous_intervals[index])
        assert statement.interval_alone == pytest.approx(expected.separate_intervals[index])
        assert statement.p == pytest.approx(expected.p_values[index])
        assert statement.p_together == pytest.approx(expected.p_together[index])
        assert statement.verdict == expected.verdicts[index].replace(" ", "_")
        assert statement.method == "score"
        if np.isnan(expected.tails[index]):
            assert statement.guard is None
        else:
            assert statement.guard == pytest.approx(expected.tails[index])


def test_nearly_certain_reports_have_exact_ends_and_no_guard() -> None:
    direct = Warner("99/100")
    sides = [
        share_side("A", direct.estimate(Tally(60, [55, 5])), 1),
        share_side("B", direct.estimate(Tally(200, [190, 10])), 1),
    ]
    (statement,) = compare([SidePair(TAX, *sides)], Family())
    assert (statement.method, statement.guard) == ("newcombe", None)


def test_range_without_the_agreement_of_the_exact_test_says_nothing() -> None:
    pair = SidePair(TAX, warner_side("A", 4, 30, "19/20"), warner_side("B", 3, 100, "19/20"))
    (statement,) = compare([pair], Family())
    assert statement.interval[0] > 0
    assert statement.guard > statement.family.alpha / 2
    assert statement.state == State.TOO_FEW
    assert statement.number == ""
    assert statement.sentence == "Too few answers for a statement about “A”."


def test_means_have_the_larger_of_the_errors_with_own_and_with_common_variances() -> None:
    first = Side(name="A", n=100, value=12.0, standard_error=0.8)
    second = Side(name="B", n=400, value=9.0, standard_error=0.2)
    error = mean_error([1, -1], [100, 400], [64.0, 16.0])
    (statement,) = compare([SidePair(HOURS, first, second)], Family(size=1, confidence=0.95))
    half = (statement.interval[1] - statement.interval[0]) / 2
    assert half == pytest.approx(1.959963984540054 * error)
    assert (statement.method, statement.verdict) == ("wald", "higher")
    assert statement.standard_error == pytest.approx(np.hypot(0.8, 0.2))

    (apart,) = compare([SidePair(HOURS, first, second)], Family(), has_common_variance=False)
    parts = mean_error([1], [100], [64.0]), mean_error([1], [400], [16.0])
    half = (apart.interval[1] - apart.interval[0]) / 2
    assert half == pytest.approx(1.959963984540054 * np.hypot(*parts))


def test_pairs_of_both_kinds_keep_their_order() -> None:
    matrix = Matrix([[8, 1, 1], [1, 8, 1], [1, 1, 8]], 10)
    by_error = [
        share_side(name, matrix.estimate(matrix.tally(reports), interval="wald"), 2)
        for name, reports in (("C", [0] * 30), ("D", [0] * 300))
    ]
    pairs = [
        SidePair(TAX, warner_side("A", 10, 40), warner_side("B", 20, 40)),
        SidePair(TAX, *by_error),
        SidePair(TAX, warner_side("E", 30, 40), warner_side("F", 20, 40)),
    ]
    compared = compare(pairs, Family(size=3))
    assert [each.group for each in compared] == ["A", "C", "E"]
    assert [each.method for each in compared] == ["score", "wald", "score"]
    # All reports were alike, but the design makes them vary.
    assert compared[1].verdict == "no_clear_difference"
    low, high = compared[1].interval_alone
    error = np.sqrt(matrix.least_variance(np.eye(3)[2]) * (1 / 30 + 1 / 300))
    assert (low, high) == pytest.approx((-1.959963984540054 * error, 1.959963984540054 * error))


COUNTS = ((150, 400), (200, 400), (260, 500), (0, 40), (40, 40), (3, 300))


def test_pairs_that_are_decided_together_say_what_each_says_alone() -> None:
    """The designs have a line, nearly certain reports, a matrix of two answers, and no noise."""
    designs = (
        Warner("3/4"),
        Warner("99/100"),
        Matrix([[4, 1], [1, 4]], 5),
        identity_mechanism(2),
    )
    pairs = []
    for design in designs:
        sides = [
            share_side(str(n), design.estimate(Tally(n, [n - yes, yes])), 1) for yes, n in COUNTS
        ]
        pairs += [SidePair(TAX, first, second) for first, second in pairwise(sides)]
    family = Family(size=38)

    alone = [compare([pair], family)[0] for pair in pairs]

    assert len(alone) == 4 * 5
    for one, other in zip(alone, compare(pairs, family), strict=True):
        assert (one.verdict, one.method, one.sentence) == (
            other.verdict,
            other.method,
            other.sentence,
        )
        numbers = [(each.estimate, each.p, *each.interval_alone) for each in (one, other)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-12)


def test_means_without_any_error_support_no_statement() -> None:
    sides = [Side(name=name, n=60, value=3.0, standard_error=0.0) for name in ("A", "B")]
    (statement,) = compare([SidePair(HOURS, *sides)], Family())
    assert statement.verdict == "too_few_answers"


def test_question_names_the_largest_difference_that_is_still_possible() -> None:
    compared = [comparison(0.01, (-0.04, 0.06)), comparison(-0.03, (-0.115, 0.055))]
    assert unclear_differences(compared, "Fruit").sentence == (
        "Fruit: no clear difference between the groups. Differences of up to 12 points are still "
        "possible."
    )


def test_condition_opens_the_sentence() -> None:
    quantity = share_difference("Tax", among="answered “Third year” to Year of study")
    sentence = comparison(0.14, (0.055, 0.2249), quantity).sentence
    assert sentence.startswith(
        "Among people who answered “Third year” to Year of study, Tax: 14 points higher in “X”"
    )


@pytest.mark.parametrize(
    ("estimate", "interval", "verdict", "sentence"),
    [
        (0.041, (0.0061, 0.0759), "up", "Tax: up 4.1 points since 2025 (95% range 0.6 to 7.6)."),
        (0.5, (0.25, 0.751), "up", "Tax: up 25 to 76 points since 2025 (95% range)."),
        (
            0.015,
            (-0.0151, 0.0449),
            "no_clear_change",
            "Tax: no clear change since 2025: between 2 points down and 5 points up.",
        ),
        (
            -0.028,
            (-0.061, 0.005),
            "no_clear_change",
            "Tax: no clear change since 2025: between 7 points down and 1 point up.",
        ),
    ],
)
def test_change_is_said_with_its_earlier_version(
    estimate: float, interval: tuple, verdict: str, sentence: str
) -> None:
    change = Change(comparison(estimate, interval), since="2025")
    assert (change.verdict, change.sentence) == (verdict, sentence)


def test_change_of_too_few_people_is_not_said() -> None:
    few = replace(comparison(0.5, (0.4, 0.6)), verdict="too_few_answers")
    assert Change(few, "2025").sentence == "Tax: too few answers to compare with 2025."


def test_answers_without_a_clear_change_share_one_sentence() -> None:
    changes = [
        Change(comparison(0.01, (-0.04, 0.06)), "2025"),
        Change(comparison(-0.03, (-0.115, 0.055)), "2025"),
    ]
    assert unclear_changes(changes, "Fruit").sentence == (
        "Fruit: no clear change of any answer since 2025: between 12 points down and 6 points up."
    )
