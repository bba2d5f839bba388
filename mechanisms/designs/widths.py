"""How wide a window is and how likely: the width with the least noise in the mean, and weights that people can say."""

from functools import lru_cache
from math import exp, floor
from typing import Literal

import numpy as np

from mechanisms import checks
from mechanisms.chance.integers import ENOUGH, exp_capped, log_ratio
from mechanisms.estimation.windows import Windows, weights

MOST_VALUES = 1001
_MOST_LOW = 100  # of weights that people can say
_ALL_WIDTHS = 200  # values up to which every width is tried


def chosen_weights(
    declared: float, width: int, outside: int, den: int | Literal["survey"]
) -> tuple[int, int]:
    """High and low: the most of epsilon that the denominator allows, or the smallest weights with 0.99 of it."""
    most = checks.MAX_DEN if den == "survey" else checks.denominator(den)
    finest = floor(most / (width * exp_capped(declared) + outside))
    for low in range(1, _MOST_LOW + 1) if den == "survey" else (finest,):
        high = _largest_within(declared, low) if 1 <= low <= finest else low
        if high > low and (den != "survey" or log_ratio(high, low) >= ENOUGH * declared):
            return high, low
    raise ValueError(
        f"epsilon is {declared!r}, which den = {den} cannot express; allowed is another one or a larger den"
    )


def _largest_within(declared: float, low: int) -> int:
    high = floor(low * exp(declared))
    while log_ratio(high + 1, low) <= declared:  # off by a rounding at most
        high += 1
    while high > low and log_ratio(high, low) > declared:
        high -= 1
    return high


@lru_cache(maxsize=256)
def best_width(values: int, epsilon: float) -> int:
    """The width of least noise in the mean, on average over all values.

    It grows from one value to all of them as epsilon falls: about .82 of the values at ln 3, half at ln 9. Every width
    below `values` is tried; of more than 200 values those near the best of a coarse grid.
    """
    values, e = checks.whole("values", values, 2, MOST_VALUES), exp_capped(checks.epsilon(epsilon))
    step = -(-values // _ALL_WIDTHS)
    coarse = _quietest(values, e, range(1, values, step))
    return _quietest(
        values, e, range(max(1, coarse - 2 * step), min(values, coarse + 2 * step + 1))
    )


def _quietest(values: int, e: float, widths: range) -> int:
    return min(widths, key=lambda width: noise(values, width, e))


def noise(values: int, width: int, e: float) -> float:
    """The mean square of the weights of the mean, where all values are equally frequent."""
    windows = Windows(values, width, e, 1)  # type: ignore[arg-type]  # the real ratio, not its integers
    often = windows.uniform()
    counted = weights(windows, np.arange(values, dtype=np.float64))
    return float(often @ counted**2 / often.sum())
