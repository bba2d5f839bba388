"""The base class of mechanisms with one bit per answer: unary encoding and subset selection."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.chance.popcount import column_sums
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.columns import Missing, checked_labels, row_column
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.mixtures import MOST_STEPS, BitMixture, maximum
from mechanisms.estimation.tallies import Tally

# Rows of the numbers 0 and 1, or strings of these characters.
Reports = ArrayLike | Sequence[str]


class BitMechanism(Mechanism):
    """
    The base class of mechanisms whose reports have one bit for each answer.

    A report supports an answer if its bit is set.

    Reports are an array of 0 and 1 of shape (n, size), or n strings of the characters 0 and 1.
    Packed reports are ``numpy.packbits(reports, axis=1)``: eight answers in a byte.

    Attributes
    ----------
    p : Fraction
        The probability that the bit of an answer is set if the answer is true.
    q : Fraction
        The probability that the bit of an answer is set if the answer is not true.
    """

    p: Fraction
    q: Fraction

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the probabilities of one bit, as ``rows[bit][reported bit]``, 2 x 2.

        The bit of an answer that is true is 1, and that of any other answer is 0.
        """
        return ((1 - self.q, self.q), (1 - self.p, self.p))

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities that the bit of an answer is set: p and q, alike for all."""
        return Contrast("marks", chosen=self.p, other=self.q)

    @property
    def tells_by_rows(self) -> bool:
        """True for one choice, where all bits of one report depend on the same truth.

        Then whole reports hold more information about the shares than the counts of their bits.
        """
        return self.select == "one"

    def line(self) -> Line:
        """Return the line offset + slope * true share of the observed shares.

        Both are the same for all answers: the offset is q, and the slope is p - q.
        """
        return Line(
            offset=np.full(self.size, float(self.q)),
            slope=np.full(self.size, float(self.p - self.q)),
        )

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> BitArray:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like of int, shape (n,) or (n, size)
            The codes of the true answers, or their labels; for a multiple selection rows of 0 and
            1. A series, a categorical or a data frame of pandas or polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of uint8, shape (n, size)
            The reports, as bits 0 and 1.
        """
        if self.select == "one":
            codes: NDArray[Any] = self.true_codes(truths, labels, missing)
        else:
            codes = self.true_rows(truths, labels, missing)
        return np.unpackbits(self.randomize_packed(codes, rng), axis=1, count=self.size)

    @abstractmethod
    def randomize_packed(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """
        Draw the same reports as `randomize`, with eight answers packed into each byte.

        Parameters
        ----------
        truths : array_like of int, shape (n,) or (n, size)
            The codes of the true answers; for a multiple selection rows of 0 and 1.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of uint8, shape (n, ceil(size / 8))
            The packed reports.
        """

    def randomize_stored(self, truths: ArrayLike, rng: Seed = None) -> BitArray:
        """Draw the same reports as `randomize`, packed as records hold them: `randomize_packed`."""
        return self.randomize_packed(truths, rng)

    def tally(
        self,
        reports: Any,
        *,
        pairs: bool = False,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> Tally:
        """
        Count the set bits of every answer.

        Parameters
        ----------
        reports : array_like of int, shape (n, size), or sequence of str
            The reports. A data frame and a series of strings are possible too.
        pairs : bool, default False
            True to count also the reports in which two bits are set, for each pair of answers. The
            error of a sum of answers of a multiple selection needs these counts.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (size,), and the pairs (size, size).

        Raises
        ------
        ValueError
            If the shape is wrong, or if a report is impossible.
        """
        names = checked_labels(labels, self.size)
        column = row_column("reports", reports, names, missing)
        rows = checks.bits("reports", column.values, self.size)
        tally = self.tally_packed(np.packbits(rows, axis=1), pairs=pairs)
        return tally.described(names, column.missing)

    def tally_packed(self, packed: ArrayLike, *, pairs: bool = False) -> Tally:
        """
        Count the set bits of packed reports.

        Parameters
        ----------
        packed : array_like of uint8, shape (n, ceil(size / 8))
            The packed reports.
        pairs : bool, default False
            True to count also the reports in which two bits are set, as in `tally`.

        Returns
        -------
        Tally
            The counts have shape (size,), and the pairs (size, size).

        Raises
        ------
        ValueError
            If the shape is wrong, or if a report is impossible.
        """
        rows = checks.packed_bits("packed", packed, self.size)
        self.check_rows(rows)
        counts = column_sums(rows, self.size)
        pair_table = pair_counts(rows, self.size) if pairs else None
        return Tally(len(rows), counts, pair_table)

    def check_rows(self, packed: BitArray) -> None:
        """
        Check that this mechanism can have reported every row.

        This base class accepts every row. Subset selection overrides it, since its rows have a
        fixed number of ones. The padding after the last answer is not checked here.

        Parameters
        ----------
        packed : ndarray of uint8, shape (n, ceil(size / 8))
            The packed reports.

        Raises
        ------
        ValueError
            If a row is impossible.
        """

    def maximum_likelihood(self, reports: Reports) -> FloatArray:
        """
        Return the shares with the largest likelihood, by expectation-maximization.

        The likelihood of a report is the sum over all answers of their share times the probability
        of the report given the answer. For a multiple selection no search is needed: each share
        maximizes the likelihood of its own bit.

        Parameters
        ----------
        reports : array_like of int, shape (n, size), or sequence of str
            The reports.

        Returns
        -------
        ndarray of float64, shape (size,)
            The shares, from 0 to 1. For one choice they sum to 1.

        Raises
        ------
        ValueError
            If there are no reports, or if they are not possible.
        ConvergenceError
            If the maximum is not reached.
        """
        rows = checks.bits("reports", reports, self.size)
        return self.maximum_likelihood_packed(np.packbits(rows, axis=1))

    def maximum_likelihood_packed(
        self, packed: ArrayLike, work: float = math.inf, times: IntArray | None = None
    ) -> FloatArray:
        """
        Return the shares with the largest likelihood, from packed reports.

        It is `maximum_likelihood` for large numbers of reports, with a limit for its effort.

        Parameters
        ----------
        packed : array_like of uint8, shape (n, ceil(size / 8))
            The packed reports.
        work : float, optional
            The limit for the product of the number of distinct reports, `size`, and the number of
            steps. A processor of 2020 does about 10**8 of this unit in a second.
        times : ndarray of int64, shape (n,), optional
            How often each row was reported. Then all rows must be different. By default each row
            is one report.

        Returns
        -------
        ndarray of float64, shape (size,)
            The shares.

        Raises
        ------
        ValueError
            If there are no reports, or if they are not possible.
        ConvergenceError
            If the maximum is not reached within `work`.
        """
        rows = checks.packed_bits("packed", packed, self.size)
        self.check_rows(rows)
        if len(rows) == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self._maximum(rows, work, times)

    def _maximum(self, packed: BitArray, work: float, times: IntArray | None) -> FloatArray:
        """Return the shares with the largest likelihood, for checked arguments.

        packed, work, times: as for `maximum_likelihood_packed`.
        """
        if_set, if_unset = self.bit_likelihoods()
        # The shares are those of a mixture of `size` distributions of reports, one for each answer.
        mixture = BitMixture(packed, self.size, if_set, if_unset, times=times)
        # One step looks at every cell: at each answer of each distinct report. `work` may be
        # infinite, for which a whole-number division would give no number.
        most_steps = int(min(MOST_STEPS, work / mixture.cells))
        return maximum(mixture, most_steps)

    @property
    @abstractmethod
    def max_report_probability(self) -> float:
        """The largest probability of any single report under any truth.

        It limits how probable it is that many respondents send the same report. The quality checks
        use it to find reports that repeat too often (`diagnostics.chance_of_repeats`).
        """

    @abstractmethod
    def bit_likelihoods(self) -> tuple[float, float]:
        """
        Return the likelihoods of an answer if its bit is set, and if it is not.

        The likelihood of an answer is the probability of a report given that the answer is true.
        Only the ratio of the two matters for estimating shares.

        Returns
        -------
        if_set, if_unset : float
            The probabilities, without a factor that both have in common.
        """

    @abstractmethod
    def log_scale(self, ones: FloatArray) -> FloatArray:
        """
        Return the log-likelihood of reports given an answer whose bit is not set.

        For an answer whose bit is set, ln(if_set / if_unset) of `bit_likelihoods` is added.
        Regressions need it to state a log-likelihood, but not to find its maximum.

        Parameters
        ----------
        ones : ndarray of float64, shape (n,)
            The number of set bits in each report.

        Returns
        -------
        ndarray of float64, shape (n,)
            The logarithms. They are 0 for designs in which one bit can reveal the answer.
        """

    @abstractmethod
    def _has_possible_counts(self, tally: Tally) -> bool:
        """Return whether reports of this mechanism can have the counts of a tally.

        `check_tally` has already checked their shape.
        """

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless reports of this mechanism can have these counts of set bits."""
        if tally.counts.shape != (self.size,) or not self._has_possible_counts(tally):
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are the {self.size} counts of a tally of {self!r}"
            )


def pair_counts(packed: BitArray, size: int) -> checks.IntArray:
    """
    Return how many rows have two bits set, for each pair of bits.

    The errors of sums of options, and the associations of options, are computed from these counts.

    Parameters
    ----------
    packed : ndarray of uint8, shape (n, ceil(size / 8))
        The packed rows.
    size : int
        The number of bits of a row.

    Returns
    -------
    ndarray of int64, shape (size, size)
        The counts. The diagonal has the counts of single bits.
    """
    total = np.zeros((size, size), dtype=np.int64)
    # About 2**20 cells at a time need little memory. A float32 holds whole numbers up to 2**24
    # exactly, and no part has as many rows.
    step = max(1, 2**20 // size)
    for start in range(0, len(packed), step):
        rows = np.unpackbits(packed[start : start + step], axis=1, count=size).astype(np.float32)
        # A product of two bits is 1 if both are set. The matrix product adds these over all rows.
        total += (rows.T @ rows).astype(np.int64)
    return total
