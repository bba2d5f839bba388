"""Integers instead of floats: common denominators, the logarithm of a ratio, an epsilon turned into integers.

A probability held as a float is sampled a little wrongly and its epsilon is only nearly the declared one.
Here every probability is an integer over a common denominator, so both are exact.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal

from mechanisms import checks

Rows = tuple[tuple[int, ...], ...]
Den = int | Literal["survey"]

# Denominators that people can say, for surveys. The last one is the library's default.
SURVEY_DENS = (4, 6, *(10**power for power in range(1, 10)), checks.MAX_DEN)
ENOUGH = 0.99  # of the declared epsilon
_EXP_LIMIT = 700.0  # math.exp overflows soon after; beyond it the guess is the same anyway


def log_ratio(numerator: int, denominator: int) -> float:
    """ln(numerator/denominator) of integers, accurate near 1 as well; inf for a zero denominator."""
    if numerator < denominator:
        return -log_ratio(denominator, numerator)
    if denominator == 0:
        return math.inf
    if numerator < 2 * denominator:
        return math.log1p((numerator - denominator) / denominator)
    return math.log(numerator / denominator)


def exp_capped(epsilon: float) -> float:
    """exp(epsilon), large instead of an overflow."""
    return math.exp(min(epsilon, _EXP_LIMIT))


def integer_rows(rows: Sequence[Sequence[Fraction]], den: int | None = None) -> tuple[Rows, int]:
    """Rows of fractions as integers over their least common denominator, or over the multiple of it given."""
    least = math.lcm(*(chance.denominator for row in rows for chance in row))
    if least > checks.MAX_DEN:
        raise ValueError(
            f"den is {least}; allowed is at most 2**32: give 1/3 as '1/3', not as a long decimal number"
        )
    common = max(least, 2) if den is None else checks.denominator(den)
    if common % least:
        raise ValueError(
            f"den is {common}; allowed is a multiple of {least}, which these probabilities need"
        )
    return tuple(tuple(int(chance * common) for chance in row) for row in rows), common


def fit_epsilon(
    declared: float,
    den: Den,
    realized: Callable[[int, int], float],
    guess: Callable[[float, int], float],
) -> tuple[int, int]:
    """The integer weight that spends a declared epsilon, rounded to the private side, as (weight, den).

    `realized(weight, den)` is the epsilon of a weight and falls as the weight grows; it is 0 or less where
    nothing could be estimated. `guess(e, den)` is the unrounded weight for e = exp(declared). The weight is
    the smallest from 1 with realized <= declared. den="survey" takes the smallest of SURVEY_DENS whose
    realized epsilon is at least 0.99 of the declared one.
    """
    declared = checks.epsilon(declared)
    dens = SURVEY_DENS if den == "survey" else (checks.denominator(den),)
    for candidate in dens:
        weight = _smallest_within(declared, candidate, realized, guess)
        spent = realized(weight, candidate)
        if spent > 0 and (candidate == dens[-1] or spent >= ENOUGH * declared):
            return weight, candidate
    raise ValueError(
        f"epsilon is {declared!r}, which den = {dens[-1]} cannot express with anything left to estimate; "
        f"allowed is a larger epsilon{'' if dens[-1] == checks.MAX_DEN else ' or a larger den'}"
    )


def _smallest_within(
    declared: float,
    den: int,
    realized: Callable[[int, int], float],
    guess: Callable[[float, int], float],
) -> int:
    weight = max(1, math.ceil(guess(exp_capped(declared), den)))
    while realized(weight, den) > declared:  # the guess is off by a rounding at most
        weight += 1
    while weight > 1 and realized(weight - 1, den) <= declared:
        weight -= 1
    return weight
