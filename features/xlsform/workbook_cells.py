"""The cells of a workbook as they stand, to find those that pyxform passes over: it stops after many empty ones.

This runs in a child process (surveys.site.files.untrusted), so nothing here loads Django.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from surveys.site.errors import Unreadable
from surveys.site.files.untrusted import DAMAGED_MESSAGE

ROWS, COLUMNS = 21_000, 200  # a list of 20,000 choices, and others; columns with a heading
WIDEST = 300  # columns in which a stray cell is left out with a note; .xls has 256
READ = ("survey", "choices", "settings")
NO_WORKBOOK = (
    "This is neither a workbook (.xlsx or .xls) nor an XLSForm as .csv or tables of Markdown."
)
Cells = Sequence[Sequence[Any]]


def grids(kind: str, data: bytes) -> dict[str, Cells]:
    """Sheet name -> its rows. Raises Unreadable for more than a form has, and for a heading that is no text."""
    sheets = {".xlsx": _xlsx, ".xls": _xls, ".csv": _csv, ".md": lambda data: {}}[kind](data)
    names = {name.lower(): rows for name, rows in sheets.items()}
    named = {"survey": next(iter(names.values()))} if len(names) == 1 else names
    for name, rows in named.items():
        if any(_filled(cell) for row in rows[ROWS + 1 :] for cell in row):
            raise Unreadable(f"The sheet “{name}” has more than {ROWS:,} rows.")
        if sum(map(_filled, rows[0] if rows else ())) > COLUMNS:
            raise Unreadable(f"The sheet “{name}” has more than {COLUMNS} columns.")
        _check_headings(name, rows[0] if rows else ())
    return named


def _check_headings(name: str, row: Sequence[Any]) -> None:
    first: dict[str, int] = {}
    for column, heading in enumerate(row):
        if not _filled(heading):
            continue
        if not isinstance(heading, str):
            raise Unreadable(
                f"Sheet {name}, cell {_place(1, column)}: a heading is text, not {str(heading)[:60]}."
            )
        text = " ".join(heading.split())
        if first.setdefault(text, column) != column:
            both = f"{_place(1, first[text])} and {_place(1, column)}"
            raise Unreadable(
                f"Sheet {name}: the heading “{text[:60]}” appears twice, in cells {both}. Rename one of them."
            )


def _xlsx(data: bytes) -> dict[str, Cells]:
    from openpyxl import load_workbook  # noqa: PLC0415 (needed in a child only)
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet  # noqa: PLC0415

    ReadOnlyWorksheet._get_size = lambda sheet: (
        None
    )  # what a file says of its size need not be true; for pyxform too

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    sheets = {}
    for sheet in book.worksheets:
        if sheet.title.lower() in READ or len(book.sheetnames) == 1:
            rows = sheet.iter_rows(max_row=ROWS + 2, values_only=True)
            sheets[sheet.title] = [
                _near(sheet.title, number, row) for number, row in enumerate(rows, 1)
            ]
        else:
            sheets[sheet.title] = []
    return sheets


def _near(name: str, number: int, row: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(map(_filled, row[WIDEST:])):
        raise Unreadable(
            f"Sheet {name}, row {number}: there is a cell far to the right of the table. Empty it."
        )
    return row[:WIDEST]


def _xls(data: bytes) -> dict[str, Cells]:
    from xlrd import XLRDError, open_workbook  # noqa: PLC0415 (needed in a child only)

    try:
        book = open_workbook(file_contents=data)
    except XLRDError:
        raise Unreadable(DAMAGED_MESSAGE) from None
    return {
        sheet.name: [sheet.row_values(row) for row in range(min(sheet.nrows, ROWS + 2))]
        for sheet in book.sheets()
    }


def _csv(data: bytes) -> dict[str, Cells]:
    """A sheet's name stands in the first column, alone or before its headings; its rows leave that column empty."""
    sheets: dict[str, list[list[str]]] = {}
    name = ""
    for row in csv.reader(io.StringIO(data.decode(), newline="")):
        name = (row[0].strip() if row else "") or name
        rows = sheets.setdefault(name, []) if name else []
        if any(cell.strip() for cell in row[1:]):
            rows.append(row[1:])
    if not {each.lower() for each in sheets} & {"survey"} and len(sheets) != 1:
        raise Unreadable(
            f"{NO_WORKBOOK} In a .csv, the first column names the sheet: survey, choices or settings."
        )
    return dict(sheets)


def _filled(cell: Any) -> bool:
    return cell is not None and str(cell).strip() != ""


def _place(row: int, column: int) -> str:
    letters = chr(ord("A") + column % 26)
    return f"{chr(ord('A') + column // 26 - 1) if column >= 26 else ''}{letters}{row}"


def lost(name: str, grid: Cells, rows: Sequence[dict[str, str]]) -> Iterator[str]:
    headings = [
        " ".join(str(cell).split()) if _filled(cell) else "" for cell in (grid[0] if grid else ())
    ]
    for number, cells in enumerate(grid[1:], 2):
        taken = (
            {" ".join(str(heading).split()) for heading in rows[number - 2]}
            if number - 2 < len(rows)
            else set()
        )
        for column, cell in enumerate(cells):
            heading = headings[column] if column < len(headings) else ""
            if cell is not None and heading not in taken and _filled(cell):
                why = "far from the others" if heading else "in a column without a heading"
                told = f"“{str(cell).strip()[:60]}” is {why}; it is left out."
                yield f"Sheet {name}, cell {_place(number, column)}: {told}"
