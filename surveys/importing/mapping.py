"""How a file is written, which of its columns hold which question, and what their cells stand for.

As it travels, in JSON; every part may be left out, and is then guessed from the header and the first rows:

    {"encoding": "windows-1252", "separator": ";", "header": 3, "missing": ["", "NA", "-99"],
     "questions": {"tax":   {"column": "Q1", "texts": {"Ja": 1, "Nein": 0}},
                   "age":   {"column": "Age", "as": "labels", "missing": ["999"]},
                   "fruit": {"columns": ["Apple", "Pear"], "texts": {"x": 1, "": 0}}}}

`texts` says what stands for which report; "as": "codes" takes 0, 1, ..., "as": "labels" the choices as they are written
(of a number, the number). Reports that are strings of marks need no texts; where each choice has a column of its own,
a text stands for a mark, 1, or none, 0. `missing` says what stands for no report, in the file or, besides, for one
question.
"""

from dataclasses import dataclass, field
from typing import Any

from surveys.errors import Invalid
from surveys.importing.encodings import ENCODINGS, called
from surveys.importing.meanings import folded, stands_for
from surveys.importing.table import SEPARATORS, Layout
from surveys.publishing.instruments import Item, Paper

FIELDS = ("encoding", "separator", "sheet", "header", "missing", "questions")
WAYS = ("codes", "labels")
MOST_TEXTS = 5000
MOST_MISSING = 100
LONGEST_TEXT = 500
LAST_HEADER = 1000
UNKNOWN, MISSING = -1, -2  # in place of a code
OLDER = (
    "This survey was prepared when every row needed every report. Make a new version of it and prepare that: it takes "
    "rows in which reports are missing."
)


@dataclass(frozen=True)
class Column:
    """Where one question stands: `places` are indices of cells in a row, one, or one for each choice.

    texts: what stands for which report, in small letters; None for a string of marks in one cell.
    missing: what stands for no report, in small letters; own: what was said of this question alone.
    """

    item: Item
    names: tuple[str, ...]
    places: tuple[int, ...]
    texts: dict[str, int] | None
    way: str  # "codes", "labels", "own", or "both": what filled texts
    missing: frozenset[str] = frozenset()
    own: tuple[str, ...] = ()

    def code(self, text: str) -> int:
        """What a cell stands for: a code or mark, MISSING or UNKNOWN."""
        text = folded(text)
        found = stands_for(self.texts or {}, text)
        if found is None:
            return MISSING if self.is_missing(text) else UNKNOWN
        return found

    def is_missing(self, text: str) -> bool:
        return stands_for(dict.fromkeys(self.missing, 1), text) is not None


@dataclass(frozen=True)
class Plan:
    """Everything that is needed to read a row."""

    layout: Layout
    header: tuple[str, ...]
    columns: tuple[Column, ...]
    missing: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return len(self.header)

    @property
    def takes_nothing(self) -> bool:
        """Whether a row of empty cells is a response: no mark at all."""
        return all(column.texts is not None and "" in column.texts for column in self.columns)

    @property
    def takes_absence(self) -> bool:
        """Whether a row of empty cells is a response that has no report at all."""
        return all("" in column.missing and "" not in (column.texts or {}) for column in self.columns)

    def asked(self) -> dict[str, Any]:
        """The same as a mapping that leaves nothing to guess."""
        layout = {name: value for name, value in vars(self.layout).items() if value}
        questions = {column.item.key: _said(column) for column in self.columns}
        return layout | {"missing": list(self.missing), "questions": questions}


def _said(column: Column) -> dict[str, Any]:
    said: dict[str, Any] = {"columns": list(column.names)} if len(column.names) > 1 else {"column": column.names[0]}
    said |= {"missing": list(column.own)} if column.own else {}
    if column.way == "own":
        return said | {"texts": column.texts}
    return said | ({"as": column.way} if column.way in WAYS and len(column.names) == 1 else {})


@dataclass(frozen=True)
class Wanted:
    """One question of a mapping as it was asked for."""

    names: tuple[str, ...] = ()
    texts: dict[str, int] | None = None
    way: str = ""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mapping:
    """missing: None where nothing was said of it."""

    layout: Layout = field(default_factory=Layout)
    questions: dict[str, Wanted] = field(default_factory=dict)
    missing: tuple[str, ...] | None = None


def parse(frozen: Paper, data: Any) -> Mapping:
    """A mapping out of JSON. Raises Invalid with the place of each mistake."""
    if data is None:
        return Mapping()
    if not isinstance(data, dict) or set(data) - set(FIELDS):
        raise Invalid({"mapping": f"A mapping has {', '.join(FIELDS[:-1])} and questions, and nothing else."})
    wrong = _wrong_layout(data) | _wrong_missing(frozen, data.get("missing"))
    questions, items = data.get("questions", {}), {item.key: item for item in frozen.items}
    if not isinstance(questions, dict):
        raise Invalid({"questions": "This must be an object: question key -> where it stands."})
    found = {}
    for key, asked in questions.items():
        if key not in items:
            wrong[f"questions.{str(key)[:50]}"] = "There is no such question."
            continue
        try:
            found[key] = _wanted(frozen, items[key], asked)
        except Invalid as error:
            wrong |= {f"questions.{key}{place and '.' + place}": message for place, message in error.errors.items()}
    if wrong:
        raise Invalid(wrong)
    missing = data.get("missing")
    return Mapping(_layout(data), found, None if missing is None else _stripped(missing))


def _layout(data: dict[str, Any]) -> Layout:
    encoding = called(data.get("encoding") or "")
    return Layout(encoding, data.get("separator") or "", data.get("header") or 0, data.get("sheet") or "")


def _wrong_layout(data: dict[str, Any]) -> dict[str, str]:
    wrong = {}
    encoding, separator, header = (data.get(name) for name in ("encoding", "separator", "header"))
    if encoding and not (isinstance(encoding, str) and called(encoding)):
        wrong["encoding"] = f"This must be one of {', '.join(ENCODINGS)}."
    if separator and separator not in tuple(SEPARATORS):
        wrong["separator"] = "The separator must be a comma, a semicolon, a tab or a vertical bar."
    if header is not None and (type(header) is not int or not 1 <= header <= LAST_HEADER):
        wrong["header"] = f"This must be the number of the row with the names, from 1 to {LAST_HEADER:,}."
    if data.get("sheet") and not _is_text(data["sheet"]):
        wrong["sheet"] = "The name of a sheet must be text."
    return wrong


def _wrong_missing(frozen: Paper, texts: Any) -> dict[str, str]:
    if texts is None:
        return {}
    if not isinstance(texts, list) or len(texts) > MOST_MISSING or not all(map(_is_text, texts)):
        return {"missing": f"This must be a list of at most {MOST_MISSING} texts that stand for no report."}
    return {"missing": OLDER} if texts and not frozen.nonresponse else {}


def _stripped(texts: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in texts))


def _wanted(frozen: Paper, item: Item, asked: Any) -> Wanted:
    if not isinstance(asked, dict) or set(asked) - {"column", "columns", "texts", "as", "missing"}:
        raise Invalid({"": "A question has column or columns, texts or as, and missing; nothing else."})
    wrong = _wrong_missing(frozen, asked.get("missing"))
    names = asked.get("columns", [asked["column"]] if "column" in asked else [])
    if not isinstance(names, list) or not all(map(_is_text, names)):
        wrong["column"] = "The name of a column must be text."
    elif "columns" in asked and not (item.is_string and len(names) == item.size):
        wrong["columns"] = (
            f"There must be {item.size} columns, one for each choice."
            if item.is_string
            else "This question has one report, a code. It stands in one column."
        )
    way, texts = asked.get("as", ""), asked.get("texts")
    if way not in ("", *WAYS):
        wrong["as"] = "This must be codes or labels."
    if texts is not None:
        wrong |= _wrong_texts(item, texts, "columns" in asked)
    if wrong:
        raise Invalid(wrong)
    own = None if texts is None else {folded(text): report for text, report in texts.items()}
    return Wanted(tuple(name.strip() for name in names), own, way, _stripped(asked.get("missing") or ()))


def _is_text(name: Any) -> bool:
    """Whether a file can hold it."""
    if not isinstance(name, str) or len(name) > LONGEST_TEXT or "\0" in name:
        return False
    return name.encode(errors="replace").decode() == name


def _wrong_texts(item: Item, texts: Any, each: bool) -> dict[str, str]:
    if item.is_string and not each:
        return {"texts": "A string of marks is read as it is, 0 and 1. It needs no texts."}
    if not isinstance(texts, dict) or not texts or len(texts) > MOST_TEXTS:
        return {"texts": "This must be an object: text -> report."}
    most = 1 if each else item.size - 1
    wrong = {}
    for text, report in texts.items():
        if not _is_text(text):
            wrong["texts"] = f"A text must be text of at most {LONGEST_TEXT} characters."
        elif type(report) is not int or not 0 <= report <= most:
            wrong[f"texts.{text[:50]}"] = f"A report must be a whole number from 0 to {most}."
    if len({folded(text) for text in texts}) < len(texts):
        wrong["texts"] = "Two texts differ in capital letters or spaces only; cells are compared without them."
    return wrong


def shown(texts: list[str], most: int = 12) -> str:
    """A list of texts of the file, cut where it is long."""
    listed = ", ".join(f"“{clipped(text)}”" for text in texts[:most])
    return listed + (f" and {len(texts) - most:,} more" if len(texts) > most else "")


def clipped(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def letters(place: int) -> str:
    """A column's name in a spreadsheet: A, B, ..., Z, AA."""
    name, place = "", place + 1
    while place:
        place, rest = divmod(place - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
