"""Discrete Laplace noise: drawn by whole numbers alone, one at a time, or with NumPy, many at once.

A sum with noise from floats can give the true number away by its last digits (Mironov 2012, CCS). Whole numbers cannot:
algorithms 1 and 2 of Canonne, Kamath and Steinke (2020, NeurIPS, arXiv:2004.00010).
"""

from fractions import Fraction

import numpy as np

from mechanisms.chance.draw import WORDS, NextUint32
from mechanisms.checks import IntArray


def discrete_laplace(rate: Fraction, next_uint32: NextUint32) -> int:
    """A whole number x with chance tanh(rate/2) exp(-rate |x|). rate: above 0."""
    steps, den = rate.as_integer_ratio()
    while True:
        rest = below(den, next_uint32)
        if not _survives(Fraction(rest, den), next_uint32):
            continue
        whole = 0
        while _survives(Fraction(1), next_uint32):
            whole += 1
        size = (rest + den * whole) // steps
        is_negative = below(2, next_uint32) == 1
        if size or not is_negative:  # else 0 would come twice as often as it should
            return -size if is_negative else size


def _survives(rate: Fraction, next_uint32: NextUint32) -> bool:
    """True with chance exp(-rate), for a rate from 0 to 1.

    Draws that succeed with chance rate/1, rate/2, rate/3, ... fail first at an odd place with that chance: it is the
    alternating series of exp(-rate).
    """
    place, (some, den) = 1, rate.as_integer_ratio()
    while below(den * place, next_uint32) < some:
        place += 1
    return place % 2 == 1


def below(limit: int, next_uint32: NextUint32) -> int:
    """A uniform integer from 0 to limit - 1, of any length: `draw.uniform` with as many words as it takes."""
    words = -(-(limit - 1).bit_length() // 32) or 1
    top = WORDS**words - WORDS**words % limit
    while True:
        number = 0
        for _ in range(words):
            number = number * WORDS + next_uint32()
        if number < top:
            return number % limit


def simulated(rate: float, shape: int | tuple[int, ...], rng: np.random.Generator) -> IntArray:
    """Draws of the same law, as the difference of two geometric numbers. From floats, so for simulation only."""
    chance = -np.expm1(-rate)
    first, second = rng.geometric(chance, shape), rng.geometric(chance, shape)
    return np.asarray(first - second, dtype=np.int64)
