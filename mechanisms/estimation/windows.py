"""What is estimated from reports that fall most often into a window which moves with the truth.

Truth x makes the reports x to x + width - 1 likelier than the others, so the windows of two neighbours differ in their
two ends alone. That makes unbiased weights and the likelihood sums of differences: no matrix is formed.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.newton import Columns

Numbers = NDArray[Any]  # floats, or fractions where a result is to be exact


class Windows(NamedTuple):
    """The whole numbers of a window design: `high` is the weight of a report in the window, `low` of one outside.

    values: the truths 0 to values - 1, whose windows overlap. aside: 1 where one more truth, the last, has a window of
    its own behind all others; else 0.
    """

    values: int
    width: int
    high: int
    low: int
    aside: int = 0

    @property
    def truths(self) -> int:
        return self.values + self.aside

    @property
    def shared(self) -> int:
        """How many reports the windows of the values cover."""
        return self.values - 1 + self.width

    @property
    def reports(self) -> int:
        return self.shared + self.aside * self.width

    @property
    def den(self) -> int:
        return self.width * self.high + (self.reports - self.width) * self.low

    def starts(self) -> IntArray:
        """The first report in the window of each truth, shape (truths,)."""
        return np.append(np.arange(self.values), np.full(self.aside, self.shared)).astype(np.int64)

    def uniform(self) -> IntArray:
        """Weights of the reports where all truths are equally frequent, shape (reports,); they sum to truths * den."""
        report = np.arange(self.shared)
        covering = np.minimum(report, self.values - 1) - np.maximum(report - self.width + 1, 0) + 1
        covering = np.append(covering, np.ones(self.aside * self.width, np.int64))
        weights: IntArray = self.low * self.truths + (self.high - self.low) * covering
        return weights


def weights(windows: Windows, wanted: Numbers) -> Numbers:
    """What each report counts for in an unbiased estimate of the mean of `wanted`, shape (..., reports).

    wanted: a number for each truth, shape (..., truths). Of all weights w with M w = wanted, those with the least mean
    square where all truths are equally frequent: D^-1 M' (M D^-1 M')^-1 wanted, D the column means of M.
    Fractions come back as fractions.

    Neighbours' windows differ in two reports, so w[x + width] - w[x] = den (wanted[x + 1] - wanted[x]) / (high - low):
    each report is tied to that one width before it. What is free is the first of each such chain, and one weight for
    all reports of the window aside (they are alike); one linear condition is left, or two.
    """
    values, width, gain = windows.values, windows.width, windows.high - windows.low
    steps = windows.den * (wanted[..., 1:values] - wanted[..., : values - 1]) / gain
    rise = _chained(np.concatenate([0 * _repeat(wanted, width), steps], axis=-1), width).cumsum(
        axis=-2
    )
    often = _chained(windows.uniform()[: windows.shared], width)
    there = _chained(np.ones(windows.shared, np.int64), width)
    rise = rise * there
    # The free weights: their squares count `square` times, and `pull` of them is there already.
    square, pull = often.sum(axis=-2), (often * rise).sum(axis=-2)
    conditions = [windows.low * there.sum(axis=-2) + gain]
    rest = [windows.den * wanted[..., 0] - windows.low * rise.sum(axis=(-2, -1))]
    if windows.aside:
        square = np.append(square, windows.uniform()[windows.shared :].sum())
        pull = np.concatenate([pull, 0 * pull[..., :1]], axis=-1)
        conditions = [
            np.append(conditions[0], windows.low * width),
            np.append(windows.low * there.sum(axis=-2), windows.high * width),
        ]
        rest.append(windows.den * wanted[..., -1] - windows.low * rise.sum(axis=(-2, -1)))
    free = _least(square, pull, conditions, rest)
    first = free[..., np.newaxis, :width] + rise
    found: Numbers = first.reshape(*first.shape[:-2], -1)[..., : windows.shared]
    return (
        np.concatenate([found, _repeat(free[..., width:], width)], axis=-1)
        if windows.aside
        else found
    )


def _repeat(column: Numbers, times: int) -> Numbers:
    return np.repeat(column[..., :1], times, axis=-1)


def _chained(flat: Numbers, width: int) -> Numbers:
    """Shape (..., reports) as (..., links, width), filled up with 0; a column is a chain."""
    missing = -flat.shape[-1] % width
    filled = np.concatenate([flat, 0 * _repeat(flat, missing)], axis=-1)
    return filled.reshape(*flat.shape[:-1], -1, width)


def _least(
    square: Numbers, pull: Numbers, conditions: list[Numbers], rest: list[Numbers]
) -> Numbers:
    """u of least sum of square u^2 + 2 pull u with conditions[i] . u = rest[i], for one condition or two (Lagrange)."""
    square = square.astype(pull.dtype)
    if pull.dtype == object:
        square = square * Fraction(1)  # two plain integers would divide to a float
    conditions = [each.astype(pull.dtype) for each in conditions]
    start = -pull / square
    missing = [
        want - (start * each).sum(axis=-1) for each, want in zip(conditions, rest, strict=True)
    ]
    grams = [[(one * other / square).sum() for other in conditions] for one in conditions]
    if len(conditions) == 1:
        factors = [missing[0] / grams[0][0]]
    else:
        (a, b), (_, d) = grams
        factors = [(d * missing[0] - b * missing[1]), (a * missing[1] - b * missing[0])]
        factors = [each / (a * d - b * b) for each in factors]
    added = [
        np.asarray(one)[..., np.newaxis] * each / square
        for one, each in zip(factors, conditions, strict=True)
    ]
    found: Numbers = start + sum(added)
    return found


class WindowMixture(Columns):
    """Counts of the reports of a window design, shape (..., reports), as they enter the likelihood of the truths."""

    def __init__(self, counts: IntArray, windows: Windows) -> None:
        self.weights = counts.astype(np.float64)
        self.size, self._windows = windows.truths, windows
        self._low, self._gain = (
            windows.low / windows.den,
            (windows.high - windows.low) / windows.den,
        )
        report = np.arange(windows.shared)
        self._until = np.minimum(report + 1, windows.values)
        self._from = np.maximum(report + 1 - windows.width, 0)
        self._starts = windows.starts()

    def mix(self, shares: FloatArray) -> FloatArray:
        values, aside = shares[..., : self._windows.values], shares[..., self._windows.values :]
        sums = _sums(values)
        inside = sums[..., self._until] - sums[..., self._from]
        inside = np.concatenate([inside, np.repeat(aside, self._windows.width, axis=-1)], axis=-1)
        mixed: FloatArray = self._low * shares.sum(
            axis=-1, keepdims=True
        ) + self._gain * np.maximum(inside, 0.0)
        return mixed

    def columns(self, truths: IntArray) -> FloatArray:
        """L for these truths, shape (reports, truths)."""
        after = np.arange(self._windows.reports)[:, np.newaxis] - self._starts[truths]
        inside = (after >= 0) & (after < self._windows.width)
        chances: FloatArray = np.where(inside, self._low + self._gain, self._low)
        return chances

    def bends(self, values: FloatArray, truths: IntArray) -> FloatArray:
        """L' diag(values) L for these truths, shapes (..., reports) and (..., k) to (..., k, k). values: none below 0.

        Of two truths' windows the sums tell what they share: to where the first one ends, from where the last begins.
        """
        sums = self._gain**2 * _sums(values)
        first = np.take_along_axis(sums, self._starts[truths], axis=-1)
        last = np.take_along_axis(sums, self._starts[truths] + self._windows.width, axis=-1)
        ratio = self._low / self._gain
        alone = ratio * (last - first) + ratio**2 / 2 * sums[..., -1:]
        bent: FloatArray = np.minimum(last[..., np.newaxis], last[..., np.newaxis, :])
        bent -= np.maximum(first[..., np.newaxis], first[..., np.newaxis, :])
        np.maximum(bent, 0.0, out=bent)
        bent += alone[..., np.newaxis] + alone[..., np.newaxis, :]
        return bent

    def gather(self, values: FloatArray) -> FloatArray:
        sums = _sums(values)
        inside = sums[..., self._starts + self._windows.width] - sums[..., self._starts]
        gathered: FloatArray = self._low * sums[..., -1:] + self._gain * inside
        return gathered


def _sums(values: FloatArray) -> FloatArray:
    """0 and the sums of the first one, two, ... along the last axis."""
    return np.concatenate([np.zeros_like(values[..., :1]), np.cumsum(values, axis=-1)], axis=-1)
