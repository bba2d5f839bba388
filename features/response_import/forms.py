"""The form that says how a file is written and which column holds which question: a guess, read back as a mapping."""

from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from features.response_import.code_table import (
    CodeTable,
    ColumnCodes,
    TypedCodes,
    code_table,
    typed_codes,
)
from features.response_import.coding import OPEN, YES_NO_CODES
from features.response_import.guess import guess_names
from features.response_import.mapping import WAYS, Column
from features.response_import.meanings import clipped, folded, is_coded, plain
from mechanisms.designs.wire import NOT_PICKED
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.columns import Column as Exported, columns as exported
from surveys.site.errors import Invalid

MANY = 200  # columns
LONGEST_HINT = 80  # characters
LONGEST_ROW_NUMBER = 15  # digits
FEW = 30  # choices for which each gets a field; with more, codes or labels have to do


@dataclass
class Choice:
    """One answer and what the form says about it."""

    label: str
    code: int
    column: str = ""  # where each choice has a column of its own
    text: str = ""  # what stands for it


@dataclass
class Line:
    """One question in the form. way: of WAYS, own, or "" where the file shows it, as `shows` says; spread: a column for
    each choice.

    What the file shows is looked for anew each time: another column, or another missing code, may show something else.
    """

    item: QuestionDefinition
    columns: list[str]  # to choose from
    column: str = ""
    is_spread: bool = False
    way: str = ""
    shows: str = ""
    choices: list[Choice] = field(default_factory=list)
    marked: str = ""
    unmarked: str = ""
    missing: str = ""  # what stands for no report to this question besides
    table: CodeTable | None = None  # of the codes in its column, if they have to be given a meaning
    errors: list[str] = field(default_factory=list)
    hints: dict[str, str] = field(
        default_factory=dict
    )  # what the file says of its columns, by their names

    @property
    def column_options(self) -> list[tuple[str, str]]:
        """The columns to choose from, each with what the file says of it, shortened."""
        return [(name, clipped(self.hints.get(name, ""), LONGEST_HINT)) for name in self.columns]

    @property
    def has_texts(self) -> bool:
        return (
            not self.item.is_string
            and not self.is_number
            and 0 < len(self.item.report_labels) <= FEW
        )

    @property
    def has_code_table(self) -> bool:
        return self.table is not None and self.table.is_shown

    @property
    def has_too_many_codes(self) -> bool:
        """Return whether the codes are too many for a table, so that all that can be said is how they count."""
        return self.way.startswith("codes") or (self.table is not None and not self.table.is_shown)

    @property
    def has_many(self) -> bool:
        """Columns too many to list them again for each question."""
        return len(self.columns) > MANY

    @property
    def is_number(self) -> bool:
        return self.item.traits.is_number and not self.has_own_numbers

    @property
    def has_own_numbers(self) -> bool:
        """Whether a report is a number that is none of the answers."""
        return self.item.has_own_numbers

    @property
    def example(self) -> str:
        other = NOT_PICKED if self.item.report_format.spreads else "0"
        return other * (self.item.size - 1) + "1" if self.item.size <= 12 else f"{other}…1"


def asked(frozen: SurveyDefinition, typed: QueryDict) -> tuple[dict[str, Any], dict[str, str]]:
    """A mapping as typed, and what is wrong question by question. Nothing typed is left to the guess."""
    questions, wrong = {}, {}
    for item in frozen.items if "mapped" in typed else ():
        try:
            questions[item.key] = _asked(item, typed) | _missing_here(item, typed)
        except Invalid as error:
            wrong[item.key] = str(error)
    return _layout(frozen, typed) | {"questions": questions}, wrong


def _layout(frozen: SurveyDefinition, typed: QueryDict) -> dict[str, Any]:
    """How the file is written, and what stands for no report, if the form asked for it already."""
    if "laid" not in typed:
        return {}
    header = typed.get("header", "").strip()
    layout: dict[str, Any] = {
        name: typed.get(name, "") for name in ("encoding", "separator", "sheet")
    }
    layout["header"] = int(header) if _is_row_number(header) else header or None
    first = typed.get("first", "").strip()
    if _is_row_number(first):
        # Where another row with the names was chosen below it, the first row is looked for anew.
        is_below = not isinstance(layout["header"], int) or int(first) > layout["header"]
        layout["first"] = int(first) if is_below else None
    else:
        layout["first"] = first or None
    if frozen.nonresponse:
        layout["missing"] = ([""] if "empty" in typed else []) + _listed(typed.get("missing", ""))
    return layout


def _is_row_number(text: str) -> bool:
    """Return whether a text is a whole number that is short enough for int()."""
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_ROW_NUMBER


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _missing_here(item: QuestionDefinition, typed: QueryDict) -> dict[str, Any]:
    texts = _listed(typed.get(f"missing-{item.key}", ""))
    if is_coded(item) and not typed.get(f"as-{item.key}"):
        texts += typed_codes(item, typed).missing
    return {"missing": texts} if texts else {}


def _asked(item: QuestionDefinition, typed: QueryDict) -> dict[str, Any]:
    key, mapping = item.key, {}
    way = typed.get(f"as-{key}", "")
    if is_spread(item, typed):
        mapping["columns"] = [typed.get(f"column-{key}-{code}", "") for code in range(item.size)]
        return mapping | ({"texts": _marks(item, typed)} if way == "own" else {})
    if typed.get(f"column-{key}"):
        mapping["column"] = typed[f"column-{key}"]
    if item.is_string:
        return mapping
    if way in WAYS:
        mapping["as"] = way
    if not way and is_coded(item) and (meanings := typed_codes(item, typed).texts):
        mapping["texts"] = meanings
    return mapping | ({"texts": _texts(item, typed)} if way == "own" else {})


def is_spread(item: QuestionDefinition, typed: QueryDict) -> bool:
    return item.is_string and typed.get(f"form-{item.key}") == "each"


def _texts(item: QuestionDefinition, typed: QueryDict) -> dict[str, int]:
    pairs = [(typed.get(f"text-{item.key}-{code}", "").strip(), code) for code in range(item.size)]
    return _once([(text, code) for text, code in pairs if text])


def _marks(item: QuestionDefinition, typed: QueryDict) -> dict[str, int]:
    pairs = [
        (typed.get(f"{name}-{item.key}", "").strip(), mark)
        for name, mark in (("marked", 1), ("unmarked", 0))
    ]
    if not pairs[0][0]:
        raise Invalid({"texts": "Write what the cell of a marked choice contains."})
    if item.report_format.spreads and not pairs[1][0]:
        raise Invalid(
            {
                "texts": "Write what means “no mark”. An empty cell means that chance did not pick the choice."
            }
        )
    return _once(pairs)


def _once(pairs: list[tuple[str, int]]) -> dict[str, int]:
    unique = dict(pairs)
    if not unique:
        raise Invalid({"texts": "Write what the file contains for each answer."})
    if len(unique) < len(pairs):
        raise Invalid({"texts": "Use a different text for each answer."})
    return unique


def lines(
    frozen: SurveyDefinition,
    header: list[str],
    mapped: list[Column | Invalid],
    typed: QueryDict,
    wrong: dict[str, str],
    *,
    column_codes: ColumnCodes,
) -> list[Line]:
    """The form, question by question: as typed, else as guessed."""
    columns, own = [name.strip() for name in header], exported(frozen)
    form = []
    for item, resolved in zip(frozen.items, mapped, strict=True):
        line = _line(own[item.key], columns, resolved, typed, wrong.get(item.key, ""))
        if is_coded(item):
            _ask_for_codes(line, resolved, typed, column_codes)
        form.append(line)
    return form


def _line(
    own: tuple[Exported, ...],
    columns: list[str],
    column: Column | Invalid,
    typed: QueryDict,
    wrong: str,
) -> Line:
    item = own[0].item
    names = [name for name in dict.fromkeys(columns) if name]
    line = Line(
        item, names, choices=[Choice(label, code) for code, label in enumerate(item.report_labels)]
    )
    if isinstance(column, Column):
        _fill(line, column)
    else:
        line.errors = [wrong] if wrong else list(column.errors.values())
        guessed = guess_names(item, own, columns)
        line.column = next(iter(guessed), "")
        if len(guessed) > 1 and len(guessed) == item.size:
            _propose_columns(line, guessed)
    if "mapped" in typed:
        _keep(line, typed)
    if wrong:
        line.errors = [wrong]
    return line


def _propose_columns(line: Line, names: tuple[str, ...]) -> None:
    """Show a column for each choice, which the author has to confirm."""
    line.is_spread = True
    for choice, name in zip(line.choices, names, strict=True):
        choice.column = name


def _ask_for_codes(
    line: Line, resolved: Column | Invalid, typed: QueryDict, column_codes: ColumnCodes
) -> None:
    """Add the table of codes to a line, with its error in place of the one for programs.

    What was typed as “Something else”, but names nothing but codes, goes on as the table.
    """
    table_as_typed = typed_codes(line.item, typed)
    if line.way == "own":
        meanings = {
            plain(folded(choice.text)): str(choice.code) for choice in line.choices if choice.text
        }
        table_as_typed = TypedCodes(column=line.column, rows={}, meanings=meanings)
    table = code_table(
        line.item, resolved, table_as_typed, column=line.column, column_codes=column_codes
    )
    if table is None or (line.way == "own" and not table.error):
        return
    line.table = table
    if table.error:
        line.errors = [table.error]
    if line.way == "own":
        line.way = ""


def _fill(line: Line, column: Column) -> None:
    line.is_spread = column.is_spread
    if is_coded(column.item):
        line.shows = _shown_way(column)
    else:
        line.way = column.way
    if line.is_spread:
        for choice, name in zip(line.choices, column.names, strict=True):
            choice.column = name
    else:
        line.column = column.names[0]


def _shown_way(column: Column) -> str:
    """Return how the cells of a column are read without a word of the author: “labels”, “codes” or ""."""
    if column.way != OPEN:
        return column.way
    if column.meanings or not column.texts:
        return ""
    is_yes_no = column.item.traits.has_yes and bool(column.codes)
    return "codes" if is_yes_no and column.codes.keys() <= YES_NO_CODES.keys() else "labels"


def _keep(line: Line, typed: QueryDict) -> None:
    """What the author typed stays; a column that was left to the guess shows the guess."""
    key = line.item.key
    line.is_spread = is_spread(line.item, typed)
    line.column = typed.get(f"column-{key}") or line.column
    line.way = typed.get(f"as-{key}") or line.way
    line.missing = typed.get(f"missing-{key}", "")
    line.marked, line.unmarked = typed.get(f"marked-{key}", ""), typed.get(f"unmarked-{key}", "")
    for choice in line.choices:
        choice.column = typed.get(f"column-{key}-{choice.code}") or choice.column
        choice.text = typed.get(f"text-{key}-{choice.code}", "")
