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
    Draw uniform integers from 0 to den - 1, exactly, for many reports at once.

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

    Arrays with a cell for each respondent and answer would need too much memory at once.

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
    # Whole bytes are drawn: each of the 256 bytes has the probability of its eight bits.
    packed = np.empty(rows * width, dtype=np.uint8)
    urn = _byte_urn(weight, den)
    for start in range(0, len(packed), _BYTES_PER_BLOCK):
        block = packed[start : start + _BYTES_PER_BLOCK]
        block[:] = urn.draw(rng, len(block))
    return packed.reshape(rows, width)


class _Urn:
    """An exact sampler of 0, 1, ... with probabilities proportional to integer weights.

    weights: the weights of the values 0, 1, ..., at most 256 of them.

    Most draws are looked up in a table of 65,536 slots. Every value gets as many slots as its
    probability fills completely, and one 16-bit number picks a slot. The few remaining slots stand
    for the fractions of slots that are missing, and these are drawn from an urn of their own.

    For example, the weights 1 and 2 fill 21,845 and 43,690 slots, and miss 1/3 and 2/3 of a slot.
    The one remaining slot leads to an urn with the weights 1 and 2.

    These are the condensed tables of Marsaglia, Tsang and Wang (2004, Journal of Statistical
    Software, 11(3)), made exact.
    """

    def __init__(self, weights: list[int]) -> None:
        total = sum(weights)
        whole_slots = []
        # The missing fraction of a slot of each value, as an integer out of `total`.
        self._fractions: list[int] = []
        for weight in weights:
            # The value fills _SLOT_COUNT * weight / total slots.
            whole, fraction = divmod(_SLOT_COUNT * weight, total)
            whole_slots.append(whole)
            self._fractions.append(fraction)
        # The value in each slot that is filled completely. The remaining slots are left out.
        values = np.arange(len(weights), dtype=np.uint8)
        self._slots = np.repeat(values, whole_slots)

    @cached_property
    def _fraction_urn(self) -> "_Urn":
        """The urn of the remaining slots, with the missing fractions as its weights.

        It is made when it is first used, since it can need an urn for its own fractions. Without
        their common divisor, these weights stay small.
        """
        common = gcd(*self._fractions)
        return _Urn([fraction // common for fraction in self._fractions])

    def draw(self, rng: np.random.Generator, count: int) -> BitArray:
        """Draw `count` values independently, as an array of uint8 of shape (count,).

        rng: the source of the draws.
        """
        # One 64-bit number holds the indexes of four slots, so a quarter as many are drawn, rounded
        # up. Read as 16-bit numbers, they are four times as many indexes.
        words = rng.integers(0, 2**64, size=-(-count // 4), dtype=np.uint64)
        slot_indexes = words.view(np.uint16)[:count]
        # The remaining slots are not in the table. Their indexes are clipped to its end here, and
        # their values are replaced below.
        values: BitArray = self._slots.take(slot_indexes, mode="clip")

        if len(self._slots) < _SLOT_COUNT:
            remaining = np.flatnonzero(slot_indexes >= len(self._slots))
            if len(remaining):
                values[remaining] = self._fraction_urn.draw(rng, len(remaining))
        return values


@lru_cache(maxsize=64)
def _byte_urn(weight: int, den: int) -> _Urn:
    """Return the urn of the 256 bytes whose bits are 1 independently with weight / den.

    The probability of a byte with k ones is (weight / den)^k * (1 - weight / den)^(8 - k). Its
    weight is the numerator over den^8.
    """
    weight_by_ones = [weight**ones * (den - weight) ** (8 - ones) for ones in range(9)]
    return _Urn([weight_by_ones[byte.bit_count()] for byte in range(256)])
