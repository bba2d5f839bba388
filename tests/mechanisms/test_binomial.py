"""Binomial chances against another implementation, exact fractions, and at their edges."""

import sys
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from mechanisms.chance import binomial
from tests.servers import subprocesses

SIZES = (1, 2, 3, 10, 100, 1000, 10**5, 10**7)
CHANCES = (0.0, 1e-12, 0.01, 0.25, 0.5, 0.75, 0.999, 1 - 1e-12, 1.0)


def counts_of(n, chance):
    around = n * chance + np.linspace(-9, 9, 25) * max(1, np.sqrt(n * chance * (1 - chance)))
    return np.unique(np.concatenate([[-2, -1, 0, 1, n - 1, n, n + 1], np.floor(around)]))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("chance", CHANCES)
def test_the_chances_are_those_of_scipy_stats(n, chance):
    counts = counts_of(n, chance)
    assert np.abs(binomial.at_most(counts, n, chance) - binom.cdf(counts, n, chance)).max() <= 1e-13
    assert (
        np.abs(binomial.upper_tail(counts, n, chance) - binom.sf(counts, n, chance)).max() <= 1e-13
    )


def test_tails_are_exact_to_their_last_digits():
    n, chance = 60, Fraction(1, 4)
    masses = [comb(n, c) * chance**c * (1 - chance) ** (n - c) for c in range(n + 1)]
    for count in (0, 5, 15, 40, 59):
        below, above = float(sum(masses[: count + 1])), float(sum(masses[count + 1 :]))
        assert float(binomial.at_most(count, n, 0.25)) == pytest.approx(below, rel=1e-12)
        assert float(binomial.upper_tail(count, n, 0.25)) == pytest.approx(above, rel=1e-12)
    assert binomial.pmf(n, 0.25) == pytest.approx([float(mass) for mass in masses], rel=1e-12)


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("n", [0, 1, 2, 99, 1000])
def test_all_masses_at_once(n, chance):
    assert np.abs(binomial.pmf(n, chance) - binom.pmf(np.arange(n + 1), n, chance)).max() <= 1e-13


def test_everything_broadcasts():
    assert binomial.at_most([[0], [1]], [5, 6, 7], 0.5).shape == (2, 3)
    assert binomial.two_sided(np.arange(11), 10, 0.5).shape == (11,)


@pytest.mark.parametrize("n", [1, 7, 60])
@pytest.mark.parametrize("chance", [0.0, 0.05, 0.25, 0.5, 1.0])
def test_two_sided_is_as_rare_as_it_says(n, chance):
    counts = np.arange(n + 1)
    p_values, masses = binomial.two_sided(counts, n, chance), binom.pmf(counts, n, chance)
    assert p_values.max() <= 1
    for limit in (0.3, 0.05, 0.01, 1e-6):
        assert masses[p_values <= limit].sum() <= limit + 1e-12


@pytest.mark.parametrize("what", ["mechanisms", "config.urls"])
def test_no_process_of_the_site_imports_scipy_stats(what):
    """It takes longer to import than all the rest of the library together."""
    start = "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'tests.settings'; django.setup(); "
    code = f"import sys; {start if what == 'config.urls' else ''}import {what}; print('scipy.stats' in sys.modules)"
    found = subprocesses.run([sys.executable, "-c", code])
    assert found.stdout.strip() == "False"
