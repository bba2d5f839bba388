"""Weights, weighted shares, and p-values of several tests."""

import numpy as np
import pytest

from mechanisms import (
    ConvergenceError,
    Matrix,
    UnaryEncoding,
    Warner,
    Window,
    benjamini_hochberg,
    holm,
    rake,
    weighted_estimate,
)
from mechanisms.analysis.weights import effective_respondents

WARNER = Warner("3/4")
T, YES = np.array([[90, 60], [120, 95], [70, 55]]), np.array([[36, 28], [50, 45], [33, 30]])
POPULATION = np.array([[0.12, 0.10], [0.20, 0.22], [0.16, 0.20]])
CELL, REPORT = np.repeat(np.arange(6), 2), np.tile([0, 1], 6)
COUNTS = np.stack([(T - YES).ravel(), YES.ravel()], axis=1).ravel()


def close(value, tolerance=1e-9):
    return pytest.approx(np.array(value), rel=0, abs=tolerance)


def test_post_stratification():
    weights = rake(T, POPULATION)
    found = weighted_estimate(WARNER, REPORT, weights.ravel()[CELL], margins=CELL, counts=COUNTS)
    assert (found.share, found.standard_error) == (
        close(0.4334600137, 1e-10),
        close(0.0473499765, 1e-10),
    )
    decoded = (YES / T - 0.25) / 0.5
    assert found.share == pytest.approx((POPULATION * decoded).sum())
    assert found.n == 490
    assert found.effective_n == pytest.approx(490**2 / (T * weights**2).sum())
    assert found.design_effect == pytest.approx(490 / found.effective_n)
    assert rake(T.ravel(), [POPULATION.ravel()]) == close(weights.ravel(), 1e-15)
    assert effective_respondents(found, (0.5, 0.25)) == close(441.9966283784, 1e-8)
    assert found.interval == close((0.3414134502, 0.5266532294), 1e-8)


def test_decoded_reports_of_a_line_have_the_same_interval():
    weights = rake(T, POPULATION).ravel()[CELL]
    options = {"margins": CELL, "counts": COUNTS}
    whole = weighted_estimate(WARNER, REPORT, weights, **options)
    decoded = weighted_estimate(None, (REPORT - 0.25) / 0.5, weights, line=(0.5, 0.25), **options)
    assert (decoded.share, *decoded.interval) == close([whole.share, *whole.interval], 1e-12)
    turned = weighted_estimate(WARNER, REPORT, weights, choice=0, **options)
    assert turned.interval == close([1 - end for end in whole.interval[::-1]], 1e-12)


def test_intervals_of_weighted_shares_are_wilsons_where_few_vary():
    """Nobody reported Yes: no variance, and Wilson's of Kish's n; not scrambled, of a number up to n."""
    weights = np.tile([1.0, 2.0], 50)
    none = weighted_estimate(Warner("19/20"), np.zeros(100, int), weights)
    expected = 3.841458820694124 / (none.effective_n + 3.841458820694124)
    assert none.standard_error == pytest.approx(0, abs=1e-15)
    assert none.interval == close([(0 - 0.05) / 0.9, (expected - 0.05) / 0.9], 1e-12)
    plain = weighted_estimate(Matrix.identity(2), np.zeros(100, int), weights)
    assert plain.interval == close([0, 3.841458820694124 / 103.841458820694124], 1e-12)


def test_what_has_no_line_and_what_has_a_population_have_walds_interval():
    matrix = Matrix([[8, 1, 1], [1, 8, 1], [1, 1, 8]], 10)
    rng = np.random.default_rng(3)
    estimates = [
        weighted_estimate(matrix, rng.integers(0, 3, 90), rng.uniform(1, 2, 90)),
        weighted_estimate(WARNER, rng.integers(0, 2, 90), rng.uniform(1, 2, 90), population=150),
        weighted_estimate(None, rng.normal(size=90), rng.uniform(1, 2, 90)),
    ]
    for each in estimates:
        half = 1.959963984540054 * each.standard_error
        assert each.interval == close([each.share - half, each.share + half], 1e-12)


def test_a_weighted_mean_varies_no_less_than_the_design():
    mechanism, weights = Window(11, 4), np.tile([1.0, 2.0], 20)
    scores, least = (
        mechanism.unbiased_weights(np.arange(11.0))[np.full(40, 7)],
        mechanism.least_variance(np.arange(11.0)),
    )
    estimate = weighted_estimate(None, scores, weights, least=least)
    assert estimate.standard_error == pytest.approx(np.sqrt(least / estimate.effective_n))
    assert weighted_estimate(None, scores, weights).standard_error == pytest.approx(0, abs=1e-9)


def test_weighted_intervals_hold_rare_shares_too():
    """Warner 19/20, 150 people, 2%: by Wald's 91 of 100 held, now 95."""
    mechanism, rng, cells = Warner("19/20"), np.random.default_rng(6), np.repeat([0, 1], [50, 100])
    weights = np.where(cells, 0.75, 1.5)  # to one half each
    held = 0
    for _ in range(1_000):
        reports = mechanism.randomize(rng.random(150) < 0.02, rng)
        low, high = weighted_estimate(mechanism, reports, weights, margins=cells).interval
        held += low <= 0.02 <= high
    assert 0.935 < held / 1_000 < 0.98


def test_raking_meets_all_margins():
    wanted = [[0.3, 0.4, 0.3], [0.55, 0.45]]
    weights = rake(T, wanted)
    assert (weights * T).sum(axis=1) / 490 == close(wanted[0], 1e-12)
    assert (weights * T).sum(axis=0) / 490 == close(wanted[1], 1e-12)
    odds = weights[0, 0] * weights[1, 1] / (weights[0, 1] * weights[1, 0])
    assert odds == pytest.approx(1)  # a factor for each row times one for each column
    assert rake(T, [[300, 400, 300], [550, 450]]) == close(weights, 1e-12)


def test_raking_to_what_is_there_changes_nothing():
    assert rake(T, [T.sum(axis=1), T.sum(axis=0)]) == close(np.ones((3, 2)), 1e-12)


def test_empty_cells_are_no_harm_where_the_margins_can_be_met():
    counts = np.array([[40, 0, 10], [20, 30, 5]])
    weights = rake(counts, [[0.5, 0.5], [0.5, 0.3, 0.2]])
    assert (weights * counts).sum(axis=0) / 105 == close([0.5, 0.3, 0.2], 1e-12)
    assert weights[0, 1] == 1


def test_margins_that_cannot_be_met_name_the_cells():
    with pytest.raises(
        ConvergenceError,
        match=r"margins\[0\] .* nobody is in cells \[\(0, 1\), \(1, 0\)\]; allowed",
    ):
        rake([[5, 0], [0, 5]], [[0.5, 0.5], [0.4, 0.6]])


def test_raked_errors_are_those_of_residuals_beside_the_margins():
    weights = rake(T, [[0.3, 0.4, 0.3], [0.55, 0.45]]).ravel()[CELL]
    margins = np.column_stack([CELL // 2, CELL % 2])
    found = weighted_estimate(WARNER, REPORT, weights, margins=margins, counts=COUNTS)
    rows = np.repeat(np.arange(12), COUNTS)
    w, d = weights[rows], (REPORT[rows] - 0.25) / 0.5
    groups = np.hstack([np.eye(3)[margins[rows, 0]], np.eye(2)[margins[rows, 1]]])
    root = np.sqrt(w)[:, np.newaxis]
    fitted = groups @ np.linalg.lstsq(groups * root, d * root[:, 0], rcond=None)[0]
    assert found.share == pytest.approx(np.average(d, weights=w))
    assert found.standard_error == pytest.approx(
        np.sqrt(490 / 489 * (w**2 * (d - fitted) ** 2).sum()) / w.sum()
    )
    row_by_row = weighted_estimate(WARNER, REPORT[rows], w, margins=margins[rows])
    assert list(row_by_row)[:2] == close(list(found)[:2], 1e-12)
    listed = weighted_estimate(
        WARNER, REPORT, weights, margins=[CELL // 2, CELL % 2], counts=COUNTS
    )
    assert list(listed)[:2] == close(list(found)[:2], 1e-15)


def test_equal_weights_give_the_estimate():
    reports = np.repeat([0, 1], [240, 160])
    found, plain = (
        weighted_estimate(WARNER, reports, np.full(400, 7.0)),
        WARNER.estimate(WARNER.tally(reports), interval="wald"),
    )
    assert found.share == pytest.approx(plain.proportions[1])
    assert found.standard_error == pytest.approx(plain.standard_errors[1] * np.sqrt(400 / 399))
    assert found.effective_n == pytest.approx(400)


@pytest.mark.parametrize(
    "mechanism",
    [UnaryEncoding(3, "3/4", "1/4"), Matrix([[8, 1, 1], [1, 8, 1], [1, 1, 8]], 10)],
    ids=repr,
)
def test_weighted_shares_of_a_choice(mechanism):
    rng = np.random.default_rng(1)
    reports, weights = mechanism.randomize(rng.integers(0, 3, 500), rng), rng.uniform(0.5, 2, 500)
    rows = reports if reports.ndim == 2 else np.eye(3)[reports]
    d = np.stack([mechanism.decode(row) for row in rows.astype(float)])[:, 2]
    found = weighted_estimate(mechanism, reports, weights, choice=2)
    assert found.share == pytest.approx(np.average(d, weights=weights))
    error = np.sqrt(500 / 499 * (weights**2 * (d - found.share) ** 2).sum()) / weights.sum()
    assert found.standard_error == pytest.approx(error)


def test_chances_of_being_asked_and_a_known_population():
    """Horvitz and Thompson's total with what randomizing adds and Deville's variance, row by row."""
    rng = np.random.default_rng(2)
    reports, chance = rng.integers(0, 2, 60), rng.choice([0.05, 0.1, 0.25, 1], 60)
    r = (reports - 0.25) / 0.5
    each = (1 - chance) / (1 - chance).sum()
    center = (each * r / chance).sum()
    deville = ((1 - chance) * (r / chance - center) ** 2).sum() / (1 - (each**2).sum())
    found = weighted_estimate(WARNER, reports, 1 / chance, population=900)
    assert found.share == pytest.approx((r / chance).sum() / 900)
    assert found.standard_error == pytest.approx(
        np.sqrt((r * (r - 1) / chance).sum() + deville) / 900
    )
    everybody = weighted_estimate(WARNER, reports, np.ones(60), population=60)
    assert everybody.standard_error == pytest.approx(np.sqrt(0.1875 / 0.25 / 60))


def test_numbers_that_are_decoded_already():
    numbers = np.array([0.5, -0.5, 1.5, 0.5])
    found = weighted_estimate(None, numbers, [1, 1, 2, 1])
    assert found.share == pytest.approx(np.average(numbers, weights=[1, 1, 2, 1]))


def test_p_values_of_several_tests():
    assert holm([0.001, 0.02, 0.03, 0.04, 0.5]) == close([0.005, 0.08, 0.09, 0.09, 0.5], 1e-15)
    assert benjamini_hochberg([0.001, 0.02, 0.03, 0.04, 0.5]) == close(
        [0.005, 0.05, 0.05, 0.05, 0.5], 1e-15
    )
    assert holm([0.5, 0.001, 0.04, 0.02, 0.03]) == close([0.5, 0.005, 0.09, 0.08, 0.09], 1e-15)
    assert holm([0.6, 0.7]) == close([1, 1], 0)
    assert holm([]).size == benjamini_hochberg([]).size == 0
