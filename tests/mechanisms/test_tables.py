"""Tables of two randomized questions, and correlations."""

import re
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    Matrix,
    PairTally,
    SubsetSelection,
    Tally,
    UnaryEncoding,
    Variable,
    Warner,
    correlate,
    cross,
    pair_tally,
)
from mechanisms.estimation import intervals

THREE, WARNER = Matrix([[8, 1, 1], [1, 8, 1], [1, 1, 8]], 10), Warner("3/4")
ANY = UnaryEncoding(3, "3/4", "1/4", "any")
UNARY, SUBSET, DIRECT = (
    UnaryEncoding(4, "3/4", "1/4"),
    SubsetSelection(5, 2, 2),
    DirectEncoding(3, 1.5),
)
PAIRS = [(UNARY, WARNER), (UNARY, SUBSET), (DIRECT, SUBSET), (DIRECT, THREE), (SUBSET, UNARY)]


def close(value, tolerance=1e-9):
    return pytest.approx(np.array(value), rel=0, abs=tolerance)


def of_counts(first, second, counts):
    """The pair tally of two matrices from how often each pair of reports came."""
    reports = np.indices(np.shape(counts)).reshape(2, -1).repeat(np.ravel(counts), axis=1)
    return pair_tally(first, reports[0], second, reports[1])


def related(first, second, n, seed):
    """Truths of which a third go together, and their reports."""
    rng = np.random.default_rng(seed)
    one = rng.integers(0, first.size, n)
    other = np.where(rng.random(n) < 1 / 3, one % second.size, rng.integers(0, second.size, n))
    return one, other, first.randomize(one, rng), second.randomize(other, rng)


def decoded(mechanism, reports):
    """Each report decoded by itself, shape (n, size)."""
    if np.ndim(reports) == 1:
        reports = np.eye(mechanism.size)[reports]
    return np.stack([mechanism.decode(row) for row in np.asarray(reports, dtype=float)])


def test_a_table_of_two_matrices():
    found = cross(THREE, WARNER, of_counts(THREE, WARNER, [[210, 140], [120, 160], [90, 180]]))
    shares = [0.326984127, 0.085714286, 0.096825397, 0.204761905, 0.009523810, 0.276190476]
    assert found.shares.ravel() == close(shares)
    assert found.standard_errors[0, 0] == close(0.030511673)
    assert found.independence().statistic == close(45.9183673469, 1e-10)
    assert found.independence().degrees == 2
    assert found.intervals[0, 0] == close((0.2701934196, 0.3896889855), 1e-8)
    assert found.intervals[2, 0] == close((-0.0315610099, 0.0584587512), 1e-8)
    assert list(found.constrained.ravel()) == list(found.shares.ravel())  # possible as they are
    assert found.covariance.shape == (6, 6)


def test_independence_of_two_matrices_is_pearsons_of_the_reports():
    counts = np.array([[310, 140, 95], [120, 160, 130], [90, 180, 260]])
    expected = chi2_contingency(counts, correction=False)
    found = cross(THREE, DIRECT, of_counts(THREE, DIRECT, counts)).independence()
    assert found[:3] == (
        pytest.approx(expected.statistic, rel=1e-10),
        4,
        pytest.approx(expected.pvalue, rel=1e-8),
    )


def test_an_answer_that_nobody_reported_is_left_out_of_the_degrees():
    identity = Matrix.identity(3)
    found = cross(
        identity, WARNER, of_counts(identity, WARNER, [[210, 140], [0, 0], [90, 180]])
    ).independence()
    expected = chi2_contingency([[210, 140], [90, 180]], correction=False)
    assert (found.statistic, found.degrees) == (pytest.approx(expected.statistic), 1)
    alone = cross(
        identity, WARNER, of_counts(identity, WARNER, [[210, 140], [0, 0], [0, 0]])
    ).independence()
    assert (alone.degrees, alone.p_value) == (0, 1)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=repr)
def test_shares_and_errors_are_means_over_respondents(first, second):
    """From every respondent's own decoded reports, of which the table knows only the counts of pairs."""
    _, _, reports, others = related(first, second, 500, 1)
    found = cross(first, second, pair_tally(first, reports, second, others))
    products = np.einsum("nu,nv->nuv", decoded(first, reports), decoded(second, others))
    assert found.shares == close(products.mean(axis=0), 1e-12)
    assert found.standard_errors == close(products.std(axis=0) / np.sqrt(500), 1e-12)


def reports_of(mechanism, truth):
    """Every report and its chance given a truth; of a choose-all mechanism the truth is a list."""
    if isinstance(mechanism, Matrix | DirectEncoding | Warner):
        return range(mechanism.size), np.array(mechanism.probabilities()[truth], dtype=float)
    k, p, q = mechanism.size, float(mechanism.p), float(mechanism.q)
    if isinstance(mechanism, SubsetSelection):
        sets = np.array(
            [np.isin(np.arange(k), each) for each in combinations(range(k), mechanism.width)]
        ).astype(int)
        kept = sets[:, truth] == 1
        return sets, np.where(kept, p / kept.sum(), (1 - p) / (~kept).sum())
    rows, chances = (
        np.array(list(product((0, 1), repeat=k))),
        np.where(np.isin(np.arange(k), truth), p, q),
    )
    return rows, np.where(rows, chances, 1 - chances).prod(axis=1)


def squares_of(mechanism, truth):
    """What a report decodes to for each answer, squared, on average given a truth."""
    reports, chances = reports_of(mechanism, truth)
    return chances @ decoded(mechanism, np.array(reports)) ** 2


def check_ends(ends, cell, shares, squares, own):
    """Each end is z errors from the cell at the share supposed, the others being as frequent as they are decoded.

    shares: decoded, of people by their truths. squares: the mean square of what their reports decode to.
    """
    weights = np.maximum(shares, 0)
    weights[own] = 0
    rest = np.average(squares, weights=weights)
    for end in ends:
        spread = end * squares[own] + (1 - end) * rest - end**2
        assert (cell - end) ** 2 == pytest.approx(3.841458820694124 * spread / 150, abs=1e-9)


@pytest.mark.parametrize(("first", "second"), [*PAIRS, (Matrix.identity(3), DIRECT)], ids=repr)
def test_cells_have_score_intervals(first, second):
    """By every report of every pair of truths."""
    _, _, reports, others = related(first, second, 150, 4)
    table = cross(first, second, pair_tally(first, reports, second, others))
    means = [
        np.array([squares_of(each, truth) for truth in range(each.size)])
        for each in (first, second)
    ]
    for u, v in np.ndindex(table.shares.shape):
        squares = np.outer(means[0][:, u], means[1][:, v])
        check_ends(table.intervals[u, v], table.shares[u, v], table.shares, squares, (u, v))


def test_cells_of_choose_all_answers_have_score_intervals():
    """A mark is true of people or not, whatever the others are."""
    rng = np.random.default_rng(7)
    chosen, group = rng.integers(0, 2, (150, 3)), rng.integers(0, 3, 150)
    marks, codes = ANY.randomize(chosen, rng), THREE.randomize(group, rng)
    of_mark = np.array([squares_of(ANY, [])[0], squares_of(ANY, [0])[0]])  # not true, true
    shares, groups = decoded(ANY, marks).mean(axis=0), decoded(THREE, codes).mean(axis=0)
    table = cross(ANY, THREE, pair_tally(ANY, marks, THREE, codes))
    turned = cross(THREE, ANY, pair_tally(THREE, codes, ANY, marks))
    assert turned.intervals == close(table.intervals.transpose(1, 0, 2), 1e-12)
    for u, v in np.ndindex(3, 3):
        people = np.stack([groups - table.shares[u], table.shares[u]])
        squares = np.outer(of_mark, [squares_of(THREE, truth)[v] for truth in range(3)])
        check_ends(table.intervals[u, v], table.shares[u, v], people, squares, (1, v))
    both = cross(ANY, ANY, pair_tally(ANY, marks, ANY, marks))
    for u, v in np.ndindex(3, 3):
        cell, one, other = both.shares[u, v], shares[u], shares[v]
        people = np.array([[1 - one - other + cell, other - cell], [one - cell, cell]])
        check_ends(both.intervals[u, v], cell, people, np.outer(of_mark, of_mark), (1, 1))


def test_cells_of_answers_as_they_are_have_wilsons_interval():
    identity, counts = Matrix.identity(2), np.array([[70, 0], [20, 60]])
    table = cross(identity, identity, of_counts(identity, identity, counts))
    assert table.intervals.reshape(4, 2) == close(
        intervals.wilson(counts.ravel(), 150, 0.95), 1e-12
    )


def test_a_cell_that_no_share_explains_has_the_error_of_the_nearest_one():
    """Everybody reported Yes twice: far fewer than nobody said Yes and No."""
    table = cross(WARNER, WARNER, of_counts(WARNER, WARNER, [[0, 0], [0, 150]]))
    cell, other = table.shares[1, 0], squares_of(WARNER, 1)[1] * squares_of(WARNER, 1)[0]
    assert cell == pytest.approx(-0.75)
    half = 1.959963984540054 * np.sqrt(other / 150)
    assert table.intervals[1, 0] == close([cell - half, cell + half], 1e-9)


def test_intervals_of_rare_cells_hold():
    """Warner 19/20, 150 people, both 2%: of Wald's 54 in 100 held the share, now 95."""
    mechanism, rng, held = Warner("19/20"), np.random.default_rng(8), 0
    for _ in range(600):
        one, other = (mechanism.randomize(rng.random(150) < 0.02, rng) for _ in range(2))
        low, high = cross(
            mechanism, mechanism, pair_tally(mechanism, one, mechanism, other)
        ).intervals[1, 1]
        held += low <= 0.0004 <= high
    assert 0.92 < held / 600 < 0.98


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=repr)
def test_the_covariance_is_that_of_respondents(first, second):
    """For matrices exactly; for bits, where it is made from the estimated shares, within chance."""
    _, _, reports, others = related(first, second, 6_000, 2)
    found = cross(first, second, pair_tally(first, reports, second, others))
    products = np.einsum("nu,nv->nuv", decoded(first, reports), decoded(second, others)).reshape(
        6_000, -1
    )
    expected = np.cov(products.T, bias=True) / 6_000
    exact = np.ndim(reports) == np.ndim(others) == 1
    assert found.covariance == close(expected, 1e-15 if exact else 0.1 * expected.max())


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=repr)
def test_independence_is_that_of_decoded_reports(first, second):
    _, _, reports, others = related(first, second, 500, 3)
    found = cross(first, second, pair_tally(first, reports, second, others)).independence()
    one, other = (
        each[:, 1:] - each[:, :1] for each in (decoded(first, reports), decoded(second, others))
    )
    both = np.cov(np.hstack([one, other]).T, bias=True)
    k = first.size - 1
    between = both[:k, k:]
    statistic = 500 * np.trace(
        np.linalg.solve(both[:k, :k], between) @ np.linalg.solve(both[k:, k:], between.T)
    )
    assert found.statistic == pytest.approx(statistic)
    assert found.degrees == (first.size - 1) * (second.size - 1)


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=repr)
def test_conditional_shares_are_ratios_with_the_errors_of_their_deviations(first, second):
    """The errors are those that the designs have on average, so they agree within chance."""
    _, _, reports, others = related(first, second, 8000, 4)
    tally = pair_tally(first, reports, second, others)
    found, table = cross(first, second, tally).rows(), cross(first, second, tally)
    row = first.estimate(tally.first, interval="wald").proportions[:, np.newaxis]
    assert found.shares == close(table.shares / row, 1e-12)
    one, other = decoded(first, reports), decoded(second, others)
    for u, v in np.ndindex(found.shares.shape):
        psi = (one[:, u] * other[:, v] - found.shares[u, v] * one[:, u]) / row[u, 0]
        assert found.standard_errors[u, v] == pytest.approx(psi.std() / np.sqrt(8000), rel=0.06)
    turned = cross(second, first, pair_tally(second, others, first, reports)).rows()
    columns = table.columns()
    assert columns.shares == close(turned.shares.T, 1e-12)
    assert columns.intervals == close(turned.intervals.transpose(1, 0, 2), 1e-12)


def test_shares_of_an_answer_that_nobody_seems_to_have_are_not_said():
    none = cross(THREE, WARNER, of_counts(THREE, WARNER, [[210, 140], [10, 10], [90, 180]])).rows()
    assert none.too_few.tolist() == [[False, False], [True, True], [False, False]]
    assert np.isnan(none.shares[1]).all()
    assert np.isnan(none.intervals[1]).all()


@pytest.mark.parametrize(
    "pair",
    [(DIRECT, THREE), (UNARY, WARNER), (WARNER, UNARY), (UNARY, SUBSET), (DIRECT, DIRECT)],
    ids=repr,
)
def test_tallies_add_up(pair):
    first, second = pair
    _, _, reports, others = related(first, second, 300, 5)
    parts = [
        pair_tally(first, reports[cut], second, others[cut])
        for cut in (slice(0, 100), slice(100, 300))
    ]
    whole = pair_tally(first, reports, second, others)
    assert parts[0] + parts[1] == whole
    assert whole.first.counts.tolist() == first.tally(reports).counts.tolist()
    assert whole.second.counts.tolist() == second.tally(others).counts.tolist()
    assert parts[0] != whole


def test_impossible_shares_have_possible_ones_beside_them():
    counts = [[260, 40], [30, 200], [70, 20]]
    table = cross(THREE, WARNER, of_counts(THREE, WARNER, counts))
    assert table.shares.min() < 0
    assert table.constrained_by == "maximum likelihood"
    assert table.constrained.min() >= 0
    assert table.constrained.sum() == pytest.approx(1)
    _, _, reports, others = related(UNARY, WARNER, 60, 1)
    table = cross(UNARY, WARNER, pair_tally(UNARY, reports, WARNER, others))
    assert table.constrained_by == "Norm-Sub"
    assert (table.constrained.min(), table.constrained.sum()) == (0, pytest.approx(1))


def test_choose_all_answers_have_a_table_with_errors():
    rng = np.random.default_rng(6)
    chosen, group = rng.integers(0, 2, (4000, 3)), rng.integers(0, 2, 4000)
    chosen[:, 0] |= group
    reports = ANY.randomize(chosen, rng)
    table = cross(ANY, Matrix.identity(2), pair_tally(ANY, reports, Matrix.identity(2), group))
    assert table.columns().shares[0] == pytest.approx(
        [chosen[group == g, 0].mean() for g in (0, 1)], abs=0.08
    )
    assert table.constrained_by == "clipping to [0, 1]"
    assert table.independence().degrees == 3
    assert table.independence().p_value < 1e-6
    with pytest.raises(ValueError, match="a question is choose-all; allowed"):
        _ = table.covariance
    assert table.phi(0, 1).value == pytest.approx(np.corrcoef(chosen[:, 0], group)[0, 1], abs=0.08)


def test_phi_and_odds_ratio_of_answers_as_they_are_are_the_usual_ones():
    identity, counts = Matrix.identity(2), np.array([[70, 30], [20, 80]])
    table = cross(identity, identity, of_counts(identity, identity, counts))
    assert table.phi().value == pytest.approx(
        np.sqrt(chi2_contingency(counts, correction=False).statistic / 200)
    )
    odds = table.odds_ratio()
    assert odds.value == pytest.approx(70 * 80 / (30 * 20))
    assert odds.standard_error == pytest.approx(odds.value * np.sqrt((1 / counts).sum()))
    assert np.log(odds.interval) == pytest.approx(
        np.log(odds.value) + np.array([-1, 1]) * 1.959963984540054 * np.sqrt((1 / counts).sum())
    )
    assert table.reason == ""


def test_phi_is_the_correlation():
    other = ForcedResponse("2/3", "1/6", "1/6")
    _, _, reports, others = related(WARNER, other, 3000, 7)
    table = cross(WARNER, other, pair_tally(WARNER, reports, other, others))
    found = correlate(Variable(reports, WARNER), Variable(others, other))
    assert np.array([found.value, found.standard_error, *found.interval]) == close(
        [table.phi().value, table.phi().standard_error, *table.phi().interval], 1e-12
    )
    mirrored = table.phi(0, 1)
    assert (mirrored.value, mirrored.standard_error) == (
        pytest.approx(-found.value),
        pytest.approx(found.standard_error),
    )


def test_what_cannot_be_said_of_a_table_has_a_reason():
    table = cross(WARNER, WARNER, of_counts(WARNER, WARNER, [[400, 100], [50, 100]]))
    assert table.phi() is None
    assert table.odds_ratio() is None
    assert table.reason.startswith("the share of the row is -0.03846; allowed")
    table = cross(WARNER, WARNER, of_counts(WARNER, WARNER, [[300, 90], [90, 170]]))
    assert table.odds_ratio() is None
    assert table.phi() is None  # a cell is far below 0
    assert table.reason.startswith(
        "the share of the column alone is -0.1962 with a standard error of 0.04072; allowed"
    )
    table = cross(WARNER, WARNER, of_counts(WARNER, WARNER, [[300, 120], [115, 120]]))
    assert (table.phi() is None, table.odds_ratio()) == (False, None)
    assert table.reason.startswith("the share of the column alone is -0.0")
    assert (
        cross(UNARY, WARNER, pair_tally(UNARY, ["1000"], WARNER, [1]))
        .why_none(0, 1)
        .startswith("the share of the row")
    )


def test_a_phi_beyond_one_is_a_bound():
    other = ForcedResponse("2/3", "1/6", "1/6")
    table = cross(WARNER, other, of_counts(WARNER, other, [[700, 190], [260, 250]]))
    phi = table.phi()
    assert (phi.value, phi.standard_error) == (close(1.1026303221, 1e-9), close(0.1089656778, 1e-9))
    assert phi.interval == (pytest.approx(0.8890615180562276), 1)
    turned = cross(WARNER, other, of_counts(WARNER, other, [[190, 700], [250, 260]])).phi()
    assert turned.interval == (-1, pytest.approx(-0.8890615180562276))


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ([[30, 14], [13, 12]], "the interval of phi is .*; allowed is one no longer than 1"),
        ([[300, 90], [90, 170]], "the share of the column alone is -0.1962 with a standard error"),
    ],
)
def test_no_phi_where_too_little_is_known(counts, why):
    table = cross(WARNER, WARNER, of_counts(WARNER, WARNER, counts))
    assert table.phi() is None
    assert re.match(why, table.reason)


def phis(share, n, surveys, seed, *, together=False):
    """Of two answers that are unrelated, or the same: the phi of each survey, None where none is said."""
    rng, other = np.random.default_rng(seed), Warner("4/5")
    several = []
    for _ in range(surveys):
        one = rng.random(n) < share
        two = one if together else rng.random(n) < share
        tally = pair_tally(WARNER, WARNER.randomize(one, rng), other, other.randomize(two, rng))
        several.append(cross(WARNER, other, tally).phi())
    return several


def test_no_phi_of_rare_unrelated_answers_is_beyond_one():
    """Of 200 people, 5% each, 17 in 100 surveys had one."""
    assert not any(phi and abs(phi.value) > 1 for phi in phis(0.05, 200, 200, 9))


def test_phi_is_known_where_enough_is():
    several = phis(0.3, 500, 200, 10)
    assert sum(each is None for each in several) <= 2
    assert np.mean([each.interval[0] <= 0 <= each.interval[1] for each in several if each]) > 0.9
    same = [each for each in phis(0.3, 500, 200, 11, together=True) if each]
    assert np.mean([each.interval[1] == 1 for each in same]) > 0.9


def test_correlations_of_numbers_and_answers():
    rng = np.random.default_rng(8)
    x = rng.normal(size=20_000)
    truth = (rng.random(20_000) < 1 / (1 + np.exp(-x))).astype(int)
    found = correlate(Variable(WARNER.randomize(truth, rng), WARNER), Variable(x))
    assert found.value == pytest.approx(np.corrcoef(truth, x)[0, 1], abs=4 * found.standard_error)
    plain = correlate(Variable(truth), Variable(x))
    assert plain.value == pytest.approx(np.corrcoef(truth, x)[0, 1], abs=1e-12)
    spread = [correlated(seed) for seed in range(200)]
    assert np.std([each.value for each in spread]) == pytest.approx(
        np.mean([each.standard_error for each in spread]), rel=0.15
    )


def correlated(seed, n=1000):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    truth = (rng.random(n) < 1 / (1 + np.exp(-x))).astype(int)
    return correlate(Variable(WARNER.randomize(truth, rng), WARNER), Variable(x))


def test_a_pair_tally_holds_only_what_fits():
    one, other = Tally(10, [6, 4]), Tally(10, [5, 5])
    assert PairTally(10, [[3, 3], [2, 2]], one, other).n == 10


@pytest.mark.parametrize("second", [UNARY, SUBSET], ids=["unary", "subset"])
def test_independence_from_counts_alone_has_the_covariance_of_the_design(second):
    """What a cut stores of marks: how often each was set, not which were set together."""
    one, _other, _, reports = related(Matrix.identity(3), second, 60_000, 5)
    whole = pair_tally(Matrix.identity(3), one, second, reports)
    counted = PairTally(whole.n, whole.counts, whole.first, Tally(whole.n, whole.second.counts))
    by_pairs, by_counts = (cross(Matrix.identity(3), second, each) for each in (whole, counted))
    assert by_counts.independence().degrees == by_pairs.independence().degrees
    assert by_counts.independence().statistic == pytest.approx(
        by_pairs.independence().statistic, rel=0.05
    )
    assert by_counts.standard_errors == close(by_pairs.standard_errors)
