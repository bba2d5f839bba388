"""The table that responses make: its columns, which are the same in every file.

A question fills one column with the value of an answer, or with the number itself; or a column of 0 and 1 for each mark
of its report; or, with RAPPOR, one with the cohort and one of 0 and 1 for each bit.
Who declined to give a number has none; that stands in a column of 0 and 1 beside it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses.records import has_report
from surveys.site.byte_cache import cache_on_instance

Filled = tuple[np.ndarray, np.ndarray]  # whole numbers, and where there is none


class Holds(Enum):
    """What stands in the cells of a column."""

    CODE = "code"  # of an answer: the cell has the value that stands for it
    NUMBER = "number"  # of the answer
    REPORT = "report"  # a whole number that is no answer
    MARK = "mark"  # 0 or 1
    DECLINED = "declined"  # 0 or 1
    COHORT = "cohort"  # a whole number
    BIT = "bit"  # 0 or 1


UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")  # XML 1.0, section 2.2, and DEL
MARKED = {0: "Not marked", 1: "Marked"}
VALUE_IN_NAME = re.compile("[a-z0-9_]{1,12}")  # of the column of a mark


@dataclass(frozen=True)
class Column:
    """A column of a file.

    place: which of the marks; 0 where there is one column.
    keeps_codes: True if cells have codes in place of values.
    """

    name: str
    item: QuestionDefinition
    holds: Holds
    place: int = 0
    keeps_codes: bool = False

    @property
    def choice(self) -> str:
        """The choice, or the part of a report, that one of several columns is about; nothing of other columns."""
        if self.holds in (Holds.COHORT, Holds.BIT):
            return f"bit {self.place}" if self.place else "cohort"
        if self.holds is Holds.DECLINED:
            return self.item.choices[-1]
        return self.item.choices[self.place] if self.holds is Holds.MARK else ""

    @cached_property
    def answer_values(self) -> tuple[int, ...] | tuple[str, ...]:
        """The value of each answer, in the order of codes; all are texts if one of them is a text.

        A code that means a group of answers stands for itself.
        """
        is_group = self.item.mechanism is not None and self.item.mechanism.in_groups
        if self.keeps_codes or is_group or not self.item.values.texts:
            return tuple(range(self.item.size))
        return self.item.values.numbers or self.item.values.texts

    @property
    def is_text(self) -> bool:
        """True if texts stand for the answers."""
        return self.holds is Holds.CODE and isinstance(self.answer_values[0], str)

    @property
    def labels(self) -> dict[int, str] | dict[str, str]:
        """What the values stand for; empty where they are numbers."""
        if self.holds is Holds.CODE:
            return dict(zip(self.answer_values, map(str, self.item.choices), strict=True))
        if self.holds is Holds.DECLINED:
            return {0: "Not declined", 1: str(self.choice)}
        return MARKED if self.holds is Holds.MARK else {}

    @property
    def number_labels(self) -> dict[int, str]:
        """The same for programs that label numbers only: 1, 2, 3, … are in place of texts."""
        labels = self.labels
        if self.is_text:
            return dict(enumerate(labels.values(), 1))
        return labels

    @property
    def level(self) -> str:
        """How it is measured: nominal, ordinal, or scale. “Prefer not to say” is no point above the others, and the
        number that is sent for a text is no amount."""
        if self.holds is Holds.NUMBER or (self.holds is Holds.REPORT and not self.item.is_written):
            return "scale"
        is_scale = (
            self.holds is Holds.CODE and self.item.is_ordered and self.item.decline_code is None
        )
        return "ordinal" if is_scale else "nominal"

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the largest value, as a number."""
        if self.is_text:
            return 1, self.item.size
        if self.holds is Holds.CODE:
            return min(self.answer_values), max(self.answer_values)
        if self.holds is Holds.NUMBER:
            return self.item.answer_values[0], self.item.answer_values[-1]
        if self.holds is Holds.COHORT:
            return 0, self.item.mechanism.cohorts - 1
        return 0, 1 if self.holds in (
            Holds.MARK,
            Holds.DECLINED,
            Holds.BIT,
        ) else self.item.report_format.size - 1

    def label(self, most: int = 0, size: Callable[[str], int] = len) -> str:
        """The question, and of a mark its choice too. most: at most so long; then it is the question that is cut."""
        return fitting(self.item.full_text, f": {self.choice}" if self.choice else "", most, size)

    def value(self, code: int) -> int | str | None:
        """Return the value of a report that is a whole number, or None for an empty cell."""
        return self.answer_values[code] if self.is_text else self.number(code)

    def number(self, code: int) -> int | None:
        """Return the value of a report as a number, with 1, 2, 3, … in place of texts."""
        if self.is_text:
            return code + 1
        if self.holds is Holds.CODE:
            return self.answer_values[code]
        if self.holds is Holds.DECLINED:
            return int(code == self.item.decline_code)
        if self.holds is Holds.NUMBER:
            return None if code == self.item.decline_code else self.item.answer_values[code]
        return code


def fitting(text: str, end: str, most: int, size: Callable[[str], int] = len) -> str:
    """On one line: text and its end, in at most so much room; what has none in the text gives way to an ellipsis."""
    text, end = one_line(text), one_line(end)
    if not most or size(text + end) <= most:
        return text + end
    while size(end) > most // 2:
        end = end[:-2] + "…"
    while text and size(f"{text}…{end}") > most:
        text = text[:-1]
    return f"{text.rstrip()}…{end}"


def one_line(text: str) -> str:
    """Without line breaks and control characters, which would end a command or a cell, and what XML cannot hold."""
    return UNWRITABLE.sub("", " ".join(text.split()))


@cache_on_instance
def columns(frozen: SurveyDefinition) -> dict[str, tuple[Column, ...]]:
    """Question key -> its columns."""
    taken, found = {item.key for item in frozen.items}, {}
    for item in frozen.items:
        found[item.key] = _columns(item, taken)
        taken |= {column.name for column in found[item.key]}
    return found


def all_columns(frozen: SurveyDefinition) -> list[Column]:
    """Return all columns of the table of responses."""
    return [column for each in columns(frozen).values() for column in each]


def _columns(item: QuestionDefinition, taken: set[str]) -> tuple[Column, ...]:
    if item.is_string:
        names = _free(item.key, _mark_names(item), taken)
        return tuple(Column(name, item, Holds.MARK, place) for place, name in enumerate(names))
    if item.has_permanent_step:
        names = _free(
            item.key,
            ["cohort", *(str(number) for number in range(1, item.mechanism.bits + 1))],
            taken,
        )
        cohort, *bits = (Column(name, item, Holds.BIT, place) for place, name in enumerate(names))
        return replace(cohort, holds=Holds.COHORT), *bits
    if item.has_own_numbers:
        return (Column(item.key, item, Holds.REPORT),)
    if not item.traits.is_number:
        return (Column(item.key, item, Holds.CODE),)
    number = Column(item.key, item, Holds.NUMBER)
    if item.decline_code is None:
        return (number,)
    (name,) = _free(item.key, ["declined"], taken)
    return number, Column(name, item, Holds.DECLINED)


def _mark_names(item: QuestionDefinition) -> list[str]:
    """Return the ends of the names of columns: values if they are short and plain, else 1, 2, …"""
    values = item.values
    are_plain = all(VALUE_IN_NAME.fullmatch(value) for value in values.texts)
    if values.texts and are_plain and not values.are_codes:
        return list(values.texts)
    return [str(number) for number in range(1, item.size + 1)]


def _free(key: str, ends: list[str], taken: set[str]) -> list[str]:
    """key_1, key_2, ...; with more lines between where another question has such a name."""
    between = "_"
    while taken & (names := {f"{key}{between}{end}" for end in ends}):
        between += "_"
    return [f"{key}{between}{end}" for end in ends] if names else []


def column_values(
    frozen: SurveyDefinition,
    rows: np.ndarray,
    item: QuestionDefinition,
    own: tuple[Column, ...] = (),
) -> list[Filled]:
    """Return the numbers in each column of a question, and which cells are empty.

    Both arrays of a column have shape (n,).

    own: the columns of the question, if they are not the usual ones.
    """
    absent, own = ~has_report(frozen, rows, item.key), own or columns(frozen)[item.key]
    if item.is_string:
        marks = item.report_format.spread(rows[item.key])
        return [(np.maximum(mark, 0), absent | (mark < 0)) for mark in marks.astype(np.int8).T]
    if item.has_permanent_step:
        return [(values, absent) for values in item.report_format.spread(rows[item.key]).T]
    if own[0].holds is Holds.REPORT:  # a number of its own, of which there may be billions
        return [(rows[item.key], absent)]
    return [
        (values[rows[item.key]], absent | nothing[rows[item.key]])
        for values, nothing in map(_tables, own)
    ]


def _tables(column: Column) -> Filled:
    """For each code what stands for it, and whether nothing does."""
    values = [column.number(code) for code in range(column.item.report_format.size)]
    return np.array([value or 0 for value in values]), np.array([value is None for value in values])


def dtype(column: Column) -> np.dtype:
    """The smallest one that holds every value."""
    least, largest = column.ends
    return np.promote_types(np.min_scalar_type(least), np.min_scalar_type(largest))


def may_lack(frozen: SurveyDefinition, column: Column) -> bool:
    """Whether cells of it may be empty."""
    if column.holds is Holds.MARK and column.item.report_format.spreads:
        return True
    return column.item.key in frozen.keys_with_missing or (
        column.holds is Holds.NUMBER and column.item.decline_code is not None
    )
