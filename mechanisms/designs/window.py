"""Window: a mechanism for numbers and ordered scales.

A report is one whole number. The numbers in a window that moves with the truth are more probable
than the others.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import log_ratio
from mechanisms.chance.simulate import uniforms
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import Missing, checked_labels, code_column
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed, format_probability
from mechanisms.designs.widths import MOST_VALUES, best_width, fit_weights
from mechanisms.designs.wire import Integers
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.estimates import Functional
from mechanisms.estimation.newton import newton
from mechanisms.estimation.quantiles import Quantile, quantiles
from mechanisms.estimation.tallies import Tally
from mechanisms.estimation.windows import WindowMixture, Windows, weights

# The smallest declared epsilon that a window can have.
LEAST_EPSILON = 0.1


class Window(Mechanism):
    """
    Truth x makes each of the reports x to x + width - 1 more probable than any other report.

    The reports x to x + width - 1 are the window of truth x. Each of them has the probability
    high / den, and each other report low / den. This is the discrete form of square wave reporting
    (Li et al. 2020). With width 1 it is direct encoding.

    Parameters
    ----------
    values : int
        The number of values, 2 to 1,001. They are equally spaced, and truths are 0 to values - 1.
    epsilon : float
        The declared epsilon, at least 0.1. The realized one, ln(high / low), is never above it.
    width : int, optional
        The number of reports in a window, from 1 to 2 * values. By default it is the one with the
        least noise in the mean (`best_width`).
    aside : bool, default False
        True if one more truth, `values`, stands for an answer that is not a number, such as
        "Prefer not to say". Its window has `width` further reports, which come after those in the
        windows of all values.
    den : int or "survey", default 2**32
        The largest denominator. "survey" chooses the smallest weights with 0.99 of the declared
        epsilon.

    Attributes
    ----------
    size : int
        The number of truths: values, or values + 1 with an answer that is not a number.
    high, low : int
        The weights of a report inside and outside of the window of the truth.
    windows : Windows
        The values, the width, both weights and `aside` together, as estimation takes them.
    reports : int
        The number of different reports.

    References
    ----------
    Li, Z. et al. (2020). Estimating numerical distributions under local differential privacy.
    SIGMOD 2020, 621-635.
    """

    kind = name = "window"
    wire: Integers
    keys = frozenset({"kind", "size", "width", "high", "low", "den"})
    optional = frozenset({"aside"})
    source = (
        "Li, Z., Wang, T., Lopuhaä-Zwakenberg, M., Li, N., & Škoric, B. (2020). Estimating"
        " numerical distributions under local differential privacy. Proceedings of SIGMOD 2020,"
        " 621–635."
    )
    title = "Window"
    description = (
        "A number is reported; it lies in a wide band that belongs to the true one more often than"
        " by chance."
    )
    constrained_by = "maximum likelihood"
    tells = "mean"
    has_one_report_per_count = True

    def __init__(
        self,
        values: int,
        epsilon: float,
        width: int | None = None,
        *,
        aside: bool = False,
        den: int | Literal["survey"] = checks.MAX_DEN,
    ) -> None:
        values = checks.whole("values", values, 2, MOST_VALUES)
        declared = checks.epsilon(epsilon)
        if declared < LEAST_EPSILON:
            raise ValueError(
                f"epsilon is {declared!r}; allowed for a window is at least {LEAST_EPSILON}"
            )
        if width is None:
            width = best_width(values, declared)
        # The best width is below `values`. The limit keeps the number of reports below 5 * values.
        width = checks.whole("width", width, 1, 2 * values)

        separate_count = int(bool(aside))
        # The windows of all values hold values - 1 + width reports, and a window aside holds
        # `width` more. Of all these, `width` are inside of the window of the truth.
        outside_count = values - 1 + width * separate_count
        high, low = fit_weights(declared, width, outside_count, den)
        windows = Windows(values=values, width=width, high=high, low=low, aside=separate_count)
        self._set(windows)

    @classmethod
    def from_integers(
        cls, values: int, width: int, high: int, low: int, aside: int = 0
    ) -> "Window":
        """
        Return the mechanism with exactly these weights, after checking them.

        `from_spec` restores stored mechanisms with it. The class itself fits the weights to an
        epsilon.

        Parameters
        ----------
        values : int
            The number of values.
        width : int
            The number of reports in a window, from 1 to 2 * values.
        high, low : int
            The weights of a report inside and outside of the window.
        aside : int, default 0
            1 if one more truth stands for an answer that is not a number.

        Returns
        -------
        Window
            The mechanism.

        Raises
        ------
        ValueError
            If a number is out of its range, or if `high` is not above `low`.
        """
        values = checks.whole("values", values, 2, MOST_VALUES)
        width = checks.whole("width", width, 1, 2 * values)
        low = checks.whole("low", low, 1, checks.MAX_DEN)
        high = checks.whole("high", high, low + 1, checks.MAX_DEN)
        aside = checks.whole("aside", aside, 0, 1)
        windows = Windows(values=values, width=width, high=high, low=low, aside=aside)
        checks.denominator(windows.den)
        # `__init__` would fit the integers to an epsilon, so it is not called.
        self = cls.__new__(cls)
        self._set(windows)
        return self

    def _set(self, windows: Windows) -> None:
        """Set the attributes of a new mechanism from the integers of its windows.

        windows: the numbers of values, the width and both weights, which are already checked.

        `__init__`, which fits the weights to an epsilon, and `from_integers` both end with it.
        """
        self.windows = windows
        self.values = windows.values
        self.width = windows.width
        self.high = windows.high
        self.low = windows.low
        self.aside = windows.aside
        self.size = windows.truths
        self.reports = windows.reports
        self.den = windows.den

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss of one report: ln(high / low).

        The same report lies in the window of one truth, and outside of that of another.
        """
        return log_ratio(self.high, self.low)

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The width of the window as a text, by its name, for pages about a question."""
        return {"width of the window": str(self.width)}

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities that a report lies in a window: of the truth, or by chance.

        In the window of the truth it lies with probability width * high / den. By chance it is
        width / reports: as if all reports were equally probable.
        """
        return Contrast(
            "band",
            chosen=Fraction(self.width * self.high, self.den),
            other=Fraction(self.width, self.reports),
        )

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        The methods text of a survey report quotes it, with the probability that the report lies in
        the window of the true value.
        """
        inside = format_probability(self.contrast().chosen)
        return (
            f"a whole number from 0 to {self.reports - 1} is reported, with probability {inside}"
            f" one of the {self.width} that belong to the true value of {self.values}"
        )

    def describe_probabilities(self) -> list[str]:
        """Describe the exact probabilities of reports, as lines of Markdown for codebooks."""
        last_report = self.reports - 1
        in_window = (
            f"The true value x, 0 to {self.values - 1}, makes each of the reports x to x +"
            f" {self.width - 1} come with probability {self.high}/{self.den}"
        )
        other_reports = f"each other report from 0 to {last_report} with {self.low}/{self.den}"
        lines = [f"{in_window}, and {other_reports}."]
        if self.aside:
            # The windows of all values hold the reports below `shared`. The window aside is next.
            start = self.windows.shared
            lines.append(
                f"The answer {self.values}, which is no number, has the reports {start} to"
                f" {last_report} instead."
            )
        return lines

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism: its integers, as a dictionary for JSON.

        They are the number of values, the width, both weights, `aside` if it is 1, and `den`.
        Published surveys store it, and `from_spec` is the inverse.
        """
        spec = {
            "kind": "window",
            "size": self.values,
            "width": self.width,
            "high": self.high,
            "low": self.low,
        }
        if self.aside:
            spec["aside"] = 1
        spec["den"] = self.den
        return spec

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Window":
        """Return the mechanism of a specification. Raises ValueError if it is not allowed.

        It is the inverse of `spec`. Its `den` must be the one that follows from the weights.
        """
        if "aside" in spec:
            checks.whole("aside", spec["aside"], 1, 1)
        mechanism = cls.from_integers(
            values=spec["size"],
            width=spec["width"],
            high=spec["high"],
            low=spec["low"],
            aside=spec.get("aside", 0),
        )
        if checks.denominator(spec["den"]) != mechanism.den:
            raise ValueError(f"den is {spec['den']}; allowed with these weights is {mechanism.den}")
        return mechanism

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """
        Return the probabilities of reports as exact fractions.

        Returns
        -------
        tuple of tuples of Fraction, shape (size, reports)
            The probabilities ``rows[truth][report]``. Each row sums to 1.
        """
        probability_inside = Fraction(self.high, self.den)
        probability_outside = Fraction(self.low, self.den)
        rows = []
        for start in self.windows.starts().tolist():
            row = [probability_outside] * self.reports
            row[start : start + self.width] = [probability_inside] * self.width
            rows.append(tuple(row))
        return tuple(rows)

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """
        Draw one report from one uniform number, as the browser does.

        Parameters
        ----------
        truth : int
            The true value, or `values` for the answer that is not a number.
        next_uint32 : callable
            Returns the next random word, an integer from 0 to 2**32 - 1.

        Returns
        -------
        int
            The report, from 0 to reports - 1.

        Raises
        ------
        ValueError
            If the truth is not from 0 to size - 1.
        """
        truth = checks.whole("truth", truth, 0, self.size - 1)
        # The windows of all values hold the reports below `shared`. The window aside is next.
        start = truth if truth < self.values else self.windows.shared
        window_weight = self.width * self.high
        # The first width * high numbers stand for the reports in the window, `high` numbers for
        # each. The rest stands for the reports outside, `low` numbers for each.
        number = draw.uniform(self.den, next_uint32)
        if number < window_weight:
            return start + number // self.high

        # The reports outside are counted without those in the window. So a report after the window
        # moves up by its width.
        other = (number - window_weight) // self.low
        if other < start:
            return other
        return other + self.width

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> IntArray:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like, shape (n,)
            The truths, from 0 to size - 1, or their labels. A series or a categorical of pandas or
            polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of int64, shape (n,)
            The reports, from 0 to reports - 1.
        """
        # The first report in the window of each truth.
        starts = self.windows.starts()[self.true_codes(truths, labels, missing)]
        numbers = uniforms(checks.generator(rng), self.den, starts.size).astype(np.int64)
        # The first width * high numbers stand for the reports in the window, `high` numbers for
        # each. The rest stands for the reports outside, `low` numbers for each.
        window_weight = self.width * self.high
        is_inside = numbers < window_weight
        insides = starts + numbers // self.high

        # The reports outside are counted without those in the window. So a report after the window
        # moves up by its width.
        others = (numbers - window_weight) // self.low
        others += self.width * (others >= starts)
        return np.where(is_inside, insides, others)

    def tally(
        self,
        reports: Any,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> Tally:
        """
        Count the reports for estimation.

        Parameters
        ----------
        reports : array_like of int, shape (n,)
            Whole numbers from 0 to `self.reports` - 1.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (self.reports,), one for each possible report.

        Raises
        ------
        ValueError
            If a report is not possible.
        """
        column = code_column("reports", reports, missing=missing)
        numbers = checks.indices("reports", column.values, self.reports)
        return Tally(
            numbers.size,
            np.bincount(numbers, minlength=self.reports),
            labels=checked_labels(labels, self.size),
            missing=column.missing,
        )

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless a tally has a count for each possible report, with the sum n."""
        if tally.counts.shape != (self.reports,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are {self.reports} counts that sum to n"
            )

    def informative_reports(self, tally: Tally) -> IntArray:
        """
        Return the number of all reports, once for each possible report.

        A single report does not support a single answer, so the counts of this design belong to
        reports and not to answers.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of int64, shape (reports,)
            The number of reports.
        """
        return np.full(self.reports, tally.n)

    def line(self) -> Line | None:
        """Return None: the share of one report depends on the shares of many truths.

        So there is no line offset + slope * true share, and `decode` uses weights instead.
        """
        return None

    def decode(self, shares: FloatArray) -> FloatArray:
        """
        Return unbiased true shares from the shares of reports.

        Each true share is a weighted sum of the observed shares of all reports.

        Parameters
        ----------
        shares : ndarray of float64, shape (reports,)
            The observed share of each report.

        Returns
        -------
        ndarray of float64, shape (size,)
            The estimates, which may lie outside [0, 1].
        """
        proportions: FloatArray = self._share_weights @ shares
        return proportions

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """Return the covariance of decoded shares, from that of the shares of reports.

        share_covariance: shape (reports, reports).

        The decoded shares are W r for the observed shares r and the weights W, so their covariance
        is W C W' for the covariance C of r, shape (size, size).
        """
        covariance: FloatArray = self._share_weights @ share_covariance @ self._share_weights.T
        return covariance

    def share_covariance(self, tally: Tally) -> FloatArray:
        """
        Return the covariance matrix of the indicators of one report.

        An indicator is 1 for the number that is reported, and 0 for any other. With the observed
        shares r, the covariance is r_i * (1 - r_i) on the diagonal and -r_i * r_j elsewhere.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (reports, reports)
            The covariances, which are those of the observed shares of reports times n.
        """
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    @cached_property
    def _share_weights(self) -> FloatArray:
        """The weights of reports in the share of each truth, shape (size, reports).

        Of all weights for which the estimate is unbiased, they have the least variance if all
        truths are equally frequent. The share of a truth is the mean of a score that is 1 for this
        truth and 0 for all others: a row of the identity matrix.
        """
        return weights(self.windows, np.eye(self.size))

    def unbiased_weights(self, scores: FloatArray) -> FloatArray:
        """Return the weight of each possible report in an unbiased mean score, shape (reports,).

        scores: the score of each truth, shape (size,).

        The mean weight of all reports is expected to be the mean score of all respondents. Of all
        such weights, these have the least variance if all truths are equally frequent.
        """
        return weights(self.windows, scores)

    def least_variance(self, scores: FloatArray) -> float:
        """Return the smallest variance, over all truths, of one report's weight.

        scores: the score of each truth, shape (size,).

        The weight w_r of report r is its contribution to the unbiased mean score. Given truth v its
        expectation is the score of v, so its variance is sum over r of P(r | v) * w_r^2, minus
        score_v^2.
        """
        # The mixture knows P(r | v). Its counts of reports are not used here.
        mixture = WindowMixture(np.ones(self.reports, np.int64), self.windows)
        # For each truth the sum over all reports of their probability times their squared weight.
        mean_squares = mixture.gather(self.unbiased_weights(scores) ** 2)
        variances = mean_squares - scores**2
        # A rounding error can make a variance of 0 slightly negative.
        return max(float(variances.min()), 0.0)

    def constrain(self, tally: Tally) -> FloatArray:
        """
        Return possible shares: the maximum likelihood estimate, by Newton's method.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1 that sum to 1.

        Raises
        ------
        ConvergenceError
            If the maximum is not reached.
        """
        return newton(WindowMixture(tally.counts, self.windows))

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares.

        The counts of the reports determine it, so it equals the constrained estimate.

        Parameters
        ----------
        reports : array_like of int, shape (n,)
            Whole numbers from 0 to `self.reports` - 1.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1 that sum to 1.

        Raises
        ------
        ValueError
            If there are no reports.
        ConvergenceError
            If the maximum is not reached.
        """
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def mean(self, tally: Tally, confidence: float = 0.95) -> Functional:
        """
        Estimate the mean of the values, of those respondents who gave a number.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.
        confidence : float, default 0.95
            The confidence level of the interval.

        Returns
        -------
        Functional
            The mean of the numbers 0 to values - 1, in the unit of one step between values.
        """
        # The score of a value is the value. That of a truth that is not a number is not used.
        return self.functional(np.arange(self.size), tally, confidence)

    def at_most(self, value: int, tally: Tally, confidence: float = 0.95) -> Functional:
        """
        Estimate the share of values up to a limit, of those respondents who gave a number.

        Parameters
        ----------
        value : int
            The limit, from 0 to values - 1. It is included.
        tally : Tally
            The tally of all reports.
        confidence : float, default 0.95
            The confidence level of the interval.

        Returns
        -------
        Functional
            The share.
        """
        value = checks.whole("value", value, 0, self.values - 1)
        # The mean of a score that is 1 up to the limit, and 0 above it, is a share.
        return self.functional(np.arange(self.size) <= value, tally, confidence)

    def functional(self, scores: ArrayLike, tally: Tally, confidence: float = 0.95) -> Functional:
        """
        Estimate the mean score of those respondents who gave a number.

        If one truth is not a number, the mean is a ratio: the sum of the scores of all numbers,
        divided by the share of respondents who gave a number. Its error is that of the delta
        method.

        Parameters
        ----------
        scores : array_like, shape (size,)
            The score of each truth: any function of the value.
        tally : Tally
            The tally of all reports.
        confidence : float, default 0.95
            The confidence level of the interval.

        Returns
        -------
        Functional
            The mean score.
        """
        estimate = self.estimate(tally, confidence)
        if not self.aside:
            return estimate.functional(scores)
        is_number = self._number_indicators()
        return estimate.mean_ratio(np.asarray(scores) * is_number, is_number)

    def _number_indicators(self) -> FloatArray:
        """Return 1 for each truth that is a number, and 0 for any other, shape (size,)."""
        return (np.arange(self.size) < self.values).astype(np.float64)

    def variance(self, scores: ArrayLike | None = None) -> float:
        """
        Return n times the variance of `functional`, if all values are equally frequent.

        Every report has a weight, and `functional` is the mean weight. The variance of one weight
        is the sum over all reports of their probability times the squared weight of the deviation
        from the mean score.

        Parameters
        ----------
        scores : array_like, shape (size,), optional
            The score of each truth. By default it is the value, for the variance of the mean.

        Returns
        -------
        float
            The variance of the contribution of one report.
        """
        if scores is None:
            score_by_truth = np.arange(self.size, dtype=np.float64)
        else:
            score_by_truth = np.asarray(scores, dtype=np.float64)

        # All values have the same share, and an answer that is not a number has the share 0.
        is_number = self._number_indicators()
        shares = is_number / self.values
        mean_score = score_by_truth @ shares
        deviations = (score_by_truth - mean_score) * is_number

        # The deviations have the mean 0, so the variance of their weights is the mean square.
        report_weights = self.unbiased_weights(deviations)
        # The mixture knows the probability of each report given a truth. Its counts are not used.
        mixture = WindowMixture(np.ones(self.reports, np.int64), self.windows)
        report_probabilities = mixture.mix(shares)
        return float(report_probabilities @ report_weights**2)

    def quantiles(
        self,
        tally: Tally,
        at: Sequence[float] = (0.25, 0.5, 0.75),
        confidence: float = 0.95,
        likeliest: FloatArray | None = None,
    ) -> list[Quantile]:
        """
        Estimate quantiles of the values, of those respondents who gave a number.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.
        at : sequence of float, default (0.25, 0.5, 0.75)
            The shares. Each quantile is the smallest value that at least this share of the values
            do not exceed.
        confidence : float, default 0.95
            The confidence level of the intervals.
        likeliest : ndarray of float64, shape (size,), optional
            The result of `constrain` for this tally, if it is known already.

        Returns
        -------
        list of Quantile
            The quantiles with their intervals; see `mechanisms.estimation.quantiles`.
        """
        self.check_tally(tally)
        return quantiles(self.windows, tally.counts, at, confidence=confidence, likeliest=likeliest)

    def __repr__(self) -> str:
        separate = ", aside=True" if self.aside else ""
        return (
            f"Window(values={self.values}, epsilon={self.epsilon!r}, width={self.width},"
            f" den={self.den}{separate})"
        )
