"""Rows as text: CSV, JSON and JSON Lines.

Reports of one question take few different values, so each is written once and then only looked up.
"""

import json
import re
from collections.abc import Iterable, Iterator

import numpy as np

from mechanisms.designs.wire import NOT_PICKED
from surveys.ballots.records import without_missing
from surveys.export.rows import decoded
from surveys.formulas import FORMULA
from surveys.models import Instrument
from surveys.publishing.instruments import Item, Paper, paper

BOM = "\ufeff"  # some spreadsheets take a file for UTF-8 only if it starts with this
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
QUOTED_NOTHING = '""'  # in a file of one column an empty cell would be an empty line, which programs skip
QUOTED = re.compile(r'[",\r\n]')


def as_csv(instrument: Instrument, *, labels: bool = False, bom: bool = False) -> Iterator[str]:
    """CSV with a header of variable names: a code for each question, or a string of bits where marks were sent.

    Where a report holds some marks of many, each has a column of its own. A cell is empty where there is no report.

    labels: for spreadsheets, which would take a string of bits for a number. Instead of a code stands the label of what
    was reported, and each mark has a column of its own. What a spreadsheet would run as a formula is defused.
    """
    frozen = paper(instrument)
    items = frozen.items
    names = [name for item in items for name in (_spread_names(item) if labels else item.wire.names(item.key))]
    yield (BOM if bom else "") + ",".join(names) + "\r\n"
    lines, cells = (_labelled_lines, _labels(items)) if labels else (csv_lines, codes(items))
    for rows in decoded(instrument):
        yield lines(frozen, cells, rows)


def csv_lines(frozen: Paper, cells: Iterable[np.ndarray], rows: np.ndarray) -> str:
    pairs = zip(frozen.items, cells, strict=True)
    return _lines(_column(frozen, item, table, rows, spread=item.wire.spreads) for item, table in pairs)


def _labelled_lines(frozen: Paper, cells: Iterable[np.ndarray], rows: np.ndarray) -> str:
    pairs = zip(frozen.items, cells, strict=True)
    return _lines(_column(frozen, item, table, rows, spread=item.is_string) for item, table in pairs)


def _lines(columns: Iterable[list[str]]) -> str:
    return "\r\n".join(map(",".join, zip(*columns, strict=True))) + "\r\n"


def codes(items: Iterable[Item]) -> list[np.ndarray]:
    """For each question its codes as text."""
    return [_table(map(str, range(item.wire.size))) for item in items]


def _labels(items: Iterable[Item]) -> list[np.ndarray]:
    return [_table(map(csv_cell, item.reported)) for item in items]


def _spread_names(item: Item) -> list[str]:
    """Header cells for one question: of one variable, or of one for each mark."""
    return [csv_cell(f"{item.key}: {label}") for label in item.choices] if item.is_string else [item.key]


def csv_cell(text: str) -> str:
    """One cell, quoted where CSV asks for it and harmless in a spreadsheet."""
    if text.startswith(FORMULA) and not NUMBER.fullmatch(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if QUOTED.search(text) else text


def as_json_lines(instrument: Instrument) -> Iterator[str]:
    """One JSON object a line, variable name -> report."""
    frozen = paper(instrument)
    for rows in decoded(instrument):
        yield "".join(f"{line}\n" for line in json_lines(frozen, rows))


def as_json(instrument: Instrument) -> Iterator[str]:
    """A JSON array of objects, variable name -> report, one on a line."""
    frozen = paper(instrument)
    yield "["
    before = "\n"
    for rows in decoded(instrument):
        yield before + ",\n".join(json_lines(frozen, rows))
        before = ",\n"
    yield "\n]\n"


def json_lines(frozen: Paper, rows: np.ndarray) -> Iterator[str]:
    """Objects with a report to each question, null where there is none."""
    members = [
        without_missing(frozen, rows, item.key, _members(item, rows), f"{json.dumps(item.key)}: null")
        for item in frozen.items
    ]
    return ("{" + ", ".join(row) + "}" for row in zip(*members, strict=True))


def _members(item: Item, rows: np.ndarray) -> list[str]:
    name = json.dumps(item.key)
    if item.is_string:
        return [f'{name}: "{marks}"' for marks in item.wire.reports(rows[item.key])]
    return _table(f"{name}: {code}" for code in range(item.wire.size))[rows[item.key]].tolist()


def _table(texts: Iterable[str]) -> np.ndarray:
    return np.array(list(texts), dtype=object)


def _column(frozen: Paper, item: Item, table: np.ndarray, rows: np.ndarray, *, spread: bool) -> list[str]:
    """The cells of a question, of each row; spread: one for each mark, empty where it was not picked."""
    if not item.is_string:
        nothing = "" if len(frozen.items) > 1 else QUOTED_NOTHING
        return without_missing(frozen, rows, item.key, table[rows[item.key]].tolist(), nothing)
    texts = item.wire.reports(rows[item.key])
    if spread:
        return without_missing(frozen, rows, item.key, list(map(_each, texts)), "," * (item.size - 1))
    return without_missing(frozen, rows, item.key, texts, "" if len(frozen.items) > 1 else QUOTED_NOTHING)


def _each(marks: str) -> str:
    return ",".join(marks).replace(NOT_PICKED, "")
