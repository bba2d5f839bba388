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

    The upper limit is doubled until the condition holds; then the range is halved until one
    number is left.

    Parameters
    ----------
    is_enough : callable
        Returns for an array of n, from 1, whether the condition holds for each of them. A
        condition that holds for some n must hold for every larger one. The shape of its result
        for one number is the shape of the problem.

    Returns
    -------
    ndarray of int64
        The smallest n of each element, at least 1.

    Raises
    ------
    ValueError
        If some n would be above `MOST_RESPONDENTS`.
    """
    high = np.ones(np.shape(is_enough(np.float64(1))))  # type: ignore[arg-type]
    while not (done := is_enough(high)).all():
        if (high[~done] > MOST_RESPONDENTS).any():
            raise ValueError(
                f"n would be above {MOST_RESPONDENTS:.0e}; allowed is a question that fewer"
                " respondents can answer"
            )
        high = np.where(done, high, 2 * high)

    low = np.where(high > 1, np.floor(high / 2), 0.0)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        middle_is_enough = is_enough(np.maximum(middle, 1))
        is_open = high - low > 1
        high = np.where(is_open & middle_is_enough, middle, high)
        low = np.where(is_open & ~middle_is_enough, middle, low)

    return high.astype(np.int64)


def numbers(name: str, values: ArrayLike) -> FloatArray:
    """
    Return finite numbers as an array of floats.

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
    Return numbers above 0 as an array of floats.

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
    Return shares from 0 to 1, both included, as an array of floats.

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
    Return probabilities above 0 and below 1 as an array of floats.

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
