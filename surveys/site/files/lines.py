"""Write tables as CSV. A row is a dictionary with the names of its columns."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence

from surveys.site.files.formulas import escape_formulas


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return a table as CSV, with a header.

    Texts that a spreadsheet would run as a formula are escaped. Raises ValueError if a row lacks a
    column, or has one that is not in the table.

    columns: the names of the columns, in the order of the table.
    rows: the value of each column, by its name.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    for row in rows:
        if row.keys() != set(columns):
            row_columns = ", ".join(row)
            raise ValueError(
                f"A row has the columns {row_columns}; allowed are {', '.join(columns)}."
            )
        writer.writerow({name: _csv_cell(value) for name, value in row.items()})
    return text.getvalue()


def _csv_cell(value: object) -> object:
    """Return a value as a CSV cell; texts that a spreadsheet would run are escaped.

    Booleans are "yes" and "no", positive infinity is "infinite", and None is an empty cell. All
    other values, such as numbers, are returned unchanged.
    """
    if isinstance(value, str):
        return escape_formulas(value)
    # A boolean is also an int, so this precedes what holds for numbers.
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == math.inf:
        return "infinite"
    if value is None:
        return ""
    return value
