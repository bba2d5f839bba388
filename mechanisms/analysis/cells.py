"""Cells: the distinct pairs of a design's row and a report, which are all that a model has to look at."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mechanisms.analysis.answers import KindTable
from mechanisms.analysis.patterns import LARGEST_TABLE, patterns
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray, IntArray

_PART = 2**17  # numbers that are looked at together and stay in the cache


@dataclass(frozen=True)
class Cells:
    """Cells in the order of their patterns.

    design: the distinct rows, shape (patterns, columns). starts: the first cell of each pattern, shape (patterns,).
    kinds: the report of each cell. values: what a report means to the model, shape (cells, states). mass, squares: the
    respondents in each cell, as sums of their weights and of the squares of these. of_rows: the cell of each
    respondent's row, kept where clusters need it, else None.
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
        mass: FloatArray = np.add.reduceat(self.mass, self.starts)
        return mass

    @cached_property
    def lengths(self) -> IntArray:
        """The number of cells of each pattern."""
        return np.diff(self.starts, append=self.mass.size)

    @cached_property
    def kinds_of_all(self) -> FloatArray | None:
        """What each kind of report means, shape (kinds, states), where every pattern has a cell for each; else None."""
        size = int(self.lengths[0]) if self.lengths.size else 0
        if size * self.lengths.size != self.kinds.size or (self.lengths != size).any():
            return None
        table = self.kinds.reshape(-1, size)
        return self.values[:size] if (table == table[0]).all() else None

    def with_design(self, design: FloatArray) -> "Cells":
        return replace(self, design=design)

    def parts(self) -> Iterator[tuple[slice, "Cells"]]:
        """Patterns by the slice, each with few enough cells to stay in the processor's cache."""
        most = max(1, _PART // self.values.shape[1])
        if self.mass.size <= most:
            yield slice(0, self.starts.size), self
            return
        first = 0
        while first < self.starts.size:
            last = max(
                first + 1,
                int(np.searchsorted(self.starts, self.starts[first] + most, side="right")) - 1,
            )
            last = self.starts.size if self.mass.size - self.starts[first] <= most else last
            yield slice(first, last), self._part(first, last)
            first = last

    def _part(self, first: int, last: int) -> "Cells":
        begin = int(self.starts[first])
        end = int(self.starts[last]) if last < self.starts.size else self.mass.size
        cut = slice(begin, end)
        return Cells(
            self.design[first:last],
            self.starts[first:last] - begin,
            self.kinds[cut],
            self.values[cut],
            self.mass[cut],
            self.squares[cut],
        )

    def spread(self, by_pattern: FloatArray) -> FloatArray:
        """From one row for each pattern to one for each cell."""
        lengths = self.lengths
        if lengths.size and (lengths == lengths[0]).all():
            shape = (lengths.size, int(lengths[0]), *by_pattern.shape[1:])
            repeated: FloatArray = np.broadcast_to(by_pattern[:, np.newaxis], shape).reshape(
                -1, *shape[2:]
            )
            return repeated
        return np.repeat(by_pattern, lengths, axis=0)

    def sums(self, by_cell: FloatArray) -> FloatArray:
        """From one row for each cell to their sum for each pattern."""
        total: FloatArray = np.add.reduceat(by_cell, self.starts, axis=0)
        return total

    def products(self, by_cell: FloatArray, mass: FloatArray) -> FloatArray:
        """Sums over the cells of each pattern of mass v v', shape (patterns, columns, columns)."""
        cells, columns = by_cell.shape
        if columns == 1:
            return self.sums(mass[:, np.newaxis] * by_cell**2)[:, :, np.newaxis]
        weighted, lengths = by_cell * mass[:, np.newaxis], self.lengths
        if cells < 4 * lengths.size:
            outer = weighted[:, :, np.newaxis] * by_cell[:, np.newaxis]
            return self.sums(outer)
        if (lengths == lengths[0]).all():
            shape = (lengths.size, int(lengths[0]), columns)
            batched: FloatArray = np.matmul(
                weighted.reshape(shape).transpose(0, 2, 1), by_cell.reshape(shape)
            )
            return batched
        found = np.empty((lengths.size, columns, columns))
        for pattern, (start, length) in enumerate(
            zip(self.starts.tolist(), lengths.tolist(), strict=True)
        ):
            cut = slice(start, start + length)
            np.matmul(weighted[cut].T, by_cell[cut], out=found[pattern])
        return found


def cross_product(design: FloatArray, inner: FloatArray) -> FloatArray:
    """Sums over patterns of (x x') (x) A, for A of shape (patterns, states, states).

    Shape (columns * states, columns * states), in the order of a ravelled (columns, states).
    """
    columns, states = design.shape[1], inner.shape[1]
    total = np.empty((columns, states, columns, states))
    for one in range(states):
        for other in range(one, states):
            block = (design * inner[:, one, other, np.newaxis]).T @ design
            total[:, one, :, other] = block
            total[:, other, :, one] = block
    return total.reshape(columns * states, columns * states)


def collapse(rows: Rows, codes: IntArray, kinds: int, table: KindTable) -> Cells:
    """The cells of a design and reports of so many kinds; table: what a kind of report means to the model."""
    found = patterns(rows.design)
    if found is None or found.size * kinds >= 2**62:
        return _as_they_are(rows, codes, table)
    numbers = found.codes * kinds + codes
    if found.size * kinds > LARGEST_TABLE:
        distinct, of_rows = np.unique(numbers, return_inverse=True)
    else:
        distinct, here = _counted(numbers, kinds, found.size)
        plain = rows.mass is None and rows.clusters is None
        of_rows = None if plain else _places(distinct, here.size)[numbers]
    if of_rows is None:
        mass = squares = here[distinct].astype(np.float64)
    else:
        mass = _sums(of_rows, rows.mass, distinct.size)
        squares = mass if rows.squares is None else _sums(of_rows, rows.squares, distinct.size)
    of_pattern, of_kind = distinct // kinds, distinct % kinds
    starts = np.flatnonzero(np.diff(of_pattern, prepend=-1))
    return Cells(
        found.rows(of_pattern[starts]), starts, of_kind, table(of_kind), mass, squares, of_rows
    )


def _counted(numbers: IntArray, kinds: int, patterns: int) -> tuple[IntArray, IntArray]:
    """The numbers that there are, by one count of all that there may be, and the counts.

    Every kind of report is kept for a pattern where most of the cells are filled: patterns of one length go faster.
    """
    here = np.bincount(numbers, minlength=patterns * kinds)
    used = np.flatnonzero(here.reshape(-1, kinds).any(axis=1))
    distinct = np.flatnonzero(here)
    if 2 * distinct.size >= used.size * kinds:
        distinct = (used[:, np.newaxis] * kinds + np.arange(kinds)).ravel()
    return distinct, here


def _sums(places: IntArray, values: FloatArray | None, size: int) -> FloatArray:
    return np.bincount(places, values, size).astype(np.float64)


def _places(distinct: IntArray, size: int) -> IntArray:
    """Where each number below size stands among the distinct ones."""
    places = np.zeros(size, dtype=np.int64)
    places[distinct] = np.arange(distinct.size)
    return places


def _as_they_are(rows: Rows, codes: IntArray, table: KindTable) -> Cells:
    """Each row a cell of its own."""
    mass = np.ones(codes.size) if rows.mass is None else rows.mass
    squares = mass if rows.squares is None else rows.squares
    every = np.arange(codes.size)
    return Cells(rows.design, every, codes, table(codes), mass, squares, every)
