"""What programs are told of a trend. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from datetime import date
from typing import Self

from features.trend.change import Change, Level, Question, Verdict
from features.trend.trend import Trend
from surveys.results.analysis.measures import Interval
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class TrendSurvey(Result):
    slug: str = of()
    title: str = of()
    version: str = of("its day in words")
    published: date = of("the day on which it was published")
    n: int = of("responses in its report")


@dataclass(frozen=True)
class TrendValue(Result):
    slug: str = of("the version")
    n: int = of("number of reports about this answer")
    estimate: float = of("a share, or a mean")
    interval: Interval = of("of this version alone")
    withheld: bool = of(
        "whether the interval is too wide for a number; pages show only the interval"
    )

    @classmethod
    def tell(cls, slug: str, level: Level) -> Self:
        return cls.like(level, slug=slug)


@dataclass(frozen=True)
class TrendAnswer(Result):
    label: str = of("the answer; for a mean the short name")
    values: tuple[TrendValue, ...] = of("of the earlier version, then of this one")
    difference: float = of("this version minus the earlier one")
    interval: Interval = of("for this change alone")
    simultaneous: Interval = of("for all changes together; decides the verdict")
    p: float = of("for this change alone")
    p_together: float = of("for all changes together (Bonferroni)")
    clear: bool = of("whether the page says that it went up or down")
    verdict: Verdict = of()
    sentence: str = of()

    @classmethod
    def tell(cls, change: Change, slugs: tuple[str, str]) -> Self:
        levels = zip(slugs, (change.earlier, change.now), strict=True)
        values = tuple(TrendValue.tell(slug, level) for slug, level in levels)
        return cls.like(change, label=change.values[0].name, values=values)


@dataclass(frozen=True)
class TrendQuestion(Result):
    key: str = of()
    text: str = of()
    kind: str = of()
    answers: tuple[TrendAnswer, ...] = of("for yes/no only the share of Yes; for a mean one change")

    @classmethod
    def tell(cls, question: Question, slugs: tuple[str, str]) -> Self:
        answers = tuple(TrendAnswer.tell(change, slugs) for change in question.changes)
        return cls(question.name.key, question.name.text, question.kind, answers)


@dataclass(frozen=True)
class TrendLeftOut(Result):
    key: str = of()
    why: str = of()


@dataclass(frozen=True)
class TrendResult(Result):
    """How answers changed since an earlier version. All changes are one family of comparisons."""

    surveys: tuple[TrendSurvey, ...] = of("the earlier version, then this one")
    confidence: float = of()
    comparisons: int = of("number of changes that hold together")
    questions: tuple[TrendQuestion, ...] = of("those with a clear change first")
    left_out: tuple[TrendLeftOut, ...] = of("questions that are not compared")

    @classmethod
    def tell(cls, trend: Trend) -> Self:
        slugs = trend.earlier.slug, trend.now.slug
        return cls.like(
            trend,
            surveys=tuple(TrendSurvey.like(each, version=each.since) for each in trend.versions),
            questions=tuple(TrendQuestion.tell(question, slugs) for question in trend.questions),
            left_out=tuple(TrendLeftOut(each.name.key, each.sentence) for each in trend.left_out),
        )
