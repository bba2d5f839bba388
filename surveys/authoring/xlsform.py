"""A draft from an XLSForm, as ODK and KoboToolbox write them. What cannot be taken over is listed, row by row.

Questions with rr::design or rr::epsilon are sensitive and randomized as these say; other choices and whole numbers
become background questions, which are sent as they are.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring import drafts
from surveys.authoring.exchange import MOST_QUESTIONS
from surveys.authoring.workbooks import sheets
from surveys.errors import Invalid, Unreadable
from surveys.models import Survey

YES_NO = ({"yes", "no"}, {"1", "0"}, {"true", "false"})
BOUND = re.compile(r"\.\s*(>=|<=|>|<)\s*(-?\d{1,9})")
BOUNDS = re.compile(rf"{BOUND.pattern}(\s+and\s+{BOUND.pattern})*", re.IGNORECASE)
OUR_COLUMNS = {"rr::design", "rr::p", "rr::q", "rr::epsilon", "rr::truth", "rr::yes", "rr::no", "rr::prevalence"}
COLLECTED = {
    "start",
    "end",
    "today",
    "deviceid",
    "subscriberid",
    "simserial",
    "phonenumber",
    "username",
    "email",
    "audit",
}
WITHOUT_EFFECT = {"type", "name", "row", "required"}
SUPPORTED = "select_one, select_multiple, integer, note, begin_group and end_group"


@dataclass
class Form:
    """What was understood of a workbook: the draft's texts and questions, and notes on the rest."""

    title: str = ""
    language: str = "en"
    introduction: list[str] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)  # of each question
    notes: list[str] = field(default_factory=list)


def read(content: bytes) -> Form:
    """Raises surveys.errors.Unreadable for what is no XLSForm."""
    book = sheets(content)
    if "survey" not in book or not any("type" in row for row in book["survey"]):
        raise Unreadable("This is no XLSForm: it has no sheet “survey” with the columns type, name and label.")
    settings = (book.get("settings") or [{}])[0]
    return _Reader(book, settings).read()


@transaction.atomic
def bring(content: bytes, owner: AbstractBaseUser, title: str = "") -> tuple[Survey, list[str]]:
    """A new draft of this person's, and what could not be taken over. All or nothing; raises Unreadable."""
    form = read(content)
    wrong = []
    try:
        texts = {"title": title or form.title or "Survey from a workbook", "language": form.language}
        survey = drafts.create_survey(owner=owner, introduction="\n\n".join(form.introduction), **texts)
    except Invalid as error:
        raise Unreadable(*(f"Sheet settings, {name}: {message}" for name, message in error.errors.items())) from None
    for row, question in zip(form.rows, form.questions, strict=True):
        try:
            drafts.save_question(survey=survey, by=owner, **question)
        except Invalid as error:
            wrong += [f"Sheet survey, row {row}, {name}: {message}" for name, message in error.errors.items()]
    if wrong:
        raise Unreadable(*wrong)
    return survey, form.notes


class _Reader:
    def __init__(self, book: dict[str, list[dict[str, str]]], settings: dict[str, str]) -> None:
        self.book, self.form = book, Form(title=settings.get("form_title", ""))
        self.section, self.help = "", []
        self.label = self._columns("label", settings.get("default_language", ""))
        self.hint = self._columns("hint", settings.get("default_language", ""))
        self.choices: dict[str, list[tuple[str, str]]] = {}

    def read(self) -> Form:
        self._languages()
        for row in self.book.get("choices", []):
            label = self._said(row, self.label) or row.get("name", "")
            self.choices.setdefault(row.get("list_name", row.get("list name", "")), []).append(
                (row.get("name", ""), label)
            )
        for row in self.book["survey"]:
            self._row(row)
        if self.help:
            self._note("the end", f"The text “{self.help[0][:60]}” stands after the last question and is left out.")
        if len(self.form.questions) > MOST_QUESTIONS:
            raise Unreadable(
                f"The form has {len(self.form.questions)} questions; at most {MOST_QUESTIONS} are allowed."
            )
        return self.form

    def _columns(self, name: str, language: str) -> list[str]:
        """Where a text stands, the best place first: in the form's own language, in none, in any other."""
        all_headings = dict.fromkeys(heading for row in self.book["survey"] for heading in row)
        found = [heading for heading in all_headings if heading.split("::")[0] == name]
        own = f"{name}::{language.lower()}"
        return sorted(found, key=lambda heading: (heading != own, heading != name))

    def _languages(self) -> None:
        used, *others = self.label or ["label"]
        code = re.search(r"\(([a-z]{2})\)", used) or re.search(r"::([a-z]{2})$", used)
        if code and code[1] in Survey.Language.values:
            self.form.language = code[1]
        for heading in others:
            self._note("1", f"A survey has one language. “{used}” is used; the texts of “{heading}” are left out.")

    @staticmethod
    def _said(row: dict[str, str], columns: list[str]) -> str:
        return next((row[heading] for heading in columns if heading in row), "")

    def _note(self, row: str, text: str) -> None:
        self.form.notes.append(f"Sheet survey, row {row}: {text}")

    def _row(self, row: dict[str, str]) -> None:
        kind, _, rest = row.get("type", "").partition(" ")
        kind, label = kind.lower().replace(" ", "_"), self._said(row, self.label)
        if f"{kind} {rest}".lower() in ("begin group", "end group"):
            kind = f"{kind}_group"
        if kind in ("begin_group", "end_group"):
            self.section = label if kind == "begin_group" else ""
        elif kind == "note":
            (self.help if self.form.questions else self.form.introduction).append(label)
        elif kind in ("select_one", "select_multiple", "integer"):
            self._question(kind, rest.split()[0] if rest.split() else "", label, row)
        elif kind in COLLECTED:
            self._note(
                row["row"], f"“{kind}” is left out: nothing about respondents is recorded besides their answers."
            )
        else:
            self._note(row["row"], f"The type “{row.get('type', '')}” is left out. Supported are {SUPPORTED}.")
        self._unused(kind, row)

    def _question(self, kind: str, choices: str, label: str, row: dict[str, str]) -> None:
        question = self._answers(kind, choices, row)
        if question is None:
            return
        hints = [*self.help, self._said(row, self.hint)]
        question |= {"key": self._key(row), "text": label or row.get("name", ""), "section": self.section}
        question["help"] = " ".join(text for text in hints if text)
        self.help, self.section = [], ""
        self.form.questions.append(question)
        self.form.rows.append(row["row"])

    def _answers(self, kind: str, choices: str, row: dict[str, str]) -> dict[str, Any] | None:
        """Kind, choices and design; None, with a note, where there is no such question here."""
        design = row.get("rr::design", "automatic" if "rr::epsilon" in row else "")
        parameters = {name[4:]: row[name] for name in OUR_COLUMNS - {"rr::design"} if name in row}
        if kind == "integer":
            return self._number(row, design)
        found = self.choices.get(choices, [])
        if not found:
            self._note(row["row"], f"The list “{choices}” is not on the sheet choices; the question is left out.")
            return None
        if kind == "select_multiple" and not design:
            text = "Several choices at once can only be sent randomized. Give it rr::epsilon; it is left out."
            self._note(row["row"], text)
            return None
        names = {name.lower() for name, _ in found}
        if kind == "select_one" and design and names in YES_NO:
            return {"kind": "yes-no", "design": design, "parameters": parameters}
        labels = [label for _, label in found]
        if not design:
            return {"kind": "background", "choices": labels}
        sort = "any" if kind == "select_multiple" else "choice"
        return {"kind": sort, "choices": labels, "design": design, "parameters": parameters}

    def _number(self, row: dict[str, str], design: str) -> dict[str, Any] | None:
        bounds = row.get("constraint", "")
        ends = {sign[0]: int(number) + {">": 1, "<": -1}.get(sign, 0) for sign, number in BOUND.findall(bounds)}
        if design:
            self._note(row["row"], "A number cannot be randomized here; make it a choice. It is left out.")
        elif not BOUNDS.fullmatch(bounds.strip()) or len(ends) != 2:
            self._note(
                row["row"], "A number needs both bounds, as “. >= 18 and . <= 99” under constraint. It is left out."
            )
        else:
            return {"kind": "number", "minimum": str(ends[">"]), "maximum": str(ends["<"])}
        return None

    def _key(self, row: dict[str, str]) -> str:
        name = row.get("name", "")
        key = re.sub(r"[^a-z0-9_]", "_", name.lower())[:32]
        key = key if re.match(r"[a-z]", key) else f"q_{key}"[:32] if key else ""
        if key != name:
            self._note(row["row"], f"The name “{name}” has become “{key or 'one that is given'}”.")
        return key

    def _unused(self, kind: str, row: dict[str, str]) -> None:
        """What stands in a row and has no effect here."""
        used = (
            WITHOUT_EFFECT | OUR_COLUMNS | {*self.label, *self.hint} | ({"constraint"} if kind == "integer" else set())
        )
        for heading in sorted(set(row) - used):
            self._note(row["row"], f"“{heading}” ({row[heading][:60]}) is left out.")
        if kind.startswith(("select", "integer")) and row.get("required", "yes").lower() in ("no", "false", "false()"):
            self._note(
                row["row"], "“required” is no, but here every question has to be answered. Offer a choice for it."
            )
