"""Differences of means among those of whom something is true that only decoded reports tell: who gave a number."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.linear import Least, LeastSquares
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray

_SURE = 3  # standard errors by which the part of those among whom the mean is has to be above 0


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
    """Least squares of a number y on the columns of a design, among those with g = 1, who are known of nobody.

    scores: whose mean given the truth is y g, shape (n,). among: whose mean given the truth is g, 0 or 1, shape (n,).
    design and the rest as for `least_squares`. least: from fitted means m, shape (patterns,), to the least variances of
    a decoded y g - m g. ValueError also where the scores do not show that anybody has g = 1 in
    some direction of the design.
    """
    table = checked_rows(
        design, report_count(scores), counts=counts, weights=weights, clusters=clusters, asked=asked
    )
    given = [
        _numbers(name, table.keep(each)) for name, each in (("reports", scores), ("among", among))
    ]
    (levels, codes), (parts, places) = (np.unique(each, return_inverse=True) for each in given)
    distinct, kinds = np.unique(codes * parts.size + places, return_inverse=True)
    values = np.stack([levels[distinct // parts.size], parts[distinct % parts.size]], axis=1)
    return LeastSquaresAmong(
        collapse(table.standardized, kinds, distinct.size, values.__getitem__), table, least
    )


def _numbers(name: str, values: Any) -> FloatArray:
    found = arrays.numbers(name, values)
    if found.ndim != 1:
        raise ValueError(f"{name} has shape {found.shape}; allowed is (n,), decoded numbers")
    return found


class LeastSquaresAmong(LeastSquares):
    """The coefficients b solve sum of x (s - g x'b) = 0, s and g the scores: given the truths its mean is the normal
    equation among those with g = 1. With a 1 alone b is the ratio of the two means.

    covariance: the sandwich of these equations (Huber 1967, Berkeley Symposium 5), times n/(n - p): for the ratio it is
    that of the delta method.
    """

    def __init__(self, cells: Cells, rows: Rows, least: Least | None = None) -> None:
        """cells: their values are the scores of y g and of g, shape (cells, 2)."""
        self._prepare(cells, rows, has_one_outcome=True, least=least)
        design, sums = (
            self._cells.design,
            self._cells.sums(cells.values * cells.mass[:, np.newaxis]),
        )
        self._part: FloatArray = (design * sums[:, 1:]).T @ design / self._total_mass
        self._check()
        self._basis_coefficients: FloatArray = np.linalg.solve(
            self._part, design.T @ sums[:, :1] / self._total_mass
        )

    def _check(self) -> None:
        """Where the mean of g could be 0, in the direction of the design where it is lowest, a ratio tells nothing."""
        lowest, directions = np.linalg.eigh(self._part)
        along = self._cells.spread((self._cells.design @ directions[:, 0]) ** 2)
        square = self._cells.mass @ (self._cells.values[:, 1] * along - lowest[0]) ** 2
        if lowest[0] <= _SURE * np.sqrt(square) / self._total_mass:
            raise ValueError(
                "among has a mean that cannot be told from 0 in some part of the design; allowed are scores that show "
                "that somebody is among them"
            )

    def _residuals(self) -> FloatArray:
        scores, among = self._cells.values[:, :1], self._cells.values[:, 1:]
        left: FloatArray = scores - among * self._cells.spread(
            self._cells.design @ self._basis_coefficients
        )
        return left

    def _solve(self, sums: FloatArray) -> FloatArray:
        found: FloatArray = np.linalg.solve(self._part, sums).astype(np.float64)
        return found
