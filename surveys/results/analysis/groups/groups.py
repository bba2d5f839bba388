"""Groups that are compared: the share of an answer, or the mean, in each, and their differences.

The groups are those of `surveys.results.report.groups`, with its rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from mechanisms import Estimate, Significance, Tally, equal_groups_test, equal_values_test
from mechanisms.designs.unary import identity_mechanism
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis import selection
from surveys.results.analysis.groups.values import GroupEstimate, pooled_groups
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import (
    TooFew,
    expected_share_answered,
    require_enough,
    subset_hint,
)
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import EVERYBODY
from surveys.results.report.groups import SideBySide, groupable_questions, side_by_side
from surveys.site.errors import Invalid
from surveys.site.number_format import format_count, format_level
from surveys.statements.comparisons import (
    OTHERS,
    Comparison,
    SidePair,
    compare,
    difference_sentences,
    mean_difference,
    share_difference,
)
from surveys.statements.family import (
    LEAST_IN_GROUP,
    Family,
    compared_answers,
    comparisons_of_groups,
)
from surveys.statements.quantity import Quantity
from surveys.statements.sentences import ASSOCIATION_NOTE, ASSOCIATIONS_NOTE, false_differences


@dataclass(frozen=True)
class ComparedAnswer:
    """One answer, or the mean, in all groups that have enough reports.

    code: the code of the answer; None for the mean.
    groups: the groups, at least two.
    family: all comparisons that the differences are decided with.
    differences: each group compared with all others; of two groups, the first with the second.
    """

    sides: SideBySide
    item: QuestionDefinition
    question: QuestionReport
    code: int | None
    groups: tuple[GroupEstimate, ...]
    family: Family
    differences: tuple[Comparison, ...] = ()

    @property
    def is_mean(self) -> bool:
        """True if the mean is compared."""
        return self.code is None

    @property
    def compared(self) -> str:
        """The word for programs: "shares" or "means"."""
        return "means" if self.is_mean else "shares"

    @property
    def answer(self) -> str:
        """The label of the answer, or the word for the mean with its unit."""
        if self.code is not None:
            return self.question.choices[self.code].label
        return f"mean ({self.item.unit})" if self.item.unit else "mean"

    @property
    def headline(self) -> str:
        """The title above a table and a figure."""
        what = f"“{self.answer}” in “{self.question.text}”"
        if self.is_mean:
            what = f"Mean of “{self.question.text}”"
        return f"{what}, by “{self.sides.by.full_text}”"

    @property
    def quantity(self) -> Quantity:
        """The quantity that the differences are about."""
        among = getattr(self.item.condition_text, "among", "")
        if self.code is None:
            return mean_difference(self.item, self._name, among)
        return share_difference(self._name, among)

    @property
    def _name(self) -> str:
        """The name of the question, with the answer unless its other answers are not compared."""
        name = self.item.short or self.item.full_text
        if self.code is None or tuple(compared_answers(self.item)) == (self.code,):
            return name
        return f"{name}, “{self.answer}”"

    @property
    def confidence(self) -> float:
        """The confidence level of all comparisons of the family together."""
        return self.family.confidence

    @property
    def n(self) -> int:
        """The number of reports in all groups."""
        return sum(group.n for group in self.groups)

    @property
    def pairs_with_others(self) -> list[SidePair]:
        """The pairs of each group with the pooled reports of all others; of two groups one pair."""
        if len(self.groups) == 2:
            first, second = self.groups
            return [SidePair(self.quantity, first.side, second.side)]
        pairs = []
        for group in self.groups:
            other_groups = [other for other in self.groups if other is not group]
            others = pooled_groups(other_groups, OTHERS)
            pairs.append(SidePair(self.quantity, group.side, others.side))
        return pairs

    @cached_property
    def pairs(self) -> tuple[Comparison, ...]:
        """The comparisons of all pairs of groups, which are a family of their own."""
        pairs = [
            SidePair(self.quantity, first.side, second.side)
            for first, second in combinations(self.groups, 2)
        ]
        return tuple(compare(pairs, Family(size=len(pairs), confidence=self.confidence)))

    @cached_property
    def test(self) -> Significance | None:
        """The test of one common share (likelihood ratio) or mean (Cochran).

        None if there is no such test: for a share whose reports depend on other shares too, and
        for means that have no error.
        """
        if self.code is None:
            means = [group.mean for group in self.groups]
            errors = [mean.standard_error for mean in means]
            if not all(errors):
                return None
            return equal_values_test([mean.value for mean in means], errors)
        estimates = [group.estimate for group in self.groups]
        if estimates[0].mechanism.line() is None:
            return None
        tallies = [(estimate.mechanism, estimate.tally) for estimate in estimates]
        return equal_groups_test(tallies, self.code)

    @property
    def clear(self) -> list[Comparison]:
        """The clear differences."""
        return [difference for difference in self.differences if difference.is_clear]

    @property
    def sentences(self) -> list[str]:
        """The sentences about the differences, and what holds for all of them."""
        sentences = difference_sentences(self.differences, self.quantity.name)
        if len(self.clear) == 1:
            sentences.append(ASSOCIATION_NOTE)
        if len(self.clear) > 1:
            sentences.append(ASSOCIATIONS_NOTE)
        return [*sentences, false_differences(self.confidence)]

    @property
    def methods(self) -> str:
        """The methods of the comparison, for a paper."""
        if self.is_mean:
            return self._methods_of_mean
        test = ""
        if self.test is not None:
            test = " by the likelihood-ratio test of one common share, and"
        return (
            f"Shares of “{self.answer}” ({self.question.key}) were compared between "
            f"{len(self.groups)} groups by “{self.sides.by.full_text}” (n = "
            f"{format_count(self.n)}){test} {self._compared_with} by score intervals (Mee 1984; "
            "Miettinen & Nurminen 1985), where reports are nearly certain by Newcombe’s (1998) "
            f"from Clopper–Pearson ends, at {format_level(self.confidence)} for all "
            f"{self._family_in_words} together (Bonferroni). A difference was called clear only "
            "where an exact test agreed."
        )

    @property
    def _methods_of_mean(self) -> str:
        who = ""
        if self.item.aside:
            who = f", of those who gave a number instead of “{self.item.choices[-1]}”"
        is_scrambled = self.item.mechanism is not None
        decoded = " of the decoded reports" if is_scrambled else ""
        least = ", each at least what the design allows" if is_scrambled else ""
        return (
            f"Means{decoded} to “{self.question.text}” ({self.question.key}){who} were compared "
            f"between {len(self.groups)} groups by “{self.sides.by.full_text}” (n = "
            f"{format_count(self.n)}) by Cochran’s (1954) test of one common mean, and "
            f"{self._compared_with}. Intervals of differences are Wald’s, with the larger of the "
            f"errors with own and with common variances{least}, at "
            f"{format_level(self.confidence)} for all {self._family_in_words} together "
            "(Bonferroni)."
        )

    @property
    def _compared_with(self) -> str:
        if len(self.groups) == 2:
            return "one with the other"
        return "each with the pooled reports of all others"

    @property
    def _family_in_words(self) -> str:
        if self.family.size > len(self.differences):
            return f"{format_count(self.family.size)} differences of the page"
        return "these differences"


class EstimatedRow(NamedTuple):
    """A group of which enough people were asked a question.

    estimate: what the library estimated of all answers.
    """

    name: str
    report: QuestionReport
    estimate: Estimate


def can_compare(seen: ReaderView) -> bool:
    """Return whether a reader's survey has groups, and a scrambled question to compare."""
    return bool(groupable_questions(seen) and selection.scrambled_questions(seen))


def compare_by_address(
    seen: ReaderView,
    by: str,
    outcome: str,
    *,
    asked: IntervalOptions | None = None,
    group: Group = EVERYBODY,
) -> ComparedAnswer:
    """Return the comparison that an address names.

    by: the key of the question that makes the groups.
    outcome: a question and the code of its answer, "tax:1", or a number.

    Raises what `side_by_side` and `compare_groups` raise.
    """
    variable = selection.outcome(seen, outcome)
    sides = side_by_side(seen, by, asked=asked, group=group)
    return compare_groups(sides, variable.item, variable.choice)


def compare_groups(sides: SideBySide, item: QuestionDefinition, code: int | None) -> ComparedAnswer:
    """Return the comparison of one answer, decided as on the page of all questions.

    code: the code of the answer; None for the mean.

    Raises Invalid for the question that makes the groups, and TooFew if fewer than two groups have
    LEAST_IN_GROUP reports, or all together are too few for a statement.
    """
    if item.key == sides.by.key:
        problem = f"“{item.full_text}” already makes the groups. Choose another question."
        raise Invalid({"outcome": problem})
    people = sides.whole["n"]
    share_answered = expected_share_answered(sides.frozen.draw, [SurveyVariable(item, code)])

    family = page_family(sides)
    if not _is_on_page(sides, item):
        size = comparisons_of_groups(sides.row_sizes(item, code))
        family = Family(size=max(size, 1), confidence=sides.asked.confidence)

    rows = _estimated_rows(sides, item)
    answer = _compared_answer(sides, SurveyVariable(item, code), rows, family)
    if answer is None:
        problem = (
            f"Groups can be compared if at least {LEAST_IN_GROUP} people in each of two groups "
            "got this question."
        )
        raise TooFew(problem + subset_hint(people, share_answered))
    require_enough(answer.n, people, share_answered)
    (decided,) = _decide([answer], family)
    return decided


def compare_questions(
    sides: SideBySide, questions: Sequence[QuestionDefinition]
) -> list[ComparedAnswer]:
    """Return all answers to these questions that the page of a survey compares.

    They are decided in the family of the whole page, whichever questions are asked for.
    """
    family = page_family(sides)
    answers = []
    for question in questions:
        codes = compared_answers(question)
        rows = _estimated_rows(sides, question) if codes else []
        for code in codes:
            answer = _compared_answer(sides, SurveyVariable(question, code), rows, family)
            if answer is not None:
                answers.append(answer)
    return _decide(answers, family)


def page_family(sides: SideBySide) -> Family:
    """Return the family of all comparisons of the page, from the sizes of the groups alone."""
    sizes = {}
    for question in sides.frozen.items:
        for code in compared_answers(question):
            sizes[question.key, code] = sides.row_sizes(question, code)
    return Family.for_page(sides.frozen.items, sizes, sides.asked.confidence)


def _is_on_page(sides: SideBySide, item: QuestionDefinition) -> bool:
    """Return whether the page of all questions compares any answer to a question."""
    sizes = [sides.row_sizes(item, code) for code in compared_answers(item)]
    return any(comparisons_of_groups(sizes_of_answer) for sizes_of_answer in sizes)


def _decide(answers: Sequence[ComparedAnswer], family: Family) -> list[ComparedAnswer]:
    """Return the answers with their differences, all of which are decided at once."""
    pairs_by_answer = [answer.pairs_with_others for answer in answers]
    pairs = []
    for pairs_of_answer in pairs_by_answer:
        pairs.extend(pairs_of_answer)
    differences = iter(compare(pairs, family))

    decided = []
    for answer, pairs_of_answer in zip(answers, pairs_by_answer, strict=True):
        own_differences = tuple(next(differences) for _ in pairs_of_answer)
        decided.append(replace(answer, differences=own_differences))
    return decided


def _compared_answer(
    sides: SideBySide,
    variable: SurveyVariable,
    rows: Sequence[EstimatedRow],
    family: Family,
) -> ComparedAnswer | None:
    """Return an answer in all groups, without differences, or None if fewer than two are large.

    A group whose mean is unknown is left out.
    """
    groups = []
    for row in rows:
        group = GroupEstimate(name=row.name, variable=variable, estimate=row.estimate)
        if group.n >= LEAST_IN_GROUP and group.is_known:
            groups.append(group)
    if len(groups) < 2:
        return None
    return ComparedAnswer(
        sides=sides,
        item=variable.item,
        question=rows[0].report,
        code=variable.choice,
        groups=tuple(groups),
        family=family,
    )


def _estimated_rows(sides: SideBySide, question: QuestionDefinition) -> list[EstimatedRow]:
    """Return the rows of a question with their estimates, which all of its answers share."""
    mechanism = question.mechanism or identity_mechanism(question.size)
    rows = []
    for row in sides.rows(question):
        report = row.report
        tally = Tally(report.n, unpack(row.tally["counts"][question.key]))
        estimate = mechanism.estimate(tally, report.confidence, report.interval_kind)
        rows.append(EstimatedRow(name=row.name, report=report, estimate=estimate))
    return rows
