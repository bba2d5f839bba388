"""What leaves a model: CSV, and a dot and a range for each difference, as rows in the grammar of all figures.

Shares are fractions, means are in the unit of their numbers; no text is one that a spreadsheet would calculate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from features.regression.model.comparisons import Comparison
from features.regression.model.model import Model
from features.regression.model.wording import headline, sentences
from surveys.results.figures.dot_plot import Figure, Mark, Row
from surveys.results.report.figures import Words, stand_alone
from surveys.site.files.lines import Line
from surveys.site.number_format import NBSP, count, epsilon, level

NONE = (None, None)


@dataclass(frozen=True)
class ModelLine(Line):
    """A group and an answer."""

    outcome: str
    answer: str
    question: str
    group: str
    n: int
    observed: float | None
    corrected: float | None
    reference: str | None
    difference: float | None
    difference_error: float | None
    low: float | None
    high: float | None
    simultaneous_low: float | None
    simultaneous_high: float | None
    p: float | None
    p_holm: float | None
    coefficient: float | None
    standard_error: float | None
    robust_error: float | None
    odds_ratio: float | None
    odds_low: float | None
    odds_high: float | None
    model: str
    confidence: float
    people: str
    p_together: float | None
    verdict: str | None

    @classmethod
    def lines(cls, found: Model, about: str) -> Iterator[Self]:
        item = found.outcome.item
        for row in found.comparisons:
            yield cls(
                *(item.key, "mean" if row.answer is None else item.choices[row.answer]),
                *(row.level.term.key, row.level.label, row.n),
                *(row.observed, row.corrected, row.reference.label if row.reference else None),
                *(row.difference, row.difference_error, *(row.interval or NONE), *(row.together or NONE)),
                *(row.p, row.p_holm, row.coefficient, row.standard_error, row.robust_error),
                *(row.odds_ratio, *(row.odds_interval or NONE), found.kind, found.confidence),
                *(about, row.p_together, row.verdict),
            )


def figure(found: Model) -> Figure:
    """By answer where there are several, then by question; no row for the group that others are compared with."""
    shown = [row for row in found.comparisons if row.together]
    axis = found.measure.axis([row.together for row in shown])
    rows: list[Row] = []
    for answer in dict.fromkeys(row.answer for row in found.comparisons):
        if found.has_several:
            rows.append(Row(f"“{found.outcome.item.choices[answer]}”", is_heading=True))
        for term in found.terms:
            of_term = [row for row in found.comparisons if (row.level.term, row.answer) == (term, answer)]
            compared = [row for row in of_term if row.together]
            if compared:
                rows += [Row(_compared_with(found, of_term), is_heading=True), *map(_row, compared)]
    return Figure(tuple(rows), axis, values=found.measure.column, ranges=f"{level(found.confidence)} range")


def _compared_with(fitted: Model, rows: Sequence[Comparison]) -> str:
    """ "Faculty, compared with Engineering"; of a number and of a scrambled answer the question alone."""
    reference = next((row.level.label for row in rows if row.level.is_reference), "")
    name = rows[0].level.term.short if rows else fitted.outcome.short
    return f"{name}, compared with {reference}" if reference else name


def _row(row: Comparison) -> Row:
    """A difference that is not clear has its range and no number, and is pale."""
    people = f"{count(row.n)} people. " if row.level.kinds else ""
    number = row.signed if row.clear else ""
    mark = Mark(row.difference, *row.together, is_pale=not row.clear)
    return Row(row.level.label, number, row.signed_range, mark, f"{people}{row.verdict_name}")


def model_svg(found: Model, about: str = "") -> str:
    """An SVG file of the differences. about: whom a filtered report is about."""
    item = found.outcome.item
    whom = f" Only {about}." if about else ""
    said = sentences(found)
    design = "not scrambled"
    if item.mechanism:
        design = f"randomized by “{item.mechanism.title}”, epsilon {epsilon(item.mechanism.epsilon)}"
    source = (
        f"n = {count(found.n)}; {design}. Differences in{found.measure.of_numbers}, adjusted for each other; ranges: "
        f"{level(found.confidence)}{NBSP}intervals, for all together.{whom} Survey “{found.frozen.title}”, "
        f"instrument {found.frozen.sha256[:16]}, analysed with Candor."
    )
    return stand_alone(figure(found), Words(item.whole, headline(found), " ".join(said), source))
