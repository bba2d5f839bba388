"""A randomized question as explanation."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mechanisms import (
    DirectEncoding,
    Matrix,
    SubsetSelection,
    Variable,
    Warner,
    regress,
    regress_on,
)
from mechanisms.analysis import hidden
from tests.mechanisms.nigeria import simulated

WARNER = Warner("3/4")
CELLS = np.array([[x, report, y] for x in (0, 1) for report in (0, 1) for y in (0, 1)])
COUNTS = [310, 160, 150, 140, 205, 165, 160, 210]
DESIGN = np.column_stack([np.ones(8), CELLS[:, 0]])


def close(value, tolerance=1e-9):
    return pytest.approx(np.array(value), rel=0, abs=tolerance)


def respondents(n, seed, effect=1.5):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.integers(0, 2, n), rng.integers(-3, 4, n) / 3])
    z = (rng.random(n) < 1 / (1 + np.exp(0.5 - design[:, 1]))).astype(int)
    line = design @ [-0.5, 0.4, -0.3] + effect * z
    return design, z, line, rng


def test_an_outcome_on_a_randomized_answer():
    found = regress_on(CELLS[:, 2], WARNER, CELLS[:, 1], DESIGN, counts=COUNTS)
    assert found.own_coefficients == close([-1.004558842, 1.004403862])
    assert found.coefficients == close([-0.758830970, 0.202343010, 1.171903278], 2e-9)
    assert found.standard_errors[-1] == close(0.243938027)
    assert found.log_likelihood == close(-2028.2399029, 1e-7)
    assert (found.n, found.verdict, found.converged, found.sigma) == (1500, "fine", True, None)
    assert found.interval()[2] == close(
        1.171903278 + np.array([-1, 1]) * 1.959963984540054 * 0.243938027, 1e-8
    )


def test_of_answers_as_they_are_it_is_the_plain_logit():
    design, z, line, rng = respondents(2000, 1)
    y = (rng.random(2000) < 1 / (1 + np.exp(-line))).astype(int)
    found = regress_on(y, Matrix.identity(2), z, design)
    plain = regress(Matrix.identity(2), y, np.column_stack([design, z]))
    own = regress(Matrix.identity(2), z, design)
    assert found.coefficients == close(plain.coefficients, 1e-8)
    assert found.standard_errors == close(plain.standard_errors, 1e-8)
    assert found.own_coefficients == close(own.coefficients, 1e-8)
    assert found.log_likelihood == close(plain.log_likelihood + own.log_likelihood, 1e-6)
    assert found.test(3).statistic == close(plain.test(3).statistic, 1e-6)
    assert found.test([1, 2]).statistic == close(plain.test([1, 2]).statistic, 1e-6)


def test_of_answers_as_they_are_the_normal_one_is_least_squares():
    design, z, line, rng = respondents(2000, 2)
    y = line + rng.normal(size=2000) * 2
    found = regress_on(y, Matrix.identity(2), z, design, family="normal")
    wide = np.column_stack([design, z])
    expected, squares = np.linalg.lstsq(wide, y, rcond=None)[:2]
    sigma = np.sqrt(squares[0] / 2000)
    assert found.coefficients == close(expected, 1e-8)
    assert found.sigma == close(sigma, 1e-8)
    assert found.standard_errors == close(
        sigma * np.sqrt(np.linalg.inv(wide.T @ wide).diagonal()), 1e-8
    )
    assert found.covariance[-1, -1] == close(1 / 4000, 1e-9)  # of ln sigma


@pytest.mark.parametrize(
    "mechanism", [WARNER, DirectEncoding(2, 2), SubsetSelection(4, 2)], ids=repr
)
@pytest.mark.parametrize("family", ["logit", "normal"])
def test_another_search_finds_no_better_place(mechanism, family):
    design, z, line, rng = respondents(1500, 3)
    reports = mechanism.randomize(z, rng)
    y = (
        (rng.random(1500) < 1 / (1 + np.exp(-line))).astype(int)
        if family == "logit"
        else line + rng.normal(size=1500)
    )
    found = regress_on(y, mechanism, reports, design, own=design[:, :2], family=family)
    said = reports[:, 1] if np.ndim(reports) == 2 else reports
    q, p = (
        float(mechanism.line().offset[1] + mechanism.line().slope[1] * truth) for truth in (0, 1)
    )

    def loss(place):
        share = 1 / (1 + np.exp(-design[:, :2] @ place[:2]))
        each = 0.0
        for state, chance in ((0, q), (1, p)):
            mean = design @ place[2:5] + place[5] * state
            of_y = 1 / (1 + np.exp(np.where(y == 1, -mean, mean)))
            if family == "normal":
                of_y = np.exp(-((y - mean) ** 2) / 2 / np.exp(2 * place[6]) - place[6]) / np.sqrt(
                    2 * np.pi
                )
            each = (
                each
                + np.where(said == 1, chance, 1 - chance) * (share if state else 1 - share) * of_y
            )
        return -np.log(each).sum()

    place = np.concatenate(
        [found.own_coefficients, found.coefficients, np.log([found.sigma or 1.0])]
    )
    place = place if family == "normal" else place[:-1]
    assert found.log_likelihood == close(-loss(place), 1e-7)
    assert minimize(loss, place, method="BFGS").fun >= loss(place) - 1e-6


def test_a_randomized_outcome():
    """With a spinner that always shows the statement it is the outcome as it is; with noise it is near it."""
    sure = regress_on(Variable(CELLS[:, 2], Warner(1)), WARNER, CELLS[:, 1], DESIGN, counts=COUNTS)
    plain = regress_on(CELLS[:, 2], WARNER, CELLS[:, 1], DESIGN, counts=COUNTS)
    assert sure.coefficients == close(plain.coefficients)
    design, z, line, rng = respondents(60_000, 4)
    y = (rng.random(60_000) < 1 / (1 + np.exp(-line))).astype(int)
    other = DirectEncoding(2, 1.5)
    found = regress_on(
        Variable(other.randomize(y, rng), other), WARNER, WARNER.randomize(z, rng), design
    )
    assert np.abs((found.coefficients - [-0.5, 0.4, -0.3, 1.5]) / found.standard_errors).max() < 3.5


@pytest.mark.parametrize("family", ["logit", "normal"])
def test_slopes_are_differences_of_the_log_likelihood(family):
    design, z, line, rng = respondents(300, 5)
    y = line + rng.normal(size=300) if family == "normal" else (line > 0).astype(int)
    model = regress_on(
        y, WARNER, WARNER.randomize(z, rng), design, own=design[:, :2], family=family
    )
    blocks = hidden.Blocks(slice(3, 5), slice(0, 3), 5 if family == "normal" else None)
    place = rng.normal(size=7 if family == "normal" else 6) * 0.5
    at, step = hidden.look(model._cells, blocks, place), 1e-5
    for parameter in range(place.size):
        moved = [place + sign * step * np.eye(place.size)[parameter] for sign in (1, -1)]
        up, down = (hidden.look(model._cells, blocks, each) for each in moved)
        slope = (up.log_likelihood - down.log_likelihood) / (2 * step)
        assert at.score[parameter] == pytest.approx(slope, rel=1e-6, abs=1e-6)
        assert at.observed_information[parameter] == pytest.approx(
            -(up.score - down.score) / (2 * step), rel=1e-5, abs=1e-4
        )


def test_a_difference_of_shares_and_its_error_are_those_of_the_parameters():
    """By hand, the slopes by finite differences: of z, and of a question with z as its own model says."""
    found = regress_on(CELLS[:, 2], WARNER, CELLS[:, 1], DESIGN, counts=COUNTS)
    design, people = np.array([[1.0, 0], [1, 1]]), np.array([sum(COUNTS[:4]), sum(COUNTS[4:])])
    at = np.concatenate([found.own_coefficients, found.coefficients])
    wide = design.copy()
    wide[:, 1] = 1
    none = design.copy()
    none[:, 1] = 0

    def expit(odds):
        return 1 / (1 + np.exp(-odds))

    def of_z(place):
        return (
            people
            @ (expit(design @ place[2:4] + place[4]) - expit(design @ place[2:4]))
            / people.sum()
        )

    def of_x(place):
        of = [
            expit(wide @ place[2:4] + z * place[4]) - expit(none @ place[2:4] + z * place[4])
            for z in (0, 1)
        ]
        share = expit(design @ place[:2])
        return people @ ((1 - share) * of[0] + share * of[1]) / people.sum()

    for expected, effect in (
        (of_z, found.effect(design, design, people, z=(1, 0))),
        (of_x, found.effect(wide, none, people, own=design)),
    ):
        slope = np.array(
            [(expected(at + step) - expected(at - step)) / 2e-6 for step in 1e-6 * np.eye(5)]
        )
        assert effect == pytest.approx(
            (expected(at), np.sqrt(slope @ found.covariance @ slope)), rel=1e-7
        )


def test_rows_that_were_not_asked_are_left_out():
    data = np.vstack([CELLS, [0, 9, 9]])
    design, counts = np.vstack([DESIGN, [1, 5]]), [*COUNTS, 40]
    found = regress_on(
        data[:, 2], WARNER, data[:, 1], design, counts=counts, asked=np.arange(9) < 8
    )
    assert found.coefficients == close([-0.758830970, 0.202343010, 1.171903278], 2e-9)


def test_a_trait_that_hardly_anybody_has_explains_nothing():
    data, _ = simulated(WARNER, 400, 0.1, 6)
    found = regress_on(data["reports"], WARNER, np.arange(400) % 4 == 0, data["design"])
    assert found.verdict == "boundary"
    assert "effective events" in found.reason
