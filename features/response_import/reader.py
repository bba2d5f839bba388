"""Rows of cells -> records, and every cell that is no possible report named by its row and column."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from features.response_import.columns import values
from features.response_import.mapping import CROSSES, Column, Plan
from features.response_import.meanings import folded
from features.response_import.messages import Problem, not_asked, problem, uneven, wrong_number
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.routing.paths import rows_left_out
from surveys.fieldwork.responses.records import encode, mark_missing, record_dtype, report_limits
from surveys.site.files.delimited import QUOTE, Cells, clean

MOST_DIFFERENT = 30_000  # texts of a column; a list has at most 20,000 answers
CELLS_AT_ONCE = 16_384


@dataclass(frozen=True)
class Part:
    """Responses of a part of a file.

    records: those of the rows that can be taken.
    missing: question key -> how many of them have no report.
    left_out: how many rows have no answer to any question, and are left out.
    blank: the number of the first empty row at the end, or None. At the end of a file such rows are nothing.
    """

    n: int
    records: bytes
    problems: list[Problem]
    found: int  # problems in all, of which `problems` are the first
    blank: int | None
    missing: dict[str, int] = field(default_factory=dict)
    left_out: int = 0


class Taken(NamedTuple):
    """Responses of some rows.

    records: those of the rows that are not left out.
    missing: question key -> which of these have no report; booleans.
    problems: the first ones of each question. found: how many there are in all.
    left_out: how many rows have no answer to any question, and are left out.
    """

    records: np.ndarray
    missing: dict[str, np.ndarray]
    problems: list[Problem]
    found: int
    left_out: int


def read(
    frozen: SurveyDefinition,
    plan: Plan,
    cells: Cells,
    earlier_blank: int | None = None,
    most: int = 50,
) -> Part:
    """Return the responses of a part of a file.

    earlier_blank: the number of the first empty row at the end of the part before, or None.
    most: how many problems are listed.
    """
    width = cells.width()
    empty, hollow = _nothing_in(plan, cells, width)
    filled = np.flatnonzero(~(empty | hollow))
    last = int(filled[-1]) if len(filled) else -1
    problems, blank = _blanks(cells, empty, last, earlier_blank)
    odd = filled[width[filled] != plan.width]
    problems += [uneven(plan, cells.row + int(row), int(width[row])) for row in odd[:most]]

    rows = np.flatnonzero(~(empty | hollow) & (width == plan.width))
    taken = _taken(frozen, plan, cells, rows, most)
    found = len(problems) - len(odd[:most]) + len(odd) + taken.found
    absent = {key: int(missing.sum()) for key, missing in taken.missing.items()}
    return Part(
        n=len(taken.records),
        records=taken.records.tobytes(),
        problems=sorted(problems + taken.problems)[:most],
        found=found,
        blank=blank,
        missing=_counted(absent),
        left_out=int(hollow.sum()) + taken.left_out,
    )


def _taken(
    frozen: SurveyDefinition, plan: Plan, cells: Cells, rows: np.ndarray, most: int
) -> Taken:
    """Return the records of these rows, with at most `most` problems of each question."""
    records, missing = np.zeros(len(rows), record_dtype(frozen)), {}
    wrong_rows, is_answered = {}, np.zeros(len(rows), bool)
    for column in plan.columns:
        records[column.item.key], wrong, absent = values(cells, column, cells.first[rows])
        if absent.any():
            missing[column.item.key] = absent
        wrong_rows[column.item.key] = wrong
        is_answered |= ~(absent | _is_unmarked(cells, column, cells.first[rows]))
    if not plan.leaves_out:
        is_answered[:] = True

    problems, found = [], 0
    for column in plan.columns:
        wrong = wrong_rows[column.item.key]
        wrong = wrong[is_answered[wrong]]
        found += len(wrong)
        problems += [problem(frozen, cells, column, int(rows[index])) for index in wrong[:most]]
    left_out = int((~is_answered).sum())
    if left_out:
        records, rows = records[is_answered], rows[is_answered]
        missing = {key: absent[is_answered] for key, absent in missing.items()}

    mark_missing(frozen, records, missing)
    not_asked_rows = rows_left_out(frozen.items, lambda key: records[key], missing)
    beside = _beside_the_path(records, missing, not_asked_rows)
    problems += [
        not_asked(frozen, cells.row + int(rows[index]), key) for index, key in beside[:most]
    ]
    odd = _not_as_drawn(frozen, missing, not_asked_rows, len(rows))
    problems += [
        wrong_number(frozen, cells.row + int(rows[index]), int(number))
        for index, number in odd[:most]
    ]
    found += len(odd) + len(beside)
    return Taken(
        records=records, missing=missing, problems=problems, found=found, left_out=left_out
    )


def _is_unmarked(cells: Cells, column: Column, first: np.ndarray) -> np.ndarray:
    """Return which rows have only empty cells, in columns of crosses that no one explained."""
    if column.way != CROSSES:
        return np.zeros(len(first), bool)
    is_unmarked = np.ones(len(first), bool)
    for place in column.places:
        is_unmarked &= cells.ends[first + place] == cells.starts[first + place]
    return is_unmarked


def _beside_the_path(
    taken: np.ndarray, missing: dict[str, np.ndarray], left_out: dict[str, np.ndarray]
) -> list[tuple[int, str]]:
    """Which rows have a report to a question that their background answers do not ask for."""
    wrong = []
    for key, is_left_out in left_out.items():
        absent = missing.get(key, np.zeros(len(taken), bool))
        wrong += [(int(index), key) for index in np.flatnonzero(is_left_out & ~absent)]
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


def no_report(frozen: SurveyDefinition) -> bytes:
    """Return the record of a person without any report, or b"" where there can be none."""
    if frozen.keys_with_missing and frozen.draw is None:
        return encode(frozen, dict.fromkeys(frozen.keys_with_missing))
    return b""


def _nothing_in(plan: Plan, cells: Cells, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which rows are empty, and which have only empty cells and are left out; both of shape (rows,)."""
    blank, none = cells.blank(), np.zeros(len(width), bool)
    # Then a row of empty cells says that nothing is marked.
    if plan.takes_nothing:
        return blank & (width != plan.width), none
    # In a single column "" is a cell, and a row with nothing in it is none.
    if plan.width == 1:
        return blank & ~_is_quoted(cells), none
    has_all_cells = blank & (width == plan.width)
    if plan.leaves_out:
        return blank & ~has_all_cells, has_all_cells
    if plan.takes_absence:
        return blank & ~has_all_cells, none
    return blank, none


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
