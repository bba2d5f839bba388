"""What the form of a question asks for each kind, and what it says of it."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from surveys.definition.grids import MOST_ANSWERS
from surveys.definition.kinds import KINDS, Kind, Traits


@dataclass(frozen=True)
class KindForm:
    """name, icon: of its type; hint: what stands below it; in_grid: where that is another one in a grid. fields: those
    of the form that only some kinds need; and `statements`, the way on to a grid.
    """

    name: str
    icon: str
    hint: str
    fields: tuple[str, ...]
    in_grid: str = ""


BY_THE_DEVICE = ("decline", "design")
KIND_FORMS = {
    Kind.YES_NO: KindForm(
        "Yes/no",
        "yes-no",
        "The device scrambles the answer before sending it.",
        (*BY_THE_DEVICE, "mode", "anchor", "values"),
    ),
    Kind.CHOICE: KindForm(
        "Single choice",
        "single",
        "People pick one answer of 2 to 20,000. The device scrambles it before sending.",
        ("choices", "file", "statements", *BY_THE_DEVICE),
        f"People pick one answer of 2 to {MOST_ANSWERS}. The device scrambles it before sending.",
    ),
    Kind.ANY: KindForm(
        "Multiple choice",
        "multiple",
        "People tick all that apply. The device picks one or a few choices at random and sends only those, scrambled. "
        "Use few choices: each one is estimated from part of the responses.",
        ("choices", *BY_THE_DEVICE),
    ),
    Kind.QUANTITY: KindForm(
        "Number",
        "number",
        "People type a number, such as hours or an amount. The report shows the average.",
        ("low", "high", "step", "unit", "aim", *BY_THE_DEVICE),
    ),
    Kind.SCALE: KindForm(
        "Rating scale",
        "scale",
        "2 to 11 points, for example agreement. The report shows the average or the shares.",
        ("points", "aim", "statements", *BY_THE_DEVICE),
    ),
    Kind.WRITTEN: KindForm(
        "Short text",
        "text",
        "A name or a place, for example. You can only count texts that you list, now or later. Needs thousands of "
        "people.",
        ("candidates", "design"),
    ),
    Kind.BACKGROUND: KindForm(
        "Single choice",
        "single",
        "Not protected. We store the answer as given, and it could help identify someone. Ask only what you need.",
        ("choices", "file", "statements", "declinable", "cut"),
    ),
    Kind.NUMBER: KindForm(
        "Number",
        "number",
        "Not protected, for example an age in years. Groups identify people less easily.",
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
            "name": KIND_FORMS[kind].name,
            "icon": KIND_FORMS[kind].icon,
            "is_scrambled": KINDS[kind].sensitive,
            "hint": (in_grid and KIND_FORMS[kind].in_grid) or KIND_FORMS[kind].hint,
            "select": KINDS[kind].select if KINDS[kind].sensitive else "one",
            "answers": len(KINDS[kind].fixed),
        }
        for kind in _offered(in_grid)
    ]


def needs(*, in_grid: bool) -> dict[str, str]:
    """Field -> the kinds that need it, as question.js reads them."""
    fields = {kind: KIND_FORMS[kind].fields for kind in _offered(in_grid)}
    return {
        name: " ".join(kind for kind in fields if name in fields[kind])
        for name in chain(*fields.values())
    }


def _offered(in_grid: bool) -> list[Kind]:
    return [kind for kind in Kind if KINDS[kind].in_grid or not in_grid]


def fits(traits: Traits, what: str, size: int) -> bool:
    """Whether designs for `what` fit the kind, with so many answers: designs.js decides alike."""
    if traits.select in ("any", "text"):
        return what == traits.select
    if traits.is_ordered:
        return what in ("ordered", "both")
    return what in ("one", "both") or (what == "two" and size == 2)
