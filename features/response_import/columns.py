"""The cells of one question, all rows of a part at once -> what goes into the records."""

import numpy as np

from features.response_import.mapping import MISSING, UNKNOWN, UNPICKED, Column
from features.response_import.meanings import folded
from features.response_import.multiple import Answers
from mechanisms.designs.wire import NOT_PICKED
from surveys.export.text import MARKS
from surveys.site.files.delimited import STEP_SIZE, Cells, clean

MOST_KNOWN = 50_000  # texts whose meaning is remembered; a column of answers has fewer
MARKS_AT_ONCE = 1_000_000
Found = tuple[np.ndarray, np.ndarray, np.ndarray]


def values(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """What goes into the records, which of the rows are wrong, and whether a row has no report.

    first: the first cell of each row. What is wrong or missing is 0 in the records.
    """
    if column.split:
        bits, wrong, absent = _lists(cells, column, first + column.places[0])
    elif column.texts is None:
        bits, wrong, absent = _strings(cells, column, first + column.places[0])
    elif column.is_spread:
        bits, wrong, absent = _spread(cells, column, first)
    elif column.declining:
        return _declinable(cells, column, column.declining, first)
    else:
        found = _codes(cells, column, first + column.places[0])
        none = found < 0
        if not none.any():
            return found, np.flatnonzero(none), none
        return np.maximum(found, 0), np.flatnonzero(found == UNKNOWN), found == MISSING
    wire = column.item.report_format
    wrong |= ~(absent | wire.possible_rows(bits))
    return wire.pack(bits), np.flatnonzero(wrong), absent


def _spread(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """Marks in a column for each choice. A report has all of them, or those that were picked, or there is none."""
    each = [
        _codes(cells, column.of_choice(number), first + place)
        for number, place in enumerate(column.places)
    ]
    found = np.stack(each, axis=1) if len(first) else np.zeros((0, column.item.size), np.int64)
    absent = (found == MISSING).all(axis=1)
    if not column.item.report_format.spreads:
        return found, (found < 0).any(axis=1) & ~absent, absent
    empty = (found == UNPICKED) | (found == MISSING)
    absent |= empty.all(axis=1) & ("" in column.missing)
    return np.where(empty, -1, found), (found == UNKNOWN).any(axis=1), absent


def _declinable(cells: Cells, column: Column, declining: Column, first: np.ndarray) -> Found:
    """Numbers, and beside them 1 for whoever declined to give one."""
    found = _codes(cells, column, first + column.places[0])
    marks = _codes(cells, declining, first + declining.places[0])
    empty, unmarked = (
        cells.ends[first + each.places[0]] == cells.starts[first + each.places[0]]
        for each in (column, declining)
    )
    declined = marks == 1
    twice = (found >= 0) | ((found == UNKNOWN) & ~empty)
    wrong = np.where(declined, twice, (found == UNKNOWN) | ((marks == UNKNOWN) & ~unmarked))
    values = np.where(declined, column.item.decline_code or 0, np.maximum(found, 0))
    return values, np.flatnonzero(wrong), ~declined & (found == MISSING)


class _Codes(dict):
    """Bytes of a cell -> what it stands for, worked out once for each different text."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, text: bytes) -> int:
        if len(self) > MOST_KNOWN:
            self.clear()
        found = self[text] = self.column.code(clean(text))
        return found


def _codes(cells: Cells, column: Column, places: np.ndarray) -> np.ndarray:
    """Return the codes of cells, which are worked out some at a time, so that a long file takes little memory."""
    known, codes = _Codes(column), np.empty(len(places), np.int64)
    for start in range(0, len(places), STEP_SIZE):
        codes[start : start + STEP_SIZE] = _codes_at_once(
            cells, known, places[start : start + STEP_SIZE]
        )
    return codes


def _codes_at_once(cells: Cells, known: _Codes, places: np.ndarray) -> np.ndarray:
    starts, ends = cells.starts[places], cells.ends[places]
    short = ends - starts == 1
    found = np.empty(len(places), np.int64)
    if short.any():  # the usual file: one digit a cell
        letters = cells.octets[starts if short.all() else starts[short]]
        table = np.full(256, UNKNOWN)
        for letter in np.flatnonzero(np.bincount(letters, minlength=256)).tolist():
            table[letter] = known[bytes([letter])]
        if len(letters) == len(places):
            return table[letters]
        found[short] = table[letters]
    longer = np.flatnonzero(~short)
    found[longer] = np.fromiter(
        map(known.__getitem__, cells.texts(places[longer])), np.int64, len(longer)
    )
    return found


class _Lists(dict[bytes, np.ndarray]):
    """The marks of a cell that lists answers, by its bytes, worked out once for each different text.

    Marks are MISSING if the cell says that there is no report, and UNKNOWN if it cannot be read in one way.
    """

    def __init__(self, column: Column) -> None:
        super().__init__()
        self._column = column
        self._answers = Answers(column.item)

    def __missing__(self, text: bytes) -> np.ndarray:
        if len(self) > MOST_KNOWN:
            self.clear()
        cell = folded(clean(text))
        marks = np.zeros(self._column.item.size, np.int8)
        readings = self._answers.readings(cell, self._column.split)
        if self._column.is_missing(cell):
            marks[:] = MISSING
        elif len(readings) == 1:
            (codes,) = readings
            marks[list(codes)] = 1
        else:
            marks[:] = UNKNOWN
        self[text] = marks
        return marks


def _lists(cells: Cells, column: Column, places: np.ndarray) -> Found:
    """Return the marks of cells that list answers, which cells are wrong, and where there is no report."""
    known = _Lists(column)
    bits = np.zeros((len(places), column.item.size), np.int8)
    for row, text in enumerate(cells.each_text(places)):
        bits[row] = known[text]
    absent = bits[:, 0] == MISSING
    wrong = bits[:, 0] == UNKNOWN
    bits[absent | wrong] = 0
    return bits, wrong, absent


def _strings(cells: Cells, column: Column, places: np.ndarray) -> Found:
    """Strings of marks, shape (n, size), -1 for one that was not picked; which are none; where there is no report."""
    size, known = column.item.size, _Codes(column)
    letters = b"01" + (NOT_PICKED.encode() if column.item.report_format.spreads else b"")
    table = np.full(256, UNKNOWN - 1, np.int8)
    table[np.frombuffer(letters, np.uint8)] = [0, 1, -1][: len(letters)]
    starts, ends = cells.starts[places], cells.ends[places]
    starts = starts + (
        (ends > starts) & (cells.octets[starts] == ord(MARKS))
    )  # compact files of ours begin so
    marks = np.zeros((len(places), size), np.int8)
    same = ends - starts == size
    rows, at_once = np.flatnonzero(same), max(MARKS_AT_ONCE // max(size, 1), 1)
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        marks[some] = table[cells.octets[starts[some][:, np.newaxis] + np.arange(size)]]
    wrong, absent = ~same | (marks == UNKNOWN - 1).any(axis=1), np.zeros(len(places), bool)
    doubtful = np.flatnonzero(wrong)
    for index, text in zip(doubtful.tolist(), cells.each_text(places[doubtful]), strict=True):
        stripped = text.strip().removeprefix(MARKS.encode())  # spaces around it do no harm
        if len(stripped) == size and not stripped.strip(letters):
            marks[index] = table[np.frombuffer(stripped, np.uint8)]
            wrong[index] = False
        elif known[text] == MISSING:
            marks[index], wrong[index], absent[index] = -1, False, True
    return marks, wrong, absent
