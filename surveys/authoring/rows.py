"""The questions of a form, row by row, and notes on what has no place here."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from surveys.authoring import lists
from surveys.authoring.asked import OURS, Asked, misspelt
from surveys.authoring.sheets import TEXTS, Row, Sheet, code

COLLECTED = {
    *("start", "end", "today", "deviceid", "subscriberid", "simserial", "phonenumber", "username", "email", "audit"),
}
SUPPORTED = " Supported are select_one, select_multiple, integer, note, begin_group and end_group."


@dataclass
class Form:
    """What was understood of a workbook: the draft's texts and questions, and notes on the rest."""

    title: str = ""
    language: str = "en"
    introduction: list[str] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # of each question
    notes: list[str] = field(default_factory=list)


class Reader:
    """others: names of sheets that are not read. lost: cells that no column takes, in words."""

    def __init__(self, book: dict[str, Sheet], others: list[str], lost: list[str]) -> None:
        self.book, self.form = book, Form()
        self.section: tuple[int, str] = (0, "")
        self.help: list[tuple[int, str]] = []
        self.supported = SUPPORTED
        self.form.notes += [*_unread(others), *lost[:20]]
        if len(lost) > 20:
            self.form.notes.append(f"{len(lost) - 20} more cells stand outside the columns and are left out.")

    def read(self) -> Form:
        self._settings()
        self._language()
        self._misspelt()
        found, notes = lists.read(self.book["choices"])
        self.form.notes += notes
        self.asked = Asked(found, self._note)
        for row in self.book["survey"].rows:
            self._row(row)
        self._end_section()
        for number, text in self.help:
            self._note(number, f"The text “{text[:60]}” stands after the last question and is left out.")
        self._choices()
        return self.form

    def _note(self, row: int, text: str, sheet: str = "survey") -> None:
        self.form.notes.append(f"Sheet {sheet}, row {row}: {text}")

    def _settings(self) -> None:
        for place, row in enumerate(self.book["settings"].rows):
            if not place:
                self.form.title = row.get("title")
            used = {"title", "default_language"} if not place else set()
            for heading, text in row.cells.items():
                if row.sheet.columns[heading] not in used:
                    self._note(row.number, f"“{heading.lower()}” ({text[:60]}) is left out.", "settings")

    def _language(self) -> None:
        chosen = self.book["survey"].language
        ours = code(chosen or self.book["choices"].spoken("label"))
        self.form.language = ours or "en"
        if chosen and not ours:
            self.form.notes.append(
                f"“{chosen}” is no language of the pages that respondents see. These are in English; "
                "change it in the draft."
            )
        others: dict[tuple[str, str], list[str]] = {}  # used, not used -> sheets
        for sheet in (self.book["survey"], self.book["choices"]):
            for used, *rest in filter(None, sheet.best.values()):
                for heading in rest:
                    if any(heading in row.cells for row in sheet.rows):
                        others.setdefault((used.lower(), heading.lower()), []).append(sheet.name)
        for (used, heading), names in others.items():
            where = f"Sheet{'s' * (len(names) - 1)} {' and '.join(names)}, row 1"
            told = f"“{used}” is used; the texts of “{heading}” are left out."
            self.form.notes.append(f"{where}: A survey has one language. {told}")

    def _misspelt(self) -> None:
        for heading in misspelt(self.book["survey"]):
            near = difflib.get_close_matches(heading.lower(), OURS, 1, 0.5)
            meant = f" Is it to be {near[0]}?" if near else ""
            self._note(1, f"“{heading.lower()}” is no column of ours.{meant} There are {', '.join(OURS)}.")

    def _row(self, row: Row) -> None:
        disabled = row.get("disabled").lower() in ("yes", "true", "true()", "1")
        if disabled or not row.kind:
            why = "The row is disabled" if disabled else "The row has no type"
            self._note(row.number, f"{why}, and is left out ({', '.join(row.cells.values())[:60]}).")
        elif row.kind in ("begin_group", "end_group"):
            self._end_section()
            self.section = (row.number, row.said("label")) if row.kind == "begin_group" else (0, "")
            self._unused(row)
        elif row.kind == "note":
            self._text(row)
        elif row.kind in ("select_one", "select_multiple", "integer"):
            self._question(row)
        elif row.kind in COLLECTED:
            text = f"“{row.kind}” is left out: nothing about respondents is recorded besides their answers."
            self._note(row.number, text)
        elif row.kind in ("begin_repeat", "begin_loop"):
            self._note(row.number, f"The type “{row.get('type')}” is left out; what stands in it is asked once.")
        elif row.kind not in ("end_repeat", "end_loop"):
            self._note(row.number, f"The type “{row.get('type')}” is left out.{self.supported}")
            self.supported = ""  # said once

    def _end_section(self) -> None:
        number, text = self.section
        if text:
            told = f"The group’s title “{text[:60]}” is left out: no question that is taken follows before the next."
            self._note(number, told)
        self.section = (0, "")

    def _text(self, row: Row) -> None:
        if text := row.said("label"):
            if self.form.questions:
                self.help.append((row.number, text))
            else:
                self.form.introduction.append(text)
        self._marks(row)
        self._unused(row, "hint")

    def _question(self, row: Row) -> None:
        question = self.asked.answers(row)
        if question is None:
            return
        hints = [*(text for _, text in self.help), row.said("hint")]
        question |= {
            "key": self.asked.key(row),
            "text": row.said("label") or row.get("name"),
            "section": self.section[1],
        }
        question["help"] = " ".join(text for text in hints if text)
        self.help, self.section = [], (0, "")
        self.form.questions.append(question)
        self.form.rows.append(row.number)
        self._marks(row)
        self._unused(row)

    def _marks(self, row: Row) -> None:
        for name, found in row.marks():
            self._note(row.number, f"“{found}” in the {name} is shown as it stands: a text is text.", row.sheet.name)

    def _unused(self, row: Row, *more: str) -> None:
        """What stands in a row that is taken, and has no effect here."""
        used = {"type", "name", "bind::required", *TEXTS}
        used |= {"bind::constraint"} if row.kind == "integer" else set()
        used |= {*OURS} if row.kind.startswith("select") else set()
        used -= {*more}
        idle = [
            f"“{heading.lower()}” ({text[:60]})"
            for heading, text in row.cells.items()
            if (known := row.sheet.columns[heading]) not in used and known.partition("::")[0] not in {*TEXTS} - {*more}
        ]
        if idle:
            self._note(row.number, f"{', '.join(idle)} {'is' if len(idle) == 1 else 'are'} left out.")
        no = row.get("bind::required").lower() in ("no", "false", "false()")
        if row.kind.startswith(("select", "integer")) and no:
            text = "“required” is no, but here every question has to be answered. Offer a choice for it."
            self._note(row.number, text)

    def _choices(self) -> None:
        for name, found in self.asked.lists.items():
            if name not in self.asked.used:
                self._note(found.rows[0].number, f"No question asks for the list “{name}”; it is left out.", "choices")
            else:
                for row in found.rows:
                    self._marks(row)


def _unread(others: Iterable[str]) -> Iterator[str]:
    for name in others:
        near = difflib.get_close_matches(name.lower(), ("survey", "choices", "settings"), 1, 0.75)
        yield f"The sheet “{name}” is left out." + (f" Is its name to be “{near[0]}”?" if near else "")
