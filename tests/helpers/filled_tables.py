"""CSV tables filled with distinct values, to check that each value is in its column."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FilledTable:
    """A table as CSV, and the values that its rows must have.

    text: the CSV file.
    rows: the values of each row, by the name of the column, as _cell() takes them.
    """

    text: str
    rows: list[dict[str, object]]

    def read_rows(self) -> list[dict[str, str]]:
        """Return the rows of the file, by the columns of its header."""
        return list(csv.DictReader(io.StringIO(self.text)))

    def expected_rows(self) -> list[dict[str, str]]:
        """Return the rows that the file must have, as text."""
        rows = []
        for row in self.rows:
            rows.append({name: _cell(value) for name, value in row.items()})
        return rows


# The function that makes a table -> the function that fills it.
FilledTables = dict[Callable[..., str], Callable[[], FilledTable]]


def _cell(value: object) -> str:
    """Return a value as the text of its cell: yes or no for a boolean, and nothing for None."""
    if value is None:
        return ""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    return str(value)
