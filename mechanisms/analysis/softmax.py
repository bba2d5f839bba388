"""The logit and multinomial logit of a truth that is known only from its randomized reports.

With pi = softmax(X B), the first state's column of B being 0, and L_is the probability of report i
in state s, the log-likelihood is the sum over i of m_i ln(sum over s of L_is pi_is). With tau_s =
L_s pi_s / sum and V(a) = diag(a) - a a', the slope for state v is the sum of m x (tau_v - pi_v).
The observed information is the sum of m x x' (x) [V(pi) - V(tau)] (Louis 1982, JRSS B 44).
"""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from scipy.special import expit

from mechanisms.analysis.cells import Cells, cross_product
from mechanisms.analysis.newton import Likelihood, LikelihoodTerms, sum_terms
from mechanisms.checks import FloatArray

# Numbers of one part of the data, which stay in the cache of the processor.
_PART = 2**17


def shares(design: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Return the share of each state, softmax(X B).

    Parameters
    ----------
    design : ndarray of shape (rows, p)
        The rows X.
    coefficients : ndarray of shape (p, states - 1)
        The coefficients B of all states but the first, whose coefficients are 0.

    Returns
    -------
    ndarray of shape (rows, states)
    """
    if coefficients.shape[1] == 1:
        log_odds = design @ coefficients
        return np.hstack([expit(-log_odds), expit(log_odds)])
    table = np.zeros((len(design), coefficients.shape[1] + 1))
    table[:, 1:] = design @ coefficients
    table -= table.max(axis=1, keepdims=True)
    np.exp(table, out=table)
    table /= table.sum(axis=1, keepdims=True)
    return table


def variances(pi: FloatArray) -> FloatArray:
    """Return V(pi) = diag(pi) - pi pi' of each row, without the first state.

    Parameters
    ----------
    pi : ndarray of shape (rows, states)
        The shares.

    Returns
    -------
    ndarray of shape (rows, states - 1, states - 1)
    """
    free = pi[:, 1:]
    table: FloatArray = -free[:, :, np.newaxis] * free[:, np.newaxis]
    _add_to_diagonals(table, free)
    return table


def _add_to_diagonals(matrices: FloatArray, values: FloatArray) -> None:
    """Add a row of values to the diagonal of each matrix, in place."""
    diagonal = np.arange(values.shape[1])
    matrices[:, diagonal, diagonal] += values


def evaluate(cells: Cells, parameters: FloatArray) -> Likelihood:
    """Return the log-likelihood and its derivatives, in one pass over the cells.

    Parameters
    ----------
    cells : Cells
        The cells, whose values are the likelihoods of their reports.
    parameters : ndarray of shape (p * (states - 1),)
        The ravelled coefficients.

    Returns
    -------
    Likelihood

    References
    ----------
    Louis (1982, JRSS B 44) for the observed information.
    """
    coefficients = parameters.reshape(cells.design.shape[1], cells.values.shape[1] - 1)

    def complete_information() -> FloatArray:
        variances_of_patterns = variances(shares(cells.design, coefficients))
        mass = cells.pattern_mass[:, np.newaxis, np.newaxis]
        return cross_product(cells.design, variances_of_patterns * mass)

    table = cells.kinds_of_all
    if table is not None:
        # If a probability is so near to 0 that its square cannot be divided by, the terms are
        # computed cell by cell.
        with suppress(FloatingPointError), np.errstate(over="raise"):
            terms = (
                _terms_of_complete_patterns(cells, patterns, table, coefficients)
                for patterns in _slices_of_patterns(cells, table)
            )
            return sum_terms(terms, complete_information)
    terms = (_terms_of_cells(part, coefficients) for _, part in cells.parts())
    return sum_terms(terms, complete_information)


def _terms_of_cells(cells: Cells, coefficients: FloatArray) -> LikelihoodTerms:
    """Return what the cells add to the likelihood, computed cell by cell."""
    pi = shares(cells.design, coefficients)
    mass = cells.pattern_mass
    tau, log_likelihood = posteriors(cells, cells.values * cells.spread(pi))
    free_tau = tau[:, 1:]
    expected_counts = cells.sums(free_tau * cells.mass[:, np.newaxis])

    complete = variances(pi) * mass[:, np.newaxis, np.newaxis]
    information = complete + cells.products(free_tau, cells.mass)
    _add_to_diagonals(information, -expected_counts)
    score = cells.design.T @ (expected_counts - mass[:, np.newaxis] * pi[:, 1:])
    return LikelihoodTerms(
        log_likelihood=log_likelihood,
        score=score.ravel(),
        observed_information=cross_product(cells.design, information),
    )


def _slices_of_patterns(cells: Cells, table: FloatArray) -> Iterator[slice]:
    """Yield slices of the patterns that are small enough for the cache."""
    kinds, states = table.shape
    step = max(1, _PART // (max(kinds, states) * states))
    for first in range(0, len(cells.design), step):
        yield slice(first, first + step)


def _terms_of_complete_patterns(
    cells: Cells, patterns: slice, table: FloatArray, coefficients: FloatArray
) -> LikelihoodTerms:
    """Return what some patterns add to the likelihood if each of them has all kinds of reports.

    Sums over kinds are then products with `table`, the likelihoods of the kinds, and no array has
    the size of cells times states.
    """
    design = cells.design[patterns]
    mass = cells.pattern_mass[patterns, np.newaxis]
    counts = cells.mass.reshape(-1, len(table))[patterns]
    pi = shares(design, coefficients)
    free_pi = pi[:, 1:]

    probabilities = pi @ table.T
    is_impossible = probabilities == 0
    probabilities[is_impossible] = 1.0
    log_likelihood = float(np.vdot(counts, np.log(probabilities)))
    # An impossible report that was sent makes the likelihood 0.
    if counts[is_impossible].any():
        log_likelihood = -np.inf

    weights = counts / probabilities
    expected_counts = free_pi * (weights @ table[:, 1:])
    weights /= probabilities
    products_of_kinds = table[:, 1:, np.newaxis] * table[:, np.newaxis, 1:]
    sums_of_products = weights @ products_of_kinds.reshape(len(table), -1)
    states = expected_counts.shape[1]
    information = sums_of_products.reshape(len(pi), states, -1) - mass[:, :, np.newaxis]
    information *= free_pi[:, :, np.newaxis]
    information *= free_pi[:, np.newaxis]
    _add_to_diagonals(information, mass * free_pi - expected_counts)
    score = design.T @ (expected_counts - mass * free_pi)
    return LikelihoodTerms(
        log_likelihood=log_likelihood,
        score=score.ravel(),
        observed_information=cross_product(design, information),
    )


def posteriors(cells: Cells, joint: FloatArray) -> tuple[FloatArray, float]:
    """Return the probability of each state given the report, and the log-likelihood.

    An impossible report that nobody sent is ignored; one that was sent makes the likelihood 0.

    Parameters
    ----------
    cells : Cells
        The cells.
    joint : ndarray of shape (cells, states)
        The probability of each state and the cell's report together. The array may be changed.

    Returns
    -------
    tau : ndarray of shape (cells, states)
        The probabilities of the states given the report.
    log_likelihood : float
    """
    # A product with ones is far faster than a sum along so short an axis.
    probabilities = joint @ np.ones(joint.shape[1])
    is_impossible = probabilities == 0
    if is_impossible.any():
        was_sent = bool(cells.mass[is_impossible].any())
        probabilities[is_impossible] = 1.0
        tau: FloatArray = joint / probabilities[:, np.newaxis]
        if was_sent:
            return tau, -np.inf
        return tau, float(cells.mass @ np.log(probabilities))
    joint /= probabilities[:, np.newaxis]
    return joint, float(cells.mass @ np.log(probabilities))


def residuals(cells: Cells, coefficients: FloatArray) -> FloatArray:
    """Return tau - pi of each cell, without the first state.

    The slope of the log-likelihood of a cell's report is x (x) residual.

    Parameters
    ----------
    cells : Cells
        The cells, whose values are the likelihoods of their reports.
    coefficients : ndarray of shape (p, states - 1)
        The coefficients of all states but the first.

    Returns
    -------
    ndarray of shape (cells, states - 1)
    """
    pi = cells.spread(shares(cells.design, coefficients))
    tau, _ = posteriors(cells, cells.values * pi)
    differences: FloatArray = tau - pi
    return differences[:, 1:]


def expected_information(
    cells: Cells, coefficients: FloatArray, likelihoods: FloatArray
) -> FloatArray:
    """Return the expected (Fisher) information.

    Parameters
    ----------
    cells : Cells
        The cells, of which the design and the number of respondents count.
    coefficients : ndarray of shape (p, states - 1)
        The coefficients of all states but the first.
    likelihoods : ndarray of shape (kinds, states)
        P(report | state) of each kind of report.

    Returns
    -------
    ndarray of shape (p * (states - 1), p * (states - 1))
    """
    pi = shares(cells.design, coefficients)
    free_states = pi.shape[1] - 1
    information = np.zeros((len(pi), free_states, free_states))
    for likelihoods_of_kind in likelihoods:
        joint = pi * likelihoods_of_kind
        probability = joint.sum(axis=1)
        weight = np.divide(
            cells.pattern_mass,
            probability,
            out=np.zeros_like(probability),
            where=probability > 0,
        )
        # This is tau - pi, times the probability of the report.
        differences = (joint - pi * probability[:, np.newaxis])[:, 1:]
        squares = differences[:, :, np.newaxis] * differences[:, np.newaxis]
        information += squares * weight[:, np.newaxis, np.newaxis]
    return cross_product(cells.design, information)


def share_slopes(pi: FloatArray) -> FloatArray:
    """Return the slopes of each share in the linear predictors of all states but the first.

    Parameters
    ----------
    pi : ndarray of shape (rows, states)
        The shares.

    Returns
    -------
    ndarray of shape (rows, states, states - 1)
    """
    slopes: FloatArray = -pi[:, :, np.newaxis] * pi[:, np.newaxis, 1:]
    _add_to_diagonals(slopes[:, 1:], pi[:, 1:])
    return slopes


def standard_errors(design: FloatArray, pi: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the standard error of each share, by the delta method.

    Parameters
    ----------
    design : ndarray of shape (rows, p)
        The rows.
    pi : ndarray of shape (rows, states)
        Their shares.
    covariance : ndarray of shape (p * (states - 1), p * (states - 1))
        The covariance of the ravelled coefficients.

    Returns
    -------
    ndarray of shape (rows, states)
    """
    slopes_in_predictors = share_slopes(pi)[:, :, np.newaxis, :]
    slopes = slopes_in_predictors * design[:, np.newaxis, :, np.newaxis]
    slopes = slopes.reshape(-1, len(covariance))
    variances_of_shares: FloatArray = ((slopes @ covariance) * slopes).sum(axis=1)
    return np.sqrt(np.maximum(variances_of_shares.reshape(pi.shape), 0))
