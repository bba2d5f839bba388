"""The reports of a model, with a mask of the rows that count.

Reports can be labels, series or categoricals, and rows without a report can be left out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mechanisms.checks import BoolArray
from mechanisms.columns import (
    Column,
    Missing,
    checked_labels,
    code_column,
    refuse_missing,
    row_column,
)
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism


class ModelReports(NamedTuple):
    """
    Reports, one for each row of a design.

    Attributes
    ----------
    reports : array_like, length n
        The reports. A row that does not count has any report.
    asked : ndarray of bool, shape (n,), or None
        True for rows that count. None if all do.
    missing : int
        The number of rows that are left out because their report is missing.
    labels : tuple of str, or None
        The label of each answer.
    """

    reports: Any
    asked: Any
    missing: int
    labels: tuple[str, ...] | None


def model_reports(
    mechanism: Mechanism | None,
    reports: Any,
    *,
    labels: Sequence[str] | None,
    missing: Missing,
    asked: Any,
) -> ModelReports:
    """
    Return the reports of a model as numbers.

    A missing report counts as missing only if its row was asked.

    Parameters
    ----------
    mechanism : Mechanism, or None
        The mechanism. None for numbers that are decoded already.
    reports : array_like
        The reports, as for `mechanism.tally`.
    labels : sequence of str, or None
        The label of each answer, in the order of the codes.
    missing : {"refuse", "drop"}
        Whether missing reports are an error, or their rows are left out.
    asked : array_like of bool, or None
        True for rows in which the question was asked.

    Returns
    -------
    ModelReports
        The reports.

    Raises
    ------
    ValueError
        If a report is missing and not left out, or is no report.
    """
    names = None
    if isinstance(mechanism, Mechanism):
        names = checked_labels(labels, mechanism.size)
    column = _column(mechanism, reports, names)
    if column is None or column.is_missing is None:
        return ModelReports(reports if column is None else column.values, asked, 0, names)

    is_present = ~column.is_missing
    was_asked = np.ones(is_present.size, bool) if asked is None else np.asarray(asked)
    counts = is_present & was_asked
    missing_count = int((column.is_missing & was_asked).sum())
    if missing == "refuse" and missing_count:
        raise refuse_missing("reports", missing_count)
    return ModelReports(_filled(column, is_present), counts, missing_count, names)


def _column(mechanism: Mechanism | None, reports: Any, names: Any) -> Column | None:
    """Return the reports that are not missing. None if the checks of the model do this."""
    if isinstance(mechanism, MatrixMechanism):
        return code_column("reports", reports, names, "drop")
    if isinstance(mechanism, BitMechanism):
        return row_column("reports", reports, names, "drop")
    return None


def _filled(column: Column, is_present: BoolArray) -> Any:
    """Return reports for all rows, with the first one in rows whose report is missing."""
    if isinstance(column.values, list):
        places = np.cumsum(is_present) - 1
        return [column.values[max(int(place), 0)] for place in places]
    values = np.asarray(column.values)
    filled = np.zeros((is_present.size, *values.shape[1:]), dtype=values.dtype)
    filled[is_present] = values
    return filled
