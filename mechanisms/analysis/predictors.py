"""A randomized question as explanation: regressions of an outcome on its hidden truth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import block_diag
from scipy.special import chdtrc, expit

from mechanisms import checks
from mechanisms.analysis import hidden, verdicts
from mechanisms.analysis.answers import Answers, answers
from mechanisms.analysis.basis import Basis, basis
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.correlation import Variable
from mechanisms.analysis.effects import mean_share
from mechanisms.analysis.newton import Likelihood, Optimum, inverse, maximize
from mechanisms.analysis.reports import model_reports
from mechanisms.analysis.rows import Rows, checked_rows, design_matrix, report_count
from mechanisms.analysis.summaries import Coefficients, missing_note, model_line, model_summary
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray, IntArray
from mechanisms.columns import Missing, column_names
from mechanisms.designs.general import Matrix
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.estimates import default_labels

# Values of z's effect from which the search starts: the likelihood may have more than one peak.
_STARTS = (0.0, 2.0, -2.0)


def regress_on(
    outcome: Any,
    mechanism: Mechanism,
    reports: Any,
    design: Any,
    *,
    own: Any = None,
    family: str = "logit",
    counts: Any = None,
    choice: int = 1,
    asked: Any = None,
    labels: Sequence[str] | None = None,
    missing: Missing = "refuse",
) -> "Predictor":
    """Return the maximum-likelihood regression of an outcome on a design and a hidden truth z.

    Parameters
    ----------
    outcome : array_like of shape (n,), or Variable
        For the family "logit" 0 and 1 of a direct question, or a `Variable` with the reports of
        another mechanism; for the family "normal" numbers.
    mechanism : Mechanism
        The mechanism that randomized z.
    reports : array_like
        The reports of z, as for `mechanism.tally`.
    design : array_like of shape (n, p)
        Finite numbers, with a column of ones. z comes last, after them.
    own : array_like of shape (n, q), optional
        The columns that z itself depends on, by a logit; by default those of `design`.
    family : "logit" or "normal", default "logit"
        The distribution of the outcome.
    counts, asked : array_like of shape (n,), optional
        As for `regress`.
    choice : int, default 1
        The answer that makes z true.
    labels : sequence of str, optional
        As for `regress`, of the answers of z.
    missing : {"refuse", "drop"}, default "refuse"
        As for `regress`.

    Returns
    -------
    Predictor

    Raises
    ------
    ValueError
        As for `regress`.

    References
    ----------
    Imai, Park and Greene (2015, Political Analysis 23); Blair, Imai and Zhou (2015, JASA 110).
    """
    checks.one_of("family", family, ("logit", "normal"))
    table = design_matrix("design", design)
    columns = table.shape[1]
    if own is not None:
        own_table = design_matrix("own", own)
        if len(own_table) != len(table):
            raise ValueError(
                f"own has {len(own_table)} rows and design has {len(table)}; "
                "allowed is one row for each respondent"
            )
        table = np.hstack([table, own_table])
    column = model_reports(mechanism, reports, labels=labels, missing=missing, asked=asked)
    count = report_count(column.reports)
    rows = checked_rows(table, count, counts=counts, asked=column.asked)
    answers_of_z = answers(mechanism, rows.keep(column.reports), choice)
    fitted = Predictor(answers_of_z, outcome, rows, columns=columns, family=family)
    labels_of_z = column.labels or default_labels(mechanism)
    fitted.names = (*column_names(design, columns), labels_of_z[choice])
    fitted.missing = column.missing
    return fitted


@dataclass(frozen=True)
class _Data:
    """The data of a regression.

    cells: the cells of the rows, whose values are the likelihoods of each state of z (and of a
    binary outcome).
    level: the overall share of the outcome; for numbers their standard deviation.
    """

    cells: Cells
    level: float


@dataclass(frozen=True)
class _Parameters:
    """The parameters for the columns of the design, in the order z's, the outcome's, ln sigma."""

    values: FloatArray
    covariance: FloatArray


class Predictor:
    """A fitted regression on a hidden truth z.

    Attributes
    ----------
    n : int
        The number of respondents.
    family : "logit" or "normal"
        The distribution of the outcome.
    coefficients, standard_errors : ndarray of shape (p + 1,)
        Those of the outcome's model: of the design's columns, then of z.
    own_coefficients, own_standard_errors : ndarray of shape (q,)
        Those of z's model, a logit.
    covariance : ndarray
        The covariance of z's coefficients, the outcome's, and for "normal" ln sigma, in this
        order, from the observed information; nan if it has no inverse.
    sigma : float or None
        The standard deviation of the normal outcome; None for a logit.
    log_likelihood : float
        The log-likelihood at the maximum.
    converged : bool
        True if a maximum was found.
    names : tuple of str
        The names of the coefficients: of the design's columns, then of z.
    missing : int
        The number of rows that were left out because their report is missing.
    verdict, reason, effective_events, needed_n
        What can be believed of z's own model, as for `Regression`. If the verdict is "boundary",
        nothing must be shown.
    """

    def __init__(
        self, answers: Answers, outcome: Any, rows: Rows, *, columns: int, family: str
    ) -> None:
        """Fit the model.

        Parameters
        ----------
        answers : Answers
            The reports of z, one for each row.
        outcome : array_like or Variable
            As for `regress_on`.
        rows : Rows
            The respondents. Their design has the outcome's columns, then z's if they are others.
        columns : int
            The number of the outcome's columns.
        family : "logit" or "normal"
            The distribution of the outcome.

        Raises
        ------
        ValueError
            For an outcome that does not fit, or a number that is always the same.
        """
        self.n = rows.n
        self.family = family
        self._columns = columns
        self.names = (*column_names(rows.design, columns), "z")
        self.missing = 0
        make_data = _normal_data if family == "normal" else _logit_data
        data = make_data(answers, outcome, rows)
        self._cells = data.cells
        self._outcome_level = data.level
        all_columns = rows.design.shape[1]
        if all_columns > columns:
            self._own_columns = slice(columns, all_columns)
        else:
            self._own_columns = slice(0, columns)
        overall = verdicts.overall_shares(answers, rows)
        self._share = _inner_share(overall.shares[1], self.n)

        fit = self._fit(np.arange(columns))
        self.log_likelihood = fit.optimum.likelihood.log_likelihood
        self.converged = fit.optimum.converged
        self._store(fit.design_parameters())

        own_columns = self._own_columns.stop - self._own_columns.start
        self.effective_events = verdicts.effective_events(overall, self.n, own_columns)
        self.needed_n = verdicts.needed_n(self.n, self.effective_events)
        verdict = verdicts.judge(
            self.effective_events,
            fit.least_share(),
            self.n,
            converged=self.converged,
        )
        self.verdict = verdict.verdict
        self.reason = verdict.reason

    def _store(self, parameters: _Parameters) -> None:
        """Store the coefficients of both models with their standard errors."""
        values = parameters.values
        self.covariance = parameters.covariance
        errors = np.sqrt(np.maximum(self.covariance.diagonal(), 0))
        own_columns = self._own_columns.stop - self._own_columns.start
        outcome_part = slice(own_columns, own_columns + self._columns + 1)
        self.own_coefficients = values[:own_columns]
        self.own_standard_errors = errors[:own_columns]
        self.coefficients = values[outcome_part]
        self.standard_errors = errors[outcome_part]
        self.sigma = float(np.exp(values[-1])) if self.family == "normal" else None

    def __repr__(self) -> str:
        return model_line(self._subject(), self._visible_coefficients(0.95))

    def summary(self, confidence: float = 0.95) -> str:
        """Return the model of the outcome as a table for a terminal.

        There is a row for each coefficient: name, estimate, standard error and interval. The last
        row is that of z. After the verdict "boundary" no coefficients are shown.

        Parameters
        ----------
        confidence : float, default 0.95
            Inside (0, 1).

        Returns
        -------
        str
            The lines.
        """
        level = checks.between("confidence", confidence, 0, 1)
        unit = "log odds" if self.family == "logit" else "differences"
        heading = [f"{self._subject()}, {unit}", *missing_note(self.missing)]
        if self.reason:
            heading.append(self.reason)
        return model_summary(heading, self._visible_coefficients(level), confidence=level)

    def _subject(self) -> str:
        return f"{type(self).__name__}, n={self.n}, {self.verdict}"

    def _visible_coefficients(self, confidence: float) -> Coefficients | None:
        """Return the coefficients with intervals, or None if they must not be shown."""
        if self.verdict == "boundary":
            return None
        return Coefficients(
            names=self.names,
            values=self.coefficients,
            standard_errors=self.standard_errors,
            intervals=self.interval(confidence),
        )

    def interval(self, confidence: float = 0.95) -> FloatArray:
        """Return Wald intervals of the outcome's coefficients.

        Parameters
        ----------
        confidence : float, default 0.95
            Inside (0, 1).

        Returns
        -------
        ndarray of shape (p + 1, 2)
        """
        level = checks.between("confidence", confidence, 0, 1)
        return intervals.wald(self.coefficients, self.standard_errors, level)

    @property
    def se(self) -> FloatArray:
        """The standard errors, by a shorter name."""
        return self.standard_errors

    def conf_int(self, alpha: float = 0.05) -> FloatArray:
        """Return the intervals at confidence 1 - alpha, by their name in statsmodels.

        Parameters
        ----------
        alpha : float, default 0.05
            Inside (0, 1).

        Returns
        -------
        ndarray of shape (p + 1, 2)
        """
        return self.interval(1 - alpha)

    def effect(
        self,
        design1: Any,
        design0: Any,
        counts: Any,
        *,
        own: Any = None,
        z: tuple[int, int] | None = None,
    ) -> tuple[float, float]:
        """Return the difference of the mean shares at two designs, with its standard error.

        Parameters
        ----------
        design1, design0 : array_like of shape (rows, p)
            Rows with the outcome's columns.
        counts : array_like of int, shape (rows,)
            How many respondents each row stands for.
        own : array_like of shape (rows, q), optional
            Rows with z's columns; by default those of `design0`.
        z : (int, int), optional
            The truth at the one and at the other design, such as (1, 0). By default z is as its
            own model says at the rows of `own`.

        Returns
        -------
        difference, standard_error : float
            The standard error is that of the delta method.

        Raises
        ------
        ValueError
            For the family "normal", or values that do not fit.
        """
        if self.family != "logit":
            raise ValueError('effect is for shares; allowed is family "logit"')
        mass = checks.indices("counts", counts, 2**53).astype(np.float64)
        parts = mass / mass.sum()
        own_table = design_matrix("own", design0 if own is None else own)
        z1, z0 = (None, None) if z is None else z
        tables1 = (own_table, design_matrix("design1", design1))
        share1, slopes1 = mean_share(
            self.own_coefficients, self.coefficients, tables1, mass=parts, z=z1
        )
        tables0 = (own_table, design_matrix("design0", design0))
        share0, slopes0 = mean_share(
            self.own_coefficients, self.coefficients, tables0, mass=parts, z=z0
        )
        slopes = slopes1 - slopes0
        variance = float(slopes @ self.covariance @ slopes)
        return share1 - share0, float(np.sqrt(max(variance, 0.0)))

    def test(self, columns: int | Iterable[int]) -> Significance:
        """Return the likelihood-ratio test of whether some of the outcome's coefficients are all 0.

        Parameters
        ----------
        columns : int or iterable of int
            Indexes of columns of the design; p is z.

        Returns
        -------
        Significance
        """
        requested = [columns] if isinstance(columns, int | np.integer) else list(columns)
        tested = checks.index_set("columns", requested, self._columns + 1)
        if not tested:
            raise ValueError("columns is []; allowed is at least one column")
        remaining = [column for column in range(self._columns) if column not in tested]
        has_z = self._columns not in tested
        reduced = self._fit(np.array(remaining, dtype=np.int64), has_z=has_z)
        loss = self.log_likelihood - reduced.optimum.likelihood.log_likelihood
        statistic = max(2 * loss, 0.0)
        degrees = len(tested)
        p_value = float(chdtrc(degrees, statistic))
        return Significance(statistic=statistic, degrees=degrees, p_value=p_value)

    def _fit(self, columns: IntArray, *, has_z: bool = True) -> "_Fit":
        """Return the best of several searches, on some of the outcome's columns."""
        design = self._cells.design
        mass = self._cells.pattern_mass
        own_basis = basis(design[:, self._own_columns], mass)
        outcome_basis = basis(design[:, columns], mass)
        own_size = own_basis.columns.shape[1]
        z_index = own_size + columns.size
        tables = [own_basis.columns, outcome_basis.columns]
        y_column = None
        if self.family == "normal":
            tables.append(design[:, -1:])
            y_column = z_index
        blocks = hidden.Blocks(own=slice(0, own_size), outcome=slice(own_size, z_index), y=y_column)
        cells = self._cells.with_design(np.hstack(tables))

        def evaluate(parameters: FloatArray) -> Likelihood:
            return hidden.look(cells, blocks, parameters)

        optima = []
        for effect in _STARTS if has_z else _STARTS[:1]:
            start = self._start(own_basis, outcome_basis, effect)
            free = np.ones(start.size, dtype=bool)
            free[z_index] = has_z
            optima.append(maximize(evaluate, start, free))
        best = max(optima, key=_rank)
        return _Fit(optimum=best, own_basis=own_basis, outcome_basis=outcome_basis)

    def _start(self, own_basis: Basis, outcome_basis: Basis, effect: float) -> FloatArray:
        """Return where a search starts: the overall shares of z and the outcome, and z's effect."""
        parts = self._cells.pattern_mass / self._cells.pattern_mass.sum()
        z_start = parts @ own_basis.columns * np.log(self._share / (1 - self._share))
        if self.family == "logit":
            log_odds = np.log(self._outcome_level / (1 - self._outcome_level))
            constant = log_odds - effect * self._share
            return np.concatenate([z_start, parts @ outcome_basis.columns * constant, [effect]])
        y = self._cells.design[:, -1]
        sigma = self._outcome_level
        without_z = y - effect * sigma * self._share
        outcome_start = (parts * without_z) @ outcome_basis.columns
        return np.concatenate([z_start, outcome_start, [effect * sigma, np.log(sigma)]])


def _rank(optimum: Optimum) -> tuple[float, bool]:
    """Return the key by which searches are compared."""
    log_likelihood = optimum.likelihood.log_likelihood
    return float(np.nan_to_num(log_likelihood, nan=-np.inf)), optimum.converged


@dataclass(frozen=True)
class _Fit:
    """The optimum of a model, and the bases in which its coefficients are."""

    optimum: Optimum
    own_basis: Basis
    outcome_basis: Basis

    def least_share(self) -> float:
        """Return the smallest fitted share of z = 0 or z = 1 of any pattern."""
        own_size = len(self.own_basis.root)
        shares = expit(self.own_basis.columns @ self.optimum.parameters[:own_size])
        return float(np.concatenate([shares, 1 - shares]).min())

    def design_parameters(self) -> _Parameters:
        """Return the parameters for the columns of the design."""
        own_root = self.own_basis.root
        outcome_root = self.outcome_basis.root
        parameters = self.optimum.parameters
        others = np.eye(parameters.size - len(own_root) - len(outcome_root))
        back = np.linalg.inv(block_diag(own_root, outcome_root, others))
        covariance = inverse(self.optimum.likelihood.observed_information)
        if covariance is None:
            covariance = np.full(back.shape, np.nan)
        return _Parameters(values=back @ parameters, covariance=back @ covariance @ back.T)


def _inner_share(share: float, n: int) -> float:
    """Return the share, moved to at least half a respondent from 0 and 1."""
    return float(np.clip(share, 0.5 / n, 1 - 0.5 / n))


def _normal_data(answers_of_z: Answers, outcome: Any, rows: Rows) -> _Data:
    """Return the cells of z's reports, whose design has the numbers as its last column."""
    likelihoods = answers_of_z.likelihoods(np.arange(answers_of_z.kinds))
    y = arrays.numbers("outcome", rows.keep(outcome))
    _check_outcome_shape(y.shape, answers_of_z)
    mean = np.average(y, weights=rows.counts)
    variance = np.average((y - mean) ** 2, weights=rows.counts)
    deviation = float(np.sqrt(variance))
    if deviation == 0:
        raise ValueError(f"outcome is always {y[0]:g}; allowed are different numbers")
    rows_with_y = replace(rows, design=np.hstack([rows.design, y[:, np.newaxis]]))
    cells = collapse(rows_with_y, answers_of_z.codes, answers_of_z.kinds, likelihoods.__getitem__)
    return _Data(cells=cells, level=deviation)


def _logit_data(answers_of_z: Answers, outcome: Any, rows: Rows) -> _Data:
    """Return the cells of the reports of z and of the outcome together."""
    likelihoods_of_z = answers_of_z.likelihoods(np.arange(answers_of_z.kinds))
    if isinstance(outcome, Variable) and outcome.mechanism is not None:
        reports = rows.keep(outcome.values)
        answers_of_y = answers(outcome.mechanism, reports, outcome.choice)
    else:
        values = outcome.values if isinstance(outcome, Variable) else outcome
        truths = checks.indices("outcome", rows.keep(values), 2)
        answers_of_y = answers(Matrix.identity(2), truths, 1)
    _check_outcome_shape(answers_of_y.codes.shape, answers_of_z)
    share = _inner_share(verdicts.overall_shares(answers_of_y, rows).shares[1], rows.n)

    # The states (z, y) are 00, 01, 10 and 11.
    likelihoods_of_y = answers_of_y.likelihoods(np.arange(answers_of_y.kinds))
    likelihoods = np.kron(likelihoods_of_z, likelihoods_of_y)
    codes = answers_of_z.codes * answers_of_y.kinds + answers_of_y.codes
    cells = collapse(rows, codes, len(likelihoods), likelihoods.__getitem__)
    return _Data(cells=cells, level=share)


def _check_outcome_shape(shape: tuple[int, ...], answers_of_z: Answers) -> None:
    if shape != answers_of_z.codes.shape:
        raise ValueError(
            f"outcome has shape {shape}; "
            f"allowed is one value for each of {answers_of_z.codes.size} reports"
        )
