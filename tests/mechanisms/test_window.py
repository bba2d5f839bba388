"""Windows: numbers and ordered scales."""

import hashlib
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from mechanisms import DirectEncoding, SubsetSelection, Tally, Window, from_spec
from mechanisms.designs.widths import best_width, noise
from mechanisms.estimation.mixtures import ConvergenceError, MatrixMixture, maximum
from mechanisms.estimation.newton import newton
from mechanisms.estimation.quantiles import NEAR
from mechanisms.estimation.refits import refits
from mechanisms.estimation.windows import WindowMixture, weights

SMALL = Window.from_integers(11, 7, 3, 1)
COUNTS = Tally(153, [3 * i % 17 + 1 for i in range(17)])
SHAPES = [
    (11, 7, 3, 1),
    (5, 1, 7, 2),
    (4, 4, 3, 2),
    (3, 6, 5, 1),
    (4, 3, 5, 2, 1),
    (2, 1, 9, 4, 1),
    (6, 2, 3, 1, 1),
]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


def rows(mechanism):
    return np.array(mechanism.probabilities(), dtype=object)


def test_the_reference_values():
    mean, low = SMALL.mean(COUNTS), SMALL.at_most(2, COUNTS)
    assert (SMALL.reports, SMALL.den) == (17, 31)
    assert mean.value == pytest.approx(7.3774955437, abs=1e-10)
    assert mean.standard_error == pytest.approx(0.8148265250, abs=1e-10)
    assert low.value == pytest.approx(-0.0514557338, abs=1e-10)
    assert low.standard_error == pytest.approx(0.2431061525, abs=1e-10)


def test_the_reference_draws():
    words = (
        int.from_bytes(hashlib.sha256(f"candor-vector 1 {i}".encode()).digest()[:4], "big")
        for i in range(10**6)
    )
    drawn = [SMALL.randomize_one(i % 11, lambda: next(words)) for i in range(20_000)]
    assert drawn[:8] == [0, 0, 2, 5, 13, 11, 8, 13]
    assert (
        hashlib.sha256("".join(f"{report}," for report in drawn).encode()).hexdigest()[:16]
        == "0083c450107de8c8"
    )


@shapes
def test_every_truth_has_exactly_the_stated_chances(shape):
    mechanism = Window.from_integers(*shape)
    for truth, row in enumerate(rows(mechanism)):
        drawn = [
            mechanism.randomize_one(truth, lambda word=word: word) for word in range(mechanism.den)
        ]
        assert [
            Fraction(drawn.count(report), mechanism.den) for report in range(mechanism.reports)
        ] == list(row)


@shapes
def test_many_draws_at_once_are_the_same_draws(shape, monkeypatch):
    mechanism = Window.from_integers(*shape)
    everyone = np.arange(mechanism.den, dtype=np.uint32)
    monkeypatch.setattr("mechanisms.designs.window.uniforms", lambda rng, den, n: everyone)
    for truth in range(mechanism.size):
        at_once = mechanism.randomize(np.full(mechanism.den, truth), 1)
        assert at_once.tolist() == [
            mechanism.randomize_one(truth, lambda word=word: word) for word in range(mechanism.den)
        ]


@shapes
def test_weights_are_unbiased_for_every_distribution_exactly(shape):
    """M w = g, in fractions: for the mean, the second moment, and the share of every single truth."""
    mechanism = Window.from_integers(*shape)
    truths = [Fraction(truth) for truth in range(mechanism.size)]
    functions = [truths, [truth**2 - 3 for truth in truths]]
    functions += [[Fraction(one == other) for one in truths] for other in truths]
    wanted = np.array(functions, dtype=object)
    counted = weights(mechanism.windows, wanted)
    assert all(isinstance(weight, Fraction) for weight in counted.ravel())
    assert (rows(mechanism) @ counted.T == wanted.T).all()


@shapes
def test_weights_are_those_of_least_squares(shape):
    """w = D^-1 M' (M D^-1 M')^-1 g, here with all matrices."""
    mechanism = Window.from_integers(*shape)
    chances = rows(mechanism).astype(float)
    often = chances.mean(axis=0)
    wanted = np.arange(mechanism.size) ** 1.5
    expected = (
        chances.T / often[:, np.newaxis] @ np.linalg.solve(chances / often @ chances.T, wanted)
    )
    assert weights(mechanism.windows, wanted) == pytest.approx(expected, rel=1e-9)


@shapes
def test_the_mixture_is_the_matrix(shape):
    mechanism = Window.from_integers(*shape)
    chances, rng = rows(mechanism).astype(float), np.random.default_rng(1)
    mixture = WindowMixture(np.ones(mechanism.reports, np.int64), mechanism.windows)
    shares, values = rng.random(mechanism.size), rng.random(mechanism.reports)
    assert mixture.mix(shares) == pytest.approx(shares @ chances)
    assert mixture.gather(values) == pytest.approx(chances @ values)


def test_an_answer_aside_makes_the_mean_a_ratio():
    mechanism, rng = Window(21, 2, aside=True), np.random.default_rng(3)
    truths = np.where(rng.random(400_000) < 0.3, 21, rng.integers(0, 11, 400_000))
    tally = mechanism.tally(mechanism.randomize(truths, rng))
    mean, low = mechanism.mean(tally), mechanism.at_most(4, tally)
    given = truths[truths < 21]
    assert abs(mean.value - given.mean()) < 4 * mean.standard_error
    assert abs(low.value - (given <= 4).mean()) < 4 * low.standard_error
    assert mechanism.estimate(tally).proportions[21] == pytest.approx(0.3, abs=0.02)
    with pytest.raises(ValueError, match="allowed for a ratio is one above 0"):
        mechanism.mean(mechanism.tally([mechanism.reports - 1] * 100))


def test_the_mean_of_a_scale_asked_by_sets_or_directly():
    """From the shares and their covariance; one report gives each design its value."""
    for mechanism in (SubsetSelection(5, 1), DirectEncoding(5, 1)):
        rng = np.random.default_rng(4)
        tally = mechanism.tally(mechanism.randomize(rng.integers(0, 4, 5000), rng))
        estimate = mechanism.estimate(tally)
        mean = estimate.functional(range(5))
        assert mean.value == pytest.approx(float(np.arange(5) @ estimate.proportions))
        assert mean.standard_error == pytest.approx(
            math.sqrt(np.arange(5) @ estimate.covariance @ np.arange(5))
        )
        assert abs(mean.value - 1.5) < 4 * mean.standard_error
        assert estimate.functional([1, 0, 0, 0, 0]).value == pytest.approx(estimate.proportions[0])


def test_shares_of_single_values_agree_with_functionals():
    estimate = SMALL.estimate(COUNTS)
    for value in range(11):
        single = estimate.functional(np.arange(11) == value)
        assert single.value == pytest.approx(estimate.proportions[value])
        least = math.sqrt(SMALL.least_variance(np.eye(11)[value]) / estimate.n)
        assert single.standard_error == pytest.approx(max(estimate.standard_errors[value], least))
        half = 1.959963984540054 * single.standard_error
        assert single.interval == pytest.approx((single.value - half, single.value + half))


@pytest.mark.parametrize(
    ("ratio", "share"), [(2, 1.0), (3, 0.82), (4.5, 0.5), (9, 0.48), (25, 0.33)], ids=str
)
def test_the_best_width_is_the_measured_one(ratio, share):
    assert best_width(101, math.log(ratio)) / 101 == pytest.approx(share, abs=0.025)


def test_the_width_of_many_values_is_the_best_of_all():
    for epsilon in (0.5, 1.1, 2.2):
        widths = range(1, 401)
        assert best_width(401, epsilon) == min(
            widths, key=lambda width: noise(401, width, math.exp(epsilon))
        )


@pytest.mark.parametrize("ratio", [3, 9])
def test_the_squared_error_of_the_mean_is_near_the_least_that_is_possible(ratio):
    """A linear program over all channels of this ratio to a grid of unbiased numbers; truths are uniform."""
    truths = np.linspace(0, 1, 11)
    mechanism = Window(11, math.log(ratio))
    ours = noise(11, mechanism.width, ratio) / 10**2 - (truths**2).mean()
    sampling = truths.var()
    assert ours + sampling <= 1.03 * (least_noise(truths, ratio) + sampling)


def least_noise(truths, ratio):
    """Least average variance of a report y of a grid whose mean is the truth, no chance above ratio times another."""
    reach = (ratio + 1) / (ratio - 1)
    grid = np.linspace(0.5 - reach, 0.5 + reach, 101)
    size, many = len(truths), len(grid)
    cells = size * many
    # Variables: P[x, y], then for each y the least chance of it.
    cost = np.append(np.tile(grid**2 / size, size), np.zeros(many))
    one = np.kron(np.eye(size), np.ones(many))
    mean = np.kron(np.eye(size), grid)
    equal = np.hstack([np.vstack([one, mean]), np.zeros((2 * size, many))])
    least = np.tile(np.eye(many), (size, 1))
    bounds = np.vstack(
        [np.hstack([-np.eye(cells), least]), np.hstack([np.eye(cells), -ratio * least])]
    )
    found = linprog(
        cost, bounds, np.zeros(2 * cells), equal, np.append(np.ones(size), truths), method="highs"
    )
    assert found.success
    return found.fun - (truths**2).mean()


def test_newton_reaches_the_maximum_that_expectation_maximization_reaches():
    rng = np.random.default_rng(2)
    for shape in SHAPES:
        mechanism = Window.from_integers(*shape)
        tally = mechanism.tally(mechanism.randomize(rng.integers(0, mechanism.size, 300) // 2, rng))
        matrix = MatrixMixture(tally.counts, rows(mechanism).astype(float))
        found = mechanism.constrain(tally)
        assert found.sum() == pytest.approx(1)
        assert (found >= 0).all()
        assert matrix.log_likelihood(found) == pytest.approx(
            matrix.log_likelihood(maximum(matrix)), abs=1e-4
        )
        assert mechanism.maximum_likelihood(
            np.repeat(np.arange(mechanism.reports), tally.counts)
        ) == pytest.approx(found)


def test_newton_says_where_it_did_not_arrive(monkeypatch):
    monkeypatch.setattr("mechanisms.estimation.newton.MOST_ROUNDS", 1)
    with pytest.raises(ConvergenceError, match="after 1 rounds"):
        newton(WindowMixture(COUNTS.counts, SMALL.windows))


@pytest.mark.parametrize("n", [200, 100_000])
def test_a_thousand_values_are_decoded_to_the_certified_maximum(n):
    mechanism, rng = Window(1001, 1), np.random.default_rng(5)
    truths = np.where(rng.random(n) < 0.6, 0, rng.integers(0, 1001, n))
    tally = mechanism.tally(mechanism.randomize(truths, rng))
    mixture = WindowMixture(tally.counts, mechanism.windows)
    found = mechanism.constrain(tally)
    slopes = mixture.gather(mixture.weights / mixture.mix(found))
    assert slopes.max() - n <= 1e-4
    assert (
        abs(mechanism.mean(tally).value - truths.mean()) < 4 * mechanism.mean(tally).standard_error
    )


@pytest.mark.parametrize("aside", [False, True])
@pytest.mark.parametrize(
    ("values", "n"), [(2, 300), (5, 3_000), (11, 10**7), (101, 3_000), (101, 10**6)]
)
def test_samples_that_are_refitted_together_are_as_likely_as_one_by_one(values, n, aside):
    mechanism, rng = Window(values, 1.5, aside=aside), np.random.default_rng(12)
    windows = mechanism.windows
    start = rng.dirichlet(np.full(mechanism.size, 0.5))
    counts = rng.multinomial(n, WindowMixture(np.zeros(0, int), windows).mix(start), size=12)
    counts[-4:] = (
        0  # and some that no truths are likely to give: one report alone, the two ends, every second one
    )
    counts[-4, 0] = counts[-3, -1] = counts[-2, 0] = counts[-2, -1] = n
    counts[-1, ::2] = n
    together = refits(counts, windows, start / start.sum(), NEAR)
    assert together.min() >= 0
    assert together.sum(axis=1) == pytest.approx(1)
    for sample, shares in zip(counts, together, strict=True):
        mixture = WindowMixture(sample, windows)
        assert mixture.gather(mixture.weights / mixture.mix(shares)).max() - sample.sum() <= NEAR
        alone = mixture.log_likelihood(newton(mixture, None, NEAR))
        assert mixture.log_likelihood(shares) == pytest.approx(alone, abs=2 * NEAR)


def test_what_two_windows_share_is_what_their_columns_say():
    mixture = WindowMixture(COUNTS.counts, SMALL.windows)
    truths, values = np.array([[0, 3, 4, 10]]), np.arange(1.0, 18.0)
    columns = mixture.columns(truths[0])
    assert mixture.bends(values[np.newaxis], truths)[0] == pytest.approx(
        columns.T @ (values[:, np.newaxis] * columns)
    )


def test_quantiles_are_the_same_each_time_and_refused_for_few():
    mechanism, rng = Window(31, 2), np.random.default_rng(6)
    tally = mechanism.tally(mechanism.randomize(rng.integers(5, 16, 3000), rng))
    found = mechanism.quantiles(tally)
    assert found == mechanism.quantiles(tally)
    assert [each.at for each in found] == [0.25, 0.5, 0.75]
    for each, truth in zip(found, (7, 10, 13), strict=True):
        assert each.interval[0] <= truth <= each.interval[1]
        assert each.interval[0] <= each.value <= each.interval[1]
    with pytest.raises(ValueError, match="n is 153; allowed for quantiles is at least 200"):
        SMALL.quantiles(COUNTS)


def test_weights_that_people_can_say():
    assert [Window(11, math.log(3), den="survey").spec()[key] for key in ("high", "low")] == [3, 1]
    assert [Window(11, 1, den="survey").spec()[key] for key in ("high", "low")] == [19, 7]
    for epsilon in (0.1, 0.11, 0.5, 1.7, 4.0):
        mechanism = Window(1001, epsilon, den="survey")
        assert 0.99 * epsilon <= mechanism.epsilon <= epsilon
        assert mechanism.low <= 100


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Window(11, 0.09), "epsilon is 0.09; allowed for a window is at least 0.1"),
        (lambda: Window(1, 1), "values is 1; allowed is a whole number from 2 to 1001"),
        (lambda: Window(1002, 1), "values is 1002; allowed"),
        (lambda: Window(11, 1, 23), "width is 23; allowed is a whole number from 1 to 22"),
        (lambda: Window(11, 1, den=20), "den = 20 cannot express"),
        (lambda: Window.from_integers(11, 7, 1, 1), "high is 1; allowed"),
        (lambda: Window.from_integers(11, 7, 3, 0), "low is 0; allowed"),
        (
            lambda: Window.from_integers(1001, 1000, 2**31, 1),
            "den is .*; allowed is a whole number",
        ),
        (
            lambda: from_spec({**SMALL.spec(), "den": 32}),
            "den is 32; allowed with these weights is 31",
        ),
        (lambda: from_spec({**SMALL.spec(), "aside": 0}), "aside is 0; allowed"),
        (lambda: from_spec({**SMALL.spec(), "unit": "cm"}), "spec has the keys"),
        (
            lambda: SMALL.randomize_one(11, lambda: 0),
            "truth is 11; allowed is a whole number from 0 to 10",
        ),
        (lambda: SMALL.tally([17]), "reports holds 17; allowed is a whole number from 0 to 16"),
        (lambda: SMALL.at_most(11, COUNTS), "value is 11; allowed"),
        (lambda: SMALL.mean(Tally(3, [1, 1, 1])), "allowed are 17 counts that sum to n"),
        (lambda: SMALL.estimate(COUNTS, interval="wilson"), "interval is 'wilson'; allowed"),
        (lambda: SMALL.estimate(COUNTS).functional([1, 2]), "scores has shape .* allowed is"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_named(made, message):
    with pytest.raises(ValueError, match=message):
        made()


def shapes_of(size):
    """Peaked distributions and smooth ones, by name."""
    places = np.arange(size)
    two, zero = np.zeros(size), np.full(size, 0.4 / (size - 1))
    two[size // 5], two[4 * size // 5], zero[0] = 0.3, 0.7, 0.6
    bell = np.exp(-(((places - 0.45 * size) / (0.2 * size)) ** 2) / 2)
    skew = np.exp(-places / (size / 4))
    return {
        "two points": two,
        "60% at 0": zero,
        "bell": bell / bell.sum(),
        "skew": skew / skew.sum(),
    }


@pytest.mark.long
@pytest.mark.parametrize("name", shapes_of(2))
@pytest.mark.parametrize(
    ("size", "epsilon", "n"), [(11, math.log(3), 500), (51, math.log(9), 1000)]
)
@pytest.mark.parametrize("aside", [False, True])
def test_intervals_of_the_mean_hold_it_in_95_of_100_surveys(name, size, epsilon, n, aside):
    """1,000 surveys each; with an answer aside a fifth of the people decline."""
    mechanism, shares, rng = (
        Window(size, epsilon, aside=aside),
        shapes_of(size)[name],
        np.random.default_rng(9),
    )
    truths = np.append(0.8 * shares, 0.2) if aside else shares
    mean, held = shares @ np.arange(size), 0
    for _ in range(1000):
        low, high = mechanism.mean(
            mechanism.tally(mechanism.randomize(rng.choice(mechanism.size, n, p=truths), rng))
        ).interval
        held += low <= mean <= high
    assert 930 <= held <= 970


@pytest.mark.long
@pytest.mark.parametrize("name", shapes_of(2))
def test_intervals_of_quantiles_are_not_too_narrow(name):
    """1,000 surveys; a percentile interval between whole numbers is wider than it would have to be."""
    mechanism, shares, rng = Window(11, math.log(9)), shapes_of(11)[name], np.random.default_rng(9)
    true = np.searchsorted(np.cumsum(shares), np.array([0.25, 0.5, 0.75]) - 1e-9)
    held = np.zeros(3)
    for _ in range(1000):
        found = mechanism.quantiles(
            mechanism.tally(mechanism.randomize(rng.choice(11, 600, p=shares), rng))
        )
        held += [
            each.interval[0] <= truth <= each.interval[1]
            for each, truth in zip(found, true, strict=True)
        ]
    assert (held >= 930).all()


@pytest.mark.long
@pytest.mark.parametrize("name", shapes_of(2))
def test_shares_up_to_a_value_that_are_shown_have_good_intervals(name):
    """1,000 surveys of 3,000: at 11 values and ln 9 standard errors are at most 5 points."""
    mechanism, shares, rng = Window(11, math.log(9)), shapes_of(11)[name], np.random.default_rng(9)
    until, held, shown = np.cumsum(shares), np.zeros(10), np.zeros(10)
    for _ in range(1000):
        tally = mechanism.tally(mechanism.randomize(rng.choice(11, 3000, p=shares), rng))
        for value in range(10):
            found = mechanism.at_most(value, tally)
            shown[value] += found.standard_error <= 0.05
            held[value] += found.interval[0] <= until[value] <= found.interval[1]
    assert (shown == 1000).all()
    assert ((held >= 930) & (held <= 970)).all()
