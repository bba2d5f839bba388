"""The choice of how many options of a multiple selection are picked, and how many may be flipped.

The choice is the one with the least error of a share. A *pattern* is one way to report the picked
options, each as 0 or 1. It is near the truth if at most `reach` options are flipped. Near patterns
have the weight e = exp(epsilon), and all others the weight 1.
"""

from math import comb

from mechanisms import checks
from mechanisms.chance.integers import exp_capped

MOST_PICKED = 12
# The true share for which the numbers are chosen.
TYPICAL_SHARE = 0.2


def best_pick(
    size: int, epsilon: float, pick: int | None = None, reach: int | None = None
) -> tuple[int, int]:
    """
    Return the pick and the reach with the least error of a share of 0.2.

    The variance of one share, times n, is ``size / pick * r * (1 - r) / (1 - 2 * f)**2``, where
    ``f`` is the probability that a picked option is flipped and ``r`` the probability that a
    picked option is reported as 1. More picked options say more about each share, but each of them
    is flipped more often.

    Parameters
    ----------
    size : int
        The number of options.
    epsilon : float
        The declared epsilon, above 0.
    pick : int, optional
        A fixed number of picked options. By default all that are allowed are compared.
    reach : int, optional
        A fixed reach. Numbers of options for which it is too large are left out. By default all
        that are allowed are compared.

    Returns
    -------
    pick : int
        The number of options that are picked.
    reach : int
        The number of flips up to which a pattern has the higher weight.

    Raises
    ------
    ValueError
        If `pick` or `reach` is not allowed, or `size` or `epsilon` is not.
    """
    most_picked = min(checks.size(size), MOST_PICKED)
    picks = list(range(1, most_picked + 1)) if pick is None else [allowed_pick(size, pick)]
    # A reach that is too large for every pick is refused here.
    if reach is not None:
        allowed_reach(max(picks), reach)

    e = exp_capped(checks.epsilon(epsilon))
    candidates = []
    for candidate_pick in picks:
        # A larger reach would favour even patterns in which half of the options are flipped.
        for candidate_reach in range((candidate_pick - 1) // 2 + 1):
            if reach in (None, candidate_reach):
                candidates.append((candidate_pick, candidate_reach))
    return min(candidates, key=lambda candidate: _error(candidate[0], candidate[1], e))


def flip_probability(pick: int, reach: int, e: float) -> float:
    """
    Return the probability that a picked option is flipped.

    There are C(pick, h) patterns with h flips. So the expected number of flips is the sum of
    h * C(pick, h) * w_h, divided by the sum of C(pick, h) * w_h, with w_h = e up to `reach` flips
    and otherwise 1. All options are alike, so each has an equal part of it.

    Parameters
    ----------
    pick : int
        The number of options that are picked.
    reach : int
        The number of flips up to which a pattern has the higher weight.
    e : float
        The higher weight, exp(epsilon). The lower weight is 1. These are real numbers, not the
        integers of a mechanism.

    Returns
    -------
    float
        The probability.
    """
    # The weight of each number of flips, from 0 to `pick`.
    weights = []
    for flips in range(pick + 1):
        weight_of_pattern = e if flips <= reach else 1.0
        weights.append(comb(pick, flips) * weight_of_pattern)

    # The expected number of flips is weighted_flips / sum(weights), and each option has a part.
    weighted_flips = sum(flips * weight for flips, weight in enumerate(weights))
    return weighted_flips / (pick * sum(weights))


def _error(pick: int, reach: int, e: float) -> float:
    """Return n times the variance of a share of `TYPICAL_SHARE`, without the factor `size`.

    e: the higher weight of a pattern, exp(epsilon), if the lower weight is 1.

    The share is (r - f) / (1 - 2 * f), where f is the probability that a picked option is flipped,
    and r the probability that it is reported as 1. It is estimated from n * pick / size reports, so
    the result is r * (1 - r) / (1 - 2 * f)^2 / pick.
    """
    f = flip_probability(pick, reach, e)
    r = f + (1 - 2 * f) * TYPICAL_SHARE
    return r * (1 - r) / (1 - 2 * f) ** 2 / pick


def count_patterns(pick: int, reach: int) -> tuple[int, int]:
    """
    Count the patterns near the truth, and all others, of the 2^pick patterns.

    A pattern is one way to report the picked options, each as 0 or 1.

    Parameters
    ----------
    pick : int
        The number of options that are picked.
    reach : int
        The number of flips up to which a pattern is near.

    Returns
    -------
    near : int
        The number of patterns that differ from the truth in at most `reach` options.
    far : int
        The number of patterns that differ in more.
    """
    # C(pick, flips) patterns differ from the truth in exactly this number of options.
    near = sum(comb(pick, flips) for flips in range(reach + 1))
    return near, 2**pick - near


def allowed_pick(size: int, pick: int) -> int:
    """
    Return the number of picked options, or raise ValueError if it is not allowed.

    Parameters
    ----------
    size : int
        The number of options.
    pick : int
        The number of options that are picked.

    Returns
    -------
    int
        `pick`, unchanged.

    Raises
    ------
    ValueError
        If `pick` is not a whole number from 1 to `size`, or above 12.
    """
    return checks.whole("pick", pick, 1, min(size, MOST_PICKED))


def allowed_reach(pick: int, reach: int) -> int:
    """
    Return the reach of option sampling, or raise ValueError if it is not allowed.

    Reports in which at most `reach` picked options are flipped are more probable than all others.
    A larger reach would favour even reports in which half of the options are flipped.

    Parameters
    ----------
    pick : int
        The number of options that are picked.
    reach : int
        The number of flips up to which a report has the higher weight.

    Returns
    -------
    int
        `reach`, unchanged.

    Raises
    ------
    ValueError
        If `reach` is not a whole number from 0 to (pick - 1) / 2.
    """
    return checks.whole("reach", reach, 0, (pick - 1) // 2)
