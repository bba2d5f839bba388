"""The association of two answers: the phi coefficient and the odds ratio of a 2 x 2 table."""

from typing import NamedTuple

import numpy as np

from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals

# A decoded cell that is this many standard errors below 0 contradicts its own table.
FAR = 1.96
# An interval of phi that is longer says too little.
LONGEST = 1.0
CELLS = ("neither", "the column alone", "the row alone", "both")
# The slopes of the cells in the means of a `TwoByTwo`, a row for each cell.
_CELL_SLOPES = np.array([[1.0, -1.0, -1.0], [-1.0, 0.0, 1.0], [-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


class Association(NamedTuple):
    """A measure of how two answers go together.

    Attributes
    ----------
    value : float
        The estimate. The phi of a table may lie beyond [-1, 1].
    standard_error : float
        Its standard error by the delta method.
    interval : tuple of two floats
        Its lower and upper end. The interval of a table's phi is cut to [-1, 1].
    """

    value: float
    standard_error: float
    interval: tuple[float, float]


class TwoByTwo(NamedTuple):
    """The decoded shares of two answers, and of both together.

    Attributes
    ----------
    means : ndarray of shape (3,)
        The shares of people with both answers, with that of the row, and with that of the column.
    covariance : ndarray of shape (3, 3)
        The covariance of the means.
    """

    means: FloatArray
    covariance: FloatArray

    @property
    def cells(self) -> FloatArray:
        """The shares of people with neither answer, the column's, the row's, and both, shape (4,)."""
        both_share, row, column = self.means
        neither = 1 - row - column + both_share
        return np.array([neither, column - both_share, row - both_share, both_share])

    @property
    def standard_errors(self) -> FloatArray:
        """The standard errors of the cells, shape (4,)."""
        variances: FloatArray = np.einsum(
            "ci,ij,cj->c", _CELL_SLOPES, self.covariance, _CELL_SLOPES
        )
        return np.sqrt(np.maximum(variances, 0.0))


def reason(table: TwoByTwo, confidence: float) -> str:
    """Return why phi, the odds ratio or both cannot be given, or "" if both can.

    Parameters
    ----------
    table : TwoByTwo
        The shares of two answers.
    confidence : float
        The level of the interval of phi, between 0 and 1.

    Returns
    -------
    str
    """
    message = _margins_problem(table)
    if not message:
        message = _phi_problem(table, confidence)
    if not message:
        message = _odds_problem(table)
    return message


def phi(table: TwoByTwo, confidence: float) -> Association | None:
    """Return the phi coefficient of two answers, or None if the table says too little.

    It is (F - f g) / sqrt(f (1 - f) g (1 - g)), with the shares F of both answers, f of the row and
    g of the column. The interval is cut to [-1, 1]. If the value is outside, only the other end of
    the interval says something.

    Parameters
    ----------
    table : TwoByTwo
        The shares of two answers.
    confidence : float
        The level of the interval, between 0 and 1.

    Returns
    -------
    Association or None
        None if a share of the row or column is not inside (0, 1), if a cell is more than FAR
        standard errors below 0, or if the interval is longer than LONGEST or outside of [-1, 1].

    References
    ----------
    Yule, G. U. (1912). On the methods of measuring association between two attributes. Journal of
    the Royal Statistical Society 75, 579-652.
    """
    if _margins_problem(table) or _phi_problem(table, confidence):
        return None
    estimate = _phi_estimate(table, confidence)
    low, high = estimate.interval
    possible_low = min(max(low, -1.0), 1.0)
    possible_high = min(max(high, -1.0), 1.0)
    return estimate._replace(interval=(possible_low, possible_high))


def odds_ratio(table: TwoByTwo, confidence: float) -> Association | None:
    """Return the odds ratio of two answers, or None if a decoded cell is not above 0.

    Its standard error is that of its logarithm times the ratio. Its interval is that of the
    logarithm, by the exponential function.

    Parameters
    ----------
    table : TwoByTwo
        The shares of two answers.
    confidence : float
        The level of the interval, between 0 and 1.

    Returns
    -------
    Association or None
        None if a share of the row or column is not inside (0, 1), or a cell is not above 0.

    References
    ----------
    Woolf, B. (1955). On estimating the relation between blood group and disease. Annals of Human
    Genetics 19, 251-253: the logarithm of the odds ratio.
    """
    if _margins_problem(table) or _odds_problem(table):
        return None
    neither, column, row, both_share = table.cells
    slope_of_both = 1 / neither + 1 / column + 1 / row + 1 / both_share
    slope_of_row = -1 / neither - 1 / row
    slope_of_column = -1 / neither - 1 / column
    slopes = np.array([slope_of_both, slope_of_row, slope_of_column])

    log_ratio = np.log(neither * both_share / (row * column))
    log_estimate = _association(log_ratio, slopes, table, confidence)
    value = float(np.exp(log_estimate.value))
    low, high = log_estimate.interval
    return Association(
        value=value,
        standard_error=value * log_estimate.standard_error,
        interval=(float(np.exp(low)), float(np.exp(high))),
    )


def _margins_problem(table: TwoByTwo) -> str:
    """Return why the row or column rules out both measures, or ""."""
    for name, share in (("row", table.means[1]), ("column", table.means[2])):
        if not 0 < share < 1:
            return (
                f"the share of the {name} is {share:.4g}; allowed for phi and the odds ratio is one"
                " inside (0, 1)"
            )
    return ""


def _phi_problem(table: TwoByTwo, confidence: float) -> str:
    """Return why phi cannot be given although both margins allow it, or ""."""
    for name, cell, error in zip(CELLS, table.cells, table.standard_errors, strict=True):
        if cell < -FAR * error:
            return (
                f"the share of {name} is {cell:.4g} with a standard error of {error:.4g}; allowed"
                " for phi and the odds ratio are shares that may be 0 or more"
            )
    low, high = _phi_estimate(table, confidence).interval
    if high - low > LONGEST or low > 1 or high < -1:
        return (
            f"the interval of phi is {low:.4g} to {high:.4g}; allowed is one no longer than 1 that"
            " meets [-1, 1]"
        )
    return ""


def _odds_problem(table: TwoByTwo) -> str:
    """Return which cell rules out the odds ratio, or ""."""
    for name, cell in zip(CELLS, table.cells, strict=True):
        if cell <= 0:
            return (
                f"the share of {name} is {cell:.4g}; allowed for the odds ratio are shares above 0"
            )
    return ""


def _phi_estimate(table: TwoByTwo, confidence: float) -> Association:
    """Return phi with its interval as it comes out, which may be beyond [-1, 1]."""
    both_share, row, column = table.means
    scale = np.sqrt(row * (1 - row) * column * (1 - column))
    value = (both_share - row * column) / scale

    # The scale depends on the shares too, so phi bends with each of them.
    bend_of_row = value * (1 - 2 * row) / (2 * row * (1 - row))
    bend_of_column = value * (1 - 2 * column) / (2 * column * (1 - column))
    slope_of_row = -column / scale - bend_of_row
    slope_of_column = -row / scale - bend_of_column
    slopes = np.array([1 / scale, slope_of_row, slope_of_column])
    return _association(value, slopes, table, confidence)


def _association(
    value: float, slopes: FloatArray, table: TwoByTwo, confidence: float
) -> Association:
    """Return a value with the error that the delta method gives it, and its Wald interval.

    slopes: the slopes of the value in the means of the table, shape (3,).
    """
    variance = float(slopes @ table.covariance @ slopes)
    error = float(np.sqrt(max(variance, 0.0)))
    low, high = intervals.wald(np.array(value), np.array(error), confidence)
    return Association(value=float(value), standard_error=error, interval=(float(low), float(high)))
