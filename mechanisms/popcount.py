"""Counting the ones of every column of bit-packed rows."""

import numpy as np

from mechanisms.checks import BitArray, IntArray
from mechanisms.simulate import slices


def column_sums(packed: BitArray, size: int) -> IntArray:
    """How many rows have each bit set. packed: shape (n, ceil(size / 8)). Returns shape (size,), int64."""
    total = np.zeros(size, dtype=np.int64)
    for part in slices(len(packed), size):
        total += np.unpackbits(packed[part], axis=1, count=size).sum(axis=0, dtype=np.int64)
    return total
