"""The figure of a log-likelihood curve, with the interval that it implies in the row below it."""

from django.conf import settings

from surveys.results.estimates.on_request import Curve, log_likelihood_curve
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.share_wording import Said
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, shares_axis
from surveys.results.figures.dot_plot import Area, Figure, Mark, Row, ground
from surveys.site.number_format import percent_range


def likelihood_figure(question: QuestionReport) -> Figure:
    """Of a yes/no question with two answers and at least one response."""
    curve = log_likelihood_curve(question)
    axis = shares_axis([(curve.shares[0], curve.shares[-1])])
    share = Said(curve.best, *curve.interval)
    is_withheld = share.is_wide or question.fewest < settings.FEW_RESPONSES
    number = "" if is_withheld or share.is_impossible else share.headline
    mark = Mark(curve.best, *curve.interval, is_pale=is_withheld, is_withheld=is_withheld)
    row = Row(question.choices[YES].label, number, share.range, mark)
    interval = (
        f"The {question.level_name} interval that it implies is {percent_range(curve.interval)}."
    )
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
