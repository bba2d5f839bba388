"""Tables that leave as CSV. A row is a dictionary with the names of its columns."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence

from surveys.site.files.formulas import defused


def write_csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Return a table as CSV, with a header. No text in a cell is one that a spreadsheet would calculate.

    Raises ValueError if a row has not exactly these columns.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    for row in rows:
        if row.keys() != set(columns):
            raise ValueError(
                f"A row has the columns {', '.join(row)}; allowed are {', '.join(columns)}."
            )
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return text.getvalue()


def _cell(value: object) -> object:
    """A label may begin like a formula; an apostrophe makes spreadsheets show it as text. Numbers stay numbers."""
    if isinstance(value, str):
        return defused(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == math.inf:
        return "infinite"
    return "" if value is None else value
