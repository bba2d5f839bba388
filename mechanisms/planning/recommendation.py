"""Which mechanism to take for a number of answers and an epsilon."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import Den, exp_capped
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import recipes
from mechanisms.estimation.decoding import Select


@dataclass(frozen=True)
class Recommendation:
    """A mechanism with its error and the reason for its place.

    error: n times the total squared error over all answers when all are equally frequent, sampling included; the
    error of n reports is error / n.
    """

    mechanism: Mechanism
    error: float
    reason: str


def total_error(mechanism: Mechanism) -> float:
    """n times the total squared error at uniform true shares, sampling included: sum of r (1 - r) / slope^2.

    Where a report picks what it speaks of, divided by the part of the reports that speak of an answer.

    ValueError for a general matrix of more than two answers.
    """
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is any but a general matrix of more than two answers"
        )
    reports = line.offset + line.slope / mechanism.size
    return float((reports * (1 - reports) / line.slope**2).sum() / mechanism.reported_fraction)


def best_known_error(size: int, epsilon: float) -> float:
    """The least total error, times n, that any known mechanism reaches at uniform true shares.

    The minimum over whole widths w of (k - 1)^2 (w e + k - w)^2 / (k (e - 1)^2 w (k - w)): subset selection at real-
    valued chances (Ye and Barg 2018). Their continuous form 4 e (k - 1)^2 / (k (e - 1)^2) is lower when k < e + 1, and
    cannot be reached there.
    """
    k, e = checks.size(size), exp_capped(checks.epsilon(epsilon))
    w = np.arange(1, k)
    return float(np.min((k - 1) ** 2 * ((w * e + k - w) / (e - 1)) ** 2 / (k * w * (k - w))))


def recommend(
    size: int, epsilon: float, select: Select = "one", *, den: Den = checks.MAX_DEN
) -> list[Recommendation]:
    """The mechanisms for one question, least total squared error first.

    select: "one" for a single choice, "any" for choose-all-that-apply.
    den: as for the mechanisms. Of more than 200 answers direct encoding is left out, which needs many times the
    respondents, and geometry stands in its place. The errors are those of the integers, not of the formulas.
    """
    fitting = sorted(recipes(size, select), key=lambda recipe: recipe.ease)
    return rank(recipe.make(size, epsilon, den) for recipe in fitting if size <= recipe.most)


def rank(candidates: Iterable[Mechanism]) -> list[Recommendation]:
    """Least total squared error first; where two are the same but for the last digit, in the order given."""
    ranked = sorted(candidates, key=lambda mechanism: float(f"{total_error(mechanism):.5g}"))
    least = total_error(ranked[0])
    return [Recommendation(each, total_error(each), _reason(each, least)) for each in ranked]


def _reason(mechanism: Mechanism, least: float) -> str:
    more = total_error(mechanism) / least - 1
    place = (
        "Has the least total squared error"
        if more < 5e-5
        else f"Needs {more:.0%} more respondents for the same error"
    )
    return f"{place}. {mechanism.merit}"
