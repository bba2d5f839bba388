"""CSV tables that are filled with distinct values, to see whether each value is under the name of its column."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FilledTable:
    """A table as CSV, and the value that each of its rows must have in each column. None is an empty cell."""

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
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
