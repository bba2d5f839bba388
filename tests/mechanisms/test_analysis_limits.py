"""Where numbers are very large or small, reports prove something, or there is hardly anything to fit."""

import numpy as np
import pytest

from mechanisms import (
    ForcedResponse,
    Mangat,
    Matrix,
    OneSided,
    SubsetSelection,
    Triangular,
    UnaryEncoding,
    Warner,
    cross,
    least_squares,
    pair_tally,
    rake,
    regress,
    regress_on,
    weighted_estimate,
)
from tests.mechanisms.nigeria import expanded, nigeria, simulated

pytestmark = pytest.mark.filterwarnings("error")
FORCED = ForcedResponse("2/3", "1/6", "1/6")
DIRECT = Matrix.identity(2)
ROWS = expanded(**nigeria())


def close(value, tolerance=1e-9):
    return pytest.approx(np.array(value), rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("size", [1e-200, 1e-12, 1e12, 1e200])
def test_the_size_of_weights_does_not_matter(size):
    weights = np.random.default_rng(1).uniform(0.5, 2, 2435)
    for model in (regress, least_squares):
        one, other = (model(FORCED, **ROWS, weights=weights * times) for times in (1, size))
        assert other.coefficients == close(one.coefficients)
        assert other.standard_errors == close(one.standard_errors)
        assert other.effective_n == pytest.approx(one.effective_n)
    one, other = (
        weighted_estimate(FORCED, ROWS["reports"], weights * times) for times in (1, size)
    )
    assert list(other)[:2] == close(list(one)[:2])


def test_one_huge_weight_leaves_one_respondent():
    weights = np.ones(2435)
    weights[0] = 1e9
    found = regress(FORCED, **ROWS, weights=weights)
    assert found.effective_n == pytest.approx(1, abs=1e-5)
    assert (found.verdict, found.odds_ratios) == ("boundary", None)


def test_more_people_than_there_are():
    data = nigeria()
    data["counts"] = data["counts"] * 10**11
    found = regress(FORCED, **data)
    assert found.coefficients == close([-0.761980358658, -0.648702036683], 1e-8)
    assert found.standard_errors * np.sqrt(1e11) == close([0.092593041614, 0.159425376584], 1e-8)


@pytest.mark.parametrize("size", [1e-120, 1e-30, 1e30, 1e120])
def test_the_size_of_a_column_does_not_matter(size):
    data = nigeria()
    data["design"] = data["design"] * [1, size]
    for model in (regress, least_squares):
        found, plain = model(FORCED, **data), model(FORCED, **nigeria())
        assert found.coefficients * [1, size] == close(plain.coefficients)
        assert found.test(1).p_value == pytest.approx(plain.test(1).p_value, rel=1e-6)


@pytest.mark.parametrize(
    "mechanism",
    [OneSided("1/10"), Mangat("0.9"), Triangular("1/4"), Warner(1), Warner(0), DIRECT],
    ids=repr,
)
def test_reports_that_prove_something_are_analysed(mechanism):
    """Their epsilon is infinite, so no survey may use them; others' data may."""
    found = regress(mechanism, **nigeria())
    shares = found.predict([[1, 0], [1, 1]]).shares
    line = mechanism.line()
    assert shares == close((np.array([497 / 1312, 334 / 1123]) - line.offset[1]) / line.slope[1])
    assert found.expected_standard_errors == close(found.standard_errors)
    assert np.isfinite(found.profile_interval(1)).all()


@pytest.mark.parametrize(
    "mechanism",
    [
        UnaryEncoding(2, "3/4", "1/4"),
        UnaryEncoding(2, 1, "1/4"),
        UnaryEncoding(3, 1, 0),
        UnaryEncoding(3, "1/2", 0),
        UnaryEncoding(3, 0, 1),
        UnaryEncoding(3, "1/2", 1),
        UnaryEncoding(3, "1/4", "3/4"),
        SubsetSelection(2, 1),
        SubsetSelection.from_integers(3, 1, 10, 10),
    ],
    ids=repr,
)
def test_whole_reports_of_unusual_bits(mechanism):
    data, truths = simulated(mechanism, 4000, 0.5, 1, mechanism.size)
    found = regress(mechanism, **data, choice=None)
    plain = regress(Matrix.identity(mechanism.size), truths, data["design"], choice=None)
    assert found.converged
    assert np.abs((found.coefficients - plain.coefficients) / found.standard_errors).max() < 4
    shares = (
        regress(mechanism, data["reports"], np.ones((4000, 1)), choice=None)
        .predict([[1]])
        .shares[0]
    )
    assert shares == pytest.approx(mechanism.maximum_likelihood(data["reports"]), abs=1e-5)


def test_two_bits_of_a_yes_no_question_are_one():
    """With p + q = 1 and one of two answers true, 10 and 01 tell, 11 and 00 do not."""
    unary = UnaryEncoding(2, "3/4", "1/4")
    data, _ = simulated(unary, 3000, 0.5, 2)
    telling = data["reports"][:, 0] != data["reports"][:, 1]
    found = regress(unary, **data, choice=None)
    spinner = regress(Warner("9/10"), data["reports"][telling, 1], data["design"][telling])
    assert found.coefficients[:, 0] == close(spinner.coefficients, 1e-8)
    assert found.standard_errors[:, 0] == close(spinner.standard_errors, 1e-8)


def test_nobody_says_yes():
    found = regress(DIRECT, np.zeros(300, dtype=int), np.ones((300, 1)))
    assert found.verdict == "boundary"
    low, high = found.profile_interval(0)
    assert (low, high) == (
        -np.inf,
        pytest.approx(np.log(np.expm1(1.920729410347062 / 300)), abs=1e-5),
    )
    assert found.predict([[1]]).intervals == close([[0, 1]], 1e-6)
    assert found.instead.coefficients == close([0])


def test_a_number_that_tells_the_answers_apart():
    design = np.column_stack([np.ones(300), np.arange(300)])
    yes = (np.arange(300) > 150).astype(int)
    for mechanism in (DIRECT, Warner("9/10")):
        reports = mechanism.randomize(yes, 1)
        found = regress(mechanism, reports, design)
        assert found.verdict == "boundary"
        assert found.profile_interval(1)[1] == np.inf or mechanism != DIRECT
        assert found.instead.coefficients[1] > 0
        assert regress_on(yes, mechanism, reports, design).verdict == "boundary"


def test_a_design_of_one_column_that_is_not_ones():
    found = regress(FORCED, ROWS["reports"], ROWS["design"][:, :1] * 7)
    assert found.coefficients * 7 == close([-1.036066640842], 1e-10)
    assert found.test(0).degrees == 1


def test_tables_of_hardly_anybody():
    table = cross(Warner("3/4"), FORCED, pair_tally(Warner("3/4"), [1], FORCED, [0]))
    assert table.standard_errors == close(np.zeros((2, 2)), 1e-7)
    assert (table.phi(), table.independence().p_value) == (None, 1)
    assert table.constrained.sum() == pytest.approx(1)
    sure = cross(DIRECT, DIRECT, pair_tally(DIRECT, [0, 0, 1, 1], DIRECT, [0, 0, 1, 1]))
    assert (sure.phi().value, sure.odds_ratio()) == (pytest.approx(1), None)
    assert sure.rows().shares == close(np.eye(2))


def test_weights_of_very_different_cells():
    weights = rake([[1, 1], [1, 10**9]], [[1e-9, 1 - 1e-9], [0.5, 0.5]])
    assert (weights * [[1, 1], [1, 10**9]]).sum(axis=0) / (10**9 + 3) == close([0.5, 0.5], 1e-12)
