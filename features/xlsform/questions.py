"""The questions of a form, row by row, and notes on what has no place here."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from features.xlsform import choice_lists, relevance
from features.xlsform.question_types import DRAW, EVERYONE, OURS, PROTECTION, YES, Asked, misspelt
from features.xlsform.sheets import NONE, SHORT, TEXTS, Row, Sheet, text_of
from surveys.authoring.drafts.grids import LEAST
from surveys.authoring.files.languages import language_code
from surveys.definition import grids
from surveys.definition.routing import conditions
from surveys.definition.texts import Text, join_texts
from surveys.models import Question

COLLECTED = {
    *(
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
    ),
}
SHARED = ("kind", "choices", "design", "parameters", "decline", "when")  # of all rows of a grid
UNSPOKEN = " The respondents’ pages don’t have that language."
SUPPORTED = " Supported are select_one, select_multiple, integer, note, begin_group and end_group."


@dataclass
class Form:
    """What was understood of a workbook: the draft's texts and questions, and notes on the rest."""

    title: str = ""
    language: str = "en"
    further: list[str] = field(
        default_factory=list
    )  # languages in which there are texts beside the first
    introduction: list[Text] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)  # of each question
    protection: str = ""
    draw: str = ""  # how many of the lot each person is asked
    lot: list[str] = field(default_factory=list)  # the keys of the questions that are drawn
    notes: list[str] = field(default_factory=list)


@dataclass
class Grid:
    """A group with the appearance table-list, and its questions, each with the number of its row."""

    number: int  # of its row
    heading: str
    help: str
    rows: list[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def why_not(self) -> str:
        """Why it cannot be a grid; nothing where it can."""
        if not self.heading:
            return "it has no label."
        if len(self.rows) < LEAST:
            return f"a grid has at least {LEAST} rows."
        shared = [[question.get(name) for name in SHARED] for _, question in self.rows]
        if any(each != shared[0] for each in shared):
            return "its rows have different answers, conditions or rr:: columns."
        kind, choices, *_, declines, _ = shared[0]
        return grids.grid_row_problem(
            kind, Question.Mode.AUTOMATIC, (len(choices or ()) or 2) + bool(declines)
        )


ASKED = ("select", "integer", "text")  # how the types of questions begin that can be asked


def is_scrambled_text(row: Row) -> bool:
    """A written answer; one that is not scrambled cannot be asked here."""
    return row.kind == "text" and any(row.get(name) for name in OURS)


def is_grid(row: Row) -> bool:
    return (
        row.kind == "begin_group" and "table-list" in row.get("control::appearance").lower().split()
    )


class Reader:
    """others: names of sheets that are not read. lost: cells that no column takes, in words."""

    def __init__(self, book: dict[str, Sheet], others: list[str], lost: list[str]) -> None:
        self.book, self.form = book, Form()
        self.section: tuple[int, str] = (0, "")
        self.grid: Grid | None = None  # in which a row stands now
        self.help: list[tuple[int, Text]] = []
        self.known: dict[str, relevance.Known] = {}  # by the name in the form
        self.groups: list[
            conditions.Condition | None
        ] = []  # of the groups that are open, around each other
        self.supported = SUPPORTED
        self.form.notes += [*_unread(others), *lost[:20]]
        if len(lost) > 20:
            self.form.notes.append(
                f"{len(lost) - 20} more cells are outside the columns and are left out."
            )

    def read(self) -> Form:
        self._settings()
        self._language()
        self._misspelt()
        lists, notes = choice_lists.read(self.book["choices"])
        self.form.notes += notes
        self.asked = Asked(lists, self._note, self.form.protection)
        for row in self.book["survey"].rows:
            self._row(row)
        self._end_section()
        self._end_grid()
        for number, text in self.help:
            self._note(
                number, f"The text “{text[:60]}” comes after the last question and is left out."
            )
        self._choices()
        return self.form

    def _note(self, row: int, text: str, sheet: str = "survey") -> None:
        self.form.notes.append(f"Sheet {sheet}, row {row}: {text}")

    def _settings(self) -> None:
        for place, row in enumerate(self.book["settings"].rows):
            if not place:
                self.form.title, self.form.draw = row.get("title"), row.get(DRAW)
                self.form.protection = row.get(PROTECTION)
            used = {"title", "default_language", DRAW, PROTECTION} if not place else set()
            for heading, text in row.cells.items():
                if row.sheet.columns[heading] not in used:
                    self._note(
                        row.number, f"“{heading.lower()}” ({text[:60]}) is left out.", "settings"
                    )

    def _language(self) -> None:
        chosen = self.book["survey"].language
        ours = language_code(chosen or self.book["choices"].spoken("label"))
        self.form.language = ours or "en"
        if chosen and not ours:
            self.form.notes.append(
                f"“{chosen}” is not a language of the respondents’ pages, so they are in English. You can change that "
                "in the draft."
            )
        others: dict[tuple[str, str, str], list[str]] = {}  # used, not used, why -> sheets
        for sheet in (self.book["survey"], self.book["choices"]):
            for name, (used, *rest) in ((name, best) for name, best in sheet.best.items() if best):
                taken = {heading: spoken for spoken, heading in sheet.further[name].items()}
                for heading in rest:
                    if not any(heading in row.cells for row in sheet.rows):
                        continue
                    if heading in taken:
                        self._speak(taken[heading])
                        continue
                    spoken = sheet.language_of(heading)
                    why = "" if language_code(spoken) or not spoken else UNSPOKEN
                    others.setdefault((used.lower(), heading.lower(), why), []).append(sheet.name)
        for (used, heading, why), names in others.items():
            where = f"Sheet{'s' * (len(names) - 1)} {' and '.join(names)}, row 1"
            self.form.notes.append(
                f"{where}: “{used}” is used; the texts of “{heading}” are left out.{why}"
            )

    def _speak(self, spoken: str) -> None:
        if spoken not in self.form.further:
            self.form.further.append(spoken)

    def _misspelt(self) -> None:
        for heading in misspelt(self.book["survey"]):
            near = difflib.get_close_matches(heading.lower(), OURS, 1, 0.5)
            meant = f" Did you mean {near[0]}?" if near else ""
            self._note(
                1,
                f"“{heading.lower()}” is not a column Candor knows.{meant} Columns: {', '.join(OURS)}.",
            )

    def _row(self, row: Row) -> None:
        disabled = row.get("disabled").lower() in YES
        if disabled or not row.kind:
            why = "The row is disabled" if disabled else "The row has no type"
            self._note(
                row.number, f"{why}, and is left out ({', '.join(row.cells.values())[:60]})."
            )
        elif row.kind in ("begin_group", "end_group"):
            self._end_grid()
            if is_grid(row):  # which may be the first of a section
                texts = [*(text for _, text in self.help), row.said("hint")]
                self.grid, self.help = (
                    Grid(row.number, row.said("label"), join_texts(" ", texts)),
                    [],
                )
            else:
                self._end_section()
                self.section = (
                    (row.number, row.said("label")) if row.kind == "begin_group" else (0, "")
                )
            if row.kind == "begin_group":
                self.groups.append(self._relevant(row))
            elif self.groups:
                self.groups.pop()
            self._unused(row)
        elif row.kind == "note":
            self._text(row)
        elif row.kind in ("select_one", "select_multiple", "integer") or is_scrambled_text(row):
            self._question(row)
        elif row.kind in COLLECTED:
            text = f"“{row.kind}” is left out. Candor stores only answers about respondents."
            self._note(row.number, text)
        elif row.kind in ("begin_repeat", "begin_loop"):
            self._note(
                row.number,
                f"The type “{row.get('type')}” is left out. Its questions are asked once.",
            )
        elif row.kind not in ("end_repeat", "end_loop"):
            self._note(row.number, f"The type “{row.get('type')}” is left out.{self.supported}")
            self.supported = ""  # said once

    def _end_grid(self) -> None:
        """Make the questions of a table-list the rows of a grid; say why where they cannot be."""
        grid, self.grid = self.grid, None
        if grid is None:
            return
        if why := grid.why_not():
            self._note(
                grid.number, f"The table “{grid.heading[:60]}” becomes separate questions: {why}"
            )
            for _, question in grid.rows[:1]:
                question["help"] = join_texts(" ", [grid.help, question["help"]])
            return
        hints = {question["help"] for _, question in grid.rows}
        own = hints.pop() if len(hints) == 1 else ""
        for number, question in grid.rows:
            if hints and question["help"]:
                told = f"The hint “{question['help'][:60]}” is left out"
                self._note(number, f"{told}: the rows of a grid have one, that of the group.")
            question |= {"grid": grid.heading, "help": join_texts(" ", [grid.help, own])}

    def _end_section(self) -> None:
        number, text = self.section
        if text:
            told = f"The group’s title “{text[:60]}” is left out: no imported question follows before the next."
            self._note(number, told)
        self.section = (0, "")

    def _text(self, row: Row) -> None:
        if row.get("bind::relevant").strip():
            self._note(
                row.number,
                f"The text “{row.said('label')[:60]}” is only for some people, so it is left out.",
            )
            return
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
        question["help"] = join_texts(" ", hints)
        if short := row.said(SHORT):
            question["short"] = short
        if none := row.get(NONE):
            question["none"] = none
        if when := conditions.combine_all(*self.groups, self._relevant(row)):
            question["when"] = conditions.condition_to_data(when)
        self._know(row, question)
        self.help, self.section = [], (0, "")
        self.form.questions.append(question)
        if self.grid:
            self.grid.rows.append((row.number, question))
        self.form.rows.append(row.number)
        if row.get(EVERYONE).lower() in YES:
            question["everyone"] = True
        if row.get(DRAW).lower() in YES:
            self.form.lot.append(question["key"])
        self._marks(row)
        self._unused(row)

    def _relevant(self, row: Row) -> conditions.Condition | None:
        """Whom the row is for; None for everybody, with a note where that is not what the form says."""
        text = row.get("bind::relevant").strip()
        if not text:
            return None
        try:
            return relevance.read(text, self.known)
        except ValueError as wrong:
            said = f"“relevant” ({text[:60]}) is left out, so everyone gets this question: {wrong}"
            self._note(row.number, f"{said.rstrip('.')}.")
            return None

    def _know(self, row: Row, question: dict[str, Any]) -> None:
        choice_list = self.asked.lists.get(row.list)
        names = [each.get("name") for each in choice_list.rows] if choice_list else []
        labels = dict(zip(names, question.get("choices", ()), strict=False))
        numbers = (
            range(int(question["minimum"]), int(question["maximum"]) + 1)
            if "minimum" in question
            else range(0)
        )
        known = relevance.Known(
            question["key"],
            question["text"],
            question["kind"],
            labels,
            numbers,
            "when" not in question,
        )
        self.known[row.get("name")] = known

    def _marks(self, row: Row) -> None:
        for name, mark in row.marks():
            self._note(
                row.number,
                f"“{mark}” in the {name} is shown unchanged, as plain text.",
                row.sheet.name,
            )

    def _unused(self, row: Row, *more: str) -> None:
        """What stands in a row that is taken, and has no effect here."""
        used = {"type", "name", "bind::required", *TEXTS}
        used |= {"control::appearance", "hint"} if is_grid(row) else set()
        used |= {"bind::constraint"} if row.kind == "integer" else set()
        used |= {*OURS} if row.kind.startswith(ASKED) else set()
        used |= {"bind::relevant"} if row.kind.startswith((*ASKED, "begin_group")) else set()
        used -= {*more}
        idle = [
            f"“{heading.lower()}” ({text[:60]})"
            for heading, text in row.cells.items()
            if (known := row.sheet.columns[heading]) not in used
            and text_of(known) not in {*TEXTS} - {*more}
        ]
        if idle:
            self._note(
                row.number, f"{', '.join(idle)} {'is' if len(idle) == 1 else 'are'} left out."
            )
        no = row.get("bind::required").lower() in ("no", "false", "false()")
        if row.kind.startswith(ASKED) and no:
            text = "“required” is “no”, but here people must answer every question. Offer a choice for it."
            self._note(row.number, text)

    def _choices(self) -> None:
        for name, choice_list in self.asked.lists.items():
            if name not in self.asked.used:
                self._note(
                    choice_list.rows[0].number,
                    f"No question uses the list “{name}”. It is left out.",
                    "choices",
                )
            else:
                for row in choice_list.rows:
                    self._marks(row)


def _unread(others: Iterable[str]) -> Iterator[str]:
    for name in others:
        near = difflib.get_close_matches(name.lower(), ("survey", "choices", "settings"), 1, 0.75)
        yield f"The sheet “{name}” is left out." + (f" Did you mean “{near[0]}”?" if near else "")
