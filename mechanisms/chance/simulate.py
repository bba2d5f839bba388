"""Exact random numbers for many reports at once, for simulation and teaching.

A respondent's own report is drawn in the browser from a cryptographic source, one number at a
time; see `mechanisms.chance.draw`.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray

# The number of cells handled at a time: enough to be fast, few enough to stay in the cache.
CELLS_PER_CHUNK = 2**20
# The number of bytes drawn at a time.
_BYTES_PER_BLOCK = 2**17
# The number of slots in the table of an urn: one for each 16-bit number.
_SLOT_COUNT = 2**16


def uniforms(rng: np.random.Generator, den: int, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """
    Draw uniform integers from 0 to den - 1.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of the draws. NumPy also discards words from the incomplete last round.
    den : int
        The number of possible results, from 1 to 2**32.
    shape : int or tuple of int
        The shape of the result.

    Returns
    -------
    ndarray of uint8, uint16 or uint32
        The integers, of the smallest of these types that can hold den - 1.
    """
    dtype: type[np.unsignedinteger[Any]]
    if den <= 2**8:
        dtype = np.uint8
    elif den <= 2**16:
        dtype = np.uint16
    else:
        dtype = np.uint32
    return rng.integers(0, den, size=shape, dtype=dtype)


def slices(rows: int, width: int) -> Iterator[slice]:
    """
    Return slices that split rows into chunks of about `CELLS_PER_CHUNK` cells.

    Parameters
    ----------
    rows : int
        The number of rows.
    width : int
        The number of cells in one row.

    Returns
    -------
    iterator of slice
        The slices, in order. There are none if there are no rows.
    """
    step = max(1, CELLS_PER_CHUNK // width)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def random_bits(rng: np.random.Generator, weight: int, den: int, rows: int, width: int) -> BitArray:
    """
    Draw packed rows of independent bits, with an exact probability.

    Parameters
    ----------
    rng : numpy.random.Generator
        The source of the draws.
    weight, den : int
        Every bit is 1 with probability ``weight / den``.
    rows : int
        The number of rows.
    width : int
        The number of bytes in one row.

    Returns
    -------
    ndarray of uint8, shape (rows, width)
        The bits, eight in a byte.
    """
    packed = np.empty(rows * width, dtype=np.uint8)
    urn = _byte_urn(weight, den)
    for start in range(0, len(packed), _BYTES_PER_BLOCK):
        block = packed[start : start + _BYTES_PER_BLOCK]
        block[:] = urn.draw(rng, len(block))
    return packed.reshape(rows, width)


class _Urn:
    """An exact sampler of 0, 1, ... with probabilities proportional to integer weights.

    Most draws are looked up in a table of 65,536 slots. Every value gets as many slots as its
    probability fills completely, and one 16-bit number picks a slot. The few remaining slots stand
    for the fractions of slots that are missing, and these are drawn from an urn of their own. These
    are the condensed tables of Marsaglia, Tsang and Wang (2004, Journal of Statistical Software,
    11(3)), made exact.
    """

    def __init__(self, weights: list[int]) -> None:
        total = sum(weights)
        whole_slots = []
        self._fractions: list[int] = []
        for weight in weights:
            whole, fraction = divmod(_SLOT_COUNT * weight, total)
            whole_slots.append(whole)
            self._fractions.append(fraction)
        values = np.arange(len(weights), dtype=np.uint8)
        self._slots = np.repeat(values, whole_slots)

    @cached_property
    def _fraction_urn(self) -> "_Urn":
        """The urn of the remaining slots, with the missing fractions as its weights."""
        common = gcd(*self._fractions)
        return _Urn([fraction // common for fraction in self._fractions])

    def draw(self, rng: np.random.Generator, count: int) -> BitArray:
        """Draw `count` values, as uint8 of shape (count,)."""
        # One 64-bit number holds the indexes of four slots.
        words = rng.integers(0, 2**64, size=-(-count // 4), dtype=np.uint64)
        slot_indexes = words.view(np.uint16)[:count]
        # The indexes of the remaining slots are clipped, and their values are replaced below.
        values: BitArray = self._slots.take(slot_indexes, mode="clip")

        if len(self._slots) < _SLOT_COUNT:
            remaining = np.flatnonzero(slot_indexes >= len(self._slots))
            if len(remaining):
                values[remaining] = self._fraction_urn.draw(rng, len(remaining))
        return values


@lru_cache(maxsize=64)
def _byte_urn(weight: int, den: int) -> _Urn:
    """Return the urn of the 256 bytes whose bits are 1 independently with weight / den."""
    weight_by_ones = [weight**ones * (den - weight) ** (8 - ones) for ones in range(9)]
    return _Urn([weight_by_ones[byte.bit_count()] for byte in range(256)])
