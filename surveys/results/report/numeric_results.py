"""The mean of a sensitive number or scale in words, and its figure: median and quarters below a cumulative curve."""

from surveys.results.estimates.numeric import SMOOTH, Average, Quartile, is_wide
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis
from surveys.results.figures.dot_plot import Area, Figure, Mark, Row, ground
from surveys.site.number_format import format_level

NAMES = {0.25: "Lower quartile", 0.5: "Median", 0.75: "Upper quartile"}


def digits(width: float) -> int:
    """Decimals of a number whose range is so wide."""
    return 0 if width >= 20 else 1 if width >= 0.2 else 2


def shown_quartiles(average: Average) -> list[Quartile]:
    """Return the quartiles that a page shows: none beside a mean that is withheld, and none with as wide a range."""
    written = Written(average)
    if written.is_wide:
        return []
    quartiles = []
    for quartile in average.quartiles:
        low, high = quartile.interval
        if not is_wide(high - low, written.first, written.last):
            quartiles.append(quartile)
    return quartiles


class Written:
    """A mean and its range as they are written: with the digits that the range supports, cut to what is possible."""

    def __init__(self, average: Average) -> None:
        self.average, (self.low, self.high) = average, average.mean.interval
        self.first, self.last = average.numbers[0], average.numbers[-1]
        self.digits = digits(self.high - self.low)
        self.unit = f" {average.unit}" if average.unit else ""

    @property
    def is_wide(self) -> bool:
        return is_wide(self.high - self.low, self.first, self.last)

    @property
    def is_impossible(self) -> bool:
        return self.high < self.first or self.low > self.last

    @property
    def number(self) -> str:
        return self._written(self.average.mean.value)

    @property
    def range(self) -> str:
        return f"{self._written(self.low)} to {self._written(self.high)}"

    def in_words(self, confidence: float) -> str:
        """ "23.4 hours (95% range 22.1 to 24.7)", or the range alone where it is too wide for a number."""
        name = f"{format_level(confidence)} range"
        if self.is_wide or self.is_impossible:
            return f"from {self.range}{self.unit} ({name})"
        return f"{self.number}{self.unit} ({name} {self.range})"

    @property
    def scale(self) -> str:
        """Where numbers alone say little: which scale they are on."""
        labels = self.average.labels
        return f", from 1 (“{labels[0]}”) to {len(labels)} (“{labels[-1]}”)" if labels else ""

    @property
    def mark(self) -> Mark:
        return Mark(
            self._cut(self.average.mean.value),
            self._cut(self.low),
            self._cut(self.high),
            is_pale=self.is_wide,
            is_withheld=self.is_wide,
        )

    def _cut(self, value: float) -> float:
        return min(max(value, self.first), self.last)

    def _written(self, value: float) -> str:
        return f"{self._cut(value):.{self.digits}f}".replace("-", "−")


def mean_in_words(question: QuestionReport) -> str:
    """ "3.4 on average (95% range 3.2 to 3.6), from 1 (“Never”) to 5 (“Always”)." """
    written = Written(question.average)
    if written.is_wide or written.is_impossible:
        return ""
    ends = f"{question.level_name} range {written.range}"
    return f"{written.number}{written.unit} on average ({ends}){written.scale}."


def mean_row(average: Average, label: str = "Mean", note: str = "") -> Row:
    written = Written(average)
    value = "" if written.is_wide or written.is_impossible else written.number
    return Row(
        label,
        value,
        "no possible mean" if written.is_impossible else written.range,
        written.mark,
        note,
    )


def mean_figure(question: QuestionReport) -> Figure:
    """Of a question made for the mean, with one that can be given."""
    average = question.average
    axis = numbers_axis(float(average.numbers[0]), float(average.numbers[-1]))
    rows = [mean_row(average), *(_quartile_row(average, each) for each in shown_quartiles(average))]
    curve = average.curve
    area = Area(
        lambda box: _draw(curve, axis, box), f"Share of the answers up to each number: {SMOOTH}."
    )
    return Figure(
        tuple(rows),
        axis,
        values=average.unit or "estimate",
        ranges=f"{question.level_name} range",
        area=area if curve else None,
        legend=(("curve", f"share of the answers up to a number, from 0 to 100%: {SMOOTH}"),)
        if curve
        else (),
    )


def _quartile_row(average: Average, each: Quartile) -> Row:
    low, high = each.interval
    number, *ends = (str(value).replace("-", "−") for value in (each.number, low, high))
    return Row(NAMES[each.at], number, " to ".join(ends), Mark(each.number, low, high))


def _draw(curve: tuple[tuple[int, float], ...], axis: Axis, box: tuple[float, float] | None) -> str:
    """Through the middles of the steps, since how high each one is is not known."""
    points, before = [(0.0, 1.0)], 0.0
    for number, until in curve:
        points.append((axis.position(number), 1 - (before + until) / 2))
        before = until
    points.append((1.0, 0.0))
    return "".join([*ground(axis), svg.line("plot__curve", points, box)])
