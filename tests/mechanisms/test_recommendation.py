"""Which mechanism is best, and what privacy on the device costs."""

import math

import pytest

from mechanisms import (
    Mangat,
    Matrix,
    OptionSampling,
    Tally,
    TwoCoin,
    UnaryEncoding,
    best_known_error,
    compare_with_central,
    laplace_error,
    recommend,
    total_error,
)
from mechanisms.designs.subset import best_width
from tests.mechanisms.enumeration import moments


def best(size, epsilon):
    return recommend(size, epsilon)[0].mechanism.name


def errors(size, epsilon):
    return {
        (each.mechanism.name, each.mechanism.title): each.error for each in recommend(size, epsilon)
    }


def test_yes_no_is_for_direct_encoding():
    found = errors(2, 1)
    direct = found[("direct", "Direct encoding")]
    assert best(2, 1) == "direct"
    assert found[("unary", "Unary encoding, optimized")] / direct > 3.5


def test_the_published_crossover():
    found = errors(10, 1)
    assert found[("direct", "Direct encoding")] == pytest.approx(41.9, abs=0.05)
    assert found[("unary", "Unary encoding, optimized")] == pytest.approx(38.7, abs=0.05)


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
@pytest.mark.parametrize("size", [2, 3, 4, 10, 16, 64, 128])
def test_subset_selection_is_never_worse_and_meets_the_known_bound(size, epsilon):
    ranked = recommend(size, epsilon)
    assert [each.error for each in ranked] == pytest.approx(
        sorted(each.error for each in ranked), rel=1e-4
    )
    subset = next(each for each in ranked if each.mechanism.name == "subset")
    assert subset.error == pytest.approx(ranked[0].error, rel=1e-4)
    assert subset.error == pytest.approx(best_known_error(size, epsilon), rel=1e-4)


def test_the_continuous_bound_is_below_what_can_be_reached():
    for size, epsilon in ((2, 1), (4, 2), (64, 1)):
        e = math.exp(epsilon)
        assert (
            best_known_error(size, epsilon)
            >= 4 * e * (size - 1) ** 2 / (size * (e - 1) ** 2) - 1e-9
        )


def test_the_gain_of_subset_selection_near_the_crossover():
    for size in (8, 10, 12):
        found = errors(size, 1)
        second = min(error for (name, _), error in found.items() if name != "subset")
        gain = 1 - min(found.values()) / second
        assert 0.12 < gain < 0.26


@pytest.mark.parametrize(("size", "epsilon"), [(3, 1), (6, 0.5), (6, 2)])
def test_the_total_error_is_the_enumerated_one(size, epsilon):
    for each in recommend(size, epsilon, den="survey"):
        covariance = each.mechanism.decode_covariance(moments(each.mechanism, [1 / size] * size)[1])
        assert total_error(each.mechanism) == pytest.approx(covariance.trace(), rel=1e-9)


def test_the_best_width_is_near_its_formula_and_best_of_all():
    for size in (2, 5, 10, 64, 1000):
        for epsilon in (0.3, 1, 3, 9):
            width, e = best_width(size, epsilon), math.exp(epsilon)
            assert abs(width - max(1, size / (e + 1))) <= 1

            def error(w, e=e, size=size):
                return (w * e + size - w) ** 2 / (w * (size - w))

            assert all(error(width) <= error(w) * (1 + 1e-12) for w in range(1, size))


def test_every_recommendation_keeps_its_epsilon_and_gives_a_reason():
    for den in (2**32, "survey"):
        for each in recommend(12, 1.3, den=den):
            assert 0.99 * 1.3 <= each.mechanism.epsilon <= 1.3
            assert each.reason.endswith(".")


def test_choose_all_takes_marks_before_symmetric_bits():
    first, second = recommend(4, 1, "any")
    assert first.mechanism == OptionSampling(4, 1)
    assert second.mechanism == UnaryEncoding.symmetric(4, 1, "any")
    assert max(first.mechanism.epsilon, second.mechanism.epsilon) <= 1
    assert first.reason == (
        "Has the least total squared error. Of 4 marks one is picked and has all of epsilon. That tells each share, "
        "and nothing of two together."
    )
    assert second.reason.startswith(
        f"Needs {second.error / first.error - 1:.0%} more respondents for the same error."
    )


@pytest.mark.parametrize("size", [2, 3, 5, 13, 40, 100])
@pytest.mark.parametrize("epsilon", [0.05, 0.7, 1.0987, 2.2, 4, 8, 20])
def test_marks_never_need_more_respondents_than_symmetric_bits(size, epsilon):
    first, second = recommend(size, epsilon, "any", den="survey")
    assert isinstance(first.mechanism, OptionSampling)
    assert first.error <= second.error


def test_optimized_bits_for_choose_all_would_cost_more_than_declared():
    """p = 1/2, q = 1/(e + 1) at epsilon 1 over 4 bits really costs 2.48."""
    whole = UnaryEncoding.optimized(4, 1)
    assert UnaryEncoding(4, whole.p, whole.q, "any").epsilon == pytest.approx(2.48, abs=0.005)


def test_laplace_noise_on_a_trusted_server():
    assert laplace_error(1, 1000) == 0.001
    assert laplace_error(0.5, 1000) == 0.002
    assert laplace_error(1, 1000, size=5) == 0.002
    assert laplace_error(1, 1000, size=5, select="any") == 0.005
    assert laplace_error(1, 1000, size=2, select="any") == 0.002  # both boxes may change


def test_the_comparison_with_a_trusted_server():
    result = compare_with_central(TwoCoin().estimate(Tally(10_000, [6000, 4000])))
    assert result.central == pytest.approx(1 / (math.log(3) * 10_000))
    assert result.local == pytest.approx(math.sqrt(2 / math.pi) * 2 * math.sqrt(0.24 / 10_000))
    assert result.ratio == pytest.approx(result.local / result.central)


@pytest.mark.parametrize("size", [2, 5])
def test_where_all_that_apply_are_chosen_one_person_changes_every_count(size):
    """The trusted server's noise must cover them all: size/(epsilon n), for two boxes as for five."""
    boxes = UnaryEncoding.symmetric(size, 3, "any")
    result = compare_with_central(boxes.estimate(Tally(5000, [2000] * size)))
    assert result.central == pytest.approx(size / (boxes.epsilon * 5000))


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: recommend(1, 1),
        lambda: recommend(4, 0),
        lambda: recommend(4, 1, "some"),
        lambda: best_known_error(1, 1),
        lambda: best_known_error(4, math.nan),
        lambda: total_error(Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)),
        lambda: laplace_error(0, 10),
        lambda: laplace_error(1, 0),
        lambda: laplace_error(1, 10, 5, "some"),
        lambda: compare_with_central(Mangat("0.6").estimate(Tally(10, [5, 5]))),
    ],
)
def test_it_is_refused_with_a_reason(attempt):
    with pytest.raises(ValueError, match="allowed"):
        attempt()


@pytest.mark.parametrize("epsilon", [0.6932, 1.0987, 2.1973])
def test_a_long_list_can_be_reported_as_one_number_for_hardly_more_respondents(epsilon):
    ranked = recommend(20_000, epsilon, den="survey")
    names = [each.mechanism.name for each in ranked]
    found = ranked[names.index("geometry")]
    assert "direct" not in names
    assert found.error < 1.03 * ranked[0].error
    assert "The report is one number" in found.reason
    assert "geometry" not in [each.mechanism.name for each in recommend(200, epsilon)]
