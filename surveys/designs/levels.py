"""Protection chosen by its meaning: three levels in odds, and the design that serves a level best."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mechanisms import DirectEncoding, SubsetSelection, recommend

# A little above ln 2, ln 3 and ln 9, so that the chances of a yes/no question are 2/3, 3/4 and 9/10.
EPSILONS = {"strong": "0.6932", "balanced": "1.0987", "light": "2.1973"}
USUAL = "balanced"
AUTOMATIC = "automatic"  # the same at an epsilon of the author's own


@dataclass(frozen=True)
class Automatic:
    """A design by its key and parameters, as a question keeps them, and why it is the one."""

    design: str
    parameters: dict[str, str]
    reason: str


@lru_cache(maxsize=1024)
def automatic(size: int, epsilon: str, select: str = "one") -> Automatic:
    """The most precise design for so many answers at this epsilon. ValueError for an epsilon that is no number above 0.

    select: "any" for choose-all-that-apply.
    """
    ranked = recommend(size, float(epsilon), select, den="survey")
    best = ranked[0].mechanism
    if select == "any":
        return Automatic("unary-any", {"epsilon": epsilon}, "Each choice is protected by itself with an equal part.")
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


def level_of(design: str, parameters: dict[str, str], size: int, select: str = "one") -> str | None:
    """The level that these choices are, or None."""
    for level, epsilon in EPSILONS.items():
        found = automatic(size, epsilon, select)
        if (found.design, found.parameters) == (design, parameters):
            return level
    return None
