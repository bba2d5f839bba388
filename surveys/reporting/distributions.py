"""The figure of a background number: how often each was given, the median, the middle half, and the mean below."""

from dataclasses import dataclass

import numpy as np

from mechanisms.estimation.intervals import normal_quantile
from surveys.reporting import svg
from surveys.reporting.axes import Axis, numbers_axis
from surveys.reporting.numbers import count
from surveys.reporting.plots import Area, Figure, Mark, Row, ground
from surveys.reporting.report import QuestionReport

COLUMN = 0.9  # of the place of a number


@dataclass(frozen=True)
class Distribution:
    """Of the answers as they came. values, shares: every number allowed, and its part of the answers.

    half: the half-width of the mean's normal interval.
    """

    values: np.ndarray
    shares: np.ndarray
    mean: float
    half: float
    quartiles: tuple[int, int, int]

    @property
    def given(self) -> np.ndarray:
        return self.values[self.shares > 0]

    @property
    def digits(self) -> int:
        return 1 if self.half >= 0.05 else 2

    @property
    def number(self) -> str:
        return _written(self.mean, self.digits)

    @property
    def range(self) -> str:
        return " to ".join(_written(end, self.digits) for end in (self.mean - self.half, self.mean + self.half))


def distribution(question: QuestionReport) -> Distribution:
    """Of a number question with at least one response."""
    values = np.array([int(choice.label) for choice in question.choices])
    shares = question.basis.observed
    mean = float(shares @ values)
    error = float(np.sqrt(shares @ (values - mean) ** 2 / question.n))
    places = np.searchsorted(np.cumsum(shares), np.array([0.25, 0.5, 0.75]) - 1e-12)
    first, middle, last = (int(values[place]) for place in places)
    return Distribution(values, shares, mean, normal_quantile(question.confidence) * error, (first, middle, last))


def number_figure(question: QuestionReport) -> Figure:
    found = distribution(question)
    axis = numbers_axis(float(found.given.min()) - 0.5, float(found.given.max()) + 0.5)
    row = Row("Mean", found.number, found.range, Mark(found.mean, found.mean - found.half, found.mean + found.half))
    first, median, last = found.quartiles
    of = f"of {count(question.n)} answers"
    says = f"How often each number was given, {of}. Median {median}, middle half {first} to {last}."
    return Figure(
        (row,),
        axis,
        values="mean",
        ranges=f"{question.level_name} range",
        area=Area(lambda box: _draw(found, axis), says),
        legend=(("count", "how often each number was given"), ("median", f"median {median}; shaded: the middle half")),
    )


def _draw(found: Distribution, axis: Axis) -> str:
    first, median, last = found.quartiles
    middle = _column(axis, first - 0.5, last + 0.5, 1.0, "plot__middle")
    highest = float(found.shares.max())
    columns = [
        _column(axis, v - COLUMN / 2, v + COLUMN / 2, share / highest, "plot__count")
        for v, share in zip(found.values.tolist(), found.shares.tolist(), strict=True)
        if share
    ]
    return "".join([middle, *ground(axis), *columns, svg.upright("plot__median", axis.place(median))])


def _column(axis: Axis, low: float, high: float, up: float, class_: str) -> str:
    x, width = axis.place(low), f"{100 * (axis.along(high) - axis.along(low)):.3f}%"
    return svg.tag("rect", class_=class_, x=x, width=width, y=f"{100 * (1 - up):.2f}%", height=f"{100 * up:.2f}%")


def _written(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
