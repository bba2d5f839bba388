"""Counts of the reports to two questions together."""

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

# Rows that are counted at a time. A product of float32 counts exactly below 2**24.
_BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class PairTally:
    """The counts of the reports to two questions.

    Tallies of the same two mechanisms add up with +.

    Attributes
    ----------
    n : int
        The number of respondents.
    counts : ndarray of int64, shape (k1, k2)
        How many reports support each pair of answers: they are these answers (matrix), or have
        both bits set (unary, subset).
    first, second : Tally
        The tally of each question; a tally of bits has its pairs.

    Raises
    ------
    ValueError
        If the counts do not fit the two tallies.
    """

    n: int
    counts: IntArray
    first: Tally
    second: Tally

    def __init__(self, n: int, counts: ArrayLike, first: Tally, second: Tally) -> None:
        n = checks.whole("n", n, 0)
        _check_tally("first", first, n)
        _check_tally("second", second, n)
        table = _checked_counts(counts, first, second)
        # The class is frozen, so that the fields can only be set in this way.
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "counts", table)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)

    def __add__(self, other: "PairTally") -> "PairTally":
        if not isinstance(other, PairTally):
            return NotImplemented
        return PairTally(
            n=self.n + other.n,
            counts=self.counts + other.counts,
            first=self.first + other.first,
            second=self.second + other.second,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairTally):
            return NotImplemented
        has_same_tallies = self.first == other.first and self.second == other.second
        return has_same_tallies and np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]


def _check_tally(name: str, tally: Tally, n: int) -> None:
    if not isinstance(tally, Tally) or tally.n != n:
        raise ValueError(f"{name} is {checks.show(tally)}; allowed is a Tally of n = {n}")


def _checked_counts(counts: ArrayLike, first: Tally, second: Tally) -> IntArray:
    table = np.asarray(counts)
    shape = (first.counts.size, second.counts.size)
    if table.shape != shape or table.dtype.kind not in "iu":
        raise ValueError(
            f"counts has shape {table.shape} and dtype {table.dtype}; "
            f"allowed are whole numbers of shape ({shape[0]}, {shape[1]})"
        )
    smaller_counts = np.minimum(first.counts[:, np.newaxis], second.counts)
    impossible = table[(table < 0) | (table > smaller_counts)]
    if impossible.size:
        raise ValueError(
            f"counts holds {impossible[0]}; allowed is 0 to the smaller count of the two answers"
        )
    return table.astype(np.int64)


def pair_tally(first: Mechanism, reports: Any, second: Mechanism, others: Any) -> PairTally:
    """Return the counts of the reports to two questions.

    Parameters
    ----------
    first, second : Mechanism
        The mechanisms of the two questions; `Matrix.identity(size)` for a question that was asked
        directly.
    reports, others : array_like
        The reports to the two questions, with one row for each respondent, as for `first.tally`
        and `second.tally`.

    Returns
    -------
    PairTally

    Raises
    ------
    ValueError
        For wrong shapes, or reports that these mechanisms cannot send.
    """
    rows = _checked_reports("reports", first, reports)
    other_rows = _checked_reports("others", second, others)
    if len(rows) != len(other_rows):
        raise ValueError(
            f"others has {len(other_rows)} rows and reports has {len(rows)}; "
            "allowed is one row for each respondent"
        )
    n = len(rows)
    k1, k2 = first.size, second.size
    if rows.ndim == other_rows.ndim == 1:
        pairs = np.bincount(rows * k2 + other_rows, minlength=k1 * k2)
        counts = pairs.reshape(k1, k2).astype(np.int64)
        return PairTally(
            n=n,
            counts=counts,
            first=Tally(n, counts.sum(axis=1)),
            second=Tally(n, counts.sum(axis=0)),
        )

    # One product counts the pairs of answers inside each question and between the questions.
    total = np.zeros((k1 + k2, k1 + k2), dtype=np.int64)
    for start in range(0, n, _BLOCK):
        block = slice(start, start + _BLOCK)
        indicators = np.hstack([_indicators(rows[block], k1), _indicators(other_rows[block], k2)])
        total += (indicators.T @ indicators).astype(np.int64)
    return PairTally(
        n=n,
        counts=total[:k1, k1:],
        first=_tally_of_pairs(n, total[:k1, :k1], has_bits=rows.ndim == 2),
        second=_tally_of_pairs(n, total[k1:, k1:], has_bits=other_rows.ndim == 2),
    )


def _checked_reports(name: str, mechanism: Mechanism, reports: Any) -> NDArray[Any]:
    """Return the reports as whole numbers of shape (n,), or as bits of shape (n, size)."""
    if isinstance(mechanism, MatrixMechanism):
        return checks.indices(name, reports, mechanism.size)
    if not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"mechanism is {checks.show(mechanism)}; "
            "allowed is a matrix, unary encoding or subset selection"
        )
    rows = checks.bits(name, reports, mechanism.size)
    mechanism.check_rows(np.packbits(rows, axis=1))
    return rows


def _indicators(rows: NDArray[Any], size: int) -> NDArray[np.float32]:
    """Return 1 for each answer that a report supports, and 0 for the others; shape (rows, size)."""
    if rows.ndim == 2:
        return rows.astype(np.float32)
    table = np.zeros((len(rows), size), dtype=np.float32)
    table[np.arange(len(rows)), rows] = 1
    return table


def _tally_of_pairs(n: int, pairs: IntArray, *, has_bits: bool) -> Tally:
    """Return the tally of one question, which keeps its pairs only if its reports are bits."""
    counts = pairs.diagonal().copy()
    if has_bits:
        return Tally(n, counts, pairs)
    return Tally(n, counts)
