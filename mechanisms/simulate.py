"""Exact random numbers for many reports at once. For simulation and teaching: a respondent's own report is drawn in the
browser from a cryptographic source, one number at a time (draw.py says how).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray

CHUNK = 2**20  # cells at a time: enough to be fast, little enough to stay in the cache
_BLOCK = 2**15  # words of 64 bits at a time
_DIGITS = 8  # binary digits compared for all words, before going on with the undecided ones
Words = NDArray[np.uint64]
_ALL = np.uint64(2**64 - 1)


def uniforms(rng: np.random.Generator, den: int, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """Uniform integers from 0 to den - 1; NumPy draws them by rejection too."""
    dtype = np.uint8 if den <= 2**8 else np.uint16 if den <= 2**16 else np.uint32
    return rng.integers(0, den, size=shape, dtype=dtype)


def slices(rows: int, width: int) -> Iterator[slice]:
    """Slices of rows with about CHUNK cells each."""
    step = max(1, CHUNK // width)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def random_bits(rng: np.random.Generator, weight: int, den: int, rows: int, width: int) -> BitArray:
    """Packed rows of independent bits, each set with probability weight/den exactly. Shape (rows, width), uint8."""
    words = np.empty(-(-rows * width // 8), dtype=np.uint64)
    for start in range(0, len(words), _BLOCK):
        block = words[start : start + _BLOCK]
        block[:] = _random_words(rng, weight, den, len(block))
    return words.view(np.uint8)[: rows * width].reshape(rows, width)


def _random_words(rng: np.random.Generator, weight: int, den: int, count: int) -> Words:
    """Words of 64 bits, each bit set with probability weight/den.

    Every bit compares a uniform number below 1, written in binary, with weight/den, digit by digit, and is decided at
    the first digit that differs. One random word serves 64 bits; two digits decide on average, and where the fraction
    ends, the number is not below it.
    """
    if weight == den:
        return np.full(count, _ALL)
    result, undecided = np.zeros(count, dtype=np.uint64), np.full(count, _ALL)
    rest = weight
    for _ in range(_DIGITS):
        digit, rest = divmod(2 * rest, den)
        _decide(rng, digit, result, undecided)
        if not rest:
            return result
    open_words = np.flatnonzero(undecided)  # by now few have any bit left to decide
    left = undecided[open_words]
    while rest and len(open_words):
        digit, rest = divmod(2 * rest, den)
        found = np.zeros_like(left)
        _decide(rng, digit, found, left)
        result[open_words] |= found
        still = np.flatnonzero(left)
        open_words, left = open_words[still], left[still]
    return result


def _decide(rng: np.random.Generator, digit: int, result: Words, undecided: Words) -> None:
    """Compare one more binary digit: a smaller one sets the bit in `result`, another decides it without."""
    drawn = rng.integers(0, 2**64, size=len(undecided), dtype=np.uint64)
    if digit:
        drawn &= undecided
        undecided ^= drawn  # drawn 0 where the fraction has 1: below
        result |= undecided
        undecided[:] = drawn
    else:
        np.bitwise_not(drawn, out=drawn)
        undecided &= drawn  # drawn 1 where the fraction has 0: above
