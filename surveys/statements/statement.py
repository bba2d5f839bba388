"""A statement about one number: whether it is shown, with which digits, and in which words."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from surveys.site.shape import ApiResult, api_field
from surveys.statements.family import ALONE, Family
from surveys.statements.quantity import Quantity
from surveys.statements.rounding import MINUS, Rounding, round_to_nearest

# What stands in a table in place of a number that is not supported.
NO_NUMBER = "–"


class State(StrEnum):
    """The states of a statement: its range supports a number, a bound, or neither."""

    NUMBER = "shown"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    WITHHELD = "withheld"
    IMPOSSIBLE = "impossible"
    TOO_FEW = "too_few"


@dataclass(frozen=True)
class Printed(ApiResult):
    """The number and the range as pages print them, in the unit that is printed."""

    number: float | None = api_field("null where no number is supported")
    low: float | None = api_field("the lower end, rounded down")
    high: float | None = api_field("the upper end, rounded up")
    decimals: int = api_field()
    unit: str = api_field()


@dataclass(frozen=True)
class Statement:
    """A number with its interval, and everything that is said about it.

    n: the number of reports behind it.
    estimate: the unbiased estimate.
    interval: its ends as they were computed. Like the estimate they can be impossible values.
    method: how the interval was computed: "wilson", "score", "newcombe" and so on.
    family: the statements that are decided together with this one.
    least_n: from so many reports on there is a statement.
    least_decimals: the number and the range have at least so many decimals, for example those of
        another statement in the same sentence.
    """

    quantity: Quantity
    n: int
    estimate: float
    interval: tuple[float, float]
    method: str = ""
    family: Family = ALONE
    least_n: int = 0
    least_decimals: int = 0

    @cached_property
    def state(self) -> State:
        """Whether the range supports a number, a bound, or neither."""
        low, high = self.interval
        if self.n < self.least_n:
            return State.TOO_FEW
        if self.quantity.is_impossible(self.interval):
            return State.IMPOSSIBLE
        if self.quantity.is_too_wide(self.interval):
            return State.WITHHELD
        if self.quantity.has_bounds and low <= self.quantity.lowest:
            return State.AT_MOST
        if self.quantity.has_bounds and high >= self.quantity.highest:
            return State.AT_LEAST
        return State.NUMBER

    @property
    def is_shown(self) -> bool:
        """True if there is a number, or a bound in its place."""
        return self.state in (State.NUMBER, State.AT_MOST, State.AT_LEAST)

    @property
    def is_bound(self) -> bool:
        """True if the statement is a bound: “at most 4.2%”."""
        return self.state in (State.AT_MOST, State.AT_LEAST)

    @property
    def is_impossible(self) -> bool:
        """True if the interval holds no possible value."""
        return self.state == State.IMPOSSIBLE

    @property
    def is_withheld(self) -> bool:
        """True if there is a range, but neither a number nor a mark for it."""
        return self.state in (State.WITHHELD, State.TOO_FEW)

    @property
    def has_no_number(self) -> bool:
        """True if no number is supported, whether or not the range is a possible one."""
        return self.is_withheld or self.quantity.is_too_wide(self.interval)

    @property
    def is_grey(self) -> bool:
        """True if a figure draws the range in grey, because it shows how little is known."""
        return not self.is_shown

    @cached_property
    def rounding(self) -> Rounding:
        """The possible part of the range, rounded outwards."""
        low, high = self.interval
        return Rounding.for_range(
            low=self.quantity.factor * self.quantity.clip(low),
            high=self.quantity.factor * self.quantity.clip(high),
            least_decimals=self.least_decimals,
        )

    @property
    def rounded_estimate(self) -> float:
        """The possible number that is nearest to the estimate, as it is printed."""
        possible = self.quantity.clip(self.estimate)
        return self.rounding.round(self.quantity.factor * possible)

    @property
    def low_text(self) -> str:
        """The lower end without its unit: "24.1"."""
        return self._end_text(self.rounding.low)

    @property
    def high_text(self) -> str:
        """The upper end without its unit: "29.5"."""
        return self._end_text(self.rounding.high)

    @property
    def estimate_text(self) -> str:
        """The number with its unit, also where a bound is shown in its place: "26.8%"."""
        return f"{self.rounding.text(self.rounded_estimate)}{self.quantity.unit}"

    @property
    def unbiased_text(self) -> str:
        """The unbiased estimate with its unit, which can be an impossible value: "−0.2%"."""
        value = round_to_nearest(self.quantity.factor * self.estimate, self.rounding.decimals)
        return f"{self.rounding.text(value)}{self.quantity.unit}"

    @property
    def number(self) -> str:
        """The number in large print: "26.8%"; of a bound "≤ 4.2%"; "" if none is supported."""
        if self.state == State.NUMBER:
            return self.estimate_text
        if self.state == State.AT_MOST:
            return f"≤ {self.high_text}{self.quantity.unit}"
        if self.state == State.AT_LEAST:
            return f"≥ {self.low_text}{self.quantity.unit}"
        return ""

    @property
    def number_or_dash(self) -> str:
        """The number in a table, and a dash if none is supported."""
        if not self.is_shown:
            return NO_NUMBER
        return self.number

    @property
    def number_in_words(self) -> str:
        """The number in a sentence: "26.8%", "at most 4.2%", "between 12% and 40%"."""
        unit = self.quantity.unit
        if self.is_impossible:
            return f"no possible {self.quantity.noun}"
        if self.state == State.NUMBER:
            return self.estimate_text
        if self.state == State.AT_MOST:
            return f"at most {self.high_text}{unit}"
        if self.state == State.AT_LEAST:
            return f"at least {self.low_text}{unit}"
        low = f"{self.low_text}%" if unit == "%" else self.low_text
        return f"between {low} and {self.high_text}{unit}"

    @property
    def range(self) -> str:
        """The range beside a number, with the unit once: "24.1 to 29.5%"; "" if impossible."""
        if self.is_impossible:
            return ""
        return f"{self.low_text} to {self.high_text}{self.quantity.unit}"

    @property
    def range_in_words(self) -> str:
        """The range behind a number in a sentence: "24.1% to 29.5%", "0 to 4.2%", "4.4 to 5.2".

        Only the per cent sign is repeated. Another unit stands behind the number already.
        """
        if self.quantity.unit != "%":
            return f"{self.low_text} to {self.high_text}"
        low = self.low_text
        if low != "0":
            low += "%"
        return f"{low} to {self.high_text}%"

    @property
    def number_without_unit(self) -> str:
        """The number in a column whose heading has the unit: "4.8"; "" if none is supported."""
        return self.number.removesuffix(self.quantity.unit)

    @property
    def number_with_range(self) -> str:
        """The number and its range in a sentence: "12.3% (95% range 8.1% to 16.7%)"."""
        if self.is_impossible:
            return self.number_in_words
        if self.is_shown:
            return f"{self.number_in_words} ({self.family.range_name} {self.range_in_words})"
        return f"{self.number_in_words} ({self.family.range_name})"

    @property
    def printed(self) -> Printed:
        """The number and its range for programs, with the digits of the pages."""
        number = None
        if self.state == State.NUMBER:
            number = self.rounded_estimate
        low: float | None = self.rounding.low
        high: float | None = self.rounding.high
        if self.is_impossible:
            low = high = None
        return Printed(
            number=number,
            low=low,
            high=high,
            decimals=self.rounding.decimals,
            unit=self.quantity.unit.strip(),
        )

    def _end_text(self, value: float) -> str:
        """Return an end of the range. An end of all that is possible is exact: "0" and "100"."""
        bounds = (
            self.quantity.factor * self.quantity.lowest,
            self.quantity.factor * self.quantity.highest,
        )
        if value in bounds and value == round(value):
            return f"{value:.0f}".replace("-", MINUS)
        return self.rounding.text(value)
