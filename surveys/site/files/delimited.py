"""Split delimited text in UTF-8, part by part, into the positions of its cells.

Files that come in another form are first converted to such text by table.py. Quoting is as in RFC
4180: a cell may be enclosed in quotation marks, and may then hold separators, line breaks, and
quotation marks that are doubled. NumPy finds the positions, so that no step of Python is taken for
each row. A part is some of the bytes of a file, so it may end in the middle of a row.
"""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from surveys.site.files.layout import UNQUOTED

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
NOT_UTF_8_MESSAGE = "This row is not text in UTF-8. Save the file in UTF-8, or choose its encoding."


class Broken(ValueError):
    """A file that is no CSV, or stops being CSV in one of its rows. The message is for people.

    row: the number of the row as a spreadsheet counts, with the header as row 1; None if the
        message is about the whole file.
    """

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Cells:
    """Complete rows of a table, as the positions of their cells in a text.

    The cells of all rows are numbered from 0. Row i has the cells first[i] to first[i + 1] - 1.

    data: the text in UTF-8.
    starts, ends: the text of cell i is data[starts[i]:ends[i]], without quotation marks around it.
        Those within it are still doubled: see `clean`.
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
        # `first` has an entry more than there are rows, so each row has a difference.
        return np.diff(self.first)

    def blank(self) -> np.ndarray:
        """Return which rows are empty, or have only empty cells; booleans of shape (rows,)."""
        # The number of filled cells before each cell, and before the end of the last one.
        is_filled = self.ends > self.starts
        filled_before = np.zeros(len(is_filled) + 1, np.int32)
        np.cumsum(is_filled, dtype=np.int32, out=filled_before[1:])

        # A row is blank if this number does not grow from its first cell to that of the next row.
        return filled_before[self.first[1:]] == filled_before[self.first[:-1]]

    def texts(self, cells: np.ndarray) -> list[bytes]:
        """Return the texts of the cells with these indices, in UTF-8."""
        starts = self.starts[cells].tolist()
        ends = self.ends[cells].tolist()
        return [self.data[start:end] for start, end in zip(starts, ends, strict=True)]

    def each_text(self, cells: np.ndarray) -> Iterator[bytes]:
        """Yield the texts of the cells with these indices, as `texts` returns them.

        At most STEP_SIZE texts are held in memory at a time.
        """
        for start in range(0, len(cells), STEP_SIZE):
            yield from self.texts(cells[start : start + STEP_SIZE])


def clean(text: bytes) -> str:
    """Return the text of a cell as it was meant.

    Doubled quotation marks become single ones, and spaces at both ends are removed.

    text: an element of `Cells.texts`.
    """
    return text.decode().replace('""', '"').strip()


def split(
    data: bytes, separator: str, row: int, *, last: bool = False, quoting: str = ""
) -> tuple[Cells, bytes]:
    """Return the complete rows of a part, and the bytes that are left.

    These bytes are the start of a row that is not complete. The caller puts them before the next
    part. Raises Broken if a row is not text in UTF-8, is too long, or has a stray quotation mark.

    data: the part of the file, which begins at the start of a row.
    separator: the character between cells.
    row: the number of the first row of the part in the file, counted from 1.
    last: no other part follows, so that the last row needs no line break.
    quoting: UNQUOTED if quotation marks are letters like any other.
    """
    data, unfinished_break = _normalize_line_breaks(data, last)
    octets = np.frombuffer(data, np.uint8)
    quotes = octets == QUOTE
    if quoting == UNQUOTED:
        quotes[:] = False
    ends, line_ends = _cell_ends(
        _Part(data=data, octets=octets, quotes=quotes, separator=separator, row=row), last=last
    )

    # All that follows the last complete row is left, without its line break.
    complete = int(ends[-1]) + 1 if len(ends) else 0
    rest = data[complete:] + unfinished_break
    if len(rest) > LONGEST_ROW:
        raise Broken(
            "The row is longer than a megabyte. Is a closing quotation mark missing?",
            row + len(line_ends),
        )

    # The first cell begins at 0, and each other one a byte after the end of the cell before it.
    starts = np.zeros(len(ends), np.int64)
    np.add(ends[:-1], 1, out=starts[1:])
    # The text of a quoted cell is between its quotation marks, so it is a byte shorter at each end.
    is_quoted = quotes[starts]
    starts += is_quoted
    ends -= is_quoted

    # The first row begins with cell 0, and each other one with the cell after the end of a row.
    first = np.zeros(len(line_ends) + 1, np.int64)
    np.add(line_ends, 1, out=first[1:])
    cells = Cells(data=data, starts=starts, ends=ends, first=first, row=row, octets=octets)
    return cells, rest


@dataclass(frozen=True)
class _Part:
    """A part of a file with complete characters and plain line breaks.

    data: the text in UTF-8.
    octets: `data` as an array of bytes.
    quotes: which bytes are quotation marks around or in a cell; booleans.
    separator: the character between cells.
    row: the number of the first row of the part in the file, counted from 1.
    """

    data: bytes
    octets: np.ndarray
    quotes: np.ndarray
    separator: str
    row: int


def _cell_ends(part: _Part, *, last: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions at which the cells of complete rows end, and which cells end a row.

    A cell ends at a separator or line break outside of quotation marks. The cells that end a row
    are returned as indices of the positions. Raises Broken if the part is not delimited text; with
    `last` also if a quotation mark is open at the end, because nothing follows that could close it.
    """
    # A file can be as long as memory allows. So arrays of its length are changed in place, and
    # deleted as soon as they are not needed any more.
    octets, quotes = part.octets, part.quotes
    # A byte is inside of quotation marks if an odd number of them has come by it: the exclusive or
    # of all bits so far is then 1.
    inside = quotes
    if quotes.any():
        quote_bits = quotes.view(np.uint8)
        inside = np.bitwise_xor.accumulate(quote_bits).view(bool)
    unquoted = ~inside
    breaks = octets == LINE_BREAK
    breaks &= unquoted
    cuts = octets == ord(part.separator)
    cuts &= unquoted
    cuts |= breaks
    del unquoted

    problem = _encoding_problem(part.data) or _quote_problem(quotes, inside, cuts)
    if problem:
        position, message = problem
        # Each line break before the problem has ended a row.
        raise Broken(message, part.row + int(breaks[:position].sum()))
    if last and len(part.data) and inside[-1]:
        raise Broken(
            "A quotation mark opens a cell in this row, and none closes it.",
            part.row + int(breaks.sum()),
        )

    ends = np.flatnonzero(cuts)
    del quotes, inside, breaks, cuts
    line_ends = np.flatnonzero(octets[ends] == LINE_BREAK)
    # The cells after the last line break belong to a row that is not complete.
    complete_cells = line_ends[-1] + 1 if len(line_ends) else 0
    return ends[:complete_cells], line_ends


def _normalize_line_breaks(data: bytes, last: bool) -> tuple[bytes, bytes]:
    """Return a part with "\\n" for each line break, and what is left of it for the next part.

    A "\\r" at the end is left, because a "\\n" may follow in the next part and belong to it.

    last: no other part follows. Then nothing is left, and the last row gets a line break if it has
        none.
    """
    rest = b""
    if data.endswith(b"\r") and not last:
        rest = b"\r"
        data = data[:-1]
    # The longer line break is replaced first, so that it does not become two.
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if last and data and not data.endswith(b"\n"):
        data += b"\n"
    return data, rest


def _encoding_problem(data: bytes) -> tuple[int, str] | None:
    """Return the position of the first byte that is not text in UTF-8 and a message, or None.

    Half a character at the end of the data is no problem, because the next part may complete it.
    """
    if b"\0" in data:
        return data.index(0), "This row is not text: it contains a NUL character. " + SAVE_AS_ADVICE
    # The data is decoded in steps, because the decoded text takes much memory.
    start = 0
    while start < len(data):
        step = data[start : start + STEP_SIZE]
        try:
            # The decoder leaves out half a character at the end of a step, and the next step begins
            # with it.
            _, used = codecs.utf_8_decode(step, "strict", False)
        except UnicodeDecodeError as error:
            position = start + error.start
            # A character has up to four bytes. It may be cut in two at the end of the part, but not
            # in a complete row.
            if position < len(data) - 3 or data.endswith(b"\n"):
                return position, NOT_UTF_8_MESSAGE
            return None
        # Only half a character is left.
        if not used:
            return None
        start += used
    return None


def _quote_problem(
    quotes: np.ndarray, inside: np.ndarray, cuts: np.ndarray
) -> tuple[int, str] | None:
    """Return the position of the first stray quotation mark and a message, or None.

    A quotation mark is stray if it neither opens nor closes a cell, nor is one of a doubled mark.

    quotes, cuts: which bytes of the part are quotation marks, and which end a cell; booleans.
    inside: whether an odd number of quotation marks has come by each byte, this byte included.
    """
    last = len(quotes) - 1
    # Only some bytes are searched at a time, because the arrays of positions take much memory.
    for start in range(0, len(quotes), STEP_SIZE):
        positions = start + np.flatnonzero(quotes[start : start + STEP_SIZE])
        # The neighbours of each mark, or the mark itself at the start and at the end of the part.
        left = np.maximum(positions - 1, 0)
        right = np.minimum(positions + 1, last)

        # A mark that leads into quotation marks opens a cell, or is the second one of a doubled
        # mark. One that leads out closes a cell, or is the first one of a doubled mark.
        may_open = (positions == 0) | cuts[left] | quotes[left]
        may_close = (positions == last) | cuts[right] | quotes[right]
        is_allowed = np.where(inside[positions], may_open, may_close)
        stray = positions[~is_allowed]
        if len(stray):
            return int(stray[0]), STRAY_QUOTE_MESSAGE
    return None
