"""Designs that are a matrix: the report is an answer, drawn from the row of the true answer."""

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import draw
from mechanisms.chance.integers import Rows, log_ratio
from mechanisms.chance.simulate import uniforms
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed, format_probability
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import clipped
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally


class MatrixMechanism(Mechanism):
    """
    The base class of designs with a matrix of probabilities.

    Reports are whole numbers from 0 to size - 1, in arrays of shape (n,).

    Attributes
    ----------
    rows : tuple of tuples of int
        The weights ``rows[truth][report]``. Each row sums to `den`.
    parameters : dict of str to str
        The fractions from which the design was created, by name.
    """

    kind = "matrix"
    wire: Integers
    keys = frozenset({"kind", "design", "parameters", "den", "rows"})
    constrained_by = "maximum likelihood"
    parameters: dict[str, str]
    rows: Rows

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss: the largest log ratio of two probabilities of one report."""
        columns = zip(*self.rows, strict=True)
        return max(log_ratio(max(column), min(column)) for column in columns)

    @property
    def free_shares(self) -> int:
        """The number of shares that simultaneous intervals count.

        It is 1 for two answers, since their shares sum to 1 and the second one follows from the
        first. For more answers all shares count.
        """
        return 1 if self.size == 2 else self.size

    @property
    def parameter_texts(self) -> dict[str, str]:
        """The parameters by name, as texts."""
        return self.parameters

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities of reporting an answer if it is true, and if not."""
        rows = self.probabilities()
        if self.size == 2:
            return Contrast("pair", chosen=rows[answer][answer], other=rows[1 - answer][answer])
        if not self._treats_all_alike:
            raise ValueError(
                "There are no words yet for a matrix that treats several answers differently."
            )
        return Contrast("direct", chosen=rows[0][0], other=rows[0][1])

    @property
    def _treats_all_alike(self) -> bool:
        """True if one weight is everywhere on the diagonal, and one everywhere else."""
        truthful_weights: set[int] = set()
        other_weights: set[int] = set()
        for truth, row in enumerate(self.rows):
            truthful_weights.add(row[truth])
            other_weights.update(row[:truth] + row[truth + 1 :])
        return len(truthful_weights) == 1 and len(other_weights) == 1

    def in_words(self) -> str:
        """Describe what happens to a true answer, as a part of a sentence.

        For two answers it has the probabilities that a Yes and a No are reported unchanged. For
        more answers that are all treated alike, it has those of the true answer and of any other.
        For all other matrices it has all rows.
        """
        rows = []
        for row in self.probabilities():
            rows.append([format_probability(probability) for probability in row])

        if self.size == 2:
            return (
                f"a true Yes reported as Yes with probability {rows[1][1]}, a true No with"
                f" {rows[0][1]}"
            )
        if self._treats_all_alike:
            return (
                f"{self.size} answers, the chosen one reported with probability {rows[0][0]}, each"
                f" other with {rows[0][1]}"
            )
        return f"{self.size} answers, rows of chances " + "; ".join(map(" ".join, rows))

    def describe_probabilities(self) -> list[str]:
        """Return the matrix of weights as a table in Markdown."""
        codes = " | ".join(map(str, range(self.size)))
        lines = [
            f"Chances in {self.den:,}: a row for each truth, a column for each report, by code.",
            "",
            f"| truth | {codes} |",
            "|---" * (self.size + 1) + "|",
        ]
        for truth, row in enumerate(self.rows):
            weights = " | ".join(map(str, row))
            lines.append(f"| {truth} | {weights} |")
        return lines

    def spec(self) -> dict[str, Any]:
        """Return the specification of this mechanism, which can be written as JSON."""
        return {
            "kind": "matrix",
            "design": self.name,
            "parameters": dict(self.parameters),
            "den": self.den,
            "rows": [list(row) for row in self.rows],
        }

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the matrix as exact fractions, ``rows[truth][report]``."""
        rows = []
        for row in self.rows:
            rows.append(tuple(Fraction(weight, self.den) for weight in row))
        return tuple(rows)

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """Draw one report from the row of the true answer, as the browser does."""
        row = self.rows[checks.whole("truth", truth, 0, self.size - 1)]
        return draw.sample_index(row, self.den, next_uint32)

    def randomize(self, truths: ArrayLike, rng: Seed = None) -> IntArray:
        """
        Draw reports for many truths at once.

        Parameters
        ----------
        truths : array_like of int, shape (n,)
            The codes of the true answers, from 0 to size - 1.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.

        Returns
        -------
        ndarray of int64, shape (n,)
            The reports.
        """
        answers = checks.indices("truths", truths, self.size)
        numbers = uniforms(checks.generator(rng), self.den, answers.size).astype(np.int64)

        if self.size == 2:
            # The report is 1 from the weight of report 0 on: the first step of the answer's row.
            first_steps = self._steps[::2][answers] - answers * self.den
            return (numbers >= first_steps).astype(np.int64)

        # All rows are one sorted table, in which each is shifted by truth * den. One search in it
        # replaces a search in the row of every respondent.
        indexes = np.searchsorted(self._steps, numbers + answers * self.den, side="right")
        return indexes.astype(np.int64) - answers * self.size

    @cached_property
    def _steps(self) -> IntArray:
        """The cumulative weights of each row, shifted by truth * den, shape (size * size,)."""
        steps = np.cumsum(np.array(self.rows, dtype=np.int64), axis=1)
        return (steps + np.arange(self.size)[:, np.newaxis] * self.den).ravel()

    def tally(self, reports: ArrayLike) -> Tally:
        """
        Count the reports.

        Parameters
        ----------
        reports : array_like of int, shape (n,)
            Whole numbers from 0 to size - 1.

        Returns
        -------
        Tally
            The counts have shape (size,).

        Raises
        ------
        ValueError
            If a report is not a whole number from 0 to size - 1.
        """
        answers = checks.indices("reports", reports, self.size)
        return Tally(answers.size, np.bincount(answers, minlength=self.size))

    def check_tally(self, tally: Tally) -> None:
        """Check that a tally is possible. Raises ValueError if it is not."""
        if tally.counts.shape != (self.size,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are {self.size} counts that sum to n"
            )

    def least_variance(self, scores: FloatArray) -> float:
        """Return the smallest variance, over all truths, of one report's weight."""
        # A report alone decodes to shares, and its weight is the mean score under these shares.
        weights = np.array([self.decode(report) @ scores for report in np.eye(self.size)])
        variances = self.floats @ weights**2 - scores**2
        # A rounding error can make a variance of 0 slightly negative.
        return max(float(variances.min()), 0.0)

    def share_covariance(self, tally: Tally) -> FloatArray:
        """Return the multinomial covariance of the reports, shape (size, size)."""
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    @cached_property
    def floats(self) -> FloatArray:
        """The matrix of probabilities as floats, for estimation, shape (size, size)."""
        return np.array(self.rows, dtype=np.float64) / self.den

    @cached_property
    def _yes_no_line(self) -> Line:
        """The line from true to observed shares of two answers.

        The offset of an answer is the probability with which the other one is reported as it.
        """
        (_, yes_if_no), (no_if_yes, yes_if_yes) = self.rows
        slope = yes_if_yes - yes_if_no
        return Line(
            offset=np.array([no_if_yes, yes_if_no]) / self.den,
            slope=np.array([slope, slope]) / self.den,
        )

    def line(self) -> Line | None:
        """Return the line from true to observed shares, or None for three or more answers."""
        return self._yes_no_line if self.size == 2 else None

    def constrain(self, tally: Tally) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares of two answers.

        The likelihood of one share has a single peak. If the peak is outside [0, 1], the nearer
        end of the interval is the maximum.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (2,)
            Shares from 0 to 1 that sum to 1.
        """
        yes = clipped(self.decode(tally.counts / tally.n))[1]
        return np.array([1 - yes, yes])

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares.

        The counts of the reports determine it, so it equals the constrained estimate.

        Parameters
        ----------
        reports : array_like of int, shape (n,)
            Whole numbers from 0 to size - 1.

        Returns
        -------
        ndarray of float64, shape (size,)
            Shares from 0 to 1 that sum to 1.

        Raises
        ------
        ValueError
            If there are no reports.
        """
        tally = self.tally(reports)
        if tally.n == 0:
            raise ValueError("reports is empty; allowed is at least one report")
        return self.constrain(tally)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({arguments})"
