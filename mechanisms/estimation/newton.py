"""Maximum likelihood of many shares, among which reports distinguish only a little.

Expectation-maximization is slow there. The shares of the largest likelihood then are above 0 for
few truths only. The constrained Newton method looks for these: it adds the truths at which the
likelihood rises fastest, and solves the quadratic approximation on them.

References
----------
Wang, Y. (2007). On fast computation of the non-parametric maximum likelihood estimate of a mixing
distribution. Journal of the Royal Statistical Society, Series B, 69, 185–198.
"""

from abc import abstractmethod

import numpy as np

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.mixtures import ENOUGH, TOLERANCE, ConvergenceError, Mixture

MOST_ROUNDS = 200
# Truths that are added in a round. Hundreds of a thousand truths can be peaks, and few of them
# matter.
MOST_PEAKS = 8
_HALVINGS = 30
# The search has stopped if the gap was not reduced by a tenth for more rounds than this.
_MOST_IDLE_ROUNDS = 10
# The weight of "shares sum to 1" among the rows of a least-squares problem.
_EQUALITY = 1e3


class Columns(Mixture):
    """A mixture that also gives single columns of L."""

    @abstractmethod
    def columns(self, truths: IntArray) -> FloatArray:
        """
        Return the columns of L for some truths.

        Parameters
        ----------
        truths : ndarray of int64, shape (k,)
            The codes of the truths.

        Returns
        -------
        ndarray, shape (d, k)
            The probability of each report for each truth.
        """


def newton(
    mixture: Columns, start: FloatArray | None = None, tolerance: float = TOLERANCE
) -> FloatArray:
    """
    Return the shares on the simplex that maximize the likelihood.

    Convergence is proven as in `mechanisms.estimation.mixtures.maximum`, by Lindsay's gap. The
    search ends as soon as this gap is at most `tolerance`. It also ends if the gap is at most
    `ENOUGH` and becomes no smaller.

    Parameters
    ----------
    mixture : Columns
        The reports.
    start : ndarray, shape (size,), optional
        Shares to begin with. By default it is one truth alone.
    tolerance : float, default 1e-8
        The largest gap, in log-likelihood.

    Returns
    -------
    ndarray, shape (size,)
        The shares.

    Raises
    ------
    ConvergenceError
        If the maximum is not reached.
    """
    n = mixture.weights.sum()
    shares = _single_truth(mixture) if start is None else start
    best = shares
    smallest_gap = np.inf
    idle_rounds = 0
    for _ in range(MOST_ROUNDS):
        mixed = mixture.mix(shares)
        slopes = mixture.gather(mixture.weights / mixed) / n
        gap = float(n * (slopes.max() - 1))
        idle_rounds = 0 if gap < 0.9 * smallest_gap else idle_rounds + 1
        if gap < smallest_gap:
            best = shares
            smallest_gap = gap
        is_stuck = idle_rounds > _MOST_IDLE_ROUNDS and smallest_gap <= ENOUGH
        if gap <= tolerance or is_stuck:
            return best
        shares = _next_shares(mixture, shares, mixed, slopes)
    if smallest_gap <= max(ENOUGH, tolerance):
        return best
    raise ConvergenceError(
        f"the likelihood may still be {smallest_gap:.2g} short after {MOST_ROUNDS} rounds"
    )


def _single_truth(mixture: Columns) -> FloatArray:
    """Return the share 1 for the truth at which the likelihood rises fastest.

    The search begins where all truths are equally frequent. Every report has a probability above 0
    for any single truth.
    """
    equal_shares = np.full(mixture.size, 1 / mixture.size)
    slopes = mixture.gather(mixture.weights / mixture.mix(equal_shares))
    shares = np.zeros(mixture.size)
    shares[slopes.argmax()] = 1
    return shares


def _next_shares(
    mixture: Columns, shares: FloatArray, mixed: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return the shares after one step of Newton's method.

    To the second order at f0, the log-likelihood of f is -1/2 times the sum over the reports of
    m (L f / L f0 - 2)^2, but for a constant.
    """
    truths = _supporting_truths(shares, slopes)
    root = np.sqrt(mixture.weights)
    rows = mixture.columns(truths) * (root / mixed)[:, np.newaxis]
    has_reports = root > 0
    equality_row = np.full((1, truths.size), _EQUALITY * root.max())
    equality_target = equality_row[0, 0]
    # nnls is slow to import, and few callers need it.
    from scipy.optimize import nnls  # noqa: PLC0415

    matrix = np.vstack([rows[has_reports], equality_row])
    right_side = np.append(2 * root[has_reports], equality_target)
    solution, _ = nnls(matrix, right_side)
    target = np.zeros_like(shares)
    target[truths] = solution / solution.sum()
    return _shortened_step(mixture, shares, target)


def _supporting_truths(shares: FloatArray, slopes: FloatArray) -> IntArray:
    """Return the truths with a share, and the steepest peaks of the slope of the likelihood."""
    padded = np.concatenate([[-np.inf], slopes, [-np.inf]])
    is_peak = (slopes >= padded[:-2]) & (slopes >= padded[2:]) & (slopes > 1)
    peaks = np.flatnonzero(is_peak)
    by_steepness = np.argsort(-slopes[peaks], kind="stable")
    steepest = peaks[by_steepness[:MOST_PEAKS]]
    truths: IntArray = np.union1d(np.flatnonzero(shares), steepest)
    return truths


def _shortened_step(mixture: Columns, shares: FloatArray, target: FloatArray) -> FloatArray:
    """Return the target, or the first shares on half the way that have a larger likelihood."""
    start_likelihood = mixture.log_likelihood(shares)
    candidate = target
    part = 1.0
    for _ in range(_HALVINGS):
        if mixture.log_likelihood(candidate) > start_likelihood:
            return candidate
        part /= 2
        candidate = shares + part * (target - shares)
    return target
