"""What is compared between groups: of each group a share of an answer, or the mean of its numbers, with its error."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import numpy as np

from mechanisms import Estimate, Functional, GroupReports, difference_side
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.measures import POINTS, Interval, Measure, Units
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.estimates.numeric import average, is_wide
from surveys.results.estimates.question_report import ChoiceReport
from surveys.results.estimates.share_wording import Said
from surveys.results.figures.dot_plot import Mark, Row, row
from surveys.results.report.numeric_results import Written, mean_row
from surveys.site.number_format import format_count


@dataclass(frozen=True)
class Value(ABC):
    """Of one group, or of several together. estimate: of all answers to its question."""

    name: str
    estimate: Estimate
    part: SurveyVariable

    @property
    @abstractmethod
    def n(self) -> int:
        """Reports that tell of it."""

    @property
    @abstractmethod
    def value(self) -> float:
        """NaN of a mean of which nothing is known."""

    @property
    @abstractmethod
    def standard_error(self) -> float: ...

    @property
    def variance(self) -> float:
        """Of a decoded report."""
        return self.n * self.standard_error**2

    @property
    def least_variance(self) -> float:
        """That the design allows, where the variance may be below it."""
        return 0.0

    @property
    @abstractmethod
    def measure(self) -> Measure:
        """In what differences are told."""

    @property
    @abstractmethod
    def is_withheld(self) -> bool:
        """Whether its range is too wide for a number."""

    @property
    @abstractmethod
    def interval(self) -> Interval:
        """Of this group by itself."""

    @property
    def side(self) -> GroupReports | None:
        """Its reports where they depend on nothing but its share; else None."""
        return None

    @abstractmethod
    def row(self) -> Row:
        """In a figure."""


class Share(Value):
    @property
    def _choice(self) -> int:
        if self.part.choice is None:
            raise TypeError("A share is of an answer.")
        return self.part.choice

    @property
    def n(self) -> int:
        return int(self.estimate.informative_reports[self._choice])

    @property
    def value(self) -> float:
        return float(self.estimate.proportions[self._choice])

    @property
    def observed(self) -> float:
        """Of its reports those that say the answer."""
        return float(self.estimate.observed[self._choice])

    @property
    def standard_error(self) -> float:
        return float(self.estimate.standard_errors[self._choice])

    @property
    def least_variance(self) -> float:
        mechanism = self.estimate.mechanism
        return mechanism.least_variance(np.eye(mechanism.size)[self._choice])

    @cached_property
    def side(self) -> GroupReports | None:
        if self.estimate.mechanism.line() is None:
            return None
        whole = difference_side(self.estimate.mechanism, self.estimate.tally)
        return GroupReports(
            *(getattr(whole, name)[self._choice] for name in ("n", "hits", "slope", "intercept"))
        )

    @property
    def measure(self) -> Measure:
        return POINTS

    @property
    def interval(self) -> Interval:
        low, high = self.estimate.intervals[self._choice].tolist()
        return low, high

    @property
    def is_withheld(self) -> bool:
        return self.part.is_scrambled and Said(self.value, *self.interval).is_wide

    def row(self) -> Row:
        share = ChoiceReport(self.name, estimate=self.value, interval=self.interval)
        return row(share, note=f"n = {format_count(self.n)}", recorded=False)


class Mean(Value):
    @property
    def n(self) -> int:
        return self.estimate.n

    @cached_property
    def _functional(self) -> Functional | None:
        """None where it is not known that anyone gave a number."""
        if numbers := average(self.part.item, self.estimate):
            return numbers.mean
        if self.part.is_scrambled:
            return None
        numbers = np.array(self.part.item.answer_values, np.float64)
        if not self.part.item.aside:
            return self.estimate.functional(numbers)
        gave = np.append(np.ones(len(numbers)), 0.0)
        return (
            self.estimate.mean_ratio(np.append(numbers, 0.0), gave)
            if self.estimate.observed @ gave > 0
            else None
        )

    @property
    def value(self) -> float:
        return self._functional.value if self._functional else float("nan")

    @property
    def standard_error(self) -> float:
        return self._functional.standard_error if self._functional else float("nan")

    @property
    def measure(self) -> Measure:
        return Units(self.part.item)

    @property
    def interval(self) -> Interval:
        reach = normal_quantile(self.estimate.confidence) * self.standard_error
        return self.value - reach, self.value + reach

    @property
    def is_withheld(self) -> bool:
        if numbers := average(self.part.item, self.estimate):
            return Written(numbers).is_wide
        low, high = self.interval
        possible = self.part.item.answer_values
        return is_wide(high - low, possible[0], possible[-1])

    def row(self) -> Row:
        note = f"n = {format_count(self.n)}"
        if numbers := average(self.part.item, self.estimate):
            return mean_row(numbers, self.name, note)
        ends = self.interval
        words = " to ".join(self.measure.value(end, ends) for end in ends)
        number = "" if self.is_withheld else self.measure.value(self.value, ends)
        mark = Mark(self.value, *ends, is_pale=self.is_withheld, is_withheld=self.is_withheld)
        return Row(self.name, number, words, mark, note)


def together(values: Sequence[Value], name: str) -> Value:
    """The pooled reports of several groups."""
    estimates = [value.estimate for value in values]
    tally = reduce(lambda one, other: one + other, (each.tally for each in estimates))
    first = estimates[0]
    pooled = Estimate(
        first.mechanism, tally, first.confidence, first.interval, simultaneous=first.simultaneous
    )
    return replace(values[0], name=name, estimate=pooled)
