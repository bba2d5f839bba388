"""The inner part of the sandwich covariance, from the scores of respondents or of clusters of them.

Huber (1967, Berkeley Symposium 5); White (1980, Econometrica 48); for clusters Liang and Zeger
(1986, Biometrika 73).
"""

import numpy as np

from mechanisms.analysis.cells import Cells, cross_product
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray


def meat(cells: Cells, residuals: FloatArray, rows: Rows) -> FloatArray:
    """Return the sum of w^2 s s' over respondents, with the scores s = x (x) residual.

    Parameters
    ----------
    cells : Cells
        The cells of the model.
    residuals : ndarray of shape (cells, states)
        The residual of each cell and state.
    rows : Rows
        The respondents, with the clusters and weights. With clusters, the scores are first
        multiplied by w and summed in each cluster, and the result is multiplied by G / (G - 1)
        for G clusters.

    Returns
    -------
    ndarray of shape (columns * states, columns * states)
        In the order of a ravelled (columns, states).

    References
    ----------
    White (1980, Econometrica 48); Liang and Zeger (1986, Biometrika 73).
    """
    if rows.clusters is None:
        return _meat_of_respondents(cells, residuals)
    clusters = int(rows.clusters.max()) + 1
    scores = _cluster_scores(cells, residuals, rows, clusters)
    return scores.T @ scores * (clusters / (clusters - 1))


def _meat_of_respondents(cells: Cells, residuals: FloatArray) -> FloatArray:
    size = cells.design.shape[1] * residuals.shape[1]
    total = np.zeros((size, size))
    for patterns, part in cells.parts():
        first_cell = int(cells.starts[patterns.start])
        residuals_of_part = residuals[first_cell : first_cell + part.mass.size]
        products = part.products(residuals_of_part, part.squares)
        total += cross_product(part.design, products)
    return total


def _cluster_scores(cells: Cells, residuals: FloatArray, rows: Rows, clusters: int) -> FloatArray:
    """Return the summed scores of each cluster, shape (clusters, columns * states)."""
    cell_of_row = cells.of_rows
    if cell_of_row is None or rows.clusters is None:
        raise ValueError("clusters need the cell of each row")
    weighted = residuals[cell_of_row]
    if rows.mass is not None:
        weighted = weighted * rows.mass[:, np.newaxis]
    pattern_of_cell = np.repeat(np.arange(cells.starts.size), cells.lengths)
    pattern_of_row = pattern_of_cell[cell_of_row]

    sums = []
    for column in range(cells.design.shape[1]):
        values = cells.design[pattern_of_row, column]
        for state in range(residuals.shape[1]):
            scores = values * weighted[:, state]
            sums.append(np.bincount(rows.clusters, scores, clusters))
    return np.stack(sums, axis=1)
