"""The search for a maximum of a log-likelihood that need not be concave."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from mechanisms.checks import BoolArray, FloatArray

_MOST_STEPS = 100
_MOST_HALVINGS = 40
# The search ends when a step promises to raise the log-likelihood by less than this.
_CONVERGED = 1e-9
# A step that promises less than this may seem to lower the likelihood because of rounding.
_ROUNDING = 1e-8
# The least and the greatest multiple of the complete information that is added to the observed one.
_LEAST_MULTIPLE = 1 / 64
_GREATEST_MULTIPLE = 4.0**12


class LikelihoodTerms(NamedTuple):
    """The contribution of part of the data to the likelihood and its derivatives, at P parameters.

    Attributes
    ----------
    log_likelihood : float
        The log-likelihood.
    score : ndarray of shape (P,)
        Its slope.
    observed_information : ndarray of shape (P, P)
        Minus its second derivatives.
    """

    log_likelihood: float
    score: FloatArray
    observed_information: FloatArray


class Likelihood(NamedTuple):
    """The log-likelihood of all data and its derivatives, at P parameters.

    Attributes
    ----------
    log_likelihood : float
        The log-likelihood.
    score : ndarray of shape (P,)
        Its slope.
    observed_information : ndarray of shape (P, P)
        Minus its second derivatives.
    complete_information : callable
        Computes the information if truths were known, shape (P, P). It is never indefinite.
    """

    log_likelihood: float
    score: FloatArray
    observed_information: FloatArray
    complete_information: Callable[[], FloatArray]


class Optimum(NamedTuple):
    """The end of a search.

    Attributes
    ----------
    parameters : ndarray of shape (P,)
        The parameters at the end.
    likelihood : Likelihood
        The likelihood there.
    converged : bool
        True if the end is a maximum.
    """

    parameters: FloatArray
    likelihood: Likelihood
    converged: bool


class _Step(NamedTuple):
    """A step of the search.

    change: what is added to the parameters.
    promise: twice the rise that the step promises, score' H^-1 score; infinite if there is no step.
    is_newton: whether H is the observed information itself.
    """

    change: FloatArray
    promise: float
    is_newton: bool


LikelihoodFunction = Callable[[FloatArray], Likelihood]


def sum_terms(
    terms: Iterable[LikelihoodTerms], complete_information: Callable[[], FloatArray]
) -> Likelihood:
    """Return the likelihood of all data from the terms of its parts.

    Parameters
    ----------
    terms : iterable of LikelihoodTerms
        The terms of each part of the data, at least one.
    complete_information : callable
        Computes the complete information of all data.

    Returns
    -------
    Likelihood
    """
    parts = list(terms)
    nothing: FloatArray = np.zeros(())
    return Likelihood(
        log_likelihood=sum(part.log_likelihood for part in parts),
        score=sum((part.score for part in parts), start=nothing),
        observed_information=sum((part.observed_information for part in parts), start=nothing),
        complete_information=complete_information,
    )


def maximize(
    evaluate: LikelihoodFunction, start: FloatArray, free: BoolArray | None = None
) -> Optimum:
    """Return the end of Newton's search for a maximum of a likelihood.

    Where the observed information H is not positive definite, the step uses H + tC, with the
    complete information C and the least t of 1/64, 1/16, ... that makes the sum definite. A step
    that lowers the likelihood is halved. The search ends when a step promises less than 1e-9; this
    step is still taken.

    Parameters
    ----------
    evaluate : callable
        Computes the likelihood at parameters of shape (P,).
    start : ndarray of shape (P,)
        Where the search starts.
    free : ndarray of bool, shape (P,), optional
        Which parameters may change; by default all.

    Returns
    -------
    Optimum
        Its `converged` is False if no maximum was found.
    """
    parameters = start
    likelihood = evaluate(start)
    if free is None:
        free = np.ones(start.size, dtype=bool)
    for _ in range(_MOST_STEPS):
        step = _next_step(likelihood, free)
        if not np.isfinite(step.promise):
            return Optimum(parameters=parameters, likelihood=likelihood, converged=False)
        parameters, likelihood = _after_step(evaluate, parameters, likelihood, step)
        if step.promise < _CONVERGED:
            information = likelihood.observed_information[np.ix_(free, free)]
            converged = step.is_newton and is_definite(information)
            return Optimum(parameters=parameters, likelihood=likelihood, converged=converged)
    return Optimum(parameters=parameters, likelihood=likelihood, converged=False)


def _next_step(likelihood: Likelihood, free: BoolArray) -> _Step:
    """Return the next step of the free parameters."""
    block = np.ix_(free, free)
    observed = likelihood.observed_information[block]
    score = likelihood.score[free]
    change = np.zeros(free.size)
    if not score.size:
        return _Step(change=change, promise=0.0, is_newton=True)
    information = observed
    multiple = 0.0
    while multiple <= _GREATEST_MULTIPLE:
        if multiple > 0:
            information = observed + multiple * likelihood.complete_information()[block]
        if is_definite(information):
            change[free] = cho_solve(cho_factor(information), score)
            promise = float(change[free] @ score)
            return _Step(change=change, promise=promise, is_newton=multiple == 0)
        multiple = 4 * multiple if multiple > 0 else _LEAST_MULTIPLE
    return _Step(change=change, promise=np.inf, is_newton=False)


def _after_step(
    evaluate: LikelihoodFunction, parameters: FloatArray, likelihood: Likelihood, step: _Step
) -> tuple[FloatArray, Likelihood]:
    """Return the parameters and the likelihood after a step.

    The step is halved while it lowers the likelihood. One that promises less than rounding takes is
    taken as a whole. If no halving helps, nothing changes.
    """
    is_tiny = step.promise < _ROUNDING
    for halvings in range(_MOST_HALVINGS):
        new_parameters = parameters + step.change / 2**halvings
        new_likelihood = evaluate(new_parameters)
        if new_likelihood.log_likelihood >= likelihood.log_likelihood:
            return new_parameters, new_likelihood
        if is_tiny and np.isfinite(new_likelihood.log_likelihood):
            return new_parameters, new_likelihood
    return parameters, likelihood


def is_definite(information: FloatArray) -> bool:
    """Return whether an information matrix is positive definite beyond rounding.

    Each parameter has to keep a part of its information when the others are known.

    Parameters
    ----------
    information : ndarray of shape (P, P)
        A symmetric matrix, possibly with nan or infinite numbers.

    Returns
    -------
    bool
    """
    scale = information.diagonal()
    if not (np.isfinite(information).all() and (scale > 0).all()):
        return False
    scaled = information / np.sqrt(scale)[:, np.newaxis] / np.sqrt(scale)
    try:
        root = np.linalg.cholesky(scaled)
    except np.linalg.LinAlgError:
        return False
    return bool(root.size == 0 or root.diagonal().min() > 1e-7)


def inverse(information: FloatArray) -> FloatArray | None:
    """Return the inverse of an information matrix, or None if it is not positive definite.

    Parameters
    ----------
    information : ndarray of shape (P, P)
        A symmetric matrix.

    Returns
    -------
    ndarray of shape (P, P), or None
    """
    if not is_definite(information):
        return None
    inverse_matrix: FloatArray = cho_solve(cho_factor(information), np.eye(len(information)))
    return (inverse_matrix + inverse_matrix.T) / 2
