"""What the reports to a sensitive number or scale say: the mean, and what else they support.

All numbers are in the question's own unit; a scale counts from 1. Where some chose “Prefer not to say”, all is about
those who gave a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from mechanisms import Estimate, Functional, Mechanism, Tally
from mechanisms.estimation.quantiles import LEAST_N, Quantile
from surveys.definition.instrument import QuestionDefinition
from surveys.site.shape import ApiResult, api_field

WIDE = 0.20  # of what can be answered: a range of the mean that is wider supports no number
WIDEST = 0.05  # the standard error of a share at most, beyond which it is not shown
MOST_NUMBERS = 301  # whose quartiles are told: of more a page would wait for seconds
MOST_ROWS = 60  # of a table of what was reported
CUTS = 10  # into how many parts a long range is cut for shares at most
SMOOTH = "only the overall shape is reliable"


def is_wide(width: float, first: float, last: float) -> bool:
    """Return whether the range of a mean is too wide for a number. first, last: what can be answered."""
    return width > WIDE * (last - first)


@dataclass(frozen=True)
class Quartile(ApiResult):
    """At least a quarter, half or three quarters of the answers are at most `number`."""

    at: float = api_field("at least this share of the answers are at most this number")
    number: int = api_field()
    interval: tuple[int, int] = api_field()
    withheld: bool = api_field(
        "whether the page leaves it out: its range, or that of the mean, is too wide", default=False
    )


@dataclass(frozen=True)
class AtMost:
    """The share of answers up to a number."""

    number: int
    found: Functional


@dataclass(frozen=True)
class Average:
    """numbers: all that could be answered. labels: the points of a scale. basis: what the library estimated, with at
    least one report. is_quick: whether quartiles are left out, which take a while. ValueError for a mean where
    nobody seems to have given a number."""

    numbers: range
    unit: str
    labels: tuple[str, ...]
    aside: bool
    basis: Estimate = field(repr=False, compare=False)
    is_quick: bool = False

    @cached_property
    def mean(self) -> Functional:
        value, error, (low, high) = self._functional(np.arange(len(self.numbers)))
        first, step = self.numbers.start, self.numbers.step
        return Functional(
            first + step * value, step * error, (first + step * low, first + step * high)
        )

    @cached_property
    def quartiles(self) -> tuple[Quartile, ...]:
        """None of fewer than 200 reports, of a design that tells shares, or of very many numbers."""
        mechanism, n = self.basis.mechanism, self.basis.n
        if (
            self.is_quick
            or mechanism.tells_shares
            or n < LEAST_N
            or len(self.numbers) > MOST_NUMBERS
        ):
            return ()
        found = _quantiles(mechanism, n, self._counts, self.basis.confidence)
        ends = [(self.numbers[each.interval[0]], self.numbers[each.interval[1]]) for each in found]
        return tuple(
            Quartile(each.at, self.numbers[each.value], end)
            for each, end in zip(found, ends, strict=True)
        )

    @cached_property
    def at_most(self) -> tuple[AtMost, ...]:
        """Those shares whose standard error allows them to be shown."""
        found = [
            (place, self._functional(np.arange(len(self.numbers)) <= place))
            for place in self._cuts()
        ]
        return tuple(
            AtMost(self.numbers[place], each)
            for place, each in found
            if each.standard_error <= WIDEST
        )

    @cached_property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """Of the likeliest distribution (number, share of answers up to it), where that rises; ends at 1."""
        shares = _likeliest(self.basis.mechanism, self.basis.n, self._counts)[: len(self.numbers)]
        until = np.cumsum(shares)
        if not until[-1]:
            return ()
        places = np.flatnonzero(shares)
        return tuple(
            (self.numbers[place], float(until[place] / until[-1])) for place in places.tolist()
        )

    @property
    def counts(self) -> list[tuple[int, int, int]]:
        """(first, last, how often) of the numbers as they were reported, put together where there are many."""
        counts = self.basis.tally.counts
        width = -(-counts.size // MOST_ROWS)
        starts = range(0, counts.size, width)
        return [
            (at, min(at + width, counts.size) - 1, int(counts[at : at + width].sum()))
            for at in starts
        ]

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.basis.tally.counts.tolist())

    def _cuts(self) -> Sequence[int]:
        last = len(self.numbers) - 1
        return range(last) if last <= CUTS else [last * part // CUTS for part in range(1, CUTS)]

    def _functional(self, wanted: np.ndarray) -> Functional:
        given = np.append(wanted.astype(np.float64), np.zeros(int(self.aside)))
        if not self.aside:
            return self.basis.functional(given)
        return self.basis.mean_ratio(given, np.append(np.ones(len(self.numbers)), 0.0))


# A page asks for both more than once, and they are the same for the same counts.
@lru_cache(maxsize=1024)
def _likeliest(mechanism: Mechanism, n: int, counts: tuple[int, ...]) -> np.ndarray:
    return mechanism.constrain(Tally(n, counts))


@lru_cache(maxsize=1024)
def _quantiles(
    mechanism: Mechanism, n: int, counts: tuple[int, ...], confidence: float
) -> list[Quantile]:
    likeliest = _likeliest(mechanism, n, counts)
    return mechanism.quantiles(Tally(n, counts), confidence=confidence, likeliest=likeliest)


def average(item: QuestionDefinition, estimate: Estimate | None) -> Average | None:
    """Of an ordered question with reports that say something of its numbers; else None."""
    if not item.is_ordered or estimate is None:
        return None
    labels = () if item.traits.is_number else item.choices[: len(item.answer_values)]
    found = Average(item.answer_values, item.unit, labels, item.aside, estimate)
    try:
        _ = found.mean
    except ValueError:  # all seem to have declined
        return None
    return found
