"""What of a question enters an analysis: all its answers, one against all others, or the mean of its numbers."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from mechanisms import Matrix, Mechanism
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.wire import Integers, PickedOptions
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.packed_counts import Counts, unpack

# A report with at most so many options is stored as one whole number.
MOST_PACKED_OPTIONS = 62


@dataclass(frozen=True)
class SurveyVariable:
    """choice: an answer against all others; None for all of them, and for a mean. item: as its reader sees it
    (`ReaderView.frozen`). as_number: whether whoever declined to give a number is left out.
    """

    item: QuestionDefinition
    choice: int | None = None
    as_number: bool = False

    @property
    def name(self) -> str:
        """As an address names it: "tax:1", "region"."""
        return self.item.key if self.choice is None else f"{self.item.key}:{self.choice}"

    @property
    def short(self) -> str:
        """As sentences name it: a yes/no question by its short name, which means Yes; else with the answer."""
        own = self.item.short or f"“{self.item.full_text}”"
        if self.choice is None or (
            self.item.traits.has_yes and self.item.size == 2 and self.choice
        ):
            return own
        return f"{own}, “{self.item.choices[self.choice]}”"

    @property
    def is_scrambled(self) -> bool:
        return self.item.mechanism is not None

    @property
    def is_mean(self) -> bool:
        """Whether it is a number, of which a mean is explained or compared and no share."""
        return self.choice is None and (
            not self.item.tells_shares or self.item.traits.is_background_number
        )

    @property
    def answers(self) -> list[int | None]:
        """Those whose share is looked at; of a mean None alone."""
        if self.is_mean or self.choice is not None:
            return [self.choice]
        return list(range(self.mechanism.size))

    @cached_property
    def unbiased_values(self) -> tuple[FloatArray, FloatArray | None]:
        """Of a mean, for each kind of report: what its mean given the truth is the number, and where somebody may have
        declined to give one (for whom it is 0), what its mean given the truth is whether they gave one.
        """
        unbiased = self.item.mechanism.unbiased_weights if self.item.mechanism else np.asarray
        numbers, given = self._wanted
        return unbiased(numbers), None if given is None else unbiased(given)

    @property
    def _wanted(self) -> tuple[FloatArray, FloatArray | None]:
        """The number of each truth, 0 where none was given; and whether one was, where that may not be."""
        numbers = np.array(self.item.answer_values, np.float64)
        if not self.item.aside:
            return numbers, None
        return np.append(numbers, 0.0), np.append(np.ones(len(numbers)), 0.0)

    def least_variances(self, means: FloatArray) -> FloatArray:
        """Of a mean: the least variance of a report's scores beside each of these means, whoever answered what."""
        mechanism, (numbers, given) = self.item.mechanism, self._wanted
        if mechanism is None:
            return np.zeros(len(means))
        distinct, places = np.unique(
            means if given is not None else np.zeros(len(means)), return_inverse=True
        )
        each = [
            mechanism.least_variance(numbers if given is None else numbers - mean * given)
            for mean in distinct
        ]
        return np.array(each)[places]

    @cached_property
    def mechanism(self) -> Mechanism:
        """Whose reports `reports` gives: of one answer that of two answers, no (0) and yes (1), where there is one."""
        if self.item.mechanism is None:
            return Matrix.identity(2 if self.choice is not None else self.item.size)
        return (
            self.item.mechanism
            if self.choice is None or not self.is_of_two
            else one_against_others(*self._report_probabilities)
        )

    @property
    def is_of_two(self) -> bool:
        """Whether reports of this answer and of all others are all that there is to know: not for any matrix."""
        return self.choice is not None and (
            self.item.mechanism is None or self.item.mechanism.line() is not None
        )

    @property
    def answer(self) -> int | None:
        """The answer of `mechanism` that is looked at; None for all."""
        return 1 if self.is_of_two else self.choice

    @property
    def _report_probabilities(self) -> tuple[Fraction, Fraction]:
        """The probabilities that a report supports the answer if it is false, and if it is true."""
        chances = self.item.mechanism.probabilities()
        if self.item.mechanism.in_groups:
            return chances[0][1], chances[1][1]
        other = 0 if self.choice else 1
        return chances[other][self.choice], chances[self.choice][self.choice]

    @property
    def n_report_values(self) -> int:
        """The number of values a report can take."""
        if self.is_of_two:
            return 2
        return (
            self.item.report_format.size
            if isinstance(self.item.report_format, Integers)
            else 2**self.item.report_format.option_count
        )

    @property
    def is_too_wide(self) -> bool:
        if self.is_of_two or not (self.item.mechanism and self.item.mechanism.in_groups):
            return False
        return (
            self.item.report_format.option_count is None
            or self.item.report_format.option_count > MOST_PACKED_OPTIONS
        )

    @property
    def leaves_out(self) -> bool:
        """Whether some people may be left out because they declined."""
        return self.as_number and self.item.decline_code is not None

    def read(self, column: np.ndarray) -> tuple[IntArray, BoolArray | None]:
        """Stored reports -> their kinds, and who is looked at: of marks those who were asked this one."""
        wire = self.item.report_format
        if isinstance(wire, Integers):
            kinds = self._speaks(column) if self.is_of_two else column
            return kinds.astype(
                np.int64
            ), column != self.item.decline_code if self.leaves_out else None
        if self.is_of_two and isinstance(wire, PickedOptions):
            marks = wire.spread(column)[:, self.choice]
            return (marks == 1).astype(np.int64), marks >= 0
        if self.is_of_two:
            byte, bit = divmod(self.choice, 8)
            return (column[:, byte] >> (7 - bit) & 1).astype(np.int64), None
        return _number(column, wire.option_count), None

    def reports(self, kinds: IntArray) -> np.ndarray:
        """Kinds -> reports as `mechanism` takes them: whole numbers, or 0 and 1 of shape (n, marks)."""
        if self.is_of_two or isinstance(self.item.report_format, Integers):
            return kinds
        octets = kinds.astype(">u8").view(np.uint8).reshape(-1, 8)
        return np.unpackbits(octets, axis=1)[:, -self.item.report_format.option_count :]

    def counts(self, kinds: IntArray, people: IntArray) -> IntArray:
        """How often each answer of `mechanism` is reported, where so many people have a report of each kind."""
        if self.is_of_two or isinstance(self.item.report_format, Integers):
            return np.bincount(kinds, people, self.mechanism.size).astype(np.int64)
        return np.array([people @ (kinds >> shift & 1) for shift in self._shifts])

    def supports(self, kinds: IntArray, answer: int) -> BoolArray:
        """Return which kinds of reports support an answer."""
        if self.is_of_two or isinstance(self.item.report_format, Integers):
            return kinds == answer
        marked: BoolArray = (kinds >> self._shifts[answer] & 1) > 0
        return marked

    @property
    def _shifts(self) -> IntArray:
        """Where the mark of each answer stands in a kind."""
        return np.arange(self.item.report_format.option_count - 1, -1, -1)

    def _speaks(self, column: np.ndarray) -> BoolArray:
        """Which stored reports, whole numbers, are for the answer."""
        said: BoolArray = column == self.choice
        return self.item.mechanism.supports(column, self.choice) if self.item.mechanism else said

    def counted(self, counts: Counts, n: int) -> list[int] | None:
        """How often each kind is among n reports that were only counted; None where that cannot be known."""
        own, wire = unpack(counts), self.item.report_format
        if not self.is_of_two:
            return own.tolist() if isinstance(wire, Integers) and not self.is_too_wide else None
        if isinstance(wire, Integers):
            spoken = int(own[self._speaks(np.arange(len(own)))].sum())
            return [n - spoken, spoken]
        asked = int(own[wire.size + self.choice]) if isinstance(wire, PickedOptions) else n
        return [asked - int(own[self.choice]), int(own[self.choice])]


def _number(column: np.ndarray, marks: int) -> IntArray:
    """Packed marks as one whole number each."""
    found = np.zeros(len(column), np.int64)
    for byte in range(column.shape[1]):
        found = found << 8 | column[:, byte]
    return found >> (-marks % 8)


def one_against_others(false: Fraction, true: Fraction) -> Matrix:
    """Return the mechanism of one answer against all others."""
    den = lcm(false.denominator, true.denominator)
    rows = [[den - int(chance * den), int(chance * den)] for chance in (false, true)]
    return Matrix(rows, den)
