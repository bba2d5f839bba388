"""Counting the reports of two questions together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mechanisms import checks
from mechanisms.checks import IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.tallies import Tally

_BLOCK = 2**16  # rows at a time; below 2**24 a float32 product counts exactly


@dataclass(frozen=True, eq=False)
class PairTally:
    """All that a table of two questions needs to know about their reports.

    n: number of respondents. counts: shape (k1, k2), int64: how many reports say each answer (matrix) or have its bit
    set (unary, subset), of both questions. first, second: the tally of each question, of bits with its pairs.

    Tallies of one pair of mechanisms add up with +. ValueError for counts that are no part of the two tallies.
    """

    n: int
    counts: IntArray
    first: Tally
    second: Tally

    def __init__(self, n: int, counts: ArrayLike, first: Tally, second: Tally) -> None:
        n, table = checks.whole("n", n, 0), np.asarray(counts)
        for name, tally in (("first", first), ("second", second)):
            if not isinstance(tally, Tally) or tally.n != n:
                raise ValueError(f"{name} is {checks.show(tally)}; allowed is a Tally of n = {n}")
        if table.shape != (first.counts.size, second.counts.size) or table.dtype.kind not in "iu":
            allowed = f"whole numbers of shape ({first.counts.size}, {second.counts.size})"
            raise ValueError(
                f"counts has shape {table.shape} and dtype {table.dtype}; allowed are {allowed}"
            )
        most = np.minimum(first.counts[:, np.newaxis], second.counts)
        if (table < 0).any() or (table > most).any():
            wrong = table[(table < 0) | (table > most)][0]
            raise ValueError(
                f"counts holds {wrong}; allowed is 0 to the smaller count of the two answers"
            )
        for name, value in (
            ("n", n),
            ("counts", table.astype(np.int64)),
            ("first", first),
            ("second", second),
        ):
            object.__setattr__(self, name, value)

    def __add__(self, other: "PairTally") -> "PairTally":
        if not isinstance(other, PairTally):
            return NotImplemented
        first, second = self.first + other.first, self.second + other.second
        return PairTally(self.n + other.n, self.counts + other.counts, first, second)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairTally):
            return NotImplemented
        same = self.first == other.first and self.second == other.second
        return same and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]


def pair_tally(first: Mechanism, reports: Any, second: Mechanism, others: Any) -> PairTally:
    """Count the reports of two questions, a row for each respondent.

    reports, others: as for `first.tally` and `second.tally`, equally many. A question that was asked directly is
    `Matrix.identity(size)`. ValueError for wrong shapes or reports that are not these mechanisms'.
    """
    rows, more = _checked("reports", first, reports), _checked("others", second, others)
    if len(rows) != len(more):
        raise ValueError(
            f"others has {len(more)} rows and reports has {len(rows)}; allowed is one row for each respondent"
        )
    if rows.ndim == more.ndim == 1:
        counts = np.bincount(rows * second.size + more, minlength=first.size * second.size)
        table = counts.reshape(first.size, second.size).astype(np.int64)
        return PairTally(
            len(rows),
            table,
            Tally(len(rows), table.sum(axis=1)),
            Tally(len(rows), table.sum(axis=0)),
        )
    total = np.zeros((first.size + second.size,) * 2, dtype=np.int64)
    for start in range(0, len(rows), _BLOCK):
        cut = slice(start, start + _BLOCK)
        both = np.hstack([_indicators(rows[cut], first.size), _indicators(more[cut], second.size)])
        total += (both.T @ both).astype(np.int64)
    k = first.size
    tallies = _tally(len(rows), rows, total[:k, :k]), _tally(len(rows), more, total[k:, k:])
    return PairTally(len(rows), total[:k, k:], *tallies)


def _checked(name: str, mechanism: Mechanism, reports: Any) -> NDArray[Any]:
    """The reports as whole numbers of shape (n,), or bits of shape (n, size)."""
    if isinstance(mechanism, MatrixMechanism):
        return checks.indices(name, reports, mechanism.size)
    if not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"mechanism is {checks.show(mechanism)}; allowed is a matrix, unary encoding or subset selection"
        )
    rows = checks.bits(name, reports, mechanism.size)
    mechanism.check_rows(np.packbits(rows, axis=1))
    return rows


def _indicators(rows: NDArray[Any], size: int) -> NDArray[np.float32]:
    if rows.ndim == 2:
        return rows.astype(np.float32)
    table = np.zeros((len(rows), size), dtype=np.float32)
    table[np.arange(len(rows)), rows] = 1
    return table


def _tally(n: int, rows: NDArray[Any], pairs: IntArray) -> Tally:
    return Tally(n, pairs.diagonal().copy(), pairs if rows.ndim == 2 else None)
