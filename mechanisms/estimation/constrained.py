"""Estimates that are possible proportions, from counts."""

import numpy as np

from mechanisms.checks import FloatArray, IntArray


def norm_sub(proportions: FloatArray) -> FloatArray:
    """
    Return the point of the simplex that is closest to the proportions.

    One number is subtracted from all proportions, and what is then below 0 becomes 0. This is the
    Euclidean projection, called Norm-Sub by Wang et al.

    Parameters
    ----------
    proportions : ndarray, shape (size,)
        Unbiased shares, which may fall outside [0, 1].

    Returns
    -------
    ndarray, shape (size,)
        Shares from 0 to 1 whose sum is 1.

    References
    ----------
    Wang, T., Lopuhaä-Zwakenberg, M., Li, Z., Skoric, B., & Li, N. (2020). Locally differentially
    private frequency estimation with consistency. NDSS 2020, section IV.
    """
    descending = np.sort(proportions)[::-1]
    numbers_of_answers = np.arange(1, descending.size + 1)
    # What has to be subtracted if exactly the largest 1, 2, ... proportions stay above 0.
    excess = (np.cumsum(descending) - 1) / numbers_of_answers
    last = np.nonzero(descending > excess)[0][-1]
    projected: FloatArray = np.maximum(proportions - excess[last], 0.0)
    return projected


def direct_maximum_likelihood(counts: IntArray, n: int, offset: float, slope: float) -> FloatArray:
    """
    Return the shares of maximum likelihood on the simplex for reports of one answer each.

    The probability of a report of answer v is offset + slope * f_v for the share f_v, with a slope
    above 0. Answers with f_v > 0 get probabilities that are proportional to their counts, and the
    others stay at the offset. By the Karush-Kuhn-Tucker conditions, the answers with f_v > 0 are
    those with the largest counts: answers are dropped from the smallest count up, until the
    probability of each of the others is above the offset.

    Parameters
    ----------
    counts : ndarray of int64, shape (size,)
        The number of reports of each answer.
    n : int
        The number of reports, the sum of `counts`.
    offset : float
        The probability of a report of an answer whose share is 0.
    slope : float
        The rise of this probability with the share, above 0.

    Returns
    -------
    ndarray, shape (size,)
        Shares from 0 to 1.

    References
    ----------
    Karush, W. (1939). Minima of functions of several variables with inequalities as side
    constraints. University of Chicago.

    Kuhn, H. W., & Tucker, A. W. (1951). Nonlinear programming. Second Berkeley Symposium on
    Mathematical Statistics and Probability, 481–492.
    """
    order = np.argsort(counts)[::-1]
    ordered_counts = counts[order]
    size = counts.size
    # For the largest 1, 2, ... counts: the probability that the other answers leave to them.
    numbers_of_answers = np.arange(1, size + 1)
    remaining = 1 - (size - numbers_of_answers) * offset
    sums = np.cumsum(ordered_counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest_probabilities = np.where(sums > 0, ordered_counts * remaining / sums, 0.0)
    last = np.nonzero(smallest_probabilities > offset)[0][-1]

    probabilities = np.full(size, offset)
    above_offset = order[: last + 1]
    probabilities[above_offset] = counts[above_offset] * remaining[last] / sums[last]
    return np.maximum((probabilities - offset) / slope, 0.0)


def clipped(proportions: FloatArray) -> FloatArray:
    """
    Return each proportion cut to the range from 0 to 1 by itself.

    Parameters
    ----------
    proportions : ndarray, shape (size,)
        Unbiased shares, which may fall outside [0, 1].

    Returns
    -------
    ndarray, shape (size,)
        Shares from 0 to 1, whose sum can be any number.
    """
    return np.clip(proportions, 0.0, 1.0)
