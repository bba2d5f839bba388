"""The estimate, written once for all mechanisms: they supply how shares decode and how indicators vary
together.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.arrays import numbers
from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation import intervals
from mechanisms.estimation.decoding import Decoder
from mechanisms.estimation.tallies import Tally


class Total(NamedTuple):
    """The summed share of some choices, and its standard error."""

    share: float
    standard_error: float


class Functional(NamedTuple):
    """The mean of some function of the answer: its value, its standard error, and its interval, low and high."""

    value: float
    standard_error: float
    interval: tuple[float, float]


def best_interval(mechanism: Decoder, *, simultaneous: bool) -> str:
    """The kind of interval that is taken where none is named.

    "wilson" where each interval holds by itself, "exact" where several share a level: out there, at z of 4 to 5, few
    expected reports have a longer tail than Wilson's normal one, and choices would be told from 0 that nobody gave.
    "wald" for what has no other.
    """
    if mechanism.line() is None:
        return "wald"
    return "exact" if simultaneous and mechanism.free_shares > 1 else "wilson"


class Estimate:
    """Unbiased true shares with their uncertainty. All numbers are fractions, not percent.

    n: number of reports. confidence: as asked for. interval: the kind as asked for, else `best_interval`.
    asked: how many reports speak of each answer, shape (size,): n, unless a report picks what it speaks of. Where that
    is 0 nothing is known of the answer: its share, error and interval are NaN.
    observed: the shares of these reports as they came, shape (size,); of numbers, one for
    each that can come.
    proportions: the unbiased estimates, shape (size,); they may fall outside [0, 1].
    standard_errors: shape (size,), sampling included.
    intervals: shape (size, 2), low and high.
    covariance: shape (size, size). ValueError where it needs the rows and the tally has only counts
    (select="any").
    constrained: estimates that are possible proportions, shape (size,); constrained_by says how they are
    made.

    With observed shares r, true shares f and r = f M: f = r M^-1 and Cov(f) = M^-T Cov(r) M^-1 / n, the
    moment estimator of Chaudhuri and Mukerjee (1988, Randomized Response, ch. 2), maximum likelihood while
    inside the simplex.
    """

    def __init__(
        self,
        mechanism: Decoder,
        tally: Tally,
        confidence: float,
        interval: str | None = None,
        *,
        simultaneous: bool = False,
    ) -> None:
        self.confidence = checks.between("confidence", confidence, 0, 1)
        self.interval = interval or best_interval(mechanism, simultaneous=simultaneous)
        checks.one_of("interval", self.interval, intervals.METHODS)
        if not isinstance(tally, Tally):
            raise ValueError(f"tally is {checks.show(tally)}; allowed is a Tally")
        mechanism.check_tally(tally)
        if tally.n == 0:
            raise ValueError("tally has n = 0; allowed is at least one report")
        if self.interval != "wald" and mechanism.line() is None:
            raise ValueError(
                f"interval is {interval!r}; allowed for a matrix of {mechanism.size} answers is 'wald'"
            )
        self.mechanism = mechanism
        self.tally = tally
        self.n = tally.n
        self.simultaneous = simultaneous

    @cached_property
    def informative_reports(self) -> IntArray:
        """Return how many reports say anything about each answer, shape (size,)."""
        return self.mechanism.informative_reports(self.tally)

    @cached_property
    def _hits(self) -> IntArray:
        return self.mechanism.support_counts(self.tally)

    @cached_property
    def observed(self) -> FloatArray:
        with np.errstate(invalid="ignore"):
            shares: FloatArray = self._hits / self.informative_reports
        return shares

    @cached_property
    def proportions(self) -> FloatArray:
        return self.mechanism.decode(self.observed)

    @cached_property
    def covariance(self) -> FloatArray:
        of_shares = self.mechanism.share_covariance(self.tally)
        if of_shares is None:
            raise ValueError(
                "tally has only counts; allowed for the covariance of choose-all answers is tally(reports, pairs=True)"
            )
        return self.mechanism.decode_covariance(of_shares) / self.n

    @cached_property
    def standard_errors(self) -> FloatArray:
        line = self.mechanism.line()
        if line is None:
            return np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        noise: FloatArray = np.sqrt(
            self.observed * (1 - self.observed) / np.maximum(self.informative_reports, 1)
        ) / np.abs(line.slope)
        return noise

    @property
    def se(self) -> FloatArray:
        """The standard errors, by the name that they have in statsmodels."""
        return self.standard_errors

    def conf_int(self, alpha: float | None = None) -> FloatArray:
        """The intervals, shape (size, 2), by the name that they have in statsmodels: at 1 - alpha, by default at the
        confidence that was asked for.
        """
        return self.intervals if alpha is None else self._at(1 - alpha).intervals

    def _at(self, confidence: float) -> "Estimate":
        return Estimate(
            self.mechanism, self.tally, confidence, self.interval, simultaneous=self.simultaneous
        )

    @cached_property
    def intervals(self) -> FloatArray:
        line = self.mechanism.line()
        if line is None:
            return intervals.wald(self.proportions, self.standard_errors, self.level)
        hits, known = self._hits, self.informative_reports > 0
        shares = np.full((self.mechanism.size, 2), np.nan)
        shares[known] = intervals.binomial_intervals(
            self.interval, hits[known], self.informative_reports[known], self.level
        )
        ends = (shares - line.offset[:, np.newaxis]) / line.slope[:, np.newaxis]
        return np.sort(ends, axis=1)  # a negative slope swaps the ends

    @property
    def simultaneous_estimate(self) -> "Estimate":
        """Return the same shares with simultaneous intervals."""
        return Estimate(self.mechanism, self.tally, self.confidence, simultaneous=True)

    @property
    def level(self) -> float:
        """The confidence of each interval by itself. Of two shares that sum to 1 only one is free."""
        if not self.simultaneous:
            return self.confidence
        free = self.mechanism.free_shares
        return 1 - (1 - self.confidence) / free

    @cached_property
    def constrained(self) -> FloatArray:
        return self.mechanism.constrain(self.tally)

    @property
    def constrained_by(self) -> str:
        return self.mechanism.constrained_by

    def total(self, choices: Iterable[int]) -> Total:
        """The sum of the shares of some choices and its standard error.

        The choices of one question are correlated, so their errors do not simply add up. ValueError for
        choices out of range or twice; for choose-all answers the tally needs its pairs, which marks that are picked by
        chance do not have.
        """
        picked = checks.indices("choices", list(choices), self.mechanism.size)
        if len(set(picked.tolist())) != picked.size:
            raise ValueError(f"choices is {picked.tolist()}; allowed is each choice once")
        inside = np.isin(np.arange(self.mechanism.size), picked).astype(np.float64)
        return Total(*self._moments(inside))

    def functional(self, wanted: ArrayLike) -> Functional:
        """The mean of a function of the answer, given for each answer: shape (size,). 0, 1, ... gives that of a scale.

        Unbiased, since it is linear in the shares; with the normal interval. Reports that happen to be alike vary no
        less than the design's least (`Mechanism.least_variance`).
        """
        given = self._wanted(wanted)
        return self._around(*self._moments(given), given)

    def mean_ratio(self, wanted: ArrayLike, of: ArrayLike) -> Functional:
        """Return one mean divided by another, by the delta method.

        ValueError where the lower one is not above 0.
        """
        above, below = self._wanted(wanted), self._wanted(of)
        part, _ = self._moments(below)
        if part <= 0:
            raise ValueError(f"of has the mean {part:.3g}; allowed for a ratio is one above 0")
        value = self._moments(above)[0] / part
        linear = (above - value * below) / part
        return self._around(value, self._moments(linear)[1], linear)

    def _wanted(self, wanted: ArrayLike) -> FloatArray:
        given = numbers("wanted", wanted)
        if given.shape != (self.mechanism.size,):
            raise ValueError(f"wanted has shape {given.shape}; allowed is {(self.mechanism.size,)}")
        return given

    def _moments(self, wanted: FloatArray) -> tuple[float, float]:
        """The mean and its standard error."""
        counted = self.mechanism.unbiased_weights(wanted)
        if counted is None:
            variance = float(wanted @ self.covariance @ wanted)
            return float(wanted @ self.proportions), float(np.sqrt(max(variance, 0.0)))
        came = self.tally.counts / self.n
        value = float(came @ counted)
        square = float(came @ (counted - value) ** 2)
        return value, float(np.sqrt(square / self.n))

    def _around(self, value: float, error: float, linear: FloatArray) -> Functional:
        """linear: the function whose mean has the error of the value."""
        error = max(error, float(np.sqrt(self.mechanism.least_variance(linear) / self.n)))
        low, high = intervals.wald(np.array([value]), np.array([error]), self.confidence)[
            0
        ].tolist()
        return Functional(value, error, (low, high))
