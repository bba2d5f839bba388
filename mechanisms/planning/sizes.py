"""How many respondents a question needs, and what a number of them will show. Everything broadcasts over arrays.

A design counts here only by its `Channel`: the observed share is r = q + (p - q) share, with variance r (1 - r) / n,
sampling included. n is always the number of respondents; where a report picks what it speaks of, an expected part of
them counts for a share.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from mechanisms import checks
from mechanisms.chance import binomial
from mechanisms.chance.arrays import chances, check_different, numbers, positives, smallest_n
from mechanisms.checks import FloatArray, IntArray
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


def standard_error(channel: Channel | Mechanism, share: ArrayLike, n: ArrayLike) -> FloatArray:
    """The standard error of the estimated share from n reports."""
    channel = Channel.of(channel)
    r = expected_report_share(channel, share)
    error: FloatArray = np.sqrt(r * (1 - r) / reports_about_answer(channel, n)) / np.abs(
        slope(channel)
    )
    return error


def half_width(
    channel: Channel | Mechanism,
    n: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> FloatArray:
    """Half the length of the interval, "wilson" or "wald", when the reports come as expected.

    share: the true share expected; None for the worst one, which no other makes longer. With a share given the interval
    of about every second survey comes out a little longer. Wilson's is not centred on the estimate: see `reach`.
    """
    channel = Channel.of(channel)
    return _shift_and_half(channel, n, share, confidence, interval)[1]


def interval_reach(
    channel: Channel | Mechanism,
    n: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> FloatArray:
    """Return how far the farther end of the interval is from the estimate.

    For Wilson's interval more than half its length, much more where reports are rare and few.
    """
    channel = Channel.of(channel)
    shift, half = _shift_and_half(channel, n, share, confidence, interval)
    return shift + half


def _shift_and_half(
    channel: Channel, n: ArrayLike, share: ArrayLike | None, confidence: float, interval: str
) -> tuple[FloatArray, FloatArray]:
    """How far the middle of the interval lies from the estimate, and half its length."""
    z = normal_quantile(checks.between("confidence", confidence, 0, 1))
    checks.one_of("interval", interval, ("wilson", "wald"))
    r, n = (
        expected_report_share(channel, worst_share(channel) if share is None else share),
        reports_about_answer(channel, n),
    )
    shift, variance = np.zeros_like(r / n), r * (1 - r) / n
    if interval == "wilson":
        shift = np.abs(1 - 2 * r) * z**2 / (2 * n) / (1 + z**2 / n)
        variance = (variance + z**2 / (4 * n**2)) / (1 + z**2 / n) ** 2
    scale = np.abs(slope(channel))
    return shift / scale, z * np.sqrt(variance) / scale


def smallest_detectable_share(
    channel: Channel | Mechanism, n: ArrayLike, of: int = 1, confidence: float = 0.95
) -> FloatArray:
    """Return the smallest estimate whose exact interval excludes 0 with n reports.

    of: how many choices are looked at, whose intervals hold together (Bonferroni). A choice whose true share is this is
    found in about every second survey, and one well below it hardly ever. NaN where even n of n
    reports would not do.
    """
    channel = Channel.of(channel)
    outside = (1 - checks.between("confidence", confidence, 0, 1)) / checks.whole("of", of, 1)
    return smallest_estimate_above_zero(
        numbers("q", channel.q), slope(channel), np.floor(reports_about_answer(channel, n)), outside
    )


def sample_size(
    channel: Channel | Mechanism,
    width: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> IntArray:
    """The smallest n whose interval is at most twice `width` long, as `half_width` has it."""
    channel = Channel.of(channel)
    goal = positives("width", width)
    return smallest_n(lambda n: half_width(channel, n, share, confidence, interval) <= goal)


def sample_size_for_reach(
    channel: Channel | Mechanism,
    distance: ArrayLike,
    share: ArrayLike | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
) -> IntArray:
    """The smallest n whose interval reaches no further than `distance` to either side, as `reach` has it."""
    channel = Channel.of(channel)
    goal = positives("distance", distance)
    return smallest_n(lambda n: interval_reach(channel, n, share, confidence, interval) <= goal)


def power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
) -> FloatArray:
    """The chance that n reports show, two-sided at alpha, that the share is not `null` when it is `share`.

    The score test, normal approximation: the standard error under the null sets the limit, the one under the truth the
    chance to pass it.
    """
    channel = Channel.of(channel)
    z, n = (
        normal_quantile(1 - checks.between("alpha", alpha, 0, 1)),
        reports_about_answer(channel, n),
    )
    expected, assumed = expected_report_share(channel, share), expected_report_share(channel, null)
    limit = z * np.sqrt(assumed * (1 - assumed) / n)
    return exceedance_probability(
        np.abs(expected - assumed), limit, np.sqrt(expected * (1 - expected) / n)
    )


def sample_size_for_power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    target: ArrayLike = 0.8,
    *,
    alpha: float = 0.05,
) -> IntArray:
    """The smallest n whose `power` is at least the target. ValueError where share equals null."""
    channel = Channel.of(channel)
    check_different(share, null)
    goal = chances("target", target)
    return smallest_n(lambda n: power(channel, share, null, n, alpha=alpha) >= goal)


def exact_power(
    channel: Channel | Mechanism,
    share: ArrayLike,
    null: ArrayLike,
    n: ArrayLike,
    *,
    alpha: float = 0.05,
) -> FloatArray:
    """The power of the same test without approximation, from the binomial distribution of the reports.

    It rises with n in a saw-tooth, since counts are whole numbers; so is what counts of n, rounded down.
    """
    channel = Channel.of(channel)
    z, n = (
        normal_quantile(1 - checks.between("alpha", alpha, 0, 1)),
        np.floor(reports_about_answer(channel, n)),
    )
    expected, assumed = expected_report_share(channel, share), expected_report_share(channel, null)
    reach = z * np.sqrt(assumed * (1 - assumed) * n)
    below, above = np.ceil(n * assumed - reach) - 1, np.floor(n * assumed + reach) + 1
    chance: FloatArray = binomial.at_most(below, n, expected) + binomial.upper_tail(
        above - 1, n, expected
    )
    return chance


def exact_sample_size_for_power(
    channel: Channel | Mechanism,
    share: float,
    null: float,
    target: float = 0.8,
    *,
    alpha: float = 0.05,
) -> int:
    """The smallest n from which on `exact_power` stays at the target or above, past every tooth of the saw.

    Scalars only. Every n up to twice the approximate size is looked at, and more while the last one fails.
    """
    channel = Channel.of(channel)
    last = 2 * int(sample_size_for_power(channel, share, null, target, alpha=alpha)) + 100
    while True:
        n = np.arange(1, last + 1)
        failing = n[exact_power(channel, share, null, n, alpha=alpha) < target]
        if failing.size == 0 or failing[-1] <= 0.9 * last:
            return int(failing[-1]) + 1 if failing.size else 1
        last *= 2


def side_by_side(
    size: int,
    epsilon: ArrayLike,
    n: ArrayLike,
    share: ArrayLike | None = None,
    select: Select = "one",
) -> dict[str, FloatArray]:
    """Standard errors of one choice's share under each design at the same epsilon; None for its worst share.

    select: "any" for choose-all-that-apply. geometry: of more than 200 answers.

    For two answers "direct" is every symmetric yes/no design: Warner, two coins, forced response, crosswise and an
    unrelated question of prevalence 1/2 are one matrix at one epsilon.
    """
    channels = {each.name: Channel.by(each, epsilon, size) for each in recipes(size, select)}
    return {
        name: standard_error(channel, worst_share(channel) if share is None else share, n)
        for name, channel in channels.items()
    }


def exceedance_probability(
    distance: FloatArray, limit: FloatArray, error: FloatArray, sided: int = 2
) -> FloatArray:
    """Return the probability that a normal variable lies outside the limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        certain = np.where(
            distance > limit, 1.0, 0.0
        )  # without any error, passing is a matter of fact
        other = ndtr((-distance - limit) / error) if sided == 2 else 0.0
        chance = ndtr((distance - limit) / error) + other
    return np.where(error > 0, chance, certain)
