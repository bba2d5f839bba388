"""What a mapping leaves out, from the names of the columns and the rows of a file."""

import re
from collections.abc import Callable
from dataclasses import replace

from features.response_import.coding import (
    OPEN,
    Codes,
    OpenCodes,
    Texts,
    add_codes,
    codes_in,
    codes_to_show,
    column_problem,
    open_codes,
    question,
    texts_of,
    texts_with_codes,
    value_problem,
    way_of_codebook,
)
from features.response_import.mapping import CROSSES, UNKNOWN, Column, Mapping, Plan, Wanted
from features.response_import.meanings import (
    NOTHING,
    WholeNumbers,
    clipped,
    folded,
    is_coded,
    marks,
    stands_for,
)
from features.response_import.messages import letters, shown
from features.response_import.multiple import (
    MARKED_SPELLINGS,
    SPELLINGS,
    answer_columns,
    are_crosses,
    cell_separator,
    cross_texts,
    holds_mark_strings,
    holds_own_answers,
)
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.columns import MARKED, Column as Exported, columns
from surveys.site.errors import Invalid
from surveys.site.files.formulas import unescape_formulas
from surveys.site.files.layout import CountKnown
from surveys.site.files.whole_table import Labels

BOTH = "“{}” is an answer here, so it can’t mean “no report” too. Set it only for questions where it is not an answer."
OWN_MARKS = {folded(label) for label in MARKED.values()}
WHICH_ANSWER = "{}: choose which column is which answer."
SHOWN = 4  # columns in a question to the author
FIT = "Choose which answer each of the labels {} means. They are not answers of this question."
Seen = Callable[
    [int], Texts
]  # the index of a column -> the different texts in it, with their numbers of rows


def resolve(
    frozen: SurveyDefinition,
    mapping: Mapping,
    header: list[str],
    seen: Seen,
    earlier: dict[str, Codes],
    *,
    last: bool = False,
) -> Plan:
    """What was asked for, and for the rest what header and rows show. Raises Invalid with each open question.

    mapping: its layout is wholly known by now. earlier: question key -> codes that came before.
    last: nothing follows, so that what is open is asked.
    """
    resolved = resolve_each(frozen, mapping, header, seen, earlier, last=last)
    columns = tuple(each for each in resolved if isinstance(each, Column))
    if len(columns) < len(resolved):
        raise _open_questions(frozen, resolved)
    if wrong := _twice(columns):
        raise Invalid(wrong)
    missing = (
        (NOTHING if mapping.missing is None else mapping.missing) if frozen.nonresponse else ()
    )
    return Plan(
        layout=mapping.layout,
        header=tuple(name.strip() for name in header),
        columns=columns,
        missing=missing,
        rows_without_answers=mapping.rows_without_answers,
    )


def _open_questions(frozen: SurveyDefinition, resolved: list[Column | Invalid]) -> Invalid:
    """Return what is wrong or open of each question, as one error."""
    errors: dict[str, str] = {}
    codes: dict[str, Codes] = {}
    for item, wrong in zip(frozen.items, resolved, strict=True):
        if isinstance(wrong, Invalid):
            errors |= {
                f"questions.{item.key}.{place}": message for place, message in wrong.errors.items()
            }
        if isinstance(wrong, OpenCodes):
            codes |= wrong.codes
    return OpenCodes(errors, codes) if codes else Invalid(errors)


def knows(frozen: SurveyDefinition, mapping: Mapping) -> CountKnown:
    """Return a function that counts the names in a row that are looked for.

    Where the mapping names columns, only these count, and the row with the most of them is the header: a respondent
    may have written what is also the key of a question.
    """
    named = set()
    for wanted in mapping.questions.values():
        named.update(filter(None, wanted.names))
    own = columns(frozen)

    def named_columns(names: list[str]) -> int:
        return sum(1 for name in named if _places(name, names))

    def guessed_questions(names: list[str]) -> int:
        """Return how many questions a row names; 2 stands for more than one."""
        known = 0
        for item in frozen.items:
            known += int(bool(guess_names(item, own[item.key], names)))
            if known == 2:
                break
        return known

    return named_columns if named else guessed_questions


def resolve_each(
    frozen: SurveyDefinition,
    mapping: Mapping,
    header: list[str],
    seen: Seen,
    earlier: dict[str, Codes],
    *,
    last: bool = False,
) -> list[Column | Invalid]:
    """The same question by question, with what is wrong in its place."""
    names = [name.strip() for name in header]
    resolved: list[Column | Invalid] = []
    for item in frozen.items:
        own = columns(frozen)[item.key]
        wanted = mapping.questions.get(item.key, Wanted())
        missing = _missing(frozen, mapping, wanted)
        try:
            column = _located(own, wanted, names)
            if item.is_string:
                column = _of_multiple(column, wanted, seen, missing, version=mapping.layout.version)
            has_labels = (
                is_coded(item) and mapping.labels.values.get(column.names[0]) and not wanted.way
            )
            if has_labels and not column.way:
                way = "own" if column.meanings else "labels"
                column = replace(column, texts=texts_of(item, "labels") | column.meanings, way=way)
            elif not column.way and not is_coded(item) and not item.is_string:
                column = _of_numbers(column, wanted.way, mapping.layout.version)
            elif not column.way and not item.is_string:
                texts = _left(seen(column.places[0]), missing)
                column = _of_answers(column, texts, wanted.way, mapping.layout.version)
                is_readable = all(column.code(text) != UNKNOWN for text in texts)
                _require_meanings(column, earlier.get(item.key, {}), last=last and is_readable)
            resolved.append(
                _labelled(
                    _with_missing(column, missing, wanted), mapping.labels, seen, bool(missing)
                )
            )
        except Invalid as error:
            resolved.append(error)
    return resolved


def _twice(columns: tuple[Column, ...]) -> dict[str, str]:
    """Columns that would answer two questions."""
    taken: dict[int, str] = {}
    wrong = {}
    for column in columns:
        for place, name in zip(column.places, column.names, strict=True):
            if place in taken:
                wrong[f"questions.{column.item.key}.column"] = (
                    f"“{name}” is already used for {taken[place]}."
                )
            taken.setdefault(place, column.item.key)
    return wrong


def _located(own: tuple[Exported, ...], wanted: Wanted, header: list[str]) -> Column:
    """The column, with what its cells stand for only where the author wrote that, or they are marks."""
    item = own[0].item
    names = wanted.names or guess_names(item, own, header)
    if not names and (spread := unclear(item, header)):
        raise Invalid({"columns": WHICH_ANSWER.format(_listed(spread))})
    if not names:
        raise Invalid(
            {
                "column": f"Choose the column with the answers to “{item.text}”. None is named “{item.key}”."
            }
        )
    places = tuple(_place(name, header) for name in names)
    if len(set(places)) < len(places):
        raise Invalid({"columns": "Choose a different column for each choice."})
    if item.is_string and len(places) == 1:
        return Column(item, names, places, None, "")
    if item.is_string:
        return Column(
            item, names, places, wanted.texts or marks(), "own" if wanted.texts else "codes"
        )
    if own[1:] and _places(own[1].name, header):  # who declined to give a number
        names, places = (*names, own[1].name), (*places, _place(own[1].name, header))
    if wanted.names_codes(item):
        return Column(item, names, places, None, "", meanings=wanted.texts or {})
    return Column(item, names, places, wanted.texts, "own" if wanted.texts else "")


def _of_multiple(
    column: Column, wanted: Wanted, seen: Seen, missing: dict[str, str], *, version: int
) -> Column:
    """Return the columns of a question in which several answers can be chosen, with what their cells stand for.

    Raises Invalid if columns are named after the places of the answers, and neither the author nor the cells say that
    the answers come in the order of the question. It is also raised if a cell can be read in two ways.

    version: of the codebook of ours that the file was written by, or 0.
    """
    item = column.item
    is_picked = item.report_format.spreads
    if not column.is_spread:
        if wanted.split:
            return replace(column, split=wanted.split)
        texts = seen(column.places[0])
        if is_picked or version or holds_mark_strings(item, texts):
            return column
        missing_texts = dict.fromkeys(missing, 1)
        separator = cell_separator(
            item, texts, lambda text: stands_for(missing_texts, text) is not None
        )
        return replace(column, split=separator)

    if column.way == "own" or is_picked:
        return column
    written_missing = set(missing) - {""}
    texts_by_choice = [set(seen(place)) - written_missing for place in column.places]
    # In files with labels that this program wrote, columns are numbered in the order of the answers.
    present = set().union(*texts_by_choice) - {""}
    is_own_file = bool(present) and present <= OWN_MARKS
    is_stated = bool(wanted.names or version or is_own_file)
    if not is_stated and _is_numbered(column) and not holds_own_answers(item, texts_by_choice):
        raise Invalid({"columns": WHICH_ANSWER.format(_listed(list(column.names)))})
    if wanted.way == CROSSES or are_crosses(item, texts_by_choice):
        return replace(column, texts=cross_texts(), way=CROSSES)
    return column


def _is_numbered(column: Column) -> bool:
    """Return whether columns are named after the places of the answers."""
    name_by_folded = {folded(unescape_formulas(name)): name for name in column.names}
    answers = answer_columns(column.item, name_by_folded)
    return answers is None or answers.is_numbered


def _of_numbers(column: Column, wanted: str, version: int) -> Column:
    """Return the column of a number, or of a code that is none of the answers: the cells are the value."""
    is_code = column.item.has_own_numbers or version == 1
    way = wanted or ("codes" if is_code else "labels")
    return replace(column, texts=texts_of(column.item, way, by_codebook=bool(version)), way=way)


def _of_answers(column: Column, texts: Texts, wanted: str, version: int) -> Column:
    """Return the column of a question with choices, with what its cells stand for.

    texts: what stands in it, without what is missing. wanted: how the author says that the cells are to be read.
    version: of the codebook of ours that the file was written by, or 0.
    """
    item = column.item
    if not column.meanings and (wanted or version):
        way = wanted or way_of_codebook(item, texts, version)
        return replace(column, texts=texts_of(item, way, by_codebook=bool(version)), way=way)
    if problem := value_problem(item, texts):
        raise Invalid({"texts": problem})
    codes = codes_in(texts)
    return replace(
        column, texts=texts_with_codes(item, codes, column.meanings), way=OPEN, codes=codes
    )


def _require_meanings(column: Column, earlier: Codes, *, last: bool) -> None:
    """Raise OpenCodes where the whole column has codes without a meaning, and Invalid where it has too many codes.

    earlier: the codes of the parts before. last: whether it is time to ask: no part follows, and no cell is wrong.
    """
    if column.way != OPEN:
        return
    item, codes = column.item, add_codes(earlier, column.codes)
    if message := column_problem(item, column.names[0], codes):
        raise Invalid({"column": message})
    unknown = open_codes(item, codes, column.meanings) if last else {}
    if unknown:
        listed = codes_to_show(item, codes, unknown)
        raise OpenCodes({"texts": question(item, unknown)}, {item.key: listed})


def _missing(frozen: SurveyDefinition, mapping: Mapping, wanted: Wanted) -> dict[str, str]:
    """What stands for no report to this question: folded -> as it was written."""
    if not frozen.nonresponse:
        return {}
    everywhere = NOTHING if mapping.missing is None else mapping.missing
    return {folded(text): text for text in (*everywhere, *wanted.missing)}


def _left(texts: Texts, missing: dict[str, str]) -> Texts:
    """What stands for a report. What programs write for nothing is looked at where a column holds nothing else."""
    left = {
        text: cells
        for text, cells in texts.items()
        if stands_for(dict.fromkeys(missing, 0), text) is None
    }
    return left or {text: cells for text, cells in texts.items() if text in map(folded, NOTHING)}


def _with_missing(column: Column, missing: dict[str, str], wanted: Wanted) -> Column:
    """The column, knowing what stands for no report. Raises Invalid where that is an answer too.

    What programs write for nothing gives way to an answer of that name. What the author named for this question goes
    before what was guessed of it; anything else may not mean both.
    """
    own, texts = set(map(folded, wanted.missing)), column.texts or {}
    if column.way != "own":
        kept = {
            text: code for text, code in texts.items() if text not in own or text in column.meanings
        }
        texts = WholeNumbers(texts.size, own) if isinstance(texts, WholeNumbers) else kept
    for text in sorted(set(missing) - set(map(folded, NOTHING))):
        if stands_for(texts, text) is not None:
            raise Invalid({"missing": BOTH.format(missing[text])})
    return replace(
        column, texts=column.texts and texts, missing=frozenset(missing), own=wanted.missing
    )


def _labelled(column: Column, labels: Labels, seen: Seen, may_lack: bool) -> Column:
    """The column, knowing the labels of its file. Raises Invalid where some of them are no answers.

    What the file declares missing is no report, unless it is an answer. Numbers and marks are values.
    """
    names = column.names if column.is_spread else column.names[:1]
    own = {
        folded(label): value
        for name in names
        for label, value in labels.values.get(name, {}).items()
    }
    if not own or column.texts is None:
        return column
    texts, item = column.texts, column.item
    if may_lack:
        lost = {folded(label) for name in names for label in labels.missing.get(name, [])}
        column = replace(column, missing=column.missing | lost)
    if not is_coded(item):
        codes = {
            label: stands_for(texts, value)
            for label, value in own.items()
            if label not in column.missing
        }
        known = {label: code for label, code in codes.items() if code is not None}
        column = column if isinstance(texts, WholeNumbers) else replace(column, texts=known | texts)
    if not (is_coded(item) or column.is_spread):
        return column
    present = {text for place in column.places for text in seen(place)}
    if strange := [label for label in own if label in present and column.code(label) == UNKNOWN]:
        raise Invalid({"texts": FIT.format(_listed(strange))})
    return column


def _listed(texts: list[str]) -> str:
    return ", ".join(f"“{clipped(text)}”" for text in texts[:SHOWN]) + (
        ", …" if len(texts) > SHOWN else ""
    )


def _place(name: str, header: list[str]) -> int:
    if not name:
        raise Invalid({"column": "Choose a column."})
    places = _places(name, header)
    if not places:
        raise Invalid({"column": f"The file has no column “{name}”. It has {shown(header)}."})
    if len(places) > 1:
        where = " and ".join(letters(place) for place in places[:2])
        raise Invalid(
            {"column": f"Two columns are named “{name}”, {where}. Give them different names."}
        )
    return places[0]


def _places(name: str, header: list[str]) -> list[int]:
    """Where columns stand that are named exactly so, or else as texts are compared."""
    exact = [place for place, each in enumerate(header) if each == name]
    return exact or [place for place, each in enumerate(header) if folded(each) == folded(name)]


def guess_names(
    item: QuestionDefinition, own: tuple[Exported, ...], header: list[str]
) -> tuple[str, ...]:
    """The columns whose names say that they hold this question; nothing if there are none. own: those of our files.

    Kobo writes all that a person picked into one column and then a column for each choice, so these go first. Columns
    named after the question that do not say which choice each one is leave it open.
    """
    by_name = {folded(unescape_formulas(name)): name for name in reversed(header)}
    if item.is_string and {column.name for column in own} <= by_name.keys():
        return tuple(by_name[column.name] for column in own)
    if item.is_string:
        answers = answer_columns(item, by_name)
        if answers is not None:
            return answers.names
    if len(unclear(item, header, MARKED_SPELLINGS)) >= max(item.size, 2):
        return ()
    for wanted in (item.key, item.text):
        if folded(wanted) in by_name:
            return (by_name[folded(wanted)],)
    return ()


def unclear(
    item: QuestionDefinition, header: list[str], spellings: tuple[str, ...] = SPELLINGS
) -> list[str]:
    """Columns that are named after a question of several marks and something else, in the spelling that most have."""
    if not item.is_string:
        return []
    shapes = [
        re.compile(re.escape(folded(each.format(item.key, "\0"))).replace("\0", ".+"))
        for each in spellings
    ]
    named = ([name for name in header if each.fullmatch(folded(name))] for each in shapes)
    return max(named, key=len)
