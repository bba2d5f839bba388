"""Sample sizes and power: the smallest n that really does it."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import (
    GeneralizedResponse,
    Matrix,
    SubsetSelection,
    Tally,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    checks,
    planning,
    recommend,
)
from mechanisms.chance.arrays import MOST_RESPONDENTS, smallest_n
from mechanisms.designs import specs
from mechanisms.planning.channels import Channel, worst_share

TWO_COIN = Channel.of(TwoCoin())


def test_channels_of_mechanisms_and_of_formulas_agree():
    for real, mechanism in [
        (Channel.direct(1.0), GeneralizedResponse.from_epsilon(1)),
        (Channel.symmetric(1.0), UnaryEncoding.symmetric(7, 1)),
        (Channel.symmetric(1.0, bits=7), UnaryEncoding.symmetric(7, 1, "any")),
        (Channel.optimized(1.0), UnaryEncoding.optimized(7, 1)),
        (Channel.subset(1.0, 20), SubsetSelection(20, 1)),
    ]:
        exact = Channel.of(mechanism)
        assert (float(real.p), float(real.q)) == pytest.approx((exact.p, exact.q), abs=1e-8)


@pytest.mark.parametrize("select", ["one", "any"])
@pytest.mark.parametrize("size", [2, 7, 200, 300])
def test_the_formula_of_each_recipe_is_that_of_the_mechanism_it_makes(size, select):
    each = specs.recipes(size, select)
    for recipe in each:
        mechanism = recipe.make(size, 1.3, checks.MAX_DEN)
        real, whole = Channel.by(recipe, 1.3, size), Channel.of(mechanism)
        assert [float(part) for part in real] == pytest.approx(list(whole), abs=1e-7)
        assert mechanism.select == select
        assert mechanism.epsilon <= 1.3
    assert {type(recommended.mechanism) for recommended in recommend(size, 1.3, select)} == {
        type(recipe.make(size, 1.3, checks.MAX_DEN)) for recipe in each if size <= recipe.most
    }


def test_the_standard_error_is_that_of_the_estimate():
    estimate = Warner("3/4").estimate(Tally(400, [240, 160]))
    planned = planning.standard_error(Channel.of(Warner("3/4")), 0.3, 400)
    assert planned == pytest.approx(estimate.standard_errors[1])


@pytest.mark.parametrize("interval", ["wilson", "wald"])
def test_the_half_width_is_that_of_the_interval(interval):
    low, high = Warner("3/4").estimate(Tally(400, [240, 160]), interval=interval).intervals[1]
    planned = planning.half_width(Channel.of(Warner("3/4")), 400, 0.3, interval=interval)
    assert planned == pytest.approx((high - low) / 2)


def test_the_worst_share_has_the_largest_error():
    for channel in (TWO_COIN, Channel.of(Warner("0.2")), Channel(0.9, 0.6), Channel(0.3, 0.1)):
        grid = np.linspace(0, 1, 1001)
        errors = planning.standard_error(channel, grid, 100)
        assert planning.standard_error(channel, worst_share(channel), 100) >= errors.max() - 1e-12


@pytest.mark.parametrize("interval", ["wilson", "wald"])
@pytest.mark.parametrize("width", [0.5, 0.1, 0.03, 0.001])
def test_the_sample_size_is_the_smallest_that_reaches_the_width(width, interval):
    n = int(planning.sample_size(TWO_COIN, width, interval=interval))
    assert planning.half_width(TWO_COIN, n, interval=interval) <= width
    assert n == 1 or planning.half_width(TWO_COIN, n - 1, interval=interval) > width


@pytest.mark.parametrize(
    ("design", "share"), [(TwoCoin(), 0.1), (UnrelatedQuestion("7/10", "1/12"), 0), (TwoCoin(), 1)]
)
@pytest.mark.parametrize("n", [40, 240, 4000])
def test_the_reach_is_the_distance_of_the_farther_end(design, share, n):
    channel = Channel.of(design)
    yes = round(n * float(channel.q + (channel.p - channel.q) * share))
    exactly = (yes / n - channel.q) / (channel.p - channel.q)
    low, high = design.estimate(Tally(n, [n - yes, yes])).intervals[1]
    expected = max(high - exactly, exactly - low)
    if 0 <= exactly <= 1:
        assert planning.interval_reach(channel, n, exactly) == pytest.approx(expected)
    assert planning.interval_reach(channel, n, share) > planning.half_width(channel, n, share)


def test_half_a_length_is_not_how_far_an_interval_reaches():
    """n = 34 for a half length of 10 points reaches 16.8 points up where nobody has the trait."""
    channel = Channel.of(UnrelatedQuestion("7/10", "1/12"))
    assert (
        int(planning.sample_size(channel, 0.1, 0)),
        int(planning.sample_size(channel, 0.03, 0)),
    ) == (34, 240)
    assert planning.interval_reach(channel, [34, 240], 0) == pytest.approx(
        [0.168, 0.0407], abs=5e-4
    )
    n = int(planning.sample_size_for_reach(channel, 0.03, 0))
    assert (
        planning.interval_reach(channel, n, 0) <= 0.03 < planning.interval_reach(channel, n - 1, 0)
    )
    assert planning.interval_reach(channel, 100, 0, interval="wald") == planning.half_width(
        channel, 100, 0, interval="wald"
    )


def test_a_known_sample_size():
    """Wald, two coins, worst share: n = (1.96 / (2 * 1/2 * .05))^2."""
    assert planning.sample_size(TWO_COIN, 0.05, interval="wald") == math.ceil(
        (1.959963984540054 / 0.05) ** 2
    )


@pytest.mark.parametrize("target", [0.5, 0.8, 0.9, 0.99])
@pytest.mark.parametrize(("share", "null"), [(0.1, 0.2), (0.2, 0.1), (0, 0.05), (0.5, 0.4), (1, 0)])
def test_the_size_for_power_is_the_smallest_that_reaches_it(share, null, target):
    n = int(planning.sample_size_for_power(TWO_COIN, share, null, target))
    assert planning.power(TWO_COIN, share, null, n) >= target
    assert n == 1 or planning.power(TWO_COIN, share, null, n - 1) < target


@pytest.mark.parametrize("ratio", [1, 0.5, 3])
def test_the_size_for_two_groups_is_the_smallest_that_reaches_it(ratio):
    n = int(planning.sample_size_of_groups(TWO_COIN, 0.1, 0.2, 0.8, ratio=ratio))
    assert planning.power_of_groups(TWO_COIN, 0.1, 0.2, n, ratio=ratio) >= 0.8
    assert planning.power_of_groups(TWO_COIN, 0.1, 0.2, n - 1, ratio=ratio) < 0.8


def test_exact_power_counts_every_outcome():
    n, z = 60, 1.959963984540054
    expected, assumed = 0.25 + 0.3 / 2, 0.25 + 0.05 / 2
    counts = np.arange(n + 1)
    rejected = np.abs(counts / n - assumed) > z * math.sqrt(assumed * (1 - assumed) / n)
    summed = binom.pmf(counts, n, expected)[rejected].sum()
    assert planning.exact_power(TWO_COIN, 0.3, 0.05, n) == pytest.approx(summed)
    assert planning.power(TWO_COIN, 0.3, 0.05, n) == pytest.approx(summed, abs=0.05)


def test_the_exact_size_holds_past_every_tooth():
    n = planning.exact_sample_size_for_power(TWO_COIN, 0.3, 0.1, 0.8)
    later = planning.exact_power(TWO_COIN, 0.3, 0.1, np.arange(n, 3 * n))
    assert later.min() >= 0.8
    assert planning.exact_power(TWO_COIN, 0.3, 0.1, n - 1) < 0.8
    assert n == pytest.approx(
        int(planning.sample_size_for_power(TWO_COIN, 0.3, 0.1, 0.8)), rel=0.15
    )


def test_the_power_of_two_groups_is_what_simulated_surveys_have():
    n = int(planning.sample_size_of_groups(TWO_COIN, 0.1, 0.3, 0.8))
    rng = np.random.default_rng(4)
    yes = [rng.binomial(n, 0.25 + share / 2, 20_000) / n for share in (0.1, 0.3)]
    common = (yes[0] + yes[1]) / 2
    z = (yes[0] - yes[1]) / np.sqrt(2 * common * (1 - common) / n)
    assert (np.abs(z) > 1.959963984540054).mean() == pytest.approx(0.8, abs=0.02)


def test_everything_broadcasts_over_n_and_epsilon():
    epsilon, n = np.array([[0.5], [1], [2]]), np.array([100, 1000, 10_000])
    channel = Channel.direct(epsilon)
    assert planning.standard_error(channel, 0.1, n).shape == (3, 3)
    assert planning.half_width(channel, n).shape == (3, 3)
    assert planning.power(channel, 0.1, 0.2, n).shape == (3, 3)
    assert planning.exact_power(channel, 0.1, 0.2, n).shape == (3, 3)
    sizes = planning.sample_size(channel, np.array([0.1, 0.05]))
    assert sizes.shape == (3, 2)
    alone = planning.sample_size(Channel.direct(2.0), 0.05)
    assert sizes[2, 1] == alone
    assert planning.sample_size_of_groups(channel, 0.1, np.array([0.2, 0.3])).shape == (3, 2)
    assert planning.side_by_side(10, epsilon, n)["subset"].shape == (3, 3)


def test_designs_side_by_side_rank_as_recommended():
    few, many = (
        planning.side_by_side(2, 1.0, 1000, 0.1),
        planning.side_by_side(100, 1.0, 1000, 0.01),
    )
    assert few["direct"] == pytest.approx(min(few.values()))
    assert min(many, key=many.get) == "subset"
    assert max(many, key=many.get) == "direct"


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: planning.sample_size(TWO_COIN, 0),
        lambda: planning.sample_size(TWO_COIN, math.nan),
        lambda: planning.sample_size(TWO_COIN, 1e-9),
        lambda: planning.sample_size(TWO_COIN, 0.05, share=1.5),
        lambda: planning.sample_size(Channel(0.5, 0.5), 0.05),
        lambda: planning.half_width(TWO_COIN, 0),
        lambda: planning.half_width(TWO_COIN, 100, interval="exact"),
        lambda: planning.half_width(TWO_COIN, 100, confidence=1),
        lambda: planning.power(TWO_COIN, 0.1, 0.2, 100, alpha=0),
        lambda: planning.power(TWO_COIN, 0.1, "a", 100),
        lambda: planning.sample_size_for_power(TWO_COIN, 0.1, 0.1),
        lambda: planning.sample_size_for_power(TWO_COIN, 0.1, 0.2, 1),
        lambda: planning.sample_size_of_groups(TWO_COIN, 0.1, 0.1),
        lambda: planning.power_of_groups(TWO_COIN, 0.1, 0.2, 100, ratio=0),
        lambda: Channel.direct(0),
        lambda: Channel.direct(1, size=1),
        lambda: Channel.of(Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)),
        lambda: Channel.of(TwoCoin(), choice=2),
    ],
)
def test_it_is_refused_with_a_reason(attempt):
    with pytest.raises(ValueError, match="allowed"):
        attempt()


@pytest.mark.parametrize(
    "plan",
    [
        lambda design: planning.sample_size(design, 0.05, 0.1),
        lambda design: planning.power(design, 0.3, 0.2, 400),
        lambda design: planning.sample_size_of_groups(design, 0.3, 0.2, 0.8),
        planning.worst_share,
    ],
)
def test_a_design_is_planned_with_in_one_line(plan: Callable) -> None:
    assert plan(TwoCoin()) == plan(TWO_COIN)


def test_smallest_n_is_never_above_its_limit():
    just_enough = MOST_RESPONDENTS
    assert smallest_n(lambda n: n >= just_enough) == MOST_RESPONDENTS
    with pytest.raises(ValueError, match="n would be above"):
        smallest_n(lambda n: n > just_enough)
