"""Results for programs of a trend. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from datetime import date
from typing import Self

from features.trend.change import AnswerChange, ChangedQuestion
from features.trend.trend import Trend
from surveys.site.shape import ApiResult, api_field
from surveys.statements.changes import ChangeVerdict
from surveys.statements.comparisons import Interval
from surveys.statements.results import StatementFields, statement_fields
from surveys.statements.statement import Statement


@dataclass(frozen=True)
class TrendSurvey(ApiResult):
    slug: str = api_field()
    title: str = api_field()
    version: str = api_field("its day in words")
    published: date = api_field("the day on which it was published")
    n: int = api_field("responses in its report")


@dataclass(frozen=True, kw_only=True)
class TrendValue(StatementFields):
    slug: str = api_field("the version")
    n: int = api_field("number of reports about this answer")
    estimate: float = api_field("a share, or a mean")
    interval: Interval = api_field("of this version alone")
    withheld: bool = api_field(
        "whether the interval is too wide for a number; pages show only the interval"
    )

    @classmethod
    def from_statement(cls, statement: Statement, slug: str) -> Self:
        """Return the share or mean of a version for programs."""
        return cls.from_object(
            statement, slug=slug, withheld=statement.is_withheld, **statement_fields(statement)
        )


@dataclass(frozen=True, kw_only=True)
class TrendAnswer(StatementFields):
    label: str = api_field("the answer; for a mean the short name")
    values: tuple[TrendValue, ...] = api_field("of the earlier version, then of this one")
    difference: float = api_field("this version minus the earlier one")
    interval: Interval = api_field("for this change alone")
    simultaneous: Interval = api_field("for all changes together; decides the verdict")
    p: float = api_field("for this change alone")
    p_together: float = api_field("for all changes together (Bonferroni)")
    clear: bool = api_field("whether the page says that it went up or down")
    verdict: ChangeVerdict = api_field()
    sentence: str = api_field()

    @classmethod
    def from_change(cls, answer: AnswerChange, trend: Trend) -> Self:
        """Return the change of an answer for programs."""
        comparison = answer.comparison
        values = (
            TrendValue.from_statement(answer.earlier.statement, trend.earlier.slug),
            TrendValue.from_statement(answer.now.statement, trend.now.slug),
        )
        return cls(
            label=answer.now.name,
            values=values,
            difference=comparison.estimate,
            interval=comparison.interval_alone,
            simultaneous=comparison.interval,
            p=comparison.p,
            p_together=comparison.p_together,
            clear=comparison.is_clear,
            verdict=answer.change.verdict,
            sentence=answer.sentence,
            **statement_fields(comparison),
        )


@dataclass(frozen=True)
class TrendQuestion(ApiResult):
    key: str = api_field()
    text: str = api_field()
    kind: str = api_field()
    answers: tuple[TrendAnswer, ...] = api_field(
        "for yes/no only the share of Yes; for a mean one change"
    )

    @classmethod
    def from_question(cls, question: ChangedQuestion, trend: Trend) -> Self:
        """Return the changes of a question for programs."""
        answers = [TrendAnswer.from_change(change, trend) for change in question.changes]
        return cls(
            key=question.name.key,
            text=question.name.text,
            kind=question.kind,
            answers=tuple(answers),
        )


@dataclass(frozen=True)
class TrendLeftOut(ApiResult):
    key: str = api_field()
    why: str = api_field()


@dataclass(frozen=True)
class TrendResult(ApiResult):
    """How answers changed since an earlier version. All changes are one family of comparisons."""

    surveys: tuple[TrendSurvey, ...] = api_field("the earlier version, then this one")
    confidence: float = api_field()
    comparisons: int = api_field("number of changes that hold together")
    questions: tuple[TrendQuestion, ...] = api_field("those with a clear change first")
    left_out: tuple[TrendLeftOut, ...] = api_field("questions that are not compared")

    @classmethod
    def from_trend(cls, trend: Trend) -> Self:
        """Return a trend for programs."""
        surveys = []
        for version in trend.versions:
            surveys.append(TrendSurvey.from_object(version, version=version.since))
        questions = [TrendQuestion.from_question(question, trend) for question in trend.questions]
        left_out = []
        for question in trend.left_out:
            left_out.append(TrendLeftOut(key=question.name.key, why=question.sentence))
        return cls.from_object(
            trend,
            surveys=tuple(surveys),
            questions=tuple(questions),
            left_out=tuple(left_out),
        )
