"""Comparisons: statements about the difference of a share or mean between two sides.

Shares are decided by `mechanisms.Differences`. Means, and shares whose reports depend on other
shares too, have a normal interval with the error of `mechanisms.mean_error`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import ndtr

from mechanisms import Differences, Estimate, GroupReports, mean_error
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.definition.instrument import QuestionDefinition
from surveys.statements.family import Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.rounding import MINUS
from surveys.statements.sentences import SENTENCES, Text, after_condition
from surveys.statements.statement import State, Statement

Verdict = Literal["higher", "lower", "no_clear_difference", "too_few_answers"]
VERDICTS = get_args(Verdict)
CLEAR: tuple[Verdict, ...] = ("higher", "lower")
OPPOSITES: dict[Verdict, Verdict] = {"higher": "lower", "lower": "higher"}
# The name of the second side where a group is compared with all other groups together.
OTHERS = "all other groups"
# The units of differences of shares, and of means of scales.
POINTS = " points"
SCALE_POINTS = " points of the scale"
SCALE = "scale"
# A page compares nothing if all its ranges are longer than this part of all possible differences.
LONGEST_COMPARED = 0.25

Interval = tuple[float, float]


@dataclass(frozen=True)
class Side:
    """One side of a comparison: the people of a group, and what their reports say.

    name: the name of the group.
    n: the number of reports about the share or mean.
    value: the estimated share or mean.
    least_variance: the least variance that a decoded report can have in this design.
    reports: the reports, if they depend on nothing but the share of the answer; else None.
    """

    name: str
    n: int
    value: float
    standard_error: float
    least_variance: float = 0.0
    reports: GroupReports | None = None

    @property
    def variance(self) -> float:
        """The variance of a decoded report."""
        return self.n * self.standard_error**2


def share_side(name: str, estimate: Estimate, code: int) -> Side:
    """Return a side whose share of one answer is compared. There must be a report about it."""
    mechanism = estimate.mechanism
    reports = None
    line = mechanism.line()
    if line is not None:
        reports = GroupReports(
            n=mechanism.informative_reports(estimate.tally)[code],
            hits=mechanism.support_counts(estimate.tally)[code],
            slope=line.slope[code],
            intercept=line.offset[code],
        )
    is_answer = np.zeros(mechanism.size)
    is_answer[code] = 1.0
    n = int(estimate.informative_reports[code])
    return Side(
        name=name,
        n=n,
        value=float(estimate.proportions[code]),
        standard_error=float(estimate.standard_errors[code]),
        least_variance=mechanism.least_variance(is_answer),
        reports=reports,
    )


@dataclass(frozen=True)
class SidePair:
    """Two sides, and the quantity that their difference is."""

    quantity: Quantity
    first: Side
    second: Side

    @property
    def has_reports(self) -> bool:
        """True if the reports of both sides depend on nothing but the share of the answer."""
        return self.first.reports is not None and self.second.reports is not None

    @property
    def difference(self) -> float:
        """The first share or mean minus the second one."""
        return self.first.value - self.second.value

    @property
    def standard_error(self) -> float:
        """The standard error of the difference of two estimates."""
        return math.hypot(self.first.standard_error, self.second.standard_error)


def share_difference(name: str, among: str = "") -> Quantity:
    """Return the difference of a share between two sides, which is printed in percentage points.

    name: the short name of the question, with the answer if it has several.
    """
    return Quantity(
        kind=Kind.DIFFERENCE, name=name, among=among, unit=POINTS, lowest=-1.0, highest=1.0
    )


def mean_difference(question: QuestionDefinition, name: str, among: str = "") -> Quantity:
    """Return the difference of a mean between two sides, in the unit of its numbers."""
    unit = f" {question.unit}" if question.unit else ""
    if question.kind == SCALE:
        unit = SCALE_POINTS
    span = float(question.answer_values[-1] - question.answer_values[0])
    return Quantity(
        kind=Kind.DIFFERENCE,
        name=name,
        among=among,
        unit=unit,
        factor=1,
        lowest=-span,
        highest=span,
    )


@dataclass(frozen=True, kw_only=True)
class Comparison(Statement):
    """A statement about a difference: the first side minus the second one.

    The group of its quantity is the first side, and n is the number of its reports. The interval
    holds for the whole family, and decides the verdict.

    versus: the name of the second side.
    versus_n: the number of reports of the second side.
    standard_error: the error of the difference.
    interval_alone: the interval for this difference alone.
    p: the p-value of this difference alone.
    guard: the tail of the exact test that has to agree, or None if the interval needs no guard.
    """

    versus: str
    versus_n: int
    standard_error: float
    interval_alone: Interval
    p: float
    guard: float | None
    verdict: Verdict

    @property
    def group(self) -> str:
        """The name of the first side."""
        return self.quantity.group

    @cached_property
    def state(self) -> State:
        """The state of the range, which supports no number if too few people answered."""
        if self.verdict == "too_few_answers":
            return State.TOO_FEW
        if self.quantity.is_too_wide(self.interval):
            return State.WITHHELD
        return State.NUMBER

    @property
    def p_together(self) -> float:
        """The p-value that allows for all comparisons of the family (Bonferroni)."""
        return min(self.family.size * self.p, 1.0)

    @property
    def is_clear(self) -> bool:
        """True if the statement names the higher side."""
        return self.verdict in CLEAR

    @property
    def is_informative(self) -> bool:
        """True if the range is short enough to compare anything, with a number or without."""
        low, high = self.interval
        return high - low < LONGEST_COMPARED * (self.quantity.highest - self.quantity.lowest)

    @property
    def is_grey(self) -> bool:
        """True if a figure draws the range in grey."""
        return not self.is_clear or self.is_withheld

    @property
    def has_too_few(self) -> bool:
        """True if too few people answered for what the range suggests."""
        return self.verdict == "too_few_answers"

    @property
    def verdict_name(self) -> str:
        """The verdict as tables and figures have it: "No clear difference"."""
        return self.verdict.replace("_", " ").capitalize()

    @property
    def possible_interval(self) -> Interval:
        """The possible part of the interval, as figures draw it."""
        low, high = self.interval
        return self.quantity.clip(low), self.quantity.clip(high)

    @property
    def number(self) -> str:
        """The difference in a table, without its unit: "+14"; "" if none is supported."""
        if self.state != State.NUMBER:
            return ""
        return self._signed(self.rounded_estimate)

    @property
    def range(self) -> str:
        """The range in a table, without its unit: "+5 to +23"."""
        return f"{self._signed(self.rounding.low)} to {self._signed(self.rounding.high)}"

    @property
    def size(self) -> str:
        """The size of the difference with its unit: "14 points"."""
        return self._with_unit(self._size(self.rounded_estimate))

    @property
    def range_of_sizes(self) -> str:
        """The range of a clear difference by size: "5 to 23"."""
        low, high = sorted((self.rounding.low, self.rounding.high), key=abs)
        return f"{self._size(low)} to {self._size(high)}"

    @property
    def largest_size(self) -> float:
        """The largest size that is still possible, as it is printed."""
        return max(abs(self.rounding.low), abs(self.rounding.high))

    @property
    def largest_in_words(self) -> str:
        """The largest size that is still possible, with its unit: "9 points"."""
        return self._with_unit(self._size(self.largest_size))

    @property
    def low_in_words(self) -> str:
        """The size of the lower end with its unit: "2 points"."""
        return self._with_unit(self._size(self.rounding.low))

    @property
    def high_in_words(self) -> str:
        """The size of the upper end with its unit: "5 points"."""
        return self._with_unit(self._size(self.rounding.high))

    @property
    def direction(self) -> str:
        """The word for the direction: "higher", or "more" for numbers with a unit."""
        below, above = "fewer", "more"
        if self.quantity.unit in ("", POINTS, SCALE_POINTS):
            below, above = "lower", "higher"
        return above if self.estimate >= 0 else below

    @cached_property
    def text(self) -> Text:
        """The sentence about this difference."""
        if self.verdict == "no_clear_difference":
            return unclear_differences([self], self.quantity.name)
        key = "difference clear"
        if self.has_too_few:
            key = "difference too_few"
        elif self.is_withheld:
            key = "difference withheld"
        versus = "the other groups"
        if self.versus != OTHERS:
            versus = f"“{self.versus}”"
        sentence = SENTENCES[key].sentence.format(
            name=self.quantity.name,
            size=self.size,
            direction=self.direction,
            group=self.group,
            versus=versus,
            range_name=self.family.range_name,
            range=self.range_of_sizes,
            unit=self.quantity.unit,
        )
        return after_condition(self.quantity.among, Text(sentence), self.quantity.name)

    @property
    def sentence(self) -> str:
        """The statement in words: "Tax: 14 points higher in “X” than in the other groups"."""
        return self.text.sentence

    @property
    def mirrored(self) -> "Comparison":
        """The same comparison with its sides exchanged."""
        low, high = self.interval
        low_alone, high_alone = self.interval_alone
        return replace(
            self,
            quantity=replace(self.quantity, group=self.versus),
            versus=self.group,
            n=self.versus_n,
            versus_n=self.n,
            estimate=-self.estimate,
            interval=(-high, -low),
            interval_alone=(-high_alone, -low_alone),
            verdict=OPPOSITES.get(self.verdict, self.verdict),
        )

    def _size(self, value: float) -> str:
        """Return the size of a rounded value, without unit and sign."""
        return self._end_text(abs(value))

    def _signed(self, value: float) -> str:
        """Return a rounded value with its sign. Zero has none."""
        if value == 0:
            return self._size(value)
        if value < 0:
            return f"{MINUS}{self._size(value)}"
        return f"+{self._size(value)}"

    def _with_unit(self, size: str) -> str:
        """Return a size with its unit: "14 points", "1 point", "2.1 hours"."""
        unit = self.quantity.unit
        if size == "1" and unit.startswith(POINTS):
            unit = unit.replace(POINTS, " point", 1)
        return f"{size}{unit}"


def unclear_differences(comparisons: Sequence[Comparison], name: str) -> Text:
    """Return how large differences can still be, of which none is clear.

    comparisons: those of one question, with the same unit; at least one.
    name: the short name of the question.
    """
    largest = max(comparisons, key=lambda comparison: comparison.largest_size)
    template = SENTENCES["difference no_clear_difference"]
    sentence = template.sentence.format(name=name, largest=largest.largest_in_words)
    return after_condition(largest.quantity.among, Text(sentence), name)


def difference_sentences(comparisons: Sequence[Comparison], name: str) -> list[str]:
    """Return the sentences about the differences of one question: clear ones, the largest first.

    If none is clear, a sentence says how large they can still be. Groups of which too few people
    answered come last.

    name: the name of the question, with its answer if only one is compared.
    """
    clear = [comparison for comparison in comparisons if comparison.is_clear]
    clear.sort(key=lambda comparison: -abs(comparison.estimate))
    too_few = [comparison for comparison in comparisons if comparison.has_too_few]
    sentences = [comparison.sentence for comparison in clear]
    if not clear and len(too_few) < len(comparisons):
        sentences.append(unclear_differences(comparisons, name).sentence)
    # The same words may hold for several answers.
    too_few_sentences = dict.fromkeys(comparison.sentence for comparison in too_few)
    return [*sentences, *too_few_sentences]


def compare(
    pairs: Sequence[SidePair], family: Family, *, has_common_variance: bool = True
) -> list[Comparison]:
    """Return the comparison of each pair of sides.

    All pairs are decided together, because a page with hundreds of pairs takes long one by one.

    family: all comparisons that share the confidence level. There may be more than these.
    has_common_variance: whether both sides may have the same design, so that an error of their
        common variance is possible. The larger error counts.
    """
    with_reports = [pair for pair in pairs if pair.has_reports]
    with_errors = [pair for pair in pairs if not pair.has_reports]
    compared_by_reports = iter(_compare_reports(with_reports, family))
    compared_by_errors = iter(_compare_errors(with_errors, family, has_common_variance))
    comparisons = []
    for pair in pairs:
        if pair.has_reports:
            comparisons.append(next(compared_by_reports))
        else:
            comparisons.append(next(compared_by_errors))
    return comparisons


@dataclass(frozen=True)
class _Decisions:
    """Decisions about several pairs: arrays, or lists, with an element for each pair."""

    intervals: FloatArray
    intervals_alone: FloatArray
    p_values: FloatArray
    guards: FloatArray
    verdicts: Sequence[Verdict]
    methods: Sequence[str]

    def statements(self, pairs: Sequence[SidePair], family: Family) -> list[Comparison]:
        """Return the statements about the pairs."""
        intervals = self.intervals.tolist()
        intervals_alone = self.intervals_alone.tolist()
        p_values = self.p_values.tolist()
        guards = self.guards.tolist()
        comparisons = []
        for index, pair in enumerate(pairs):
            guard: float | None = guards[index]
            if math.isnan(guards[index]):
                guard = None
            comparison = Comparison(
                quantity=replace(pair.quantity, group=pair.first.name),
                n=pair.first.n,
                estimate=pair.difference,
                interval=tuple(intervals[index]),
                method=self.methods[index],
                family=family,
                versus=pair.second.name,
                versus_n=pair.second.n,
                standard_error=pair.standard_error,
                interval_alone=tuple(intervals_alone[index]),
                p=p_values[index],
                guard=guard,
                verdict=self.verdicts[index],
            )
            comparisons.append(comparison)
        return comparisons


def _compare_reports(pairs: Sequence[SidePair], family: Family) -> list[Comparison]:
    """Return the comparisons of shares by the score test, or by exact ends, with its guard."""
    if not pairs:
        return []
    differences = Differences(
        first=_joined_reports(pair.first for pair in pairs),
        second=_joined_reports(pair.second for pair in pairs),
        confidence=family.confidence,
        comparisons=family.size,
    )
    methods = np.where(differences.has_exact_ends, "newcombe", "score")
    verdicts: list[Any] = [verdict.replace(" ", "_") for verdict in differences.verdicts]
    decisions = _Decisions(
        intervals=differences.simultaneous_intervals,
        intervals_alone=differences.separate_intervals,
        p_values=differences.p_values,
        guards=differences.tails,
        verdicts=verdicts,
        methods=methods.tolist(),
    )
    return decisions.statements(pairs, family)


def _joined_reports(sides: Iterable[Side]) -> GroupReports:
    """Return the reports of all sides, each with an element in the arrays."""
    reports = [side.reports for side in sides if side.reports is not None]
    return GroupReports(
        n=np.concatenate([side.n for side in reports]),
        hits=np.concatenate([side.hits for side in reports]),
        slope=np.concatenate([side.slope for side in reports]),
        intercept=np.concatenate([side.intercept for side in reports]),
    )


def _compare_errors(
    pairs: Sequence[SidePair], family: Family, has_common_variance: bool
) -> list[Comparison]:
    """Return the comparisons with normal intervals."""
    if not pairs:
        return []
    values = np.array([pair.difference for pair in pairs])
    errors = np.array([_error(pair, has_common_variance) for pair in pairs])
    has_error = errors > 0
    z = np.divide(values, errors, out=np.zeros_like(values), where=has_error)

    quantile_alone = normal_quantile(family.confidence)
    quantile = normal_quantile(1 - family.alpha)
    directions = np.where(values > 0, "higher", "lower")
    verdicts = np.where(np.abs(z) > quantile, directions, "no_clear_difference")
    verdicts = np.where(has_error, verdicts, "too_few_answers")

    decisions = _Decisions(
        intervals=_around(values, quantile * errors),
        intervals_alone=_around(values, quantile_alone * errors),
        p_values=2 * ndtr(-np.abs(z)),
        guards=np.full(len(pairs), math.nan),
        verdicts=verdicts.tolist(),
        methods=["wald"] * len(pairs),
    )
    return decisions.statements(pairs, family)


def _around(values: FloatArray, margins: FloatArray) -> FloatArray:
    """Return the intervals from values minus margins to values plus margins, shape (m, 2)."""
    return np.stack([values - margins, values + margins], axis=1)


def _error(pair: SidePair, has_common_variance: bool) -> float:
    """Return the standard error of the difference of a pair that decides."""
    first, second = pair.first, pair.second
    if not has_common_variance:
        error = mean_error([1], [first.n], [first.variance], first.least_variance)
        second_error = mean_error([1], [second.n], [second.variance], second.least_variance)
        return math.hypot(error, second_error)
    return mean_error(
        [1, -1],
        [first.n, second.n],
        [first.variance, second.variance],
        [first.least_variance, second.least_variance],
    )
