"""The scale of a figure: from 0, in round steps; zoomed in where everything would vanish behind a dot."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from surveys.site.number_format import format_percent

MOST_STEPS = 6
ENDS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # shares at which a scale that begins at 0 may end
LEAST_TOP = ENDS[0]
DOT = 0.022  # of a scale: about the width of a dot
AROUND = 2  # widths of the range left free to either side where the scale is zoomed
BELOW = 0.02  # of the scale kept free beyond what leaves the possible
EDGE = 1.0  # per cent from an end within which a label is turned inwards
FIRST_SCALE = (0.0, LEAST_TOP)


@dataclass(frozen=True)
class Axis:
    """From low to high in steps. unit: stands at the last label only."""

    low: float
    high: float
    step: float
    unit: str = "%"
    is_share: bool = True
    is_zoomed: bool = False
    is_from_zero: ClassVar[bool] = True  # and not from where two things are the same
    marks: tuple[float, ...] = field(init=False)

    def __post_init__(self) -> None:
        first = math.ceil(max(self.low, 0.0 if self.is_share else self.low) / self.step - 1e-9)
        last = math.floor(self.high / self.step + 1e-9)
        object.__setattr__(
            self, "marks", tuple(number * self.step for number in range(first, last + 1))
        )

    def position(self, value: float) -> float:
        """Return where a value lies on the axis, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def css_position(self, value: float) -> str:
        """Return the position of a value in percent, as CSS."""
        return f"{100 * min(max(self.position(value), 0.0), 1.0):.3f}%"

    def contains(self, value: float) -> bool:
        """Return whether a value lies on the axis."""
        return self.low <= value <= self.high

    @property
    def ticks(self) -> list[tuple[str, str, str, bool]]:
        """(place, words, anchor, whether it can be spared on a narrow screen) for each mark."""
        last, found = len(self.marks) - 1, []
        for number, value in enumerate(self.marks):
            words = self._words(value) + (self.unit if number == last else "")
            at = 100 * self.position(value)
            anchor = "start" if at < EDGE else "end" if at > 100 - EDGE else "middle"
            is_end = number == last or abs(value) < self.step / 2
            spare = last > 3 and not is_end and (number % 2 == 1 or number == last - last % 2)
            found.append((self.css_position(value), words, anchor, spare))
        return found

    @property
    def zeros(self) -> list[float]:
        """Where a line says that something ends: nobody, and where the scale goes on beyond it everybody."""
        return [
            end
            for end in (0.0, 1.0)
            if self.is_share and self.contains(end) and (end == 0 or self.high > 1)
        ]

    def _words(self, value: float) -> str:
        return self._percent(value) if self.is_share else f"{value:g}"

    def _percent(self, value: float) -> str:
        digits = 0 if self.step >= 0.01 - 1e-12 else 1 if self.step >= 0.001 - 1e-12 else 2
        return format_percent(value, digits).removesuffix("%")


@dataclass(frozen=True)
class Differences(Axis):
    """Of shares, in percentage points, or of numbers: 0 is no difference."""

    of_shares: bool = True
    is_from_zero = False

    @property
    def zeros(self) -> list[float]:
        return [0.0]

    def _words(self, value: float) -> str:
        if abs(value) < self.step / 2:
            return "same"
        return self._percent(value) if self.of_shares else f"{value:g}".replace("-", "−")


def step_for(span: float, most: int = MOST_STEPS) -> float:
    """The smallest round step, 1, 2 or 5 times a power of ten, of which there are not more than `most`."""
    power = 10.0 ** math.floor(math.log10(span / most))
    return next(
        power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= most + 1e-9
    )


def shares_axis(ranges: Iterable[tuple[float, float]], also: Iterable[float] = ()) -> Axis:
    """For ranges (low, high) of shares; also: single shares it should hold unless it is zoomed."""
    ranges = list(ranges) or [FIRST_SCALE]
    low, high = min(0.0, *(a for a, _ in ranges)), max(LEAST_TOP, *(b for _, b in ranges), *also)
    return _zoomed(ranges, high - low) or _from_zero(low, high)


def _from_zero(low: float, high: float) -> Axis:
    top = (
        high + BELOW * (high - low) if high > 1 else next(end for end in ENDS if high <= end + 1e-9)
    )
    step = step_for(top - low)
    return Axis(low - BELOW * (top - low) if low < 0 else 0.0, top, step)


def _zoomed(ranges: list[tuple[float, float]], span: float) -> Axis | None:
    """A part of the scale, where every range is narrower than a dot and all of them lie close together."""
    first, last = min(a for a, _ in ranges), max(b for _, b in ranges)
    widest = max(b - a for a, b in ranges)
    around = AROUND * max(widest, (last - first) / 4)
    if (
        not 0 < widest < DOT * span
        or last - first > span / 4
        or first - around <= 0
        or last + around >= 1
    ):
        return None
    step = step_for(last - first + 2 * around, most=5)
    low, high = math.floor((first - around) / step) * step, math.ceil((last + around) / step) * step
    return Axis(low, high, step, is_zoomed=True) if low > 0 else None


def numbers_axis(low: float, high: float, most: int = MOST_STEPS) -> Axis:
    """For whole numbers from low to high, in whole steps."""
    step = max(1.0, step_for(max(high - low, 1), most))
    return Axis(low, max(high, low + 1), step, unit="", is_share=False)


def differences_axis(ranges: Iterable[tuple[float, float]], *, of_shares: bool = True) -> Axis:
    """For ranges (low, high) of differences of shares, in percentage points, or of numbers; 0 is always on it."""
    ranges = list(ranges) or [(-LEAST_TOP, LEAST_TOP)]
    low, high = min(0.0, *(a for a, _ in ranges)), max(0.0, *(b for _, b in ranges))
    step = step_for(max(high - low, 0.01))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ends = first * step, max(last, first + 1) * step
    return Differences(*ends, step, unit="", is_share=False, of_shares=of_shares)
