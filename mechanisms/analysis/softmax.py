"""The logit and multinomial logit of a truth that only its randomized reports tell about.

With pi = softmax(X B), the first state's column of B being 0, and L_is the chance of report i in state s, the
log-likelihood is sum over i of m_i ln(sum over s of L_is pi_is). With tau_s = L_s pi_s / sum, V(a) = diag(a) - a a':
slope for state v: sum m x (tau_v - pi_v); observed information: sum m x x' (x) [V(pi) - V(tau)] (Louis 1982, JRSS B
44).
"""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from scipy.special import expit

from mechanisms.analysis.cells import Cells, cross_product
from mechanisms.analysis.newton import Point, Slopes, sum_points
from mechanisms.checks import FloatArray

_PART = 2**17  # numbers that are looked at together and stay in the cache


def shares(design: FloatArray, coefficients: FloatArray) -> FloatArray:
    """softmax(X B) with the first state's 0 in front: shapes (rows, p) and (p, states - 1) to (rows, states)."""
    if coefficients.shape[1] == 1:
        odds = design @ coefficients
        return np.hstack([expit(-odds), expit(odds)])
    line = np.zeros((len(design), coefficients.shape[1] + 1))
    line[:, 1:] = design @ coefficients
    line -= line.max(axis=1, keepdims=True)
    np.exp(line, out=line)
    line /= line.sum(axis=1, keepdims=True)
    return line


def variances(of_shares: FloatArray) -> FloatArray:
    """V(pi) without the first state: shape (rows, states) to (rows, states - 1, states - 1)."""
    free = of_shares[:, 1:]
    table: FloatArray = -free[:, :, np.newaxis] * free[:, np.newaxis]
    each = np.arange(free.shape[1])
    table[:, each, each] += free
    return table


def look(cells: Cells, place: FloatArray) -> Point:
    """The log-likelihood and its derivatives at ravelled coefficients, in one pass over the cells."""
    coefficients = place.reshape(cells.design.shape[1], cells.values.shape[1] - 1)

    def added(there: Iterator[Slopes]) -> Point:
        return sum_points(there, lambda: _complete(cells, coefficients))

    table = cells.kinds_of_all
    if table is not None:
        # Chances so near to 0 that their squares cannot be divided by are left to the other way.
        with suppress(FloatingPointError), np.errstate(over="raise"):
            return added(
                _look_at_all_kinds(cells, cut, table, coefficients) for cut in _cuts(cells, table)
            )
    return added(_look(part, coefficients) for _, part in cells.parts())


def _complete(cells: Cells, coefficients: FloatArray) -> FloatArray:
    inner = (
        variances(shares(cells.design, coefficients))
        * cells.pattern_mass[:, np.newaxis, np.newaxis]
    )
    return cross_product(cells.design, inner)


def _look(cells: Cells, coefficients: FloatArray) -> Slopes:
    pi, mass = shares(cells.design, coefficients), cells.pattern_mass
    tau, log_likelihood = posteriors(cells, cells.values * cells.spread(pi))
    known = tau[:, 1:]
    found = cells.sums(known * cells.mass[:, np.newaxis])
    left = variances(pi) * mass[:, np.newaxis, np.newaxis] + cells.products(known, cells.mass)
    each = np.arange(found.shape[1])
    left[:, each, each] -= found
    score = cells.design.T @ (found - mass[:, np.newaxis] * pi[:, 1:])
    return Slopes(log_likelihood, score.ravel(), cross_product(cells.design, left))


def _cuts(cells: Cells, table: FloatArray) -> Iterator[slice]:
    patterns, (kinds, states) = len(cells.design), table.shape
    step = max(1, _PART // (max(kinds, states) * states))
    return (slice(first, first + step) for first in range(0, patterns, step))


def _look_at_all_kinds(
    cells: Cells, cut: slice, table: FloatArray, coefficients: FloatArray
) -> Slopes:
    """The same of some patterns that all have each kind of report: sums over kinds are products with one table of what
    the kinds mean, and nothing has the size of cells times states.
    """
    design, mass = cells.design[cut], cells.pattern_mass[cut]
    counts = cells.mass.reshape(-1, len(table))[cut]
    pi = shares(design, coefficients)
    chance = pi @ table.T
    impossible = chance == 0
    chance[impossible] = 1.0
    log_likelihood = -np.inf if counts[impossible].any() else float(np.vdot(counts, np.log(chance)))
    weights, free = counts / chance, pi[:, 1:]
    found = free * (weights @ table[:, 1:])
    weights /= chance
    pairs = (table[:, 1:, np.newaxis] * table[:, np.newaxis, 1:]).reshape(len(table), -1)
    left = (weights @ pairs).reshape(len(pi), found.shape[1], -1) - mass[:, np.newaxis, np.newaxis]
    left *= free[:, :, np.newaxis]
    left *= free[:, np.newaxis]
    each = np.arange(found.shape[1])
    left[:, each, each] += mass[:, np.newaxis] * free - found
    score = design.T @ (found - mass[:, np.newaxis] * free)
    return Slopes(log_likelihood, score.ravel(), cross_product(design, left))


def posteriors(cells: Cells, joint: FloatArray) -> tuple[FloatArray, float]:
    """tau, shape (cells, states), and the log-likelihood, from the chance of each state and the report together.

    An impossible report that nobody sent has no say; one that came makes the likelihood 0.
    """
    chance = joint @ np.ones(joint.shape[1])  # far faster than a sum along so short an axis
    if not chance.all():
        came = bool(cells.mass[chance == 0].any())
        chance[chance == 0] = 1.0
        return joint / chance[:, np.newaxis], -np.inf if came else float(
            cells.mass @ np.log(chance)
        )
    joint /= chance[:, np.newaxis]
    return joint, float(cells.mass @ np.log(chance))


def residuals(cells: Cells, coefficients: FloatArray) -> FloatArray:
    """tau - pi without the first state, shape (cells, states - 1): the slope of a cell's report is x (x) these."""
    pi = shares(cells.design, coefficients)
    found: FloatArray = (posteriors(cells, cells.values * cells.spread(pi))[0] - cells.spread(pi))[
        :, 1:
    ]
    return found


def expected(cells: Cells, coefficients: FloatArray, chances: FloatArray) -> FloatArray:
    """The expected (Fisher) information. chances: P(report | state), shape (reports, states)."""
    pi = shares(cells.design, coefficients)
    inner = np.zeros((len(pi), pi.shape[1] - 1, pi.shape[1] - 1))
    for row in chances:
        joint = pi * row
        chance = joint.sum(axis=1)
        weight = np.divide(cells.pattern_mass, chance, out=np.zeros_like(chance), where=chance > 0)
        apart = (joint - pi * chance[:, np.newaxis])[:, 1:]  # (tau - pi) times the chance
        inner += apart[:, :, np.newaxis] * apart[:, np.newaxis] * weight[:, np.newaxis, np.newaxis]
    return cross_product(cells.design, inner)


def inner(pi: FloatArray) -> FloatArray:
    """Slopes of each share in the linear predictors of all but the first state, shape (rows, states, states - 1)."""
    table: FloatArray = -pi[:, :, np.newaxis] * pi[:, np.newaxis, 1:]
    each = np.arange(1, pi.shape[1])
    table[:, each, each - 1] += pi[:, 1:]
    return table


def errors(design: FloatArray, pi: FloatArray, covariance: FloatArray) -> FloatArray:
    """The standard error of each share, shape (rows, states), from its slopes in the ravelled coefficients."""
    slopes = (inner(pi)[:, :, np.newaxis, :] * design[:, np.newaxis, :, np.newaxis]).reshape(
        -1, len(covariance)
    )
    variances: FloatArray = ((slopes @ covariance) * slopes).sum(axis=1).reshape(pi.shape)
    return np.sqrt(np.maximum(variances, 0))
