"""The arguments that all models share, checked once: a row for each respondent, or for so many who are alike."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Rows:
    """design: shape (n, columns). counts: how many respondents a row stands for; None for one each. weights: above 0,
    None for 1 each. clusters: whole numbers from 0, None for each respondent by themselves. asked: which of the rows
    given are kept (asked, and a count above 0), None for all.
    """

    design: FloatArray
    counts: IntArray | None
    weights: FloatArray | None
    clusters: IntArray | None
    asked: BoolArray | None

    @property
    def n(self) -> int:
        """The number of respondents."""
        return len(self.design) if self.counts is None else int(self.counts.sum())

    @property
    def mean_weight(self) -> float:
        """Over respondents."""
        return 1.0 if self.weights is None else float(np.average(self.weights, weights=self.counts))

    @cached_property
    def standardized(self) -> "Rows":
        """With weights whose mean over respondents is 1: nothing depends on their size but what rounding does to it."""
        return (
            self if self.weights is None else replace(self, weights=self.weights / self.mean_weight)
        )

    @property
    def mass(self) -> FloatArray | None:
        """Counts times weights, shape (n,); None for 1 each."""
        return _product(self.counts, self.weights)

    @property
    def squares(self) -> FloatArray | None:
        """Counts times squared weights, shape (n,); None where they are the mass."""
        return None if self.weights is None else _product(self.counts, self.weights**2)

    def keep(self, values: Any) -> Any:
        """Of reports or numbers, one for each given row, those of the rows that were asked."""
        if self.asked is None:
            return values
        if isinstance(values, list | tuple):
            return [value for value, kept in zip(values, self.asked, strict=True) if kept]
        return np.asarray(values)[self.asked]

    @property
    def effective_n(self) -> float:
        """Kish's (sum w)^2 / sum w^2."""
        mass, squares = self.standardized.mass, self.standardized.squares
        return (
            float(self.n)
            if squares is None or mass is None
            else float(mass.sum() ** 2 / squares.sum())
        )


def _product(counts: IntArray | None, weights: FloatArray | None) -> FloatArray | None:
    if counts is None or weights is None:
        return weights if counts is None else counts.astype(np.float64)
    return counts * weights


def rows(
    design: Any,
    reports: int,
    *,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
) -> Rows:
    """Checked arguments; reports: how many rows there have to be. ValueError for wrong ones, or too few respondents."""
    table = matrix("design", design)
    _same("design", len(table), reports)
    times = _counts(counts, reports)
    kept = None if asked is None else _mask(asked, reports)
    if times is not None and not times.all():
        kept = times > 0 if kept is None else kept & (times > 0)
    found = Rows(
        table if kept is None else table[kept],
        _of(kept, times),
        _of(kept, _weights(weights, reports)),
        _of(kept, _clusters(clusters, reports)),
        kept,
    )
    if found.n <= table.shape[1]:
        raise ValueError(
            f"design has {table.shape[1]} columns for {found.n} respondents; allowed are more respondents than columns"
        )
    return found


def how_many(reports: Any) -> int:
    try:
        return len(reports)
    except TypeError:
        raise ValueError(
            f"reports is {checks.show(reports)}; allowed is one report for each row"
        ) from None


def matrix(name: str, values: Any) -> FloatArray:
    """Finite numbers of shape (rows, columns), with at least one column."""
    table = (
        values
        if isinstance(values, np.ndarray) and values.dtype == np.float64
        else arrays.numbers(name, values)
    )
    if not np.isfinite(table.sum()):  # far faster than looking at each number
        table = arrays.numbers(name, values)
    if table.ndim != 2 or table.shape[1] == 0:
        raise ValueError(
            f"{name} has shape {table.shape}; allowed is (rows, columns), with its own column of ones"
        )
    return table


def _same(name: str, length: int, reports: int) -> None:
    if length != reports:
        raise ValueError(
            f"{name} has {length} rows and reports has {reports}; allowed is one row for each report"
        )


def _of(kept: BoolArray | None, values: Any) -> Any:
    return values if kept is None or values is None else values[kept]


def _mask(asked: Any, reports: int) -> BoolArray:
    mask = np.asarray(asked)
    if mask.dtype != np.bool_ or mask.ndim != 1:
        raise ValueError(f"asked is {checks.show(asked)}; allowed is True or False for each report")
    _same("asked", mask.size, reports)
    return mask


def _counts(counts: Any, reports: int) -> IntArray | None:
    if counts is None:
        return None
    whole = checks.indices("counts", counts, 2**53)
    _same("counts", whole.size, reports)
    return whole


def _weights(weights: Any, reports: int) -> FloatArray | None:
    if weights is None:
        return None
    numbers = arrays.numbers("weights", weights)
    if numbers.ndim != 1:
        raise ValueError(f"weights has shape {numbers.shape}; allowed is (n,)")
    _same("weights", numbers.size, reports)
    if (numbers <= 0).any():
        wrong = float(numbers[numbers <= 0][0])
        raise ValueError(
            f"weights holds {wrong}; allowed are numbers above 0: leave out whoever has none"
        )
    return numbers


def _clusters(clusters: Any, reports: int) -> IntArray | None:
    if clusters is None:
        return None
    values = np.asarray(clusters)
    if values.ndim != 1 or values.dtype.kind not in "iubUS":
        raise ValueError(
            f"clusters is {checks.show(clusters)}; allowed is a whole number or a text for each report"
        )
    _same("clusters", values.size, reports)
    distinct, codes = np.unique(values, return_inverse=True)
    if distinct.size < 2:
        raise ValueError(f"clusters holds {distinct.size} cluster; allowed are at least 2")
    return codes.astype(np.int64)
