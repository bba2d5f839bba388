"""Adjusted differences of shares: reference values, and how often one is said that is not there."""

import numpy as np
import pytest

from mechanisms import CellContrasts, ContrastCells, Differences, GroupReports

COLUMNS = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], float)
U, V = np.array([[0, 1, 0]], float), np.array([[0, 0, 1]], float)


def contrast(
    p: float, counts: tuple[tuple[int, int], ...], which: np.ndarray, confidence: float = 0.95
) -> CellContrasts:
    hits, n = np.array(counts).T
    cells = ContrastCells(n, hits, COLUMNS, 2 * p - 1, 1 - p)
    return CellContrasts(cells, which, (which @ COLUMNS.T) > 0, confidence)


MANY = ((60, 150), (55, 120), (48, 90), (30, 40))
FEW = ((3, 60), (0, 15), (2, 40), (1, 35))


@pytest.mark.parametrize(
    ("p", "counts", "which", "confidence", "expected"),
    [
        (0.75, MANY, U, 0.95, (0.2096014493, 0.0106263065, 0.4028192831)),
        (0.75, MANY, V, 0.975, (0.3768115942, 0.1370251945, 0.6028132817)),
        (0.95, FEW, U, 0.95, (-0.0362318841, -0.1321581808, 0.0621409392)),
    ],
)
def test_reference_values(
    p: float, counts: tuple, which: np.ndarray, confidence: float, expected: tuple
) -> None:
    result = contrast(p, counts, which, confidence)
    assert (result.values[0], *result.intervals[0]) == pytest.approx(expected, abs=1e-9)


def test_of_two_groups_it_is_their_difference() -> None:
    cells = ContrastCells([300, 100], [150, 45], [[1, 0], [1, 1]], 0.5, 0.25)
    result = CellContrasts(
        cells,
        np.array([[0.0, 1.0]]),
        np.array([[False, True]]),
    )
    both = Differences(GroupReports(100, 45, 0.5, 0.25), GroupReports(300, 150, 0.5, 0.25))
    assert result.values == pytest.approx(both.values)
    assert result.intervals == pytest.approx(both.simultaneous_intervals, abs=1e-9)


def test_columns_that_others_make_up_are_refused() -> None:
    with pytest.raises(ValueError, match="others make up"):
        ContrastCells([10, 10], [1, 2], [[1, 1], [1, 1]], 0.5, 0.25)
    with pytest.raises(ValueError, match="no more hits"):
        ContrastCells([10, 10], [1, 12], [[1, 0], [1, 1]], 0.5, 0.25)


@pytest.mark.parametrize(("p", "share"), [(0.75, 0.1), (0.95, 0.02)])
@pytest.mark.parametrize("surveys", [60, pytest.param(400, marks=pytest.mark.long)])
def test_a_difference_that_is_not_there_is_said_in_at_most_5_of_100_surveys(
    p: float, share: float, surveys: int
) -> None:
    """Two questions explain, a group of 30 in 420; 32 of 400 by chance where 20 are promised."""
    rng, n = np.random.default_rng(5), np.array([280, 110, 20, 10])
    members = np.array([[False, True, False, True], [False, False, True, True]])
    false = 0
    for _ in range(surveys):
        cells = ContrastCells(
            n, rng.binomial(n, (2 * p - 1) * share + 1 - p), COLUMNS, 2 * p - 1, 1 - p
        )
        false += CellContrasts(cells, np.vstack([U, V]), members, comparisons=2).clear.any()
    assert false <= (32 if surveys == 400 else 8)
