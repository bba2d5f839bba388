"""The start of a file: how it is written, the names of its columns, and what they mean."""

from dataclasses import replace
from typing import Any

from features.response_import.guess import knows, resolve
from features.response_import.limits import table_limits
from features.response_import.mapping import Plan
from features.response_import.mapping_parser import parse
from features.response_import.reader import seen
from surveys.definition.instrument import SurveyDefinition
from surveys.site.files.delimited import Cells
from surveys.site.files.table import read_first_part


def look(
    frozen: SurveyDefinition, mapping: Any, data: bytes, *, last: bool = False, is_cut: bool = False
) -> tuple[Plan, Cells, bytes]:
    """Return how to read a file that starts like this, its complete rows below the header, and what is left.

    last: it is known to be the whole file; is_cut: more is known to follow. Raises Broken, and Invalid with the place
    of each question that is left open.
    """
    wanted = parse(frozen, mapping)
    table = read_first_part(
        data,
        wanted.layout,
        knows(frozen, wanted),
        table_limits(data),
        last=last,
        is_cut=is_cut,
        holds_responses=True,
    )
    wanted = replace(wanted, layout=table.layout, labels=table.labels)
    plan = resolve(
        frozen, wanted, table.names, lambda place: seen(table.cells, place), {}, last=last
    )
    return plan, table.cells, table.rest
