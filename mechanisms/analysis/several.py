"""P-values of several tests, adjusted for their number."""

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray


def holm(p_values: ArrayLike) -> FloatArray:
    """Return p-values adjusted by Holm's method.

    If tests are rejected whose adjusted p-value is below a level, the probability of one or more
    false rejections is at most this level.

    Parameters
    ----------
    p_values : array_like of shape (m,)
        The p-values of the tests.

    Returns
    -------
    ndarray of shape (m,)
        The adjusted p-values, in the order of the tests and at most 1.

    Raises
    ------
    ValueError
        If a p-value is not from 0 to 1, or for another shape.

    References
    ----------
    Holm (1979, Scandinavian Journal of Statistics 6).
    """
    values, order = _checked_values_and_order(p_values)
    tests_left = np.arange(values.size, 0, -1)
    adjusted = np.maximum.accumulate(values[order] * tests_left)
    return _in_original_order(adjusted, order)


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Return p-values adjusted by the method of Benjamini and Hochberg.

    If tests are rejected whose adjusted p-value is below a level, the expected share of false ones
    among the rejections is at most this level. The tests have to be independent or positively
    related.

    Parameters
    ----------
    p_values : array_like of shape (m,)
        The p-values of the tests.

    Returns
    -------
    ndarray of shape (m,)
        The adjusted p-values, in the order of the tests and at most 1.

    Raises
    ------
    ValueError
        If a p-value is not from 0 to 1, or for another shape.

    References
    ----------
    Benjamini and Hochberg (1995, JRSS B 57).
    """
    values, order = _checked_values_and_order(p_values)
    ranks = np.arange(1, values.size + 1)
    scaled = values[order] * values.size / ranks
    adjusted = np.minimum.accumulate(scaled[::-1])[::-1]
    return _in_original_order(adjusted, order)


def _checked_values_and_order(p_values: ArrayLike) -> tuple[FloatArray, checks.IntArray]:
    """Return the p-values, and the indexes that sort them."""
    values = arrays.shares("p_values", p_values)
    if values.ndim != 1:
        raise ValueError(f"p_values has shape {values.shape}; allowed is (m,)")
    return values, np.argsort(values, kind="stable")


def _in_original_order(adjusted: FloatArray, order: checks.IntArray) -> FloatArray:
    """Return sorted p-values in the order of their tests, cut at 1."""
    original = np.empty_like(adjusted)
    original[order] = np.minimum(adjusted, 1.0)
    return original
