"""Maximum likelihood where expectation-maximization is slow: many truths that reports tell apart only a little.

The shares of greatest likelihood then lie on few truths. The constrained Newton method (Wang 2007, JRSS B 69) looks for
them: it adds the truths at which the likelihood rises fastest, and solves the quadratic approximation on these.
"""

from abc import abstractmethod

import numpy as np

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.mixtures import ENOUGH, TOLERANCE, ConvergenceError, Mixture

MOST_ROUNDS = 200
MOST_PEAKS = 8  # that are added in a round: of a thousand truths hundreds can be peaks, and few of them matter
_HALVINGS = 30
_EQUALITY = 1e3  # the weight of "shares sum to 1" among the rows of a least-squares problem


class Columns(Mixture):
    """A mixture that gives its columns singly."""

    @abstractmethod
    def columns(self, truths: IntArray) -> FloatArray:
        """L for these truths, shape (d, truths)."""


def newton(
    mixture: Columns, start: FloatArray | None = None, tolerance: float = TOLERANCE
) -> FloatArray:
    """The shares on the simplex that maximize the likelihood, shape (size,).

    start: shares to begin at, by default one truth alone. Convergence is proven as in `mixtures.maximum`, by Lindsay's
    gap; the search ends when that is at most `tolerance`, or comes no nearer and is at most ENOUGH. ConvergenceError
    else.
    """
    n = mixture.weights.sum()
    shares = _one_truth(mixture) if start is None else start
    best, least, idle = shares, np.inf, 0
    for _ in range(MOST_ROUNDS):
        mixed = mixture.mix(shares)
        slopes = mixture.gather(mixture.weights / mixed) / n
        gap = float(n * (slopes.max() - 1))
        idle = 0 if gap < 0.9 * least else idle + 1
        if gap < least:
            best, least = shares, gap
        if gap <= tolerance or (idle > 10 and least <= ENOUGH):
            return best
        shares = _step(mixture, shares, mixed, slopes)
    if least <= max(ENOUGH, tolerance):
        return best
    raise ConvergenceError(
        f"the likelihood may still be {least:.2g} short after {MOST_ROUNDS} rounds"
    )


def _one_truth(mixture: Columns) -> FloatArray:
    """The truth at which the likelihood rises fastest where all are equally frequent: every report can come of it."""
    equal = mixture.mix(np.full(mixture.size, 1 / mixture.size))
    alone = np.zeros(mixture.size)
    alone[mixture.gather(mixture.weights / equal).argmax()] = 1
    return alone


def _step(
    mixture: Columns, shares: FloatArray, mixed: FloatArray, slopes: FloatArray
) -> FloatArray:
    kept = _support(shares, slopes)
    # ln(S f) to the second order at f0 is -1/2 sum of m (S f / S f0 - 2)^2 but for a constant.
    root = np.sqrt(mixture.weights)
    rows = mixture.columns(kept) * (root / mixed)[:, np.newaxis]
    sums = np.full((1, kept.size), _EQUALITY * root.max())
    came = root > 0
    from scipy.optimize import nnls  # noqa: PLC0415 (slow to import, and few need it)

    found, _ = nnls(np.vstack([rows[came], sums]), np.append(2 * root[came], sums[0, 0]))
    target = np.zeros_like(shares)
    target[kept] = found / found.sum()
    return _shortened(mixture, shares, target)


def _support(shares: FloatArray, slopes: FloatArray) -> IntArray:
    """The truths that have a share, and the steepest of those at which the slope of the likelihood has a peak."""
    padded = np.concatenate([[-np.inf], slopes, [-np.inf]])
    peaks = np.flatnonzero((slopes >= padded[:-2]) & (slopes >= padded[2:]) & (slopes > 1))
    steepest = peaks[np.argsort(-slopes[peaks], kind="stable")[:MOST_PEAKS]]
    kept: IntArray = np.union1d(np.flatnonzero(shares), steepest)
    return kept


def _shortened(mixture: Columns, shares: FloatArray, target: FloatArray) -> FloatArray:
    """The target, or as far towards it as the likelihood rises."""
    before, part = mixture.log_likelihood(shares), 1.0
    for _ in range(_HALVINGS):
        there = shares + part * (target - shares) if part < 1 else target
        if mixture.log_likelihood(there) > before:
            return there
        part /= 2
    return target
