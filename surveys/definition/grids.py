"""Grids: neighbouring questions with one heading, one list of answers and one protection.

A row is an ordinary question with a key, a mechanism and a report of its own; only pages know that rows stand together.
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

MOST_ANSWERS = 11  # columns that stand beside each other on a screen
NOT_OF_A_KIND = (
    "The rows of a grid have one of a few answers: yes or no, one choice, or a point of a scale."
)
NOT_AUTOMATIC = "In a grid the device scrambles the answers. A spinner, coins and dice need a page for each question."


class Standing(Protocol):
    """A question of a draft, of an instrument or of an overview, as far as its place is concerned."""

    @property
    def grid(self) -> str: ...
    @property
    def section(self) -> str: ...


Each = TypeVar("Each", bound=Standing)


def group_by_grid(questions: Iterable[Each]) -> list[list[Each]]:
    """Return the questions in groups: the rows of each grid together, every other question alone."""
    groups: list[list[Each]] = []
    for question in questions:
        if (
            groups
            and question.grid
            and question.grid == groups[-1][-1].grid
            and not question.section
        ):
            groups[-1].append(question)
        else:
            groups.append([question])
    return groups


def grid_of(questions: Iterable[Each], question: Each) -> list[Each]:
    """Return the rows of the question's grid; only the question itself if it is in none."""
    return next(run for run in group_by_grid(questions) if question in run)


def move_question(questions: Sequence[Each], question: Each, steps: int) -> list[Each]:
    """Return the order of the questions with one moved up or down.

    A row of a grid stays among its rows, and any other question passes a grid as a whole.
    """
    order, run = list(questions), grid_of(questions, question)
    if not steps:
        return order
    first, place = order.index(run[0]), order.index(question)
    order.remove(question)
    if len(run) > 1:
        order.insert(min(max(place + steps, first), first + len(run) - 1), question)
        return order
    gaps = [
        0,
        *accumulate(map(len, group_by_grid(order))),
    ]  # places before, between and after what stands together
    wanted = min(max(place + steps, 0), len(order))
    order.insert(
        next(gap for gap in (gaps if steps > 0 else gaps[::-1]) if (gap - wanted) * steps >= 0),
        question,
    )
    return order


def wrong_row(kind: str, mode: str, answers: int) -> str:
    """Why a question cannot be a row of any grid; nothing where it can."""
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
    """Return, by question key, how a row differs from the first row of its grid."""
    questions = list(questions)
    whom = build_branching(questions).written
    return {
        row.key: (
            f"It is in the grid “{row.grid}” but has its own {differs}. Save the grid to give all rows the same, or "
            "take this question out of it."
        )
        for first, *others in group_by_grid(questions)
        for row in others
        if (differs := _differs(first, row, answers) or _asked_of_others(first, row, whom))
    }


def unify_grids(
    items: Sequence[QuestionDefinition], languages: Sequence[str]
) -> list[QuestionDefinition]:
    """Return the questions with the shared texts of each grid taken from its first row.

    So that is translated once. Raises Refused where two grids would be one in some language.
    """
    groups = group_by_grid(items)
    for code in languages[1:]:
        if len(group_by_grid(item.in_language(code) for run in groups for item in run)) < len(
            groups
        ):
            raise Refused(
                f"Two grids next to each other have the same heading in the language “{code}”."
            )
    return [
        replace(item, grid=first.grid, help=first.help, choices=first.choices)
        if item.grid
        else item
        for first, *others in groups
        for item in (first, *others)
    ]


def _differs(first: Question, row: Question, answers: Callable[[Question], Sequence[str]]) -> str:
    if (first.kind, answers(first)) != (row.kind, answers(row)):
        return "answers"
    if (first.design, first.parameters) != (row.design, row.parameters):
        return "protection"
    return "help text" if first.help != row.help else ""


def _asked_of_others(first: Question, row: Question, whom: Mapping[str, Condition]) -> str:
    return "condition" if whom.get(first.key) != whom.get(row.key) else ""
