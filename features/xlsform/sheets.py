"""A form's sheets in the terms of XLSForm, with its texts in all languages that respondents' pages can speak."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from surveys.authoring.files.languages import language_code
from surveys.definition.texts import Text
from surveys.models import Survey

SHORT = "rr::short"
NONE = "rr::none"
TEXTS = ("label", "hint", SHORT)
LONGEST_TEXT = 5_000  # characters in which marks are looked for; questions have fewer
MARKS = re.compile(
    r"(?<!\w)\*{1,2}[^\s*].{0,200}?\*|(?<!\w)_{1,2}[^\s_].{0,200}?_(?!\w)|\[[^]]{1,200}\]\([^)]{1,200}\)|^#{1,6}\s"
    r"|</?[a-z][^<>]{0,200}>|[$]\{[^}]{1,200}\}",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)  # of Markdown, HTML and references to other answers


def text_of(known: str) -> str:
    """The text that a column has, in whatever language: hint::french (fr) is a hint. Else what stands before ::."""
    return next(
        (name for name in TEXTS if f"{known}::".startswith(f"{name}::")), known.partition("::")[0]
    )


@dataclass
class Sheet:
    name: str
    columns: dict[str, str]  # heading as written -> as XLSForm names it
    language: str = ""  # of its texts, as in label::english (en)
    rows: list["Row"] = field(default_factory=list)
    further: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # text -> code of a further language -> heading

    def headings(self, name: str) -> list[str]:
        return [heading for heading, known in self.columns.items() if text_of(known) == name]

    @cached_property
    def best(self) -> dict[str, list[str]]:
        """Where texts stand, the best place first: in the form's own language, in none, in any other."""
        return {name: sorted(self.headings(name), key=self._distance) for name in TEXTS}

    def spoken(self, name: str) -> str:
        """The language in which this text is read here, where its heading says one."""
        return next(map(self.language_of, self.best[name]), "")

    def _distance(self, heading: str) -> int:
        return [self.language, "", self.language_of(heading)].index(self.language_of(heading))

    def language_of(self, heading: str) -> str:
        return self.columns[heading].removeprefix(text_of(self.columns[heading])).removeprefix("::")


@dataclass
class Row:
    sheet: Sheet
    number: int
    cells: dict[str, str]
    kind: str = ""
    list: str = ""
    other: bool = False

    def get(self, name: str) -> str:
        return next((text for _, text in self.all(name)), "")

    def all(self, name: str) -> Iterator[tuple[str, str]]:
        """Heading and text of the columns of this name; more than one where a form uses an alias beside it."""
        return (
            (heading, text)
            for heading, text in self.cells.items()
            if self.sheet.columns.get(heading) == name
        )

    def said(self, name: str) -> Text:
        """A text in the form's language, or in the next best, and in its further languages."""
        first = next(
            (self.cells[heading] for heading in self.sheet.best[name] if heading in self.cells), ""
        )
        others = self.sheet.further.get(name, {})
        return Text(
            first,
            {
                code: self.cells[heading]
                for code, heading in others.items()
                if heading in self.cells
            },
        )

    def marks(self) -> Iterator[tuple[str, str]]:
        """Where texts hold what other programs turn into formatting or answers: here a text stays as it is."""
        for name in TEXTS:
            if found := MARKS.search(self.said(name)[:LONGEST_TEXT]):
                yield name, found[0][:40]


def sheets(book: dict[str, Any]) -> dict[str, Sheet]:
    """survey, choices and settings, from what features.xlsform.workbook read."""
    found = {}
    for name in ("survey", "choices", "settings"):
        found[name] = Sheet(name, book[name]["columns"])
        found[name].rows = [
            Row(found[name], each.pop("row"), **each) for each in book[name]["rows"]
        ]
    chosen = _language(found)
    for sheet in found.values():
        sheet.language = chosen
        sheet.further = {name: _further(sheet, name) for name in TEXTS}
    return found


def _further(sheet: Sheet, name: str) -> dict[str, str]:
    """Languages of ours beside the form's own, each with the heading of its texts."""
    first = language_code(sheet.language or sheet.spoken("label")) or Survey.Language.ENGLISH
    found: dict[str, str] = {}
    for heading in sheet.headings(name):
        spoken = language_code(sheet.language_of(heading))
        if spoken and spoken != first and heading != sheet.best[name][0]:
            found.setdefault(spoken, heading)
    return found


def _language(found: dict[str, Sheet]) -> str:
    """The language of the texts: the one that the settings name, else the column without one, else the first."""
    own = next((row.get("default_language").lower() for row in found["settings"].rows), "")
    there = {
        name: list(map(found[name].language_of, found[name].headings("label")))
        for name in ("survey", "choices")
    }
    languages = there["survey"] + there["choices"]
    short = re.search(r"\([a-z]{2,3}\)", own)
    same = (
        each for each in languages if own and (each == own or (short and each.endswith(short[0])))
    )
    return next(same, own if "" in languages else languages[0] if languages else "")
