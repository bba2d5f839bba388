"""A design as planning sees it.

That is the probability of a report if an answer is true, and if it is not.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance.arrays import numbers, positives, shares
from mechanisms.checks import FloatArray
from mechanisms.designs import direct, geometry, marks, subset, unary
from mechanisms.designs.mechanism import Mechanism, Recipe


class Channel(NamedTuple):
    """
    The probabilities of a design for one answer.

    They are floats, or arrays of any shapes that broadcast, and the real numbers of the formulas
    rather than those of the integers by which reports are randomized.

    Attributes
    ----------
    p : array_like
        The probability that a report supports the answer if it is true.
    q : array_like
        The probability that a report supports the answer if it is not true.
    reported_fraction : array_like
        The share of all reports that say anything about the answer. It is below 1 if a report
        covers only some options.
    """

    p: ArrayLike
    q: ArrayLike
    reported_fraction: ArrayLike = 1.0

    @classmethod
    def of(cls, mechanism: "Mechanism | Channel", choice: int = 1) -> "Channel":
        """
        Return the probabilities of a mechanism for one answer, or a channel unchanged.

        Parameters
        ----------
        mechanism : Mechanism or Channel
            The mechanism.
        choice : int, default 1
            The code of the answer. Of a yes/no question, 1 is Yes.

        Returns
        -------
        Channel
            The probabilities.

        Raises
        ------
        ValueError
            For a general matrix of more than two answers.
        """
        if isinstance(mechanism, Channel):
            return mechanism
        line = mechanism.line()
        if line is None:
            raise ValueError(
                f"mechanism is {mechanism!r}; allowed is any but a matrix of more than two answers"
            )
        code = checks.whole("choice", choice, 0, mechanism.size - 1)
        return cls(
            p=float(line.offset[code] + line.slope[code]),
            q=float(line.offset[code]),
            reported_fraction=mechanism.reported_fraction,
        )

    @classmethod
    def by(cls, recipe: Recipe, epsilon: ArrayLike, size: int) -> "Channel":
        """
        Return the probabilities that a recipe gives for epsilons.

        Parameters
        ----------
        recipe : Recipe
            The recipe of a mechanism.
        epsilon : array_like
            The privacy losses, above 0.
        size : int
            The number of answers, at least 2.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        answers = checks.size(size)
        # Most formulas give p and q. That of option sampling also gives the reported fraction.
        return cls(*recipe.formula(answers, positives("epsilon", epsilon)))

    @classmethod
    def direct(cls, epsilon: ArrayLike, size: int = 2) -> "Channel":
        """
        Return the probabilities of direct encoding.

        For two answers they are those of every symmetric yes/no design at this epsilon.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.
        size : int, default 2
            The number of answers, at least 2.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        losses = positives("epsilon", epsilon)
        p, q = direct.probabilities_for(checks.size(size), losses)
        return cls(p=p, q=q)

    @classmethod
    def symmetric(cls, epsilon: ArrayLike, bits: int = 2) -> "Channel":
        """
        Return the probabilities of symmetric unary encoding.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.
        bits : int, default 2
            The number of bits that can differ between two people: 2 if one answer is chosen, and
            the number of answers in a multiple selection.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        losses = positives("epsilon", epsilon)
        p, q = unary.symmetric_formula(checks.whole("bits", bits, 2), losses)
        return cls(p=p, q=q)

    @classmethod
    def optimized(cls, epsilon: ArrayLike) -> "Channel":
        """
        Return the probabilities of optimized unary encoding.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        p, q = unary.optimized_formula(2, positives("epsilon", epsilon))
        return cls(p=p, q=q)

    @classmethod
    def subset(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """
        Return the probabilities of subset selection at its best width.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.
        size : int
            The number of answers, at least 2.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        p, q = subset.probabilities_for(size, positives("epsilon", epsilon))
        return cls(p=p, q=q)

    @classmethod
    def geometry(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """
        Return the probabilities for a long list, in the space that `Geometry` has for it.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.
        size : int
            The number of answers.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        p, q = geometry.probabilities_for(size, positives("epsilon", epsilon))
        return cls(p=p, q=q)

    @classmethod
    def marks(cls, epsilon: ArrayLike, size: int) -> "Channel":
        """
        Return the probabilities of option sampling with the best number of options.

        Parameters
        ----------
        epsilon : array_like
            The privacy losses, above 0.
        size : int
            The number of options, at least 2.

        Returns
        -------
        Channel
            The probabilities, of the shape of `epsilon`.
        """
        losses = positives("epsilon", epsilon)
        p, q, reported_fraction = marks.option_probabilities_for(checks.size(size), losses)
        return cls(p=p, q=q, reported_fraction=reported_fraction)


def reports_about_answer(channel: Channel, n: ArrayLike) -> FloatArray:
    """
    Return how many of n reports are expected to say anything about the answer.

    Parameters
    ----------
    channel : Channel
        The design.
    n : array_like
        The number of respondents, above 0.

    Returns
    -------
    ndarray of float64
        The expected number of reports.

    Raises
    ------
    ValueError
        If `n` or `channel.reported_fraction` is not positive.
    """
    reported_fraction = positives("reported_fraction", channel.reported_fraction)
    reports: FloatArray = positives("n", n) * reported_fraction
    return reports


def expected_report_share(channel: Channel, share: ArrayLike) -> FloatArray:
    """
    Return the expected share of reports that support an answer, for a true share.

    Parameters
    ----------
    channel : Channel
        The design.
    share : array_like
        The true share, from 0 to 1.

    Returns
    -------
    ndarray of float64
        The share q + (p - q) * share of the reports.

    Raises
    ------
    ValueError
        If `share` is not from 0 to 1, or p equals q.
    """
    q = numbers("q", channel.q)
    report_share: FloatArray = q + slope(channel) * shares("share", share)
    return report_share


def worst_share(channel: Channel | Mechanism) -> FloatArray:
    """
    Return the true share with the largest standard error.

    For this share the reports come nearest to half and half.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.

    Returns
    -------
    ndarray of float64
        The share, from 0 to 1.

    Raises
    ------
    ValueError
        If p equals q, and for a general matrix of more than two answers.
    """
    channel = Channel.of(channel)
    share_of_half = (0.5 - numbers("q", channel.q)) / slope(channel)
    return np.clip(share_of_half, 0.0, 1.0)


def slope(channel: Channel) -> FloatArray:
    """
    Return p - q, the rise of the share of reports with the true share.

    Parameters
    ----------
    channel : Channel
        The design.

    Returns
    -------
    ndarray of float64
        The slope, which is not 0.

    Raises
    ------
    ValueError
        If p equals q, so that nothing can be estimated.
    """
    difference = numbers("p", channel.p) - numbers("q", channel.q)
    if (difference == 0).any():
        raise ValueError(
            "p and q are equal; allowed are different chances, else nothing can be estimated"
        )
    return difference
