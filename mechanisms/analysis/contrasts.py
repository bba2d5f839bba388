"""Adjusted differences of shares: contrasts of a linear model over cells of people with the same explaining answers.

The interval is the score test's, as in `mechanisms.Differences`, with every cell's chance of a report kept to what the
design allows: a group whose reports happen to be alike has an error too.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mechanisms import checks
from mechanisms.analysis.differences import ALIKE, FamilyOfComparisons, score_ends, smaller_tail
from mechanisms.checks import BoolArray, FloatArray
from mechanisms.estimation.intervals import normal_quantile


@dataclass(frozen=True, eq=False)
class ContrastCells:
    """hits of n reports in each cell, shape (cells,), of chance intercept + slope * share. design: shape (cells, p).

    ValueError for a cell without reports, more hits than reports, or columns that others make up.
    """

    n: FloatArray
    hits: FloatArray
    design: FloatArray
    slope: float
    intercept: float

    def __init__(
        self, n: ArrayLike, hits: ArrayLike, design: ArrayLike, slope: float, intercept: float
    ) -> None:
        counts, marked, table = (np.asarray(each, dtype=float) for each in (n, hits, design))
        if (counts < 1).any() or (marked < 0).any() or (marked > counts).any():
            raise ValueError(
                "allowed are at least one report in each cell, and no more hits than reports"
            )
        if np.linalg.matrix_rank(table) < table.shape[1]:
            raise ValueError(
                "design has columns that others make up; allowed are columns that say something new"
            )
        values = {
            "n": counts,
            "hits": marked,
            "design": table,
            "slope": float(slope),
            "intercept": float(intercept),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @cached_property
    def inverse(self) -> FloatArray:
        """Of the weighted Gram matrix, shape (p, p)."""
        gram = (self.design * (self.n * self.slope**2)[:, np.newaxis]).T @ self.design
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)

    @cached_property
    def coefficients(self) -> FloatArray:
        """Unbiased, shape (p,)."""
        shares = (self.hits / self.n - self.intercept) / self.slope
        coefficients: FloatArray = self.inverse @ self.design.T @ (self.n * self.slope**2 * shares)
        return coefficients


@dataclass(frozen=True, eq=False)
class CellContrasts(FamilyOfComparisons):
    """contrasts: of the coefficients, shape (m, p). members: of each, the cells of the group that it is of, shape
    (m, cells); no cell where it is of no group, such as a number's slope. comparisons: of the family that shares the
    confidence.
    """

    cells: ContrastCells
    contrasts: FloatArray
    members: BoolArray
    confidence: float = 0.95
    comparisons: int = 1

    def __post_init__(self) -> None:
        checks.between("confidence", self.confidence, 0, 1)
        checks.whole("comparisons", self.comparisons, 1)

    @cached_property
    def values(self) -> FloatArray:
        values: FloatArray = self.contrasts @ self.cells.coefficients
        return values

    @cached_property
    def statistics(self) -> FloatArray:
        """The z of no difference."""
        return self._score(np.zeros_like(self.values))

    @cached_property
    def standard_errors(self) -> FloatArray:
        """At the estimate, with cells' shares kept to possible ones."""
        return np.sqrt(self._variance(self.values))

    @cached_property
    def intervals(self) -> FloatArray:
        """Those that hold for all comparisons together, shape (m, 2)."""
        return self._ends(self.alpha)

    @cached_property
    def alone(self) -> FloatArray:
        """Those that hold for each comparison by itself."""
        return self._ends(1 - self.confidence)

    @cached_property
    def tails(self) -> FloatArray:
        """The larger of the exact tails that have to agree; nan where none has to."""
        chances, tails = self._chances(np.zeros_like(self.values)), []
        few = normal_quantile(1 - self.alpha) ** 2
        for members in (self.members, ~self.members & self.members.any(axis=1, keepdims=True)):
            n, hits = members @ self.cells.n, members @ self.cells.hits
            mean = np.divide(
                (members * self.cells.n * chances).sum(axis=1),
                n,
                out=np.full_like(n, 0.5),
                where=n > 0,
            )
            tail = smaller_tail(hits.astype(int), np.maximum(n, 1).astype(int), mean)
            tails.append(np.where((n > 0) & (n * np.minimum(mean, 1 - mean) < few), tail, np.nan))
        larger: FloatArray = np.fmax(*tails)
        return larger

    @cached_property
    def p_values(self) -> FloatArray:
        """Two-sided, of each comparison by itself, and no smaller than its guard allows."""
        values: FloatArray = np.fmax(
            2 * ndtr(-np.abs(self.statistics)), np.minimum(2 * self.tails, 1.0)
        )
        return values

    @property
    def excludes_zero(self) -> BoolArray:
        excludes: BoolArray = np.abs(self.statistics) > normal_quantile(1 - self.alpha)
        return excludes

    @cached_property
    def _directions(self) -> FloatArray:
        """Along which the coefficients move with a supposed difference, shape (m, p)."""
        directions: FloatArray = self.contrasts @ self.cells.inverse
        return directions

    @cached_property
    def _spread(self) -> FloatArray:
        """Of the variance of each cell's reports what a contrast takes, shape (m, cells)."""
        cells = self.cells
        shares = self._directions @ (cells.design * (cells.n * cells.slope**2)[:, np.newaxis]).T
        spread: FloatArray = shares**2 / (cells.n * cells.slope**2)
        return spread

    def _chances(self, supposed: FloatArray) -> FloatArray:
        """Of a hit in each cell, at the nearest coefficients with that difference, shape (m, cells)."""
        reach = np.einsum("mp,mp->m", self.contrasts, self._directions)
        moved = (
            self.cells.coefficients
            - self._directions * ((self.values - supposed) / reach)[:, np.newaxis]
        )
        chances: FloatArray = self.cells.intercept + self.cells.slope * np.clip(
            moved @ self.cells.design.T, 0.0, 1.0
        )
        return chances

    def _variance(self, supposed: FloatArray) -> FloatArray:
        chances = self._chances(supposed)
        variance: FloatArray = (self._spread * np.maximum(chances * (1 - chances), 0.0)).sum(axis=1)
        return variance

    def _score(self, supposed: FloatArray) -> FloatArray:
        variance, beyond = self._variance(supposed), self.values - supposed
        certain = np.where(np.abs(beyond) < ALIKE, 0.0, np.copysign(np.inf, beyond))
        return np.where(
            variance > 0, beyond / np.sqrt(np.where(variance > 0, variance, 1.0)), certain
        )

    def _ends(self, alpha: float) -> FloatArray:
        return score_ends(
            self._score,
            self.values,
            normal_quantile(1 - alpha),
            np.sqrt(self._spread.sum(axis=1)) / 2,
        )
