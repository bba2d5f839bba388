"""Counts in the JSON of a tally: a list of numbers, or a string if there are very many.

A question with 20,000 choices has some 100,000 different reports. As a list its counts would take a
megabyte. They would be read with every survey of a list, and with each cell of the report groups,
where nearly all of them are 0. Packed, they take little space: zlib compresses numbers of eight
bytes, and base64 makes text of them.
"""

import base64
import zlib

import numpy as np

from mechanisms.checks import IntArray

# The largest number of counts that are stored as a list.
LONGEST_LIST = 4096
Counts = list[int] | str


def pack(counts: IntArray) -> Counts:
    """Return counts as a tally stores them: a list, or a string if there are very many.

    A list has at most LONGEST_LIST counts. The string has the counts as little-endian int64,
    compressed with zlib and written in base64.

    counts: how often each report was sent, shape (number of different reports,).
    """
    if len(counts) <= LONGEST_LIST:
        return counts.tolist()  # type: ignore[no-any-return]
    data = counts.astype("<i8").tobytes()
    # Level 1 is the fastest.
    return base64.b64encode(zlib.compress(data, 1)).decode("ascii")


def unpack(counts: Counts) -> IntArray:
    """Return the counts of a tally as an array; int64, shape (number of different reports,)."""
    if isinstance(counts, str):
        data = zlib.decompress(base64.b64decode(counts))
        return np.frombuffer(data, "<i8").astype(np.int64)
    return np.array(counts, np.int64)


def add(first: Counts, second: Counts) -> Counts:
    """Return the packed sum of two packed counts. Raise ValueError if their lengths differ."""
    first_counts = unpack(first)
    second_counts = unpack(second)
    if first_counts.shape != second_counts.shape:
        lengths = f"{len(first_counts)} and {len(second_counts)}"
        raise ValueError(f"counts are {lengths}; allowed are as many of each")
    return pack(first_counts + second_counts)
