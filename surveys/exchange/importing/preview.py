"""The start of a file: how it is written, the names of its columns, and what they mean."""

from dataclasses import replace
from typing import Any

from surveys.importing.guessing import knows, resolve
from surveys.importing.mapping import Plan
from surveys.importing.parsing import parse
from surveys.importing.reading import seen
from surveys.importing.table import opened
from surveys.importing.text import Cells
from surveys.publishing.instruments import Paper


def look(frozen: Paper, mapping: Any, data: bytes, *, last: bool = False) -> tuple[Plan, Cells, bytes]:
    """How to read a file that starts like this, its complete rows below the header, and what is left.

    last: it is the whole file. Raises Broken, and Invalid with the place of each question that is left open.
    """
    wanted = parse(frozen, mapping)
    table = opened(data, wanted.layout, knows(frozen), last=last)
    wanted = replace(wanted, layout=table.layout)
    plan = resolve(frozen, wanted, table.names, lambda place: seen(table.cells, place), {}, last=last)
    return plan, table.cells, table.rest
