"""How a file is written, which of its columns hold which question, and what their cells stand for.

As it travels, in JSON; every part may be left out, and is then guessed from the header and the first rows:

    {"version": 2, "encoding": "windows-1252", "separator": ";", "header": 1, "first": 4, "missing": ["", "NA", "-99"],
     "questions": {"tax":   {"column": "Q1", "texts": {"Ja": 1, "Nein": 0}},
                   "age":   {"column": "Age", "as": "labels", "missing": ["999"]},
                   "fruit": {"columns": ["Apple", "Pear"], "texts": {"x": 1, "": 0}}}}

`texts` says what stands for which report, and alone unless it names nothing but codes: then the choices as they are
written count too. "as": "values" takes the values of the answers, "as": "codes" takes 0, 1, ..., "as":
"codes-from-1" takes 1, 2, ..., and "as": "labels" the choices as they are written (of a number, the number). Reports
that are strings of marks need no texts; where each choice has a column of its own, a text stands for a mark, 1, or
none, 0; of reports that hold some marks of many the other cells are empty. `split` says what separates the answers in
one cell, and "as": "crosses" takes a cross, or the answer, against an empty cell. `missing` says what stands for no
report, in the file or, besides, for one question. `version` is that of the codebook of a file that this program wrote:
by the third its cells have values, and by earlier ones codes from 0; by the first numbers are codes as well, later
they are themselves. The codes of any other file have to be given a meaning, unless they are values that the author
wrote.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from features.response_import.coding import FROM_1, OPEN, VALUES, Codes, is_code
from features.response_import.meanings import NOTHING, folded, is_coded, marks, stands_for
from features.response_import.multiple import own_texts
from mechanisms.designs.wire import NOT_PICKED
from surveys.definition.instrument import QuestionDefinition
from surveys.site.files.layout import Layout
from surveys.site.files.whole_table import Labels

WAYS = ("codes", FROM_1, "labels", VALUES)
CROSSES = (
    "crosses"  # in a column for each choice: a cross, or the choice itself, against an empty cell
)
UNKNOWN, MISSING, UNPICKED = -1, -2, -3  # in place of a code
COUNT = "count"  # of rows without an answer to any question: people who gave no answer
UNPICKED_TEXTS = {NOT_PICKED, *map(folded, NOTHING)}  # of a mark in a column of its own
OLDER = "Make a new version of this survey and prepare that. It allows rows with missing reports; this one is too old."


@dataclass(frozen=True)
class Column:
    """Where one question stands: `places` are indices of cells in a row, one, or one for each choice. Of a number that
    may be declined the second says who did.

    texts: what stands for which report, in small letters; None for a string of marks in one cell.
    missing: what stands for no report, in small letters; own: what was said of this question alone.
    codes: those of this part; meanings: what the author said that codes stand for. Both where `way` is open.
    """

    item: QuestionDefinition
    names: tuple[str, ...]
    places: tuple[int, ...]
    texts: dict[str, int] | None
    way: str  # of WAYS, "own" or coding.OPEN: what filled texts; "" where no cell says anything
    missing: frozenset[str] = frozenset()
    own: tuple[str, ...] = ()
    codes: Codes = field(default_factory=dict)
    meanings: dict[str, int] = field(default_factory=dict)
    split: str = ""  # what separates the answers, where one cell holds all answers of a person

    def code(self, text: str) -> int:
        """What a cell stands for: a code or mark, UNPICKED, MISSING or UNKNOWN."""
        text = folded(text)
        meaning = stands_for(self.texts or {}, text)
        if (
            meaning is None
            and self.is_spread
            and self.item.report_format.spreads
            and text in UNPICKED_TEXTS
        ):
            return UNPICKED
        if meaning is None:
            return MISSING if self.is_missing(text) else UNKNOWN
        return meaning

    @property
    def is_spread(self) -> bool:
        return self.item.is_string and len(self.places) > 1

    @property
    def declining(self) -> "Column | None":
        """The column of 0 and 1 that says who declined to give a number."""
        if self.item.is_string or len(self.places) == 1:
            return None
        texts = marks() | {
            "not declined": 0,
            folded(str(self.item.choices[-1])): 1,
        }  # as files with labels have it
        return replace(self, names=self.names[1:], places=self.places[1:], texts=texts, way="codes")

    def of_choice(self, place: int) -> "Column":
        """Return the column of one choice. In columns of crosses it may also hold the choice itself."""
        if self.way != CROSSES:
            return self
        own = dict.fromkeys(own_texts(self.item, place), 1)
        return replace(self, texts=(self.texts or {}) | own)

    def each(self, texts: list[str]) -> list[int]:
        """What the cells of one row stand for."""
        declining = self.declining
        columns = [self.of_choice(place) for place in range(len(texts))]
        if declining:
            columns = [self, declining]
        return [column.code(text) for column, text in zip(columns, texts, strict=True)]

    def is_missing(self, text: str) -> bool:
        return stands_for(dict.fromkeys(self.missing, 1), text) is not None


@dataclass(frozen=True)
class Plan:
    """Everything that is needed to read a row."""

    layout: Layout
    header: tuple[str, ...]
    columns: tuple[Column, ...]
    missing: tuple[str, ...] = ()
    rows_without_answers: str = ""  # COUNT, or "" to leave them out

    @property
    def width(self) -> int:
        return len(self.header)

    @property
    def takes_nothing(self) -> bool:
        """Whether a row of empty cells is a response: no mark at all."""
        return all(
            column.texts is not None and "" in column.texts and column.way != CROSSES
            for column in self.columns
        )

    @property
    def leaves_out(self) -> bool:
        """Whether rows without an answer to any question are left out.

        In a file that this program wrote each row is a person.
        """
        is_own_file = bool(self.layout.version)
        return bool(self.missing) and not is_own_file and self.rows_without_answers != COUNT

    @property
    def takes_absence(self) -> bool:
        """Whether a row of empty cells is a response that has no report at all."""
        counts = self.rows_without_answers == COUNT or bool(self.layout.version)
        return counts and all(
            "" in column.missing and "" not in (column.texts or {}) for column in self.columns
        )

    def asked(self) -> dict[str, Any]:
        """The same as a mapping that leaves nothing to guess."""
        layout = {name: value for name, value in vars(self.layout).items() if value}
        questions = {column.item.key: _said(column) for column in self.columns}
        asked = layout | {"missing": list(self.missing), "questions": questions}
        if self.rows_without_answers:
            asked["rows_without_answers"] = self.rows_without_answers
        return asked


def _said(column: Column) -> dict[str, Any]:
    said: dict[str, Any] = (
        {"columns": list(column.names)} if column.is_spread else {"column": column.names[0]}
    )
    said |= {"missing": list(column.own)} if column.own else {}
    if column.split:
        return said | {"split": column.split}
    if column.way == CROSSES:
        return said | {"as": CROSSES}
    if column.way == "own":
        return said | {"texts": column.texts}
    if column.way == OPEN and column.meanings:
        return said | {"texts": column.meanings}
    return said | ({"as": column.way} if column.way in WAYS and not column.is_spread else {})


@dataclass(frozen=True)
class Wanted:
    """One question of a mapping as it was asked for."""

    names: tuple[str, ...] = ()
    texts: dict[str, int] | None = None
    way: str = ""
    missing: tuple[str, ...] = ()
    split: str = ""

    def names_codes(self, item: QuestionDefinition) -> bool:
        """Return whether `texts` says what codes mean, so that the words of the answers keep their meaning."""
        return is_coded(item) and bool(self.texts) and all(map(is_code, self.texts or ()))


@dataclass(frozen=True)
class Mapping:
    """missing: None where nothing was said of it. labels: those of the file, which no mapping holds."""

    layout: Layout = field(default_factory=Layout)
    questions: dict[str, Wanted] = field(default_factory=dict)
    missing: tuple[str, ...] | None = None
    labels: Labels = field(default_factory=Labels)
    rows_without_answers: str = ""  # COUNT, or "" to leave them out
