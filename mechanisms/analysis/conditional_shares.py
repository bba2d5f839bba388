"""Shares of one question's answers among the people who gave an answer to another question."""

from typing import NamedTuple

import numpy as np

from mechanisms.analysis import moments
from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.unary import identity_mechanism
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.estimation.tallies import Tally

_NOTHING = 1e-12  # a share that is 0 but for rounding
_ROUNDING = 1e-12  # a root that is so near to a possible share is this share


class Conditional(NamedTuple):
    """Shares of one question's answers among the people who gave each answer to the other question.

    Attributes
    ----------
    shares : ndarray of shape (k1, k2)
        Estimated shares, from 0 to 1 up to noise; nan where `too_few` holds.
    standard_errors : ndarray of shape (k1, k2)
        Their standard errors; nan where the shares are.
    intervals : ndarray of shape (k1, k2, 2)
        Lower and upper ends; nan where the shares are.
    too_few : ndarray of bool, shape (k1, k2)
        True where nothing can be said: the estimated share of those people is not above 0, or no
        possible share agrees with the reports.
    """

    shares: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    too_few: BoolArray


class AnswerMoments(NamedTuple):
    """The shares of the answers to one question, and the noise of its reports.

    Attributes
    ----------
    shares : ndarray of shape (k,)
        The decoded shares of the answers.
    squares_of_others : ndarray of shape (k,)
        The expected square of a decoded report for each answer, among people who did not give it.
    squares : ndarray of shape (k,)
        The same among people who gave it.
    """

    shares: FloatArray
    squares_of_others: FloatArray
    squares: FloatArray


class Reports(NamedTuple):
    """Counts of reports by the answers of the first question that they support.

    Attributes
    ----------
    in_row : ndarray of int, shape (k1,)
        The reports for each answer of the first question.
    together : ndarray of int, shape (k1, k2)
        How many of them say each answer of the second question, or have its bit set.
    """

    in_row: IntArray
    together: IntArray


def is_direct(mechanism: Mechanism) -> bool:
    """Return whether each report is the true answer, so that nothing is random about it.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of a question.

    Returns
    -------
    bool
    """
    for row in mechanism.probabilities():
        for probability in row:
            if probability not in (0, 1):
                return False
    return True


def report_counts(first: Mechanism, tally: PairTally) -> Reports:
    """Return how many reports support each answer of the first question, alone and in pairs.

    A report supports the answer that makes it more likely than the other answers do. If a mechanism
    sets the bits of chosen answers less often than those of others, this is the answer whose bit is
    not set.

    Parameters
    ----------
    first : Mechanism
        The mechanism of the first question.
    tally : PairTally
        The counts of the reports to both questions.

    Returns
    -------
    Reports
        The counts, in reports.
    """
    in_row = tally.first.counts
    together = tally.counts
    if isinstance(first, MatrixMechanism):
        reports = _reports_for_answers(first)
        return Reports(in_row=in_row[reports], together=together[reports])
    if isinstance(first, BitMechanism) and first.p < first.q:
        # A bit that is not set is the one that supports its answer.
        return Reports(in_row=tally.n - in_row, together=tally.second.counts - together)
    return Reports(in_row=in_row, together=together)


def answer_moments(mechanism: Mechanism, tally: Tally) -> AnswerMoments:
    """Return the shares of a question's answers and the expected squares of its decoded reports.

    People who did not give an answer gave one of the others, in the proportions of their decoded
    shares, cut at 0. If all of these are 0, each is equally likely. In a multiple selection an
    answer is given or not by itself.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of the question.
    tally : Tally
        The counts of the reports.

    Returns
    -------
    AnswerMoments
    """
    shares = moments.mean(tally, moments.decoding(mechanism))
    squares = moments.expected_squares(mechanism)
    if squares.is_multiple:
        return AnswerMoments(
            shares=shares, squares_of_others=squares.values[:, 0], squares=squares.values[:, 1]
        )
    squares_if_true = squares.values.diagonal()
    possible = np.maximum(shares, 0)
    share_of_others = possible.sum() - possible
    sums_of_others = squares.values @ possible - squares_if_true * possible
    weighted = sums_of_others / np.maximum(share_of_others, _NOTHING)
    even = (squares.values.sum(axis=1) - squares_if_true) / (len(squares_if_true) - 1)
    return AnswerMoments(
        shares=shares,
        squares_of_others=np.where(share_of_others > _NOTHING, weighted, even),
        squares=squares_if_true,
    )


def shares_by_score_test(
    both_shares: FloatArray,
    row: AnswerMoments,
    column: AnswerMoments,
    n: int,
    confidence: float,
) -> Conditional:
    """Return the shares of a column's answers among people with the answers of a randomized row.

    For a supposed share t the mean of d1 (d2 - t) over all people has the expectation 0, where d1
    and d2 are the decoded reports. The interval is all t in [0, 1] at which it is within z of its
    errors, and the possible share that is nearest to the estimate. The variance is that at the
    supposed share, as in Wilson's interval, so it cannot vanish where reports happen to be alike:

    V(t) = r s1 (e0 + t (e1 - e0) - t^2) + (1 - r) s0 (e0 + g (e1 - e0) - 2 g t + t^2),

    with the share r of people with the row's answer, the share g of the column's answer among all
    others, and the expected squares s1, s0 and e1, e0 of a decoded report of people who gave the
    answer and who did not.

    Parameters
    ----------
    both_shares : ndarray of shape (k1, k2)
        Decoded shares of people with both answers.
    row, column : AnswerMoments
        The answers of both questions.
    n : int
        The people who were asked both questions.
    confidence : float
        The level of the intervals, between 0 and 1.

    Returns
    -------
    Conditional
        The standard error is sqrt(V(t) / n) over the row's share, at the possible share that is
        nearest to the estimate.

    References
    ----------
    Mee, R. W. (1984). Confidence bounds for the difference between two probabilities. Biometrics
    40, 1175-1176.

    Miettinen, O. and Nurminen, M. (1985). Comparative analysis of two rates. Statistics in Medicine
    4, 213-226.
    """
    row_share = row.shares[:, np.newaxis]
    variance_terms = _variance_terms(both_shares, row, column)
    scale = normal_quantile(confidence) ** 2 / n
    intervals = _unit_range_where_not_positive(
        a=row_share**2 - scale * variance_terms.square,
        b=-2 * both_shares * row_share - scale * variance_terms.linear,
        c=both_shares**2 - scale * variance_terms.constant,
    )
    too_few = (row_share <= 0) | np.isnan(intervals[..., 0])

    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(too_few, np.nan, both_shares / row_share)
        possible = np.clip(shares, 0, 1)
        # Where the row's share is near 0, the estimate can lie beside all t that are kept.
        intervals[..., 0] = np.minimum(intervals[..., 0], possible)
        intervals[..., 1] = np.maximum(intervals[..., 1], possible)
        variance = (
            variance_terms.constant
            + variance_terms.linear * possible
            + variance_terms.square * possible**2
        )
        standard_errors = np.sqrt(np.maximum(variance, 0) / n) / row_share
    intervals[too_few] = np.nan
    return Conditional(
        shares=shares, standard_errors=standard_errors, intervals=intervals, too_few=too_few
    )


class _VarianceTerms(NamedTuple):
    """The coefficients of V(t) in `shares_by_score_test`.

    constant, linear: those of 1 and of t, shape (k1, k2). square: that of t^2, shape (k1, 1).
    """

    constant: FloatArray
    linear: FloatArray
    square: FloatArray


def _variance_terms(
    both_shares: FloatArray, row: AnswerMoments, column: AnswerMoments
) -> _VarianceTerms:
    share_in_row = np.clip(row.shares[:, np.newaxis], 0, 1)
    share_of_others = 1 - share_in_row
    others_with_column = column.shares - both_shares
    # The share g of the column's answer among people who did not give the row's answer.
    share_among_others = np.clip(others_with_column / np.maximum(share_of_others, _NOTHING), 0, 1)
    base = column.squares_of_others
    rise = column.squares - base
    row_factor = share_in_row * row.squares[:, np.newaxis]
    others_factor = share_of_others * row.squares_of_others[:, np.newaxis]
    return _VarianceTerms(
        constant=row_factor * base + others_factor * (base + share_among_others * rise),
        linear=row_factor * rise - 2 * others_factor * share_among_others,
        square=others_factor - row_factor,
    )


def _unit_range_where_not_positive(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
    """Return the lowest and highest t in [0, 1] with a t^2 + b t + c <= 0, or nan, shape (..., 2).

    a, b, c: arrays that broadcast to one shape.
    """
    a, b, c = np.broadcast_arrays(a, b, c)
    discriminant = b**2 - 4 * a * c
    with np.errstate(divide="ignore", invalid="ignore"):
        # The roots are half / a and c / half, neither of which subtracts nearly equal numbers.
        half = -(b + np.copysign(np.sqrt(discriminant), b)) / 2
        roots = np.stack([half / a, c / half], axis=-1)
    nearest = np.clip(roots, 0, 1)
    is_possible = np.abs(roots - nearest) <= _ROUNDING
    ends = np.stack([np.zeros(c.shape), np.ones(c.shape)], axis=-1)
    values_at_ends = np.stack([c, a + b + c], axis=-1)

    candidates = np.concatenate([nearest, ends], axis=-1)
    is_kept = np.concatenate([is_possible, values_at_ends <= 0], axis=-1)
    low = np.where(is_kept, candidates, np.inf).min(axis=-1)
    high = np.where(is_kept, candidates, -np.inf).max(axis=-1)
    unit_range: FloatArray = np.stack([low, high], axis=-1)
    unit_range[~is_kept.any(axis=-1)] = np.nan
    return unit_range


def shares_in_groups(
    first: Mechanism, second: Mechanism, tally: PairTally, confidence: float
) -> Conditional:
    """Return the estimates of the second question in each group of a direct first question.

    Parameters
    ----------
    first : Mechanism
        A mechanism for which `is_direct` holds, so that the groups are known.
    second : Mechanism
        The mechanism of the question whose shares are estimated.
    tally : PairTally
        The counts of the reports to both questions.
    confidence : float
        The level of the intervals, between 0 and 1.

    Returns
    -------
    Conditional
        nan, and `too_few`, for groups without a report.
    """
    reports = report_counts(first, tally)
    counts = reports.together
    mechanism = second
    if isinstance(second, MatrixMechanism) and is_direct(second):
        # Counted answers have the intervals that a report gives them, since a matrix of several
        # answers has only Wald's.
        counts = counts[:, _reports_for_answers(second)]
        mechanism = identity_mechanism(second.size)

    shares = np.full(counts.shape, np.nan)
    standard_errors = np.full(counts.shape, np.nan)
    intervals = np.full((*counts.shape, 2), np.nan)
    for row, n in enumerate(reports.in_row.tolist()):
        if n == 0:
            continue
        estimate = mechanism.estimate(Tally(n, counts[row]), confidence)
        shares[row] = estimate.proportions
        standard_errors[row] = estimate.standard_errors
        intervals[row] = estimate.intervals

    return Conditional(
        shares=shares,
        standard_errors=standard_errors,
        intervals=intervals,
        too_few=np.isnan(shares),
    )


def _reports_for_answers(mechanism: MatrixMechanism) -> IntArray:
    """Return for each answer the report that supports it, shape (size,).

    It is the report whose probability the answer raises most above the average of all answers.
    """
    lift = mechanism.floats - mechanism.floats.mean(axis=0)
    reports: IntArray = lift.argmax(axis=1)
    return reports
