"""Score intervals of the cells of a table of two questions.

Their variance is that at the supposed share, as in Wilson's interval, so it cannot vanish where the
few reports of a table happen to be alike.
"""

from typing import NamedTuple

import numpy as np

from mechanisms.analysis.moments import ExpectedSquares
from mechanisms.checks import FloatArray, IntArray

# A sum of shares that is smaller is 0 but for rounding.
_NOTHING = 1e-12


class Side(NamedTuple):
    """One of the two questions, as the intervals need it.

    Attributes
    ----------
    squares : ndarray of shape (answers, truths)
        The expected square of a decoded report for each answer, given each truth.
    codes : ndarray of int, shape (answers,)
        The truth that is the answer itself.
    is_multiple : bool
        Whether each answer is true or not by itself, as in a multiple selection.
    shares : ndarray
        The decoded shares of the truths, or of the answers of a multiple selection.
    """

    squares: FloatArray
    codes: IntArray
    is_multiple: bool
    shares: FloatArray


class _MeanSquares(NamedTuple):
    """Mean squares of what reports decode to for each cell, shape (k1, k2).

    in_cell: among people in the cell. in_others: among all others.
    """

    in_cell: FloatArray
    in_others: FloatArray


def side(squares: ExpectedSquares, shares: FloatArray) -> Side:
    """Return the side of a question.

    Parameters
    ----------
    squares : ExpectedSquares
        The expected squares of the decoded reports of the question.
    shares : ndarray of shape (k,)
        The decoded shares of its answers.

    Returns
    -------
    Side
    """
    return Side(
        squares=squares.values,
        codes=np.arange(len(shares)),
        is_multiple=squares.is_multiple,
        shares=shares,
    )


def score_intervals(cells: FloatArray, one: Side, other: Side, n: int, z: float) -> FloatArray:
    """Return the score interval of each cell.

    It is all x with (E - x)^2 <= z^2 (x A + (1 - x) B - x^2) / n, where E is the decoded cell, and
    A and B are the mean squares of what reports decode to for it: among people in the cell, and
    among all others. If there is no such x, it is E minus and plus z standard errors at the
    possible share that is nearest to E.

    Parameters
    ----------
    cells : ndarray of shape (k1, k2)
        The decoded shares E of people in each cell.
    one, other : Side
        The question of the rows, and the question of the columns.
    n : int
        The number of respondents.
    z : float
        The quantile of the normal distribution for the level of the intervals.

    Returns
    -------
    ndarray of shape (k1, k2, 2)
        The lower and upper ends.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209-212. Here with the variance of decoded
    reports in place of the binomial one.
    """
    mean_squares = _mean_squares(cells, one, other)
    in_cell = mean_squares.in_cell
    in_others = mean_squares.in_others
    q = z**2 / n

    # The ends are the roots of (1 + q) x^2 - linear x + constant.
    linear = 2 * cells + q * (in_cell - in_others)
    constant = cells**2 - q * in_others
    discriminant = linear**2 - 4 * (1 + q) * constant
    half_width = np.sqrt(np.maximum(discriminant, 0))
    roots = np.stack([linear - half_width, linear + half_width], axis=-1) / (2 * (1 + q))

    nearest = np.clip(cells, 0, 1)
    variance = nearest * in_cell + (1 - nearest) * in_others - nearest**2
    reach = np.sqrt(np.maximum(variance, 0) * q)
    wald_ends = np.stack([cells - reach, cells + reach], axis=-1)
    has_roots = (discriminant >= 0)[..., np.newaxis]
    return np.where(has_roots, roots, wald_ends)


def _mean_squares(cells: FloatArray, one: Side, other: Side) -> _MeanSquares:
    """Return the mean squares of what reports decode to for each cell.

    People outside of a cell are spread as the decoded shares, cut at 0, of the other cells, and
    evenly if all of these are 0.
    """
    if one.is_multiple:
        return _mean_squares_answer_by_answer(cells, one, other)
    if other.is_multiple:
        transposed = _mean_squares(cells.T, other, one)
        return _MeanSquares(in_cell=transposed.in_cell.T, in_others=transposed.in_others.T)

    own_of_one = one.squares[np.arange(len(one.codes)), one.codes]
    own_of_other = other.squares[np.arange(len(other.codes)), other.codes]
    in_cell = np.outer(own_of_one, own_of_other)

    possible = np.maximum(cells, 0)
    possible_in_cell = possible[np.ix_(one.codes, other.codes)]
    weighted_sum = one.squares @ possible @ other.squares.T - possible_in_cell * in_cell
    share_elsewhere = possible.sum() - possible_in_cell
    weighted = weighted_sum / np.maximum(share_elsewhere, _NOTHING)

    all_squares = np.outer(one.squares.sum(axis=1), other.squares.sum(axis=1))
    even = (all_squares - in_cell) / (cells.size - 1)
    return _MeanSquares(
        in_cell=in_cell, in_others=np.where(share_elsewhere > _NOTHING, weighted, even)
    )


def _mean_squares_answer_by_answer(cells: FloatArray, one: Side, other: Side) -> _MeanSquares:
    """Return the mean squares for a multiple selection as the first question.

    Each of its answers is a question of its own: the answer is not true, or it is.
    """
    in_cell = []
    in_others = []
    for answer, row in enumerate(cells):
        table = np.stack([other.shares - row, row])
        mean_squares = _mean_squares(table, _single_answer(one, answer), other)
        in_cell.append(mean_squares.in_cell)
        in_others.append(mean_squares.in_others)
    return _MeanSquares(in_cell=np.concatenate(in_cell), in_others=np.concatenate(in_others))


def _single_answer(one: Side, answer: int) -> Side:
    """Return an answer of a multiple selection as a question with the truths No and Yes."""
    share = one.shares[answer]
    return Side(
        squares=one.squares[[answer]],
        codes=np.array([1]),
        is_multiple=False,
        shares=np.array([1 - share, share]),
    )
