"""Window: numbers and ordered scales. A report is one whole number, likelier in a window that moves with the truth."""

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
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed, in_digits
from mechanisms.designs.widths import MOST_VALUES, best_width, chosen_weights
from mechanisms.designs.wire import Integers
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.estimates import Functional
from mechanisms.estimation.newton import newton
from mechanisms.estimation.quantiles import Quantile, quantiles
from mechanisms.estimation.tallies import Tally
from mechanisms.estimation.windows import WindowMixture, Windows, weights

LEAST_EPSILON = 0.1


class Window(Mechanism):
    """Truth x makes each of the reports x to x + width - 1 likelier than any other; a report is one number.

    values: how many values there are, 2 to 1,001, equally far apart; truths are 0 to values - 1.
    epsilon: declared, at least 0.1; the realized one, ln(high/low), is never above it.
    width: reports in a window, 1 to 2 values; by default the one with the least noise in the mean (`best_width`).
    aside: whether one more truth, `values`, stands for an answer that is no number, as “Prefer not to say”.
    den: at most this denominator, or "survey" for the smallest weights with 0.99 of the declared epsilon.
    The discrete form of square wave reporting (Li et al. 2020, SIGMOD); width 1 is direct encoding.

    size: the number of truths. reports: how many different ones there are.
    """

    kind = name = "window"
    wire: Integers
    keys = frozenset({"kind", "size", "width", "high", "low", "den"})
    optional = frozenset({"aside"})
    source = (
        "Li, Z., Wang, T., Lopuhaä-Zwakenberg, M., Li, N., & Škoric, B. (2020). Estimating numerical distributions "
        "under local differential privacy. Proceedings of SIGMOD 2020, 621–635."
    )
    title = "Window"
    description = "A number is reported; it lies in a wide band that belongs to the true one more often than by chance."
    constrained_by = "maximum likelihood"
    tells = "mean"

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
        width = (
            best_width(values, declared)
            if width is None
            else checks.whole("width", width, 1, 2 * values)
        )
        outside = values - 1 + width * bool(aside)
        high, low = chosen_weights(declared, width, outside, den)
        self._set(Windows(values, width, high, low, int(bool(aside))))

    @classmethod
    def from_integers(
        cls, values: int, width: int, high: int, low: int, aside: int = 0
    ) -> "Window":
        """The mechanism with these weights. ValueError unless high is above low, and low above 0."""
        values = checks.whole("values", values, 2, MOST_VALUES)
        width = checks.whole("width", width, 1, 2 * values)
        low = checks.whole("low", low, 1, checks.MAX_DEN)
        high = checks.whole("high", high, low + 1, checks.MAX_DEN)
        windows = Windows(values, width, high, low, checks.whole("aside", aside, 0, 1))
        checks.denominator(windows.den)
        self = cls.__new__(cls)
        self._set(windows)
        return self

    def _set(self, windows: Windows) -> None:
        self.windows = windows
        self.values, self.width, self.high, self.low, self.aside = windows
        self.size, self.reports, self.den = windows.truths, windows.reports, windows.den

    @cached_property
    def epsilon(self) -> float:
        return log_ratio(self.high, self.low)

    @property
    def parameter_texts(self) -> dict[str, str]:
        return {"width of the window": str(self.width)}

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast(
            "band", Fraction(self.width * self.high, self.den), Fraction(self.width, self.reports)
        )

    def in_words(self) -> str:
        inside = in_digits(self.contrast().chosen)
        return (
            f"a whole number from 0 to {self.reports - 1} is reported, with probability {inside} one of the "
            f"{self.width} that belong to the true value of {self.values}"
        )

    def describe_probabilities(self) -> list[str]:
        lines = [
            f"The true value x, 0 to {self.values - 1}, makes each of the reports x to x + {self.width - 1} come with "
            f"probability {self.high}/{self.den}, and each other report from 0 to {self.reports - 1} with "
            f"{self.low}/{self.den}."
        ]
        if self.aside:
            start = self.windows.shared
            lines.append(
                f"The answer {self.values}, which is no number, has the reports {start} to {self.reports - 1} instead."
            )
        return lines

    def spec(self) -> dict[str, Any]:
        whole = {
            "kind": "window",
            "size": self.values,
            "width": self.width,
            "high": self.high,
            "low": self.low,
        }
        aside = {"aside": 1} if self.aside else {}
        return {**whole, **aside, "den": self.den}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Window":
        if "aside" in spec:
            checks.whole("aside", spec["aside"], 1, 1)
        found = cls.from_integers(
            spec["size"], spec["width"], spec["high"], spec["low"], spec.get("aside", 0)
        )
        if checks.denominator(spec["den"]) != found.den:
            raise ValueError(f"den is {spec['den']}; allowed with these weights is {found.den}")
        return found

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """rows[truth][report], size x reports."""
        inside, outside = Fraction(self.high, self.den), Fraction(self.low, self.den)
        return tuple(
            (outside,) * start
            + (inside,) * self.width
            + (outside,) * (self.reports - start - self.width)
            for start in self.windows.starts().tolist()
        )

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """One whole number, from one uniform draw."""
        truth = checks.whole("truth", truth, 0, self.size - 1)
        start = truth if truth < self.values else self.windows.shared
        inside = self.width * self.high
        drawn = draw.uniform(self.den, next_uint32)
        if drawn < inside:
            return start + drawn // self.high
        other = (drawn - inside) // self.low
        return other if other < start else other + self.width

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> IntArray:
        """truths: whole numbers 0 to size - 1, shape (n,). Returns reports of the same shape, int64."""
        starts = self.windows.starts()[checks.indices("truths", truths, self.size)]
        drawn = uniforms(checks.generator(rng), self.den, starts.size).astype(np.int64)
        inside = self.width * self.high
        other = (drawn - inside) // self.low
        other += self.width * (other >= starts)
        return np.where(drawn < inside, starts + drawn // self.high, other)

    def tally(self, reports: ArrayLike) -> Tally:
        """reports: whole numbers 0 to `reports` - 1, shape (n,). The counts have shape (reports,)."""
        came = checks.indices("reports", reports, self.reports)
        return Tally(came.size, np.bincount(came, minlength=self.reports))

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (self.reports,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are {self.reports} counts that sum to n"
            )

    def informative_reports(self, tally: Tally) -> IntArray:
        """n for each of the reports, shape (reports,): no single one speaks of an answer."""
        return np.full(self.reports, tally.n)

    def line(self) -> Line | None:
        return None

    def decode(self, shares: FloatArray) -> FloatArray:
        """Unbiased true shares, shape (size,), from those of the reports, shape (reports,)."""
        proportions: FloatArray = self._each @ shares
        return proportions

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        covariance: FloatArray = self._each @ share_covariance @ self._each.T
        return covariance

    def share_covariance(self, tally: Tally) -> FloatArray:
        """Of the reports, shape (reports, reports)."""
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    @cached_property
    def _each(self) -> FloatArray:
        """Weights for the share of each truth, shape (size, reports)."""
        return weights(self.windows, np.eye(self.size))

    def unbiased_weights(self, wanted: FloatArray) -> FloatArray:
        return weights(self.windows, wanted)

    def least_variance(self, wanted: FloatArray) -> float:
        every = WindowMixture(np.ones(self.reports, np.int64), self.windows)
        return max(float((every.gather(self.unbiased_weights(wanted) ** 2) - wanted**2).min()), 0.0)

    def constrain(self, tally: Tally) -> FloatArray:
        """Maximum likelihood on the simplex, by expectation-maximization. ConvergenceError if it is not reached."""
        return newton(WindowMixture(tally.counts, self.windows))

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """From reports of shape (n,). A function of their counts, and so the same as the constrained estimate."""
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def mean(self, tally: Tally, confidence: float = 0.95) -> Functional:
        """The mean of the values 0 to values - 1, of those who gave one; steps apart, in the unit of one step."""
        return self.functional(np.arange(self.size), tally, confidence)

    def at_most(self, value: int, tally: Tally, confidence: float = 0.95) -> Functional:
        """The share of those who gave a number whose value is this one or below."""
        value = checks.whole("value", value, 0, self.values - 1)
        return self.functional(np.arange(self.size) <= value, tally, confidence)

    def functional(self, wanted: ArrayLike, tally: Tally, confidence: float = 0.95) -> Functional:
        """The mean of any function of the value, given for each truth: shape (size,).

        With an answer aside it is that among those who gave a number, a ratio (the delta method).
        """
        of = (np.arange(self.size) < self.values).astype(np.float64) if self.aside else None
        estimate = self.estimate(tally, confidence)
        return (
            estimate.functional(wanted)
            if of is None
            else estimate.mean_ratio(np.asarray(wanted) * of, of)
        )

    def variance(self, wanted: ArrayLike | None = None) -> float:
        """n times the variance of `functional` where all values are equally frequent; of the mean unless given."""
        given = (
            np.arange(self.size, dtype=np.float64)
            if wanted is None
            else np.asarray(wanted, dtype=np.float64)
        )
        of = (np.arange(self.size) < self.values).astype(np.float64)
        shares = of / self.values
        counted = self.unbiased_weights((given - given @ shares) * of)
        chances = WindowMixture(np.ones(self.reports, np.int64), self.windows).mix(shares)
        return float(chances @ counted**2)

    def quantiles(
        self,
        tally: Tally,
        at: Sequence[float] = (0.25, 0.5, 0.75),
        confidence: float = 0.95,
        likeliest: FloatArray | None = None,
    ) -> list[Quantile]:
        """The smallest values that at least these shares do not exceed; see `estimation.quantiles`.

        likeliest: what `constrain` has for this tally, where it is known already.
        """
        self.check_tally(tally)
        return quantiles(self.windows, tally.counts, at, confidence, likeliest)

    def __repr__(self) -> str:
        aside = ", aside=True" if self.aside else ""
        return f"Window(values={self.values}, epsilon={self.epsilon!r}, width={self.width}, den={self.den}{aside})"
