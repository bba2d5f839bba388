"""The report: from the running tally to corrected shares, as one plain object that pages and API show alike."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from django.conf import settings

from mechanisms import Estimate, FiniteEstimate, Tally
from mechanisms.designs.unary import untouched
from surveys.definition.instrument import Draw, FrozenQuestion, FrozenSurvey
from surveys.definition.kinds import BANDS, kind_of
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.fieldwork.responses.released import released
from surveys.fieldwork.tickets.invitees import Counts, counts
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView, sight
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates import answer_order, intervals, maximum_likelihood
from surveys.results.estimates.heavy_hitters import Found, found
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.numeric import Average, average
from surveys.results.estimates.share_wording import Said
from surveys.site import turn
from surveys.site.number_format import level

EVERYBODY = Group()
NOTHING: Mapping[str, list[float]] = {}
FEW_ASKED = f"Not estimated: fewer than {MINIMUM} people got this question, in this group or outside it."
MOST_DRAWN = 20  # choices of a long list that a figure has rows for
WRITTEN = "Answers are counted only for texts you list."
YES = 1  # its index in every yes/no question


class ChoiceReport(NamedTuple):
    """Shares as fractions of all respondents; None while no report speaks of the choice. Of a long list there are very
    many, hence no dataclass.

    n: reports that speak of it. Those of the question, unless a device picks what its report speaks of.
    """

    label: str
    observed: float | None = None
    estimate: float | None = None
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    constrained: float | None = None
    n: int = 0

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
    choices: none of a question that was made for the mean. average: of numbers and scales, with responses.
    """

    key: str
    text: str
    kind: str
    short: str  # its name in titles; the text stands beneath
    design: str | None  # as in the spec, for programs
    design_title: str | None  # the same for readers
    epsilon: float | None
    n: int  # reports to this question
    choices: tuple[ChoiceReport, ...]
    constrained_by: str | None
    interval_kind: str = intervals.USUAL
    confidence: float = CONFIDENCE
    simultaneous: bool = False
    mode: str = "automatic"  # who drew: see surveys.definition.designs.modes
    missing: int = 0  # responses without a report to this question
    told: str = ""  # why, and as of when, it shows groups, or nothing
    drawn: bool = False  # whether that is because a lot decided whom it was asked
    whom: str = ""  # or because background answers did: of whom it was asked, in words
    on_path: int | None = None  # or both: of how many it would have been asked, had every device picked it
    average: Average | None = None
    is_list: bool = False  # whether what is found comes first, and all other choices are searched
    found: Found | None = None  # of a list of very many choices, with responses
    declined: int | None = None  # of a background question: the place of “Prefer not to say” among its choices
    none: int | None = None  # the code of the answer that means none of the others, which has no rank among them
    grid: str = ""  # the heading of the grid of which it is a row
    sampling: bool = True  # whether errors and intervals hold the sampling too: surveys.results.estimates.intervals
    basis: Estimate | None = field(default=None, repr=False, compare=False)

    @property
    def is_yes_no(self) -> bool:
        return kind_of(self).has_yes

    @property
    def is_number(self) -> bool:
        """A background number, whose choices are all the numbers that were allowed."""
        return kind_of(self).is_background_number

    @property
    def is_written(self) -> bool:
        return kind_of(self).is_written

    @property
    def has_figure(self) -> bool:
        """Whether there is a share or a mean to draw."""
        there = self.told_apart() if self.is_list else self.choices or self.average
        return self.basis is not None and bool(there) and not self.all_declined

    @property
    def share_declined(self) -> float:
        """Of the responses to a background question, those that preferred not to say."""
        return 0.0 if self.declined is None or self.basis is None else float(self.basis.observed[self.declined])

    @property
    def all_declined(self) -> bool:
        """Whether a background number has responses, and no number among them."""
        return self.is_number and self.share_declined == 1

    @property
    def is_ordered(self) -> bool:
        """A sensitive number or scale, whose answers keep their order."""
        return kind_of(self).is_ordered

    @property
    def has_order(self) -> bool:
        """A background number, as its numbers or as bands of them: surveys.results.disclosure.access."""
        return self.is_number or self.kind == BANDS

    @property
    def interval_name(self) -> str:
        return intervals.named(self.confidence, self.interval_kind, self.simultaneous, self.sampling)

    @property
    def told_apart_name(self) -> str:
        return intervals.named(self.confidence, intervals.EXACT, True) if self.found else self.interval_name

    @property
    def level_name(self) -> str:
        return level(self.confidence)

    @property
    def picks(self) -> bool:
        """Whether devices picked what their reports speak of, so that each choice has an n of its own."""
        return self.basis is not None and self.basis.mechanism.asked < 1

    @property
    def fewest(self) -> int:  # of how many reports the share is that has the fewest
        return min((choice.n for choice in self.choices), default=self.n)

    @property
    def adds_up(self) -> bool:
        """Whether each respondent counts under one answer only, so that shares sum to 1 and sums are shares."""
        return self.basis is not None and self.basis.mechanism.select == "one" and bool(self.choices)

    def withholds(self, choice: ChoiceReport) -> bool:  # as too uncertain; what was counted is known
        return bool(self.design and choice.interval and Said(choice.estimate, *choice.interval).is_wide)

    def ordered(self, *, by_size: bool = False) -> list[tuple[int, ChoiceReport]]:
        """(index, choice) as people read them; by_size: the largest share first, where they have no order."""
        return answer_order.ordered(self, by_size=by_size)

    def told_apart(self) -> list[tuple[int, ChoiceReport]]:
        """(index, choice) of those of a list that can be told from 0, the largest first, with intervals that hold
        together; of what is not scrambled those that somebody chose.
        """
        if self.found:
            return [(one.code, self.choices[one.code]._replace(interval=one.interval)) for one in self.found.choices]
        chosen = [(v, choice) for v, choice in enumerate(self.choices) if not self.design and choice.observed]
        return sorted(chosen, key=lambda pair: -pair[1].observed)

    def drawn_choices(self, *, by_size: bool = True) -> list[tuple[int, ChoiceReport]]:
        """What a figure has rows for: of a list the first few that can be told from 0, else every choice."""
        return self.told_apart()[:MOST_DRAWN] if self.is_list else self.ordered(by_size=by_size)


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
    draw: Draw | None = None  # None where everybody was asked all questions
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
    results.disclosure.subgroups.TooSmall for a group of few, results.disclosure.access.NotOfTheCut for one that this
    reader may not ask for; Invalid as for `summarize`.
    """
    seen = seen or sight(instrument, has_rows=False)
    tally, waiting = seen.tally(group), released(instrument).waiting
    asked = {"confidence": confidence, "interval": interval, "simultaneous": simultaneous, "sampling": sampling}
    possible = {} if group else maximum_likelihood.kept(instrument, tally["n"])
    possible = {key: shares for key, shares in possible.items() if not seen.told(key)}  # else of others than the tally
    summary = summarize(seen.frozen, tally, waiting, possible=possible, told=seen.told, **asked)
    return replace(summary, invited=counts(instrument.survey)) if seen.frozen.tickets else summary


def summarize(
    frozen: FrozenSurvey,
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
    """The report that a tally gives: see surveys.fieldwork.responses.records.tally.

    interval: the kind for all questions; unless given, the best that each design has. simultaneous, sampling: as of
    `QuestionReport`. ValueError for a confidence outside (0, 1) or a kind that the library does not know; Invalid for
    one that a design of the survey does not have. possible: question key -> the likeliest shares of whole reports.
    told: what a reader is told of a background question that shows groups, or nothing.
    """
    asked = intervals.Asked(confidence, interval, simultaneous, sampling)
    intervals.check(frozen, asked)
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
                whom=item.whom,
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
    item: FrozenQuestion, tally: dict, asked: intervals.Asked, possible: list[float] | None = None, told: str = ""
) -> QuestionReport:
    """Of n reports; where some may be missing, or not all were asked, that are fewer than the responses.

    Where background answers decided whom it was asked, nothing is estimated from fewer than MINIMUM.
    """
    turn.step()  # between questions nobody is kept waiting for longer than was promised
    n, on_path = tally.get("answered", {}).get(item.key, tally["n"]), tally.get("on_path", {}).get(item.key)
    is_small = bool(item.when) and n < MINIMUM
    mechanism = item.mechanism or untouched(item.size)
    kind, estimate = asked.kind_for(mechanism), None
    if n and not is_small and not item.is_written:
        reports = Tally(n, unpack(tally["counts"][item.key]))
        estimate = mechanism.estimate(reports, asked.confidence, kind, simultaneous=asked.simultaneous)
        if not asked.sampling:  # of those of whom it was drawn whether they are asked, or of all who were asked
            estimate = FiniteEstimate(estimate, on_path or (n if item.when else tally["n"]))
    return QuestionReport(
        key=item.key,
        text=item.whole,
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
        told=told or (WRITTEN if item.is_written and n else "") or (FEW_ASKED if is_small and tally["n"] else ""),
        average=average(item, estimate),
        on_path=on_path,
        sampling=asked.sampling,
        found=found(item, estimate),
        declined=None if item.mechanism else item.declined,
        none=item.none,
        grid=item.grid,
        basis=estimate,
    )


def _constrained_by(item: FrozenQuestion, estimate: Estimate | None, possible: list[float] | None) -> str | None:
    if estimate is None or item.mechanism is None or not item.tells_shares:
        return None
    return maximum_likelihood.NAME if possible else estimate.constrained_by


def _choices(item: FrozenQuestion, estimate: Estimate | None, possible: list[float] | None) -> tuple[ChoiceReport, ...]:
    if not item.tells_shares:
        return ()
    if estimate is None:
        return tuple(map(ChoiceReport, item.choices))
    constrained = possible or (estimate.constrained if item.mechanism else estimate.observed)
    columns = (estimate.observed, estimate.proportions, estimate.standard_errors)
    ends = zip(*estimate.intervals.T.tolist(), strict=True)
    parts = (*(column.tolist() for column in columns), ends, np.asarray(constrained).tolist(), estimate.asked.tolist())
    rows = map(ChoiceReport, item.choices, *parts)
    return tuple(row if row.n else ChoiceReport(row.label) for row in rows)
