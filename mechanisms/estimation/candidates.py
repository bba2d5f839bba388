"""Estimates for written texts: the shares of candidates, and the share of all other texts."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.estimation.estimates import Total


@dataclass(frozen=True, eq=False)
class Counted:
    """
    The counts of some of the reports, for one mechanism and one list of candidates.

    The counts of several parts of the reports are added with `+`.

    Attributes
    ----------
    n : int
        The number of reports.
    sums : ndarray of int64
        The counts, of the shape that `count_candidates` of the mechanism documents.
    """

    n: int
    sums: IntArray

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(self.n + other.n, self.sums + other.sums)

    def as_json(self) -> dict[str, Any]:
        """
        Return the counts as JSON values, which `from_json` reads.

        Returns
        -------
        dict
            The keys are "n", "shape" and "sums", the last a flat list.
        """
        return {"n": self.n, "shape": list(self.sums.shape), "sums": self.sums.ravel().tolist()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Counted":
        """
        Return the counts that `as_json` stored.

        Parameters
        ----------
        data : dict
            What `as_json` returned.

        Returns
        -------
        Counted
            The counts.
        """
        sums = np.array(data["sums"], np.int64).reshape(data["shape"])
        return cls(n=data["n"], sums=sums)


@dataclass(frozen=True, eq=False)
class Candidates:
    """
    Shares of candidates, and which of them are found.

    All shares, errors, intervals and probabilities are fractions, not percent.

    Attributes
    ----------
    n : int
        The number of reports.
    level : float
        The largest probability that any of the intervals misses its share.
    texts : tuple of str, length k
        The candidates, normalized.
    counts : ndarray of int64, shape (k,)
        The number of reports that support each candidate. If a text sets several bits, it is the
        mean over its bits.
    shares : ndarray, shape (k,)
        Unbiased estimates, which may fall outside [0, 1].
    standard_errors : ndarray, shape (k,)
        The standard errors of `shares`.
    intervals : ndarray, shape (k, 2)
        The intervals of the shares, at 1 - level / k each.
    significance : ndarray, shape (k,)
        The probability that a random text, which nobody wrote, has at least the score of the
        candidate. In Bloom filters the score is what the candidate's own bits have in excess of the
        other candidates, otherwise it is the count.
    none : Total
        The share of answers that are none of the candidates: 1 less the sum of `shares`.
    collisions : tuple of tuples of int
        Groups of candidates that no report can distinguish, as indexes of `texts`. The candidates
        of a group have the same share.
    possible : ndarray, shape (k,), or None
        The shares of least squares of which none is below 0, for display. None if each candidate is
        counted alone.
    """

    n: int
    level: float
    texts: tuple[str, ...]
    counts: IntArray = field(repr=False)
    shares: FloatArray = field(repr=False)
    standard_errors: FloatArray = field(repr=False)
    intervals: FloatArray = field(repr=False)
    significance: FloatArray = field(repr=False)
    none: Total
    collisions: tuple[tuple[int, ...], ...] = ()
    possible: FloatArray | None = field(default=None, repr=False)

    @property
    def is_found(self) -> BoolArray:
        """True for each candidate that counts as found, shape (k,).

        A candidate is found if its interval lies above 0 and its `significance` is at most
        level / (2 k), the error level of one end of its interval. The second condition matters in
        Bloom filters only. There a candidate shares bits with frequent texts that are not on the
        list, and least squares may count them as its own. For an exact interval of a count, both
        conditions are the same.
        """
        level_of_one_end = self.level / (2 * len(self.texts))
        is_above_zero = self.intervals[:, 0] > 0
        return is_above_zero & (self.significance <= level_of_one_end)

    @property
    def found(self) -> IntArray:
        """The indexes of the candidates that are found, the largest share first."""
        indexes = np.flatnonzero(self.is_found)
        return indexes[np.argsort(-self.shares[indexes], kind="stable")]
