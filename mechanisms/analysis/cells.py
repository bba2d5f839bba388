"""Cells of a model: the distinct pairs of a row of the design and a kind of report.

A model looks at each cell once, however many respondents are in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.answers import KindTable
from mechanisms.analysis.patterns import LARGEST_TABLE, Patterns, patterns
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray, IntArray

# So many numbers stay in the processor's cache, and are looked at together.
_NUMBERS_IN_CACHE = 2**17
# Codes of cells are whole numbers of 64 bits.
_LARGEST_CODE = 2**62


@dataclass(frozen=True)
class Cells:
    """The cells of a model, in the order of their patterns. A pattern is a distinct row.

    Attributes
    ----------
    design : ndarray of shape (patterns, columns)
        The distinct rows of the design.
    starts : ndarray of int, shape (patterns,)
        The first cell of each pattern.
    kinds : ndarray of int, shape (cells,)
        The kind of report of each cell.
    values : ndarray of shape (cells, states)
        What the report of each cell means to the model.
    mass : ndarray of shape (cells,)
        The respondents in each cell, as the sum of their weights.
    squares : ndarray of shape (cells,)
        The sum of the squares of these weights.
    of_rows : ndarray of int, shape (n,), or None
        The cell of each respondent's row. None if neither weights nor clusters need it.
    """

    design: FloatArray
    starts: IntArray
    kinds: IntArray
    values: FloatArray
    mass: FloatArray
    squares: FloatArray
    of_rows: IntArray | None = None

    @cached_property
    def pattern_mass(self) -> FloatArray:
        """The respondents of each pattern, as the sum of their weights, shape (patterns,)."""
        mass: FloatArray = np.add.reduceat(self.mass, self.starts)
        return mass

    @cached_property
    def lengths(self) -> IntArray:
        """The number of cells of each pattern, shape (patterns,)."""
        return np.diff(self.starts, append=self.mass.size)

    @cached_property
    def kinds_of_all(self) -> FloatArray | None:
        """The values of each kind of report, shape (kinds, states).

        None if not every pattern has a cell for each kind.
        """
        size = 0
        if self.lengths.size:
            size = int(self.lengths[0])
        if size * self.lengths.size != self.kinds.size or (self.lengths != size).any():
            return None
        kinds_by_pattern = self.kinds.reshape(-1, size)
        if (kinds_by_pattern == kinds_by_pattern[0]).all():
            return self.values[:size]
        return None

    def with_design(self, design: FloatArray) -> "Cells":
        """Return the same cells with another design.

        Parameters
        ----------
        design : ndarray of shape (patterns, columns)
            The new row of each pattern.

        Returns
        -------
        Cells
        """
        return replace(self, design=design)

    def parts(self) -> Iterator[tuple[slice, "Cells"]]:
        """Yield parts of the cells that are small enough for the processor's cache.

        Yields
        ------
        patterns : slice
            The patterns of the part, of which there is at least one.
        part : Cells
            Their cells.
        """
        patterns = self.starts.size
        cells = self.mass.size
        most = max(1, _NUMBERS_IN_CACHE // self.values.shape[1])
        if cells <= most:
            yield slice(0, patterns), self
            return

        first = 0
        while first < patterns:
            begin = self.starts[first]
            if cells - begin <= most:
                end = patterns
            else:
                too_far = int(np.searchsorted(self.starts, begin + most, side="right"))
                end = max(first + 1, too_far - 1)
            yield slice(first, end), self._part(first, end)
            first = end

    def _part(self, first: int, end: int) -> "Cells":
        """Return the cells of the patterns from `first` up to `end`, which is left out."""
        first_cell = int(self.starts[first])
        end_cell = self.mass.size
        if end < self.starts.size:
            end_cell = int(self.starts[end])
        part = slice(first_cell, end_cell)
        return Cells(
            design=self.design[first:end],
            starts=self.starts[first:end] - first_cell,
            kinds=self.kinds[part],
            values=self.values[part],
            mass=self.mass[part],
            squares=self.squares[part],
        )

    def spread(self, by_pattern: FloatArray) -> FloatArray:
        """Return the row of each cell's pattern.

        Parameters
        ----------
        by_pattern : ndarray of shape (patterns, ...)
            A row for each pattern.

        Returns
        -------
        ndarray of shape (cells, ...)
        """
        lengths = self.lengths
        if lengths.size and (lengths == lengths[0]).all():
            # A broadcast is faster than repeating rows by their number.
            row_shape = by_pattern.shape[1:]
            shape = (lengths.size, int(lengths[0]), *row_shape)
            repeated = np.broadcast_to(by_pattern[:, np.newaxis], shape)
            by_cell: FloatArray = repeated.reshape(-1, *row_shape)
            return by_cell
        return np.repeat(by_pattern, lengths, axis=0)

    def sums(self, by_cell: FloatArray) -> FloatArray:
        """Return the sum of the rows of each pattern's cells.

        Parameters
        ----------
        by_cell : ndarray of shape (cells, ...)
            A row for each cell.

        Returns
        -------
        ndarray of shape (patterns, ...)
        """
        total: FloatArray = np.add.reduceat(by_cell, self.starts, axis=0)
        return total

    def products(self, by_cell: FloatArray, mass: FloatArray) -> FloatArray:
        """Return the sum of mass v v' over each pattern's cells, where v is the row of a cell.

        Parameters
        ----------
        by_cell : ndarray of shape (cells, columns)
            The row v of each cell.
        mass : ndarray of shape (cells,)
            The weight of each cell.

        Returns
        -------
        ndarray of shape (patterns, columns, columns)
        """
        cells, columns = by_cell.shape
        if columns == 1:
            return self.sums(mass[:, np.newaxis] * by_cell**2)[:, :, np.newaxis]

        weighted = by_cell * mass[:, np.newaxis]
        lengths = self.lengths
        if cells < 4 * lengths.size:
            return self.sums(weighted[:, :, np.newaxis] * by_cell[:, np.newaxis])

        # Where patterns have many cells, a product of matrices for each pattern is faster.
        if (lengths == lengths[0]).all():
            shape = (lengths.size, int(lengths[0]), columns)
            transposed = weighted.reshape(shape).transpose(0, 2, 1)
            batched: FloatArray = np.matmul(transposed, by_cell.reshape(shape))
            return batched
        total = np.empty((lengths.size, columns, columns))
        for pattern, length in enumerate(lengths.tolist()):
            start = int(self.starts[pattern])
            part = slice(start, start + length)
            np.matmul(weighted[part].T, by_cell[part], out=total[pattern])
        return total


def cross_product(design: FloatArray, inner: FloatArray) -> FloatArray:
    """Return the sum over patterns of (x x') (x) A, the Kronecker product of two matrices.

    Parameters
    ----------
    design : ndarray of shape (patterns, columns)
        The row x of each pattern.
    inner : ndarray of shape (patterns, states, states)
        The symmetric matrix A of each pattern.

    Returns
    -------
    ndarray of shape (columns * states, columns * states)
        In the order of ravelled coefficients of shape (columns, states).
    """
    columns = design.shape[1]
    states = inner.shape[1]
    total = np.empty((columns, states, columns, states))
    for one in range(states):
        for other in range(one, states):
            weighted = design * inner[:, one, other, np.newaxis]
            block = weighted.T @ design
            total[:, one, :, other] = block
            total[:, other, :, one] = block
    return total.reshape(columns * states, columns * states)


def collapse(rows: Rows, codes: IntArray, kinds: int, table: KindTable) -> Cells:
    """Return the cells of a design and its reports.

    Parameters
    ----------
    rows : Rows
        The rows of the design, with counts, weights and clusters.
    codes : ndarray of int, shape (n,)
        The kind of report of each row, below `kinds`.
    kinds : int
        The number of kinds of reports.
    table : callable
        From kinds of reports to their values, shape (m, states).

    Returns
    -------
    Cells
        Each row is a cell of its own if the design has so many patterns that nothing is gained.
    """
    distinct_rows = patterns(rows.design)
    if distinct_rows is None or distinct_rows.size * kinds >= _LARGEST_CODE:
        return _row_cells(rows, codes, table)

    numbers = distinct_rows.codes * kinds + codes
    numbered = _numbered_cells(rows, numbers, distinct_rows, kinds)
    pattern_of_cell = numbered.distinct // kinds
    kind_of_cell = numbered.distinct % kinds
    starts = np.flatnonzero(np.diff(pattern_of_cell, prepend=-1))
    return Cells(
        design=distinct_rows.rows(pattern_of_cell[starts]),
        starts=starts,
        kinds=kind_of_cell,
        values=table(kind_of_cell),
        mass=numbered.mass,
        squares=numbered.squares,
        of_rows=numbered.cell_of_row,
    )


class _NumberedCells(NamedTuple):
    """The cells by their numbers, which are patterns * kinds + kind.

    distinct: the numbers of the cells in ascending order, shape (cells,). cell_of_row: the cell of
    each row, or None if no row has a weight or cluster of its own. mass, squares: as in `Cells`.
    """

    distinct: IntArray
    cell_of_row: IntArray | None
    mass: FloatArray
    squares: FloatArray


def _numbered_cells(
    rows: Rows, numbers: IntArray, distinct_rows: Patterns, kinds: int
) -> _NumberedCells:
    """Return the cells of rows with these numbers, counted in a table unless it were too large."""
    if distinct_rows.size * kinds > LARGEST_TABLE:
        distinct, cell_of_row = np.unique(numbers, return_inverse=True)
        return _weighed_cells(rows, distinct, cell_of_row)

    rows_by_number = np.bincount(numbers, minlength=distinct_rows.size * kinds)
    distinct = _numbers_of_cells(rows_by_number, kinds)
    if rows.mass is None and rows.clusters is None:
        mass = rows_by_number[distinct].astype(np.float64)
        return _NumberedCells(distinct=distinct, cell_of_row=None, mass=mass, squares=mass)

    cell_of_number = np.zeros(rows_by_number.size, dtype=np.int64)
    cell_of_number[distinct] = np.arange(distinct.size)
    return _weighed_cells(rows, distinct, cell_of_number[numbers])


def _numbers_of_cells(rows_by_number: IntArray, kinds: int) -> IntArray:
    """Return the numbers of the cells that are worth keeping, in ascending order.

    If most of the cells have a row, every kind of report is kept for each pattern, because patterns
    of one length are faster.
    """
    has_rows = rows_by_number.reshape(-1, kinds).any(axis=1)
    used_patterns = np.flatnonzero(has_rows)
    distinct = np.flatnonzero(rows_by_number)
    if 2 * distinct.size >= used_patterns.size * kinds:
        distinct = (used_patterns[:, np.newaxis] * kinds + np.arange(kinds)).ravel()
    return distinct


def _weighed_cells(rows: Rows, distinct: IntArray, cell_of_row: IntArray) -> _NumberedCells:
    """Return the cells with the sums of their rows' weights and squares."""
    mass = np.bincount(cell_of_row, rows.mass, distinct.size).astype(np.float64)
    squares = mass
    if rows.squares is not None:
        squares = np.bincount(cell_of_row, rows.squares, distinct.size).astype(np.float64)
    return _NumberedCells(distinct=distinct, cell_of_row=cell_of_row, mass=mass, squares=squares)


def _row_cells(rows: Rows, codes: IntArray, table: KindTable) -> Cells:
    """Return each row as a cell and a pattern of its own."""
    mass = rows.mass
    if mass is None:
        mass = np.ones(codes.size)
    squares = rows.squares
    if squares is None:
        squares = mass
    every_row = np.arange(codes.size)
    return Cells(
        design=rows.design,
        starts=every_row,
        kinds=codes,
        values=table(codes),
        mass=mass,
        squares=squares,
        of_rows=every_row,
    )
