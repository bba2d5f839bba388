"""What is compared between groups: of each group a share of an answer, or the mean of its numbers, with its errors."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from mechanisms import Estimate, Functional, z_test
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.measures import POINTS, Interval, Measure, measure
from surveys.results.analysis.outcome import Part
from surveys.results.estimates.report import ChoiceReport, QuestionReport
from surveys.results.figures.dot_plot import Mark, Row, row
from surveys.results.report.numeric_results import mean_row
from surveys.site.number_format import count


class Value(ABC):
    """Of one group. n: reports that speak of it. value, standard_error: of a mean NaN where nothing is known."""

    name: str
    question: QuestionReport
    n: int
    value: float
    standard_error: float

    @property
    @abstractmethod
    def measure(self) -> Measure:
        """In what differences are told."""

    @abstractmethod
    def ends(self, confidence: float) -> Interval:
        """Its interval, of the kind that was asked for."""

    @abstractmethod
    def p_value(self, other: "Value") -> float:
        """That both are one in truth."""

    @abstractmethod
    def row(self) -> Row:
        """In a figure."""


@dataclass(frozen=True)
class Share(Value):
    name: str
    question: QuestionReport
    choice: int
    measure = POINTS

    @property
    def _report(self) -> ChoiceReport:
        return self.question.choices[self.choice]

    @property
    def n(self) -> int:  # type: ignore[override]
        return self._report.n

    @property
    def value(self) -> float:  # type: ignore[override]
        return self._report.estimate

    @property
    def standard_error(self) -> float:  # type: ignore[override]
        return self._report.standard_error

    def ends(self, confidence: float) -> Interval:
        basis = self.question.basis
        low, high = Estimate(basis.mechanism, basis.tally, confidence, self.question.interval_kind).intervals[
            self.choice
        ]
        return float(low), float(high)

    def p_value(self, other: Value) -> float:
        bases = [each.question.basis for each in (self, other)]
        try:
            return z_test(*((basis.mechanism, basis.tally) for basis in bases), self.choice).p_value
        except ValueError:  # all reports of both groups are the same
            return 1.0

    def row(self) -> Row:
        return row(self._report, label=self.name, note=f"n = {count(self.n)}", recorded=False)


@dataclass(frozen=True)
class Mean(Value):
    name: str
    question: QuestionReport
    part: Part

    @property
    def measure(self) -> Measure:
        return measure(self.part)

    @property
    def n(self) -> int:  # type: ignore[override]
        return self.question.n

    @cached_property
    def _found(self) -> Functional | None:
        """None where it is not seen that anybody gave a number."""
        if self.question.average:
            return self.question.average.mean
        if self.part.is_scrambled or self.question.basis is None:
            return None
        numbers = np.array(self.part.item.numbers, np.float64)
        if not self.part.item.aside:
            return self.question.basis.functional(numbers)
        if self.question.all_declined:
            return None
        return self.question.basis.ratio(np.append(numbers, 0.0), np.append(np.ones(len(numbers)), 0.0))

    @property
    def value(self) -> float:  # type: ignore[override]
        return self._found.value if self._found else float("nan")

    @property
    def standard_error(self) -> float:  # type: ignore[override]
        return self._found.standard_error if self._found else float("nan")

    def ends(self, confidence: float) -> Interval:
        z = normal_quantile(confidence)
        return self.value - z * self.standard_error, self.value + z * self.standard_error

    def p_value(self, other: Value) -> float:
        error = np.hypot(self.standard_error, other.standard_error)
        return float(2 * ndtr(-abs(self.value - other.value) / error)) if error > 0 else 1.0

    def row(self) -> Row:
        note = f"n = {count(self.n)}"
        if self.question.average:
            return mean_row(self.question.average, self.name, note)
        ends = self.ends(self.question.confidence)
        words = " to ".join(self.measure.value(end, ends) for end in ends)
        return Row(self.name, self.measure.value(self.value, ends), words, Mark(self.value, *ends), note)
