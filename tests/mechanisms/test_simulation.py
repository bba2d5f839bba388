"""The fast ways to count and to draw do exactly what the plain ones do."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chisquare

from mechanisms import DirectEncoding, Matrix, SubsetSelection, UnaryEncoding
from mechanisms.chance.popcount import column_sums
from mechanisms.chance.simulate import _SLOT_COUNT, _Urn, random_bits
from tests.mechanisms.enumeration import distribution


@pytest.mark.parametrize("size", [2, 7, 8, 9, 14, 24, 63, 64, 65, 100, 128, 1000])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 9, 64, 1000, 4321])
def test_packed_bits_are_counted_as_unpacked_ones(size, n):
    reports = np.random.default_rng(size * n).integers(0, 2, (n, size), dtype=np.uint8)
    packed = np.packbits(reports, axis=1)
    assert np.array_equal(column_sums(packed, size), reports.sum(axis=0, dtype=np.int64))


def test_more_rows_than_one_block_are_counted():
    packed = np.random.default_rng(1).integers(0, 256, (300_000, 8), dtype=np.uint8)
    assert np.array_equal(
        column_sums(packed, 64), np.unpackbits(packed, axis=1).sum(axis=0, dtype=np.int64)
    )


def test_all_ones_and_rows_of_another_array_are_counted():
    assert np.array_equal(
        column_sums(np.full((5000, 2), 255, dtype=np.uint8), 14), np.full(14, 5000)
    )
    wide = np.random.default_rng(2).integers(0, 256, (999, 6), dtype=np.uint8)
    assert np.array_equal(
        column_sums(wide[::2, 1:4], 24), np.unpackbits(wide[::2, 1:4], axis=1).sum(axis=0)
    )


@pytest.mark.parametrize(
    ("weight", "den"),
    [(0, 4), (4, 4), (1, 4), (1, 2), (3, 10), (999, 1000), (1, 3), (2**31 + 1, 2**32), (1, 2**32)],
)
def test_random_bits_have_their_exact_chance(weight, den):
    bits = np.unpackbits(random_bits(np.random.default_rng(9), weight, den, 2000, 50), axis=1)
    n, chance = bits.size, weight / den
    assert abs(bits.sum() - n * chance) <= 5 * np.sqrt(n * chance * (1 - chance))
    if 0.1 < chance < 0.9:
        assert np.abs(np.corrcoef(bits[:, :20].T) - np.eye(20)).max() < 0.12


@pytest.mark.parametrize(
    "weights",
    [[1, 2, 3], [0, 5], [1], [3**ones * 7 ** (8 - ones) for ones in range(9)], [1, 2**80]],
)
def test_an_urn_gives_every_value_its_exact_chance(weights):
    """By enumeration of its slots: whole slots, and of the slots left over what the next urn gives."""
    urn = _Urn(weights)
    left = _SLOT_COUNT - len(urn._slots)
    for value, weight in enumerate(weights):
        chance = Fraction(int((urn._slots == value).sum()), _SLOT_COUNT)
        if left:
            chance += Fraction(left, _SLOT_COUNT) * Fraction(
                urn._fractions[value], sum(urn._fractions)
            )
        assert chance == Fraction(weight, sum(weights))


@pytest.mark.parametrize(
    "mechanism",
    [
        UnaryEncoding(4, "3/4", "1/4"),
        UnaryEncoding(3, "7/10", "1/3"),
        SubsetSelection(5, 1, 2),
        SubsetSelection(6, 2, 1),
        SubsetSelection(6, 0.5, 5),
        SubsetSelection(2, 1),
        DirectEncoding(5, 1, 1000),
        Matrix([[7, 2, 1], [1, 8, 1], [0, 3, 7]], 10),
    ],
    ids=repr,
)
def test_whole_reports_have_their_exact_distribution(mechanism):
    """Not only each bit: every possible report comes as often as the enumeration says."""
    rng = np.random.default_rng(31)
    for truth in range(mechanism.size):
        reports = mechanism.randomize(np.full(20_000, truth), rng)
        if reports.ndim == 1:
            reports = np.eye(mechanism.size, dtype=int)[reports]
        chances = distribution(mechanism, {truth})
        found = dict.fromkeys(chances, 0)
        for report, times in zip(*np.unique(reports, axis=0, return_counts=True), strict=True):
            found[tuple(report.tolist())] += int(times)
        possible = [report for report in chances if chances[report] > 0]
        assert sum(found[report] for report in possible) == 20_000
        expected = [20_000 * float(chances[report]) for report in possible]
        assert chisquare([found[report] for report in possible], expected).pvalue > 1e-5


def test_choose_all_draws_every_bit_by_its_own_truth():
    mechanism = UnaryEncoding(9, "9/10", "1/5", "any")
    truths = np.tile([1, 0, 0, 1, 1, 0, 1, 0, 1], (20_000, 1))
    shares = mechanism.randomize(truths, 4).mean(axis=0)
    assert shares == pytest.approx(np.where(truths[0], 0.9, 0.2), abs=0.015)


@pytest.mark.parametrize(
    "mechanism", [UnaryEncoding(9, "3/4", "1/4"), SubsetSelection(9, 1)], ids=repr
)
def test_packed_reports_are_the_same_reports_padded_with_zeros(mechanism):
    truths = np.arange(9).repeat(30)
    packed = mechanism.randomize_packed(truths, 5)
    assert packed.shape == (270, 2)
    assert np.array_equal(np.packbits(mechanism.randomize(truths, 5), axis=1), packed)
    assert mechanism.tally_packed(packed).n == 270


def test_nothing_is_drawn_for_nobody():
    assert UnaryEncoding(9, "3/4", "1/4").randomize([], 1).shape == (0, 9)
    assert SubsetSelection(9, 1).randomize([], 1).shape == (0, 9)
    assert DirectEncoding(9, 1).randomize([], 1).shape == (0,)
