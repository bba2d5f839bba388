"""The codebook: what each variable is, how its reports were made, and how to correct for it."""

import json
import math
from dataclasses import replace
from typing import Any

from surveys import extensions
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.codebook_lines import line
from surveys.export.columns import Column, Holds, columns
from surveys.export.format import About
from surveys.export.scrambled import NOTE, has_scrambled, is_scrambled
from surveys.site.number_format import finite_or_none

# The version of the files that the codebook describes. In version 2 answers were codes from 0.
# Without a version, numbers were codes too, and the marks of a report one string.
VERSION = 3
SENT_AS_IT_IS = "Not randomized: the share of a value among the rows is the estimate."
BY_LINE = (
    "r is the share of rows that report a choice (for marks: with a 1 in its column). The estimate of the true share "
    "of respondents is (r - d)/c, with standard error sqrt(r (1 - r)/n)/|c|."
)
BY_MATRIX = (
    "r is the row of received shares and M the matrix, with a row for each true answer. The estimate of the true "
    "shares is r M^-1, with covariance M^-T (diag(r) - r' r) M^-1 / n."
)
BY_WEIGHTS = (
    "Each number that can be received has a weight. The weights are in the analysis scripts, the formula is in "
    "docs/statistics.md. The unbiased mean of the answers is the mean of these weights over all reports. Its "
    "standard error is sqrt((mean of squares - square of the mean)/n)."
)
BY_CANDIDATES = (
    "Reports are counted for texts that you list before you look at these rows. The report page and the Python "
    "library count them; docs/statistics.md says how. No column shows a share directly."
)
BY_PICKED = (
    "r is the share of marks 1 among the cells of a choice that are not empty, and n the number of these cells. The "
    "estimate of the true share of respondents is (r - d)/c, with standard error sqrt(r (1 - r)/n)/|c|. A cell is "
    "empty where chance picked other choices, whatever was true."
)
BY_GROUP = (
    "A code means a group of choices. Choices and codes have the same numbering. Each number is a point: a row of "
    "`dimension` numbers from 0 to `order` - 1 whose first number other than 0 is a 1. Points are ordered by the "
    "place of that 1, the last place first, then as numbers of base `order` (0 is 0…01). A choice is in the group of "
    "a code if the products of their numbers, place by place, sum to a multiple of `order`. r is the share of rows "
    "whose group contains a choice. The estimate of the true share of respondents is (r - d)/c, with standard error "
    "sqrt(r (1 - r)/n)/|c|. In Python, mechanisms.from_spec(mechanism) counts and corrects them."
)
PACKED = "In responses-packed.parquet it is one column, {name}, of {form}."
MISSING = "an empty cell, or null: not asked / no report"
NOT_ASKED = "an empty cell, or null: not asked"
NOT_FOR_ALL = "; asked only if {condition}"
LOT = "; each respondent got {count} of {size} questions, picked at random"


def codebook(
    frozen: SurveyDefinition, tally: dict | None = None, *, packed: bool = False
) -> dict[str, Any]:
    """As plain data for JSON. tally: of the responses it goes with, where they are known.

    packed: of the file in which the marks of a report are packed into bytes.
    """
    return {
        "version": VERSION,
        **({"note": NOTE} if has_scrambled(frozen) else {}),
        "survey": frozen.survey,
        "title": frozen.title,
        "instrument": frozen.sha256,
        "language": frozen.language,
        **({"languages": list(frozen.languages)} if frozen.further else {}),
        "n": tally["n"] if tally else None,
        "epsilon": finite_or_none(frozen.epsilon),
        "epsilon_is_infinite": math.isinf(frozen.epsilon),
        **(
            {"draw": {"count": frozen.draw.count, "of": list(frozen.draw.of)}}
            if frozen.draw
            else {}
        ),
        "rows": f"Each row is one response: {_how_many(frozen)} for each variable. The order of rows means nothing.",
        "variables": [
            _variable(
                item, _own_columns(frozen, item, packed=packed), packed=packed and item.is_string
            )
            | _missing(frozen, item, tally)
            for item in frozen.items
        ],
    }


def _own_columns(
    frozen: SurveyDefinition, item: QuestionDefinition, *, packed: bool
) -> tuple[Column, ...]:
    """Return the columns of a question; those of the packed file have codes."""
    return tuple(replace(column, keeps_codes=packed) for column in columns(frozen)[item.key])


def has_packed_form() -> bool:
    """Return whether a file can be had in which the marks of a report are packed into bytes."""
    return any("packed" in file.forms for file in extensions.export_formats)


def _packed(item: QuestionDefinition) -> str:
    return PACKED.format(name=item.key, form=in_bytes(item))


def _variable(item: QuestionDefinition, own: tuple[Column, ...], *, packed: bool) -> dict[str, Any]:
    """packed: whether its marks stand in one column; a choice then has its code-th bit."""
    spec = item.mechanism.spec() if item.mechanism else None
    return {
        "name": item.key,
        "columns": [item.key] if packed else [column.name for column in own],
        "question": item.text,
        **({"grid": item.grid} if item.grid else {}),
        "help": item.help,
        "kind": item.kind,
        "scrambled": is_scrambled(item),
        "report": in_bytes(item) if packed else _form(own),
        **(
            {"packed": _packed(item)} if item.is_string and not packed and has_packed_form() else {}
        ),
        **_numbers(own),
        "choices": _choices(item, own, packed=packed),
        **({} if item.decline_code is None else {"declined": item.decline_code}),
        "design": item.mechanism.name if item.mechanism else None,
        "design_title": item.mechanism.title if item.mechanism else None,
        "mode": item.mode if item.mechanism else None,
        "mechanism": spec,
        "epsilon": finite_or_none(item.epsilon),
        **(
            {"epsilon_of_one_report": item.mechanism.epsilon_once}
            if item.has_permanent_step
            else {}
        ),
        "epsilon_is_infinite": item.epsilon is not None and math.isinf(item.epsilon),
        "how_to_correct": _how(item),
    }


def _form(own: tuple[Column, ...]) -> str:
    """What stands in a file for a report."""
    first, last = own[0].ends
    match own[0].holds:
        case Holds.CODE:
            return "code" if own[0].keeps_codes else "value"
        case Holds.COHORT:
            return f"{len(own)} columns: the cohort, a whole number from {first} to {last}, then each bit as 0 or 1"
        case Holds.REPORT:
            return f"whole number from {first} to {last}, which is not an answer"
        case Holds.NUMBER:
            said = f", or nothing and {own[1].name} = 1 for “{own[1].choice}”" if own[1:] else ""
            return f"number from {first} to {last}{said}"
    empty = ", and empty where it was not picked" if own[0].item.report_format.spreads else ""
    return f"{len(own)} columns, one for each choice in their order: 0 or 1{empty}"


def in_bytes(item: QuestionDefinition) -> str:
    """What stands in the file in which the marks of a report are packed."""
    width = item.report_format.field.itemsize
    bits = f"{item.size} bits, one for each choice by its code, packed into bytes as numpy.packbits does"
    if item.report_format.spreads:
        return (
            f"{width} bytes: in the first {width // 2} {bits}, 1 where it was picked; in the "
            "others whether it is set"
        )
    return f"{width} byte{'s' if width > 1 else ''}: {bits}"


def _numbers(own: tuple[Column, ...]) -> dict[str, Any]:
    """The numbers that a column may hold."""
    if own[0].holds is not Holds.NUMBER:
        return {}
    first, last = own[0].ends
    return {"numbers": {"first": first, "last": last, "step": own[0].item.answer_values.step}}


def _how_many(frozen: SurveyDefinition) -> str:
    return "one report or none" if frozen.keys_with_missing else "exactly one report"


def _missing(
    frozen: SurveyDefinition, item: QuestionDefinition, tally: dict | None
) -> dict[str, Any]:
    """Of a question that may lack reports: what stands for none, and how many reports there are."""
    if item.key not in frozen.keys_with_missing:
        return {}
    return {"missing": _nothing(frozen, item), "n": answered(item, tally)}


def _nothing(frozen: SurveyDefinition, item: QuestionDefinition) -> str:
    """What stands for no report, and why there is none."""
    lot = (
        LOT.format(count=frozen.draw.count, size=len(frozen.draw.of))
        if frozen.is_drawn(item.key)
        else ""
    )
    whom = NOT_FOR_ALL.format(condition=item.condition_text) if item.when else ""
    return f"{NOT_ASKED}{whom}{lot}" if whom or lot else MISSING


def answered(item: QuestionDefinition, tally: dict | None) -> int | None:
    """Reports to a question that may lack some."""
    return tally.get("answered", {}).get(item.key, tally["n"]) if tally else None


def _choices(
    item: QuestionDefinition, own: tuple[Column, ...], *, packed: bool = False
) -> list[dict[str, Any]]:
    """Return each answer with its code, value and column, and how often it is reported.

    Only answers that are marks have a column of their own. (c, d) are those of line().

    The value is a number or a text as the file has it; a packed file has the code instead.
    """
    lines = line(item)
    values = replace(own[0], keeps_codes=False).answer_values
    rows = []
    for code, label in enumerate(item.choices):
        c, d = map(float, lines[code]) if lines else (None, None)
        column = {"column": own[code].name} if item.is_string and not packed else {}
        rows.append({"code": code, "value": values[code], **column, "label": label, "c": c, "d": d})
    return rows


def _how(item: QuestionDefinition) -> str:
    if item.mechanism is None:
        return SENT_AS_IT_IS
    if item.is_written:
        return BY_CANDIDATES
    if not item.tells_shares:
        return BY_WEIGHTS
    if line(item) is None:
        return BY_MATRIX
    if item.mechanism.in_groups and not item.is_string:
        return BY_GROUP
    return BY_PICKED if item.report_format.spreads else BY_LINE


def as_markdown(frozen: SurveyDefinition, tally: dict | None = None) -> str:
    """Return the codebook for reading, as the last part of README.txt."""
    parts = ["# Codebook", ""]
    if tally is not None:
        parts.append(f"{tally['n']:,} responses. ")
    parts += [
        f"Each row is one response, with {_how_many(frozen)} for each variable. The order of rows means nothing.",
        f"Instrument (SHA-256): `{frozen.sha256}`.",
        f"Privacy loss per respondent, all questions together: epsilon {_shown(frozen.epsilon)}.",
        "",
    ]
    for item in frozen.items:
        parts += _section(frozen, item, columns(frozen)[item.key], tally)
    return "\n".join(parts)


def _section(
    frozen: SurveyDefinition, item: QuestionDefinition, own: tuple[Column, ...], tally: dict | None
) -> list[str]:
    form = _form(own)
    parts = [
        f"## {item.key}",
        "",
        *([_plain(item.grid), ""] if item.grid else []),
        f"**{_plain(item.text)}**",
        "",
    ]
    if item.help:
        parts += [_plain(item.help), ""]
    if item.key in frozen.keys_with_missing:
        n = answered(item, tally)
        form += f"; {_nothing(frozen, item)}" + (
            f". n = {n:,} of {tally['n']:,}" if tally and n is not None else ""
        )
    parts += [f"Reported as: {form}.", "", *_choice_table(item, own), ""]
    if item.is_string and has_packed_form():
        parts += [_plain(_packed(item)), ""]
    if item.mechanism is None:
        return [*parts, SENT_AS_IT_IS, ""]
    drawn = f" Drawn: {item.mode}." if item.mode != "automatic" else ""
    parts += [f"Design: {item.mechanism.title}.{drawn} Epsilon {_shown(item.epsilon)}.", ""]
    return [*parts, *item.mechanism.describe_probabilities(), "", _how(item), ""]


def _choice_table(item: QuestionDefinition, own: tuple[Column, ...]) -> list[str]:
    if own[0].holds is Holds.REPORT and item.traits.is_number:
        unit = f" {_plain(item.unit)}" if item.unit else ""
        declined = (
            f"; {len(item.answer_values)} for “{_plain(item.choices[-1])}”" if item.aside else ""
        )
        first, last = item.answer_values[0], item.answer_values[-1]
        return [
            f"Answers x are 0, 1, ... for the numbers {first} to {last}{unit} in steps of {item.step}{declined}."
        ]
    if own[0].holds is Holds.NUMBER and item.mechanism is None:
        return []
    lines = line(item)
    named = "column | code | value" if item.is_string else "code | value"
    head = [f"| {named} | choice | c | d |", "|---" * (named.count("|") + 4) + "|"]
    table = []
    for code, label in enumerate(item.choices):
        column = f"{own[code].name} | " if item.is_string else ""
        value = _plain(str(own[0].answer_values[code]))
        c, d = lines[code] if lines else ("", "")
        table.append(f"| {column}{code} | {value} | {_plain(label)} | {c} | {d} |")
    return head + table


def _shown(epsilon: float) -> str:
    return (
        f"{epsilon:.4f}"
        if math.isfinite(epsilon)
        else "infinite (a report can prove the true answer)"
    )


def _plain(text: str) -> str:
    """Text of an author's, with what Markdown would take for its own marked as text."""
    for letter in "\\`*_{}[]<>#|":
        text = text.replace(letter, "\\" + letter)
    return text


class CodebookJson(About):
    name = "codebook.json"
    title = "Codebook for programs"
    media_type = "application/json"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return pretty(codebook(frozen, tally))


def pretty(content: dict) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
