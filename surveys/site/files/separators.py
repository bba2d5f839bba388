"""Guess which character separates the cells of a text."""

import re
from collections import Counter

from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken, Cells, split
from surveys.site.files.heading import first_rows, row_texts
from surveys.site.files.layout import HEADER_SEARCH_ROWS, SEPARATORS, UNQUOTED, CountKnown

# The number of bytes at the start of a file from which the separator is guessed.
SAMPLE_BYTES = 65_536

SPACES_MESSAGE = "Spaces seem to separate the cells. In R, write the file with write.csv."
# A cell of a text that is separated by spaces.
SPACED_CELL = re.compile(rb'"[^"]*"|[^\s"]+')


def guess_separator(
    text: bytes, count_known: CountKnown, *, last: bool, holds_responses: bool = False
) -> str:
    """Return the character that seems to separate the cells: a key of SEPARATORS.

    It is the one that cuts the first rows most evenly, into equally many cells. Among several such
    characters those in the first line win, and then those that yield known names of columns. Raises
    Invalid if more than one is left, so that the sender has to choose.

    text: the first part of the file, in UTF-8.
    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row needs no line break.
    holds_responses: raise Broken if spaces seem to separate the cells.
    """
    evenness = {separator: _evenness(text, separator, last) for separator in SEPARATORS}
    highest = max(evenness.values())
    candidates = [separator for separator in SEPARATORS if evenness[separator] == highest]
    lines = text[:SAMPLE_BYTES].lstrip(b"\r\n").splitlines()
    first_line = lines[0] if lines else b""

    if highest == 0:
        if holds_responses:
            _refuse_spaces(text, count_known, last)
        # The file has a single column, or is hardly a table. Then the most frequent separator in
        # the first line is taken, or the comma.
        return max(SEPARATORS, key=lambda separator: first_line.count(separator.encode()))

    # Each of these steps may leave no candidate, and then it has no effect.
    if len(candidates) > 1:
        in_first_line = [separator for separator in candidates if separator.encode() in first_line]
        if in_first_line:
            candidates = in_first_line
    if len(candidates) > 1:
        with_known_names = [
            separator for separator in candidates if _has_known(text, separator, count_known, last)
        ]
        if with_known_names:
            candidates = with_known_names
    if len(candidates) > 1:
        names = " and ".join(SEPARATORS[separator] for separator in candidates)
        raise Invalid({"separator": f"The cells could be separated by {names}. Choose one."})
    return candidates[0]


def _sample(text: bytes, separator: str, last: bool) -> Cells | None:
    """Return the first rows of a text, cut at a separator, or None if they cannot be cut.

    They cannot if no row is complete, or if a quotation mark is in the middle of a cell, so that
    `split` raises Broken. Texts that are cut at tabs may be without quoting.

    last: the text is the whole file, so that its last row needs no line break.
    """
    # If the sample has no complete row, because the first one is longer, the whole text is split.
    for size in (SAMPLE_BYTES, len(text)):
        # The last row of a sample from the middle of the file is not complete.
        is_end = last and len(text) <= size
        try:
            cells, _ = split(text[:size], separator, 1, last=is_end)
        except Broken:
            # Tabs may separate the cells of a text without quoting.
            cells = _unquoted_sample(text[:size], separator, last=is_end)
            if cells is None:
                return None
        if len(cells):
            return cells
    return None


def _unquoted_sample(text: bytes, separator: str, *, last: bool) -> Cells | None:
    """Return the rows of a text without quoting, or None if tabs do not separate its cells."""
    if separator != "\t":
        return None
    try:
        cells, _ = split(text, separator, 1, last=last, quoting=UNQUOTED)
    except Broken:
        return None
    return cells


def _refuse_spaces(text: bytes, count_known: CountKnown, last: bool) -> None:
    """Raise Broken if spaces seem to separate the cells, as R's write.table writes them.

    Spaces do so if they cut the first rows evenly, where the first one may have a cell less, since
    the names of rows have no name. A single column may hold texts with equally many words. So the
    importer must know one of the names between spaces, or the rows must have quotation marks.

    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row is complete.
    """
    lines = text[:SAMPLE_BYTES].splitlines()[: HEADER_SEARCH_ROWS + 1]
    if not last:
        lines = lines[:-1]
    rows = [SPACED_CELL.findall(line) for line in lines if line.strip()]
    if len(rows) < 2 or len(rows[0]) + len(rows[1]) < 4:
        return
    header, *others = rows
    widths = {len(row) for row in others}
    if len(widths) > 1 or len(others[0]) - len(header) not in (0, 1):
        return
    names = [name.strip(b'"').decode(errors="replace") for name in header]
    whole_line = lines[0].strip().decode(errors="replace")
    if count_known([whole_line]):
        return
    if count_known(names) or len(header) == lines[0].count(b'"') / 2:
        raise Broken(SPACES_MESSAGE)


def _evenness(text: bytes, separator: str, last: bool) -> float:
    """Return how evenly a separator cuts the first rows: the share with the usual number of cells.

    The usual number is the most frequent one. The share is 0 if it is one cell, so that the
    separator cuts nothing, or if no row can be read. Empty rows are left out.

    last: the text is the whole file, so that its last row needs no line break.
    """
    cells = _sample(text, separator, last)
    if cells is None:
        return 0
    is_filled = ~cells.blank()[:HEADER_SEARCH_ROWS]
    first_widths = cells.width()[:HEADER_SEARCH_ROWS]
    widths = first_widths[is_filled].tolist()
    if not widths:
        return 0

    frequency_by_width = Counter(widths)
    highest = max(frequency_by_width.values())
    # Among equally frequent numbers of cells the largest one counts.
    usual_width = max(
        width for width, frequency in frequency_by_width.items() if frequency == highest
    )
    if usual_width == 1:
        return 0
    return highest / len(widths)


def _has_known(text: bytes, separator: str, count_known: CountKnown, last: bool) -> bool:
    """Return whether a separator cuts out a name of a column that the importer knows.

    Only the first rows are searched. If they cannot be cut at the separator, they have no name.

    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row needs no line break.
    """
    cells = _sample(text, separator, last)
    if cells is None:
        return False
    return any(count_known(row_texts(cells, number)) for number in first_rows(cells))
