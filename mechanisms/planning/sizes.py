"""The number of respondents that a question needs, and what a number of respondents will show.

All functions but `exact_sample_size_for_power` broadcast over arrays. A design counts only by its
`Channel`: the observed share is r = q + (p - q) share, with the variance r (1 - r) / n, sampling
included. The number n is always that of respondents. If a report covers only some options, n is
multiplied by the share of reports that are expected to cover an option.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mechanisms import checks
from mechanisms.chance import binomial
from mechanisms.chance.arrays import chances, check_different, numbers, positives, smallest_n
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.designs.specs import recipes
from mechanisms.estimation.decoding import Select
from mechanisms.estimation.intervals import normal_quantile, smallest_estimate_above_zero
from mechanisms.planning.channels import (
    Channel,
    expected_report_share,
    reports_about_answer,
    slope,
    worst_share,
)


class _ExpectedInterval(NamedTuple):
    """An interval for reports that come as expected.

    shift: how far its middle is from the estimate. half: half its length. Both are fractions.
    """

    shift: FloatArray
    half: FloatArray


def standard_error(channel: Channel | Mechanism, share: ArrayLike, n: ArrayLike) -> FloatArray:
    """
    Return the standard error of the estimated share from n reports.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    share : array_like
        The true share, from 0 to 1.
    n : array_like
        The number of respondents, above 0.

    Returns
    -------
    ndarray of float64
        The standard error, a fraction.
    """
    channel = Channel.of(channel)
    r = expected_report_share(channel, share)
    error_of_reports = np.sqrt(r * (1 - r) / reports_about_answer(channel, n))
    error: FloatArray = error_of_reports / np.abs(slope(channel))
    return error


def half_width(
    channel: Channel | Mechanism,
    n: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> FloatArray:
    """
    Return half the length of the interval if the reports come as expected.

    For a given share, the interval of about every second survey is a little longer. Wilson's
    interval is not centred on the estimate: see `interval_reach`.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    n : array_like
        The number of respondents, above 0.
    share : array_like, optional
        The expected true share, from 0 to 1. By default it is the worst one, for which the interval
        is longest.
    confidence : float, default 0.95
        The confidence level.
    interval : {"wilson", "wald"}, default "wilson"
        The kind of interval.

    Returns
    -------
    ndarray of float64
        Half the length, a fraction.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    return _expected_interval(channel, n, share, confidence=confidence, interval=interval).half


def interval_reach(
    channel: Channel | Mechanism,
    n: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> FloatArray:
    """
    Return how far the farther end of the interval is from the estimate.

    For Wilson's interval it is more than half the length, and much more for a few rare reports.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    n : array_like
        The number of respondents, above 0.
    share : array_like, optional
        The expected true share, from 0 to 1. By default it is the worst one.
    confidence : float, default 0.95
        The confidence level.
    interval : {"wilson", "wald"}, default "wilson"
        The kind of interval.

    Returns
    -------
    ndarray of float64
        The distance, a fraction.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    expected = _expected_interval(channel, n, share, confidence=confidence, interval=interval)
    return expected.shift + expected.half


def _expected_interval(
    channel: Channel | Mechanism,
    n: ArrayLike,
    share: ArrayLike | None,
    *,
    confidence: float,
    interval: str,
) -> _ExpectedInterval:
    channel = Channel.of(channel)
    z = normal_quantile(checks.between("confidence", confidence, 0, 1))
    checks.one_of("interval", interval, ("wilson", "wald"))
    true_share = worst_share(channel) if share is None else share
    r = expected_report_share(channel, true_share)
    reports = reports_about_answer(channel, n)

    shift = np.zeros_like(r / reports)
    variance = r * (1 - r) / reports
    if interval == "wilson":
        wilson_scale = 1 + z**2 / reports
        shift = np.abs(1 - 2 * r) * z**2 / (2 * reports) / wilson_scale
        variance = (variance + z**2 / (4 * reports**2)) / wilson_scale**2
    scale = np.abs(slope(channel))
    return _ExpectedInterval(shift=shift / scale, half=z * np.sqrt(variance) / scale)


def smallest_detectable_share(
    channel: Channel | Mechanism, n: ArrayLike, comparisons: int = 1, confidence: float = 0.95
) -> FloatArray:
    """
    Return the smallest estimate whose exact interval excludes 0 with n reports.

    An answer with this true share is detected in about every second survey, and one well below it
    only rarely.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    n : array_like
        The number of respondents, above 0.
    comparisons : int, default 1
        The number of answers whose intervals hold at the same time (Bonferroni).
    confidence : float, default 0.95
        The confidence level of all intervals.

    Returns
    -------
    ndarray of float64
        The estimate, a fraction. NaN if the interval includes 0 even for n of n reports.

    Raises
    ------
    ValueError
        If an argument is outside of its range.
    """
    channel = Channel.of(channel)
    level = 1 - checks.between("confidence", confidence, 0, 1)
    level_of_one_interval = level / checks.whole("comparisons", comparisons, 1)
    reports = np.floor(reports_about_answer(channel, n))
    q = numbers("q", channel.q)
    return smallest_estimate_above_zero(q, slope(channel), reports, level_of_one_interval)


def sample_size(
    channel: Channel | Mechanism,
    width: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> IntArray:
    """
    Return the smallest number of respondents whose `half_width` is at most `width`.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    width : array_like
        Half the length of the interval, a fraction above 0.
    share : array_like, optional
        The expected true share, from 0 to 1. By default it is the worst one.
    confidence : float, default 0.95
        The confidence level.
    interval : {"wilson", "wald"}, default "wilson"
        The kind of interval.

    Returns
    -------
    ndarray of int64
        The number of respondents.

    Raises
    ------
    ValueError
        If an argument is outside of its range, or more than 10**15 respondents would be needed.
    """
    channel = Channel.of(channel)
    goal = positives("width", width)

    def is_enough(n: FloatArray) -> BoolArray:
        half = half_width(channel, n, share, confidence=confidence, interval=interval)
        return half <= goal

    return smallest_n(is_enough)


def sample_size_for_reach(
    channel: Channel | Mechanism,
    distance: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> IntArray:
    """
    Return the smallest number of respondents whose `interval_reach` is at most `distance`.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    distance : array_like
        The distance of the farther end of the interval from the estimate, a fraction above 0.
    share : array_like, optional
        The expected true share, from 0 to 1. By default it is the worst one.
    confidence : float, default 0.95
        The confidence level.
    interval : {"wilson", "wald"}, default "wilson"
        The kind of interval.

    Returns
    -------
    ndarray of int64
        The number of respondents.

    Raises
    ------
    ValueError
        If an argument is outside of its range, or more than 10**15 respondents would be needed.
    """
    channel = Channel.of(channel)
    goal = positives("distance", distance)

    def is_enough(n: FloatArray) -> BoolArray:
        reach = interval_reach(channel, n, share, confidence=confidence, interval=interval)
        return reach <= goal

    return smallest_n(is_enough)


def power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
) -> FloatArray:
    """
    Return the probability that n reports show that the share is not `null`.

    The test is the two-sided score test in its normal approximation. The standard error under the
    null hypothesis sets the limit, and the one under the truth the probability of exceeding it.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    share : array_like
        The true share, from 0 to 1.
    null : array_like
        The share of the null hypothesis, from 0 to 1.
    n : array_like
        The number of respondents, above 0.
    alpha : float, default 0.05
        The level of the test.

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
    z = normal_quantile(1 - checks.between("alpha", alpha, 0, 1))
    reports = reports_about_answer(channel, n)
    expected = expected_report_share(channel, share)
    assumed = expected_report_share(channel, null)
    limit = z * np.sqrt(assumed * (1 - assumed) / reports)
    error = np.sqrt(expected * (1 - expected) / reports)
    return exceedance_probability(np.abs(expected - assumed), limit, error)


def sample_size_for_power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    target: ArrayLike = 0.8,
    *,
    alpha: float = 0.05,
) -> IntArray:
    """
    Return the smallest number of respondents whose `power` is at least the target.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    share : array_like
        The true share, from 0 to 1.
    null : array_like
        The share of the null hypothesis, from 0 to 1.
    target : array_like, default 0.8
        The power, between 0 and 1.
    alpha : float, default 0.05
        The level of the test.

    Returns
    -------
    ndarray of int64
        The number of respondents.

    Raises
    ------
    ValueError
        If `share` equals `null`, if an argument is outside of its range, or if more than 10**15
        respondents would be needed.
    """
    channel = Channel.of(channel)
    check_different(share, null)
    goal = chances("target", target)

    def is_enough(n: FloatArray) -> BoolArray:
        return power(channel, share, null, n, alpha=alpha) >= goal

    return smallest_n(is_enough)


def exact_power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
) -> FloatArray:
    """
    Return the power of the same test without approximation.

    It comes from the binomial distribution of the reports. It does not rise steadily with n, since
    counts are whole numbers. If a report covers only some options, the expected number of reports
    about the answer is rounded down.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    share : array_like
        The true share, from 0 to 1.
    null : array_like
        The share of the null hypothesis, from 0 to 1.
    n : array_like
        The number of respondents, above 0.
    alpha : float, default 0.05
        The level of the test.

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
    z = normal_quantile(1 - checks.between("alpha", alpha, 0, 1))
    reports = np.floor(reports_about_answer(channel, n))
    expected = expected_report_share(channel, share)
    assumed = expected_report_share(channel, null)
    reach = z * np.sqrt(assumed * (1 - assumed) * reports)
    # The test rejects counts up to `low` and from `high` on.
    low = np.ceil(reports * assumed - reach) - 1
    high = np.floor(reports * assumed + reach) + 1
    lower_tail = binomial.at_most(low, reports, expected)
    upper_tail = binomial.upper_tail(high - 1, reports, expected)
    probability: FloatArray = lower_tail + upper_tail
    return probability


def exact_sample_size_for_power(
    channel: Channel | Mechanism,
    share: float,
    null: float,
    target: float = 0.8,
    *,
    alpha: float = 0.05,
) -> int:
    """
    Return the smallest n from which on `exact_power` stays at the target or above.

    Every n up to twice the approximate size is tried, and more if the power of the last ones is too
    low.

    Parameters
    ----------
    channel : Channel or Mechanism
        The design.
    share : float
        The true share, from 0 to 1.
    null : float
        The share of the null hypothesis, from 0 to 1.
    target : float, default 0.8
        The power, between 0 and 1.
    alpha : float, default 0.05
        The level of the test.

    Returns
    -------
    int
        The number of respondents.

    Raises
    ------
    ValueError
        As `sample_size_for_power` does.
    """
    channel = Channel.of(channel)
    approximate = int(sample_size_for_power(channel, share, null, target, alpha=alpha))
    last = 2 * approximate + 100
    while True:
        n = np.arange(1, last + 1)
        is_too_low = exact_power(channel, share, null, n, alpha=alpha) < target
        too_low = n[is_too_low]
        if too_low.size == 0:
            return 1
        if too_low[-1] <= 0.9 * last:
            return int(too_low[-1]) + 1
        last *= 2


def side_by_side(
    size: int,
    epsilon: ArrayLike,
    n: ArrayLike,
    share: ArrayLike | None = None,
    select: Select = "one",
) -> dict[str, FloatArray]:
    """
    Return the standard errors of the share of one answer under each design at the same epsilon.

    For two answers "direct" is every symmetric yes/no design: Warner, two coins, forced response,
    crosswise, and an unrelated question of prevalence 1/2 have the same matrix at the same epsilon.

    Parameters
    ----------
    size : int
        The number of answers, at least 2.
    epsilon : array_like
        The privacy losses, above 0.
    n : array_like
        The number of respondents, above 0.
    share : array_like, optional
        The true share, from 0 to 1. By default it is the worst one of each design.
    select : {"one", "any"}, default "one"
        The number of answers that can be true of a person: "any" for a multiple selection.

    Returns
    -------
    dict of str to ndarray
        The standard errors by the name of the design. "geometry" is there for more than 200
        answers.
    """
    errors_by_design = {}
    for recipe in recipes(size, select):
        channel = Channel.by(recipe, epsilon, size)
        true_share = worst_share(channel) if share is None else share
        errors_by_design[recipe.name] = standard_error(channel, true_share, n)
    return errors_by_design


def exceedance_probability(
    distance: FloatArray, limit: FloatArray, error: FloatArray, sided: int = 2
) -> FloatArray:
    """
    Return the probability that a normal variable lies outside the limits.

    Parameters
    ----------
    distance : ndarray
        The mean of the variable, not below 0.
    limit : ndarray
        The upper limit. The lower one is its negative.
    error : ndarray
        The standard deviation of the variable. If it is 0, the variable is its mean.
    sided : {2, 1}, default 2
        2 for both limits, 1 for the upper one.

    Returns
    -------
    ndarray
        The probability, from 0 to 1.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        without_error = np.where(distance > limit, 1.0, 0.0)
        probability = ndtr((distance - limit) / error)
        if sided == 2:
            probability = probability + ndtr((-distance - limit) / error)
    return np.where(error > 0, probability, without_error)
