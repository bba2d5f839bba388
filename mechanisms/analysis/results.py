"""What a model answers, and what all models have in common: coefficients with errors, intervals and Wald tests."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import chdtrc

from mechanisms import checks
from mechanisms.analysis.basis import generalized_inverse
from mechanisms.analysis.comparisons import Significance
from mechanisms.analysis.rows import Rows, design_matrix
from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals


class Prediction(NamedTuple):
    """shares, standard_errors: shape (rows,), for all answers (rows, size). intervals: with a last axis of 2."""

    shares: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray


class Effect(NamedTuple):
    """A difference of mean shares, its standard error and interval (low, high). For one choice numbers, for all answers
    of shape (size,) and (size, 2).
    """

    difference: Any
    standard_error: Any
    interval: Any


class Fitted(ABC):
    """A fitted model.

    n: respondents. effective_n: Kish's, below n where weights differ. coefficients: shape (p,), for all answers (p,
    columns). covariance: of the ravelled coefficients; nan where the information has no inverse. errors: how it was
    found.
    """

    rows: Rows
    errors: str
    coefficients: FloatArray
    covariance: FloatArray

    @property
    def n(self) -> int:
        return self.rows.n

    @property
    def effective_n(self) -> float:
        return self.rows.effective_n

    @property
    def standard_errors(self) -> FloatArray:
        """As `errors` says, of the shape of the coefficients."""
        return self._errors_of(self.covariance)

    @property
    def se(self) -> FloatArray:
        """The standard errors, by a shorter name."""
        return self.standard_errors

    def _errors_of(self, covariance: FloatArray) -> FloatArray:
        return np.sqrt(np.maximum(covariance.diagonal(), 0)).reshape(self.coefficients.shape)

    def interval(self, confidence: float = 0.95) -> FloatArray:
        """Wald intervals of the coefficients, their shape and a last axis of 2."""
        level = checks.between("confidence", confidence, 0, 1)
        return intervals.wald(self.coefficients, self.standard_errors, level)

    def conf_int(self, alpha: float = 0.05) -> FloatArray:
        """The same at 1 - alpha, by the name that it has in statsmodels."""
        return self.interval(1 - alpha)

    def wald_test(self, columns: int | Iterable[int]) -> Significance:
        """Whether the coefficients of these columns of the design are all 0 (Wald 1943)."""
        index, clusters = self._parameters(columns), self.rows.clusters
        if clusters is not None and clusters.max() < index.size:
            raise ValueError(
                f"clusters holds {clusters.max() + 1} clusters; allowed to test {index.size} coefficients are more"
            )
        values, spread = self.coefficients.ravel()[index], self.covariance[np.ix_(index, index)]
        if not np.isfinite(spread).all():
            return Significance(np.nan, index.size, np.nan)
        errors = np.sqrt(
            np.maximum(spread.diagonal(), np.finfo(float).tiny)
        )  # so that no column's size matters
        z, correlations = values / errors, spread / errors[:, np.newaxis] / errors
        found, degrees = generalized_inverse(correlations)
        statistic = float(z @ found @ z)
        return Significance(
            statistic, degrees, float(chdtrc(degrees, statistic)) if degrees else np.nan
        )

    def _columns(self, columns: int | Iterable[int]) -> checks.IntArray:
        wanted = [columns] if isinstance(columns, int | np.integer) else list(columns)
        chosen = sorted(checks.index_set("columns", wanted, len(self.coefficients)))
        if not chosen:
            raise ValueError("columns is []; allowed is at least one column of the design")
        return np.array(chosen)

    def _parameters(self, columns: int | Iterable[int]) -> checks.IntArray:
        every = np.arange(self.coefficients.size).reshape(len(self.coefficients), -1)
        return every[self._columns(columns)].ravel()

    def predict(self, design: Any, confidence: float = 0.95) -> Prediction:
        """The shares at the rows of a design, with intervals; its columns as in the model."""
        level = checks.between("confidence", confidence, 0, 1)
        return self._predict(self._design("design", design), level)

    def effect(
        self, design1: Any, design0: Any, confidence: float = 0.95, *, counts: Any = None
    ) -> Effect:
        """The mean share at the rows of one design less that at the rows of another, by the delta method.

        design1, design0: the respondents' rows, with a term at its level and at its reference. counts: how many each
        row stands for; by default, where there are as many rows as in the model, those of the model (and its weights),
        else 1.
        """
        level = checks.between("confidence", confidence, 0, 1)
        one, other = (self._design(f"design{i}", each) for i, each in ((1, design1), (0, design0)))
        (at_one, slope_one), (at_other, slope_other) = (
            self._mean(each, counts) for each in (one, other)
        )
        difference, slope = at_one - at_other, slope_one - slope_other
        errors = self._difference_errors(slope)
        ends = intervals.wald(difference, errors, level)
        if self._single:
            return Effect(
                float(difference[0]), float(errors[0]), (float(ends[0, 0]), float(ends[0, 1]))
            )
        return Effect(difference, errors, ends)

    def _difference_errors(self, slopes: FloatArray) -> FloatArray:
        """Of sums of the ravelled coefficients, slopes of shape (states, parameters)."""
        errors: FloatArray = np.sqrt(
            np.maximum(np.einsum("si,ij,sj->s", slopes, self.covariance, slopes), 0)
        )
        return errors

    def _design(self, name: str, design: Any) -> FloatArray:
        table, p = design_matrix(name, design), len(self.coefficients)
        if table.shape[1] != p:
            raise ValueError(f"{name} has {table.shape[1]} columns; allowed are the model's {p}")
        return table

    def _mass(self, rows: int, counts: Any) -> tuple[FloatArray, Any]:
        """The weight of each row of a design, and which rows of it count."""
        if counts is not None:
            mass = checks.indices("counts", counts, 2**53).astype(np.float64)
            if mass.size != rows or not mass.any():
                raise ValueError(
                    f"counts is {checks.show(counts)}; allowed are {rows} counts, not all of them 0"
                )
            return mass / mass.sum(), slice(None)
        kept, model = self.rows.asked, self.rows.mass
        if rows == (len(self.rows.design) if kept is None else kept.size):
            mass = np.ones(len(self.rows.design)) if model is None else model
            return mass / mass.sum(), slice(None) if kept is None else kept
        return np.full(rows, 1 / rows), slice(None)

    def _mean(self, design: FloatArray, counts: Any) -> tuple[FloatArray, FloatArray]:
        mass, kept = self._mass(len(design), counts)
        return self._mean_share(design[kept], mass)

    @property
    def _single(self) -> bool:
        """Whether the outcome is one choice."""
        return self.coefficients.ndim == 1

    @abstractmethod
    def _predict(self, design: FloatArray, confidence: float) -> Prediction: ...

    @abstractmethod
    def _mean_share(self, design: FloatArray, mass: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The mean shares, shape (states,), and their slopes in the ravelled coefficients, (states, parameters)."""
