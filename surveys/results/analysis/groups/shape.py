"""What programs are told of groups side by side, and compared. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from typing import Literal, Self

from mechanisms import Significance
from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.differences import Difference, Verdict
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.groups.page import ComparedQuestion, GroupsPage
from surveys.results.analysis.groups.values import Value
from surveys.results.report.groups import SideBySide
from surveys.results.report.shape import QuestionReportResult
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class SignificanceResult(Result):
    statistic: float = of()
    degrees: int = of()
    p_value: float = of()

    @classmethod
    def tell(cls, test: Significance | None) -> Self | None:
        return cls(*test) if test else None


@dataclass(frozen=True)
class Outcome(Result):
    key: str = of()
    choice: int | None = of("null where the mean is compared")
    label: str = of()


@dataclass(frozen=True)
class Pair(Result):
    first: str = of()
    second: str = of()
    difference: float = of("of the shares or means, the first minus the second")
    standard_error: float = of()
    interval: Interval = of("for all pairs together")
    p: float = of("for this pair alone")
    p_holm: float = of("adjusted for all pairs: family-wise, Holm")
    p_bh: float = of("adjusted for all pairs: false discovery rate, Benjamini and Hochberg")
    p_together: float = of("for all pairs together (Bonferroni)")
    clear: bool = of("whether the page names the higher one")
    verdict: Verdict = of()

    @classmethod
    def tell(cls, pair: Difference) -> Self:
        return cls.like(pair, first=pair.group, second=pair.versus, interval=pair.simultaneous)


@dataclass(frozen=True)
class GroupValue(Result):
    """A group with enough people who got the question."""

    group: str = of()
    n: int = of("number of reports about it")
    estimate: float = of("a share, or a mean in the unit of its numbers")
    interval: Interval = of("for this group alone")
    withheld: bool = of("whether its range is too wide to show a number")

    @classmethod
    def tell(cls, value: Value) -> Self:
        return cls(value.name, value.n, value.value, value.interval, value.is_withheld)


@dataclass(frozen=True)
class ComparedAnswer(Result):
    """One answer, or a mean, in all groups."""

    choice: int | None = of("null where the mean is compared")
    label: str = of()
    groups: tuple[GroupValue, ...] = of()
    differences: tuple[Difference, ...] = of(
        "each group against the pooled reports of all others; with two groups, one against the other"
    )

    @classmethod
    def tell(cls, answer: Compared) -> Self:
        return cls(
            answer.choice,
            answer.answer,
            tuple(map(GroupValue.tell, answer.values)),
            answer.differences,
        )


@dataclass(frozen=True)
class ComparedQuestionResult(Result):
    """A question as the page shows it: for Yes/no only Yes, for numbers and scales the mean."""

    key: str = of()
    short: str = of("its name in titles")
    text: str = of()
    clear: bool = of("whether the page calls some group higher or lower")
    sentence: str = of("as the page says it")
    answers: tuple[ComparedAnswer, ...] = of()

    @classmethod
    def tell(cls, question: ComparedQuestion) -> Self:
        about = (
            question.key,
            question.name,
            question.item.whole,
            question.is_clear,
            " ".join(question.sentences),
        )
        return cls(*about, tuple(map(ComparedAnswer.tell, question.answers)))


@dataclass(frozen=True)
class ComparedResult(AnalysisResult):
    outcome: Outcome | None = of("null where every question is compared")
    compared: Literal["shares", "means", "questions"] = of(
        "what is compared: the shares or means of an outcome, where means have the unit of the numbers; else questions",
        name="of",
    )
    n: int = of()
    test: SignificanceResult | None = of("of one common share (likelihood ratio) or mean (Cochran)")
    differences: tuple[Difference, ...] = of(
        "for the outcome: each group against the pooled reports of all others; with two groups, one against the other"
    )
    pairs: tuple[Pair, ...] = of("for the outcome: a separate family of comparisons")
    sentence: str = of("as the page says it")
    methods: str = of("for a paper")
    references: tuple[str, ...] = of("the literature of the methods")
    comparisons: int = of(
        "size of the family for `simultaneous` and `p_together`: all differences on the page"
    )
    questions: tuple[ComparedQuestionResult, ...] = of(
        "every question on the page; empty with an outcome"
    )
    note: str = of("who is in no group")
    items: tuple[FrozenQuestion, ...] = of(sent=False)

    @classmethod
    def tell(cls, result: Compared | GroupsPage) -> Self:
        if isinstance(result, GroupsPage):
            return cls._of_page(result)
        return cls.like(
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
class GroupResult(Result):
    labels: tuple[str, ...] = of("more than one where small groups are merged")
    n: int = of()
    questions: tuple[QuestionReportResult, ...] = of(
        "scrambled questions for which the same answers make a group"
    )

    @classmethod
    def tell(cls, labels: tuple[str, ...], n: int, sides: SideBySide) -> Self:
        rows = (row for _, rows in sides.questions for row in rows if row.labels == labels)
        return cls(labels, n, tuple(QuestionReportResult.tell(row.report) for row in rows))


@dataclass(frozen=True)
class Groups(Result):
    survey: str = of()
    instrument: str = of()
    by: str = of("the background question")
    left_out: int | None = of("always null: how many are in no group stays hidden")
    note: str = of("who is in no group")
    confidence: float = of()
    groups: tuple[GroupResult, ...] = of()
    comparison: ComparedResult | None = of(
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
