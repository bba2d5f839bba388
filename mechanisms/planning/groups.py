"""How many respondents it takes to show that two groups differ; one- and two-sided, and exactly."""

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.chance import binomial
from mechanisms.chance.arrays import chances, check_different, smallest_n
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.planning.channels import Channel, expected_report_share, reports_about_answer
from mechanisms.planning.sizes import exceedance_probability

_AROUND = 0.05, 20  # of the approximate size, and more: where the exact one is looked for
_FAR = 9, 20  # standard errors, and more: beyond which counts have a chance below 1e-15


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
    """The chance to show that two groups differ: n reports in the first, ratio * n in the second; z test, pooled.

    sided: 2, or 1 for the chance to show that they differ in the direction in which these shares do.
    """
    channel = Channel.of(channel)
    z, n = _quantile(alpha, sided), reports_about_answer(channel, n)
    other = n * checks.positive("ratio", ratio)
    a, b = expected_report_share(channel, first), expected_report_share(channel, second)
    common = (n * a + other * b) / (n + other)
    limit = z * np.sqrt(common * (1 - common) * (1 / n + 1 / other))
    return exceedance_probability(
        np.abs(a - b), limit, np.sqrt(a * (1 - a) / n + b * (1 - b) / other), sided
    )


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
    """The smallest size of the first group whose `power_of_groups` is at least the target."""
    channel = Channel.of(channel)
    check_different(first, second)
    goal = chances("target", target)
    return smallest_n(
        lambda n: (
            power_of_groups(channel, first, second, n, alpha=alpha, ratio=ratio, sided=sided)
            >= goal
        )
    )


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
    """The power of the same test without approximation: over all pairs of counts, each a binomial. Scalars only.

    The second group has ratio * n reports, rounded; where reports pick what they speak of, as many count as expected.
    For every count of the first group the test rejects counts of the second one outside of a range, so one binomial sum
    over the first group is enough.
    """
    channel = Channel.of(channel)
    z, people = _quantile(alpha, sided), checks.whole("n", n, 1)
    sizes = people, people * checks.positive("ratio", ratio)
    n, other = (max(1, round(float(reports_about_answer(channel, size)))) for size in sizes)
    a, b = (float(expected_report_share(channel, share)) for share in (first, second))
    if a > b:  # the second group is the higher one
        a, b = 1 - a, 1 - b
    reach = _FAR[0] * np.sqrt(n * a * (1 - a)) + _FAR[1]
    counts = np.arange(max(0, int(n * a - reach)), min(n, int(n * a + reach)) + 1, dtype=np.float64)
    mass = np.diff(binomial.at_most(np.append(counts[0] - 1, counts), n, a))
    low, high = _kept(counts, n, other, z)
    rejected = binomial.upper_tail(high, other, b)
    if sided == 2:
        rejected = rejected + binomial.at_most(low - 1, other, b)
    return float(mass @ rejected)


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
    """The smallest size of the first group from which on `exact_power_of_groups` stays at the target or above.

    Looked for within a twentieth of the approximate size, and 20 more, and further while the last ones fail. Scalars
    only.
    """
    channel = Channel.of(channel)
    options = {"alpha": alpha, "ratio": ratio, "sided": sided}
    about = int(sample_size_of_groups(channel, first, second, target, **options))  # type: ignore[arg-type]
    around = int(_AROUND[0] * about) + _AROUND[1]
    needed = n = max(1, about - around)
    while n <= max(about, needed) + around:
        if exact_power_of_groups(channel, first, second, n, **options) < target:  # type: ignore[arg-type]
            needed = n + 1
        n += 1
    return needed


def _quantile(alpha: float, sided: int) -> float:
    checks.whole("sided", sided, 1, 2)
    return normal_quantile(1 - checks.between("alpha", alpha, 0, 1) * (1 if sided == 2 else 2))


def _kept(counts: FloatArray, n: int, other: int, z: float) -> tuple[FloatArray, FloatArray]:
    """The least and the greatest count of the second group that the test does not reject, for each of the first.

    |y/m - x/n| <= z sqrt(p (1 - p) (1/n + 1/m)), p = (x + y)/(n + m), is a quadratic inequality in y.
    """
    total = n + other
    share, spread = counts / n, z**2 * (1 / n + 1 / other) / total**2
    square = 1 / other**2 + spread
    middle = share / other + spread * (total / 2 - counts)
    rest = share**2 - spread * counts * (total - counts)
    half = np.sqrt(np.maximum(middle**2 - square * rest, 0))
    slack = 1e-9  # a count on the very edge is kept
    return np.ceil((middle - half) / square - slack), np.floor((middle + half) / square + slack)
