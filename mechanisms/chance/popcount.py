"""Column sums of bit-packed rows, without unpacking all of them.

A carry-save adder adds three rows: the bits of a ^ b ^ c have the weight of the rows, and those of
the majority of a, b and c have twice that weight. In this way rows of weight 1 become a third as
many rows of weight 1 and a third as many of weight 2, and so on, 64 columns at a time, until only a
few rows of each weight are left to unpack (Harley and Seal; Mula, Kurz and Lemire 2018,
arXiv:1611.07612).
"""

import math

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import BitArray, IntArray

Words = NDArray[np.uint64]
# The number of rows up to which one byte can hold every count.
_MOST_ROWS = 255
# The number of words up to which unpacking is faster than adding.
_FEW_WORDS = 256
# The number of words added at a time: about as many as stay in the cache of the processor.
_WORDS_PER_BLOCK = 2**17


def column_sums(packed: BitArray, size: int) -> IntArray:
    """
    Return how many rows have each bit set.

    Parameters
    ----------
    packed : ndarray of uint8, shape (n, ceil(size / 8))
        The rows, as `numpy.packbits` packs them along the last axis.
    size : int
        The number of bits of a row.

    Returns
    -------
    ndarray of int64, shape (size,)
        The number of rows in which each bit is 1.

    References
    ----------
    Muła, W., Kurz, N., & Lemire, D. (2018). Faster population counts using AVX2 instructions.
    The Computer Journal, 61(1), 111-120. arXiv:1611.07612.
    """
    rows = np.ascontiguousarray(packed)
    width = rows.shape[1]
    # The smallest number of rows that fills whole words of 8 bytes.
    group = 8 // math.gcd(8, width)
    grouped_rows = len(rows) // group * group
    total = _unpacked_sums(rows[grouped_rows:])

    if grouped_rows:
        words = rows[:grouped_rows].reshape(-1, group * width).view(np.uint64)
        step = max(3, _WORDS_PER_BLOCK // words.shape[1])
        starts = range(0, len(words), step)
        sums = sum(_block_sums(words[start : start + step]) for start in starts)
        total += np.reshape(sums, (group, width * 8)).sum(axis=0)

    return total[:size]


def _block_sums(rows: Words) -> IntArray:
    """Return the number of ones in every column of rows of words, shape (64 * words per row,).

    rows: shape (n, words per row). They are not changed.
    """
    width = rows.shape[1]
    total = np.zeros(64 * width, dtype=np.int64)
    # Up to this number of rows are unpacked. More of them are added, three at a time.
    few = min(_MOST_ROWS, max(2, _FEW_WORDS // width))
    weight = 1

    while len(rows):
        carries = np.empty((len(rows) // 2 + 1, width), dtype=np.uint64)
        filled = 0
        while len(rows) > few:
            third = len(rows) // 3
            rows = _add_three(rows, carries[filled : filled + third])
            filled += third
        total += weight * _unpacked_sums(rows.view(np.uint8))
        rows = carries[:filled]
        weight *= 2

    return total


def _add_three(rows: Words, carry: Words) -> Words:
    """Add rows of one weight in threes. Returns rows of this weight, and writes `carry`.

    rows: shape (n, width).
    carry: shape (n // 3, width). It is overwritten with rows of twice the weight.

    The carry is the majority of a, b and c: ((a ^ c) & (a ^ b)) ^ a. Operations in place save
    most of the memory traffic.
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
    """Return the column sums of at most 255 packed rows: a byte must hold every count."""
    sums: IntArray = np.unpackbits(rows, axis=1).sum(axis=0, dtype=np.uint8).astype(np.int64)
    return sums
