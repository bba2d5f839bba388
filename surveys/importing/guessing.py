"""What a mapping leaves out, from the names of the columns and the first rows of a file."""

from collections.abc import Callable
from dataclasses import replace

from surveys.errors import Invalid
from surveys.export.columns import Column as Exported
from surveys.export.columns import Holds, columns
from surveys.export.text import heading
from surveys.formulas import armed
from surveys.importing.mapping import Column, Mapping, Plan, Wanted
from surveys.importing.meanings import NOTHING, WholeNumbers, codes, folded, labels, marks, stands_for
from surveys.importing.problems import letters, shown
from surveys.importing.table import Knows, Layout
from surveys.models import Question
from surveys.publishing.instruments import Item, Paper

SECOND = 2
WAY = {1: "codes", SECOND: "labels"}  # version of the codebook -> what numbers are
BOTH = "“{}” is an answer here, and shall stand for no report. Name it only for those questions where it is none."
Seen = Callable[[int], set[str]]  # the index of a column -> the different texts in it, folded


def resolve(frozen: Paper, mapping: Mapping, header: list[str], seen: Seen, layout: Layout) -> Plan:
    """What was asked for, and for the rest what header and first rows show. Raises Invalid with each open question.

    layout: how the file is written, wholly known by now.
    """
    found = resolve_each(frozen, mapping, header, seen)
    wrong = {
        f"questions.{item.key}.{place}": message
        for item, each in zip(frozen.items, found, strict=True)
        if isinstance(each, Invalid)
        for place, message in each.errors.items()
    }
    columns = tuple(each for each in found if isinstance(each, Column))
    if wrong := wrong or _twice(columns):
        raise Invalid(wrong)
    missing = (NOTHING if mapping.missing is None else mapping.missing) if frozen.nonresponse else ()
    return Plan(layout, tuple(name.strip() for name in header), columns, missing)


def knows(frozen: Paper) -> Knows:
    """Whether a row names a question of this survey."""
    own = columns(frozen)
    return lambda names: any(guess_names(item, own[item.key], names) for item in frozen.items)


def version(frozen: Paper, names: list[str]) -> int | None:
    """By which version of the codebook a file with these columns was written; None where that cannot be told.

    Of files with labels it is the second, since numbers have always stood in these as numbers.
    """
    own, first = columns(frozen), _first(frozen)
    alone = {key: [key] for key in own}
    marks = {item.key: [heading(column) for column in own[item.key]] for item in frozen.items if item.is_string}
    numbers = {key: [column.name for column in each] for key, each in own.items()}
    compact = numbers | {key: [key] for key in marks}
    second = [[name for names in form.values() for name in names] for form in (numbers, compact, alone | marks)]
    now = [armed(name) for name in names]
    if now == first:
        return None if first in second else 1
    return SECOND if now in second else None


def _first(frozen: Paper) -> list[str]:
    """The columns of a file of the first version: one for each question, but marks that were picked had their own."""
    ends = {item.key: [f"_{number + 1}" for number in range(item.size)] for item in frozen.items if item.wire.spreads}
    return [f"{item.key}{end}" for item in frozen.items for end in ends.get(item.key, [""])]


def resolve_each(frozen: Paper, mapping: Mapping, header: list[str], seen: Seen) -> list[Column | Invalid]:
    """The same question by question, with what is wrong in its place."""
    names = [name.strip() for name in header]
    is_ours = names == [item.key for item in frozen.items] or version(frozen, names) == 1
    holds_numbers = version(frozen, names) == SECOND
    found: list[Column | Invalid] = []
    for item in frozen.items:
        own = columns(frozen)[item.key]
        wanted = mapping.questions.get(item.key, Wanted())
        missing = _missing(frozen, mapping, wanted)
        if own[0].holds is Holds.NUMBER and not wanted.way:
            way = WAY.get(mapping.version or 0) or ("labels" if holds_numbers else "")
            wanted = replace(wanted, way=way)
        try:
            column = _resolve(own, wanted, names, lambda place, missing=missing: _left(seen(place), missing), is_ours)
            found.append(_with_missing(column, missing, wanted))
        except Invalid as error:
            found.append(error)
    return found


def _twice(columns: tuple[Column, ...]) -> dict[str, str]:
    """Columns that would answer two questions."""
    taken: dict[int, str] = {}
    wrong = {}
    for column in columns:
        for place, name in zip(column.places, column.names, strict=True):
            if place in taken:
                wrong[f"questions.{column.item.key}.column"] = f"“{name}” is already taken for {taken[place]}."
            taken.setdefault(place, column.item.key)
    return wrong


def _resolve(own: tuple[Exported, ...], wanted: Wanted, header: list[str], seen: Seen, is_ours: bool) -> Column:
    item = own[0].item
    names = wanted.names or guess_names(item, own, header)
    if not names:
        raise Invalid({"column": f"No column is named “{item.key}”. Say which one holds the answers to “{item.text}”."})
    places = tuple(_place(name, header) for name in names)
    if len(set(places)) < len(places):
        raise Invalid({"columns": "Each choice must have a column of its own."})
    if item.is_string and len(places) == 1:
        return Column(item, names, places, None, "")
    if item.is_string:
        return Column(item, names, places, wanted.texts or marks(), "own" if wanted.texts else "codes")
    if own[1:] and own[1].name in header:  # who declined to give a number
        names, places = (*names, own[1].name), (*places, _place(own[1].name, header))
    texts, way = (wanted.texts, "own") if wanted.texts else _texts(item, wanted.way, seen(places[0]), is_ours)
    return Column(item, names, places, texts, way)


def _missing(frozen: Paper, mapping: Mapping, wanted: Wanted) -> dict[str, str]:
    """What stands for no report to this question: folded -> as it was written."""
    if not frozen.nonresponse:
        return {}
    everywhere = NOTHING if mapping.missing is None else mapping.missing
    return {folded(text): text for text in (*everywhere, *wanted.missing)}


def _left(texts: set[str], missing: dict[str, str]) -> set[str]:
    return {text for text in texts if stands_for(dict.fromkeys(missing, 0), text) is None}


def _with_missing(column: Column, missing: dict[str, str], wanted: Wanted) -> Column:
    """The column, knowing what stands for no report. Raises Invalid where that is an answer too.

    What programs write for nothing gives way to an answer of that name. What the author named for this question goes
    before what was guessed of it; anything else may not mean both.
    """
    own, texts = set(map(folded, wanted.missing)), column.texts or {}
    if column.way != "own":
        kept = {text: code for text, code in texts.items() if text not in own}
        texts = WholeNumbers(texts.size, own) if isinstance(texts, WholeNumbers) else kept
    for text in sorted(set(missing) - set(map(folded, NOTHING))):
        if stands_for(texts, text) is not None:
            raise Invalid({"missing": BOTH.format(missing[text])})
    return replace(column, texts=column.texts and texts, missing=frozenset(missing), own=wanted.missing)


def _place(name: str, header: list[str]) -> int:
    if not name:
        raise Invalid({"column": "Choose a column."})
    places = [place for place, each in enumerate(header) if each == name]
    if not places:
        raise Invalid({"column": f"The file has no column “{name}”. It has {shown(header)}."})
    if len(places) > 1:
        where = " and ".join(letters(place) for place in places[:2])
        raise Invalid({"column": f"Two columns are named “{name}”, {where}. Give them different names."})
    return places[0]


def guess_names(item: Item, own: tuple[Exported, ...], header: list[str]) -> tuple[str, ...]:
    """The columns whose names say that they hold this question; nothing if there are none. own: those of our files."""
    by_name = {folded(armed(name)): name for name in reversed(header)}
    if item.is_string and {column.name for column in own} <= by_name.keys():
        return tuple(by_name[column.name] for column in own)
    for wanted in (item.key, item.text):
        if folded(wanted) in by_name:
            return (by_name[folded(wanted)],)
    if not item.is_string:
        return ()
    for between in (": ", "/", "_", ".", " "):
        for each in (item.choices, range(1, item.size + 1)):
            spread = [by_name.get(folded(f"{item.key}{between}{choice}")) for choice in each]
            if None not in spread:
                return tuple(filter(None, spread))
    return ()


def _texts(item: Item, way: str, seen: set[str], is_ours: bool) -> tuple[dict[str, int], str]:
    """Codes, labels, or both where no text could mean either. Raises Invalid where that cannot be told.

    Numbers that can be codes too are taken for codes only in a file with the header that our own export writes: one
    mistyped number in a file of numbers must not turn them all into codes.
    """
    by_code, by_label = codes(item), labels(item)
    if item.is_written:
        return by_code, "codes"
    if way:
        return (by_code, way) if way == "codes" else (by_label, way)
    if all(by_label.get(text, code) == code for text, code in by_code.items()):
        return by_label | by_code, "both"
    fits_codes, fits_labels = (
        all(stands_for(texts, each) is not None for each in seen) for texts in (by_code, by_label)
    )
    if fits_labels and not fits_codes:
        return by_label, "labels"
    if fits_codes and not fits_labels and is_ours:
        return by_code, "codes"
    raise Invalid({"as": _which(item)})


def _which(item: Item) -> str:
    are_numbers = item.kind in (Question.Kind.NUMBER, Question.Kind.QUANTITY)
    what = "the numbers themselves" if are_numbers else "the answers themselves"
    return (
        f"Say whether the cells hold {what} ({item.choices[0]}, {item.choices[1]}, …) or codes, where 0 stands for "
        f"{item.choices[0]}, 1 for {item.choices[1]}, and so on."
        + (" Files of this site hold the numbers where their codebook.json says version 2." if are_numbers else "")
    )
