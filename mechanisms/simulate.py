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
_DIGITS = 9  # binary digits compared for all words, before going on with the undecided ones
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
    the first digit that differs: set if the fraction has 1 there, for then the number is below it. Whether a digit
    differs is a fair coin, and one random word holds 64 of them. Two digits decide on average. Where the fraction ends
    undecided, the number is not below it.
    """
    if weight == den:
        return np.full(count, _ALL)
    result, undecided, rest = np.zeros(count, dtype=np.uint64), np.full(count, _ALL), weight
    for _ in range(_DIGITS):
        digit, rest = divmod(2 * rest, den)
        undecided = _compare(rng, digit, result, undecided)
        if not rest:
            return result
    where = np.flatnonzero(undecided)  # by now few words have any bit left to decide
    undecided = undecided[where]
    while rest and len(where):
        digit, rest = divmod(2 * rest, den)
        found = np.zeros_like(undecided)
        undecided = _compare(rng, digit, found, undecided)
        result[where] |= found
        still = np.flatnonzero(undecided)
        where, undecided = where[still], undecided[still]
    return result


def _compare(rng: np.random.Generator, digit: int, result: Words, undecided: Words) -> Words:
    """One more digit: what it decides is set in `result` if the digit is 1; returns what it leaves undecided."""
    same: Words = rng.integers(0, 2**64, size=len(undecided), dtype=np.uint64)
    same &= undecided
    if digit:
        undecided ^= same
        result |= undecided
    return same
