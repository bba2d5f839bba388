"""The slope of a number: how often one is said that is not there, and how often one is found."""

from typing import NamedTuple

import numpy as np
import pytest

from mechanisms import CellContrasts, ContrastCells
from mechanisms.analysis.contrasts import slope_tail

# Warner 19/20: the chance of a reported Yes is .05 + .9 * the true share.
SLOPE, INTERCEPT = 0.9, 0.05
NUMBERS = 3


class Stated(NamedTuple):
    """The number of surveys with a clear slope, with the guard and by the interval alone."""

    clear: int
    by_interval: int


def draw_numbers(spread: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return three numbers of each person, shape (n, 3)."""
    if spread == "even":
        return rng.integers(0, 101, (n, NUMBERS)).astype(float)
    if spread == "log-normal":
        return np.round(np.exp(rng.normal(3, 1, (n, NUMBERS))))
    usual = rng.normal(50, 10, (n, NUMBERS))
    is_far_out = rng.random((n, NUMBERS)) < 0.01
    return np.round(np.where(is_far_out, rng.uniform(300, 1_000, (n, NUMBERS)), usual))


def contrasts(numbers: np.ndarray, hits: np.ndarray) -> CellContrasts:
    n = len(hits)
    varying = numbers[:, numbers.std(axis=0) > 0]
    design = np.column_stack([np.ones(n), varying])
    slopes = np.eye(design.shape[1])[1:]
    return CellContrasts(
        ContrastCells(np.ones(n), hits, design, SLOPE, INTERCEPT),
        slopes,
        np.zeros((len(slopes), n), bool),
        comparisons=len(slopes),
    )


def simulate(spread: str, n: int, surveys: int, effect: float = 0.0) -> Stated:
    """Count surveys with a clear slope, of a share of 2%.

    effect: what one standard deviation of the first number adds to the share. Only that number
    counts if it is not 0.
    """
    rng = np.random.default_rng(6)
    clear = by_interval = 0
    for _ in range(surveys):
        numbers = draw_numbers(spread, n, rng)
        first = numbers[:, 0] - numbers[:, 0].mean()
        shares = np.clip(0.02 + effect * first / max(first.std(), 1.0), 0.0, 1.0)
        result = contrasts(numbers, rng.random(n) < INTERCEPT + SLOPE * shares)
        counted = slice(0, 1) if effect else slice(None)
        clear += bool(result.clear[counted].any())
        by_interval += bool(result.excludes_zero[counted].any())
    return Stated(clear, by_interval)


def enumerated_tail(weights: np.ndarray, chances: np.ndarray, reports: np.ndarray) -> float:
    """Return the smaller tail of the weighted sum over all possible reports."""
    observed, at_least, at_most = weights @ reports, 0.0, 0.0
    for number in range(2 ** len(weights)):
        possible = (number >> np.arange(len(weights))) & 1
        probability = np.where(possible == 1, chances, 1 - chances).prod()
        at_least += probability * (weights @ possible >= observed - 1e-9)
        at_most += probability * (weights @ possible <= observed + 1e-9)
    return min(at_least, at_most)


def test_ten_people_are_counted_exactly() -> None:
    rng = np.random.default_rng(1)
    weights, chances = rng.normal(0, 1, 10), rng.uniform(0.05, 0.95, 10)
    reports = rng.integers(0, 2, 10)

    tail = slope_tail(weights, np.ones(10), reports, chances)

    assert tail == pytest.approx(enumerated_tail(weights, chances, reports), abs=1e-9)


def test_people_of_a_cell_are_alike_and_count_as_one_each() -> None:
    weights, chances = np.array([3.0, -1.0, 0.5]), np.array([0.1, 0.2, 0.3])
    people, hits = np.array([4, 7, 90]), np.array([2, 1, 20])
    each = np.repeat(np.arange(3), people)
    reports = np.concatenate([np.arange(n) < h for n, h in zip(people, hits, strict=True)])

    together = slope_tail(weights, people, hits, chances)
    apart = slope_tail(weights[each], np.ones(101), reports, chances[each])

    assert together == pytest.approx(apart, abs=1e-12)
    assert 0 < together < 0.5


def test_the_tail_of_many_alike_is_the_normal_one() -> None:
    """Ten of 20,000 people matter little. The z of the sum is 2."""
    n = 20_000
    weights = np.where(np.arange(n) % 2, 1.0, -1.0)
    hits = np.full(n, 0.5)
    hits[1] += np.sqrt(n / 4) * 2

    assert slope_tail(weights, np.ones(n), hits, np.full(n, 0.5)) == pytest.approx(
        0.02275, rel=0.01
    )


def test_one_person_far_out_decides_no_slope() -> None:
    """One person of 300 reports Yes and has nearly all of the weight, so the interval excludes 0."""
    numbers = np.arange(300) % 20 * 1.0
    numbers[7] = 5_000
    hits = np.zeros(300)
    hits[7] = 1
    hits[::20] = 1

    result = contrasts(numbers[:, np.newaxis], hits)

    assert result.excludes_zero.all()
    assert result.verdicts == ("too few answers",)
    assert result.p_values[0] == pytest.approx(2 * result.tails[0])
    assert result.tails[0] > 0.025


def test_a_slope_that_is_not_there_is_said_in_at_most_5_of_100_surveys() -> None:
    """One person of 100 is far out. Without the guard about 28 of 200 surveys state a slope."""
    stated = simulate("far out", 300, 200)

    assert stated.clear <= 19
    assert stated.by_interval > 19


@pytest.mark.parametrize(
    ("spread", "least"), [("even", 0.98), ("log-normal", 0.8), ("far out", 0.7)]
)
def test_a_slope_that_is_there_is_still_found(spread: str, least: float) -> None:
    stated = simulate(spread, 600, 100, effect=0.05)

    assert stated.by_interval >= 60
    assert stated.clear >= least * stated.by_interval


@pytest.mark.long
@pytest.mark.parametrize("n", [150, 300, 1_000])
@pytest.mark.parametrize("spread", ["far out", "log-normal", "even"])
def test_false_slopes_stay_rare_for_every_spread(spread: str, n: int) -> None:
    """The level allows 40 of 800 surveys; 58 is three standard errors more."""
    assert simulate(spread, n, 800).clear <= 58
