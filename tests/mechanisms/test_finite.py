"""The finite-population form against every possible outcome of small populations, and against simulated ones."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Mangat,
    Matrix,
    Tally,
    UnaryEncoding,
    Warner,
    Window,
)
from mechanisms.designs.unary import identity_mechanism
from mechanisms.estimation.finite import FiniteEstimate
from tests.mechanisms.enumeration import distribution

SKEWED = Matrix([[7, 2, 1], [1, 8, 1], [2, 2, 6]], den=10)


def finite(mechanism, tally, population=None, interval="wald", **asked):
    return FiniteEstimate(
        mechanism.estimate(tally, interval=interval, **asked), population or tally.n
    )


def outcomes(mechanism, truths, drawn):
    """(counts, chance) over every draw of so many of the people, and every report of each."""
    draws = list(combinations(truths, drawn))
    for people in draws:
        laws = [distribution(mechanism, {truth}).items() for truth in people]
        for reports in product(*laws):
            chance = Fraction(1, len(draws))
            for _, part in reports:
                chance *= part
            yield np.sum([indicators for indicators, _ in reports], axis=0), chance


def spread_of(values, chances):
    """Covariance of rows of values, exactly weighted."""
    values, chances = np.array(values), np.array([float(chance) for chance in chances])
    centered = values - chances @ values
    return (centered * chances[:, None]).T @ centered


@pytest.mark.parametrize(
    "mechanism", [Warner("3/4"), ForcedResponse("2/3", "1/4", "1/12"), Mangat("0.9")]
)
@pytest.mark.parametrize("drawn", [5, 3, 1])
def test_the_variance_is_that_of_every_possible_outcome(mechanism, drawn):
    truths = [1, 0, 0, 1, 0]
    found = [
        (mechanism.decode(counts / drawn), chance)
        for counts, chance in outcomes(mechanism, truths, drawn)
    ]
    exact = np.diag(spread_of(*zip(*found, strict=True)))
    one = finite(mechanism, Tally(drawn, [drawn, 0]), population=5)
    assert one.variances(np.array([0.6, 0.4])) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("drawn", [4, 3])
@pytest.mark.parametrize("mechanism", [SKEWED, DirectEncoding(3, 1.5)])
def test_the_covariance_is_unbiased_over_every_possible_outcome(mechanism, drawn):
    """All of the draw is unbiased up to n / (n - 1) of its sampling part, as that of `Estimate` is."""
    found = list(outcomes(mechanism, [0, 1, 2, 1], drawn))
    shares = [mechanism.decode(counts / drawn) for counts, _ in found]
    exact = spread_of(shares, [chance for _, chance in found])
    mean = sum(
        float(chance) * finite(mechanism, Tally(drawn, counts.astype(int)), population=4).covariance
        for counts, chance in found
    )
    assert mean == pytest.approx(exact, rel=1e-9, abs=1e-12 if drawn == 4 else 0.05)


def test_of_an_endless_population_all_is_as_before():
    for mechanism in (Warner("3/4"), ForcedResponse("2/3", "1/4", "1/12"), DirectEncoding(4, 2)):
        counts = [70, 30] if mechanism.size == 2 else [40, 30, 20, 10]
        before = mechanism.estimate(Tally(100, counts), interval="wilson")
        endless = FiniteEstimate(before, 10**12)
        assert endless.standard_errors == pytest.approx(before.standard_errors, rel=1e-6)
        assert endless.intervals == pytest.approx(
            before.intervals, rel=1e-6
        )  # Wilson's, mapped through the design
    before = SKEWED.estimate(Tally(100, [40, 30, 30]))
    assert FiniteEstimate(before, 10**12).covariance == pytest.approx(before.covariance, rel=1e-6)


def test_warners_randomization_does_not_depend_on_the_truth():
    errors = finite(Warner("3/4"), Tally(400, [300, 100])).standard_errors
    assert errors == pytest.approx(np.sqrt(0.75 * 0.25 / (400 * 0.25)))


def test_answers_sent_as_they_are_have_no_error_left():
    found = finite(identity_mechanism(3), Tally(50, [20, 20, 10]), interval="wilson")
    assert found.standard_errors == pytest.approx(0, abs=1e-12)
    assert found.intervals == pytest.approx(np.array([[0.4, 0.4], [0.4, 0.4], [0.2, 0.2]]))


@pytest.mark.parametrize(
    "mechanism", [ForcedResponse("2/3", "1/4", "1/12"), GeneralizedResponse.from_epsilon(1)]
)
@pytest.mark.parametrize("drawn", [600, 200])
def test_intervals_hold_the_share_of_these_people_as_often_as_they_say(mechanism, drawn):
    rng, people, times = np.random.default_rng(20261122), 600, 1500
    truths = np.repeat([1, 0], [90, people - 90])
    held, values, errors = 0, [], []
    for _ in range(times):
        reports = mechanism.randomize(rng.permutation(truths)[:drawn], rng)
        found = finite(mechanism, mechanism.tally(reports), people, "wilson")
        low, high = found.intervals[1]
        held += low <= 0.15 <= high
        values.append(found.proportions[1])
        errors.append(found.standard_errors[1])
    assert 0.935 < held / times < 0.965
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(values), rel=0.04)


def test_the_mean_of_a_number_holds_as_often_as_it_says():
    mechanism, rng = Window(5, 2), np.random.default_rng(7)
    truths = np.repeat([0, 1, 2, 3, 4], [100, 50, 20, 20, 110])
    found = [
        finite(mechanism, mechanism.tally(mechanism.randomize(truths, rng))).functional(
            np.arange(5)
        )
        for _ in range(1500)
    ]
    wide = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng))).functional(
        np.arange(5)
    )
    errors = [each.standard_error for each in found]
    assert np.mean(errors) == pytest.approx(np.std([each.value for each in found]), rel=0.06)
    assert np.mean(errors) < 0.95 * wide.standard_error


def test_what_it_does_not_know_it_refuses():
    tally = Tally(100, [60, 40])
    with pytest.raises(ValueError, match="population is 99; allowed"):
        FiniteEstimate(Warner("3/4").estimate(tally), 99)
    with pytest.raises(ValueError, match="interval is 'exact'; allowed"):
        FiniteEstimate(Warner("3/4").estimate(tally, interval="exact"), 100)
    with pytest.raises(ValueError, match="matrix of 3 answers"):
        finite(SKEWED, Tally(100, [40, 30, 30])).variances(np.full(3, 1 / 3))
    marks = UnaryEncoding.symmetric(3, 1, "any")
    with pytest.raises(ValueError, match="allowed for a covariance are questions with one answer"):
        _ = finite(marks, marks.tally(marks.randomize([[1, 1, 0]] * 100, 1), pairs=True)).covariance
