"""Means of products of two questions' decoded reports, from the counts of pairs alone.

A decoded report is a straight line in its indicators, d = A b + a, and so is its square, since b^2 = b.
"""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from mechanisms.analysis.pairs import PairTally
from mechanisms.checks import FloatArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.tallies import Tally


class Lines(NamedTuple):
    """values = slopes @ indicators + offset; shapes (size, size) and (size,)."""

    slopes: FloatArray
    offset: FloatArray


def decoded(mechanism: Mechanism) -> Lines:
    """What a report decodes to for each answer."""
    if isinstance(mechanism, BitMechanism):
        line = mechanism.line()
        return Lines(np.diag(1 / line.slope), -line.offset / line.slope)
    return Lines(_rows(mechanism).T, np.zeros(mechanism.size))


def squared(mechanism: Mechanism) -> Lines:
    """The squares of these."""
    if isinstance(mechanism, BitMechanism):
        q, slope = mechanism.line()
        return Lines(np.diag((1 - 2 * q) / slope**2), q**2 / slope**2)
    return Lines(_rows(mechanism).T ** 2, np.zeros(mechanism.size))


class Squares(NamedTuple):
    """E[d_u^2 | truth] of a question's answers u, shape (answers, truths). apart: whether any number of them may be
    true; the truths are then, for each answer, that it is not and that it is.
    """

    values: FloatArray
    apart: bool


def squares(mechanism: Mechanism) -> Squares:
    slopes, offset = squared(mechanism)
    if mechanism.select == "any":
        marks = np.array([float(chances[1]) for chances in mechanism.probabilities()])
        return Squares(np.outer(slopes.diagonal(), marks) + offset[:, np.newaxis], apart=True)
    if isinstance(mechanism, BitMechanism):
        chances = np.where(np.eye(mechanism.size), float(mechanism.p), float(mechanism.q))
    else:
        chances = np.array(mechanism.probabilities(), dtype=np.float64)
    return Squares(slopes @ chances.T + offset[:, np.newaxis], apart=False)


def _rows(mechanism: Mechanism) -> FloatArray:
    return np.stack([mechanism.decode(row) for row in np.eye(mechanism.size)])


def mean_product(tally: PairTally, first: Lines, second: Lines) -> FloatArray:
    """The mean of first (x) second over respondents, shape (k1, k2)."""
    together, n = tally.counts / tally.n, tally.n
    one, other = first.slopes @ (tally.first.counts / n), second.slopes @ (tally.second.counts / n)
    crossed: FloatArray = first.slopes @ together @ second.slopes.T
    return (
        crossed
        + np.outer(one, second.offset)
        + np.outer(first.offset, other)
        + np.outer(first.offset, second.offset)
    )


def mean(tally: Tally, lines: Lines) -> FloatArray:
    """The mean over respondents, shape (size,)."""
    found: FloatArray = lines.slopes @ (tally.counts / tally.n) + lines.offset
    return found


def second_moments(mechanism: Mechanism) -> FloatArray | None:
    """E[d d' | truth], shape (size, size, size), the truth first; None for choose-all answers, whose truth is no
    answer.
    """
    found = []
    for truth in range(mechanism.size):
        usual = _usual_tally(mechanism, truth)
        spread = mechanism.share_covariance(usual)
        if spread is None:
            return None
        true = np.eye(mechanism.size)[truth]
        found.append(mechanism.decode_covariance(spread) + np.outer(true, true))
    return np.stack(found)


def _usual_tally(mechanism: Mechanism, truth: int) -> Tally:
    """The counts that a truth gives on average, exactly, among as many reports as make them whole."""
    if isinstance(mechanism, BitMechanism):
        chances = [
            mechanism.p if answer == truth else mechanism.q for answer in range(mechanism.size)
        ]
    else:
        chances = list(mechanism.probabilities()[truth])
    n = lcm(*(Fraction(chance).denominator for chance in chances))
    return Tally(n, np.array([int(chance * n) for chance in chances], dtype=np.int64))
