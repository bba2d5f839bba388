"""Probabilities as integers: common denominators, log ratios, and weights for a declared epsilon.

A probability stored as a float is sampled slightly wrongly, and its epsilon is only approximately
the declared one. Here every probability is an integer over a common denominator, so that the
probability and its epsilon are exact.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal

from mechanisms import checks

# Rows of integer weights. The weights of a row sum to a denominator.
Rows = tuple[tuple[int, ...], ...]
# A denominator, or "survey" for numbers that are easy to say.
Den = int | Literal["survey"]

# Denominators that are easy to say, for surveys. The last one is the default of the library.
SURVEY_DENS = (4, 6, *(10**power for power in range(1, 10)), checks.MAX_DEN)
# The share of the declared epsilon that is enough for a smaller denominator to be chosen.
LEAST_REALIZED_FRACTION = 0.99
# math.exp overflows soon after this epsilon. Beyond it the first guess of a weight is the same.
_EXP_LIMIT = 700.0


def log_ratio(numerator: int, denominator: int) -> float:
    """
    Return ln(numerator / denominator), which is also accurate if the ratio is near 1.

    Mechanisms compute their epsilon with it: the log ratio of the weights of a report.

    Parameters
    ----------
    numerator, denominator : int
        Integers from 0. At least one of them is above 0.

    Returns
    -------
    float
        The logarithm. It is inf if only the denominator is 0, and -inf if only the numerator is.
    """
    if numerator < denominator:
        return -log_ratio(denominator, numerator)
    if denominator == 0:
        return math.inf
    # Near 1, a float of the ratio would lose digits of its difference from 1. math.log1p takes this
    # difference, ln(1 + x).
    if numerator < 2 * denominator:
        return math.log1p((numerator - denominator) / denominator)
    return math.log(numerator / denominator)


def exp_capped(epsilon: float) -> float:
    """
    Return exp(epsilon), or the very large number exp(700) if that would overflow.

    Parameters
    ----------
    epsilon : float
        Any number.

    Returns
    -------
    float
        The exponential of the smaller of `epsilon` and 700.
    """
    return math.exp(min(epsilon, _EXP_LIMIT))


def integer_rows(rows: Sequence[Sequence[Fraction]], den: int | None = None) -> tuple[Rows, int]:
    """
    Convert rows of fractions to integers over a common denominator.

    For example, the rows (2/3, 1/3) and (1/4, 3/4) become (8, 4) and (3, 9) over 12.

    Parameters
    ----------
    rows : sequence of sequences of Fraction
        The probabilities.
    den : int, optional
        The common denominator, a multiple of the least one. By default it is the least common
        denominator, and at least 2.

    Returns
    -------
    rows : tuple of tuples of int
        The weights, so that the probabilities are ``rows[i][j] / den``.
    den : int
        The common denominator.

    Raises
    ------
    ValueError
        If the least common denominator is above 2**32, or if `den` is not a multiple of it.
    """
    denominators: list[int] = []
    for row in rows:
        denominators.extend(probability.denominator for probability in row)
    least = math.lcm(*denominators)
    if least > checks.MAX_DEN:
        raise ValueError(
            f"den is {least}; allowed is at most 2**32: give 1/3 as '1/3', not as a long decimal"
            " number"
        )

    common = max(least, 2) if den is None else checks.denominator(den)
    if common % least:
        raise ValueError(
            f"den is {common}; allowed is a multiple of {least}, which these probabilities need"
        )

    weights = []
    for row in rows:
        weights.append(tuple(int(probability * common) for probability in row))
    return tuple(weights), common


def fit_epsilon(
    declared: float,
    den: Den,
    realized_epsilon: Callable[[int, int], float],
    unrounded_weight: Callable[[float, int], float],
) -> tuple[int, int]:
    """
    Return the smallest integer weight whose epsilon does not exceed the declared one.

    The weight belongs to an outcome that protects the respondent, such as a flipped bit: the
    larger the weight, the smaller the epsilon. Rounding it up therefore favours privacy.

    Parameters
    ----------
    declared : float
        The declared epsilon, above 0.
    den : int or "survey"
        The denominator. "survey" chooses the smallest of `SURVEY_DENS` with which the realized
        epsilon is at least 0.99 of the declared one.
    realized_epsilon : callable
        ``realized_epsilon(weight, den)`` is the epsilon of a weight. It falls as the weight
        grows, and is 0 or less if nothing could be estimated.
    unrounded_weight : callable
        ``unrounded_weight(exp_epsilon, den)`` is the real number that the weight approximates,
        for ``exp_epsilon = exp(declared)``. The search for the weight starts there.

    Returns
    -------
    weight : int
        The smallest weight, from 1, with ``realized_epsilon(weight, den) <= declared``.
    den : int
        The denominator.

    Raises
    ------
    ValueError
        If `declared` is not a finite number above 0, or is so small that with this denominator
        nothing could be estimated.
    """
    declared = checks.epsilon(declared)
    candidates = SURVEY_DENS if den == "survey" else (checks.denominator(den),)
    largest = candidates[-1]

    # The first denominator is taken with which the weight realizes enough of epsilon. With the
    # largest one, or the only one, any epsilon above 0 is enough.
    for candidate in candidates:
        weight = _smallest_weight(declared, candidate, realized_epsilon, unrounded_weight)
        realized = realized_epsilon(weight, candidate)
        is_enough = candidate == largest or realized >= LEAST_REALIZED_FRACTION * declared
        if realized > 0 and is_enough:
            return weight, candidate

    remedy = "" if largest == checks.MAX_DEN else " or a larger den"
    raise ValueError(
        f"epsilon is {declared!r}, which den = {largest} cannot express with anything left to"
        f" estimate; allowed is a larger epsilon{remedy}"
    )


def fit_outcome_weight(
    declared: float, den: Den, *, near: int = 1, far: int = 1, bits: int = 1
) -> tuple[int, int]:
    """
    Return the smallest weight of an unlikely outcome that keeps to the declared epsilon.

    The outcomes of a randomization have only two weights. Each of the `near` outcomes, such as
    the truth, has the higher weight (den - far * weight) // near. Each of the `far` outcomes, such
    as a lie, has the lower weight, which is searched. Epsilon is the logarithm of the ratio of the
    higher to the lower weight, times the number of bits that are randomized in this way.

    Parameters
    ----------
    declared : float
        The declared epsilon, above 0.
    den : int or "survey"
        The denominator, as for `fit_epsilon`.
    near : int, default 1
        The number of outcomes with the higher weight.
    far : int, default 1
        The number of outcomes with the lower weight.
    bits : int, default 1
        The number of randomized bits in which two truths can differ.

    Returns
    -------
    weight : int
        The lower weight, from 1.
    den : int
        The denominator.

    Raises
    ------
    ValueError
        As `fit_epsilon`.
    """

    def realized_epsilon(weight: int, den: int) -> float:
        """Return the epsilon of all bits together: bits * ln(higher weight / weight)."""
        # The search can try weights for which nothing is left of `den`. Their epsilon is -inf.
        higher_weight = max(den - far * weight, 0) // near
        return bits * log_ratio(higher_weight, weight)

    def unrounded_weight(exp_epsilon: float, den: int) -> float:
        """Return the weight of one far outcome, as a real number that is not rounded yet."""
        # Each bit has an equal part of epsilon.
        exp_epsilon_of_bit: float = exp_epsilon ** (1 / bits)
        # With the weight w for a far outcome and exp_epsilon_of_bit * w for a near one, all weights
        # sum to `den`: w * (near * exp_epsilon_of_bit + far) = den.
        return den / (near * exp_epsilon_of_bit + far)

    return fit_epsilon(declared, den, realized_epsilon, unrounded_weight)


def fit_group_weight(declared: float, den: Den, *, near: int, outcomes: int) -> tuple[int, int]:
    """
    Return the smallest weight of a group of unlikely outcomes that keeps to the declared epsilon.

    First it is drawn whether the outcome is one of the `near` ones, and then the outcome is drawn
    uniformly from its group. So the weight that is searched belongs to all unlikely outcomes
    together, and epsilon is the logarithm of ((den - weight) / near) / (weight / far), for
    far = outcomes - near.

    Parameters
    ----------
    declared : float
        The declared epsilon, above 0.
    den : int or "survey"
        The denominator, as for `fit_epsilon`.
    near : int
        The number of the likely outcomes, or a number that is proportional to it.
    outcomes : int
        The number of all outcomes, or the same multiple of it.

    Returns
    -------
    weight : int
        The weight of all unlikely outcomes together, from 1.
    den : int
        The denominator.

    Raises
    ------
    ValueError
        As `fit_epsilon`.
    """
    far = outcomes - near

    def realized_epsilon(weight: int, den: int) -> float:
        """Return the epsilon that follows from the weight of all far outcomes together."""
        # The search can try weights for which nothing is left of `den`. Their epsilon is -inf.
        near_weight = max(den - weight, 0)
        # The ratio (near_weight / near) / (weight / far) as a ratio of integers.
        return log_ratio(near_weight * far, weight * near)

    def unrounded_weight(exp_epsilon: float, den: int) -> float:
        """Return the weight of all far outcomes together, as a real number."""
        # With the weight w for each far outcome and exp_epsilon * w for each near one, all weights
        # sum to `den`: w * (near * exp_epsilon + far) = den. The far ones together have far * w.
        return den * far / (near * exp_epsilon + far)

    return fit_epsilon(declared, den, realized_epsilon, unrounded_weight)


def _smallest_weight(
    declared: float,
    den: int,
    realized_epsilon: Callable[[int, int], float],
    unrounded_weight: Callable[[float, int], float],
) -> int:
    """Return the smallest weight, from 1, whose realized epsilon is at most the declared one.

    realized_epsilon, unrounded_weight: as for `fit_epsilon`.
    """
    weight = max(1, math.ceil(unrounded_weight(exp_capped(declared), den)))
    # The unrounded weight is a float, so the first guess can be off by a rounding error. A larger
    # weight has a smaller epsilon.
    while realized_epsilon(weight, den) > declared:
        weight += 1
    while weight > 1 and realized_epsilon(weight - 1, den) <= declared:
        weight -= 1
    return weight
