"""How strongly two answers go together."""

from typing import NamedTuple

import numpy as np

from mechanisms.checks import FloatArray
from mechanisms.estimation import intervals

FAR = 1.96  # standard errors below 0, from which on a decoded cell speaks against its own table
LONGEST = 1.0  # interval of phi, beyond which it says too little
CELLS = ("neither", "the column alone", "the row alone", "both")
_SLOPES = np.array(
    [[1.0, -1.0, -1.0], [-1.0, 0.0, 1.0], [-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
)  # of these in the means


class Association(NamedTuple):
    """value, its standard error by the delta method, and its interval (low, high). That of a table's phi is cut to
    [-1, 1], where the value may be beyond.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]


class TwoByTwo(NamedTuple):
    """means: the share of both, of the row and of the column, shape (3,). covariance: of these, shape (3, 3)."""

    means: FloatArray
    covariance: FloatArray

    @property
    def cells(self) -> FloatArray:
        """Neither, the column alone, the row alone, both."""
        both, row, column = self.means
        return np.array([1 - row - column + both, column - both, row - both, both])

    @property
    def standard_errors(self) -> FloatArray:
        """Of the cells."""
        spread: FloatArray = np.einsum("ci,ij,cj->c", _SLOPES, self.covariance, _SLOPES)
        return np.sqrt(np.maximum(spread, 0.0))


def reason(table: TwoByTwo, confidence: float) -> str:
    """Why the odds ratio or phi, or both, cannot be given."""
    return _margins(table) or _why_no_phi(table, confidence) or _why_no_odds(table)


def _margins(table: TwoByTwo) -> str:
    for name, share in (("row", table.means[1]), ("column", table.means[2])):
        if not 0 < share < 1:
            return f"the share of the {name} is {share:.4g}; allowed for phi and the odds ratio is one inside (0, 1)"
    return ""


def _why_no_phi(table: TwoByTwo, confidence: float) -> str:
    """Where the margins allow one."""
    for name, cell, error in zip(CELLS, table.cells, table.standard_errors, strict=True):
        if cell < -FAR * error:
            return (
                f"the share of {name} is {cell:.4g} with a standard error of {error:.4g}; allowed for phi and the odds "
                "ratio are shares that may be 0 or more"
            )
    low, high = _correlation(table, confidence).interval
    if high - low > LONGEST or low > 1 or high < -1:
        return f"the interval of phi is {low:.4g} to {high:.4g}; allowed is one no longer than 1 that meets [-1, 1]"
    return ""


def _why_no_odds(table: TwoByTwo) -> str:
    for name, cell in zip(CELLS, table.cells, strict=True):
        if cell <= 0:
            return (
                f"the share of {name} is {cell:.4g}; allowed for the odds ratio are shares above 0"
            )
    return ""


def phi(table: TwoByTwo, confidence: float) -> Association | None:
    """(F - f g) / sqrt(f (1-f) g (1-g)), with an interval cut to [-1, 1]. Where the value is outside, only the other
    end of the interval says something. None where the table tells too little, or contradicts itself.
    """
    if _margins(table) or _why_no_phi(table, confidence):
        return None
    estimate = _correlation(table, confidence)
    low, high = (min(max(end, -1.0), 1.0) for end in estimate.interval)
    return estimate._replace(interval=(low, high))


def _correlation(table: TwoByTwo, confidence: float) -> Association:
    both, row, column = table.means
    scale = np.sqrt(row * (1 - row) * column * (1 - column))
    value = (both - row * column) / scale
    bends = [value * (1 - 2 * share) / (2 * share * (1 - share)) for share in (row, column)]
    slopes = np.array([1 / scale, -column / scale - bends[0], -row / scale - bends[1]])
    return _with_error(value, slopes, table, confidence)


def odds_ratio(table: TwoByTwo, confidence: float) -> Association | None:
    """Its error is that of the logarithm, times the ratio; so is its interval."""
    if _margins(table) or _why_no_odds(table):
        return None
    neither, column, row, both = table.cells
    slopes = np.array(
        [
            1 / neither + 1 / column + 1 / row + 1 / both,
            -1 / neither - 1 / row,
            -1 / neither - 1 / column,
        ]
    )
    log = _with_error(np.log(neither * both / (row * column)), slopes, table, confidence)
    value = float(np.exp(log.value))
    return Association(
        value,
        value * log.standard_error,
        (float(np.exp(log.interval[0])), float(np.exp(log.interval[1]))),
    )


def _with_error(
    value: float, slopes: FloatArray, table: TwoByTwo, confidence: float
) -> Association:
    error = float(np.sqrt(max(float(slopes @ table.covariance @ slopes), 0.0)))
    low, high = intervals.wald(np.array(value), np.array(error), confidence)
    return Association(float(value), error, (float(low), float(high)))
