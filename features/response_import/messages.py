"""What is wrong with a file, in words that name the row, the column, what is allowed there and the way out."""

import re
from dataclasses import dataclass

import numpy as np

from features.response_import.coding import FROM_1, OPEN, VALUES
from features.response_import.mapping import MISSING, OLDER, UNKNOWN, Column, Plan
from features.response_import.meanings import (
    LONGEST_NUMBER,
    NOTHING,
    clipped,
    codes,
    folded,
    is_coded,
    labels,
    plain,
    stands_for,
    whole,
)
from features.response_import.multiple import TWO_READINGS, Answers
from mechanisms.designs.wire import NOT_PICKED
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.text import MARKS
from surveys.site.expressions import full_match
from surveys.site.files.delimited import Cells, clean

NEEDED = (
    "Every question needs a report in every row. If the person gave none, choose "
    "that empty cells mean “no report”."
)
NAME_IT = "If it means “no report”, list it under missing."
HALF = "Some choices in this row have a mark and others are missing. A report has all of them, or none."
TWICE = "This row has the number “{}”, but {} is 1: the person gave none."
NO_CODE = "Choose what “{}” means. It is not a code of this question."
CODE = "“{}” is a code, but this column is read as answers."
ANSWER = "“{}” is an answer, but this column is read as codes."
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


def wrong_number(frozen: SurveyDefinition, row: int, given: int) -> Problem:
    """given: how many of the questions that are drawn by lot have a report in the row."""
    draw = frozen.draw
    beside = ", and what its background answers do not ask for" if frozen.conditional_draws else ""
    return Problem(
        row,
        -1,
        "",
        f"The row has reports to {given} of these {len(draw.of)} questions. Each person got {draw.count} of them, "
        f"picked at random ({clipped(', '.join(draw.of))}). Leave exactly the others empty{beside}.",
    )


def not_asked(frozen: SurveyDefinition, row: int, key: str) -> Problem:
    """Of a row with a report to a question with a condition that its background answers do not meet."""
    whom = next(item.condition_text for item in frozen.items if item.key == key)
    said = f"Leave {key} empty in this row. It is asked only if {whom}."
    return Problem(row, -1, "", said)


def problem(frozen: SurveyDefinition, cells: Cells, column: Column, row: int) -> Problem:
    """What is wrong with the cell, or cells, of a question in one row of the part."""
    cleaned = [clean(text) for text in cells.texts(cells.first[row] + np.array(column.places))]
    number, item = cells.row + row, column.item
    if column.split or column.texts is None:
        if column.split:
            message = _wrong_list(frozen, column, cleaned[0])
        else:
            message = _wrong_string(frozen, item, cleaned[0].removeprefix(MARKS))
        return Problem(number, column.places[0], column.names[0], message)
    reports = column.each(cleaned)
    for text, code, name, place in zip(cleaned, reports, column.names, column.places, strict=True):
        if code == UNKNOWN:
            return Problem(number, place, name, _wrong_text(frozen, column, text))
    if column.declining:
        return Problem(
            number, column.places[0], column.names[0], TWICE.format(cleaned[0], column.names[1])
        )
    if item.report_format.spreads:
        return Problem(
            number,
            column.places[0],
            column.names[0],
            _wrong_pick(item, sum(code >= 0 for code in reports)),
        )
    if MISSING in reports:
        place = reports.index(MISSING)
        return Problem(number, column.places[place], column.names[place], HALF)
    return Problem(number, column.places[0], column.names[0], _wrong_number(item, sum(reports)))


def _wrong_list(frozen: SurveyDefinition, column: Column, text: str) -> str:
    """Return what is wrong with a cell that is to list answers."""
    if not text:
        return f"The cell is empty. {_way_out(frozen)}"
    readings = Answers(column.item).readings(folded(text), column.split)
    if len(readings) > 1:
        return TWO_READINGS.format(clipped(text))
    listed = ", ".join(clipped(str(choice)) for choice in column.item.choices[:8])
    if len(readings) == 1:
        return _wrong_number(column.item, len(next(iter(readings))))
    return (
        f"“{clipped(text)}” does not list answers of this question: {listed}.{_hint(frozen, text)}"
    )


def _wrong_text(frozen: SurveyDefinition, column: Column, text: str) -> str:
    if not text:
        return f"The cell is empty. {_way_out(frozen)}"
    if not column.declining and is_coded(column.item) and (said := _of_another_kind(column, text)):
        return said
    return f"“{clipped(text)}” is not {allowed(column)}.{_hint(frozen, text)}"


def _of_another_kind(column: Column, text: str) -> str:
    """What to say of a number that is no code here, of a code among answers and of an answer among codes."""
    is_number = whole(folded(text)) is not None
    if column.way == "own":
        return ""
    if column.way == "labels":
        is_code = stands_for(codes(column.item), folded(text)) is not None
        return CODE.format(clipped(text)) if is_code else ""
    if is_number:
        return NO_CODE.format(clipped(text))
    is_answer = stands_for(labels(column.item), folded(text)) is not None
    return ANSWER.format(clipped(text)) if is_answer else ""


def _way_out(frozen: SurveyDefinition) -> str:
    return NEEDED if frozen.nonresponse else OLDER


def _hint(frozen: SurveyDefinition, text: str) -> str:
    """What to do about a text that looks like none."""
    if folded(text) in map(folded, NOTHING) or full_match(
        NEGATIVE, plain(folded(text)), LONGEST_NUMBER
    ):
        return f" {NAME_IT if frozen.nonresponse else OLDER}"
    return ""


def allowed(column: Column) -> str:
    """In words, what may stand in a cell."""
    item, texts = column.item, column.texts or {}
    if item.traits.is_background_number and column.way == "labels":
        declined = f", or “{item.choices[-1]}”" if item.aside else ""
        return f"a whole number from {item.answer_values[0]} to {item.answer_values[-1]}{declined}"
    if item.has_own_numbers:
        return f"a whole number from 0 to {item.report_format.size - 1}"
    if column.way == "own":
        # In the order of the answers: PostgreSQL keeps no order of the names in a stored mapping.
        texts = dict(sorted(texts.items(), key=lambda entry: entry[1]))
    known = [text or "an empty cell" for text in texts]
    if column.way == VALUES:
        known = [
            f"{value} ({label})"
            for value, label in zip(item.values.texts, item.report_labels, strict=False)
        ]
    if column.way in ("codes", FROM_1) and len(column.places) == 1:
        if not is_coded(item):
            return f"a code from {known[0]} to {known[-1]}"
        known = [f"{text} ({item.report_labels[code]})" for text, code in texts.items()]
    has_words = column.way in ("", OPEN, "labels")
    known = list(item.choices) if has_words else known
    listed = f"one of {', '.join(map(clipped, known[:8]))}" + (" …" if len(known) > 8 else "")
    return listed + (", or a code" if column.codes else "")


def _wrong_string(frozen: SurveyDefinition, item: QuestionDefinition, text: str) -> str:
    if not text:
        return f"The cell is empty. {_way_out(frozen)}"
    if item.report_format.spreads:
        return _wrong_picks(frozen, item, text)
    if text.strip("01"):
        return (
            f"“{clipped(text)}” is not a string of {item.size} marks 0 or 1.{_hint(frozen, text)}"
        )
    if len(text) == item.size:
        return _wrong_number(item, text.count("1"))
    lost = (
        " Spreadsheets drop zeros at the start unless the column is text."
        if len(text) < item.size
        else ""
    )
    return f"“{clipped(text)}” has {len(text)} marks; there must be {item.size}.{lost}"


def _wrong_picks(frozen: SurveyDefinition, item: QuestionDefinition, text: str) -> str:
    if text.strip("01" + NOT_PICKED) or len(text) != item.size:
        form = item.report_format.allowed.removeprefix("be ")
        return f"“{clipped(text)}” is not {form}.{_hint(frozen, text)}"
    return _wrong_pick(item, len(text) - text.count(NOT_PICKED))


def _wrong_pick(item: QuestionDefinition, marks: int) -> str:
    """Of a report that holds too many marks, or too few: where what was not picked is taken for unmarked."""
    held = f"{marks} choice{' holds' if marks == 1 else 's hold'} 0 or 1"
    return (
        f"{held}. The design of this question reports exactly {item.report_format.pick}. "
        "All others must be empty, or -."
    )


def _wrong_number(item: QuestionDefinition, marks: int) -> str:
    least, most = item.report_format.least, item.report_format.most
    exactly = f"exactly {least}" if least == most else f"{least} to {most}"
    return f"{marks} choices are marked. The design of this question reports {exactly}."


def shown(texts: list[str], most: int = 12) -> str:
    """A list of texts of the file, cut where it is long."""
    listed = ", ".join(f"“{clipped(text)}”" for text in texts[:most])
    return listed + (f" and {len(texts) - most:,} more" if len(texts) > most else "")


def letters(place: int) -> str:
    """A column's name in a spreadsheet: A, B, ..., Z, AA."""
    name, place = "", place + 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
