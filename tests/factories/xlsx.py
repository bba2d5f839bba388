"""Workbooks for tests, as a spreadsheet program saves them."""

import io

from openpyxl import Workbook


def build_xlsx(sheets: dict[str, list[list]]) -> bytes:
    """Return an .xlsx file with these sheets, as rows of cells by name. None is an empty cell."""
    book = Workbook()
    # A new workbook has a sheet already.
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
