"""Adjusted differences of shares: contrasts of a linear model over cells of people.

The people of a cell have the same explaining answers. The interval is the score test's, as in
`mechanisms.Differences`, with the probability of a hit in each cell kept to what the design allows:
a group whose reports happen to be alike has an error too. Where few people decide a contrast its
normal tail is too thin, so a tail that counts their reports exactly has to agree before a
difference is clear.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mechanisms import checks
from mechanisms.analysis.differences import (
    ALIKE,
    FamilyOfComparisons,
    score_ends,
    smaller_tail,
    standardized,
)
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.estimation.intervals import normal_quantile

# How many people's reports are enumerated in the tail of a slope: 1,024 combinations.
MOST_ENUMERATED = 10
# Keeps a division by 0 away where no report has any weight.
_SMALLEST_WEIGHT = 1e-300


@dataclass(frozen=True, eq=False)
class ContrastCells:
    """The reports of the cells of a linear model of shares.

    The probability of a hit, which is a report that supports the answer, is intercept + slope *
    share.

    Attributes
    ----------
    n : ndarray of shape (cells,)
        The number of reports in each cell, at least 1.
    hits : ndarray of shape (cells,)
        How many of them support the answer.
    design : ndarray of shape (cells, p)
        The row of each cell in the linear model of the share.
    slope, intercept : float
        The line of the design of the question.
    """

    n: FloatArray
    hits: FloatArray
    design: FloatArray
    slope: float
    intercept: float

    def __init__(
        self, n: ArrayLike, hits: ArrayLike, design: ArrayLike, slope: float, intercept: float
    ) -> None:
        """Store the reports of the cells.

        Parameters
        ----------
        n, hits, design : array_like
            As the attributes.
        slope, intercept : float
            As the attributes.

        Raises
        ------
        ValueError
            If a cell has no report or more hits than reports, or if columns are sums of multiples
            of others.
        """
        reports = np.asarray(n, dtype=float)
        supporting = np.asarray(hits, dtype=float)
        table = np.asarray(design, dtype=float)
        if (reports < 1).any() or (supporting < 0).any() or (supporting > reports).any():
            raise ValueError(
                "allowed are at least one report in each cell, and no more hits than reports"
            )
        if np.linalg.matrix_rank(table) < table.shape[1]:
            raise ValueError(
                "design has columns that others make up; allowed are columns that say something new"
            )
        object.__setattr__(self, "n", reports)
        object.__setattr__(self, "hits", supporting)
        object.__setattr__(self, "design", table)
        object.__setattr__(self, "slope", float(slope))
        object.__setattr__(self, "intercept", float(intercept))

    @property
    def weights(self) -> FloatArray:
        """The weight n slope^2 of each cell's decoded share, shape (cells,)."""
        return self.n * self.slope**2

    @cached_property
    def inverse(self) -> FloatArray:
        """The inverse of the weighted Gram matrix of the design, shape (p, p)."""
        gram = (self.design * self.weights[:, np.newaxis]).T @ self.design
        return np.asarray(np.linalg.inv(gram), dtype=np.float64)

    @cached_property
    def coefficients(self) -> FloatArray:
        """The coefficients of weighted least squares, which are unbiased, shape (p,)."""
        shares = (self.hits / self.n - self.intercept) / self.slope
        coefficients: FloatArray = self.inverse @ self.design.T @ (self.weights * shares)
        return coefficients


@dataclass(frozen=True, eq=False)
class CellContrasts(FamilyOfComparisons):
    """Contrasts of the coefficients of a linear model over cells.

    Attributes
    ----------
    cells : ContrastCells
        The cells and their model.
    contrasts : ndarray of shape (m, p)
        Each contrast is a sum of coefficients with these factors.
    members : ndarray of bool, shape (m, cells)
        The cells of the group that a contrast is of. No cell if it is of no group, such as the
        slope of a number.
    confidence : float, default 0.95
        The level at which all intervals of the family hold, between 0 and 1.
    comparisons : int, default 1
        How many comparisons share the level.

    Raises
    ------
    ValueError
        If the confidence is not between 0 and 1, or if comparisons is not at least 1.
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
        """The estimated contrasts, shape (m,)."""
        values: FloatArray = self.contrasts @ self.cells.coefficients
        return values

    @cached_property
    def statistics(self) -> FloatArray:
        """The z of the test that there is no difference, shape (m,)."""
        return self._score(np.zeros_like(self.values))

    @cached_property
    def standard_errors(self) -> FloatArray:
        """The standard errors at the estimates, with shares of cells cut to [0, 1], shape (m,)."""
        return np.sqrt(self._variance(self.values))

    @cached_property
    def intervals(self) -> FloatArray:
        """Intervals that hold for all comparisons together, shape (m, 2)."""
        return self._intervals(self.alpha)

    @cached_property
    def alone(self) -> FloatArray:
        """Intervals that hold for each comparison by itself, shape (m, 2)."""
        return self._intervals(1 - self.confidence)

    @cached_property
    def tails(self) -> FloatArray:
        """The tails that have to agree, shape (m,); nan where none has to.

        The tail of a contrast of a group is the larger of the exact tails of the group and of all
        others, where few reports of a kind are expected. The tail of any other contrast is
        `slope_tail`.
        """
        is_slope: BoolArray = np.asarray(np.logical_not(self.members).all(axis=1))
        tails = self._group_tails()
        tails[is_slope] = self._slope_tails(is_slope)
        return tails

    def _group_tails(self) -> FloatArray:
        """Return the larger of the exact tails of both groups, shape (m,).

        It is nan where enough reports of each kind are expected in both groups.
        """
        probabilities = self._hit_probabilities(np.zeros_like(self.values))
        few = normal_quantile(1 - self.alpha) ** 2
        others = ~self.members & self.members.any(axis=1, keepdims=True)
        tails = []
        for members in (self.members, others):
            n = members @ self.cells.n
            hits = members @ self.cells.hits
            expected_hits = (members * self.cells.n * probabilities).sum(axis=1)
            has_reports = n > 0
            mean = np.divide(expected_hits, n, out=np.full_like(n, 0.5), where=has_reports)
            tail = smaller_tail(hits.astype(int), np.maximum(n, 1).astype(int), mean)
            has_few = n * np.minimum(mean, 1 - mean) < few
            tails.append(np.where(has_reports & has_few, tail, np.nan))
        larger: FloatArray = np.fmax(tails[0], tails[1])
        return larger

    def _slope_tails(self, is_slope: BoolArray) -> FloatArray:
        """Return the smaller tail at no difference for each contrast that is of no group."""
        probabilities = self._hit_probabilities(np.zeros_like(self.values))[is_slope]
        weights = self._directions[is_slope] @ self.cells.design.T * self.cells.slope
        tails = []
        for contrast in range(len(weights)):
            tail = slope_tail(
                weights[contrast], self.cells.n, self.cells.hits, probabilities[contrast]
            )
            tails.append(tail)
        return np.array(tails)

    @cached_property
    def p_values(self) -> FloatArray:
        """The two-sided p-value of each comparison by itself, shape (m,).

        It is not smaller than the tail that has to agree allows.
        """
        normal = 2 * ndtr(-np.abs(self.statistics))
        guard = np.minimum(2 * self.tails, 1.0)
        # nan is left out of the larger one of both.
        values: FloatArray = np.fmax(normal, guard)
        return values

    @property
    def excludes_zero(self) -> BoolArray:
        """True where the interval for the family excludes 0, shape (m,)."""
        excludes: BoolArray = np.abs(self.statistics) > normal_quantile(1 - self.alpha)
        return excludes

    @cached_property
    def _directions(self) -> FloatArray:
        """The directions in which coefficients move with a supposed difference, shape (m, p)."""
        directions: FloatArray = self.contrasts @ self.cells.inverse
        return directions

    @cached_property
    def _variance_factors(self) -> FloatArray:
        """The factors of the variance of one report of each cell, shape (m, cells).

        Their sum with these variances is the variance of a contrast.
        """
        weights = self.cells.weights
        weighted_design = self.cells.design * weights[:, np.newaxis]
        # What a decoded share of each cell adds to a contrast.
        factors_of_shares = self._directions @ weighted_design.T
        variance_factors: FloatArray = factors_of_shares**2 / weights
        return variance_factors

    def _hit_probabilities(self, supposed: FloatArray) -> FloatArray:
        """Return the probability of a hit in each cell if contrasts were `supposed`, (m, cells).

        The coefficients are the nearest ones with this contrast, and shares are cut to [0, 1].
        """
        cells = self.cells
        reach = np.einsum("mp,mp->m", self.contrasts, self._directions)
        steps = (self.values - supposed) / reach
        coefficients = cells.coefficients - self._directions * steps[:, np.newaxis]
        shares = np.clip(coefficients @ cells.design.T, 0.0, 1.0)
        probabilities: FloatArray = cells.intercept + cells.slope * shares
        return probabilities

    def _variance(self, supposed: FloatArray) -> FloatArray:
        """Return the variance of each contrast if contrasts were `supposed`, shape (m,)."""
        probabilities = self._hit_probabilities(supposed)
        report_variance = np.maximum(probabilities * (1 - probabilities), 0.0)
        variance: FloatArray = (self._variance_factors * report_variance).sum(axis=1)
        return variance

    def _score(self, supposed: FloatArray) -> FloatArray:
        """Return how many standard errors the values lie above supposed contrasts, shape (m,)."""
        return standardized(self.values - supposed, self._variance(supposed))

    def _intervals(self, alpha: float) -> FloatArray:
        # The variance of one report is at most 1/4.
        largest_error = np.sqrt(self._variance_factors.sum(axis=1)) / 2
        return score_ends(self._score, self.values, normal_quantile(1 - alpha), largest_error)


def slope_tail(
    weights: ArrayLike, n: ArrayLike, hits: ArrayLike, hit_probabilities: ArrayLike
) -> float:
    """
    Return the smaller tail of a weighted sum of hits, with few influential people enumerated.

    The score of a slope is the sum of w (y - lambda) over all people, where y is 1 for a hit and 0
    for any other report, and lambda is the probability of a hit. Where few people have most of the
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
    hit_probabilities : array_like, shape (cells,)
        The probability of a hit in each cell, from 0 to 1.

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
    weight = np.asarray(weights, dtype=np.float64)
    people = np.asarray(n, dtype=np.float64)
    observed_hits = np.asarray(hits, dtype=np.float64)
    probability = np.asarray(hit_probabilities, dtype=np.float64)
    variance = weight**2 * np.maximum(probability * (1 - probability), 0.0)
    enumerated = _enumerated_people(variance, people)
    observed = weight @ (observed_hits - people * probability)
    spread = np.sqrt((people - enumerated) @ variance)

    # Each enumerated person doubles the combinations: without a hit, and with one. `masses` has the
    # probability of each combination.
    sums = np.zeros(1)
    masses = np.ones(1)
    for cell in np.repeat(np.arange(enumerated.size), enumerated):
        hit_probability = probability[cell]
        sums_without_hit = sums - weight[cell] * hit_probability
        sums_with_hit = sums + weight[cell] * (1 - hit_probability)
        sums = np.concatenate([sums_without_hit, sums_with_hit])
        masses = np.concatenate([masses * (1 - hit_probability), masses * hit_probability])

    # Sums that differ only by rounding are equal, and belong to both tails. It matters only where
    # few people have all of the variance, so that the sum has few possible values.
    rounding = ALIKE * max(float(np.abs(weight).max()), _SMALLEST_WEIGHT)
    scale = max(float(spread), rounding / 10)
    at_least = float(masses @ ndtr((sums - observed + rounding) / scale))
    at_most = float(masses @ ndtr((observed - sums + rounding) / scale))
    return min(at_least, at_most)


def _enumerated_people(variance: FloatArray, people: FloatArray) -> IntArray:
    """Return how many people of each cell have the largest variances, shape (cells,)."""
    # The order of cells with the same variance does not depend on the sorting algorithm.
    order = np.argsort(-variance, kind="stable")
    people_earlier = np.cumsum(people[order]) - people[order]
    enumerated = np.zeros(people.size, np.int64)
    enumerated[order] = np.clip(MOST_ENUMERATED - people_earlier, 0, people[order])
    return enumerated
