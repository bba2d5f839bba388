"""P-values of several tests, adjusted for their number."""

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray


def holm(p_values: ArrayLike) -> FloatArray:
    """Adjusted p-values, shape (m,): the chance of one or more false rejections stays below the level.

    Holm (1979, Scandinavian J. Statistics 6).
    """
    values, order = _ordered(p_values)
    adjusted = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    return _put_back(adjusted, order)


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Adjusted p-values, shape (m,): of the rejected the expected part that is false stays below the level.

    For independent or positively related tests. Benjamini and Hochberg (1995, JRSS B 57).
    """
    values, order = _ordered(p_values)
    scaled = values[order] * values.size / np.arange(1, values.size + 1)
    return _put_back(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _ordered(p_values: ArrayLike) -> tuple[FloatArray, checks.IntArray]:
    values = arrays.shares("p_values", p_values)
    if values.ndim != 1:
        raise ValueError(f"p_values has shape {values.shape}; allowed is (m,)")
    return values, np.argsort(values, kind="stable")


def _put_back(adjusted: FloatArray, order: checks.IntArray) -> FloatArray:
    found = np.empty_like(adjusted)
    found[order] = np.minimum(adjusted, 1.0)
    return found
