"""How many respondents show that two groups differ: closed forms, every outcome counted, and simulation."""

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import Tally, Warner, planning, z_test
from mechanisms.planning import Channel

DIRECT, WARNER = Channel(1.0, 0.0), Channel(0.75, 0.25)


def brute_force(channel, shares, n, other, sided):
    """The z test of the library, with every pair of counts."""
    a, b = (channel.q + (channel.p - channel.q) * share for share in shares)
    chance, limit = 0.0, {2: 1.959963984540054, 1: 1.6448536269514722}[sided]
    for x in range(n + 1):
        for y in range(other + 1):
            p = (x + y) / (n + other)
            error = np.sqrt(p * (1 - p) * (1 / n + 1 / other))
            z = (x / n - y / other) / error if error else 0.0
            rejected = abs(z) > limit if sided == 2 else z * np.sign(a - b) > limit
            chance += rejected * binom.pmf(x, n, a) * binom.pmf(y, other, b)
    return chance


@pytest.mark.parametrize("sided", [1, 2])
@pytest.mark.parametrize("ratio", [1.0, 0.5, 1.7])
@pytest.mark.parametrize(
    ("channel", "first", "second"), [(DIRECT, 0.2, 0.5), (WARNER, 0.7, 0.1), (WARNER, 0.3, 0.3)]
)
def test_exact_power_counts_every_outcome(channel, first, second, ratio, sided):
    n = 40
    found = planning.exact_power_of_groups(channel, first, second, n, ratio=ratio, sided=sided)
    if first == second and sided == 1:
        return  # no direction
    assert found == pytest.approx(
        brute_force(channel, (first, second), n, round(n * ratio), sided), abs=1e-12
    )


def test_sizes_are_the_textbooks():
    """R: power.prop.test(p1=.5, p2=.75, power=.9) gives 76.7, one-sided 62.3."""
    assert planning.sample_size_of_groups(DIRECT, 0.5, 0.75, 0.9) == 77
    assert planning.sample_size_of_groups(DIRECT, 0.5, 0.75, 0.9, sided=1) == 63


@pytest.mark.parametrize("sided", [1, 2])
def test_the_exact_size_has_the_power_from_there_on(sided):
    n = planning.exact_sample_size_of_groups(WARNER, 0.1, 0.5, 0.8, sided=sided)
    powers = [
        planning.exact_power_of_groups(WARNER, 0.1, 0.5, each, sided=sided)
        for each in range(n - 1, n + 40)
    ]
    assert powers[0] < 0.8 <= min(powers[1:])
    assert abs(n - int(planning.sample_size_of_groups(WARNER, 0.1, 0.5, sided=sided))) < 0.1 * n


def test_one_sided_needs_fewer():
    assert planning.exact_sample_size_of_groups(WARNER, 0.1, 0.5, sided=1) < (
        planning.exact_sample_size_of_groups(WARNER, 0.1, 0.5)
    )


def test_the_test_that_is_planned_is_the_one_that_is_made():
    rng, n = np.random.default_rng(3), 150
    counts = rng.binomial(n, [[0.3, 0.5]] * 2000)
    tallies = [[Tally(n, [n - yes, yes]) for yes in pair] for pair in counts]
    shown = np.mean(
        [z_test((Warner("3/4"), a), (Warner("3/4"), b)).p_value < 0.05 for a, b in tallies]
    )
    assert shown == pytest.approx(planning.exact_power_of_groups(WARNER, 0.1, 0.5, n), abs=0.03)


@pytest.mark.parametrize("sided", [0, 3, True, "two"])
def test_other_sides_are_refused(sided):
    with pytest.raises(ValueError, match="sided is"):
        planning.power_of_groups(WARNER, 0.1, 0.5, 100, sided=sided)
