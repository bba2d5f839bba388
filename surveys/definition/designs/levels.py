"""Protection chosen by its meaning: three levels in odds, and the design that serves a level best."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mechanisms import (
    DirectEncoding,
    Geometry,
    Marks,
    Mechanism,
    Rappor,
    SubsetSelection,
    best_known_error,
    planning,
    recommend,
    round_up,
    total_error,
)
from mechanisms.designs.picking import TYPICAL
from mechanisms.planning.channels import Channel
from mechanisms.planning.texts import times_beside
from surveys.definition.designs.catalogue import MOST_MARKED

# A little above ln 2, ln 3 and ln 9, so that the chances of a yes/no question are 2/3, 3/4 and 9/10.
EPSILONS = {"strong": "0.6932", "balanced": "1.0987", "light": "2.1973"}
USUAL = "balanced"
AUTOMATIC = "automatic"  # the same at an epsilon of the author's own
AIMS = {"mean": "ordered", "shares": "shares"}  # what is wanted of numbers and scales, as `automatic` takes it


@dataclass(frozen=True)
class Automatic:
    """A design by its key and parameters, as a question keeps them, and why it is the one."""

    design: str
    parameters: dict[str, str]
    reason: str


@lru_cache(maxsize=1024)
def automatic(size: int, epsilon: str, select: str = "one") -> Automatic:  # noqa: PLR0911 (one line for each kind)
    """The most precise design for so many answers at this epsilon. ValueError for an epsilon that is no number above 0.

    select: "any" for choose-all-that-apply; "text" for written answers; of numbers and scales "ordered" for their mean
    and "shares" for the share of each.
    """
    if select == "shares":
        found = automatic(size, epsilon)
        fits = found.design in ("direct", "subset")  # others are explained by Yes and No
        return found if fits else Automatic("direct", {"epsilon": epsilon}, found.reason)
    if select == "text":
        return Automatic("written", {"epsilon": epsilon}, "Of rare texts no other known design tells more.")
    if select == "ordered":
        return Automatic("window", {"epsilon": epsilon}, "No other known design tells a mean more precisely.")
    if size > MOST_MARKED and select == "one":
        listed = Geometry(size, float(epsilon), den="survey")
        return Automatic("geometry", {"epsilon": epsilon}, _reason_for_a_list(listed))
    ranked = recommend(size, float(epsilon), select, den="survey")
    best = ranked[0].mechanism
    if select == "any":
        return Automatic("marks", {"epsilon": epsilon}, _reason_for_marks(*(each.mechanism for each in ranked)))
    if size == 2:
        return _of_two(Fraction(best.rows[0][0], best.den))
    if isinstance(best, DirectEncoding):
        design = "direct"
    elif isinstance(best, SubsetSelection):
        design = "subset"
    else:
        design = "unary-optimized" if 2 * best.p == 1 else "unary-symmetric"
    return Automatic(design, {"epsilon": epsilon}, _reason([(each.mechanism.title, each.error) for each in ranked]))


def _of_two(kept: Fraction) -> Automatic:
    reason = "For two answers no design with this epsilon is more precise."
    if kept == Fraction(3, 4):
        return Automatic("two-coin", {}, reason)
    return Automatic("warner", {"p": str(kept)}, reason)


def _reason(ranked: list[tuple[str, float]]) -> str:
    """Why the first wins over the first other that is really different."""
    least = ranked[0][1]
    others = [(title, error / least - 1) for title, error in ranked[1:] if error / least - 1 >= 0.005]
    if not others:
        return "No other design with this epsilon is more precise."
    title, more = others[0]
    return f"It is the most precise design at this epsilon: “{title}” would need {more:.0%} more respondents."


def aim_of(design: str) -> str:
    """What a design of a number or a scale is made for."""
    return "shares" if design in ("direct", "subset") else "mean"


def _reason_for_marks(marks: Marks, every: Mechanism) -> str:
    """What picking saves beside scrambling every mark, and what it cannot say."""
    picked = "one mark" if marks.pick == 1 else f"{marks.pick} marks"
    errors = [planning.standard_error(Channel.of(each), TYPICAL, 1) for each in (every, marks)]
    ratio = float(errors[0] / errors[1]) ** 2
    fewer = f"{ratio:.0f} times fewer people" if ratio >= 2 else f"{1 - 1 / ratio:.0%} fewer people"
    return (
        f"The device picks {picked} by chance and spends all protection there: that needs {fewer} than scrambling "
        "every mark. It tells how many chose each, not how many chose two together."
    )


def _reason_for_a_list(mechanism: Geometry) -> str:
    """What a report in one number costs beside the best that is known, which needs a mark for each answer."""
    fewer = 100 * (1 - best_known_error(mechanism.size, mechanism.epsilon) / total_error(mechanism))
    return (
        f"No known design would need more than {max(1, math.ceil(fewer))}% fewer respondents, and its reports are one "
        "number, however long the list is."
    )


def beside_a_hash(rappor: Rappor) -> str:
    """What RAPPOR costs beside the usual design of written answers, what it buys, and both of its epsilons."""
    times = times_beside(rappor)
    cost = (
        f"{times:.1f} times the respondents of the hash" if times >= 1.05 else "about as many respondents as the hash"
    )
    once, ever = (f"{round_up(each, 2):.2f}" for each in (rappor.epsilon_once, rappor.epsilon))
    return (
        f"One report alone has epsilon {once}; there it needs {cost}. What counts is {ever}, for all reports together "
        "that a device ever draws from what it keeps, if its owner says so: later versions then need not ask again. A "
        "changed answer is not covered."
    )


def level_of(design: str, parameters: dict[str, str], size: int, select: str = "one") -> str | None:
    """The level that these choices are, or None."""
    for level, epsilon in EPSILONS.items():
        found = automatic(size, epsilon, select)
        if (found.design, found.parameters) == (design, parameters):
            return level
    return None
