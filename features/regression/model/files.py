"""What leaves a model: CSV, and a dot and a range for each difference, as rows in the grammar of all figures.

Shares are fractions, means are in the unit of their numbers; no text is one that a spreadsheet would calculate.
"""

from collections.abc import Sequence

from features.regression.model.comparisons import ModelRow
from features.regression.model.model import Model
from features.regression.model.wording import headline, sentences
from surveys.results.figures.axes import differences_axis
from surveys.results.figures.dot_plot import Figure, Mark, Row
from surveys.results.report.figures import Words, stand_alone
from surveys.site.files.lines import write_csv
from surveys.site.number_format import NBSP, epsilon, format_count, format_level

MODEL_COLUMNS = (
    "outcome",
    "answer",
    "question",
    "group",
    "n",
    "observed",
    "corrected",
    "reference",
    "difference",
    "difference_error",
    "low",
    "high",
    "simultaneous_low",
    "simultaneous_high",
    "p",
    "p_holm",
    "coefficient",
    "standard_error",
    "robust_error",
    "odds_ratio",
    "odds_low",
    "odds_high",
    "model",
    "confidence",
    "people",
    "p_together",
    "verdict",
)


def model_csv(model: Model, about: str) -> str:
    """Return a model as CSV, with a row for each group and answer. about: the people it is about."""
    return write_csv(MODEL_COLUMNS, [_csv_row(model, row, about) for row in model.comparisons])


def _csv_row(model: Model, row: ModelRow, about: str) -> dict[str, object]:
    item = model.outcome.item
    low, high = row.interval or (None, None)
    simultaneous_low, simultaneous_high = row.together or (None, None)
    odds_low, odds_high = row.odds_interval or (None, None)
    return {
        "outcome": item.key,
        "answer": "mean" if row.answer is None else item.choices[row.answer],
        "question": row.level.term.key,
        "group": row.level.label,
        "n": row.n,
        "observed": row.observed,
        "corrected": row.corrected,
        "reference": row.reference.label if row.reference else None,
        "difference": row.difference,
        "difference_error": row.difference_error,
        "low": low,
        "high": high,
        "simultaneous_low": simultaneous_low,
        "simultaneous_high": simultaneous_high,
        "p": row.p,
        "p_holm": row.p_holm,
        "coefficient": row.coefficient,
        "standard_error": row.standard_error,
        "robust_error": row.robust_error,
        "odds_ratio": row.odds_ratio,
        "odds_low": odds_low,
        "odds_high": odds_high,
        "model": model.kind,
        "confidence": model.confidence,
        "people": about,
        "p_together": row.p_together,
        "verdict": row.verdict,
    }


def figure(found: Model) -> Figure:
    """By answer where there are several, then by question; no row for the group that others are compared with."""
    shown = [row for row in found.comparisons if row.together]
    axis = differences_axis([row.together for row in shown], of_shares=not found.outcome.is_mean)
    rows: list[Row] = []
    for answer in dict.fromkeys(row.answer for row in found.comparisons):
        if found.has_several:
            rows.append(Row(f"“{found.outcome.item.choices[answer]}”", is_heading=True))
        for term in found.terms:
            of_term = [
                row for row in found.comparisons if (row.level.term, row.answer) == (term, answer)
            ]
            compared = [row for row in of_term if row.together]
            if compared:
                rows += [Row(_compared_with(found, of_term), is_heading=True), *map(_row, compared)]
    return Figure(
        tuple(rows),
        axis,
        values=found.column,
        ranges=f"{format_level(found.confidence)} range",
    )


def _compared_with(fitted: Model, rows: Sequence[ModelRow]) -> str:
    """ "Faculty, compared with Engineering"; of a number and of a scrambled answer the question alone."""
    reference = next((row.level.label for row in rows if row.level.is_reference), "")
    name = rows[0].level.term.short if rows else fitted.outcome.short
    return f"{name}, compared with {reference}" if reference else name


def _row(row: ModelRow) -> Row:
    """Return the row of a difference in the figure.

    A difference that is not clear has its range and no number, and is pale.
    """
    difference = row.statement
    low, high = difference.possible_interval
    mark = Mark(
        difference.quantity.clip(difference.estimate),
        low,
        high,
        is_pale=difference.is_grey,
        is_withheld=difference.is_withheld,
    )
    people = f"{format_count(row.n)} people. " if row.level.kinds else ""
    return Row(
        row.level.label,
        value=difference.number if difference.is_clear else "",
        range=difference.range,
        mark=mark,
        note=f"{people}{difference.verdict_name}",
    )


def model_svg(found: Model, about: str = "") -> str:
    """An SVG file of the differences. about: whom a filtered report is about."""
    item = found.outcome.item
    whom = f" Only {about}." if about else ""
    said = sentences(found)
    design = "not scrambled"
    if item.mechanism:
        design = (
            f"randomized by “{item.mechanism.title}”, epsilon {epsilon(item.mechanism.epsilon)}"
        )
    source = (
        f"n = {format_count(found.n)}; {design}. Differences "
        f"in {found.unit}, adjusted for each other; ranges: "
        f"{format_level(found.confidence)}{NBSP}intervals, for all together.{whom} Survey “{found.frozen.title}”, "
        f"instrument {found.frozen.sha256[:16]}, analysed with Candor."
    )
    return stand_alone(
        figure(found), Words(item.full_text, headline(found), " ".join(said), source)
    )
