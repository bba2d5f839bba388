"""How often the intervals of models, tables and weights hold the truth, over many simulated surveys.

The truths of every survey are drawn anew, so the mean of an effect over respondents is compared with its mean over the
people that they are drawn from.
"""

import numpy as np
import pytest

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    Matrix,
    SubsetSelection,
    UnaryEncoding,
    Variable,
    Warner,
    correlate,
    cross,
    least_squares,
    pair_tally,
    rake,
    regress,
    regress_on,
    weighted_estimate,
)

pytestmark = pytest.mark.long
WARNER = Warner("3/4")
GRID = np.array(
    [[1, group, step / 3] for group in (0, 1) for step in range(-3, 4)]
)  # everybody, equally often
LIFTED, LOWERED = GRID * [1, 0, 1] + [0, 1, 0], GRID * [1, 0, 1]


def softmax(design, slopes):
    line = np.column_stack([np.zeros(len(design)), design @ slopes])
    shares = np.exp(line)
    return shares / shares.sum(axis=1, keepdims=True)


def survey(mechanism, slopes, n, rng):
    """Reports and design of n respondents whose truths follow a logit."""
    design = GRID[rng.integers(0, len(GRID), n)]
    truths = (rng.random((n, 1)) > softmax(design, slopes).cumsum(axis=1)).sum(axis=1)
    return mechanism.randomize(truths, rng), design


def true_effect(slopes):
    return softmax(LIFTED, slopes).mean(axis=0) - softmax(LOWERED, slopes).mean(axis=0)


def effect(model, design):
    return model.effect(design * [1, 0, 1] + [0, 1, 0], design * [1, 0, 1])


def assert_held(held, low, high):
    """Within what is allowed, and four errors of so many surveys."""
    share, error = np.mean(held), 4 * np.sqrt(0.05 * 0.95 / np.size(held, 0))
    assert low - error <= share <= high + error, share


def inside(value, interval):
    return (interval[..., 0] <= value) & (value <= interval[..., 1])


@pytest.mark.parametrize("n", [600, 2000, 5000])
@pytest.mark.parametrize("mechanism", [WARNER, ForcedResponse("2/3", "1/6", "1/6")], ids=repr)
def test_a_logit(mechanism, n):
    rng, slopes = np.random.default_rng(n), np.array([[-0.5], [0.6], [-0.4]])
    held = {"observed": [], "sandwich": [], "effect": [], "profile": []}
    for run in range(400):
        reports, design = survey(mechanism, slopes, n, rng)
        found = regress(mechanism, reports, design)
        if found.verdict == "boundary":
            continue
        wide = found.interval()
        held["observed"].append(inside(slopes[1, 0], wide[1]))
        robust = found.coefficients[1] + np.array([-1, 1]) * 1.96 * found.robust_standard_errors[1]
        held["sandwich"].append(inside(slopes[1, 0], robust))
        held["effect"].append(
            inside(true_effect(slopes)[1], np.array(effect(found, design).interval))
        )
        if run % 4 == 0:
            held["profile"].append(inside(slopes[1, 0], found.profile_interval(1)))
    for name, each in held.items():
        assert len(each) > (50 if name == "profile" else 200)
        assert_held(each, 0.93, 1.0 if n < 1000 else 0.975)


@pytest.mark.parametrize("share", [-0.5, -4.5])
@pytest.mark.parametrize("n", [300, 2000])
def test_least_squares_also_where_the_logit_has_no_maximum(n, share):
    rng, slopes = np.random.default_rng(n), np.array([[share], [0.6], [0.0]])
    held = []
    for _ in range(600):
        reports, design = survey(WARNER, slopes, n, rng)
        found = least_squares(WARNER, reports, design)
        held.append(inside(true_effect(slopes)[1], np.array(effect(found, design).interval)))
    assert_held(held, 0.93, 0.965)


@pytest.mark.parametrize(("n", "share"), [(400, -1.0), (800, -1.5), (1500, -2.0), (3000, -2.5)])
def test_a_fine_verdict_has_a_maximum(n, share):
    """Among data sets whose E is 10 or more; below 3 nothing is promised."""
    rng, slopes = np.random.default_rng(n), np.array([[share], [0.6], [-0.4]])
    found = [regress(WARNER, *survey(WARNER, slopes, n, rng)) for _ in range(400)]
    fine = [each.converged for each in found if each.effective_events >= 10]
    assert np.mean(fine) >= 0.99 if fine else n > 400


@pytest.mark.parametrize(
    "mechanism",
    [DirectEncoding(4, 1.5), UnaryEncoding(4, "3/4", "1/4"), SubsetSelection(6, 2, 2)],
    ids=repr,
)
def test_all_answers_together(mechanism):
    rng = np.random.default_rng(1)
    slopes = np.array([[0.3], [0.6], [-0.4]]) * np.linspace(1, -0.5, mechanism.size - 1)
    coefficients, effects = [], []
    for _ in range(250):
        found = regress(mechanism, *survey(mechanism, slopes, 3000, rng), choice=None)
        if found.converged:
            coefficients.append(inside(slopes, found.interval()))
            effects.append(inside(true_effect(slopes), effect(found, GRID).interval))
    assert len(coefficients) > 150
    assert_held(np.array(coefficients).mean(axis=(1, 2)), 0.93, 0.97)
    assert_held(np.array(effects).mean(axis=1), 0.92, 0.96)


PAIRS = [
    (WARNER, WARNER),
    (UnaryEncoding(4, "3/4", "1/4"), WARNER),
    (DirectEncoding(4, 2), UnaryEncoding(3, "3/4", "1/4")),
    (SubsetSelection(5, 2, 2), DirectEncoding(3, 1.5)),
    (Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10), Matrix.identity(2)),
]


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=repr)
def test_cells_of_a_table_and_independence(first, second):
    rng = np.random.default_rng(2)
    one, other = np.arange(first.size, 0, -1.0), np.arange(1.0, second.size + 1)
    related = np.outer(one, other) * (
        1 + 0.5 * np.indices((first.size, second.size)).sum(axis=0) % 2
    )
    alone = np.outer(one, other)
    held, rejected = [], []
    for _ in range(800):
        for shares, results in ((related / related.sum(), held), (alone / alone.sum(), rejected)):
            cell = rng.choice(shares.size, 1500, p=shares.ravel())
            reports = (
                first.randomize(cell // second.size, rng),
                second.randomize(cell % second.size, rng),
            )
            table = cross(first, second, pair_tally(first, reports[0], second, reports[1]))
            results.append(
                inside(shares, table.intervals).mean()
                if results is held
                else table.independence().p_value < 0.05
            )
    assert_held(held, 0.945, 0.955)
    assert 0.035 - 0.03 <= np.mean(rejected) <= 0.06 + 0.03


def test_strength_and_ratios_of_two_yes_no_questions():
    rng, shares = np.random.default_rng(3), np.array([[0.45, 0.15], [0.1, 0.3]])
    odds, phi = 0.45 * 0.3 / 0.015, (0.45 * 0.3 - 0.015) / np.sqrt(0.6 * 0.4 * 0.55 * 0.45)
    held, odds_held = [], []
    for _ in range(1500):
        cell = rng.choice(4, 500, p=shares.ravel())
        reports = WARNER.randomize(cell // 2, rng), WARNER.randomize(cell % 2, rng)
        table = cross(WARNER, WARNER, pair_tally(WARNER, reports[0], WARNER, reports[1]))
        pearson = correlate(Variable(reports[0], WARNER), Variable(reports[1], WARNER))
        assert pearson.value == pytest.approx(table.phi().value)
        held.append(
            [
                inside(phi, np.array(table.phi().interval)),
                inside(0.75, table.rows().intervals[1, 1]),
            ]
        )
        if table.odds_ratio() is not None:
            odds_held.append(inside(odds, np.array(table.odds_ratio().interval)))
    phis, ratios = np.array(held).T
    assert_held(phis, 0.94, 0.96)
    assert_held(ratios, 0.94, 0.965)
    assert_held(odds_held, 0.94, 0.99)


@pytest.mark.parametrize("family", ["logit", "normal"])
def test_a_randomized_answer_as_explanation(family):
    rng, held = np.random.default_rng(4), []
    for _ in range(300):
        design = GRID[rng.integers(0, len(GRID), 2000)]
        z = (rng.random(2000) < softmax(design, np.array([[-0.5], [1.0], [0.3]]))[:, 1]).astype(int)
        line = design @ [-0.5, 0.4, -0.3] + 1.2 * z
        noise = rng.logistic(size=2000) if family == "logit" else rng.normal(size=2000)
        y = (line + noise > 0).astype(int) if family == "logit" else line + noise
        found = regress_on(y, WARNER, WARNER.randomize(z, rng), design, family=family)
        held.append(inside(1.2, found.interval()[-1]))
    assert_held(held, 0.93, 0.97)


@pytest.mark.parametrize("sandwich", [True, False])
def test_a_weighted_logit_needs_the_sandwich(sandwich):
    """Women answer half as often: weights of 2 make up for it."""
    rng, slopes, held = np.random.default_rng(5), np.array([[-0.5], [0.6], [-0.4]]), []
    for _ in range(400):
        reports, design = survey(WARNER, slopes, 3000, rng)
        weights = np.where(rng.random(3000) < 0.3, 4.0, 1.0)
        found = regress(WARNER, reports, design, weights=weights)
        errors = (
            found.standard_errors if sandwich else np.sqrt(found.observed_covariance.diagonal())
        )
        wide = found.coefficients[1] + np.array([-1, 1]) * 1.96 * errors[1]
        held.append(inside(slopes[1, 0], wide))
    assert_held(held, *((0.93, 0.965) if sandwich else (0.5, 0.93)))


@pytest.mark.parametrize("n", [400, 1000, 4000])
def test_a_raked_share(n):
    """Respondents over-represent a group that says Yes more often; the unweighted interval misses the population's
    share.
    """
    rng, held, plain = np.random.default_rng(n), [], []
    population, asked = np.array([[0.3, 0.2], [0.2, 0.3]]), np.array([[0.15, 0.2], [0.2, 0.45]])
    yes = np.array([[0.1, 0.25], [0.35, 0.5]])
    for _ in range(600):
        cell = rng.choice(4, n, p=asked.ravel())
        reports = WARNER.randomize((rng.random(n) < yes.ravel()[cell]).astype(int), rng)
        counts = np.bincount(cell, minlength=4).reshape(2, 2)
        weights = rake(counts, [population.sum(axis=1), population.sum(axis=0)]).ravel()[cell]
        found = weighted_estimate(
            WARNER, reports, weights, margins=np.column_stack([cell // 2, cell % 2])
        )
        held.append(inside((population * yes).sum(), np.array(found.interval)))
        plain.append(
            inside((population * yes).sum(), WARNER.estimate(WARNER.tally(reports)).intervals[1])
        )
    assert_held(held, 0.93, 0.965)
    assert np.mean(plain) < (0.93 if n == 400 else 0.85)
