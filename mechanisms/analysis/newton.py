"""The search for a maximum of a log-likelihood that need not be concave."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from mechanisms.checks import BoolArray, FloatArray

_MOST_STEPS = 100
_DONE, _ROUNDING = 1e-9, 1e-8
_LEAST_PUSH, _MOST_PUSH = 1 / 64, 4.0**12


class Slopes(NamedTuple):
    """What some of the data add at one place: log-likelihood, its slope (P,), and the observed information (P, P)."""

    log_likelihood: float
    score: FloatArray
    observed: FloatArray


class Point(NamedTuple):
    """The same of all data. complete: makes the information if truths were known, (P, P), which is never indefinite."""

    log_likelihood: float
    score: FloatArray
    observed: FloatArray
    complete: Callable[[], FloatArray]


def sum_points(parts: Iterable[Slopes], complete: Callable[[], FloatArray]) -> Point:
    log_likelihood, score, observed = zip(*parts, strict=True)
    return Point(sum(log_likelihood), sum(score), sum(observed), complete)


class Optimum(NamedTuple):
    """The end of the search, and whether it is a maximum."""

    place: FloatArray
    point: Point
    converged: bool


def maximize(
    look: Callable[[FloatArray], Point], start: FloatArray, free: BoolArray | None = None
) -> Optimum:
    """Newton's steps from start, shape (P,); free: the parameters that may move, all by default.

    Where the observed information H is not positive definite, H + tC with the least t of 1/64, 1/16, ... for which it
    is. A step that lowers the likelihood is halved. The search ends when a step promises less than 1e-9; it is still
    taken.
    """
    place, point = start, look(start)
    if free is None:
        free = np.ones(start.size, dtype=bool)
    for _ in range(_MOST_STEPS):
        step, promise, definite = _step(point, free)
        if not np.isfinite(promise):
            return Optimum(place, point, converged=False)
        place, point = _go(look, place, point, step, promise)
        if promise < _DONE:
            return Optimum(
                place, point, converged=definite and is_definite(point.observed[np.ix_(free, free)])
            )
    return Optimum(place, point, converged=False)


def _step(point: Point, free: BoolArray) -> tuple[FloatArray, float, bool]:
    """The step, what it promises (the decrement score' H^-1 score), and whether H was positive definite."""
    inside = np.ix_(free, free)
    observed, score = point.observed[inside], point.score[free]
    step = np.zeros(free.size)
    if not score.size:
        return step, 0.0, True
    push = 0.0
    while push <= _MOST_PUSH:
        information = observed + push * point.complete()[inside] if push else observed
        if is_definite(information):
            step[free] = cho_solve(cho_factor(information), score)
            return step, float(step[free] @ score), push == 0
        push = 4 * push if push else _LEAST_PUSH
    return step, np.inf, False


def _go(
    look: Callable[[FloatArray], Point],
    place: FloatArray,
    point: Point,
    step: FloatArray,
    promise: float,
) -> tuple[FloatArray, Point]:
    """The step, halved while it lowers the likelihood; a step that promises less than rounding takes is taken whole."""
    for half in range(40):
        there = place + step / 2**half
        found = look(there)
        if found.log_likelihood >= point.log_likelihood or (
            promise < _ROUNDING and np.isfinite(found.log_likelihood)
        ):
            return there, found
    return place, point


def is_definite(information: FloatArray) -> bool:
    """Positive definite beyond rounding: each parameter keeps a part of its information when the others are known."""
    scale = information.diagonal()
    if not (np.isfinite(information).all() and (scale > 0).all()):
        return False
    try:
        root = np.linalg.cholesky(information / np.sqrt(scale)[:, np.newaxis] / np.sqrt(scale))
    except np.linalg.LinAlgError:
        return False
    return bool(root.size == 0 or root.diagonal().min() > 1e-7)


def inverse(information: FloatArray) -> FloatArray | None:
    """The inverse of a positive definite matrix, None of any other."""
    if not is_definite(information):
        return None
    found: FloatArray = cho_solve(cho_factor(information), np.eye(len(information)))
    return (found + found.T) / 2
