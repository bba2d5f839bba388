"""Counting the ones of every column of bit-packed rows, without unpacking them.

Three rows are added by a carry-save adder: the bits of a ^ b ^ c count once, those of the majority of a, b, c twice.
So rows of weight 1 become a third as many of weight 1 and a third as many of weight 2, and so on, 64 columns at a time,
until only a few rows of each weight are left to unpack (Harley and Seal; Mula, Kurz and Lemire 2018, arXiv:1611.07612).
"""

import math

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray, IntArray

Words = NDArray[np.uint64]
_MOST_ROWS = 255  # whose counts a byte holds
_FEW = 256  # words that are sooner unpacked than added
_BLOCK = 2**17  # words at a time, about as many as stay in the cache


def column_sums(packed: BitArray, size: int) -> IntArray:
    """How many rows have each bit set. packed: shape (n, ceil(size / 8)). Returns shape (size,), int64."""
    rows = np.ascontiguousarray(packed)
    width = rows.shape[1]
    group = 8 // math.gcd(8, width)  # so many rows are a whole number of words
    whole = len(rows) // group * group
    total = _unpacked_sums(rows[whole:])
    if whole:
        words = rows[:whole].reshape(-1, group * width).view(np.uint64)
        step = max(3, _BLOCK // words.shape[1])
        by_row = sum(
            _block_sums(words[start : start + step]) for start in range(0, len(words), step)
        )
        total += np.reshape(by_row, (group, width * 8)).sum(axis=0)
    return total[:size]


def _block_sums(rows: Words) -> IntArray:
    """The ones of every column of rows of words, shape (64 * words in a row,)."""
    width = rows.shape[1]
    total, weight, few = (
        np.zeros(64 * width, dtype=np.int64),
        1,
        min(_MOST_ROWS, max(2, _FEW // width)),
    )
    while len(rows):
        carries, filled = np.empty((len(rows) // 2 + 1, width), dtype=np.uint64), 0
        while len(rows) > few:
            third = len(rows) // 3
            rows = _add_three(rows, carries[filled : filled + third])
            filled += third
        total += weight * _unpacked_sums(rows.view(np.uint8))
        rows, weight = carries[:filled], 2 * weight
    return total


def _add_three(rows: Words, carry: Words) -> Words:
    """Rows that weigh the same, added in threes: a third as many are returned, and the carries are written.

    carry = ((a ^ c) & (a ^ b)) ^ a is the majority of a, b, c. Operations in place save most of the memory traffic.
    """
    third = len(rows) // 3
    a, b, c = rows[:third], rows[third : 2 * third], rows[2 * third : 3 * third]
    result = np.empty((len(rows) - 2 * third, rows.shape[1]), dtype=np.uint64)
    half = result[:third]
    np.bitwise_xor(a, c, out=carry)
    np.bitwise_xor(a, b, out=half)
    carry &= half
    carry ^= a
    half ^= c
    result[third:] = rows[3 * third :]
    return result


def _unpacked_sums(rows: BitArray) -> IntArray:
    """For at most 255 rows, so that a byte holds every count."""
    sums: IntArray = np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.uint8).astype(np.int64)
    return sums
