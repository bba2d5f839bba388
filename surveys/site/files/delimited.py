"""Split delimited text in UTF-8, part by part, into the positions of its cells.

Files that come in another form are first converted to such text by table.py. Quoting is as in RFC
4180: a cell may be enclosed in quotation marks, and may then hold separators, line breaks, and
quotation marks that are doubled. NumPy finds the positions, so that no step of Python is taken for
each row.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

QUOTE = ord('"')
LINE_BREAK = ord("\n")
STRAY_QUOTE_MESSAGE = (
    "There is a quotation mark in the middle of a cell. Put the whole cell into quotation marks, "
    "and double the one inside."
)

# In bytes. A longer row is a sign of a quotation mark that nothing closes.
LONGEST_ROW = 1_048_576

# How many cells are cut out, or bytes are decoded or searched, in one step.
STEP_SIZE = 65_536

SAVE_AS_ADVICE = "Save it as CSV in UTF-8; spreadsheets call it “CSV UTF-8”."
INCOMPLETE_MESSAGE = (
    f"The end of the file is missing. Choose or send the whole file. {SAVE_AS_ADVICE}"
)
NOT_UTF_8_MESSAGE = "This row is not text in UTF-8. Save the file in UTF-8, or choose its encoding."


class Broken(ValueError):
    """The file is no CSV, or stops being CSV in one of its rows.

    row: the number of the row as a spreadsheet counts, with the header as row 1; None if the
        message is about the whole file.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Cells:
    """Complete rows of cells. The text of cell i is data[starts[i]:ends[i]], without its quotes.

    Quotation marks within a text are still doubled: see `clean`.

    first: the index of the first cell of each row, and the number of cells at the end; shape
        (rows + 1,).
    row: the number of the first row in the file, counted from 1.
    octets: `data` as an array of bytes.
    """

    data: bytes
    starts: np.ndarray
    ends: np.ndarray
    first: np.ndarray
    row: int
    octets: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.first) - 1

    def width(self) -> np.ndarray:
        """Return the number of cells in each row; shape (rows,)."""
        return np.diff(self.first)

    def blank(self) -> np.ndarray:
        """Return which rows are empty, or have only empty cells; booleans of shape (rows,)."""
        # The number of filled cells before each cell, and before the end.
        filled = np.zeros(len(self.ends) + 1, np.int32)
        np.cumsum(self.ends > self.starts, dtype=np.int32, out=filled[1:])
        return filled[self.first[1:]] == filled[self.first[:-1]]

    def texts(self, cells: np.ndarray) -> list[bytes]:
        """Return the texts of the cells with these indices."""
        slices = map(slice, self.starts[cells].tolist(), self.ends[cells].tolist())
        return list(map(self.data.__getitem__, slices))

    def each_text(self, cells: np.ndarray) -> Iterator[bytes]:
        """Yield the texts of the cells with these indices, as `texts` returns them.

        At most STEP_SIZE texts are held in memory at a time.
        """
        for start in range(0, len(cells), STEP_SIZE):
            yield from self.texts(cells[start : start + STEP_SIZE])


def clean(text: bytes) -> str:
    """Return the text of a cell with single quotation marks for doubled ones, and stripped."""
    return text.decode().replace('""', '"').strip()


def split(data: bytes, separator: str, row: int, *, last: bool = False) -> tuple[Cells, bytes]:
    """Return the complete rows of a part, and the bytes that are left for the next part.

    Raises Broken if a row is not text in UTF-8, is too long, or has a stray quotation mark.

    row: the number of the first row in the file, counted from 1.
    last: nothing follows, so that the last row needs no line break.
    """
    data, unfinished_break = _normalize_line_breaks(data, last)
    octets = np.frombuffer(data, np.uint8)
    ends, line_ends = _cell_ends(data, octets, separator, row, last=last)
    complete = int(ends[-1]) + 1 if len(ends) else 0
    rest = data[complete:] + unfinished_break
    if len(rest) > LONGEST_ROW:
        raise Broken(
            "The row is longer than a megabyte. Is a closing quotation mark missing?",
            row + len(line_ends),
        )

    # A cell begins one byte after the end of the cell before it. Its text has no quotes around it.
    starts = np.zeros(len(ends), np.int64)
    np.add(ends[:-1], 1, out=starts[1:])
    is_quoted = octets[starts] == QUOTE
    starts += is_quoted
    ends -= is_quoted

    first = np.zeros(len(line_ends) + 1, np.int64)
    np.add(line_ends, 1, out=first[1:])
    cells = Cells(data=data, starts=starts, ends=ends, first=first, row=row, octets=octets)
    return cells, rest


def _cell_ends(
    data: bytes, octets: np.ndarray, separator: str, row: int, *, last: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the cells of complete rows end, and the indices of the cells that end a row.

    A cell ends at a separator or line break outside of quotation marks. Raises Broken; with `last`
    also if a quotation mark is open at the end, because nothing follows that could close it.

    octets: `data` as an array of bytes. Ends are positions in it, and indices those of the ends.
    row: the number of the first row in the file, counted from 1.
    """
    # A file can be as long as memory allows. So few arrays of its length exist at a time.
    quotes = octets == QUOTE
    # Text is inside of quotation marks behind an odd number of them, and nowhere without any.
    inside = quotes
    if quotes.any():
        inside = np.bitwise_xor.accumulate(quotes.view(np.uint8)).view(bool)
    unquoted = ~inside
    breaks = octets == LINE_BREAK
    breaks &= unquoted
    cuts = octets == ord(separator)
    cuts &= unquoted
    cuts |= breaks
    del unquoted

    problem = _encoding_problem(data) or _quote_problem(quotes, inside, cuts)
    if problem:
        position, message = problem
        raise Broken(message, row + int(breaks[:position].sum()))
    if last and len(data) and inside[-1]:
        raise Broken(
            "A quotation mark opens a cell in this row, and none closes it.",
            row + int(breaks.sum()),
        )

    ends = np.flatnonzero(cuts)
    del quotes, inside, breaks, cuts
    line_ends = np.flatnonzero(octets[ends] == LINE_BREAK)
    complete_cells = line_ends[-1] + 1 if len(line_ends) else 0
    return ends[:complete_cells], line_ends


def _normalize_line_breaks(data: bytes, last: bool) -> tuple[bytes, bytes]:
    """Return the data with "\\n" for each line break, and what is left for the next part.

    A "\\r" at the end is left, because it may be half a line break. The last part has none left,
    and ends with a line break.

    last: nothing follows.
    """
    rest = b""
    if data.endswith(b"\r") and not last:
        rest = b"\r"
        data = data[:-1]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if last and data and not data.endswith(b"\n"):
        data += b"\n"
    return data, rest


def _encoding_problem(data: bytes) -> tuple[int, str] | None:
    """Return the position of the first byte that is not text in UTF-8 and a message, or None."""
    if b"\0" in data:
        return data.index(0), "This row is not text: it contains a NUL character. " + SAVE_AS_ADVICE
    start = 0
    while start < len(data):
        try:
            _, used = codecs.utf_8_decode(data[start : start + STEP_SIZE], "strict", False)
        except UnicodeDecodeError as error:
            position = start + error.start
            # A character may be cut in two at the end of the part, but not in a complete row.
            if position < len(data) - 3 or data.endswith(b"\n"):
                return position, NOT_UTF_8_MESSAGE
            return None
        if not used:
            return None
        start += used
    return None


def _quote_problem(
    quotes: np.ndarray, inside: np.ndarray, cuts: np.ndarray
) -> tuple[int, str] | None:
    """Return the position of the first stray quotation mark and a message, or None.

    A quotation mark is stray if it neither opens nor closes a cell, nor is one of two.

    quotes, cuts: which bytes are quotation marks, and which end a cell.
    inside: whether an odd number of quotation marks has come by each byte, this byte included.
    """
    last = len(quotes) - 1
    for start in range(0, len(quotes), STEP_SIZE):
        positions = start + np.flatnonzero(quotes[start : start + STEP_SIZE])
        left = np.maximum(positions - 1, 0)
        right = np.minimum(positions + 1, last)
        may_open = (positions == 0) | cuts[left] | quotes[left]
        may_close = (positions == last) | cuts[right] | quotes[right]
        is_allowed = np.where(inside[positions], may_open, may_close)
        stray = positions[~is_allowed]
        if len(stray):
            return int(stray[0]), STRAY_QUOTE_MESSAGE
    return None
