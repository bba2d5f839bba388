"""The result of a question as one sentence that is true at the report's confidence."""

import numpy as np
from django.conf import settings

from mechanisms import Estimate
from mechanisms.estimation.intervals import normal_quantile
from surveys.reporting.numbers import NBSP, count, level, listed, percent, percent_range
from surveys.reporting.report import YES, ChoiceReport, QuestionReport

MOST_NAMED = 4  # of those that may be the largest; beyond that a list of names tells nobody anything


def headline(question: QuestionReport) -> str:
    """Empty while there is no response."""
    if question.basis is None:
        return ""
    if question.n < settings.FEW_RESPONSES:
        return _too_few(question)
    if question.is_yes_no:
        return f"{question.choices[YES].label}: {between(question, question.choices[YES])}."
    return _average(question) if question.is_number else _largest(question)


def between(question: QuestionReport, choice: ChoiceReport) -> str:
    """ "between 9.8 % and 12.5 %, unbiased estimate 11.2 %", and what is so where the interval leaves 0 to 100 %."""
    low, high = choice.interval
    found = f"unbiased estimate {percent(choice.estimate)}"
    if high < 0 or low > 1:
        return _beyond(question, choice, found)
    if low < 0 and high > 1:
        return f"nothing is known. The interval, {percent_range(choice.interval)}, holds every possible share; {found}"
    if low < 0:
        return f"at most {percent(high)}, {found} (the interval begins below 0{NBSP}%, at {percent(low)})"
    if high > 1:
        return f"at least {percent(low)}, {found} (the interval ends above 100{NBSP}%, at {percent(high)})"
    return f"between {percent(low)} and {percent(high)}, {found}"


def _beyond(question: QuestionReport, choice: ChoiceReport, found: str) -> str:
    """An interval misses now and then, so this is no proof of anything; the check of the observed shares decides."""
    below = choice.interval[1] < 0
    end, than = (f"0{NBSP}%", "lower") if below else (f"100{NBSP}%", "higher")
    one_in = round(2 / (1 - question.basis.level))
    return (
        f"{than} than any possible share. The interval, {percent_range(choice.interval)}, lies wholly "
        f"{'below' if below else 'above'} {end}; {found}. By chance that happens in about 1 of {count(one_in)} surveys "
        f"whose true share is {end}; the check of the observed shares says whether chance explains it here"
    )


def leaders(estimate: Estimate) -> list[int]:
    """The answers that may have the largest share, the largest estimate first.

    Every pair of answers is compared by the difference of its shares over that difference's standard error, and all
    comparisons hold together with the estimate's confidence (Bonferroni): whoever is not in the list is smaller.
    """
    shares, size = estimate.proportions, estimate.mechanism.size
    limit = normal_quantile(1 - (1 - estimate.confidence) / (size * (size - 1) / 2))
    top = int(shares.argmax())
    close = shares[top] - shares <= limit * _errors_of_difference(estimate, top)
    close[top] = True
    return sorted(np.nonzero(close)[0].tolist(), key=lambda v: -shares[v])


def _errors_of_difference(estimate: Estimate, top: int) -> np.ndarray:
    """Standard errors of share[top] - share, shape (size,); where the covariance needs the rows, their upper bound."""
    try:
        covariance = estimate.covariance
    except ValueError:
        return estimate.standard_errors[top] + estimate.standard_errors
    own = covariance.diagonal()
    return np.sqrt(np.maximum(own[top] + own - 2 * covariance[top], 0))


def _largest(question: QuestionReport) -> str:
    found = leaders(question.basis)
    first = question.choices[found[0]]
    if len(found) == 1:
        return f"“{first.label}” has the largest share: {between(question, first)}."
    if len(found) <= MOST_NAMED:
        named = [f"“{question.choices[v].label}” ({percent(question.choices[v].estimate)})" for v in found]
        return f"The largest share is that of {listed(named, 'or')}: they lie too close together to tell which."
    return (
        f"No answer stands out: any of {len(found)} answers may have the largest share. "
        f"The unbiased estimate is highest for “{first.label}”: {between(question, first)}."
    )


def _average(question: QuestionReport) -> str:
    """Of a background number, sent as it is: the mean with the usual normal interval."""
    values = np.array([int(choice.label) for choice in question.choices])
    shares, present = question.basis.observed, values[question.basis.tally.counts > 0]
    mean = float(shares @ values)
    error = float(np.sqrt(shares @ (values - mean) ** 2 / question.n))
    half = normal_quantile(question.confidence) * error
    interval = f"{level(question.confidence)} interval {mean - half:.1f} to {mean + half:.1f}"
    return f"On average {mean:.1f} ({interval}); the answers go from {present.min()} to {present.max()}."


def _too_few(question: QuestionReport) -> str:
    people = f"{count(question.n)} response{'' if question.n == 1 else 's'}"
    if not question.is_yes_no:
        return f"With only {people} no statement can be made."
    interval = percent_range(question.choices[YES].interval)
    return f"With only {people} no statement can be made: the {level(question.confidence)} interval is {interval}."
