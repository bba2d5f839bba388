"""RAPPOR: two steps of noise on Bloom filters, and what counts of them say of candidates."""

import doctest
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from mechanisms import Rappor, Written, from_spec, recommend_for_texts
from mechanisms.designs.bloom import filters, positions
from mechanisms.designs.texts import digest
from mechanisms.estimation.bloom import require_distinguishable
from mechanisms.estimation.candidates import Counted
from mechanisms.planning.texts import times_beside

SMALL = Rappor(4, 2, 3)
STEPS = {
    "the usual": {},
    "a light instant step": {"p": "9/10", "q": "1/10"},
    "a strong permanent one": {"f": "4/5"},
}
steps = pytest.mark.parametrize("letters", STEPS.values(), ids=STEPS)


def test_the_reference_values():
    mechanism = Rappor(f="1/2", p="3/4", q="1/2", hashes=2)
    assert mechanism.epsilon_once == pytest.approx(1.0742858642, abs=1e-10)
    assert mechanism.epsilon_of(2) == pytest.approx(2.0170079503, abs=1e-10)
    assert mechanism.epsilon == pytest.approx(4.3944491547, abs=1e-10)
    assert mechanism.epsilon_of(2000) == pytest.approx(mechanism.epsilon, abs=1e-9)


def test_positions_are_the_words_of_the_hash():
    words = digest("candor-rappor-1", "12", "heroin")
    expected = [int.from_bytes(words[4 * i : 4 * i + 4], "big") % 64 for i in range(4)]
    assert positions("heroin", 12, 64, 4) == expected


def rows_of(mechanism, reports):
    """cohort, bits of each text that can be -> the chance of each tuple of so many reports, as fractions."""
    kept, instant = (
        [[Fraction(cell, mechanism.den) for cell in row] for row in rows]
        for rows in (mechanism.permanent, mechanism.instant)
    )

    def of_bit(bit, said):
        return sum(
            kept[bit][middle] * math.prod(instant[middle][each] for each in said)
            for middle in (0, 1)
        )

    outputs = list(product(product((0, 1), repeat=reports), repeat=mechanism.bits))
    seen = {
        mechanism.filter(f"text {number}", cohort)
        for number in range(60)
        for cohort in range(mechanism.cohorts)
    }
    return [
        [math.prod(map(of_bit, map(int, bits), output)) for output in outputs]
        for bits in sorted(seen)
    ]


def worst(rows):
    """The largest ratio of two chances of one output."""
    return max(max(column) / min(column) for column in zip(*rows, strict=True))


@steps
def test_epsilon_is_that_of_all_texts_and_reports(letters):
    mechanism = Rappor(4, 2, 3, **letters)
    for reports, declared in ((1, mechanism.epsilon_once), (2, mechanism.epsilon_of(2))):
        rows = rows_of(mechanism, reports)
        assert all(sum(row) == 1 for row in rows)
        assert math.log(worst(rows)) == pytest.approx(declared, rel=1e-12)
    den = mechanism.den
    identity = Rappor.from_integers((4, 2, 3), mechanism.permanent, [[den, 0], [0, den]], den)
    assert math.log(worst(rows_of(identity, 1))) == pytest.approx(mechanism.epsilon, rel=1e-12)


def test_one_report_is_drawn_with_the_stated_chances():
    """The cohort first, then every bit, one word each; all words of a small row."""
    mechanism = Rappor(2, 1, 1)
    (text,) = [each for each in ("a", "b", "c", "d") if mechanism.filter(each, 0) == "10"][:1]
    drawn = []
    for words in product(range(4), repeat=4):
        stream = iter((0, *words))
        drawn.append(mechanism.randomize_one(text, lambda stream=stream: next(stream)))
    q, p = mechanism.set_probabilities
    chances = {"0:11": p * q, "0:10": p * (1 - q), "0:01": (1 - p) * q, "0:00": (1 - p) * (1 - q)}
    assert {report: Fraction(drawn.count(report), 256) for report in chances} == chances


def test_many_at_once_have_the_same_law():
    mechanism, rng = Rappor(8, 2, 3, f="1/3", p="9/10", q="1/5"), np.random.default_rng(1)
    counts = mechanism.wire.cohort_counts(
        mechanism.randomize_stored(["  Some TEXT "] * 60_000, rng)
    )
    assert abs(counts[:, 0] - 20_000).max() < 4 * math.sqrt(60_000 * 2 / 9)
    for cohort, (n, *ones) in enumerate(counts):
        chances = np.array(
            [
                float(mechanism.set_probabilities[int(bit)])
                for bit in mechanism.filter("some text", cohort)
            ]
        )
        assert (abs(ones - n * chances) < 4.5 * np.sqrt(n * chances * (1 - chances))).all()


def test_a_kept_text_is_reported_again_from_what_is_kept():
    words = np.random.default_rng(2).integers(0, 2**32, 100_000).tolist()
    stream = iter(words)
    kept = SMALL.draw_permanent("heroin", lambda: next(stream))
    cohort, bits = SMALL.wire.parts(kept)
    again = [SMALL.draw_report(kept, lambda: next(stream)) for _ in range(8_000)]
    assert {SMALL.wire.parts(report)[0] for report in again} == {cohort}
    for place, bit in enumerate(bits):
        chance = SMALL.instant[int(bit)][1] / SMALL.den
        ones = sum(SMALL.wire.parts(report)[1][place] == "1" for report in again)
        assert abs(ones - 8_000 * chance) < 4 * math.sqrt(8_000 * chance * (1 - chance))


def expected_counts(mechanism, shares, n):
    """What n reports of each cohort count on average, where texts have these shares."""
    q, p = map(float, mechanism.set_probabilities)
    found = []
    for cohort in range(mechanism.cohorts):
        bits = sum(
            share * np.array(list(map(int, mechanism.filter(text, cohort))))
            for text, share in shares.items()
        )
        found.append([n, *np.round(n * (q + (p - q) * bits)).astype(int)])
    return np.array(found)


def test_counts_without_chance_give_the_true_shares():
    mechanism = Rappor(32, 2, 8)
    shares = {"a": 0.5, "b": 0.3, "c": 0.15, "d": 0.05}
    counts = expected_counts(mechanism, shares, 10**9)
    found = mechanism.estimate_candidates(Counted(8 * 10**9, counts), tuple(shares), 0.05)
    assert found.shares == pytest.approx(list(shares.values()), abs=1e-7)
    assert found.possible == pytest.approx(list(shares.values()), abs=1e-6)
    assert found.none.share == pytest.approx(0, abs=1e-6)


CANDIDATES = tuple(f"text {number}" for number in range(20))
SHARES = np.array([0.3, 0.1, 0.05, *[0.0] * 17])


@pytest.fixture(scope="module")
def runs():
    """Many small surveys: of each what the reports say of 20 candidates, three of which are written. Others are too."""
    mechanism, rng = Rappor(32, 1, 16, f="1/5", p="9/10", q="1/10"), np.random.default_rng(4)
    others = [f"other {number}" for number in range(200)]
    found = []
    for _ in range(80):
        which = rng.choice(21, 2_000, p=[*SHARES, 1 - SHARES.sum()])
        truths = [CANDIDATES[each] if each < 20 else others[rng.integers(200)] for each in which]
        counted = mechanism.count_candidates(mechanism.randomize_stored(truths, rng), CANDIDATES)
        found.append(mechanism.estimate_candidates(counted, CANDIDATES, 0.05))
    return found


def test_z_scores_vary_as_they_should(runs):
    scores = np.array([(each.shares - SHARES) / each.standard_errors for each in runs])
    assert 0.88 < scores.var() < 1.1
    assert abs(scores.mean()) < 0.1


def test_all_intervals_hold_together(runs):
    low, high = np.moveaxis([each.intervals for each in runs], -1, 0)
    hold = ((low <= SHARES) & (high >= SHARES)).all(axis=1)
    assert np.mean(hold) >= 0.92
    none = [abs(each.none.share - 0.55) < 1.96 * each.none.standard_error for each in runs]
    assert 0.91 <= np.mean(none) <= 0.98


def test_what_is_found_is_what_was_written(runs):
    assert np.mean([{0, 1} <= set(each.found.tolist()) for each in runs]) > 0.9
    assert np.mean([set(each.found.tolist()) <= {0, 1, 2} for each in runs]) > 0.95
    assert all((each.possible >= 0).all() and each.possible.sum() <= 1 + 1e-9 for each in runs)
    assert np.median([each.significance[0] for each in runs]) < 1e-6
    assert np.mean([each.significance[5] < 0.05 for each in runs]) < 0.12


def test_the_error_is_known_before(runs):
    mechanism = Rappor(32, 1, 16, f="1/5", p="9/10", q="1/10")
    errors = [each.standard_errors[10] for each in runs]
    assert np.mean(errors) == pytest.approx(math.sqrt(mechanism.noise / 2_000), rel=0.15)
    assert mechanism.smallest_detectable_share(2_000, 20) == pytest.approx(
        3.0233 * math.sqrt(mechanism.noise / 2_000), rel=1e-4
    )


def test_parts_add_up():
    mechanism, rng = Rappor(16, 2, 4), np.random.default_rng(5)
    reports = mechanism.randomize(["a", "b"] * 500, rng)
    halves = [
        mechanism.count_candidates(mechanism.stored_reports(part), ())
        for part in (reports[:300], reports[300:])
    ]
    whole = mechanism.count_candidates(mechanism.stored_reports(reports), ())
    both = halves[0] + halves[1]
    assert both.n == whole.n == 1000
    assert both.sums.tolist() == whole.sums.tolist()
    assert whole.sums.shape == (4, 17)
    assert whole.sums[:, 0].sum() == 1000


def test_more_candidates_than_bits_are_refused():
    mechanism = Rappor(4, 1, 2)
    reports = mechanism.randomize(["a"] * 100, 1)
    with pytest.raises(ValueError, match="9 candidates cannot be told apart by the 8 bits"):
        mechanism.candidates(reports, [f"text {number}" for number in range(9)])
    same = [f"text {number}" for number in range(40) if positions(f"text {number}", 0, 4, 1) == [1]]
    twins = [text for text in same if positions(text, 1, 4, 1) == [2]][:2]
    with pytest.raises(ValueError, match="2 candidates cannot be told apart"):
        mechanism.candidates(reports, twins)
    with pytest.raises(ValueError, match="at least one report"):
        mechanism.candidates([], ["a"])


@pytest.mark.parametrize("width", range(4, 16))
def test_candidates_that_together_set_the_bits_of_others_are_refused(width):
    """The first two set the bits of the last two; rounding alone can make a factor of that, with a pivot near 0."""
    with pytest.raises(ValueError, match="4 candidates cannot be told apart"):
        require_distinguishable(
            np.array([[pair] * 2 for pair in ((0, 1), (2, 3), (0, 2), (1, 3))]), width
        )


def test_a_cohort_without_reports_is_left_out():
    mechanism = Rappor(16, 1, 8)
    found = mechanism.candidates(mechanism.randomize(["a"] * 3, 1), ["a"])
    assert np.isfinite(found.shares).all()
    assert np.isfinite(found.standard_errors).all()


NO_REPORTS = (
    "",
    "0",
    ":0101",
    "3:0101",
    "-1:0101",
    "00:0101",
    "0:010",
    "0:01012",
    "0:01 1",
    5,
    None,
    "²:0101",
)


@pytest.mark.parametrize("wrong", NO_REPORTS)
def test_what_is_no_report_is_refused(wrong):
    with pytest.raises(
        ValueError, match="be a number from 0 to 2, a colon, and 4 characters 0 or 1"
    ):
        SMALL.wire.encode(wrong)


def test_reports_are_stored_and_come_back():
    reports = Rappor(128, 2, 256).randomize(["a", "b", "c"], 3)
    wire = Rappor(128, 2, 256).wire
    stored = np.frombuffer(b"".join(map(wire.encode, reports)), wire.field)
    assert wire.reports(stored) == reports
    assert max(map(len, reports)) + 2 <= wire.longest == 134
    assert wire.field.itemsize == 17


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bits": 12}, "bits is 12; allowed is a power of 2"),
        ({"bits": 512}, "bits is 512"),
        ({"hashes": 5}, "hashes is 5"),
        ({"bits": 2, "hashes": 2}, "hashes is 2; allowed is a whole number from 1 to 1"),
        ({"cohorts": 257}, "cohorts is 257"),
        ({"f": 1}, "f below 1"),
        ({"p": "1/2", "q": "1/2"}, "p above q"),
        ({"p": "1/4", "q": "1/2"}, "p above q"),
    ],
)
def test_what_cannot_be_asked_with_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Rappor(**given)


def test_specs():
    assert from_spec(SMALL.spec()) == SMALL
    assert set(SMALL.spec()) == Rappor.keys
    for wrong in (
        {"den": 5},
        {"permanent": [[3, 1], [2, 2]]},
        {"instant": [[1, 3]]},
        {"instant": [[2, 2], [1, 4]]},
    ):
        with pytest.raises(ValueError, match="allowed"):
            from_spec(SMALL.spec() | wrong)
    assert not Rappor(f=0).publishable
    assert filters(["a"], 3, 8, 2).shape == (1, 3, 2)


@pytest.mark.parametrize(("epsilon", "hashes"), [(0.6932, 1), (1.0987, 2), (2.1973, 4), (0.05, 1)])
def test_from_epsilon_nothing_is_above_the_declared(epsilon, hashes):
    for ever in (None, 1.3 * epsilon, 9 * epsilon):
        mechanism = Rappor.from_epsilon(epsilon, ever, hashes=hashes)
        assert 0.99 * epsilon < mechanism.epsilon_once <= epsilon
        assert 0.99 * (ever or 2 * epsilon) < mechanism.epsilon <= (ever or 2 * epsilon)
        assert mechanism.epsilon_once < mechanism.epsilon_of(2) < mechanism.epsilon
    with pytest.raises(ValueError, match="above epsilon"):
        Rappor.from_epsilon(epsilon, epsilon)


@pytest.mark.parametrize("name", ["bits", "hashes", "cohorts"])
@pytest.mark.parametrize("wrong", [0, -1, 1.5, None, True])
def test_from_epsilon_refuses_a_size_as_the_class_does(name, wrong):
    with pytest.raises(ValueError, match=f"{name} is"):
        Rappor.from_epsilon(1.0, **{name: wrong})


def test_what_it_costs_beside_a_hash_is_computed():
    """At the epsilon of one report; the figures of the measurements in docs/statistics.md."""
    best, *others = recommend_for_texts(2.1973)
    assert isinstance(best.mechanism, Written)
    assert [each.mechanism.hashes for each in others] == [1, 2, 4]
    assert [each.error / best.error for each in others] == pytest.approx(
        [1.34, 2.88, 5.85], abs=0.02
    )
    assert others[2].reason.startswith("Needs 5.9 times the respondents, with 4 hash functions.")
    assert "all together have epsilon 4.39" in others[0].reason
    assert times_beside(Rappor(hashes=2)) == pytest.approx(2.44, abs=0.01)


def test_the_examples_of_its_page_give_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "designs" / "rappor.md"
    found = doctest.testfile(str(page), module_relative=False)
    assert (found.attempted, found.failed) == (4, 0)
