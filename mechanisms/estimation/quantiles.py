"""Quantiles of a distribution that is known only by its likelihood, with intervals by the parametric bootstrap."""

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
NEAR = 1e-3  # in log-likelihood: near enough for one draw of the bootstrap
_SLACK = 1e-9  # of a share that rounding may have kept from its mark


class Quantile(NamedTuple):
    """at: the share of values at most this one. interval: low and high, by the percentile method."""

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
    """The smallest values that at least these shares of those who gave a number do not exceed.

    From the distribution of greatest likelihood. The interval is that of 200 samples of n reports drawn from it (Efron
    and Tibshirani 1993, chapter 13), whose seed is made from the counts: the same reports have the same interval
    wherever it is asked for. likeliest: that distribution, if known. ValueError for fewer than 200 reports,
    where it would not hold.
    """
    shares = [checks.between("at", each, 0, 1) for each in at]
    tail = (1 - checks.between("confidence", confidence, 0, 1)) / 2
    n = int(counts.sum())
    if n < LEAST_N:
        raise ValueError(f"n is {n}; allowed for quantiles is at least {LEAST_N} reports")
    best = newton(WindowMixture(counts, windows)) if likeliest is None else likeliest
    again = _values(_samples(best, windows, counts), windows, shares)
    low = np.quantile(again, tail, axis=0, method="lower")
    high = np.quantile(again, 1 - tail, axis=0, method="higher")
    rows = zip(
        shares, _values(best, windows, shares).tolist(), low.tolist(), high.tolist(), strict=True
    )
    return [Quantile(share, value, (first, last)) for share, value, first, last in rows]


def _samples(best: FloatArray, windows: Windows, counts: IntArray) -> FloatArray:
    rng = np.random.default_rng(
        int.from_bytes(hashlib.sha256(repr((windows, counts.tolist())).encode()).digest())
    )
    chances = WindowMixture(counts, windows).mix(best)
    drawn = rng.multinomial(int(counts.sum()), chances / chances.sum(), size=DRAWS)
    return refits(drawn, windows, best, NEAR)


def _values(shares: FloatArray, windows: Windows, at: Sequence[float]) -> IntArray:
    """Shape (..., marks). Where all chose the answer aside, the lowest value: there is nobody who gave a number."""
    until = np.cumsum(shares[..., : windows.values], axis=-1)
    marks = np.asarray(at) * until[..., -1:] - _SLACK
    values: IntArray = (until[..., np.newaxis, :] < marks[..., np.newaxis]).sum(axis=-1)
    return values
