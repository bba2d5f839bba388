"""What else a result says on request: sums of choices, a test against a value, the price of privacy, and fakes."""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, chdtri

from mechanisms import (
    FiniteEstimate,
    Significance,
    compare_with_central,
    likelihood_ratio_test,
    log_likelihood,
)
from mechanisms.analysis.diagnostics import sensitivity
from mechanisms.designs.mechanism import Mechanism
from mechanisms.estimation.intervals import wald
from mechanisms.planning.central import CentralComparison
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.site.shape import ApiResult, api_field

FAKES = 0.01
REACH = 1.5  # times the interval's longer side: as far as a likelihood curve goes
STEPS = 80


@dataclass(frozen=True)
class Sum(ApiResult):
    labels: tuple[str, ...] = api_field(name="choices")
    share: float = api_field("of all respondents under any of them")
    standard_error: float = api_field()
    interval: tuple[float, ...] = api_field("Wald's")


@dataclass(frozen=True)
class Fakes(ApiResult):
    """The lowest and highest estimate of a choice if FAKES of the responses replaced others."""

    label: str = api_field(name="choice")
    low: float = api_field()
    high: float = api_field()
    most: float = api_field(sent=False)  # the larger of the two moves


@dataclass(frozen=True)
class Test:
    """The likelihood-ratio test of one true share, or the score test where the sampling does not count."""

    share: float
    result: Significance | None  # None where the reports are impossible under that share
    confidence: float

    @property
    def is_contradicted(self) -> bool:
        return self.result is None or self.result.p_value < 1 - self.confidence


@dataclass(frozen=True)
class Curve:
    """Log-likelihood of the true share of Yes, 0 at its maximum, with the interval above the threshold."""

    shares: list[float]
    values: list[float]
    best: float
    threshold: float
    interval: tuple[float, float]


def add_up(question: QuestionReport, picked: list[int]) -> Sum:
    """ValueError unless the question adds up, for indices out of range, or twice the same."""
    if not question.adds_up:
        raise ValueError(
            f"{question.key} does not add up; allowed is a question with one answer each, with responses"
        )
    share, error = question.basis.total(picked)
    ((low, high),) = wald(np.array([share]), np.array([error]), question.confidence)
    return Sum(
        tuple(question.choices[v].label for v in picked), share, error, (float(low), float(high))
    )


def test_share(question: QuestionReport, share: float) -> Test:
    """Test whether the reports contradict a given share of Yes.

    Of exactly those who answered: by the score, whose interval holds the shares that are not contradicted.
    """
    if isinstance(question.basis, FiniteEstimate):
        return Test(share, _score(question.basis, share), question.confidence)
    try:
        result = likelihood_ratio_test(_mechanism(question), question.basis.tally, share, YES)
    except ValueError:
        result = None
    return Test(share, result, question.confidence)


def _score(basis: FiniteEstimate, share: float) -> Significance:
    variance = float(basis.variances(np.array([1 - share, share]))[YES])
    off = (float(basis.proportions[YES]) - share) ** 2
    statistic = off / variance if variance else np.inf if off > 1e-18 else 0.0
    return Significance(float(statistic), 1, float(chdtrc(1, statistic)))


def log_likelihood_curve(question: QuestionReport) -> Curve:
    """Return the log-likelihood of the share of Yes, relative to its maximum."""
    mechanism, tally = _mechanism(question), question.basis.tally
    interval = mechanism.estimate(
        tally, confidence=question.confidence, interval="likelihood"
    ).intervals[YES]
    best = float(question.basis.proportions[YES])
    reach = REACH * float(np.abs(interval - best).max())
    shares = np.linspace(best - reach, best + reach, STEPS + 1)
    values = log_likelihood(mechanism, tally, shares, YES) - log_likelihood(
        mechanism, tally, np.array([best]), YES
    )
    possible = np.isfinite(values)
    threshold = -float(chdtri(1, 1 - question.confidence)) / 2
    low, high = map(float, interval)
    return Curve(shares[possible].tolist(), values[possible].tolist(), best, threshold, (low, high))


def central_comparison(question: QuestionReport) -> CentralComparison | None:
    """Return the error that a trusted server would have, or None."""
    if (
        question.epsilon is None
        or question.basis is None
        or not question.basis.mechanism.publishable
    ):
        return None
    if not question.choices:  # it is about shares
        return None
    return compare_with_central(question.basis)


def effect_of_false_reports(question: QuestionReport) -> Fakes | None:
    """Return how far false reports could move the estimate.

    None where nothing is randomized, or where the result is no share of a choice.
    """
    if not question.design or not question.choices:
        return None
    moved = sensitivity(_mechanism(question), question.basis.tally, FAKES)
    most = np.nan_to_num(np.abs(moved - question.basis.proportions[:, np.newaxis]).max(axis=1))
    choice = YES if question.is_yes_no else int(most.argmax())
    low, high = map(float, moved[choice])
    return Fakes(question.choices[choice].label, low, high, float(most[choice]))


def has_test(question: QuestionReport) -> bool:
    """Of two answers one share says all; “Prefer not to say” makes three."""
    return question.is_yes_no and len(question.choices) == 2


def has_curve(question: QuestionReport) -> bool:
    """The likelihood is that of people who were drawn from many."""
    return has_test(question) and question.sampling


def _mechanism(question: QuestionReport) -> Mechanism:
    return question.basis.mechanism
