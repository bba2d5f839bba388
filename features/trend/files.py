"""What leaves a trend: a line for each change, and a drawing of the changes."""

from features.trend.change import Change, Question
from features.trend.trend import Trend
from features.trend.wording import CAUSE, headline, summary
from surveys.results.report.figures import Words, stand_alone
from surveys.site.files.lines import write_csv
from surveys.site.number_format import format_count

TREND_COLUMNS = (
    "variable",
    "question",
    "answer",
    "earlier",
    "now",
    "n_earlier",
    "n_now",
    "estimate_earlier",
    "low_earlier",
    "high_earlier",
    "withheld_earlier",
    "estimate_now",
    "low_now",
    "high_now",
    "withheld_now",
    "difference",
    "low",
    "high",
    "confidence",
    "p",
    "p_together",
    "verdict",
)


def trend_csv(trend: Trend) -> str:
    """Return a trend as CSV, with a row for each change. The columns low and high hold for all changes together."""
    rows = []
    for question in trend.questions:
        for change in question.changes:
            rows.append(_csv_row(trend, question, change))
    return write_csv(TREND_COLUMNS, rows)


def _csv_row(trend: Trend, question: Question, change: Change) -> dict[str, object]:
    low_earlier, high_earlier = change.earlier.interval
    low_now, high_now = change.now.interval
    low, high = change.simultaneous
    return {
        "variable": question.name.key,
        "question": question.name.text,
        "answer": change.name.answer,
        "earlier": trend.earlier.slug,
        "now": trend.now.slug,
        "n_earlier": change.earlier.n,
        "n_now": change.now.n,
        "estimate_earlier": change.earlier.estimate,
        "low_earlier": low_earlier,
        "high_earlier": high_earlier,
        "withheld_earlier": change.earlier.withheld,
        "estimate_now": change.now.estimate,
        "low_now": low_now,
        "high_now": high_now,
        "withheld_now": change.now.withheld,
        "difference": change.difference,
        "low": low,
        "high": high,
        "confidence": change.confidence,
        "p": change.p,
        "p_together": change.p_together,
        "verdict": change.verdict,
    }


def trend_svg(trend: Trend) -> str:
    """An SVG file of all changes, a scale for each question."""
    figures = [
        figure for question in trend.questions for figure in (question.levels, question.differences)
    ]
    source = f"n = {format_count(trend.earlier.n)} and {format_count(trend.now.n)}. {CAUSE} Analysed with Candor."
    words = Words(
        f"{trend.earlier.title}, {trend.now.title}", headline(trend), summary(trend), source
    )
    return stand_alone(None, words, figures)
