"""Maximum likelihood of the true shares from whole reports, by expectation-maximization.

The log-likelihood is the sum over distinct reports i of m_i ln(sum over v of f_v L_iv). Here m_i is
how often report i came, and L_iv is its probability if answer v is true, up to a factor that all v
share. The log-likelihood is concave in the shares f.

References
----------
Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977). Maximum likelihood from incomplete data via
the EM algorithm. Journal of the Royal Statistical Society, Series B, 39, 1–38.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray, FloatArray, IntArray

# In log-likelihood. An interval ends where it is lower by 1.92.
TOLERANCE = 1e-8
# What is accepted if the search comes no nearer. No share is then wrong by more than 1.5% of its
# standard error.
ENOUGH = 1e-4
MOST_STEPS = 5_000
# The cells of a slice of rows that is turned into floats.
_CELLS = 2**22


class ConvergenceError(ArithmeticError):
    """The error that the maximum was not reached, so there is no number to return."""


class Mixture(ABC):
    """
    Reports with the numbers of times that they came.

    Attributes
    ----------
    weights : ndarray, shape (d,)
        How often each distinct report came. The sum is the number of reports.
    size : int
        The number of answers.
    """

    weights: FloatArray
    size: int

    @property
    def cells(self) -> int:
        """The number of cells of L, through which each step of the search goes."""
        return self.weights.size * self.size

    @abstractmethod
    def mix(self, shares: FloatArray) -> FloatArray:
        """
        Return the probability L f of each report.

        Parameters
        ----------
        shares : ndarray, shape (size,)
            True shares.

        Returns
        -------
        ndarray, shape (d,)
            The probabilities, up to a common factor.
        """

    @abstractmethod
    def gather(self, values: FloatArray) -> FloatArray:
        """
        Return the sums L' w of values over the reports, for each answer.

        Parameters
        ----------
        values : ndarray, shape (d,)
            A value for each distinct report.

        Returns
        -------
        ndarray, shape (size,)
            The sums, each value weighted by the probability of its report if the answer is true.
        """

    def log_likelihood(self, shares: FloatArray) -> float:
        """
        Return the log-likelihood of true shares.

        Parameters
        ----------
        shares : ndarray, shape (size,)
            True shares.

        Returns
        -------
        float
            The log-likelihood, up to a constant. It is -inf if a report is impossible.
        """
        with np.errstate(divide="ignore"):
            return float(self.weights @ np.log(self.mix(shares)))


class MatrixMixture(Mixture):
    """
    Reports of a matrix design.

    Parameters
    ----------
    counts : ndarray of int64, shape (size,)
        How often each answer was reported.
    matrix : ndarray, shape (size, size)
        The probability of each report (column) for each true answer (row).
    """

    def __init__(self, counts: IntArray, matrix: FloatArray) -> None:
        has_reports = counts > 0
        self.weights = counts[has_reports].astype(np.float64)
        self.size = len(matrix)
        self._probabilities = np.ascontiguousarray(matrix.T[has_reports])

    def mix(self, shares: FloatArray) -> FloatArray:
        return self._probabilities @ shares

    def gather(self, values: FloatArray) -> FloatArray:
        return values @ self._probabilities


class BitMixture(Mixture):
    """
    Reports of bits.

    L_iv is `if_set` if bit v of report i is set, and otherwise `if_unset`.

    Parameters
    ----------
    packed : ndarray of uint8, shape (n, ceil(size / 8))
        The reports, as `numpy.packbits` packs them.
    size : int
        The number of bits of a report.
    if_set, if_unset : float
        The probability of a report, up to a common factor, if the bit of the true answer is set in
        it or not.
    times : ndarray of int64, shape (n,), optional
        How often each report came, if the reports are all different. By default, equal reports are
        counted.

    Raises
    ------
    ValueError
        If no answer makes a report possible.
    """

    def __init__(
        self,
        packed: BitArray,
        size: int,
        if_set: float,
        if_unset: float,
        times: IntArray | None = None,
    ) -> None:
        if times is None:
            distinct, multiplicities = distinct_rows(packed)
        else:
            distinct = packed
            multiplicities = times
        self.weights = multiplicities.astype(np.float64)
        self.size = size
        scale = max(if_set, if_unset)
        self._low = if_unset / scale
        self._rise = (if_set - if_unset) / scale

        # The reports are unpacked once if they are few. Otherwise each use unpacks slice by slice,
        # which needs little memory.
        step = max(1, _CELLS // size)
        self._is_unpacked = len(distinct) <= step
        self._slices: list[NDArray[Any]] = [
            distinct[start : start + step] for start in range(0, len(distinct), step)
        ]
        if self._is_unpacked:
            self._slices = [self._unpacked(rows) for rows in self._slices]

        if (self.mix(np.ones(size)) == 0).any():
            raise ValueError(
                "reports holds a row that no answer makes possible; allowed are reports of this"
                " mechanism"
            )

    def _unpacked(self, rows: BitArray) -> FloatArray:
        """Return packed rows as numbers 0 and 1."""
        return np.unpackbits(rows, axis=1, count=self.size).astype(np.float64)

    def _floats(self, rows: NDArray[Any]) -> FloatArray:
        """Return a slice as numbers 0 and 1."""
        if self._is_unpacked:
            return rows
        return self._unpacked(rows)

    def mix(self, shares: FloatArray) -> FloatArray:
        sums_of_slices = [self._floats(rows) @ shares for rows in self._slices]
        mixed: FloatArray = self._low * shares.sum() + self._rise * np.concatenate(sums_of_slices)
        return mixed

    def gather(self, values: FloatArray) -> FloatArray:
        total = np.zeros(self.size)
        start = 0
        for rows in self._slices:
            end = start + len(rows)
            total += values[start:end] @ self._floats(rows)
            start = end
        gathered: FloatArray = self._low * values.sum() + self._rise * total
        return gathered


def distinct_rows(packed: BitArray) -> tuple[BitArray, IntArray]:
    """
    Return the distinct rows, and how often each occurs.

    Parameters
    ----------
    packed : ndarray of uint8, shape (n, width)
        The rows.

    Returns
    -------
    distinct : ndarray of uint8, shape (d, width)
        The rows, each once.
    multiplicities : ndarray of int64, shape (d,)
        How often each row occurs.
    """
    rows = np.ascontiguousarray(packed)
    width = rows.shape[1]
    # A row that is one item is sorted faster than a row of many.
    items = rows.view(np.dtype((np.void, width))).ravel()
    distinct, multiplicities = np.unique(items, return_counts=True)
    return distinct.view(np.uint8).reshape(-1, width), multiplicities.astype(np.int64)


def maximum(mixture: Mixture, most_steps: int = MOST_STEPS) -> FloatArray:
    """
    Return the shares on the simplex that maximize the likelihood.

    Expectation-maximization is accelerated by squared extrapolation. Convergence is proven and not
    assumed: with the slopes g_v = (1/n) sum over i of m_i L_iv / (L f)_i, the log-likelihood at the
    maximum is at most n (max g - 1) above that at f. The search ends as soon as this gap is at most
    `TOLERANCE`. After `most_steps` the shares with the smallest gap are accepted if it is at most
    `ENOUGH`, because some shares approach 0 slowly.

    Parameters
    ----------
    mixture : Mixture
        The reports.
    most_steps : int, default 5000
        The number of steps after which the search ends.

    Returns
    -------
    ndarray, shape (size,)
        The shares.

    Raises
    ------
    ConvergenceError
        If the maximum is not reached.

    References
    ----------
    Lindsay, B. G. (1983). The geometry of mixture likelihoods: a general theory. Annals of
    Statistics, 11, 86–94.

    Varadhan, R., & Roland, C. (2008). Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm. Scandinavian Journal of Statistics, 35, 335–353.
    """
    n = mixture.weights.sum()
    shares = np.full(mixture.size, 1 / mixture.size)
    best = shares
    smallest_gap = np.inf
    for _ in range(most_steps):
        slopes = _slopes(mixture, shares)
        gap = float(n * (slopes.max() - 1))
        if gap < smallest_gap:
            best = shares
            smallest_gap = gap
        if gap <= TOLERANCE:
            return shares
        shares = _extrapolated_step(mixture, shares, shares * slopes)
    if smallest_gap <= ENOUGH:
        return best
    raise ConvergenceError(
        f"the likelihood may still be {smallest_gap:.2g} short after {most_steps} steps"
    )


def _slopes(mixture: Mixture, shares: FloatArray) -> FloatArray:
    ratios = mixture.weights / mixture.mix(shares)
    slopes: FloatArray = mixture.gather(ratios) / mixture.weights.sum()
    return slopes


def _extrapolated_step(mixture: Mixture, start: FloatArray, once: FloatArray) -> FloatArray:
    """Return the shares after two plain steps, extrapolated.

    If extrapolation would lower the likelihood, the two plain steps are returned.

    once: the shares after the first plain step from `start`.
    """
    twice = once * _slopes(mixture, once)
    change = once - start
    bend = (twice - once) - change
    tiny = float(np.finfo(float).tiny)
    length = np.sqrt((change @ change) / max(float(bend @ bend), tiny))
    if length <= 1:
        return twice
    extrapolated = start + 2 * length * change + length**2 * bend
    # A share that once is 0 could never rise again.
    extrapolated = np.maximum(extrapolated, twice * 1e-3)
    extrapolated /= extrapolated.sum()
    if mixture.log_likelihood(extrapolated) >= mixture.log_likelihood(twice):
        return extrapolated
    return twice
