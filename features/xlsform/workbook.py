"""The sheets of an XLSForm as pyxform reads them, from .xlsx, .xls, .csv or tables in Markdown.

This runs in a child process (surveys.site.files.untrusted), so nothing here loads Django.
"""

import csv
import io
import zipfile
from typing import Any

from features.xlsform.headings import named, typed
from features.xlsform.workbook_cells import NO_WORKBOOK, READ, grids, lost
from surveys.site.errors import Unreadable
from surveys.site.files.untrusted import DAMAGED_MESSAGE, OLE

MOST_CELLS = (
    300_000  # with something in them; a list of 20,000 choices in five languages has half as many
)
README_SHEET = "Read me"  # which the writer adds
LOCKED = "EncryptedPackage".encode("utf-16-le")


def sheets(data: bytes) -> dict[str, Any]:
    """What an XLSForm holds. Raises Unreadable.

    survey, choices, settings: {"columns": {heading as written: as XLSForm names it, such as label::english (en)},
    "rows": [{"row": its number, "cells": {heading as written: text}}]}. Rows of the survey also have "kind", "list"
    and "other", from their type. others: names of further sheets. lost: cells that no column takes, in words.
    """
    kind = _kind(data)
    if kind in (".csv", ".md"):
        data = _text(data).encode()
    asis = grids(kind, data)
    book = _book(kind, data)
    found: dict[str, Any] = {"others": _others(book), "lost": []}
    total_cells = 0
    for name in READ:
        rows = book.get(name) or []
        headings = [
            heading
            for heading in (book.get(f"{name}_header") or [{}])[0]
            if heading and heading != "None"
        ]
        found[name] = {
            "columns": {heading: named(name, heading) for heading in headings},
            "rows": [],
        }
        for number, cells in enumerate(rows, 2):
            if cells := {heading: text for heading, text in cells.items() if heading and text}:
                found[name]["rows"].append({"row": number, "cells": cells})
                total_cells += len(cells)
            if total_cells > MOST_CELLS:
                raise Unreadable(
                    f"The form has more than {MOST_CELLS:,} filled cells. Remove columns that Candor ignores."
                )
        found["lost"] += lost(name, asis.get(name, []), rows)
    types = [heading for heading, known in found["survey"]["columns"].items() if known == "type"]
    for row in found["survey"]["rows"]:
        row.update(
            typed(next((row["cells"][heading] for heading in types if heading in row["cells"]), ""))
        )
    return found


def _kind(data: bytes) -> str:
    if data.startswith(OLE):
        if LOCKED in data:
            raise Unreadable("The workbook is locked with a password. Save it without one.")
        return ".xls"
    if b"mimetypeapplication/vnd.oasis.opendocument" in data[:200]:
        raise Unreadable("This is a spreadsheet of LibreOffice (.ods). Save it as .xlsx.")
    if zipfile.is_zipfile(io.BytesIO(data)):
        return ".xlsx"
    text = _text(data)
    if not text.strip() or "\0" in text:
        raise Unreadable(NO_WORKBOOK)
    return ".md" if text.lstrip().startswith("|") else ".csv"


def _text(data: bytes) -> str:
    """As UTF-8 with commas, whatever the spreadsheet program put between cells."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(f"{NO_WORKBOOK} If it is text, save it as UTF-8.") from None
    if not text.lstrip().startswith("|") and text[:5000].count(";") > text[:5000].count(","):
        out = io.StringIO()
        csv.writer(out).writerows(csv.reader(io.StringIO(text, newline=""), delimiter=";"))
        return out.getvalue()
    return text


def _book(kind: str, data: bytes) -> dict[str, Any]:
    """Sheet name -> rows, and name_header -> headings, by pyxform."""
    from pyxform import xls2json_backends as backends  # noqa: PLC0415 (needed in a child only)
    from pyxform.errors import PyXFormError  # noqa: PLC0415

    try:
        if kind == ".csv":  # get_xlsform fails on a .csv with a sheet that XLSForm does not know
            return backends.csv_to_dict(data)
        found = backends.get_xlsform(data, file_type=kind)
    except PyXFormError as error:
        told = str(error)
        if not told.startswith(("Argument", "Error reading")):  # what pyxform says of its own calls
            raise Unreadable(told[:200]) from None
        raise Unreadable(DAMAGED_MESSAGE if kind in (".xls", ".xlsx") else NO_WORKBOOK) from None
    except IndexError:
        raise Unreadable("A row of the table has more cells than the sheet has headings.") from None
    names = (
        "sheet_names",
        "external_choices",
        "entities",
        "osm",
        *READ,
        *(f"{name}_header" for name in READ),
    )
    return {name: getattr(found, name) for name in names}


def _others(book: dict[str, Any]) -> list[str]:
    """Return the names of sheets that are not read, without the one that the writer adds.

    The only sheet is the survey, whatever its name.
    """
    names = list(book.get("sheet_names") or [])
    if len(names) == 1:
        return []
    return [name for name in names if name.lower() not in READ and name != README_SHEET]
