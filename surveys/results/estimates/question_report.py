"""What the report says of one question, and of each of its answers."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.conf import settings

from mechanisms import Estimate
from surveys.definition.kinds import BANDS, kind_of
from surveys.results.estimates import intervals
from surveys.results.estimates.heavy_hitters import Found
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.numeric import Average
from surveys.site.number_format import format_level
from surveys.statements.family import Family
from surveys.statements.shares import ShareStatement, counted_share, share_of

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
    on_path: int | None = (
        None  # or both: of how many it would have been asked, had every device picked it
    )
    average: Average | None = None
    is_list: bool = False  # whether what is found comes first, and all other choices are searched
    found: Found | None = None  # of a list of very many choices, with responses
    declined: int | None = (
        None  # of a background question: the place of “Prefer not to say” among its choices
    )
    none: int | None = (
        None  # the code of the answer that means none of the others, which has no rank among them
    )
    grid: str = ""  # the heading of the grid of which it is a row
    # What stands for each answer in files; "" for a group of several answers.
    values: tuple[str, ...] = field(default=(), repr=False)
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
        return (
            0.0
            if self.declined is None or self.basis is None
            else float(self.basis.observed[self.declined])
        )

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
        return intervals.interval_name(
            self.confidence, self.interval_kind, self.simultaneous, self.sampling
        )

    @property
    def told_apart_name(self) -> str:
        return (
            intervals.interval_name(self.confidence, intervals.EXACT, True)
            if self.found
            else self.interval_name
        )

    @property
    def level_name(self) -> str:
        return format_level(self.confidence)

    @property
    def picks(self) -> bool:
        """Whether devices picked what their reports speak of, so that each choice has an n of its own."""
        return self.basis is not None and self.basis.mechanism.reported_fraction < 1

    @property
    def fewest(self) -> int:  # of how many reports the share is that has the fewest
        return min((choice.n for choice in self.choices), default=self.n)

    @property
    def adds_up(self) -> bool:
        """Whether each respondent counts under one answer only, so that shares sum to 1 and sums are shares."""
        return (
            self.basis is not None and self.basis.mechanism.select == "one" and bool(self.choices)
        )

    @property
    def among(self) -> str:
        """A clause that says who was asked, for sentences; "" if everyone was."""
        return getattr(self.whom, "among", "")

    @property
    def has_few_reports(self) -> bool:
        """True if some answer has too few reports for a statement about the question."""
        return self.fewest < max(settings.FEW_RESPONSES, 1)

    @cached_property
    def family(self) -> Family:
        """The intervals of the answers that hold together: one, or those of all free shares."""
        if self.basis is None:
            return Family(confidence=self.confidence)
        return Family.for_level(self.basis.level, self.confidence)

    @cached_property
    def statements(self) -> tuple[ShareStatement, ...]:
        """The statements about all answers, in the order of their codes."""
        return tuple(self.statement(choice) for choice in self.choices)

    def statement(self, choice: ChoiceReport) -> ShareStatement:
        """Return the statement about the share of an answer that has reports.

        If any answer of the question has too few reports, there is none about the others either.
        """
        if self.design is None:
            return counted_share(choice.observed, n=choice.n, name=self.short, answer=choice.label)
        least_n = choice.n + 1 if self.has_few_reports else 0
        return share_of(
            choice.estimate,
            choice.interval,
            n=choice.n,
            method=self.interval_kind,
            family=self.family,
            name=self.short,
            answer=choice.label,
            among=self.among,
            least_n=least_n,
        )

    def withholds(self, choice: ChoiceReport) -> bool:
        """Return whether the share of an answer is too uncertain for a number."""
        return choice.estimate is not None and self.statement(choice).has_no_number

    def told_apart(self) -> list[tuple[int, ChoiceReport]]:
        """(index, choice) of those of a list that can be told from 0, the largest first, with intervals that hold
        together; of what is not scrambled those that somebody chose.
        """
        if self.found:
            return [
                (one.code, self.choices[one.code]._replace(interval=one.interval))
                for one in self.found.choices
            ]
        chosen = [
            (v, choice)
            for v, choice in enumerate(self.choices)
            if not self.design and choice.observed
        ]
        return sorted(chosen, key=lambda pair: -pair[1].observed)
