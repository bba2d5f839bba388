"""The likelihood of one true share, given tallies collected under one or several sets of parameters.

For a yes/no design the reports of Yes are Binomial(n, offset + slope pi), which is the whole likelihood. For a choice
C_v ~ Binomial(n, r_v) is the likelihood of that choice's count by itself. Shares are not clipped: pi may be any number
for which every report has a chance between 0 and 1.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import chdtri, xlog1py, xlogy

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.estimation.decoding import Decoder, Line
from mechanisms.estimation.tallies import Tally

Group = tuple[Decoder, Tally]
_HALVINGS = 100


class JointLikelihood:
    """The likelihood of the shares common to several groups, for all choices at once.

    groups: (mechanism, tally) pairs over the same number of answers. ValueError for an empty tally, different sizes,
    or a general matrix of more than two answers, whose counts do not depend on one share each.
    """

    def __init__(self, groups: Sequence[Group]) -> None:
        if not groups:
            raise ValueError("groups is empty; allowed is at least one (mechanism, tally)")
        lines = [check_group(mechanism, tally) for mechanism, tally in groups]
        sizes = sorted({mechanism.size for mechanism, _ in groups})
        if len(sizes) > 1:
            raise ValueError(f"groups has mechanisms of sizes {sizes}; allowed is one size")
        self.size = sizes[0]
        self.counts = np.stack([mechanism.support_counts(tally) for mechanism, tally in groups])
        self.n = np.stack([mechanism.informative_reports(tally) for mechanism, tally in groups])
        self.offset = np.stack([line.offset for line in lines])
        self.slope = np.stack([line.slope for line in lines])
        ends = np.sort(
            np.stack([-self.offset / self.slope, (1 - self.offset) / self.slope]), axis=0
        )
        self.lowest, self.highest = ends[0].max(axis=0), ends[1].min(axis=0)

    def reports(self, shares: FloatArray) -> FloatArray:
        """The chances of a report: shares of shape (..., size) to shape (groups, ..., size)."""
        parts = [
            offset + slope * shares for offset, slope in zip(self.offset, self.slope, strict=True)
        ]
        chances: FloatArray = np.clip(np.stack(parts), 0.0, 1.0)  # rounding at the very ends
        return chances

    def log(self, shares: FloatArray) -> FloatArray:
        """Log-likelihood of every choice, shape (..., size); -inf outside of [lowest, highest]."""
        chances = self.reports(shares)
        form = (len(self.n), *[1] * (shares.ndim - 1), self.size)
        counts, misses = self.counts.reshape(form), (self.n - self.counts).reshape(form)
        value: FloatArray = (xlogy(counts, chances) + xlog1py(misses, -chances)).sum(axis=0)
        slack = 1e-12 * (self.highest - self.lowest)
        possible = (shares >= self.lowest - slack) & (shares <= self.highest + slack)
        return np.where(possible, value, -np.inf)

    def score(self, shares: FloatArray) -> FloatArray:
        """The derivative of the log-likelihood, shape (size,), strictly inside of [lowest, highest]."""
        chances = self.reports(shares)
        terms = self.counts / chances - (self.n - self.counts) / (1 - chances)
        value: FloatArray = (self.slope * terms).sum(axis=0)
        return value

    def maximum(self) -> FloatArray:
        """The shares of greatest likelihood, shape (size,). It is concave, so bisection of the score finds them."""
        low, high = self.lowest.copy(), self.highest.copy()
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            with np.errstate(divide="ignore", invalid="ignore"):
                rising = self.score(middle) > 0
            low, high = np.where(rising, middle, low), np.where(rising, high, middle)
        best: FloatArray = (low + high) / 2
        return best

    def interval(self, confidence: float) -> FloatArray:
        """The shares that a likelihood-ratio test does not reject, shape (size, 2) (Wilks 1938)."""
        best = self.maximum()
        floor = self.log(best) - chdtri(1, 1 - confidence) / 2
        return np.stack(
            [self._end(best, self.lowest, floor), self._end(best, self.highest, floor)], axis=-1
        )

    def _end(self, best: FloatArray, limit: FloatArray, floor: FloatArray) -> FloatArray:
        inside, outside = best.copy(), limit.copy()
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            good = self.log(middle) >= floor
            inside, outside = np.where(good, middle, inside), np.where(good, outside, middle)
        return inside

    def standard_errors(self) -> FloatArray:
        """From the expected information at the maximum, shape (size,); 0 where a report is certain there."""
        chances = self.reports(self.maximum())
        with np.errstate(divide="ignore"):
            information = (self.slope**2 * self.n / (chances * (1 - chances))).sum(axis=0)
        errors: FloatArray = 1 / np.sqrt(information)
        return errors


def check_group(mechanism: Decoder, tally: Tally) -> Line:
    """The line of a group's mechanism. ValueError where it has none or the tally is empty or another's."""
    if not isinstance(mechanism, Decoder) or not isinstance(tally, Tally):
        raise ValueError(
            f"group is {checks.show((mechanism, tally))}; allowed is a mechanism and its tally"
        )
    mechanism.check_tally(tally)
    if tally.n == 0:
        raise ValueError("tally has n = 0; allowed is at least one report")
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is any but a general matrix of more than two answers"
        )
    return line


def log_likelihood(
    mechanism: Decoder, tally: Tally, shares: FloatArray, choice: int = 1
) -> FloatArray:
    """The log-likelihood curve of one choice's true share, without the binomial coefficient.

    shares: any shape; the result has the same. -inf where a report would need a chance outside [0, 1].
    choice: its index; 1 is Yes.
    """
    joint = JointLikelihood([(mechanism, tally)])
    column = checks.whole("choice", choice, 0, mechanism.size - 1)
    grid = np.asarray(shares, dtype=np.float64)
    if not np.isfinite(grid).all():
        raise ValueError(f"shares is {checks.show(shares)}; allowed are finite numbers")
    return joint.log(np.repeat(grid[..., np.newaxis], mechanism.size, axis=-1))[..., column]
