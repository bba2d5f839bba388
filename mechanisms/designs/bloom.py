"""Bloom filters: which bits a text sets. Each cohort has its own hash functions: no two texts meet in all."""

from collections.abc import Sequence

import numpy as np

from mechanisms.checks import IntArray
from mechanisms.designs.texts import digest

DOMAIN = "candor-rappor-1"


def positions(text: str, cohort: int, bits: int, hashes: int) -> list[int]:
    """The bits that a normalised text sets in a cohort, one for each hash function; some may be the same.

    The words of one SHA-256, big-endian. static/mechanisms/rappor.js does the same.
    """
    words = digest(DOMAIN, str(cohort), text)
    return [int.from_bytes(words[4 * i : 4 * i + 4], "big") % bits for i in range(hashes)]


def filters(texts: Sequence[str], cohorts: int, bits: int, hashes: int) -> IntArray:
    """The bits of many texts in all cohorts, shape (texts, cohorts, hashes)."""
    found = [[positions(text, cohort, bits, hashes) for cohort in range(cohorts)] for text in texts]
    return np.array(found, dtype=np.int64).reshape(len(texts), cohorts, hashes)
