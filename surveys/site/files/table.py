"""A file as a table: the start of its bytes -> how it is written, the names of its columns, and rows of text below.

Whoever imports sees rows of cells and knows nothing of encodings, separators and title rows. What is guessed stands in
the Layout, so that a page can show it and a person correct it; what cannot be told is asked for.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from surveys import extensions
from surveys.site import errors
from surveys.site.errors import Invalid
from surveys.site.files import encodings, parquet, workbook
from surveys.site.files.delimited import INCOMPLETE, SAVE_AS, Broken, Cells, clean, split
from surveys.site.files.encodings import PARQUET, WORKBOOK, Unreadable, encoding_titles
from surveys.site.files.sizes import LARGEST_WHOLE_FILE, TableLimits
from surveys.site.files.untrusted import DAMAGED
from surveys.site.files.whole_table import Labels

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
NO_END = "The first row has no end. It must have the names of the columns, and each response its own row below."
SAMPLE = 65_536  # bytes by which the separator is guessed
LOOKED_THROUGH = 20  # rows among which the names of the columns are looked for
MOST_COLUMNS = 5000
LONGEST_START = 400  # bytes of a line that says which separator a file has
SAYS_SEPARATOR = re.compile(rb'"?sep=([,;\t|])"?[;,\t|]*(?:\r\n|\r|\n|$)', re.IGNORECASE)

WHOLE = {WORKBOOK: "a workbook (.xlsx)", PARQUET: "a Parquet file"}
FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls)",
    b"RDX": "an R file",
    b"\x1f\x8b": "a compressed file",
}

Knows = Callable[
    [list[str]], int
]  # how many of these names of columns are looked for; 0 or 1 where that is enough


@dataclass(frozen=True)
class Layout:
    """How a file is written. What is empty, or 0, is to be seen in the file.

    header: the row that names the columns; sheet: of a workbook with several; version: of the codebook of a file that
    this program wrote.
    """

    encoding: str = ""
    separator: str = ""
    header: int = 0
    sheet: str = ""
    version: int = 0


@dataclass(frozen=True)
class Table:
    """The start of a file. rest: the start of a row that ends in the next part, as bytes of the file."""

    layout: Layout
    names: list[str]
    cells: Cells
    rest: bytes
    labels: Labels = field(default_factory=Labels)


def whole_names() -> dict[str, str]:
    """Return what a file is called in each format that cannot be read part by part."""
    return WHOLE | {each.key: each.name for each in extensions.table_formats}


def read_first_part(
    data: bytes,
    wanted: Layout,
    knows: Knows,
    limits: TableLimits,
    *,
    last: bool = False,
    is_cut: bool = False,
) -> Table:
    """Return the first part of a file. Raises Broken, and Invalid with what has to be said about the file.

    limits: what the table may hold. last: it is known to be the whole file; is_cut: more is known to follow. Neither
    is so where the sender does not say how many parts there are.
    """
    check_start(data)
    labels = Labels()
    if encoding := whole_format(data):
        _require_one_part(encoding, data, is_cut=is_cut)
        try:
            data, wanted, labels = _as_text(encoding, data, wanted, limits)
        except Broken as wrong:
            if last or not str(wrong).startswith((DAMAGED, INCOMPLETE)):
                raise
            raise Broken(_part_message(encoding, data)) from None
        last = True
    elif wanted.encoding in whole_names():
        raise Broken(
            f"This file is not in the format “{encoding_titles()[wanted.encoding]}”. Choose another one."
        )
    layout = replace(wanted, encoding=encodings.guess_encoding(data, wanted.encoding))
    text, tail = _text(layout, encodings.without_mark(data), 1, last)
    if said := SAYS_SEPARATOR.match(
        text[:LONGEST_START]
    ):  # spreadsheets do not count this line, so it is no row
        text = text[said.end() :]
        layout = replace(layout, separator=layout.separator or said[1].decode())
    layout = (
        layout if layout.separator else replace(layout, separator=_separator(text, knows, last))
    )
    cells, rest = split(text, layout.separator, 1, last=last)
    try:
        limits.require(rows=len(cells), cells=len(cells.starts))
    except errors.Unreadable as wrong:
        raise Broken(str(wrong)) from wrong
    if not len(cells):
        raise Broken(NO_END, 1) if text.strip() else Broken("The file is empty.")
    layout = layout if layout.header else replace(layout, header=_header(cells, knows))
    names, below = _names(cells, layout.header), _below(cells, layout.header)
    return Table(layout, names, below, _back(layout, rest, tail), labels)


def whole_format(start: bytes) -> str:
    """Return which format of `whole_names` a file has that starts like this, or "" for a text."""
    if workbook.is_workbook(start):
        return WORKBOOK
    if parquet.is_parquet(start):
        return PARQUET
    return next((each.key for each in extensions.table_formats if each.is_start(start)), "")


def too_large_whole_message(encoding: str) -> str:
    """Return what to say of a file in a format of `whole_names` that is above the limit."""
    return f"The file is too large: {whole_names()[encoding]} can have at most {LARGEST_WHOLE_FILE:,} bytes. {SAVE_AS}"


def _in_one_part_message(encoding: str) -> str:
    name = whole_names()[encoding]
    rule = f"{name[0].upper()}{name[1:]} must be sent in one part, of at most {LARGEST_WHOLE_FILE:,} bytes."
    return f"{rule} If it has more, it is too large. {SAVE_AS}"


def _require_one_part(encoding: str, data: bytes, *, is_cut: bool) -> None:
    """Raises Broken for a file in a format of `whole_names` that is too large, or was cut by its sender."""
    if len(data) > LARGEST_WHOLE_FILE or (is_cut and len(data) == LARGEST_WHOLE_FILE):
        raise Broken(too_large_whole_message(encoding))
    if is_cut:
        raise Broken(_in_one_part_message(encoding))


def _part_message(encoding: str, data: bytes) -> str:
    """Return what to say of a first part that cannot be read, where nobody said whether more follows."""
    if len(data) == LARGEST_WHOLE_FILE:
        return too_large_whole_message(encoding)
    return f"The file is damaged, or was not sent as a whole. {_in_one_part_message(encoding)}"


def _as_text(
    encoding: str, data: bytes, wanted: Layout, limits: TableLimits
) -> tuple[bytes, Layout, Labels]:
    """Return a file in a format of `whole_names` as CSV, how it is written, and its labels. Raises Broken."""
    layout = replace(wanted, encoding=encoding, separator=",")
    if encoding == WORKBOOK:
        text, sheet = workbook.as_text(data, limits, wanted.sheet)
        return text, replace(layout, sheet=sheet), Labels()
    if encoding == PARQUET:
        text, version = parquet.as_text(data, limits)
        return text, replace(layout, version=wanted.version or version), Labels()
    table_format = next(each for each in extensions.table_formats if each.key == encoding)
    text, labels = table_format.read(data, limits)
    return text, layout, labels


def check_start(data: bytes) -> None:
    """Raises Broken for files of other programs, by their first bytes."""
    for start, name in FOREIGN.items():
        if data.startswith(start):
            raise Broken(f"This is {name}, not a table of text. {SAVE_AS}")


def read_next_part(
    layout: Layout, data: bytes, row: int, *, last: bool = False
) -> tuple[Cells, bytes]:
    """Read another part of a table; returns its complete rows and the remaining bytes."""
    if layout.encoding in whole_names() and data:
        raise Broken(_in_one_part_message(layout.encoding))
    text, tail = _text(layout, data, row, last)
    cells, rest = split(text, layout.separator, row, last=last)
    return cells, _back(layout, rest, tail)


def _back(layout: Layout, rest: bytes, tail: bytes) -> bytes:
    return encodings.from_utf_8(layout.encoding, rest) + tail


def _text(layout: Layout, data: bytes, row: int, last: bool) -> tuple[bytes, bytes]:
    try:
        return encodings.to_utf_8(layout.encoding, data, last=last)
    except Unreadable as wrong:
        before, _ = split(wrong.before, layout.separator or ",", row)
        message = f"This row is not text in {encoding_titles()[layout.encoding]}. Choose the encoding of the file."
        raise Broken(message, row + len(before)) from None


def _names(cells: Cells, header: int) -> list[str]:
    if header > len(cells):
        raise Invalid(
            {"header": f"Row {header} is not among the first {len(cells)} rows of the file."}
        )
    width = int(cells.first[header] - cells.first[header - 1])
    names = _row(cells, header)
    if not any(names):
        which = "The first row" if header == 1 else f"Row {header}"
        raise Broken(f"{which} must have the names of the columns. It is empty.", header)
    if width > MOST_COLUMNS:
        raise Broken(f"The file has {width:,} columns. At most {MOST_COLUMNS:,} are read.", header)
    return names


def _row(cells: Cells, number: int) -> list[str]:
    """Return the first cells of a row: no more of them than columns are read."""
    start, end = int(cells.first[number - 1]), int(cells.first[number])
    end = min(end, start + MOST_COLUMNS)
    return [clean(text) for text in cells.texts(np.arange(start, end))]


def _below(cells: Cells, header: int) -> Cells:
    return Cells(
        cells.data, cells.starts, cells.ends, cells.first[header:], cells.row + header, cells.octets
    )


def _header(cells: Cells, knows: Knows) -> int:
    """The first row, unless a later one has more of the names that are looked for: then titles stand above it."""
    return max(_first_rows(cells), key=lambda number: knows(_row(cells, number)))


def _first_rows(cells: Cells) -> range:
    return range(1, min(len(cells), LOOKED_THROUGH) + 1)


def _separator(text: bytes, knows: Knows, last: bool) -> str:
    """What cuts the first rows into equally many cells. Where two do, the columns' names decide, or the author."""
    fits = {each: _evenness(text, each, last) for each in SEPARATORS}
    most = max(fits.values())
    best = [each for each, evenness in fits.items() if evenness == most]
    first = (text[:SAMPLE].lstrip(b"\r\n").splitlines() or [b""])[0]
    if most == 0:  # a single column, or hardly a table
        return max(SEPARATORS, key=lambda each: first.count(each.encode()))
    if len(best) > 1:
        best = [each for each in best if each.encode() in first] or best
    if len(best) > 1:
        best = [each for each in best if _knows(text, each, knows, last)] or best
    if len(best) > 1:
        names = " and ".join(SEPARATORS[each] for each in best)
        raise Invalid({"separator": f"The cells could be separated by {names}. Choose one."})
    return best[0]


def _sample(text: bytes, separator: str, last: bool) -> Cells | None:
    """The first rows as a separator cuts them; None where quotation marks do not fit."""
    for size in (SAMPLE, len(text)):  # a row may be longer than the sample
        try:
            cells, _ = split(text[:size], separator, 1, last=last and len(text) <= size)
        except Broken:
            return None
        if len(cells):
            return cells
    return None


def _evenness(text: bytes, separator: str, last: bool) -> float:
    """The share of the first rows, empty ones left out, that have the usual number of cells; 0 if that is one."""
    cells = _sample(text, separator, last)
    if cells is None:
        return 0
    widths = cells.width()[:LOOKED_THROUGH][~cells.blank()[:LOOKED_THROUGH]]
    usual, times = max(
        Counter(widths.tolist()).items(), key=lambda pair: (pair[1], pair[0]), default=(1, 1)
    )
    return 0 if usual == 1 else times / len(widths)


def _knows(text: bytes, separator: str, knows: Knows, last: bool) -> bool:
    cells = _sample(text, separator, last)
    return cells is not None and any(knows(_row(cells, number)) for number in _first_rows(cells))
