"""The tally: all that an estimate needs to know about the reports."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.checks import IntArray


@dataclass(frozen=True, eq=False)
class Tally:
    """How many reports there are, and how many of them say each answer.

    n: number of reports.
    counts: shape (size,), int64. How many reports equal the answer (matrix) or have its bit set (unary,
    subset); for marks that are picked these, then how many reports picked each, shape (2 size,).
    pairs: shape (size, size), int64, or None. How many reports have both bits set; only where asked for.

    Tallies of one mechanism add up with +. ValueError for counts that are negative or above n.
    """

    n: int
    counts: IntArray
    pairs: IntArray | None = None

    def __init__(self, n: int, counts: ArrayLike, pairs: ArrayLike | None = None) -> None:
        n = checks.whole("n", n, 0)
        whole_counts = _counts("counts", counts, n, dimensions=1)
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "counts", whole_counts)
        object.__setattr__(self, "pairs", None if pairs is None else _pairs(pairs, n, whole_counts))

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        if other.counts.shape != self.counts.shape:
            raise ValueError(
                f"counts has shape {other.counts.shape}; allowed is {self.counts.shape}, as in the first tally"
            )
        both = self.pairs is not None and other.pairs is not None
        pairs = self.pairs + other.pairs if both else None  # type: ignore[operator]
        return Tally(self.n + other.n, self.counts + other.counts, pairs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        if (self.pairs is None) != (other.pairs is None):
            return False
        same_pairs = self.pairs is None or np.array_equal(self.pairs, other.pairs)  # type: ignore[arg-type]
        return self.n == other.n and np.array_equal(self.counts, other.counts) and same_pairs

    __hash__ = None  # type: ignore[assignment]


def _counts(name: str, values: ArrayLike, n: int, dimensions: int) -> IntArray:
    array = np.asarray(values)
    if array.ndim != dimensions or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} has shape {array.shape} and dtype {array.dtype}; "
            f"allowed are whole numbers in {dimensions} dimension{'s' if dimensions > 1 else ''}"
        )
    outside = (array < 0) | (array > n)
    if outside.any():
        raise ValueError(
            f"{name} holds {array[outside][0]}; allowed is a whole number from 0 to n = {n}"
        )
    return array.astype(np.int64)


def _pairs(values: ArrayLike, n: int, counts: IntArray) -> IntArray:
    array = _counts("pairs", values, n, dimensions=2)
    if array.shape != (counts.size, counts.size) or not np.array_equal(array.diagonal(), counts):
        raise ValueError(
            f"pairs has shape {array.shape}; allowed is {(counts.size, counts.size)} with counts as its diagonal"
        )
    return array
