"""Randomizing, tallying, and the way from a tally back to the truth."""

import json

import numpy as np
import pytest

from mechanisms import (
    Crosswise,
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Kuk,
    Mangat,
    Matrix,
    OneSided,
    OptionSampling,
    SubsetSelection,
    Tally,
    Triangular,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    Window,
    from_spec,
)
from mechanisms.designs.bits import BitMechanism

MECHANISMS = [
    Warner("3/4"),
    Warner("0.2"),
    ForcedResponse("2/3", "1/6", "1/6"),
    TwoCoin(),
    GeneralizedResponse("0.7", "0.6"),
    GeneralizedResponse.from_epsilon(1),
    UnrelatedQuestion("2/3", "1/12"),
    Crosswise("1/4"),
    Triangular("1/4"),
    Mangat("0.6"),
    Kuk("0.8", "0.2"),
    OneSided("0.3"),
    Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10),
    Matrix([[3, 1], [2, 2]], 4),
    DirectEncoding(2, 1),
    DirectEncoding(5, 1, "survey"),
    DirectEncoding(30, 3),
    UnaryEncoding(4, "3/4", "1/4"),
    UnaryEncoding(4, "1/4", "2/3"),
    UnaryEncoding.symmetric(9, 2),
    UnaryEncoding.optimized(17, 1, den="survey"),
    UnaryEncoding.symmetric(3, 2, "any", den="survey"),
    UnaryEncoding(8, "1/2", "1/5", "any"),
    OptionSampling(2, 1, den="survey"),
    OptionSampling(17, 4),
    OptionSampling(6, 3, pick=5, reach=2),
    SubsetSelection(2, 1),
    SubsetSelection(6, 1),
    SubsetSelection(20, 0.5, den="survey"),
    Window(11, 1),
    Window(4, 2, aside=True, den="survey"),
]
BITS = [mechanism for mechanism in MECHANISMS if isinstance(mechanism, BitMechanism)]
parametrize = pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)


def some_truths(mechanism, n, rng):
    if mechanism.select == "any":
        return rng.integers(0, 2, (n, mechanism.size))
    return rng.integers(0, mechanism.size, n) // 2


def shares_of(mechanism, truths):
    if truths.ndim == 2:
        return truths.mean(axis=0)
    return np.bincount(truths, minlength=mechanism.size) / truths.size


@parametrize
def test_a_spec_is_json_and_comes_back_as_the_same_mechanism(mechanism):
    spec = json.loads(json.dumps(mechanism.spec()))
    again = from_spec(spec)
    assert again == mechanism
    assert hash(again) == hash(mechanism)
    assert type(again) is type(mechanism)
    assert again.spec() == spec
    assert again.epsilon == mechanism.epsilon


@parametrize
def test_every_mechanism_has_its_words(mechanism):
    assert mechanism.name
    assert mechanism.title
    assert mechanism.description.endswith(".")
    assert mechanism.constrained_by


@parametrize
def test_probabilities_are_exact_and_sum_to_one(mechanism):
    rows = mechanism.probabilities()
    assert all(sum(row) == 1 for row in rows)
    assert len(rows) == (mechanism.size if mechanism.spec()["kind"] in {"matrix", "window"} else 2)


@parametrize
def test_the_truth_is_found_within_five_standard_errors(mechanism):
    rng = np.random.default_rng(5)
    truths = some_truths(mechanism, 20_000, rng)

    tally = mechanism.tally(mechanism.randomize(truths, rng))
    result = mechanism.estimate(tally, interval="wald")

    assert tally.n == 20_000
    assert np.all(
        np.abs(result.proportions - shares_of(mechanism, truths)) < 5 * result.standard_errors
    )
    assert np.all(result.constrained >= 0)
    assert np.all(result.constrained <= 1)
    if truths.ndim == 1:
        assert result.constrained.sum() == pytest.approx(1, abs=1e-12)


@parametrize
def test_fast_and_plain_sampling_have_the_same_distribution(mechanism):
    """Shares of every report from `randomize` and from `draw`, within five standard errors of each other."""
    rng = np.random.default_rng(7)
    truths = some_truths(mechanism, 4000, rng)
    plain_truths = (
        [np.nonzero(row)[0].tolist() for row in truths] if truths.ndim == 2 else truths.tolist()
    )

    def word():
        return int(rng.integers(0, 2**32))

    fast = mechanism.tally(mechanism.randomize(truths, rng)).counts
    plain = mechanism.tally([mechanism.randomize_one(truth, word) for truth in plain_truths]).counts

    assert np.all(np.abs(fast - plain) <= 5 * np.sqrt(np.maximum(fast + plain, 25)))


@parametrize
def test_tallies_add_up(mechanism):
    rng = np.random.default_rng(3)
    reports = mechanism.randomize(some_truths(mechanism, 100, rng), rng)
    assert mechanism.tally(reports[:30]) + mechanism.tally(reports[30:]) == mechanism.tally(reports)
    assert mechanism.tally(reports[:0]) == Tally(0, np.zeros_like(mechanism.tally(reports).counts))


@pytest.mark.parametrize("mechanism", BITS, ids=repr)
def test_packed_strings_and_arrays_have_the_same_tally(mechanism):
    rng = np.random.default_rng(4)
    reports = mechanism.randomize(some_truths(mechanism, 500, rng), rng)
    tally = mechanism.tally(reports)
    assert np.array_equal(tally.counts, reports.sum(axis=0))
    assert mechanism.tally_packed(np.packbits(reports, axis=1)) == tally
    assert mechanism.tally(["".join(map(str, row)) for row in reports.tolist()]) == tally
    assert np.array_equal(
        mechanism.tally(reports, pairs=True).pairs, reports.T.astype(int) @ reports
    )


def test_pairs_of_one_part_alone_are_not_those_of_both():
    mechanism, rng = UnaryEncoding(3, "3/4", "1/4"), np.random.default_rng(4)
    reports = mechanism.randomize([0, 1, 2] * 20, rng)
    whole = mechanism.tally(reports, pairs=True)
    first, second = (mechanism.tally(part, pairs=True) for part in (reports[:20], reports[20:]))
    assert first + second == whole
    for one, other in (
        (first, mechanism.tally(reports[20:])),
        (mechanism.tally(reports[:20]), second),
    ):
        assert one + other == mechanism.tally(reports)


@parametrize
def test_the_expected_tally_gives_back_the_truth(mechanism):
    shares = np.arange(1.0, mechanism.size + 1)
    shares /= shares.sum()
    line = mechanism.line()
    expected = (
        shares @ np.array(mechanism.probabilities(), float)
        if line is None
        else line.offset + line.slope * shares
    )
    assert mechanism.decode(expected) == pytest.approx(shares, abs=1e-12)


def test_the_same_seed_gives_the_same_reports():
    mechanism = UnaryEncoding(4, "3/4", "1/4")
    assert np.array_equal(mechanism.randomize([0, 1, 2], 9), mechanism.randomize([0, 1, 2], 9))


def test_subset_reports_have_their_width():
    mechanism = SubsetSelection(7, 1, 3)
    assert set(mechanism.randomize(np.arange(7).repeat(50), 1).sum(axis=1)) == {3}
