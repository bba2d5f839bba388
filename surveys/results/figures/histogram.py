"""The figure of a background number: a histogram with the median and the middle half, and the mean below."""

from dataclasses import dataclass

import numpy as np
from django.conf import settings

from mechanisms.estimation.intervals import normal_quantile
from surveys.results.estimates.numeric import is_wide
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis, step_for
from surveys.results.figures.dot_plot import Area, Figure, Mark, Row, ground
from surveys.site.number_format import format_count

GAP = 0.05  # of the place of a column, free on either side so that columns can be told apart
MOST_COLUMNS = 40  # more would be as thin as a hair on a telephone


@dataclass(frozen=True)
class Distribution:
    """Of the answers as they came. values, shares: every number allowed, and its part of the numbers given, which
    are `n`.

    half: the half-width of the mean's normal interval.
    """

    values: np.ndarray
    shares: np.ndarray
    mean: float
    half: float
    n: int
    quartiles: tuple[int, int, int]

    @property
    def given(self) -> np.ndarray:
        return self.values[self.shares > 0]

    @property
    def step(self) -> int:
        """How many numbers stand in one column: 1, or a round number where their range is wide."""
        return max(1, round(step_for(float(np.ptp(self.given)) + 1, MOST_COLUMNS)))

    @property
    def columns(self) -> list[tuple[int, int, float]]:
        """(first number, last number, mean share of a number between) of the columns that are not empty.

        They begin at multiples of the step. One that the allowed numbers cut off has fewer, so its height is a mean:
        areas are how often, as in any histogram.
        """
        band = self.values // self.step
        first = np.unique(band, return_index=True)[1]
        last = np.append(first[1:], len(band)) - 1
        shares = np.add.reduceat(self.shares, first) / (last - first + 1)
        ends = zip(
            self.values[first].tolist(), self.values[last].tolist(), shares.tolist(), strict=True
        )
        return [column for column in ends if column[2] > 0]

    @property
    def said(self) -> str:
        return (
            "how often each number was given"
            if self.step == 1
            else f"how often, in steps of {self.step}"
        )

    @property
    def digits(self) -> int:
        return 1 if self.half >= 0.05 else 2

    @property
    def is_wide(self) -> bool:
        """Return whether the range of the mean is too wide for a number."""
        return is_wide(2 * self.half, float(self.values.min()), float(self.values.max()))

    @property
    def number(self) -> str:
        return _written(self.mean, self.digits)

    @property
    def range(self) -> str:
        return " to ".join(
            _written(end, self.digits) for end in (self.mean - self.half, self.mean + self.half)
        )


def distribution(question: QuestionReport) -> Distribution:
    """Of a number question with at least one number. Who preferred not to say counts for nothing in it."""
    values = np.array([int(choice.label) for choice in question.choices[: question.declined]])
    given = question.basis.observed[: len(values)]
    shares, n = given / given.sum(), round(float(given.sum()) * question.n)
    mean = float(shares @ values)
    error = float(np.sqrt(shares @ (values - mean) ** 2 / n))
    places = np.searchsorted(np.cumsum(shares), np.array([0.25, 0.5, 0.75]) - 1e-12)
    first, middle, last = (int(values[place]) for place in places)
    return Distribution(
        values, shares, mean, normal_quantile(question.confidence) * error, n, (first, middle, last)
    )


def number_figure(question: QuestionReport) -> Figure:
    found = distribution(question)
    axis = numbers_axis(found.columns[0][0] - 0.5, found.columns[-1][1] + 0.5)
    is_withheld = found.is_wide or found.n < settings.FEW_RESPONSES
    low, high = found.mean - found.half, found.mean + found.half
    mark = Mark(found.mean, low, high, is_pale=is_withheld, is_withheld=is_withheld)
    row = Row("Mean", "" if is_withheld else found.number, found.range, mark)
    first, median, last = found.quartiles
    of = f"of {format_count(found.n)} answers"
    says = f"{found.said.capitalize()}, {of}. Median {median}, middle half {first} to {last}."
    return Figure(
        (row,),
        axis,
        values="mean",
        ranges=f"{question.level_name} range",
        area=Area(lambda box: _draw(found, axis), says),
        legend=(("count", found.said), ("median", f"median {median}; shaded: the middle half")),
    )


def _draw(found: Distribution, axis: Axis) -> str:
    first, median, last = found.quartiles
    middle = _column(axis, first - 0.5, last + 0.5, 1.0, "plot__middle")
    highest = max(share for *_, share in found.columns)
    columns = [
        _column(
            axis,
            a - 0.5 + GAP * (b - a + 1),
            b + 0.5 - GAP * (b - a + 1),
            share / highest,
            "plot__count",
        )
        for a, b, share in found.columns
    ]
    return "".join(
        [middle, *ground(axis), *columns, svg.upright("plot__median", axis.css_position(median))]
    )


def _column(axis: Axis, low: float, high: float, up: float, class_: str) -> str:
    x, width = axis.css_position(low), f"{100 * (axis.position(high) - axis.position(low)):.3f}%"
    return svg.tag(
        "rect",
        class_=class_,
        x=x,
        width=width,
        y=f"{100 * (1 - up):.2f}%",
        height=f"{100 * up:.2f}%",
    )


def _written(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
