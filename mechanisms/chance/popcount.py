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
    Return how many rows have each bit set: the column sums of packed rows.

    Tallies of reports are counted in this way, because unpacking all rows takes longer.

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
    # Groups of rows are added as words of 8 bytes. This is the smallest number of rows that fills
    # whole words.
    group = 8 // math.gcd(8, width)
    grouped_rows = len(rows) // group * group
    # At most seven rows are left over, and counted one bit at a time.
    total = _unpacked_sums(rows[grouped_rows:])

    if grouped_rows:
        # A row of words holds the bytes of a group of rows, one after the other.
        words = rows[:grouped_rows].reshape(-1, group * width).view(np.uint64)
        step = max(3, _WORDS_PER_BLOCK // words.shape[1])
        starts = range(0, len(words), step)
        sums = sum(_block_sums(words[start : start + step]) for start in starts)
        # The sums belong to the columns of a whole group, in which each bit has `group` columns.
        total += np.reshape(sums, (group, width * 8)).sum(axis=0)

    # The columns from `size` on are the padding of the last byte.
    return total[:size]


def _block_sums(rows: Words) -> IntArray:
    """Return the number of ones in every column of rows of words, shape (64 * words per row,).

    rows: shape (n, words per row). They are not changed.

    `weight` is how much each bit of the current rows counts. All rows of one weight are added in
    threes, which gives a third as many rows of the same weight, and carries of twice the weight.
    When few rows are left, they are unpacked and counted. Then the carries are the next rows.
    """
    width = rows.shape[1]
    total = np.zeros(64 * width, dtype=np.int64)
    # Up to this number of rows are unpacked. More of them are added, three at a time.
    few = min(_MOST_ROWS, max(2, _FEW_WORDS // width))
    weight = 1

    while len(rows):
        # Each addition replaces three rows by one row and one carry, so two rows fewer are left for
        # each carry. There are at most half as many carries as rows.
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

    For three bits, a + b + c = (a ^ b ^ c) + 2 * majority, where the majority is 1 if at least two
    of them are 1: ((a ^ c) & (a ^ b)) ^ a. The result has a ^ b ^ c for each three rows, then the
    rows that are left over. Operations in place save most of the memory traffic.
    """
    third = len(rows) // 3
    a, b, c = rows[:third], rows[third : 2 * third], rows[2 * third : 3 * third]
    result = np.empty((len(rows) - 2 * third, rows.shape[1]), dtype=np.uint64)
    # The part of the result with the sums of three rows. First it holds a ^ b.
    sums = result[:third]
    np.bitwise_xor(a, c, out=carry)
    np.bitwise_xor(a, b, out=sums)

    # ((a ^ c) & (a ^ b)) ^ a is the majority, and (a ^ b) ^ c the sum modulo 2.
    carry &= sums
    carry ^= a
    sums ^= c
    result[third:] = rows[3 * third :]
    return result


def _unpacked_sums(rows: BitArray) -> IntArray:
    """Return the column sums of at most 255 packed rows: a byte must hold every count.

    rows: shape (n, bytes per row). The result has the shape (8 * bytes per row,).
    """
    bits = np.unpackbits(rows, axis=1)
    # Sums of bytes are fast, but are exact only up to 255.
    byte_sums = bits.sum(axis=0, dtype=np.uint8)
    sums: IntArray = byte_sums.astype(np.int64)
    return sums
