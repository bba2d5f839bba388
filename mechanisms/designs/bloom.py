"""Bloom filters: the bits that a text sets.

Each cohort has its own hash functions, so that no two texts set the same bits in all cohorts.
"""

from collections.abc import Sequence

import numpy as np

from mechanisms.checks import IntArray
from mechanisms.designs.texts import digest

# It is hashed before a text, so that a hash made for another purpose is never the same.
HASH_PREFIX = "candor-rappor-1"


def positions(text: str, cohort: int, bits: int, hashes: int) -> list[int]:
    """
    Return the indexes of the bits that a text sets in the Bloom filter of a cohort.

    A Bloom filter is a row of bits that are 0, except those that the hash functions of a text point
    to. Each cohort of respondents has its own hash functions.

    The indexes are the 32-bit big-endian words of one SHA-256 digest, modulo `bits`.
    static/mechanisms/rappor.js does the same in the browser.

    Parameters
    ----------
    text : str
        The normalized text.
    cohort : int
        The number of the cohort, from 0.
    bits : int
        The number of bits of the filter.
    hashes : int
        The number of hash functions, at most 8.

    Returns
    -------
    list of int
        The index of a bit for each hash function. Some may be equal.
    """
    # The 32 bytes of a digest hold eight words of four bytes, so there are at most 8 hashes.
    digest_bytes = digest(HASH_PREFIX, str(cohort), text)
    indexes = []
    for number in range(hashes):
        word = digest_bytes[4 * number : 4 * number + 4]
        indexes.append(int.from_bytes(word, "big") % bits)
    return indexes


def filters(texts: Sequence[str], cohorts: int, bits: int, hashes: int) -> IntArray:
    """
    Return the indexes of the bits that many texts set in the Bloom filters of all cohorts.

    Estimation compares the bits of reports with those of candidate texts.

    Parameters
    ----------
    texts : sequence of str
        The normalized texts.
    cohorts : int
        The number of cohorts.
    bits : int
        The number of bits of a filter.
    hashes : int
        The number of hash functions, at most 8.

    Returns
    -------
    ndarray of int64, shape (len(texts), cohorts, hashes)
        The indexes of the bits, as `positions` returns them for one text and one cohort.
    """
    # One list of `hashes` indexes for each text and cohort, with the cohorts of a text together.
    indexes: list[list[int]] = []
    for text in texts:
        indexes.extend(positions(text, cohort, bits, hashes) for cohort in range(cohorts))
    return np.array(indexes, dtype=np.int64).reshape(len(texts), cohorts, hashes)
