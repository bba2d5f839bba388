"""The figure of a background number: a histogram with the median, and the mean below."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from django.conf import settings

from mechanisms import Functional
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.estimates.numeric import WALD
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis, step_for
from surveys.results.figures.dot_plot import Area, Figure, ground
from surveys.results.figures.means import mean_row
from surveys.site.number_format import format_count
from surveys.statements.means import (
    MeanStatement,
    QuartileStatement,
    known_median,
    mean_statement,
    number_text,
)

# The part of the place of a column that stays free on either side, so that columns are separate.
GAP = 0.05
# More columns would be as thin as a hair on a telephone.
MOST_COLUMNS = 40


@dataclass(frozen=True)
class Distribution:
    """The numbers that people gave, as they came.

    values: every number that can be answered.
    shares: the part of each among the numbers given.
    mean: the mean of the numbers given, with its normal interval.
    confidence: the confidence level of the interval.
    n: how many people gave a number.
    quartiles: the numbers that a quarter, half and three quarters of the answers do not exceed.
    name: the short name of the question.
    """

    values: np.ndarray
    shares: np.ndarray
    mean: Functional
    confidence: float
    n: int
    quartiles: tuple[int, int, int]
    name: str = ""

    @cached_property
    def statement(self) -> MeanStatement:
        """The statement about the mean."""
        return mean_statement(
            self.mean,
            self.values.tolist(),
            n=self.n,
            confidence=self.confidence,
            method=WALD,
            name=self.name,
            least_n=settings.FEW_RESPONSES,
        )

    @cached_property
    def median(self) -> QuartileStatement:
        """The statement about the median, which is known."""
        _, median, _ = self.quartiles
        return known_median(median, self.values.tolist(), n=self.n)

    @property
    def middle_half(self) -> str:
        """The numbers between which the middle half of the answers lies: "20 to 30"."""
        lower, _, upper = self.quartiles
        return f"{number_text(lower)} to {number_text(upper)}"

    @property
    def given(self) -> np.ndarray:
        """The numbers that somebody gave."""
        return self.values[self.shares > 0]

    @property
    def step(self) -> int:
        """The width of a column in numbers: 1, or a round number if their range is wide."""
        return max(1, round(step_for(float(np.ptp(self.given)) + 1, MOST_COLUMNS)))

    @property
    def columns(self) -> list[tuple[int, int, float]]:
        """The first and last number of each column that is not empty, and the mean share of each.

        Columns begin at multiples of the step. One that the allowed numbers cut off has fewer
        numbers, so its height is a mean: areas are frequencies, as in any histogram.
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
    def columns_in_words(self) -> str:
        """The meaning of the height of a column."""
        if self.step == 1:
            return "how often each number was given"
        return f"how often, in steps of {self.step}"


def distribution(question: QuestionReport) -> Distribution:
    """Return the numbers of a number question that at least one person answered with a number.

    Those who preferred not to say are left out.
    """
    labels = [choice.label for choice in question.choices[: question.declined]]
    values = np.array([int(label) for label in labels])
    observed = question.basis.observed[: len(values)]
    given_share = observed.sum()
    shares = observed / given_share
    n = round(float(given_share) * question.n)

    mean = float(shares @ values)
    error = float(np.sqrt(shares @ (values - mean) ** 2 / n))
    half = normal_quantile(question.confidence) * error
    # The tiny difference keeps a share of exactly a quarter from being rounded to less.
    marks = np.array([0.25, 0.5, 0.75]) - 1e-12
    indexes = np.searchsorted(np.cumsum(shares), marks)
    lower, median, upper = values[indexes].tolist()
    return Distribution(
        values=values,
        shares=shares,
        mean=Functional(mean, error, (mean - half, mean + half)),
        confidence=question.confidence,
        n=n,
        quartiles=(lower, median, upper),
        name=question.short,
    )


def number_figure(question: QuestionReport) -> Figure:
    """Return the histogram of a background number, with its mean below."""
    numbers = distribution(question)
    axis = numbers_axis(numbers.columns[0][0] - 0.5, numbers.columns[-1][1] + 0.5)
    median = number_text(numbers.median.estimate)
    description = (
        f"{numbers.columns_in_words.capitalize()}, of {format_count(numbers.n)} answers. "
        f"Median {median}, middle half {numbers.middle_half}."
    )
    return Figure(
        (mean_row(numbers.statement),),
        axis,
        values="mean",
        ranges=f"{question.level_name} range",
        area=Area(lambda box: _draw_columns(numbers, axis), description),
        legend=(
            ("count", numbers.columns_in_words),
            ("median", f"median {median}; shaded: the middle half"),
        ),
    )


def _draw_columns(numbers: Distribution, axis: Axis) -> str:
    """Return the columns, the shaded middle half behind them, and a line at the median."""
    lower, median, upper = numbers.quartiles
    highest = max(share for _, _, share in numbers.columns)
    shapes = [_column(axis, lower - 0.5, upper + 0.5, 1.0, "plot__middle"), *ground(axis)]
    for first, last, share in numbers.columns:
        gap = GAP * (last - first + 1)
        low = first - 0.5 + gap
        high = last + 0.5 - gap
        shapes.append(_column(axis, low, high, share / highest, "plot__count"))
    shapes.append(svg.upright("plot__median", axis.css_position(median)))
    return "".join(shapes)


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
