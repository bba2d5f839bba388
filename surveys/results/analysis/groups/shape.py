"""What programs are told of groups side by side, and compared. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from typing import Literal, Self

from mechanisms import Significance
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.differences import Difference, Verdict
from surveys.results.analysis.groups.groups import Comparison
from surveys.results.analysis.groups.page import ComparedQuestion, GroupsPage
from surveys.results.analysis.groups.values import Value
from surveys.results.report.groups import SideBySide
from surveys.results.report.shape import QuestionReportResult
from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class SignificanceResult(ApiResult):
    statistic: float = api_field()
    degrees: int = api_field()
    p_value: float = api_field()

    @classmethod
    def tell(cls, test: Significance | None) -> Self | None:
        return cls(*test) if test else None


@dataclass(frozen=True)
class Outcome(ApiResult):
    key: str = api_field()
    choice: int | None = api_field("null where the mean is compared")
    label: str = api_field()


@dataclass(frozen=True)
class Pair(ApiResult):
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
    def tell(cls, pair: Difference) -> Self:
        return cls.from_object(
            pair, first=pair.group, second=pair.versus, interval=pair.simultaneous
        )


@dataclass(frozen=True)
class GroupValue(ApiResult):
    """A group with enough people who got the question."""

    group: str = api_field()
    n: int = api_field("number of reports about it")
    estimate: float = api_field("a share, or a mean in the unit of its numbers")
    interval: Interval = api_field("for this group alone")
    withheld: bool = api_field("whether its range is too wide to show a number")

    @classmethod
    def tell(cls, value: Value) -> Self:
        return cls(value.name, value.n, value.value, value.interval, value.is_withheld)


@dataclass(frozen=True)
class ComparedAnswer(ApiResult):
    """One answer, or a mean, in all groups."""

    choice: int | None = api_field("null where the mean is compared")
    label: str = api_field()
    groups: tuple[GroupValue, ...] = api_field()
    differences: tuple[Difference, ...] = api_field(
        "each group against the pooled reports of all others; with two groups, one against the other"
    )

    @classmethod
    def tell(cls, answer: Comparison) -> Self:
        return cls(
            answer.choice,
            answer.answer,
            tuple(map(GroupValue.tell, answer.values)),
            answer.differences,
        )


@dataclass(frozen=True)
class ComparedQuestionResult(ApiResult):
    """A question as the page shows it: for Yes/no only Yes, for numbers and scales the mean."""

    key: str = api_field()
    short: str = api_field("its name in titles")
    text: str = api_field()
    clear: bool = api_field("whether the page calls some group higher or lower")
    sentence: str = api_field("as the page says it")
    answers: tuple[ComparedAnswer, ...] = api_field()

    @classmethod
    def tell(cls, question: ComparedQuestion) -> Self:
        about = (
            question.key,
            question.name,
            question.item.full_text,
            question.is_clear,
            " ".join(question.sentences),
        )
        return cls(*about, tuple(map(ComparedAnswer.tell, question.answers)))


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
    differences: tuple[Difference, ...] = api_field(
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
    def from_result(cls, result: Comparison | GroupsPage) -> Self:
        if isinstance(result, GroupsPage):
            return cls._of_page(result)
        return cls.from_object(
            result,
            outcome=Outcome(result.question.key, result.choice, result.answer),
            compared=result.measure.of,
            test=SignificanceResult.tell(result.test),
            pairs=tuple(map(Pair.tell, result.pairs)),
            sentence=" ".join(result.sentences),
            references=references(result.methods, [result.item]),
            comparisons=result.comparisons,
            questions=(),
            note=result.sides.note,
            items=(result.item,),
        )

    @classmethod
    def _of_page(cls, page: GroupsPage) -> Self:
        items = [question.item for question in page.questions]
        sentences = [sentence for question in page.questions for sentence in question.sentences]
        return cls(
            *(
                None,
                "questions",
                page.n,
                None,
                (),
                (),
                " ".join([*sentences, page.foot]),
                page.methods,
            ),
            *(references(page.methods, items), page.comparisons),
            *(tuple(map(ComparedQuestionResult.tell, page.questions)), page.note, tuple(items)),
        )


@dataclass(frozen=True)
class GroupResult(ApiResult):
    labels: tuple[str, ...] = api_field("more than one where small groups are merged")
    n: int = api_field()
    questions: tuple[QuestionReportResult, ...] = api_field(
        "scrambled questions for which the same answers make a group"
    )

    @classmethod
    def tell(cls, labels: tuple[str, ...], n: int, sides: SideBySide) -> Self:
        rows = (row for _, rows in sides.questions for row in rows if row.labels == labels)
        return cls(labels, n, tuple(QuestionReportResult.tell(row.report) for row in rows))


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
    def tell(cls, sides: SideBySide, comparison: ComparedResult | None = None) -> Self:
        about = (
            sides.frozen.survey,
            sides.frozen.sha256,
            sides.by.key,
            None,
            sides.note,
            sides.asked.confidence,
        )
        groups = (GroupResult.tell(labels, n, sides) for labels, n in sides.groups)
        return cls(*about, tuple(groups), comparison)
