"""Score intervals of the cells of a table: the variance is that of the share supposed, and not that of few reports."""

from typing import NamedTuple

import numpy as np

from mechanisms.analysis.moments import ExpectedSquares
from mechanisms.checks import FloatArray, IntArray

_NOTHING = 1e-12  # a sum of shares that is 0 but for rounding


class Side(NamedTuple):
    """A question. squares: E[d^2 | truth] of its answers, shape (answers, truths). own: the truth of each answer, shape
    (answers,). apart: whether each answer is true or not by itself. shares: of the truths, or of answers that stand
    apart.
    """

    squares: FloatArray
    own: IntArray
    apart: bool
    shares: FloatArray


def side(squares: ExpectedSquares, shares: FloatArray) -> Side:
    """Of a question with these decoded shares."""
    return Side(squares.values, np.arange(len(shares)), squares.is_multiple, shares)


def score_intervals(cells: FloatArray, one: Side, other: Side, n: int, z: float) -> FloatArray:
    """All x with (E - x)^2 <= z^2 (x A + (1 - x) B - x^2) / n, shape (k1, k2, 2): E a decoded cell, A and B the means
    of its squares. Where there is no such x, E -+ z errors at the nearest possible share.
    """
    own, others = _means(cells, one, other)
    q = z**2 / n
    middle, rest = 2 * cells + q * (own - others), cells**2 - q * others
    inside = middle**2 - 4 * (1 + q) * rest
    half = np.sqrt(np.maximum(inside, 0))
    roots = np.stack([middle - half, middle + half], axis=-1) / (2 * (1 + q))
    nearest = np.clip(cells, 0, 1)
    error = np.sqrt(np.maximum(nearest * own + (1 - nearest) * others - nearest**2, 0) * q)
    around = np.stack([cells - error, cells + error], axis=-1)
    return np.where((inside >= 0)[..., np.newaxis], roots, around)


def _means(cells: FloatArray, one: Side, other: Side) -> tuple[FloatArray, FloatArray]:
    """The mean square of what reports decode to for each cell: among those in it, and among all others, who are spread
    as the decoded shares, cut at 0, of the other cells (evenly, if all of these are 0).
    """
    if one.apart:
        blocks = [
            _means(np.stack([other.shares - row, row]), _alone(one, answer), other)
            for answer, row in enumerate(cells)
        ]
        own, others = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return own, others
    if other.apart:
        own, others = _means(cells.T, other, one)
        return own.T, others.T
    possible, at = np.maximum(cells, 0), np.ix_(one.own, other.own)
    own = np.outer(*(each.squares[np.arange(len(each.own)), each.own] for each in (one, other)))
    left, mass = (
        one.squares @ possible @ other.squares.T - possible[at] * own,
        possible.sum() - possible[at],
    )
    even = (np.outer(one.squares.sum(axis=1), other.squares.sum(axis=1)) - own) / (cells.size - 1)
    return own, np.where(mass > _NOTHING, left / np.maximum(mass, _NOTHING), even)


def _alone(one: Side, answer: int) -> Side:
    """An answer that stands apart: it is not true, or it is."""
    share = one.shares[answer]
    return Side(one.squares[[answer]], np.array([1]), False, np.array([1 - share, share]))
