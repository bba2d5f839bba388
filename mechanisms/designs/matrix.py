"""Designs that are a matrix: the report is an answer, drawn from the row of the true answer."""

from collections.abc import Sequence
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
from mechanisms.columns import Missing, checked_labels, code_column
from mechanisms.designs.mechanism import Contrast, Mechanism, Seed, format_probability
from mechanisms.designs.wire import Integers
from mechanisms.estimation.constrained import clipped
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally


class MatrixMechanism(Mechanism):
    """
    The base class of designs with a matrix of probabilities, rows[truth][report] / den.

    The report is an answer. It is drawn with the probabilities in the row of the true answer.
    Reports are whole numbers from 0 to size - 1, in arrays of shape (n,).

    Attributes
    ----------
    rows : tuple of tuples of int
        The weights ``rows[truth][report]``. Each row sums to `den`.
    parameters : dict of str to str
        The fractions from which the design was created, by name.
    """

    kind = "matrix"
    has_one_report_per_count = True
    wire: Integers
    keys = frozenset({"kind", "design", "parameters", "den", "rows"})
    constrained_by = "maximum likelihood"
    parameters: dict[str, str]
    rows: Rows

    @cached_property
    def epsilon(self) -> float:
        """The privacy loss: the largest log ratio of two probabilities of the same report.

        It is the largest ln(P(report | truth) / P(report | other truth)), and inf if one truth
        rules a report out that another one allows.
        """
        # A column has the weights of one report, one for each truth.
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
        """The fractions from which the design was created, by name, for pages about a question."""
        return self.parameters

    def contrast(self, answer: int = 0) -> Contrast:
        """Return the probabilities of reporting an answer if it is true, and if another one is.

        answer: the code of the answer. It matters only for two answers.

        Raises ValueError for three or more answers whose probabilities differ.
        """
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
        """True if one weight is everywhere on the diagonal, and one everywhere else.

        Then two probabilities describe the whole matrix: of the true answer, and of any other.
        """
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
        """Describe the matrix of weights as a table in Markdown, for codebooks: a list of lines."""
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
        """Return the specification of this mechanism, as a dictionary for JSON.

        It has the name of the design, its parameters as texts, the denominator and the rows of
        weights. Published surveys store it, and `from_spec` is the inverse.
        """
        return {
            "kind": "matrix",
            "design": self.name,
            "parameters": dict(self.parameters),
            "den": self.den,
            "rows": [list(row) for row in self.rows],
        }

    def probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the matrix of probabilities as exact fractions, ``rows[truth][report]``."""
        rows = []
        for row in self.rows:
            rows.append(tuple(Fraction(weight, self.den) for weight in row))
        return tuple(rows)

    def randomize_one(self, truth: int, next_uint32: draw.NextUint32) -> int:
        """Draw one report from the row of the true answer, as the browser does.

        truth: the code of the true answer. Raises ValueError if it is not from 0 to size - 1.
        next_uint32: returns the next random word, an integer from 0 to 2**32 - 1.
        """
        row = self.rows[checks.whole("truth", truth, 0, self.size - 1)]
        return draw.sample_index(row, self.den, next_uint32)

    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> IntArray:
        """
        Draw reports for many truths at once, for simulations and teaching.

        Parameters
        ----------
        truths : array_like, shape (n,)
            The codes of the true answers, from 0 to size - 1, or their labels. A series or a
            categorical of pandas or polars is possible too.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out.

        Returns
        -------
        ndarray of int64, shape (n,)
            The reports.
        """
        answers = self.true_codes(truths, labels, missing)
        numbers = uniforms(checks.generator(rng), self.den, answers.size).astype(np.int64)

        if self.size == 2:
            # Numbers below the weight of report 0 stand for report 0, all others for report 1.
            weights_of_report_0 = np.array([row[0] for row in self.rows], dtype=np.int64)
            return (numbers >= weights_of_report_0[answers]).astype(np.int64)

        # The report is the number of cumulative weights in the row of the truth that are not above
        # the number. All rows are one sorted table, in which the row of a truth is shifted by
        # truth * den. So one search in it replaces a search in a row for every respondent. It also
        # counts the `size` cumulative weights of each row before that of the truth.
        indexes = np.searchsorted(self._steps, numbers + answers * self.den, side="right")
        return indexes.astype(np.int64) - answers * self.size

    @cached_property
    def _steps(self) -> IntArray:
        """The cumulative weights of each row, shifted by truth * den, shape (size * size,).

        The shift makes the rows one sorted array, in which `randomize` searches.
        """
        steps = np.cumsum(np.array(self.rows, dtype=np.int64), axis=1)
        return (steps + np.arange(self.size)[:, np.newaxis] * self.den).ravel()

    def tally(
        self,
        reports: Any,
        *,
        labels: Sequence[str] | None = None,
        missing: Missing = "refuse",
    ) -> Tally:
        """
        Count the reports for estimation.

        Parameters
        ----------
        reports : array_like, shape (n,)
            Codes from 0 to size - 1, or labels. A series or a categorical of pandas or polars is
            possible too.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (size,).

        Raises
        ------
        ValueError
            If a report is no code from 0 to size - 1 and no label.
        """
        names = checked_labels(labels, self.size)
        column = code_column("reports", reports, names, missing)
        answers = checks.indices("reports", column.values, self.size)
        counts = np.bincount(answers, minlength=self.size)
        return Tally(answers.size, counts, labels=names, missing=column.missing)

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless a tally has `size` counts that sum to its number of reports."""
        if tally.counts.shape != (self.size,) or tally.counts.sum() != tally.n:
            raise ValueError(
                f"counts is {checks.show(tally.counts.tolist())} with n = {tally.n}; "
                f"allowed are {self.size} counts that sum to n"
            )

    def least_variance(self, scores: FloatArray) -> float:
        """Return the smallest variance, over all truths, of one report's weight.

        scores: the score of each answer, shape (size,).

        The weight w_r of report r is its contribution to the unbiased mean score. Given truth v its
        expectation is the score of v, so its variance is sum over r of P(r | v) * w_r^2, minus
        score_v^2.
        """
        # A row of the identity matrix has the observed shares if there is only one report. They
        # decode to shares of answers, and the weight of the report is the mean score under these.
        weights = np.array([self.decode(report) @ scores for report in np.eye(self.size)])
        variances = self.floats @ weights**2 - scores**2
        # A rounding error can make a variance of 0 slightly negative.
        return max(float(variances.min()), 0.0)

    def share_covariance(self, tally: Tally) -> FloatArray:
        """Return the multinomial covariance matrix of one report, shape (size, size).

        With the observed shares r it has r_v * (1 - r_v) on the diagonal and -r_u * r_v elsewhere.
        Divided by n, these are the covariances of the observed shares of n reports.
        """
        shares = tally.counts / tally.n
        return np.diag(shares) - np.outer(shares, shares)

    @cached_property
    def floats(self) -> FloatArray:
        """The matrix of probabilities as floats, for estimation, shape (size, size)."""
        return np.array(self.rows, dtype=np.float64) / self.den

    @cached_property
    def _yes_no_line(self) -> Line:
        """The line from true to observed shares of two answers: offset + slope * true share.

        The observed share of Yes is yes_if_no + (yes_if_yes - yes_if_no) * true share, as weights
        out of `den`. So the offset of an answer is the probability with which the other one is
        reported as it. The slope is the same for Yes and No, since their shares sum to 1.
        """
        (_, yes_if_no), (no_if_yes, yes_if_yes) = self.rows
        slope = yes_if_yes - yes_if_no
        return Line(
            offset=np.array([no_if_yes, yes_if_no]) / self.den,
            slope=np.array([slope, slope]) / self.den,
        )

    def line(self) -> Line | None:
        """Return the line offset + slope * true share of the observed shares, for two answers.

        None for three or more answers: an observed share then depends on several true shares.
        """
        return self._yes_no_line if self.size == 2 else None

    def constrain(self, tally: Tally) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares of two answers.

        The likelihood of the share of Yes has a single peak, at the unbiased estimate. If the peak
        is outside [0, 1], the nearer end of the interval is the maximum. Designs for more answers
        override this.

        Parameters
        ----------
        tally : Tally
            The tally of all reports.

        Returns
        -------
        ndarray of float64, shape (2,)
            Shares from 0 to 1 that sum to 1.
        """
        unbiased_shares = self.decode(tally.counts / tally.n)
        yes = clipped(unbiased_shares)[1]
        return np.array([1 - yes, yes])

    def maximum_likelihood(self, reports: ArrayLike) -> FloatArray:
        """
        Return the maximum likelihood estimate of the shares.

        The counts of the reports determine it, so it equals the constrained estimate.

        Parameters
        ----------
        reports : array_like, shape (n,)
            Codes from 0 to size - 1, or labels. A series or a categorical of pandas or polars is
            possible too.
        labels : sequence of str, optional
            The label of each answer, in the order of the codes. They are shown in results.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing values are an error or left out. The tally says how many there were.

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
