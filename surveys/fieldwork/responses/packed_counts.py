"""Counts as a tally in JSON has them: a list of numbers, or of very many one string.

A question with 20,000 choices has some 100,000 different reports. As a list its counts would be a megabyte, read with
every survey that is listed, and in each cell of a closing's groups, where nearly all are 0. Packed they take what they
hold: zlib over numbers of eight bytes, in base64.
"""

import base64
import zlib

import numpy as np

from mechanisms.checks import IntArray

LONGEST = 4096  # numbers of a list
Counts = list[int] | str


def pack(counts: IntArray) -> Counts:
    if len(counts) <= LONGEST:
        return counts.tolist()  # type: ignore[no-any-return]
    whole = counts.astype("<i8").tobytes()
    return base64.b64encode(zlib.compress(whole, 1)).decode("ascii")


def unpack(counts: Counts) -> IntArray:
    """Shape (number of different reports,), int64."""
    if isinstance(counts, str):
        return np.frombuffer(zlib.decompress(base64.b64decode(counts)), "<i8").astype(np.int64)
    return np.array(counts, np.int64)


def add(first: Counts, second: Counts) -> Counts:
    """Both added up; ValueError for different numbers of counts."""
    one, other = unpack(first), unpack(second)
    if one.shape != other.shape:
        raise ValueError(f"counts are {len(one)} and {len(other)}; allowed are as many of each")
    return pack(one + other)
