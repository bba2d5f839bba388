"""Read a file as a table: its layout, the names of its columns, and the rows of text below.

Code that imports a file sees rows of cells and knows nothing of encodings, separators and title
rows. What this module guesses is stored in the Layout, so that a page can show it and a person can
correct it. What cannot be guessed is requested from the sender, by raising Invalid.

A file of text can come in parts: `read_first_part` reads the first one, and `read_next_part` each
other one. A workbook, a Parquet file and the formats of features can only be read as a whole. Such
a file comes in one part, and is first converted to CSV.
"""

import re
from dataclasses import dataclass, field, replace

from surveys.site import errors
from surveys.site.files import encodings
from surveys.site.files.delimited import QUOTE, Broken, Cells, split
from surveys.site.files.encodings import Unreadable, encoding_titles
from surveys.site.files.foreign import COMPRESSED_MESSAGE, foreign_message
from surveys.site.files.heading import cells_of_data, guess_header, read_heading
from surveys.site.files.layout import UNQUOTED, CountKnown, Layout
from surveys.site.files.separators import guess_separator
from surveys.site.files.sizes import TableLimits
from surveys.site.files.whole_files import (
    convert_whole_file,
    in_one_part_message,
    require_one_part,
    whole_format,
    whole_names,
)
from surveys.site.files.whole_table import Labels
from surveys.site.files.workbook import is_archive

NO_END_MESSAGE = (
    "The first row has no end. It must have the names of the columns, and each response its own "
    "row below."
)

# A file may begin with a line that states its separator. Such a line has at most this many bytes.
LONGEST_SEPARATOR_LINE = 400
SEPARATOR_LINE = re.compile(rb'"?sep=([,;\t|])"?[;,\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """The first part of a file, as `read_first_part` returns it.

    layout: the form of the file, as it was stated or guessed.
    names: the names of the columns.
    cells: the complete rows from the one where the data begin.
    rest: the start of a row that ends in the next part, as bytes of the file. The sender of the
        parts need not send it again: it belongs before the next part.
    labels: the labels of values, in a format that has them.
    program: the survey program that wrote the file, if its form shows that, or "".
    hints: what stands between the names and the data, by the name of the column.
    """

    layout: Layout
    names: list[str]
    cells: Cells
    rest: bytes
    labels: Labels = field(default_factory=Labels)
    program: str = ""
    hints: dict[str, str] = field(default_factory=dict)


def read_first_part(
    data: bytes,
    requested: Layout,
    count_known: CountKnown,
    limits: TableLimits,
    *,
    size: int = 0,
    last: bool = False,
    is_cut: bool = False,
    holds_responses: bool = False,
) -> Table:
    """Return the first part of a file as a table.

    Raises Broken if the file cannot be read, and Invalid with the fields of the layout that the
    sender has to state.

    data: the part, or the whole file.
    requested: the layout as far as the sender states it. All else is guessed.
    count_known: returns how many of the names in a row the importer knows.
    limits: how much the table may hold.
    size: the bytes of the whole file, or 0 if they are not known.
    last: this part is known to be the whole file.
    is_cut: another part is known to follow. If the sender does not say how many parts there are,
        neither `last` nor `is_cut` is true.
    holds_responses: the table holds responses. Then what survey programs and R write above the data
        and beside them is recognized. Invalid is raised if no row seems to have the names of the
        columns, and Broken if spaces seem to separate the cells.
    """
    check_start(data)
    labels = Labels()
    whole_key = whole_format(data)
    if whole_key:
        require_one_part(whole_key, data, size, is_cut=is_cut)
        data, requested, labels = convert_whole_file(whole_key, data, requested, limits, last=last)
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
        separator = guess_separator(text, count_known, last=last, holds_responses=holds_responses)
        layout = replace(layout, separator=separator)

    cells, rest, layout = _split_first_part(text, layout, last=last)
    _check_size(cells, text, limits)
    if not layout.header:
        header = guess_header(cells, count_known, holds_responses=holds_responses)
        layout = replace(layout, header=header)
    heading = read_heading(cells, layout, holds_responses=holds_responses)
    return Table(
        layout=heading.layout,
        names=heading.names,
        cells=cells_of_data(cells, heading.layout),
        rest=_encode_rest(layout, rest, tail),
        labels=labels,
        program=heading.program,
        hints=heading.hints,
    )


def _split_first_part(text: bytes, layout: Layout, *, last: bool) -> tuple[Cells, bytes, Layout]:
    """Return the complete rows of a text, the bytes that are left, and the layout with its quoting.

    A text with tabs between its cells may be without quoting, so that a quotation mark can be
    anywhere. This is so if quotation marks do not fit, and all rows have as many cells as the first
    one, or one cell more. Raises Broken for any other text that cannot be split.
    """
    try:
        cells, rest = split(text, layout.separator, 1, last=last, quoting=layout.quoting)
    except Broken:
        if layout.separator != "\t":
            raise
        cells, rest = split(text, layout.separator, 1, last=last, quoting=UNQUOTED)
        if not _is_unquoted(cells):
            raise
        layout = replace(layout, quoting=UNQUOTED)
    return cells, rest, layout


def _is_unquoted(cells: Cells) -> bool:
    """Return whether rows that were cut at tabs are a table without quoting.

    All rows have as many cells as the first one, or all other rows have one cell more. No cell is
    enclosed in quotation marks.
    """
    widths = cells.width()[~cells.blank()]
    if len(widths) < 2:
        return False
    is_even = (widths[1:] == widths[1]).all() and widths[1] - widths[0] in (0, 1)
    filled = cells.ends > cells.starts + 1
    starts = cells.octets[cells.starts[filled]]
    ends = cells.octets[cells.ends[filled] - 1]
    return bool(is_even and not ((starts == QUOTE) & (ends == QUOTE)).any())


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


def check_start(data: bytes) -> None:
    """Raise Broken if a file begins like one that holds no table of responses, such as an R file.

    data: the file, or at least its first bytes.
    """
    message = foreign_message(data)
    if not message and is_archive(data) and not whole_format(data):
        message = COMPRESSED_MESSAGE
    if message:
        raise Broken(message)


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
        raise Broken(in_one_part_message(layout.encoding))
    text, tail = _decode(layout, data, row, last)
    cells, rest = split(text, layout.separator, row, last=last, quoting=layout.quoting)
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
