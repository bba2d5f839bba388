"""Statements about shares: their state, their number, their range and their words."""

import pytest

from surveys.statements.shares import ShareStatement, share_of
from surveys.statements.statement import State


@pytest.mark.parametrize(
    ("estimate", "interval", "state", "number", "shown_range"),
    [
        (0.268, (0.2413, 0.2942), State.NUMBER, "26.8%", "24.1 to 29.5%"),
        (0.012, (-0.002, 0.0142), State.AT_MOST, "≤ 1.5%", "0 to 1.5%"),
        (0.97, (0.896, 1.01), State.AT_LEAST, "≥ 89%", "89 to 100%"),
        (0.3, (0.12, 0.4), State.WITHHELD, "", "12 to 40%"),
        # It is measured before anything is cut off.
        (-0.02, (-0.16, 0.05), State.WITHHELD, "", "0 to 5.0%"),
        (-0.05, (-0.09, -0.01), State.IMPOSSIBLE, "", ""),
    ],
)
def test_range_decides_what_is_shown(
    estimate: float, interval: tuple, state: State, number: str, shown_range: str
) -> None:
    statement = share_of(estimate, interval)
    assert (statement.state, statement.number, statement.range) == (state, number, shown_range)


def test_too_few_reports_support_no_statement() -> None:
    statement = share_of(0.268, (0.2413, 0.2942), n=29, least_n=30, name="Copied")
    assert statement.state == State.TOO_FEW
    assert statement.number == ""
    assert statement.sentence == "Too few answers for a statement about “Copied”."


def test_what_was_counted_is_shown_with_any_range() -> None:
    assert share_of(0.3, (0.12, 0.4), is_scrambled=False).state == State.NUMBER


@pytest.mark.parametrize(
    ("estimate", "interval", "sentence", "detail"),
    [
        (0.268, (0.2413, 0.2942), "Tax: about 1 in 4.", "26.8% (95% range 24.1% to 29.5%)."),
        (
            -0.002,
            (-0.03, 0.042),
            "Tax: at most 1 in 20.",
            "95% range 0 to 4.2%; unbiased estimate −0.2%.",
        ),
        (
            0.97,
            (0.896, 1.01),
            "Tax: at least 89%.",
            "95% range 89% to 100%; unbiased estimate 97%.",
        ),
        (0.3, (0.12, 0.4), "Tax: too uncertain for one number (12% to 40%).", ""),
        (0.5, (-0.1, 1.2), "Tax: any share is possible.", ""),
    ],
)
def test_sentence_says_what_the_range_supports(
    estimate: float, interval: tuple, sentence: str, detail: str
) -> None:
    statement = share_of(estimate, interval, name="Tax")
    assert (statement.sentence, statement.detail) == (sentence, detail)


def test_question_without_a_short_name_is_called_by_its_answer() -> None:
    statement = share_of(0.268, (0.2413, 0.2942), answer="Yes")
    assert statement.sentence == "About 1 in 4 answered “Yes”."
    assert statement.stress == "1 in 4"


def test_condition_opens_the_sentence() -> None:
    among = "answered “Third year” to Year of study"
    named = share_of(0.268, (0.2413, 0.2942), name="Tax", among=among)
    assert named.sentence == f"Among people who {among}, Tax: about 1 in 4."
    unnamed = share_of(0.268, (0.2413, 0.2942), answer="Yes", among=among)
    assert unnamed.sentence == f"Among people who {among}, about 1 in 4 answered “Yes”."


def test_bound_in_words_is_never_tighter_than_the_range() -> None:
    for thousandths in range(1, 200):
        high = thousandths / 1000
        statement = share_of(0.0, (-0.0005, high))
        assert _bound(statement) >= statement.rounding.high >= 100 * high - 1e-9


def _bound(statement: ShareStatement) -> float:
    """Return the bound that the words name, in per cent."""
    words = statement.words.removeprefix("at most ")
    if words.startswith("1 in "):
        return 100 / float(words.removeprefix("1 in ").replace(",", ""))
    return float(words.removesuffix("%"))
