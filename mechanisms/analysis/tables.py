"""Tables of two randomized questions: the shares of both answers, and how they are related."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.analysis import association, moments
from mechanisms.analysis.association import Association
from mechanisms.analysis.cell_intervals import score_intervals, side
from mechanisms.analysis.conditional_shares import (
    Conditional,
    answer_moments,
    is_direct,
    shares_by_score_test,
    shares_in_groups,
)
from mechanisms.analysis.independence import Independence, ReportRows, independence
from mechanisms.analysis.moments import LinearMap
from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import clipped, norm_sub
from mechanisms.estimation.mixtures import MatrixMixture, maximum
from mechanisms.estimation.tallies import Tally


class _DecodedQuestion(NamedTuple):
    """The tally of one of the two questions of a table, and how its reports are decoded.

    decoding, squared_decoding: the maps from reports to decoded reports and to their squares.
    """

    tally: Tally
    decoding: LinearMap
    squared_decoding: LinearMap

    @property
    def shares(self) -> FloatArray:
        """The decoded shares of the answers, shape (size,)."""
        return moments.mean(self.tally, self.decoding)

    @property
    def mean_squares(self) -> FloatArray:
        """The means of the squares of the decoded reports, shape (size,)."""
        return moments.mean(self.tally, self.squared_decoding)


def cross(
    first: Mechanism, second: Mechanism, tally: PairTally, confidence: float = 0.95
) -> "CrossTable":
    """Return the table of two questions.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions.
    tally : PairTally
        The counts of the reports to both questions, from `pair_tally`.
    confidence : float, default 0.95
        The confidence of each interval, inside (0, 1).

    Returns
    -------
    CrossTable

    Raises
    ------
    ValueError
        For an empty tally, or one of other mechanisms.
    """
    return CrossTable(first, second, tally, confidence)


class CrossTable:
    """The shares of the respondents by their answers to both questions.

    The shares are unbiased, so that they may be below 0. All numbers are fractions.

    Attributes
    ----------
    n : int
        The number of respondents.
    shares : ndarray of shape (k1, k2)
        The means of d1 d2' over respondents, with the decoded reports d1 and d2.
    standard_errors : ndarray of shape (k1, k2)
        The standard errors of the shares.
    intervals : ndarray of shape (k1, k2, 2)
        Score intervals of the shares.
    covariance : ndarray of shape (k1 * k2, k1 * k2)
        The covariance of the ravelled shares. ValueError for a multiple selection.
    constrained : ndarray of shape (k1, k2)
        Possible shares, from 0 to 1; `constrained_by` names the method.
    reason : str
        Why `phi` or `odds_ratio` is None, or "" if neither is.

    References
    ----------
    Chaudhuri and Mukerjee (1988, Randomized Response, chapter 2) for matrices; the test of
    independence is Pearson's chi-square there.
    """

    def __init__(
        self, first: Mechanism, second: Mechanism, tally: PairTally, confidence: float = 0.95
    ) -> None:
        self.confidence = checks.between("confidence", confidence, 0, 1)
        if not isinstance(tally, PairTally):
            raise ValueError(f"tally is {checks.show(tally)}; allowed is a PairTally")
        first.check_tally(tally.first)
        second.check_tally(tally.second)
        if tally.n == 0:
            raise ValueError("tally has n = 0; allowed is at least one respondent")
        self.first = first
        self.second = second
        self.tally = tally
        self.n = tally.n
        self._rows = _decoded_question(first, tally.first)
        self._columns = _decoded_question(second, tally.second)

    @cached_property
    def shares(self) -> FloatArray:
        """The share of each pair of answers, shape (k1, k2)."""
        return self._mean_product(self._rows.decoding, self._columns.decoding)

    @cached_property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the shares, shape (k1, k2)."""
        mean_squares = self._mean_product(
            self._rows.squared_decoding, self._columns.squared_decoding
        )
        variances = mean_squares - self.shares**2
        return np.sqrt(np.maximum(variances, 0) / self.n)

    @cached_property
    def intervals(self) -> FloatArray:
        """Score intervals of the shares, shape (k1, k2, 2)."""
        rows = side(moments.expected_squares(self.first), self._rows.shares)
        columns = side(moments.expected_squares(self.second), self._columns.shares)
        z = intervals.normal_quantile(self.confidence)
        return score_intervals(self.shares, rows, columns, n=self.n, z=z)

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of the ravelled shares, shape (k1 k2, k1 k2).

        It is the sum over truths s, t of F_st E[d1 d1' | s] (x) E[d2 d2' | t], less the product of
        the means, over n. F are the shares.
        """
        moments_of_rows = moments.second_moments(self.first)
        moments_of_columns = moments.second_moments(self.second)
        if moments_of_rows is None or moments_of_columns is None:
            raise ValueError(
                "a question is choose-all; "
                "allowed for the covariance of a table are one-choice questions"
            )
        k1, k2 = self.shares.shape
        summed_over_columns = np.tensordot(self.shares, moments_of_columns, axes=(1, 0))
        second_moments = np.tensordot(moments_of_rows, summed_over_columns, axes=(0, 0))
        second_moments = second_moments.transpose(0, 2, 1, 3).reshape(k1 * k2, k1 * k2)
        means = self.shares.ravel()
        covariance: FloatArray = (second_moments - np.outer(means, means)) / self.n
        return covariance

    @property
    def constrained_by(self) -> str:
        """The method of `constrained`."""
        if isinstance(self.first, MatrixMechanism) and isinstance(self.second, MatrixMechanism):
            return "maximum likelihood"
        if self._has_multiple_selection:
            return "clipping to [0, 1]"
        return "Norm-Sub"

    @property
    def _has_multiple_selection(self) -> bool:
        return self.first.select == "any" or self.second.select == "any"

    @cached_property
    def constrained(self) -> FloatArray:
        """Possible shares, from 0 to 1, shape (k1, k2)."""
        shape = self.shares.shape
        shares = self.shares.ravel()
        if self._has_multiple_selection:
            return clipped(shares).reshape(shape)
        if isinstance(self.first, MatrixMechanism) and isinstance(self.second, MatrixMechanism):
            if (shares >= 0).all():
                return self.shares
            probabilities = np.kron(self.first.floats, self.second.floats).astype(np.float64)
            mixture = MatrixMixture(self.tally.counts.ravel(), probabilities)
            return maximum(mixture).reshape(shape)
        return norm_sub(shares).reshape(shape)

    def rows(self) -> Conditional:
        """Return the shares of the second question's answers within each answer to the first.

        Returns
        -------
        Conditional
            Arrays of shape (k1, k2).
        """
        return self._conditional(self)

    def columns(self) -> Conditional:
        """Return the shares of the first question's answers within each answer to the second.

        Returns
        -------
        Conditional
            Arrays of shape (k1, k2).
        """
        transposed_tally = PairTally(
            n=self.n,
            counts=self.tally.counts.T,
            first=self.tally.second,
            second=self.tally.first,
        )
        transposed = CrossTable(self.second, self.first, transposed_tally, self.confidence)
        shares_in_rows = self._conditional(transposed)
        return Conditional(
            shares=shares_in_rows.shares.T,
            standard_errors=shares_in_rows.standard_errors.T,
            intervals=shares_in_rows.intervals.transpose(1, 0, 2),
            too_few=shares_in_rows.too_few.T,
        )

    @staticmethod
    def _conditional(table: "CrossTable") -> Conditional:
        """Return the shares within each row, of groups as they are by themselves."""
        if is_direct(table.first):
            return shares_in_groups(table.first, table.second, table.tally, table.confidence)
        return shares_by_score_test(
            table.shares,
            answer_moments(table.first, table.tally.first),
            answer_moments(table.second, table.tally.second),
            n=table.n,
            confidence=table.confidence,
        )

    def independence(self, reports: ReportRows | None = None) -> Independence:
        """Return the test of whether the answers are unrelated.

        It uses the k - 1 contrasts of a one-choice question, and all k answers of a choose-all one.
        Answers that no report tells apart are left out of the degrees of freedom.

        Parameters
        ----------
        reports : tuple of ndarray, optional
            The reports that the tally counts, as for `pair_tally`. A question that sends bits needs
            them where few reports of a kind are expected; without them it keeps chi-square.

        Returns
        -------
        Independence
        """
        return independence(self.first, self.second, self.tally, reports)

    def phi(self, row: int | None = None, column: int | None = None) -> Association | None:
        """Return the correlation of two answers.

        Parameters
        ----------
        row, column : int, optional
            The answer to the first and to the second question, each against all others. By
            default, in a 2 x 2 table, Yes and Yes.

        Returns
        -------
        Association or None
            None if a share is not inside (0, 1), a decoded cell is below 0 by more than 1.96
            errors, or the interval is longer than 1 or outside of [-1, 1]; see `reason`. Otherwise
            the interval is cut to [-1, 1]. A value beyond -1 or 1 says no more than its interval.

        Raises
        ------
        ValueError
            If the table is not 2 x 2 and `row` or `column` is missing.
        """
        return association.phi(self._two_by_two(row, column), self.confidence)

    def odds_ratio(self, row: int | None = None, column: int | None = None) -> Association | None:
        """Return the odds ratio of two answers.

        Parameters
        ----------
        row, column : int, optional
            As for `phi`.

        Returns
        -------
        Association or None
            None if a decoded cell is not above 0. The interval is made for the logarithm.

        Raises
        ------
        ValueError
            If the table is not 2 x 2 and `row` or `column` is missing.
        """
        return association.odds_ratio(self._two_by_two(row, column), self.confidence)

    @property
    def reason(self) -> str:
        """The reason why `phi` or `odds_ratio` of a 2 x 2 table is None, or "" if neither is."""
        return association.reason(self._two_by_two(None, None), self.confidence)

    def why_none(self, row: int, column: int) -> str:
        """Return the reason why `phi` or `odds_ratio` of two answers is None, or "" if neither is.

        Parameters
        ----------
        row, column : int
            The answer to the first and to the second question.

        Returns
        -------
        str
        """
        return association.reason(self._two_by_two(row, column), self.confidence)

    def _two_by_two(self, row: int | None, column: int | None) -> association.TwoByTwo:
        """Return the table of two answers against all others; None stands for Yes."""
        k1, k2 = self.shares.shape
        if (row is None or column is None) and (k1, k2) != (2, 2):
            raise ValueError(
                f"the table is {k1} x {k2}; "
                "allowed for one that is not 2 x 2 are a row and a column"
            )
        u = checks.whole("row", 1 if row is None else row, 0, k1 - 1)
        v = checks.whole("column", 1 if column is None else column, 0, k2 - 1)
        rows, columns = self._rows, self._columns

        # The means of the products d1 d2, d1^2 d2, d1 d2^2 and d1^2 d2^2.
        product = self._mean_product(rows.decoding, columns.decoding)[u, v]
        row_squared = self._mean_product(rows.squared_decoding, columns.decoding)[u, v]
        column_squared = self._mean_product(rows.decoding, columns.squared_decoding)[u, v]
        both_squared = self._mean_product(rows.squared_decoding, columns.squared_decoding)[u, v]

        means = np.array([product, rows.shares[u], columns.shares[v]])
        second_moments = np.array(
            [
                [both_squared, row_squared, column_squared],
                [row_squared, rows.mean_squares[u], product],
                [column_squared, product, columns.mean_squares[v]],
            ]
        )
        covariance = (second_moments - np.outer(means, means)) / self.n
        return association.TwoByTwo(means=means, covariance=covariance)

    def _mean_product(self, row_map: LinearMap, column_map: LinearMap) -> FloatArray:
        return moments.mean_product(self.tally, row_map, column_map)


def _decoded_question(mechanism: Mechanism, tally: Tally) -> _DecodedQuestion:
    return _DecodedQuestion(
        tally=tally,
        decoding=moments.decoding(mechanism),
        squared_decoding=moments.squared_decoding(mechanism),
    )
