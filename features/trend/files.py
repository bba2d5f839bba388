"""The files of a trend: a row for each change, and a drawing of the changes."""

from features.trend.change import AnswerChange, ChangedQuestion
from features.trend.trend import CAUSE, Trend
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


def _csv_row(trend: Trend, question: ChangedQuestion, change: AnswerChange) -> dict[str, object]:
    earlier, now = change.earlier.statement, change.now.statement
    comparison = change.comparison
    low_earlier, high_earlier = earlier.interval
    low_now, high_now = now.interval
    low, high = comparison.interval
    return {
        "variable": question.name.key,
        "question": question.name.text,
        "answer": change.name.answer,
        "earlier": trend.earlier.slug,
        "now": trend.now.slug,
        "n_earlier": earlier.n,
        "n_now": now.n,
        "estimate_earlier": earlier.estimate,
        "low_earlier": low_earlier,
        "high_earlier": high_earlier,
        "withheld_earlier": earlier.is_withheld,
        "estimate_now": now.estimate,
        "low_now": low_now,
        "high_now": high_now,
        "withheld_now": now.is_withheld,
        "difference": comparison.estimate,
        "low": low,
        "high": high,
        "confidence": comparison.family.confidence,
        "p": comparison.p,
        "p_together": comparison.p_together,
        "verdict": change.change.verdict,
    }


def trend_svg(trend: Trend) -> str:
    """Return an SVG file of all changes, with a scale for each question."""
    figures = []
    for question in trend.questions:
        figures += [question.levels, question.differences]
    n = f"{format_count(trend.earlier.n)} and {format_count(trend.now.n)}"
    source = f"n = {n}. {CAUSE} Analysed with Candor."
    titles = f"{trend.earlier.title}, {trend.now.title}"
    words = Words(titles, trend.headline, trend.summary, source)
    return stand_alone(None, words, figures)
