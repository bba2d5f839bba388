"""How many marks chance picks, and how many of them it may turn: the choice with the least error of a share."""

from math import comb

from mechanisms import checks
from mechanisms.chance.integers import exp_capped

MOST_PICKED = 12
TYPICAL = 0.2  # the true share for which the numbers are chosen


def best_pick(
    size: int, epsilon: float, pick: int | None = None, reach: int | None = None
) -> tuple[int, int]:
    """(pick, reach) of least error of a share of 0.2 at this epsilon; what is given stays as it is.

    The variance of one share, times n, is size/pick times r (1 - r)/(1 - 2 f)^2, with f the chance that a mark is
    turned and r the share of marks that are set.
    """
    most = min(checks.size(size), MOST_PICKED)
    picks = range(1, most + 1) if pick is None else [allowed_pick(size, pick)]
    if reach is not None:
        allowed_reach(max(picks), reach)
    able = [
        (one, far) for one in picks for far in range((one - 1) // 2 + 1) if reach in (None, far)
    ]
    e = exp_capped(checks.epsilon(epsilon))
    return min(able, key=lambda each: _error(each[0], each[1], e))


def turned_chance(pick: int, reach: int, e: float) -> float:
    """The chance that a picked mark is turned, for high = e and low = 1: real numbers, not integers."""
    weights = [comb(pick, turned) * (e if turned <= reach else 1.0) for turned in range(pick + 1)]
    return sum(turned * weight for turned, weight in enumerate(weights)) / (pick * sum(weights))


def _error(pick: int, reach: int, e: float) -> float:
    f = turned_chance(pick, reach, e)
    r = f + (1 - 2 * f) * TYPICAL
    return r * (1 - r) / (1 - 2 * f) ** 2 / pick


def patterns(pick: int, reach: int) -> tuple[int, int]:
    """How many patterns differ from the truth in at most `reach` marks, and how many in more."""
    near = sum(comb(pick, turned) for turned in range(reach + 1))
    return near, 2**pick - near


def allowed_pick(size: int, pick: int) -> int:
    return checks.whole("pick", pick, 1, min(size, MOST_PICKED))


def allowed_reach(pick: int, reach: int) -> int:
    return checks.whole("reach", reach, 0, (pick - 1) // 2)
