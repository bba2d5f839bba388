"""The figure of one question in groups: a row for each group, with its share beside its difference to all others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.utils.safestring import SafeString

from surveys.results.analysis.drawing import drawn
from surveys.results.analysis.groups.differences import CLEAR, OTHERS, Difference
from surveys.results.analysis.groups.groups import Comparison
from surveys.results.analysis.groups.values import Value
from surveys.results.figures.dot_plot import Figure, Mark, Row, figure_of, scale
from surveys.site.number_format import format_level


@dataclass(frozen=True)
class DifferenceRow:
    """One row: its share or mean, and its difference to all other groups."""

    value: Row
    value_plot: SafeString | str
    difference: Difference
    difference_plot: SafeString | str

    @property
    def has_way(self) -> bool:
        return self.difference.verdict in CLEAR

    @property
    def than(self) -> str:
        """Behind higher or lower."""
        return (
            "than the others"
            if self.difference.versus == OTHERS
            else f"than “{self.difference.versus}”"
        )


@dataclass(frozen=True)
class AnswerRows:
    """label: of the answer, where a question has several. scales: below the plots of shares and of differences."""

    label: str
    rows: tuple[DifferenceRow, ...]
    scales: tuple[SafeString, SafeString]
    is_clear: bool
    values: str
    unit: str


def of_each_group(answer: Comparison) -> list[tuple[Value, Difference]]:
    """Each group with its difference to all others: of two groups the second has that of the first, turned round."""
    differences = answer.differences
    if len(answer.values) == 2:
        differences = (differences[0], differences[0].mirrored)
    return list(zip(answer.values, differences, strict=True))


def answer_rows(answers: Sequence[Comparison]) -> list[AnswerRows]:
    """Those of one question, on common scales; what is clear first."""
    values, differences = _values(answers), _differences(answers)
    rows = [_answer_rows(answer, len(answers) > 1, values, differences) for answer in answers]
    return sorted(rows, key=lambda each: not each.is_clear)


def _answer_rows(
    answer: Comparison, is_one_of_several: bool, values: Figure, differences: Figure
) -> AnswerRows:
    rows = [(value.row(), difference) for value, difference in of_each_group(answer)]
    value_plots = replace(values, rows=tuple(row for row, _ in rows)).drawn
    difference_plots = replace(
        differences, rows=tuple(_difference_row(each) for _, each in rows)
    ).drawn
    plots = zip(rows, value_plots, difference_plots, strict=True)
    return AnswerRows(
        answer.answer if is_one_of_several else "",
        tuple(DifferenceRow(row, one, each, other) for (row, each), (_, one), (_, other) in plots),
        (scale(values.axis), scale(differences.axis)),
        bool(answer.clear),
        "Mean" if answer.is_mean else "Share",
        answer.measure.column,
    )


def _values(answers: Sequence[Comparison]) -> Figure:
    """All shares or means of a question in one figure."""
    if len(answers) == 1:
        return answers[0].figure
    rows = [[Row(answer.answer, is_heading=True), *answer.figure.rows] for answer in answers]
    return figure_of(chain.from_iterable(rows), ranges=answers[0].figure.ranges)


def _differences(answers: Sequence[Comparison]) -> Figure:
    first, rows, ends = answers[0], [], []
    for answer in answers:
        rows += [Row(answer.answer, is_heading=True)] if len(answers) > 1 else []
        for _, difference in of_each_group(answer):
            rows.append(_difference_row(difference))
            ends.append(difference.simultaneous)
    return Figure(
        tuple(rows),
        first.measure.axis(ends),
        values=first.measure.column,
        ranges=f"{format_level(first.confidence)} range",
        dots="difference to all other groups, and range",
    )


def _difference_row(difference: Difference) -> Row:
    low, high = difference.simultaneous
    few = difference.verdict == "too_few_answers"
    pale = difference.verdict == "no_clear_difference"
    mark = Mark(difference.difference, low, high, is_pale=pale, is_few=few)
    return Row(
        difference.group, difference.signed, difference.signed_range, mark, difference.verdict_name
    )


def question_svg(answers: Sequence[Comparison], sentences: Sequence[str], about: str = "") -> str:
    """An SVG file: the groups' shares, and below them their differences."""
    first = answers[0]
    return drawn(
        [_values(answers), _differences(answers)],
        first.question.text,
        f"{'Means' if first.is_mean else 'Shares'} by “{first.sides.name}”, and differences to all other groups",
        [*sentences, first.sides.note],
        [first.item],
        max(answer.n for answer in answers),
        about,
    )
