"""The binomial distribution, by incomplete beta functions.

scipy.stats also has it, but takes 0.4 seconds to import, in every process of a site. The function
scipy.special.bdtr is off by 0.001 for some n of several millions. All functions broadcast, and
counts may lie outside 0 to n.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, binom

from mechanisms.checks import FloatArray


def at_most(counts: ArrayLike, n: ArrayLike, probability: ArrayLike) -> FloatArray:
    """
    Return P(X <= count) for X ~ Binomial(n, probability).

    For a count k from 0 to n - 1 it is 1 - I(k + 1, n - k), where I(a, b) is the regularized
    incomplete beta function at the probability. It is 0 below 0, and 1 from n on.

    Parameters
    ----------
    counts : array_like
        The counts. They are rounded down.
    n : array_like
        The numbers of trials.
    probability : array_like
        The probabilities of success, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The probabilities, of the shape to which the arguments broadcast.
    """
    counts, n = np.floor(counts), np.asarray(n, dtype=np.float64)
    # The beta function needs counts from 0 to n - 1; the counts outside are replaced below.
    inner = np.clip(counts, 0, np.maximum(n - 1, 0))
    # betaincc is 1 - I, without the rounding error of the difference.
    tail = betaincc(inner + 1, np.maximum(n - inner, 1), probability)
    value: FloatArray = np.where(counts >= n, 1.0, tail)
    return np.where(counts < 0, 0.0, value)


def upper_tail(counts: ArrayLike, n: ArrayLike, probability: ArrayLike) -> FloatArray:
    """
    Return P(X > count) for X ~ Binomial(n, probability), accurate in the far tail.

    For a count k from 0 to n - 1 it is I(k + 1, n - k), where I(a, b) is the regularized incomplete
    beta function at the probability. It is 1 below 0, and 0 from n on. The difference
    1 - `at_most` would be 0 for very small probabilities.

    Parameters
    ----------
    counts : array_like
        The counts. They are rounded down.
    n : array_like
        The numbers of trials.
    probability : array_like
        The probabilities of success, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The probabilities, of the shape to which the arguments broadcast.
    """
    counts, n = np.floor(counts), np.asarray(n, dtype=np.float64)
    # The beta function needs counts from 0 to n - 1; the counts outside are replaced below.
    inner = np.clip(counts, 0, np.maximum(n - 1, 0))
    tail = betainc(inner + 1, np.maximum(n - inner, 1), probability)
    value: FloatArray = np.where(counts >= n, 0.0, tail)
    return np.where(counts < 0, 1.0, value)


def two_sided(counts: ArrayLike, n: ArrayLike, probability: ArrayLike) -> FloatArray:
    """
    Return two-sided p-values of counts: twice the smaller tail probability, at most 1.

    The test is exact: for every n, the p-value is at or below a limit with a probability of at
    most that limit.

    Parameters
    ----------
    counts : array_like
        The observed counts.
    n : array_like
        The numbers of trials.
    probability : array_like
        The probabilities of success under the hypothesis, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The p-values, of the shape to which the arguments broadcast.

    References
    ----------
    Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated
    in the case of the binomial. Biometrika, 26(4), 404-413. (Their interval holds the
    probabilities that this test does not reject.)
    """
    # Both tails include the observed count: P(X <= count) and P(X >= count).
    lower = at_most(counts, n, probability)
    upper = upper_tail(np.asarray(counts) - 1, n, probability)
    value: FloatArray = np.minimum(1.0, 2 * np.minimum(lower, upper))
    return value


def pmf(n: int, probability: float) -> FloatArray:
    """
    Return P(X = 0), ..., P(X = n) for X ~ Binomial(n, probability).

    P(X = k) is C(n, k) * probability^k * (1 - probability)^(n - k).

    Parameters
    ----------
    n : int
        The number of trials.
    probability : float
        The probability of success, from 0 to 1.

    Returns
    -------
    ndarray of float64, shape (n + 1,)
        The probabilities of the counts 0 to n.
    """
    counts = np.arange(n + 1)
    # scipy.special.binom has the binomial coefficients C(n, k).
    value: FloatArray = binom(n, counts) * probability**counts * (1 - probability) ** (n - counts)
    return value
