"""A survey as an XLSForm: its questions, choices and texts in all languages, and the columns rr:: of how it randomizes.

What XLSForm has no column for goes only with the survey's own file (survey_file): switches, sender, tickets,
data protection, target, modes, units, steps.
"""

import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf.locale import LANG_INFO

from features.xlsform import relevance
from features.xlsform.question_types import DECLINE, DRAW, EVERYONE, PROTECTION, TYPES
from features.xlsform.sheets import NONE, SHORT
from features.xlsform.workbook import README_SHEET
from surveys.definition import grids
from surveys.definition.designs.external import PARAMETERS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.freezing import build_question_definition, fixed_answers
from surveys.definition.kinds import KINDS, kind_of
from surveys.definition.routing import conditions
from surveys.definition.texts import Text, stored_text, zip_languages
from surveys.definition.values import first_default_value
from surveys.models import Choice, Question, Survey
from surveys.site.errors import Invalid

if TYPE_CHECKING:
    from openpyxl import Workbook

README = (
    "Candor scrambles the answers to questions with rr:: columns. Other tools don’t read these "
    "columns. If you use this form elsewhere, it collects the true answers."
)
WRITTEN = datetime(2000, 1, 1)
Row = dict[str, Any]  # column -> what stands there; a Text takes a column for each language


def as_xlsx(survey: Survey) -> bytes:
    """The workbook. Its title is in the first language: XLSForm has no other."""
    from openpyxl import Workbook  # noqa: PLC0415 (an idle worker needs none)

    book = Workbook()
    book.properties.created = book.properties.modified = WRITTEN
    book.remove(book.active)
    columns = set().union(*_survey(survey))
    if any(column.startswith("rr::") for column in columns):
        book.create_sheet(README_SHEET).cell(1, 1, README)
    sheets = {
        "survey": [*_survey(survey)],
        "choices": [*_choices(survey)],
        "settings": [_settings(survey)],
    }
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        table = [_flat(row, survey.languages) for row in rows]
        columns = list(dict.fromkeys(column for row in table for column in row))
        for number, cells in enumerate([dict(zip(columns, columns, strict=True)), *table], 1):
            for place, column in enumerate(columns, 1):
                if text := cells.get(column, ""):
                    cell = sheet.cell(number, place, text)
                    cell.data_type = "s"  # a text is text, even one that starts as a formula
    return _written(book)


def _written(book: "Workbook") -> bytes:
    """Without the time of writing, which openpyxl and the zip put in: the same survey comes as the same bytes."""
    from openpyxl.writer.excel import ExcelWriter  # noqa: PLC0415

    timed, file = io.BytesIO(), io.BytesIO()
    ExcelWriter(book, ZipFile(timed, "w")).save()
    with ZipFile(timed) as before, ZipFile(file, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            after.writestr(ZipInfo(name), before.read(name), ZIP_DEFLATED)
    return file.getvalue()


def _flat(row: Row, languages: tuple[str, ...]) -> dict[str, str]:
    """Texts take one column where there is one language, else one for each: label::German (de)."""
    flat = {}
    for column, value in row.items():
        if len(languages) > 1 and isinstance(value, Text):
            said = {languages[0]: str(value)} | value.others
            flat |= {f"{column}::{_named(code)}": said.get(code, "") for code in languages}
        else:
            flat[column] = str(value)
    return flat


def _named(code: str) -> str:
    return f"{LANG_INFO[code]['name']} ({code})"


def _survey(survey: Survey) -> Iterable[Row]:
    languages = survey.languages
    if survey.introduction:
        yield {
            "type": "note",
            "name": "introduction",
            "label": stored_text(survey, "introduction", languages),
        }
    is_open = False
    first = first_default_value(survey)
    questions = list(survey.questions.prefetch_related("choices"))
    for number, run in enumerate(grids.group_by_grid(questions), 1):
        question = run[0]
        whom = _relevant(question, questions, first)
        if question.section:
            if is_open:
                yield {"type": "end_group"}
            group = {
                "type": "begin_group",
                "name": f"section_{number}",
                "label": stored_text(question, "section", languages),
            }
            yield group | (whom if question.when_section else {})
            is_open = True
        own = {} if question.section and question.when_section else whom
        if question.grid:
            yield from _grid(number, run, languages, own)
        else:
            yield _question(question, languages) | own
    if is_open:
        yield {"type": "end_group"}


def _grid(
    number: int, rows: Sequence[Question], languages: tuple[str, ...], whom: Row
) -> Iterable[Row]:
    """Rows share the list of the first one; the help of all is the hint of the group, as is whom they are asked."""
    said = {
        column: stored_text(rows[0], name, languages)
        for column, name in (("label", "grid"), ("hint", "help"))
    }
    yield {
        "type": "begin_group",
        "name": f"grid_{number}",
        **said,
        "appearance": "table-list",
    } | whom
    for row in rows:
        owner = rows[0] if row.values == rows[0].values else row
        yield _question(row, languages) | {"type": _type(owner), "hint": ""}
    yield {"type": "end_group"}


def _question(question: Question, languages: tuple[str, ...]) -> Row:
    row = {
        "type": _type(question),
        "name": question.key,
        **{
            column: stored_text(question, name, languages)
            for column, name in (("label", "text"), ("hint", "help"))
        },
        "required": "yes",
    }
    if short := stored_text(question, "short", languages):
        row[SHORT] = short
    if question.none:
        row[NONE] = question.none
    if kind_of(question).is_number:
        row["constraint"] = f". >= {question.minimum} and . <= {question.maximum}"
    if kind_of(question).sensitive:
        row |= _randomized(question) | ({DRAW: "yes"} if question.drawn else {})
        row |= {EVERYONE: "yes"} if question.everyone else {}
    return row | ({DECLINE: "yes"} if question.decline else {})


def _relevant(question: Question, questions: list[Question], first: int) -> Row:
    """Whom it is asked; nothing of a condition that is broken."""
    if not question.when:
        return {}
    names = {
        each.key: {choice.label: name for choice, name in _named_choices(each, first)}
        for each in questions
    }
    try:
        return {"relevant": relevance.write(conditions.parse(question.when), names)}
    except KeyError:
        return {}


def _type(question: Question) -> str:
    """The type with the list of choices. Yes and No with written values have a list of their own."""
    if kind_of(question).fixed and question.values:
        return f"select_one {question.key}"
    return TYPES[question.kind].format(key=question.key)


def _named_choices(question: Question, first: int) -> list[tuple[Choice, str]]:
    """The choices of a question, each with its value, which is its name in the form.

    first: the value of the first choice where nobody wrote values.
    """
    choices = list(question.choices.all())
    values = question.values or [str(number) for number in range(first, first + len(choices))]
    return list(zip(choices, values, strict=True)) if choices else []


def _randomized(question: Question) -> Row:
    """Of a scale, which XLSForm does not know, the most precise design for one choice that protects as much."""
    traits = kind_of(question)
    if question.survey.protection and not question.design:
        return {"rr::design": AUTOMATIC}
    if not traits.has_mean or traits.is_number:
        letters = {
            f"rr::{name}": question.parameters[name]
            for name in PARAMETERS
            if name in question.parameters
        }
        return {"rr::design": question.design} | letters
    try:
        return {
            "rr::design": AUTOMATIC,
            "rr::epsilon": f"{build_question_definition(question).epsilon:.4f}",
        }
    except Invalid:
        return {"rr::design": AUTOMATIC, "rr::epsilon": EPSILONS["balanced"]}


def _choices(survey: Survey) -> Iterable[Row]:
    languages = survey.languages
    questions = list(survey.questions.prefetch_related("choices"))
    first_value = first_default_value(survey)
    for kind, traits in KINDS.items():
        usual = [each for each in questions if each.kind == kind and not each.values]
        if traits.fixed and usual:
            names = [name for name, _ in traits.fixed]
            yield from _fixed_choices(kind, TYPES[kind].split()[1], names, languages)
    for first, *others in grids.group_by_grid(questions):
        for question in (first, *others):
            if question is not first and question.values == first.values:
                continue
            if kind_of(question).fixed and question.values:
                yield from _fixed_choices(question.kind, question.key, question.values, languages)
            for choice, name in _named_choices(question, first_value):
                label = stored_text(choice, "label", languages)
                yield {"list_name": question.key, "name": name, "label": label}


def _fixed_choices(
    kind: str, list_name: str, names: Sequence[str], languages: tuple[str, ...]
) -> Iterable[Row]:
    """The answers that a kind makes, in the order in which people read them.

    names: of the answers in the order of their codes.
    """
    words = zip_languages({code: fixed_answers(kind, code) for code in languages})
    for name, label in KINDS[kind].in_order(list(zip(names, words, strict=True))):
        yield {"list_name": list_name, "name": name, "label": label}


def _settings(survey: Survey) -> Row:
    row = {"form_title": survey.title, "default_language": _named(survey.language)}
    row |= {PROTECTION: survey.protection} if survey.protection else {}
    return row | ({DRAW: str(survey.draw)} if survey.draw else {})
