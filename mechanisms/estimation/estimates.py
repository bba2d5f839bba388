"""The estimate, written once for all mechanisms: they supply how shares decode and how indicators vary
together.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals
from mechanisms.estimation.decoding import Decoder
from mechanisms.estimation.tallies import Tally


class Total(NamedTuple):
    """The summed share of some choices, and its standard error."""

    share: float
    standard_error: float


class Estimate:
    """Unbiased true shares with their uncertainty. All numbers are fractions, not percent.

    n: number of reports. confidence, interval: as asked for.
    observed: the shares of reports as they came, shape (size,).
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
        interval: str,
        *,
        simultaneous: bool = False,
    ) -> None:
        self.confidence = checks.between("confidence", confidence, 0, 1)
        self.interval = checks.one_of("interval", interval, intervals.METHODS)
        if not isinstance(tally, Tally):
            raise ValueError(f"tally is {checks.show(tally)}; allowed is a Tally")
        mechanism.check_tally(tally)
        if tally.n == 0:
            raise ValueError("tally has n = 0; allowed is at least one report")
        if interval != "wald" and mechanism.line() is None:
            raise ValueError(f"interval is {interval!r}; allowed for a matrix of {mechanism.size} answers is 'wald'")
        self.mechanism = mechanism
        self.tally = tally
        self.n = tally.n
        self.simultaneous = simultaneous

    @cached_property
    def observed(self) -> FloatArray:
        return self.tally.counts / self.n

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
        return self.mechanism.spread(of_shares) / self.n

    @cached_property
    def standard_errors(self) -> FloatArray:
        line = self.mechanism.line()
        if line is None:
            return np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        noise: FloatArray = np.sqrt(self.observed * (1 - self.observed) / self.n) / np.abs(line.slope)
        return noise

    @cached_property
    def intervals(self) -> FloatArray:
        line = self.mechanism.line()
        if line is None:
            return intervals.around(self.proportions, self.standard_errors, self.level)
        shares = intervals.of_shares(self.interval, self.tally.counts, self.n, self.level)
        ends = (shares - line.offset[:, np.newaxis]) / line.slope[:, np.newaxis]
        return np.sort(ends, axis=1)  # a negative slope swaps the ends

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
        choices out of range or twice; for choose-all answers the tally needs its pairs.
        """
        picked = checks.indices("choices", list(choices), self.mechanism.size)
        if len(set(picked.tolist())) != picked.size:
            raise ValueError(f"choices is {picked.tolist()}; allowed is each choice once")
        variance = self.covariance[np.ix_(picked, picked)].sum()
        return Total(float(self.proportions[picked].sum()), float(np.sqrt(max(variance, 0.0))))
