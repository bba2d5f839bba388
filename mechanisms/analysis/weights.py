"""Weights that make respondents match known shares, and shares estimated with weights."""

from typing import Any, NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.analysis.answers import answers
from mechanisms.analysis.cells import Cells, collapse
from mechanisms.analysis.rows import Rows, checked_rows, report_count
from mechanisms.chance import arrays
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation import intervals


class WeightedEstimate(NamedTuple):
    """share, standard_error, interval (low, high): of one choice, or of numbers their mean. n: respondents.
    effective_n: Kish's (sum w)^2 / sum w^2. design_effect: n / effective_n, what unequal weights cost.
    """

    share: float
    standard_error: float
    interval: tuple[float, float]
    n: int
    effective_n: float

    @property
    def design_effect(self) -> float:
        return self.n / self.effective_n


def weighted_estimate(
    mechanism: Mechanism | None,
    reports: Any,
    weights: Any,
    *,
    margins: Any = None,
    choice: int = 1,
    population: float | None = None,
    counts: Any = None,
    confidence: float = 0.95,
    line: tuple[float, float] | None = None,
    least: float = 0.0,
) -> WeightedEstimate:
    """A share estimated with weights: sum of w d / sum of w, d the decoded reports of a choice.

    The interval is Wilson's on the share of reports, slope * share + intercept, at the number of respondents that has
    the same variance: at most Kish's, or n where answers are not randomized. Wald's where a choice has no line, or with
    a population.

    mechanism: None for reports that are numbers already; where these are decoded reports of a choice, line is its
    (slope, intercept). least: the least variance of such numbers that the design allows (`Mechanism.least_variance`).
    weights: above 0, shape (n,); counts: how many respondents each row stands for. margins: for weights made by
    `rake`, the group of each row in every margin, whole numbers of shape (n,) or (n, margins), or a list of such (n,);
    the error is then that of the residuals of d beside the groups (for post-stratification one margin: the cells).
    population: its known size, where weights are 1 / the chance of being asked: the share is sum of w d / population.
    ValueError for shapes that do not fit, or both margins and population.

    Deville and Sarndal (1992, JASA 87) for calibrated weights; Kish (1965); Deville (1993) and Arnab (1990) for
    chances.
    """
    level = checks.between("confidence", confidence, 0, 1)
    if margins is not None and population is not None:
        raise ValueError("margins and population are given; allowed is one of them")
    groups = _groups(margins, report_count(reports))
    if population is not None:
        groups = arrays.positives("weights", weights).reshape(
            -1, 1
        )  # so that a cell has one weight
    table = checked_rows(groups, report_count(reports), counts=counts, weights=weights)
    cells = _cells(mechanism, reports, choice, table.standardized if population is None else table)
    if population is None:
        share, variance = _calibrated(cells, table)
        variance = max(variance, least / table.effective_n)
    else:
        share, variance = _from_chances(cells, checks.positive("population", population))
    error = float(np.sqrt(max(variance, 0.0)))
    estimate = WeightedEstimate(share, error, (np.nan, np.nan), table.n, table.effective_n)
    line = _line(mechanism, choice) if line is None else line
    ends = (
        _wald(estimate, level)
        if line is None or population is not None
        else _wilson(estimate, line, level)
    )
    return estimate._replace(interval=ends)


def _line(mechanism: Mechanism | None, choice: int) -> tuple[float, float] | None:
    line = mechanism.line() if mechanism else None
    return None if line is None else (float(line.slope[choice]), float(line.offset[choice]))


def _wald(estimate: WeightedEstimate, confidence: float) -> tuple[float, float]:
    low, high = intervals.wald(
        np.array(estimate.share), np.array(estimate.standard_error), confidence
    )
    return float(low), float(high)


def _wilson(
    estimate: WeightedEstimate, line: tuple[float, float], confidence: float
) -> tuple[float, float]:
    slope, intercept = line
    reported = min(max(slope * estimate.share + intercept, 0.0), 1.0)
    n = effective_respondents(estimate, line)
    ends = (
        intervals.wilson(np.array([reported * n]), np.array([n]), confidence)[0] - intercept
    ) / slope
    return float(ends.min()), float(ends.max())


def effective_respondents(estimate: WeightedEstimate, line: tuple[float, float]) -> float:
    """How many respondents with equal weights would have the variance of a weighted share, whose choice has this line
    (slope, intercept): at most Kish's n, or n where answers are not randomized.
    """
    slope, intercept = line
    most = float(estimate.n) if line == (1.0, 0.0) else estimate.effective_n
    reported = min(max(slope * estimate.share + intercept, 0.0), 1.0)
    varied, variance = reported * (1 - reported), (slope * estimate.standard_error) ** 2
    return min(most, varied / variance) if varied > 0 and variance > 0 else most


def _groups(margins: Any, n: int) -> FloatArray:
    """Margins as a design whose columns are groups' numbers, shape (n, margins)."""
    if margins is None:
        return np.zeros((n, 1))
    array = np.asarray(margins)
    columns = array[:, np.newaxis] if array.ndim == 1 else array
    if columns.ndim == 2 and len(columns) != n == columns.shape[1]:
        columns = columns.T  # a list with the groups of each margin
    if columns.ndim != 2 or len(columns) != n or columns.shape[1] == 0:
        raise ValueError(f"margins has shape {array.shape}; allowed is ({n},) or ({n}, margins)")
    return np.stack(
        [checks.indices("margins", column, 2**31) for column in columns.T], axis=1
    ).astype(np.float64)


def _cells(mechanism: Mechanism | None, reports: Any, choice: int, table: Rows) -> Cells:
    if mechanism is not None:
        found = answers(mechanism, table.keep(reports), checks.whole("choice", choice, 0))
        return collapse(table, found.codes, found.kinds, found.scores)
    numbers = arrays.numbers("reports", table.keep(reports))
    if numbers.ndim != 1:
        raise ValueError(f"reports has shape {numbers.shape}; allowed without a mechanism is (n,)")
    levels, codes = np.unique(numbers, return_inverse=True)
    return collapse(table, codes, levels.size, levels[:, np.newaxis].__getitem__)


def _calibrated(cells: Cells, table: Rows) -> tuple[float, float]:
    """n/(n-1) sum of w^2 e^2 / (sum of w)^2, e the residuals of d's weighted regression on the margins' groups."""
    d, total = cells.values[:, 0], cells.mass.sum()
    share = float(cells.mass @ d / total)
    groups = _indicators(cells.design)
    weighted = cells.sums(cells.mass * d)
    gram = (groups * cells.pattern_mass[:, np.newaxis]).T @ groups
    fitted = groups @ (np.linalg.pinv(gram, hermitian=True) @ (groups.T @ weighted))
    residuals = d - cells.spread(fitted)
    n = table.n
    return share, float(n / (n - 1) * (cells.squares @ residuals**2) / total**2)


def _indicators(groups: FloatArray) -> FloatArray:
    """A column of 0 and 1 for every group of every margin."""
    columns = [
        (margin[:, np.newaxis] == np.unique(margin)).astype(np.float64) for margin in groups.T
    ]
    return np.hstack(columns)


def _from_chances(cells: Cells, population: float) -> tuple[float, float]:
    """(sum of d (d-1) / pi + Deville's variance of d) / N^2 with chances pi = 1/w of being asked.

    d (d-1) is an unbiased estimate of the variance that randomizing adds, since the truth is 0 or 1.
    """
    d, weights = cells.values[:, 0], cells.spread(cells.design[:, 0])
    respondents = cells.mass / weights
    if (weights < 1).any():
        raise ValueError(
            f"weights holds {float(weights.min()):.6g}; allowed with population are 1 and more: 1 / a chance"
        )
    randomized = cells.mass @ (d * (d - 1))
    return float(cells.mass @ d / population), float(
        (randomized + _deville(d, weights, respondents)) / population**2
    )


def _deville(d: FloatArray, weights: FloatArray, respondents: FloatArray) -> float:
    """The variance of a sum of w d over chances of being asked: sum of (1 - pi) (w d - A)^2 / (1 - sum of a^2), with
    a = (1 - pi) / sum of (1 - pi) for each respondent and A = sum of a w d.
    """
    left = 1 - 1 / weights
    if not left.any():
        return 0.0
    each = left / (respondents @ left)
    deviations = weights * d - (respondents * each) @ (weights * d)
    return float((respondents * left) @ deviations**2 / (1 - respondents @ each**2))
