"""Written answers: exact chances, exact counts, and candidates with their uncertainty."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mechanisms import Written, from_spec
from mechanisms.designs.texts import distinct_candidates
from mechanisms.estimation.candidates import Counted
from mechanisms.estimation.orthogonal import Orthogonal
from mechanisms.estimation.projective import Space

SMALL = Written.from_integers(3, 3, 6, 10)  # 13 points
DRUGS = ["heroin", "cocaine", "crack", "ecstasy"]


def answers(rng, n, shares):
    """So many texts: drugs with these shares, and nobody's name for the rest."""
    return rng.choice([*DRUGS, "something else"], n, p=[*shares, 1 - sum(shares)]).tolist()


def test_every_report_has_the_chance_that_epsilon_and_contrast_state():
    """All truths and reports of a small space: p, q and the privacy loss as fractions."""
    space, own = SMALL.space, Fraction(6, 10)
    held = np.array(
        [[not np.dot(space.vector(x), space.vector(y)) % 3 for y in range(13)] for x in range(13)]
    )
    rows = [[own / 4 if each else (1 - own) / 9 for each in row] for row in held]
    other = {
        sum(row[y] for y in range(13) if held[z][y])
        for x, row in enumerate(rows)
        for z in range(13)
        if z != x
    }

    assert all(sum(row) == 1 for row in rows)
    assert (SMALL.p, {SMALL.q}) == (own, other)
    ratio = max(max(column) / min(column) for column in zip(*rows, strict=True))
    assert SMALL.epsilon == pytest.approx(np.log(float(ratio)))


@pytest.mark.parametrize("epsilon", [0.6932, 1.0987, 2.1973, 4.5])
def test_it_has_as_many_points_as_32_bits_hold_and_never_more_than_the_epsilon_declared(epsilon):
    made = Written(epsilon, den="survey")
    space = made.space

    assert space.points < 2**32 <= Space(space.order, space.dimension + 1).points
    assert 0.98 * epsilon < made.epsilon <= epsilon
    assert from_spec(made.spec()) == made
    assert set(made.spec()) == {"kind", "order", "dimension", "den", "keep"}


def test_a_text_is_the_same_however_it_is_typed():
    made = Written(1.0987)
    typed = ["Crack  Cocaine", "crack cocaine", " ＣＲＡＣＫ\tcocaine "]
    assert len({made.randomize_one(text, iter(range(7, 99)).__next__) for text in typed}) == 1


@pytest.mark.parametrize("wrong", ["", "x" * 101, 3, None])
def test_what_is_no_short_text_is_no_truth(wrong):
    with pytest.raises(ValueError, match="allowed is a text of 1 to 100"):
        Written(1).randomize_one(wrong, lambda: 0)


@pytest.mark.parametrize("epsilon", [0.6932, 1.0987, 2.1973, 4.9])
def test_counts_by_blocks_of_floats_are_those_of_whole_numbers(epsilon):
    space = Written(epsilon).space
    rng = np.random.default_rng(1)
    points, reports = (
        np.unique(rng.integers(0, space.points, 150)),
        rng.integers(0, space.points, 9000),
    )
    products = space.vectors(reports).astype(np.int64) @ space.vectors(points).astype(np.int64).T
    held = products % space.order == 0

    found = Orthogonal(space, points).count_reports(reports)

    assert found.counts.tolist() == held.sum(axis=0).tolist()
    assert found.squares == (held.sum(axis=1) ** 2).sum()


def test_candidates_have_shares_and_the_rest_is_none_of_them():
    made, rng = Written(2.1973, den="survey"), np.random.default_rng(5)
    reports = made.randomize(answers(rng, 40_000, [0.3, 0.2, 0.1, 0.0]), rng)

    found = made.candidates(reports, ["Heroin", "COCAINE ", "crack", "ecstasy"])

    assert found.texts == tuple(DRUGS)
    assert found.shares == pytest.approx([0.3, 0.2, 0.1, 0], abs=4 * found.standard_errors.max())
    assert found.none.share == pytest.approx(0.4, abs=4 * found.none.standard_error)
    assert found.none.share == pytest.approx(1 - found.shares.sum())
    assert found.found.tolist() == [0, 1, 2]


def test_parts_of_the_reports_add_up():
    made, rng = Written(1.0987), np.random.default_rng(2)
    reports = made.randomize(answers(rng, 3000, [0.4, 0.1, 0, 0]), rng)
    texts = distinct_candidates(DRUGS)

    parts = made.count_candidates(reports[:1000], texts) + made.count_candidates(
        reports[1000:], texts
    )
    whole = made.candidates(reports, DRUGS, 0.025)
    again = made.estimate_candidates(parts, texts, 0.025)

    assert again.shares.tolist() == whole.shares.tolist()
    assert again.none == whole.none


def test_a_level_is_shared_out_among_the_candidates():
    made, rng = Written(1.0987), np.random.default_rng(2)
    reports = made.randomize(answers(rng, 3000, [0.4, 0.1, 0, 0]), rng)

    one, four = made.candidates(reports, DRUGS[:1], 0.05 / 4), made.candidates(reports, DRUGS, 0.05)

    assert one.intervals[0].tolist() == four.intervals[0].tolist()


def test_candidates_with_one_point_are_named_and_count_once():
    texts = [f"text {number}" for number in range(20)]  # more than there are points
    reports = SMALL.randomize(texts * 50, 3)

    found = SMALL.candidates(reports, texts)

    assert found.collisions
    for group in found.collisions:
        assert len({SMALL.point(texts[place]) for place in group}) == 1
        assert len({float(found.shares[place]) for place in group}) == 1
    once = sum(
        {
            SMALL.point(text): share
            for text, share in zip(texts, found.shares.tolist(), strict=True)
        }.values()
    )
    assert found.none.share == pytest.approx(1 - once)


def test_what_can_be_told_from_nothing():
    """20,000 responses, 100 candidates."""
    assert Written(1.0987, den="survey").smallest_detectable_share(20_000, 100) == pytest.approx(
        0.0436, abs=5e-4
    )
    assert Written(2.1973).smallest_detectable_share(20_000, 100) == pytest.approx(0.0185, abs=5e-4)
    assert np.isnan(
        Written(1.0987).smallest_detectable_share(3, 100)
    )  # three reports that all speak for a text are none too many


@pytest.mark.parametrize(
    ("epsilon", "n", "candidates"), [(4.5, 300, 100), (4.5, 1_000, 1_000), (2.2, 100, 100)]
)
def test_a_text_that_nobody_wrote_is_told_from_0_as_rarely_as_said(epsilon, n, candidates):
    """All candidates together, exactly; by Wilson's intervals in up to 20 of 100 surveys."""
    mechanism = Written(epsilon)
    p, q = float(mechanism.p), float(mechanism.q)
    texts, low = [f"text {number}" for number in range(candidates)], []
    for first in range(0, n + 1, candidates):
        counted = Counted(n, np.append(np.minimum(np.arange(first, first + candidates), n), [0, 0]))
        low.append(mechanism.estimate_candidates(counted, texts, 0.05).intervals[:, 0])
    least = int(np.argmax(np.concatenate(low) > 0))
    assert 1 - (1 - stats.binom.sf(least - 1, n, q)) ** candidates <= 0.05
    assert mechanism.smallest_detectable_share(n, candidates) == pytest.approx(
        (least / n - q) / (p - q)
    )


@pytest.mark.parametrize("mechanism", [Written(2.1973), SMALL])
def test_significance_is_the_binomial_tail_and_decides_as_the_interval(mechanism):
    counts = np.arange(401)
    texts = [f"text {number}" for number in counts]

    result = mechanism.estimate_candidates(Counted(400, np.append(counts, [0, 0])), texts, 0.05)

    tails = stats.binom.sf(counts - 1, 400, float(mechanism.q))
    assert result.significance == pytest.approx(tails, rel=1e-9)
    assert result.is_found.tolist() == (result.intervals[:, 0] > 0).tolist()


def test_fewer_reports_speak_for_a_text_whose_reports_avoid_it():
    mechanism = Written.from_integers(order=3, dimension=3, keep=1, den=10)
    counts = np.arange(201)
    texts = [f"text {number}" for number in counts]

    result = mechanism.estimate_candidates(Counted(200, np.append(counts, [0, 0])), texts, 0.05)

    assert mechanism.p < mechanism.q
    assert result.significance == pytest.approx(stats.binom.cdf(counts, 200, float(mechanism.q)))
    assert result.is_found.tolist() == (result.intervals[:, 0] > 0).tolist()


@pytest.mark.parametrize("level", [0, 1, -0.1, "half"])
def test_a_level_outside_0_and_1_is_refused(level):
    with pytest.raises(ValueError, match="level"):
        SMALL.candidates([1, 2], ["a"], level)


def test_no_reports_no_candidates():
    with pytest.raises(ValueError, match="no reports"):
        SMALL.candidates([], ["a"])
    with pytest.raises(ValueError, match="number of candidates"):
        SMALL.candidates([1], [])


@pytest.mark.parametrize(
    "change",
    [{"order": 4}, {"keep": 11}, {"dimension": 40}, {"den": 1}, {"order": "3"}, {"size": 13}],
)
def test_a_wrong_spec_is_refused(change):
    with pytest.raises(ValueError, match="allowed"):
        from_spec(SMALL.spec() | change)


def missed(runs, n=2000):
    """Of so many surveys: how often a candidate's own 95% interval holds its share, that of none of these its share,
    and how often some interval of all candidates at .05 misses."""
    made, rng, truths = (
        Written(2.1973, den="survey"),
        np.random.default_rng(11),
        [0.3, 0.1, 0.02, 0.0],
    )
    own, none, some = 0, 0, 0
    for _ in range(runs):
        reports = made.randomize(answers(rng, n, truths), rng)
        counted = made.count_candidates(reports, tuple(DRUGS))
        each = made.estimate_candidates(
            counted, DRUGS, 0.05 * len(DRUGS)
        )  # shared out: 95% for each by itself
        own += sum(
            low <= share <= high for (low, high), share in zip(each.intervals, truths, strict=True)
        )
        none += abs(each.none.share - 0.58) <= 1.96 * each.none.standard_error
        together = made.estimate_candidates(counted, DRUGS, 0.05)
        some += any(
            not low <= share <= high
            for (low, high), share in zip(together.intervals, truths, strict=True)
        )
    return own / (runs * len(truths)), none / runs, some / runs


def test_intervals_hold_as_often_as_they_say():
    own, none, some = missed(100)
    assert 0.9 <= own <= 0.99
    assert 0.88 <= none <= 1
    assert some <= 0.12


@pytest.mark.long
def test_coverage_of_a_thousand_surveys():
    own, none, some = missed(1000)
    assert 0.93 <= own <= 0.97
    assert 0.93 <= none <= 0.97
    assert some <= 0.07
