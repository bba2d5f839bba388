"""The choice of a window: its width, and the weights inside and outside of it.

The width is the one with the least noise in the mean. For surveys, the weights are numbers that
are easy to say.
"""

from functools import lru_cache
from math import exp, floor
from typing import Literal

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import LEAST_REALIZED_FRACTION, exp_capped, log_ratio
from mechanisms.estimation.windows import Windows, weights

# The largest number of values, such as the whole numbers from 0 to 1,000.
MOST_VALUES = 1001
# The largest low weight that is easy to say.
_MOST_LOW_WEIGHT = 100
# The number of values up to which every width is tried.
_MOST_VALUES_WITH_ALL_WIDTHS = 200


def fit_weights(
    declared: float, width: int, outside_count: int, den: int | Literal["survey"]
) -> tuple[int, int]:
    """
    Return the integer weights of a report inside and outside of the window.

    The denominator is width * high + outside_count * low, and epsilon is ln(high / low).

    Parameters
    ----------
    declared : float
        The declared epsilon. The realized one is never above it.
    width : int
        The number of reports in a window.
    outside_count : int
        The number of reports outside of it.
    den : int or "survey"
        The largest denominator: the weights realize as much of epsilon as it allows. "survey"
        chooses the smallest weights with 0.99 of the declared epsilon.

    Returns
    -------
    high, low : int
        The weights of a report inside and outside of the window.

    Raises
    ------
    ValueError
        If no weights within the denominator express this epsilon.
    """
    most = checks.MAX_DEN if den == "survey" else checks.denominator(den)
    # The high weight is at most low * exp(declared), so the denominator is at most
    # low * (width * exp(declared) + outside_count). It must not be above `most`.
    largest_low = floor(most / (width * exp_capped(declared) + outside_count))

    if den == "survey":
        # The smallest weights are the easiest to say.
        candidates = range(1, min(_MOST_LOW_WEIGHT, largest_low) + 1)
        least_epsilon = LEAST_REALIZED_FRACTION * declared
    else:
        # The largest weights come closest to epsilon. The range is empty if `largest_low` is 0.
        candidates = range(max(1, largest_low), largest_low + 1)
        least_epsilon = 0.0

    for low in candidates:
        high = _largest_high(declared, low)
        # With equal weights inside and outside of the window, nothing could be estimated.
        if high > low and log_ratio(high, low) >= least_epsilon:
            return high, low

    raise ValueError(
        f"epsilon is {declared!r}, which den = {den} cannot express; allowed is another one or a"
        " larger den"
    )


def _largest_high(declared: float, low: int) -> int:
    """Return the largest high weight, at least `low`, with ln(high / low) <= declared.

    declared: the declared epsilon.
    low: the weight of a report outside of the window. `high` is the weight of one inside.
    """
    high = floor(low * exp(declared))
    # The product of floats can be off by a rounding error.
    while log_ratio(high + 1, low) <= declared:
        high += 1
    while high > low and log_ratio(high, low) > declared:
        high -= 1
    return high


@lru_cache(maxsize=256)
def best_width(values: int, epsilon: float) -> int:
    """
    Return the width of a window with the least noise in the mean, on average over all values.

    `noise` defines the noise. The best width grows from 1 to the number of values as epsilon falls:
    it is about 0.82 of the values at ln 3, and half of them at ln 9. Every width below `values` is
    tried; for more than 200 values only those near the best one of a coarse grid.

    Parameters
    ----------
    values : int
        The number of values, 2 to 1,001.
    epsilon : float
        The declared epsilon, above 0.

    Returns
    -------
    int
        The number of reports in a window.
    """
    values = checks.whole("values", values, 2, MOST_VALUES)
    e = exp_capped(checks.epsilon(epsilon))
    # The distance of the widths of the coarse grid: values / 200, rounded up. Up to 200 values it
    # is 1, so every width is tried.
    step = -(-values // _MOST_VALUES_WITH_ALL_WIDTHS)
    coarse = _least_noise_width(values, e, range(1, values, step))
    # The best of all widths is searched only near the best one of the coarse grid, two steps to
    # each side.
    first = max(1, coarse - 2 * step)
    last = min(values, coarse + 2 * step + 1)
    return _least_noise_width(values, e, range(first, last))


def _least_noise_width(values: int, e: float, widths: range) -> int:
    """Return the one of several widths of a window with the least noise in the mean.

    values: the number of values.
    e: the ratio of the weights inside and outside of the window, exp(epsilon).
    """
    return min(widths, key=lambda width: noise(values, width, e))


def noise(values: int, width: int, e: float) -> float:
    """
    Return the mean square of the weights of reports in the estimate of the mean.

    The mean of n respondents is estimated by the mean weight of their reports. Its variance is
    nearly this number divided by n.

    Parameters
    ----------
    values : int
        The number of values, which are assumed to be equally frequent.
    width : int
        The number of reports in a window.
    e : float
        The ratio of the weights inside and outside of the window: exp(epsilon).

    Returns
    -------
    float
        The noise, in the square of the unit of one step between values.
    """
    # The weights inside and outside are the real numbers e and 1, not the integers of a mechanism.
    windows = Windows(values, width, e, 1)  # type: ignore[arg-type]
    # How often each report comes if all values are equally frequent, up to a factor.
    frequencies = windows.uniform()
    report_weights = weights(windows, np.arange(values, dtype=np.float64))
    return float(frequencies @ report_weights**2 / frequencies.sum())
