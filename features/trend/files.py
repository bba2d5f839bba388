"""What leaves a trend: a line for each change, and a drawing of the changes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from features.trend.trend import Trend
from features.trend.wording import CAUSE, headline, summary
from surveys.results.report.figures import Words, stand_alone
from surveys.site.files.lines import Line
from surveys.site.number_format import count


@dataclass(frozen=True)
class TrendLine(Line):
    """A change. low and high hold for all changes together."""

    variable: str
    question: str
    answer: str
    earlier: str
    now: str
    n_earlier: int
    n_now: int
    estimate_earlier: float
    low_earlier: float
    high_earlier: float
    withheld_earlier: bool
    estimate_now: float
    low_now: float
    high_now: float
    withheld_now: bool
    difference: float
    low: float
    high: float
    confidence: float
    p: float
    p_together: float
    verdict: str

    @classmethod
    def lines(cls, trend: Trend) -> Iterator[Self]:
        for question in trend.questions:
            for change in question.changes:
                earlier, now = change.earlier, change.now
                yield cls(
                    *(question.name.key, question.name.text, change.name.answer, trend.earlier.slug, trend.now.slug),
                    *(earlier.n, now.n, earlier.estimate, *earlier.interval, earlier.withheld),
                    *(now.estimate, *now.interval, now.withheld, change.difference, *change.simultaneous),
                    *(change.confidence, change.p, change.p_together, change.verdict),
                )


def trend_svg(trend: Trend) -> str:
    """An SVG file of all changes, a scale for each question."""
    figures = [figure for question in trend.questions for figure in (question.levels, question.differences)]
    source = f"n = {count(trend.earlier.n)} and {count(trend.now.n)}. {CAUSE} Analysed with Candor."
    words = Words(f"{trend.earlier.title}, {trend.now.title}", headline(trend), summary(trend), source)
    return stand_alone(None, words, figures)
