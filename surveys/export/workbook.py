"""Rows as a workbook: a sheet to read first, one with labels and numbers, and one that says what they are.

Every text is text, so that no program calculates any.
"""

import io
import re
import zipfile
from xml.sax.saxutils import escape

import numpy as np

from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import Column, all_columns, one_line
from surveys.export.format import CELLS, ROWS, Rows
from surveys.export.lines import Lines
from surveys.export.scrambled import column_line, is_scrambled, note_lines
from surveys.export.text import Labels, heading
from surveys.export.zip_entries import entry
from surveys.site.files.workbook import WORKBOOK_TYPE

README_SHEET = "xl/worksheets/sheet1.xml"
SHEET = "xl/worksheets/sheet2.xml"
README_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>'
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    "</sheetView></sheetViews><sheetData>"
)
END = "</sheetData></worksheet>"
MADE = re.compile(
    rb">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<"
)  # when: so that the same rows give the same bytes
CODED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")  # what spreadsheets read as one letter
LONGEST = 32_767  # characters of a cell


class XmlCells(Labels):
    """Cells of a sheet; a text stands in the cell itself."""

    between = ""

    def cell(self, column: Column, value: int | str | None) -> str:
        return "<c/>" if value is None else f"<c><v>{value}</v></c>"

    def text(self, text: str) -> str:
        return _text(text)


class Workbook(Rows):
    name = "responses.xlsx"
    title = "Workbook for spreadsheets: labels and numbers, with the codebook on a sheet"
    media_type = WORKBOOK_TYPE
    limit = ROWS
    most_cells = CELLS
    most_columns = 16_384  # columns of a sheet

    def begin(self) -> None:
        self._archive = zipfile.ZipFile(self.out, "w")
        with zipfile.ZipFile(_around(self.frozen)) as around:
            for name in around.namelist():
                if name not in (README_SHEET, SHEET):
                    self._archive.writestr(
                        entry(name), MADE.sub(b">1980-01-01T00:00:00Z<", around.read(name))
                    )
        self._n = 0
        self._sheet = self._archive.open(entry(SHEET), "w", force_zip64=True)
        self._lines = Lines(self.frozen, XmlCells())
        names = [heading(column) for _, own in self._lines.columns for column in own]
        self._sheet.write(f"{HEAD}<row>{''.join(map(_text, names))}</row>".encode())

    def write(self, rows: np.ndarray) -> None:
        self._n += len(rows)
        for lines in self._lines.iter_text_rows(rows):
            self._sheet.write("".join(f"<row>{line}</row>" for line in lines).encode())

    def end(self) -> None:
        self._sheet.write(END.encode())
        self._sheet.close()
        # The number of rows is known only now.
        lines = _readme(self.frozen, self._n)
        rows = "".join(f"<row>{_text(line)}</row>" for line in lines)
        self._archive.writestr(entry(README_SHEET), f"{README_HEAD}{rows}{END}".encode())
        self._archive.close()


def _text(text: str) -> str:
    plain = CODED.sub("_x005F_", one_line(text)[:LONGEST])
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(plain)}</t></is></c>'


def _around(frozen: SurveyDefinition) -> io.BytesIO:
    """The workbook with two empty sheets before its codebook."""
    import openpyxl  # noqa: PLC0415 (large, and not needed by a site that exports no workbook)

    book, file = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "Read me"
    book.create_sheet("responses")
    book.properties.title = one_line(frozen.title)
    sheet = book.create_sheet("codebook")
    for number, row in enumerate(_described(frozen), 1):
        for place, text in enumerate(row, 1):
            if not text:
                continue
            cell = sheet.cell(number, place, one_line(text)[:LONGEST])
            cell.data_type = "s"  # whatever it begins with
    book.save(file)
    return file


def _readme(frozen: SurveyDefinition, n: int) -> list[str]:
    """Return the lines of the first sheet. n: the number of responses."""
    return [
        frozen.title,
        f"n = {n:,}",
        *note_lines(frozen),
        f"Instrument (SHA-256): {frozen.sha256}",
        "The sheet “responses” has a row for each response, the sheet “codebook” one for each column.",
    ]


def _described(frozen: SurveyDefinition) -> list[list[str]]:
    """Return the rows of the codebook: share received in a column = c * true share + d."""
    rows = [["column", "variable", "label", "values", "scrambled", "c", "d"]]
    for column in all_columns(frozen):
        values = "; ".join(f"{value} = {label}" for value, label in column.labels.items())
        factors = column_line(column) if is_scrambled(column.item) else None
        c, d = map(str, factors) if factors else ("", "")
        scrambled = "yes" if is_scrambled(column.item) else "no"
        rows.append(
            [heading(column), column.name, column.label(), values or "numbers", scrambled, c, d]
        )
    return rows
