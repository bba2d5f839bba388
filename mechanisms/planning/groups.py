"""The number of respondents that it takes to show that two groups differ.

The tests are one-sided or two-sided, and their power is approximate or exact.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import binomial
from mechanisms.chance.arrays import chances, check_different, smallest_n
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.planning.channels import Channel, expected_report_share, reports_about_answer
from mechanisms.planning.sizes import exceedance_probability

# The exact size is searched within this part of the approximate one, and this number more.
_SEARCHED_PART = 0.05
_SEARCHED_MORE = 20
# Counts that are this number of standard errors from their mean, and this number more, have a
# probability below 1e-15.
_FAR_ERRORS = 9
_FAR_MORE = 20
# Rounding must not reject a count at the very edge.
_SLACK = 1e-9


class _CountRanges(NamedTuple):
    """The least and the greatest count of the second group, for each count of the first one."""

    low: FloatArray
    high: FloatArray


def power_of_groups(
    channel: Channel | Mechanism,
    first: ArrayLike,
    second: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sided: int = 2,
) -> FloatArray:
    """
    Return the probability of showing that two groups differ.

    The test is a z test with a pooled standard error, in its normal approximation.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    first, second : array_like
        The true shares of the groups, from 0 to 1.
    n : array_like
        The number of respondents in the first group, above 0.
    alpha : float, default 0.05
        The level of the test.
    ratio : float, default 1.0
        The size of the second group divided by that of the first.
    sided : {2, 1}, default 2
        2 for a two-sided test. 1 for a one-sided test in the direction in which the shares differ.

    Returns
    -------
    ndarray of float64
        The power, from 0 to 1.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    channel = Channel.of(channel)
    z = _quantile(alpha, sided)
    n_first = reports_about_answer(channel, n)
    n_second = n_first * checks.positive("ratio", ratio)
    a = expected_report_share(channel, first)
    b = expected_report_share(channel, second)
    pooled = (n_first * a + n_second * b) / (n_first + n_second)
    limit = z * np.sqrt(pooled * (1 - pooled) * (1 / n_first + 1 / n_second))
    error = np.sqrt(a * (1 - a) / n_first + b * (1 - b) / n_second)
    return exceedance_probability(np.abs(a - b), limit, error, sided)


def sample_size_of_groups(
    channel: Channel | Mechanism,
    first: ArrayLike,
    second: ArrayLike,
    target: ArrayLike = 0.8,
    *,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sided: int = 2,
) -> IntArray:
    """
    Return the smallest size of the first group whose `power_of_groups` is at least the target.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    first, second : array_like
        The true shares of the groups, from 0 to 1, which differ.
    target : array_like, default 0.8
        The power, between 0 and 1.
    alpha : float, default 0.05
        The level of the test.
    ratio : float, default 1.0
        The size of the second group divided by that of the first.
    sided : {2, 1}, default 2
        2 for a two-sided test, 1 for a one-sided one.

    Returns
    -------
    ndarray of int64
        The number of respondents in the first group.

    Raises
    ------
    ValueError
        If the shares are equal, if an argument is outside of its range, or if more than 10**15
        respondents would be needed.
    """
    channel = Channel.of(channel)
    check_different(first, second)
    goal = chances("target", target)

    def is_enough(n: FloatArray) -> BoolArray:
        power = power_of_groups(channel, first, second, n, alpha=alpha, ratio=ratio, sided=sided)
        return power >= goal

    return smallest_n(is_enough)


def exact_power_of_groups(
    channel: Channel | Mechanism,
    first: float,
    second: float,
    n: int,
    *,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sided: int = 2,
) -> float:
    """
    Return the power of the same test without approximation.

    It is a sum over all pairs of counts, each of which is binomial. For every count of the first
    group the test rejects the counts of the second one outside of a range, so one sum over the
    counts of the first group is enough. The second group has ratio * n respondents. If a report
    covers only some options, the expected numbers of reports about the answer are used. These are
    rounded.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    first, second : float
        The true shares of the groups, from 0 to 1.
    n : int
        The number of respondents in the first group, at least 1.
    alpha : float, default 0.05
        The level of the test.
    ratio : float, default 1.0
        The size of the second group divided by that of the first.
    sided : {2, 1}, default 2
        2 for a two-sided test. 1 for a one-sided test in the direction in which the shares differ.

    Returns
    -------
    float
        The power, from 0 to 1.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    channel = Channel.of(channel)
    z = _quantile(alpha, sided)
    respondents = checks.whole("n", n, 1)
    n_first = _whole_reports(channel, respondents)
    n_second = _whole_reports(channel, respondents * checks.positive("ratio", ratio))
    a = float(expected_report_share(channel, first))
    b = float(expected_report_share(channel, second))
    if a > b:
        # By symmetry, the second group can be the higher one.
        a = 1 - a
        b = 1 - b

    reach = _FAR_ERRORS * np.sqrt(n_first * a * (1 - a)) + _FAR_MORE
    lowest = max(0, int(n_first * a - reach))
    highest = min(n_first, int(n_first * a + reach))
    counts = np.arange(lowest, highest + 1, dtype=np.float64)
    cumulative = binomial.at_most(np.append(counts[0] - 1, counts), n_first, a)
    probabilities = np.diff(cumulative)
    accepted = _accepted_counts(counts, n_first, n_second, z)
    rejection = binomial.upper_tail(accepted.high, n_second, b)
    if sided == 2:
        rejection = rejection + binomial.at_most(accepted.low - 1, n_second, b)
    return float(probabilities @ rejection)


def _whole_reports(channel: Channel, respondents: float) -> int:
    """Return the expected number of reports about the answer, rounded, and at least 1."""
    return max(1, round(float(reports_about_answer(channel, respondents))))


def exact_sample_size_of_groups(
    channel: Channel | Mechanism,
    first: float,
    second: float,
    target: float = 0.8,
    *,
    alpha: float = 0.05,
    ratio: float = 1.0,
    sided: int = 2,
) -> int:
    """
    Return the smallest size from which on `exact_power_of_groups` stays at the target or above.

    The size is that of the first group. It is searched within a twentieth of the approximate size,
    and 20 more, and further on if the power of the last ones is too low.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    first, second : float
        The true shares of the groups, from 0 to 1, which differ.
    target : float, default 0.8
        The power, between 0 and 1.
    alpha : float, default 0.05
        The level of the test.
    ratio : float, default 1.0
        The size of the second group divided by that of the first.
    sided : {2, 1}, default 2
        2 for a two-sided test, 1 for a one-sided one.

    Returns
    -------
    int
        The number of respondents in the first group.

    Raises
    ------
    ValueError
        As `sample_size_of_groups` does.
    """
    channel = Channel.of(channel)
    sizes = sample_size_of_groups(
        channel, first, second, target, alpha=alpha, ratio=ratio, sided=sided
    )
    approximate = int(sizes)
    searched = int(_SEARCHED_PART * approximate) + _SEARCHED_MORE
    n = max(1, approximate - searched)
    needed = n
    while n <= max(approximate, needed) + searched:
        exact = exact_power_of_groups(
            channel, first, second, n, alpha=alpha, ratio=ratio, sided=sided
        )
        if exact < target:
            needed = n + 1
        n += 1
    return needed


def _quantile(alpha: float, sided: int) -> float:
    """Return the normal quantile of a test at level alpha."""
    checks.whole("sided", sided, 1, 2)
    level = checks.between("alpha", alpha, 0, 1)
    if sided == 1:
        level = 2 * level
    return normal_quantile(1 - level)


def _accepted_counts(counts: FloatArray, n: int, m: int, z: float) -> _CountRanges:
    """Return the counts y of the second group that the test does not reject.

    The condition |y/m - x/n| <= z sqrt(p (1 - p) (1/n + 1/m)) with p = (x + y)/(n + m) is a
    quadratic inequality in y.

    counts: the counts x of the first group.
    n, m: the numbers of reports in the first and the second group.
    """
    total = n + m
    share = counts / n
    spread = z**2 * (1 / n + 1 / m) / total**2
    square = 1 / m**2 + spread
    middle = share / m + spread * (total / 2 - counts)
    constant = share**2 - spread * counts * (total - counts)
    half = np.sqrt(np.maximum(middle**2 - square * constant, 0))
    return _CountRanges(
        low=np.ceil((middle - half) / square - _SLACK),
        high=np.floor((middle + half) / square + _SLACK),
    )
