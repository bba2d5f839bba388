"""Rows that are alike, found quickly: every distinct row of a design becomes one whole number.

A column of whole numbers is its own digit; one of evenly spaced numbers (18.5, 19.0, ...) counts its steps; any other
is sorted. The digits are put together in a mixed radix, so that no rows have to be sorted or compared.
"""

from typing import NamedTuple

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray

MOST = 2**24  # cells that are counted in a table; more are sorted
_FAR, _LIMIT = (
    2**20,
    2**53,
)  # how far a column of digits may be from 0; whole numbers that a float holds
_BLOCK = 2**16  # numbers that stay in the cache
_SAMPLE = 4096


class Patterns(NamedTuple):
    """codes: each row's number, shape (n,), below size. levels: the values of each digit, the first one fastest."""

    codes: IntArray
    size: int
    levels: list[FloatArray]

    def rows(self, codes: IntArray) -> FloatArray:
        """The rows that these numbers stand for, shape (codes.size, columns)."""
        digits, columns = codes, []
        for level in self.levels:
            columns.append(level[digits % level.size])
            digits = digits // level.size
        return np.stack(columns, axis=1) if columns else np.zeros((codes.size, 0))


def patterns(design: FloatArray) -> Patterns | None:
    """The distinct rows of a design of shape (n, columns); None where there are so many that nothing is gained."""
    low, high, broken = _extremes(design)
    farthest = np.maximum(np.abs(low), np.abs(high))
    others, levels = {}, []
    for column in range(design.shape[1]):
        if broken[column] or farthest[column] >= _FAR:
            others[column], level = _steps(np.ascontiguousarray(design[:, column]))
        else:
            level = np.arange(low[column], high[column] + 1)
        levels.append(level)
    radix = np.cumprod([1.0] + [float(level.size) for level in levels])
    plain = radix[:-1] * [column not in others for column in range(design.shape[1])]
    if radix[-1] >= _LIMIT or farthest @ plain >= _LIMIT:
        return None
    if len(design) > _SAMPLE and any(level.size > len(design) // 2 for level in levels):
        return None
    codes = (design @ plain - low @ plain).astype(np.int64)  # whole numbers below 2**53: exact
    for column, index in others.items():
        codes += index * np.int64(radix[column])
    return Patterns(codes, int(radix[-1]), levels)


def _extremes(design: FloatArray) -> tuple[FloatArray, FloatArray, BoolArray]:
    """The least and greatest value of each column, and whether it holds a number that is not whole; in one pass."""
    n, columns = design.shape
    if columns > 1 and design.flags.f_contiguous:  # as a pandas table gives it
        alone = [_extremes(design[:, column : column + 1]) for column in range(columns)]
        low, high, broken = (np.concatenate(each) for each in zip(*alone, strict=True))
        return low, high, broken
    together = max(1, 512 // columns)  # rows side by side, since short rows are slow to go along
    whole = n // together * together
    wide = np.ascontiguousarray(design[:whole]).reshape(-1, together * columns)
    step = max(1, _BLOCK // (together * columns))
    parts = [wide[start : start + step] for start in range(0, len(wide), step)]
    found = [_extremes_of(part, columns) for part in parts]
    found += [_extremes_of(design[whole:], columns)] if whole < n else []
    lows, highs, broken = (np.array(each) for each in zip(*found, strict=True))
    return lows.min(axis=0), highs.max(axis=0), np.asarray(broken.any(axis=0))


def _extremes_of(part: FloatArray, columns: int) -> tuple[FloatArray, FloatArray, BoolArray]:
    low, high = (each.reshape(-1, columns) for each in (part.min(axis=0), part.max(axis=0)))
    rest = np.rint(part)
    rest -= part
    broken = (
        rest.any(axis=0).reshape(-1, columns) if rest.any() else np.zeros((1, columns), dtype=bool)
    )
    return low.min(axis=0), high.max(axis=0), np.asarray(broken.any(axis=0))


def _steps(column: FloatArray) -> tuple[IntArray, FloatArray]:
    """Which of its levels each number is, and the levels."""
    some = np.unique(column[:_SAMPLE])
    low, high = column.min(), column.max()
    step = np.diff(some).min() if some.size > 1 else 0.0
    with np.errstate(over="ignore"):
        few = step > 0 and (high - low) / step < _FAR
    if few:
        index = np.rint((column - low) / step).astype(np.int64)
        levels = np.zeros(index.max() + 1)
        levels[index] = column
        if np.array_equal(levels[index], column):
            return index, levels
    levels, index = np.unique(column, return_inverse=True)
    return index.astype(np.int64), levels
