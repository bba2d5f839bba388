"""Random draws for one report, from a stream of unsigned 32-bit integers.

static/mechanisms/draw.js does the same in the browser, line by line; the vectors in tests/vectors
hold both programs to the same results. Simulations use the vectorized `randomize` of each
mechanism, which has the same distribution.
"""

from collections.abc import Callable, Sequence

NextUint32 = Callable[[], int]
# The number of values that a word of the stream can have.
WORD_VALUES = 2**32


def uniform(den: int, next_uint32: NextUint32) -> int:
    """
    Draw a uniform integer from 0 to den - 1, exactly, for one report.

    Parameters
    ----------
    den : int
        The number of possible results, from 1 to 2**32.
    next_uint32 : callable
        Returns the next random word, an integer from 0 to 2**32 - 1.

    Returns
    -------
    int
        The integer that was drawn.

    Notes
    -----
    2**32 is rarely a multiple of `den`, so a plain remainder would favour small numbers.
    Words from the incomplete last round are discarded, and other words are drawn.
    """
    # The largest multiple of `den` that a word can reach: the end of the last complete round.
    limit = WORD_VALUES - WORD_VALUES % den
    word = next_uint32()
    while word >= limit:
        word = next_uint32()
    return word % den


def sample_index(row: Sequence[int], den: int, next_uint32: NextUint32) -> int:
    """
    Draw an index with the probabilities row[index] / den, exactly.

    A uniform number below `den` is drawn. The first row[0] numbers stand for index 0, the next
    row[1] numbers for index 1, and so on.

    Parameters
    ----------
    row : sequence of int
        The weights of the indexes, which sum to `den`.
    den : int
        The common denominator of the probabilities.
    next_uint32 : callable
        Returns the next random word, an integer from 0 to 2**32 - 1.

    Returns
    -------
    int
        An index of `row`.

    Raises
    ------
    ValueError
        If the weights sum to less than the number that was drawn.
    """
    # What is left of the number after the weights of the indexes before.
    rest = uniform(den, next_uint32)
    for index, weight in enumerate(row):
        if rest < weight:
            return index
        rest -= weight
    raise ValueError(f"row is {row}; allowed is a row that sums to den = {den}")


def sample(pool: Sequence[int], count: int, next_uint32: NextUint32) -> list[int]:
    """
    Draw different members of a pool, uniformly and in random order.

    These are the first `count` steps of a Fisher-Yates shuffle: in each step, the member at the
    next index changes places with a random one of those that were not drawn yet.

    Parameters
    ----------
    pool : sequence of int
        The numbers to draw from. The sequence is not changed.
    count : int
        How many members are drawn, at most ``len(pool)``.
    next_uint32 : callable
        Returns the next random word, an integer from 0 to 2**32 - 1.

    Returns
    -------
    list of int
        The members that were drawn, in the order of the draws.
    """
    members = list(pool)
    for index in range(count):
        partner = index + uniform(len(members) - index, next_uint32)
        members[index], members[partner] = members[partner], members[index]
    return members[:count]
