"""The tally: everything that an estimate needs to know about the reports."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.checks import IntArray


@dataclass(frozen=True, eq=False)
class Tally:
    """
    The number of reports, and how many of them support each answer.

    Tallies of one mechanism are added with `+`.

    Parameters
    ----------
    n : int
        The number of reports.
    counts : array_like of int, shape (size,)
        How many reports equal the answer (matrix) or have its bit set (unary encoding, subset
        selection). Option sampling has twice as many counts: after these come the numbers of
        reports that cover each option.
    pairs : array_like of int, shape (size, size), optional
        How many reports have both bits set. `Mechanism.tally` counts pairs only on request.
    labels : sequence of str, optional
        The label of each answer, which results show.
    missing : int, default 0
        The number of missing values that are not among the reports.

    Attributes
    ----------
    n : int
        The number of reports.
    counts : ndarray of int64, shape (size,)
        The counts.
    pairs : ndarray of int64, shape (size, size), or None
        The counts of pairs of bits. None if no pairs were counted.
    labels : tuple of str, or None
        The labels. Two tallies are equal if their numbers of reports, counts and pairs are, whatever
        their labels and missing values.
    missing : int
        The number of missing values.

    Raises
    ------
    ValueError
        If `counts` or `pairs` has another shape, or a number that is negative or above `n`.
    """

    n: int
    counts: IntArray
    pairs: IntArray | None = None
    labels: tuple[str, ...] | None = field(default=None, repr=False)
    missing: int = field(default=0, repr=False)

    def __init__(
        self,
        n: int,
        counts: ArrayLike,
        pairs: ArrayLike | None = None,
        *,
        labels: Sequence[str] | None = None,
        missing: int = 0,
    ) -> None:
        n = checks.whole("n", n, 0)
        whole_counts = _checked_counts("counts", counts, n, dimensions=1)
        whole_pairs = None
        if pairs is not None:
            whole_pairs = _checked_pairs(pairs, n, whole_counts)
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "counts", whole_counts)
        object.__setattr__(self, "pairs", whole_pairs)
        object.__setattr__(self, "labels", None if labels is None else tuple(labels))
        object.__setattr__(self, "missing", checks.whole("missing", missing, 0))

    def described(self, labels: Sequence[str] | None, missing: int) -> "Tally":
        """
        Return the same tally with labels and a number of missing values.

        Parameters
        ----------
        labels : sequence of str, or None
            The label of each answer.
        missing : int
            The number of missing values that are not among the reports.

        Returns
        -------
        Tally
            The tally.
        """
        return Tally(self.n, self.counts, self.pairs, labels=labels, missing=missing)

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        if other.counts.shape != self.counts.shape:
            raise ValueError(
                f"counts has shape {other.counts.shape}; allowed is {self.counts.shape}, as in the"
                " first tally"
            )
        pairs = None
        if self.pairs is not None and other.pairs is not None:
            pairs = self.pairs + other.pairs
        if self.labels is not None and other.labels not in (None, self.labels):
            raise ValueError(
                f"labels are {checks.show(other.labels)}; allowed are {checks.show(self.labels)},"
                " as in the first tally"
            )
        return Tally(
            self.n + other.n,
            self.counts + other.counts,
            pairs,
            labels=self.labels or other.labels,
            missing=self.missing + other.missing,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        if self.n != other.n or not np.array_equal(self.counts, other.counts):
            return False
        if self.pairs is None or other.pairs is None:
            return self.pairs is other.pairs
        return np.array_equal(self.pairs, other.pairs)

    __hash__ = None  # type: ignore[assignment]


def _checked_counts(name: str, values: ArrayLike, n: int, dimensions: int) -> IntArray:
    """Return whole numbers from 0 to n as an array, or raise ValueError."""
    array = np.asarray(values)
    if array.ndim != dimensions or array.dtype.kind not in "iu":
        plural = "s" if dimensions > 1 else ""
        raise ValueError(
            f"{name} has shape {array.shape} and dtype {array.dtype}; "
            f"allowed are whole numbers in {dimensions} dimension{plural}"
        )
    is_impossible = (array < 0) | (array > n)
    if is_impossible.any():
        raise ValueError(
            f"{name} holds {array[is_impossible][0]}; allowed is a whole number from 0 to n = {n}"
        )
    return array.astype(np.int64)


def _checked_pairs(values: ArrayLike, n: int, counts: IntArray) -> IntArray:
    """Return counts of pairs as an array whose diagonal is `counts`, or raise ValueError."""
    array = _checked_counts("pairs", values, n, dimensions=2)
    shape = (counts.size, counts.size)
    if array.shape != shape or not np.array_equal(array.diagonal(), counts):
        raise ValueError(
            f"pairs has shape {array.shape}; allowed is {shape} with counts as its diagonal"
        )
    return array
