"""In what a difference is told: of shares in percentage points, of means in the unit of their numbers."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Literal

from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.figures.axes import Axis, differences_axis
from surveys.results.report.numeric_results import digits
from surveys.site.number_format import decimals_excluding_zero, format_percent, points_in_view

Interval = tuple[float, float]
SCALE = "scale"


class Measure(ABC):
    """unit: what stands behind a size, with a space before it, or nothing. ways: the words for below and above.
    of: what is compared, "shares" or "means". column: what stands above numbers.
    """

    of: Literal["shares", "means"]
    unit: str
    column: str
    ways: tuple[str, str] = ("lower", "higher")

    @property
    def of_numbers(self) -> str:
        """In what differences are: " percentage points"; of numbers without a unit these themselves."""
        return self.unit or " these numbers"

    @property
    def short_unit(self) -> str:
        """Behind a size that stands beside its range: " points"."""
        return self.unit

    @abstractmethod
    def digits(self, ends: Interval) -> int:
        """Return the decimals of a difference with this interval. No end that excludes 0 is written as 0."""

    @abstractmethod
    def amount(self, difference: float, ends: Interval | None = None) -> str:
        """Return its size without unit and sign, cut to what is possible, with the digits that `ends` support."""

    @abstractmethod
    def value(self, value: float, ends: Interval | None = None) -> str:
        """Of one group by itself."""

    @abstractmethod
    def up_to(self, size: float) -> str:
        """A size rounded up: "9 points", "2.1 hours"."""

    @abstractmethod
    def axis(self, ranges: Iterable[Interval]) -> Axis:
        """For ranges of differences."""

    def way(self, difference: float) -> str:
        return self.ways[difference >= 0]

    def signed(self, difference: float, ends: Interval | None = None) -> str:
        """ "+2.1", "−8.2"; a zero has no sign."""
        words = self.amount(difference, ends)
        return words if not float(words) else f"{'−' if difference < 0 else '+'}{words}"

    def signed_range(self, ends: Interval) -> str:
        return " to ".join(self.signed(end, ends) for end in ends)


@dataclass(frozen=True)
class Points(Measure):
    """Of shares. is_slope: whether the difference is for each ten more of a number, so that it has no largest size."""

    is_slope: bool = False
    of, unit, column = "shares", " percentage points", "points"
    short_unit = " points"  # type: ignore[assignment]

    def amount(self, difference: float, ends: Interval | None = None) -> str:
        size = abs(difference) if self.is_slope else min(abs(difference), 1.0)
        return points_in_view(size, 1 if ends is None else self.digits(ends))

    def digits(self, ends: Interval) -> int:
        low, high = ends
        return decimals_excluding_zero((100 * low, 100 * high), 1)

    def value(self, value: float, ends: Interval | None = None) -> str:
        return format_percent(value)

    def up_to(self, size: float) -> str:
        points = ceil(100 * min(size, 1) - 1e-9)
        return f"{points} point{'' if points == 1 else 's'}"

    def axis(self, ranges: Iterable[Interval]) -> Axis:
        return differences_axis(ranges)


@dataclass(frozen=True)
class Units(Measure):
    """Of means. item: a sensitive number, a scale, or a background number.

    is_slope: as of Points.
    """

    item: QuestionDefinition
    is_slope: bool = False
    of = "means"

    @property
    def unit(self) -> str:  # type: ignore[override]
        if self.item.kind == SCALE:
            return " points of the scale"
        return f" {self.item.unit}" if self.item.unit else ""

    @property
    def column(self) -> str:  # type: ignore[override]
        return self.item.unit or "difference"

    @property
    def ways(self) -> tuple[str, str]:  # type: ignore[override]
        return ("fewer", "more") if self.item.unit else ("lower", "higher")

    def amount(self, difference: float, ends: Interval | None = None) -> str:
        size = abs(difference)
        if not self.is_slope:
            size = min(size, float(self.item.answer_values[-1] - self.item.answer_values[0]))
        return f"{size:.{self._digits() if ends is None else self.digits(ends)}f}"

    def digits(self, ends: Interval) -> int:
        return decimals_excluding_zero(ends, self._digits(ends))

    def value(self, value: float, ends: Interval | None = None) -> str:
        return f"{value:.{self._digits(ends)}f}".replace("-", "−")

    def up_to(self, size: float) -> str:
        ten = 10 ** self._digits((-size, size))
        return f"{ceil(size * ten - 1e-9) / ten:g}{self.unit}"

    def axis(self, ranges: Iterable[Interval]) -> Axis:
        return differences_axis(ranges, of_shares=False)

    def _digits(self, ends: Interval | None = None) -> int:
        first, last = self.item.answer_values[0], self.item.answer_values[-1]
        return digits(ends[1] - ends[0] if ends else (last - first) / 20)


POINTS = Points()


def measure(part: SurveyVariable, *, is_slope: bool = False) -> Measure:
    """Return in what a difference of what is explained or compared is told. is_slope: as of Points."""
    return Units(part.item, is_slope) if part.is_mean else Points(is_slope)
