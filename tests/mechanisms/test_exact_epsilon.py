"""Epsilon by enumerating the whole output distribution as fractions: no formula is trusted."""

import math

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
    Triangular,
    TwoCoin,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    Window,
)
from tests.mechanisms.enumeration import enumerated_epsilon


def given_by_chances():
    yield Warner("3/4")
    yield Warner("0.2")
    yield ForcedResponse("2/3", "1/6", "1/6")
    yield ForcedResponse("1/2", "1/3", "1/6")
    yield TwoCoin()
    yield GeneralizedResponse("0.7", "0.6")
    yield GeneralizedResponse("0.2", "0.6")
    yield UnrelatedQuestion("2/3", "1/12")
    yield Crosswise("1/12")
    yield Kuk("0.8", "0.2")
    yield Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)
    for pick, reach in ((1, 0), (2, 0), (3, 0), (3, 1), (5, 2)):
        yield OptionSampling.from_integers(5, pick, reach, 7, 2)
    for size in range(2, 7):
        for select in ("one", "any"):
            yield UnaryEncoding(size, "3/4", "1/4", select)
            yield UnaryEncoding(size, "1/2", "1/5", select)
            yield UnaryEncoding(size, "1/5", "2/3", select)
        for width in range(1, size + 2):
            yield Window.from_integers(size, width, 7, 2)
            yield Window.from_integers(size, width, 3, 1, aside=1)
        for width in range(1, size):
            yield SubsetSelection.from_integers(size, width, 9, 10)
            yield SubsetSelection.from_integers(size, width, 1, 12)


def unbounded():
    yield Warner(1)
    yield ForcedResponse("1/2", "1/2", 0)
    yield UnrelatedQuestion("1/2", 0)
    yield Crosswise(0)
    yield Triangular("1/4")
    yield Mangat("0.6")
    yield Kuk(1, "1/2")
    yield OneSided("0.3")
    yield Matrix([[2, 0, 0], [0, 1, 1], [1, 1, 0]], 2)
    yield UnaryEncoding(3, 1, "1/4")
    yield UnaryEncoding(3, "1/2", 0, "any")
    yield SubsetSelection.from_integers(4, 2, 10, 10)
    yield SubsetSelection.from_integers(4, 2, 0, 10)


DECLARED = (0.1, 0.5, 1.0, math.log(3), 2.0, 4.0)


def given_by_epsilon(epsilon, den):
    yield GeneralizedResponse.from_epsilon(epsilon, den=den)
    for size in range(2, 7):
        yield DirectEncoding(size, epsilon, den)
        yield UnaryEncoding.symmetric(size, epsilon, den=den)
        yield UnaryEncoding.symmetric(size, epsilon, "any", den=den)
        yield UnaryEncoding.optimized(size, epsilon, den=den)
        yield OptionSampling(size, epsilon, den=den)
        for width in range(1, size):
            yield SubsetSelection(size, epsilon, width, den=den)
            yield Window(size, epsilon, width, den=den)
        yield Window(size, epsilon, aside=True, den=den)


@pytest.mark.parametrize("mechanism", list(given_by_chances()), ids=repr)
def test_epsilon_is_the_enumerated_one(mechanism):
    assert mechanism.epsilon == pytest.approx(enumerated_epsilon(mechanism), rel=1e-12)
    assert mechanism.publishable


@pytest.mark.parametrize("mechanism", list(unbounded()), ids=repr)
def test_a_zero_cell_means_an_infinite_epsilon(mechanism):
    assert enumerated_epsilon(mechanism) == math.inf
    assert mechanism.epsilon == math.inf
    assert not mechanism.publishable


@pytest.mark.parametrize("den", [2**32, "survey"])
@pytest.mark.parametrize("declared", DECLARED)
def test_a_declared_epsilon_is_kept_and_nearly_used(declared, den):
    for mechanism in given_by_epsilon(declared, den):
        exact = enumerated_epsilon(mechanism)
        assert mechanism.epsilon == pytest.approx(exact, rel=1e-12), mechanism
        assert mechanism.epsilon <= declared, mechanism
        assert exact <= declared * (1 + 1e-15), mechanism
        assert mechanism.epsilon >= 0.99 * declared, mechanism


@pytest.mark.parametrize("den", [10, 97, 1000])
def test_a_coarse_denominator_still_never_spends_more(den):
    for declared in DECLARED[2:]:
        mechanism = DirectEncoding(3, declared, den)
        assert mechanism.den == den
        assert enumerated_epsilon(mechanism) <= declared


def test_numbers_that_people_can_say():
    ln3 = math.log(3)
    assert GeneralizedResponse.from_epsilon(ln3, den="survey").spec()["den"] == 4
    assert GeneralizedResponse.from_epsilon(math.log(5), den="survey").spec()["rows"] == [
        [5, 1],
        [1, 5],
    ]
    assert UnaryEncoding.symmetric(14, 2 * ln3, den="survey").spec()["rows"] == [[3, 1], [1, 3]]
    assert UnaryEncoding.optimized(14, ln3, den="survey").spec()["rows"] == [[3, 1], [2, 2]]
    assert DirectEncoding(3, math.log(4), "survey").spec()["rows"][0] == [4, 1, 1]
    assert GeneralizedResponse.from_epsilon(1, den="survey").spec()["rows"] == [[73, 27], [27, 73]]


def test_the_default_denominator_is_the_finest():
    assert DirectEncoding(3, 1).spec()["den"] == 2**32
    assert GeneralizedResponse.from_epsilon(1).spec()["den"] == 2**32
    assert UnaryEncoding.symmetric(3, 1).spec()["den"] == 2**32
    assert SubsetSelection(3, 1).spec()["den"] == 2**32
