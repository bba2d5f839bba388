"""Text in UTF-8, part by part -> the places of its cells. What a file brings in another form, table.py makes this of.

Quoting as in RFC 4180: a cell may stand in quotation marks, and may then hold separators, line breaks, and quotation
marks written twice. NumPy finds the places; nothing here takes a Python step for each row.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

QUOTE, BREAK = ord('"'), ord("\n")
STRAY = (
    "There is a quotation mark in the middle of a cell. Put the whole cell into quotation marks, and double the one "
    "inside."
)
LONGEST_ROW = 1_048_576  # bytes
AT_ONCE = 65_536  # cells that are cut out, or bytes that are decoded, together
SAVE_AS = "Save it as CSV in UTF-8; spreadsheets call it “CSV UTF-8”."
INCOMPLETE = f"The end of the file is missing. Choose or send the whole file. {SAVE_AS}"
NOT_UTF_8 = "This row is not text in UTF-8. Save the file in UTF-8, or choose its encoding."


class Broken(ValueError):
    """No CSV from here on. row: as a spreadsheet counts, the header being row 1; None for the whole file."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Cells:
    """Complete rows. Cell i stands in data[starts[i]:ends[i]], without the marks around it.

    first: the index of the first cell of each row, and the number of cells at the end; shape (rows + 1,).
    row: the number of the first row in the file, counted from 1.
    """

    data: bytes
    starts: np.ndarray
    ends: np.ndarray
    first: np.ndarray
    row: int
    octets: np.ndarray = field(repr=False)  # data once more, as an array

    def __len__(self) -> int:
        return len(self.first) - 1

    def width(self) -> np.ndarray:
        """Cells in each row; shape (rows,)."""
        return np.diff(self.first)

    def blank(self) -> np.ndarray:
        """Rows that hold separators only, or nothing; shape (rows,)."""
        filled = np.zeros(len(self.ends) + 1, np.int32)
        np.cumsum(self.ends > self.starts, dtype=np.int32, out=filled[1:])
        return filled[self.first[1:]] == filled[self.first[:-1]]

    def texts(self, cells: np.ndarray) -> list[bytes]:
        """What stands in the cells with these indices."""
        places = map(slice, self.starts[cells].tolist(), self.ends[cells].tolist())
        return list(map(self.data.__getitem__, places))

    def each_text(self, cells: np.ndarray) -> Iterator[bytes]:
        """Yield what stands in the cells with these indices; no more than a few thousand texts exist at a time."""
        for start in range(0, len(cells), AT_ONCE):
            yield from self.texts(cells[start : start + AT_ONCE])


def clean(text: bytes) -> str:
    """One cell as text: marks written twice are one, and spaces around it are nothing."""
    return text.decode().replace('""', '"').strip()


def split(data: bytes, separator: str, row: int, *, last: bool = False) -> tuple[Cells, bytes]:
    """The complete rows, and what is left for the next part. row: the number of the first one in the file.

    last: nothing follows, so that the last row needs no line break. Raises Broken.
    """
    data, held = _one_kind_of_break(data, last)
    octets = np.frombuffer(data, np.uint8)
    marks = octets == QUOTE
    inside = np.bitwise_xor.accumulate(marks.view(np.uint8)).view(bool) if marks.any() else marks
    # A file can be as long as memory allows, so that there are as few arrays of its length as possible.
    outside = ~inside
    breaks = octets == BREAK
    breaks &= outside
    cuts = octets == ord(separator)
    cuts &= outside
    cuts |= breaks
    del outside
    wrong = _not_text(data) or _stray_mark(marks, inside, cuts)
    if wrong:
        place, message = wrong
        raise Broken(message, row + int(breaks[:place].sum()))
    if last and len(data) and inside[-1]:
        raise Broken(
            "A quotation mark opens a cell in this row, and none closes it.",
            row + int(breaks.sum()),
        )
    ends = np.flatnonzero(cuts)
    del marks, inside, breaks, cuts
    closing = np.flatnonzero(octets[ends] == BREAK)
    ends = ends[: closing[-1] + 1] if len(closing) else ends[:0]
    complete = int(ends[-1]) + 1 if len(ends) else 0
    rest = data[complete:] + held
    if len(rest) > LONGEST_ROW:
        raise Broken(
            "The row is longer than a megabyte. Is a closing quotation mark missing?",
            row + len(closing),
        )
    starts = np.zeros(len(ends), np.int64)
    np.add(ends[:-1], 1, out=starts[1:])
    quoted = octets[starts] == QUOTE
    starts += quoted
    ends -= quoted
    first = np.zeros(len(closing) + 1, np.int64)
    np.add(closing, 1, out=first[1:])
    return Cells(data, starts, ends, first, row, octets), rest


def _one_kind_of_break(data: bytes, last: bool) -> tuple[bytes, bytes]:
    """Every line break as "\\n", and what must wait: a "\\r" at the end may be half a break."""
    held = b"\r" if data.endswith(b"\r") and not last else b""
    data = data[: len(data) - len(held)]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if last and data and not data.endswith(b"\n"):
        data += b"\n"
    return data, held


def _not_text(data: bytes) -> tuple[int, str] | None:
    """The place of the first octet that UTF-8 text does not hold, and what to say."""
    if b"\0" in data:
        return data.index(0), "This row is not text: it contains a NUL character. " + SAVE_AS
    start = 0
    while start < len(data):
        try:
            _, used = codecs.utf_8_decode(data[start : start + AT_ONCE], "strict", False)
        except UnicodeDecodeError as error:
            place = start + error.start
            # A letter may be cut in two where the part ends; in a complete row it may not.
            is_wrong = place < len(data) - 3 or data.endswith(b"\n")
            return (place, NOT_UTF_8) if is_wrong else None
        if not used:
            return None
        start += used
    return None


def _stray_mark(marks: np.ndarray, inside: np.ndarray, cuts: np.ndarray) -> tuple[int, str] | None:
    """The place of the first mark that neither opens a cell, nor closes one, nor is one of two."""
    last = len(marks) - 1
    for start in range(0, len(marks), AT_ONCE):
        places = start + np.flatnonzero(marks[start : start + AT_ONCE])
        left, right = np.maximum(places - 1, 0), np.minimum(places + 1, last)
        before = (places == 0) | cuts[left] | marks[left]
        behind = (places == last) | cuts[right] | marks[right]
        wrong = places[~np.where(inside[places], before, behind)]
        if len(wrong):
            return int(wrong[0]), STRAY
    return None
