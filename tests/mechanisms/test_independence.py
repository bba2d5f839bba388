"""The test of independence is chi-square for many reports and a permutation test for few."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import chdtrc
from scipy.stats import chi2_contingency, random_table

from mechanisms import DirectEncoding, Matrix, UnaryEncoding, cross, pair_tally
from mechanisms.analysis.independence import (
    DRAWS,
    needs_reports,
    p_value_of_counts,
    p_value_of_rows,
    smallest_expected_count,
)

EIGHT = DirectEncoding(8, 4)
FIFTEEN = DirectEncoding(15, 4.5)
UNARY = UnaryEncoding.optimized(10, 4)
UNARY_OF_LN_9 = UnaryEncoding.optimized(10, float(np.log(9)))
GROUPS = Matrix.identity(3)
LEVEL = 0.05


def rare(size: int) -> np.ndarray:
    """Return the shares of answers of which all but one are at 1%."""
    return np.array([1 - 0.01 * (size - 1)] + [0.01] * (size - 1))


class Rates(NamedTuple):
    """The parts of surveys in which each test finds an association."""

    chi_square: float
    permutation: float


def rejection_rates(first, second, truths: np.ndarray, n: int, surveys: int) -> Rates:
    """Simulate surveys of people whose true answers have these chances, shape (k1, k2)."""
    rng = np.random.default_rng(1)
    by_chi_square = by_permutation = 0
    for _ in range(surveys):
        people = rng.choice(truths.size, n, p=truths.ravel())
        rows, columns = np.divmod(people, truths.shape[1])
        reports = first.randomize(rows, rng), second.randomize(columns, rng)
        test = cross(first, second, pair_tally(first, reports[0], second, reports[1])).independence(
            reports
        )
        assert test.method == "permutation" or test.degrees == 0
        by_permutation += test.p_value < LEVEL
        by_chi_square += bool(test.degrees) and chdtrc(test.degrees, test.statistic) < LEVEL
    return Rates(by_chi_square / surveys, by_permutation / surveys)


def direct_table(counts: list[list[int]]):
    """Return the table of two questions that were asked directly."""
    sizes = np.shape(counts)
    reports = np.indices(sizes).reshape(2, -1).repeat(np.ravel(counts), axis=1)
    first, second = Matrix.identity(sizes[0]), Matrix.identity(sizes[1])
    return cross(first, second, pair_tally(first, reports[0], second, reports[1]))


def bits_of(n: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Create reports to two unrelated questions that send bits."""
    rng = np.random.default_rng(seed)
    return tuple(UNARY.randomize(rng.integers(0, 10, n), rng) for _ in range(2))


@pytest.mark.parametrize(
    ("counts", "p_value"),
    [
        ([[60, 3, 2], [4, 1, 0], [5, 0, 2]], 0.0695),
        ([[25, 15], [15, 25]], 0.0365),
        ([[30, 10], [10, 30]], 0.0005),
    ],
)
def test_the_permutation_test_has_these_p_values(counts, p_value):
    assert p_value_of_counts(np.array(counts), DRAWS) == pytest.approx(p_value, abs=1e-12)


def test_few_expected_reports_are_tested_by_permutation():
    test = direct_table([[60, 3, 2], [4, 1, 0], [5, 0, 2]]).independence()

    assert (test.method, test.draws, test.degrees) == ("permutation", 1_999, 4)
    assert test.p_value == pytest.approx(0.0695)


def test_twenty_expected_reports_of_each_kind_keep_chi_square():
    counts = [[25, 15], [15, 25]]

    test = direct_table(counts).independence()
    fewer = direct_table([[25, 15], [15, 24]]).independence()

    assert (test.method, test.draws) == ("chi-square", 0)
    assert test.p_value == pytest.approx(chi2_contingency(counts, correction=False).pvalue)
    assert fewer.method == "permutation"


def test_the_exact_p_value_of_a_small_table_is_met():
    """The exact one sums the probabilities of all tables with its margins."""
    counts = np.array([[8, 2], [1, 6]])
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    expected = np.outer(rows, columns) / counts.sum()
    law = random_table(rows, columns)
    exact = 0.0
    for corner in range(min(rows[0], columns[0]) + 1):
        table = np.array([[corner, rows[0] - corner], [columns[0] - corner, 0]])
        table[1, 1] = rows[1] - table[1, 0]
        if table.min() < 0:
            continue
        statistic = ((table - expected) ** 2 / expected).sum()
        if statistic >= ((counts - expected) ** 2 / expected).sum() - 1e-9:
            exact += law.pmf(table)

    found = p_value_of_counts(counts, 50_000)

    assert found == pytest.approx(exact, abs=4 * np.sqrt(exact / 50_000))


def test_rows_and_counts_have_the_same_test():
    """Codes can be permuted as rows too, with the same p-value up to chance."""
    counts = [[60, 3, 2], [4, 1, 0], [5, 0, 2]]
    table = direct_table(counts)
    reports = np.indices((3, 3)).reshape(2, -1).repeat(np.ravel(counts), axis=1)

    by_rows = p_value_of_rows(GROUPS, GROUPS, table.tally, (reports[0], reports[1]), 20_000)
    by_counts = p_value_of_counts(np.array(counts), 20_000)

    assert by_rows == pytest.approx(by_counts, abs=4 * np.sqrt(2 * 0.07 / 20_000))


def test_a_table_and_its_transpose_have_one_p_value():
    counts = np.array([[60, 3, 2], [4, 1, 0], [5, 0, 2]])
    one, other = bits_of(300)
    tally = pair_tally(UNARY, one, UNARY, other)
    turned = pair_tally(UNARY, other, UNARY, one)

    assert p_value_of_counts(counts.T, DRAWS) == p_value_of_counts(counts, DRAWS)
    assert p_value_of_rows(UNARY, UNARY, turned, (other, one), 99) == p_value_of_rows(
        UNARY, UNARY, tally, (one, other), 99
    )


def test_bits_have_one_p_value_in_whatever_order_they_are_stored():
    one, other = bits_of(300)
    order = np.random.default_rng(5).permutation(300)
    table = cross(UNARY, UNARY, pair_tally(UNARY, one, UNARY, other))

    test = table.independence((one, other))

    assert test.method == "permutation"
    assert table.independence((one[order], other[order])) == test


def test_bits_keep_chi_square_without_their_rows_and_of_many_people():
    one, other = bits_of(5_001)
    few = cross(UNARY, UNARY, pair_tally(UNARY, one[:300], UNARY, other[:300]))
    many = cross(UNARY, UNARY, pair_tally(UNARY, one, UNARY, other))

    assert smallest_expected_count(UNARY, UNARY, few.tally) < 20
    assert needs_reports(UNARY, UNARY, few.tally)
    assert few.independence().method == "chi-square"
    assert not needs_reports(UNARY, UNARY, many.tally)
    assert many.independence((one, other)).method == "chi-square"


def test_large_tables_are_drawn_less_often():
    rng = np.random.default_rng(7)
    counts = rng.multinomial(900, np.full(441, 1 / 441)).reshape(21, 21)

    assert direct_table(counts.tolist()).independence().draws == 499


def test_bits_that_go_together_are_found():
    rng = np.random.default_rng(9)
    truths = rng.integers(0, 10, 300)
    one, other = UNARY.randomize(truths, rng), UNARY.randomize(truths, rng)

    test = cross(UNARY, UNARY, pair_tally(UNARY, one, UNARY, other)).independence((one, other))

    assert test.p_value == 1 / 2_000


def test_a_question_with_one_answer_is_unrelated_to_all():
    test = direct_table([[5, 4], [0, 0]]).independence()

    assert (test.degrees, test.p_value) == (0, 1.0)


def test_unrelated_rare_answers_are_seldom_called_associated():
    """Chi-square would call about 50 of 200 surveys associated."""
    rates = rejection_rates(EIGHT, EIGHT, np.outer(rare(8), rare(8)), 100, 200)

    assert rates.permutation * 200 <= 19
    assert rates.chi_square * 200 > 19


def test_unrelated_rare_bits_are_seldom_called_associated():
    rates = rejection_rates(UNARY, UNARY, np.outer(rare(10), rare(10)), 300, 100)

    assert rates.permutation * 100 <= 11


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "n"),
    [
        *((EIGHT, EIGHT, n) for n in (100, 300)),
        *((FIFTEEN, FIFTEEN, n) for n in (100, 300, 1_000)),
        *((UNARY, UNARY, n) for n in (100, 300, 1_000)),
        *((GROUPS, UNARY, n) for n in (100, 300, 1_000)),
        *((GROUPS, UNARY_OF_LN_9, n) for n in (100, 300)),
    ],
    ids=repr,
)
def test_unrelated_answers_are_called_associated_at_the_level(first, second, n):
    """The limit is three standard errors above 5% of 400 surveys."""
    shares = np.full(3, 1 / 3) if first is GROUPS else rare(first.size)

    rates = rejection_rates(first, second, np.outer(shares, rare(second.size)), n, 400)

    print(first, second, n, rates)
    assert rates.permutation <= 0.083


@pytest.mark.long
@pytest.mark.parametrize(
    ("mechanism", "n", "strength"), [(EIGHT, 300, 0.12), (FIFTEEN, 1_000, 0.07), (UNARY, 300, 0.4)]
)
def test_associations_are_found_as_often_as_by_chi_square_at_its_level(mechanism, n, strength):
    """Answers that are equally frequent, of which chi-square holds its level."""
    k = mechanism.size
    truths = (1 - strength) * np.full((k, k), 1 / k**2) + strength * np.eye(k) / k

    rates = rejection_rates(mechanism, mechanism, truths, n, 400)

    print(mechanism, n, rates)
    assert 0.2 < rates.chi_square < 0.95
    assert rates.permutation == pytest.approx(rates.chi_square, abs=0.06)
