"""Differences of means among people of whom only randomized reports say whether they count.

An example is the mean of a number among those who gave one instead of declining.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.linear import Least, LeastSquares
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray

# The mean of g has to be this many standard errors above 0 in every direction of the design.
_MOST_ERRORS = 3


def least_squares_among(
    scores: Any,
    among: Any,
    design: Any,
    *,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
    least: Callable[[FloatArray], FloatArray] | None = None,
) -> "LeastSquaresAmong":
    """Return the least squares of a number y on a design, among people with g = 1.

    Nobody knows of a person whether g is 0 or 1, because it is decoded from a report.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Decoded numbers whose mean given the truth is y g.
    among : array_like, shape (n,)
        Decoded numbers whose mean given the truth is g.
    design : array_like, shape (n, p)
        The rows of the design, with its own column of ones.
    counts, weights, clusters, asked : array_like of shape (n,), optional
        As for `least_squares`.
    least : callable, optional
        From fitted means m, shape (patterns,), to the least variances of a decoded y g - m g.

    Returns
    -------
    LeastSquaresAmong

    Raises
    ------
    ValueError
        If shapes do not fit, or if the reports do not show that somebody has g = 1 in every
        direction of the design.
    """
    table = checked_rows(
        design,
        report_count(scores),
        counts=counts,
        weights=weights,
        clusters=clusters,
        asked=asked,
    )
    decoded_scores = _decoded_numbers("reports", table.keep(scores))
    decoded_among = _decoded_numbers("among", table.keep(among))

    # A kind of report is a pair of both numbers.
    score_levels, score_codes = np.unique(decoded_scores, return_inverse=True)
    among_levels, among_codes = np.unique(decoded_among, return_inverse=True)
    pairs = score_codes * among_levels.size + among_codes
    distinct_pairs, codes = np.unique(pairs, return_inverse=True)
    scores_of_kinds = score_levels[distinct_pairs // among_levels.size]
    among_of_kinds = among_levels[distinct_pairs % among_levels.size]
    values = np.stack([scores_of_kinds, among_of_kinds], axis=1)

    cells = collapse(table.standardized, codes, distinct_pairs.size, values.__getitem__)
    return LeastSquaresAmong(cells, table, least)


def _decoded_numbers(name: str, values: Any) -> FloatArray:
    numbers = arrays.numbers(name, values)
    if numbers.ndim != 1:
        raise ValueError(f"{name} has shape {numbers.shape}; allowed is (n,), decoded numbers")
    return numbers


class LeastSquaresAmong(LeastSquares):
    """Least squares among people with g = 1.

    The coefficients b solve sum of x (s - g x'b) = 0, with the decoded scores s and g. Given the
    truths, the mean of this is the normal equation among people with g = 1. With a column of ones
    alone, b is the ratio of the two means, and its error that of the delta method.

    Attributes
    ----------
    coefficients : ndarray of shape (p,)
        Differences of means.
    covariance : ndarray of shape (p, p)
        The sandwich of these equations, times n / (n - p).

    References
    ----------
    Huber, P. J. (1967). The behavior of maximum likelihood estimates under nonstandard conditions.
    Proceedings of the Fifth Berkeley Symposium, vol. 1, 221-233.
    """

    def __init__(self, cells: Cells, rows: Rows, least: Least | None = None) -> None:
        """Solve the equations.

        Parameters
        ----------
        cells : Cells
            Their values are the scores of y g and of g, shape (cells, 2).
        rows : Rows
            The respondents.
        least : callable, optional
            As for `least_squares_among`.

        Raises
        ------
        ValueError
            As for `least_squares_among`.
        """
        self._prepare(cells, rows, has_one_outcome=True, least=least)
        columns = self._cells.design
        sums = self._cells.sums(cells.values * cells.mass[:, np.newaxis])
        score_sums = sums[:, :1]
        among_sums = sums[:, 1:]
        # The mean of g x x', which takes the place of the identity matrix in least squares.
        self._part: FloatArray = (columns * among_sums).T @ columns / self._total_mass
        self._check_among()
        score_means = columns.T @ score_sums / self._total_mass
        self._basis_coefficients: FloatArray = np.linalg.solve(self._part, score_means)

    def _check_among(self) -> None:
        """Raise ValueError if the mean of g could be 0 in the direction where it is lowest.

        The ratio of two means says nothing where the lower one could be 0.
        """
        eigenvalues, directions = np.linalg.eigh(self._part)
        lowest = eigenvalues[0]
        squared_lengths = (self._cells.design @ directions[:, 0]) ** 2
        among = self._cells.values[:, 1]
        deviations = among * self._cells.spread(squared_lengths) - lowest
        square = self._cells.mass @ deviations**2
        if lowest <= _MOST_ERRORS * np.sqrt(square) / self._total_mass:
            raise ValueError(
                "among has a mean that cannot be told from 0 in some part of the design; allowed"
                " are scores that show that somebody is among them"
            )

    def _residuals(self) -> FloatArray:
        scores = self._cells.values[:, :1]
        among = self._cells.values[:, 1:]
        fitted = self._cells.spread(self._cells.design @ self._basis_coefficients)
        residuals: FloatArray = scores - among * fitted
        return residuals

    def _solve(self, sums: FloatArray) -> FloatArray:
        coefficients: FloatArray = np.linalg.solve(self._part, sums).astype(np.float64)
        return coefficients
