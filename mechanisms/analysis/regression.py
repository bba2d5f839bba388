"""The logit of one choice and the multinomial logit of all answers, from randomized reports."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import chdtrc, expit

from mechanisms import checks
from mechanisms.analysis import profile, softmax, verdicts
from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.linear import LeastSquares, least_squares_of
from mechanisms.analysis.newton import Optimum, inverse, maximize
from mechanisms.analysis.reports import model_reports
from mechanisms.analysis.results import FittedModel, MeanShares, Prediction
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.analysis.sandwich import meat
from mechanisms.analysis.summaries import Coefficients
from mechanisms.checks import FloatArray
from mechanisms.columns import Missing
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.constrained import norm_sub
from mechanisms.estimation.estimates import default_labels

# Numbers of an array that are computed at a time.
_BLOCK = 2**22


def regress(
    mechanism: Mechanism,
    reports: Any,
    design: Any,
    *,
    choice: int | None = 1,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
    labels: Sequence[str] | None = None,
    missing: Missing = "refuse",
) -> "Regression":
    """Return the maximum-likelihood logit of a choice, or of all answers, on a design.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix, unary or subset mechanism.
    reports : array_like
        As for `mechanism.tally`.
    design : array_like of shape (n, p)
        Finite numbers, with a column of ones. The columns of a data frame give their names.
    choice : int or None, default 1
        The answer whose share is explained against all others; None for all answers against the
        first.
    counts : array_like of int, shape (n,), optional
        How many respondents each row stands for.
    weights : array_like of shape (n,), optional
        Weights above 0.
    clusters : array_like of shape (n,), optional
        A number or text for each row. Respondents of one cluster may be alike.
    asked : array_like of bool, shape (n,), optional
        True where the question was asked; other rows are left out.
    labels : sequence of str, optional
        The label of each answer, in the order of the codes. Reports may then be labels or a
        categorical.
    missing : {"refuse", "drop"}, default "refuse"
        Whether missing reports are an error, or their rows are left out.

    Returns
    -------
    Regression

    Raises
    ------
    ValueError
        For shapes that do not fit, too few rows, or columns that others make up (named by their
        index).

    References
    ----------
    Maddala (1983, Limited-Dependent and Qualitative Variables in Econometrics, section 2.13) and
    Scheers and Dayton (1988, JASA 83) for the logit under randomized response.
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
    fitted = Regression(answers(mechanism, rows.keep(column.reports), choice), rows)
    fitted.labels = column.labels
    fitted.missing = column.missing
    return fitted


class Regression(FittedModel):
    """A fitted logit.

    Attributes
    ----------
    coefficients : ndarray of shape (p,), or for all answers (p, size - 1)
        Log odds; for all answers, against the first.
    covariance : ndarray
        The covariance of the ravelled coefficients.
    errors : "observed" or "sandwich"
        How the covariance was estimated: the inverse of the observed information, or, with weights
        or clusters, the sandwich.
    log_likelihood : float
        The log-likelihood at the maximum.
    converged : bool
        True if the likelihood has a maximum.
    effective_events : float
        The effective events for each column.
    verdict : "fine", "few" or "boundary"
        What can be believed. "few" asks for a warning. After "boundary" the coefficients must not
        be shown; `instead` has least squares of the decoded reports, and `odds_ratios` is None.
    reason : str
        Why the verdict is not "fine", or "" if it is.
    needed_n : int or None
        How many respondents would make the verdict "fine"; None if there are no events.
    """

    def __init__(self, answers: Answers, rows: Rows) -> None:
        """Fit the model.

        Parameters
        ----------
        answers : Answers
            The reports, one for each row.
        rows : Rows
            The respondents.

        Raises
        ------
        ValueError
            For a report that no answer makes possible.
        """
        self.answers = answers
        self.mechanism = answers.mechanism
        self.rows = rows
        self.errors = "observed" if rows.weights is None and rows.clusters is None else "sandwich"
        cells = collapse(rows.standardized, answers.codes, answers.kinds, answers.likelihoods)
        is_impossible = ~cells.values.any(axis=1)
        if (cells.mass[is_impossible] > 0).any():
            raise ValueError(
                "reports holds one that no answer makes possible; "
                "allowed are reports of this mechanism"
            )
        self._basis = basis(cells.design, cells.pattern_mass)
        self._cells = cells.with_design(self._basis.columns)
        self._overall = verdicts.overall_shares(answers, rows)
        self._optimum = self._fit(self._cells)
        self.converged = self._optimum.converged
        self.log_likelihood = self._full_log_likelihood()

        columns = rows.design.shape[1]
        self.effective_events = verdicts.effective_events(self._overall, rows.effective_n, columns)
        self.needed_n = verdicts.needed_n(rows.n, self.effective_events)
        verdict = verdicts.judge(
            self.effective_events,
            float(self._fitted_shares.min()),
            rows.n,
            converged=self.converged,
        )
        self.verdict = verdict.verdict
        self.reason = verdict.reason

    @property
    def unit(self) -> str:  # type: ignore[override]
        """The unit of the coefficients, with the answer that they belong to."""
        labels = self.labels or default_labels(self.answers.mechanism)
        if self.answers.choice is None:
            return f"log odds against {labels[0]}"
        return f"log odds of {labels[self.answers.choice]}"

    def _subject(self) -> str:
        return f"{super()._subject()}, {self.verdict}"

    def _notes(self) -> list[str]:
        reasons = [self.reason] if self.reason else []
        return [*super()._notes(), *reasons]

    def _visible_coefficients(self, confidence: float) -> Coefficients | None:
        if self.verdict == "boundary":
            return None
        return super()._visible_coefficients(confidence)

    @property
    def states(self) -> int:
        """The number of states: 2 for one choice, else the number of answers."""
        return int(self._cells.values.shape[1])

    def _full_log_likelihood(self) -> float:
        """Return the log-likelihood with the factors of the reports that no coefficient changes."""
        log_factors = self.answers.log_scale(self.answers.codes)
        mass = self.rows.standardized.mass
        constant = float(log_factors.sum() if mass is None else mass @ log_factors)
        return (self._optimum.likelihood.log_likelihood + constant) * self.rows.mean_weight

    def _fit(self, cells: Cells) -> Optimum:
        """Return the optimum, searched from the coefficients nearest to the overall shares."""
        shares = np.maximum(norm_sub(self._overall.shares), 0.5 / self.n)
        log_odds = np.log(shares[1:] / shares[0])
        # The columns are orthonormal, so that these are the coefficients of a column of ones.
        constant = cells.pattern_mass @ cells.design / cells.pattern_mass.sum()
        return self._search(cells, np.outer(constant, log_odds).ravel())

    @staticmethod
    def _search(cells: Cells, start: FloatArray) -> Optimum:
        return maximize(lambda parameters: softmax.evaluate(cells, parameters), start)

    @cached_property
    def _fitted_shares(self) -> FloatArray:
        """The fitted shares of each pattern, shape (patterns, states)."""
        return softmax.shares(self._cells.design, self._basis_coefficients)

    @property
    def _basis_coefficients(self) -> FloatArray:
        """The coefficients in the model's own basis, shape (p, states - 1)."""
        return self._optimum.parameters.reshape(-1, self.states - 1)

    @cached_property
    def _design_coefficients(self) -> FloatArray:
        """The coefficients of the design's columns, shape (p, states - 1)."""
        return self._basis.back(self._basis_coefficients)

    @cached_property
    def coefficients(self) -> FloatArray:  # type: ignore[override]
        """The coefficients, shape (p,), or for all answers (p, size - 1)."""
        if self.answers.choice is not None:
            return self._design_coefficients[:, 0]
        return self._design_coefficients

    @cached_property
    def covariance(self) -> FloatArray:  # type: ignore[override]
        """The covariance of the ravelled coefficients, as `errors` says."""
        if self.errors == "observed":
            return self.observed_covariance
        return self.robust_covariance

    @cached_property
    def observed_covariance(self) -> FloatArray:
        """The inverse of the observed information; nan if there is none."""
        return self._design_covariance(self._inverse_information)

    @cached_property
    def robust_covariance(self) -> FloatArray:
        """The sandwich H^-1 (sum of w^2 s s') H^-1, with the inner sum of `sandwich.meat`."""
        residuals = softmax.residuals(self._cells, self._basis_coefficients)
        inner = meat(self._cells, residuals, self.rows.standardized)
        return self._design_covariance(
            self._inverse_information @ inner @ self._inverse_information
        )

    @cached_property
    def _inverse_information(self) -> FloatArray:
        return self._inverse_or_nan(self._optimum.likelihood.observed_information)

    @staticmethod
    def _inverse_or_nan(information: FloatArray) -> FloatArray:
        inverse_information = inverse(information)
        if inverse_information is None:
            return np.full(information.shape, np.nan)
        return inverse_information

    def _design_covariance(self, basis_covariance: FloatArray) -> FloatArray:
        return self._basis.covariance(basis_covariance, self.states - 1)

    @property
    def robust_standard_errors(self) -> FloatArray:
        """The standard errors from the sandwich."""
        return self._standard_errors_from(self.robust_covariance)

    @cached_property
    def expected_standard_errors(self) -> FloatArray | None:
        """The standard errors from the expected information.

        None for whole reports of bits, which are too many for an expectation.
        """
        mechanism = self.answers.mechanism
        if self.answers.choice is None and not isinstance(mechanism, MatrixMechanism):
            return None
        likelihoods = self.answers.likelihoods(np.arange(self.answers.kinds))
        information = softmax.expected_information(
            self._cells, self._basis_coefficients, likelihoods
        )
        covariance = self._design_covariance(self._inverse_or_nan(information))
        return self._standard_errors_from(covariance)

    @cached_property
    def instead(self) -> LeastSquares | None:
        """Least squares of the decoded reports if the verdict is "boundary", else None."""
        if self.verdict != "boundary":
            return None
        return least_squares_of(self.answers, self.rows)

    @property
    def odds_ratios(self) -> FloatArray | None:
        """The odds ratios exp(coefficients); None if the verdict is "boundary"."""
        if self.verdict == "boundary":
            return None
        with np.errstate(over="ignore"):
            return np.exp(self.coefficients)

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Return the test of whether the coefficients of some columns are all 0.

        Parameters
        ----------
        columns : int or iterable of int
            Indexes of columns of the design.

        Returns
        -------
        Significance
            The likelihood-ratio test; with weights or clusters Wald's test.
        """
        tested = self._checked_columns(columns)
        if self.errors == "sandwich":
            return self.wald_test(tested)
        remaining = np.setdiff1d(np.arange(len(self.coefficients)), tested)
        root = self._basis.root[:, remaining]
        directions = np.zeros((len(root), 0))
        if remaining.size:
            directions = np.linalg.qr(root)[0]
        cells = self._cells.with_design(self._cells.design @ directions)

        # From the coefficients of the model itself only a few steps are left.
        reduced = self._search(cells, (directions.T @ self._basis_coefficients).ravel())
        if not reduced.converged:
            reduced = self._fit(cells)
        log_likelihood = self._optimum.likelihood.log_likelihood
        loss = log_likelihood - reduced.likelihood.log_likelihood
        statistic = max(2 * loss, 0.0)
        degrees = tested.size * (self.states - 1)
        p_value = float(chdtrc(degrees, statistic))
        return Significance(statistic=statistic, degrees=degrees, p_value=p_value)

    def profile_interval(self, column: int, confidence: float = 0.95) -> FloatArray:
        """Return the values of a column's coefficients that a likelihood-ratio test accepts.

        Parameters
        ----------
        column : int
            The index of a column of the design.
        confidence : float, default 0.95
            Inside (0, 1).

        Returns
        -------
        ndarray of shape (2,), or for all answers (size - 1, 2)
            The ends, which are infinite if nothing is rejected.

        Raises
        ------
        ValueError
            With weights or clusters, or for a column that does not exist.

        References
        ----------
        Venzon and Moolgavkar (1988, Applied Statistics 37).
        """
        level = checks.between("confidence", confidence, 0, 1)
        column = checks.whole("column", column, 0, len(self.coefficients) - 1)
        if self.errors == "sandwich":
            raise ValueError(
                "profile_interval is for respondents without weights or clusters; "
                "allowed here is interval"
            )
        cells = self._cells.with_design(self._cells.design @ self._basis.root)
        ends = profile.profile_intervals(cells, self._design_coefficients, column, level)
        if self._has_one_outcome:
            ends = ends[0]
        return ends

    def _predict(self, design: FloatArray, confidence: float) -> Prediction:
        """Return shares with intervals that are made on the logit's scale."""
        pi = softmax.shares(design, self._design_coefficients)
        step = max(1, _BLOCK // (pi.shape[1] * self.covariance.shape[0]))
        parts = []
        for start in range(0, len(pi), step):
            part = slice(start, start + step)
            parts.append(softmax.standard_errors(design[part], pi[part], self.covariance))
        errors = np.concatenate(parts)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_odds = np.log(pi / (1 - pi))
            errors_of_log_odds = errors / (pi * (1 - pi))
            ends = expit(intervals.wald(log_odds, errors_of_log_odds, confidence))
        if self._has_one_outcome:
            return Prediction(shares=pi[:, 1], standard_errors=errors[:, 1], intervals=ends[:, 1])
        return Prediction(shares=pi, standard_errors=errors, intervals=ends)

    def _mean_shares(self, design: FloatArray, mass: FloatArray) -> MeanShares:
        columns = design.shape[1]
        free_states = self.states - 1
        pi = softmax.shares(design, self._design_coefficients)
        weighted = design * mass[:, np.newaxis]
        total = np.zeros((columns, self.states * free_states))
        step = max(1, _BLOCK // total.shape[1])
        for start in range(0, len(pi), step):
            part = slice(start, start + step)
            slopes_of_rows = softmax.share_slopes(pi[part])
            total += weighted[part].T @ slopes_of_rows.reshape(len(slopes_of_rows), -1)
        slopes_of_columns = total.reshape(columns, self.states, free_states)
        slopes = slopes_of_columns.transpose(1, 0, 2).reshape(self.states, -1)
        shares = mass @ pi
        if self._has_one_outcome:
            # The state of the choice; the other one is all other answers.
            return MeanShares(shares=shares[1:], slopes=slopes[1:])
        return MeanShares(shares=shares, slopes=slopes)
