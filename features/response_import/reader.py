"""Rows of cells -> records, and every cell that is no possible report named by its row and column."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from features.response_import.columns import values
from features.response_import.mapping import Plan
from features.response_import.meanings import folded
from features.response_import.messages import Problem, not_asked, problem, uneven, wrong_number
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.routing.paths import rows_left_out
from surveys.fieldwork.responses.records import encode, mark_missing, record_dtype, report_limits
from surveys.site.files.delimited import QUOTE, Cells, clean

MOST_DIFFERENT = 30_000  # texts of a column; a list has at most 20,000 answers
CELLS_AT_ONCE = 16_384


@dataclass(frozen=True)
class End:
    """Rows at the end of a part of which the rows behind them say what they are.

    blank: the number of the first one that is empty. hollow: how many have nothing but empty cells that stand for no
    report. At the end of a file both are nothing: spreadsheets leave such rows.
    """

    blank: int | None = None
    hollow: int = 0


@dataclass(frozen=True)
class Part:
    """records: those of the rows that can be taken. missing: question key -> how many of them have no report."""

    n: int
    records: bytes
    problems: list[Problem]
    found: int  # problems in all, of which `problems` are the first
    end: End
    missing: dict[str, int] = field(default_factory=dict)


def read(
    frozen: SurveyDefinition, plan: Plan, cells: Cells, before: End | None = None, most: int = 50
) -> Part:
    """Every row of a part. before: the end of the part before this one; most: problems to list."""
    width, before = cells.width(), before or End()
    empty, hollow = _nothing_in(frozen, plan, cells, width)
    filled = np.flatnonzero(~(empty | hollow))
    last = int(filled[-1]) if len(filled) else -1
    problems, blank = _blanks(cells, empty, last, before.blank)
    odd = filled[width[filled] != plan.width]
    problems += [uneven(plan, cells.row + int(row), int(width[row])) for row in odd[:most]]
    rows = np.flatnonzero(~empty[: last + 1] & (width[: last + 1] == plan.width))
    taken, missing, wrong, found = _taken(frozen, plan, cells, rows, most)
    late = (
        before.hollow if last >= 0 else 0
    )  # rows of the part before that turn out to be responses
    records = taken.tobytes() + late * _no_report(frozen)
    problems, found = (
        sorted(problems + wrong)[:most],
        len(problems) - len(odd[:most]) + len(odd) + found,
    )
    end = End(blank, int(hollow[last + 1 :].sum()) + before.hollow - late)
    absent = {
        key: (int(missing[key].sum()) if key in missing else 0) + late
        for key in frozen.keys_with_missing
    }
    return Part(len(rows) + late, records, problems, found, end, _counted(absent))


def _taken(
    frozen: SurveyDefinition, plan: Plan, cells: Cells, rows: np.ndarray, most: int
) -> tuple[np.ndarray, dict[str, np.ndarray], list[Problem], int]:
    """Records of these rows, question key -> which of them have no report, and the problems, of each question the first
    `most`, with their number in all."""
    taken, missing, problems, found = np.zeros(len(rows), record_dtype(frozen)), {}, [], 0
    for column in plan.columns:
        taken[column.item.key], wrong, absent = values(cells, column, cells.first[rows])
        if absent.any():
            missing[column.item.key] = absent
        found += len(wrong)
        problems += [problem(frozen, cells, column, int(rows[index])) for index in wrong[:most]]
    mark_missing(frozen, taken, missing)
    left_out = rows_left_out(frozen.items, lambda key: taken[key], missing)
    beside = _beside_the_path(taken, missing, left_out)
    problems += [
        not_asked(frozen, cells.row + int(rows[index]), key) for index, key in beside[:most]
    ]
    odd = _not_as_drawn(frozen, missing, left_out, len(rows))
    problems += [
        wrong_number(frozen, cells.row + int(rows[index]), int(number))
        for index, number in odd[:most]
    ]
    return taken, missing, problems, found + len(odd) + len(beside)


def _beside_the_path(
    taken: np.ndarray, missing: dict[str, np.ndarray], left_out: dict[str, np.ndarray]
) -> list[tuple[int, str]]:
    """Which rows have a report to a question that their background answers do not ask for."""
    absent = {key: missing.get(key, np.zeros(len(taken), bool)) for key in taken.dtype.names or ()}
    wrong = (
        (int(index), key)
        for key, out in left_out.items()
        for index in np.flatnonzero(out & ~absent[key])
    )
    return sorted(wrong)


def _not_as_drawn(
    frozen: SurveyDefinition,
    missing: dict[str, np.ndarray],
    left_out: dict[str, np.ndarray],
    n: int,
) -> list[tuple[int, int]]:
    """Which rows have a report to another number of questions than each person was asked by lot, and to how many."""
    if frozen.draw is None:
        return []
    absent, dropped = (
        sum((each[key] for key in frozen.draw.of if key in each), np.zeros(n, int))
        for each in (missing, left_out)
    )
    given, (least, most) = len(frozen.draw.of) - absent, report_limits(frozen.draw, dropped)
    return [
        (int(index), int(given[index]))
        for index in np.flatnonzero((given < least) | (given > most))
    ]


def _counted(numbers: dict[str, int]) -> dict[str, int]:
    return {key: n for key, n in numbers.items() if n}


def _no_report(frozen: SurveyDefinition) -> bytes:
    return (
        encode(frozen, dict.fromkeys(frozen.keys_with_missing))
        if frozen.keys_with_missing and frozen.draw is None
        else b""
    )


def _nothing_in(
    frozen: SurveyDefinition, plan: Plan, cells: Cells, width: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which rows are empty, and which hold empty cells that stand for no report; both of shape (rows,)."""
    blank, none = cells.blank(), np.zeros(len(width), bool)
    if plan.takes_nothing:  # then a row of empty cells says that nothing is marked
        return blank & (width != plan.width), none
    if plan.width == 1:  # in a single column "" is a cell, and a row with nothing in it is none
        return blank & ~_is_quoted(cells), none
    # Where a lot decides what is asked, somebody with no report at all is none.
    hollow = blank & (width == plan.width) if plan.takes_absence and frozen.draw is None else none
    return blank & ~hollow, hollow


def _is_quoted(cells: Cells) -> np.ndarray:
    """Whether the first cell of each row stands in quotation marks; shape (rows,)."""
    starts = cells.starts[cells.first[:-1]]
    return (starts > 0) & (cells.octets[starts - 1] == QUOTE)


def seen(cells: Cells, place: int) -> dict[str, int]:
    """Return the different texts in one column, folded, and in how many cells each stands.

    Where there are more than any list of answers has, so that cells are wrong, the last ones are left out.
    """
    rows = np.flatnonzero(cells.width() > place)
    filled = rows[~cells.blank()[rows]]
    places = cells.first[filled] + place
    texts: Counter[bytes] = Counter()
    for start in range(0, len(places), CELLS_AT_ONCE):
        texts.update(cells.texts(places[start : start + CELLS_AT_ONCE]))
        if len(texts) > MOST_DIFFERENT:
            break
    column: Counter[str] = Counter()
    for text, count in texts.items():
        column[folded(clean(text))] += count
    return dict(column)


def _blanks(
    cells: Cells, empty: np.ndarray, last: int, blank: int | None
) -> tuple[list[Problem], int | None]:
    """Empty rows at the end of a file are nothing; one with rows behind it is a mistake. last: the last one filled."""
    behind = np.flatnonzero(empty[last + 1 :])
    first = cells.row + last + 1 + int(behind[0]) if len(behind) else None
    if last < 0:
        return [], blank if blank is not None else first
    inner = np.flatnonzero(empty[:last])
    numbers = ([blank] if blank is not None else []) + [cells.row + int(row) for row in inner[:50]]
    return [
        Problem(row, -1, "", "The row is empty. Delete it, or fill it in.") for row in numbers
    ], first
