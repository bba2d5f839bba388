"""Quantiles of a distribution that only its likelihood tells about.

Their intervals come from the parametric bootstrap.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.newton import newton
from mechanisms.estimation.refits import refits
from mechanisms.estimation.windows import WindowMixture, Windows

LEAST_N = 200
DRAWS = 200
# In log-likelihood. That is near enough for one sample of the bootstrap.
NEAR = 1e-3
# Rounding may have kept a share from the level that it reaches.
_SLACK = 1e-9


class Quantile(NamedTuple):
    """
    A quantile of the values.

    Attributes
    ----------
    at : float
        The level: at least this share of those who gave a number is at most `value`.
    value : int
        The smallest such value, from 0.
    interval : tuple of int
        The lower and the upper end of its interval, by the percentile method.
    """

    at: float
    value: int
    interval: tuple[int, int]


def quantiles(
    windows: Windows,
    counts: IntArray,
    at: Sequence[float] = (0.25, 0.5, 0.75),
    confidence: float = 0.95,
    likeliest: FloatArray | None = None,
) -> list[Quantile]:
    """
    Return quantiles of the distribution of the largest likelihood.

    A quantile is the smallest value that at least a share of those who gave a number do not exceed.
    Its interval is that of 200 samples of n reports, randomized from this distribution. The seed is
    made from the counts, so the same reports have the same interval wherever it is computed.

    Parameters
    ----------
    windows : Windows
        The design.
    counts : ndarray of int64, shape (reports,)
        How often each report came.
    at : sequence of float, default (0.25, 0.5, 0.75)
        The levels of the quantiles, between 0 and 1.
    confidence : float, default 0.95
        The confidence level of the intervals.
    likeliest : ndarray, shape (truths,), optional
        The shares of the largest likelihood, if they are known. By default they are computed.

    Returns
    -------
    list of Quantile
        A quantile for each level.

    Raises
    ------
    ValueError
        If there are fewer than 200 reports, for which the interval would not hold.
    ConvergenceError
        If a maximum of the likelihood is not reached.

    References
    ----------
    Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall,
    chapter 13.
    """
    levels = [checks.between("at", level, 0, 1) for level in at]
    tail = (1 - checks.between("confidence", confidence, 0, 1)) / 2
    n = int(counts.sum())
    if n < LEAST_N:
        raise ValueError(f"n is {n}; allowed for quantiles is at least {LEAST_N} reports")
    if likeliest is None:
        likeliest = newton(WindowMixture(counts, windows))

    values = _values_at(levels, likeliest, windows)
    values_of_samples = _values_at(levels, _sampled_shares(likeliest, windows, counts), windows)
    low = np.quantile(values_of_samples, tail, axis=0, method="lower")
    high = np.quantile(values_of_samples, 1 - tail, axis=0, method="higher")
    return [
        Quantile(
            at=level,
            value=int(values[index]),
            interval=(int(low[index]), int(high[index])),
        )
        for index, level in enumerate(levels)
    ]


def _sampled_shares(likeliest: FloatArray, windows: Windows, counts: IntArray) -> FloatArray:
    """Return the shares of the largest likelihood of `DRAWS` samples, shape (samples, truths)."""
    # The seed depends on the name and the fields of the class Windows: the intervals of published
    # reports would change with them.
    key = repr((windows, counts.tolist()))
    seed = int.from_bytes(hashlib.sha256(key.encode()).digest())
    rng = np.random.default_rng(seed)
    probabilities = WindowMixture(counts, windows).mix(likeliest)
    n = int(counts.sum())
    samples = rng.multinomial(n, probabilities / probabilities.sum(), size=DRAWS)
    return refits(samples, windows, likeliest, NEAR)


def _values_at(levels: Sequence[float], shares: FloatArray, windows: Windows) -> IntArray:
    """Return the quantiles of shares, shape (..., levels).

    If all shares are those of the separate decline, no one gave a number, and the quantiles are 0.

    shares: of the truths, shape (..., truths).
    """
    cumulative = np.cumsum(shares[..., : windows.values], axis=-1)
    needed = np.asarray(levels) * cumulative[..., -1:] - _SLACK
    is_below = cumulative[..., np.newaxis, :] < needed[..., np.newaxis]
    values: IntArray = is_below.sum(axis=-1)
    return values
