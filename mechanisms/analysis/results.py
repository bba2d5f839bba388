"""Fitted models: coefficients with errors, intervals and Wald tests, which all models have."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtrc

from mechanisms import checks
from mechanisms.analysis.basis import generalized_inverse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.rows import Rows, design_matrix
from mechanisms.analysis.summaries import (
    Coefficients,
    coefficient_names,
    missing_note,
    model_line,
    model_summary,
)
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals
from mechanisms.estimation.estimates import default_labels


class Prediction(NamedTuple):
    """Predicted shares.

    Attributes
    ----------
    shares : ndarray of shape (rows,), or for all answers (rows, size)
        The share at each row.
    standard_errors : ndarray of the shape of `shares`
        The standard errors of the shares.
    intervals : ndarray of the shape of `shares`, and a last axis of 2
        The lower and upper ends.
    """

    shares: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray


class Effect(NamedTuple):
    """A difference of mean shares.

    Attributes
    ----------
    difference : float, or for all answers ndarray of shape (size,)
        The difference.
    standard_error : float, or for all answers ndarray of shape (size,)
        Its standard error.
    interval : (float, float), or for all answers ndarray of shape (size, 2)
        Its lower and upper end.
    """

    difference: Any
    standard_error: Any
    interval: Any


class MeanShares(NamedTuple):
    """The mean shares at the rows of a design, and their slopes.

    Attributes
    ----------
    shares : ndarray of shape (states,)
        The mean share of each state.
    slopes : ndarray of shape (states, parameters)
        Their slopes in the ravelled coefficients.
    """

    shares: FloatArray
    slopes: FloatArray


class FittedModel(ABC):
    """A fitted model.

    Attributes
    ----------
    n : int
        The number of respondents.
    effective_n : float
        Kish's effective number, below n if weights differ.
    coefficients : ndarray of shape (p,), or for all answers (p, columns)
        The coefficient of each column of the design.
    covariance : ndarray
        The covariance of the ravelled coefficients; nan where the information has no inverse.
    errors : str
        How the covariance was estimated.
    mechanism : Mechanism or None
        The mechanism of the reports; None for numbers.
    labels : tuple of str, or None
        The label of each answer.
    missing : int
        The number of rows that were left out because their report is missing.
    unit : str
        The unit of the coefficients.
    """

    rows: Rows
    errors: str
    coefficients: FloatArray
    covariance: FloatArray
    mechanism: Mechanism | None = None
    labels: tuple[str, ...] | None = None
    missing: int = 0
    unit: str = ""

    def __repr__(self) -> str:
        return model_line(self._subject(), self._visible_coefficients(0.95))

    def summary(self, confidence: float = 0.95) -> str:
        """Return the model as a table for a terminal.

        There is a row for each coefficient: name, estimate, standard error and interval. The names
        are those of the columns of the design, if it is a data frame. After the verdict "boundary"
        no coefficients are shown.

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
        heading = f"{self._subject()}, {self.unit}, errors {self.errors}"
        return model_summary(
            [heading, *self._notes()], self._visible_coefficients(level), confidence=level
        )

    def _subject(self) -> str:
        """Return the kind of the model, its mechanism and its number of respondents."""
        design = "" if self.mechanism is None else f" of {type(self.mechanism).__name__}"
        return f"{type(self).__name__}{design}, n={self.n}"

    def _notes(self) -> list[str]:
        """Return the lines between the heading of the summary and its table."""
        return missing_note(self.missing)

    def _visible_coefficients(self, confidence: float) -> Coefficients | None:
        """Return the coefficients with intervals, or None if they must not be shown."""
        return Coefficients(
            names=coefficient_names(self.rows.names, self._answer_names()),
            values=self.coefficients.ravel(),
            standard_errors=self.standard_errors.ravel(),
            intervals=self.interval(confidence).reshape(-1, 2),
        )

    def _answer_names(self) -> tuple[str, ...] | None:
        """Return the labels of the answers that have coefficients, or None for a single answer."""
        if self._has_one_outcome or self.mechanism is None:
            return None
        labels = self.labels or default_labels(self.mechanism)
        # A multinomial logit has no coefficients for the first answer.
        return labels[len(labels) - self.coefficients.shape[1] :]

    @property
    def n(self) -> int:
        """The number of respondents."""
        return self.rows.n

    @property
    def effective_n(self) -> float:
        """Kish's effective number of respondents."""
        return self.rows.effective_n

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the coefficients, in their shape."""
        return self._standard_errors_from(self.covariance)

    @property
    def se(self) -> FloatArray:
        """The standard errors, by a shorter name."""
        return self.standard_errors

    def _standard_errors_from(self, covariance: FloatArray) -> FloatArray:
        variances = np.maximum(covariance.diagonal(), 0)
        return np.sqrt(variances).reshape(self.coefficients.shape)

    def interval(self, confidence: float = 0.95) -> FloatArray:
        """Return Wald intervals of the coefficients.

        Parameters
        ----------
        confidence : float, default 0.95
            Inside (0, 1).

        Returns
        -------
        ndarray of the shape of the coefficients, and a last axis of 2
        """
        level = checks.between("confidence", confidence, 0, 1)
        return intervals.wald(self.coefficients, self.standard_errors, level)

    def conf_int(self, alpha: float = 0.05) -> FloatArray:
        """Return the intervals at confidence 1 - alpha, by their name in statsmodels.

        Parameters
        ----------
        alpha : float, default 0.05
            Inside (0, 1).

        Returns
        -------
        ndarray of the shape of the coefficients, and a last axis of 2
        """
        return self.interval(1 - alpha)

    def wald_test(self, columns: int | Iterable[int]) -> Significance:
        """Return Wald's test of whether the coefficients of some columns are all 0.

        Parameters
        ----------
        columns : int or iterable of int
            Indexes of columns of the design.

        Returns
        -------
        Significance
            A chi-square; nan if the coefficients have no covariance.

        Raises
        ------
        ValueError
            If a column does not exist, or there are no more clusters than coefficients to test.

        References
        ----------
        Wald (1943, Transactions of the American Mathematical Society 54).
        """
        index = self._parameters_of(columns)
        clusters = self.rows.clusters
        if clusters is not None and clusters.max() < index.size:
            raise ValueError(
                f"clusters holds {clusters.max() + 1} clusters; "
                f"allowed to test {index.size} coefficients are more"
            )
        values = self.coefficients.ravel()[index]
        covariance = self.covariance[np.ix_(index, index)]
        if not np.isfinite(covariance).all():
            return Significance(statistic=np.nan, degrees=index.size, p_value=np.nan)

        # The correlations make the rank independent of the units of the columns.
        errors = np.sqrt(np.maximum(covariance.diagonal(), np.finfo(float).tiny))
        z = values / errors
        correlations = covariance / errors[:, np.newaxis] / errors
        inverse_correlations, degrees = generalized_inverse(correlations)
        statistic = float(z @ inverse_correlations @ z)
        p_value = float(chdtrc(degrees, statistic)) if degrees else np.nan
        return Significance(statistic=statistic, degrees=degrees, p_value=p_value)

    def _checked_columns(self, columns: int | Iterable[int]) -> checks.IntArray:
        """Return the indexes of columns of the design, in their order."""
        requested = [columns] if isinstance(columns, int | np.integer) else list(columns)
        indexes = sorted(checks.index_set("columns", requested, len(self.coefficients)))
        if not indexes:
            raise ValueError("columns is []; allowed is at least one column of the design")
        return np.array(indexes)

    def _parameters_of(self, columns: int | Iterable[int]) -> checks.IntArray:
        """Return the indexes of the ravelled coefficients of some columns."""
        indexes = np.arange(self.coefficients.size).reshape(len(self.coefficients), -1)
        return indexes[self._checked_columns(columns)].ravel()

    def predict(self, design: Any, confidence: float = 0.95) -> Prediction:
        """Return the shares at the rows of a design, with their intervals.

        Parameters
        ----------
        design : array_like of shape (rows, p)
            Rows with the columns of the model.
        confidence : float, default 0.95
            Inside (0, 1).

        Returns
        -------
        Prediction
        """
        level = checks.between("confidence", confidence, 0, 1)
        return self._predict(self._checked_design("design", design), level)

    def effect(
        self, design1: Any, design0: Any, confidence: float = 0.95, *, counts: Any = None
    ) -> Effect:
        """Return the mean share at the rows of one design less that at the rows of another.

        The standard error is that of the delta method.

        Parameters
        ----------
        design1, design0 : array_like of shape (rows, p)
            The respondents' rows, with a term at its level and at its reference.
        confidence : float, default 0.95
            Inside (0, 1).
        counts : array_like of int, shape (rows,), optional
            How many respondents each row stands for. By default, if there are as many rows as in
            the model, those of the model (and its weights), otherwise 1.

        Returns
        -------
        Effect
        """
        level = checks.between("confidence", confidence, 0, 1)
        table1 = self._checked_design("design1", design1)
        table0 = self._checked_design("design0", design0)
        mean1 = self._mean_shares_at(table1, counts)
        mean0 = self._mean_shares_at(table0, counts)
        difference = mean1.shares - mean0.shares
        errors = self._difference_errors(mean1.slopes - mean0.slopes)
        ends = intervals.wald(difference, errors, level)
        if not self._has_one_outcome:
            return Effect(difference=difference, standard_error=errors, interval=ends)
        return Effect(
            difference=float(difference[0]),
            standard_error=float(errors[0]),
            interval=(float(ends[0, 0]), float(ends[0, 1])),
        )

    def _difference_errors(self, slopes: FloatArray) -> FloatArray:
        """Return the standard errors of sums of the ravelled coefficients.

        slopes: the factors of the coefficients, shape (states, parameters).
        """
        variances = np.einsum("si,ij,sj->s", slopes, self.covariance, slopes)
        errors: FloatArray = np.sqrt(np.maximum(variances, 0))
        return errors

    def _checked_design(self, name: str, design: Any) -> FloatArray:
        table = design_matrix(name, design)
        p = len(self.coefficients)
        if table.shape[1] != p:
            raise ValueError(f"{name} has {table.shape[1]} columns; allowed are the model's {p}")
        return table

    def _mean_shares_at(self, design: FloatArray, counts: Any) -> MeanShares:
        """Return the mean shares at the rows of a design, weighted with the counts."""
        rows = len(design)
        if counts is not None:
            mass = checks.indices("counts", counts, 2**53).astype(np.float64)
            if mass.size != rows or not mass.any():
                raise ValueError(
                    f"counts is {checks.show(counts)}; allowed are {rows} counts, not all of them 0"
                )
            return self._mean_shares(design, mass / mass.sum())

        kept_rows = self.rows.asked
        rows_of_model = len(self.rows.design)
        rows_passed_to_model = rows_of_model if kept_rows is None else kept_rows.size
        if rows != rows_passed_to_model:
            return self._mean_shares(design, np.full(rows, 1 / rows))
        mass = np.ones(rows_of_model) if self.rows.mass is None else self.rows.mass
        if kept_rows is not None:
            design = design[kept_rows]
        return self._mean_shares(design, mass / mass.sum())

    @property
    def _has_one_outcome(self) -> bool:
        """True if one choice is explained, and not all answers."""
        return self.coefficients.ndim == 1

    @abstractmethod
    def _predict(self, design: FloatArray, confidence: float) -> Prediction: ...

    @abstractmethod
    def _mean_shares(self, design: FloatArray, mass: FloatArray) -> MeanShares:
        """Return the mean shares at the rows of a design.

        mass: the weight of each row, shape (rows,), which sum to 1.
        """
