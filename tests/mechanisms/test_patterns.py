"""Distinct rows of a design."""

import numpy as np
import pytest

from mechanisms.analysis.patterns import patterns

RNG = np.random.default_rng(1)
N = 5000
COLUMNS = {
    "ones": np.ones(N),
    "yes and no": RNG.integers(0, 2, N),
    "below 0": RNG.integers(-7, -2, N),
    "ages": RNG.integers(18, 90, N),
    "tens of years": RNG.integers(18, 90, N) / 10,
    "thirds": RNG.integers(-3, 4, N) / 3,
    "logarithms": np.log(RNG.integers(1, 9, N)),
    "moments": 1.7e15 + RNG.integers(0, 3, N),
    "far apart": RNG.choice([-1e300, 0.0, 1e-300, 1e300], N),
    "one odd one": np.where(np.arange(N) == N - 1, 2.0000000000000004, 2.0),
    "later than the sample": np.where(np.arange(N) < 4500, 1.5, 7.25),
}


NAMES = list(COLUMNS)
PAIRS = [[NAMES[i], NAMES[i - apart]] for i in range(len(NAMES)) for apart in (1, 4)]


@pytest.mark.parametrize("names", [["ones"], *PAIRS], ids=" and ".join)
def test_rows_have_one_number_where_they_are_equal(names):
    design = np.column_stack([COLUMNS[name] for name in names]).astype(float)
    found = patterns(design)
    distinct, inverse = np.unique(design, axis=0, return_inverse=True)
    numbers, of_rows = np.unique(found.codes, return_inverse=True)
    assert numbers.size == len(distinct)
    assert np.unique(of_rows * len(distinct) + inverse.ravel()).size == len(distinct)
    assert 0 <= numbers.min() <= numbers.max() < found.size
    assert np.array_equal(found.rows(found.codes), design)


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 4097])
@pytest.mark.parametrize("columns", [1, 3, 8, 600])
def test_any_number_of_rows_and_columns(n, columns):
    design = np.random.default_rng(n).integers(0, 2, (n, columns)).astype(float)
    design[:, 40:] = 1
    found = patterns(design)
    assert np.array_equal(found.rows(found.codes), design)


def test_numbers_that_are_never_the_same_are_left_as_they_are():
    assert patterns(RNG.normal(size=(N, 2))) is None


def test_more_patterns_than_a_number_holds_are_left_as_they_are():
    assert patterns(RNG.integers(0, 100, (N, 9)).astype(float)) is None
    assert patterns(np.full((N, 3), 2.0**50)).size == 1


def test_the_order_of_memory_does_not_matter():
    design = np.column_stack([COLUMNS["ages"], COLUMNS["thirds"]])
    assert np.array_equal(patterns(np.asfortranarray(design)).codes, patterns(design).codes)
