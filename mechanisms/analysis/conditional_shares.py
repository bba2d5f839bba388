"""Shares of one question's answers among the people who gave an answer to another question."""

from itertools import chain
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.unary import identity_mechanism
from mechanisms.estimation.tallies import Tally

LEAST_REPORTS = 5


class Conditional(NamedTuple):
    """Shares of one question's answers among the people who gave each answer to the other question.

    Attributes
    ----------
    shares : ndarray of shape (k1, k2)
        Estimated shares, from 0 to 1 up to noise. nan where the estimated share of those people is not above 0, and
        where `too_few` holds.
    standard_errors : ndarray of shape (k1, k2)
        Their standard errors; nan where the shares are.
    intervals : ndarray of shape (k1, k2, 2)
        Lower and upper ends; infinite where the share of those people cannot be told from 0.
    too_few : ndarray of bool, shape (k1, k2)
        True where the other question is randomized and so few reports speak of the share that its error cannot be
        trusted.
    """

    shares: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    too_few: BoolArray


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


def has_too_few_reports(first: Mechanism, second: Mechanism, tally: PairTally) -> BoolArray:
    """Return where fewer than LEAST_REPORTS reports of a row have the answer of the column, or do not have it.

    The estimated error is that of the reports that came. It vanishes where they are alike, which is likely when so few
    are expected, and an interval made from it then misses the true share.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the questions whose answers are the rows and the columns.
    tally : PairTally
        The counts of the reports to both questions.

    Returns
    -------
    ndarray of bool, shape (k1, k2)

    Notes
    -----
    The limit is the rule of thumb for the normal approximation of a binomial count, np >= 5 and n(1 - p) >= 5 (for
    example Brown, Cai and DasGupta 2001, Interval estimation for a binomial proportion, section 2).
    """
    reports = report_counts(first, tally)
    with_answer = reports.together
    if isinstance(second, MatrixMechanism):
        with_answer = with_answer[:, _reports_for_answers(second)]
    without_answer = reports.in_row[:, np.newaxis] - with_answer
    too_few: BoolArray = np.minimum(with_answer, without_answer) < LEAST_REPORTS
    return too_few


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
        nan for groups without a report.
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
        too_few=np.zeros(counts.shape, dtype=np.bool_),
    )


def _reports_for_answers(mechanism: MatrixMechanism) -> IntArray:
    """Return for each answer the report that it raises most above the average of all answers, shape (size,)."""
    lift = mechanism.floats - mechanism.floats.mean(axis=0)
    reports: IntArray = lift.argmax(axis=1)
    return reports
