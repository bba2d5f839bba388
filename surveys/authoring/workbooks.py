"""Workbooks (.xlsx) from anywhere: opened within limits, read as rows of text."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from surveys.errors import Unreadable

LARGEST = 5_000_000  # bytes, as it comes
UNPACKED = 50_000_000  # bytes of all its parts
PARTS = 500
ROWS, COLUMNS = 5_000, 200
PIECE = 2**16


def sheets(content: bytes) -> dict[str, list[dict[str, str]]]:
    """Sheet name in lower case -> its rows as {heading: text}, with "row" the row's number. Raises Unreadable."""
    _check(content)
    from openpyxl import load_workbook  # noqa: PLC0415 (10 MB that few sites need)

    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        return {sheet.title.strip().lower(): list(_rows(sheet)) for sheet in book.worksheets}
    except Unreadable:
        raise
    except Exception as error:  # openpyxl raises whatever its parts raise on a broken file
        raise Unreadable("The workbook is damaged: no program can tell its sheets and cells apart.") from error


def _check(content: bytes) -> None:
    """Before anything is unpacked: how much it would be."""
    if len(content) > LARGEST:
        raise Unreadable(f"The workbook has more than {LARGEST:,} bytes.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > PARTS or sum(part.file_size for part in parts) > UNPACKED:
                raise Unreadable(f"Unpacked the workbook would have more than {UNPACKED:,} bytes or {PARTS} parts.")
            if any(_declares(archive, part) for part in parts):
                raise Unreadable("The workbook defines entities of its own, which no spreadsheet program does.")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("This is no workbook in the form .xlsx. Save it as .xlsx, not as .xls or .csv.") from error


def _declares(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether the part has a document type, with which a few bytes of XML can become gigabytes."""
    with archive.open(part) as opened:
        before = b""
        while piece := opened.read(PIECE):
            if b"<!DOCTYPE" in (window := (before + piece).replace(b"\0", b"")) or b"<!ENTITY" in window:
                return True
            before = piece[-32:]
    return False


def _rows(sheet: Any) -> Iterator[dict[str, str]]:
    sheet.reset_dimensions()  # what the file says of its size need not be true
    rows = sheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS, values_only=True)
    headings = [_text(value).lower() for value in next(rows, ())]
    for number, values in enumerate(rows, 2):
        if number > ROWS:
            raise Unreadable(f"The sheet “{sheet.title}” has more than {ROWS:,} rows.")
        named = {heading: _text(value) for heading, value in zip(headings, values, strict=False) if heading}
        found = {heading: text for heading, text in named.items() if text}
        if found:
            yield found | {"row": str(number)}


def _text(value: object) -> str:
    """A cell as its author sees it: 3, not 3.0."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()
