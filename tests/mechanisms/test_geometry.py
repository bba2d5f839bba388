"""Geometry: its chances by enumeration, its draws, and what is estimated from its counts."""

import hashlib
from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from scipy import stats

from mechanisms import Geometry, Tally, from_spec, planning, total_error
from mechanisms.designs.orders import ORDERS, best_space, largest_space
from mechanisms.estimation.intervals import exact
from mechanisms.estimation.projective import Space
from mechanisms.planning import Channel

# order, dimension, keep, den
SMALL = [(2, 2, 3, 4), (2, 4, 7, 10), (3, 3, 6, 10), (5, 2, 1, 3), (5, 3, 1, 10), (7, 2, 3, 7)]


def words_of(seed):
    """First four bytes of SHA-256 of a name and a number, one after the other."""
    place = iter(range(10**9))
    return lambda: int.from_bytes(
        hashlib.sha256(f"candor-vector {seed} {next(place)}".encode()).digest()[:4]
    )


def enumerated(mechanism):
    """The chance of each report under each answer, from every outcome of the draw; given that not all are zeros."""
    order, dimension = mechanism.space
    rows = []
    for truth in range(mechanism.size):
        chosen = mechanism.space.vector(truth)
        chances = [Fraction(0)] * mechanism.reports
        for zero, chance in ((True, mechanism.p), (False, 1 - mechanism.p)):
            able = [
                vector
                for vector in product(range(order), repeat=dimension)
                if any(vector)
                and (sum(a * b for a, b in zip(chosen, vector, strict=True)) % order == 0) is zero
            ]
            for vector in able:
                chances[mechanism.space.point(vector)] += chance / len(able)
        rows.append(chances)
    return rows


@pytest.mark.parametrize(("order", "dimension", "keep", "den"), SMALL)
def test_its_epsilon_and_its_chances_are_those_of_every_truth_and_report(
    order, dimension, keep, den
):
    size = Space(order, dimension).points
    mechanism = Geometry.from_integers(size, order, dimension, keep, den)
    rows = enumerated(mechanism)
    assert all(sum(row) == 1 for row in rows)
    odds = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert mechanism.epsilon == pytest.approx(log(odds), rel=1e-14)
    for truth, row in enumerate(rows):
        for answer in range(size):
            spoken = sum(
                chance
                for report, chance in enumerate(row)
                if orthogonal(mechanism.space, answer, report)
            )
            assert spoken == (mechanism.p if answer == truth else mechanism.q)


def orthogonal(space, one, other):
    return (
        sum(a * b for a, b in zip(space.vector(one), space.vector(other), strict=True))
        % space.order
        == 0
    )


def test_fewer_answers_than_points_cost_the_same():
    few, all_ = Geometry.from_integers(5, 3, 3, 6, 10), Geometry.from_integers(13, 3, 3, 6, 10)
    assert enumerated(few) == enumerated(all_)[:5]
    assert few.epsilon == all_.epsilon


def test_the_space_for_a_thousand_answers():
    mechanism = Geometry(1000, 1.0987, den=1000)
    assert mechanism.spec() == {
        "kind": "geometry", "size": 1000, "order": 5, "dimension": 6, "den": 1000, "keep": 428,
    }  # fmt: skip
    assert (mechanism.reports, mechanism.space.orthogonal) == (3906, 781)
    assert mechanism.q == Fraction(195143, 976250)
    assert mechanism.epsilon == pytest.approx(1.0965986165, abs=1e-10)
    assert from_spec(mechanism.spec()) == mechanism


def test_points_by_number():
    space = Space(3, 3)
    assert [space.vector(point) for point in (0, 1, 2, 5, 12)] == [
        [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 1], [1, 2, 2],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "space", [Space(2, 5), Space(3, 4), Space(7, 3), Space(199, 2), largest_space(5)]
)
def test_points_and_vectors_lead_to_each_other(space):
    last = space.points - 1
    points = np.unique(
        np.concatenate([np.arange(min(400, last)), np.linspace(0, last, 50).astype(np.int64)])
    )
    vectors = space.vectors(points)
    assert vectors.tolist() == [space.vector(point) for point in points.tolist()]
    assert space.points_of(vectors).tolist() == points.tolist()
    twice = vectors.astype(np.int64) * (space.order - 1) % space.order  # the same points
    assert space.points_of(twice).tolist() == points.tolist()
    assert [space.point(vector) for vector in twice.tolist()] == points.tolist()


def test_the_example_of_thirteen_points():
    mechanism = Geometry.from_integers(13, 3, 3, 6, 10)
    counts = 10 * np.arange(1, 14)
    tally = Tally(910, counts)
    estimate = mechanism.estimate(tally)
    assert mechanism.q == Fraction(17, 60)
    assert mechanism.support_counts(tally).tolist() == [
        260,
        190,
        310,
        300,
        100,
        320,
        290,
        370,
        310,
        300,
        280,
        300,
        310,
    ]
    assert estimate.proportions[0] == pytest.approx(0.007518796, abs=1e-9)
    assert estimate.standard_errors[0] == pytest.approx(0.0472910453, abs=1e-10)


@pytest.mark.parametrize(
    ("size", "space"), [(40, Space(2, 6)), (30, Space(3, 4)), (57, Space(7, 3)), (20, Space(19, 2))]
)
def test_the_transform_counts_what_counting_by_hand_does(size, space):
    counts = np.random.default_rng(3).integers(0, 1000, space.points)
    by_hand = [
        sum(
            int(counts[report])
            for report in range(space.points)
            if orthogonal(space, answer, report)
        )
        for answer in range(size)
    ]
    assert space.counts(counts, size).tolist() == by_hand


def test_draws_are_those_of_other_programs():
    mechanism = Geometry.from_integers(3906, 5, 6, 429, 1000)
    words = words_of(0)
    drawn = [mechanism.randomize_one(37 * index % 3906, words) for index in range(20_000)]
    assert drawn[:8] == [2687, 1869, 1142, 2358, 357, 9, 3867, 3576]
    digest = hashlib.sha256("".join(f"{report}," for report in drawn).encode()).hexdigest()
    assert digest.startswith("c8bbaf212387f81a")


@pytest.mark.parametrize(("order", "dimension", "keep", "den"), SMALL)
def test_many_at_once_follow_the_same_law(order, dimension, keep, den):
    n = 40_000
    mechanism = Geometry.from_integers(Space(order, dimension).points, order, dimension, keep, den)
    for truth in (0, mechanism.size - 1):
        counts = mechanism.tally(mechanism.randomize(np.full(n, truth), truth)).counts
        chances = np.array(enumerated(mechanism)[truth], float)
        assert (
            np.abs(counts - n * chances) < 4.5 * np.sqrt(n * chances * (1 - chances)) + 1e-9
        ).all()


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 3])
@pytest.mark.parametrize("size", [200, 1000, 20_000])
def test_its_error_is_near_that_of_the_best_known(size, epsilon):
    e = np.exp(epsilon)
    limit = (
        4 * e * (size - 1) ** 2 / (size * (e - 1) ** 2)
    )  # Ye and Barg's continuous form, below what can be reached
    assert total_error(Geometry(size, epsilon)) < 1.035 * limit + 1


def test_no_other_order_has_a_clearly_smaller_error_and_no_smaller_space_one_as_small():
    best = total_error(Geometry(300, 2))
    for order in ORDERS[:20]:
        space = next(Space(order, t) for t in range(2, 12) if Space(order, t).points >= 300)
        assert total_error(Geometry(300, 2, space)) >= best / 1.01
        assert (
            total_error(Geometry(300, 2, space)) >= best
            or space.points >= best_space(300, 2).points
        )


@pytest.mark.parametrize("size", [26, 300])
def test_a_sum_of_answers_varies_as_the_covariance_says(size):
    mechanism = Geometry(size, 1.5)
    shares = np.random.default_rng(5).dirichlet(np.ones(size))
    truths = np.random.default_rng(6).choice(size, 5000, p=shares)
    estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, 7)))
    picked = list(range(0, size, 3))
    total = estimate.total(picked)
    by_covariance = estimate.covariance[np.ix_(picked, picked)].sum() ** 0.5
    assert total.standard_error == pytest.approx(by_covariance, rel=1e-9)
    assert total.share == pytest.approx(estimate.proportions[picked].sum(), abs=1e-12)
    assert estimate.covariance.diagonal() ** 0.5 == pytest.approx(
        estimate.standard_errors, rel=1e-9
    )
    assert estimate.constrained.sum() == pytest.approx(1)
    assert estimate.constrained.min() >= 0


def test_a_covariance_of_many_answers_is_refused_and_a_sum_is_not():
    mechanism = Geometry(20_000, 1)
    estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(np.zeros(2000, int), 1)))
    with pytest.raises(ValueError, match="ask for sums of answers"):
        _ = estimate.covariance
    assert (
        abs(estimate.total(range(10_000)).share - 1)
        < 5 * estimate.total(range(10_000)).standard_error
    )
    with pytest.raises(ValueError, match=r"allowed is Estimate\.constrained"):
        mechanism.maximum_likelihood([1, 2])


@pytest.mark.parametrize(
    "change",
    [
        {"order": 4},
        {"order": 211},
        {"dimension": 1},
        {"dimension": 40},
        {"size": 14},
        {"keep": 11},
        {"den": 1},
        {"size": 1},
    ],
)
def test_integers_that_contradict_each_other_are_refused(change):
    spec = {"kind": "geometry", "size": 13, "order": 3, "dimension": 3, "den": 10, "keep": 6}
    with pytest.raises(ValueError, match="allowed"):
        from_spec(spec | change)


def test_a_report_that_tells_nothing_is_refused():
    with pytest.raises(ValueError, match="keep is 4; allowed is any but"):
        Geometry.from_integers(13, 3, 3, 4, 13)


@pytest.mark.parametrize("reports", [[13], [-1], [0.5], [[1]]])
def test_impossible_reports_are_refused(reports):
    with pytest.raises(ValueError, match="reports"):
        Geometry.from_integers(13, 3, 3, 6, 10).tally(reports)


def test_tallies_of_another_shape_or_sum_are_refused():
    mechanism = Geometry.from_integers(13, 3, 3, 6, 10)
    for tally in (Tally(1, [1]), Tally(14, np.ones(13, int))):
        with pytest.raises(ValueError, match="13 counts that sum to n"):
            mechanism.estimate(tally)


def test_what_so_many_reports_can_find():
    """Of 100 candidates with 20,000 reports 4.3% at ln 3 and 1.8% at ln 9, where the order is the best there is."""
    channels = [Channel.geometry(np.log(odds), 10**9) for odds in (3, 9)]
    found = [
        float(planning.smallest_detectable_share(channel, 20_000, 100)) for channel in channels
    ]
    assert found == pytest.approx([0.043, 0.0184], rel=0.03)
    exact = Channel.of(Geometry(1000, 1.0987))
    assert planning.side_by_side(1000, 1.0987, 5000, 0.1)["geometry"] == pytest.approx(
        float(planning.standard_error(exact, 0.1, 5000)), rel=1e-6
    )
    assert "geometry" not in planning.side_by_side(200, 1.0987, 5000)


def test_from_the_least_share_on_the_exact_interval_lies_above_zero():
    mechanism, n = Geometry(300, 2), 5000
    least = float(planning.smallest_detectable_share(Channel.of(mechanism), n, 300))
    for hits, above in ((-1, False), (0, True)):
        count = round(n * (float(mechanism.q) + least * float(mechanism.p - mechanism.q))) + hits
        low = exact(np.array([count]), n, 1 - 0.05 / 300)[0, 0]
        assert bool(low > float(mechanism.q)) is above
    falling = Channel(1 - float(mechanism.p), 1 - float(mechanism.q))
    assert float(planning.smallest_detectable_share(falling, n, 300)) == pytest.approx(
        least, rel=1e-12
    )
    assert np.isnan(
        planning.smallest_detectable_share(Channel.of(mechanism), [0.5, 1, 3], 300)
    ).all()  # even three of three are few


@pytest.mark.parametrize(
    ("size", "epsilon", "n", "least", "falsely"),
    [
        (20_000, 4.5, 300, 0.084, 0.0085),
        (20_000, 1.1, 5_000, 0.119, 0.0235),
        (2_000, 4.48, 300, 0.072, 0.0138),
    ],
)
def test_a_long_list_hardly_ever_tells_what_nobody_gave(size, epsilon, n, least, falsely):
    """The chance, at most, that any choice of share 0 is told from 0; by Wilson's intervals it is .95, .03, .53."""
    mechanism = Geometry(size, epsilon)
    q, slope = float(mechanism.q), float(mechanism.p - mechanism.q)
    share = float(planning.smallest_detectable_share(Channel.of(mechanism), n, size))
    assert share == pytest.approx(least, abs=5e-4)
    count = round(n * (q + share * slope))
    assert 1 - (1 - stats.binom.sf(count - 1, n, q)) ** size == pytest.approx(falsely, abs=5e-4)
    assert (exact(np.array([count - 1, count]), n, 1 - 0.05 / size)[:, 0] > q).tolist() == [
        False,
        True,
    ]


def test_of_2000_choices_those_that_five_in_a_hundred_gave_are_found_and_no_other():
    """60 surveys of 300: by Wilson's intervals every second one finds a choice that nobody gave."""
    mechanism, rng = Geometry(2_000, 4.48), np.random.default_rng(31)
    truths = np.repeat(np.arange(5), 60)
    true, wrong = {"wilson": 0, "exact": 0}, {"wilson": 0, "exact": 0}
    for _ in range(60):
        estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)))
        ends = {
            "wilson": mechanism.estimate(estimate.tally, 0.95, "wilson", simultaneous=True),
            "exact": estimate.simultaneous_estimate,
        }
        for kind, each in ends.items():
            above = each.intervals[:, 0] > 0
            true[kind] += above[:5].sum()
            wrong[kind] += above[5:].any()
    assert wrong["wilson"] >= 20
    assert wrong["exact"] <= 4
    assert true["exact"] / 60 >= 4.7
