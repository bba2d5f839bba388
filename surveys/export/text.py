"""Rows as text: CSV and JSON."""

import json
import re

import numpy as np

from surveys.definition.instrument import QuestionDefinition
from surveys.export.columns import Column, Holds
from surveys.export.format import Rows
from surveys.export.lines import Cells, Lines
from surveys.site.files.formulas import escape_formulas

BOM = "\ufeff"  # some spreadsheets take a file for UTF-8 only if it starts with this
QUOTED_NOTHING = (
    '""'  # in a file of one column an empty cell would be an empty line, which programs skip
)
QUOTED = re.compile(r'[",\r\n]')
MARKS = "m"  # before a string of marks, so that nothing takes it for a number


class Numbers(Cells):
    """Values, numbers and marks; most values are numbers."""

    between = ","

    def cell(self, column: Column, value: int | str | None) -> str:
        # Neither a spreadsheet nor CSV asks anything of a value: see `is_value`. Escaped, it would
        # match no value of the codebook and of the scripts.
        return "" if value is None else str(value)

    def names(self, own: tuple[Column, ...]) -> list[str]:
        return [column.name for column in own]


class Labels(Numbers):
    """Labels instead of codes; declining stands where the number would. Numbers are numbers, below zero too."""

    def written_columns(
        self, item: QuestionDefinition, own: tuple[Column, ...]
    ) -> tuple[Column, ...]:
        return own if item.is_string or item.has_permanent_step else own[:1]

    def report(self, own: tuple[Column, ...], code: int) -> str:
        value = own[0].value(code)
        if own[0].holds in (Holds.NUMBER, Holds.REPORT) and value is not None:
            return self.cell(own[0], value)
        return self.text(own[0].item.report_labels[code])

    def text(self, text: str) -> str:
        """A cell that holds a text."""
        return csv_cell(text)

    def names(self, own: tuple[Column, ...]) -> list[str]:
        return [csv_cell(heading(column)) for column in own]


def heading(column: Column) -> str:
    """Over a column in a spreadsheet: the variable, and of a mark its choice."""
    is_one_of_several = column.holds in (Holds.MARK, Holds.COHORT, Holds.BIT)
    return f"{column.item.key}: {column.choice}" if is_one_of_several else column.item.key


def csv_cell(text: str) -> str:
    """One cell, quoted where CSV asks for it and harmless in a spreadsheet."""
    text = escape_formulas(text)
    return '"' + text.replace('"', '""') + '"' if QUOTED.search(text) else text


class Csv(Rows):
    """A header of variable names; a cell is empty where there is no report, or where a mark was not picked."""

    name = "responses.csv"
    title = "CSV: values, numbers, and a column of 0 and 1 for each mark"
    media_type = "text/csv; charset=utf-8"
    is_packed = True
    cells: type[Numbers] = Numbers
    start = ""

    def begin(self) -> None:
        cells = self.cells()
        self.lines = Lines(self.frozen, cells, QUOTED_NOTHING)
        names = [name for _, own in self.lines.columns for name in cells.names(own)]
        self.out.write(f"{self.start}{','.join(names)}\r\n".encode())

    def write(self, rows: np.ndarray) -> None:
        for lines in self.lines.iter_text_rows(rows):
            self.out.write("".join(f"{line}\r\n" for line in lines).encode())


class ExcelCsv(Csv):
    name = "responses-excel.csv"
    title = "for spreadsheets, of any length: labels instead of codes"
    is_packed = False
    cells = Labels
    start = BOM


Csv.forms = {"labels": ExcelCsv}


class Members(Cells):
    between = ", "

    def cell(self, column: Column, value: int | str | None) -> str:
        return f'"{column.name}": {json.dumps(value, ensure_ascii=False)}'


class JsonArray(Rows):
    """An object for each response, column -> value, with null where the cells of the CSV are empty.

    It is no file, but what programs are answered.
    """

    media_type = "application/json"

    def begin(self) -> None:
        self.lines = Lines(self.frozen, Members())
        self.before = "["

    def write(self, rows: np.ndarray) -> None:
        for lines in self.lines.iter_text_rows(rows):
            objects = ",\n".join(f"{{{line}}}" for line in lines)
            self.out.write(f"{self.before}\n{objects}".encode())
            self.before = ","

    def end(self) -> None:
        self.out.write(f"{'[' if self.before == '[' else ''}\n]\n".encode())
