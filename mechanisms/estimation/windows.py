"""Estimation from reports that are most often in a window, which moves with the truth.

Truth x makes the reports x to x + width - 1 likelier than the others, so the windows of two
neighbours differ only in their two ends. Unbiased weights and the likelihood are therefore sums of
differences, and no matrix is needed.
"""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.newton import Columns

# Floats, or fractions if a result has to be exact.
Numbers = NDArray[Any]


class Windows(NamedTuple):
    """
    The whole numbers of a window design.

    Attributes
    ----------
    values : int
        The number of values, which are the truths 0 to values - 1. Their windows overlap.
    width : int
        The number of reports in a window.
    high : int
        The weight of a report in the window of the truth.
    low : int
        The weight of a report outside of it.
    aside : int
        1 if there is a separate decline, the last truth, which has a window behind all others;
        otherwise 0.
    """

    values: int
    width: int
    high: int
    low: int
    aside: int = 0

    @property
    def truths(self) -> int:
        """The number of truths: the values, and the separate decline if there is one."""
        return self.values + self.aside

    @property
    def shared(self) -> int:
        """The number of reports that the windows of the values cover."""
        return self.values - 1 + self.width

    @property
    def reports(self) -> int:
        """The number of possible reports."""
        return self.shared + self.aside * self.width

    @property
    def den(self) -> int:
        """The sum of the weights of all reports."""
        return self.width * self.high + (self.reports - self.width) * self.low

    def starts(self) -> IntArray:
        """
        Return the first report in the window of each truth.

        Returns
        -------
        ndarray of int64, shape (truths,)
            Reports, from 0.
        """
        start_of_decline = np.full(self.aside, self.shared)
        return np.append(np.arange(self.values), start_of_decline).astype(np.int64)

    def uniform(self) -> IntArray:
        """
        Return the weights of the reports if all truths are equally frequent.

        Returns
        -------
        ndarray of int64, shape (reports,)
            The weights, whose sum is truths * den.
        """
        report = np.arange(self.shared)
        last_truths = np.minimum(report, self.values - 1)
        first_truths = np.maximum(report - self.width + 1, 0)
        covering_values = last_truths - first_truths + 1
        covering_decline = np.ones(self.aside * self.width, np.int64)
        covering = np.append(covering_values, covering_decline)
        weights: IntArray = self.low * self.truths + (self.high - self.low) * covering
        return weights


class _Condition(NamedTuple):
    """A linear condition: the sum of coefficients * u is `value`.

    coefficients has shape (k,), and value the shape of the scores without their last axis.
    """

    coefficients: Numbers
    value: Numbers


def weights(windows: Windows, scores: Numbers) -> Numbers:
    """
    Return what each report counts for in an unbiased estimate of the mean of scores.

    Of all weights w with M w = scores, these have the least mean square if all truths are equally
    frequent. They are D^-1 M' (M D^-1 M')^-1 scores, with the column means of M on the diagonal D.

    The windows of neighbours differ in two reports, so
    w[x + width] - w[x] = den (scores[x + 1] - scores[x]) / (high - low): each report is tied to the
    one that is `width` before it, in a chain. What remains free is the first weight of each chain,
    and one weight for all reports of the separate decline, which are alike. One linear condition
    remains for them, or two.

    Parameters
    ----------
    windows : Windows
        The design.
    scores : ndarray, shape (..., truths)
        A score for each truth. Fractions give exact fractions.

    Returns
    -------
    ndarray, shape (..., reports)
        The weights.
    """
    values = windows.values
    width = windows.width
    gain = windows.high - windows.low
    score_steps = scores[..., 1:values] - scores[..., : values - 1]
    steps = windows.den * score_steps / gain
    first_weights = 0 * _repeated(scores, width)
    # How far each weight is above the first one of its chain, shape (..., links, width).
    rises = _in_chains(np.concatenate([first_weights, steps], axis=-1), width)
    rises = rises.cumsum(axis=-2)
    frequencies = windows.uniform()
    chained_frequencies = _in_chains(frequencies[: windows.shared], width)
    is_report = _in_chains(np.ones(windows.shared, np.int64), width)
    rises = rises * is_report

    # The mean square of the weights is that of square * u^2 + 2 * pull * u, but for a constant, in
    # the free weights u.
    square = chained_frequencies.sum(axis=-2)
    pull = (chained_frequencies * rises).sum(axis=-2)
    chain_lengths = is_report.sum(axis=-2)
    coefficients = windows.low * chain_lengths + gain
    total_rise = windows.low * rises.sum(axis=(-2, -1))
    value = windows.den * scores[..., 0] - total_rise
    if not windows.aside:
        free = _least_squares(square, pull, [_Condition(coefficients, value)])
        return _chained_weights(free, rises, windows)

    square = np.append(square, frequencies[windows.shared :].sum())
    pull = np.concatenate([pull, 0 * pull[..., :1]], axis=-1)
    condition_of_values = _Condition(
        coefficients=np.append(coefficients, windows.low * width),
        value=value,
    )
    condition_of_decline = _Condition(
        coefficients=np.append(windows.low * chain_lengths, windows.high * width),
        value=windows.den * scores[..., -1] - total_rise,
    )
    free = _least_squares(square, pull, [condition_of_values, condition_of_decline])
    weights_of_values = _chained_weights(free[..., :width], rises, windows)
    weights_of_decline = _repeated(free[..., width:], width)
    return np.concatenate([weights_of_values, weights_of_decline], axis=-1)


def _chained_weights(first: Numbers, rises: Numbers, windows: Windows) -> Numbers:
    """Return the weights of the reports of values, shape (..., shared).

    first: the first weight of each chain, shape (..., width).
    """
    chained = first[..., np.newaxis, :] + rises
    flat: Numbers = chained.reshape(*chained.shape[:-2], -1)
    return flat[..., : windows.shared]


def _repeated(column: Numbers, times: int) -> Numbers:
    """Return the first number of the last axis, repeated along this axis."""
    return np.repeat(column[..., :1], times, axis=-1)


def _in_chains(flat: Numbers, width: int) -> Numbers:
    """Return numbers of reports as an array of chains, shape (..., links, width).

    A column is a chain. The last row is filled up with 0.
    """
    missing = -flat.shape[-1] % width
    filled = np.concatenate([flat, 0 * _repeated(flat, missing)], axis=-1)
    return filled.reshape(*flat.shape[:-1], -1, width)


def _least_squares(square: Numbers, pull: Numbers, conditions: list[_Condition]) -> Numbers:
    """Return the u that minimizes the sum of square u^2 + 2 pull u under one or two conditions.

    The solution is that of Lagrange multipliers, shape (..., k).
    """
    square = square.astype(pull.dtype)
    if pull.dtype == object:
        # Two plain integers would be divided to a float.
        square = square * Fraction(1)
    start = -pull / square
    vectors = [condition.coefficients.astype(pull.dtype) for condition in conditions]
    missing = [
        condition.value - (start * vector).sum(axis=-1)
        for condition, vector in zip(conditions, vectors, strict=True)
    ]

    first = vectors[0]
    a = (first * first / square).sum()
    if len(conditions) == 1:
        multipliers = [missing[0] / a]
    else:
        second = vectors[1]
        b = (first * second / square).sum()
        d = (second * second / square).sum()
        determinant = a * d - b * b
        first_multiplier = (d * missing[0] - b * missing[1]) / determinant
        second_multiplier = (a * missing[1] - b * missing[0]) / determinant
        multipliers = [first_multiplier, second_multiplier]

    corrections = [
        np.asarray(multiplier)[..., np.newaxis] * vector / square
        for multiplier, vector in zip(multipliers, vectors, strict=True)
    ]
    solution: Numbers = start + sum(corrections)
    return solution


class WindowMixture(Columns):
    """
    Reports of a window design, as their likelihood counts them.

    Parameters
    ----------
    counts : ndarray of int64, shape (..., reports)
        How often each report came.
    windows : Windows
        The design.
    """

    def __init__(self, counts: IntArray, windows: Windows) -> None:
        self.weights = counts.astype(np.float64)
        self.size = windows.truths
        self._windows = windows
        self._low = windows.low / windows.den
        self._gain = (windows.high - windows.low) / windows.den
        report = np.arange(windows.shared)
        self._until = np.minimum(report + 1, windows.values)
        self._from = np.maximum(report + 1 - windows.width, 0)
        self._starts = windows.starts()
        self._ends = self._starts + windows.width

    def mix(self, shares: FloatArray) -> FloatArray:
        values = shares[..., : self._windows.values]
        declines = shares[..., self._windows.values :]
        sums = _sums_from_zero(values)
        # For each report the share of the truths in whose window the report is.
        shares_of_values = sums[..., self._until] - sums[..., self._from]
        shares_of_decline = np.repeat(declines, self._windows.width, axis=-1)
        covered = np.concatenate([shares_of_values, shares_of_decline], axis=-1)
        covered = np.maximum(covered, 0.0)
        total = shares.sum(axis=-1, keepdims=True)
        mixed: FloatArray = self._low * total + self._gain * covered
        return mixed

    def columns(self, truths: IntArray) -> FloatArray:
        reports = np.arange(self._windows.reports)[:, np.newaxis]
        distance = reports - self._starts[truths]
        is_in_window = (distance >= 0) & (distance < self._windows.width)
        probabilities: FloatArray = np.where(is_in_window, self._low + self._gain, self._low)
        return probabilities

    def bends(self, values: FloatArray, truths: IntArray) -> FloatArray:
        """
        Return L' diag(values) L for some truths.

        What two windows share goes from where the last one begins to where the first one ends, so
        cumulative sums are enough.

        Parameters
        ----------
        values : ndarray, shape (..., reports)
            A value for each report, not below 0.
        truths : ndarray of int64, shape (..., k)
            The codes of the truths.

        Returns
        -------
        ndarray, shape (..., k, k)
            The products.
        """
        sums = self._gain**2 * _sums_from_zero(values)
        start = np.take_along_axis(sums, self._starts[truths], axis=-1)
        end = np.take_along_axis(sums, self._ends[truths], axis=-1)
        ratio = self._low / self._gain
        single = ratio * (end - start) + ratio**2 / 2 * sums[..., -1:]
        product: FloatArray = np.minimum(end[..., np.newaxis], end[..., np.newaxis, :])
        product -= np.maximum(start[..., np.newaxis], start[..., np.newaxis, :])
        np.maximum(product, 0.0, out=product)
        product += single[..., np.newaxis] + single[..., np.newaxis, :]
        return product

    def gather(self, values: FloatArray) -> FloatArray:
        sums = _sums_from_zero(values)
        in_window = sums[..., self._ends] - sums[..., self._starts]
        gathered: FloatArray = self._low * sums[..., -1:] + self._gain * in_window
        return gathered


def _sums_from_zero(values: FloatArray) -> FloatArray:
    """Return 0 and the sums of the first one, two, ... values along the last axis."""
    zero = np.zeros_like(values[..., :1])
    return np.concatenate([zero, np.cumsum(values, axis=-1)], axis=-1)
