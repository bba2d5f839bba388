"""Results for programs of groups side by side, and compared.

Shares are fractions, and means are in the unit of their numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from mechanisms import Significance, benjamini_hochberg, holm
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.groups import ComparedAnswer
from surveys.results.analysis.groups.page import ComparedQuestion, GroupsPage
from surveys.results.analysis.groups.values import GroupEstimate
from surveys.results.report.groups import SideBySide
from surveys.results.report.shape import QuestionReportResult
from surveys.site.shape import ApiResult, api_field
from surveys.statements.comparisons import Comparison, Verdict
from surveys.statements.results import StatementFields, statement_fields


@dataclass(frozen=True)
class SignificanceResult(ApiResult):
    statistic: float = api_field()
    degrees: int = api_field()
    p_value: float = api_field()

    @classmethod
    def from_test(cls, test: Significance | None) -> Self | None:
        """Return a test for programs, or None if there is none."""
        if test is None:
            return None
        return cls(statistic=test.statistic, degrees=test.degrees, p_value=test.p_value)


@dataclass(frozen=True)
class Outcome(ApiResult):
    key: str = api_field()
    choice: int | None = api_field("null where the mean is compared")
    label: str = api_field()


@dataclass(frozen=True, kw_only=True)
class DifferenceResult(StatementFields):
    """A group's share or mean minus that of another, or of all others together."""

    group: str = api_field("the first group")
    versus: str = api_field("the second, or all other groups")
    n: int = api_field("number of reports of the first group")
    difference: float = api_field("of the shares or means, the first minus the second")
    standard_error: float = api_field()
    interval: Interval = api_field("for this difference alone")
    simultaneous: Interval = api_field("for all differences together; decides the verdict")
    p: float = api_field("for this difference alone")
    p_together: float = api_field("for all differences together (Bonferroni)")
    p_holm: float = api_field("adjusted by Holm; decides nothing")
    p_bh: float = api_field("adjusted by Benjamini and Hochberg; decides nothing")
    clear: bool = api_field("whether the page names the higher one")
    verdict: Verdict = api_field()

    @classmethod
    def list_from(cls, comparisons: Sequence[Comparison]) -> tuple[Self, ...]:
        """Return differences for programs, whose adjusted p-values are of these differences."""
        p_values = [comparison.p for comparison in comparisons]
        adjusted = zip(
            comparisons, holm(p_values).tolist(), benjamini_hochberg(p_values).tolist(), strict=True
        )
        results = []
        for comparison, p_holm, p_bh in adjusted:
            result = cls.from_object(
                comparison,
                difference=comparison.estimate,
                interval=comparison.interval_alone,
                simultaneous=comparison.interval,
                p_holm=p_holm,
                p_bh=p_bh,
                clear=comparison.is_clear,
                **statement_fields(comparison),
            )
            results.append(result)
        return tuple(results)


@dataclass(frozen=True, kw_only=True)
class Pair(StatementFields):
    first: str = api_field()
    second: str = api_field()
    difference: float = api_field("of the shares or means, the first minus the second")
    standard_error: float = api_field()
    interval: Interval = api_field("for all pairs together")
    p: float = api_field("for this pair alone")
    p_holm: float = api_field("adjusted for all pairs: family-wise, Holm")
    p_bh: float = api_field("adjusted for all pairs: false discovery rate, Benjamini and Hochberg")
    p_together: float = api_field("for all pairs together (Bonferroni)")
    clear: bool = api_field("whether the page names the higher one")
    verdict: Verdict = api_field()

    @classmethod
    def list_from(cls, comparisons: Sequence[Comparison]) -> tuple[Self, ...]:
        """Return all pairs of groups for programs."""
        results = []
        for difference in DifferenceResult.list_from(comparisons):
            result = cls.from_object(
                difference,
                first=difference.group,
                second=difference.versus,
                interval=difference.simultaneous,
            )
            results.append(result)
        return tuple(results)


@dataclass(frozen=True, kw_only=True)
class GroupValue(StatementFields):
    """A group with enough people who got the question."""

    group: str = api_field()
    n: int = api_field("number of reports about it")
    estimate: float = api_field("a share, or a mean in the unit of its numbers")
    interval: Interval = api_field("for this group alone")
    withheld: bool = api_field("whether its range is too wide to show a number")

    @classmethod
    def from_group(cls, group: GroupEstimate) -> Self:
        """Return a group for programs."""
        statement = group.statement
        return cls.from_object(
            statement,
            group=group.name,
            withheld=statement.is_withheld,
            **statement_fields(statement),
        )


@dataclass(frozen=True)
class ComparedAnswerResult(ApiResult):
    """One answer, or a mean, in all groups."""

    choice: int | None = api_field("null where the mean is compared")
    label: str = api_field()
    groups: tuple[GroupValue, ...] = api_field()
    differences: tuple[DifferenceResult, ...] = api_field(
        "each group against the pooled reports of all others; with two groups, one against the other"
    )

    @classmethod
    def from_answer(cls, answer: ComparedAnswer) -> Self:
        """Return an answer for programs."""
        return cls(
            choice=answer.code,
            label=answer.answer,
            groups=tuple(GroupValue.from_group(group) for group in answer.groups),
            differences=DifferenceResult.list_from(answer.differences),
        )


@dataclass(frozen=True)
class ComparedQuestionResult(ApiResult):
    """A question as the page shows it: for Yes/no only Yes, for numbers and scales the mean."""

    key: str = api_field()
    short: str = api_field("its name in titles")
    text: str = api_field()
    clear: bool = api_field("whether the page calls some group higher or lower")
    sentence: str = api_field("as the page says it")
    answers: tuple[ComparedAnswerResult, ...] = api_field()

    @classmethod
    def from_question(cls, question: ComparedQuestion) -> Self:
        """Return a question for programs."""
        return cls(
            key=question.key,
            short=question.name,
            text=question.item.full_text,
            clear=question.is_clear,
            sentence=" ".join(question.sentences),
            answers=tuple(ComparedAnswerResult.from_answer(answer) for answer in question.answers),
        )


@dataclass(frozen=True)
class ComparedResult(AnalysisResult):
    outcome: Outcome | None = api_field("null where every question is compared")
    compared: Literal["shares", "means", "questions"] = api_field(
        "what is compared: the shares or means of an outcome, where means have the unit of the numbers; else questions",
        name="of",
    )
    n: int = api_field()
    test: SignificanceResult | None = api_field(
        "of one common share (likelihood ratio) or mean (Cochran)"
    )
    differences: tuple[DifferenceResult, ...] = api_field(
        "for the outcome: each group against the pooled reports of all others; with two groups, one against the other"
    )
    pairs: tuple[Pair, ...] = api_field("for the outcome: a separate family of comparisons")
    sentence: str = api_field("as the page says it")
    methods: str = api_field("for a paper")
    references: tuple[str, ...] = api_field("the literature of the methods")
    comparisons: int = api_field(
        "size of the family for `simultaneous` and `p_together`: all differences on the page"
    )
    questions: tuple[ComparedQuestionResult, ...] = api_field(
        "every question on the page; empty with an outcome"
    )
    note: str = api_field("who is in no group")
    items: tuple[QuestionDefinition, ...] = api_field(sent=False)

    @classmethod
    def from_result(cls, result: ComparedAnswer | GroupsPage) -> Self:
        """Return the comparison of one answer, or of a page, for programs."""
        if isinstance(result, GroupsPage):
            return cls._from_page(result)
        return cls.from_object(
            result,
            outcome=Outcome(key=result.question.key, choice=result.code, label=result.answer),
            test=SignificanceResult.from_test(result.test),
            differences=DifferenceResult.list_from(result.differences),
            pairs=Pair.list_from(result.pairs),
            sentence=" ".join(result.sentences),
            references=references(result.methods, [result.item]),
            comparisons=result.family.size,
            questions=(),
            note=result.sides.note,
            items=(result.item,),
        )

    @classmethod
    def _from_page(cls, page: GroupsPage) -> Self:
        items = [question.item for question in page.questions]
        questions = [ComparedQuestionResult.from_question(question) for question in page.questions]
        sentences = [question.sentence for question in questions]
        return cls.from_object(
            page,
            outcome=None,
            compared="questions",
            test=None,
            differences=(),
            pairs=(),
            sentence=" ".join([*sentences, page.foot]),
            references=references(page.methods, items),
            questions=tuple(questions),
            items=tuple(items),
        )


@dataclass(frozen=True)
class GroupResult(ApiResult):
    labels: tuple[str, ...] = api_field("more than one where small groups are merged")
    n: int = api_field()
    questions: tuple[QuestionReportResult, ...] = api_field(
        "scrambled questions for which the same answers make a group"
    )

    @classmethod
    def from_group(cls, labels: tuple[str, ...], n: int, sides: SideBySide) -> Self:
        """Return a group for programs."""
        questions = []
        for _, rows in sides.questions:
            for row in rows:
                if row.labels == labels:
                    questions.append(QuestionReportResult.tell(row.report))
        return cls(labels=labels, n=n, questions=tuple(questions))


@dataclass(frozen=True)
class Groups(ApiResult):
    survey: str = api_field()
    instrument: str = api_field()
    by: str = api_field("the background question")
    left_out: int | None = api_field("always null: how many are in no group stays hidden")
    note: str = api_field("who is in no group")
    confidence: float = api_field()
    groups: tuple[GroupResult, ...] = api_field()
    comparison: ComparedResult | None = api_field(
        "for the outcome; null without one: every question is in report/compare/"
    )

    @classmethod
    def from_sides(cls, sides: SideBySide, comparison: ComparedResult | None = None) -> Self:
        """Return groups side by side for programs.

        comparison: that of one answer, if it was asked for.
        """
        groups = [GroupResult.from_group(labels, n, sides) for labels, n in sides.groups]
        return cls(
            survey=sides.frozen.survey,
            instrument=sides.frozen.sha256,
            by=sides.by.key,
            left_out=None,
            note=sides.note,
            confidence=sides.asked.confidence,
            groups=tuple(groups),
            comparison=comparison,
        )
