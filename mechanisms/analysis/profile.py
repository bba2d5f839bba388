"""Profile-likelihood intervals: one coefficient is held while all others are fitted again.

Venzon and Moolgavkar (1988, Applied Statistics 37).
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtri

from mechanisms.analysis import softmax
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells
from mechanisms.analysis.newton import Likelihood, Optimum, inverse, maximize
from mechanisms.checks import FloatArray

# The search for an end goes from the length of one standard interval to 256 of them.
_DOUBLINGS = 8


def profile_intervals(
    cells: Cells, coefficients: FloatArray, column: int, confidence: float
) -> FloatArray:
    """Return the intervals of a column's coefficients that the likelihood ratio does not reject.

    Parameters
    ----------
    cells : Cells
        The cells of the model.
    coefficients : ndarray of shape (p, states - 1)
        The fitted coefficients, for the columns of the cells' design.
    column : int
        The column.
    confidence : float
        Inside (0, 1).

    Returns
    -------
    ndarray of shape (states - 1, 2)
        The lower and upper end for each state but the first; infinite if nothing is rejected.

    References
    ----------
    Venzon and Moolgavkar (1988, Applied Statistics 37).
    """
    columns, states = coefficients.shape
    order = np.append(np.delete(np.arange(columns), column), column)
    # In this basis the last coefficient of a state is the column's, times a number.
    basis_of_order = basis(cells.design[:, order], cells.pattern_mass)
    start = basis_of_order.forth(coefficients[order]).ravel()
    scale = float(basis_of_order.root[-1, -1])
    cells_in_basis = cells.with_design(basis_of_order.columns)

    intervals = []
    for state in range(states):
        index = start.size - states + state
        ends = _interval(cells_in_basis, start, index, confidence)
        intervals.append(ends / scale)
    return np.sort(np.stack(intervals), axis=1)


def _interval(cells: Cells, start: FloatArray, index: int, confidence: float) -> FloatArray:
    """Return the two ends of the interval of the parameter with this index."""
    optimum = maximize(lambda parameters: softmax.evaluate(cells, parameters), start)
    quantile = chdtri(1, 1 - confidence)
    limit = optimum.likelihood.log_likelihood - quantile / 2
    covariance = inverse(optimum.likelihood.observed_information)
    step = 1.0
    if covariance is not None:
        step = float(np.sqrt(quantile * covariance[index, index]))
    height = _height_function(cells, optimum, index, limit)
    center = float(optimum.parameters[index])
    return np.array([_end(height, center, -step), _end(height, center, step)])


def _height_function(
    cells: Cells, optimum: Optimum, index: int, limit: float
) -> Callable[[float], float]:
    """Return the function from values of the held parameter to the height of the likelihood.

    The height is the log-likelihood less the limit. Each search starts where the last one ended.
    """
    free = np.arange(optimum.parameters.size) != index
    last = optimum
    height_at_optimum = optimum.likelihood.log_likelihood - limit
    height_by_value = {float(optimum.parameters[index]): height_at_optimum}

    def evaluate(parameters: FloatArray) -> Likelihood:
        return softmax.evaluate(cells, parameters)

    def height(value: float) -> float:
        nonlocal last
        if value in height_by_value:
            return height_by_value[value]
        start = last.parameters.copy()
        start[index] = value
        result = maximize(evaluate, start, free)
        height_at_value = result.likelihood.log_likelihood - limit
        if result.converged:
            last = result
        else:
            last = optimum
            # A value whose maximum was not found is not rejected.
            height_at_value = max(height_at_value, 0.0)
        height_by_value[value] = height_at_value
        return height_at_value

    return height


def _end(height: Callable[[float], float], center: float, step: float) -> float:
    """Return where the height is 0, in the direction of the step; infinite if nowhere."""
    inner = center
    outer = center + step
    for _ in range(_DOUBLINGS):
        if height(outer) < 0:
            return float(brentq(height, inner, outer, xtol=1e-10))
        inner = outer
        outer = center + 2 * (outer - center)
    return float(np.copysign(np.inf, step))
