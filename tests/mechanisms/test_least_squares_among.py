"""Means among those who gave a number, explained: against the ratio of two means, OLS, and instrumental variables."""

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS
from statsmodels.sandbox.regression.gmm import IV2SLS

from mechanisms import Window, least_squares, least_squares_among

HOURS = Window(11, 2.0, aside=True)
SCORE = HOURS.unbiased_weights(
    np.append(np.arange(11.0), 0)
)  # of a report: its mean is the hours, 0 where none were given
GIVEN = HOURS.unbiased_weights(np.append(np.ones(11), 0))  # its mean is whether hours were given
PLAIN = Window(11, 2.0)


def survey(n=4000, seed=1):
    """Hours that rise with a group and a number, of whom fewer give any in the group; and the design."""
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.integers(0, 2, n), rng.normal(size=n).round(1)])
    hours = np.clip(
        rng.binomial(8, 0.4, n) + 2 * design[:, 1] + design[:, 2].round(), 0, 10
    ).astype(int)
    declined = rng.random(n) < 0.1 + 0.2 * design[:, 1]
    return np.where(declined, 11, hours), design, rng


def test_a_one_alone_is_the_reports_mean():
    truths, _, rng = survey()
    reports = HOURS.randomize(truths, rng)
    found = least_squares_among(SCORE[reports], GIVEN[reports], np.ones((4000, 1)))
    mean = HOURS.mean(HOURS.tally(reports))
    assert found.coefficients[0] == pytest.approx(mean.value, rel=1e-12)
    assert found.standard_errors[0] == pytest.approx(
        mean.standard_error * np.sqrt(4000 / 3999), rel=1e-10
    )


def test_two_groups_differ_as_their_means_do():
    truths, design, rng = survey()
    reports, group = HOURS.randomize(truths, rng), design[:, 1] == 1
    found = least_squares_among(SCORE[reports], GIVEN[reports], design[:, :2])
    one, other = (HOURS.mean(HOURS.tally(reports[members])) for members in (group, ~group))
    assert found.coefficients[1] == pytest.approx(one.value - other.value, rel=1e-12)
    errors = np.hypot(one.standard_error, other.standard_error)
    assert found.standard_errors[1] == pytest.approx(errors * np.sqrt(4000 / 3998), rel=1e-9)


def test_where_all_gave_one_it_is_least_squares():
    truths, design, rng = survey()
    reports = PLAIN.randomize(np.minimum(truths, 10), rng)
    score = PLAIN.unbiased_weights(np.arange(11.0))[reports]
    found, plain = (
        least_squares_among(score, np.ones(4000), design),
        least_squares(None, score, design),
    )
    peer = OLS(score, design).fit(cov_type="HC1")
    for each in (found, plain):
        assert each.coefficients == pytest.approx(peer.params, rel=1e-10)
        assert each.standard_errors == pytest.approx(peer.bse, rel=1e-10)
    assert found.test([1, 2]).statistic == pytest.approx(
        float(peer.wald_test(np.eye(3)[1:], scalar=True).statistic), rel=1e-8
    )


def test_where_it_is_known_who_gave_one_it_is_least_squares_of_these():
    truths, design, _ = survey()
    gave = truths < 11
    found = least_squares_among(np.where(gave, truths, 0), gave.astype(float), design)
    peer = OLS(truths[gave], design[gave]).fit(cov_type="HC0")
    assert found.coefficients == pytest.approx(peer.params, rel=1e-10)
    assert found.standard_errors == pytest.approx(peer.bse * np.sqrt(4000 / 3997), rel=1e-10)


def test_it_is_an_instrumental_variable_regression():
    """x is the instrument of g x."""
    truths, design, rng = survey()
    reports = HOURS.randomize(truths, rng)
    score, given = SCORE[reports], GIVEN[reports]
    found = least_squares_among(score, given, design)
    peer = IV2SLS(score, design * given[:, np.newaxis], design).fit()
    assert found.coefficients == pytest.approx(peer.params, rel=1e-9)
    outer = np.linalg.inv(design.T @ (design * given[:, np.newaxis]))
    slopes = design * (score - given * (design @ found.coefficients))[:, np.newaxis]
    sandwich = outer @ slopes.T @ slopes @ outer.T * 4000 / 3997
    assert found.covariance == pytest.approx(sandwich, rel=1e-8)


def test_counts_and_asked_stand_for_rows():
    truths, design, rng = survey(600)
    reports = HOURS.randomize(truths, rng)
    pairs = SCORE[reports], GIVEN[reports]
    found = least_squares_among(*pairs, design)
    twice = least_squares_among(
        *(np.append(each, 99.0) for each in pairs),
        np.vstack([design, design[:1]]),
        asked=np.arange(601) < 600,
    )
    counted = least_squares_among(*pairs, design, counts=np.full(600, 3))
    assert twice.standard_errors == pytest.approx(found.standard_errors, rel=1e-12)
    assert counted.coefficients == pytest.approx(found.coefficients, rel=1e-10)
    assert counted.standard_errors == pytest.approx(
        found.standard_errors * np.sqrt(597 / 600 / (1797 / 600)), rel=1e-2
    )


def test_nothing_is_told_where_nobody_may_have_given_one():
    truths, design, rng = survey(400)
    reports = HOURS.randomize(np.where(design[:, 1] == 1, 11, truths), rng)
    with pytest.raises(ValueError, match="among has a mean that cannot be told from 0"):
        least_squares_among(SCORE[reports], GIVEN[reports], design)
    with pytest.raises(ValueError, match=r"among has shape \(400, 2\)"):
        least_squares_among(SCORE[reports], np.ones((400, 2)), design)


@pytest.mark.long
def test_intervals_hold_the_truth():
    """Of the coefficients among those who gave a number, over 600 surveys of 800 people; the margin is four errors."""
    everybody, population, _ = survey(400_000, seed=2)
    gave = everybody < 11
    true = np.linalg.lstsq(population[gave], everybody[gave], rcond=None)[0]
    held = []
    for seed in range(600):
        truths, design, rng = survey(800, seed=100 + seed)
        reports = HOURS.randomize(truths, rng)
        ends = least_squares_among(SCORE[reports], GIVEN[reports], design).interval()
        held.append((ends[:, 0] <= true) & (true <= ends[:, 1]))
    shares = np.mean(held, axis=0)
    assert (np.abs(shares - 0.95) <= 4 * np.sqrt(0.95 * 0.05 / 600)).all(), shares


@pytest.mark.long
def test_intervals_of_a_number_that_all_gave_hold_the_truth():
    everybody, population, _ = survey(400_000, seed=3)
    true = np.linalg.lstsq(population, np.minimum(everybody, 10), rcond=None)[0]
    held = []
    for seed in range(600):
        truths, design, rng = survey(800, seed=900 + seed)
        score = PLAIN.unbiased_weights(np.arange(11.0))[
            PLAIN.randomize(np.minimum(truths, 10), rng)
        ]
        ends = least_squares(None, score, design).interval()
        held.append((ends[:, 0] <= true) & (true <= ends[:, 1]))
    shares = np.mean(held, axis=0)
    assert (np.abs(shares - 0.95) <= 4 * np.sqrt(0.95 * 0.05 / 600)).all(), shares
