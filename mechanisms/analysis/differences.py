"""Whether groups have different shares: one interval, one p-value and one guard for every difference of two shares.

The interval is the score test's (Mee 1984, Biometrics 40; Miettinen and Nurminen 1985, Statistics in Medicine 4), with
the chances of reports kept to what the design allows: a group whose reports happen to be alike has an error too. Where
few reports of a kind are expected its tails are too thin, so an exact tail has to agree before a difference is clear.
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

NEAR_CERTAIN = 0.05  # a report's chance this near to 0 or 1: the normal tail is no guide
ENOUGH = (
    3.0  # times the squared quantile: reports of a kind from which on two designs need no guard
)
ALIKE = 1e-9  # differences this near are one where nothing varies
_HALVINGS = 60
_SMALLEST = -700.0  # natural logarithm of a level


@dataclass(frozen=True, eq=False)
class GroupReports:
    """The reports of one group in each comparison, with the line of its design.

    All of shape (m,), or numbers for all alike. ValueError for no report, or more hits than reports.
    """

    n: IntArray
    hits: IntArray
    slope: FloatArray
    intercept: FloatArray

    def __init__(
        self, n: ArrayLike, hits: ArrayLike, slope: ArrayLike, intercept: ArrayLike
    ) -> None:
        counts, marked = np.atleast_1d(n).astype(np.int64), np.atleast_1d(hits).astype(np.int64)
        if (counts < 1).any() or (marked < 0).any() or (marked > counts).any():
            raise ValueError(
                "allowed are at least one report on each side, and no more hits than reports"
            )
        lines = (np.atleast_1d(value).astype(float) for value in (slope, intercept))
        arrays = np.broadcast_arrays(counts, marked, *lines)
        for name, array in zip(("n", "hits", "slope", "intercept"), arrays, strict=True):
            object.__setattr__(self, name, array)

    @property
    def share(self) -> FloatArray:
        return (self.hits / self.n - self.intercept) / self.slope

    @property
    def weight(self) -> FloatArray:
        return self.n * self.slope**2

    @property
    def is_near_certain(self) -> BoolArray:
        """Where reports are the answers, or some share makes one kind of them nearly certain."""
        ends = np.stack([self.intercept, self.intercept + self.slope])
        near: BoolArray = np.minimum(ends.min(axis=0), 1 - ends.max(axis=0)) < NEAR_CERTAIN - ALIKE
        return near

    def ends(self, alpha: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Exact ends of each share."""
        reports = exact(self.hits, self.n, 1 - alpha)
        shares = (reports - self.intercept[:, None]) / self.slope[:, None]
        return shares.min(axis=1), shares.max(axis=1)


def difference_side(mechanism: Mechanism, tally: Tally) -> GroupReports:
    """A group's reports, answer by answer. ValueError for a design whose reports of an answer depend on other shares
    too, and for an answer of which no report speaks.
    """
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"{mechanism.title} has no line for each answer; allowed are designs that have one"
        )
    return GroupReports(
        mechanism.informative_reports(tally),
        mechanism.support_counts(tally),
        line.slope,
        line.offset,
    )


class FamilyOfComparisons(ABC):
    """Intervals, p values and verdicts of a family of comparisons."""

    confidence: float
    comparisons: int

    @property
    @abstractmethod
    def values(self) -> FloatArray: ...

    @property
    @abstractmethod
    def tails(self) -> FloatArray: ...

    @property
    @abstractmethod
    def p_values(self) -> FloatArray: ...

    @property
    @abstractmethod
    def excludes_zero(self) -> BoolArray:
        """Whether the interval for the family does."""

    @property
    def alpha(self) -> float:
        """Of each comparison."""
        return (1 - self.confidence) / self.comparisons

    @property
    def p_together(self) -> FloatArray:
        """Allowed for all comparisons (Bonferroni)."""
        return np.minimum(self.comparisons * self.p_values, 1.0)

    @cached_property
    def verdicts(self) -> tuple[str, ...]:
        """higher, lower: the interval excludes 0 and the guard agrees; too few answers: only the interval does; else no
        clear difference.
        """
        agrees = np.isnan(self.tails) | (self.tails <= self.alpha / 2)
        clear = np.where(agrees, np.where(self.values > 0, "higher", "lower"), "too few answers")
        return tuple(np.where(self.excludes_zero, clear, "no clear difference").tolist())

    @property
    def clear(self) -> BoolArray:
        return np.isin(self.verdicts, ("higher", "lower"))


@dataclass(frozen=True, eq=False)
class Differences(FamilyOfComparisons):
    """Of shares on a first side less those on a second, of different people; arrays of shape (m,), intervals (m, 2).

    comparisons: of the family that shares the confidence. ValueError for a confidence outside (0, 1).
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
        return self.first.share - self.second.share

    @cached_property
    def statistics(self) -> FloatArray:
        """The z of no difference."""
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
        """The larger of the exact tails that have to agree; nan where none has to."""
        same = (self.first.slope == self.second.slope) & (
            self.first.intercept == self.second.intercept
        )
        pooled = self.first.hits + self.second.hits, self.first.n + self.second.n
        tails = np.where(
            same, hypergeometric_tail(self.first.hits, self.first.n, *pooled), self._binomial()
        )
        return np.where(self.has_exact_ends, np.nan, tails)

    @cached_property
    def p_values(self) -> FloatArray:
        """Two-sided, of each comparison by itself, and no smaller than its guard allows."""
        by_score = np.fmax(2 * ndtr(-np.abs(self.statistics)), np.minimum(2 * self.tails, 1.0))
        return np.where(
            self.has_exact_ends, self._inverted() if self.has_exact_ends.any() else 1.0, by_score
        )

    @cached_property
    def has_exact_ends(self) -> BoolArray:
        """Where reports are nearly certain, so that intervals come from exact ends of both shares."""
        return self.first.is_near_certain | self.second.is_near_certain

    @property
    def excludes_zero(self) -> BoolArray:
        """The score falls, so that at 0 decides it."""
        rejected: BoolArray = np.abs(self.statistics) > normal_quantile(1 - self.alpha)
        if self.has_exact_ends.any():
            low, high = self._newcombe(np.full_like(self.values, self.alpha)).T
            rejected = np.where(self.has_exact_ends, (low > 0) | (high < 0), rejected)
        return rejected

    def _chances(self, supposed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of a hit on each side, at the likeliest shares that differ by as much and are shares."""
        one, other, apart = self.first, self.second, np.clip(supposed, -1.0, 1.0)
        pooled = (other.weight * other.share + one.weight * (one.share - supposed)) / (
            one.weight + other.weight
        )
        shares = np.clip(pooled, np.maximum(0.0, -apart), np.minimum(1.0, 1.0 - apart))
        return one.intercept + one.slope * (shares + apart), other.intercept + other.slope * shares

    def _score(self, supposed: FloatArray) -> FloatArray:
        """How many standard errors a difference lies above a supposed one; falls with that."""
        sides = zip(self._chances(supposed), (self.first, self.second), strict=True)
        variance = sum(
            np.maximum(chance * (1 - chance), 0.0) / side.weight for chance, side in sides
        )
        beyond = self.values - supposed
        certain = np.where(np.abs(beyond) < ALIKE, 0.0, np.copysign(np.inf, beyond))
        scores: FloatArray = np.where(
            variance > 0, beyond / np.sqrt(np.where(variance > 0, variance, 1.0)), certain
        )
        return scores

    def _intervals(self, alpha: float) -> FloatArray:
        by_score = self._inverted_score(alpha)
        if not self.has_exact_ends.any():
            return by_score
        return np.where(
            self.has_exact_ends[:, None], self._newcombe(np.full_like(self.values, alpha)), by_score
        )

    def _inverted_score(self, alpha: float) -> FloatArray:
        """All supposed differences that the score test does not reject."""
        most = np.sqrt(0.25 / self.first.weight + 0.25 / self.second.weight)
        return score_ends(self._score, self.values, normal_quantile(1 - alpha), most)

    def _newcombe(self, alpha: FloatArray) -> FloatArray:
        """From the exact ends of both shares (Newcombe 1998, Statistics in Medicine 17, the tenth of his methods)."""
        (low, high), (other_low, other_high) = self.first.ends(alpha), self.second.ends(alpha)
        below = np.hypot(self.first.share - low, other_high - self.second.share)
        above = np.hypot(high - self.first.share, self.second.share - other_low)
        return np.stack([self.values - below, self.values + above], axis=-1)

    def _inverted(self) -> FloatArray:
        """The level at which the nearer end of the interval from exact ends is 0."""
        small, large = np.full_like(self.values, _SMALLEST), np.zeros_like(self.values)
        for _ in range(_HALVINGS):
            middle = (small + large) / 2
            low, high = self._newcombe(np.exp(middle)).T
            holds = (low <= 0) & (high >= 0)
            small, large = np.where(holds, middle, small), np.where(holds, large, middle)
        return np.where(self.values == 0, 1.0, np.exp(large))

    def _binomial(self) -> FloatArray:
        few = ENOUGH * normal_quantile(1 - self.alpha) ** 2
        tails = [
            np.where(
                each.n * np.minimum(chance, 1 - chance) < few,
                smaller_tail(each.hits, each.n, chance),
                np.nan,
            )
            for each, chance in zip(
                (self.first, self.second), self._chances(np.zeros_like(self.values)), strict=True
            )
        ]
        larger: FloatArray = np.fmax(*tails)
        return larger


def score_ends(
    score: Callable[[FloatArray], FloatArray], values: FloatArray, quantile: float, most: FloatArray
) -> FloatArray:
    """The ends of all supposed differences that a falling score does not reject, shape (m, 2). most: the largest
    standard error there can be.
    """
    reach = quantile * most + ALIKE

    def end(sign: float) -> FloatArray:
        inside, outside = values.copy(), sign * (np.maximum(sign * values, 1.0) + reach)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            rejected = -sign * score(middle) > quantile
            inside, outside = (
                np.where(rejected, inside, middle),
                np.where(rejected, middle, outside),
            )
        return inside

    return np.stack([end(-1.0), end(1.0)], axis=-1)


def smaller_tail(hits: IntArray, n: IntArray, chance: FloatArray) -> FloatArray:
    """Return P(at most `hits`) or P(at least `hits`), whichever is smaller."""
    at_least = np.where(hits > 0, bdtrc(np.maximum(hits - 1, 0), n, chance), 1.0)
    tails: FloatArray = np.minimum(bdtr(hits, n, chance), at_least)
    return tails


def hypergeometric_tail(
    hits: IntArray, n: IntArray, marked: IntArray, population: IntArray
) -> FloatArray:
    """Of n drawn out of a population with so many marked: the smaller chance of fewer hits and of more, and half of the
    chance of as many.
    """
    rest = population - marked - n
    above = hits * population > n * marked  # the side on which the chances fall
    at = np.exp(
        _log_choose(marked, hits)
        + _log_choose(population - marked, n - hits)
        - _log_choose(population, n)
    )
    term, beyond, place = at.copy(), np.zeros_like(at), hits.astype(float)
    while (term > 1e-18 * (beyond + at)).any():
        more = (marked - place) * (n - place), (place + 1) * (rest + place + 1)
        fewer = place * (rest + place), (marked - place + 1) * (n - place + 1)
        over, under = (np.where(above, *each) for each in zip(more, fewer, strict=True))
        term = term * np.maximum(over, 0.0) / np.maximum(under, 1.0)
        beyond += term
        place += np.where(above, 1, -1)
    tails: FloatArray = np.minimum(beyond, np.maximum(1 - beyond - at, 0.0)) + at / 2
    return tails


def _log_choose(total: IntArray, of: IntArray) -> FloatArray:
    value: FloatArray = gammaln(total + 1) - gammaln(of + 1) - gammaln(total - of + 1)
    return value
