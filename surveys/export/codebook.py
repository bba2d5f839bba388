"""The codebook: what each variable is, how its reports were made, and how to correct for it."""

import math
from fractions import Fraction
from typing import Any

from surveys.publishing.instruments import Item, Paper
from surveys.reporting.numbers import finite

SENT_AS_IT_IS = "Sent as it is, not randomized: the share of a code among the rows is the estimate."
BY_LINE = (
    "With r the share of rows that report a choice (for strings of marks: that have a 1 at its place), the share of "
    "respondents for whom it is true is estimated by (r - d)/c, with standard error sqrt(r (1 - r)/n)/|c|."
)
BY_MATRIX = (
    "With r the row of shares reported and M the matrix, rows being truths, the shares of truths are estimated by "
    "r M^-1, with covariance M^-T (diag(r) - r' r) M^-1 / n."
)
MISSING = "an empty cell, or null: not asked / no report"
NUMBERS = "number"


def codebook(frozen: Paper, tally: dict | None = None) -> dict[str, Any]:
    """As plain data for JSON. tally: of the responses it goes with, where they are known."""
    return {
        "survey": frozen.survey,
        "title": frozen.title,
        "instrument": frozen.sha256,
        "language": frozen.language,
        "n": tally["n"] if tally else None,
        "epsilon": finite(frozen.epsilon),
        "epsilon_is_infinite": math.isinf(frozen.epsilon),
        "rows": f"A row is one response: {_how_many(frozen)} for each variable. The order of rows means nothing.",
        "variables": [_variable(item) | _missing(frozen, item, tally) for item in frozen.items],
    }


def _variable(item: Item) -> dict[str, Any]:
    spec = item.mechanism.spec() if item.mechanism else None
    return {
        "name": item.key,
        "question": item.text,
        "help": item.help,
        "kind": item.kind,
        "report": f"string of {item.size} marks 0 or 1, in the order of the choices" if item.is_string else "code",
        "choices": _choices(item),
        "design": item.mechanism.name if item.mechanism else None,
        "design_title": item.mechanism.title if item.mechanism else None,
        "mode": item.mode if item.mechanism else None,
        "mechanism": spec,
        "epsilon": finite(item.epsilon),
        "epsilon_is_infinite": item.epsilon is not None and math.isinf(item.epsilon),
        "how_to_correct": _how(item),
    }


def _how_many(frozen: Paper) -> str:
    return "one report or none" if frozen.optional else "exactly one report"


def _missing(frozen: Paper, item: Item, tally: dict | None) -> dict[str, Any]:
    """Of a question that may lack reports: what stands for none, and how many reports there are."""
    if item.key not in frozen.optional:
        return {}
    return {"missing": MISSING, "n": answered(item, tally)}


def answered(item: Item, tally: dict | None) -> int | None:
    """Reports to a question that may lack some."""
    return tally.get("answered", {}).get(item.key, tally["n"]) if tally else None


def _choices(item: Item) -> list[dict[str, Any]]:
    lines = line(item)
    return [
        {"code": code, "label": label, "c": float(lines[code][0]), "d": float(lines[code][1])}
        if lines
        else {"code": code, "label": label, "c": None, "d": None}
        for code, label in enumerate(item.choices)
    ]


def line(item: Item) -> list[tuple[Fraction, Fraction]] | None:
    """(c, d) of each choice, exactly: share reported = c * true share + d. None for a general matrix."""
    if item.mechanism is None:
        return [(Fraction(1), Fraction(0))] * item.size
    rows = item.mechanism.probabilities()
    if item.is_string:
        return [(rows[1][1] - rows[0][1], rows[0][1])] * item.size
    if item.mechanism.line() is None:
        return None
    # Whatever the truth is, if not this choice, the chance to report it is the same.
    return [(rows[v][v] - rows[v - 1][v], rows[v - 1][v]) for v in range(item.size)]


def _how(item: Item) -> str:
    if item.mechanism is None:
        return SENT_AS_IT_IS
    return BY_MATRIX if line(item) is None else BY_LINE


def as_markdown(frozen: Paper, tally: dict | None = None) -> str:
    """The same for reading."""
    parts = [f"# Codebook: {_plain(frozen.title)}", ""]
    if tally is not None:
        parts.append(f"{tally['n']:,} responses. ")
    parts += [
        f"A row is one response, with {_how_many(frozen)} for each variable; the order of rows means nothing.",
        f"Instrument (SHA-256): `{frozen.sha256}`.",
        f"Privacy loss per respondent, all questions together: epsilon {_shown(frozen.epsilon)}.",
        "",
    ]
    for item in frozen.items:
        parts += _section(frozen, item, tally)
    return "\n".join(parts)


def _section(frozen: Paper, item: Item, tally: dict | None) -> list[str]:
    form = f"a string of {item.size} marks, 0 or 1, in the order of the choices" if item.is_string else "a code"
    parts = [f"## {item.key}", "", f"**{_plain(item.text)}**", ""]
    if item.help:
        parts += [_plain(item.help), ""]
    if item.key in frozen.optional:
        n = answered(item, tally)
        form += f"; {MISSING}" + (f". n = {n:,} of {tally['n']:,}" if tally and n is not None else "")
    parts += [f"Reported as {form}.", "", *_choice_table(item), ""]
    if item.mechanism is None:
        return [*parts, SENT_AS_IT_IS, ""]
    drawn = f" Drawn: {item.mode}." if item.mode != "automatic" else ""
    parts += [f"Design: {item.mechanism.title}.{drawn} Epsilon {_shown(item.epsilon)}.", ""]
    return [*parts, *_chances(item), "", _how(item), ""]


def _choice_table(item: Item) -> list[str]:
    if item.kind == NUMBERS:
        return [f"Codes 0 to {item.size - 1} stand for the numbers {item.choices[0]} to {item.choices[-1]}."]
    lines = line(item)
    head = ["| code | choice | c | d |", "|---|---|---|---|"]
    return head + [
        f"| {code} | {_plain(label)} | {lines[code][0] if lines else ''} | {lines[code][1] if lines else ''} |"
        for code, label in enumerate(item.choices)
    ]


def _chances(item: Item) -> list[str]:
    spec = item.mechanism.spec()
    if spec["kind"] == "subset":
        return [
            f"A report marks {spec['width']} of {spec['size']} choices. The true one is among them with probability "
            f"{spec['keep']}/{spec['den']}; the others are drawn evenly."
        ]
    if spec["kind"] == "unary":
        marked, unmarked = spec["rows"][1][1], spec["rows"][0][1]
        return [
            f"The mark of a choice that is true is sent as 1 with probability {marked}/{spec['den']}, any other mark "
            f"with probability {unmarked}/{spec['den']}."
        ]
    rows = [f"| {truth} | {' | '.join(map(str, row))} |" for truth, row in enumerate(spec["rows"])]
    head = [
        f"Chances in {spec['den']:,}: a row for each truth, a column for each report, by code.",
        "",
        f"| truth | {' | '.join(map(str, range(item.size)))} |",
        "|---" * (item.size + 1) + "|",
    ]
    return head + rows


def _shown(epsilon: float) -> str:
    return f"{epsilon:.4f}" if math.isfinite(epsilon) else "infinite (a report can prove a truth)"


def _plain(text: str) -> str:
    """Text of an author's, with what Markdown would take for its own marked as text."""
    for letter in "\\`*_{}[]<>#|":
        text = text.replace(letter, "\\" + letter)
    return text
