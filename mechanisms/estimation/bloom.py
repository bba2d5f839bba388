"""From counts of scrambled Bloom filters to the shares of texts that somebody thinks of."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import nnls
from scipy.sparse import csr_array

from mechanisms.checks import FloatArray, IntArray

MOST_CANDIDATES = 2_000  # so that the least squares take seconds
_DEPENDENT = 1e-9  # of the largest pivot


class Found(NamedTuple):
    """Shares of candidates by least squares, unbiased, with their covariance; possible: none below 0, for display."""

    shares: FloatArray
    covariance: FloatArray
    possible: FloatArray


def least_squares(counts: IntArray, filters: IntArray, chances: tuple[float, float]) -> Found:
    """Least squares of how often each bit is set on the bits of the candidates.

    counts: shape (cohorts, 1 + bits), of each cohort how many reports it has and how many of them set each bit.
    filters: shape (candidates, cohorts, hashes), the bits of each candidate. chances: how often a bit is reported as
    1 where it is 0 and where it is 1. ValueError where the candidates cannot be told apart.

    Corrected for both steps, the share of 1 of a bit is the summed share of the texts that set it (Erlingsson et al.
    2014, section 4). Texts that nobody looks for set each bit as often as any other, on average over the hash
    functions; so from both sides this average is taken. The errors are those of a sandwich: what varies is each bit,
    binomially, and whatever the bits scatter beyond that, as where one such text is frequent.
    """
    asked = counts[:, 0] > 0
    size, width = counts[asked, 0].astype(float), counts.shape[1] - 1
    q, p = chances
    observed = counts[asked, 1:] / size[:, np.newaxis]
    wanted = ((observed - q) / (p - q)).ravel()
    noise = (np.maximum(observed * (1 - observed), 0) / size[:, np.newaxis]).ravel() / (p - q) ** 2
    others = by_chance(filters, width)
    regression = _Regression(_matrix(filters[:, asked], width), others)
    shares = regression.solve(regression.times(wanted - others))
    over = (wanted - others - regression.fitted(shares)) ** 2 - noise
    freedom = max(wanted.size - shares.size, 1)
    covariance = regression.sandwich(noise + max(float(over.sum()) / freedom, 0.0))
    return Found(shares, covariance, regression.not_below_zero(wanted - others))


def check_told_apart(filters: IntArray, width: int) -> None:
    """ValueError where these candidates cannot be told apart, however many reports there are."""
    _Regression(_matrix(filters, width), by_chance(filters, width))


def by_chance(filters: IntArray, width: int) -> float:
    """How often a bit is set by a text that nobody looks for, on average over hash functions."""
    return float(1 - (1 - 1 / width) ** filters.shape[2])


def _matrix(filters: IntArray, width: int) -> csr_array:
    """1 where a candidate sets a bit of a cohort; shape (cohorts * bits, candidates)."""
    candidates, cohorts, hashes = filters.shape
    rows = (filters + width * np.arange(cohorts)[:, np.newaxis]).reshape(candidates, -1)
    columns = np.repeat(np.arange(candidates), cohorts * hashes)
    found = csr_array(
        (np.ones(rows.size), (rows.ravel(), columns)), shape=(cohorts * width, candidates)
    )
    found.sum_duplicates()
    found.data[:] = 1  # two hash functions may meet
    return found


class _Regression:
    """On the bits of the candidates, less how often any text sets a bit. The matrix stays sparse."""

    def __init__(self, bits: csr_array, average: float) -> None:
        self.bits, self.average = bits, average
        self.gram = self._product(np.ones(bits.shape[0]))
        self._solve_by = _factor(self.gram, *bits.shape)

    def _product(self, weights: FloatArray) -> FloatArray:
        """X' W X for X = bits - average."""
        weighted = self.bits.T.multiply(weights).tocsr()
        sums = self.average * np.asarray(weighted.sum(axis=1)).ravel()
        product: FloatArray = (weighted @ self.bits).toarray() - sums[:, np.newaxis] - sums
        product += self.average**2 * weights.sum()
        return product

    def times(self, values: FloatArray) -> FloatArray:
        product: FloatArray = self.bits.T @ values - self.average * values.sum()
        return product

    def fitted(self, shares: FloatArray) -> FloatArray:
        fit: FloatArray = self.bits @ shares - self.average * shares.sum()
        return fit

    def solve(self, values: FloatArray) -> FloatArray:
        solved: FloatArray = cho_solve(self._solve_by, values)
        return solved

    def sandwich(self, variances: FloatArray) -> FloatArray:
        half = self.solve(self._product(variances))
        return self.solve(half.T)

    def not_below_zero(self, values: FloatArray) -> FloatArray:
        """The shares of least squares among those that are possible: none below 0, and together at most 1."""
        lower = np.tril(self._solve_by[0])
        target = np.linalg.solve(lower, self.times(values))
        shares: FloatArray = nnls(lower.T, target)[0]
        shares /= max(1.0, shares.sum())
        return shares


def _factor(gram: FloatArray, rows: int, candidates: int) -> tuple[FloatArray, bool]:
    too_many = ValueError(
        f"{candidates} candidates cannot be told apart by the {rows} bits of these reports; allowed are fewer"
    )
    if candidates > min(rows, MOST_CANDIDATES):
        raise too_many
    try:
        factor, lower = cho_factor(gram, lower=True)
    except np.linalg.LinAlgError:
        raise too_many from None
    pivots = factor.diagonal()
    if (pivots**2 < _DEPENDENT * (pivots**2).max(initial=0)).any():
        raise too_many
    return factor, lower
