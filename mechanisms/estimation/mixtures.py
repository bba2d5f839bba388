"""Maximum likelihood of the true shares from whole reports, by expectation-maximization.

The log-likelihood is sum over distinct reports i of m_i ln(sum over v of f_v L_iv): m_i is how often report i came and
L_iv its chance when v is true, up to a factor common to all v. It is concave in f.
Dempster, Laird and Rubin (1977, JRSS B 39).
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray, FloatArray, IntArray

TOLERANCE = 1e-8  # in log-likelihood; an interval ends at a drop of 1.92
ENOUGH = 1e-4  # what is accepted where the search comes no nearer: no share is off by more than 1.5% of its error
MOST_STEPS = 5_000
_CELLS = 2**22  # of a slice of rows that is turned into floats


class ConvergenceError(ArithmeticError):
    """The maximum was not reached; there is no number to give."""


class Mixture(ABC):
    """Reports with their multiplicities: weights has shape (d,) and sums to n."""

    weights: FloatArray
    size: int

    @property
    def cells(self) -> int:
        """What one step of the search has to look at."""
        return self.weights.size * self.size

    @abstractmethod
    def mix(self, shares: FloatArray) -> FloatArray:
        """L f: shape (size,) to shape (d,)."""

    @abstractmethod
    def gather(self, values: FloatArray) -> FloatArray:
        """L' w: shape (d,) to shape (size,)."""

    def log_likelihood(self, shares: FloatArray) -> float:
        with np.errstate(divide="ignore"):
            return float(self.weights @ np.log(self.mix(shares)))


class MatrixMixture(Mixture):
    """Reports of a matrix design: answer j came counts[j] times, and L_jv = matrix[v][j]."""

    def __init__(self, counts: IntArray, matrix: FloatArray) -> None:
        came = counts > 0
        self.weights = counts[came].astype(np.float64)
        self.size = len(matrix)
        self._chances = np.ascontiguousarray(matrix.T[came])

    def mix(self, shares: FloatArray) -> FloatArray:
        return self._chances @ shares

    def gather(self, values: FloatArray) -> FloatArray:
        return values @ self._chances


class BitMixture(Mixture):
    """Reports of bits: L_iv is `if_set` where bit v of report i is set, else `if_unset`.

    times: how often each came, where they are all different.
    """

    def __init__(
        self,
        packed: BitArray,
        size: int,
        if_set: float,
        if_unset: float,
        times: IntArray | None = None,
    ) -> None:
        distinct, multiplicities = distinct_rows(packed) if times is None else (packed, times)
        self.weights = multiplicities.astype(np.float64)
        self.size = size
        scale = max(if_set, if_unset)
        self._low, self._rise = if_unset / scale, (if_set - if_unset) / scale
        step = max(1, _CELLS // size)
        # Unpacked once where that is small; else slice by slice at each use, to keep memory low.
        self._keep = len(distinct) <= step
        self._slices = [distinct[start : start + step] for start in range(0, len(distinct), step)]
        if self._keep:
            self._slices = [
                np.unpackbits(part, axis=1, count=size).astype(np.float64) for part in self._slices
            ]
        if (self.mix(np.ones(size)) == 0).any():
            raise ValueError(
                "reports holds a row that no answer makes possible; allowed are reports of this mechanism"
            )

    def _floats(self, part: NDArray[Any]) -> FloatArray:
        return (
            part if self._keep else np.unpackbits(part, axis=1, count=self.size).astype(np.float64)
        )

    def mix(self, shares: FloatArray) -> FloatArray:
        parts = [self._floats(part) @ shares for part in self._slices]
        mixed: FloatArray = self._low * shares.sum() + self._rise * np.concatenate(parts)
        return mixed

    def gather(self, values: FloatArray) -> FloatArray:
        total, start = np.zeros(self.size), 0
        for part in self._slices:
            total += values[start : start + len(part)] @ self._floats(part)
            start += len(part)
        gathered: FloatArray = self._low * values.sum() + self._rise * total
        return gathered


def distinct_rows(packed: BitArray) -> tuple[BitArray, IntArray]:
    """The distinct rows and how often each occurs: shapes (d, width) and (d,)."""
    rows = np.ascontiguousarray(packed)
    whole = rows.view(np.dtype((np.void, rows.shape[1]))).ravel()  # a row as one item sorts fast
    distinct, multiplicities = np.unique(whole, return_counts=True)
    return distinct.view(np.uint8).reshape(-1, rows.shape[1]), multiplicities.astype(np.int64)


def maximum(mixture: Mixture, most_steps: int = MOST_STEPS) -> FloatArray:
    """The shares on the simplex that maximize the likelihood, shape (size,).

    Expectation-maximization, accelerated by squared extrapolation (Varadhan and Roland 2008, SQUAREM). Convergence is
    proven, not assumed: with slopes g_v = (1/n) sum over i of m_i L_iv / (L f)_i, the log-likelihood at the maximum is
    at most n (max g - 1) above that at f (Lindsay 1983). The search ends when that gap is below TOLERANCE; after
    most_steps the shares of the smallest gap are good if it is at most ENOUGH, as where a share nears 0 slowly.
    ConvergenceError otherwise.
    """
    shares = best = np.full(mixture.size, 1 / mixture.size)
    n, least = mixture.weights.sum(), np.inf
    for _ in range(most_steps):
        slopes = _slopes(mixture, shares)
        gap = float(n * (slopes.max() - 1))
        if gap < least:
            best, least = shares, gap
        if gap <= TOLERANCE:
            return shares
        shares = _leap(mixture, shares, shares * slopes)
    if least <= ENOUGH:
        return best
    raise ConvergenceError(
        f"the likelihood may still be {least:.2g} short after {most_steps} steps"
    )


def _slopes(mixture: Mixture, shares: FloatArray) -> FloatArray:
    slopes: FloatArray = (
        mixture.gather(mixture.weights / mixture.mix(shares)) / mixture.weights.sum()
    )
    return slopes


def _leap(mixture: Mixture, start: FloatArray, once: FloatArray) -> FloatArray:
    """Two plain steps, extrapolated; the plain ones where extrapolating would lower the likelihood."""
    twice = once * _slopes(mixture, once)
    change = once - start
    bend = (twice - once) - change
    length = np.sqrt((change @ change) / max(float(bend @ bend), float(np.finfo(float).tiny)))
    if length <= 1:
        return twice
    far = start + 2 * length * change + length**2 * bend
    far = np.maximum(far, twice * 1e-3)  # a share once at 0 could never rise again
    far /= far.sum()
    return far if mixture.log_likelihood(far) >= mixture.log_likelihood(twice) else twice
