"""The order in which a question's answers are listed, and their decimals: the same in sentence, figure and table."""

from surveys.definition.kinds import kind_of
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport

MOST_IN_FIGURE = 20  # choices of a long list


def display_order(
    question: QuestionReport, *, by_size: bool = False
) -> list[tuple[int, ChoiceReport]]:
    """Return (index, choice) in display order.

    Answers with an order of their own are listed as asked, with Yes before No. All others are listed as asked too, or
    by size on request: the largest first, after the answer that means none of the others and before “Prefer not to
    say”.
    """
    numbered = list(enumerate(question.choices))
    if has_own_order(question):
        return kind_of(question).in_order(numbered)
    if not by_size:
        return numbered
    declining = code_of_declining(question)

    def place(pair: tuple[int, ChoiceReport]) -> tuple[int, float]:
        code, choice = pair
        if code == question.none:
            group = 0
        elif code == declining:
            group = 2
        else:
            group = 1
        return group, -(choice.estimate or 0)

    return sorted(numbered, key=place)


def choices_in_figure(
    question: QuestionReport, *, by_size: bool = True
) -> list[tuple[int, ChoiceReport]]:
    """Return (index, choice) of the answers that a figure has rows for.

    For a long list these are the first few that are clearly above 0, for every other question all answers.
    """
    if question.is_list:
        return question.told_apart()[:MOST_IN_FIGURE]
    return display_order(question, by_size=by_size)


def has_own_order(question: QuestionReport) -> bool:
    """Of yes/no, numbers, groups of numbers, scales and the rows of a grid."""
    return question.is_yes_no or question.has_order or question.is_ordered or bool(question.grid)


def code_of_declining(question: QuestionReport) -> int | None:
    """Return the code of “Prefer not to say”, or None where no answer of that kind stands apart from the others."""
    if question.average and question.average.aside and question.choices:
        return len(question.choices) - 1
    return question.declined


def set_apart(question: QuestionReport) -> set[int]:
    """Return the codes without a rank: the answer that the author marked as “none of these”, and declining."""
    return {code for code in (question.none, code_of_declining(question)) if code is not None}
