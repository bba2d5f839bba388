"""Shares among the people with one answer to another question: groups as by themselves, others if enough report."""

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms import (
    DirectEncoding,
    Matrix,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    cross,
    pair_tally,
)
from mechanisms.analysis.conditional_shares import LEAST_REPORTS, Conditional

WARNER = Warner("19/20")
DIRECT = Matrix.identity(2)
SHARES = [0.0, 0.01, 0.02, 0.05, 0.1]


def create_reports(counts: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Create reports to two questions with these counts of combinations."""
    reports = np.indices(np.shape(counts)).reshape(2, -1).repeat(np.ravel(counts), axis=1)
    return reports[0], reports[1]


def cross_counts(first, second, counts: list[list[int]]) -> Conditional:
    rows, columns = create_reports(counts)
    return cross(first, second, pair_tally(first, rows, second, columns)).rows()


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


@pytest.mark.parametrize("first", [WARNER, TwoCoin()], ids=["19/20", "two coins"])
@pytest.mark.parametrize("second", [WARNER, DIRECT], ids=["19/20", "not scrambled"])
def test_what_is_shown_of_a_scrambled_row_holds_the_true_share(first, second):
    """Groups of 30 to 60 people that only reports tell apart, in surveys of 300."""
    rng = np.random.default_rng(52)
    surveys = 200
    for share in (0.0, 0.02, 0.1):
        for in_row in (0.1, 0.2):
            wrong = 0
            for _ in range(surveys):
                rows = rng.random(300) < in_row
                columns = rng.random(300) < np.where(rows, share, 0.1)
                reports = first.randomize(rows.astype(int), rng)
                others = second.randomize(columns.astype(int), rng)
                low, high = (
                    cross(first, second, pair_tally(first, reports, second, others))
                    .rows()
                    .intervals[1, 1]
                )
                is_shown = np.isfinite([low, high]).all()
                wrong += is_shown and not low <= share <= high
            assert wrong <= 0.08 * surveys


def test_too_few_reports_of_a_scrambled_row_tell_nothing():
    """The row of No has 30 reports of Yes, that of Yes 4: neither a number nor a range, in no direction."""
    shares = cross_counts(WARNER, WARNER, [[250, 30], [36, LEAST_REPORTS - 1]])
    enough = cross_counts(WARNER, WARNER, [[250, 30], [35, LEAST_REPORTS]])

    assert shares.too_few.tolist() == [[False, False], [True, True]]
    for numbers in (shares.shares, shares.standard_errors, shares.intervals):
        assert np.isnan(numbers[1]).all()
        assert np.isfinite(numbers[0]).all()
    assert not enough.too_few.any()
    assert np.isfinite(enough.shares).all()


def test_reports_that_nearly_all_have_an_answer_are_too_few_without_it():
    shares = cross_counts(WARNER, WARNER, [[30, 250], [3, 37]])

    assert shares.too_few.tolist() == [[False, False], [True, True]]


def test_designs_that_turn_answers_round_count_the_reports_that_mean_the_answer():
    counts = np.array([[250, 30], [36, 4]])
    turned = Warner("1/20")
    marks = UnaryEncoding(2, "1/20", "19/20")
    rows, columns = create_reports(counts.tolist())
    bits = 1 - np.eye(2, dtype=int)[rows]

    expected = cross_counts(WARNER, WARNER, counts.tolist())
    of_warner = cross_counts(turned, WARNER, counts[::-1].tolist())
    of_marks = cross(marks, WARNER, pair_tally(marks, bits, WARNER, columns)).rows()

    assert of_warner.too_few.tolist() == expected.too_few.tolist()
    assert of_warner.shares[0] == pytest.approx(expected.shares[0])
    assert of_marks.too_few.tolist() == expected.too_few.tolist()
