"""The binomial distribution, by incomplete beta functions.

scipy.stats has it too, but takes 0.4 seconds to import, in every process of a site; scipy.special.bdtr is off by 0.001
for some n of some millions. All functions broadcast; counts may lie outside 0 to n.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, binom

from mechanisms.checks import FloatArray


def at_most(counts: ArrayLike, n: ArrayLike, chance: ArrayLike) -> FloatArray:
    """P(X <= count) for X ~ Binomial(n, chance)."""
    counts, n = np.floor(counts), np.asarray(n, dtype=np.float64)
    inside = np.clip(counts, 0, np.maximum(n - 1, 0))
    value: FloatArray = np.where(
        counts >= n, 1.0, betaincc(inside + 1, np.maximum(n - inside, 1), chance)
    )
    return np.where(counts < 0, 0.0, value)


def upper_tail(counts: ArrayLike, n: ArrayLike, chance: ArrayLike) -> FloatArray:
    """Return P(X > count), accurate in the far tail."""
    counts, n = np.floor(counts), np.asarray(n, dtype=np.float64)
    inside = np.clip(counts, 0, np.maximum(n - 1, 0))
    value: FloatArray = np.where(
        counts >= n, 0.0, betainc(inside + 1, np.maximum(n - inside, 1), chance)
    )
    return np.where(counts < 0, 1.0, value)


def two_sided(counts: ArrayLike, n: ArrayLike, chance: ArrayLike) -> FloatArray:
    """The chance of a count as far out as this one, twice that of the rarer side, at most 1.

    Exact: it is at or below any limit with at most that chance, whatever n. Clopper and Pearson's interval (1934) holds
    the chances that it does not reject.
    """
    lower, upper = at_most(counts, n, chance), upper_tail(np.asarray(counts) - 1, n, chance)
    value: FloatArray = np.minimum(1.0, 2 * np.minimum(lower, upper))
    return value


def pmf(n: int, chance: float) -> FloatArray:
    """Return P(X = 0), ..., P(X = n)."""
    counts = np.arange(n + 1)
    value: FloatArray = binom(n, counts) * chance**counts * (1 - chance) ** (n - counts)
    return value
