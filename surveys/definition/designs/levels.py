"""Protection chosen by its meaning: three levels in odds, and the design that serves a level best."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mechanisms.planning.recommendation import rank
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import MOST_MARKED, Design, in_page_order

# A little above ln 2, ln 3 and ln 9, so that the chances of a yes/no question are 2/3, 3/4 and 9/10.
EPSILONS = {"strong": "0.6932", "balanced": "1.0987", "light": "2.1973"}
USUAL = "balanced"
AUTOMATIC = "automatic"  # the same at an epsilon of the author's own
AIMS = {
    "mean": "ordered",
    "shares": "shares",
}  # what is wanted of numbers and scales, as `automatic` takes it


@dataclass(frozen=True)
class Automatic:
    """A design by its key and parameters, as a question keeps them, and why it is the one."""

    design: str
    parameters: dict[str, str]
    reason: str


@lru_cache(maxsize=1024)
def recommend_design(size: int, epsilon: str, select: str = "one") -> Automatic:
    """The most precise design for so many answers at this epsilon. ValueError for an epsilon that is no number above 0.

    select: "any" for choose-all-that-apply; "text" for written answers; of numbers and scales "ordered" for their mean
    and "shares" for the share of each.
    """
    if select == "shares":
        best = recommend_design(size, epsilon)
        fitting = [
            row.key for row in _designs_for("one") if row.ordered
        ]  # others are explained by Yes and No
        return (
            best
            if best.design in fitting
            else Automatic(fitting[0], {"epsilon": epsilon}, best.reason)
        )
    if select == "one" and size > MOST_MARKED:
        select = "list"
    rows = _designs_for(select)
    if isinstance(rows[0].level.reason, str):
        return _taken(rows, epsilon)
    built = [row.build(size, float(epsilon)) for row in rows]
    ranked = [each.mechanism for each in rank(built)]
    if size == 2 and select == "one":
        return _taken(_designs_for("two"), epsilon, ranked[0].probabilities()[0][0])
    best = rows[next(place for place, each in enumerate(built) if each is ranked[0])]
    return Automatic(best.key, {"epsilon": epsilon}, best.level.reason(ranked))


def _designs_for(place: str) -> list[Design]:
    """Return the designs that the levels use for this kind of question, simplest first."""
    return [row for row in in_page_order(DESIGNS.values()) if row.level.of == place]


def _taken(rows: Sequence[Design], epsilon: str, kept: Fraction | None = None) -> Automatic:
    """The first that such numbers make."""
    made = ((row, row.level.parameters(epsilon, kept)) for row in rows)
    return next(
        Automatic(row.key, given, str(row.level.reason)) for row, given in made if given is not None
    )


def design_aim(design: str) -> str:
    """Return "shares" or "mean": what a design for ordered answers is made for."""
    row = DESIGNS.get(design)
    return "shares" if row and row.ordered and row.select == "one" else "mean"


def matching_level(
    design: str, parameters: dict[str, str], size: int, select: str = "one"
) -> str | None:
    """Return the level that has this design and these parameters, or None."""
    for level, epsilon in EPSILONS.items():
        best = recommend_design(size, epsilon, select)
        if (best.design, best.parameters) == (design, parameters):
            return level
    return None
