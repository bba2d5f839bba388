"""Shares of the largest likelihood of many samples at once, for the bootstrap.

`newton` computes them for one sample. A sample needs few rounds, whose time is nearly all spent on
calls and not on numbers. So all samples go through the rounds at the same time, and a sample leaves
as soon as it is near its maximum.
"""

from typing import NamedTuple

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.estimation.newton import MOST_PEAKS, newton
from mechanisms.estimation.windows import WindowMixture, Windows

MOST_ROUNDS = 50
# The numbers in the quadratic problems of all samples, which are as many as the cache holds.
_TOGETHER = 2**18
_EXCHANGES = 30
# Exchanges of many truths at once that reduce the number of wrong truths no further.
_PATIENCE = 3
_HALVINGS = 30
# The rounding of a log-likelihood, relative to it.
_ROUNDING = 1e-13
# Reports that did not come leave directions without any curvature. This part of a truth's own
# curvature is added.
_PROXIMAL = 1e-9


class _Support(NamedTuple):
    """The truths that matter to each sample.

    truths: codes of truths, shape (samples, k), where k is that of the sample with the most.
    is_used: which of these matter to the sample, shape (samples, k).
    """

    truths: IntArray
    is_used: BoolArray


def refits(counts: IntArray, windows: Windows, start: FloatArray, near: float) -> FloatArray:
    """
    Return the shares on the simplex of the largest likelihood for each sample.

    Parameters
    ----------
    counts : ndarray of int64, shape (samples, reports)
        How often each report came in each sample.
    windows : Windows
        The design.
    start : ndarray, shape (truths,)
        Shares that are near those of all samples.
    near : float
        The log-likelihood by which each result may be below the maximum, by Lindsay's gap.

    Returns
    -------
    ndarray, shape (samples, truths)
        The shares.

    Raises
    ------
    ConvergenceError
        As `newton` does, which continues with the samples that are not near after `MOST_ROUNDS`.
    """
    step = max(10, _TOGETHER // windows.truths**2)
    parts = [
        _refits_of_part(counts[first : first + step], windows, start, near)
        for first in range(0, len(counts), step)
    ]
    return np.concatenate(parts)


def _refits_of_part(
    counts: IntArray, windows: Windows, start: FloatArray, near: float
) -> FloatArray:
    shares = np.tile(start, (len(counts), 1))
    samples = np.arange(len(counts))
    for _ in range(MOST_ROUNDS):
        mixture = WindowMixture(counts[samples], windows)
        n = mixture.weights.sum(axis=1)
        mixed = mixture.mix(shares[samples])
        slopes = mixture.gather(mixture.weights / mixed) / n[:, np.newaxis]
        is_far = n * (slopes.max(axis=1) - 1) > near
        if not is_far.any():
            return shares
        samples = samples[is_far]
        mixture.weights = mixture.weights[is_far]
        shares[samples] = _next_shares(mixture, shares[samples], mixed[is_far], slopes[is_far])
    for sample in samples:
        shares[sample] = newton(WindowMixture(counts[sample], windows), shares[sample], near)
    return shares


def _next_shares(
    mixture: WindowMixture, shares: FloatArray, mixed: FloatArray, slopes: FloatArray
) -> FloatArray:
    """Return the shares after one step of Newton's method, for each sample.

    The step leads to the maximum of the quadratic approximation on the truths that matter, or as
    far towards it as the likelihood rises. The sum of w ln(L f), less n times the sum of f, has its
    maximum where the shares sum to 1 by themselves. To the second order at f0 it is
    (2 L'(w / L f0) - n)'f - f'Hf/2 but for a constant, with H = L' diag(w / (L f0)^2) L.
    """
    truths, is_used = _support(shares, slopes)
    bends = mixture.bends(mixture.weights / mixed**2, truths)
    # A view: what is added to the diagonal below is added to the bends.
    diagonal = np.einsum("sii->si", bends)
    proximal = _PROXIMAL * diagonal
    n = mixture.weights.sum(axis=1, keepdims=True)
    slopes_of_truths = np.take_along_axis(slopes, truths, axis=1)
    shares_of_truths = np.take_along_axis(shares, truths, axis=1)
    pull = n * (2 * slopes_of_truths - 1) + proximal * shares_of_truths
    diagonal += proximal

    solution = _not_below_zero(bends, pull, is_used)
    target = np.zeros_like(shares)
    solution_shares = solution / solution.sum(axis=1, keepdims=True)
    np.put_along_axis(target, truths, solution_shares, axis=1)
    return _shortened_steps(mixture, shares, target, mixed)


def _support(shares: FloatArray, slopes: FloatArray) -> _Support:
    """Return the truths with a share and the steepest peaks of the slopes, as `newton` has them."""
    padded = np.pad(slopes, ((0, 0), (1, 1)), constant_values=-np.inf)
    is_peak = (slopes >= padded[:, :-2]) & (slopes >= padded[:, 2:]) & (slopes > 1) & (shares == 0)
    importance_of_peaks = np.where(is_peak, slopes, -np.inf)
    importance = np.where(shares > 0, np.inf, importance_of_peaks)
    numbers_of_peaks = np.minimum(is_peak.sum(axis=1), MOST_PEAKS)
    numbers_of_truths = (shares > 0).sum(axis=1) + numbers_of_peaks
    most = int(numbers_of_truths.max())
    truths = np.argpartition(-importance, most - 1, axis=1)[:, :most]
    is_used = np.take_along_axis(importance, truths, axis=1) > -np.inf
    return _Support(truths=truths, is_used=is_used)


def _not_below_zero(bends: FloatArray, pull: FloatArray, is_used: BoolArray) -> FloatArray:
    """Return the x with no element below 0 that minimizes x'Ax/2 - b'x, for each sample.

    Elements of truths that are not used are 0. The method is block principal pivoting (Kim and Park
    2011, SIAM Journal on Scientific Computing 33, 3261–3281): all truths that are on the wrong side
    change sides at once, and one by one if that does not help.

    bends: the matrices A, shape (samples, k, k).
    pull: the vectors b, shape (samples, k).
    is_used: which truths matter to the sample, shape (samples, k).
    """
    size = pull.shape[1]
    indexes = np.arange(size)
    best = np.zeros_like(pull)
    samples = np.arange(len(pull))
    is_free = is_used.copy()
    fewest = np.full(len(pull), size + 1)
    patience = np.full(len(pull), _PATIENCE)
    for _ in range(_EXCHANGES):
        are_both_free = is_free[:, :, np.newaxis] & is_free[:, np.newaxis, :]
        system = np.where(are_both_free, bends, 0.0)
        system[:, indexes, indexes] += ~is_free
        solution = np.linalg.solve(system, (is_free * pull)[..., np.newaxis])
        best[samples] = solution[..., 0]

        # A free element must not be below 0, and one at 0 must not pull upwards.
        lacking = pull - (bends @ solution)[..., 0]
        slack = 1e-12 * np.abs(pull).max(axis=1, keepdims=True)
        is_violated = np.where(is_free, solution[..., 0] < 0, lacking > slack)
        must_change = is_used & is_violated
        number = must_change.sum(axis=1)
        goes_on = number > 0
        if not goes_on.any():
            break

        has_fewer = number < fewest
        patience = np.where(has_fewer, _PATIENCE, patience - 1)
        fewest = np.minimum(number, fewest)
        changes_all = (patience >= 0)[:, np.newaxis]
        last_index = size - 1 - must_change[:, ::-1].argmax(axis=1)
        is_last = indexes == last_index[:, np.newaxis]
        is_free ^= must_change & (is_last | changes_all)

        samples = samples[goes_on]
        bends = bends[goes_on]
        pull = pull[goes_on]
        is_used = is_used[goes_on]
        is_free = is_free[goes_on]
        fewest = fewest[goes_on]
        patience = patience[goes_on]
    return np.maximum(best, 0.0)


def _shortened_steps(
    mixture: WindowMixture, shares: FloatArray, target: FloatArray, mixed: FloatArray
) -> FloatArray:
    """Return the targets, or shares as far towards them as the likelihood does not fall.

    A fall by rounding alone does not count.
    """
    start_likelihoods = (mixture.weights * np.log(mixed)).sum(axis=1)
    least = start_likelihoods - _ROUNDING * np.abs(start_likelihoods)
    # What is mixed is linear in the shares.
    change = mixture.mix(target) - mixed
    part = np.ones((len(shares), 1))
    for _ in range(_HALVINGS):
        likelihoods = (mixture.weights * np.log(mixed + part * change)).sum(axis=1)
        falls = likelihoods < least
        if not falls.any():
            break
        part[falls] /= 2
    return np.where(part < 1, shares + part * (target - shares), target)
