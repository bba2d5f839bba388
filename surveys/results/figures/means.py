"""The figure of a mean: its range above the quartiles, below a curve of likely numbers."""

from surveys.results.estimates.numeric import SMOOTH
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis
from surveys.results.figures.dot_plot import Area, Figure, Mark, Row, ground
from surveys.statements.means import MeanStatement, QuartileStatement


def mean_row(mean: MeanStatement, label: str = "Mean", note: str = "") -> Row:
    """Return the row of a mean, whose unit stands above the column."""
    words = mean.range_in_words
    if mean.is_impossible:
        words = mean.number_in_words
    return Row(
        label=label,
        value=mean.number_without_unit,
        range=words,
        mark=mean_mark(mean),
        note=note,
    )


def mean_mark(mean: MeanStatement) -> Mark:
    """Return what a row draws of a mean: of one without a number only a grey range."""
    low, high = mean.interval
    return Mark(
        share=mean.quantity.clip(mean.estimate),
        low=mean.quantity.clip(low),
        high=mean.quantity.clip(high),
        is_pale=mean.is_grey,
        is_withheld=mean.is_grey,
    )


def mean_figure(question: QuestionReport) -> Figure:
    """Return the figure of a question that was made for its mean, and has one."""
    average = question.average
    axis = numbers_axis(float(average.numbers[0]), float(average.numbers[-1]))
    rows = [mean_row(average.statement)]
    for quartile in average.shown_quartiles:
        rows.append(_quartile_row(quartile))

    area = None
    legend: tuple[tuple[str, str], ...] = ()
    if average.curve:
        area = Area(
            lambda box: _draw_curve(average.curve, axis, box),
            f"Share of the answers up to each number: {SMOOTH}.",
        )
        curve_words = f"share of the answers up to a number, from 0 to 100%: {SMOOTH}"
        legend = (("curve", curve_words),)
    return Figure(
        tuple(rows),
        axis,
        values=average.unit or "estimate",
        ranges=f"{question.level_name} range",
        area=area,
        legend=legend,
    )


def _quartile_row(quartile: QuartileStatement) -> Row:
    low, high = quartile.interval
    return Row(
        label=quartile.name.capitalize(),
        value=quartile.number_without_unit,
        range=quartile.range_in_words,
        mark=Mark(quartile.estimate, low, high),
    )


def _draw_curve(
    curve: tuple[tuple[int, float], ...], axis: Axis, box: tuple[float, float] | None
) -> str:
    """Return the curve of cumulated shares, on its ground.

    It goes through the middle of each step, since the height of a step is not known.
    """
    points = [(0.0, 1.0)]
    share_before = 0.0
    for number, share in curve:
        middle = (share_before + share) / 2
        points.append((axis.position(number), 1 - middle))
        share_before = share
    points.append((1.0, 0.0))
    return "".join([*ground(axis), svg.line("plot__curve", points, box)])
