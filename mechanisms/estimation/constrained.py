"""Estimates that are possible proportions, from counts."""

import numpy as np

from mechanisms.checks import FloatArray, IntArray


def norm_sub(proportions: FloatArray) -> FloatArray:
    """The closest point of the simplex: subtract one number from all and cut at 0. Shapes (size,).

    Euclidean projection; "Norm-Sub" in Wang et al. (NDSS 2020, Locally differentially private frequency
    estimation with consistency, section IV).
    """
    descending = np.sort(proportions)[::-1]
    excess = (np.cumsum(descending) - 1) / np.arange(1, descending.size + 1)
    kept = np.nonzero(descending > excess)[0][-1]
    projected: FloatArray = np.maximum(proportions - excess[kept], 0.0)
    return projected


def direct_maximum_likelihood(counts: IntArray, n: int, offset: float, slope: float) -> FloatArray:
    """Maximum likelihood on the simplex for reports with P(report v) = offset + slope f_v, slope > 0.

    counts: shape (size,). Returns shape (size,).
    Answers with f_v > 0 get P(report v) proportional to their count; the others stay at the offset. By the
    Karush-Kuhn-Tucker conditions the answers with f_v > 0 are those with the largest counts: they are dropped
    from the smallest up until each of the rest is above the offset.
    """
    order = np.argsort(counts)[::-1]
    size = counts.size
    kept = np.arange(1, size + 1)
    room = 1 - (size - kept) * offset  # probability left for the first `kept` answers
    sums = np.cumsum(counts[order])
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest = np.where(sums > 0, counts[order] * room / sums, 0.0)
    last = np.nonzero(smallest > offset)[0][-1]
    chances = np.full(size, offset)
    chances[order[: last + 1]] = counts[order[: last + 1]] * room[last] / sums[last]
    return np.maximum((chances - offset) / slope, 0.0)


def clipped(proportions: FloatArray) -> FloatArray:
    """Each share cut to [0, 1] by itself. Shapes (size,)."""
    return np.clip(proportions, 0.0, 1.0)
