"""The report: from the running tally to corrected shares, as one plain object that pages and API show alike."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from django.conf import settings

from mechanisms import Estimate, FiniteEstimate, Tally
from mechanisms.designs.unary import identity_mechanism
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.response_format import QuestionSubset
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.fieldwork.responses.released import read_released
from surveys.fieldwork.tickets.invitees import Counts, counts
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates import intervals, maximum_likelihood
from surveys.results.estimates.heavy_hitters import detect_choices
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.numeric import average
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.site import turn

EVERYBODY = Group()
NOTHING: Mapping[str, list[float]] = {}
FEW_ASKED = (
    f"Not estimated: fewer than {MINIMUM} people got this question, in this group or outside it."
)
WRITTEN = "Answers are counted only for texts you list."


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
    draw: QuestionSubset | None = None  # None where everybody was asked all questions
    sampling: bool = True
    invited: Counts | None = None  # None where anybody could answer
    invented: bool = False  # whether a simulation sent some of the answers

    @property
    def proves(self) -> bool:  # of some person what they answered
        return math.isinf(self.epsilon)

    @property
    def has_background(self) -> bool:
        """Whether some answers are not randomized; epsilon does not count them."""
        return any(question.design is None for question in self.questions)

    @property
    def is_small(self) -> bool:  # for a statement
        return self.n < settings.FEW_RESPONSES


def report(
    instrument: Instrument,
    confidence: float = CONFIDENCE,
    interval: str | None = None,
    group: Group = EVERYBODY,
    *,
    simultaneous: bool = False,
    sampling: bool = True,
    seen: ReaderView | None = None,
) -> SurveyReport:
    """Reads what was released only, in one statement: the instrument's running tally, or of a group row by row.

    seen: what its reader may see; unless given, what everybody may who has the report.
    results.disclosure.subgroups.TooSmall for a group of few,
    results.disclosure.access.NotAReportGroup for one that this
    reader may not ask for; Invalid as for `summarize`.
    """
    seen = seen or view_for_reader(instrument, has_rows=False)
    tally, waiting = seen.tally(group), read_released(instrument).waiting
    asked = {
        "confidence": confidence,
        "interval": interval,
        "simultaneous": simultaneous,
        "sampling": sampling,
    }
    possible = {} if group else maximum_likelihood.stored_shares(instrument, tally["n"])
    possible = {
        key: shares for key, shares in possible.items() if not seen.visibility_note(key)
    }  # else of others than the tally
    summary = summarize(
        seen.definition, tally, waiting, possible=possible, told=seen.visibility_note, **asked
    )
    return (
        replace(summary, invited=counts(instrument.survey)) if seen.definition.tickets else summary
    )


def summarize(
    frozen: SurveyDefinition,
    tally: dict,
    waiting: int = 0,
    *,
    confidence: float = CONFIDENCE,
    interval: str | None = None,
    simultaneous: bool = False,
    sampling: bool = True,
    possible: Mapping[str, list[float]] = NOTHING,
    told: Callable[[str], str] = lambda key: "",
) -> SurveyReport:
    """The report that a tally gives: see surveys.fieldwork.responses.records.count_responses.

    interval: the kind for all questions; unless given, the best that each design has. simultaneous, sampling: as of
    `QuestionReport`. ValueError for a confidence outside (0, 1) or a kind that the library does not know; Invalid for
    one that a design of the survey does not have. possible: question key -> the likeliest shares of whole reports.
    told: what a reader is told of a background question that shows groups, or nothing.
    """
    asked = intervals.IntervalOptions(confidence, interval, simultaneous, sampling)
    intervals.validate_options(frozen, asked)
    return SurveyReport(
        survey=frozen.survey,
        title=frozen.title,
        instrument=frozen.sha256,
        n=tally["n"],
        waiting=waiting,
        epsilon=frozen.epsilon,
        questions=tuple(
            replace(
                summarize_question(item, tally, asked, possible.get(item.key), told(item.key)),
                drawn=frozen.is_drawn(item.key),
                whom=item.condition_text,
            )
            for item in frozen.items
        ),
        confidence=confidence,
        simultaneous=simultaneous,
        import_only=frozen.import_only,
        draw=frozen.draw,
        sampling=sampling,
        invented=frozen.invented,
    )


def summarize_question(
    item: QuestionDefinition,
    tally: dict,
    asked: intervals.IntervalOptions,
    possible: list[float] | None = None,
    told: str = "",
) -> QuestionReport:
    """Of n reports; where some may be missing, or not all were asked, that are fewer than the responses.

    Where background answers decided whom it was asked, nothing is estimated from fewer than MINIMUM.
    """
    turn.count_work()  # between questions nobody is kept waiting for longer than was promised
    n, on_path = (
        tally.get("answered", {}).get(item.key, tally["n"]),
        tally.get("on_path", {}).get(item.key),
    )
    is_small = bool(item.when) and n < MINIMUM
    mechanism = item.mechanism or identity_mechanism(item.size)
    kind, estimate = asked.kind_for(mechanism), None
    if n and not is_small and not item.is_written:
        reports = Tally(n, unpack(tally["counts"][item.key]))
        estimate = mechanism.estimate(
            reports, asked.confidence, kind, simultaneous=asked.simultaneous
        )
        if (
            not asked.sampling
        ):  # of those of whom it was drawn whether they are asked, or of all who were asked
            estimate = FiniteEstimate(estimate, on_path or (n if item.when else tally["n"]))
    return QuestionReport(
        key=item.key,
        text=item.full_text,
        kind=item.kind,
        short=item.short,
        design=item.mechanism.name if item.mechanism else None,
        design_title=item.mechanism.title if item.mechanism else None,
        epsilon=item.epsilon,
        n=n,
        choices=_choices(item, estimate, possible),
        constrained_by=_constrained_by(item, estimate, possible),
        interval_kind=kind,
        confidence=asked.confidence,
        simultaneous=asked.simultaneous,
        is_list=item.is_list,
        mode=item.mode,
        missing=0 if told else tally["n"] - n,
        told=told
        or (WRITTEN if item.is_written and n else "")
        or (FEW_ASKED if is_small and tally["n"] else ""),
        average=average(item, estimate),
        on_path=on_path,
        sampling=asked.sampling,
        found=detect_choices(item, estimate),
        declined=None if item.mechanism else item.decline_code,
        none=item.none,
        grid=item.grid,
        values=item.values.texts,
        basis=estimate,
    )


def _constrained_by(
    item: QuestionDefinition, estimate: Estimate | None, possible: list[float] | None
) -> str | None:
    if estimate is None or item.mechanism is None or not item.tells_shares:
        return None
    return maximum_likelihood.NAME if possible else estimate.constrained_by


def _choices(
    item: QuestionDefinition, estimate: Estimate | None, possible: list[float] | None
) -> tuple[ChoiceReport, ...]:
    if not item.tells_shares:
        return ()
    if estimate is None:
        return tuple(map(ChoiceReport, item.choices))
    constrained = possible or (estimate.constrained if item.mechanism else estimate.observed)
    columns = (estimate.observed, estimate.proportions, estimate.standard_errors)
    ends = zip(*estimate.intervals.T.tolist(), strict=True)
    parts = (
        *(column.tolist() for column in columns),
        ends,
        np.asarray(constrained).tolist(),
        estimate.informative_reports.tolist(),
    )
    rows = map(ChoiceReport, item.choices, *parts)
    return tuple(row if row.n else ChoiceReport(row.label) for row in rows)
