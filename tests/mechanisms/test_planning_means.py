"""Planned numbers of people for a mean: reference values, and that the promise is kept."""

import math

import numpy as np
import pytest

from mechanisms import Tally, Window
from mechanisms.planning import least_favourable, mean_half_width, sample_size_for_mean

# The values and the epsilon of a question, and how many people show its mean.
PLANS = [(31, 3, 484), (31, 9, 184), (5, 3, 418), (5, 9, 178), (101, 3, 488)]
WIDEST = 0.1  # of the scale: a report shows no mean whose half-width is larger


def half_widths(window: Window, shares: np.ndarray, n: int, surveys: int) -> np.ndarray:
    """Return the half-widths that surveys of n people estimate, in parts of the scale."""
    rng = np.random.default_rng(2_711)
    rows = window.probabilities()
    probabilities = shares @ np.array([[float(chance) for chance in row] for row in rows])
    widths = []
    for counts in rng.multinomial(n, probabilities / probabilities.sum(), size=surveys):
        low, high = window.mean(Tally(n, counts)).interval
        widths.append((high - low) / 2)
    return np.array(widths) / (window.values - 1)


def worst_shares(window: Window) -> np.ndarray:
    worst = least_favourable(window)
    shares = np.zeros(window.size)
    shares[worst.low] += worst.part
    shares[worst.high] += 1 - worst.part
    return shares


def variance(window: Window, shares: np.ndarray) -> float:
    """Return n times the variance of the mean, from the matrix of the design alone."""
    rows = window.probabilities()
    probabilities = shares @ np.array([[float(chance) for chance in row] for row in rows])
    is_number = np.arange(window.size) < window.values
    scores = window.unbiased_weights(np.arange(window.size) * is_number.astype(float))
    given = window.unbiased_weights(is_number.astype(float))
    mean = probabilities @ scores
    return float(probabilities @ (scores - mean * given) ** 2)


@pytest.mark.parametrize(("values", "odds", "people"), PLANS)
def test_reference_values(values: int, odds: int, people: int) -> None:
    window = Window(values, math.log(odds))
    goal = WIDEST * (values - 1)

    assert sample_size_for_mean(window, goal) == people
    assert mean_half_width(window, people) <= goal < mean_half_width(window, people - 1)


@pytest.mark.parametrize("aside", [False, True])
@pytest.mark.parametrize("odds", [3, 200])
@pytest.mark.parametrize("values", [2, 12])
def test_no_other_distribution_has_a_larger_variance(values: int, odds: int, aside: bool) -> None:
    window = Window(values, math.log(odds), aside=aside)
    worst = least_favourable(window)
    rng = np.random.default_rng(values * odds)
    shares = np.zeros((100, window.size))
    shares[:, :values] = rng.dirichlet(np.full(values, 0.2), size=100)

    assert variance(window, worst_shares(window)) == pytest.approx(worst.variance)
    assert max(variance(window, each) for each in shares) <= worst.variance * (1 + 1e-12)


def test_the_share_up_to_a_number_has_a_worst_distribution_too() -> None:
    window = Window(31, math.log(3))
    up_to_fifteen = np.arange(31) <= 15

    worst = least_favourable(window, up_to_fifteen)

    assert worst.low <= 15 < worst.high
    assert worst.variance > window.variance(up_to_fifteen)
    half = mean_half_width(window, 1_000, up_to_fifteen, assurance=0.5)
    assert half == pytest.approx(1.959964 * math.sqrt(worst.variance / 1_000))


def test_sizes_and_margins_broadcast_and_refuse_what_is_no_number_of_people() -> None:
    window = Window(5, 1.0)
    widths = mean_half_width(window, [100, 400])

    assert widths.shape == (2,)
    assert sample_size_for_mean(window, widths).tolist() == [100, 400]
    with pytest.raises(ValueError, match="n is"):
        mean_half_width(window, 0)
    with pytest.raises(ValueError, match="width is"):
        sample_size_for_mean(window, -1)
    with pytest.raises(ValueError, match="assurance"):
        mean_half_width(window, 100, assurance=1)


@pytest.mark.parametrize("aside", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_number_is_shown_in_95_of_100_surveys_at_the_worst_distribution(aside: bool) -> None:
    """The promise is 950 of 1,000 surveys; 929 is three standard errors less."""
    window = Window(31, math.log(3), aside=aside)
    n = int(sample_size_for_mean(window, WIDEST * 30))

    shown = half_widths(window, worst_shares(window), n, 1_000) <= WIDEST

    assert 929 <= shown.sum() <= 990


@pytest.mark.long
@pytest.mark.parametrize(("values", "odds", "people"), PLANS)
def test_each_plan_is_kept_at_its_worst_distribution(values: int, odds: int, people: int) -> None:
    """The promise is 3,800 of 4,000 surveys; 3,758 is three standard errors less."""
    window = Window(values, math.log(odds))

    shown = half_widths(window, worst_shares(window), people, 4_000) <= WIDEST

    assert shown.sum() >= 3_758
