"""Rounding: the printed number and range, which still hold what the computed range promises."""

import math
from dataclasses import dataclass

# A range has as many decimals as make it at least this many units of its last digit long. With
# fewer, the rounding outwards would make it visibly longer than it is.
LEAST_UNITS = 6
MOST_DECIMALS = 4
# A value that is a whole unit, except for floating-point error, stays where it is.
TOLERANCE = 1e-9
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Rounding:
    """A range with both ends rounded outwards, and the decimals that its number has too.

    All values are in the unit that is printed, so shares are in per cent.

    low, high: the ends, rounded outwards.
    decimals: the number of decimals of the ends, and of the number inside.
    """

    low: float
    high: float
    decimals: int

    @classmethod
    def for_range(cls, low: float, high: float, least_decimals: int = 0) -> "Rounding":
        """Return the range with the fewest decimals that it needs.

        A range of one value has the decimals of this value. If the range excludes 0, no end becomes
        0: the range gets more decimals, also beyond MOST_DECIMALS. Otherwise a clear difference
        would seem to include 0.
        """
        if low == high:
            decimals = max(_decimals_of_value(low), least_decimals)
        else:
            decimals = max(_decimals_of_width(high - low), least_decimals)
        while True:
            rounded_low = round_down(low, decimals)
            rounded_high = round_up(high, decimals)
            low_became_zero = low > 0 >= rounded_low
            high_became_zero = high < 0 <= rounded_high
            if not low_became_zero and not high_became_zero:
                # Adding 0.0 turns a negative zero into a positive one.
                return cls(low=rounded_low + 0.0, high=rounded_high + 0.0, decimals=decimals)
            decimals += 1

    def round(self, value: float) -> float:
        """Return a value of this range, rounded to the nearest. It stays in the printed range."""
        nearest = round_to_nearest(value, self.decimals)
        return min(max(nearest, self.low), self.high)

    def text(self, value: float) -> str:
        """Return a rounded value as text, with a real minus sign. Zero has no decimals."""
        if value == 0:
            return "0"
        return f"{value:.{self.decimals}f}".replace("-", MINUS)


def round_to_nearest(value: float, decimals: int) -> float:
    """Return the nearest number with so many decimals; of two that are as near, the larger one.

    Shares of a few thousand people often lie in the middle of two printed numbers. There, the
    rounding of Python depends on floating-point errors, so two ways to one share would differ.
    """
    unit = 10.0**decimals
    return math.floor(value * unit + 0.5 + TOLERANCE) / unit + 0.0


def round_down(value: float, decimals: int) -> float:
    """Return the largest number with so many decimals that is at most `value`."""
    unit = 10.0**decimals
    return math.floor(value * unit + TOLERANCE) / unit


def round_up(value: float, decimals: int) -> float:
    """Return the smallest number with so many decimals that is at least `value`."""
    unit = 10.0**decimals
    return math.ceil(value * unit - TOLERANCE) / unit


def _decimals_of_width(width: float) -> int:
    """Return the fewest decimals with which a range is at least LEAST_UNITS units long."""
    for decimals in range(MOST_DECIMALS):
        units = width * 10.0**decimals
        if units >= LEAST_UNITS - TOLERANCE:
            return decimals
    return MOST_DECIMALS


def _decimals_of_value(value: float) -> int:
    """Return the fewest decimals that show a value as it is, at most MOST_DECIMALS."""
    for decimals in range(MOST_DECIMALS):
        if abs(round(value, decimals) - value) <= TOLERANCE:
            return decimals
    return MOST_DECIMALS
