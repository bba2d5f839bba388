"""Levels of protection, and the design that serves an epsilon best for a kind of question."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mechanisms.planning.recommendation import rank
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import MOST_MARKED, Design, in_page_order

# The epsilons among which authors choose for a single question. They are a little above ln 2, ln 3
# and ln 9, so that a yes/no answer is kept with the probability 2/3, 3/4 or 9/10. The levels of a
# whole survey are others: see surveys.definition.protection.LEVELS.
EPSILONS = {"strong": "0.6932", "balanced": "1.0987", "light": "2.1973"}
# The level whose epsilon is filled in where an author enters one.
USUAL_LEVEL = "balanced"
# Authors choose this to get the best design at an epsilon that they enter.
AUTOMATIC = "automatic"
# The kind of question for recommend_design, by what the author wants to know of ordered answers.
AIMS = {"mean": "ordered", "shares": "shares"}


@dataclass(frozen=True)
class Automatic:
    """A recommended design: its key, its parameters as a question stores them, and the reason."""

    design: str
    parameters: dict[str, str]
    reason: str


@lru_cache(maxsize=1024)
def recommend_design(size: int, epsilon: str, select: str = "one") -> Automatic:
    """Return the most precise design for questions with `size` answers at this epsilon.

    For one choice of two answers it is two coins or Warner's design. Raises ValueError if epsilon
    is not a number above 0.

    epsilon: the privacy loss as a text, which is also stored as a parameter.
    select: what an answer is: "one" choice, "any" number of choices, or "text". Of numbers and
        scales, "ordered" is for their mean, and "shares" for the share of each answer.
    """
    if select == "shares":
        # The share of each answer is estimated as for one choice of several answers. But designs
        # for two answers do not fit, because they explain their reports by Yes and No.
        best = recommend_design(size, epsilon, "one")
        fitting = [design.key for design in _designs_for("one") if design.ordered]
        if best.design in fitting:
            return best
        return Automatic(fitting[0], {"epsilon": epsilon}, best.reason)

    if select == "one" and size > MOST_MARKED:
        # For a long list, reports with a mark for each answer would be too long.
        select = "list"
    designs = _designs_for(select)
    if isinstance(designs[0].level.reason, str):
        # Only one design is for these questions, so there is nothing to compare.
        return _first_possible(designs, epsilon, keep_probability=None)

    mechanisms = [design.build(size, float(epsilon)) for design in designs]
    ranked = [comparison.mechanism for comparison in rank(mechanisms)]
    best_mechanism = ranked[0]

    if size == 2 and select == "one":
        # The designs for two answers are not compared. The one that keeps answers with the
        # probability of the best mechanism is as precise as that mechanism.
        # The first row is for people whose answer has code 0, and who keep it in the first column.
        probability_rows = best_mechanism.probabilities()
        keep_probability = probability_rows[0][0]
        return _first_possible(_designs_for("two"), epsilon, keep_probability)

    design_pairs = zip(designs, mechanisms, strict=True)
    best_design = next(design for design, mechanism in design_pairs if mechanism is best_mechanism)
    return Automatic(best_design.key, {"epsilon": epsilon}, best_design.level.reason(ranked))


def _designs_for(questions: str) -> list[Design]:
    """Return the designs among which a level chooses, in the order of the author's page.

    questions: which questions the level chooses for, as in `Level.questions`: "one", "two", "list",
        "any", "ordered" or "text".
    """
    all_designs = in_page_order(DESIGNS.values())
    return [design for design in all_designs if design.level.questions == questions]


def _first_possible(
    designs: Sequence[Design], epsilon: str, keep_probability: Fraction | None
) -> Automatic:
    """Return the first of the designs that has parameters for this epsilon, as a recommendation.

    One of them always has: only two coins may lack parameters, and Warner’s design then has some.

    designs: the designs for questions of one type, whose reasons are fixed texts.
    epsilon: the privacy loss as a text.
    keep_probability: for two answers, the probability that an answer is kept; None otherwise.
    """
    possible = []
    for design in designs:
        parameters = design.level.parameters(epsilon, keep_probability)
        if parameters is not None:
            possible.append(Automatic(design.key, parameters, str(design.level.reason)))
    return possible[0]


def design_aim(design: str) -> str:
    """Return what a design for numbers or scales estimates: "shares" of the answers or "mean".

    design: the key of the design. An unknown key gives "mean".
    """
    row = DESIGNS.get(design)
    if row and row.ordered and row.select == "one":
        return "shares"
    return "mean"


def matching_level(
    design: str, parameters: dict[str, str], size: int, select: str = "one"
) -> str | None:
    """Return the level at which exactly this design is recommended, or None if there is none.

    The level is "strong", "balanced" or "light".

    design, parameters: the design of a question and its parameters, as the question stores them.
    size, select: as in `recommend_design`.
    """
    for level, epsilon in EPSILONS.items():
        best = recommend_design(size, epsilon, select)
        if best.design == design and best.parameters == parameters:
            return level
    return None
