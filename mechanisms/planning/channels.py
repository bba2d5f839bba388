"""A design as planning sees it: the chance of a report where it is true, and where it is not."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.arrays import numbers, positives, shares
from mechanisms.checks import FloatArray
from mechanisms.designs import direct, geometry, marks, subset, unary
from mechanisms.designs.mechanism import Mechanism, Recipe


class Channel(NamedTuple):
    """Floats or arrays of any shapes that broadcast. The real numbers of the formulas, not integers.

    p, q: how often a report speaks for the answer where it is true, and where it is not. asked: the part of all reports
    that speak of it at all; below 1 where a report picks what it speaks of.
    """

    p: ArrayLike
    q: ArrayLike
    asked: ArrayLike = 1.0

    @classmethod
    def of(cls, mechanism: "Mechanism | Channel", choice: int = 1) -> "Channel":
        """The chances of a mechanism for one choice (1 is Yes), or those that are given as they are. ValueError for a
        general matrix of more than two.
        """
        if isinstance(mechanism, Channel):
            return mechanism
        line = mechanism.line()
        if line is None:
            raise ValueError(
                f"mechanism is {mechanism!r}; allowed is any but a matrix of more than two answers"
            )
        choice = checks.whole("choice", choice, 0, mechanism.size - 1)
        chances = float(line.offset[choice] + line.slope[choice]), float(line.offset[choice])
        return cls(*chances, mechanism.reported_fraction)

    @classmethod
    def by(cls, recipe: Recipe, epsilon: ArrayLike, size: int) -> "Channel":
        """What a recipe makes of epsilons."""
        return cls(*recipe.formula(checks.size(size), positives("epsilon", epsilon)))

    @classmethod
    def direct(cls, epsilon: ArrayLike, size: int = 2) -> "Channel":
        """Direct encoding; for size 2 every symmetric yes/no design of that epsilon."""
        declared = positives("epsilon", epsilon)
        return cls(*direct.probabilities_for(checks.size(size), declared))

    @classmethod
    def symmetric(cls, epsilon: ArrayLike, bits: int = 2) -> "Channel":
        """Symmetric unary encoding; bits is 2 for one choice, the number of answers for choose-all-that-apply."""
        declared = positives("epsilon", epsilon)
        return cls(*unary.symmetric_formula(checks.whole("bits", bits, 2), declared))

    @classmethod
    def optimized(cls, epsilon: ArrayLike) -> "Channel":
        """Optimized unary encoding."""
        return cls(*unary.optimized_formula(2, positives("epsilon", epsilon)))

    @classmethod
    def subset(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """Subset selection at its best width."""
        return cls(*subset.probabilities_for(size, positives("epsilon", epsilon)))

    @classmethod
    def geometry(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """Groups of a long list, in the space that is taken for it."""
        return cls(*geometry.probabilities_for(size, positives("epsilon", epsilon)))

    @classmethod
    def marks(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """Marks picked by chance, with the best number of them."""
        declared = positives("epsilon", epsilon)
        return cls(*marks.option_probabilities_for(checks.size(size), declared))


def reports_about_answer(channel: Channel, n: ArrayLike) -> FloatArray:
    """Return how many of n reports are expected to say anything about the answer."""
    of_all: FloatArray = positives("n", n) * positives("asked", channel.asked)
    return of_all


def expected_report_share(channel: Channel, share: ArrayLike) -> FloatArray:
    """Return the expected share of reports for a true share."""
    value: FloatArray = numbers("q", channel.q) + slope(channel) * shares("share", share)
    return value


def worst_share(channel: Channel | Mechanism) -> FloatArray:
    """The true share with the largest standard error: where the reports come nearest to half and half."""
    channel = Channel.of(channel)
    return np.clip((0.5 - numbers("q", channel.q)) / slope(channel), 0.0, 1.0)


def slope(channel: Channel) -> FloatArray:
    """p - q: how much of a difference in truth is left in the reports. ValueError where it is nothing."""
    left = numbers("p", channel.p) - numbers("q", channel.q)
    if (left == 0).any():
        raise ValueError(
            "p and q are equal; allowed are different chances, else nothing can be estimated"
        )
    return left
