"""Grids: neighbouring questions with one heading, one list of answers and one protection.

A row of a grid is an ordinary question with its key, mechanism and report. Only pages know that
the rows of a grid belong together.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Protocol, TypeVar

from surveys.definition.instrument import QuestionDefinition
from surveys.definition.kinds import KINDS
from surveys.definition.routing.conditions import Condition
from surveys.definition.routing.filters import build_branching
from surveys.models import Question
from surveys.site.errors import Refused

# The most answers, which are columns side by side on a screen.
MOST_ANSWERS = 11
# The messages on questions whose kind or mode does not fit into a grid.
NOT_OF_A_KIND = (
    "The rows of a grid have one of a few answers: yes or no, one choice, or a point of a scale."
)
NOT_AUTOMATIC = (
    "In a grid the device scrambles the answers. "
    "A spinner, coins and dice need a page for each question."
)


class GridQuestion(Protocol):
    """A question of a draft, of an instrument or of an overview, with its grid and its section."""

    @property
    def grid(self) -> str:
        """The heading of the grid in which the question is a row; "" outside of grids."""

    @property
    def section(self) -> str:
        """The heading of the section that starts with the question; "" if none starts there."""


GridQuestionT = TypeVar("GridQuestionT", bound=GridQuestion)


def group_by_grid(questions: Iterable[GridQuestionT]) -> list[list[GridQuestionT]]:
    """Return the questions in groups: the rows of each grid together, every other question alone.

    Neighbouring questions with the same heading of a grid are the rows of one grid. A question that
    starts a section also starts a group.
    """
    groups: list[list[GridQuestionT]] = []
    previous_grid = ""
    for question in questions:
        is_in_previous_grid = bool(question.grid) and question.grid == previous_grid
        if is_in_previous_grid and not question.section:
            groups[-1].append(question)
        else:
            groups.append([question])
        previous_grid = question.grid
    return groups


def grid_of(questions: Iterable[GridQuestionT], question: GridQuestionT) -> list[GridQuestionT]:
    """Return the rows of the question's grid; only the question itself if it is in none."""
    return next(group for group in group_by_grid(questions) if question in group)


def move_question(
    questions: Sequence[GridQuestionT], question: GridQuestionT, steps: int
) -> list[GridQuestionT]:
    """Return all questions in their new order, after one of them was moved up or down.

    A row of a grid stays among the rows of its grid, and any other question passes a grid as a
    whole. A question that would move too far stops at the first or at the last place.

    questions: all questions in their old order.
    question: the question that moves.
    steps: how far the question moves: down if positive, up if negative.
    """
    order = list(questions)
    if not steps:
        return order
    rows = grid_of(questions, question)
    new_index = order.index(question) + steps

    if len(rows) > 1:
        # A row moves at most to the first or to the last row of its grid.
        first_index = order.index(rows[0])
        last_index = first_index + len(rows) - 1
        new_index = min(max(new_index, first_index), last_index)
        order.remove(question)
        order.insert(new_index, question)
        return order

    # Without the question, the last place is behind all others.
    order.remove(question)
    new_index = min(max(new_index, 0), len(order))
    order.insert(_nearest_gap(order, new_index, steps), question)
    return order


def _nearest_gap(order: Sequence[GridQuestion], index: int, steps: int) -> int:
    """Return where a question may be inserted: the nearest index to `index` that splits no grid.

    order: the questions without the one that moves.
    index: where the question would be inserted if there were no grids.
    steps: the direction of the move: down if positive, up if negative. The result lies in this
        direction from `index`, so that a grid in the way is passed as a whole.
    """
    # A question can stand before the first group, and after each group.
    group_sizes = [len(group) for group in group_by_grid(order)]
    gaps = [0, *accumulate(group_sizes)]
    if steps > 0:
        return min(gap for gap in gaps if gap >= index)
    return max(gap for gap in gaps if gap <= index)


def grid_row_problem(kind: str, mode: str, answers: int) -> str:
    """Return why a question cannot be a row of any grid, or an empty string if it can.

    kind, mode: the keys of the kind of the question, and of the mode: who randomizes its answer.
    answers: the number of its answers.
    """
    if not KINDS[kind].in_grid:
        return NOT_OF_A_KIND
    if mode != Question.Mode.AUTOMATIC:
        return NOT_AUTOMATIC
    if answers > MOST_ANSWERS:
        return f"A grid has at most {MOST_ANSWERS} answers, side by side. These are {answers}."
    return ""


def grid_problems(
    questions: Iterable[Question], answers: Callable[[Question], Sequence[str]]
) -> dict[str, str]:
    """Return, by question key, a message on each row that differs from the first row of its grid.

    Rows without a difference are left out.

    answers: a function that returns the answers of a question.
    """
    questions = list(questions)
    condition_by_key = build_branching(questions).written
    problems = {}
    for first, *other_rows in group_by_grid(questions):
        for row in other_rows:
            difference = _difference(first, row, answers, condition_by_key)
            if difference:
                problems[row.key] = (
                    f"It is in the grid “{row.grid}” but has its own {difference}. "
                    "Save the grid to give all rows the same, or take this question out of it."
                )
    return problems


def unify_grids(
    items: Sequence[QuestionDefinition], languages: Sequence[str]
) -> list[QuestionDefinition]:
    """Return the questions with the shared texts of each grid taken from its first row.

    So the heading, the help text and the choices of a grid are translated only once. Raises
    Refused if two neighbouring grids have the same heading in one of the languages, since they
    would look like one grid.

    languages: the codes of the languages of the survey, the first one first.
    """
    groups = group_by_grid(items)
    for code in languages[1:]:
        # Neighbouring grids with the same heading are one group, so there are fewer groups then.
        translated_items = [item.in_language(code) for item in items]
        if len(group_by_grid(translated_items)) < len(groups):
            raise Refused(
                f"Two grids next to each other have the same heading in the language “{code}”."
            )

    unified = []
    for group in groups:
        first = group[0]
        if not first.grid:
            unified.append(first)
            continue
        for item in group:
            row = replace(item, grid=first.grid, help=first.help, choices=first.choices)
            unified.append(row)
    return unified


def _difference(
    first: Question,
    row: Question,
    answers: Callable[[Question], Sequence[str]],
    condition_by_key: Mapping[str, Condition],
) -> str:
    """Return what a row has unlike the first row of its grid, in words; "" if there is nothing.

    The words complete the message of `grid_problems`: a row “has its own protection”.

    answers: a function that returns the answers of a question.
    condition_by_key: the conditions by question key; a question without one is not in it.
    """
    if (first.kind, answers(first)) != (row.kind, answers(row)):
        return "answers"
    if (first.design, first.parameters) != (row.design, row.parameters):
        return "protection"
    if first.help != row.help:
        return "help text"
    if condition_by_key.get(first.key) != condition_by_key.get(row.key):
        return "condition"
    return ""
