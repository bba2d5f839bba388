"""Groups compared: a corrected share, or a mean, in each group, and which groups differ from all others.

The groups are those of surveys.results.report.groups, with its rules; here are the statements.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isnan

from mechanisms import Significance, Tally, equal_groups_test, equal_values_test
from mechanisms.designs.unary import identity_mechanism
from mechanisms.designs.wire import Cohorts
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis import selection
from surveys.results.analysis.effect_wording import ASSOCIATION, ASSOCIATIONS
from surveys.results.analysis.groups.differences import Difference, against_others, differences
from surveys.results.analysis.groups.values import Mean, Share, Value
from surveys.results.analysis.measures import Measure
from surveys.results.analysis.outcome import SurveyVariable as Outcome
from surveys.results.analysis.refusals import (
    TooFew,
    expected_share_answered,
    require_enough,
    subset_hint,
)
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import EVERYBODY
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, figure_of
from surveys.results.report.groups import GroupRow, SideBySide, groupable_questions, side_by_side
from surveys.site.errors import Invalid
from surveys.site.number_format import format_count, format_level


@dataclass(frozen=True)
class Comparison:
    """One answer, or the mean, in all groups that have enough reports. choice: None of a mean. test: whether all are
    one; None where there is no such test. differences: each group against all others; of two groups one against the
    other. What page, JSON and files show. comparisons: of the family that these are of: of the whole page, where the
    answer is on it, else these alone.
    """

    sides: SideBySide
    item: QuestionDefinition
    question: QuestionReport
    choice: int | None
    values: tuple[Value, ...]
    comparisons: int = 0
    differences: tuple[Difference, ...] = ()

    @property
    def own_comparisons(self) -> int:
        """Of this answer alone: of two groups one."""
        return 1 if len(self.values) == 2 else len(self.values)

    @property
    def headline(self) -> str:
        """What was compared, above table and figure."""
        of = (
            f"Mean of “{self.question.text}”"
            if self.is_mean
            else f"“{self.answer}” in “{self.question.text}”"
        )
        return f"{of}, by “{self.sides.by.full_text}”"

    @property
    def is_mean(self) -> bool:
        return self.choice is None

    @property
    def measure(self) -> Measure:
        return self.values[0].measure

    @property
    def answer(self) -> str:
        """What was compared: an answer's label, or the mean with its unit."""
        if self.is_mean:
            return f"mean ({self.item.unit})" if self.item.unit else "mean"
        return self.question.choices[self.choice].label

    @property
    def confidence(self) -> float:
        return self.question.confidence

    @property
    def n(self) -> int:
        return sum(value.n for value in self.values)

    @cached_property
    def test(self) -> Significance | None:
        """By the likelihood ratio; of means by Cochran's. See mechanisms.equal_groups_test and equal_values_test."""
        if self.is_mean:
            errors = [value.standard_error for value in self.values]
            return (
                equal_values_test([value.value for value in self.values], errors)
                if all(errors)
                else None
            )
        estimates = [value.estimate for value in self.values]
        if estimates[0].mechanism.line() is None:
            return None
        return equal_groups_test(
            [(estimate.mechanism, estimate.tally) for estimate in estimates], self.choice
        )

    @cached_property
    def pairs(self) -> tuple[Difference, ...]:
        """All pairs of groups, a family of their own."""
        return differences(list(combinations(self.values, 2)), self.confidence)

    @property
    def sentences(self) -> list[str]:
        """What is clear, the largest difference first; what is not; and what stands behind all of it."""
        clear = self.clear
        sentences = [each.sentence(self._what, self.confidence) for each in clear] + self.too_few
        if not clear and len(self.too_few) < len(self.differences):
            sentences.append(no_difference(self._what, [self]))
        cause = [ASSOCIATIONS if len(clear) > 1 else ASSOCIATION] if clear else []
        return [*sentences, *cause, family_in_words(self.confidence)]

    @property
    def clear(self) -> list[Difference]:
        """The largest first."""
        return sorted(
            (each for each in self.differences if each.clear),
            key=lambda each: -abs(each.difference),
        )

    @property
    def too_few(self) -> list[str]:
        """A sentence for each group of which nothing can be said."""
        few = [each.group for each in self.differences if each.verdict == "too_few_answers"]
        return [f"Too few answers for a statement about “{name}”." for name in few]

    @property
    def _what(self) -> str:
        return "Mean" if self.is_mean else f"“{self.answer}”"

    @property
    def methods(self) -> str:
        """For a paper."""
        if self.is_mean:
            return self._of_means
        common = (
            "" if self.test is None else " by the likelihood-ratio test of one common share, and"
        )
        return (
            f"Shares of “{self.answer}” ({self.question.key}) were compared between {len(self.values)} groups by "
            f"“{self.sides.by.full_text}” (n = {format_count(self.n)}){common} "
            f"{self._against} by score intervals (Mee 1984; "
            "Miettinen & Nurminen 1985), where reports are nearly certain by Newcombe’s (1998) from Clopper–Pearson "
            f"ends, at {format_level(self.confidence)} for all {self.family} together (Bonferroni). A difference was "
            "called clear only where an exact test agreed."
        )

    @property
    def family(self) -> str:
        """Which differences hold together."""
        more = self.comparisons > self.own_comparisons
        return (
            f"{format_count(self.comparisons)} differences of the page"
            if more
            else "these differences"
        )

    @property
    def _against(self) -> str:
        return (
            "one with the other"
            if len(self.values) == 2
            else "each with the pooled reports of all others"
        )

    @property
    def _of_means(self) -> str:
        who = (
            f", of those who gave a number instead of “{self.item.choices[-1]}”"
            if self.item.aside
            else ""
        )
        decoded = "" if self.item.mechanism is None else " of the decoded reports"
        return (
            f"Means{decoded} to “{self.question.text}” ({self.question.key}){who} were compared between "
            f"{len(self.values)} groups by “{self.sides.by.full_text}” (n = "
            f"{format_count(self.n)}) by Cochran’s (1954) test of "
            f"one common mean, and {self._against}. Intervals of differences are Wald’s, with the larger of the errors "
            f"with own and with common variances{self._least}, at "
            f"{format_level(self.confidence)} for all {self.family} "
            "together (Bonferroni)."
        )

    @property
    def _least(self) -> str:
        return "" if self.item.mechanism is None else ", each at least what the design allows"

    @cached_property
    def figure(self) -> Figure:
        """The groups in rows, each with its share or mean."""
        rows, ranges = (
            [value.row() for value in self.values],
            f"{format_level(self.confidence)} range",
        )
        if not self.is_mean:
            return figure_of(rows, ranges=ranges)
        first, last = float(self.item.answer_values[0]), float(self.item.answer_values[-1])
        return Figure(
            tuple(rows), numbers_axis(first, last), values=self.item.unit or "mean", ranges=ranges
        )


def no_difference(what: str, answers: Sequence[Comparison]) -> str:
    """How large differences of answers to one question can still be."""
    most = answers[0].measure.up_to(
        max(each.reach for answer in answers for each in answer.differences)
    )
    return f"{what}: no clear difference between the groups. Differences of up to {most} are still possible."


def family_in_words(confidence: float) -> str:
    times = f"{100 * (1 - confidence):.4g}"
    return f"Without any real difference, up to about {times} in 100 surveys would show one somewhere on this page."


def compare_by_address(
    seen: ReaderView,
    by: str,
    outcome: str,
    *,
    asked: IntervalOptions | None = None,
    group: Group = EVERYBODY,
) -> Comparison:
    """Return the comparison that an address names.

    An address names its sides by key and code: "region", "tax:1". Raises what `side_by_side`
    raises.
    """
    part = selection.outcome(seen, outcome)
    return compare_groups(side_by_side(seen, by, asked=asked, group=group), part.item, part.choice)


def compare_groups(sides: SideBySide, item: QuestionDefinition, choice: int | None) -> Comparison:
    """One answer to a question, or with choice None its mean, as the page of all questions has it. Invalid for the
    question that makes the groups; TooFew where fewer than two groups have MINIMUM reports to it, or all together too
    few for a statement.
    """
    if item.key == sides.by.key:
        raise Invalid(
            {"outcome": f"“{item.full_text}” already makes the groups. Choose another question."}
        )
    lot = sides.whole["n"], expected_share_answered(sides.frozen.draw, [Outcome(item, choice)])
    compared = compared_answer(sides, item, choice, sides.rows(item))
    if compared is None:
        why = f"Groups can be compared if at least {MINIMUM} people in each of two groups got this question."
        raise TooFew(why + subset_hint(*lot))
    require_enough(compared.n, *lot)
    page = _answers_of_page(sides)
    is_there = any(each.item.key == item.key for each in page)
    (answer,) = _with_differences([compared], page if is_there else [compared])
    return answer


def compared_answers(sides: SideBySide) -> list[Comparison]:
    """Each answer that the page of all questions has, of one family: of Yes/no only Yes, of numbers and scales the
    mean. Not of lists, text answers and RAPPOR, whose answers are told from 0 over everyone.
    """
    answers = _answers_of_page(sides)
    return _with_differences(answers, answers)


def _answers_of_page(sides: SideBySide) -> list[Comparison]:
    questions = [(item, rows) for item, rows in sides.questions if _is_compared(item)]
    every = [
        compared_answer(sides, item, choice, rows)
        for item, rows in questions
        for choice in _answers(item)
    ]
    return [each for each in every if each]


def _with_differences(
    answers: Sequence[Comparison], family: Sequence[Comparison]
) -> list[Comparison]:
    if not answers:
        return []
    comparisons = sum(each.own_comparisons for each in family)
    rows = against_others([each.values for each in answers], answers[0].confidence, comparisons)
    return [
        replace(each, comparisons=comparisons, differences=own)
        for each, own in zip(answers, rows, strict=True)
    ]


def _is_compared(item: QuestionDefinition) -> bool:
    return not (item.is_list or item.is_written or isinstance(item.report_format, Cohorts))


def _answers(item: QuestionDefinition) -> list[int | None]:
    if item.is_ordered:
        return [None]
    return [YES] if item.traits.has_yes else [*range(item.size)]


def compared_answer(
    sides: SideBySide, item: QuestionDefinition, choice: int | None, rows: Sequence[GroupRow]
) -> Comparison | None:
    """Without its differences. None where fewer than two groups have MINIMUM reports of it."""
    values = [
        value
        for row in rows
        if (value := _value(row, item, choice)).n >= MINIMUM and not isnan(value.value)
    ]
    return (
        Comparison(sides, item, rows[0].report, choice, tuple(values)) if len(values) > 1 else None
    )


def _value(row: GroupRow, item: QuestionDefinition, choice: int | None) -> Value:
    tally = Tally(row.report.n, unpack(row.tally["counts"][item.key]))
    mechanism = item.mechanism or identity_mechanism(item.size)
    estimate = mechanism.estimate(tally, row.report.confidence, row.report.interval_kind)
    return (Mean if choice is None else Share)(row.name, estimate, Outcome(item, choice))


def can_compare(seen: ReaderView) -> bool:
    return bool(groupable_questions(seen) and selection.scrambled_questions(seen))
