"""Means of products of the decoded reports to two questions, from the counts of pairs alone.

A decoded report is linear in its indicators, d = A b + a. So is its square, since b^2 = b.
"""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import FloatArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.tallies import Tally


class LinearMap(NamedTuple):
    """A map from the indicators of a report to values: slopes @ indicators + offset.

    Attributes
    ----------
    slopes : ndarray of shape (size, size)
        The slope of each value in each indicator.
    offset : ndarray of shape (size,)
        The values of a report whose indicators are all 0.
    """

    slopes: FloatArray
    offset: FloatArray


class ExpectedSquares(NamedTuple):
    """The expected squares E[d_u^2 | truth] of the decoded reports to a question.

    Attributes
    ----------
    values : ndarray of shape (answers, truths)
        The expected square for each answer u and each truth.
    is_multiple : bool
        True if the question is a multiple selection. There are then two truths for each answer:
        that it is not selected, and that it is.
    """

    values: FloatArray
    is_multiple: bool


def decoding(mechanism: Mechanism) -> LinearMap:
    """Return the map from a report to its decoded report, which has a value for each answer.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix or bit mechanism.

    Returns
    -------
    LinearMap
    """
    if isinstance(mechanism, BitMechanism):
        line = mechanism.line()
        return LinearMap(slopes=np.diag(1 / line.slope), offset=-line.offset / line.slope)
    return LinearMap(slopes=_decoded_answers(mechanism).T, offset=np.zeros(mechanism.size))


def squared_decoding(mechanism: Mechanism) -> LinearMap:
    """Return the map from a report to the squares of its decoded report.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix or bit mechanism.

    Returns
    -------
    LinearMap
    """
    if isinstance(mechanism, BitMechanism):
        line = mechanism.line()
        q, slope = line.offset, line.slope
        return LinearMap(slopes=np.diag((1 - 2 * q) / slope**2), offset=q**2 / slope**2)
    return LinearMap(slopes=_decoded_answers(mechanism).T ** 2, offset=np.zeros(mechanism.size))


def _decoded_answers(mechanism: Mechanism) -> FloatArray:
    """Return the decoded report of each reported answer, a row for each."""
    return np.stack([mechanism.decode(indicators) for indicators in np.eye(mechanism.size)])


def expected_squares(mechanism: Mechanism) -> ExpectedSquares:
    """Return the expected square of a decoded report for each answer and each truth.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix or bit mechanism.

    Returns
    -------
    ExpectedSquares
    """
    slopes, offset = squared_decoding(mechanism)
    if mechanism.select == "any":
        set_probabilities = np.array([float(row[1]) for row in mechanism.probabilities()])
        values = np.outer(slopes.diagonal(), set_probabilities) + offset[:, np.newaxis]
        return ExpectedSquares(values=values, is_multiple=True)
    if isinstance(mechanism, BitMechanism):
        is_truth = np.eye(mechanism.size)
        probabilities = np.where(is_truth, float(mechanism.p), float(mechanism.q))
    else:
        probabilities = np.array(mechanism.probabilities(), dtype=np.float64)
    values = slopes @ probabilities.T + offset[:, np.newaxis]
    return ExpectedSquares(values=values, is_multiple=False)


def mean_product(tally: PairTally, first: LinearMap, second: LinearMap) -> FloatArray:
    """Return the mean of products of the values of two maps over respondents.

    Parameters
    ----------
    tally : PairTally
        The counts of the reports to both questions, with n > 0.
    first, second : LinearMap
        The maps of the reports to the two questions.

    Returns
    -------
    ndarray of shape (k1, k2)
    """
    shares_of_pairs = tally.counts / tally.n
    first_linear = first.slopes @ (tally.first.counts / tally.n)
    second_linear = second.slopes @ (tally.second.counts / tally.n)
    products: FloatArray = first.slopes @ shares_of_pairs @ second.slopes.T
    return (
        products
        + np.outer(first_linear, second.offset)
        + np.outer(first.offset, second_linear)
        + np.outer(first.offset, second.offset)
    )


def mean(tally: Tally, linear_map: LinearMap) -> FloatArray:
    """Return the mean of the values of a map over respondents.

    Parameters
    ----------
    tally : Tally
        The counts of the reports, with n > 0.
    linear_map : LinearMap
        The map of the reports.

    Returns
    -------
    ndarray of shape (size,)
    """
    mean_values: FloatArray = linear_map.slopes @ (tally.counts / tally.n) + linear_map.offset
    return mean_values


def second_moments(mechanism: Mechanism) -> FloatArray | None:
    """Return the expected products E[d d' | truth] of a decoded report for each truth.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix or bit mechanism.

    Returns
    -------
    ndarray of shape (size, size, size), or None
        The first axis is the truth. None for a multiple selection, whose truth is no single answer.
    """
    moments = []
    for truth in range(mechanism.size):
        covariance = mechanism.share_covariance(_expected_tally(mechanism, truth))
        if covariance is None:
            return None
        indicators = np.eye(mechanism.size)[truth]
        product_of_means = np.outer(indicators, indicators)
        moments.append(mechanism.decode_covariance(covariance) + product_of_means)
    return np.stack(moments)


def _expected_tally(mechanism: Mechanism, truth: int) -> Tally:
    """Return the average counts of a truth, for the fewest reports that make them whole."""
    probabilities = []
    if isinstance(mechanism, BitMechanism):
        for answer in range(mechanism.size):
            probabilities.append(mechanism.p if answer == truth else mechanism.q)
    else:
        probabilities.extend(mechanism.probabilities()[truth])
    denominators = [Fraction(probability).denominator for probability in probabilities]
    n = lcm(*denominators)
    counts = [int(probability * n) for probability in probabilities]
    return Tally(n, np.array(counts, dtype=np.int64))
