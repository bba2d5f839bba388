"""A fitted model as its groups see it: differences of shares, coefficients and tests, whatever the model is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from features.regression.model.design_matrix import Design
from mechanisms import LeastSquares, Predictor, Regression
from mechanisms.analysis.comparisons import Significance
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.analysis.predictors import TRUTH, Level, Term

WALD, RATIO = "Wald", "likelihood ratio"
REFITTED = 2**20  # numbers in the cells of a model that is fitted again without each question


class Fit(ABC):
    """errors: how standard errors were found. log_likelihood: None of least squares. tested: by which test."""

    errors: str
    log_likelihood: float | None
    tested = RATIO

    @abstractmethod
    def differences(self, level: Level) -> tuple[FloatArray, FloatArray]:
        """Of adjusted shares, to the reference, and their standard errors: one for each answer of the outcome."""

    @abstractmethod
    def coefficient(self, level: Level, answer: int, confidence: float) -> dict:
        """Of one column, in the words of `Comparison`; empty where it has none."""

    @abstractmethod
    def test(self, term: Term) -> Significance:
        """Whether the question goes with the outcome at all."""


@dataclass(frozen=True)
class DirectFit(Fit):
    """A fit whose factors are all known."""

    design: Design
    fitted: Regression | LeastSquares

    @property
    def errors(self) -> str:  # type: ignore[override]
        return self.fitted.errors

    @property
    def log_likelihood(self) -> float | None:  # type: ignore[override]
        return self.fitted.log_likelihood if isinstance(self.fitted, Regression) else None

    @property
    def tested(self) -> str:  # type: ignore[override]
        """By the likelihood ratio, which needs another fit, where that is quick: with more cells, and so still more
        people, Wald's test is as good.
        """
        quick = (
            isinstance(self.fitted, Regression)
            and self.design.of_cells.size * self.fitted.states <= REFITTED
        )
        return RATIO if quick else WALD

    def differences(self, level: Level) -> tuple[FloatArray, FloatArray]:
        design = self.design
        found = self.fitted.effect(design.at(level), design.reference(level), counts=design.people)
        return np.atleast_1d(found.difference), np.atleast_1d(found.standard_error)

    def coefficient(self, level: Level, answer: int, confidence: float) -> dict:
        """The first of all answers at once is what the others are compared with."""
        place, values = self.design.place(level), self.fitted.coefficients
        several, has_odds = values.ndim == 2, isinstance(self.fitted, Regression)
        if several and has_odds and answer == 0:
            return {}
        at = (place, answer - has_odds) if several else (place,)
        value, error = float(values[at]), float(self.fitted.standard_errors[at])
        if not isinstance(self.fitted, Regression):
            return {"coefficient": value, "standard_error": error}
        robust = float(self.fitted.robust_standard_errors[at])
        return _odds(value, error, confidence) | {"robust_error": robust}

    def test(self, term: Term) -> Significance:
        test = self.fitted.test if self.tested == RATIO else self.fitted.wald_test
        return test(self.design.places(term))


@dataclass(frozen=True)
class LatentFit(Fit):
    """A fit with a scrambled factor, whose true value is not known."""

    design: Design
    fitted: Predictor
    errors = "observed"

    @property
    def log_likelihood(self) -> float | None:  # type: ignore[override]
        return self.fitted.log_likelihood

    def differences(self, level: Level) -> tuple[FloatArray, FloatArray]:
        design = self.design
        if level.term.way == TRUTH:
            found = self.fitted.effect(design.table, design.table, design.people, z=(1, 0))
        else:
            tables = design.at(level), design.reference(level)
            found = self.fitted.effect(*tables, design.people, own=design.table)
        return np.array([found[0]]), np.array([found[1]])

    def coefficient(self, level: Level, answer: int, confidence: float) -> dict:
        place = self.design.place(level)
        return _odds(
            float(self.fitted.coefficients[place]),
            float(self.fitted.standard_errors[place]),
            confidence,
        )

    def test(self, term: Term) -> Significance:
        return self.fitted.test(self.design.places(term))


def _odds(value: float, error: float, confidence: float) -> dict:
    half = normal_quantile(confidence) * error
    return {
        "coefficient": value,
        "standard_error": error,
        "odds_ratio": float(np.exp(value)),
        "odds_interval": (float(np.exp(value - half)), float(np.exp(value + half))),
    }
