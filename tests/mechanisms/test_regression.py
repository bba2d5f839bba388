"""Logits and least squares: values that were computed elsewhere, and what has to be equal."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import chi2

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    Kuk,
    Matrix,
    OneSided,
    OptionSampling,
    SubsetSelection,
    Tally,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    equal_groups_test,
    least_squares,
    regress,
)
from mechanisms.analysis import cells, regression, softmax
from mechanisms.analysis.verdicts import judge
from tests.mechanisms.enumeration import distribution
from tests.mechanisms.nigeria import expanded, nigeria, simulated, unary_reports

FORCED = ForcedResponse("2/3", "1/6", "1/6")
UNARY = UnaryEncoding(3, "3/4", "1/4")
DIRECT = Matrix.identity(2)


def close(value, tolerance=1e-9):
    return pytest.approx(np.array(value), rel=0, abs=tolerance)


def test_the_logit_of_forced_responses():
    found = regress(FORCED, **nigeria())
    assert found.coefficients == close([-0.761980358658, -0.648702036683], 1e-11)
    assert found.standard_errors == close([0.092593041614, 0.159425376584], 1e-11)
    assert found.log_likelihood == close(-1554.010088098)
    assert found.test(1).statistic == close(17.9174484492)
    assert (found.test(1).degrees, found.test(1).p_value) == (
        1,
        pytest.approx(chi2.sf(17.9174484492, 1)),
    )
    assert found.effect([[1, 1]], [[1, 0]]).difference == close(-0.1220900164, 1e-10)
    assert (found.n, found.errors, found.verdict, found.reason, found.instead) == (
        2435,
        "observed",
        "fine",
        "",
        None,
    )
    assert found.odds_ratios == pytest.approx(np.exp(found.coefficients))


def test_without_the_group():
    data = nigeria()
    found = regress(FORCED, data["reports"], data["design"][:, :1], counts=data["counts"])
    assert found.coefficients == close([-1.036066640842], 1e-11)
    assert found.standard_errors == close([0.074556322137], 1e-11)
    assert found.log_likelihood == close(-1562.968812322)


@pytest.mark.parametrize(
    ("mechanism", "coefficients", "errors"),
    [
        (Kuk(0.8, 0.15), [-0.610185493290, -0.616304462695], [0.090326608575, 0.149935635255]),
        (DIRECT, [-0.494598087144, -0.365027240725], [0.056912795570, 0.086605458250]),
    ],
    ids=["Kuk", "direct"],
)
def test_other_designs(mechanism, coefficients, errors):
    found = regress(mechanism, **nigeria())
    assert found.coefficients == close(coefficients, 1e-11)
    assert found.standard_errors == close(errors, 1e-11)


def test_all_answers_from_whole_reports_of_bits():
    found = regress(UNARY, **unary_reports(), choice=None)
    assert found.coefficients == close(
        [[-0.631764304, -1.113796307], [0.434216059, 1.595359923]], 1e-9
    )
    assert found.standard_errors == close(
        [[0.156306058, 0.204813926], [0.257385177, 0.263343325]], 1e-9
    )
    assert found.test(1).statistic == close(44.69673868, 1e-8)
    assert found.test(1).degrees == 2
    assert found.expected_standard_errors is None


def test_one_choice_from_its_bit_alone():
    found = regress(UNARY, **unary_reports(), choice=0)
    assert found.coefficients == close([0.451985124, -0.857450232])
    assert found.standard_errors == close([0.166604411, 0.233693171])


def test_cheaters_are_a_straight_line_in_the_chance_of_a_forced_yes():
    """Clark and Desharnais (1998): two groups forced with chances .25 and .75; carriers, honest others, cheaters."""
    found = least_squares(
        None,
        [0, 1, 0, 1],
        [[1, 0.25], [1, 0.25], [1, 0.75], [1, 0.75]],
        counts=[310, 190, 160, 340],
    )
    honest = found.predict([[1, 1]])
    assert [*found.coefficients, 1 - honest.shares[0]] == close([0.23, 0.60, 0.17])
    errors = [*found.standard_errors, honest.standard_errors[0]]
    assert errors == close([0.0342248840, 0.0602732588, 0.0331541611], 1e-10)


def test_forced_against_direct_answers():
    groups = [(FORCED, Tally(1000, [660, 340])), (DIRECT, Tally(500, [410, 90]))]
    assert equal_groups_test(groups).statistic == close(7.9022851313, 1e-10)


def test_a_saturated_logit_gives_the_decoded_shares_and_their_errors():
    found = regress(FORCED, **nigeria()).predict([[1, 0], [1, 1]])
    groups = [FORCED.estimate(Tally(1312, [815, 497])), FORCED.estimate(Tally(1123, [789, 334]))]
    assert found.shares == close([group.proportions[1] for group in groups], 1e-12)
    assert found.standard_errors == close([group.standard_errors[1] for group in groups], 1e-12)


@pytest.mark.parametrize(
    "mechanism",
    [Warner("0.7"), DirectEncoding(4, 2), UnaryEncoding(4, "3/4", "1/4"), SubsetSelection(5, 2)],
    ids=repr,
)
@pytest.mark.parametrize("choice", [0, 1])
def test_an_intercept_alone_gives_the_estimate(mechanism, choice):
    reports = mechanism.randomize(np.random.default_rng(1).integers(0, mechanism.size, 3000), 2)
    estimate = mechanism.estimate(mechanism.tally(reports))
    logit = regress(mechanism, reports, np.ones((3000, 1)), choice=choice).predict([[1]])
    squares = least_squares(mechanism, reports, np.ones((3000, 1)), choice=choice).predict([[1]])
    for found, inflated in ((logit, 1), (squares, np.sqrt(3000 / 2999))):
        assert found.shares[0] == pytest.approx(estimate.proportions[choice], rel=1e-9)
        assert found.standard_errors[0] == pytest.approx(
            estimate.standard_errors[choice] * inflated, rel=1e-8
        )


@pytest.mark.parametrize(
    "mechanism",
    [DirectEncoding(4, 2), Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10), UNARY],
    ids=repr,
)
def test_an_intercept_alone_gives_the_likeliest_shares_of_all_answers(mechanism):
    reports = mechanism.randomize(np.random.default_rng(3).integers(0, mechanism.size, 4000), 4)
    found = regress(mechanism, reports, np.ones((4000, 1)), choice=None)
    assert found.predict([[1]]).shares[0] == close(mechanism.maximum_likelihood(reports), 1e-6)


def test_least_squares_of_all_answers_is_the_estimate_of_each_group():
    data = unary_reports()
    found = least_squares(UNARY, **data, choice=None).predict([[1, 0], [1, 1]])
    for group, counts in enumerate(np.reshape(data["counts"], (2, 8))):
        estimate = UNARY.estimate(
            UNARY.tally([format(r, "03b") for r in np.repeat(np.arange(8), counts)])
        )
        assert found.shares[group] == close(estimate.proportions, 1e-12)
        inflated = np.sqrt(sum(data["counts"]) / (sum(data["counts"]) - 2))
        assert found.standard_errors[group] == close(estimate.standard_errors * inflated, 1e-12)


def test_a_spinner_turned_over_with_answers_turned_over_is_the_same():
    data = nigeria()
    one = regress(Warner("0.8"), **data)
    other = regress(Warner("0.2"), 1 - data["reports"], data["design"], counts=data["counts"])
    assert other.coefficients == close(one.coefficients)
    assert other.standard_errors == close(one.standard_errors)
    assert other.log_likelihood == close(one.log_likelihood)


def test_the_same_matrix_under_another_name_is_the_same_model():
    one, other = (
        regress(design, **nigeria()) for design in (FORCED, UnrelatedQuestion("2/3", "1/2"))
    )
    assert list(one.coefficients) == list(other.coefficients)


def test_no_is_yes_turned_over():
    yes, no = (regress(FORCED, **nigeria(), choice=choice) for choice in (1, 0))
    assert no.coefficients == close(-yes.coefficients)


@pytest.mark.parametrize("choice", [0, None])
def test_counts_rows_and_weights_of_one_agree(choice):
    data = unary_reports()
    rows = expanded(**data)
    models = [
        regress(UNARY, **data, choice=choice),
        regress(UNARY, list(rows["reports"]), rows["design"], choice=choice),
        regress(
            UNARY,
            list(rows["reports"]),
            rows["design"],
            choice=choice,
            weights=np.full(len(rows["design"]), 2.5),
        ),
    ]
    for other in models[1:]:
        assert other.coefficients == close(models[0].coefficients)
        assert other.robust_standard_errors == close(models[0].robust_standard_errors)
    assert models[2].errors == "sandwich"
    assert models[2].effective_events == pytest.approx(models[0].effective_events)


@pytest.mark.parametrize(
    "mechanism",
    [Warner("3/4"), DirectEncoding(3, 2), SubsetSelection(4, 2, 2)],
    ids=repr,
)
@pytest.mark.parametrize("choice", [1, None])
def test_collapsed_rows_and_row_by_row_agree(mechanism, choice, monkeypatch):
    data, _ = simulated(mechanism, 400, 0.7, 5, mechanism.size)
    weights = np.random.default_rng(6).choice([0.5, 1, 2], 400)
    clusters = np.arange(400) % 40

    def fits():
        for model in (regress, least_squares):
            for options in (
                {},
                {"weights": weights},
                {"clusters": clusters},
                {"weights": weights, "clusters": clusters},
            ):
                found = model(mechanism, **data, choice=choice, **options)
                yield np.concatenate([found.coefficients.ravel(), found.covariance.ravel()])

    together = list(fits())
    monkeypatch.setattr(cells, "patterns", lambda design: None)
    for one, other in zip(together, fits(), strict=True):
        assert np.abs(one - other).max() < 1e-8


def test_a_table_of_cells_that_is_too_large_is_sorted(monkeypatch):
    data, _ = simulated(UNARY, 2000, 0.7, 5, 3)
    one = regress(UNARY, **data, choice=None)
    monkeypatch.setattr(cells, "LARGEST_TABLE", 10)
    assert regress(UNARY, **data, choice=None).coefficients == close(one.coefficients)


def test_slopes_are_differences_of_the_log_likelihood():
    mechanism = SubsetSelection(4, 2)
    data, _ = simulated(mechanism, 400, 0.7, 5, 4)
    model = regress(mechanism, **data, choice=None)
    place = np.random.default_rng(7).normal(size=9)
    at, step = softmax.evaluate(model._cells, place), 1e-5
    for parameter in range(9):
        one, other = (
            softmax.evaluate(model._cells, place + sign * step * np.eye(9)[parameter])
            for sign in (1, -1)
        )
        slope = (one.log_likelihood - other.log_likelihood) / (2 * step)
        assert at.score[parameter] == pytest.approx(slope, rel=1e-6, abs=1e-6)
        assert at.observed_information[parameter] == pytest.approx(
            -(one.score - other.score) / (2 * step), rel=1e-6, abs=1e-5
        )


@pytest.mark.parametrize(
    "mechanism", [SubsetSelection(4, 2, 2), UNARY, DirectEncoding(3, 1.5)], ids=repr
)
def test_the_maximum_is_that_of_the_enumerated_likelihood(mechanism):
    """Every report's chance is enumerated as fractions, and another program searches."""
    data, _ = simulated(mechanism, 3000, 0.9, 8, mechanism.size)
    found = regress(mechanism, **data, choice=None)
    chances = [distribution(mechanism, {truth}) for truth in range(mechanism.size)]
    bits = (
        data["reports"]
        if np.ndim(data["reports"]) == 2
        else np.eye(mechanism.size, dtype=int)[data["reports"]]
    )
    table = np.array([[float(chance[tuple(row)]) for chance in chances] for row in bits.tolist()])

    def loss(coefficients):
        line = np.column_stack([np.zeros(3000), data["design"] @ coefficients.reshape(3, -1)])
        shares = np.exp(line) / np.exp(line).sum(axis=1, keepdims=True)
        return -np.log((shares * table).sum(axis=1)).sum()

    best = minimize(loss, np.zeros(3 * (mechanism.size - 1)), method="BFGS")
    assert found.coefficients.ravel() == close(best.x, 1e-3)
    assert loss(found.coefficients) <= best.fun + 1e-9
    alone = regress(mechanism, data["reports"], data["design"][:, :1], choice=None).coefficients
    lost = loss(np.vstack([alone, np.zeros((2, mechanism.size - 1))])) - loss(found.coefficients)
    assert found.test([1, 2]).statistic == pytest.approx(2 * lost, abs=1e-6)


def test_three_errors_agree_where_there_are_many_respondents():
    found = regress(Warner("3/4"), **simulated(Warner("3/4"), 50_000, 0.5, 9)[0])
    assert found.robust_standard_errors == pytest.approx(found.standard_errors, rel=0.02)
    assert found.expected_standard_errors == pytest.approx(found.standard_errors, rel=0.02)


def test_wald_profile_and_likelihood_ratio_agree_with_each_other():
    found = regress(FORCED, **nigeria())
    low, high = found.profile_interval(1)
    wald = found.interval()[1]
    assert low < found.coefficients[1] < high
    assert [low, high] == pytest.approx(wald, abs=0.03)
    edge = regress(FORCED, **nigeria()).profile_interval(1, 1 - found.test(1).p_value)
    assert edge[1] == close(0, 1e-6)  # 0 is just not rejected at the level of its own p-value


def test_profile_intervals_of_all_answers():
    found = regress(UNARY, **unary_reports(), choice=None)
    assert found.profile_interval(1).shape == (2, 2)
    assert found.profile_interval(1) == pytest.approx(found.interval()[1], abs=0.08)


def test_the_effect_of_a_term_counts_all_respondents():
    data, _ = simulated(Warner("3/4"), 3000, 0.7, 5)
    found = regress(Warner("3/4"), **data)
    one, none = data["design"].copy(), data["design"].copy()
    one[:, 1], none[:, 1] = 1, 0
    effect = found.effect(one, none)
    assert effect.difference == pytest.approx(
        float(np.mean(found.predict(one).shares - found.predict(none).shares))
    )
    assert effect.interval[0] < effect.difference < effect.interval[1]
    step, slopes = 1e-6, []
    for parameter in range(3):
        moved = [found.coefficients + sign * step * np.eye(3)[parameter] for sign in (1, -1)]
        up, down = (
            np.mean(1 / (1 + np.exp(-one @ b)) - 1 / (1 + np.exp(-none @ b))) for b in moved
        )
        slopes.append((up - down) / (2 * step))
    assert effect.standard_error == pytest.approx(
        np.sqrt(np.array(slopes) @ found.covariance @ slopes), rel=1e-6
    )


def test_effects_use_the_counts_of_the_model_or_those_given():
    data = nigeria()
    data["design"] = np.column_stack([data["design"], [0, 1, 0, 1]])
    found = least_squares(FORCED, **data)
    one, none = data["design"].copy(), data["design"].copy()
    one[:, 1], none[:, 1] = one[:, 2], 0
    shares = found.predict(one).shares - found.predict(none).shares
    assert found.effect(one, none).difference == close(
        np.average(shares, weights=data["counts"]), 1e-12
    )
    assert found.effect(one, none, counts=[1, 1, 1, 1]).difference == close(shares.mean(), 1e-12)


def test_predictions_and_effects_of_many_rows_are_made_part_by_part(monkeypatch):
    data, _ = simulated(UNARY, 500, 0.7, 5, 3)
    found = regress(UNARY, **data, choice=None)
    one, other = data["design"] * [1, 0, 1], data["design"]
    at_once = [*found.predict(other), *found.effect(one, other)]
    monkeypatch.setattr(regression, "_BLOCK", 100)
    for whole, parts in zip(
        at_once, [*found.predict(other), *found.effect(one, other)], strict=True
    ):
        assert np.abs(whole - parts).max() < 1e-12


def test_least_squares_of_answers_that_sum_to_one_leave_one_out_of_a_test():
    mechanism = DirectEncoding(3, 2)
    data, _ = simulated(mechanism, 2000, 0.7, 5, 3)
    found = least_squares(mechanism, **data, choice=None)
    two = np.array(
        [[1, 2], [4, 5], [7, 8]]
    ).ravel()  # of the ravelled coefficients, those of the second and third answer
    index = two[2:]  # of the second and third column
    values = found.coefficients.ravel()[index]
    statistic = values @ np.linalg.solve(found.covariance[np.ix_(index, index)], values)
    assert found.test([1, 2]).degrees == 4
    assert found.test([1, 2]).statistic == pytest.approx(statistic, rel=1e-6)


def test_every_answer_of_choose_all_has_least_squares():
    chosen = np.random.default_rng(4).integers(0, 2, (3000, 3))
    mechanism = UnaryEncoding(3, "3/4", "1/4", "any")
    reports, design = mechanism.randomize(chosen, 5), np.column_stack([np.ones(3000), chosen[:, 0]])
    found = least_squares(mechanism, reports, design, choice=None)
    assert found.coefficients.shape == found.standard_errors.shape == (2, 3)
    for answer in range(3):
        alone = least_squares(mechanism, reports, design, choice=answer)
        assert found.coefficients[:, answer] == close(alone.coefficients, 1e-12)
        assert found.standard_errors[:, answer] == close(alone.standard_errors, 1e-12)
    assert found.coefficients[1, 0] == pytest.approx(1, abs=5 * found.standard_errors[1, 0])


def test_all_effects_of_all_answers_sum_to_nothing():
    effect = regress(UNARY, **unary_reports(), choice=None).effect([[1, 1]], [[1, 0]])
    assert effect.difference.shape == effect.standard_error.shape == (3,)
    assert effect.interval.shape == (3, 2)
    assert effect.difference.sum() == close(0, 1e-12)


def test_rows_that_were_not_asked_are_left_out():
    data = nigeria()
    wide = {
        "reports": np.append(data["reports"], -1),
        "design": np.vstack([data["design"], [1, 7]]),
        "counts": np.append(data["counts"], 500),
    }
    for model in (regress, least_squares):
        found = model(FORCED, **wide, asked=[True] * 4 + [False])
        assert found.n == 2435
        assert found.coefficients == close(model(FORCED, **data).coefficients, 1e-12)
    scores = least_squares(
        None, [0.1, -0.4, 1.3, 9], [[1.0]] * 4, asked=np.array([True, True, True, False])
    )
    assert scores.coefficients == close([1 / 3], 1e-12)


def test_marks_that_chance_did_not_pick_were_not_asked():
    mechanism, rng = OptionSampling(4, 2), np.random.default_rng(9)
    group = rng.integers(0, 2, 20_000)
    chosen = (rng.random((20_000, 4)) < 0.2 + 0.3 * group[:, np.newaxis]).astype(int)
    reports, (q, slope) = (
        mechanism.randomize(chosen, rng)[:, 2],
        (each[2] for each in mechanism.line()),
    )
    design = np.column_stack([np.ones(20_000), group])
    found = least_squares(None, (reports - q) / slope, design, asked=reports >= 0)
    assert found.n == np.count_nonzero(reports >= 0) < 10_000
    assert np.abs((found.coefficients - [0.2, 0.3]) / found.standard_errors).max() < 4


def test_rows_of_nobody_are_left_out():
    data = nigeria()
    wide = {name: np.concatenate([values, values[:1]]) for name, values in data.items()}
    wide["design"][-1] = [1, 50]
    wide["counts"][-1] = 0
    assert regress(FORCED, **wide).verdict == "fine"
    assert regress(FORCED, **wide).coefficients == close(regress(FORCED, **data).coefficients)


def test_effective_events_are_true_answers_that_say_as_much():
    """Of direct answers the rarer one, per column."""
    assert regress(DIRECT, **nigeria()).effective_events == pytest.approx(831 / 2)
    found = regress(FORCED, **nigeria())
    pi, lam = FORCED.estimate(Tally(2435, [1604, 831])).proportions[1], 831 / 2435
    expected = 2435 * (4 / 9) * pi * (1 - pi) / (lam * (1 - lam)) * pi / 2
    assert found.effective_events == pytest.approx(expected)
    assert found.needed_n == pytest.approx(10 * 2435 / expected, abs=1)


@pytest.mark.parametrize(
    ("events", "share", "converged", "verdict"),
    [
        (2.99, 0.1, True, "boundary"),
        (3, 0.1, True, "few"),
        (9.99, 0.1, True, "few"),
        (10, 0.1, True, "fine"),
        (50, 0.1, False, "boundary"),
        (50, 0.0004, True, "boundary"),
        (50, 0.0006, True, "fine"),
    ],
)
def test_where_a_verdict_turns(events, share, converged, verdict):
    found, reason = judge(events, share, 1000, converged=converged)
    assert found == verdict
    assert bool(reason) == (verdict != "fine")


def test_few_events_warn():
    data = nigeria()
    data["counts"] = data["counts"] // 16
    found = regress(FORCED, **data)
    assert 3 <= found.effective_events < 10
    assert found.verdict == "few"
    assert "effective events" in found.reason
    assert found.odds_ratios is not None


def assert_boundary(found, reason):
    assert found.verdict == "boundary"
    assert reason in found.reason
    assert found.odds_ratios is None
    assert np.isfinite(found.instead.coefficients).all()
    assert np.isfinite(found.instead.standard_errors).all()


def test_hardly_any_information_gives_least_squares_instead():
    """The mirrored question at 2/3, under which 34% Yes is hardly more than nobody."""
    found = regress(Warner("2/3"), **nigeria())
    assert_boundary(found, "effective events")
    assert found.instead.coefficients == close(
        least_squares(Warner("2/3"), **nigeria()).coefficients, 0
    )
    nobody = regress(FORCED, [0, 1] * 2, nigeria()["design"], counts=[900, 100, 900, 100])
    assert_boundary(nobody, "effective events")
    assert (nobody.effective_events, nobody.needed_n) == (0, None)


@pytest.mark.parametrize("mechanism", [DIRECT, OneSided("1/10"), Warner("0.9")], ids=repr)
def test_groups_that_tell_the_answers_apart_give_least_squares_instead(mechanism):
    reports = np.array([0, 1, 0, 1])
    counts = [200, 200, 500, 0] if mechanism == DIRECT else [200, 200, 480, 20]
    assert_boundary(regress(mechanism, reports, nigeria()["design"], counts=counts), "")


def test_errors_of_few_clusters_are_those_of_their_sums():
    data, _ = simulated(Warner("3/4"), 600, 0.7, 5)
    clusters = np.repeat(list("abcdefghijkl"), 50)
    found = regress(Warner("3/4"), **data, clusters=clusters)
    assert found.errors == "sandwich"
    shares = found.predict(data["design"]).shares
    chance = 0.25 + 0.5 * shares
    slopes = (
        data["design"]
        * ((data["reports"] - chance) * 0.5 * shares * (1 - shares) / (chance * (1 - chance)))[
            :, None
        ]
    )
    sums = np.stack([slopes[clusters == each].sum(axis=0) for each in np.unique(clusters)])
    expected = found.observed_covariance @ (sums.T @ sums) @ found.observed_covariance * 12 / 11
    assert found.covariance == close(expected, 1e-10)
    assert found.test(1) == found.wald_test(1)


def test_columns_of_any_size_are_the_same_model():
    """A year, and an amount in millions, beside the plain columns: rounding has no say."""
    data, _ = simulated(Warner("3/4"), 3000, 0.7, 5)
    plain = regress(Warner("3/4"), **data)
    data["design"] = data["design"] @ np.array([[1, 0, 2020.0], [0, 1e-7, 0], [0, 0, 3.0]])
    found = regress(Warner("3/4"), **data)
    assert found.log_likelihood == close(plain.log_likelihood, 1e-8)
    assert found.coefficients[1:] * [1e-7, 3] == pytest.approx(plain.coefficients[1:], rel=1e-7)
    assert found.standard_errors[1:] * [1e-7, 3] == pytest.approx(
        plain.standard_errors[1:], rel=1e-7
    )


def test_groups_without_a_column_of_ones():
    data, groups = nigeria(), np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    found = regress(FORCED, data["reports"], groups, counts=data["counts"])
    assert found.coefficients == close([-0.761980358658, -0.761980358658 - 0.648702036683])


def test_numbers_that_are_not_whole_collapse_too():
    data, _ = simulated(Warner("3/4"), 3000, 0.7, 5)
    assert regress(Warner("3/4"), **data)._cells.starts.size == 14
    data["design"][:, 2] = np.exp(data["design"][:, 2])
    assert regress(Warner("3/4"), **data)._cells.starts.size == 14
