"""Shares among people with one answer: groups as by themselves, others by the score test."""

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import (
    CrossTable,
    DirectEncoding,
    Matrix,
    PairTally,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    cross,
    pair_tally,
)
from mechanisms.analysis.conditional_shares import (
    Conditional,
    answer_moments,
    shares_by_score_test,
)
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.estimation import intervals

WARNER = Warner("19/20")
DIRECT = Matrix.identity(2)
TWO_COIN = TwoCoin()
SHARES = [0.0, 0.01, 0.02, 0.05, 0.1]
SCRAMBLED_ROWS = list(product((WARNER, TWO_COIN), (WARNER, TWO_COIN, DIRECT)))


def create_reports(counts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Create reports to two questions with these counts of combinations."""
    reports = np.indices(np.shape(counts)).reshape(2, -1).repeat(np.ravel(counts), axis=1)
    return reports[0], reports[1]


def cross_table(first, second, counts: list[list[int]]) -> CrossTable:
    rows, columns = create_reports(counts)
    return cross(first, second, pair_tally(first, rows, second, columns))


def cross_counts(first, second, counts: list[list[int]]) -> Conditional:
    return cross_table(first, second, counts).rows()


def test_groups_have_the_intervals_of_their_own_reports():
    """North 14 of 200 reports of Yes, South 0 of 40, East 4 of 40 and West 3 of 40."""
    groups = Matrix.identity(4)

    shares = cross_counts(groups, WARNER, [[186, 14], [40, 0], [36, 4], [37, 3]])

    yes = shares.intervals[:, 1]
    assert yes[0] == pytest.approx((-0.0087198091, 0.0711720098), abs=1e-8)
    assert yes[1] == pytest.approx((-0.0555555556, 0.0418017791), abs=1e-8)
    assert yes[3] == pytest.approx((-0.0268488603, 0.1651581503), abs=1e-8)
    assert shares.shares[3, 1] == pytest.approx((3 / 40 - 0.05) / 0.9)
    assert not shares.too_few.any()


@pytest.mark.parametrize(
    "second",
    [
        WARNER,
        DirectEncoding(3, 2),
        UnaryEncoding(3, "3/4", "1/4"),
        UnaryEncoding(3, "3/4", "1/4", "any"),
        Matrix([[8, 1, 1], [1, 8, 1], [1, 1, 8]], 10),
    ],
    ids=repr,
)
def test_a_group_is_estimated_as_by_itself(second):
    rng = np.random.default_rng(4)
    groups = Matrix.identity(3)
    group = rng.integers(0, 3, 200)
    truths = (
        rng.integers(0, 2, (200, 3))
        if second.select == "any"
        else rng.integers(0, second.size, 200)
    )
    reports = second.randomize(truths, rng)

    table = cross(groups, second, pair_tally(groups, group, second, reports))
    turned = cross(second, groups, pair_tally(second, reports, groups, group))

    for place in range(3):
        estimate = second.estimate(second.tally(reports[group == place]))
        assert table.rows().shares[place] == pytest.approx(estimate.proportions, abs=1e-12)
        assert table.rows().standard_errors[place] == pytest.approx(
            estimate.standard_errors, abs=1e-12
        )
        assert table.rows().intervals[place] == pytest.approx(estimate.intervals, abs=1e-12)
    assert turned.columns().intervals == pytest.approx(
        table.rows().intervals.transpose(1, 0, 2), abs=1e-12
    )


def test_answers_that_are_not_scrambled_have_wilsons_interval_in_each_group():
    shares = cross_counts(DIRECT, Matrix.identity(3), [[40, 0, 10], [0, 0, 0]])

    low, high = shares.intervals[0, 1]
    assert low == pytest.approx(0, abs=1e-12)
    assert high == pytest.approx(0.0713, abs=1e-4)
    assert np.isnan(shares.shares[1]).all()


@pytest.mark.parametrize(
    ("second", "least"), [(WARNER, 0.933), (DIRECT, 0.898)], ids=["19/20", "not scrambled"]
)
def test_intervals_of_small_groups_hold_the_true_share(second, least):
    """All numbers of reports that groups of 30 to 60 people can send, with their chances."""
    slope = float(second.rows[1][1] - second.rows[0][1]) / second.den
    base = second.rows[0][1] / second.den
    for n in (30, 34, 36, 40, 50, 60):
        hits = np.arange(n + 1)
        # Each possible number of reports is a group of one table, so that it is the table's own interval.
        groups = Matrix.identity(n + 1)
        tables = cross_counts(groups, second, np.column_stack([n - hits, hits]).tolist())
        low, high = tables.intervals[:, 1].T
        for share in SHARES:
            chances = binom.pmf(hits, n, base + slope * share)
            holds = (low <= share + 1e-12) & (share <= high + 1e-12)
            of_report = [second.estimate(Tally(n, [n - hit, hit])).intervals[1] for hit in hits]
            assert np.array(of_report) == pytest.approx(tables.intervals[:, 1], abs=1e-12)
            assert chances @ holds >= least


@pytest.mark.parametrize(
    ("first", "second", "counts", "interval"),
    [
        (WARNER, WARNER, [[250, 20], [30, 0]], (0, 0.1173923060)),
        (WARNER, WARNER, [[250, 15], [25, 10]], (0.2003581477, 0.7867835760)),
        (TWO_COIN, TWO_COIN, [[120, 60], [70, 50]], (0.1408991042, 0.9160113968)),
        (TWO_COIN, TWO_COIN, [[400, 300], [150, 150]], (0.4329110990, 1)),
    ],
)
def test_the_interval_of_a_scrambled_row_inverts_the_score_test(first, second, counts, interval):
    shares = cross_counts(first, second, counts)

    assert shares.intervals[1, 1] == pytest.approx(interval, abs=1e-8)
    assert not shares.too_few[1, 1]


def test_a_share_beyond_the_interval_is_not_cut():
    """None of 30 reports of Yes has the other Yes, so the unbiased estimate is below 0."""
    shares = cross_counts(WARNER, WARNER, [[250, 20], [30, 0]])

    assert shares.shares[1, 1] == pytest.approx(-7 / 54)
    assert shares.standard_errors[1, 1] > 0.05


def test_the_nearest_possible_share_is_always_in_the_interval():
    """The test keeps 0.4% to 1.1%, and none of 74 reports of Yes has the other Yes."""
    shares = cross_counts(TWO_COIN, DIRECT, [[21, 5], [74, 0]])

    assert shares.shares[1, 1] < 0
    assert shares.intervals[1, 1] == pytest.approx((0, 0.0110179328), abs=1e-8)


def test_a_row_whose_estimated_share_is_not_above_zero_has_too_few_answers():
    shares = cross_counts(TWO_COIN, WARNER, [[150, 110], [20, 20]])

    assert shares.too_few.tolist() == [[False, False], [True, True]]
    for numbers in (shares.shares, shares.standard_errors, shares.intervals):
        assert np.isnan(numbers[1]).all()
        assert np.isfinite(numbers[0]).all()


def test_a_row_with_which_no_possible_share_agrees_has_too_few_answers():
    """The other Yes is in all 60 reports of Yes, and in no report of No."""
    counts = [[800, 0], [0, 60]]
    second = Warner("3/4")

    shares = cross_counts(WARNER, second, counts)

    assert shares.too_few[1, 1]
    assert np.isnan(shares.intervals[1, 1]).all()


@pytest.mark.parametrize("n", [30, 300])
def test_the_score_test_of_a_row_that_is_not_scrambled_is_wilsons(n):
    """Its variance is that of the supposed share, so the row needs no error of its own."""
    hits = np.array([0, 1, n // 5])
    counts = np.column_stack([n - hits, hits])
    expected = intervals.wilson(hits, n, 0.95)
    tables = [cross_table(DIRECT, DIRECT, [[500, 100], row.tolist()]) for row in counts]

    for place, table in enumerate(tables):
        row = answer_moments(table.first, table.tally.first)
        column = answer_moments(table.second, table.tally.second)
        found = shares_by_score_test(table.shares, row, column, table.n, 0.95)

        assert found.intervals[1, 1] == pytest.approx(expected[place], abs=1e-12)


def test_the_ends_of_a_scrambled_row_are_shares_that_are_just_not_rejected():
    """Their error is computed from each pair of reports, at the supposed shares."""
    table = cross_table(WARNER, TWO_COIN, [[400, 200], [100, 60]])
    row_share, column_share = table.shares.sum(axis=1)[1], table.shares.sum(axis=0)[1]
    others = (column_share - table.shares[1, 1]) / (1 - row_share)
    decoded_rows = (np.array([0, 1]) - 0.05) / 0.9
    decoded_columns = (np.array([0, 1]) - 0.25) / 0.5
    yes_of_rows, yes_of_columns = np.array([0.05, 0.95]), np.array([0.25, 0.75])

    for end in table.rows().intervals[1, 1]:
        assert 0 < end < 1
        truths = np.array(
            [
                [(1 - row_share) * (1 - others), (1 - row_share) * others],
                [row_share * (1 - end), row_share * end],
            ]
        )
        variance = 0.0
        for row, column, d1, d2 in product(range(2), range(2), range(2), range(2)):
            chance_of_row = yes_of_rows[row] if d1 else 1 - yes_of_rows[row]
            chance_of_column = yes_of_columns[column] if d2 else 1 - yes_of_columns[column]
            term = decoded_rows[d1] * (decoded_columns[d2] - end)
            variance += truths[row, column] * chance_of_row * chance_of_column * term**2
        distance = abs(table.shares[1, 1] - end * row_share)
        z = distance / np.sqrt(variance / table.n)
        assert z == pytest.approx(1.959963984540054, abs=1e-8)


def test_designs_that_turn_answers_round_have_the_same_intervals():
    counts = np.array([[250, 30], [36, 4]])
    marks = UnaryEncoding(2, "1/20", "19/20")
    rows, columns = create_reports(counts.tolist())
    bits = 1 - np.eye(2, dtype=int)[rows]

    expected = cross_counts(WARNER, WARNER, counts.tolist())
    of_warner = cross_counts(Warner("1/20"), WARNER, counts[::-1].tolist())
    of_marks = cross(marks, WARNER, pair_tally(marks, bits, WARNER, columns)).rows()

    assert of_warner.intervals == pytest.approx(expected.intervals)
    assert of_marks.intervals == pytest.approx(expected.intervals)


def test_an_option_of_a_multiple_selection_has_its_own_squares():
    """They are those of the same bits as a question of Yes and No."""
    rng = np.random.default_rng(11)
    marks = UnaryEncoding(3, "19/20", "1/20", "any")
    chosen = rng.random((400, 3)) < (0.3, 0.2, 0.1)
    others = rng.integers(0, 2, 400)
    bits = marks.randomize(chosen.astype(int), rng)
    reports = WARNER.randomize(others, rng)

    table = cross(marks, WARNER, pair_tally(marks, bits, WARNER, reports))

    for option in range(3):
        alone = cross(WARNER, WARNER, pair_tally(WARNER, bits[:, option], WARNER, reports))
        assert table.rows().intervals[option] == pytest.approx(alone.rows().intervals[1])
        assert table.columns().intervals[option] == pytest.approx(alone.columns().intervals[1])


class Rates(NamedTuple):
    """covered: of the surveys with a range, how many hold the true share. wrong_numbers: of all
    surveys, how many show a number with a range that does not.
    """

    covered: float
    wrong_numbers: float


def draw_tally(first, second, truths: np.ndarray, n: int, rng: np.random.Generator) -> PairTally:
    """Draw the counts of the reports of n people."""
    if isinstance(first, MatrixMechanism) and isinstance(second, MatrixMechanism):
        chances = first.floats.T @ truths @ second.floats
        counts = rng.multinomial(n, chances.ravel() / chances.sum()).reshape(truths.shape)
        return PairTally(n, counts, Tally(n, counts.sum(axis=1)), Tally(n, counts.sum(axis=0)))
    people = rng.choice(truths.size, n, p=truths.ravel())
    rows, columns = np.divmod(people, truths.shape[1])
    return pair_tally(first, first.randomize(rows, rng), second, second.randomize(columns, rng))


def interval_rates(first, second, truths: np.ndarray, n: int, surveys: int) -> Rates:
    """Simulate surveys of people whose true answers have these chances, shape (k1, k2)."""
    rng = np.random.default_rng(52)
    share = truths[1, 1] / truths[1].sum()
    ranges = held = wrong_numbers = 0
    for _ in range(surveys):
        table = cross(first, second, draw_tally(first, second, truths, n, rng))
        low, high = table.rows().intervals[1, 1]
        if np.isnan(low):
            continue
        holds = low <= share + 1e-12 and share <= high + 1e-12
        ranges += 1
        held += holds
        wrong_numbers += not holds and high - low <= 0.2
    return Rates(held / ranges, wrong_numbers / surveys)


def truths_of_two(in_row: float, share: float, share_elsewhere: float = 0.1) -> np.ndarray:
    return np.array(
        [
            [(1 - in_row) * (1 - share_elsewhere), (1 - in_row) * share_elsewhere],
            [in_row * (1 - share), in_row * share],
        ]
    )


@pytest.mark.parametrize(("first", "second"), SCRAMBLED_ROWS, ids=repr)
def test_the_interval_of_a_scrambled_row_holds_the_true_share(first, second):
    rates = interval_rates(first, second, truths_of_two(0.2, 0.05), 300, 1_000)

    assert rates.covered >= 0.92
    assert rates.wrong_numbers <= 0.06


@pytest.mark.long
@pytest.mark.parametrize(("first", "second"), SCRAMBLED_ROWS, ids=repr)
def test_the_intervals_of_many_scrambled_rows_hold_the_true_share(first, second):
    """The six pairs have 120 cases."""
    measured = []
    for in_row, n, share in product((0.1, 0.3), (300, 1_000), SHARES):
        measured.append(interval_rates(first, second, truths_of_two(in_row, share), n, 1_000))

    covered = [rates.covered for rates in measured]
    print(first, second, min(covered), np.mean(covered), max(r.wrong_numbers for r in measured))
    assert min(covered) >= 0.92
    assert 0.94 <= np.mean(covered) <= 0.97
    assert max(rates.wrong_numbers for rates in measured) <= 0.07


@pytest.mark.long
@pytest.mark.parametrize("k", [3, 4, 5])
def test_intervals_of_several_answers_hold_the_true_share(k):
    measured = []
    designs = (DirectEncoding(k, 2), UnaryEncoding(k, "3/4", "1/4"))
    for first, second, n, share in product(designs, designs, (300, 1_000), (0.02, 0.3)):
        in_row = np.array([1 - 0.15 * (k - 1)] + [0.15] * (k - 1))
        truths = np.outer(in_row, np.full(k, 1 / k))
        truths[1] = in_row[1] * (1 - share) / (k - 1)
        truths[1, 1] = in_row[1] * share
        measured.append(interval_rates(first, second, truths, n, 1_000))

    covered = [rates.covered for rates in measured]
    print(k, min(covered), max(covered), max(r.wrong_numbers for r in measured))
    assert min(covered) >= 0.93
    assert max(rates.wrong_numbers for rates in measured) <= 0.07
