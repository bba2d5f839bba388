"""The files of weighted shares: a row for each answer or mean, and a drawing."""

from dataclasses import replace

from features.weighting.result import WeighedMean, WeighedQuestion, WeightedChoice, WeightingResult
from mechanisms import Functional
from surveys.results.analysis.drawing import analysis_svg
from surveys.results.figures.dot_plot import Row
from surveys.site.files.lines import write_csv

WEIGHTED_COLUMNS = (
    "variable",
    "question",
    "answer",
    "n",
    "effective_n",
    "design_effect",
    "weighted",
    "standard_error",
    "low",
    "high",
    "unweighted",
    "unweighted_standard_error",
    "unweighted_low",
    "unweighted_high",
    "confidence",
    "by",
    "group",
)


def weighted_csv(weighted_shares: WeightingResult, about: str) -> str:
    """Return weighted shares and means as CSV: a row for each answer of a scrambled question, then one for each mean.

    Shares are fractions. about: the people it is about.
    """
    rows = []
    for question in weighted_shares.questions:
        for answer in question.answers:
            rows.append(
                _csv_row(weighted_shares, question, answer, _unweighted_share(answer), about)
            )
    for question in weighted_shares.questions:
        if question.mean is not None:
            rows.append(
                _csv_row(weighted_shares, question, question.mean, question.mean.plain.mean, about)
            )
    return write_csv(WEIGHTED_COLUMNS, rows)


def _unweighted_share(answer: WeightedChoice) -> Functional:
    share = answer.plain
    return Functional(
        value=share.estimate, standard_error=share.standard_error, interval=share.interval
    )


def _csv_row(
    weighted_shares: WeightingResult,
    question: WeighedQuestion,
    answer: WeightedChoice | WeighedMean,
    unweighted: Functional,
    about: str,
) -> dict[str, object]:
    weighted = answer.weighted
    low, high = weighted.interval
    unweighted_low, unweighted_high = unweighted.interval
    return {
        "variable": question.item.key,
        "question": question.item.full_text,
        "answer": answer.label,
        "n": weighted.n,
        "effective_n": weighted.effective_n,
        "design_effect": weighted.design_effect,
        "weighted": weighted.share,
        "standard_error": weighted.standard_error,
        "low": low,
        "high": high,
        "unweighted": unweighted.value,
        "unweighted_standard_error": unweighted.standard_error,
        "unweighted_low": unweighted_low,
        "unweighted_high": unweighted_high,
        "confidence": weighted_shares.confidence,
        "by": " ".join(margin.key for margin in weighted_shares.margins),
        "group": about,
    }


def weighted_svg(weighted_shares: WeightingResult, about: str = "") -> str:
    """Return an SVG file of all shares, weighted and unweighted."""
    items = [question.item for question in weighted_shares.questions]
    by = ", ".join(margin.item.full_text for margin in weighted_shares.margins)
    figures = [weighted_shares.figure] if weighted_shares.figure.rows else []
    for question, figure in weighted_shares.means:
        figures.append(
            replace(figure, rows=(Row(question.item.full_text, is_heading=True), *figure.rows))
        )
    return analysis_svg(
        figures,
        question=by,
        headline=weighted_shares.headline,
        sentences=weighted_shares.sentences,
        items=items,
        n=weighted_shares.n,
        about=about,
    )
