"""The report: from the running tally to corrected shares, as one plain object that pages and API show alike."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from django.conf import settings

from mechanisms import Estimate, Mechanism, Tally, UnaryEncoding
from surveys.ballots.reader import released
from surveys.models import Instrument
from surveys.publishing.instruments import Item, Paper, paper
from surveys.reporting import intervals, likeliest
from surveys.reporting.intervals import CONFIDENCE
from surveys.reporting.numbers import level
from surveys.reporting.subgroups import Group, tally_of

EVERYBODY = Group()
NOTHING: Mapping[str, list[float]] = {}
YES = 1  # its index in every yes/no question


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

    @property
    def reaches_outside(self) -> bool:
        """Whether the interval holds shares that are not possible."""
        return self.interval is not None and (self.interval[0] < 0 or self.interval[1] > 1)


@dataclass(frozen=True)
class QuestionReport:
    """`basis` is what the library estimated, None while there is no response.

    interval_kind, confidence, simultaneous: what the intervals are; the last says that all of them hold together.
    """

    key: str
    text: str
    kind: str
    design: str | None  # as in the spec, for programs
    design_title: str | None  # the same for readers
    epsilon: float | None
    n: int  # reports to this question
    choices: tuple[ChoiceReport, ...]
    constrained_by: str | None
    interval_kind: str = intervals.USUAL
    confidence: float = CONFIDENCE
    simultaneous: bool = False
    mode: str = "automatic"  # who drew: see surveys.designs.modes
    missing: int = 0  # responses without a report to this question
    basis: Estimate | None = field(default=None, repr=False, compare=False)

    @property
    def is_yes_no(self) -> bool:
        return self.kind == "yes-no"

    @property
    def is_number(self) -> bool:
        """A background number, whose choices are all the numbers that were allowed."""
        return self.kind == "number"

    @property
    def has_outside(self) -> bool:
        return any(choice.is_outside or choice.reaches_outside for choice in self.choices)

    @property
    def interval_name(self) -> str:
        return intervals.named(self.confidence, self.interval_kind, self.simultaneous)

    @property
    def level_name(self) -> str:
        return level(self.confidence)

    @property
    def adds_up(self) -> bool:
        """Whether each respondent counts under one answer only, so that shares sum to 1 and sums are shares."""
        return self.basis is not None and getattr(self.basis.mechanism, "select", "one") == "one"

    def ordered(self, *, by_size: bool = False) -> list[tuple[int, ChoiceReport]]:
        """(index, choice) as people read them: as asked with Yes before No, or the largest share first.

        Numbers keep their natural order.
        """
        numbered = list(enumerate(self.choices))
        if self.is_yes_no:
            return [numbered[1], numbered[0], *numbered[2:]]
        if self.is_number:
            return numbered
        return sorted(numbered, key=lambda pair: -(pair[1].estimate or 0)) if by_size else numbered


@dataclass(frozen=True)
class SurveyReport:
    survey: str
    title: str
    instrument: str
    n: int
    waiting: int
    epsilon: float
    questions: tuple[QuestionReport, ...]
    confidence: float = CONFIDENCE
    simultaneous: bool = False
    import_only: bool = False

    @property
    def proves(self) -> bool:
        """Whether some report proves what a person answered: the privacy loss is infinite."""
        return math.isinf(self.epsilon)

    @property
    def has_background(self) -> bool:
        """Whether some answers are not randomized; epsilon does not count them."""
        return any(question.design is None for question in self.questions)

    @property
    def is_small(self) -> bool:
        """Too few responses for a statement."""
        return self.n < settings.FEW_RESPONSES


def report(
    instrument: Instrument,
    confidence: float = CONFIDENCE,
    interval: str | None = None,
    group: Group = EVERYBODY,
    *,
    simultaneous: bool = False,
) -> SurveyReport:
    """Reads what was released only, in one statement: the instrument's running tally, or of a group row by row.

    surveys.reporting.subgroups.TooSmall for a group of few; Invalid as for `summarize`.
    """
    tally, waiting = released(instrument)
    if group:
        tally = tally_of(instrument, group)
    asked = {"confidence": confidence, "interval": interval, "simultaneous": simultaneous}
    possible = {} if group else likeliest.kept(instrument, tally["n"])
    return summarize(paper(instrument), tally, waiting, possible=possible, **asked)


def summarize(
    frozen: Paper,
    tally: dict,
    waiting: int = 0,
    *,
    confidence: float = CONFIDENCE,
    interval: str | None = None,
    simultaneous: bool = False,
    possible: Mapping[str, list[float]] = NOTHING,
) -> SurveyReport:
    """The report that a tally gives: see surveys.ballots.records.tally.

    interval: the kind for all questions; unless given, the best that each design has. simultaneous: whether the
    intervals of a question hold together. ValueError for a confidence outside (0, 1) or a kind that the library does
    not know; Invalid for one that a design of the survey does not have.
    possible: question key -> the likeliest shares of whole reports, where there are such.
    """
    intervals.check(frozen.items, interval)
    asked = intervals.Asked(confidence, interval, simultaneous)
    return SurveyReport(
        survey=frozen.survey,
        title=frozen.title,
        instrument=frozen.sha256,
        n=tally["n"],
        waiting=waiting,
        epsilon=frozen.epsilon,
        questions=tuple(_question(item, tally, asked, possible.get(item.key)) for item in frozen.items),
        confidence=confidence,
        simultaneous=simultaneous,
        import_only=frozen.import_only,
    )


@lru_cache(maxsize=64)
def untouched(size: int) -> Mechanism:
    """Background answers are sent as they are: the mechanism that changes nothing, so that all is estimated alike."""
    return UnaryEncoding(size, 1, 0)


def _question(item: Item, tally: dict, asked: intervals.Asked, possible: list[float] | None) -> QuestionReport:
    """Of n reports; where some may be missing, that are fewer than the responses."""
    n = tally.get("answered", {}).get(item.key, tally["n"])
    mechanism = item.mechanism or untouched(item.size)
    kind, estimate = asked.kind_for(mechanism), None
    if n:
        reports = Tally(n, np.array(tally["counts"][item.key]))
        estimate = mechanism.estimate(reports, asked.confidence, kind, simultaneous=asked.simultaneous)
    return QuestionReport(
        key=item.key,
        text=item.text,
        kind=item.kind,
        design=item.mechanism.name if item.mechanism else None,
        design_title=item.mechanism.title if item.mechanism else None,
        epsilon=item.epsilon,
        n=n,
        choices=_choices(item, estimate, possible) if estimate else tuple(map(ChoiceReport, item.choices)),
        constrained_by=_constrained_by(item, estimate, possible),
        interval_kind=kind,
        confidence=asked.confidence,
        simultaneous=asked.simultaneous,
        mode=item.mode,
        missing=tally["n"] - n,
        basis=estimate,
    )


def _constrained_by(item: Item, estimate: Estimate | None, possible: list[float] | None) -> str | None:
    if estimate is None or item.mechanism is None:
        return None
    return likeliest.NAME if possible else estimate.constrained_by


def _choices(item: Item, estimate: Estimate, possible: list[float] | None) -> tuple[ChoiceReport, ...]:
    constrained = possible or (estimate.constrained if item.mechanism else estimate.observed)
    columns = (estimate.observed, estimate.proportions, estimate.standard_errors)
    rows = zip(item.choices, *(map(float, column) for column in columns), estimate.intervals, constrained, strict=True)
    return tuple(
        ChoiceReport(label, observed, share, error, (float(ends[0]), float(ends[1])), float(possible))
        for label, observed, share, error, ends, possible in rows
    )
