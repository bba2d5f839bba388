"""A table of two randomized questions: shares of both answers, what goes with what, and whether anything does."""

from functools import cached_property

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
from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import FloatArray
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import clipped, norm_sub
from mechanisms.estimation.mixtures import MatrixMixture, maximum


def cross(
    first: Mechanism, second: Mechanism, tally: PairTally, confidence: float = 0.95
) -> "CrossTable":
    """The table of two questions from `pair_tally`. ValueError for an empty tally or one of other mechanisms."""
    return CrossTable(first, second, tally, confidence)


class CrossTable:
    """Shares of the respondents by both questions, unbiased: they may come out below 0. All numbers are fractions.

    n: respondents. shares: shape (k1, k2): the mean of d1 d2' over respondents, d the decoded reports. standard_errors:
    the same shape. intervals: shape (k1, k2, 2), score intervals. covariance: of the ravelled shares, shape
    (k1 k2, k1 k2); ValueError for choose-all answers. constrained: possible shares, as constrained_by says. reason: why
    `phi` or `odds_ratio` is None, "" where neither is.

    Chaudhuri and Mukerjee (1988, Randomized Response, chapter 2) for matrices; independence is Pearson's chi-square
    there.
    """

    def __init__(
        self, first: Mechanism, second: Mechanism, tally: PairTally, confidence: float = 0.95
    ) -> None:
        self.confidence = checks.between("confidence", confidence, 0, 1)
        if not isinstance(tally, PairTally):
            raise ValueError(f"tally is {checks.show(tally)}; allowed is a PairTally")
        for mechanism, each in ((first, tally.first), (second, tally.second)):
            mechanism.check_tally(each)
        if tally.n == 0:
            raise ValueError("tally has n = 0; allowed is at least one respondent")
        self.first, self.second, self.tally, self.n = first, second, tally, tally.n
        self._lines = moments.decoded(first), moments.decoded(second)
        self._squares = moments.squared(first), moments.squared(second)

    @cached_property
    def shares(self) -> FloatArray:
        return moments.mean_product(self.tally, *self._lines)

    @cached_property
    def standard_errors(self) -> FloatArray:
        spread = moments.mean_product(self.tally, *self._squares) - self.shares**2
        return np.sqrt(np.maximum(spread, 0) / self.n)

    @cached_property
    def intervals(self) -> FloatArray:
        tallies = (self.first, self.tally.first), (self.second, self.tally.second)
        one, other = (
            side(moments.squares(mechanism), moments.mean(tally, lines))
            for (mechanism, tally), lines in zip(tallies, self._lines, strict=True)
        )
        return score_intervals(
            self.shares, one, other, self.n, intervals.normal_quantile(self.confidence)
        )

    @cached_property
    def covariance(self) -> FloatArray:
        """Sum over truths s, t of F_st E[d1 d1' | s] (x) E[d2 d2' | t], less the product of the means, over n."""
        one, other = moments.second_moments(self.first), moments.second_moments(self.second)
        if one is None or other is None:
            raise ValueError(
                "a question is choose-all; allowed for the covariance of a table are one-choice questions"
            )
        k1, k2 = self.shares.shape
        half = np.tensordot(self.shares, other, axes=(1, 0))
        whole = np.tensordot(one, half, axes=(0, 0)).transpose(0, 2, 1, 3).reshape(k1 * k2, k1 * k2)
        mean = self.shares.ravel()
        covariance: FloatArray = (whole - np.outer(mean, mean)) / self.n
        return covariance

    @property
    def constrained_by(self) -> str:
        if self._matrices:
            return "maximum likelihood"
        return "clipping to [0, 1]" if self._any else "Norm-Sub"

    @property
    def _matrices(self) -> bool:
        return isinstance(self.first, MatrixMechanism) and isinstance(self.second, MatrixMechanism)

    @property
    def _any(self) -> bool:
        return any(each.select == "any" for each in (self.first, self.second))

    @cached_property
    def constrained(self) -> FloatArray:
        shares = self.shares.ravel()
        if self._any:
            return clipped(shares).reshape(self.shares.shape)
        if isinstance(self.first, MatrixMechanism) and isinstance(self.second, MatrixMechanism):
            if (shares >= 0).all():
                return self.shares
            both = np.kron(self.first.floats, self.second.floats).astype(np.float64)
            return maximum(MatrixMixture(self.tally.counts.ravel(), both)).reshape(
                self.shares.shape
            )
        return norm_sub(shares).reshape(self.shares.shape)

    def rows(self) -> Conditional:
        """Return the shares of the second question's answers among those who gave each answer to the first."""
        return self._conditional(self)

    def columns(self) -> Conditional:
        """Return the shares of the first question's answers among those with each answer to the second, (k1, k2)."""
        turned = PairTally(self.n, self.tally.counts.T, self.tally.second, self.tally.first)
        found = self._conditional(CrossTable(self.second, self.first, turned, self.confidence))
        return Conditional(
            shares=found.shares.T,
            standard_errors=found.standard_errors.T,
            intervals=found.intervals.transpose(1, 0, 2),
            too_few=found.too_few.T,
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
            table.n,
            table.confidence,
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
        """The correlation of two answers: of Yes and Yes in a 2 x 2 table, else of answer `row` of the first question
        with answer `column` of the second, each against all others. None where a share is not inside (0, 1), a decoded
        cell is below 0 by more than 1.96 errors, or the interval is longer than 1 or outside of [-1, 1]; see `reason`.
        Else the interval is cut to [-1, 1]; where the value is outside, it says no more than the interval does.
        """
        return association.phi(self._two_by_two(row, column), self.confidence)

    def odds_ratio(self, row: int | None = None, column: int | None = None) -> Association | None:
        """The odds ratio of the same 2 x 2 table; None where a decoded cell is not above 0. Its interval is made for
        the log.
        """
        return association.odds_ratio(self._two_by_two(row, column), self.confidence)

    @property
    def reason(self) -> str:
        return association.reason(self._two_by_two(None, None), self.confidence)

    def why_none(self, row: int, column: int) -> str:
        """The same for two answers of a larger table."""
        return association.reason(self._two_by_two(row, column), self.confidence)

    def _two_by_two(self, row: int | None, column: int | None) -> association.TwoByTwo:
        k1, k2 = self.shares.shape
        if (row is None or column is None) and (k1, k2) != (2, 2):
            raise ValueError(
                f"the table is {k1} x {k2}; allowed for one that is not 2 x 2 are a row and a column"
            )
        u = checks.whole("row", 1 if row is None else row, 0, k1 - 1)
        v = checks.whole("column", 1 if column is None else column, 0, k2 - 1)
        (one, other), (square1, square2) = self._lines, self._squares
        f1, f2 = moments.mean(self.tally.first, one)[u], moments.mean(self.tally.second, other)[v]
        s1, s2 = (
            moments.mean(self.tally.first, square1)[u],
            moments.mean(self.tally.second, square2)[v],
        )
        both, mixed1, mixed2, squares = (
            moments.mean_product(self.tally, *each)[u, v]
            for each in ((one, other), (square1, other), (one, square2), (square1, square2))
        )
        means = np.array([both, f1, f2])
        second = np.array([[squares, mixed1, mixed2], [mixed1, s1, both], [mixed2, both, s2]])
        return association.TwoByTwo(means, (second - np.outer(means, means)) / self.n)
