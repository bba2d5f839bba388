"""Shares and means that are estimated with weights."""

from dataclasses import dataclass
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
    """A share of one choice, or a mean of numbers, estimated with weights.

    Attributes
    ----------
    share : float
        The share, or the mean of the numbers.
    standard_error : float
        Its standard error.
    interval : (float, float)
        Its lower and upper end.
    n : int
        The number of respondents.
    effective_n : float
        Kish's effective number of respondents, (sum w)^2 / sum w^2.
    """

    share: float
    standard_error: float
    interval: tuple[float, float]
    n: int
    effective_n: float

    @property
    def design_effect(self) -> float:
        """The factor n / effective_n, which is the cost of unequal weights."""
        return self.n / self.effective_n


@dataclass(frozen=True)
class _Moments:
    """An estimate and its variance."""

    share: float
    variance: float


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
    """Return a share estimated with weights: the sum of w d / sum of w, d the decoded reports.

    The interval is Wilson's for the share of reports, slope * share + intercept, at the number of
    respondents that has the same variance: at most Kish's, or n if the answers are not randomized.
    It is Wald's if a choice has no line, or with a population.

    Parameters
    ----------
    mechanism : Mechanism or None
        None if the reports are numbers already.
    reports : array_like
        As for `mechanism.tally`; without a mechanism, numbers of shape (n,).
    weights : array_like of shape (n,)
        Weights above 0.
    margins : array_like of int, shape (n,) or (n, margins), or list of such (n,), optional
        For weights made by `rake`, the group of each row in every margin (for post-stratification
        one margin: the cells). The error is then that of the residuals of d on the groups.
    choice : int, default 1
        The answer whose share is estimated.
    population : float, optional
        The known size of the population, if each weight is 1 / the probability of being asked. The
        share is then the sum of w d / population.
    counts : array_like of int, shape (n,), optional
        How many respondents each row stands for.
    confidence : float, default 0.95
        Inside (0, 1).
    line : (float, float), optional
        The slope and the intercept of a choice whose decoded reports are passed as numbers.
    least : float, default 0
        The least variance of such numbers that the design allows (`Mechanism.least_variance`).

    Returns
    -------
    WeightedEstimate

    Raises
    ------
    ValueError
        For shapes that do not fit, or both margins and population.

    References
    ----------
    Deville and Sarndal (1992, JASA 87) for calibrated weights; Kish (1965, Survey Sampling);
    Deville (1993) and Arnab (1990) for probabilities of being asked.
    """
    level = checks.between("confidence", confidence, 0, 1)
    if margins is not None and population is not None:
        raise ValueError("margins and population are given; allowed is one of them")
    groups = _group_columns(margins, report_count(reports))
    if population is not None:
        # The weights take the place of the groups: all respondents of a cell have one weight.
        groups = arrays.positives("weights", weights).reshape(-1, 1)
    rows = checked_rows(groups, report_count(reports), counts=counts, weights=weights)

    if population is None:
        cells = _cells(mechanism, reports, choice, rows.standardized)
        moments = _calibrated_moments(cells, rows.n)
        variance = max(moments.variance, least / rows.effective_n)
    else:
        cells = _cells(mechanism, reports, choice, rows)
        moments = _sampled_moments(cells, checks.positive("population", population))
        variance = moments.variance
    estimate = WeightedEstimate(
        share=moments.share,
        standard_error=float(np.sqrt(max(variance, 0.0))),
        interval=(np.nan, np.nan),
        n=rows.n,
        effective_n=rows.effective_n,
    )
    if line is None:
        line = _line_of_choice(mechanism, choice)
    if line is None or population is not None:
        return estimate._replace(interval=_wald_interval(estimate, level))
    return estimate._replace(interval=_wilson_interval(estimate, line, level))


def effective_respondents(estimate: WeightedEstimate, line: tuple[float, float]) -> float:
    """Return how many respondents with equal weights would have the variance of a weighted share.

    Parameters
    ----------
    estimate : WeightedEstimate
        The weighted share.
    line : (float, float)
        The slope and the intercept of the choice; (1, 0) if the answers are not randomized.

    Returns
    -------
    float
        At most Kish's n, or n if the answers are not randomized.
    """
    slope, _ = line
    is_randomized = line != (1.0, 0.0)
    most = estimate.effective_n if is_randomized else float(estimate.n)
    reported = _reported_share(estimate, line)
    variance_of_report = reported * (1 - reported)
    variance_of_mean = (slope * estimate.standard_error) ** 2
    if variance_of_report > 0 and variance_of_mean > 0:
        return min(most, variance_of_report / variance_of_mean)
    return most


def _line_of_choice(mechanism: Mechanism | None, choice: int) -> tuple[float, float] | None:
    """Return the slope and the intercept of a choice, or None if it has no line."""
    if mechanism is None:
        return None
    line = mechanism.line()
    if line is None:
        return None
    return float(line.slope[choice]), float(line.offset[choice])


def _reported_share(estimate: WeightedEstimate, line: tuple[float, float]) -> float:
    """Return the share of reports that support the choice, from 0 to 1."""
    slope, intercept = line
    return min(max(slope * estimate.share + intercept, 0.0), 1.0)


def _wald_interval(estimate: WeightedEstimate, confidence: float) -> tuple[float, float]:
    share = np.array(estimate.share)
    standard_error = np.array(estimate.standard_error)
    low, high = intervals.wald(share, standard_error, confidence)
    return float(low), float(high)


def _wilson_interval(
    estimate: WeightedEstimate, line: tuple[float, float], confidence: float
) -> tuple[float, float]:
    slope, intercept = line
    n = effective_respondents(estimate, line)
    count = _reported_share(estimate, line) * n
    reported_ends = intervals.wilson(np.array([count]), np.array([n]), confidence)[0]
    ends = (reported_ends - intercept) / slope
    return float(ends.min()), float(ends.max())


def _group_columns(margins: Any, n: int) -> FloatArray:
    """Return the numbers of the groups in each margin, shape (n, margins)."""
    if margins is None:
        return np.zeros((n, 1))
    array = np.asarray(margins)
    table = array[:, np.newaxis] if array.ndim == 1 else array
    if table.ndim == 2 and len(table) != n == table.shape[1]:
        # A list holds the groups of each margin.
        table = table.T
    if table.ndim != 2 or len(table) != n or table.shape[1] == 0:
        raise ValueError(f"margins has shape {array.shape}; allowed is ({n},) or ({n}, margins)")
    columns = [checks.indices("margins", column, 2**31) for column in table.T]
    return np.stack(columns, axis=1).astype(np.float64)


def _cells(mechanism: Mechanism | None, reports: Any, choice: int, rows: Rows) -> Cells:
    """Return the cells of the rows, whose values are decoded reports or numbers."""
    if mechanism is not None:
        choice = checks.whole("choice", choice, 0)
        answers_of_rows = answers(mechanism, rows.keep(reports), choice)
        return collapse(rows, answers_of_rows.codes, answers_of_rows.kinds, answers_of_rows.scores)
    numbers = arrays.numbers("reports", rows.keep(reports))
    if numbers.ndim != 1:
        raise ValueError(f"reports has shape {numbers.shape}; allowed without a mechanism is (n,)")
    levels, codes = np.unique(numbers, return_inverse=True)
    table = levels[:, np.newaxis]
    return collapse(rows, codes, levels.size, table.__getitem__)


def _calibrated_moments(cells: Cells, n: int) -> _Moments:
    """Return the moments for calibrated weights.

    The variance is n / (n - 1) sum of w^2 e^2 / (sum of w)^2, with the residuals e of the weighted
    regression of d on the margins' groups.
    """
    d = cells.values[:, 0]
    total = cells.mass.sum()
    share = float(cells.mass @ d / total)
    groups = _group_indicators(cells.design)
    sums = groups.T @ cells.sums(cells.mass * d)
    gram = (groups * cells.pattern_mass[:, np.newaxis]).T @ groups
    fitted = groups @ (np.linalg.pinv(gram, hermitian=True) @ sums)
    residuals = d - cells.spread(fitted)
    variance = float(n / (n - 1) * (cells.squares @ residuals**2) / total**2)
    return _Moments(share=share, variance=variance)


def _group_indicators(groups: FloatArray) -> FloatArray:
    """Return a column of 0 and 1 for every group of every margin."""
    columns = []
    for margin in groups.T:
        is_in_group = margin[:, np.newaxis] == np.unique(margin)
        columns.append(is_in_group.astype(np.float64))
    return np.hstack(columns)


def _sampled_moments(cells: Cells, population: float) -> _Moments:
    """Return the moments for weights that are 1 / the probability pi of being asked.

    The variance is (sum of d (d - 1) / pi + Deville's variance of d) / N^2. d (d - 1) is an
    unbiased estimate of the variance that randomizing adds, since the truth is 0 or 1.
    """
    d = cells.values[:, 0]
    weights = cells.spread(cells.design[:, 0])
    respondents = cells.mass / weights
    if (weights < 1).any():
        raise ValueError(
            f"weights holds {float(weights.min()):.6g}; "
            "allowed with population are 1 and more: 1 / a chance"
        )
    randomizing_variance = cells.mass @ (d * (d - 1))
    sampling_variance = _sampling_variance(d, weights, respondents)
    return _Moments(
        share=float(cells.mass @ d / population),
        variance=float((randomizing_variance + sampling_variance) / population**2),
    )


def _sampling_variance(d: FloatArray, weights: FloatArray, respondents: FloatArray) -> float:
    """Return the variance of a sum of w d over probabilities pi of being asked (Deville 1993).

    It is the sum of (1 - pi) (w d - A)^2 / (1 - sum of a^2), with a = (1 - pi) / sum of (1 - pi)
    for each respondent and A = sum of a w d.
    """
    complements = 1 - 1 / weights
    if not complements.any():
        return 0.0
    a = complements / (respondents @ complements)
    weighted = weights * d
    deviations = weighted - (respondents * a) @ weighted
    sum_of_squares = (respondents * complements) @ deviations**2
    return float(sum_of_squares / (1 - respondents @ a**2))
