"""Differences of shares: least squares of decoded reports, which is unbiased and has an answer for all data."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.mean_errors import mean_error
from mechanisms.analysis.results import Fitted, Prediction
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.analysis.sandwich import meat
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals

Least = float | FloatArray | Callable[[FloatArray], FloatArray]


def least_squares(
    mechanism: Mechanism | None,
    reports: Any,
    design: Any,
    *,
    choice: int | None = 1,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
    least: Least | None = None,
) -> "LeastSquares":
    """Least squares of the decoded reports of a choice, or of every answer, on the columns of a design.

    Arguments as for `regress`. mechanism: None where `reports` are decoded already: numbers whose mean given the truth
    is what is to be explained, shape (n,), such as 0 and 1 of a direct question or the scores of a number. choice: None
    for every answer; choose-all answers too. least: the least variance of a decoded report
    (`Mechanism.least_variance`), a number or one for each answer; `effect` then has the error of `mean_error`, with
    weights or clusters the sandwich's as without it. ValueError for shapes that do not fit, too few rows, or columns
    that others make up (named by their index).
    """
    table = checked_rows(
        design, report_count(reports), counts=counts, weights=weights, clusters=clusters, asked=asked
    )
    if mechanism is not None:
        return least_squares_of(answers(mechanism, table.keep(reports), choice), table, least)
    scores = arrays.numbers("reports", table.keep(reports))
    if scores.ndim != 1:
        raise ValueError(
            f"reports has shape {scores.shape}; allowed without a mechanism is (n,), decoded numbers"
        )
    levels, codes = np.unique(scores, return_inverse=True)
    cells = collapse(table.standardized, codes, levels.size, levels[:, np.newaxis].__getitem__)
    return LeastSquares(cells, table, single=True, least=least)


def least_squares_of(found: Answers, table: Rows, least: Least | None = None) -> "LeastSquares":
    cells = collapse(table.standardized, found.codes, found.kinds, found.scores)
    return LeastSquares(cells, table, single=found.choice is not None, least=least)


class LeastSquares(Fitted):
    """Fitted shares, linear in the columns.

    coefficients: differences of shares, shape (p,), for every answer (p, size). covariance: of the ravelled
    coefficients, "HC1" (MacKinnon and White 1985, J. Econometrics 29) or "cluster", with (n - 1)/(n - p) G/(G - 1) for
    G clusters.
    """

    def __init__(
        self, cells: Cells, rows: Rows, *, single: bool, least: Least | None = None
    ) -> None:
        self.rows, self._one, self._least = rows, single, least
        self.errors = "HC1" if rows.clusters is None else "cluster"
        self._basis = basis(cells.design, cells.pattern_mass)
        self._cells = cells.with_design(self._basis.columns)
        self._total = cells.pattern_mass.sum()
        weighted = self._cells.sums(cells.values * cells.mass[:, np.newaxis])
        self._at: FloatArray = self._cells.design.T @ weighted / self._total

    @cached_property
    def coefficients(self) -> FloatArray:  # type: ignore[override]
        found = self._basis.back(self._at)
        return found[:, 0] if self._one else found

    @cached_property
    def covariance(self) -> FloatArray:  # type: ignore[override]
        n, p = self.n, len(self._at)
        factor = n / (n - p) if self.rows.clusters is None else (n - 1) / (n - p)
        inner = meat(self._cells, self._residuals(), self.rows.standardized) * (
            factor / self._total**2
        )
        return self._basis.covariance(self._solve(self._solve(inner).T), self._at.shape[1])

    def _residuals(self) -> FloatArray:
        """Of each cell, shape (cells, states)."""
        left: FloatArray = self._cells.values - self._cells.spread(self._cells.design @ self._at)
        return left

    def _solve(self, sums: FloatArray) -> FloatArray:
        """From sums of slopes to coefficients of the basis, in which nothing is left to do."""
        return sums

    def _difference_errors(self, slopes: FloatArray) -> FloatArray:
        if self._least is None or self.rows.weights is not None or self.rows.clusters is not None:
            return super()._difference_errors(slopes)
        n, (p, states) = self._cells.pattern_mass, self._at.shape
        squares = (
            self._cells.sums(self._residuals() ** 2 * self._cells.mass[:, np.newaxis])
            / n[:, np.newaxis]
        )
        own = np.einsum(
            "sps->ps", slopes.reshape(states, p, states)
        )  # a state's slopes in its own coefficients
        along = self._cells.design @ self._solve(self._basis.back(np.eye(p)).T @ own)
        weights = along * (n / self._total)[:, np.newaxis]  # of the mean of each pattern
        least = np.broadcast_to(self._least_variances(self._least), squares.shape)
        each = zip(weights.T, squares.T, least.T, strict=True)
        return np.array(
            [mean_error(weight, n, square, floor, coefficients=p) for weight, square, floor in each]
        )

    def _least_variances(self, least: Least) -> FloatArray:
        """Of each pattern, or alike in all."""
        if callable(least):
            return least((self._cells.design @ self._at)[:, 0])[:, np.newaxis]
        return np.asarray(least, dtype=np.float64)

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Whether the coefficients of these columns are all 0, by Wald's chi-square."""
        return self.wald_test(columns)

    def _predict(self, design: FloatArray, confidence: float) -> Prediction:
        """Straight lines: shares may come out below 0 or above 1."""
        p, columns = self._at.shape
        shares = design @ self._basis.back(self._at)
        spread = self.covariance.reshape(p, columns, p, columns)
        each = np.stack([spread[:, state, :, state] for state in range(columns)])
        errors = np.sqrt(
            np.maximum(np.einsum("ni,sij,nj->ns", design, each, design, optimize=True), 0)
        )
        found = shares, errors, intervals.wald(shares, errors, confidence)
        return Prediction(*(values[:, 0] if self._one else values for values in found))

    def _mean_share(self, design: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
        mean, columns = mass @ design, self._at.shape[1]
        slopes = np.einsum("p,st->spt", mean, np.eye(columns)).reshape(columns, -1)
        return mean @ self._basis.back(self._at), slopes

    @property
    def _single(self) -> bool:
        return self._one
