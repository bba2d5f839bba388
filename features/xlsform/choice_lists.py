"""The lists of choices of a form: their labels, and what is wrong with them by sheet and row."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from features.xlsform.sheets import Row, Sheet
from surveys.definition.freezing import decline_label, fixed_answers
from surveys.definition.kinds import KINDS
from surveys.definition.values import clean_value, is_value
from surveys.models import Survey

OTHER = "Other"  # what XLSForm adds for or_other, in every language


@dataclass
class List:
    """Choices in the order of the sheet."""

    rows: list[Row] = field(default_factory=list)

    def labels(self, other: bool = False) -> list[str]:
        texts = [row.said("label") or row.get("name") for row in self.rows]
        there = {row.get("name").lower() for row in self.rows} | {label.lower() for label in texts}
        return [*texts, OTHER] if other and OTHER.lower() not in there else texts

    def names(self, other: bool = False) -> list[str]:
        """What stands for the choices in data files, in the order of `labels`."""
        names = [clean_value(row.get("name")) for row in self.rows]
        is_added = len(self.labels(other)) > len(self.rows)
        return [*names, OTHER.lower()] if is_added else names

    def name_problem(self) -> tuple[int, str]:
        """The number of the first row whose name can be no value, and why; 0 where all can."""
        first: dict[str, int] = {}
        for row, name in zip(self.rows, self.names(), strict=True):
            if not is_value(name):
                return row.number, f"“{name[:60]}” is not a value"
            number = first.setdefault(name.casefold(), row.number)
            if number != row.number:
                return row.number, f"“{name}” is the name of row {number} too"
        return 0, ""

    def twice(self) -> str:
        """What to say of choices that nobody could tell apart."""
        first: dict[str, int] = {}
        for row, label in zip(self.rows, self.labels(), strict=True):
            number = first.setdefault(_same(label), row.number)
            if number != row.number:
                return f"Sheet choices, rows {number} and {row.number}: both choices are labelled “{label}”."
        return ""


def read(sheet: Sheet) -> tuple[dict[str, List], list[str]]:
    """The lists by name, and notes on what is no part of them."""
    lists: dict[str, List] = {}
    notes = []
    for row in sheet.rows:
        if row.get("list name") and (row.get("name") or row.said("label")):
            lists.setdefault(row.get("list name"), List()).rows.append(row)
        else:
            told = ", ".join(row.cells.values())[:60]
            notes.append(
                f"Sheet choices, row {row.number}: “{told}” has no list_name or no name, so it is left out."
            )
    return lists, [*notes, *_unused(sheet)]


def _unused(sheet: Sheet) -> Iterable[str]:
    """Columns that mean nothing here, each with the rows in which it says something."""
    taken = {"list name", "name"}
    for heading, known in sheet.columns.items():
        rows = [row.number for row in sheet.rows if heading in row.cells]
        if rows and known not in taken and known.partition("::")[0] != "label":
            yield f"Sheet choices, {_rows(rows)}: “{heading.lower()}” is left out."


def _rows(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    together = numbers[-1] - numbers[0] == len(numbers) - 1
    return (
        f"rows {numbers[0]} to {numbers[-1]}"
        if together
        else f"{len(numbers)} rows from {numbers[0]} on"
    )


def declines(label: str) -> bool:
    """Whether a choice is “Prefer not to say” as it is called here, in one of the languages."""
    return _same(label) in {_same(decline_label(language)) for language in Survey.Language.values}


def of_a_kind(labels: list[str]) -> str:
    """The sensitive kind that makes just these answers, such as Yes and No, in a language of ours: then nothing is lost
    with them. Empty where there is none.
    """
    for kind in (each.key for each in KINDS.values() if each.fixed and each.sensitive):
        words = [
            sorted(map(_plain, fixed_answers(kind, language)))
            for language in Survey.Language.values
        ]
        if sorted(map(_plain, labels)) in words:
            return kind
    return ""


def values_of_kind(kind: str, labels: list[str], names: list[str]) -> list[str]:
    """Return the values of the answers that a kind makes, in its order; nothing for the default ones.

    The names “yes” and “no” stand for the default values.

    kind: as `of_a_kind` returns it for these labels. names: of the choices with these labels.
    """
    name_by_label = dict(zip(map(_plain, labels), names, strict=True))
    usual = [name for name, _ in KINDS[kind].fixed]
    for language in Survey.Language.values:
        answers = [_plain(answer) for answer in fixed_answers(kind, language)]
        if name_by_label.keys() == {*answers}:
            values = [name_by_label[answer] for answer in answers]
            is_usual = [value.casefold() for value in values] == usual
            return [] if is_usual else values
    return []


def _same(label: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(label.split())).casefold()


def _plain(word: str) -> str:
    """Without accents: many write Si for Sí."""
    return "".join(
        each
        for each in unicodedata.normalize("NFKD", _same(word))
        if not unicodedata.combining(each)
    )
