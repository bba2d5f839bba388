"""Texts about fitted models: a line for each model, and a table of its coefficients."""

from collections.abc import Sequence
from typing import NamedTuple

from mechanisms.checks import FloatArray
from mechanisms.formatting import (
    MOST_IN_A_LINE,
    confidence_text,
    interval_text,
    joined,
    number_text,
    text_table,
)


class Coefficients(NamedTuple):
    """
    The coefficients of a model, in one row each.

    Attributes
    ----------
    names : sequence of str, length k
        The name of each coefficient.
    values, standard_errors : ndarray, shape (k,)
        The coefficients and their standard errors.
    intervals : ndarray, shape (k, 2)
        The lower and the upper end of the interval of each coefficient.
    """

    names: Sequence[str]
    values: FloatArray
    standard_errors: FloatArray
    intervals: FloatArray


def coefficient_names(columns: Sequence[str], answers: Sequence[str] | None) -> tuple[str, ...]:
    """
    Return the name of each coefficient of a model.

    Parameters
    ----------
    columns : sequence of str
        The names of the columns of the design.
    answers : sequence of str, or None
        The labels of the answers that have coefficients. None for a model of one answer.

    Returns
    -------
    tuple of str
        The names of the ravelled coefficients.
    """
    if answers is None:
        return tuple(columns)
    names = []
    for column in columns:
        for answer in answers:
            names.append(f"{column}: {answer}")
    return tuple(names)


def model_line(subject: str, coefficients: Coefficients | None) -> str:
    """
    Return a model in one line, with its first coefficients.

    Parameters
    ----------
    subject : str
        The kind of the model and the number of respondents.
    coefficients : Coefficients, or None
        The coefficients. None if they must not be shown.

    Returns
    -------
    str
        The line, in angle brackets.
    """
    if coefficients is None:
        return f"<{subject}: no coefficients to show>"
    parts = []
    for index, name in enumerate(coefficients.names[:MOST_IN_A_LINE]):
        interval = interval_text(coefficients.intervals[index])
        parts.append(f"{name} {number_text(coefficients.values[index])} ({interval})")
    return f"<{subject}: {joined(parts, len(coefficients.names))}>"


def missing_note(missing: int) -> list[str]:
    """
    Return the line of a summary about missing values.

    Parameters
    ----------
    missing : int
        The number of rows that were left out.

    Returns
    -------
    list of str
        The line, or nothing if no row was left out.
    """
    if missing == 0:
        return []
    return [f"Missing values left out: {missing}"]


def model_summary(
    heading: Sequence[str], coefficients: Coefficients | None, *, confidence: float
) -> str:
    """
    Return the summary of a model.

    Parameters
    ----------
    heading : sequence of str
        The lines above the table.
    coefficients : Coefficients, or None
        The coefficients. None if they must not be shown.
    confidence : float
        The confidence level of their intervals.

    Returns
    -------
    str
        The lines.
    """
    if coefficients is None:
        return "\n".join(heading)
    return "\n".join([*heading, "", model_table(coefficients, confidence)])


def model_table(coefficients: Coefficients, confidence: float) -> str:
    """
    Return a table with a row for each coefficient.

    Parameters
    ----------
    coefficients : Coefficients
        The coefficients.
    confidence : float
        The confidence level of their intervals.

    Returns
    -------
    str
        The lines.
    """
    header = ["", "estimate", "std. error", f"{confidence_text(confidence)} interval"]
    rows = []
    for index, name in enumerate(coefficients.names):
        value = number_text(coefficients.values[index])
        error = number_text(coefficients.standard_errors[index])
        rows.append([name, value, error, interval_text(coefficients.intervals[index])])
    return text_table(header, rows)
