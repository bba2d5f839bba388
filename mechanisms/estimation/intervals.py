"""Confidence intervals for a share of reports. They are mapped through the mechanism afterwards."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, chdtri, ndtri, xlog1py, xlogy

from mechanisms.chance import binomial
from mechanisms.chance.arrays import smallest_n
from mechanisms.checks import FloatArray, IntArray

Numbers = int | IntArray  # of trials: the same for all shares, or one for each

METHODS = ("wilson", "wald", "exact", "likelihood")
_HALVINGS = 60  # a bisection of [0, 1] is then finer than a float


def binomial_intervals(method: str, counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """Return intervals of binomial shares, shape (size, 2)."""
    if method == "wilson":
        return wilson(counts, n, confidence)
    if method == "exact":
        return exact(counts, n, confidence)
    if method == "likelihood":
        return likelihood(counts, n, confidence)
    shares = counts / n
    return wald(shares, np.sqrt(shares * (1 - shares) / n), confidence)


def normal_quantile(confidence: float) -> float:
    """The z of a two-sided interval: 1.96 for 0.95."""
    return float(-ndtri((1 - confidence) / 2))


def wald(centers: FloatArray, standard_errors: FloatArray, confidence: float) -> FloatArray:
    """Return Wald intervals, shape (size, 2)."""
    half = normal_quantile(confidence) * standard_errors
    return np.stack([centers - half, centers + half], axis=-1)


def wilson(counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """Score intervals (Wilson 1927), shape (size, 2)."""
    z = normal_quantile(confidence)
    shares = counts / n
    center = (shares + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(shares * (1 - shares) / n + z**2 / (4 * n**2))
    low = np.where(counts == 0, 0.0, center - half)  # exactly, whatever the rounding
    high = np.where(counts == n, 1.0, center + half)
    return np.stack([low, high], axis=-1)


def exact(counts: IntArray, n: Numbers, confidence: float | FloatArray) -> FloatArray:
    """Exact intervals (Clopper and Pearson 1934), shape (size, 2): coverage never below the confidence."""
    tail = (1 - confidence) / 2
    hits, misses = counts.astype(float), (n - counts).astype(float)
    low = np.where(counts == 0, 0.0, betaincinv(np.maximum(hits, 1), misses + 1, tail))
    high = np.where(counts == n, 1.0, betaincinv(hits + 1, np.maximum(misses, 1), 1 - tail))
    return np.stack([low, high], axis=-1)


def smallest_estimate_above_zero(
    q: ArrayLike, slope: ArrayLike, n: ArrayLike, outside: float
) -> FloatArray:
    """Return the smallest estimate whose exact interval lies above 0.

    An estimate is (counts / n - q) / slope. NaN where even n of n reports are no such estimate. Broadcasts.
    """
    n, chance = np.asarray(n, np.float64), np.where(np.asarray(slope) > 0, q, 1 - np.asarray(q))
    count = smallest_n(lambda least: binomial.upper_tail(least - 1, n, chance) < outside / 2)
    with np.errstate(divide="ignore"):
        estimate: FloatArray = np.where(count <= n, (count / n - chance) / np.abs(slope), np.nan)
    return estimate


def likelihood(counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """Shares not rejected by the likelihood-ratio test (Wilks 1938), shape (size, 2), by bisection."""
    shares = counts / n
    threshold = chdtri(1, 1 - confidence) / 2
    best = _log_likelihood(counts, n, shares)

    def end(outside: FloatArray) -> FloatArray:
        inside, out = shares.copy(), outside.copy()
        for _ in range(_HALVINGS):
            middle = (inside + out) / 2
            good = best - _log_likelihood(counts, n, middle) <= threshold
            inside, out = np.where(good, middle, inside), np.where(good, out, middle)
        return np.where(shares == outside, outside, inside)

    return np.stack([end(np.zeros_like(shares)), end(np.ones_like(shares))], axis=-1)


def _log_likelihood(counts: IntArray, n: Numbers, shares: FloatArray) -> FloatArray:
    value: FloatArray = xlogy(counts, shares) + xlog1py(n - counts, -shares)
    return value
