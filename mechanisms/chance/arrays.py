"""Checks of arrays of numbers that broadcast, and the search for the smallest n."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.checks import BoolArray, FloatArray, IntArray

MOST = 10**15  # respondents; above it a question is called unanswerable


def smallest(reached: Callable[[FloatArray], BoolArray]) -> IntArray:
    """The smallest whole n >= 1 for which a condition holds that stays true from there on, by doubling and halving."""
    high = np.ones(np.shape(reached(np.float64(1))))  # type: ignore[arg-type]
    while not (done := reached(high)).all():
        if (high[~done] > MOST).any():
            raise ValueError(
                f"n would be above {MOST:.0e}; allowed is a question that fewer respondents can answer"
            )
        high = np.where(done, high, 2 * high)
    low = np.where(high > 1, np.floor(high / 2), 0.0)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        good = reached(np.maximum(middle, 1))
        apart = high - low > 1
        high, low = np.where(good & apart, middle, high), np.where(~good & apart, middle, low)
    return high.astype(np.int64)


def numbers(name: str, values: ArrayLike) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {checks.show(values)}; allowed are numbers") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are finite numbers")
    return array


def positives(name: str, values: ArrayLike) -> FloatArray:
    array = numbers(name, values)
    if (array <= 0).any():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are numbers above 0")
    return array


def shares(name: str, values: ArrayLike) -> FloatArray:
    array = numbers(name, values)
    if ((array < 0) | (array > 1)).any():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are shares from 0 to 1")
    return array


def chances(name: str, values: ArrayLike) -> FloatArray:
    array = numbers(name, values)
    if ((array <= 0) | (array >= 1)).any():
        raise ValueError(
            f"{name} is {checks.show(values)}; allowed are chances above 0 and below 1"
        )
    return array


def different(one: ArrayLike, other: ArrayLike) -> None:
    if (shares("share", one) == shares("share", other)).any():
        raise ValueError(f"share is {checks.show(one)}, twice; allowed are two different shares")
