"""Patterns: the distinct rows of a design, found quickly because each becomes one whole number.

A column of whole numbers is its own digit; a column of evenly spaced numbers (18.5, 19.0, ...)
counts its steps; any other column is sorted. The digits are combined in a mixed radix, so that no
rows have to be sorted or compared.
"""

from typing import NamedTuple

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray

# Cells that are counted in a table; more cells are sorted.
LARGEST_TABLE = 2**24
# How far from 0 a column of digits may be, and the whole numbers that a float holds exactly.
_FARTHEST_DIGIT = 2**20
_EXACT_LIMIT = 2**53
# Numbers that stay in the cache of the processor.
_BLOCK = 2**16
# Numbers of a column in which a step is looked for.
_SAMPLE = 4096


class Patterns(NamedTuple):
    """The distinct rows of a design.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        The number of each row, from 0 to below `size`. Equal rows have equal numbers.
    size : int
        The number of possible rows.
    levels : list of ndarray
        The values of each column, in the order of its digits. The digit of the first column
        changes fastest.
    """

    codes: IntArray
    size: int
    levels: list[FloatArray]

    def rows(self, codes: IntArray) -> FloatArray:
        """Return the rows of these numbers.

        Parameters
        ----------
        codes : ndarray of int, shape (m,)
            Numbers of rows.

        Returns
        -------
        ndarray of shape (m, columns)
        """
        if not self.levels:
            return np.zeros((codes.size, 0))
        remaining = codes
        columns = []
        for level in self.levels:
            columns.append(level[remaining % level.size])
            remaining = remaining // level.size
        return np.stack(columns, axis=1)


class _Extremes(NamedTuple):
    """The least and greatest value of each column, and if any number of it is not whole."""

    low: FloatArray
    high: FloatArray
    is_broken: BoolArray


def patterns(design: FloatArray) -> Patterns | None:
    """Return the distinct rows of a design, or None if they are too many to gain anything.

    Parameters
    ----------
    design : ndarray of shape (n, columns)
        Finite numbers.

    Returns
    -------
    Patterns or None
    """
    n, columns = design.shape
    low, high, is_broken = _extremes(design)
    farthest = np.maximum(np.abs(low), np.abs(high))
    digits_by_column = {}
    levels = []
    is_own_digit = []
    for column in range(columns):
        if is_broken[column] or farthest[column] >= _FARTHEST_DIGIT:
            values = np.ascontiguousarray(design[:, column])
            digits_by_column[column], level = _digits_and_levels(values)
        else:
            level = np.arange(low[column], high[column] + 1)
        levels.append(level)
        is_own_digit.append(column not in digits_by_column)

    sizes = [float(level.size) for level in levels]
    radix = np.cumprod([1.0, *sizes])
    factors = radix[:-1] * is_own_digit
    if radix[-1] >= _EXACT_LIMIT or farthest @ factors >= _EXACT_LIMIT:
        return None
    if n > _SAMPLE and any(level.size > n // 2 for level in levels):
        return None

    # These are whole numbers below 2**53, so the floats are exact.
    codes = (design @ factors - low @ factors).astype(np.int64)
    for column, digits in digits_by_column.items():
        codes += digits * np.int64(radix[column])
    return Patterns(codes=codes, size=int(radix[-1]), levels=levels)


def _extremes(design: FloatArray) -> _Extremes:
    """Return the extremes of each column, in one pass over the design."""
    n, columns = design.shape
    if columns > 1 and design.flags.f_contiguous:
        # The columns of a pandas table lie one after the other in memory.
        parts = [_extremes(design[:, column : column + 1]) for column in range(columns)]
        return _Extremes(
            low=np.concatenate([part.low for part in parts]),
            high=np.concatenate([part.high for part in parts]),
            is_broken=np.concatenate([part.is_broken for part in parts]),
        )

    # Several rows are put side by side, since numpy is slow along short rows.
    rows_in_line = max(1, 512 // columns)
    rows_in_lines = n // rows_in_line * rows_in_line
    width = rows_in_line * columns
    lines = np.ascontiguousarray(design[:rows_in_lines]).reshape(-1, width)
    step = max(1, _BLOCK // width)
    parts = []
    for start in range(0, len(lines), step):
        parts.append(_extremes_of_lines(lines[start : start + step], columns))
    if rows_in_lines < n:
        parts.append(_extremes_of_lines(design[rows_in_lines:], columns))
    return _Extremes(
        low=np.array([part.low for part in parts]).min(axis=0),
        high=np.array([part.high for part in parts]).max(axis=0),
        is_broken=np.asarray(np.array([part.is_broken for part in parts]).any(axis=0)),
    )


def _extremes_of_lines(lines: FloatArray, columns: int) -> _Extremes:
    """Return the extremes of each column of lines that hold one or more rows of the design each."""
    low = lines.min(axis=0).reshape(-1, columns)
    high = lines.max(axis=0).reshape(-1, columns)
    remainder = np.rint(lines)
    remainder -= lines
    is_broken = np.zeros((1, columns), dtype=bool)
    if remainder.any():
        is_broken = remainder.any(axis=0).reshape(-1, columns)
    return _Extremes(
        low=low.min(axis=0), high=high.max(axis=0), is_broken=np.asarray(is_broken.any(axis=0))
    )


def _digits_and_levels(column: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the digit of each number of a column, and the value of each digit."""
    sample = np.unique(column[:_SAMPLE])
    low = column.min()
    high = column.max()
    step = np.diff(sample).min() if sample.size > 1 else 0.0
    with np.errstate(over="ignore"):
        is_spaced = step > 0 and (high - low) / step < _FARTHEST_DIGIT
    if is_spaced:
        digits = np.rint((column - low) / step).astype(np.int64)
        levels = np.zeros(digits.max() + 1)
        levels[digits] = column
        # The numbers after the sample may lie between the steps.
        if np.array_equal(levels[digits], column):
            return digits, levels
    levels, digits = np.unique(column, return_inverse=True)
    return digits.astype(np.int64), levels
