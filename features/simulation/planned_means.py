"""The mean and variance of decoded reports of people whose answers have assumed shares."""

from dataclasses import dataclass

import numpy as np

from mechanisms import Estimate, Functional, Tally
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism
from surveys.results.analysis.outcome import SurveyVariable
from surveys.statements.plans import PlannedMean

# So many reports that their counts have the expected shares, except for rounding.
MANY_REPORTS = 1_000_000


@dataclass(frozen=True)
class PlannedSide:
    """The people of one side of a difference.

    answer_shares: the assumed share of each answer among them, shape (item.size,).
    n: the number of their reports.
    """

    answer_shares: FloatArray
    n: int


def planned_mean(outcome: SurveyVariable, side: PlannedSide) -> PlannedMean:
    """Return the mean that is expected of a side, with the variance of one decoded report.

    outcome: the mean of a number, or an answer whose reports depend on other shares too.
    """
    estimate = expected_estimate(outcome.item.mechanism, side.answer_shares)
    functional = _functional(outcome, estimate)
    variance = functional.standard_error**2 * estimate.n
    return PlannedMean(mean=functional.value, variance=variance, n=side.n)


def least_variance_of(outcome: SurveyVariable) -> float:
    """Return the least variance of a decoded report that a comparison takes; 0 for a mean.

    The error of a mean is never smaller than that of the least variance of the design anyway.
    """
    if outcome.choice is None:
        return 0.0
    return outcome.item.mechanism.least_variance(_is_answer(outcome))


def expected_estimate(mechanism: Mechanism, answer_shares: FloatArray) -> Estimate:
    """Return the estimate from many reports that come as expected.

    mechanism: a design whose probabilities have a row for each answer: a matrix or a window.
    """
    probabilities = np.array(mechanism.probabilities(), dtype=np.float64)
    counts = np.rint(MANY_REPORTS * (answer_shares @ probabilities)).astype(np.int64)
    return mechanism.estimate(Tally(int(counts.sum()), counts))


def _functional(outcome: SurveyVariable, estimate: Estimate) -> Functional:
    if outcome.choice is not None:
        return estimate.functional(_is_answer(outcome))
    numbers = np.array(outcome.item.answer_values, dtype=np.float64)
    if not outcome.item.aside:
        return estimate.functional(numbers)
    # The people who declined gave no number, so the mean is a ratio.
    gave_number = np.append(np.ones(len(numbers)), 0.0)
    return estimate.mean_ratio(np.append(numbers, 0.0), gave_number)


def _is_answer(outcome: SurveyVariable) -> FloatArray:
    """Return 1 for the answer and 0 for all others, shape (item.size,)."""
    scores = np.zeros(outcome.item.size)
    scores[outcome.choice] = 1.0
    return scores
