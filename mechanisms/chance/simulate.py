"""Exact random numbers for many reports at once. For simulation and teaching: a respondent's own report is drawn in the
browser from a cryptographic source, one number at a time (draw.py says how).
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray

CHUNK = 2**20  # cells at a time: enough to be fast, little enough to stay in the cache
_BLOCK = 2**17  # bytes at a time
_SLOTS = 2**16


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
    bytes_ = np.empty(rows * width, dtype=np.uint8)
    urn = _urn_of_bytes(weight, den)
    for start in range(0, len(bytes_), _BLOCK):
        block = bytes_[start : start + _BLOCK]
        block[:] = urn.draw(rng, len(block))
    return bytes_.reshape(rows, width)


class _Urn:
    """Draws 0, 1, ... with chances proportional to whole weights, exactly, by looking most of them up.

    Every value gets as many of 65,536 slots as its chance fills whole; one 16-bit number picks a slot. The few slots
    left over stand for the fractions that are missing, which are drawn from an urn of their own (the condensed tables
    of Marsaglia, Tsang and Wang 2004, Journal of Statistical Software 11(3), made exact).
    """

    def __init__(self, weights: list[int]) -> None:
        total = sum(weights)
        shares = [divmod(_SLOTS * weight, total) for weight in weights]
        self._slots = np.repeat(
            np.arange(len(weights), dtype=np.uint8), [whole for whole, _ in shares]
        )
        self._fractions = [fraction for _, fraction in shares]

    @cached_property
    def _rest(self) -> "_Urn":
        common = gcd(*self._fractions)
        return _Urn([fraction // common for fraction in self._fractions])

    def draw(self, rng: np.random.Generator, count: int) -> BitArray:
        """Shape (count,), uint8."""
        picked = rng.integers(0, 2**64, size=-(-count // 4), dtype=np.uint64).view(np.uint16)[
            :count
        ]
        found: BitArray = self._slots.take(picked, mode="clip")
        if len(self._slots) < _SLOTS:
            beyond = np.flatnonzero(picked >= len(self._slots))
            if len(beyond):
                found[beyond] = self._rest.draw(rng, len(beyond))
        return found


@lru_cache(maxsize=64)
def _urn_of_bytes(weight: int, den: int) -> _Urn:
    """Of the 256 bytes whose bits are independent and set with probability weight/den."""
    chances = [weight**ones * (den - weight) ** (8 - ones) for ones in range(9)]
    return _Urn([chances[byte.bit_count()] for byte in range(256)])
