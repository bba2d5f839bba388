"""The shares of greatest likelihood of many samples together, as `newton` has them one by one: for the bootstrap.

A sample is near after a few rounds, of which nearly all the time is calls and not numbers. So all samples go through
the rounds together; those that are near leave.
"""

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.estimation.newton import MOST_PEAKS, newton
from mechanisms.estimation.windows import WindowMixture, Windows

MOST_ROUNDS = 50
_TOGETHER = 2**18  # numbers of all samples' quadratic problems: as many as stay in the cache
_EXCHANGES = 30
_PATIENCE = 3  # exchanges of many truths at once that leave no fewer wrong
_HALVINGS = 30
_ROUNDING = 1e-13  # of a log-likelihood
_PROXIMAL = 1e-9  # of a truth's own bend: reports that did not come leave directions without any


def refits(counts: IntArray, windows: Windows, start: FloatArray, near: float) -> FloatArray:
    """The shares on the simplex of greatest likelihood for each sample, shape (samples, truths).

    counts: of the reports, shape (samples, reports). start: shares near them all, shape (truths,). near: of how much
    log-likelihood each may be short, by Lindsay's gap. ConvergenceError as in `newton`, which takes over what is not
    near after MOST_ROUNDS.
    """
    step = max(10, _TOGETHER // windows.truths**2)
    parts = [counts[first : first + step] for first in range(0, len(counts), step)]
    return np.concatenate([_together(part, windows, start, near) for part in parts])


def _together(counts: IntArray, windows: Windows, start: FloatArray, near: float) -> FloatArray:
    shares, left = np.tile(start, (len(counts), 1)), np.arange(len(counts))
    for _ in range(MOST_ROUNDS):
        mixture = WindowMixture(counts[left], windows)
        n, mixed = mixture.weights.sum(axis=1), mixture.mix(shares[left])
        slopes = mixture.gather(mixture.weights / mixed) / n[:, np.newaxis]
        far = n * (slopes.max(axis=1) - 1) > near
        if not far.any():
            return shares
        left = left[far]
        mixture.weights = mixture.weights[far]
        shares[left] = _step(mixture, shares[left], mixed[far], slopes[far])
    for each in left:
        shares[each] = newton(WindowMixture(counts[each], windows), shares[each], near)
    return shares


def _step(
    mixture: WindowMixture, shares: FloatArray, mixed: FloatArray, slopes: FloatArray
) -> FloatArray:
    """To the maximum of the quadratic approximation on the truths that matter, or as far as the likelihood rises.

    The sum of w ln(L f), less n times the sum of f, has its maximum where shares sum to 1 of themselves. To the second
    order at f0 it is (2 L'(w / L f0) - n)'f - f'Hf/2 but for a constant, with H = L' diag(w / (L f0)^2) L.
    """
    kept, matter = _support(shares, slopes)
    bends = mixture.bends(mixture.weights / mixed**2, kept)
    diagonal = np.einsum("sii->si", bends)  # a view
    proximal = _PROXIMAL * diagonal
    n = mixture.weights.sum(axis=1, keepdims=True)
    pull = n * (2 * np.take_along_axis(slopes, kept, axis=1) - 1) + proximal * np.take_along_axis(
        shares, kept, axis=1
    )
    diagonal += proximal
    best = _not_below_zero(bends, pull, matter)
    target = np.zeros_like(shares)
    np.put_along_axis(target, kept, best / best.sum(axis=1, keepdims=True), axis=1)
    return _shortened(mixture, shares, target, mixed)


def _support(shares: FloatArray, slopes: FloatArray) -> tuple[IntArray, BoolArray]:
    """Of each sample the truths that have a share, and the steepest peaks of its slopes, as in `newton`.

    Their places, shape (samples, k), k for the sample of the most; and which of these matter to the sample.
    """
    padded = np.pad(slopes, ((0, 0), (1, 1)), constant_values=-np.inf)
    peaks = (slopes >= padded[:, :-2]) & (slopes >= padded[:, 2:]) & (slopes > 1) & (shares == 0)
    worth = np.where(shares > 0, np.inf, np.where(peaks, slopes, -np.inf))
    most = int(((shares > 0).sum(axis=1) + np.minimum(peaks.sum(axis=1), MOST_PEAKS)).max())
    kept = np.argpartition(-worth, most - 1, axis=1)[:, :most]
    return kept, np.take_along_axis(worth, kept, axis=1) > -np.inf


def _not_below_zero(bends: FloatArray, pull: FloatArray, matter: BoolArray) -> FloatArray:
    """x of the least x'Ax/2 - b'x with none below 0, for each sample; 0 where a truth does not matter.

    Block principal pivoting (Kim and Park 2011, SIAM Journal on Scientific Computing 33, 3261-3281): all truths that
    are wrong change sides at once, and one by one where that leads nowhere.
    """
    places, best = np.arange(pull.shape[1]), np.zeros_like(pull)
    free, left = matter.copy(), np.arange(len(pull))
    fewest, patience = np.full(len(pull), places.size + 1), np.full(len(pull), _PATIENCE)
    for _ in range(_EXCHANGES):
        system = np.where(free[:, :, np.newaxis] & free[:, np.newaxis, :], bends, 0.0)
        system[:, places, places] += ~free
        solved = np.linalg.solve(system, (free * pull)[..., np.newaxis])
        best[left] = solved[..., 0]
        lacking = pull - (bends @ solved)[..., 0]
        slack = 1e-12 * np.abs(pull).max(axis=1, keepdims=True)
        wrong = matter & np.where(free, solved[..., 0] < 0, lacking > slack)
        number = wrong.sum(axis=1)
        if not (on := number > 0).any():
            break
        fewer = number < fewest
        patience, fewest = np.where(fewer, _PATIENCE, patience - 1), np.minimum(number, fewest)
        last = places == places.size - 1 - wrong[:, ::-1].argmax(axis=1)[:, np.newaxis]
        free ^= wrong & (last | (patience >= 0)[:, np.newaxis])
        left, bends, pull, matter, free = left[on], bends[on], pull[on], matter[on], free[on]
        fewest, patience = fewest[on], patience[on]
    return np.maximum(best, 0.0)


def _shortened(
    mixture: WindowMixture, shares: FloatArray, target: FloatArray, mixed: FloatArray
) -> FloatArray:
    """The targets, or as far towards them as the likelihood does not fall, but for rounding."""
    before = (mixture.weights * np.log(mixed)).sum(axis=1)
    least = before - _ROUNDING * np.abs(before)
    ahead, part = (
        mixture.mix(target) - mixed,
        np.ones((len(shares), 1)),
    )  # what is mixed is linear in shares
    for _ in range(_HALVINGS):
        falls = (mixture.weights * np.log(mixed + part * ahead)).sum(axis=1) < least
        if not falls.any():
            break
        part[falls] /= 2
    return np.where(part < 1, shares + part * (target - shares), target)
