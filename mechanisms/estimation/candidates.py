"""What reports on written texts say of candidates: counts, shares, and what is left for none of them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import ndtr

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.estimates import Total


@dataclass(frozen=True, eq=False)
class Counted:
    """What a part of the reports counts, for one mechanism and one list of candidates. Parts add up with +.

    n: number of reports. sums: whole numbers, int64, of the shape that the mechanism says.
    """

    n: int
    sums: IntArray

    def __add__(self, other: "Counted") -> "Counted":
        return Counted(self.n + other.n, self.sums + other.sums)

    def as_json(self) -> dict[str, Any]:
        """To be stored; `stored` is the way back."""
        return {"n": self.n, "shape": list(self.sums.shape), "sums": self.sums.ravel().tolist()}

    @classmethod
    def stored(cls, data: dict[str, Any]) -> "Counted":
        return cls(data["n"], np.array(data["sums"], np.int64).reshape(data["shape"]))


@dataclass(frozen=True, eq=False)
class Candidates:
    """Shares of candidates. All numbers are fractions, not percent.

    n: number of reports. texts: the candidates, normalised.
    counts: how many reports speak for each, shape (k,); where a text sets several bits, how many set one on average.
    shares: unbiased estimates, shape (k,); they may fall outside [0, 1]. standard_errors: shape (k,).
    intervals: shape (k, 2); all of them together miss with a chance of at most `level`.
    none: the share of answers that are none of the candidates, 1 less their sum, with its own standard error.
    collisions: groups of candidates that no report can tell apart, as places in texts; their shares are one.
    possible: shares of least squares of which none is below 0, shape (k,), for display; None where each text is counted
    by itself.
    """

    n: int
    level: float
    texts: tuple[str, ...]
    counts: IntArray = field(repr=False)
    shares: FloatArray = field(repr=False)
    standard_errors: FloatArray = field(repr=False)
    intervals: FloatArray = field(repr=False)
    none: Total
    collisions: tuple[tuple[int, ...], ...] = ()
    possible: FloatArray | None = field(default=None, repr=False)

    @property
    def found(self) -> IntArray:
        """The places of those whose share is told from 0: their interval lies above it; the largest share first."""
        places = np.flatnonzero(self.intervals[:, 0] > 0)
        return places[np.argsort(-self.shares[places], kind="stable")]

    @property
    def significance(self) -> FloatArray:
        """The chance to see so much of a text that nobody wrote, or more; of each by itself, shape (k,)."""
        chances: FloatArray = ndtr(-self.shares / self.standard_errors)
        return chances
