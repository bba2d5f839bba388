"""Variables of an analysis: all answers to a question, one of them, or the mean of its numbers."""

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

# The most options of a report that is made one whole number.
MOST_PACKED_OPTIONS = 62


@dataclass(frozen=True)
class SurveyVariable:
    """A question in an analysis.

    Its reports have kinds, which are whole numbers: 0 and 1 for a single answer, the code of the
    report for most designs, and the bits of a report as one number for the others.

    item: the question as its reader sees it.
    choice: the code of an answer, compared with all others; None for all answers, and for the mean.
    as_number: True if people who declined to give a number are left out.
    """

    item: QuestionDefinition
    choice: int | None = None
    as_number: bool = False

    @property
    def name(self) -> str:
        """The name in addresses: "tax:1", "region"."""
        if self.choice is None:
            return self.item.key
        return f"{self.item.key}:{self.choice}"

    @property
    def short(self) -> str:
        """The name in sentences: the short name, with the answer unless it is Yes of Yes and No."""
        name = self.item.short or f"“{self.item.full_text}”"
        is_yes = self.item.traits.has_yes and self.item.size == 2 and self.choice
        if self.choice is None or is_yes:
            return name
        return f"{name}, “{self.item.choices[self.choice]}”"

    @property
    def is_scrambled(self) -> bool:
        """True if a mechanism randomizes the answers."""
        return self.item.mechanism is not None

    @property
    def is_mean(self) -> bool:
        """True if the mean of the numbers is explained or compared, and no share."""
        has_no_shares = not self.item.tells_shares or self.item.traits.is_background_number
        return self.choice is None and has_no_shares

    @property
    def answers(self) -> list[int | None]:
        """The codes of the answers whose shares are looked at; only None for a mean."""
        if self.is_mean or self.choice is not None:
            return [self.choice]
        return list(range(self.mechanism.size))

    @cached_property
    def unbiased_values(self) -> tuple[FloatArray, FloatArray | None]:
        """The values that each kind of report decodes to in an analysis of the mean.

        The first array has the expectation of the number; for people who declined, it is 0. The
        second one has the expectation of 1 for people who gave a number, and 0 for those who
        declined. It is None if no one can decline.
        """
        numbers, gave_number = self._truth_values
        if self.item.mechanism is None:
            return numbers, gave_number
        weights = self.item.mechanism.unbiased_weights
        return weights(numbers), None if gave_number is None else weights(gave_number)

    @property
    def _truth_values(self) -> tuple[FloatArray, FloatArray | None]:
        """The number of each truth, and whether it is a number, as of `unbiased_values`."""
        numbers = np.array(self.item.answer_values, np.float64)
        if not self.item.aside:
            return numbers, None
        return np.append(numbers, 0.0), np.append(np.ones(len(numbers)), 0.0)

    def least_variances(self, means: FloatArray) -> FloatArray:
        """Return the least variance that the decoded reports can have beside each mean."""
        mechanism = self.item.mechanism
        if mechanism is None:
            return np.zeros(len(means))
        numbers, gave_number = self._truth_values
        if gave_number is None:
            return np.full(len(means), mechanism.least_variance(numbers))
        # The residual of a number is its distance from the mean, and that of a decline is 0.
        distinct_means, indexes = np.unique(means, return_inverse=True)
        variances = [
            mechanism.least_variance(numbers - mean * gave_number) for mean in distinct_means
        ]
        return np.array(variances)[indexes]

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism of the reports that `reports` returns.

        For a single answer it has the two answers no (0) and yes (1), if there is such a mechanism.
        """
        if self.item.mechanism is None:
            return Matrix.identity(self.item.size if self.choice is None else 2)
        if self.choice is None or not self.is_of_two:
            return self.item.mechanism
        return one_against_others(*self._report_probabilities)

    @property
    def is_of_two(self) -> bool:
        """True if a report about the single answer says all there is to know: yes or no.

        This does not hold for a matrix of more than two answers.
        """
        if self.choice is None:
            return False
        return self.item.mechanism is None or self.item.mechanism.line() is not None

    @property
    def answer(self) -> int | None:
        """The code of the answer in `mechanism`; None for all answers."""
        return 1 if self.is_of_two else self.choice

    @property
    def _report_probabilities(self) -> tuple[Fraction, Fraction]:
        """The probabilities that a report supports the answer if it is false, and if it is true."""
        probabilities = self.item.mechanism.probabilities()
        if self.item.mechanism.in_groups:
            return probabilities[0][1], probabilities[1][1]
        other_answer = 0 if self.choice else 1
        return probabilities[other_answer][self.choice], probabilities[self.choice][self.choice]

    @property
    def _has_whole_numbers(self) -> bool:
        """True if a kind is the report itself, because it is a whole number already."""
        return self.is_of_two or isinstance(self.item.report_format, Integers)

    @property
    def n_report_values(self) -> int:
        """The number of kinds of reports."""
        if self.is_of_two:
            return 2
        report_format = self.item.report_format
        if isinstance(report_format, Integers):
            return report_format.size
        return 2**report_format.option_count

    @property
    def is_too_wide(self) -> bool:
        """True if a report has too many options to be one whole number."""
        mechanism = self.item.mechanism
        if self.is_of_two or mechanism is None or not mechanism.in_groups:
            return False
        option_count = self.item.report_format.option_count
        return option_count is None or option_count > MOST_PACKED_OPTIONS

    @property
    def leaves_out(self) -> bool:
        """True if people who declined are left out."""
        return self.as_number and self.item.decline_code is not None

    def read(self, column: np.ndarray) -> tuple[IntArray, BoolArray | None]:
        """Return the kinds of stored reports, and a mask of the people who are looked at.

        The mask is None if all are. Where devices pick options, it selects the people whose report
        is about the answer.
        """
        report_format = self.item.report_format
        if isinstance(report_format, Integers):
            kinds = self._supporting_reports(column) if self.is_of_two else column
            mask = column != self.item.decline_code if self.leaves_out else None
            return kinds.astype(np.int64), mask
        if self.is_of_two and isinstance(report_format, PickedOptions):
            bits = report_format.spread(column)[:, self.choice]
            # A bit that was not picked is negative.
            return (bits == 1).astype(np.int64), bits >= 0
        if self.is_of_two:
            byte, bit = divmod(self.choice, 8)
            return (column[:, byte] >> (7 - bit) & 1).astype(np.int64), None
        return _bits_as_numbers(column, report_format.option_count), None

    def reports(self, kinds: IntArray) -> np.ndarray:
        """Return reports as `mechanism` takes them: whole numbers, or bits of shape (n, options)."""
        if self._has_whole_numbers:
            return kinds
        octets = kinds.astype(">u8").view(np.uint8).reshape(-1, 8)
        return np.unpackbits(octets, axis=1)[:, -self.item.report_format.option_count :]

    def counts(self, kinds: IntArray, people: IntArray) -> IntArray:
        """Return how often each answer of `mechanism` is reported.

        kinds: distinct kinds of reports.
        people: the number of people with each kind.
        """
        if self._has_whole_numbers:
            return np.bincount(kinds, people, self.mechanism.size).astype(np.int64)
        return np.array([people @ (kinds >> shift & 1) for shift in self._shifts])

    def supports(self, kinds: IntArray, answer: int) -> BoolArray:
        """Return which kinds of reports support an answer."""
        if self._has_whole_numbers:
            return kinds == answer
        supported: BoolArray = (kinds >> self._shifts[answer] & 1) > 0
        return supported

    @property
    def _shifts(self) -> IntArray:
        """The position of the bit of each option in a kind, counted from the last bit."""
        return np.arange(self.item.report_format.option_count - 1, -1, -1)

    def _supporting_reports(self, column: np.ndarray) -> BoolArray:
        """Return which stored reports, which are whole numbers, support the answer."""
        if self.item.mechanism is not None:
            return self.item.mechanism.supports(column, self.choice)
        is_answer: BoolArray = column == self.choice
        return is_answer

    def counted(self, counts: Counts, n: int) -> list[int] | None:
        """Return how often each kind occurs in n reports that were only counted.

        Returns None if the counts do not tell.
        """
        numbers = unpack(counts)
        report_format = self.item.report_format
        if not self.is_of_two:
            if isinstance(report_format, Integers) and not self.is_too_wide:
                return numbers.tolist()
            return None
        if isinstance(report_format, Integers):
            supporting = self._supporting_reports(np.arange(len(numbers)))
            yes = int(numbers[supporting].sum())
            return [n - yes, yes]
        yes = int(numbers[self.choice])
        if isinstance(report_format, PickedOptions):
            # The counts of an option as it was set are followed by how often it was picked.
            n = int(numbers[report_format.size + self.choice])
        return [n - yes, yes]


def _bits_as_numbers(column: np.ndarray, option_count: int) -> IntArray:
    """Return packed bits as one whole number each."""
    numbers = np.zeros(len(column), np.int64)
    for byte in range(column.shape[1]):
        numbers = numbers << 8 | column[:, byte]
    # The last byte is filled with bits that belong to no option.
    return numbers >> (-option_count % 8)


def one_against_others(false: Fraction, true: Fraction) -> Matrix:
    """Return the mechanism of one answer, compared with all others together.

    false, true: the probabilities that a report supports the answer if it is false, and if it is
        true.
    """
    denominator = lcm(false.denominator, true.denominator)
    rows = []
    for probability in (false, true):
        supporting = int(probability * denominator)
        rows.append([denominator - supporting, supporting])
    return Matrix(rows, denominator)
