"""Differences of shares: least squares of decoded reports, unbiased and possible for all data."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.mean_errors import mean_error
from mechanisms.analysis.reports import model_reports
from mechanisms.analysis.results import FittedModel, MeanShares, Prediction
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.analysis.sandwich import meat
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.columns import Missing
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals

# The least variance of a decoded report: a number, one for each answer, or a function from fitted
# means to variances, of shape (patterns,).
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
    labels: Sequence[str] | None = None,
    missing: Missing = "refuse",
) -> "LeastSquares":
    """Return least squares of decoded reports on the columns of a design.

    Parameters
    ----------
    mechanism : Mechanism or None
        None if `reports` are numbers already, whose mean given the truth is to be explained, such
        as 0 and 1 of a direct question or decoded scores of a number.
    reports : array_like
        As for `mechanism.tally`; without a mechanism, numbers of shape (n,).
    design : array_like of shape (n, p)
        Finite numbers, with a column of ones.
    choice : int or None, default 1
        The answer whose share is explained; None for every answer. A multiple selection may have
        None, too.
    counts, weights, clusters, asked : array_like of shape (n,), optional
        As for `regress`.
    least : float, ndarray or callable, optional
        The least variance of a decoded report (`Mechanism.least_variance`), a number or one for
        each answer. `effect` then has the error of `mean_error`. It is ignored with weights or
        clusters.
    labels : sequence of str, optional
        As for `regress`.
    missing : {"refuse", "drop"}, default "refuse"
        As for `regress`.

    Returns
    -------
    LeastSquares

    Raises
    ------
    ValueError
        For shapes that do not fit, too few rows, or columns that others make up (named by their
        index).
    """
    column = model_reports(mechanism, reports, labels=labels, missing=missing, asked=asked)
    rows = checked_rows(
        design,
        report_count(column.reports),
        counts=counts,
        weights=weights,
        clusters=clusters,
        asked=column.asked,
    )
    if mechanism is not None:
        decoded = answers(mechanism, rows.keep(column.reports), choice)
        fitted = least_squares_of(decoded, rows, least)
        fitted.labels = column.labels
        fitted.missing = column.missing
        return fitted
    numbers = arrays.numbers("reports", rows.keep(column.reports))
    if numbers.ndim != 1:
        raise ValueError(
            f"reports has shape {numbers.shape}; "
            "allowed without a mechanism is (n,), decoded numbers"
        )
    levels, codes = np.unique(numbers, return_inverse=True)
    table = levels[:, np.newaxis]
    cells = collapse(rows.standardized, codes, levels.size, table.__getitem__)
    return LeastSquares(cells, rows, has_one_outcome=True, least=least)


def least_squares_of(answers: Answers, rows: Rows, least: Least | None = None) -> "LeastSquares":
    """Return least squares of the decoded reports of a model.

    Parameters
    ----------
    answers : Answers
        The reports, one for each row.
    rows : Rows
        The respondents.
    least : float, ndarray or callable, optional
        As for `least_squares`.

    Returns
    -------
    LeastSquares
    """
    cells = collapse(rows.standardized, answers.codes, answers.kinds, answers.scores)
    has_one_outcome = answers.choice is not None
    fitted = LeastSquares(cells, rows, has_one_outcome=has_one_outcome, least=least)
    fitted.mechanism = answers.mechanism
    return fitted


class LeastSquares(FittedModel):
    """Fitted shares, linear in the columns.

    Attributes
    ----------
    coefficients : ndarray of shape (p,), or for every answer (p, size)
        Differences of shares.
    covariance : ndarray
        The covariance of the ravelled coefficients. For G clusters it has the factor
        (n - 1) / (n - p) G / (G - 1).
    errors : "HC1" or "cluster"
        How the covariance was estimated.

    References
    ----------
    MacKinnon and White (1985, Journal of Econometrics 29) for HC1.
    """

    unit = "differences"

    def __init__(
        self, cells: Cells, rows: Rows, *, has_one_outcome: bool, least: Least | None = None
    ) -> None:
        """Fit the model.

        Parameters
        ----------
        cells : Cells
            The cells of the rows, whose values are decoded reports.
        rows : Rows
            The respondents.
        has_one_outcome : bool
            True if one choice is explained, and not every answer.
        least : float, ndarray or callable, optional
            As for `least_squares`.
        """
        self._prepare(cells, rows, has_one_outcome=has_one_outcome, least=least)
        sums = self._cells.sums(cells.values * cells.mass[:, np.newaxis])
        self._basis_coefficients: FloatArray = self._cells.design.T @ sums / self._total_mass

    def _prepare(
        self, cells: Cells, rows: Rows, *, has_one_outcome: bool, least: Least | None
    ) -> None:
        """Store the data, with the design in an orthonormal basis."""
        self.rows = rows
        self.errors = "HC1" if rows.clusters is None else "cluster"
        self._explains_one_outcome = has_one_outcome
        self._least = least
        self._basis = basis(cells.design, cells.pattern_mass)
        self._cells = cells.with_design(self._basis.columns)
        self._total_mass = cells.pattern_mass.sum()

    @cached_property
    def coefficients(self) -> FloatArray:  # type: ignore[override]
        """The coefficients, shape (p,), or for every answer (p, size)."""
        coefficients = self._basis.back(self._basis_coefficients)
        if self._explains_one_outcome:
            return coefficients[:, 0]
        return coefficients

    @cached_property
    def covariance(self) -> FloatArray:  # type: ignore[override]
        """The covariance of the ravelled coefficients."""
        n = self.n
        p, states = self._basis_coefficients.shape
        correction = n / (n - p) if self.rows.clusters is None else (n - 1) / (n - p)
        scores = meat(self._cells, self._residuals(), self.rows.standardized)
        inner = scores * (correction / self._total_mass**2)
        half_solved = self._solve(inner)
        return self._basis.covariance(self._solve(half_solved.T), states)

    def _residuals(self) -> FloatArray:
        """Return the residuals of each cell, shape (cells, states)."""
        fitted = self._cells.design @ self._basis_coefficients
        residuals: FloatArray = self._cells.values - self._cells.spread(fitted)
        return residuals

    def _solve(self, sums: FloatArray) -> FloatArray:
        """Return the coefficients whose normal equations have these sums on the right.

        The basis is orthonormal, so that they are the sums themselves. A subclass may have others.
        """
        return sums

    def _difference_errors(self, slopes: FloatArray) -> FloatArray:
        """Return the standard errors of sums of coefficients, at least those of the design."""
        if self._least is None or self.rows.weights is not None or self.rows.clusters is not None:
            return super()._difference_errors(slopes)
        cells = self._cells
        n = cells.pattern_mass
        p, states = self._basis_coefficients.shape
        squares_of_cells = self._residuals() ** 2 * cells.mass[:, np.newaxis]
        mean_squares = cells.sums(squares_of_cells) / n[:, np.newaxis]
        least = np.broadcast_to(self._least_variances(self._least), mean_squares.shape)

        # A state's share depends on the coefficients of this state only.
        slopes_of_states = np.einsum("sps->ps", slopes.reshape(states, p, states))
        slopes_in_basis = self._basis.back(np.eye(p)).T @ slopes_of_states
        along_patterns = cells.design @ self._solve(slopes_in_basis)
        weights_of_means = along_patterns * (n / self._total_mass)[:, np.newaxis]

        errors = []
        for state in range(states):
            error = mean_error(
                weights_of_means[:, state],
                n,
                mean_squares[:, state],
                least[:, state],
                coefficients=p,
            )
            errors.append(error)
        return np.array(errors)

    def _least_variances(self, least: Least) -> FloatArray:
        """Return the least variances of each pattern, in a shape that can be broadcast to them."""
        if callable(least):
            fitted = self._cells.design @ self._basis_coefficients
            return least(fitted[:, 0])[:, np.newaxis]
        return np.asarray(least, dtype=np.float64)

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Return Wald's test of whether the coefficients of some columns are all 0.

        Parameters
        ----------
        columns : int or iterable of int
            Indexes of columns of the design.

        Returns
        -------
        Significance
            A chi-square.
        """
        return self.wald_test(columns)

    def _predict(self, design: FloatArray, confidence: float) -> Prediction:
        """Return shares on straight lines, which may be below 0 or above 1."""
        p, states = self._basis_coefficients.shape
        shares = design @ self._basis.back(self._basis_coefficients)
        covariance = self.covariance.reshape(p, states, p, states)
        covariances = np.stack([covariance[:, state, :, state] for state in range(states)])
        variances = np.einsum("ni,sij,nj->ns", design, covariances, design, optimize=True)
        errors = np.sqrt(np.maximum(variances, 0))
        ends = intervals.wald(shares, errors, confidence)
        if self._explains_one_outcome:
            return Prediction(
                shares=shares[:, 0], standard_errors=errors[:, 0], intervals=ends[:, 0]
            )
        return Prediction(shares=shares, standard_errors=errors, intervals=ends)

    def _mean_shares(self, design: FloatArray, mass: FloatArray) -> MeanShares:
        mean_row = mass @ design
        states = self._basis_coefficients.shape[1]
        slopes = np.einsum("p,st->spt", mean_row, np.eye(states)).reshape(states, -1)
        shares = mean_row @ self._basis.back(self._basis_coefficients)
        return MeanShares(shares=shares, slopes=slopes)
