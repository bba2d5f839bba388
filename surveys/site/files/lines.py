"""Tables that leave as CSV: a dataclass is the header, its objects are the lines."""

import csv
import io
import math
from collections.abc import Iterable
from typing import Any

from surveys.site.files.formulas import defused
from surveys.site.shape import Result, sent


class Line(Result):
    """A line of a table that leaves as CSV; a subclass says of what, and makes them."""

    @classmethod
    def lines(cls, *of: Any, **how: Any) -> Iterable["Line"]:
        raise NotImplementedError

    @classmethod
    def csv(cls, *of: Any, **how: Any) -> str:
        """The header and the lines. No text in a cell is one that a spreadsheet would calculate."""
        columns, text = sent(cls), io.StringIO()
        writer = csv.writer(text)
        writer.writerow(name for name, _ in columns)
        writer.writerows([_cell(getattr(line, each.name)) for _, each in columns] for line in cls.lines(*of, **how))
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
