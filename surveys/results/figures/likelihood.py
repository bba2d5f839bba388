"""The figure of a log-likelihood curve, with the interval that it implies in the row below it."""

from dataclasses import replace

from surveys.results.estimates.on_request import Curve, log_likelihood_curve
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, shares_axis
from surveys.results.figures.dot_plot import Area, Figure, ground, share_row


def likelihood_figure(question: QuestionReport) -> Figure:
    """Of a yes/no question with two answers and at least one response."""
    curve = log_likelihood_curve(question)
    axis = shares_axis([(curve.shares[0], curve.shares[-1])])
    likeliest = question.choices[YES]._replace(estimate=curve.best, interval=curve.interval)
    share = replace(question.statement(likeliest), method="likelihood")
    row = share_row(share, label=likeliest.label)
    interval = f"The {question.level_name} interval that it implies is {share.range_in_words}."
    says = f"Log-likelihood of the share of {row.label}. {interval}"
    area = Area(lambda box: _draw(curve, axis, box), says)
    return Figure(
        (row,),
        axis,
        ranges=f"{question.level_name} range",
        area=area,
        legend=(("curve", "log-likelihood: the higher, the better a share explains the reports"),),
    )


def _draw(curve: Curve, axis: Axis, box: tuple[float, float] | None) -> str:
    depth = max(-curve.threshold * 2, 1e-9)  # below twice the threshold the curve says nothing more
    points = [
        (axis.position(x), 0.04 + 0.94 * -y / depth)
        for x, y in zip(curve.shares, curve.values, strict=True)
        if -y <= depth
    ]
    ends = [svg.upright("plot__end", axis.css_position(end)) for end in curve.interval]
    return "".join([*ground(axis), *ends, svg.line("plot__curve", points, box)])
