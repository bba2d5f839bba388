"""Which columns of a file hold which question, and what their cells stand for.

As it travels, in JSON; every part may be left out, and is then guessed from the header and the first rows:

    {"separator": ";",
     "questions": {"tax":   {"column": "Q1", "texts": {"Ja": 1, "Nein": 0}},
                   "age":   {"column": "Age", "as": "labels"},
                   "fruit": {"columns": ["Apple", "Pear"], "texts": {"x": 1, "": 0}}}}

`texts` says what stands for which report; "as": "codes" takes 0, 1, ..., "as": "labels" the choices as they are written
(of a number, the number). Reports that are strings of marks need no texts; where each choice has a column of its own,
a text stands for a mark, 1, or none, 0.
"""

from dataclasses import dataclass, field
from typing import Any

from surveys.errors import Invalid
from surveys.formulas import FORMULA
from surveys.importing.text import Broken
from surveys.publishing.instruments import Item, Paper

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}
WAYS = ("codes", "labels")
MOST_TEXTS = MOST_COLUMNS = 5000
LONGEST_TEXT = 500


@dataclass(frozen=True)
class Column:
    """Where one question stands: `places` are indices of cells in a row, one, or one for each choice.

    texts: what stands for which report, in small letters; None for a string of marks in one cell.
    """

    item: Item
    names: tuple[str, ...]
    places: tuple[int, ...]
    texts: dict[str, int] | None
    way: str  # "codes", "labels", "own", or "both": what filled texts


@dataclass(frozen=True)
class Plan:
    """Everything that is needed to read a row."""

    separator: str
    header: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def width(self) -> int:
        return len(self.header)

    @property
    def takes_nothing(self) -> bool:
        """Whether a row of empty cells is a response: no mark at all."""
        return all(column.texts is not None and "" in column.texts for column in self.columns)

    def asked(self) -> dict[str, Any]:
        """The same as a mapping that leaves nothing to guess."""
        return {"separator": self.separator, "questions": {column.item.key: _said(column) for column in self.columns}}


def _said(column: Column) -> dict[str, Any]:
    said: dict[str, Any] = {"columns": list(column.names)} if len(column.names) > 1 else {"column": column.names[0]}
    if column.way == "own":
        return said | {"texts": column.texts}
    return said | ({"as": column.way} if column.way in WAYS and len(column.names) == 1 else {})


@dataclass(frozen=True)
class Wanted:
    """One question of a mapping as it was asked for."""

    names: tuple[str, ...] = ()
    texts: dict[str, int] | None = None
    way: str = ""


@dataclass(frozen=True)
class Mapping:
    separator: str = ""
    questions: dict[str, Wanted] = field(default_factory=dict)


def parse(frozen: Paper, data: Any) -> Mapping:
    """A mapping out of JSON. Raises Invalid with the place of each mistake."""
    if data is None:
        return Mapping()
    if not isinstance(data, dict) or set(data) - {"separator", "questions"}:
        raise Invalid({"mapping": "A mapping has separator and questions, and nothing else."})
    wrong: dict[str, str] = {}
    separator = data.get("separator") or ""
    if separator and separator not in tuple(SEPARATORS):
        wrong["separator"] = "The separator must be a comma, a semicolon or a tab."
    questions, items = data.get("questions", {}), {item.key: item for item in frozen.items}
    if not isinstance(questions, dict):
        raise Invalid({"questions": "This must be an object: question key -> where it stands."})
    found = {}
    for key, asked in questions.items():
        if key not in items:
            wrong[f"questions.{str(key)[:50]}"] = "There is no such question."
            continue
        try:
            found[key] = _wanted(items[key], asked)
        except Invalid as error:
            wrong |= {f"questions.{key}{place and '.' + place}": message for place, message in error.errors.items()}
    if wrong:
        raise Invalid(wrong)
    return Mapping(separator, found)


def _wanted(item: Item, asked: Any) -> Wanted:
    if not isinstance(asked, dict) or set(asked) - {"column", "columns", "texts", "as"}:
        raise Invalid({"": "A question has column or columns, and texts or as; nothing else."})
    wrong = {}
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
    return Wanted(tuple(name.strip() for name in names), own, way)


def _is_text(name: Any) -> bool:
    """Whether a file in UTF-8 can hold it."""
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


def folded(text: str) -> str:
    """How texts are compared: without capital letters, and with single spaces."""
    return " ".join(text.split()).casefold()


def codes(item: Item) -> dict[str, int]:
    return {str(code): code for code in range(item.size)}


def labels(item: Item) -> dict[str, int]:
    plain = {folded(label): code for code, label in enumerate(item.choices)}
    defused = {folded("'" + label): code for code, label in enumerate(item.choices) if label.startswith(FORMULA)}
    return defused | plain


def marks() -> dict[str, int]:
    return {"0": 0, "1": 1}


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


def check_header(header: list[str]) -> None:
    """Raises Broken where the first row names nothing."""
    if not any(name.strip() for name in header):
        raise Broken("The first row must hold the names of the columns. It is empty.", 1)
    if len(header) > MOST_COLUMNS:
        raise Broken(f"The file has {len(header):,} columns. At most {MOST_COLUMNS:,} are read.", 1)
