"""What the slopes of single respondents, or clusters of them, say about errors: the inner part of the sandwich.

Huber (1967, Berkeley Symposium 5); White (1980, Econometrica 48); for clusters Liang and Zeger (1986, Biometrika 73).
"""

import numpy as np

from mechanisms.analysis.cells import Cells, cross_product
from mechanisms.analysis.rows import Rows
from mechanisms.checks import FloatArray


def meat(cells: Cells, residuals: FloatArray, rows: Rows) -> FloatArray:
    """Sums of w^2 s s' with the slopes s = x (x) residual, in the order of a ravelled (columns, states).

    residuals: shape (cells, states). With clusters their sums of w s, times G/(G-1) for G clusters.
    """
    if rows.clusters is None:
        size = cells.design.shape[1] * residuals.shape[1]
        total = np.zeros((size, size))
        for cut, part in cells.parts():
            total += cross_product(part.design, _products(cells, part, cut, residuals))
        return total
    clusters = int(rows.clusters.max()) + 1
    slopes = _cluster_slopes(cells, residuals, rows, clusters)
    return slopes.T @ slopes * (clusters / (clusters - 1))


def _products(cells: Cells, part: Cells, cut: slice, residuals: FloatArray) -> FloatArray:
    begin = int(cells.starts[cut.start])
    return part.products(residuals[begin : begin + part.mass.size], part.squares)


def _cluster_slopes(cells: Cells, residuals: FloatArray, rows: Rows, clusters: int) -> FloatArray:
    """The summed slopes of each cluster, shape (clusters, columns * states)."""
    of_rows = cells.of_rows
    if of_rows is None or rows.clusters is None:
        raise ValueError("clusters need the cell of each row")
    weighted = residuals[of_rows] * (1.0 if rows.mass is None else rows.mass[:, np.newaxis])
    pattern = np.repeat(np.arange(cells.starts.size), cells.lengths)[of_rows]
    found = [
        np.bincount(rows.clusters, cells.design[pattern, column] * weighted[:, state], clusters)
        for column in range(cells.design.shape[1])
        for state in range(residuals.shape[1])
    ]
    return np.stack(found, axis=1)
