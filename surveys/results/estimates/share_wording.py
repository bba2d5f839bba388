"""A share as people say it: "about 1 in 4", "at most 1 in 100"; never more than its range supports."""

from dataclasses import dataclass
from math import ceil, floor

from surveys.authoring.planning.precision import ROUGH
from surveys.definition.routing.conditions import Whom
from surveys.site.number_format import digits_in_view, percent, short_range

WIDE = 2 * ROUGH  # a longer range supports no number, as authors are told before the survey
FEW = 0.05  # a share that is at most so large is called “hardly anyone”
NEAR = 0.1  # how far a simple fraction may be from the estimate, as a part of the rarer side
ONE_IN = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 100, 150, 200, 250, 300, 400, 500, 1000)
OTHERS = ((3, 10), (4, 10), (6, 10), (2, 3), (7, 10), (3, 4), (8, 10), (9, 10), (19, 20), (99, 100))
SIMPLE = [(1 / n, f"1 in {n}" if n > 2 else "half") for n in ONE_IN] + [(k / n, f"{k} in {n}") for k, n in OTHERS]
NICE = (*range(20, 101, 10), 150, 200, 300, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True)
class Said:
    """A share with its range, fractions, as the estimator gave them: they may leave the range from 0 to 1."""

    estimate: float
    low: float
    high: float

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
        return digits_in_view(self.high - self.low)

    @property
    def number(self) -> str:
        """The possible share nearest to the estimate: "27%"."""
        return percent(possible(self.estimate), self.digits)

    @property
    def headline(self) -> str:
        """The number beside a sentence: of a bound the bound itself, rounded outwards: "27%", "≤ 5%"."""
        if self.low <= 0:
            return f"≤ {ceil(100 * possible(self.high) - 1e-9)}%"
        if self.high >= 1:
            return f"≥ {floor(100 * possible(self.low) + 1e-9)}%"
        return self.number

    @property
    def range(self) -> str:
        """ "24 to 29%", as far as it is possible."""
        return short_range(possible(self.low), possible(self.high), self.digits)

    @property
    def bounds(self) -> str:
        """ "between 24 and 29%", "at most 29%"."""
        low, high = percent(self.low, self.digits), percent(self.high, self.digits)
        if self.low <= 0 and self.high >= 1:
            return "anything from 0 to 100%"
        if self.low <= 0:
            return f"at most {high}"
        if self.high >= 1:
            return f"at least {low}"
        return f"between {low.removesuffix('%')} and {high}"

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
        return percent(self.estimate, max(self.digits, 1))


def possible(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _at_most(high: float) -> str:
    """The bound is never said smaller than it is."""
    if high > FEW:
        return f"at most {ceil(100 * high - 1e-9)}%"
    return f"at most 1 in {max(n for n in NICE if 1 / n >= high or n == NICE[0]):,}"


def _at_least(low: float) -> str:
    if low < 1 - FEW:
        return f"at least {floor(100 * low + 1e-9)}%"
    n = max(n for n in NICE if 1 / n >= 1 - low or n == NICE[0])
    return f"at least {n - 1:,} in {n:,}"


def of_whom(whom: Whom | str, sentence: str, stress: str) -> tuple[str, str]:
    """The same about the people who were asked it: “Among people who answered “Third year” to “Year of study”, …”.

    whom: of a question with a condition, else nothing. stress: the words of the sentence that carry it.
    """
    if not whom:
        return sentence, stress
    first = sentence[:1].lower() + sentence[1:]
    return f"Among people who {whom.among}, {first}", stress if stress in first else stress[:1].lower() + stress[1:]
