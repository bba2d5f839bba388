"""What was counted -> estimates with their uncertainty, as the report of the survey has them: as JSON or as a table."""

import math
from typing import Any

import numpy as np

from mechanisms.batches.counting import Counted
from mechanisms.batches.questions import Question
from mechanisms.checks import FloatArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.estimation.estimates import Estimate, Functional, best_interval
from mechanisms.estimation.mixtures import ConvergenceError
from mechanisms.estimation.tallies import Tally
from mechanisms.planning.privacy import round_up

ORDERED = ("quantity", "scale")
LIKELIEST = "maximum likelihood of whole reports"


def as_json(
    counted: Counted, confidence: float = 0.95, *, likelihood: bool = False
) -> dict[str, Any]:
    """Plain data, with the names of the report that the API answers. Shares are fractions.

    likelihood: whether to find the likeliest shares: of reports whose forms were counted, and of numbers.
    """
    questions = [
        _question(
            question,
            counted.tallies[question.key],
            confidence,
            counted.forms.get(question.key),
            likelihood,
        )
        for question in counted.survey.counted
    ]
    return {
        "title": counted.survey.title,
        "instrument": counted.survey.sha256,
        "n": counted.n,
        "confidence": confidence,
        "questions": questions,
        "not_counted": [
            question.key for question in counted.survey.questions if question.is_written
        ],
    }


def _question(
    question: Question, tally: Tally, confidence: float, times: Any, likelihood: bool
) -> dict[str, Any]:
    mechanism = question.mechanism
    estimate = mechanism.estimate(tally, confidence) if tally.n else None
    shown, constrained_by = _possible(question, estimate, times)
    has_choices = estimate is not None and mechanism.tells_shares
    return {
        "key": question.key,
        "text": question.text,
        "design": question.design,
        "epsilon": mechanism.epsilon
        if question.spec is not None and math.isfinite(mechanism.epsilon)
        else None,
        "n": tally.n,
        "interval_kind": best_interval(mechanism, simultaneous=False),
        "constrained_by": constrained_by,
        "choices": _choices(question, estimate, shown) if has_choices and estimate else [],
        "number": _number(question, estimate, likelihood)
        if estimate and question.kind in ORDERED
        else None,
    }


def _possible(
    question: Question, estimate: Estimate | None, times: Any
) -> tuple[FloatArray | None, str | None]:
    """Possible shares, and how they are made; of answers that are sent as they are the shares themselves."""
    if estimate is None or not question.mechanism.tells_shares:
        return None, None
    if question.spec is None:
        return estimate.observed, None
    if times is not None:
        try:
            return likeliest(question, times), LIKELIEST
        except (ConvergenceError, ValueError):  # what the counts alone say is shown instead
            pass
    return estimate.constrained, estimate.constrained_by


def likeliest(question: Question, times: Any) -> FloatArray:
    """The shares under which reports are likeliest that came so often, by their number: `counting.forms_of`."""
    mechanism = question.mechanism
    if not isinstance(mechanism, BitMechanism):
        raise ValueError(
            f"{question.key} has no reports of bits; allowed for whole reports are unary and subset"
        )
    size = mechanism.size
    came = np.flatnonzero(times)
    bits = (came[:, np.newaxis] >> np.arange(size - 1, -1, -1)) & 1
    return mechanism.maximum_likelihood_packed(
        np.packbits(bits.astype(np.uint8), axis=1), times=times[came]
    )


def _choices(
    question: Question, estimate: Estimate, possible: FloatArray | None
) -> list[dict[str, Any]]:
    columns = (
        estimate.informative_reports,
        estimate.observed,
        estimate.proportions,
        estimate.standard_errors,
        estimate.intervals,
    )
    rows = zip(question.labels, *columns, [] if possible is None else possible, strict=True)
    return [
        {
            "label": label,
            "n": int(n),
            "observed": _float(observed),
            "estimate": _float(share),
            "standard_error": _float(error),
            "interval": [_float(end) for end in interval] if n else None,
            "constrained": _float(constrained),
        }
        for label, n, observed, share, error, interval, constrained in rows
    ]


def _float(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _number(question: Question, estimate: Estimate, likelihood: bool) -> dict[str, Any] | None:
    """The mean of those who gave a number, in the question's own unit; a scale counts from 1. With the likeliest
    distribution, where that is asked for: the share of answers up to each number."""
    points = len(question.labels) - (question.declined is not None)
    first, step = 1, 1
    if question.kind == "quantity":
        first = int(question.labels[0])
        step = int(question.labels[1]) - first
    given = (np.arange(len(question.labels)) < points).astype(np.float64)
    try:
        found = _mean(estimate, given, is_all=points == len(given))
    except ValueError:  # all seem to have declined
        return None
    low, high = found.interval
    numbers = range(first, first + step * points, step)
    return {
        "mean": first + step * found.value,
        "standard_error": step * found.standard_error,
        "interval": [first + step * low, first + step * high],
        **({"curve": _curve(estimate.constrained[:points], numbers)} if likelihood else {}),
    }


def _curve(shares: FloatArray, numbers: range) -> list[dict[str, float]]:
    """Where it rises; ends at 1."""
    until = np.cumsum(shares)
    return [
        {"number": numbers[at], "share": float(until[at] / until[-1])}
        for at in np.flatnonzero(shares).tolist()
    ]


def _mean(estimate: Estimate, given: FloatArray, *, is_all: bool) -> Functional:
    places = np.arange(len(given)) * given
    return estimate.functional(places) if is_all else estimate.mean_ratio(places, given)


def as_table(found: dict[str, Any]) -> str:
    """The same for reading, in percent."""
    lines = [
        f"{found['n']:,} responses to “{found['title']}”, instrument {found['instrument'][:16]}"
    ]
    for question in found["questions"]:
        lines += ["", f"{question['key']}: {question['text']}", _about(question)]
        width = max((len(choice["label"]) for choice in question["choices"]), default=0)
        lines += [
            f"  {choice['label']:<{width}}  {_line(choice)}" for choice in question["choices"]
        ]
        if question["number"]:
            number = question["number"]
            low, high = number["interval"]
            lines.append(
                f"  mean {number['mean']:.4g} ± {number['standard_error']:.2g}, {low:.4g} to {high:.4g}"
            )
    if found["not_counted"]:
        keys = ", ".join(found["not_counted"])
        lines += [
            "",
            f"Not counted here, since people write the answers: {keys}. The survey's report counts candidates.",
        ]
    return "\n".join(lines)


def _about(question: dict[str, Any]) -> str:
    if question["design"] is None:
        return f"  n = {question['n']:,}, sent as it is"
    loss = "infinite" if question["epsilon"] is None else round_up(question["epsilon"])
    by = f"; possible shares by {question['constrained_by']}" if question["choices"] else ""
    return f"  n = {question['n']:,}, {question['design']}, epsilon {loss}, {question['interval_kind']} intervals{by}"


def _line(choice: dict[str, Any]) -> str:
    if choice["interval"] is None:
        return "no report speaks of it"
    low, high = choice["interval"]
    shown = f"{choice['estimate']:8.3%} ± {choice['standard_error']:.3%}, {low:.3%} to {high:.3%}"
    return f"{shown}, possible {choice['constrained']:.3%}"
