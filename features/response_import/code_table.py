"""The table that asks what the codes in a column mean: a row for each code, with a list of the answers beside it."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from features.response_import.coding import (
    FROM_1,
    OPEN,
    Codes,
    OpenCodes,
    is_code,
    open_codes,
    proposed_meanings,
    sorted_codes,
    texts_of,
)
from features.response_import.mapping import Column
from surveys.definition.instrument import QuestionDefinition
from surveys.site.errors import Invalid

NO_ANSWER = "missing"  # what a list says of a code that means no answer
MOST_OPTIONS = 5000  # in all lists of a table; more are too many for a page
LISTED = 8  # codes in a sentence
CHOOSE_EACH = "Choose what each code means."
TOO_MANY = (
    "There are too many codes to list here. Choose whether they start at 0 or 1, or send the file by program with "
    "their meanings under “texts”."
)
ColumnCodes = Callable[
    [str], Codes
]  # the name of a column -> all whole numbers in it, with their numbers of rows


@dataclass(frozen=True)
class CodeRow:
    """One code of the table. meaning: the answer that its list shows, NO_ANSWER, or "" where nothing is chosen."""

    code: str
    rows: int
    meaning: str
    counted_from_0: str
    counted_from_1: str
    is_wrong: bool = False


@dataclass(frozen=True)
class CodeTable:
    """All codes of a column. answers: the number of each answer and its label, in the order of the lists."""

    column: str
    rows: list[CodeRow] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)
    error: str = ""

    @property
    def is_shown(self) -> bool:
        return 0 < len(self.rows) * len(self.answers) <= MOST_OPTIONS


@dataclass(frozen=True)
class TypedCodes:
    """The codes of one question as the form had them. column: the one that they came from."""

    column: str
    rows: Codes
    meanings: dict[str, str]  # code -> the answer, or NO_ANSWER; only those that were chosen

    @property
    def texts(self) -> dict[str, int]:
        """What codes stand for, as a mapping has it."""
        return {
            code: int(meaning) for code, meaning in self.meanings.items() if meaning != NO_ANSWER
        }

    @property
    def missing(self) -> list[str]:
        """Codes that mean no answer, as a mapping has them."""
        return [code for code, meaning in self.meanings.items() if meaning == NO_ANSWER]


def typed_codes(item: QuestionDefinition, typed: QueryDict) -> TypedCodes:
    """Return the table of a question as it was typed.

    Codes of another column than the one that is now chosen say nothing, so they are left out.
    """
    column = typed.get(f"column-{item.key}", "")
    rows = _earlier_tables(typed).get((item.key, column), {})
    allowed = {NO_ANSWER, *map(str, range(item.size))}
    meanings = {}
    for code in rows:
        meaning = typed.get(f"meaning-{item.key}-{code}", "")
        if meaning in allowed:
            meanings[code] = meaning
    return TypedCodes(column=column, rows=rows, meanings=meanings)


def _earlier_tables(typed: QueryDict) -> dict[tuple[str, str], Codes]:
    """Return the codes that the form lists with their numbers of rows, by question key and name of the column."""
    try:
        tables = json.loads(typed.get("codes", ""))
    except (ValueError, RecursionError):
        return {}
    if not isinstance(tables, list):
        return {}
    codes_by_question: dict[tuple[str, str], Codes] = {}
    for table in tables:
        if _is_table(table):
            codes_by_question[table["key"], table["column"]] = table["rows"]
    return codes_by_question


def _is_table(table: Any) -> bool:
    if not isinstance(table, dict) or not isinstance(table.get("rows"), dict):
        return False
    are_texts = isinstance(table.get("key"), str) and isinstance(table.get("column"), str)
    return are_texts and all(
        is_code(code) and type(rows) is int for code, rows in table["rows"].items()
    )


def codes_by_column(items: Iterable[QuestionDefinition], typed: QueryDict) -> dict[str, Codes]:
    """Return the codes of all tables of the form: name of the column -> code -> rows."""
    tables = [typed_codes(item, typed) for item in items]
    return {table.column: table.rows for table in tables if table.rows}


def code_table(
    item: QuestionDefinition,
    resolved: Column | Invalid,
    typed: TypedCodes,
    *,
    column: str,
    column_codes: ColumnCodes,
) -> CodeTable | None:
    """Return the table for a column, or None if none of its codes needs a meaning or has one.

    resolved: what the column holds, or the error that asks for the meaning of its codes.
    """
    if isinstance(resolved, OpenCodes):
        unclear, meanings = resolved.codes[item.key], dict(typed.meanings)
    elif isinstance(resolved, Column) and resolved.way == OPEN:
        if not resolved.meanings and not typed.missing:
            return None
        unclear, texts = resolved.codes, resolved.texts or {}
        unknown = open_codes(item, unclear, resolved.meanings)
        known = {
            code: str(texts[code]) for code in unclear if code in texts and code not in unknown
        }
        meanings = known | typed.meanings
    else:
        return None
    everywhere = unclear | column_codes(column)
    listed = sorted_codes(
        {code: everywhere[code] for code in [*unclear, *typed.meanings] if code in everywhere}
    )
    answers = [(str(code), label) for code, label in enumerate(item.report_labels)]
    from_0, from_1 = texts_of(item, "codes"), texts_of(item, FROM_1)
    proposed = proposed_meanings(item)
    is_asked = isinstance(resolved, OpenCodes)
    rows = [
        CodeRow(
            code=code,
            rows=everywhere[code],
            meaning=meanings.get(code, "" if code in typed.rows else proposed.get(code, "")),
            counted_from_0=str(from_0.get(code, "")),
            counted_from_1=str(from_1.get(code, "")),
            is_wrong=is_asked and code in typed.rows and code not in meanings,
        )
        for code in listed
    ]
    table = CodeTable(column=column, rows=rows, answers=item.traits.in_order(answers))
    if not is_asked:
        return table
    return replace(table, error=_error(rows) if table.is_shown else TOO_MANY)


def _error(rows: list[CodeRow]) -> str:
    """Return what is said of the codes that have no meaning yet."""
    wrong = [f"“{row.code}”" for row in rows if row.is_wrong]
    if not wrong:
        return CHOOSE_EACH
    if len(wrong) == 1:
        return f"Choose what {wrong[0]} means."
    more = ", …" if len(wrong) > LISTED else ""
    return f"Choose what these codes mean: {', '.join(wrong[:LISTED])}{more}."
