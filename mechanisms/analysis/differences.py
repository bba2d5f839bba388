"""Differences of the shares of two groups: one interval, one p-value and one guard for all of them.

The interval is that of the score test, with the probabilities of reports kept to what the design
allows, so a group whose reports happen to be alike has an error too. Where few reports of a kind
are expected, the normal tails of the test are too thin. An exact tail then has to agree before a
difference is clear.

References
----------
Mee, R. W. (1984). Confidence bounds for the difference between two probabilities. Biometrics 40,
1175-1176.

Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine 4,
213-226.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, bdtrc, gammaln, ndtr

from mechanisms import checks
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.intervals import exact, normal_quantile
from mechanisms.estimation.tallies import Tally

# Where the probability of a report can be this near to 0 or 1, the normal tail is no guide.
NEAR_CERTAIN = 0.05
# Two designs need no guard if so many times the squared quantile of reports of each kind are
# expected.
ENOUGH = 3.0
# Differences that are this near to each other are equal where nothing varies.
ALIKE = 1e-9
# After so many halvings an end is exact but for rounding.
_HALVINGS = 60
# The natural logarithm of the smallest level that is looked at.
_SMALLEST_LOG_LEVEL = -700.0
# Terms of a tail that are a smaller part of it do not count.
_SMALLEST_PART_OF_TAIL = 1e-18


@dataclass(frozen=True, eq=False)
class GroupReports:
    """The reports of one group in each comparison, with the line of its design.

    The probability of a hit, which is a report that supports the answer, is intercept + slope *
    share. All attributes have the shape (m,), for m comparisons.

    Attributes
    ----------
    n : ndarray of int
        The number of reports, at least 1.
    hits : ndarray of int
        How many of them support the answer.
    slope : ndarray of float
        The slope of the line of the design.
    intercept : ndarray of float
        Its intercept: the probability of a hit among people for whom the answer is not true.
    """

    n: IntArray
    hits: IntArray
    slope: FloatArray
    intercept: FloatArray

    def __init__(
        self, n: ArrayLike, hits: ArrayLike, slope: ArrayLike, intercept: ArrayLike
    ) -> None:
        """Store the reports of a group.

        Parameters
        ----------
        n, hits, slope, intercept : array_like
            As the attributes, or single numbers for all comparisons.

        Raises
        ------
        ValueError
            If there is no report, or if there are more hits than reports.
        """
        reports = np.atleast_1d(n).astype(np.int64)
        supporting = np.atleast_1d(hits).astype(np.int64)
        if (reports < 1).any() or (supporting < 0).any() or (supporting > reports).any():
            raise ValueError(
                "allowed are at least one report on each side, and no more hits than reports"
            )
        slopes = np.atleast_1d(slope).astype(float)
        intercepts = np.atleast_1d(intercept).astype(float)
        reports, supporting, slopes, intercepts = np.broadcast_arrays(
            reports, supporting, slopes, intercepts
        )
        object.__setattr__(self, "n", reports)
        object.__setattr__(self, "hits", supporting)
        object.__setattr__(self, "slope", slopes)
        object.__setattr__(self, "intercept", intercepts)

    @property
    def share(self) -> FloatArray:
        """The decoded share of the answer, which may be outside of [0, 1], shape (m,)."""
        return (self.hits / self.n - self.intercept) / self.slope

    @property
    def weight(self) -> FloatArray:
        """The weight n slope^2 of the share, shape (m,).

        The variance of the share is that of a single report, divided by the weight.
        """
        return self.n * self.slope**2

    @property
    def is_near_certain(self) -> BoolArray:
        """True if reports are the answers, or some share makes a report nearly certain, (m,)."""
        probabilities = np.stack([self.intercept, self.intercept + self.slope])
        lowest = probabilities.min(axis=0)
        highest = probabilities.max(axis=0)
        is_near: BoolArray = np.minimum(lowest, 1 - highest) < NEAR_CERTAIN - ALIKE
        return is_near

    def ends(self, alpha: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the ends of the exact interval of each share.

        Parameters
        ----------
        alpha : ndarray of shape (m,)
            One minus the level of each interval.

        Returns
        -------
        low, high : ndarray of shape (m,)

        References
        ----------
        Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits
        illustrated in the case of the binomial. Biometrika 26, 404-413.
        """
        report_ends = exact(self.hits, self.n, 1 - alpha)
        shares = (report_ends - self.intercept[:, None]) / self.slope[:, None]
        return shares.min(axis=1), shares.max(axis=1)


def difference_side(mechanism: Mechanism, tally: Tally) -> GroupReports:
    """Return the reports of one group, with a comparison for each answer.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of the question.
    tally : Tally
        The counts of the group's reports.

    Returns
    -------
    GroupReports
        Of shape (size,).

    Raises
    ------
    ValueError
        If the reports for an answer depend on the shares of other answers too, or if no report is
        informative about an answer.
    """
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"{mechanism.title} has no line for each answer; allowed are designs that have one"
        )
    return GroupReports(
        n=mechanism.informative_reports(tally),
        hits=mechanism.support_counts(tally),
        slope=line.slope,
        intercept=line.offset,
    )


class FamilyOfComparisons(ABC):
    """A family of m comparisons that share one level, with p-values and verdicts.

    Attributes
    ----------
    confidence : float
        The level at which all intervals of the family hold.
    comparisons : int
        How many comparisons share the level. The family may be larger than m.
    """

    confidence: float
    comparisons: int

    @property
    @abstractmethod
    def values(self) -> FloatArray:
        """The estimated differences, shape (m,)."""

    @property
    @abstractmethod
    def tails(self) -> FloatArray:
        """The exact tails that have to agree, shape (m,); nan where none has to."""

    @property
    @abstractmethod
    def p_values(self) -> FloatArray:
        """The two-sided p-value of each comparison by itself, shape (m,)."""

    @property
    @abstractmethod
    def excludes_zero(self) -> BoolArray:
        """True where the interval for the family excludes 0, shape (m,)."""

    @property
    def alpha(self) -> float:
        """One minus the level of each comparison, which is the family's divided by its size."""
        return (1 - self.confidence) / self.comparisons

    @property
    def p_together(self) -> FloatArray:
        """The p-values, adjusted for all comparisons of the family (Bonferroni), shape (m,)."""
        return np.minimum(self.comparisons * self.p_values, 1.0)

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """The verdict of each comparison.

        It is "higher" or "lower" if the interval for the family excludes 0 and the exact tail
        agrees, "too few answers" if only the interval does, and else "no clear difference".
        """
        tail_agrees = np.isnan(self.tails) | (self.tails <= self.alpha / 2)
        direction = np.where(self.values > 0, "higher", "lower")
        if_excluded = np.where(tail_agrees, direction, "too few answers")
        verdicts = np.where(self.excludes_zero, if_excluded, "no clear difference")
        return tuple(verdicts.tolist())

    @property
    def clear(self) -> BoolArray:
        """True where the verdict is "higher" or "lower", shape (m,)."""
        return np.isin(self.verdicts, ("higher", "lower"))


@dataclass(frozen=True, eq=False)
class Differences(FamilyOfComparisons):
    """Differences of shares of two groups of different people.

    Attributes
    ----------
    first, second : GroupReports
        The groups. Shares of the second are subtracted from those of the first.
    confidence : float, default 0.95
        The level at which all intervals of the family hold, between 0 and 1.
    comparisons : int, default 1
        How many comparisons share the level.

    Raises
    ------
    ValueError
        If the confidence is not between 0 and 1, or if comparisons is not at least 1.
    """

    first: GroupReports
    second: GroupReports
    confidence: float = 0.95
    comparisons: int = 1

    def __post_init__(self) -> None:
        checks.between("confidence", self.confidence, 0, 1)
        checks.whole("comparisons", self.comparisons, 1)

    @cached_property
    def values(self) -> FloatArray:
        """The estimated differences, shape (m,)."""
        return self.first.share - self.second.share

    @cached_property
    def statistics(self) -> FloatArray:
        """The z of the test that there is no difference, shape (m,)."""
        return self._score(np.zeros_like(self.values))

    @cached_property
    def simultaneous_intervals(self) -> FloatArray:
        """Intervals that hold for all comparisons together, shape (m, 2)."""
        return self._intervals(self.alpha)

    @cached_property
    def separate_intervals(self) -> FloatArray:
        """Intervals that hold for each comparison by itself, shape (m, 2)."""
        return self._intervals(1 - self.confidence)

    @cached_property
    def tails(self) -> FloatArray:
        """The exact tails that have to agree, shape (m,); nan where none has to.

        For one design it is the hypergeometric tail. For two designs it is the larger binomial tail
        of both groups.
        """
        first, second = self.first, self.second
        has_one_design = (first.slope == second.slope) & (first.intercept == second.intercept)
        hypergeometric = hypergeometric_tail(
            first.hits, first.n, first.hits + second.hits, first.n + second.n
        )
        tails = np.where(has_one_design, hypergeometric, self._binomial_tails())
        return np.where(self.has_exact_ends, np.nan, tails)

    @cached_property
    def p_values(self) -> FloatArray:
        """The two-sided p-value of each comparison by itself, shape (m,).

        It is not smaller than the exact tail allows.
        """
        normal = 2 * ndtr(-np.abs(self.statistics))
        guard = np.minimum(2 * self.tails, 1.0)
        # nan is left out of the larger one of both.
        by_score: FloatArray = np.fmax(normal, guard)
        if not self.has_exact_ends.any():
            return by_score
        return np.where(self.has_exact_ends, self._p_values_of_exact_ends(), by_score)

    @cached_property
    def has_exact_ends(self) -> BoolArray:
        """True where a report is nearly certain, so that intervals use exact ends, shape (m,)."""
        return self.first.is_near_certain | self.second.is_near_certain

    @property
    def excludes_zero(self) -> BoolArray:
        """True where the interval for the family excludes 0, shape (m,).

        The score falls with the supposed difference, so its value at 0 decides.
        """
        excludes: BoolArray = np.abs(self.statistics) > normal_quantile(1 - self.alpha)
        if self.has_exact_ends.any():
            low, high = self._intervals_of_exact_ends(np.full_like(self.values, self.alpha)).T
            excludes = np.where(self.has_exact_ends, (low > 0) | (high < 0), excludes)
        return excludes

    def _hit_probabilities(self, supposed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the probability of a hit in each group if the shares differ by `supposed`.

        The shares are the likeliest ones with this difference that are shares. The likelihood is
        the normal one of the two estimates, whose weights do not depend on the shares.
        """
        first, second = self.first, self.second
        difference = np.clip(supposed, -1.0, 1.0)
        weighted_sum = second.weight * second.share + first.weight * (first.share - supposed)
        likeliest = weighted_sum / (first.weight + second.weight)
        lowest = np.maximum(0.0, -difference)
        highest = np.minimum(1.0, 1.0 - difference)
        second_share = np.clip(likeliest, lowest, highest)
        first_probability = first.intercept + first.slope * (second_share + difference)
        second_probability = second.intercept + second.slope * second_share
        return first_probability, second_probability

    def _score(self, supposed: FloatArray) -> FloatArray:
        """Return how many standard errors the values lie above supposed differences, shape (m,)."""
        first_probability, second_probability = self._hit_probabilities(supposed)
        first_variance = (
            np.maximum(first_probability * (1 - first_probability), 0.0) / self.first.weight
        )
        second_variance = (
            np.maximum(second_probability * (1 - second_probability), 0.0) / self.second.weight
        )
        return standardized(self.values - supposed, first_variance + second_variance)

    def _intervals(self, alpha: float) -> FloatArray:
        largest_error = np.sqrt(0.25 / self.first.weight + 0.25 / self.second.weight)
        by_score = score_ends(self._score, self.values, normal_quantile(1 - alpha), largest_error)
        if not self.has_exact_ends.any():
            return by_score
        exact_intervals = self._intervals_of_exact_ends(np.full_like(self.values, alpha))
        return np.where(self.has_exact_ends[:, None], exact_intervals, by_score)

    def _intervals_of_exact_ends(self, alpha: FloatArray) -> FloatArray:
        """Return intervals from the exact ends of both shares, shape (m, 2).

        This is method 10 of Newcombe, R. G. (1998). Interval estimation for the difference between
        independent proportions. Statistics in Medicine 17, 873-890.
        """
        first_low, first_high = self.first.ends(alpha)
        second_low, second_high = self.second.ends(alpha)
        below = np.hypot(self.first.share - first_low, second_high - self.second.share)
        above = np.hypot(first_high - self.first.share, self.second.share - second_low)
        return np.stack([self.values - below, self.values + above], axis=-1)

    def _p_values_of_exact_ends(self) -> FloatArray:
        """Return the level at which the nearer end of the interval from exact ends is 0, (m,)."""
        low_log = np.full_like(self.values, _SMALLEST_LOG_LEVEL)
        high_log = np.zeros_like(self.values)
        for _ in range(_HALVINGS):
            middle_log = (low_log + high_log) / 2
            low, high = self._intervals_of_exact_ends(np.exp(middle_log)).T
            includes_zero = (low <= 0) & (high >= 0)
            low_log = np.where(includes_zero, middle_log, low_log)
            high_log = np.where(includes_zero, high_log, middle_log)
        return np.where(self.values == 0, 1.0, np.exp(high_log))

    def _binomial_tails(self) -> FloatArray:
        """Return the larger tail of both groups at no difference, shape (m,).

        It is nan where enough reports of each kind are expected in both groups.
        """
        few = ENOUGH * normal_quantile(1 - self.alpha) ** 2
        probabilities = self._hit_probabilities(np.zeros_like(self.values))
        tails = []
        for group, probability in zip((self.first, self.second), probabilities, strict=True):
            expected = group.n * np.minimum(probability, 1 - probability)
            tail = smaller_tail(group.hits, group.n, probability)
            tails.append(np.where(expected < few, tail, np.nan))
        larger: FloatArray = np.fmax(tails[0], tails[1])
        return larger


def standardized(deviations: FloatArray, variances: FloatArray) -> FloatArray:
    """Return deviations in standard errors.

    Parameters
    ----------
    deviations : ndarray of shape (m,)
        How far estimates lie above supposed values.
    variances : ndarray of shape (m,)
        Their variances, which may be 0.

    Returns
    -------
    ndarray of shape (m,)
        Where the variance is 0 it is infinite with the sign of the deviation, and 0 for a deviation
        that is 0 but for rounding.
    """
    if_certain = np.where(np.abs(deviations) < ALIKE, 0.0, np.copysign(np.inf, deviations))
    varies = variances > 0
    standard_errors = np.sqrt(np.where(varies, variances, 1.0))
    scores: FloatArray = np.where(varies, deviations / standard_errors, if_certain)
    return scores


def score_ends(
    score: Callable[[FloatArray], FloatArray],
    values: FloatArray,
    quantile: float,
    largest_error: FloatArray,
) -> FloatArray:
    """Return the ends of all supposed differences that a score test does not reject.

    Parameters
    ----------
    score : callable
        From supposed differences, shape (m,), to how many standard errors the estimates lie above
        them. It falls with the supposed difference.
    values : ndarray of shape (m,)
        The estimates.
    quantile : float
        Scores beyond it, on either side, are rejected.
    largest_error : ndarray of shape (m,)
        The largest standard error that is possible.

    Returns
    -------
    ndarray of shape (m, 2)
        The lower and upper ends.
    """
    reach = quantile * largest_error + ALIKE

    def end_on(side: float) -> FloatArray:
        """Return the ends above the values for a side of 1.0, and below them for -1.0."""
        inside = values.copy()
        beyond = side * (np.maximum(side * values, 1.0) + reach)
        for _ in range(_HALVINGS):
            middle = (inside + beyond) / 2
            is_rejected = -side * score(middle) > quantile
            inside = np.where(is_rejected, inside, middle)
            beyond = np.where(is_rejected, middle, beyond)
        return inside

    return np.stack([end_on(-1.0), end_on(1.0)], axis=-1)


def smaller_tail(hits: IntArray, n: IntArray, probability: FloatArray) -> FloatArray:
    """Return P(at most `hits`) or P(at least `hits`), whichever is smaller.

    Parameters
    ----------
    hits : ndarray of int
        The observed values of binomial variables.
    n : ndarray of int
        The number of trials of each, at least 1.
    probability : ndarray of float
        The probability of a hit in each.

    Returns
    -------
    ndarray of the same shape
    """
    at_most = bdtr(hits, n, probability)
    at_least = np.where(hits > 0, bdtrc(np.maximum(hits - 1, 0), n, probability), 1.0)
    tails: FloatArray = np.minimum(at_most, at_least)
    return tails


def hypergeometric_tail(
    hits: IntArray, n: IntArray, marked: IntArray, population: IntArray
) -> FloatArray:
    """Return the smaller mid-P tail of a hypergeometric variable.

    It is P(fewer hits) or P(more hits), whichever is smaller, and half of P(as many hits).

    Parameters
    ----------
    hits : ndarray of int, shape (m,)
        The number of hits among those that are drawn.
    n : ndarray of int, shape (m,)
        How many are drawn out of the population without replacement.
    marked : ndarray of int, shape (m,)
        How many of the population are hits.
    population : ndarray of int, shape (m,)
        The size of the population.

    Returns
    -------
    ndarray of shape (m,)

    References
    ----------
    Lancaster, H. O. (1961). Significance tests in discrete distributions. Journal of the American
    Statistical Association 56, 223-234: half of the probability of the observed value.
    """
    rest = population - marked - n
    log_probability = (
        _log_choose(marked, hits)
        + _log_choose(population - marked, n - hits)
        - _log_choose(population, n)
    )
    hits_probability = np.exp(log_probability)

    # The sum goes away from the mean, where the terms fall, and ends when they are negligible. Each
    # term is the one before it times a ratio of whole numbers.
    goes_up = hits * population > n * marked
    value = hits.astype(float)
    term = hits_probability.copy()
    tail = np.zeros_like(hits_probability)
    while (term > _SMALLEST_PART_OF_TAIL * (tail + hits_probability)).any():
        numerator_up = (marked - value) * (n - value)
        denominator_up = (value + 1) * (rest + value + 1)
        numerator_down = value * (rest + value)
        denominator_down = (marked - value + 1) * (n - value + 1)
        numerator = np.where(goes_up, numerator_up, numerator_down)
        denominator = np.where(goes_up, denominator_up, denominator_down)
        term = term * np.maximum(numerator, 0.0) / np.maximum(denominator, 1.0)
        tail += term
        value += np.where(goes_up, 1, -1)

    other_tail = np.maximum(1 - tail - hits_probability, 0.0)
    tails: FloatArray = np.minimum(tail, other_tail) + hits_probability / 2
    return tails


def _log_choose(total: IntArray, selected: IntArray) -> FloatArray:
    """Return the natural logarithm of the binomial coefficient."""
    rest = total - selected
    logarithm: FloatArray = gammaln(total + 1) - gammaln(selected + 1) - gammaln(rest + 1)
    return logarithm
