"""Cells -> records, column by column, and every cell that is no possible report named by its row and column."""

import re
from dataclasses import dataclass, field

import numpy as np

from surveys.ballots.records import encode, mask, record_dtype
from surveys.importing.mapping import MISSING, OLDER, UNKNOWN, Column, Plan, clipped
from surveys.importing.meanings import NOTHING, folded, plain
from surveys.importing.text import QUOTE, Cells, clean
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


@dataclass(frozen=True)
class End:
    """Rows at the end of a part of which the rows behind them say what they are.

    blank: the number of the first one that is empty. hollow: how many have nothing but empty cells that stand for no
    report. At the end of a file both are nothing: spreadsheets leave such rows.
    """

    blank: int | None = None
    hollow: int = 0


@dataclass(frozen=True)
class Part:
    """records: those of the rows that can be taken. missing: question key -> how many of them have no report."""

    n: int
    records: bytes
    problems: list[Problem]
    found: int  # problems in all, of which `problems` are the first
    end: End
    missing: dict[str, int] = field(default_factory=dict)


def read(frozen: Paper, plan: Plan, cells: Cells, before: End | None = None, most: int = 50) -> Part:
    """Every row of a part. before: the end of the part before this one; most: problems to list."""
    width, before = cells.width(), before or End()
    empty, hollow = _nothing_in(plan, cells, width)
    filled = np.flatnonzero(~(empty | hollow))
    last = int(filled[-1]) if len(filled) else -1
    problems, blank = _blanks(cells, empty, last, before.blank)
    uneven = filled[width[filled] != plan.width]
    problems += [_uneven(plan, cells.row + int(row), int(width[row])) for row in uneven[:most]]
    rows = np.flatnonzero(~empty[: last + 1] & (width[: last + 1] == plan.width))
    found = len(problems) - len(uneven[:most]) + len(uneven)
    taken, missing = np.zeros(len(rows), record_dtype(frozen)), {}
    for column in plan.columns:
        values, wrong, absent = _column(cells, column, cells.first[rows])
        taken[column.item.key] = values
        if absent.any():
            missing[column.item.key] = absent
        found += len(wrong)
        problems += [_problem(frozen, cells, column, int(rows[index])) for index in wrong[:most]]
    mask(frozen, taken, missing)
    late = before.hollow if last >= 0 else 0  # rows of the part before that turn out to be responses
    records = taken.tobytes() + late * _no_report(frozen)
    end = End(blank, int(hollow[last + 1 :].sum()) + before.hollow - late)
    absent = {key: (int(missing[key].sum()) if key in missing else 0) + late for key in frozen.optional}
    return Part(len(rows) + late, records, sorted(problems)[:most], found, end, _counted(absent))


def _counted(numbers: dict[str, int]) -> dict[str, int]:
    return {key: n for key, n in numbers.items() if n}


def _no_report(frozen: Paper) -> bytes:
    return encode(frozen, dict.fromkeys(frozen.optional)) if frozen.optional else b""


def _nothing_in(plan: Plan, cells: Cells, width: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which rows are empty, and which hold empty cells that stand for no report; both of shape (rows,)."""
    blank, none = cells.blank(), np.zeros(len(width), bool)
    if plan.takes_nothing:  # then a row of empty cells says that nothing is marked
        return blank & (width != plan.width), none
    if plan.width == 1:  # in a single column "" is a cell, and a row with nothing in it is none
        return blank & ~_is_quoted(cells), none
    hollow = blank & (width == plan.width) if plan.takes_absence else none
    return blank & ~hollow, hollow


def _is_quoted(cells: Cells) -> np.ndarray:
    """Whether the first cell of each row stands in quotation marks; shape (rows,)."""
    starts = cells.starts[cells.first[:-1]]
    return (starts > 0) & (cells.octets[starts - 1] == QUOTE)


def seen(cells: Cells, place: int) -> set[str]:
    """The different texts in one column, folded."""
    rows = np.flatnonzero(cells.width() > place)
    filled = rows[~cells.blank()[rows]]
    return {folded(clean(text)) for text in set(cells.texts(cells.first[filled] + place))}


def _blanks(cells: Cells, empty: np.ndarray, last: int, blank: int | None) -> tuple[list[Problem], int | None]:
    """Empty rows at the end of a file are nothing; one with rows behind it is a mistake. last: the last one filled."""
    behind = np.flatnonzero(empty[last + 1 :])
    first = cells.row + last + 1 + int(behind[0]) if len(behind) else None
    if last < 0:
        return [], blank if blank is not None else first
    inner = np.flatnonzero(empty[:last])
    numbers = ([blank] if blank is not None else []) + [cells.row + int(row) for row in inner[:50]]
    return [Problem(row, -1, "", "The row is empty. Delete it, or fill it in.") for row in numbers], first


def _uneven(plan: Plan, row: int, width: int) -> Problem:
    cells = f"{width} cell{'' if width == 1 else 's'}"
    return Problem(row, -1, "", f"The row has {cells}; the first row of the file has {plan.width}.")


Found = tuple[np.ndarray, np.ndarray, np.ndarray]


def _column(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """What goes into the records, which of the rows are wrong, and whether a row has no report.

    first: the first cell of each row. What is wrong or missing is 0 in the records.
    """
    if column.texts is None:
        bits, wrong, absent = _strings(cells, column, first + column.places[0])
    elif len(column.places) > 1:
        bits, wrong, absent = _spread(cells, column, first)
    else:
        found = _codes(cells, column, first + column.places[0])
        none = found < 0
        if not none.any():
            return found, np.flatnonzero(none), none
        return np.maximum(found, 0), np.flatnonzero(found == UNKNOWN), found == MISSING
    wrong |= ~(absent | _possible(column.item, bits))
    return np.packbits(bits == 1, axis=1), np.flatnonzero(wrong), absent


def _spread(cells: Cells, column: Column, first: np.ndarray) -> Found:
    """Marks in a column for each choice. A report has all of them, or there is none."""
    each = [_codes(cells, column, first + place) for place in column.places]
    found = np.stack(each, axis=1) if len(first) else np.zeros((0, column.item.size), np.int64)
    absent = (found == MISSING).all(axis=1)
    return found, (found < 0).any(axis=1) & ~absent, absent


class _Codes(dict):
    """Bytes of a cell -> what it stands for, worked out once for each different text."""

    def __init__(self, column: Column) -> None:
        super().__init__()
        self.column = column

    def __missing__(self, text: bytes) -> int:
        found = self[text] = self.column.code(clean(text))
        return found


def _codes(cells: Cells, column: Column, places: np.ndarray) -> np.ndarray:
    known = _Codes(column)
    starts, ends = cells.starts[places], cells.ends[places]
    short = ends - starts == 1
    found = np.empty(len(places), np.int64)
    if short.any():  # the usual file: one digit a cell
        letters = cells.octets[starts if short.all() else starts[short]]
        table = np.full(256, UNKNOWN)
        for letter in np.flatnonzero(np.bincount(letters, minlength=256)).tolist():
            table[letter] = known[bytes([letter])]
        if len(letters) == len(places):
            return table[letters]
        found[short] = table[letters]
    longer = np.flatnonzero(~short)
    found[longer] = np.fromiter(map(known.__getitem__, cells.texts(places[longer])), np.int64, len(longer))
    return found


def _strings(cells: Cells, column: Column, places: np.ndarray) -> Found:
    """Strings of marks as bits, shape (n, size), which are none, and where there is no report."""
    size = column.item.size
    starts, ends = cells.starts[places], cells.ends[places]
    bits = np.zeros((len(places), size), np.uint8)
    same = ends - starts == size
    bits[same] = cells.octets[starts[same][:, np.newaxis] + np.arange(size)] - ord("0")
    wrong, absent = ~same | (bits > 1).any(axis=1), np.zeros(len(places), bool)
    doubtful, known = np.flatnonzero(wrong), _Codes(column)
    for index, text in zip(doubtful.tolist(), cells.texts(places[doubtful]), strict=True):
        stripped = text.strip()  # spaces around it do no harm
        if len(stripped) == size and not stripped.strip(b"01"):
            bits[index] = np.frombuffer(stripped, np.uint8) - ord("0")
            wrong[index] = False
        elif known[text] == MISSING:
            bits[index], wrong[index], absent[index] = 0, False, True
    return bits, wrong, absent


def _possible(item: Item, bits: np.ndarray) -> np.ndarray:
    """Whether the design can report so many marks; shape (n,)."""
    least, most = possible_marks(item)
    ones = (bits == 1).sum(axis=1)
    return (least <= ones) & (ones <= most)


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


def _problem(frozen: Paper, cells: Cells, column: Column, row: int) -> Problem:
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
