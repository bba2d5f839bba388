"""Confidence intervals for a share of reports, which estimates map to true shares afterwards."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, chdtri, ndtri, xlog1py, xlogy

from mechanisms.chance import binomial
from mechanisms.chance.arrays import smallest_n
from mechanisms.checks import BoolArray, FloatArray, IntArray

# Numbers of reports: one for all shares, or one for each share.
Numbers = int | IntArray

METHODS = ("wilson", "wald", "exact", "likelihood")
# A bisection of the range from 0 to 1 is then finer than a float.
_HALVINGS = 60


def binomial_intervals(method: str, counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """
    Return intervals of binomial shares.

    Parameters
    ----------
    method : {"wilson", "wald", "exact", "likelihood"}
        The method, as `wilson`, `wald`, `exact` and `likelihood` explain.
    counts : ndarray of int64, shape (size,)
        How many reports support each answer.
    n : int or ndarray of int64, shape (size,)
        The number of reports, above 0.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    ndarray, shape (size, 2)
        The lower and the upper end of each interval, as fractions.
    """
    if method == "wilson":
        return wilson(counts, n, confidence)
    if method == "exact":
        return exact(counts, n, confidence)
    if method == "likelihood":
        return likelihood(counts, n, confidence)
    shares = counts / n
    standard_errors = np.sqrt(shares * (1 - shares) / n)
    return wald(shares, standard_errors, confidence)


def normal_quantile(confidence: float) -> float:
    """
    Return the normal quantile z of a two-sided interval, for example 1.96 for 0.95.

    Parameters
    ----------
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    float
        The number of standard errors that half the interval is long.
    """
    return float(-ndtri((1 - confidence) / 2))


def wald(centers: FloatArray, standard_errors: FloatArray, confidence: float) -> FloatArray:
    """
    Return Wald intervals: estimates plus and minus z standard errors.

    Parameters
    ----------
    centers : ndarray, shape (size,)
        The estimates.
    standard_errors : ndarray, shape (size,)
        Their standard errors.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    ndarray, shape (size, 2)
        The lower and the upper end of each interval.
    """
    half = normal_quantile(confidence) * standard_errors
    return np.stack([centers - half, centers + half], axis=-1)


def wilson(counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """
    Return score intervals.

    Parameters
    ----------
    counts : ndarray of int64, shape (size,)
        How many reports support each answer.
    n : int or ndarray of int64, shape (size,)
        The number of reports, above 0.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    ndarray, shape (size, 2)
        The lower and the upper end of each interval, as fractions.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association, 22, 209–212.
    """
    z = normal_quantile(confidence)
    shares = counts / n
    scale = 1 + z**2 / n
    center = (shares + z**2 / (2 * n)) / scale
    half = z / scale * np.sqrt(shares * (1 - shares) / n + z**2 / (4 * n**2))
    # At these counts the ends are known exactly, whatever the rounding.
    low = np.where(counts == 0, 0.0, center - half)
    high = np.where(counts == n, 1.0, center + half)
    return np.stack([low, high], axis=-1)


def exact(counts: IntArray, n: Numbers, confidence: float | FloatArray) -> FloatArray:
    """
    Return exact intervals, whose coverage is never below the confidence.

    Parameters
    ----------
    counts : ndarray of int64, shape (size,)
        How many reports support each answer.
    n : int or ndarray of int64, shape (size,)
        The number of reports, above 0.
    confidence : float or ndarray, shape (size,)
        The confidence level, between 0 and 1.

    Returns
    -------
    ndarray, shape (size, 2)
        The lower and the upper end of each interval, as fractions.

    References
    ----------
    Clopper, C. J., & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in
    the case of the binomial. Biometrika, 26, 404–413.
    """
    tail = (1 - confidence) / 2
    hits = counts.astype(float)
    misses = (n - counts).astype(float)
    lower_quantiles = betaincinv(np.maximum(hits, 1), misses + 1, tail)
    upper_quantiles = betaincinv(hits + 1, np.maximum(misses, 1), 1 - tail)
    low = np.where(counts == 0, 0.0, lower_quantiles)
    high = np.where(counts == n, 1.0, upper_quantiles)
    return np.stack([low, high], axis=-1)


def smallest_estimate_above_zero(
    q: ArrayLike, slope: ArrayLike, n: ArrayLike, level: float
) -> FloatArray:
    """
    Return the smallest estimate whose exact interval lies above 0.

    An estimate is (counts / n - q) / slope. All arguments are broadcast.

    Parameters
    ----------
    q : array_like
        The probability that a report supports an answer that is not true.
    slope : array_like
        The rise of this probability with the true share, not 0.
    n : array_like
        The number of reports.
    level : float
        The probability that the interval misses the share, at both ends together.

    Returns
    -------
    ndarray
        Estimates, as fractions. NaN if the interval does not lie above 0 even for n of n reports.
    """
    reports = np.asarray(n, np.float64)
    # With a negative slope, the reports that do not support an answer speak for it.
    probability = np.where(np.asarray(slope) > 0, q, 1 - np.asarray(q))

    def is_above_zero(count: FloatArray) -> BoolArray:
        tail: FloatArray = binomial.upper_tail(count - 1, reports, probability)
        return tail < level / 2

    count = smallest_n(is_above_zero)
    with np.errstate(divide="ignore"):
        estimates = (count / reports - probability) / np.abs(slope)
    return np.where(count <= reports, estimates, np.nan)


def likelihood(counts: IntArray, n: Numbers, confidence: float) -> FloatArray:
    """
    Return the shares that the likelihood-ratio test does not reject, found by bisection.

    Parameters
    ----------
    counts : ndarray of int64, shape (size,)
        How many reports support each answer.
    n : int or ndarray of int64, shape (size,)
        The number of reports, above 0.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    ndarray, shape (size, 2)
        The lower and the upper end of each interval, as fractions.

    References
    ----------
    Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite
    hypotheses. Annals of Mathematical Statistics, 9, 60–62.
    """
    shares = counts / n
    threshold = chdtri(1, 1 - confidence) / 2
    largest = _log_likelihood(counts, n, shares)

    def end_towards(limits: FloatArray) -> FloatArray:
        accepted = shares.copy()
        rejected = limits.copy()
        for _ in range(_HALVINGS):
            middle = (accepted + rejected) / 2
            is_accepted = largest - _log_likelihood(counts, n, middle) <= threshold
            accepted = np.where(is_accepted, middle, accepted)
            rejected = np.where(is_accepted, rejected, middle)
        return np.where(shares == limits, limits, accepted)

    low = end_towards(np.zeros_like(shares))
    high = end_towards(np.ones_like(shares))
    return np.stack([low, high], axis=-1)


def _log_likelihood(counts: IntArray, n: Numbers, shares: FloatArray) -> FloatArray:
    value: FloatArray = xlogy(counts, shares) + xlog1py(n - counts, -shares)
    return value
