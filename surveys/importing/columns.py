"""The cells of one question, all rows of a part at once -> what goes into the records."""

import numpy as np

from surveys.importing.mapping import MISSING, UNKNOWN, Column
from surveys.importing.problems import possible_marks
from surveys.importing.text import Cells, clean
from surveys.publishing.instruments import Item

Found = tuple[np.ndarray, np.ndarray, np.ndarray]


def values(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """What goes into the records, which of the rows are wrong, and whether a row has no report.

    first: the first cell of each row. What is wrong or missing is 0 in the records.
    """
    if column.texts is None:
        bits, wrong, absent = _strings(cells, column, first + column.places[0])
    elif len(column.places) > 1:
        bits, wrong, absent = _spread(cells, column, first)
    else:
        found = _codes(cells, column, first + column.places[0])
        none = found < 0
        if not none.any():
            return found, np.flatnonzero(none), none
        return np.maximum(found, 0), np.flatnonzero(found == UNKNOWN), found == MISSING
    wrong |= ~(absent | _possible(column.item, bits))
    return np.packbits(bits == 1, axis=1), np.flatnonzero(wrong), absent


def _spread(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """Marks in a column for each choice. A report has all of them, or there is none."""
    each = [_codes(cells, column, first + place) for place in column.places]
    found = np.stack(each, axis=1) if len(first) else np.zeros((0, column.item.size), np.int64)
    absent = (found == MISSING).all(axis=1)
    return found, (found < 0).any(axis=1) & ~absent, absent


class _Codes(dict):
    """Bytes of a cell -> what it stands for, worked out once for each different text."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, text: bytes) -> int:
        found = self[text] = self.column.code(clean(text))
        return found


def _codes(cells: Cells, column: Column, places: np.ndarray) -> np.ndarray:
    known = _Codes(column)
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
    found[longer] = np.fromiter(map(known.__getitem__, cells.texts(places[longer])), np.int64, len(longer))
    return found


def _strings(cells: Cells, column: Column, places: np.ndarray) -> Found:
    """Strings of marks as bits, shape (n, size), which are none, and where there is no report."""
    size = column.item.size
    starts, ends = cells.starts[places], cells.ends[places]
    bits = np.zeros((len(places), size), np.uint8)
    same = ends - starts == size
    bits[same] = cells.octets[starts[same][:, np.newaxis] + np.arange(size)] - ord("0")
    wrong, absent = ~same | (bits > 1).any(axis=1), np.zeros(len(places), bool)
    doubtful, known = np.flatnonzero(wrong), _Codes(column)
    for index, text in zip(doubtful.tolist(), cells.texts(places[doubtful]), strict=True):
        stripped = text.strip()  # spaces around it do no harm
        if len(stripped) == size and not stripped.strip(b"01"):
            bits[index] = np.frombuffer(stripped, np.uint8) - ord("0")
            wrong[index] = False
        elif known[text] == MISSING:
            bits[index], wrong[index], absent[index] = 0, False, True
    return bits, wrong, absent


def _possible(item: Item, bits: np.ndarray) -> np.ndarray:
    """Whether the design can report so many marks; shape (n,)."""
    least, most = possible_marks(item)
    ones = (bits == 1).sum(axis=1)
    return (least <= ones) & (ones <= most)
