"""Raking: weights with which respondents match known shares of several background questions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.estimation.mixtures import ConvergenceError

# How near to the known shares raked shares have to be.
_TOLERANCE = 1e-12
_MOST_ROUNDS = 10_000


def rake(counts: Any, margins: Sequence[Any] | FloatArray) -> FloatArray:
    """Return the weight of a respondent in each cell of a table, by iterative proportional fitting.

    Parameters
    ----------
    counts : array_like of int
        The respondents in each cell, with one axis for each background question.
    margins : sequence of array_like, or ndarray of the shape of `counts`
        For each axis the known shares (or numbers) of its groups. For post-stratification, an
        array of the known shares of the cells.

    Returns
    -------
    ndarray of the shape of `counts`
        Weights whose mean over respondents is 1. The weight of an empty cell is 1 and counts for
        nobody. All known shares are met to 1e-12.

    Raises
    ------
    ValueError
        If margins do not fit, differ in their sum, or a group has a known share but nobody in it.
    ConvergenceError
        If empty cells make it impossible to meet all margins.

    References
    ----------
    Deming and Stephan (1940, Annals of Mathematical Statistics 11).
    """
    table = _checked_table(counts)
    if isinstance(margins, np.ndarray) and margins.ndim == table.ndim > 1:
        cells = table.ravel()
        shares_of_cells = _known_shares("margins", margins.ravel(), cells)
        return _quotient(shares_of_cells * cells.sum(), cells).reshape(table.shape)

    if not isinstance(margins, Sequence | np.ndarray) or len(margins) != table.ndim:
        raise ValueError(
            f"margins is {checks.show(margins)}; allowed are {table.ndim} lists of shares, "
            "one for each axis of counts"
        )
    known_shares = []
    for axis, margin in enumerate(margins):
        respondents = _sums_of_groups(table, axis)
        known_shares.append(_known_shares(f"margins[{axis}]", margin, respondents))
    sums = [float(np.sum(np.asarray(margin, dtype=np.float64))) for margin in margins]
    if max(sums) - min(sums) > 1e-9 * max(sums):
        sums_text = ", ".join(f"{total:g}" for total in sums)
        raise ValueError(f"margins sum to {sums_text}; allowed is one sum for all")
    return _raked_weights(table, known_shares)


def _checked_table(counts: Any) -> FloatArray:
    array = np.asarray(counts)
    if array.dtype.kind not in "iu" or array.ndim == 0 or (array.size and array.min() < 0):
        raise ValueError(f"counts is {checks.show(counts)}; allowed are whole numbers from 0")
    if not array.any():
        raise ValueError("counts has nobody in any cell; allowed is at least one respondent")
    return array.astype(np.float64)


def _sums_of_groups(table: FloatArray, axis: int) -> FloatArray:
    """Return the sum of the table in each group of one axis."""
    other_axes = tuple(index for index in range(table.ndim) if index != axis)
    sums: FloatArray = table.sum(axis=other_axes)
    return sums


def _known_shares(name: str, margin: Any, respondents: FloatArray) -> FloatArray:
    """Return the known shares of the groups of a margin, which sum to 1.

    name: the name of the margin, for messages.
    respondents: the number of respondents in each group.
    """
    numbers = arrays.numbers(name, margin)
    if numbers.shape != respondents.shape:
        raise ValueError(
            f"{name} has shape {numbers.shape}; "
            f"allowed is {respondents.shape}, as counts has groups"
        )
    if (numbers < 0).any() or not numbers.any():
        raise ValueError(f"{name} is {checks.show(margin)}; allowed are shares above 0")
    empty_groups = np.flatnonzero((numbers > 0) & (respondents == 0))
    if empty_groups.size:
        group = int(empty_groups[0])
        raise ValueError(
            f"{name} gives group {group} the share {numbers[group]:g}, but nobody is in it; "
            "allowed is to merge it"
        )
    unknown_groups = np.flatnonzero((numbers == 0) & (respondents > 0))
    if unknown_groups.size:
        group = int(unknown_groups[0])
        raise ValueError(
            f"{name} gives group {group}, with {respondents[group]:.0f} respondents, no share; "
            "allowed are shares above 0"
        )
    shares: FloatArray = numbers / numbers.sum()
    return shares


def _quotient(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return numerator / denominator, and 1 where the denominator is 0."""
    quotient: FloatArray = np.divide(
        numerator, denominator, out=np.ones_like(denominator), where=denominator > 0
    )
    return quotient


def _raked_weights(table: FloatArray, known_shares: list[FloatArray]) -> FloatArray:
    """Return the weights of the cells, after each margin was met in turn until all are met."""
    total = table.sum()
    shares = table / total
    distances: list[float] = []
    for _ in range(_MOST_ROUNDS):
        for axis, goal in enumerate(known_shares):
            factors = _quotient(goal, _sums_of_groups(shares, axis))
            shape = [1] * table.ndim
            shape[axis] = -1
            shares = shares * factors.reshape(shape)
        distances = [
            float(np.abs(_sums_of_groups(shares, axis) - goal).max())
            for axis, goal in enumerate(known_shares)
        ]
        if max(distances) <= _TOLERANCE:
            return _quotient(shares * total, table)

    worst_axis = int(np.argmax(distances))
    raise ConvergenceError(_unmet_margin_message(table, shares, known_shares, worst_axis))


def _unmet_margin_message(
    table: FloatArray, shares: FloatArray, known_shares: list[FloatArray], axis: int
) -> str:
    """Return the message that a margin cannot be met together with the others."""
    reached = _sums_of_groups(shares, axis)
    goal = known_shares[axis]
    group = int(np.abs(reached - goal).argmax())
    empty_cells = []
    for cell in np.argwhere(table == 0)[:5].tolist():
        empty_cells.append(tuple(cell))
    return (
        f"margins[{axis}] gives group {group} the share {goal[group]:.4g} and cannot be met "
        f"together with the others (it stays at {reached[group]:.4g}): nobody is in cells "
        f"{checks.show(empty_cells)}; allowed is to merge groups"
    )
