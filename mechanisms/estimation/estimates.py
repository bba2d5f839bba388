"""The estimate, written once for all mechanisms.

Mechanisms say how their shares are decoded, and how the indicators of a report vary together.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.arrays import numbers
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import checked_labels
from mechanisms.estimation import intervals
from mechanisms.estimation.decoding import Decoder
from mechanisms.estimation.tallies import Tally
from mechanisms.formatting import (
    MOST_IN_A_LINE,
    confidence_text,
    epsilon_text,
    interval_text,
    joined,
    number_text,
    text_table,
)

# The kinds of intervals as a summary names them.
INTERVAL_NAMES = {
    "wilson": "Wilson intervals",
    "wald": "Wald intervals",
    "exact": "exact intervals",
    "likelihood": "likelihood intervals",
}


class Total(NamedTuple):
    """
    The sum of the shares of some answers, a fraction.

    Attributes
    ----------
    share : float
        The sum.
    standard_error : float
        Its standard error.
    """

    share: float
    standard_error: float


class Functional(NamedTuple):
    """
    The mean of a function of the answer, in the unit of its scores.

    Attributes
    ----------
    value : float
        The estimated mean.
    standard_error : float
        Its standard error.
    interval : tuple of float
        The lower and the upper end of its interval.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]


class Moments(NamedTuple):
    """An estimated mean and its standard error."""

    mean: float
    standard_error: float


def best_interval(mechanism: Decoder, *, simultaneous: bool) -> str:
    """
    Return the kind of interval that an estimate has by default.

    That is "wilson" for intervals that each hold by themselves, and "exact" for several intervals
    that share a level. At their normal quantiles of 4 to 5, small expected counts have a longer
    tail than Wilson's normal one, and answers that no one gave would seem to have a share above 0.
    It is "wald" if an observed share depends on several true shares.

    Parameters
    ----------
    mechanism : Decoder
        The mechanism.
    simultaneous : bool
        Whether all intervals of the estimate hold at the same time.

    Returns
    -------
    str
        "wilson", "exact" or "wald".
    """
    if mechanism.line() is None:
        return "wald"
    if simultaneous and mechanism.free_shares > 1:
        return "exact"
    return "wilson"


def default_labels(mechanism: Decoder) -> tuple[str, ...]:
    """
    Return the labels of answers that have none.

    Parameters
    ----------
    mechanism : Decoder
        The mechanism.

    Returns
    -------
    tuple of str
        "No" and "Yes" if one of two answers is chosen. Otherwise the codes from 0.
    """
    if mechanism.size == 2 and mechanism.select == "one":
        return ("No", "Yes")
    return tuple(str(code) for code in range(mechanism.size))


class Estimate:
    """
    Unbiased true shares with their uncertainty.

    All shares and errors are fractions, not percent. With observed shares r and true shares f,
    r = f M, so f = r M^-1 and Cov(f) = M^-T Cov(r) M^-1 / n. This moment estimator is that of
    maximum likelihood while it is inside the simplex.

    Parameters
    ----------
    mechanism : Decoder
        The mechanism that randomized the reports.
    tally : Tally
        The tally of the reports.
    confidence : float
        The confidence level of the intervals, between 0 and 1.
    interval : {"wilson", "wald", "exact", "likelihood"}, optional
        The kind of interval. By default it is what `best_interval` returns.
    simultaneous : bool, default False
        Whether all intervals hold at the same time, at a level that Bonferroni's inequality gives.
    labels : sequence of str, optional
        The label of each answer. By default they are those of the tally.

    Attributes
    ----------
    n : int
        The number of reports.
    missing : int
        The number of missing values that were left out of the tally.
    labels : tuple of str
        The label of each answer. Without any, the answers of a yes/no question are "No" and "Yes",
        and other answers have their codes.
    confidence : float
        The confidence level.
    interval : str
        The kind of interval.
    observed : ndarray, shape (size,)
        The share of informative reports that support each answer. For a window design it is the
        share of each possible report.
    proportions : ndarray, shape (size,)
        Unbiased estimates of the true shares, which may fall outside [0, 1].
    standard_errors : ndarray, shape (size,)
        The standard errors of `proportions`, sampling included.
    intervals : ndarray, shape (size, 2)
        The lower and the upper end of the interval of each share.
    covariance : ndarray, shape (size, size)
        The covariance of `proportions`.
    constrained : ndarray, shape (size,)
        Estimates that are possible proportions, by the method that `constrained_by` names.

    Raises
    ------
    ValueError
        If `tally` has no reports or cannot be one of the mechanism's, or if the kind of interval is
        not one that the mechanism has.

    References
    ----------
    Chaudhuri, A., & Mukerjee, R. (1988). Randomized response: theory and techniques. Marcel Dekker,
    chapter 2.
    """

    def __init__(
        self,
        mechanism: Decoder,
        tally: Tally,
        confidence: float,
        interval: str | None = None,
        *,
        simultaneous: bool = False,
        labels: Sequence[str] | None = None,
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
                f"interval is {interval!r}; allowed for a matrix of {mechanism.size} answers is"
                " 'wald'"
            )
        self.mechanism = mechanism
        self.tally = tally
        self.n = tally.n
        self.missing = tally.missing
        self.simultaneous = simultaneous
        self._given_labels = checked_labels(labels or tally.labels, mechanism.size)

    def __repr__(self) -> str:
        shown_codes = range(self.mechanism.size)
        if self.mechanism.free_shares == 1:
            # The share of the other answer follows from that of Yes.
            shown_codes = range(1, 2)
        parts = [self._share_text(code) for code in shown_codes[:MOST_IN_A_LINE]]
        shares = joined(parts, len(shown_codes))
        return f"<{type(self).__name__} of {self._design_name}, n={self.n}: {shares}>"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each answer."""
        return self._given_labels or default_labels(self.mechanism)

    @property
    def _design_name(self) -> str:
        return type(self.mechanism).__name__

    def _share_text(self, code: int) -> str:
        share = number_text(self.proportions[code])
        return f"{self.labels[code]} {share} ({interval_text(self.intervals[code])})"

    def summary(self) -> str:
        """
        Return the estimate as a table for a terminal.

        There is a row for each answer: label, share of the received reports, estimate, standard
        error and interval. Above the table are the design, the number of reports, epsilon and the
        kind of interval. A window design has no received shares, since its reports are no answers.

        Returns
        -------
        str
            The lines.
        """
        header = ["", "estimate", "std. error", f"{confidence_text(self.confidence)} interval"]
        rows = []
        for code, label in enumerate(self.labels):
            interval = interval_text(self.intervals[code])
            share = number_text(self.proportions[code])
            rows.append([label, share, number_text(self.standard_errors[code]), interval])
        if self.observed.shape == self.proportions.shape:
            header.insert(1, "received")
            for row, share in zip(rows, self.observed, strict=True):
                row.insert(1, number_text(share))
        return f"{self._heading()}\n\n{text_table(header, rows)}"

    def _heading(self) -> str:
        """Return what the summary says above its table."""
        epsilon = epsilon_text(self.mechanism.epsilon)
        kind = INTERVAL_NAMES[self.interval]
        if self.simultaneous:
            kind = f"simultaneous {kind}"
        lines = [f"Estimate of {self._design_name}: {self.n} reports, epsilon {epsilon}, {kind}"]
        if self.missing:
            lines.append(f"Missing values left out: {self.missing}")
        return "\n".join(lines)

    @cached_property
    def informative_reports(self) -> IntArray:
        """The number of reports that say anything about each answer, shape (size,).

        That is n, unless a report covers only some options. If it is 0, the share of the answer,
        its error and its interval are NaN.
        """
        return self.mechanism.informative_reports(self.tally)

    @cached_property
    def _support_counts(self) -> IntArray:
        return self.mechanism.support_counts(self.tally)

    @cached_property
    def observed(self) -> FloatArray:
        """The share of informative reports that support each answer, shape (size,)."""
        with np.errstate(invalid="ignore"):
            shares: FloatArray = self._support_counts / self.informative_reports
        return shares

    @cached_property
    def proportions(self) -> FloatArray:
        """The unbiased estimates of the true shares, shape (size,). May fall outside [0, 1]."""
        return self.mechanism.decode(self.observed)

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of `proportions`, shape (size, size).

        Raises ValueError if the tally of a multiple selection has only counts and no pairs.
        """
        share_covariance = self.mechanism.share_covariance(self.tally)
        if share_covariance is None:
            raise ValueError(
                "tally has only counts; allowed for the covariance of choose-all answers is"
                " tally(reports, pairs=True)"
            )
        return self.mechanism.decode_covariance(share_covariance) / self.n

    @cached_property
    def standard_errors(self) -> FloatArray:
        """The standard errors of `proportions`, shape (size,). They include sampling."""
        line = self.mechanism.line()
        if line is None:
            return np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        informative_reports = np.maximum(self.informative_reports, 1)
        share_variances = self.observed * (1 - self.observed) / informative_reports
        errors: FloatArray = np.sqrt(share_variances) / np.abs(line.slope)
        return errors

    @property
    def se(self) -> FloatArray:
        """The standard errors, by the name that they have in statsmodels."""
        return self.standard_errors

    def conf_int(self, alpha: float | None = None) -> FloatArray:
        """
        Return the intervals, by the name that they have in statsmodels.

        Parameters
        ----------
        alpha : float, optional
            One minus the confidence level. By default the level is `confidence`.

        Returns
        -------
        ndarray, shape (size, 2)
            The lower and the upper end of the interval of each share.
        """
        if alpha is None:
            return self.intervals
        return self._at_confidence(1 - alpha).intervals

    def _at_confidence(self, confidence: float) -> "Estimate":
        return Estimate(
            self.mechanism,
            self.tally,
            confidence,
            self.interval,
            simultaneous=self.simultaneous,
            labels=self._given_labels,
        )

    @cached_property
    def intervals(self) -> FloatArray:
        """The lower and the upper end of the interval of each share, shape (size, 2)."""
        line = self.mechanism.line()
        if line is None:
            return intervals.wald(self.proportions, self.standard_errors, self.level)

        has_reports = self.informative_reports > 0
        ends_of_observed = np.full((self.mechanism.size, 2), np.nan)
        ends_of_observed[has_reports] = intervals.binomial_intervals(
            self.interval,
            self._support_counts[has_reports],
            self.informative_reports[has_reports],
            self.level,
        )
        offset = line.offset[:, np.newaxis]
        slope = line.slope[:, np.newaxis]
        # A negative slope swaps the two ends.
        return np.sort((ends_of_observed - offset) / slope, axis=1)

    @property
    def simultaneous_estimate(self) -> "Estimate":
        """The same shares with simultaneous intervals."""
        return Estimate(
            self.mechanism,
            self.tally,
            self.confidence,
            simultaneous=True,
            labels=self._given_labels,
        )

    @property
    def level(self) -> float:
        """The confidence level of each interval by itself."""
        if not self.simultaneous:
            return self.confidence
        return 1 - (1 - self.confidence) / self.mechanism.free_shares

    @cached_property
    def constrained(self) -> FloatArray:
        """The estimates that are possible proportions, shape (size,)."""
        return self.mechanism.constrain(self.tally)

    @property
    def constrained_by(self) -> str:
        """The method by which `constrained` is computed."""
        return self.mechanism.constrained_by

    def total(self, choices: Iterable[int]) -> Total:
        """
        Return the sum of the shares of some answers and its standard error.

        The shares of one question are correlated, so the variance of the sum is not the sum of the
        variances.

        Parameters
        ----------
        choices : iterable of int
            The codes of the answers, each once.

        Returns
        -------
        Total
            The sum and its standard error.

        Raises
        ------
        ValueError
            If a code is out of range or twice in `choices`. For a multiple selection also if the
            tally has no pairs, which option sampling cannot have.
        """
        codes = checks.indices("choices", list(choices), self.mechanism.size)
        if len(set(codes.tolist())) != codes.size:
            raise ValueError(f"choices is {codes.tolist()}; allowed is each choice once")
        is_in_total = np.isin(np.arange(self.mechanism.size), codes)
        moments = self._moments(is_in_total.astype(np.float64))
        return Total(share=moments.mean, standard_error=moments.standard_error)

    def functional(self, scores: ArrayLike) -> Functional:
        """
        Return the mean of a function of the answer.

        The estimated mean is linear in the shares, and therefore unbiased. Its interval is a normal
        one. Reports that happen to be alike do not make the error smaller than the design's least
        one (`Mechanism.least_variance`).

        Parameters
        ----------
        scores : array_like, shape (size,)
            The value of the function for each answer. The scores 0, 1, ... give the mean of a
            scale.

        Returns
        -------
        Functional
            The mean, its standard error and its interval.

        Raises
        ------
        ValueError
            If `scores` is not a finite number for each answer.
        """
        checked_scores = self._checked_scores("scores", scores)
        moments = self._moments(checked_scores)
        return self._functional(moments, checked_scores)

    def mean_ratio(self, numerator: ArrayLike, denominator: ArrayLike) -> Functional:
        """
        Return one mean divided by another, with the error of the delta method.

        Parameters
        ----------
        numerator : array_like, shape (size,)
            The scores of the mean that is divided.
        denominator : array_like, shape (size,)
            The scores of the mean by which it is divided.

        Returns
        -------
        Functional
            The ratio, its standard error and its interval.

        Raises
        ------
        ValueError
            If the mean of `denominator` is not above 0, or the scores are not a finite number for
            each answer.
        """
        upper = self._checked_scores("numerator", numerator)
        lower = self._checked_scores("denominator", denominator)
        lower_mean = self._moments(lower).mean
        if lower_mean <= 0:
            raise ValueError(
                f"denominator has the mean {lower_mean:.3g}; allowed for a ratio is one above 0"
            )
        ratio = self._moments(upper).mean / lower_mean
        # To the first order, the ratio has the error of the mean of these scores.
        linear = (upper - ratio * lower) / lower_mean
        standard_error = self._moments(linear).standard_error
        return self._functional(Moments(ratio, standard_error), linear)

    def _checked_scores(self, name: str, scores: ArrayLike) -> FloatArray:
        """Return the scores as an array of shape (size,), or raise ValueError."""
        array = numbers(name, scores)
        if array.shape != (self.mechanism.size,):
            raise ValueError(f"{name} has shape {array.shape}; allowed is {(self.mechanism.size,)}")
        return array

    def _moments(self, scores: FloatArray) -> Moments:
        """Return the estimated mean of the scores and its standard error."""
        report_weights = self.mechanism.unbiased_weights(scores)
        if report_weights is None:
            variance = float(scores @ self.covariance @ scores)
            mean = float(scores @ self.proportions)
            return Moments(mean, float(np.sqrt(max(variance, 0.0))))
        report_shares = self.tally.counts / self.n
        mean = float(report_shares @ report_weights)
        variance = float(report_shares @ (report_weights - mean) ** 2)
        return Moments(mean, float(np.sqrt(variance / self.n)))

    def _functional(self, moments: Moments, linear: FloatArray) -> Functional:
        """Return a mean with its interval.

        linear: the scores whose mean has the error of the estimated value, shape (size,).
        """
        least_error = float(np.sqrt(self.mechanism.least_variance(linear) / self.n))
        error = max(moments.standard_error, least_error)
        ends = intervals.wald(np.array([moments.mean]), np.array([error]), self.confidence)
        low, high = ends[0].tolist()
        return Functional(value=moments.mean, standard_error=error, interval=(low, high))
