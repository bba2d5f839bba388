"""Drawing one report from a stream of unsigned 32-bit integers.

Line by line what static/mechanisms/draw.js does in the browser; tests/vectors holds both to the same results.
Simulations use the vectorised `randomize` of each mechanism, which has the same distribution.
"""

from collections.abc import Callable, Sequence

NextUint32 = Callable[[], int]
WORDS = 2**32


def uniform(den: int, next_uint32: NextUint32) -> int:
    """A uniform integer from 0 to den - 1.

    2**32 is seldom a multiple of den, so a plain remainder would favour small numbers. Words from the
    incomplete last round are thrown away and drawn again.
    """
    limit = WORDS - WORDS % den
    word = next_uint32()
    while word >= limit:
        word = next_uint32()
    return word % den


def sample_index(row: Sequence[int], den: int, next_uint32: NextUint32) -> int:
    """Return an index with the probabilities row[index] / den."""
    rest = uniform(den, next_uint32)
    for index, weight in enumerate(row):
        if rest < weight:
            return index
        rest -= weight
    raise ValueError(f"row is {row}; allowed is a row that sums to den = {den}")


def sample(pool: Sequence[int], count: int, next_uint32: NextUint32) -> list[int]:
    """`count` different members of the pool, uniformly: the first steps of a Fisher-Yates shuffle."""
    members = list(pool)
    for index in range(count):
        other = index + uniform(len(members) - index, next_uint32)
        members[index], members[other] = members[other], members[index]
    return members[:count]
