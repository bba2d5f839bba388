"""Who draws for a classical yes/no question: the device unseen, the device with a spinner, or a person by hand.

The chances are cut into sections, each with what it asks for. A spinner shows them as parts of a circle; by hand, coins
and dice are thrown one after the other until they have decided for a section. Both realise the design's matrix exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from math import lcm, prod

from mechanisms import Mechanism
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.kinds import KINDS
from surveys.models import Question

Mode = Question.Mode
UNRELATED = "unrelated-question"
SIDES = (2, 6, 10)  # a coin, a die, a ten-sided die or ten slips of paper
MOST_THROWS = 3


@dataclass(frozen=True)
class Section:
    """`act` is what to do; it falls to `weight` of the total of all sections.

    "truth": answer truthfully; "yes", "no": say so; "statement", "opposite": say whether "my answer is Yes" or
    "my answer is No" is true; "harmless-yes", "harmless-no": the drawn answer of a harmless question; "harmless":
    answer the harmless question that is really asked.
    """

    act: str
    weight: int


def sections(mechanism: Mechanism, *, by_hand: bool = False) -> tuple[Section, ...]:
    """What a spinner or coins can land on, in the order of the circle. Only for the classical designs."""
    spec = mechanism.spec()
    (_, yes), (no, _) = spec["rows"]
    if spec["design"] == "warner":
        return Section("statement", spec["rows"][1][1]), Section("opposite", no)
    if spec["design"] == UNRELATED and by_hand:
        p = Fraction(spec["parameters"]["p"])
        return Section("truth", p.numerator), Section("harmless", p.denominator - p.numerator)
    names = ("harmless-yes", "harmless-no") if spec["design"] == UNRELATED else ("yes", "no")
    return Section("truth", spec["den"] - yes - no), Section(names[0], yes), Section(names[1], no)


def dice_needed(parts: Sequence[Section]) -> tuple[int, ...] | None:
    """Return the sides of the dice or coins that decide between the sections, or None."""
    total = sum(part.weight for part in parts)
    den = lcm(*(Fraction(part.weight, total).denominator for part in parts))
    for number in range(1, MOST_THROWS + 1):
        fitting = [
            sides
            for sides in combinations_with_replacement(SIDES, number)
            if prod(sides) % den == 0
        ]
        if fitting:
            return min(fitting, key=prod)
    return None


def is_statement(mode: str, mechanism: Mechanism | None) -> bool:
    """Whether the respondent says if a statement is true, as Warner asked, instead of answering Yes or No."""
    return mode != Mode.AUTOMATIC and mechanism is not None and mechanism.name == "warner"


@dataclass(frozen=True)
class Throw:
    """What came out: a face from `first` to `last` of something with so many `sides`. A coin's heads are 1."""

    sides: int
    first: int
    last: int


@dataclass(frozen=True)
class Outcome:
    """One line of the instructions by hand: if all of this came out, do `act`."""

    throws: tuple[Throw, ...]
    act: str


def throw_outcomes(parts: Sequence[Section]) -> list[Outcome]:
    """Return every result of the throws with the instruction it leads to."""
    sides = dice_needed(parts)
    share = Fraction(prod(sides), sum(part.weight for part in parts))
    ends = accumulate(int(part.weight * share) for part in parts)
    return _outcomes(sides, 0, [(end, part.act) for end, part in zip(ends, parts, strict=True)], ())


def _outcomes(
    sides: tuple[int, ...], start: int, ends: list[tuple[int, str]], before: tuple[Throw, ...]
) -> list[Outcome]:
    """Outcomes are numbered, here from `start`; each section ends at a number of `ends`."""
    outcomes: list[Outcome] = []
    width = prod(sides[1:])
    for face in range(1, sides[0] + 1):
        low = start + (face - 1) * width
        end, act = next((end, act) for end, act in ends if low < end)
        if low + width > end:
            outcomes += _outcomes(sides[1:], low, ends, (*before, Throw(sides[0], face, face)))
        elif outcomes and outcomes[-1].act == act and len(outcomes[-1].throws) == len(before) + 1:
            outcomes[-1] = Outcome(
                (*before, Throw(sides[0], outcomes[-1].throws[-1].first, face)), act
            )
        else:
            outcomes.append(Outcome((*before, Throw(sides[0], face, face)), act))
    return outcomes


def wrong_mode(
    *, mode: str, kind: str, design: str, mechanism: Mechanism | None, harmless: str = ""
) -> dict[str, str]:
    """Field -> message where a question cannot be asked in this mode."""
    if mode not in Mode.values:
        return {"mode": "Choose who scrambles the answer."}
    if mode == Mode.AUTOMATIC or mechanism is None:
        return {}
    name = f"“{Mode(mode).label}”"
    fitting = {key: f"“{row.title}”" for key, row in DESIGNS.items() if row.by_people}
    if "mode" not in KINDS[kind].special_settings or design not in fitting:
        *names, last = fitting.values()
        classical = f"{', '.join(names)} or {last}"
        return {
            "mode": f"{name} works for yes/no questions with the design {classical}. Choose one of these."
        }
    if mode == Mode.BY_HAND and dice_needed(sections(mechanism, by_hand=True)) is None:
        return {
            "mode": f"{name}: coins and dice can’t make these chances in three throws. Choose 3/4, 2/3 or 7/10."
        }
    if mode == Mode.BY_HAND and design == UNRELATED and not harmless:
        return {"harmless": "Write the harmless question that people answer instead."}
    return {}
