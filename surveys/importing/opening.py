"""The start of a file: its separator, the names of its columns, and what they mean."""

from typing import Any

import numpy as np

from surveys.importing import mapping as mappings
from surveys.importing.guessing import resolve
from surveys.importing.mapping import Plan
from surveys.importing.reading import seen
from surveys.importing.text import BOM, Broken, Cells, check_start, clean, separator_of, split
from surveys.publishing.instruments import Paper

NO_END = "The first row has no end. It holds the names of the columns, and the responses follow it, a row each."


def look(frozen: Paper, mapping: Any, data: bytes, *, last: bool = False) -> tuple[Plan, Cells, bytes]:
    """How to read a file that starts like this, its complete rows below the header, and what is left.

    Raises Broken, and Invalid with the place of each question that is left open.
    """
    wanted = mappings.parse(frozen, mapping)
    separator, header, cells, rest = opened(data, wanted.separator, last=last)
    return resolve(frozen, wanted, header, lambda place: seen(cells, place), separator), cells, rest


def opened(data: bytes, separator: str = "", *, last: bool = False) -> tuple[str, list[str], Cells, bytes]:
    """Separator, names of the columns, complete rows below them, and what is left. Raises Broken."""
    check_start(data)
    data = data.removeprefix(BOM)
    separator = separator or separator_of(data)
    cells, rest = split(data, separator, 1, last=last)
    if not len(cells):
        raise Broken(NO_END, 1) if data.strip() else Broken("The file is empty.")
    header = [clean(text) for text in cells.texts(np.arange(cells.first[1]))]
    mappings.check_header(header)
    return separator, header, _below(cells), rest


def _below(cells: Cells) -> Cells:
    """The rows without the first."""
    return Cells(cells.data, cells.starts, cells.ends, cells.first[1:], cells.row + 1, cells.octets)
