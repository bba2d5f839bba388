"""The comparison with other mechanisms: formulas against enumeration, published values, and the tables of the docs."""

import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bench import accuracy, means, rivals
from mechanisms import OptionSampling, UnaryEncoding, best_known_error

DOCS = Path(__file__).resolve().parents[2] / "docs" / "mechanisms-compared.md"
E = math.e


def n_variance(channel: np.ndarray, weights: np.ndarray, shares: np.ndarray) -> float:
    """Of the mean of weights over reports. channel[truth][report]; checks that it is the first share, unbiased."""
    assert channel.sum(axis=1) == pytest.approx(1)
    assert channel @ weights == pytest.approx(np.eye(len(shares))[0])
    reports = shares @ channel
    return float(reports @ weights**2 - (reports @ weights) ** 2)


def hashed(k: int, g: int, chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every hash of k answers into g values, and what is sent of a value; the value of the first answer in each."""
    hashes = list(product(range(g), repeat=k))
    channel = np.array(
        [np.concatenate([chance[each[x]] for each in hashes]) for x in range(k)]
    ) / len(hashes)
    return channel, np.array([each[0] for each in hashes])


@pytest.mark.parametrize("e", [2.0, 3.0, 9.0])
def test_local_hashing_is_what_enumerating_all_hashes_gives(e: float) -> None:
    k, shares, found = 3, np.array([0.5, 0.2, 0.3]), []
    for g in (2, 3, 4, 5, 9, 10):
        p = e / (e + g - 1)
        channel, first = hashed(k, g, np.where(np.eye(g, dtype=bool), p, (1 - p) / (g - 1)))
        assert (channel.max(axis=0) / channel.min(axis=0)).max() == pytest.approx(e)
        supports = (np.tile(np.arange(g), len(first)) == np.repeat(first, g)).astype(float)
        found.append(n_variance(channel, (supports - 1 / g) / (p - 1 / g), shares))
    assert rivals.local_hashing(e, 0.5) == pytest.approx(min(found))


def test_a_count_mean_sketch_is_what_enumerating_all_hashes_gives() -> None:
    k, cells, e, shares = 3, 3, 4.0, np.array([0.4, 0.1, 0.5])
    p, bits = 2 / 3, np.array(list(product((0, 1), repeat=cells)))
    chance = np.array(
        [np.where(bits == np.eye(cells)[cell], p, 1 - p).prod(axis=1) for cell in range(cells)]
    )
    channel, first = hashed(k, cells, chance)
    supports = np.concatenate([bits[:, cell] for cell in first]).astype(float)
    q = (1 - p) + (2 * p - 1) / cells
    found = n_variance(channel, (supports - q) / (p - q), shares)
    assert (channel.max(axis=0) / channel.min(axis=0)).max() <= e + 1e-9
    assert rivals.count_mean_sketch(e, 0.4, cells) == pytest.approx(found)


@pytest.mark.parametrize(("blocks", "inside"), [(1, 8), (2, 4), (4, 2)])
def test_hadamard_response_is_what_its_matrix_gives(blocks: int, inside: int) -> None:
    """Every row but the first of a Hadamard matrix in each block; the formula is for all answers equally frequent."""
    e, signs = 5.0, np.array([[1]])
    while len(signs) < inside:
        signs = np.block([[signs, signs], [signs, -signs]])
    support = np.array([np.kron(place, row) for place in np.eye(blocks) for row in signs[1:]])
    channel = np.where(support == 1, e, 1.0)
    channel /= channel.sum(axis=1, keepdims=True)
    size = len(channel)
    weights = support[0] * (e + 2 * blocks - 1) / (e - 1)
    found = n_variance(channel, weights, np.full(size, 1 / size))
    assert channel.max() / channel.min() == pytest.approx(e)
    assert rivals.hadamard_response(e, size, blocks) == pytest.approx(found)


def test_one_block_is_the_one_bit_form() -> None:
    assert rivals.hadamard_response(3, 100, 1) == pytest.approx(rivals.hadamard(3, 1 / 100))


def test_the_histograms_with_laplace_noise_have_their_published_errors() -> None:
    """Wang et al. (2017), n Var of a rare answer; and the threshold by a search of another kind."""
    assert [rivals.summed_histogram(e, 0) for e in (E, E**4)] == pytest.approx([8, 0.5])
    assert [rivals.thresholded_histogram(e, 0) for e in (E, E**4)] == pytest.approx(
        [4.81, 0.285], abs=0.005
    )
    grid = np.linspace(0.5, 1, 20_001)
    p, q = 1 - np.exp((grid - 1) / 2) / 2, np.exp(-grid / 2) / 2
    assert rivals.thresholded_histogram(E, 0) == pytest.approx(
        (q * (1 - q) / (p - q) ** 2).min(), rel=1e-6
    )
    assert rivals.share(0.5, 1 / (E + 1), 0) == pytest.approx(3.68, abs=0.005)


def test_a_thousand_choices_have_their_known_distances_from_the_best() -> None:
    def over(way, epsilon: float) -> float:
        return 1000 * way(math.exp(epsilon), 1 / 1000) / best_known_error(1000, epsilon)

    epsilons = (0.5, 1, math.log(9), 4)
    assert [over(rivals.hadamard, epsilon) for epsilon in epsilons] == pytest.approx(
        [1.07, 1.27, 2.8, 14.2], rel=0.01
    )
    assert all(1.002 <= over(rivals.local_hashing, epsilon) <= 1.029 for epsilon in epsilons)


@pytest.mark.parametrize(("questions", "size"), [(2, 2), (3, 2), (2, 3), (3, 3)])
def test_rs_fd_keeps_its_claim_only_for_one_question(questions: int, size: int) -> None:
    """With e the claimed, the whole response has d (e - 1) + 1."""
    for claimed in (Fraction(2), Fraction(3)):
        whole = rivals.real_ratio(claimed, size, questions)
        assert whole == questions * (claimed - 1) + 1
        assert rivals.real_ratio(claimed, size, questions, differing=1) <= claimed < whole
    assert rivals.real_ratio(Fraction(3), 2, 3) == 7


def test_fake_data_has_the_error_that_its_responses_give() -> None:
    e, size, questions, f = 3.0, 2, 2, 0.2
    one = np.array([[e, 1], [1, e]]) / (e + 1)
    others = np.array([0.7, 0.3])
    responses = list(product(range(size), repeat=questions))
    chance = [
        sum(
            true * other * (one[a][x] / size + one[b][y] / size) / 2
            for a, true in ((0, f), (1, 1 - f))
            for b, other in enumerate(others)
        )
        for x, y in responses
    ]
    support = np.array([x == 0 for x, _ in responses], float)
    r = float(chance @ support)
    slope = (e - 1) / (e + 1) / questions
    assert sum(chance) == pytest.approx(1)
    assert rivals.fake_data(e, size, questions, f) == pytest.approx(r * (1 - r) / slope**2)


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (2, {"window": 2.08, "duchi": 2.16, "piecewise": 2.36, "hybrid": 2.22}),
        (3, {"window": 0.82, "duchi": 0.91, "piecewise": 0.86, "hybrid": 0.89, "direct": 24.1}),
        (9, {"window": 0.155, "duchi": 0.302, "direct": 2.02}),
    ],
)
def test_the_noise_of_a_mean_is_as_measured_elsewhere(e: float, expected: dict[str, float]) -> None:
    for name, value in expected.items():
        assert getattr(means, name)(e, 31) == pytest.approx(
            value, abs=0.006 if value < 3 else 0.05
        ), name


def test_noise_on_an_ordered_scale_costs_more_than_a_window() -> None:
    found = [way(3, 11) for way in (means.window, means.geometric, means.exponential)]
    assert found == pytest.approx([0.83, 1.12, 2.49], abs=0.005)


def test_least_squares_is_unbiased_and_least_at_even_truths() -> None:
    """Another unbiased weight of the same reports has more noise."""
    size, width, e = 5, 3, 3.0
    places = np.arange(size + width - 1)
    inside = (places >= np.arange(size)[:, None]) & (places < np.arange(size)[:, None] + width)
    channel = np.where(inside, e, 1) / (width * e + size - 1)
    g = np.linspace(0, 1, size)
    other = np.linalg.pinv(channel) @ g
    assert channel @ other == pytest.approx(g)
    assert means.window(e, size, width) == pytest.approx(means.least_squares(channel))
    assert means.least_squares(channel) <= float((channel @ other**2 - g**2).mean())


def test_nothing_is_below_the_linear_program() -> None:
    """On a grid that has the reports of Duchi's: for two values that is the optimum, and the program finds it."""
    for e in (2.0, 3.0, 9.0):
        least = means.optimum(e, 7, 61)
        assert least <= 1.002 * min(
            way(e, 7) for way in (means.window, means.duchi, means.piecewise)
        )
        assert means.optimum(e, 2, 61) == pytest.approx(means.duchi(e, 2), rel=0.01)


def test_marks_and_every_mark_have_their_reference_values() -> None:
    sizes, epsilon = (4, 10, 20), math.log(3)
    every = [accuracy.error_of_a_mark(UnaryEncoding.symmetric(k, epsilon, "any")) for k in sizes]
    assert every == pytest.approx([13.3, 82.9, 331], rel=0.004)
    assert [accuracy.error_of_a_mark(OptionSampling(k, epsilon)) for k in sizes] == pytest.approx(
        [3.64, 9.1, 18.2], rel=0.001
    )


def test_the_tables_of_the_docs_are_those_that_the_bench_prints() -> None:
    text = DOCS.read_text()
    for make in accuracy.QUICK:
        assert make() in text, make()


@pytest.mark.long
def test_the_optimum_in_the_docs_is_the_one_that_is_found() -> None:
    assert accuracy.optimum() in DOCS.read_text()
