"""Read a file as a table: its layout, the names of its columns, and the rows of text below.

Code that imports a file sees rows of cells and knows nothing of encodings, separators and title
rows. What this module guesses is stored in the Layout, so that a page can show it and a person can
correct it. What cannot be guessed is requested from the sender, by raising Invalid.

A file of text can come in parts: `read_first_part` reads the first one, and `read_next_part` each
other one. A workbook, a Parquet file and the formats of features can only be read as a whole. Such
a file comes in one part, and is first converted to CSV.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from surveys import extensions
from surveys.site import errors
from surveys.site.errors import Invalid
from surveys.site.files import encodings, parquet, workbook
from surveys.site.files.delimited import (
    INCOMPLETE_MESSAGE,
    SAVE_AS_ADVICE,
    Broken,
    Cells,
    clean,
    split,
)
from surveys.site.files.encodings import PARQUET, WORKBOOK, Unreadable, encoding_titles
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import DAMAGED_MESSAGE
from surveys.site.files.whole_table import Labels

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
NO_END_MESSAGE = (
    "The first row has no end. It must have the names of the columns, and each response its own "
    "row below."
)

# The number of bytes at the start of a file from which the separator is guessed.
SAMPLE_BYTES = 65_536

# The row with the names of the columns is searched among this many rows.
HEADER_SEARCH_ROWS = 20

MOST_COLUMNS = 5000

# A file may begin with a line that states its separator. Such a line has at most this many bytes.
LONGEST_SEPARATOR_LINE = 400
SEPARATOR_LINE = re.compile(rb'"?sep=([,;\t|])"?[;,\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE)

# What a file is called in each format that can only be read as a whole. Features add formats.
WHOLE_FILE_NAMES = {WORKBOOK: "a workbook (.xlsx)", PARQUET: "a Parquet file"}
# The first bytes of files that cannot be read as a table, and what these files are.
FOREIGN_STARTS = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls)",
    b"RDX": "an R file",
    b"\x1f\x8b": "a compressed file",
}

# A function that gets the texts of a row, and returns how many of them are names of columns that
# the importer knows. By these the header and the separator are found. The function may stop at 1 if
# the importer only needs to know whether there is any.
CountKnown = Callable[[list[str]], int]


@dataclass(frozen=True)
class Layout:
    """The form in which a file is written. Fields that are "" or 0 are guessed from the file.

    encoding: a key of `encoding_titles`, so "xlsx" for a workbook.
    separator: the character between cells, a key of SEPARATORS.
    header: the number of the row that names the columns, counted from 1.
    sheet: the sheet to read, in a workbook that has several.
    version: the version of the codebook, in a file that this program wrote.
    """

    encoding: str = ""
    separator: str = ""
    header: int = 0
    sheet: str = ""
    version: int = 0


@dataclass(frozen=True)
class Table:
    """The first part of a file, as `read_first_part` returns it.

    layout: the form of the file, as it was stated or guessed.
    names: the names of the columns.
    cells: the complete rows below the one with the names of the columns.
    rest: the start of a row that ends in the next part, as bytes of the file. The sender of the
        parts need not send it again: it belongs before the next part.
    labels: the labels of values, in a format that has them.
    """

    layout: Layout
    names: list[str]
    cells: Cells
    rest: bytes
    labels: Labels = field(default_factory=Labels)


class _WholeFile(NamedTuple):
    """A file that can only be read as a whole, such as a workbook, converted to CSV.

    text: the CSV in UTF-8.
    layout: the requested layout, with what the conversion found out.
    labels: the labels of values, in a format that has them.
    """

    text: bytes
    layout: Layout
    labels: Labels


def whole_names() -> dict[str, str]:
    """Return the name of a file in each format that can only be read as a whole, by its key.

    For example, the key "xlsx" has the name "a workbook (.xlsx)".
    """
    feature_formats = {
        table_format.key: table_format.name for table_format in extensions.table_formats
    }
    return WHOLE_FILE_NAMES | feature_formats


def read_first_part(
    data: bytes,
    requested: Layout,
    count_known: CountKnown,
    limits: TableLimits,
    *,
    last: bool = False,
    is_cut: bool = False,
) -> Table:
    """Return the first part of a file as a table.

    Raises Broken if the file cannot be read, and Invalid with the fields of the layout that the
    sender has to state.

    data: the part, or the whole file.
    requested: the layout as far as the sender states it. All else is guessed.
    count_known: returns how many of the names in a row the importer knows.
    limits: how much the table may hold.
    last: this part is known to be the whole file.
    is_cut: another part is known to follow. If the sender does not say how many parts there are,
        neither `last` nor `is_cut` is true.
    """
    check_start(data)
    labels = Labels()
    whole_key = whole_format(data)
    if whole_key:
        _require_one_part(whole_key, data, is_cut=is_cut)
        data, requested, labels = _convert_whole_file(whole_key, data, requested, limits, last=last)
        last = True
    elif requested.encoding in whole_names():
        title = encoding_titles()[requested.encoding]
        raise Broken(f"This file is not in the format “{title}”. Choose another one.")

    # First the encoding is found, then the separator, and then the row with the names of columns:
    # each step needs the one before it.
    layout = replace(requested, encoding=encodings.guess_encoding(data, requested.encoding))
    text, tail = _decode(layout, encodings.without_mark(data), 1, last)
    separator_line = SEPARATOR_LINE.match(text[:LONGEST_SEPARATOR_LINE])
    if separator_line:
        # Spreadsheets do not count this line, so it is no row.
        text = text[separator_line.end() :]
        if not layout.separator:
            layout = replace(layout, separator=separator_line[1].decode())
    if not layout.separator:
        layout = replace(layout, separator=_guess_separator(text, count_known, last))

    cells, rest = split(text, layout.separator, 1, last=last)
    _check_size(cells, text, limits)
    if not layout.header:
        layout = replace(layout, header=_guess_header(cells, count_known))
    return Table(
        layout=layout,
        names=_column_names(cells, layout.header),
        cells=_cells_below(cells, layout.header),
        rest=_encode_rest(layout, rest, tail),
        labels=labels,
    )


def _check_size(cells: Cells, text: bytes, limits: TableLimits) -> None:
    """Raise Broken if the first part of a table is above the limits, or has no complete row.

    text: the text that was split into the cells. If it is blank, the file is called empty.
    """
    try:
        limits.require(rows=len(cells), cells=len(cells.starts))
    except errors.Unreadable as error:
        raise Broken(str(error)) from error
    if len(cells):
        return
    if text.strip():
        raise Broken(NO_END_MESSAGE, 1)
    raise Broken("The file is empty.")


def whole_format(start: bytes) -> str:
    """Return the key of the format of a file that can only be read as a whole, or "" for a text.

    The format is recognized by the first bytes. For a workbook the key is "xlsx", for example.

    start: the file, or at least its first bytes.
    """
    if workbook.is_workbook(start):
        return WORKBOOK
    if parquet.is_parquet(start):
        return PARQUET
    for table_format in extensions.table_formats:
        if table_format.is_start(start):
            return table_format.key
    return ""


def too_large_whole_message(encoding: str) -> str:
    """Return the message that a file is too large for a format that can only be read as a whole.

    encoding: the key of the format, such as "xlsx" for a workbook.
    """
    name = whole_names()[encoding]
    limit = f"{name} can have at most {LARGEST_WHOLE_FILE:,} bytes."
    return f"The file is too large: {limit} {SAVE_AS_ADVICE}"


def _in_one_part_message(encoding: str) -> str:
    """Return the message that a file in this format must be sent in one part.

    encoding: the key of the format, such as "xlsx" for a workbook.
    """
    name = whole_names()[encoding]
    capitalized = f"{name[0].upper()}{name[1:]}"
    limit = f"of at most {LARGEST_WHOLE_FILE:,} bytes."
    rule = f"{capitalized} must be sent in one part, {limit}"
    return f"{rule} If it has more, it is too large. {SAVE_AS_ADVICE}"


def _require_one_part(encoding: str, data: bytes, *, is_cut: bool) -> None:
    """Raise Broken if a file that can only be read as a whole is too large, or comes in parts.

    encoding: the key of its format, such as "xlsx" for a workbook.
    data: the file, or its first part.
    is_cut: another part is known to follow.
    """
    # The largest part is as long as the largest whole file. So if a full part is cut, the file
    # would be too large in one part as well.
    is_full_part = len(data) == LARGEST_WHOLE_FILE
    if len(data) > LARGEST_WHOLE_FILE or (is_cut and is_full_part):
        raise Broken(too_large_whole_message(encoding))
    if is_cut:
        raise Broken(_in_one_part_message(encoding))


def _incomplete_message(encoding: str, data: bytes) -> str:
    """Return the message about a file that is damaged, or whose other parts are still to follow.

    Which of these it is cannot be known, because the sender does not say whether more parts follow.

    encoding: the key of the format of the file, such as "xlsx" for a workbook.
    data: the file, or its first part.
    """
    # A part of this length is the largest one, so more of the file follows.
    if len(data) == LARGEST_WHOLE_FILE:
        return too_large_whole_message(encoding)
    return f"The file is damaged, or was not sent as a whole. {_in_one_part_message(encoding)}"


def _convert_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits, *, last: bool
) -> _WholeFile:
    """Return a file that can only be read as a whole, converted to CSV in a child process.

    Raises Broken if the file cannot be read, and Invalid if the sender has to choose a sheet of a
    workbook.

    encoding: the key of its format, such as "xlsx" for a workbook.
    requested: the layout as far as the sender states it.
    last: this is known to be the whole file, so that a damaged file is not called incomplete.
    """
    try:
        return _read_whole_file(encoding, data, requested, limits)
    except Broken as error:
        # A file without its end looks damaged. If more parts may follow, the message says so.
        if last or not str(error).startswith((DAMAGED_MESSAGE, INCOMPLETE_MESSAGE)):
            raise
        raise Broken(_incomplete_message(encoding, data)) from None


def _read_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits
) -> _WholeFile:
    """Return a file converted to CSV by the reader of its format, which raises Broken or Invalid.

    encoding: the key of its format, such as "xlsx" for a workbook.
    requested: the layout as far as the sender states it.
    """
    layout = replace(requested, encoding=encoding, separator=",")
    if encoding == WORKBOOK:
        text, sheet = workbook.read_workbook(data, limits, requested.sheet)
        return _WholeFile(text, replace(layout, sheet=sheet), Labels())
    if encoding == PARQUET:
        text, version = parquet.read_parquet(data, limits)
        if not layout.version:
            layout = replace(layout, version=version)
        return _WholeFile(text, layout, Labels())
    formats_by_key = {table_format.key: table_format for table_format in extensions.table_formats}
    text, labels = formats_by_key[encoding].read(data, limits)
    return _WholeFile(text, layout, labels)


def check_start(data: bytes) -> None:
    """Raise Broken if a file begins like one that holds no table of text, such as an R file.

    data: the file, or at least its first bytes.
    """
    for start, name in FOREIGN_STARTS.items():
        if data.startswith(start):
            raise Broken(f"This is {name}, not a table of text. {SAVE_AS_ADVICE}")


def read_next_part(
    layout: Layout, data: bytes, row: int, *, last: bool = False
) -> tuple[Cells, bytes]:
    """Return the complete rows of another part of a file, and the bytes that are left.

    These bytes are the start of a row that ends in the next part. Raises Broken if the part cannot
    be read.

    layout: the layout of the first part.
    data: the bytes that were left of the part before, and this part.
    row: the number of the first row of the part in the file, counted from 1.
    last: no other part follows.
    """
    # Such a file is read in one part, and an empty last part says only that nothing follows.
    if layout.encoding in whole_names() and data:
        raise Broken(_in_one_part_message(layout.encoding))
    text, tail = _decode(layout, data, row, last)
    cells, rest = split(text, layout.separator, row, last=last)
    return cells, _encode_rest(layout, rest, tail)


def _encode_rest(layout: Layout, rest: bytes, tail: bytes) -> bytes:
    """Return what is left of a part, in the encoding of the file.

    rest: the start of a row that is not complete, in UTF-8.
    tail: the bytes of half a character behind it, in the encoding of the file.
    """
    return encodings.from_utf_8(layout.encoding, rest) + tail


def _decode(layout: Layout, data: bytes, row: int, last: bool) -> tuple[bytes, bytes]:
    """Return a part of a file in UTF-8, and the bytes of half a character at its end.

    These bytes are in the encoding of the file, and belong before the next part. If the file is not
    in this encoding, Broken is raised, with the first row that is not.

    layout: its encoding is known, and its separator is "" if it was not guessed yet.
    row: the number of the first row of the part in the file, counted from 1.
    last: no other part follows, so that half a character is an error.
    """
    try:
        return encodings.to_utf_8(layout.encoding, data, last=last)
    except Unreadable as error:
        # The complete rows before the error are counted. A row ends at a line break, so a comma
        # serves where the separator is not known yet.
        readable, _ = split(error.readable, layout.separator or ",", row)
        title = encoding_titles()[layout.encoding]
        message = f"This row is not text in {title}. Choose the encoding of the file."
        raise Broken(message, row + len(readable)) from None


def _column_names(cells: Cells, header: int) -> list[str]:
    """Return the names of the columns, which are the texts of row `header`.

    Raises Invalid if there is no such row, and Broken if it is empty or has too many cells.

    header: the number of the row, counted from 1.
    """
    if header > len(cells):
        message = f"Row {header} is not among the first {len(cells)} rows of the file."
        raise Invalid({"header": message})
    names = _row_texts(cells, header)
    if not any(names):
        row_name = "The first row" if header == 1 else f"Row {header}"
        raise Broken(f"{row_name} must have the names of the columns. It is empty.", header)
    width = int(cells.first[header] - cells.first[header - 1])
    if width > MOST_COLUMNS:
        raise Broken(f"The file has {width:,} columns. At most {MOST_COLUMNS:,} are read.", header)
    return names


def _row_texts(cells: Cells, number: int) -> list[str]:
    """Return the texts of row `number`, counted from 1. Cells after MOST_COLUMNS are left out."""
    # The first cell of the row, and that of the next row.
    start = int(cells.first[number - 1])
    end = int(cells.first[number])
    end = min(end, start + MOST_COLUMNS)
    return [clean(text) for text in cells.texts(np.arange(start, end))]


def _cells_below(cells: Cells, header: int) -> Cells:
    """Return the rows below row `header`, counted from 1."""
    # Cells are numbered across all rows, so those above may stay: no row has them any more.
    return replace(cells, first=cells.first[header:], row=cells.row + header)


def _guess_header(cells: Cells, count_known: CountKnown) -> int:
    """Return the number of the row that seems to name the columns, counted from 1.

    This is the first row, unless a later one has more known names: then titles precede it. Only the
    first HEADER_SEARCH_ROWS rows are searched.

    count_known: returns how many of the names in a row the importer knows.
    """
    best_row = 1
    most_known = 0
    for number in _first_rows(cells):
        known = count_known(_row_texts(cells, number))
        if known > most_known:
            best_row = number
            most_known = known
    return best_row


def _first_rows(cells: Cells) -> range:
    """Return the numbers of the rows, counted from 1, in which names of columns are searched."""
    return range(1, min(len(cells), HEADER_SEARCH_ROWS) + 1)


def _guess_separator(text: bytes, count_known: CountKnown, last: bool) -> str:
    """Return the character that seems to separate the cells: a key of SEPARATORS.

    It is the one that cuts the first rows most evenly, into equally many cells. Among several such
    characters those in the first line win, and then those that yield known names of columns. Raises
    Invalid if more than one is left, so that the sender has to choose.

    text: the first part of the file, in UTF-8.
    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row needs no line break.
    """
    evenness = {separator: _evenness(text, separator, last) for separator in SEPARATORS}
    highest = max(evenness.values())
    candidates = [separator for separator in SEPARATORS if evenness[separator] == highest]
    lines = text[:SAMPLE_BYTES].lstrip(b"\r\n").splitlines()
    first_line = lines[0] if lines else b""

    if highest == 0:
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
    `split` raises Broken.

    last: the text is the whole file, so that its last row needs no line break.
    """
    # If the sample has no complete row, because the first one is longer, the whole text is split.
    for size in (SAMPLE_BYTES, len(text)):
        # The last row of a sample from the middle of the file is not complete.
        is_end = last and len(text) <= size
        try:
            cells, _ = split(text[:size], separator, 1, last=is_end)
        except Broken:
            return None
        if len(cells):
            return cells
    return None


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
    return any(count_known(_row_texts(cells, number)) for number in _first_rows(cells))
