"""The choice of a mechanism for a number of answers and an epsilon."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import Den, exp_capped
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import recipes
from mechanisms.estimation.decoding import Select

# A mechanism that needs less than this part more respondents than the best one counts as the best.
_EQUAL = 5e-5


@dataclass(frozen=True)
class Recommendation:
    """
    A mechanism with its error and the reason for its rank.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism.
    error : float
        n times the total squared error over all answers if all are equally frequent, sampling
        included. The error of n reports is error / n.
    reason : str
        A sentence or two about the rank of the mechanism and its advantages.
    """

    mechanism: Mechanism
    error: float
    reason: str


def total_error(mechanism: Mechanism) -> float:
    """
    Return n times the total squared error over all answers if all are equally frequent.

    It is the sum of r (1 - r) / slope^2 over the answers, with the expected shares r of reports.
    Sampling is included. If a report covers only some options, the sum is divided by the share of
    the reports that cover an option.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism.

    Returns
    -------
    float
        The error. That of n reports is this number divided by n.

    Raises
    ------
    ValueError
        For a general matrix of more than two answers.
    """
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is any but a general matrix of more than two"
            " answers"
        )
    report_shares = line.offset + line.slope / mechanism.size
    squared_errors = report_shares * (1 - report_shares) / line.slope**2
    return float(squared_errors.sum() / mechanism.reported_fraction)


def best_known_error(size: int, epsilon: float) -> float:
    """
    Return the smallest total error, times n, that any known mechanism reaches.

    All true shares are equal. The error is the minimum over whole widths w of
    (k - 1)^2 (w e + k - w)^2 / (k (e - 1)^2 w (k - w)) with k answers: that of subset selection
    with real probabilities. The continuous form of Ye and Barg, 4 e (k - 1)^2 / (k (e - 1)^2), is
    lower if k < e + 1, but cannot be reached there.

    Parameters
    ----------
    size : int
        The number of answers k, at least 2.
    epsilon : float
        The privacy loss of one report, above 0. In the formula, e is its exponential.

    Returns
    -------
    float
        The error. That of n reports is this number divided by n.

    References
    ----------
    Ye, M., & Barg, A. (2018). Optimal schemes for discrete distribution estimation under locally
    differential privacy. IEEE Transactions on Information Theory, 64, 5662–5676.
    """
    k = checks.size(size)
    e = exp_capped(checks.epsilon(epsilon))
    w = np.arange(1, k)
    numerators = (k - 1) ** 2 * ((w * e + k - w) / (e - 1)) ** 2
    denominators = k * w * (k - w)
    return float(np.min(numerators / denominators))


def recommend(
    size: int, epsilon: float, select: Select = "one", *, den: Den = checks.MAX_DEN
) -> list[Recommendation]:
    """
    Return the mechanisms for one question, the one with the smallest total squared error first.

    For more than 200 answers direct encoding is left out, since it would need many times the
    respondents, and geometry is offered instead. The errors are those of the integers by which
    reports are randomized, and not of the formulas.

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    epsilon : float
        The privacy loss of one report, above 0.
    select : {"one", "any"}, default "one"
        The number of answers that can be true of a person: "any" for a multiple selection.
    den : int or "survey", default 2**32
        The denominator of the probabilities, as for the mechanisms.

    Returns
    -------
    list of Recommendation
        The mechanisms, ranked as `rank` does.
    """
    by_ease = sorted(recipes(size, select), key=lambda recipe: recipe.ease)
    candidates = [recipe.make(size, epsilon, den) for recipe in by_ease if size <= recipe.most]
    return rank(candidates)


def rank(candidates: Iterable[Mechanism]) -> list[Recommendation]:
    """
    Return mechanisms with the smallest total squared error first.

    Parameters
    ----------
    candidates : iterable of Mechanism
        The mechanisms. Those whose errors are equal in five digits keep their order.

    Returns
    -------
    list of Recommendation
        The mechanisms with errors and reasons.
    """

    def rounded_error(mechanism: Mechanism) -> float:
        return float(f"{total_error(mechanism):.5g}")

    ranked = sorted(candidates, key=rounded_error)
    smallest_error = total_error(ranked[0])
    return [_recommendation(mechanism, smallest_error) for mechanism in ranked]


def _recommendation(mechanism: Mechanism, smallest_error: float) -> Recommendation:
    error = total_error(mechanism)
    more = error / smallest_error - 1
    if more < _EQUAL:
        sentence = "Has the least total squared error."
    else:
        sentence = f"Needs {more:.0%} more respondents for the same error."
    return Recommendation(mechanism=mechanism, error=error, reason=f"{sentence} {mechanism.merit}")
