"""Statements about the differences of a model, adjusted for each other.

They are contrasts of groups with a reference group, or slopes of a number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from mechanisms import CellContrasts, ContrastCells
from mechanisms.checks import BoolArray, FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.site.number_format import join_with_and
from surveys.statements.comparisons import Comparison, Verdict
from surveys.statements.family import Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.sentences import LINKED, Text


class PredictorKind(StrEnum):
    """The kinds of predictors: a group, a number, or the true answer to a scrambled question."""

    GROUP = "group"
    NUMBER = "number"
    TRUTH = "truth"


@dataclass(frozen=True)
class Contrast:
    """One difference of a model, before it is decided.

    quantity: the difference; its group is the group, or the answer whose truth explains.
    n: the number of people in the group, or in the model.
    versus: the name of the reference group; "" for a number or a true answer.
    kind: what explains the difference.
    predictor: the short name of the question that explains.
    adjusted_for: the short names of the other questions that explain.
    """

    quantity: Quantity
    n: int
    versus: str
    kind: PredictorKind
    predictor: str
    adjusted_for: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LinkedDifference(Comparison):
    """A statement about one difference of a model.

    kind, predictor, adjusted_for: as of `Contrast`.
    """

    kind: PredictorKind
    predictor: str
    adjusted_for: tuple[str, ...]

    @cached_property
    def text(self) -> Text:
        """The sentence about this difference."""
        key = f"{self.kind} clear"
        if self.has_too_few:
            key = f"{self.kind} too_few"
            # Without an error, the reason is another one than unusual numbers.
            if self.kind == PredictorKind.NUMBER and self.standard_error == 0:
                key = "number no_error"
        elif self.is_withheld:
            key = f"{self.kind} withheld"
        adjusted = ""
        if self.adjusted_for:
            adjusted = f", adjusted for {join_with_and(list(self.adjusted_for))}"
        sentence = LINKED[key].sentence.format(
            name=self.quantity.name,
            size=self.size,
            direction=self.direction,
            group=self.group,
            versus=self.versus,
            predictor=self.predictor,
            adjusted=adjusted,
            range_name=self.family.range_name,
            range=self.range_of_sizes,
            unit=self.quantity.unit,
        )
        return Text(sentence)


def slope_of(difference: Quantity) -> Quantity:
    """Return the slope of a number: a difference for each ten more, which has no largest size."""
    return replace(difference, kind=Kind.SLOPE, lowest=-np.inf, highest=np.inf)


def contrast_cells(
    contrasts: Sequence[Contrast],
    cells: ContrastCells,
    vectors: FloatArray,
    members: BoolArray,
    family: Family,
) -> list[LinkedDifference]:
    """Return the statements about differences of shares, decided by the score test and its guard.

    cells: the reports in each combination of answers.
    vectors: the contrasts of the coefficients, shape (m, p).
    members: the cells of the group of each contrast, shape (m, cells).
    """
    decided = CellContrasts(cells, vectors, members, family.confidence, comparisons=family.size)
    values = decided.values.tolist()
    errors = decided.standard_errors.tolist()
    intervals = decided.intervals.tolist()
    intervals_alone = decided.alone.tolist()
    p_values = decided.p_values.tolist()
    statements = []
    for index, contrast in enumerate(contrasts):
        guard = float(decided.tails[index])
        statement = _statement(
            contrast,
            family,
            value=values[index],
            error=errors[index],
            interval=tuple(intervals[index]),
            interval_alone=tuple(intervals_alone[index]),
            p=p_values[index],
            verdict=decided.verdicts[index].replace(" ", "_"),
            guard=None if np.isnan(guard) else guard,
            method="score",
        )
        statements.append(statement)
    return statements


def contrast_errors(
    contrasts: Sequence[Contrast], values: FloatArray, errors: FloatArray, family: Family
) -> list[LinkedDifference]:
    """Return the statements about differences with normal intervals.

    values, errors: the differences and their standard errors, shape (m,).
    """
    quantile_alone = float(normal_quantile(family.confidence))
    quantile = float(normal_quantile(1 - family.alpha))
    statements = []
    for contrast, value, error in zip(contrasts, values.tolist(), errors.tolist(), strict=True):
        z = 0.0
        verdict: Verdict = "too_few_answers"
        if error > 0:
            z = value / error
            verdict = "no_clear_difference"
        if z > quantile:
            verdict = "higher"
        elif z < -quantile:
            verdict = "lower"
        reach = quantile * error
        reach_alone = quantile_alone * error
        statement = _statement(
            contrast,
            family,
            value=value,
            error=error,
            interval=(value - reach, value + reach),
            interval_alone=(value - reach_alone, value + reach_alone),
            p=float(2 * ndtr(-abs(z))),
            verdict=verdict,
            guard=None,
            method="wald",
        )
        statements.append(statement)
    return statements


def _statement(
    contrast: Contrast,
    family: Family,
    *,
    value: float,
    error: float,
    interval: tuple[float, float],
    interval_alone: tuple[float, float],
    p: float,
    verdict: Verdict,
    guard: float | None,
    method: str,
) -> LinkedDifference:
    """Return the statement about a contrast that was decided."""
    return LinkedDifference(
        quantity=contrast.quantity,
        n=contrast.n,
        estimate=value,
        interval=interval,
        method=method,
        family=family,
        versus=contrast.versus,
        # The reference of an adjusted difference is no single group of people.
        versus_n=0,
        standard_error=error,
        interval_alone=interval_alone,
        p=p,
        guard=guard,
        verdict=verdict,
        kind=contrast.kind,
        predictor=contrast.predictor,
        adjusted_for=contrast.adjusted_for,
    )
