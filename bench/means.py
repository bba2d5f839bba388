"""Mechanisms for the mean of numbers, and the best that there can be: what bench/accuracy.py sets beside the window.

Each is the noise of one report, without sampling, on a scale from 0 to 1, at truths spread evenly over `size` values.
e is exp(epsilon).
"""

import math
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import brentq, linprog

from mechanisms import Window

Array = np.ndarray[Any, np.dtype[np.float64]]


def spread(size: int) -> float:
    """The mean of t squared for k values evenly from -1 to 1, where the papers have their formulas."""
    return float((np.linspace(-1, 1, size) ** 2).mean())


def duchi(e: float, size: int) -> float:
    """Two values far out (Duchi, Jordan and Wainwright 2018, JASA)."""
    return (((e + 1) / (e - 1)) ** 2 - spread(size)) / 4


def piecewise(e: float, size: int) -> float:
    """The piecewise mechanism (Wang et al. 2019, ICDE)."""
    s = math.sqrt(e)
    return (spread(size) / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)) / 4


def hybrid(e: float, size: int) -> float:
    """Piecewise with chance 1 - exp(-epsilon/2) where epsilon is above 0.61, else Duchi's (Wang et al. 2019)."""
    part = 1 - 1 / math.sqrt(e) if math.log(e) > 0.61 else 0.0
    return part * piecewise(e, size) + (1 - part) * duchi(e, size)


def window(e: float, size: int, width: int | None = None) -> float:
    """Ours, the discrete square wave, decoded by least squares; at the width that it chooses unless one is given."""
    return least_squares(np.array(Window(size, math.log(e), width).probabilities(), float))


def direct(e: float, size: int) -> float:
    """Direct encoding of the k values: a window of one."""
    return window(e, size, 1)


def exponential(e: float, size: int) -> float:
    """Chances that fall by one factor with each step from the truth (McSherry and Talwar 2007)."""
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))

    def channel(rate: float) -> Array:
        weights = np.exp(-rate * apart)
        return weights / weights.sum(axis=1, keepdims=True)

    def beyond(rate: float) -> float:
        chances = channel(rate)
        return float((chances.max(axis=0) / chances.min(axis=0)).max()) - e

    return least_squares(channel(brentq(beyond, 1e-9, math.log(e))))


def geometric(e: float, size: int) -> float:
    """Two-sided geometric noise, what leaves the scale put at its ends (Ghosh, Roughgarden and Sundararajan 2012)."""
    a = e ** (-1 / (size - 1))
    chances = a ** np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    chances[:, 1:-1] *= 1 - a
    return least_squares(chances / (1 + a))


def least_squares(channel: Array) -> float:
    """The mean noise of the unbiased estimate of the mean that is best where all truths are equally frequent.

    channel: row x has the chances of each report at truth x.
    """
    size = len(channel)
    g = np.linspace(0, 1, size)
    scaled = channel / channel.mean(axis=0)
    w = scaled.T @ np.linalg.solve(scaled @ channel.T, g)
    return float((channel @ w**2 - g**2).mean())


def optimum(e: float, size: int, points: int = 161) -> float:
    """The least noise that any report at this epsilon can have, its values on a grid: a linear program.

    Chances P(y|x) between m_y and e m_y, which sum to 1 and have the mean x; least mean square, on average over x.
    The grid reaches a little farther than the piecewise mechanism's reports; a finer one can only do better.
    """
    reach = 1.02 * (math.sqrt(e) + 1) / (math.sqrt(e) - 1) / 2
    values, truths = np.linspace(0.5 - reach, 0.5 + reach, points), np.linspace(0, 1, size)
    cost = np.concatenate([np.tile(values**2, size) / size, np.zeros(points)])
    one, row = sparse.eye_array(points), sparse.eye_array(size)
    none = sparse.coo_array((size, points))
    equal = sparse.vstack(
        [
            sparse.hstack([sparse.kron(row, each[None, :]), none])
            for each in (np.ones(points), values)
        ]
    )
    least = sparse.kron(np.ones((size, 1)), one)
    apart = sparse.vstack(
        [
            sparse.hstack([-sparse.eye_array(size * points), least]),
            sparse.hstack([sparse.eye_array(size * points), -e * least]),
        ]
    )
    found = linprog(
        cost,
        A_ub=apart.tocsr(),
        b_ub=np.zeros(apart.shape[0]),
        A_eq=equal.tocsr(),
        b_eq=np.concatenate([np.ones(size), truths]),
        bounds=(0, None),
        method="highs",
    )
    return float(found.fun - (truths**2).mean())
