"""Differences of shares: reference values, and by exact enumeration how often one is said that is not there, or is."""

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from mechanisms import Differences, GroupReports, Matrix, TwoCoin, Warner, difference_side
from mechanisms.analysis.differences import hypergeometric_tail
from mechanisms.estimation.tallies import Tally

Line = tuple[float, float]
DIRECT, UNRELATED, FORCED = (1.0, 0.0), (0.9, 0.1 / 12), (2 / 3, 1 / 6)
FAMILIES = (1, 10, 25, 60)
SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9, 1.0)
WARNER = [0.0463, 0.0427, 0.0423, 0.0392]


def warner(p: float) -> Line:
    return 2 * p - 1, 1 - p


def side(hits: object, n: int, line: Line) -> GroupReports:
    return GroupReports(n, hits, *line)


def clear(sizes: tuple[int, int], lines: tuple[Line, Line], comparisons: int) -> np.ndarray:
    """Of every pair of counts."""
    counts = np.meshgrid(*(np.arange(n + 1) for n in sizes), indexing="ij")
    both = (side(hits.ravel(), n, line) for hits, n, line in zip(counts, sizes, lines, strict=True))
    return Differences(*both, comparisons=comparisons).clear.reshape(counts[0].shape)


def chance(
    is_clear: np.ndarray,
    sizes: tuple[int, int],
    lines: tuple[Line, Line],
    shares: tuple[float, float],
) -> float:
    chances = [
        intercept + slope * share for (slope, intercept), share in zip(lines, shares, strict=True)
    ]
    first, second = (binom.pmf(np.arange(n + 1), n, p) for n, p in zip(sizes, chances, strict=True))
    return float(first @ is_clear @ second)


IN_A_MOMENT = 1_000  # reports in all; more take seconds
LEVELS = [  # line, group, others, k times the largest chance of a false difference, k of FAMILIES
    (DIRECT, 30, 300, [0.0346, 0.0293, 0.0277, 0.0270]),
    (DIRECT, 30, 1_000, [0.0332, 0.0284, 0.0279, 0.0261]),
    (DIRECT, 30, 3_000, [0.0352, 0.0313, 0.0304, 0.0275]),
    (UNRELATED, 30, 300, [0.0341, 0.0300, 0.0283, 0.0266]),
    (UNRELATED, 30, 1_000, [0.0331, 0.0285, 0.0275, 0.0258]),
    (UNRELATED, 30, 3_000, [0.0342, 0.0308, 0.0305, 0.0228]),
    (warner(0.95), 30, 300, WARNER),
    (warner(0.95), 30, 1_000, [0.0476, 0.0437, 0.0407, 0.0375]),
    (warner(0.95), 30, 3_000, [0.0450, 0.0466, 0.0380, 0.0353]),
    (warner(0.9), 30, 300, WARNER),
    (warner(0.8), 30, 300, WARNER),
    (warner(0.75), 30, 300, [0.0469, *WARNER[1:]]),
    (warner(2 / 3), 30, 300, [0.0476, *WARNER[1:]]),
    (warner(0.9), 30, 3_000, [0.0467, 0.0466, 0.0380, 0.0353]),
    (warner(0.8), 30, 3_000, [0.0494, 0.0466, 0.0380, 0.0353]),
    (warner(0.75), 30, 3_000, [0.0474, 0.0466, 0.0380, 0.0353]),
]


@pytest.mark.parametrize(
    ("line", "n", "others", "expected"),
    [pytest.param(*row, marks=[pytest.mark.long] * (row[2] > IN_A_MOMENT)) for row in LEVELS],
)
def test_a_difference_that_is_not_there_is_said_in_at_most_5_of_100_surveys(
    line: Line, n: int, others: int, expected: list[float]
) -> None:
    """Exactly, over all shares of SHARES, for families of one to sixty comparisons."""
    for comparisons, level in zip(FAMILIES, expected, strict=True):
        is_clear = clear((n, others), (line, line), comparisons)
        largest = max(
            chance(is_clear, (n, others), (line, line), (share, share)) for share in SHARES
        )
        assert comparisons * largest == pytest.approx(level, abs=1e-4)
        assert comparisons * largest <= 0.055


POWER = [  # line, group, its share, others, their share, chance of being clear
    (warner(0.75), 30, 0.7, 1_000, 0.2, [0.7809, 0.4646, 0.3510, 0.2610]),
    (warner(0.8), 30, 0.6, 1_000, 0.2, [0.7524, 0.4335, 0.3247, 0.2393]),
    (warner(0.95), 30, 0.25, 1_000, 0.02, [0.8838, 0.6801, 0.5893, 0.5044]),
    (warner(0.95), 30, 0.02, 1_000, 0.3, [0.9476, 0.6316, 0.4198, 0.2498]),
    (DIRECT, 30, 0.25, 1_000, 0.02, [0.9775, 0.9238, 0.8898, 0.8555]),
    (warner(0.75), 250, 0.4, 1_000, 0.2, [0.8252, 0.5357, 0.4241, 0.3293]),
    (warner(0.75), 500, 0.33, 500, 0.2, [0.5581, 0.2425, 0.1639, 0.1091]),
]


@pytest.mark.parametrize(
    "row", [*POWER[:5], *(pytest.param(row, marks=pytest.mark.long) for row in POWER[5:])]
)
def test_a_difference_that_is_there_is_said_as_often_as_it_can_be(row: tuple) -> None:
    line, n, share, others, other, expected = row
    for comparisons, power in zip(FAMILIES, expected, strict=True):
        is_clear = clear((n, others), (line, line), comparisons)
        assert chance(is_clear, (n, others), (line, line), (share, other)) == pytest.approx(
            power, abs=1e-4
        )


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param((100, 1_000), [0.049, 0.048, 0.047, 0.046], marks=pytest.mark.long),
        ((60, 60), [0.055, 0.045, 0.047, 0.043]),
        pytest.param(
            (100, 100), [0.056, 0.057, 0.057, 0.051], marks=pytest.mark.long
        ),  # the lattice of equal groups
    ],
)
def test_larger_and_equal_groups_hold_the_level_too(
    sizes: tuple[int, int], expected: list[float]
) -> None:
    lines = [DIRECT, UNRELATED, *map(warner, (0.95, 0.9, 0.8, 0.75, 2 / 3))]
    for comparisons, level in zip(FAMILIES, expected, strict=True):
        levels = [
            comparisons
            * chance(clear(sizes, (line, line), comparisons), sizes, (line, line), (share, share))
            for line in lines
            for share in (0.0, 0.02, 0.1, 0.3, 0.5)
        ]
        assert max(levels) <= level + 0.0006
        assert max(levels) <= 0.058


# ruff: noqa: RUF005
NONE_OF_30 = (0, 30, warner(0.95)), (20, 300, warner(0.95))
VALUES = [  # two sides, comparisons; difference, low, high, z, tail
    (
        (334, 1123, FORCED),
        (497, 1312, FORCED),
        1,
        -0.1220900164,
        -0.1779319553,
        -0.0656198869,
        -4.2227218705,
        1.17668e-5,
    ),
    (*NONE_OF_30, 1, -0.0740740741, -0.1745991482, 0.0490870147, -1.4591203713, 0.0699884734),
    (*NONE_OF_30, 4, -0.0740740741, -0.2036365886, 0.1109587001, -1.4591203713, 0.0699884734),
    ((9, 30, warner(0.95)), (70, 1000, warner(0.95)), 25)
    + (0.2555555556, 0.0497263787, 0.5668328806, 4.6644803902, 0.0001281606),
    ((20, 30, warner(0.75)), (350, 1000, warner(0.75)), 60)
    + (0.6333333333, 0.0338075946, 1.1695339968, 3.5621217608, 0.0003137723),
]


@pytest.mark.parametrize("values", VALUES)
def test_reference_values(values: tuple) -> None:
    first, second, comparisons, *expected = values
    both = Differences(side(*first), side(*second), comparisons=comparisons)
    numbers = [both.values[0], *both.simultaneous_intervals[0], both.statistics[0], both.tails[0]]
    assert numbers == pytest.approx(expected, abs=1e-9)
    assert both.p_values[0] >= 2 * both.tails[0]


def test_the_verdict_is_that_of_the_interval() -> None:
    counts = np.arange(31)
    for line in (DIRECT, warner(0.95), warner(0.75)):
        both = Differences(side(counts, 30, line), side(np.full(31, 40), 100, line), comparisons=10)
        low, high = both.simultaneous_intervals.T
        assert [verdict == "no clear difference" for verdict in both.verdicts] == (
            (low <= 0) & (high >= 0)
        ).tolist()


def test_shares_that_are_sent_as_they_are_have_exact_ends() -> None:
    both = Differences(side(0, 30, DIRECT), side(60, 300, DIRECT), comparisons=10)
    assert (*both.simultaneous_intervals[0], *both.p_values) == pytest.approx(
        (-0.2718454498, -0.0091572544, 0.003590722681), abs=1e-9
    )
    assert np.isnan(both.tails[0])
    alike = Differences(side(0, 30, DIRECT), side(0, 300, DIRECT))
    assert (*alike.simultaneous_intervals[0], *alike.p_values) == pytest.approx(
        (-0.0122209747, 0.1157033082, 1.0), abs=1e-9
    )


def test_a_group_whose_reports_are_all_alike_makes_no_difference() -> None:
    """No of 30, where 20 of 300 say Yes: the difference of the shares is 7.4 points, and nothing is known."""
    both = Differences(side(0, 30, warner(0.95)), side(20, 300, warner(0.95)))
    assert both.verdicts == ("no clear difference",)


def test_what_the_interval_excludes_and_the_guard_does_not_is_too_few_answers() -> None:
    """Such counts exist, and none is said to be clear."""
    counts = np.arange(31)
    both = Differences(
        side(counts, 30, warner(0.95)), side(np.full(31, 1), 100, warner(0.95)), comparisons=25
    )
    low, high = both.simultaneous_intervals.T
    few = [verdict == "too few answers" for verdict in both.verdicts]
    assert any(few)
    assert all(((low > 0) | (high < 0))[few])
    assert (both.tails[few] > both.alpha / 2).all()


def test_the_interval_holds_the_differences_that_the_score_does_not_reject() -> None:
    """The same by another way: a fine grid of supposed differences."""
    both = Differences(
        side([9, 0, 30], 30, warner(0.8)), side([70, 20, 10], [100, 100, 100], warner(0.8))
    )
    grid = np.linspace(-3, 3, 60_001)
    for place, (low, high) in enumerate(both.simultaneous_intervals):
        one = Differences(
            side(np.full(grid.size, both.first.hits[place]), 30, warner(0.8)),
            side(np.full(grid.size, both.second.hits[place]), 100, warner(0.8)),
        )
        kept = grid[np.abs(one._score(grid)) <= 1.959963984540054]
        assert (low, high) == pytest.approx((kept.min(), kept.max()), abs=2e-4)


def test_the_tail_of_the_guard_is_that_of_the_hypergeometric_distribution() -> None:
    for hits, n, marked, population in (
        (20, 30, 370, 1_300),
        (0, 30, 20, 330),
        (30, 30, 40, 60),
        (5, 9, 5, 9),
    ):
        law = hypergeom(population, marked, n)
        arrays = (np.array([value]) for value in (hits, n, marked, population))
        expected = min(law.sf(hits), law.cdf(hits - 1)) + law.pmf(hits) / 2
        assert hypergeometric_tail(*arrays)[0] == pytest.approx(expected, rel=1e-8)


def test_two_scrambled_designs_hold_the_level_from_a_hundred_on() -> None:
    sizes, lines = (100, 300), (warner(0.75), warner(0.95))
    for comparisons in (1, 25):
        is_clear = clear(sizes, lines, comparisons)
        levels = [comparisons * chance(is_clear, sizes, lines, (share, share)) for share in SHARES]
        assert max(levels) <= 0.055


def test_a_side_comes_from_a_tally() -> None:
    one = difference_side(TwoCoin(), Tally(30, [21, 9]))
    assert (one.n.tolist(), one.hits.tolist()) == ([30, 30], [21, 9])
    other = difference_side(Warner("3/4"), Tally(300, [200, 100]))
    both = Differences(one, other)
    assert both.values[0] == pytest.approx(-both.values[1])
    assert both.simultaneous_intervals[0] == pytest.approx(-both.simultaneous_intervals[1][::-1])


def test_what_cannot_be_is_named() -> None:
    with pytest.raises(ValueError, match="at least one report"):
        GroupReports(0, 0, 1.0, 0.0)
    with pytest.raises(ValueError, match="no more hits than reports"):
        GroupReports(3, 4, 1.0, 0.0)
    skewed = Matrix([[8, 1, 1], [2, 7, 1], [1, 3, 6]], 10)
    with pytest.raises(ValueError, match="has no line"):
        difference_side(skewed, Tally(30, [10, 10, 10]))
    for options in ({"confidence": 1.5}, {"comparisons": 0}):
        with pytest.raises(ValueError, match="allowed"):
            Differences(side(1, 3, DIRECT), side(1, 3, DIRECT), **options)
