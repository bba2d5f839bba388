"""What is handed out for a survey on paper: the sheet, and an empty table into which the ticked answers are typed.

A cell holds the words of an answer in the survey's first language: they say what they mean, while codes would raise the
question from where they count. So the import takes the table as it is.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import override

from features.paper_forms.parts import Part, in_order, sheet_problem, sheet_sections
from mechanisms import round_up
from surveys.definition.designs.modes import is_statement
from surveys.definition.designs.wording import statement_answers
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.texts import in_language
from surveys.export.columns import one_line
from surveys.export.text import csv_cell
from surveys.export.zip_entries import entry
from surveys.fieldwork.link import current_definition
from surveys.models import Survey
from surveys.site.errors import Refused
from surveys.site.files.workbook import RESPONSES_SHEET

NUMBER = "sheet"  # the column for the number that the office writes on a sheet; the import passes it over
NOT_FROM_FILES = (
    "Sheets are for surveys that take their answers from files. Make a copy for paper answers."
)
NOT_PREPARED = (
    "This survey is a draft. Prepare it for import first: then the table fits the sheets."
)
LAST_ROW = 1_048_576  # of a sheet of a workbook
LONGEST = 32_767  # characters of a cell
MADE = re.compile(
    rb">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<"
)  # when: so that the same table gives the same bytes


@dataclass(frozen=True)
class Sheet:
    """paper: the survey in the language of the sheet."""

    paper: SurveyDefinition
    parts: tuple[Part, ...]


def sheet(survey: Survey, language: str = "") -> Sheet:
    """What is printed, of a draft as it would be prepared now. Raises Refused where there is no sheet.

    language: one of the survey's; any other means the first.
    """
    frozen = _on_paper(survey)
    code = language if language in frozen.languages else frozen.language
    return Sheet(frozen.in_language(code), sheet_sections(frozen, code))


def no_sheet(survey: Survey) -> str:
    """Why it has none, in a sentence or two; nothing where it has one."""
    try:
        _on_paper(survey)
    except Refused as reason:
        return str(reason)
    return ""


def _on_paper(survey: Survey) -> SurveyDefinition:
    if not survey.import_only:
        raise Refused(NOT_FROM_FILES)
    frozen = current_definition(survey)
    if reason := sheet_problem(frozen):
        raise Refused(reason)
    return frozen


@dataclass(frozen=True)
class EntryTable:
    """A file to type into. data: of a survey that is prepared."""

    form: str
    media_type: str
    data: Callable[[SurveyDefinition], bytes]

    def of(self, survey: Survey) -> bytes:
        """Raises Refused where there is no sheet, or the questions may still change."""
        frozen = _on_paper(survey)
        if survey.is_draft:
            raise Refused(NOT_PREPARED)
        return self.data(frozen)


def header(frozen: SurveyDefinition) -> list[str]:
    """The names of the columns: the number of the sheet, then the questions as they stand on it."""
    keys, number = [item.key for item in in_order(frozen)], NUMBER
    while number in keys:
        number += "_number"
    return [number, *keys]


def boxes(item: QuestionDefinition, language: str) -> list[str]:
    """The words beside the boxes of a question, in their order; of a number only that of who declines to give one."""
    if is_statement(item.mode, item.mechanism):
        with override(language):
            return [word for _, word in statement_answers()]
    choices = (
        item.choices[len(item.answer_values) :]
        if item.traits.is_number
        else item.traits.in_order(item.choices)
    )
    return [in_language(choice, language) for choice in choices]


def _as_csv(frozen: SurveyDefinition) -> bytes:
    return (",".join(map(csv_cell, header(frozen))) + "\r\n").encode()


def _as_workbook(frozen: SurveyDefinition) -> bytes:
    """The table, its choices as lists that refuse other words, and the codebook, which holds these lists."""
    import openpyxl  # noqa: PLC0415 (large, and not needed by a site that makes no workbook)
    from openpyxl.utils import get_column_letter  # noqa: PLC0415
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415

    book = openpyxl.Workbook()
    table, codebook = book.active, book.create_sheet("codebook")
    table.title, table.freeze_panes = RESPONSES_SHEET, "B2"
    for place, name in enumerate(header(frozen), 1):
        _write(table.cell(1, place), name)
        table.column_dimensions[get_column_letter(place)].width = max(12, len(name) + 2)
    words, head = get_column_letter(len(FIRST) + 1), _head(frozen)
    lines = [(None, head)]
    for place, item in enumerate(in_order(frozen), 2):
        own, first = [*_described(frozen, item, place - 1)], len(lines) + 1
        lines += [(item, line) for line in own]
        listed = (
            f"codebook!${words}${first + item.traits.is_number}:${words}${first + len(own) - 1}"
        )
        column = get_column_letter(place)
        if not item.traits.is_number:  # what is typed stays a word, also True and 10
            table.column_dimensions[column].number_format = "@"
        rule = DataValidation(
            **_allowed(item, f"{column}2", listed), allow_blank=True, showErrorMessage=True
        )
        rule.errorTitle, rule.error = item.key, _refused(frozen, item)
        rule.add(f"{column}2:{column}{LAST_ROW}")
        table.add_data_validation(rule)
    lines.append((None, ["questions (SHA-256)", frozen.sha256]))
    for row, (_, line) in enumerate(lines, 1):
        for place, text in enumerate(line, 1):
            _write(codebook.cell(row, place), text)
    file = io.BytesIO()
    book.save(file)
    return _repeatable(file)


FIRST = (
    "number",
    "variable",
)  # before the answers in the first language; the rest of the codebook follows


def _head(frozen: SurveyDefinition) -> list[str]:
    of_answers = [f"answer ({code})" for code in frozen.languages]
    return [
        *FIRST,
        *of_answers,
        *(f"question ({code})" for code in frozen.languages),
        "chances",
        "privacy loss ε",
    ]


def _described(
    frozen: SurveyDefinition, item: QuestionDefinition, number: int
) -> Iterator[list[str]]:
    """Lines of the codebook: one for each box; before the box of a number one for the number itself."""
    spoken = [boxes(item, code) for code in frozen.languages]
    answers = [list(answer) for answer in zip(*spoken, strict=True)]
    if item.traits.is_number:
        unit = f" {item.unit}" if item.unit else ""
        ends = f"a whole number from {item.answer_values[0]} to {item.answer_values[-1]}"
        answers.insert(0, [f"{ends}{unit}"] * len(spoken))
    asked = [item.in_language(code).full_text for code in frozen.languages]
    chances = item.mechanism.in_words() if item.mechanism else "not scrambled"
    epsilon = f"{round_up(item.epsilon, 4):.4f}" if item.epsilon is not None else ""
    for answer in answers:
        yield [str(number), item.key, *answer, *asked, chances, epsilon]


def _allowed(item: QuestionDefinition, cell: str, listed: str) -> dict[str, str]:
    """The rule for a cell. listed: where the words stand that it may hold."""
    if not item.traits.is_number:
        return {"type": "list", "formula1": listed}
    low, high = item.answer_values[0], item.answer_values[-1]
    if item.decline_code is None:
        return {"type": "whole", "operator": "between", "formula1": str(low), "formula2": str(high)}
    is_number = f"AND(ISNUMBER({cell}),{cell}=INT({cell}),{cell}>={low},{cell}<={high})"
    return {
        "type": "custom",
        "formula1": f"IF(ISNUMBER({cell}),{is_number},COUNTIF({listed},{cell})>0)",
    }


def _refused(frozen: SurveyDefinition, item: QuestionDefinition) -> str:
    words = boxes(item, frozen.language)
    if item.traits.is_number:
        declined = f", or “{words[0]}”" if words else ""
        return (
            f"A whole number from {item.answer_values[0]} to "
            f"{item.answer_values[-1]}{declined}. Left out: leave it empty."
        )[:225]
    return "Choose one of the words in the list. Left out: leave it empty."


def _write(cell: Any, text: str) -> None:
    cell.value = one_line(text)[:LONGEST]
    cell.data_type = "s"  # whatever it begins with


def _repeatable(file: io.BytesIO) -> bytes:
    """The same workbook without the time when it was made."""
    made = io.BytesIO()
    with zipfile.ZipFile(file) as book, zipfile.ZipFile(made, "w") as again:
        for name in book.namelist():
            again.writestr(entry(name), MADE.sub(b">1980-01-01T00:00:00Z<", book.read(name)))
    return made.getvalue()


ENTRY_TABLES: Sequence[EntryTable] = (
    EntryTable("csv", "text/csv; charset=utf-8", _as_csv),
    EntryTable(
        "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _as_workbook
    ),
)
