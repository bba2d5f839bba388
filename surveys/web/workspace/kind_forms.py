"""What the form of a question asks for each kind, and what it says of it."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from surveys.definition.grids import MOST_ANSWERS
from surveys.definition.kinds import KINDS, Kind, Traits


@dataclass(frozen=True)
class KindForm:
    """hint: what stands below the kind; in_grid: where that is another one in a grid. fields: those of the form that
    only some kinds need.
    """

    hint: str
    fields: tuple[str, ...]
    in_grid: str = ""


BY_THE_DEVICE = ("decline", "design")
KIND_FORMS = {
    Kind.YES_NO: KindForm(
        "The respondent’s device scrambles the answer before sending it.", (*BY_THE_DEVICE, "mode", "anchor")
    ),
    Kind.CHOICE: KindForm(
        "The respondent picks one answer of 2 to 20,000; the device scrambles it before sending it.",
        ("choices", "file", *BY_THE_DEVICE),
        f"The respondent picks one answer of 2 to {MOST_ANSWERS}; the device scrambles it before sending it.",
    ),
    Kind.ANY: KindForm(
        "The respondent ticks any number of 2 to 100 choices; the device picks one or a few by chance, scrambles "
        "these, and sends nothing else. Each choice has a part of the respondents only, so keep them few.",
        ("choices", *BY_THE_DEVICE),
    ),
    Kind.QUANTITY: KindForm(
        "The respondent types a number, such as hours or an amount in steps; the device sends a scrambled one. "
        "The report gives the mean.",
        ("low", "high", "step", "unit", "aim", *BY_THE_DEVICE),
    ),
    Kind.SCALE: KindForm(
        "2 to 11 points in order, such as agreement. The report gives the mean, or the shares.",
        ("points", "aim", *BY_THE_DEVICE),
    ),
    Kind.WRITTEN: KindForm(
        "A short text, such as a name or a place. The device hashes and scrambles it; you count texts that you think "
        "of, before or after. Needs thousands of people.",
        ("candidates", "design"),
    ),
    Kind.BACKGROUND: KindForm(
        "Not protected: the true answer is stored, and together with others it can identify a person. "
        "Respondents are told so. Ask only what you need.",
        ("choices", "file", "declinable", "cut"),
    ),
    Kind.NUMBER: KindForm(
        "Not protected either: for example an age in years. Groups identify people less easily.",
        ("minimum", "maximum", "declinable", "cut"),
    ),
}
# Of fields that are not named as the setting is.
SETTINGS = {"low": "minimum", "high": "maximum", "points": "choices", "candidates": "choices"}


def radios(*, in_grid: bool) -> list[dict[str, Any]]:
    """select, answers: which designs fit, and how many answers the kind makes, for designs.js."""
    return [
        {
            "value": kind.value,
            "label": kind.label,
            "hint": (in_grid and KIND_FORMS[kind].in_grid) or KIND_FORMS[kind].hint,
            "select": KINDS[kind].select if KINDS[kind].sensitive else "one",
            "answers": len(KINDS[kind].fixed),
        }
        for kind in _offered(in_grid)
    ]


def needs(*, in_grid: bool) -> dict[str, str]:
    """Field -> the kinds that need it, as question.js reads them."""
    fields = {kind: KIND_FORMS[kind].fields for kind in _offered(in_grid)}
    return {name: " ".join(kind for kind in fields if name in fields[kind]) for name in chain(*fields.values())}


def _offered(in_grid: bool) -> list[Kind]:
    return [kind for kind in Kind if KINDS[kind].in_grid or not in_grid]


def fits(traits: Traits, what: str, size: int) -> bool:
    """Whether designs for `what` fit the kind, with so many answers: designs.js decides alike."""
    if traits.select in ("any", "text"):
        return what == traits.select
    if traits.is_ordered:
        return what in ("ordered", "both")
    return what in ("one", "both") or (what == "two" and size == 2)
