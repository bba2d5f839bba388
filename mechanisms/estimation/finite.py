"""The same estimate, where the shares are those of a finite number of people and not of everybody like them.

Of N people each has one true answer, and nothing about these is left to chance: an estimate differs from the share
among them by the randomization alone, and, where only m of the N were asked, by which of them were drawn. For a
share f that is recorded with chance l1 where it is true and with l0 where it is not, c = l1 - l0,

    Var = [f l1 (1 - l1) + (1 - f) l0 (1 - l0)] / (m c^2)  +  (N - m) / (N - 1) * f (1 - f) / m,

the randomization, and the draw without replacement with its correction for a finite population, which is 0 where
m = N (Warner 1965, Journal of the American Statistical Association 60, 63-69, for the two parts; Chaudhuri and
Mukerjee 1988, Randomized Response, ch. 2 and 3, for finite populations; Cochran 1977, Sampling Techniques, 3rd ed.,
sec. 3.2, for the correction). Where N grows without end this is the variance of `Estimate`.
"""

from functools import cached_property

import numpy as np

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.estimates import Estimate

KINDS = ("wilson", "wald")


class FiniteEstimate(Estimate):
    """Proportions as in `Estimate`; standard errors, covariance and intervals without what a finite population spares.

    population: how many people the shares are of; those who reported are all of them, or a part that was drawn by
    chance. ValueError where it is below the number of reports, and for an interval other than "wilson" (the score
    interval with this variance) or "wald".
    """

    def __init__(self, found: Estimate, population: int) -> None:
        super().__init__(
            found.mechanism,
            found.tally,
            found.confidence,
            found.interval,
            simultaneous=found.simultaneous,
        )
        self.population = checks.whole("population", population, found.n)
        checks.one_of("interval", found.interval, KINDS)

    def variances(self, shares: FloatArray) -> FloatArray:
        """Of the estimates, if these are the true shares in [0, 1]; both of shape (size,). ValueError for a matrix."""
        line = self.mechanism.line()
        if line is None:
            raise ValueError(
                f"a matrix of {self.mechanism.size} answers has a covariance, and no variance by itself"
            )
        start, slope, curve = self._parts(line)
        found: FloatArray = start + slope * shares + curve * shares * (1 - shares)
        return found

    @cached_property
    def covariance(self) -> FloatArray:
        """Unbiased for fixed truths. ValueError as in `Estimate`, and where any number of answers may be true."""
        if self.mechanism.select != "one":
            raise ValueError(
                "answers may be true together; allowed for a covariance are questions with one answer"
            )
        truths = np.diag(self.proportions) - np.outer(self.proportions, self.proportions)
        found: FloatArray = super().covariance - self._spared * truths / self.n
        return found

    @cached_property
    def standard_errors(self) -> FloatArray:
        if self.mechanism.line() is None:
            return np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        return np.sqrt(self.variances(np.clip(self.proportions, 0, 1)))

    def _at(self, confidence: float) -> "FiniteEstimate":
        return FiniteEstimate(super()._at(confidence), self.population)

    @cached_property
    def intervals(self) -> FloatArray:
        """Wilson's: all shares f with |estimate - f| <= z sqrt(Var(f)), the roots of a quadratic."""
        line = self.mechanism.line()
        if line is None or self.interval == "wald":
            return intervals.wald(self.proportions, self.standard_errors, self.level)
        start, slope, curve = self._parts(line)
        z2 = intervals.normal_quantile(self.level) ** 2
        lead = 1 + z2 * curve
        center = (self.proportions + z2 * (slope + curve) / 2) / lead
        inside = center**2 - (self.proportions**2 - z2 * start) / lead
        half = np.sqrt(np.maximum(inside, 0))
        return np.stack([center - half, center + half], axis=-1)

    @property
    def _spared(self) -> float:
        """The part of the sampling variance that does not count, where all reports speak of all answers."""
        return 1 - self.n * float(self._drawn(np.array([self.n]))[0])

    def _drawn(self, asked: FloatArray) -> FloatArray:
        """What f (1 - f) counts for in the variance of the share of `asked` people out of the population."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: FloatArray = (self.population - asked) / (asked * max(self.population - 1, 1))
        return found

    def _parts(self, line: Line) -> tuple[FloatArray, FloatArray, FloatArray]:
        """a, b and g of the variance a + b f + g f (1 - f)."""
        asked = np.where(self.informative_reports > 0, self.informative_reports, np.nan)
        true, other = line.offset + line.slope, line.offset
        scale = 1 / (asked * line.slope**2)
        lies = np.maximum(other * (1 - other), 0)  # no rounding below 0
        return lies * scale, (np.maximum(true * (1 - true), 0) - lies) * scale, self._drawn(asked)

    def _moments(self, wanted: FloatArray) -> tuple[float, float]:
        value, error = super()._moments(wanted)
        if self.mechanism.unbiased_weights(wanted) is None:
            return value, error  # from the covariance
        square, _ = super()._moments(wanted**2)
        spared = self._spared * max(square - value**2, 0.0) / self.n
        return value, float(np.sqrt(max(error**2 - spared, 0.0)))
