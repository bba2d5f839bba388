"""A share as people say it: "about 1 in 4", "at most 1 in 100"; never more than its range supports."""

from dataclasses import dataclass
from math import ceil

from surveys.definition.routing.condition_wording import ConditionText
from surveys.site.number_format import digits_in_view, format_percent, short_range
from surveys.statements.quantity import WIDEST

WIDE = WIDEST
NEAR = 0.1  # how far a simple fraction may be from the estimate, as a part of the rarer side
ONE_IN = (2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 25, 30, 40, 50, 100, 150, 200, 250, 300, 400, 500, 1000)
OTHERS = ((3, 10), (4, 10), (6, 10), (2, 3), (7, 10), (3, 4), (8, 10), (9, 10), (19, 20), (99, 100))
SIMPLE = [(1 / n, f"1 in {n}" if n > 2 else "half") for n in ONE_IN] + [
    (k / n, f"{k} in {n}") for k, n in OTHERS
]
BOUNDS = (
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1,
    1.5,
    2,
    2.5,
    3,
    4,
    5,
)  # per cents of a bound; above them whole ones


@dataclass(frozen=True)
class Said:
    """A share with its range, fractions, as the estimator gave them: they may leave the range from 0 to 1."""

    estimate: float
    low: float
    high: float
    decimals: int | None = None  # where it stands in a column; else those that its own range needs

    @property
    def is_impossible(self) -> bool:
        """Whether no possible share is in the range."""
        return self.high < 0 or self.low > 1

    @property
    def is_wide(self) -> bool:
        """Measured before anything is cut: a range that lies mostly outside is not narrow for that."""
        return self.high - self.low > WIDE

    @property
    def digits(self) -> int:
        return digits_in_view(self.high - self.low) if self.decimals is None else self.decimals

    @property
    def number(self) -> str:
        """The possible share nearest to the estimate: "27%"."""
        return format_percent(possible(self.estimate), self.digits)

    @property
    def headline(self) -> str:
        """The number beside a sentence: of a bound the bound itself, rounded outwards: "27%", "≤ 5%"."""
        if self.low <= 0:
            return f"≤ {_bound(self.high):g}%"
        if self.high >= 1:
            return f"≥ {_rest(self.low):g}%"
        return self.number

    @property
    def range(self) -> str:
        """ "24 to 29%", as far as it is possible."""
        return short_range(possible(self.low), possible(self.high), self.digits)

    @property
    def span(self) -> str:
        """The same in a sentence: "24% to 29%"."""
        return " to ".join(
            format_percent(possible(end), self.digits) for end in (self.low, self.high)
        )

    @property
    def bounds(self) -> str:
        """ "between 24 and 29%", "at most 29%", which is rounded outwards."""
        if self.low <= 0 and self.high >= 1:
            return "anything from 0 to 100%"
        if self.low <= 0:
            return f"at most {_bound(self.high):g}%"
        if self.high >= 1:
            return f"at least {_rest(self.low):g}%"
        low, high = format_percent(self.low, self.digits), format_percent(self.high, self.digits)
        return f"between {low.removesuffix('%')} and {high}"

    @property
    def number_or_bound(self) -> str:
        return self.number if self.low > 0 and self.high < 1 else self.bounds

    @property
    def words(self) -> str:
        """ "about 1 in 4" where the range supports it, else its bounds."""
        if self.is_wide or self.is_impossible:
            return self.bounds
        if self.low <= 0:
            return _at_most(self.high)
        if self.high >= 1:
            return _at_least(self.low)
        return f"about {self._fraction()}"

    def _fraction(self) -> str:
        value, words = min(SIMPLE, key=lambda pair: abs(pair[0] - self.estimate))
        near = abs(value - self.estimate) <= NEAR * min(self.estimate, 1 - self.estimate)
        if near and self.low <= value <= self.high:
            return words
        whole = round(100 * self.estimate)
        if self.low <= whole / 100 <= self.high and 2 <= whole <= 98:
            return f"{whole} in 100"
        return format_percent(self.estimate, max(self.digits, 1))


def possible(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _bound(high: float) -> float:
    """Per cent, never below the end of the range."""
    end = 100 * possible(high) - 1e-9
    return next((each for each in BOUNDS if each >= end), ceil(end)) if high > 0 else 0.0


def _rest(low: float) -> float:
    """Per cent, never above the end of the range."""
    return round(100 - _bound(1 - low), 2)


def _at_most(high: float) -> str:
    one_in = 100 / _bound(high)
    return (
        f"at most 1 in {one_in:,.0f}"
        if one_in >= 20 and one_in.is_integer()
        else f"at most {_bound(high):g}%"
    )


def _at_least(low: float) -> str:
    of = 100 / _bound(1 - low)
    return (
        f"at least {of - 1:,.0f} in {of:,.0f}"
        if of >= 20 and of.is_integer()
        else f"at least {_rest(low):g}%"
    )


def of_whom(
    whom: ConditionText | str, sentence: str, stress: str, name: str = ""
) -> tuple[str, str]:
    """The same about the people who were asked it: “Among people who answered “Third year” to “Year of study”, …”.

    whom: of a question with a condition, else nothing. stress: the words of the sentence that carry it. name: of the
    question, which stays as it is where the sentence opens with it.
    """
    if not whom:
        return sentence, stress
    first = sentence if name and sentence.startswith(name) else sentence[:1].lower() + sentence[1:]
    return f"Among people who {whom.among}, {first}", stress if stress in first else stress[
        :1
    ].lower() + stress[1:]
