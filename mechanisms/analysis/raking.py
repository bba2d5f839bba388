"""Raking: weights with which respondents match known shares of several background questions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.estimation.mixtures import ConvergenceError

_CLOSE = 1e-12  # in shares
_MOST_ROUNDS = 10_000


def rake(counts: Any, margins: Sequence[Any] | FloatArray) -> FloatArray:
    """Weights for the cells of a table of respondents, of its shape, whose mean over respondents is 1.

    counts: respondents in each cell, one axis for each background question. margins: for each axis the known shares (or
    numbers) of its groups; or, for post-stratification, an array of known shares of the shape of counts. Those of an
    empty cell are 1 and weigh nobody. ValueError where margins do not fit, differ in their sum, or a group has a known
    share but nobody in it; ConvergenceError where empty cells make the margins impossible together.

    Iterative proportional fitting (Deming and Stephan 1940, Ann. Math. Statist. 11), until all shares are met to 1e-12.
    """
    table = _table(counts)
    if isinstance(margins, np.ndarray) and margins.ndim == table.ndim > 1:
        return _one_margin(
            table.ravel(), _known("margins", margins.ravel(), table.ravel())
        ).reshape(table.shape)
    if not isinstance(margins, Sequence | np.ndarray) or len(margins) != table.ndim:
        raise ValueError(
            f"margins is {checks.show(margins)}; allowed are {table.ndim} lists of shares, one for each axis of counts"
        )
    wanted = [
        _known(f"margins[{axis}]", margin, table.sum(axis=_others(table, axis)))
        for axis, margin in enumerate(margins)
    ]
    sums = [float(np.sum(np.asarray(margin, dtype=np.float64))) for margin in margins]
    if max(sums) - min(sums) > 1e-9 * max(sums):
        raise ValueError(
            f"margins sum to {', '.join(f'{each:g}' for each in sums)}; allowed is one sum for all"
        )
    return _fit(table, wanted)


def _table(counts: Any) -> FloatArray:
    array = np.asarray(counts)
    if array.dtype.kind not in "iu" or array.ndim == 0 or (array.size and array.min() < 0):
        raise ValueError(f"counts is {checks.show(counts)}; allowed are whole numbers from 0")
    if not array.any():
        raise ValueError("counts has nobody in any cell; allowed is at least one respondent")
    return array.astype(np.float64)


def _others(table: FloatArray, axis: int) -> tuple[int, ...]:
    return tuple(each for each in range(table.ndim) if each != axis)


def _known(name: str, margin: Any, here: FloatArray) -> FloatArray:
    """The shares of a margin, summing to 1. here: how many respondents each of its groups has."""
    known = arrays.numbers(name, margin)
    if known.shape != here.shape:
        raise ValueError(
            f"{name} has shape {known.shape}; allowed is {here.shape}, as counts has groups"
        )
    if (known < 0).any() or not known.any():
        raise ValueError(f"{name} is {checks.show(margin)}; allowed are shares above 0")
    empty, unknown = (known > 0) & (here == 0), (known == 0) & (here > 0)
    if empty.any():
        group = int(np.flatnonzero(empty)[0])
        raise ValueError(
            f"{name} gives group {group} the share {known[group]:g}, but nobody is in it; allowed is to merge it"
        )
    if unknown.any():
        group = int(np.flatnonzero(unknown)[0])
        raise ValueError(
            f"{name} gives group {group}, with {here[group]:.0f} respondents, no share; allowed are shares above 0"
        )
    shares: FloatArray = known / known.sum()
    return shares


def _one_margin(here: FloatArray, wanted: FloatArray) -> FloatArray:
    return _over(wanted * here.sum(), here)


def _over(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """top / bottom, and 1 where nobody is."""
    found: FloatArray = np.divide(top, bottom, out=np.ones_like(bottom), where=bottom > 0)
    return found


def _fit(table: FloatArray, wanted: list[FloatArray]) -> FloatArray:
    """Each margin is met in turn, until all are at once."""
    total = table.sum()
    shares = table / total
    for _ in range(_MOST_ROUNDS):
        for axis, known in enumerate(wanted):
            now = shares.sum(axis=_others(table, axis))
            shares = shares * _along(_over(known, now), axis, table.ndim)
        off = [
            np.abs(shares.sum(axis=_others(table, axis)) - known).max()
            for axis, known in enumerate(wanted)
        ]
        if max(off) <= _CLOSE:
            return _over(shares * total, table)
    raise ConvergenceError(_impossible(table, shares, wanted, int(np.argmax(off))))


def _along(factor: FloatArray, axis: int, dimensions: int) -> FloatArray:
    return factor.reshape([-1 if each == axis else 1 for each in range(dimensions)])


def _impossible(table: FloatArray, shares: FloatArray, wanted: list[FloatArray], axis: int) -> str:
    now = shares.sum(axis=_others(table, axis))
    group = int(np.abs(now - wanted[axis]).argmax())
    empty = [tuple(int(each) for each in cell) for cell in np.argwhere(table == 0)[:5]]
    return (
        f"margins[{axis}] gives group {group} the share {wanted[axis][group]:.4g} and cannot be met together with the "
        f"others (it stays at {now[group]:.4g}): nobody is in cells {checks.show(empty)}; allowed is to merge groups"
    )
