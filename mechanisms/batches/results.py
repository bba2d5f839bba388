"""Estimates from counts, as the report of the survey has them: as JSON or as a table."""

import math
from typing import Any, NamedTuple

import numpy as np

from mechanisms.batches.counting import Counted
from mechanisms.batches.questions import Question
from mechanisms.checks import FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.estimation.estimates import Estimate, Functional, best_interval
from mechanisms.estimation.mixtures import ConvergenceError
from mechanisms.estimation.tallies import Tally
from mechanisms.planning.privacy import round_up

ORDERED = ("quantity", "scale")
LIKELIEST = "maximum likelihood of whole reports"


class _PossibleShares(NamedTuple):
    """Shares from 0 to 1, and the name of the method that makes them; None if nothing is done."""

    shares: FloatArray
    method: str | None


def as_json(
    counted: Counted, confidence: float = 0.95, *, likelihood: bool = False
) -> dict[str, Any]:
    """Return the estimates as plain data, with the names of the report that the API answers.

    Parameters
    ----------
    counted : Counted
        The counts of responses.
    confidence : float, default 0.95
        The confidence of each interval, inside (0, 1).
    likelihood : bool, default False
        True to estimate the distribution of numbers. The shares of whole reports are by maximum
        likelihood if their rows were counted.

    Returns
    -------
    dict
        Shares are fractions.
    """
    questions = []
    for question in counted.survey.counted:
        questions.append(
            _question_results(
                question,
                counted.tallies[question.key],
                confidence,
                row_counts=counted.row_counts.get(question.key),
                has_curve=likelihood,
            )
        )
    written = [question.key for question in counted.survey.questions if question.is_written]
    return {
        "title": counted.survey.title,
        "instrument": counted.survey.sha256,
        "n": counted.n,
        "confidence": confidence,
        "questions": questions,
        "not_counted": written,
    }


def _question_results(
    question: Question,
    tally: Tally,
    confidence: float,
    *,
    row_counts: IntArray | None,
    has_curve: bool,
) -> dict[str, Any]:
    """Return the results of one question."""
    mechanism = question.mechanism
    has_epsilon = question.spec is not None and math.isfinite(mechanism.epsilon)
    results: dict[str, Any] = {
        "key": question.key,
        "text": question.text,
        "design": question.design,
        "epsilon": mechanism.epsilon if has_epsilon else None,
        "n": tally.n,
        "interval_kind": best_interval(mechanism, simultaneous=False),
        "constrained_by": None,
        "choices": [],
        "number": None,
    }
    if not tally.n:
        return results
    estimate = mechanism.estimate(tally, confidence)
    if mechanism.tells_shares:
        possible = _possible_shares(question, estimate, row_counts)
        results["constrained_by"] = possible.method
        results["choices"] = _choice_results(question, estimate, possible.shares)
    if question.kind in ORDERED:
        results["number"] = _number_results(question, estimate, has_curve=has_curve)
    return results


def _possible_shares(
    question: Question, estimate: Estimate, row_counts: IntArray | None
) -> _PossibleShares:
    """Return possible shares; for answers that are sent as they are, the observed shares."""
    if question.spec is None:
        return _PossibleShares(shares=estimate.observed, method=None)
    if row_counts is not None:
        # If the search fails, the shares come from the counts alone.
        try:
            return _PossibleShares(shares=likeliest_shares(question, row_counts), method=LIKELIEST)
        except (ConvergenceError, ValueError):
            pass
    return _PossibleShares(shares=estimate.constrained, method=estimate.constrained_by)


def likeliest_shares(question: Question, row_counts: IntArray) -> FloatArray:
    """Return the shares under which the whole reports are likeliest.

    Parameters
    ----------
    question : Question
        A question whose reports are bits.
    row_counts : ndarray of int, shape (2**size,)
        How often each row of bits was sent, from `counting.counts_of_rows`.

    Returns
    -------
    ndarray of shape (size,)

    Raises
    ------
    ValueError
        If the reports are no bits, or the mechanism has no such shares.
    ConvergenceError
        If the search for the maximum fails.
    """
    mechanism = question.mechanism
    if not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"{question.key} has no reports of bits; allowed for whole reports are unary and subset"
        )
    row_numbers = np.flatnonzero(row_counts)
    # The first bit is the highest one of the number.
    shifts = np.arange(mechanism.size - 1, -1, -1)
    bits = (row_numbers[:, np.newaxis] >> shifts) & 1
    rows = np.packbits(bits.astype(np.uint8), axis=1)
    return mechanism.maximum_likelihood_packed(rows, times=row_counts[row_numbers])


def _choice_results(
    question: Question, estimate: Estimate, possible: FloatArray
) -> list[dict[str, Any]]:
    """Return the results of each answer."""
    choices = []
    for index, label in enumerate(question.labels):
        n = int(estimate.informative_reports[index])
        interval = [_number_or_none(end) for end in estimate.intervals[index]]
        choices.append(
            {
                "label": label,
                "n": n,
                "observed": _number_or_none(estimate.observed[index]),
                "estimate": _number_or_none(estimate.proportions[index]),
                "standard_error": _number_or_none(estimate.standard_errors[index]),
                "interval": interval if n else None,
                "constrained": _number_or_none(possible[index]),
            }
        )
    return choices


def _number_or_none(value: Any) -> float | None:
    """Return the value as a float, or None for nan."""
    if np.isnan(value):
        return None
    return float(value)


def _number_results(
    question: Question, estimate: Estimate, *, has_curve: bool
) -> dict[str, Any] | None:
    """Return the mean of the people who gave a number, or None if all seem to have declined.

    The mean is in the question's own unit; a scale counts from 1. If `has_curve` is true, the
    results have the likeliest share of answers up to each number.
    """
    size = len(question.labels)
    points = size if question.declined is None else size - 1
    first = 1
    step = 1
    if question.kind == "quantity":
        first = int(question.labels[0])
        step = int(question.labels[1]) - first
    try:
        mean = _mean_of_codes(estimate, size, points)
    except ValueError:
        return None
    low, high = mean.interval
    results: dict[str, Any] = {
        "mean": first + step * mean.value,
        "standard_error": step * mean.standard_error,
        "interval": [first + step * low, first + step * high],
    }
    if has_curve:
        numbers = range(first, first + step * points, step)
        results["curve"] = _curve(estimate.constrained[:points], numbers)
    return results


def _mean_of_codes(estimate: Estimate, size: int, points: int) -> Functional:
    """Return the mean of the codes below `points`, among the people who gave one of them."""
    codes = np.arange(size)
    if points == size:
        return estimate.functional(codes * np.ones(size))
    is_number = (codes < points).astype(np.float64)
    return estimate.mean_ratio(codes * is_number, is_number)


def _curve(shares: FloatArray, numbers: range) -> list[dict[str, float]]:
    """Return the share of answers up to each number at which it rises; the last one is 1."""
    cumulative = np.cumsum(shares)
    points = []
    for index in np.flatnonzero(shares).tolist():
        share = float(cumulative[index] / cumulative[-1])
        points.append({"number": numbers[index], "share": share})
    return points


def as_table(results: dict[str, Any]) -> str:
    """Return the estimates as a text for reading, in percent.

    Parameters
    ----------
    results : dict
        The estimates as `as_json` returns them.

    Returns
    -------
    str
    """
    lines = [
        f"{results['n']:,} responses to “{results['title']}”, "
        f"instrument {results['instrument'][:16]}"
    ]
    for question in results["questions"]:
        lines += ["", f"{question['key']}: {question['text']}", _design_line(question)]
        width = max((len(choice["label"]) for choice in question["choices"]), default=0)
        for choice in question["choices"]:
            lines.append(f"  {choice['label']:<{width}}  {_estimate_text(choice)}")
        if question["number"]:
            lines.append(_mean_line(question["number"]))
    if results["not_counted"]:
        keys = ", ".join(results["not_counted"])
        lines += [
            "",
            f"Not counted here, since people write the answers: {keys}. "
            "The survey's report counts candidates.",
        ]
    return "\n".join(lines)


def _design_line(question: dict[str, Any]) -> str:
    n = f"{question['n']:,}"
    if question["design"] is None:
        return f"  n = {n}, sent as it is"
    epsilon = "infinite" if question["epsilon"] is None else round_up(question["epsilon"])
    line = (
        f"  n = {n}, {question['design']}, epsilon {epsilon}, {question['interval_kind']} intervals"
    )
    if question["choices"]:
        line += f"; possible shares by {question['constrained_by']}"
    return line


def _estimate_text(choice: dict[str, Any]) -> str:
    if choice["interval"] is None:
        return "no report speaks of it"
    low, high = choice["interval"]
    estimate = f"{choice['estimate']:8.3%} ± {choice['standard_error']:.3%}"
    return f"{estimate}, {low:.3%} to {high:.3%}, possible {choice['constrained']:.3%}"


def _mean_line(number: dict[str, Any]) -> str:
    low, high = number["interval"]
    mean = f"{number['mean']:.4g} ± {number['standard_error']:.2g}"
    return f"  mean {mean}, {low:.4g} to {high:.4g}"
