"""Which projective space carries the reports about a long list: the order with the least error."""

from functools import lru_cache
from itertools import count

from mechanisms import checks
from mechanisms.chance.integers import exp_capped
from mechanisms.estimation.projective import Space

MOST_POINTS = 2**32 - 1  # a report is one unsigned 32-bit integer
LONGEST = 200  # answers for which a report of one mark each is the better one
ENOUGH = 1.01  # of the least error: a much smaller space may come so near, and its counts are read the faster
ORDERS = tuple(q for q in range(2, 200) if all(q % below for below in range(2, q)))


@lru_cache(maxsize=256)
def best_space(size: int, epsilon: float) -> Space:
    """The smallest space with the least total squared error, or 1% more, for answers that are all equally frequent.

    ValueError for more answers than a report can tell apart.
    """
    size, e = checks.whole("size", size, 2, MOST_POINTS), exp_capped(checks.epsilon(epsilon))
    able = [
        space
        for space in (_smallest(order, size) for order in ORDERS)
        if space.points <= MOST_POINTS
    ]
    least = min(variance(space, e, 1 / size) for space in able)
    near = [space for space in able if variance(space, e, 1 / size) <= ENOUGH * least]
    return min(near, key=lambda space: space.points)


def largest_space(order: int) -> Space:
    """The one with most points that a report can tell apart."""
    dimension = next(t for t in count(2) if Space(order, t + 1).points > MOST_POINTS)
    return Space(order, dimension)


def _smallest(order: int, size: int) -> Space:
    return next(space for space in (Space(order, t) for t in count(2)) if space.points >= size)


def chances(space: Space, e: float) -> tuple[float, float]:
    """(p, q): how often a report speaks for the true answer, and for another, at these odds: not yet in integers."""
    points, own, both = space.points, space.orthogonal, space.both
    p = e * own / (e * own + points - own)
    return p, p * both / own + (1 - p) * (own - both) / (points - own)


def variance(space: Space, e: float, share: float) -> float:
    """n times the variance of an answer's estimated share, where this is the true one."""
    p, q = chances(space, e)
    spoken = q + share * (p - q)
    return spoken * (1 - spoken) / (p - q) ** 2
