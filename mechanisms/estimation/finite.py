"""The same estimate for a finite population, whose shares are estimated and not those of everyone.

Of N people each has one true answer, and nothing about these answers is random. An estimate differs
from the share among these people by the randomization alone and, if only m of the N were asked, by
which of them were sampled. For a share f that is recorded with probability l1 if it is true and
with l0 if it is not, and c = l1 - l0,

    Var = [f l1 (1 - l1) + (1 - f) l0 (1 - l0)] / (m c^2)  +  (N - m) / (N - 1) * f (1 - f) / m.

The first term is that of the randomization. The second one is that of sampling without replacement,
with its correction for a finite population, and is 0 if m = N. For a large N the sum approaches the
variance of `Estimate`.

References
----------
Chaudhuri, A., & Mukerjee, R. (1988). Randomized response: theory and techniques. Marcel Dekker,
chapters 2 and 3: finite populations.

Cochran, W. G. (1977). Sampling techniques (3rd ed.). Wiley, section 3.2: the correction.

Warner, S. L. (1965). Randomized response: a survey technique for eliminating evasive answer bias.
Journal of the American Statistical Association, 60, 63–69: the two terms.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.estimates import Estimate, Moments

KINDS = ("wilson", "wald")


class _VarianceParts(NamedTuple):
    """The parts of the variance constant + linear * f + sampling * f * (1 - f) of a share f.

    Each has shape (size,).
    """

    constant: FloatArray
    linear: FloatArray
    sampling: FloatArray


class FiniteEstimate(Estimate):
    """
    An estimate of the shares of a finite number of people.

    The shares are those of `Estimate`. Standard errors, covariance and intervals leave out what a
    finite population saves.

    Parameters
    ----------
    estimate : Estimate
        The estimate, whose interval is "wilson" (the score interval with this variance) or "wald".
    population : int
        The number of people whose shares are estimated. Those who reported are all of them, or a
        random sample.

    Raises
    ------
    ValueError
        If `population` is below the number of reports, or the estimate has another kind of
        interval.
    """

    def __init__(self, estimate: Estimate, population: int) -> None:
        super().__init__(
            estimate.mechanism,
            estimate.tally,
            estimate.confidence,
            estimate.interval,
            simultaneous=estimate.simultaneous,
            labels=estimate._given_labels,
        )
        self.population = checks.whole("population", population, estimate.n)
        checks.one_of("interval", estimate.interval, KINDS)

    def variances(self, shares: FloatArray) -> FloatArray:
        """
        Return the variances that the estimates have for given true shares.

        Parameters
        ----------
        shares : ndarray, shape (size,)
            True shares from 0 to 1.

        Returns
        -------
        ndarray, shape (size,)
            The variances of `proportions`.

        Raises
        ------
        ValueError
            If an observed share depends on several true shares, as for a matrix.
        """
        line = self.mechanism.line()
        if line is None:
            raise ValueError(
                f"a matrix of {self.mechanism.size} answers has a covariance, and no variance by"
                " itself"
            )
        parts = self._variance_parts(line)
        sampling = parts.sampling * shares * (1 - shares)
        variances: FloatArray = parts.constant + parts.linear * shares + sampling
        return variances

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of `proportions`, shape (size, size), unbiased for fixed truths.

        Raises ValueError as `Estimate.covariance` does, and for a multiple selection.
        """
        if self.mechanism.select != "one":
            raise ValueError(
                "answers may be true together; allowed for a covariance are questions with one"
                " answer"
            )
        truths = np.diag(self.proportions) - np.outer(self.proportions, self.proportions)
        saved: FloatArray = self._saved_sampling * truths / self.n
        return super().covariance - saved

    @cached_property
    def standard_errors(self) -> FloatArray:
        """The standard errors of `proportions`, shape (size,)."""
        if self.mechanism.line() is None:
            return np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        return np.sqrt(self.variances(np.clip(self.proportions, 0, 1)))

    def _heading(self) -> str:
        return f"{super()._heading()}\nShares of a population of {self.population}"

    def _at_confidence(self, confidence: float) -> "FiniteEstimate":
        return FiniteEstimate(super()._at_confidence(confidence), self.population)

    @cached_property
    def intervals(self) -> FloatArray:
        """The lower and the upper end of the interval of each share, shape (size, 2).

        Wilson's interval has all shares f with |estimate - f| <= z sqrt(Var(f)). Its ends are
        the roots of a quadratic equation.
        """
        line = self.mechanism.line()
        if line is None or self.interval == "wald":
            return intervals.wald(self.proportions, self.standard_errors, self.level)
        parts = self._variance_parts(line)
        z_squared = intervals.normal_quantile(self.level) ** 2
        square = 1 + z_squared * parts.sampling
        center = (self.proportions + z_squared * (parts.linear + parts.sampling) / 2) / square
        product_of_roots = (self.proportions**2 - z_squared * parts.constant) / square
        half = np.sqrt(np.maximum(center**2 - product_of_roots, 0))
        return np.stack([center - half, center + half], axis=-1)

    @property
    def _saved_sampling(self) -> float:
        """The part of the sampling variance that a finite population saves.

        All reports are assumed to be informative for all answers.
        """
        sampling = self._sampling_factors(np.array([self.n]))
        return 1 - self.n * float(sampling[0])

    def _sampling_factors(self, reports: FloatArray) -> FloatArray:
        """Return the factors of f (1 - f) in the sampling variance of the share of `reports`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            factors: FloatArray = (self.population - reports) / (
                reports * max(self.population - 1, 1)
            )
        return factors

    def _variance_parts(self, line: Line) -> _VarianceParts:
        reports = np.where(self.informative_reports > 0, self.informative_reports, np.nan)
        scale = 1 / (reports * line.slope**2)
        if_true = line.offset + line.slope
        if_not = line.offset
        # Rounding must not make a variance negative.
        variance_if_true = np.maximum(if_true * (1 - if_true), 0)
        variance_if_not = np.maximum(if_not * (1 - if_not), 0)
        return _VarianceParts(
            constant=variance_if_not * scale,
            linear=(variance_if_true - variance_if_not) * scale,
            sampling=self._sampling_factors(reports),
        )

    def _moments(self, scores: FloatArray) -> Moments:
        moments = super()._moments(scores)
        if self.mechanism.unbiased_weights(scores) is None:
            # These moments come from the covariance, which is already that of the population.
            return moments
        mean_square = super()._moments(scores**2).mean
        variance_of_scores = max(mean_square - moments.mean**2, 0.0)
        saved = self._saved_sampling * variance_of_scores / self.n
        variance = max(moments.standard_error**2 - saved, 0.0)
        return Moments(moments.mean, float(np.sqrt(variance)))
