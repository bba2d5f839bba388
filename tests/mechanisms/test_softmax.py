"""One look at the likelihood, by both ways: cell by cell, and all kinds of reports of a pattern together."""

import numpy as np
import pytest

from mechanisms import DirectEncoding, Matrix, UnaryEncoding, regress
from mechanisms.analysis import softmax
from mechanisms.analysis.answers import answers
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.newton import sum_terms
from mechanisms.analysis.rows import checked_rows

ONE_SIDED = Matrix([[4, 0, 0], [1, 3, 0], [1, 1, 2]], 4)  # some reports rule out some answers


def of(mechanism, seed=3, n=5000) -> Cells:
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.integers(0, 2, n), rng.integers(0, 5, n)])
    reports = mechanism.randomize(rng.integers(0, mechanism.size, n), rng)
    table, found = checked_rows(design, n), answers(mechanism, reports, None)
    return collapse(table, found.codes, found.kinds, found.likelihoods)


@pytest.mark.parametrize(
    "mechanism", [DirectEncoding(4, 2.0), ONE_SIDED, UnaryEncoding(3, "3/4", "1/4")]
)
@pytest.mark.parametrize("part", [1, 2**17])
def test_both_ways_see_the_same(mechanism, part, monkeypatch) -> None:
    monkeypatch.setattr(softmax, "_PART", part)
    cells = of(mechanism)
    assert cells.kinds_of_all is not None
    place = np.random.default_rng(1).normal(size=3 * (mechanism.size - 1)) / 3
    coefficients = place.reshape(3, -1)
    found = softmax.evaluate(cells, place)
    peer = sum_terms(
        (softmax._terms_of_cells(each, coefficients) for _, each in cells.parts()), lambda: None
    )
    assert found.log_likelihood == pytest.approx(peer.log_likelihood, rel=1e-13)
    assert found.score == pytest.approx(peer.score, rel=1e-9, abs=1e-9)
    assert found.observed_information == pytest.approx(
        peer.observed_information, rel=1e-9, abs=1e-9
    )


def test_a_report_that_no_answer_makes_possible_has_no_likelihood() -> None:
    cells = of(ONE_SIDED)
    place = np.array([0.0, 1000, 0, 0, 0, 0])  # softmax leaves the last answer out
    assert np.isneginf(softmax.evaluate(cells, place).log_likelihood) == np.isneginf(
        sum_terms(
            (softmax._terms_of_cells(each, place.reshape(3, -1)) for _, each in cells.parts()),
            lambda: None,
        ).log_likelihood
    )


def test_patterns_without_some_kind_of_report_are_looked_at_cell_by_cell() -> None:
    rng = np.random.default_rng(2)
    design = np.column_stack([np.ones(60), rng.integers(0, 20, 60)])
    reports = rng.integers(0, 6, 60)
    table, found = checked_rows(design, 60), answers(DirectEncoding(6, 2.0), reports, None)
    cells = collapse(table, found.codes, found.kinds, found.likelihoods)
    assert cells.kinds_of_all is None
    assert regress(DirectEncoding(6, 2.0), reports, design, choice=None).n == 60
