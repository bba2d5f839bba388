"""Shares of one question's answers among the people who gave an answer to another question."""

from itertools import chain
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
    """What the interval of a conditional share needs to know about the answers to one question.

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
    """Counts of reports by the answers of the first question that they speak for.

    Attributes
    ----------
    in_row : ndarray of int, shape (k1,)
        The reports for each answer of the first question.
    together : ndarray of int, shape (k1, k2)
        Those of them that say each answer of the second question, or have its bit set.
    """

    in_row: IntArray
    together: IntArray


def is_direct(mechanism: Mechanism) -> bool:
    """Return whether each report of the mechanism is the true answer, so that nothing is random about it."""
    chances = chain.from_iterable(mechanism.probabilities())
    return all(chance in (0, 1) for chance in chances)


def report_counts(first: Mechanism, tally: PairTally) -> Reports:
    """Return how many reports speak for each answer of the first question, alone and with the second question.

    A report speaks for the answer that makes it more likely than the other answers do. If a mechanism sets the bits of
    chosen answers less often than those of others, this is the answer whose bit is not set.

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
    in_row, together = tally.first.counts, tally.counts
    if isinstance(first, MatrixMechanism):
        reports = _reports_for_answers(first)
        return Reports(in_row=in_row[reports], together=together[reports])
    if isinstance(first, BitMechanism) and first.p < first.q:
        # A bit that is not set is the one that speaks for its answer.
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
    own = squares.values.diagonal()
    possible = np.maximum(shares, 0)
    others = possible.sum() - possible
    even = (squares.values.sum(axis=1) - own) / (len(own) - 1)
    weighted = (squares.values @ possible - own * possible) / np.maximum(others, _NOTHING)
    return AnswerMoments(
        shares=shares,
        squares_of_others=np.where(others > _NOTHING, weighted, even),
        squares=own,
    )


def shares_by_score_test(
    both: FloatArray, row: AnswerMoments, column: AnswerMoments, n: int, confidence: float
) -> Conditional:
    """Return the shares of a column's answers among people with the answers of a randomized row.

    For a supposed share t the mean of d1 (d2 - t) over all people has the expectation 0, where d1
    and d2 are the decoded reports. The interval is all t in [0, 1] at which it is within z of its
    errors, and the possible share that is nearest to the estimate. The variance is that at the
    supposed share (Mee 1984; Miettinen and Nurminen 1985), as in Wilson's interval, so it cannot
    vanish where reports happen to be alike:

    V(t) = r s1 (e0 + t (e1 - e0) - t^2) + (1 - r) s0 (e0 + g (e1 - e0) - 2 g t + t^2),

    with the share r of people with the row's answer, the share g of the column's answer among all
    others, and the expected squares s1, s0 and e1, e0 of a decoded report of people who gave the
    answer and who did not.

    Parameters
    ----------
    both : ndarray of shape (k1, k2)
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
    """
    row_share = row.shares[:, np.newaxis]
    constant, linear, square = _variance(both, row, column)
    scale = normal_quantile(confidence) ** 2 / n
    intervals = _unit_range_where_not_positive(
        row_share**2 - scale * square,
        -2 * both * row_share - scale * linear,
        both**2 - scale * constant,
    )
    too_few = (row_share <= 0) | np.isnan(intervals[..., 0])

    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(too_few, np.nan, both / row_share)
        possible = np.clip(shares, 0, 1)
        # Where the row's share is near 0, the estimate can lie beside all t that are kept.
        intervals[..., 0] = np.minimum(intervals[..., 0], possible)
        intervals[..., 1] = np.maximum(intervals[..., 1], possible)
        variance = constant + linear * possible + square * possible**2
        standard_errors = np.sqrt(np.maximum(variance, 0) / n) / row_share
    intervals[too_few] = np.nan
    return Conditional(
        shares=shares, standard_errors=standard_errors, intervals=intervals, too_few=too_few
    )


def _variance(
    both: FloatArray, row: AnswerMoments, column: AnswerMoments
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the coefficients of V(t) in `shares_by_score_test`: of 1, t and t^2, shape (k1, k2).

    The last one has the shape (k1, 1).
    """
    share_in_row = np.clip(row.shares[:, np.newaxis], 0, 1)
    share_of_others = 1 - share_in_row
    of_others = np.maximum(share_of_others, _NOTHING)
    share_elsewhere = np.clip((column.shares - both) / of_others, 0, 1)
    base = column.squares_of_others
    rise = column.squares - base
    inside = share_in_row * row.squares[:, np.newaxis]
    outside = share_of_others * row.squares_of_others[:, np.newaxis]

    constant = inside * base + outside * (base + share_elsewhere * rise)
    linear = inside * rise - 2 * outside * share_elsewhere
    return constant, linear, outside - inside


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
    found: FloatArray = np.stack([low, high], axis=-1)
    found[~is_kept.any(axis=-1)] = np.nan
    return found


def shares_in_groups(
    first: Mechanism, second: Mechanism, tally: PairTally, confidence: float
) -> Conditional:
    """Return what `second.estimate` says of each group that the answers of a direct first question make.

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
        # Counted answers have the intervals that a report gives them: a matrix of several answers has Wald's alone.
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
    """Return for each answer the report that it raises most above the average of all answers, shape (size,)."""
    lift = mechanism.floats - mechanism.floats.mean(axis=0)
    reports: IntArray = lift.argmax(axis=1)
    return reports
