"""Discrete Laplace noise, drawn exactly from whole numbers, or with NumPy for simulations.

A sum to which floats were added as noise can reveal the true number by its last digits (Mironov
2012, CCS). Whole numbers cannot. This module follows algorithms 1 and 2 of Canonne, Kamath and
Steinke (2020, NeurIPS, arXiv:2004.00010).
"""

import math
from fractions import Fraction

import numpy as np

from mechanisms.chance.draw import WORD_VALUES, NextUint32
from mechanisms.checks import IntArray


def discrete_laplace(rate: Fraction, next_uint32: NextUint32) -> int:
    """
    Draw a whole number x with probability tanh(rate / 2) * exp(-rate * abs(x)).

    Added to a true count, it makes the count differentially private: for a count that one person
    changes by at most 1, epsilon is the rate.

    Parameters
    ----------
    rate : Fraction
        The rate at which the probability falls, above 0.
    next_uint32 : callable
        Returns the next random word, an integer from 0 to 2**32 - 1.

    Returns
    -------
    int
        The whole number, negative as often as positive.

    References
    ----------
    Canonne, C. L., Kamath, G., & Steinke, T. (2020). The discrete Gaussian for differential
    privacy. NeurIPS 33. arXiv:2004.00010. Algorithm 2.
    """
    numerator, den = rate.as_integer_ratio()
    while True:
        # A number rest + den * whole is drawn, whose probability falls by the factor exp(-1 / den)
        # from each number to the next. `rest` is accepted with probability exp(-rest / den), and
        # `whole` grows by 1 with probability exp(-1).
        rest = uniform_below(den, next_uint32)
        if not _survives(Fraction(rest, den), next_uint32):
            continue
        whole = 0
        while _survives(Fraction(1), next_uint32):
            whole += 1

        # The rate is numerator / den. So over `numerator` numbers, which become one here, the
        # probability falls by the factor exp(-rate).
        size = (rest + den * whole) // numerator
        is_negative = uniform_below(2, next_uint32) == 1
        # A negative 0 is drawn again, or 0 would come twice as often as it should.
        if size or not is_negative:
            return -size if is_negative else size


def _survives(rate: Fraction, next_uint32: NextUint32) -> bool:
    """Draw a boolean that is True with probability exp(-rate), for a rate from 0 to 1.

    next_uint32: returns the next random word, an integer from 0 to 2**32 - 1.

    The exponential function itself would be rounded, so only whole numbers are drawn. Trial 1
    succeeds with probability rate/1, trial 2 with rate/2, trial 3 with rate/3, and so on, up to the
    first failure. The first k trials all succeed with probability rate^k / k!. So the failure is in
    a trial with an odd number with probability 1 - rate + rate^2 / 2! - rate^3 / 3! + ..., which is
    exp(-rate): algorithm 1 of Canonne, Kamath and Steinke (2020).
    """
    numerator, den = rate.as_integer_ratio()
    # A trial succeeds with probability rate / trial = numerator / (den * trial).
    trial = 1
    while uniform_below(den * trial, next_uint32) < numerator:
        trial += 1
    return trial % 2 == 1


def uniform_below(limit: int, next_uint32: NextUint32) -> int:
    """
    Draw a uniform integer from 0 to limit - 1, for a limit of any length.

    For limits up to 2**32 this does the same as `mechanisms.chance.draw.uniform`.

    Parameters
    ----------
    limit : int
        The number of possible results, at least 1.
    next_uint32 : callable
        Returns the next random word, an integer from 0 to 2**32 - 1.

    Returns
    -------
    int
        The integer that was drawn, from as many words as its length needs.
    """
    # The number of words of 32 bits that hold limit - 1, rounded up. A limit of 1 also uses a word.
    word_count = max(1, math.ceil((limit - 1).bit_length() / 32))
    # The number of values that so many words can have.
    number_values = WORD_VALUES**word_count
    # Numbers from the incomplete last round are discarded: they would favour small results.
    complete = number_values - number_values % limit
    while True:
        # The words are the digits of one number, in base 2**32.
        number = 0
        for _ in range(word_count):
            number = number * WORD_VALUES + next_uint32()
        if number < complete:
            return number % limit


def simulate_laplace(
    rate: float, shape: int | tuple[int, ...], rng: np.random.Generator
) -> IntArray:
    """
    Draw many numbers with the distribution of `discrete_laplace`, for simulations only.

    The difference of two independent geometric numbers with the success probability 1 - exp(-rate)
    has this distribution. NumPy draws these from floats, so the result is not exact enough to
    protect anybody.

    Parameters
    ----------
    rate : float
        The rate at which the probability falls, above 0.
    shape : int or tuple of int
        The shape of the result.
    rng : numpy.random.Generator
        The source of the draws.

    Returns
    -------
    ndarray of int64
        The numbers, of the given shape.
    """
    # This is 1 - exp(-rate), without the rounding error of the difference.
    success_probability = -np.expm1(-rate)
    first = rng.geometric(success_probability, shape)
    second = rng.geometric(success_probability, shape)
    return np.asarray(first - second, dtype=np.int64)
