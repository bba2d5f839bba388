"""The mean, the quartiles and the shares that the reports to a sensitive number or scale support.

All numbers are in the unit of the question; a scale has its written values, or counts from 1. Where
some chose “Prefer not to say”, everything is about those who gave a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from mechanisms import Estimate, Functional, Mechanism, Tally
from mechanisms.estimation.quantiles import LEAST_N, Quantile
from surveys.definition.instrument import QuestionDefinition
from surveys.statements.family import Family
from surveys.statements.means import (
    MeanStatement,
    QuartileStatement,
    mean_statement,
    quartile_statements,
)
from surveys.statements.shares import ShareStatement, share_of

# Quartiles of more numbers than these are not estimated, since a page would wait for seconds.
MOST_NUMBERS = 301
# The most rows of a table of what was reported.
MOST_ROWS = 60
# A long range of numbers is cut into so many parts for the shares up to a number.
CUTS = 10
SMOOTH = "only the overall shape is reliable"
# How the intervals of means and of sums of shares are computed.
WALD = "wald"


@dataclass(frozen=True)
class AtMost:
    """The share of answers up to a number."""

    number: int
    functional: Functional
    statement: ShareStatement


@dataclass(frozen=True)
class Average:
    """The answers to a sensitive number or scale, of people who gave a number.

    numbers: all that could be answered.
    labels: the points of a scale.
    aside: whether people could choose “Prefer not to say”.
    basis: what the library estimated, with at least one report.
    is_quick: whether quartiles are left out, which take a while.
    name: the short name of the question.
    """

    numbers: range
    unit: str
    labels: tuple[str, ...]
    aside: bool
    basis: Estimate = field(repr=False, compare=False)
    is_quick: bool = False
    name: str = ""

    @cached_property
    def mean(self) -> Functional:
        """The mean with its error and interval.

        ValueError if nobody seems to have given a number.
        """
        indexes = self._functional(np.arange(len(self.numbers)))
        first = self.numbers.start
        step = self.numbers.step
        low, high = indexes.interval
        return Functional(
            value=first + step * indexes.value,
            standard_error=step * indexes.standard_error,
            interval=(first + step * low, first + step * high),
        )

    @cached_property
    def statement(self) -> MeanStatement:
        """The statement about the mean."""
        return mean_statement(
            self.mean,
            self.numbers,
            n=self.basis.n,
            confidence=self.basis.confidence,
            method=WALD,
            name=self.name,
            unit=self.unit,
            labels=self.labels,
        )

    @cached_property
    def quartiles(self) -> tuple[QuartileStatement, ...]:
        """The statements about the three quartiles.

        There are none of fewer than 200 reports, of a design for shares, and of very many numbers.
        """
        if self.is_quick or self.basis.mechanism.tells_shares:
            return ()
        if self.basis.n < LEAST_N or len(self.numbers) > MOST_NUMBERS:
            return ()
        confidence = self.basis.confidence
        quantiles = _quantiles(self.basis.mechanism, self.basis.n, self._counts, confidence)
        return quartile_statements(
            quantiles, self.numbers, n=self.basis.n, confidence=confidence, unit=self.unit
        )

    @property
    def shown_quartiles(self) -> list[QuartileStatement]:
        """The quartiles whose ranges are narrow enough for a number."""
        return [quartile for quartile in self.quartiles if quartile.is_shown]

    @property
    def median_sentence(self) -> str:
        """The sentence about the median; "" if it is not shown."""
        for quartile in self.shown_quartiles:
            if quartile.is_median:
                return quartile.sentence
        return ""

    @cached_property
    def at_most(self) -> tuple[AtMost, ...]:
        """The shares up to some numbers, without those whose range is too wide."""
        shares = []
        for index in self._cuts():
            functional = self._functional(np.arange(len(self.numbers)) <= index)
            statement = share_of(
                functional.value,
                functional.interval,
                n=self.basis.n,
                method=WALD,
                family=Family(confidence=self.basis.confidence),
            )
            if not statement.quantity.is_too_wide(statement.interval):
                shares.append(AtMost(self.numbers[index], functional, statement))
        return tuple(shares)

    @cached_property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """Pairs of a number and the share of answers up to it, in the likeliest distribution.

        Only numbers at which the share rises are listed, so that the last share is 1.
        """
        likeliest = _likeliest(self.basis.mechanism, self.basis.n, self._counts)
        shares = likeliest[: len(self.numbers)]
        cumulated = np.cumsum(shares)
        total = cumulated[-1]
        if not total:
            return ()
        pairs = []
        for index in np.flatnonzero(shares).tolist():
            pairs.append((self.numbers[index], float(cumulated[index] / total)))
        return tuple(pairs)

    @property
    def counts(self) -> list[tuple[int, int, int]]:
        """Triples of the first and last reported number of a row, and the number of its reports."""
        counts = self.basis.tally.counts
        width = -(-counts.size // MOST_ROWS)
        rows = []
        for first in range(0, counts.size, width):
            end = min(first + width, counts.size)
            rows.append((first, end - 1, int(counts[first:end].sum())))
        return rows

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self.basis.tally.counts.tolist())

    def _cuts(self) -> Sequence[int]:
        """Return the indexes of the numbers up to which shares are estimated."""
        last = len(self.numbers) - 1
        if last <= CUTS:
            return range(last)
        return [last * part // CUTS for part in range(1, CUTS)]

    def _functional(self, wanted: np.ndarray) -> Functional:
        """Return the mean of a function of the numbers, among those who gave a number."""
        values = wanted.astype(np.float64)
        if not self.aside:
            return self.basis.functional(values)
        has_number = np.append(np.ones(len(self.numbers)), 0.0)
        return self.basis.mean_ratio(np.append(values, 0.0), has_number)


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
    """Return what the reports to an ordered question support, or None if they say nothing of it.

    That is so for other questions, without reports, and where everyone seems to have declined.
    """
    if not item.is_ordered or estimate is None:
        return None
    labels: tuple[str, ...] = ()
    if not item.traits.is_number:
        labels = item.choices[: len(item.answer_values)]
    result = Average(
        numbers=item.answer_values,
        unit=item.unit,
        labels=labels,
        aside=item.aside,
        basis=estimate,
        name=item.short,
    )
    try:
        _ = result.mean
    except ValueError:
        return None
    return result
