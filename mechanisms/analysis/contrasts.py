"""Adjusted differences of shares: contrasts of a linear model over cells of people with the same explaining answers.

The interval is the score test's, as in `mechanisms.Differences`, with every cell's chance of a report kept to what the
design allows: a group whose reports happen to be alike has an error too. Where few people decide a contrast its normal
tail is too thin, so a tail that counts their reports exactly has to agree before a difference is clear.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mechanisms import checks
from mechanisms.analysis.differences import ALIKE, FamilyOfComparisons, score_ends, smaller_tail
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.estimation.intervals import normal_quantile

# How many people's reports are enumerated in the tail of a slope: 1,024 combinations.
MOST_ENUMERATED = 10
# Keeps a division by 0 away where no report has any weight.
_SMALLEST_WEIGHT = 1e-300


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
        """The tails that have to agree, shape (m,); nan where none has to.

        Of a contrast of a group it is the larger of the exact tails of the group and of all others, where few reports
        of a kind are expected. Of any other contrast it is `slope_tail`.
        """
        is_slope: BoolArray = np.asarray(np.logical_not(self.members).all(axis=1))
        tails = self._group_tails()
        tails[is_slope] = self._slope_tails(is_slope)
        return tails

    def _group_tails(self) -> FloatArray:
        """The larger of the exact tails of both groups, shape (m,); nan where none has to agree."""
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

    def _slope_tails(self, is_slope: BoolArray) -> FloatArray:
        """The smaller tail of the score at no difference for each contrast that is of no group."""
        chances = self._chances(np.zeros_like(self.values))[is_slope]
        weights = self._directions[is_slope] @ self.cells.design.T * self.cells.slope
        tails = [
            slope_tail(of_contrast, self.cells.n, self.cells.hits, expected)
            for of_contrast, expected in zip(weights, chances, strict=True)
        ]
        return np.array(tails)

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


def slope_tail(weights: ArrayLike, n: ArrayLike, hits: ArrayLike, chances: ArrayLike) -> float:
    """
    Return the smaller tail of a weighted sum of hits, with few influential people enumerated.

    The score of a slope is the sum of w (y - lambda) over all people, where y is 1 for a hit and 0
    for any other report, and lambda is the chance of a hit. Where few people have most of the
    variance w^2 lambda (1 - lambda), the normal tail is too thin. The reports of the
    `MOST_ENUMERATED` people with the largest one are enumerated, and the sum of all others is
    normal: the tail is the mean of its normal tails over all combinations of their reports.

    Parameters
    ----------
    weights : array_like, shape (cells,)
        What one hit adds to the score, for the people of each cell. All in a cell are alike.
    n : array_like of int, shape (cells,)
        The number of people in each cell, at least 1.
    hits : array_like of int, shape (cells,)
        The number of hits in each cell.
    chances : array_like, shape (cells,)
        The chance of a hit in each cell, from 0 to 1.

    Returns
    -------
    float
        The probability of a sum that is at most the observed one, or at least that, whichever is
        smaller.

    References
    ----------
    Feller, W. (1971). An introduction to probability theory and its applications, vol. 2, 2nd ed.
    Wiley, section VIII.4: a sum is near to normal where no summand has much of the variance
    (Lindeberg's condition), which holds for the sum of all others.
    """
    weight, people, hit, chance = (
        np.asarray(each, dtype=np.float64) for each in (weights, n, hits, chances)
    )
    variance = weight**2 * np.maximum(chance * (1 - chance), 0.0)
    enumerated = _enumerated_people(variance, people)
    observed = weight @ (hit - people * chance)
    spread = np.sqrt((people - enumerated) @ variance)

    sums, masses = np.zeros(1), np.ones(1)
    for cell in np.repeat(np.arange(enumerated.size), enumerated):
        step, of_hit = weight[cell], chance[cell]
        sums = np.concatenate([sums - step * of_hit, sums + step * (1 - of_hit)])
        masses = np.concatenate([masses * (1 - of_hit), masses * of_hit])

    # Sums that differ only by rounding are equal, and belong to both tails. It matters only where
    # few people have all of the variance, so that the sum has few possible values.
    rounding = ALIKE * max(float(np.abs(weight).max()), _SMALLEST_WEIGHT)
    scale = max(float(spread), rounding / 10)
    at_least = float(masses @ ndtr((sums - observed + rounding) / scale))
    at_most = float(masses @ ndtr((observed - sums + rounding) / scale))
    return min(at_least, at_most)


def _enumerated_people(variance: FloatArray, people: FloatArray) -> IntArray:
    """Return how many people of each cell are among those with the largest variance, shape (cells,)."""
    # The order of cells with the same variance does not depend on the sorting algorithm.
    order = np.argsort(-variance, kind="stable")
    before = np.cumsum(people[order]) - people[order]
    enumerated = np.zeros(people.size, np.int64)
    enumerated[order] = np.clip(MOST_ENUMERATED - before, 0, people[order])
    return enumerated
