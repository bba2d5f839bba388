"""What is wrong with a file, in words that name the row, the column, what is allowed there and the way out."""

import re
from dataclasses import dataclass

import numpy as np

from surveys.importing.mapping import MISSING, OLDER, UNKNOWN, Column, Plan
from surveys.importing.meanings import NOTHING, folded, plain
from surveys.importing.text import Cells, clean
from surveys.models import Question
from surveys.publishing.instruments import Item, Paper

NEEDED = "Every question needs a report in every row. If the person gave none, say that empty cells mean “no report”."
NAME_IT = "If it stands for no report, name it as missing."
HALF = "Some choices in this row have a mark and others are missing. A report has all of them, or none."
NEGATIVE = re.compile("-[0-9]+")


@dataclass(frozen=True, order=True)
class Problem:
    """row: as a spreadsheet counts, the header being 1; column: its name, or "" for the whole row."""

    row: int
    place: int
    column: str
    message: str


def uneven(plan: Plan, row: int, width: int) -> Problem:
    cells = f"{width} cell{'' if width == 1 else 's'}"
    return Problem(row, -1, "", f"The row has {cells}; the first row of the file has {plan.width}.")


def possible_marks(item: Item) -> tuple[int, int]:
    """The smallest and the largest number of marks in a report of this question."""
    spec = item.mechanism.spec()
    if spec["kind"] == "subset":
        return spec["width"], spec["width"]
    if spec.get("select") == "any":
        return 0, item.size
    (_, other), (_, own) = spec["rows"]  # chances, in den, that a mark is set where the choice is not true, and where
    least = (item.size - 1 if other == spec["den"] else 0) + (own == spec["den"])
    most = (item.size - 1 if other else 0) + (own > 0)
    return least, most


def problem(frozen: Paper, cells: Cells, column: Column, row: int) -> Problem:
    """What is wrong with the cell, or cells, of a question in one row of the part."""
    found = [clean(text) for text in cells.texts(cells.first[row] + np.array(column.places))]
    number, item = cells.row + row, column.item
    if column.texts is None:
        return Problem(number, column.places[0], column.names[0], _wrong_string(frozen, item, found[0]))
    codes = [column.code(text) for text in found]
    for text, code, name, place in zip(found, codes, column.names, column.places, strict=True):
        if code == UNKNOWN:
            return Problem(number, place, name, _wrong_text(frozen, column, text))
    if MISSING in codes:
        place = codes.index(MISSING)
        return Problem(number, column.places[place], column.names[place], HALF)
    return Problem(number, column.places[0], column.names[0], _wrong_number(item, sum(codes)))


def _wrong_text(frozen: Paper, column: Column, text: str) -> str:
    if not text:
        return f"The cell is empty. {_way_out(frozen)}"
    return f"“{clipped(text)}” is not {allowed(column)}.{_hint(frozen, text)}"


def _way_out(frozen: Paper) -> str:
    return NEEDED if frozen.nonresponse else OLDER


def _hint(frozen: Paper, text: str) -> str:
    """What to do about a text that looks like none."""
    if folded(text) in map(folded, NOTHING) or NEGATIVE.fullmatch(plain(folded(text))):
        return f" {NAME_IT if frozen.nonresponse else OLDER}"
    return ""


def allowed(column: Column) -> str:
    """In words, what may stand in a cell."""
    item, texts = column.item, column.texts or {}
    if item.kind == Question.Kind.NUMBER and column.way == "labels":
        return f"a whole number from {item.choices[0]} to {item.choices[-1]}"
    if column.way == "codes" and len(column.places) == 1:
        return f"a code from 0 to {item.size - 1}"
    by_nature = [*item.choices, *map(str, range(item.size))] if column.way == "both" else list(item.choices)
    known = by_nature if column.way in ("both", "labels") else [text or "an empty cell" for text in texts]
    return f"one of {', '.join(map(clipped, known[:8]))}" + (" …" if len(known) > 8 else "")


def _wrong_string(frozen: Paper, item: Item, text: str) -> str:
    if not text:
        return f"The cell is empty. {_way_out(frozen)}"
    if text.strip("01"):
        return f"“{clipped(text)}” is not a string of {item.size} marks 0 or 1.{_hint(frozen, text)}"
    if len(text) == item.size:
        return _wrong_number(item, text.count("1"))
    lost = " Spreadsheets drop zeros at the start unless the column is text." if len(text) < item.size else ""
    return f"“{clipped(text)}” has {len(text)} marks; there must be {item.size}.{lost}"


def _wrong_number(item: Item, marks: int) -> str:
    least, most = possible_marks(item)
    exactly = f"exactly {least}" if least == most else f"{least} to {most}"
    return f"{marks} choices are marked. The design of this question reports {exactly}."


def shown(texts: list[str], most: int = 12) -> str:
    """A list of texts of the file, cut where it is long."""
    listed = ", ".join(f"“{clipped(text)}”" for text in texts[:most])
    return listed + (f" and {len(texts) - most:,} more" if len(texts) > most else "")


def clipped(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def letters(place: int) -> str:
    """A column's name in a spreadsheet: A, B, ..., Z, AA."""
    name, place = "", place + 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
