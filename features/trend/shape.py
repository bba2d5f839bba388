"""What programs are told of a trend. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from datetime import date
from typing import Self

from features.trend.change import Change, Level, Question, Verdict
from features.trend.trend import Trend
from surveys.results.analysis.measures import Interval
from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class TrendSurvey(ApiResult):
    slug: str = api_field()
    title: str = api_field()
    version: str = api_field("its day in words")
    published: date = api_field("the day on which it was published")
    n: int = api_field("responses in its report")


@dataclass(frozen=True)
class TrendValue(ApiResult):
    slug: str = api_field("the version")
    n: int = api_field("number of reports about this answer")
    estimate: float = api_field("a share, or a mean")
    interval: Interval = api_field("of this version alone")
    withheld: bool = api_field(
        "whether the interval is too wide for a number; pages show only the interval"
    )

    @classmethod
    def tell(cls, slug: str, level: Level) -> Self:
        return cls.from_object(level, slug=slug)


@dataclass(frozen=True)
class TrendAnswer(ApiResult):
    label: str = api_field("the answer; for a mean the short name")
    values: tuple[TrendValue, ...] = api_field("of the earlier version, then of this one")
    difference: float = api_field("this version minus the earlier one")
    interval: Interval = api_field("for this change alone")
    simultaneous: Interval = api_field("for all changes together; decides the verdict")
    p: float = api_field("for this change alone")
    p_together: float = api_field("for all changes together (Bonferroni)")
    clear: bool = api_field("whether the page says that it went up or down")
    verdict: Verdict = api_field()
    sentence: str = api_field()

    @classmethod
    def tell(cls, change: Change, slugs: tuple[str, str]) -> Self:
        levels = zip(slugs, (change.earlier, change.now), strict=True)
        values = tuple(TrendValue.tell(slug, level) for slug, level in levels)
        return cls.from_object(change, label=change.values[0].name, values=values)


@dataclass(frozen=True)
class TrendQuestion(ApiResult):
    key: str = api_field()
    text: str = api_field()
    kind: str = api_field()
    answers: tuple[TrendAnswer, ...] = api_field(
        "for yes/no only the share of Yes; for a mean one change"
    )

    @classmethod
    def tell(cls, question: Question, slugs: tuple[str, str]) -> Self:
        answers = tuple(TrendAnswer.tell(change, slugs) for change in question.changes)
        return cls(question.name.key, question.name.text, question.kind, answers)


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
    def tell(cls, trend: Trend) -> Self:
        slugs = trend.earlier.slug, trend.now.slug
        return cls.from_object(
            trend,
            surveys=tuple(
                TrendSurvey.from_object(each, version=each.since) for each in trend.versions
            ),
            questions=tuple(TrendQuestion.tell(question, slugs) for question in trend.questions),
            left_out=tuple(TrendLeftOut(each.name.key, each.sentence) for each in trend.left_out),
        )
