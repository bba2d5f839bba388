"""Properties that hold whatever the numbers (hypothesis)."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from mechanisms import (
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Matrix,
    OptionSampling,
    SubsetSelection,
    Tally,
    UnaryEncoding,
    UnrelatedQuestion,
    Warner,
    from_spec,
)
from mechanisms.chance.integers import SURVEY_DENS

probabilities = st.fractions(0, 1, max_denominator=1000)
epsilons = st.floats(0.01, 8)
sizes = st.integers(2, 40)
dens = st.sampled_from([2**32, "survey"])


@st.composite
def yes_no(draw):
    p, q = draw(probabilities), draw(probabilities)
    assume(p + q != 1)
    return GeneralizedResponse(p, q)


@st.composite
def by_epsilon(draw):
    size, epsilon, den = draw(sizes), draw(epsilons), draw(dens)
    kind = draw(st.sampled_from(["direct", "symmetric", "any", "optimized", "subset", "marks"]))
    if kind == "direct":
        return epsilon, DirectEncoding(size, epsilon, den)
    if kind == "subset":
        return epsilon, SubsetSelection(
            size, epsilon, draw(st.none() | st.integers(1, size - 1)), den=den
        )
    if kind == "marks":
        return epsilon, OptionSampling(size, epsilon, den=den)
    if kind == "optimized":
        return epsilon, UnaryEncoding.optimized(size, epsilon, den=den)
    return epsilon, UnaryEncoding.symmetric(
        size, epsilon, "any" if kind == "any" else "one", den=den
    )


@st.composite
def matrices(draw):
    size = draw(st.integers(2, 5))
    rows = draw(
        st.lists(
            st.lists(st.integers(0, 30), min_size=size, max_size=size), min_size=size, max_size=size
        )
    )
    den = max(2, *(sum(row) for row in rows))
    filled = [
        [*row[:index], row[index] + den - sum(row), *row[index + 1 :]]
        for index, row in enumerate(rows)
    ]
    assume(abs(np.linalg.det(np.array(filled) / den)) > 1e-3)
    return Matrix(filled, den)


mechanisms = yes_no() | by_epsilon().map(lambda pair: pair[1]) | matrices()


@given(mechanisms)
def test_specs_round_trip_through_json(mechanism):
    again = from_spec(json.loads(json.dumps(mechanism.spec())))
    assert again == mechanism
    assert again.epsilon == mechanism.epsilon
    assert again.probabilities() == mechanism.probabilities()


@given(by_epsilon())
def test_a_declared_epsilon_is_kept(pair):
    declared, mechanism = pair
    assert mechanism.epsilon <= declared
    assert mechanism.den in SURVEY_DENS
    assert mechanism.publishable
    if mechanism.den < 2**32:
        assert mechanism.epsilon >= 0.99 * declared


@given(mechanisms, st.integers(0, 2**32))
def test_the_estimate_of_the_expected_tally_is_the_truth(mechanism, seed):
    shares = np.random.default_rng(seed).dirichlet(np.ones(mechanism.size))
    line = mechanism.line()
    expected = shares @ mechanism.floats if line is None else line.offset + line.slope * shares
    assert mechanism.decode(expected) == pytest.approx(shares, abs=1e-9)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_unrelated_question_and_forced_response_are_the_same_numbers(counts):
    n, yes = counts
    tally = Tally(n, [n - yes, yes])
    unrelated, forced = UnrelatedQuestion("2/3", "1/2"), ForcedResponse("2/3", "1/6", "1/6")
    assert unrelated.probabilities() == forced.probabilities()
    assert unrelated.epsilon == forced.epsilon
    one, other = unrelated.estimate(tally), forced.estimate(tally)
    assert np.array_equal(one.proportions, other.proportions)
    assert np.array_equal(one.intervals, other.intervals)


@given(
    probabilities, st.integers(1, 500).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
)
def test_warner_with_the_other_chance_is_warner_with_the_reports_swapped(p, counts):
    assume(p != Fraction(1, 2))
    n, yes = counts
    one = Warner(p).estimate(Tally(n, [n - yes, yes]))
    other = Warner(1 - p).estimate(Tally(n, [yes, n - yes]))
    assert other.proportions == pytest.approx(one.proportions, rel=1e-9, abs=1e-9)
    assert other.standard_errors == pytest.approx(one.standard_errors)
    assert other.intervals == pytest.approx(one.intervals, rel=1e-9, abs=1e-9)
    assert Warner(p).epsilon == Warner(1 - p).epsilon


@given(by_epsilon(), st.integers(0, 2**32), st.integers(0, 40))
@settings(max_examples=50)
def test_tallies_add_up_in_any_order(pair, seed, cut):
    mechanism, rng = pair[1], np.random.default_rng(seed)
    if mechanism.select == "any":
        truths = rng.integers(0, 2, (40, mechanism.size))
    else:
        truths = rng.integers(0, mechanism.size, 40)
    reports = mechanism.randomize(truths, rng)
    parts = [mechanism.tally(reports[:cut]), mechanism.tally(reports[cut:])]
    assert parts[0] + parts[1] == parts[1] + parts[0] == mechanism.tally(reports)


@given(by_epsilon(), st.integers(0, 2**32))
@settings(max_examples=50)
def test_constrained_estimates_are_possible(pair, seed):
    mechanism, rng = pair[1], np.random.default_rng(seed)
    any_ = mechanism.select == "any"
    truths = (
        rng.integers(0, 2, (30, mechanism.size)) if any_ else rng.integers(0, mechanism.size, 30)
    )
    estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(truths, rng)))
    constrained = estimate.constrained[estimate.informative_reports > 0]
    assert constrained.min() >= 0
    assert constrained.max() <= 1 + 1e-12
    assert any_ or constrained.sum() == pytest.approx(1)


@given(matrices())
def test_epsilon_of_any_matrix_is_the_largest_log_ratio_in_a_column(mechanism):
    columns = zip(*mechanism.probabilities(), strict=True)
    ratios = [max(column) / min(column) if min(column) else math.inf for column in columns]
    assert mechanism.epsilon == pytest.approx(math.log(max(ratios)), rel=1e-12)


@given(st.sampled_from(["wilson", "exact", "likelihood"]), st.integers(1, 2000), st.data())
def test_intervals_hold_the_estimate(method, n, data):
    yes = data.draw(st.integers(0, n))
    result = Warner("3/4").estimate(Tally(n, [n - yes, yes]), interval=method)
    assert np.all(result.intervals[:, 0] <= result.proportions + 1e-12)
    assert np.all(result.proportions <= result.intervals[:, 1] + 1e-12)
