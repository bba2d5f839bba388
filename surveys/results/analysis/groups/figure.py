"""The figure of one question: for each group its share beside its difference to others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from surveys.results.analysis.drawing import analysis_svg
from surveys.results.analysis.groups.groups import ComparedAnswer
from surveys.results.analysis.groups.values import GroupEstimate
from surveys.results.figures.axes import differences_axis, numbers_axis
from surveys.results.figures.dot_plot import Figure, Mark, Row, figure_of, scale, share_row
from surveys.results.figures.means import mean_mark, mean_row
from surveys.site.number_format import format_count, format_level
from surveys.statements.comparisons import OTHERS, Comparison
from surveys.statements.means import MeanStatement
from surveys.statements.shares import ShareStatement


@dataclass(frozen=True)
class DifferenceRow:
    """One group: its share or mean, and its difference to all other groups, with their plots."""

    value: Row
    value_plot: SafeString | str
    difference: Comparison
    difference_plot: SafeString | str

    @property
    def verdict(self) -> str:
        """The verdict in words: "Higher than the others"."""
        difference = self.difference
        if not difference.is_clear:
            return difference.verdict_name
        versus = "the others"
        if difference.versus != OTHERS:
            versus = f"“{difference.versus}”"
        return f"{difference.verdict_name} than {versus}"


@dataclass(frozen=True)
class AnswerRows:
    """The rows of one answer.

    label: the answer, if its question has several; else "".
    scales: what stands below the plots of shares and of differences.
    values: "Share" or "Mean".
    unit: the unit of the differences.
    """

    label: str
    rows: tuple[DifferenceRow, ...]
    scales: tuple[SafeString, SafeString]
    is_clear: bool
    values: str
    unit: str


@dataclass(frozen=True)
class GroupDifference:
    """A group with its difference to all others."""

    group: GroupEstimate
    difference: Comparison


def group_differences(answer: ComparedAnswer) -> list[GroupDifference]:
    """Return each group with its difference to all others.

    Of two groups, the second one has the difference of the first with its sides exchanged.
    """
    differences = list(answer.differences)
    if len(answer.groups) == 2:
        differences.append(differences[0].mirrored)
    pairs = zip(answer.groups, differences, strict=True)
    return [GroupDifference(group, difference) for group, difference in pairs]


def groups_figure(answer: ComparedAnswer) -> Figure:
    """Return the figure with the share or mean of each group."""
    rows = [_group_row(group) for group in answer.groups]
    ranges = f"{format_level(answer.confidence)} range"
    if not answer.is_mean:
        return figure_of(rows, ranges=ranges)
    values = answer.item.answer_values
    return Figure(
        tuple(rows),
        numbers_axis(float(values[0]), float(values[-1])),
        values=answer.item.unit or "mean",
        ranges=ranges,
    )


def answer_rows(answers: Sequence[ComparedAnswer]) -> list[AnswerRows]:
    """Return the rows of one question on common scales, those of clear answers first."""
    values = _values_figure(answers)
    differences = _differences_figure(answers)
    rows = [_answer_rows(answer, answers, values, differences) for answer in answers]
    return sorted(rows, key=lambda answer: not answer.is_clear)


def question_svg(
    answers: Sequence[ComparedAnswer], sentences: Sequence[str], about: str = ""
) -> str:
    """Return an SVG file: the groups' shares, and below them their differences."""
    first = answers[0]
    values = "Means" if first.is_mean else "Shares"
    return analysis_svg(
        [_values_figure(answers), _differences_figure(answers)],
        question=first.question.text,
        headline=f"{values} by “{first.sides.name}”, and differences to all other groups",
        sentences=[*sentences, first.sides.note],
        items=[first.item],
        n=max(answer.n for answer in answers),
        about=about,
    )


def _answer_rows(
    answer: ComparedAnswer, answers: Sequence[ComparedAnswer], values: Figure, differences: Figure
) -> AnswerRows:
    """Return the rows of one of several answers, drawn on the scales of both figures."""
    groups = group_differences(answer)
    value_rows = tuple(_group_row(group.group) for group in groups)
    value_plots = replace(values, rows=value_rows).drawn
    difference_rows = tuple(difference_row(group.difference) for group in groups)
    difference_plots = replace(differences, rows=difference_rows).drawn

    rows = []
    plots = zip(groups, value_plots, difference_plots, strict=True)
    for group, (value_row, value_plot), (_, difference_plot) in plots:
        row = DifferenceRow(value_row, value_plot, group.difference, difference_plot)
        rows.append(row)
    return AnswerRows(
        label=answer.answer if len(answers) > 1 else "",
        rows=tuple(rows),
        scales=(scale(values.axis), scale(differences.axis)),
        is_clear=bool(answer.clear),
        values="Mean" if answer.is_mean else "Share",
        unit=differences.values,
    )


def _values_figure(answers: Sequence[ComparedAnswer]) -> Figure:
    """Return one figure of the shares or means of all answers."""
    figures = [groups_figure(answer) for answer in answers]
    if len(figures) == 1:
        return figures[0]
    rows: list[Row] = []
    for answer, figure in zip(answers, figures, strict=True):
        rows.append(Row(answer.answer, is_heading=True))
        rows.extend(figure.rows)
    return figure_of(rows, ranges=figures[0].ranges)


def _differences_figure(answers: Sequence[ComparedAnswer]) -> Figure:
    """Return one figure of the differences of all answers."""
    first = answers[0]
    rows = []
    intervals = []
    for answer in answers:
        if len(answers) > 1:
            rows.append(Row(answer.answer, is_heading=True))
        for group in group_differences(answer):
            rows.append(difference_row(group.difference))
            intervals.append(group.difference.possible_interval)
    unit = "points"
    if first.is_mean:
        unit = first.item.unit or "difference"
    return Figure(
        tuple(rows),
        differences_axis(intervals, of_shares=not first.is_mean),
        values=unit,
        ranges=f"{format_level(first.confidence)} range",
        dots="difference to all other groups, and range",
    )


def _group_row(group: GroupEstimate) -> Row:
    """Return the row of a group with its share or mean."""
    return statement_row(group.statement, group.name, note=f"n = {format_count(group.n)}")


def statement_row(
    statement: ShareStatement | MeanStatement,
    label: str,
    *,
    note: str = "",
    is_grey: bool = False,
) -> Row:
    """Return the row of a share or mean.

    is_grey: True if the row is drawn in grey, with its number.
    """
    if not isinstance(statement, MeanStatement):
        return share_row(statement, label=label, note=note, is_grey=is_grey)
    mark = mean_mark(statement)
    row = mean_row(statement, label, note)
    return replace(row, mark=replace(mark, is_pale=is_grey or mark.is_pale))


def difference_row(comparison: Comparison) -> Row:
    """Return the row of a difference: a grey range without a dot if it supports no number."""
    low, high = comparison.possible_interval
    mark = Mark(
        comparison.quantity.clip(comparison.estimate),
        low,
        high,
        is_pale=comparison.is_grey and not comparison.has_too_few,
        is_few=comparison.has_too_few,
        is_withheld=comparison.is_withheld,
    )
    return Row(comparison.group, comparison.number, comparison.range, mark, comparison.verdict_name)
