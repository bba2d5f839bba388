"""The report: from the running tally to corrected shares, as one plain object that pages and API show alike."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from mechanisms import Estimate, Tally
from surveys.ballots.inbox import waiting
from surveys.instruments import Item, Paper
from surveys.models import Instrument
from surveys.publishing import paper

CONFIDENCE = 0.95
INTERVAL = "wilson"
FEW = 30  # below this many responses a report warns instead of pretending


@dataclass(frozen=True)
class ChoiceReport:
    """Shares as fractions of all respondents; None while there is no response."""

    label: str
    observed: float | None = None
    estimate: float | None = None
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    constrained: float | None = None

    @property
    def is_outside(self) -> bool:
        """Whether the unbiased estimate is no possible share."""
        return self.estimate is not None and not 0 <= self.estimate <= 1


@dataclass(frozen=True)
class QuestionReport:
    key: str
    text: str
    kind: str
    design: str | None  # as in the spec, for programs
    design_title: str | None  # the same for readers
    epsilon: float | None
    n: int
    choices: tuple[ChoiceReport, ...]
    constrained_by: str | None

    @property
    def has_outside(self) -> bool:
        return any(choice.is_outside for choice in self.choices)

    @property
    def headline(self) -> ChoiceReport | None:
        """The choice a reader asks for first, where there is one: the Yes of a yes/no question."""
        return self.choices[1] if self.kind == "yes-no" else None


@dataclass(frozen=True)
class SurveyReport:
    survey: str
    title: str
    instrument: str
    n: int
    waiting: int
    epsilon: float
    questions: tuple[QuestionReport, ...]

    @property
    def is_small(self) -> bool:
        return self.n < FEW


def report(instrument: Instrument) -> SurveyReport:
    """Reads sealed batches only, as the instrument's running tally has them, in one statement."""
    tally = Instrument.objects.values_list("tally", flat=True).get(pk=instrument.pk) or {"n": 0, "counts": {}}
    return summarize(paper(instrument), tally, waiting(instrument))


def summarize(frozen: Paper, tally: dict, in_inbox: int = 0) -> SurveyReport:
    """The report that a tally {"n", "counts": {question key: counts}} gives."""
    return SurveyReport(
        survey=frozen.survey,
        title=frozen.title,
        instrument=frozen.sha256,
        n=tally["n"],
        waiting=in_inbox,
        epsilon=frozen.epsilon,
        questions=tuple(_question(item, tally["n"], tally["counts"].get(item.key)) for item in frozen.items),
    )


def _question(item: Item, n: int, counts: list[int] | None) -> QuestionReport:
    estimate = _estimate(item, n, counts) if n else None
    return QuestionReport(
        key=item.key,
        text=item.text,
        kind=item.kind,
        design=item.mechanism.name if item.mechanism else None,
        design_title=item.mechanism.title if item.mechanism else None,
        epsilon=item.epsilon,
        n=n,
        choices=_choices(item, n, counts, estimate),
        constrained_by=estimate.constrained_by if estimate and item.mechanism else None,
    )


def _estimate(item: Item, n: int, counts: list[int]) -> Estimate | None:
    if item.mechanism is None:
        return None
    return item.mechanism.estimate(Tally(n, np.array(counts)), confidence=CONFIDENCE, interval=INTERVAL)


def _choices(item: Item, n: int, counts: list[int] | None, estimate: Estimate | None) -> tuple[ChoiceReport, ...]:
    if not n:
        return tuple(ChoiceReport(label) for label in item.choices)
    if estimate is None:
        return tuple(_direct(label, count, n) for label, count in zip(item.choices, counts, strict=True))
    return tuple(
        ChoiceReport(
            label=label,
            observed=counts[v] / n,
            estimate=float(estimate.proportions[v]),
            standard_error=float(estimate.standard_errors[v]),
            interval=(float(estimate.intervals[v, 0]), float(estimate.intervals[v, 1])),
            constrained=float(estimate.constrained[v]),
        )
        for v, label in enumerate(item.choices)
    )


def _direct(label: str, count: int, n: int) -> ChoiceReport:
    """A background choice was sent as it is: the observed share is the estimate."""
    share = count / n
    interval = binomtest(count, n).proportion_ci(CONFIDENCE, INTERVAL)
    error = (share * (1 - share) / n) ** 0.5
    return ChoiceReport(label, share, share, error, (float(interval.low), float(interval.high)), share)


def as_json(result: SurveyReport) -> dict:
    """The report as it travels; epsilon is None where nothing is randomized."""
    return {
        "survey": result.survey,
        "instrument": result.instrument,
        "n": result.n,
        "waiting": result.waiting,
        "epsilon": result.epsilon,
        "questions": [
            {
                "key": question.key,
                "text": question.text,
                "design": question.design,
                "epsilon": question.epsilon,
                "n": question.n,
                "choices": [
                    {
                        "label": choice.label,
                        "observed": choice.observed,
                        "estimate": choice.estimate,
                        "standard_error": choice.standard_error,
                        "interval": list(choice.interval) if choice.interval else None,
                        "constrained": choice.constrained,
                    }
                    for choice in question.choices
                ],
            }
            for question in result.questions
        ],
    }
