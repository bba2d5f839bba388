"""Which answers may be the most frequent, and by how much the first is ahead of the second."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mechanisms import Estimate
from mechanisms.estimation.intervals import normal_quantile
from surveys.results.estimates.question_report import ChoiceReport
from surveys.results.estimates.share_wording import Said

MOST_IN_COVARIANCE = 1000  # answers: the covariance of a list of 20,000 would take 3 GB
BEYOND = 40.0  # standard errors: no confidence that a float can hold asks for more


@dataclass(frozen=True)
class Lead:
    """By how much one share is ahead of another, with its simultaneous interval; fractions."""

    difference: float
    low: float
    high: float


def can_rank(choices: Iterable[ChoiceReport]) -> bool:
    """Whether an order may be said: where a range is too wide for a number, a true first one is left out too often."""
    return not any(Said(choice.estimate, *choice.interval).is_wide for choice in choices)


def leaders(
    estimate: Estimate, places: Sequence[int] | None = None, family: int | None = None
) -> list[int]:
    """The answers that may have the largest share, the largest estimate first. places: of which answers; None: of all.

    Every pair of answers is compared by the difference of its shares over that difference's standard error, and all
    comparisons hold together with the estimate's confidence (Bonferroni): whoever is not in the list is smaller.
    family: of how many answers all pairs are compared, where these are more than `places`.
    """
    shares = estimate.proportions
    places = range(len(shares)) if places is None else places
    top = max(places, key=lambda v: shares[v])
    limit = _limit(estimate, family or len(places))
    with np.errstate(
        invalid="ignore"
    ):  # without limit where the confidence is as near to 1 as a float can be
        far = shares[top] - shares > limit * _errors_of_difference(estimate, top)
    return sorted((v for v in places if v == top or not far[v]), key=lambda v: -shares[v])


def lead(estimate: Estimate, first: int, second: int, places: Sequence[int] | None = None) -> Lead:
    """At the same limit as `leaders`: the interval holds 0 exactly where both are leaders."""
    difference = float(estimate.proportions[first] - estimate.proportions[second])
    half = min(
        float(_limit(estimate, estimate.mechanism.size if places is None else len(places))), BEYOND
    ) * float(_errors_of_difference(estimate, first)[second])
    return Lead(difference, difference - half, difference + half)


def confidence_of_a_pair(confidence: float, size: int) -> float:
    """Return the confidence of each difference, so that those of all pairs of `size` shares hold together (Bonferroni).

    Which ones are compared is fixed before anyone answers.
    """
    return 1 - (1 - confidence) / max(size * (size - 1) / 2, 1)


def _limit(estimate: Estimate, size: int) -> float:
    return normal_quantile(confidence_of_a_pair(estimate.confidence, size))


def _errors_of_difference(estimate: Estimate, top: int) -> np.ndarray:
    """Standard errors of share[top] - share, shape (size,); their upper bound where the covariance needs the rows, and
    where it would be too large.
    """
    upper_bounds = estimate.standard_errors[top] + estimate.standard_errors
    if estimate.mechanism.size > MOST_IN_COVARIANCE:
        return upper_bounds
    try:
        covariance = estimate.covariance
    except ValueError:
        return upper_bounds
    own = covariance.diagonal()
    return np.sqrt(np.maximum(own[top] + own - 2 * covariance[top], 0))
