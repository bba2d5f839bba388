"""Checks of arrays of numbers that broadcast, and the search for the smallest sample size.

Every check returns its argument as an array of floats. Its error names the argument, quotes the
value, and says what is allowed.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.checks import BoolArray, FloatArray, IntArray

# The number of respondents above which a question counts as unanswerable.
MOST_RESPONDENTS = 10**15


def smallest_n(is_enough: Callable[[FloatArray], BoolArray]) -> IntArray:
    """
    Return the smallest numbers of respondents for which a condition holds.

    Planning searches sample sizes with it, for many questions at once: an array with an element for
    each. The upper limits are doubled until the condition holds for all elements. Then the ranges
    are halved until one number is left of each (bisection).

    Parameters
    ----------
    is_enough : callable
        Returns, for an array with a number of respondents n >= 1 for each element, whether the
        condition of the element holds for its n. A condition that holds for some n must hold for
        every larger one. For a single number it returns an array too, whose shape is that of the
        result.

    Returns
    -------
    ndarray of int64
        The smallest n of each element, at least 1.

    Raises
    ------
    ValueError
        If some n would be above `MOST_RESPONDENTS`.
    """
    shape = np.shape(is_enough(np.float64(1)))  # type: ignore[arg-type]
    high = _doubled_until(is_enough, np.ones(shape))

    # The condition holds for `high`, and not for `low`. That is half of `high`, the limit before,
    # or 0 if one respondent is enough.
    low = np.where(high > 1, np.floor(high / 2), 0.0)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        # In a closed range `middle` can be 0, for which the condition is not defined.
        middle_is_enough = is_enough(np.maximum(middle, 1))
        is_open = high - low > 1
        high = np.where(is_open & middle_is_enough, middle, high)
        low = np.where(is_open & ~middle_is_enough, middle, low)

    _require_answerable(high)
    return high.astype(np.int64)


def _doubled_until(is_enough: Callable[[FloatArray], BoolArray], limits: FloatArray) -> FloatArray:
    """Return limits of respondents, each doubled until its condition holds.

    is_enough: as for `smallest_n`.
    limits: the numbers of respondents to start with, one for each element.

    Raises ValueError if a limit above `MOST_RESPONDENTS` is still too low.
    """
    is_done = is_enough(limits)
    while not is_done.all():
        _require_answerable(limits[~is_done])
        limits = np.where(is_done, limits, 2 * limits)
        is_done = is_enough(limits)
    return limits


def _require_answerable(n: FloatArray) -> None:
    """Raise ValueError if one of these numbers of respondents is above `MOST_RESPONDENTS`."""
    if (n > MOST_RESPONDENTS).any():
        raise ValueError(
            f"n would be above {MOST_RESPONDENTS:.0e}; allowed is a question that fewer"
            " respondents can answer"
        )


def numbers(name: str, values: ArrayLike) -> FloatArray:
    """
    Return finite numbers as an array of floats, or raise ValueError for anything else.

    Parameters
    ----------
    name : str
        The name of the argument, for the error.
    values : array_like
        The numbers, of any shape.

    Returns
    -------
    ndarray of float64
        The numbers, of the shape of `values`.

    Raises
    ------
    ValueError
        If something in `values` is not a finite number.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {checks.show(values)}; allowed are numbers") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are finite numbers")
    return array


def positives(name: str, values: ArrayLike) -> FloatArray:
    """
    Return numbers above 0 as an array of floats, or raise ValueError for anything else.

    Parameters
    ----------
    name : str
        The name of the argument, for the error.
    values : array_like
        The numbers, of any shape.

    Returns
    -------
    ndarray of float64
        The numbers, of the shape of `values`.

    Raises
    ------
    ValueError
        If something in `values` is not a finite number above 0.
    """
    array = numbers(name, values)
    if (array <= 0).any():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are numbers above 0")
    return array


def shares(name: str, values: ArrayLike) -> FloatArray:
    """
    Return shares from 0 to 1, both included, as an array of floats, or raise ValueError.

    Parameters
    ----------
    name : str
        The name of the argument, for the error.
    values : array_like
        The shares, of any shape.

    Returns
    -------
    ndarray of float64
        The shares, of the shape of `values`.

    Raises
    ------
    ValueError
        If something in `values` is not a number from 0 to 1.
    """
    array = numbers(name, values)
    if ((array < 0) | (array > 1)).any():
        raise ValueError(f"{name} is {checks.show(values)}; allowed are shares from 0 to 1")
    return array


def chances(name: str, values: ArrayLike) -> FloatArray:
    """
    Return probabilities above 0 and below 1 as an array of floats, or raise ValueError.

    Parameters
    ----------
    name : str
        The name of the argument, for the error.
    values : array_like
        The probabilities, of any shape.

    Returns
    -------
    ndarray of float64
        The probabilities, of the shape of `values`.

    Raises
    ------
    ValueError
        If something in `values` is not a number above 0 and below 1.
    """
    array = numbers(name, values)
    if ((array <= 0) | (array >= 1)).any():
        raise ValueError(
            f"{name} is {checks.show(values)}; allowed are chances above 0 and below 1"
        )
    return array


def check_different(first: ArrayLike, second: ArrayLike) -> None:
    """
    Check that two shares, or two arrays of shares, differ everywhere.

    Parameters
    ----------
    first, second : array_like
        Shares from 0 to 1 that broadcast.

    Raises
    ------
    ValueError
        If the shares are equal anywhere, or if one of them is not a number from 0 to 1.
    """
    if (shares("share", first) == shares("share", second)).any():
        raise ValueError(f"share is {checks.show(first)}, twice; allowed are two different shares")
