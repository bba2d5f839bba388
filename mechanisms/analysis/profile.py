"""Profile-likelihood intervals: a coefficient is held while all others are fitted anew.

Venzon and Moolgavkar (1988, Applied Statistics 37).
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtri

from mechanisms.analysis import softmax
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells
from mechanisms.analysis.newton import Optimum, inverse, maximize
from mechanisms.checks import FloatArray

_DOUBLINGS = 8  # from one interval's length to 256 of them


def intervals_of(
    cells: Cells, coefficients: FloatArray, column: int, confidence: float
) -> FloatArray:
    """The interval of a column's coefficient for each state but the first, shape (states - 1, 2)."""
    order = np.append(np.delete(np.arange(len(coefficients)), column), column)
    turned = basis(
        cells.design[:, order], cells.pattern_mass
    )  # the last coefficient there is this one, times a number
    start, size = turned.forth(coefficients[order]).ravel(), coefficients.shape[1]
    scale = float(turned.root[-1, -1])
    apart = cells.with_design(turned.columns)
    found = [
        _ends(apart, start, start.size - size + state, confidence) / scale for state in range(size)
    ]
    return np.sort(np.stack(found), axis=1)


def _ends(cells: Cells, start: FloatArray, held: int, confidence: float) -> FloatArray:
    best = maximize(lambda place: softmax.look(cells, place), start)
    limit = best.point.log_likelihood - chdtri(1, 1 - confidence) / 2
    covariance = inverse(best.point.observed)
    step = (
        1.0
        if covariance is None
        else float(np.sqrt(chdtri(1, 1 - confidence) * covariance[held, held]))
    )
    above, center = _above(cells, best, held, limit), float(best.place[held])
    return np.array([_end(above, center, side * step) for side in (-1, 1)])


def _above(cells: Cells, best: Optimum, held: int, limit: float) -> Callable[[float], float]:
    """How far the likelihood at a value of the held coefficient is above the limit; each search starts at the last."""
    free = np.arange(best.place.size) != held
    last = best
    known = {float(best.place[held]): best.point.log_likelihood - limit}

    def above(value: float) -> float:
        nonlocal last
        if value not in known:
            start = last.place.copy()
            start[held] = value
            found = maximize(lambda place: softmax.look(cells, place), start, free)
            last = found if found.converged else best
            lost = found.point.log_likelihood - limit
            known[value] = (
                lost if found.converged else max(lost, 0.0)
            )  # what was not found is not rejected
        return known[value]

    return above


def _end(above: Callable[[float], float], center: float, step: float) -> float:
    inside, outside = center, center + step
    for _ in range(_DOUBLINGS):
        if above(outside) < 0:
            return float(brentq(above, inside, outside, xtol=1e-10))
        inside, outside = outside, center + 2 * (outside - center)
    return float(np.copysign(np.inf, step))
