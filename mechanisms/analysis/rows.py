"""The respondents of a model: the arguments that all models share, checked once.

A row stands for one respondent, or for several respondents who are alike.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.chance import arrays
from mechanisms.checks import BoolArray, FloatArray, IntArray
from mechanisms.columns import column_names


@dataclass(frozen=True)
class Rows:
    """The respondents of a model, row by row.

    Attributes
    ----------
    design : ndarray of shape (n, columns)
        The explaining columns.
    counts : ndarray of int, shape (n,), or None
        How many respondents each row stands for; None if each row is one respondent.
    weights : ndarray of shape (n,), or None
        Weights above 0; None if each weight is 1.
    clusters : ndarray of int, shape (n,), or None
        The number of each row's cluster, from 0; None if respondents are independent.
    asked : ndarray of bool, or None
        Which of the rows that were passed are kept: those that were asked and have a count above
        0. None if all are kept.
    names : tuple of str
        The names of the columns of the design.
    """

    design: FloatArray
    counts: IntArray | None
    weights: FloatArray | None
    clusters: IntArray | None
    asked: BoolArray | None
    names: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The number of respondents."""
        if self.counts is None:
            return len(self.design)
        return int(self.counts.sum())

    @property
    def mean_weight(self) -> float:
        """The mean of the weights over respondents."""
        if self.weights is None:
            return 1.0
        return float(np.average(self.weights, weights=self.counts))

    @cached_property
    def standardized(self) -> "Rows":
        """The rows with weights whose mean over respondents is 1.

        With these weights a result does not depend on the size of the weights, except for rounding.
        """
        if self.weights is None:
            return self
        return replace(self, weights=self.weights / self.mean_weight)

    @property
    def mass(self) -> FloatArray | None:
        """Counts times weights, shape (n,); None if each of them is 1."""
        if self.weights is None:
            return None if self.counts is None else self.counts.astype(np.float64)
        return _with_counts(self.weights, self.counts)

    @property
    def squares(self) -> FloatArray | None:
        """Counts times squared weights, shape (n,); None if they equal the mass."""
        if self.weights is None:
            return None
        return _with_counts(self.weights**2, self.counts)

    @property
    def effective_n(self) -> float:
        """Kish's effective number of respondents, (sum w)^2 / sum w^2."""
        mass = self.standardized.mass
        squares = self.standardized.squares
        if squares is None or mass is None:
            return float(self.n)
        return float(mass.sum() ** 2 / squares.sum())

    def keep(self, values: Any) -> Any:
        """Return the values of the rows that are kept.

        Parameters
        ----------
        values : sequence or ndarray
            Reports or numbers, one for each row that was passed.

        Returns
        -------
        sequence or ndarray
            The values themselves if all rows are kept, else those of the kept rows.
        """
        if self.asked is None:
            return values
        if isinstance(values, list | tuple):
            return [value for value, is_kept in zip(values, self.asked, strict=True) if is_kept]
        return np.asarray(values)[self.asked]


def _with_counts(values: FloatArray, counts: IntArray | None) -> FloatArray:
    """Return the values times the counts; None stands for counts of 1."""
    if counts is None:
        return values
    return counts * values


def checked_rows(
    design: Any,
    reports: int,
    *,
    counts: Any = None,
    weights: Any = None,
    clusters: Any = None,
    asked: Any = None,
) -> Rows:
    """Return the rows of a model, checked, without those that were not asked or have a count of 0.

    Parameters
    ----------
    design : array_like of shape (n, columns)
        Finite numbers, with a column of ones of their own.
    reports : int
        The number of reports, which has to be the number of rows.
    counts, weights, clusters, asked : array_like of shape (n,), optional
        As for `regress`.

    Returns
    -------
    Rows

    Raises
    ------
    ValueError
        If an argument is wrong, or if there are no more respondents than columns.
    """
    table = design_matrix("design", design)
    _check_length("design", len(table), reports)
    counts_of_rows = _checked_counts(counts, reports)
    kept_rows = _checked_asked(asked, reports)
    if counts_of_rows is not None and not counts_of_rows.all():
        has_count = counts_of_rows > 0
        kept_rows = has_count if kept_rows is None else kept_rows & has_count
    weights_of_rows = _checked_weights(weights, reports)
    clusters_of_rows = _checked_clusters(clusters, reports)

    rows = Rows(
        design=_kept_values(table, kept_rows),
        counts=_kept_values(counts_of_rows, kept_rows),
        weights=_kept_values(weights_of_rows, kept_rows),
        clusters=_kept_values(clusters_of_rows, kept_rows),
        asked=kept_rows,
        names=column_names(design, table.shape[1]),
    )
    columns = table.shape[1]
    if rows.n <= columns:
        raise ValueError(
            f"design has {columns} columns for {rows.n} respondents; "
            "allowed are more respondents than columns"
        )
    return rows


def report_count(reports: Any) -> int:
    """Return the number of reports.

    Raises
    ------
    ValueError
        If the reports have no length.
    """
    try:
        return len(reports)
    except TypeError:
        raise ValueError(
            f"reports is {checks.show(reports)}; allowed is one report for each row"
        ) from None


def design_matrix(name: str, values: Any) -> FloatArray:
    """Return a design as an array of finite numbers.

    Parameters
    ----------
    name : str
        The name of the argument, for messages.
    values : array_like of shape (rows, columns)
        Finite numbers, with at least one column.

    Returns
    -------
    ndarray of shape (rows, columns)

    Raises
    ------
    ValueError
        If the values are not finite numbers of this shape.
    """
    table: FloatArray = values
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        table = arrays.numbers(name, values)
    # A sum is far faster than a look at each number, and only bad numbers or a sum that overflows
    # make it infinite or nan.
    if not np.isfinite(table.sum()):
        table = arrays.numbers(name, values)
    if table.ndim != 2 or table.shape[1] == 0:
        raise ValueError(
            f"{name} has shape {table.shape}; allowed is (rows, columns), "
            "with its own column of ones"
        )
    return table


def _check_length(name: str, length: int, reports: int) -> None:
    """Raise ValueError if an argument does not have one row for each report."""
    if length != reports:
        raise ValueError(
            f"{name} has {length} rows and reports has {reports}; "
            "allowed is one row for each report"
        )


def _kept_values(values: Any, kept_rows: BoolArray | None) -> Any:
    """Return the values of the kept rows; None stays None."""
    if kept_rows is None or values is None:
        return values
    return values[kept_rows]


def _checked_asked(asked: Any, reports: int) -> BoolArray | None:
    if asked is None:
        return None
    mask = np.asarray(asked)
    if mask.dtype != np.bool_ or mask.ndim != 1:
        raise ValueError(f"asked is {checks.show(asked)}; allowed is True or False for each report")
    _check_length("asked", mask.size, reports)
    return mask


def _checked_counts(counts: Any, reports: int) -> IntArray | None:
    if counts is None:
        return None
    whole_numbers = checks.indices("counts", counts, 2**53)
    _check_length("counts", whole_numbers.size, reports)
    return whole_numbers


def _checked_weights(weights: Any, reports: int) -> FloatArray | None:
    if weights is None:
        return None
    numbers = arrays.numbers("weights", weights)
    if numbers.ndim != 1:
        raise ValueError(f"weights has shape {numbers.shape}; allowed is (n,)")
    _check_length("weights", numbers.size, reports)
    not_positive = numbers[numbers <= 0]
    if not_positive.size:
        raise ValueError(
            f"weights holds {float(not_positive[0])}; "
            "allowed are numbers above 0: leave out whoever has none"
        )
    return numbers


def _checked_clusters(clusters: Any, reports: int) -> IntArray | None:
    if clusters is None:
        return None
    values = np.asarray(clusters)
    if values.ndim != 1 or values.dtype.kind not in "iubUS":
        raise ValueError(
            f"clusters is {checks.show(clusters)}; "
            "allowed is a whole number or a text for each report"
        )
    _check_length("clusters", values.size, reports)
    distinct, numbers = np.unique(values, return_inverse=True)
    if distinct.size < 2:
        raise ValueError(f"clusters holds {distinct.size} cluster; allowed are at least 2")
    return numbers.astype(np.int64)
