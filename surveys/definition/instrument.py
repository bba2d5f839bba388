"""The frozen form of a survey: what stands in its canonical JSON, as respondent, codec and report see it."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from mechanisms import Mechanism
from mechanisms.designs.wire import Integers, Wire
from mechanisms.planning.privacy import total_epsilon
from surveys.definition.frozen_settings import Frozen
from surveys.definition.kinds import Traits, kind_of
from surveys.definition.response_format import Layout, QuestionSubset, Tickets
from surveys.definition.routing import conditions
from surveys.definition.routing.paths import ALL_ASKED
from surveys.definition.sender import Picture
from surveys.definition.texts import in_language
from surveys.models import Question, Survey

MOST_IN_GROUPS = 100  # choices by which people can be picked and grouped, and which can be analysed
MOST_AT_ONCE = (
    25  # choices that stand below each other on a page; more of them are searched by typing
)
KEY_LENGTH = 36  # a UUID as text
TICKET_LENGTH = 384  # in its place where people are invited: surveys.fieldwork.tickets.protocol
HASH_LENGTH = 64


@dataclass(frozen=True)
class QuestionDefinition(Frozen):
    """One question of an instrument. `mechanism` is None for a background question, which is sent as it is.

    What respondents read is in all languages of the survey (texts.Text): as a str in the first.
    """

    key: str
    kind: str
    text: str
    help: str
    choices: tuple[str, ...]
    mechanism: Mechanism | None
    mode: str = "automatic"  # who draws: see surveys.definition.designs.modes
    harmless: str = ""  # the harmless question of an unrelated question asked by hand
    statement: str = (
        ""  # what is true of whoever answers Yes, and of whoever answers No: for Warner's design
    )
    opposite: str = ""
    section: str = ""  # the heading of the section that starts with this question
    anchor: float | None = (
        None  # the true share of Yes where it is known; reports are tested against it
    )
    step: int = 1  # between two numbers that may be answered
    unit: str = ""  # of these numbers
    aside: bool = False  # whether the last answer of a number, a scale or a background question is none of the others
    grid: str = ""  # the heading over it and its neighbours, where they are the rows of a grid
    when: conditions.Condition | None = None  # whom it is asked; None: everybody
    whom: str = ""  # the same in words
    short: str = ""  # its name in reports, in no hash: surveys.definition.short_names
    none: int | None = (
        None  # the code of the answer that means none of the others, likewise: .none_of_these
    )

    @property
    def traits(self) -> Traits:
        return kind_of(self)

    @property
    def full_text(self) -> str:
        """The text as it stands alone; a row of a grid is preceded by the heading of the grid."""
        return f"{self.grid} – {self.text}" if self.grid else self.text

    @property
    def decline_code(self) -> int | None:
        """The code of “Prefer not to say” if it is separate from the other answers, else None."""
        return self.size - 1 if self.aside else None

    @property
    def size(self) -> int:
        return len(self.choices)

    @property
    def is_ordered(self) -> bool:
        """Whether its answers are sensitive numbers, or points of a scale, that have a mean."""
        return self.traits.is_ordered

    @property
    def is_written(self) -> bool:
        """Whether people write a short text; then there are no choices, and candidates are counted."""
        return self.mechanism is not None and self.mechanism.truths == "text"

    @property
    def has_permanent_step(self) -> bool:
        """True if the device may keep what later reports are drawn from."""
        return self.mechanism is not None and self.mechanism.lasts

    @property
    def answer_values(self) -> range:
        """What the answers to a question about a number count for: the numbers themselves, and 1, 2, ... on a scale.

        Declining counts for none.
        """
        first = int(self.choices[0]) if self.traits.is_number else 1
        return range(first, first + self.step * (self.size - self.aside), self.step)

    @property
    def report_labels(self) -> tuple[str, ...]:
        """The labels of the codes of a report; empty for text answers."""
        if self.is_written:
            return ()
        is_answer = self.tells_shares and self.report_format.size == self.size
        return self.choices if is_answer else tuple(map(str, range(self.report_format.size)))

    @property
    def has_own_numbers(self) -> bool:
        """Whether a report is a whole number that is none of the answers."""
        return not self.is_string and (self.is_written or self.report_labels != self.choices)

    @property
    def tells_shares(self) -> bool:
        """Whether the share of each answer is shown; of a question whose design was made for the mean only that is."""
        return self.mechanism is None or self.mechanism.tells_shares

    @property
    def is_list(self) -> bool:
        """Whether its answer is searched in a list by typing, as there are too many to stand below each other."""
        return self.traits.may_be_long and self.size > MOST_AT_ONCE

    @property
    def makes_groups(self) -> bool:
        """Whether people can be picked by it, and it can be analysed: of a long list each answer is of too few."""
        return not (self.traits.may_be_long and self.size > MOST_IN_GROUPS)

    @property
    def epsilon(self) -> float | None:
        """Privacy loss of this question; None where nothing is randomized."""
        return self.mechanism.epsilon if self.mechanism else None

    @property
    def report_format(self) -> Wire:
        """The format of a report: how it is sent and stored."""
        return self.mechanism.wire if self.mechanism else Integers(self.size)

    @property
    def is_string(self) -> bool:
        """Whether a report is a string of marks, not an integer."""
        return self.report_format.option_count is not None

    def in_language(self, code: str) -> "QuestionDefinition":
        """The same question with its texts in one language, as whoever picks that reads it."""
        choices = tuple(in_language(choice, code) for choice in self.choices)
        return replace(self, **self.texts_in(Question, code), choices=choices)


def expected_share_asked(key: str, draw: QuestionSubset | None) -> Fraction:
    """Return the expected share of respondents who are asked the question with this key."""
    return draw.share_asked if draw and key in draw.of else Fraction(1)


def largest_losses(
    losses: Iterable[tuple[str, float]],
    draw: QuestionSubset | None,
    paths: Iterable[frozenset[str]] = ALL_ASKED,
) -> list[tuple[str, float]]:
    """Return the privacy losses that add up in the worst case for one respondent.

    Of the questions that are drawn these are the largest: mechanisms.planning.privacy.survey_epsilon says why. paths:
    definition.routing.paths.skipped_by_path; no scrambled answer decides which of them a person
    goes, so the costliest counts.
    """
    losses = list(losses)
    each = (_losses_on_path(losses, draw, out) for out in paths)
    return max(each, key=lambda path: sum(loss for _, loss in path), default=[])


def _losses_on_path(
    losses: list[tuple[str, float]], draw: QuestionSubset | None, out: frozenset[str]
) -> list[tuple[str, float]]:
    """Return the losses of one path; of a question subset only the largest `count`."""
    losses = [loss for loss in losses if loss[0] not in out]
    if draw is None:
        return losses
    lot = [place for place, (key, _) in enumerate(losses) if key in draw.of]
    asked = heapq.nlargest(draw.count, lot, key=lambda place: losses[place][1])
    return [loss for place, loss in enumerate(losses) if place in asked or place not in lot]


def total_loss(
    losses: Iterable[tuple[str, float]],
    draw: QuestionSubset | None,
    paths: Iterable[frozenset[str]] = ALL_ASKED,
) -> float:
    """Return what one response may reveal in total, never rounded down."""
    return total_epsilon(loss for _, loss in largest_losses(losses, draw, paths))


@dataclass(frozen=True)
class SurveyDefinition(Layout, Frozen):
    """The questions and settings of a published survey, or of a draft as it would be published."""

    sha256: str
    survey: str
    title: str
    introduction: str
    contact: str
    language: str
    items: tuple[QuestionDefinition, ...]
    length: int
    content: str
    consent: str = ""
    import_only: bool = False  # responses come from files; a report may prove a truth
    nonresponse: bool = (
        False  # whether a respondent may lack reports, as in files of what was asked elsewhere
    )
    comprehension: bool = (
        False  # of earlier versions, whose page asked whether it was understood; shows nothing
    )
    series: str = ""  # the slug of the first version of this survey
    neutral_title: bool = False  # whether the browser's history names it “Survey” only
    shared_device: bool = False  # whether several people answer on one device, one after the other
    results_after_closing: bool = False  # whether nothing is shown before it closes
    section_pages: bool = False  # whether the questions of a section stand on one page
    cut: tuple[
        str, ...
    ] = ()  # background questions that make groups: surveys.fieldwork.responses.background_groups
    draw: QuestionSubset | None = None  # None where everybody is asked all questions
    asks_consent: bool = False  # whether people agree, or do not take part, before they start
    after_sending: str = ""
    after_declining: str = ""
    help_lines: str = ""  # surveys.definition.help_lines reads them
    sender: str = ""  # who asks, at the top of the page
    logo: Picture | None = None
    colours: tuple[str, str] | None = (
        None  # of links and buttons, on light and on dark screens; None: the site's own
    )
    controller: str = ""  # these five: what data protection law has people told
    officer: str = ""
    legal_basis: str = ""
    purpose: str = ""
    rights: str = ""
    delete_on: date | None = None  # from when on the responses are gone
    paths: tuple[frozenset[str], ...] = (
        ALL_ASKED  # what is left out on each: surveys.definition.routing.paths.skipped_by_path
    )
    further: tuple[str, ...] = ()  # languages beside the first
    tickets: Tickets | None = None  # None where anybody can answer who has the link
    invented: bool = False  # whether a simulation sent some of its answers; in no hash: surveys.definition.parsing

    @property
    def languages(self) -> tuple[str, ...]:
        """All in which it can be answered, the first one first."""
        return (self.language, *self.further)

    @property
    def tells_of_data(self) -> bool:
        """Whether it says anything about data protection."""
        return any(
            (
                self.controller,
                self.officer,
                self.legal_basis,
                self.purpose,
                self.rights,
                self.delete_on,
            )
        )

    def in_language(self, code: str) -> "SurveyDefinition":
        """The same with its texts in one of its languages, as whoever picks that reads it."""
        items = tuple(item.in_language(code) for item in self.items)
        return replace(self, **self.texts_in(Survey, code), items=items, language=code, further=())

    @property
    def epsilon(self) -> float:
        """Total privacy loss per respondent, never below it: the sum over the sensitive questions that one is asked."""
        losses = ((item.key, item.epsilon) for item in self.items if item.epsilon is not None)
        return total_loss(losses, self.draw, self.paths)

    @property
    def max_questions_per_person(self) -> int:
        """The largest number of questions that one respondent is asked."""
        return max(
            len(_losses_on_path([(item.key, 0.0) for item in self.items], self.draw, out))
            for out in self.paths
        )

    def expected_share_asked(self, key: str) -> Fraction:
        """Return the expected share of respondents who are asked this question."""
        return expected_share_asked(key, self.draw)


def body_length(
    items: tuple[QuestionDefinition, ...],
    draw: QuestionSubset | None = None,
    *,
    tickets: bool = False,
) -> int:
    """Bytes of the longest body a respondent's page can send; every body is padded to it, whatever is asked.

    tickets: whether a ticket goes with it in the place of a random key.
    """
    nothing = dict.fromkeys(
        [*(draw.of if draw else ()), *(item.key for item in items if item.when)], len("null")
    )
    longest = sum(max(item.report_format.longest, nothing.get(item.key, 0)) for item in items)
    reports = sum(len(item.key) + 3 for item in items) + longest + max(len(items) - 1, 0)
    known_by = len('"ticket":""') + TICKET_LENGTH if tickets else len('"key":""') + KEY_LENGTH
    return len('{"instrument":"",,"reports":{}}') + HASH_LENGTH + known_by + reports
