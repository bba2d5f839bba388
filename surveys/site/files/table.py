"""Read a file as a table: its layout, the names of its columns, and the rows of text below.

Code that imports a file sees rows of cells and knows nothing of encodings, separators and title
rows. What this module guesses is stored in the Layout, so that a page can show it and a person can
correct it. What cannot be guessed is requested from the sender, by raising Invalid.
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

WHOLE_FILE_NAMES = {WORKBOOK: "a workbook (.xlsx)", PARQUET: "a Parquet file"}
# The first bytes of files that cannot be read as a table, and what these files are.
FOREIGN_STARTS = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls)",
    b"RDX": "an R file",
    b"\x1f\x8b": "a compressed file",
}

# A function that returns how many of these names of columns the importer knows. It may stop at 1
# if the importer only needs to know whether there is any.
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
    """The first part of a file.

    cells: the complete rows below the one with the names of the columns.
    rest: the start of a row that ends in the next part, as bytes of the file.
    labels: the labels of values, in a format that has them.
    """

    layout: Layout
    names: list[str]
    cells: Cells
    rest: bytes
    labels: Labels = field(default_factory=Labels)


class _WholeFile(NamedTuple):
    """A file in a format of `whole_names` that was converted to CSV in UTF-8."""

    text: bytes
    layout: Layout
    labels: Labels


def whole_names() -> dict[str, str]:
    """Return the name of a file in each format that cannot be read part by part."""
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
    sender has to state. If the sender does not say how many parts there are, neither `last` nor
    `is_cut` is true.

    requested: the layout as far as the sender states it.
    count_known: returns how many of the names in a row the importer knows.
    limits: how much the table may hold.
    last: this part is known to be the whole file.
    is_cut: another part is known to follow.
    """
    check_start(data)
    labels = Labels()
    encoding = whole_format(data)
    if encoding:
        _require_one_part(encoding, data, is_cut=is_cut)
        data, requested, labels = _convert_whole_file(encoding, data, requested, limits, last=last)
        last = True
    elif requested.encoding in whole_names():
        title = encoding_titles()[requested.encoding]
        raise Broken(f"This file is not in the format “{title}”. Choose another one.")

    layout = replace(requested, encoding=encodings.guess_encoding(data, requested.encoding))
    text, tail = _decode(layout, encodings.without_mark(data), 1, last)
    stated = SEPARATOR_LINE.match(text[:LONGEST_SEPARATOR_LINE])
    if stated:
        # Spreadsheets do not count this line, so it is no row.
        text = text[stated.end() :]
        if not layout.separator:
            layout = replace(layout, separator=stated[1].decode())
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
    """Raise Broken if a table is above the limits, or has no complete row.

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
    """Return the key of the format in which files begin like this, or "" for a text.

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
    """Return the message about a file that is too large to be read as a whole.

    encoding: the key of its format in `whole_names`.
    """
    name = whole_names()[encoding]
    limit = f"{name} can have at most {LARGEST_WHOLE_FILE:,} bytes."
    return f"The file is too large: {limit} {SAVE_AS_ADVICE}"


def _in_one_part_message(encoding: str) -> str:
    """Return the message that a file of a format of `whole_names` must be sent in one part."""
    name = whole_names()[encoding]
    capitalized = f"{name[0].upper()}{name[1:]}"
    limit = f"of at most {LARGEST_WHOLE_FILE:,} bytes."
    rule = f"{capitalized} must be sent in one part, {limit}"
    return f"{rule} If it has more, it is too large. {SAVE_AS_ADVICE}"


def _require_one_part(encoding: str, data: bytes, *, is_cut: bool) -> None:
    """Raise Broken for a file of a format of `whole_names` that is too large or was cut."""
    if len(data) > LARGEST_WHOLE_FILE or (is_cut and len(data) == LARGEST_WHOLE_FILE):
        raise Broken(too_large_whole_message(encoding))
    if is_cut:
        raise Broken(_in_one_part_message(encoding))


def _incomplete_message(encoding: str, data: bytes) -> str:
    """Return the message about a first part that is damaged, or that has no end.

    It is for senders who do not say whether more parts follow.
    """
    if len(data) == LARGEST_WHOLE_FILE:
        return too_large_whole_message(encoding)
    return f"The file is damaged, or was not sent as a whole. {_in_one_part_message(encoding)}"


def _convert_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits, *, last: bool
) -> _WholeFile:
    """Return a file in a format of `whole_names` as CSV. Raises Broken, and Invalid for its sheet.

    encoding: the key of its format.
    last: this is known to be the whole file, so that a damaged file is not called incomplete.
    """
    try:
        return _read_whole_file(encoding, data, requested, limits)
    except Broken as error:
        if last or not str(error).startswith((DAMAGED_MESSAGE, INCOMPLETE_MESSAGE)):
            raise
        raise Broken(_incomplete_message(encoding, data)) from None


def _read_whole_file(
    encoding: str, data: bytes, requested: Layout, limits: TableLimits
) -> _WholeFile:
    """Return a file as CSV, by the reader of its format. Raises Broken, and Invalid for its sheet.

    encoding: the key of its format in `whole_names`.
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
    """Raise Broken if the first bytes are those of a file of FOREIGN_STARTS, such as an R file."""
    for start, name in FOREIGN_STARTS.items():
        if data.startswith(start):
            raise Broken(f"This is {name}, not a table of text. {SAVE_AS_ADVICE}")


def read_next_part(
    layout: Layout, data: bytes, row: int, *, last: bool = False
) -> tuple[Cells, bytes]:
    """Read another part of a table; returns its complete rows and the remaining bytes.

    Raises Broken if the part cannot be read.

    row: the number of its first row in the file, counted from 1.
    last: no other part follows.
    """
    if layout.encoding in whole_names() and data:
        raise Broken(_in_one_part_message(layout.encoding))
    text, tail = _decode(layout, data, row, last)
    cells, rest = split(text, layout.separator, row, last=last)
    return cells, _encode_rest(layout, rest, tail)


def _encode_rest(layout: Layout, rest: bytes, tail: bytes) -> bytes:
    """Return what is left of a part as bytes of the file.

    rest: the start of a row, in UTF-8.
    tail: the bytes of half a character at the end of the part, in the encoding of the file.
    """
    return encodings.from_utf_8(layout.encoding, rest) + tail


def _decode(layout: Layout, data: bytes, row: int, last: bool) -> tuple[bytes, bytes]:
    """Return a part of a file in UTF-8, and the bytes of half a character at its end.

    These bytes are in the encoding of the file, and belong before the next part. Raises Broken,
    with the row in which the encoding does not fit.

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
    """Return the names of the columns from row `header`.

    Raises Invalid if there is no such row, and Broken if it is empty or has too many cells.
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
    """Return the texts of row `number`, counted from 1, up to the largest number of columns."""
    start = int(cells.first[number - 1])
    end = int(cells.first[number])
    end = min(end, start + MOST_COLUMNS)
    return [clean(text) for text in cells.texts(np.arange(start, end))]


def _cells_below(cells: Cells, header: int) -> Cells:
    """Return the rows below row `header`, counted from 1."""
    return replace(cells, first=cells.first[header:], row=cells.row + header)


def _guess_header(cells: Cells, count_known: CountKnown) -> int:
    """Return the number of the row with the names of the columns, counted from 1.

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
    """Return the numbers of the rows among which the names of the columns are searched."""
    return range(1, min(len(cells), HEADER_SEARCH_ROWS) + 1)


def _guess_separator(text: bytes, count_known: CountKnown, last: bool) -> str:
    """Return the separator that cuts the first rows into equally many cells.

    If several do so, those in the first line win, and then those that yield known names of columns.
    Raises Invalid if more than one is left.

    text: the first part of the file, in UTF-8.
    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row needs no line break.
    """
    evenness = {separator: _evenness(text, separator, last) for separator in SEPARATORS}
    highest = max(evenness.values())
    candidates = [separator for separator, share in evenness.items() if share == highest]
    lines = text[:SAMPLE_BYTES].lstrip(b"\r\n").splitlines()
    first_line = lines[0] if lines else b""

    if highest == 0:
        # The file has a single column, or is hardly a table.
        return max(SEPARATORS, key=lambda separator: first_line.count(separator.encode()))

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
    """Return the first rows as a separator cuts them, or None if they cannot be cut.

    They cannot if no row is complete, or if `split` raises Broken, as it does if a quotation mark
    is in the middle of a cell.

    last: the text is the whole file, so that its last row needs no line break.
    """
    # The first row may be longer than the sample, and then the whole text is split.
    for size in (SAMPLE_BYTES, len(text)):
        is_end = last and len(text) <= size
        try:
            cells, _ = split(text[:size], separator, 1, last=is_end)
        except Broken:
            return None
        if len(cells):
            return cells
    return None


def _evenness(text: bytes, separator: str, last: bool) -> float:
    """Return the share of the first rows that have the most frequent number of cells.

    Empty rows are left out. The share is 0 if that number is one, or if no row can be read.

    last: the text is the whole file, so that its last row needs no line break.
    """
    cells = _sample(text, separator, last)
    if cells is None:
        return 0
    is_filled = ~cells.blank()[:HEADER_SEARCH_ROWS]
    widths = cells.width()[:HEADER_SEARCH_ROWS][is_filled]

    # Among equally frequent numbers of cells the largest one counts.
    frequencies = Counter(widths.tolist()).items()
    usual_width, frequency = max(frequencies, key=lambda pair: (pair[1], pair[0]), default=(1, 1))
    if usual_width == 1:
        return 0
    return frequency / len(widths)


def _has_known(text: bytes, separator: str, count_known: CountKnown, last: bool) -> bool:
    """Return whether one of the first rows has a known name of a column, if cut at a separator.

    It has none if the rows cannot be cut there.

    count_known: returns how many of the names in a row the importer knows.
    last: the text is the whole file, so that its last row needs no line break.
    """
    cells = _sample(text, separator, last)
    if cells is None:
        return False
    return any(count_known(_row_texts(cells, number)) for number in _first_rows(cells))
