"""A draft from an XLSForm, as ODK and KoboToolbox write them. What cannot be taken over is listed, row by row.

Questions with rr::design or rr::epsilon are sensitive and randomized as these say; other choices and whole numbers
become background questions, which are sent as they are.
"""

from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.xlsform import relevance, workbook
from features.xlsform.questions import Form, Reader
from features.xlsform.sheets import sheets
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.files import other_tools
from surveys.authoring.files.survey_file import MOST_QUESTIONS
from surveys.definition.drafted import load_questions
from surveys.definition.kinds import is_background
from surveys.definition.protection import ONE_CHOICE
from surveys.definition.routing.filters import iter_condition_problems
from surveys.definition.texts import Text, join_texts
from surveys.models import Survey
from surveys.site.errors import Invalid, Unreadable
from surveys.site.files import untrusted
from surveys.site.files.workbook import is_workbook

EXTENSIONS = (".xlsx", ".xlsm", ".xls", ".csv", ".md")
LARGEST = untrusted.DEFAULT_LIMITS.size
# Texts and conditions without which a form is still the same questions.
MAY_GO = {"title", "introduction", "help", "section", "grid", "when"}


def read(content: bytes, name: str = "") -> Form:
    """name: of the file, where it has one. Raises surveys.site.errors.Unreadable for what is no XLSForm."""
    if told := other_tools.recognised(content, name):
        raise Unreadable(told)
    if content.lstrip()[:1] == b"{":
        raise Unreadable("This is JSON, not an XLSForm. Import it as a survey file.")
    book = untrusted.read_in_child(workbook.sheets, content)
    forms = sheets(book)
    if "type" not in forms["survey"].columns.values():
        there = ", ".join(f"“{each}”" for each in book["others"][:10])
        missing = "This is not an XLSForm: it has no sheet “survey” with the columns type, name and label."
        raise Unreadable(f"{missing} It has {there}." if there else missing)
    form = Reader(forms, book["others"], book["lost"]).read()
    if len(form.questions) > MOST_QUESTIONS:
        raise Unreadable(
            f"The form has {len(form.questions)} questions. At most {MOST_QUESTIONS} are allowed."
        )
    return form


def is_form(content: bytes) -> bool:
    """Return whether a file is a workbook, or a table in Markdown, by its first bytes."""
    return is_workbook(content) or content.startswith(untrusted.OLE) or content.lstrip()[:1] == b"|"


def read_draft(content: bytes, owner: AbstractBaseUser, name: str) -> tuple[Survey, list[str]]:
    """Return a new draft and what could not be taken over, as `bring` does. name: of the file, or ""."""
    return bring(content, owner, name=name)


@transaction.atomic
def bring(
    content: bytes, owner: AbstractBaseUser, title: str = "", name: str = ""
) -> tuple[Survey, list[str]]:
    """A new draft of this person's, and what could not be taken over. All or nothing; raises Unreadable.

    A mistake in a question with rr:: columns refuses the form: its author means it for here, and it must not be asked
    without protection. Any other question that cannot be asked here is left out with a note.
    """
    form = read(content, name)
    survey = _survey(form, title, owner)
    wrong, rows, dropped = [], {}, relevance.Dropped()
    for row, question in zip(form.rows, form.questions, strict=True):
        told = _save(survey, form, row, dropped.without(question), owner)
        rows[question["key"]] = row
        wrong += told.wrong
        if told.is_left_out:
            dropped.add(question["key"], row)
    if wrong:
        raise Unreadable(*wrong, *(note for note in form.notes if "“rr" in note))
    form.notes += dropped.notes()
    _fit(survey, form, rows)
    if survey.questions.exists():
        _draw(survey, form, owner)
    else:
        raise Unreadable(
            "Nothing was imported: Candor can’t ask any of the form’s questions.", *form.notes
        )
    return survey, form.notes


def _survey(form: Form, title: str, owner: AbstractBaseUser) -> Survey:
    texts = {
        "title": title or form.title or "Survey from a workbook",
        "introduction": join_texts("\n\n", form.introduction),
    }
    try:
        return drafts.create_survey(
            owner=owner,
            language=form.language,
            languages=[form.language, *form.further],
            protection=form.protection,
            **texts,
        )
    except Invalid as error:
        if wrong := error.errors.get("protection"):
            raise Unreadable(f"Sheet settings, rr::protection: {wrong}") from None
        wrong = [f"The form’s {name}: {text}" for name, text in error.errors.items()]
        if title or not {*error.errors} <= MAY_GO:
            raise Unreadable(*wrong) from None
        form.notes += [f"{each} It is left out." for each in wrong]
        form.title = "" if "title" in error.errors else form.title
        form.introduction = [] if "introduction" in error.errors else form.introduction
        return _survey(form, title, owner)


def _draw(survey: Survey, form: Form, owner: AbstractBaseUser) -> None:
    """Ask each person only some questions, where the form says so. Raises Unreadable."""
    if not (form.draw or form.lot):
        return
    if survey.protection:
        raise Unreadable(f"rr::draw: {ONE_CHOICE}")
    count = form.draw.removesuffix(".0")
    if not (count.isascii() and count.isdecimal() and len(count) < 5):
        said = f"“{count[:20]}” is not a number." if count else "It is empty."
        asked = f"how many of the {len(form.lot)} questions with rr::draw does each person get?"
        raise Unreadable(f"Sheet settings, rr::draw: {asked} {said}")
    try:
        set_draw(survey=survey, count=int(count), of=form.lot, by=owner)
    except Invalid as error:
        raise Unreadable(
            *(f"Sheet settings, rr::draw: {text}" for text in error.errors.values())
        ) from None
    survey.refresh_from_db(fields=["draw"])


def _fit(survey: Survey, form: Form, rows: dict[str, int]) -> None:
    """Conditions are looked at once, together: one that is about nothing asked before it is left out, with a note."""
    while broken := list(iter_condition_problems(load_questions(survey))):
        for _, question, said in broken:
            form.notes.append(
                f"Sheet survey, row {rows[question.key]}, when: {said} It is left out."
            )
            question.when, question.when_section = None, False
            question.save(update_fields=["when", "when_section"])


class Saved(NamedTuple):
    """wrong: why the form is refused."""

    wrong: list[str] = []
    is_left_out: bool = False


def _save(
    survey: Survey, form: Form, row: int, question: dict[str, Any], owner: AbstractBaseUser
) -> Saved:
    """What is only left out becomes a note."""
    place = f"Sheet survey, row {row}"
    try:
        asked = {"decline": False} | question  # as the form has it
        drafts.save_question(survey=survey, by=owner, unfinished=True, **asked)
    except Invalid as error:
        if translated := [name for name in error.errors if "." in name]:
            form.notes += [
                f"{place}, {name}: {error.errors[name]} It is left out." for name in translated
            ]
            return _save(survey, form, row, _without(question, translated), owner)
        wrong = [f"{place}, {name}: {message}" for name, message in error.errors.items()]
        if {*error.errors} <= MAY_GO:
            form.notes += [f"{each} It is left out." for each in wrong]
            return _save(survey, form, row, question | dict.fromkeys(error.errors, ""), owner)
        if not is_background(question["kind"]):
            return Saved(wrong)
        form.notes += [f"{each} The question is left out." for each in wrong]
        return Saved(is_left_out=True)
    return Saved()


def _without(question: dict[str, Any], translated: list[str]) -> dict[str, Any]:
    """The question without these translations: text.de, or choices.2.label.de."""
    left = question | {"choices": list(question.get("choices", ()))}
    for name in translated:
        field, *place, code = name.split(".")
        of, at = (left["choices"], int(place[0])) if place else (left, field)
        of[at] = Text(
            of[at], {spoken: text for spoken, text in of[at].others.items() if spoken != code}
        )
    return left
