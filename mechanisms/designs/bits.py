"""Mechanisms whose report is one bit per answer: unary encoding and subset selection."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.popcount import column_sums
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.mixtures import MOST_STEPS, BitMixture, maximum
from mechanisms.estimation.tallies import Tally

Reports = ArrayLike | Sequence[str]


class BitMechanism(Mechanism):
    """Reports of `size` bits: an array of 0 and 1 of shape (n, size), or n strings of '0' and '1'.

    p: P(bit is set | the answer is true). q: P(bit is set | it is not). Exact fractions.
    """

    p: Fraction
    q: Fraction

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        return ((1 - self.q, self.q), (1 - self.p, self.p))

    def contrast(self, answer: int = 0) -> Contrast:
        return Contrast("marks", self.p, self.q)

    @property
    def tells_by_rows(self) -> bool:
        return self.select == "one"

    def line(self) -> Line:
        return Line(np.full(self.size, float(self.q)), np.full(self.size, float(self.p - self.q)))

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """Reports of shape (n, size), uint8.

        truths: whole numbers of shape (n,); for choose-all-that-apply an array of 0 and 1 of shape (n, size).
        """
        return np.unpackbits(self.randomize_packed(truths, rng), axis=1, count=self.size)

    @abstractmethod
    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """The same reports packed as for `tally_packed`: shape (n, ceil(size / 8)), uint8."""

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        return self.randomize_packed(truths, rng)

    def tally(self, reports: Reports, *, pairs: bool = False) -> Tally:
        """Count the set bits of every answer.

        pairs: also count, for each two answers, the reports with both bits set, shape (size, size); a sum of
        choose-all-that-apply answers needs it for its error.
        """
        rows = checks.bits("reports", reports, self.size)
        return self.tally_packed(np.packbits(rows, axis=1), pairs=pairs)

    def tally_packed(self, packed: ArrayLike, *, pairs: bool = False) -> Tally:
        """The tally of numpy.packbits(reports, axis=1): shape (n, ceil(size / 8)), dtype uint8."""
        rows = checks.packed_bits("packed", packed, self.size)
        self.check_rows(rows)
        counts = column_sums(rows, self.size)
        return Tally(len(rows), counts, pair_counts(rows, self.size) if pairs else None)

    def check_rows(self, packed: BitArray) -> None:
        """ValueError for rows that this mechanism cannot have reported."""

    def maximum_likelihood(self, reports: Reports) -> FloatArray:
        """From reports of shape (n, size), or n strings, by expectation-maximization on the distinct ones.

        For choose-all-that-apply each share maximizes the likelihood of its own bit.
        """
        return self.maximum_likelihood_packed(
            np.packbits(checks.bits("reports", reports, self.size), axis=1)
        )

    def maximum_likelihood_packed(
        self, packed: ArrayLike, work: float = math.inf, times: IntArray | None = None
    ) -> FloatArray:
        """The same from reports packed as for `tally_packed`.

        times: how often each of them came, shape (n,), where they are all different; by default each row is a report.
        work: how many distinct reports, times size, times steps of the search there may be; ConvergenceError where the
        maximum takes more. A processor of 2020 does some 10**8 of these in a second.
        """
        rows = checks.packed_bits("packed", packed, self.size)
        self.check_rows(rows)
        if len(rows) == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self._maximum(rows, work, times)

    def _maximum(self, packed: BitArray, work: float, times: IntArray | None) -> FloatArray:
        mixture = BitMixture(packed, self.size, *self.bit_likelihoods(), times)
        return maximum(mixture, int(min(MOST_STEPS, work // mixture.cells)))

    @property
    @abstractmethod
    def max_report_probability(self) -> float:
        """The largest chance of any single report under any truth."""

    @abstractmethod
    def bit_likelihoods(self) -> tuple[float, float]:
        """A report's chance given an answer, where its bit is set and where not, up to a common factor."""

    @abstractmethod
    def log_scale(self, marks: FloatArray) -> FloatArray:
        """The logarithm of the factor that `bit_likelihoods` leaves out, where the unset one is 1, for reports with so
        many bits set. Of designs whose bits give answers away 0.
        """

    @abstractmethod
    def _possible(self, tally: Tally) -> bool: ...

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (self.size,) or not self._possible(tally):
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are the {self.size} counts of a tally of {self!r}"
            )


def pair_counts(packed: BitArray, size: int) -> checks.IntArray:
    """How many rows have both bits set, shape (size, size)."""
    total = np.zeros((size, size), dtype=np.int64)
    step = max(1, 2**20 // size)  # below 2**24 rows a float32 product counts exactly
    for start in range(0, len(packed), step):
        rows = np.unpackbits(packed[start : start + step], axis=1, count=size).astype(np.float32)
        total += (rows.T @ rows).astype(np.int64)
    return total
