"""Shares of one question's answers among the people who gave an answer to another question."""

from itertools import chain
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.unary import untouched
from mechanisms.estimation.tallies import Tally

LEAST_REPORTS = 5


class Conditional(NamedTuple):
    """Shares of one question's answers among those who gave an answer of the other; shapes (k1, k2), intervals (k1, k2,
    2).

    nan where the share of those is not above 0. intervals: infinite where it cannot be told from 0. too_few: where the
    other question is randomized and so few reports speak of the share that its error cannot be trusted; nan there too.
    """

    shares: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray
    too_few: BoolArray


class Reports(NamedTuple):
    """Counts of reports by the answers of the first question that they speak for.

    in_row: the reports for each answer, shape (k1,). together: those of them that say each answer of the second
    question, or have its bit set, shape (k1, k2).
    """

    in_row: IntArray
    together: IntArray


def is_direct(mechanism: Mechanism) -> bool:
    """Return whether each report of the mechanism is the true answer, so that nothing is random about it."""
    chances = chain.from_iterable(mechanism.probabilities())
    return all(chance in (0, 1) for chance in chances)


def report_counts(first: Mechanism, tally: PairTally) -> Reports:
    """Return how many reports speak for each answer of the first question, alone and with the second question."""
    in_row, together = tally.first.counts, tally.counts
    if isinstance(first, MatrixMechanism):
        reports = _reports_for_answers(first)
        return Reports(in_row[reports], together[reports])
    if isinstance(first, BitMechanism) and first.p < first.q:
        # A bit that is not set is the one that speaks for its answer.
        return Reports(tally.n - in_row, tally.second.counts - together)
    return Reports(in_row, together)


def has_too_few_reports(first: Mechanism, second: Mechanism, tally: PairTally) -> BoolArray:
    """Return where fewer than LEAST_REPORTS reports of a row have the answer of the column, or do not; shape (k1, k2).

    The estimated error is that of the reports that came. It vanishes where they are alike, which is likely when so few
    are expected, and an interval made from it then misses the true share.
    """
    reports = report_counts(first, tally)
    with_answer = reports.together
    if isinstance(second, MatrixMechanism):
        with_answer = with_answer[:, _reports_for_answers(second)]
    without_answer = reports.in_row[:, np.newaxis] - with_answer
    too_few: BoolArray = np.minimum(with_answer, without_answer) < LEAST_REPORTS
    return too_few


def shares_in_groups(first: Mechanism, second: Mechanism, tally: PairTally, confidence: float) -> Conditional:
    """Return what `second.estimate` says of each group that the answers of a direct first question make.

    first: a mechanism for which `is_direct` holds.
    """
    reports = report_counts(first, tally)
    counts = reports.together
    mechanism = second
    if isinstance(second, MatrixMechanism) and is_direct(second):
        # Counted answers have the intervals that a report gives them: a matrix of several answers has Wald's alone.
        counts = counts[:, _reports_for_answers(second)]
        mechanism = untouched(second.size)

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

    return Conditional(shares, standard_errors, intervals, too_few=np.zeros(counts.shape, dtype=np.bool_))


def _reports_for_answers(mechanism: MatrixMechanism) -> IntArray:
    """Return for each answer the report that it raises most above what all answers have on average; shape (size,)."""
    lift = mechanism.floats - mechanism.floats.mean(axis=0)
    reports: IntArray = lift.argmax(axis=1)
    return reports
