"""Estimates, covariances and totals against the exact output distribution."""

import numpy as np
import pytest

from mechanisms import (
    DirectEncoding,
    Kuk,
    Mangat,
    Matrix,
    SubsetSelection,
    TwoCoin,
    UnaryEncoding,
    Warner,
)
from tests.mechanisms.enumeration import expected_tally, moments, some_weights, true_shares

MECHANISMS = [
    TwoCoin(),
    Warner("0.2"),
    Mangat("0.6"),
    Kuk("0.8", "0.2"),
    Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10),
    Matrix([[5, 1, 3, 1], [2, 4, 2, 2], [0, 1, 8, 1], [3, 3, 3, 1]], 10),
    DirectEncoding(5, 1),
    UnaryEncoding(2, "3/4", "1/4"),
    UnaryEncoding(5, "1/2", "1/5"),
    UnaryEncoding(4, "1/5", "2/3"),
    UnaryEncoding(4, "3/4", "1/4", "any"),
    *(SubsetSelection(5, 1, width) for width in (1, 2, 3, 4)),
    SubsetSelection(2, 1),
    SubsetSelection.from_integers(6, 3, 1, 10),
]
parametrize = pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)


def estimate_of(mechanism, weights):
    tally = expected_tally(mechanism, weights, pairs=True)
    return mechanism.estimate(tally, interval="wald")


@parametrize
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_estimate_of_the_expected_tally_is_the_truth(mechanism, seed):
    weights = some_weights(mechanism, seed)
    assert estimate_of(mechanism, weights).proportions == pytest.approx(
        true_shares(mechanism, weights), abs=1e-9
    )


@parametrize
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_covariance_is_the_enumerated_one(mechanism, seed):
    weights = some_weights(mechanism, seed)
    estimate = estimate_of(mechanism, weights)
    expected = mechanism.decode_covariance(moments(mechanism, weights)[1])
    assert estimate.covariance * estimate.n == pytest.approx(expected, abs=1e-9)
    assert estimate.standard_errors**2 * estimate.n == pytest.approx(expected.diagonal(), abs=1e-9)


@parametrize
def test_the_error_of_a_total_is_that_of_the_summed_reports(mechanism):
    weights = some_weights(mechanism)
    estimate = estimate_of(mechanism, weights)
    picked = [0, mechanism.size - 1]

    total, error = estimate.total(picked)

    expected = mechanism.decode_covariance(moments(mechanism, weights)[1])[
        np.ix_(picked, picked)
    ].sum()
    assert total == pytest.approx(true_shares(mechanism, weights)[picked].sum(), abs=1e-9)
    assert error**2 * estimate.n == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("mechanism", [TwoCoin(), DirectEncoding(5, 1)], ids=repr)
def test_the_total_of_all_answers_is_certain_where_each_report_is_one_answer(mechanism):
    total, error = estimate_of(mechanism, some_weights(mechanism)).total(range(mechanism.size))
    assert total == pytest.approx(1)
    assert error == pytest.approx(0, abs=1e-12)


def test_the_total_of_no_answers_is_nothing():
    assert estimate_of(TwoCoin(), some_weights(TwoCoin())).total([]) == (0, 0)


def test_standard_errors_agree_with_repeated_surveys():
    """Not only the formula: 2,000 small surveys scatter as their standard errors say."""
    rng = np.random.default_rng(11)
    for mechanism in (DirectEncoding(4, 1), UnaryEncoding.symmetric(4, 1), SubsetSelection(6, 1)):
        truths = rng.integers(0, mechanism.size, (2000, 200)) // 2
        estimates = [
            mechanism.estimate(mechanism.tally(mechanism.randomize(row, rng))) for row in truths
        ]
        scatter = np.std([estimate.proportions for estimate in estimates], axis=0)
        errors = np.mean([estimate.standard_errors for estimate in estimates], axis=0)
        assert scatter / errors == pytest.approx(1, abs=0.08), mechanism


def test_covariance_of_choose_all_from_rows_beats_no_model():
    """Answers that go together: the pairs show it, and the total's error is right."""
    rng = np.random.default_rng(12)
    mechanism = UnaryEncoding(3, "9/10", "1/10", "any")
    both = rng.integers(0, 2, (50_000, 1))
    reports = mechanism.randomize(np.hstack([both, both, 1 - both]), rng)
    covariance = mechanism.estimate(mechanism.tally(reports, pairs=True)).covariance * 50_000
    assert covariance[0, 1] == pytest.approx(0.25, abs=0.02)
    assert covariance[0, 2] == pytest.approx(-0.25, abs=0.02)
