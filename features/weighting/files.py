"""What leaves weighted shares: a line for each answer or mean, and a drawing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from features.weighting.result import Weighted
from surveys.results.analysis.drawing import drawn
from surveys.results.figures.dot_plot import Row
from surveys.site.files.lines import Line


@dataclass(frozen=True)
class WeightedLine(Line):
    """An answer of a scrambled question that has enough people, or its mean. Shares are fractions."""

    variable: str
    question: str
    answer: str
    n: int
    effective_n: float
    design_effect: float
    weighted: float
    standard_error: float
    low: float
    high: float
    unweighted: float
    unweighted_standard_error: float
    unweighted_low: float
    unweighted_high: float
    confidence: float
    by: str
    group: str

    @classmethod
    def lines(cls, weighted_shares: Weighted, about: str) -> Iterator[Self]:
        by = " ".join(margin.key for margin in weighted_shares.margins)
        answers = (
            (question.item, answer.label, answer.weighted, answer.plain.estimate, answer.plain)
            for question in weighted_shares.questions
            for answer in question.answers
        )
        means = (
            (question.item, question.mean.label, question.mean.weighted, plain.value, plain)
            for question in weighted_shares.questions
            if question.mean and (plain := question.mean.plain.mean)
        )
        for item, label, weighted, value, plain in (*answers, *means):
            yield cls(
                *(item.key, item.whole, label, weighted.n, weighted.effective_n, weighted.design_effect),
                *(weighted.share, weighted.standard_error, *weighted.interval),
                *(value, plain.standard_error, *plain.interval, weighted_shares.confidence, by, about),
            )


def weighted_svg(weighted_shares: Weighted, about: str = "") -> str:
    """An SVG file of all shares, weighted and unweighted."""
    items = [question.item for question in weighted_shares.questions]
    by = ", ".join(margin.item.whole for margin in weighted_shares.margins)
    figures = [weighted_shares.figure] if weighted_shares.figure.rows else []
    for question, figure in weighted_shares.means:
        figures.append(replace(figure, rows=(Row(question.item.whole, is_heading=True), *figure.rows)))
    return drawn(figures, by, weighted_shares.headline, weighted_shares.sentences, items, weighted_shares.n, about)
