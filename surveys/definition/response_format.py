"""The format of a response to a published survey: what is needed of an instrument to accept one.

It is read from the canonical JSON of the instrument. It has the report format of each question and
who is asked which question, but no mechanism, no text and no estimate. `SurveyDefinition` has the
same layout, and everything else of the instrument.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from mechanisms.designs.wire import Integers, Wire, wire_of
from surveys.definition.routing import conditions
from surveys.models import Instrument


@dataclass(frozen=True)
class QuestionSubset:
    """The questions from which a device picks: it picks `count` of the keys `of`.

    A picked question that is not on the path of the respondent is dropped and not replaced, so the
    probability of a question is the same on every path.
    """

    count: int
    of: tuple[str, ...]

    @property
    def share_asked(self) -> Fraction:
        """The expected share of respondents who are asked a given question of the subset.

        The device picks every question with the same probability, `count` divided by the number of
        keys.
        """
        return Fraction(self.count, len(self.of))


@dataclass(frozen=True)
class Tickets:
    """The tickets of a survey that only people with a ticket can answer.

    `n` is the modulus of the key that signs tickets. It is empty before publishing. `steps` is
    "one", or "two" if all tickets are taken before anyone answers.
    """

    n: str
    steps: str


class ReportItem(Protocol):
    """A question with its report format: a `ReportFormat` or a `QuestionDefinition`."""

    @property
    def key(self) -> str:
        """The variable name of the question."""

    @property
    def report_format(self) -> Wire:
        """The format of a report: how it is sent and stored."""

    @property
    def when(self) -> conditions.Condition | None:
        """The condition of the question, or None if everyone is asked it."""


class Layout:
    """The layout of a response: the questions that it has reports to, and which may be missing.

    It says which reports a stored response has, in the order of the questions, and for which of
    them it needs a bit that says whether the report is missing. The layout itself checks nothing:
    surveys.fieldwork.responses.records encodes and checks responses by it.

    `ResponseFormat` and `SurveyDefinition` set the attributes. `nonresponse` is True if any report
    may be missing, as in answers from files. `draw` is None if there is no question subset.
    """

    items: Sequence[ReportItem]
    draw: QuestionSubset | None
    nonresponse: bool

    @property
    def keys_with_missing(self) -> tuple[str, ...]:
        """The keys of the questions to which a response may lack a report.

        If there are any, each stored response has a mask: a bit for each of these questions, in
        this order, that says whether its report is missing.
        """
        if self.nonresponse:
            return tuple(item.key for item in self.items)
        subset_keys = self.draw.of if self.draw else ()
        # A dictionary keeps the order, and has a question only once if it is in both groups.
        keys = dict.fromkeys((*subset_keys, *self.keys_with_condition))
        return tuple(keys)

    @property
    def keys_with_condition(self) -> tuple[str, ...]:
        """The keys of the questions with a condition on background answers, in their order."""
        return tuple(item.key for item in self.items if item.when)

    @property
    def conditional_draws(self) -> tuple[str, ...]:
        """The keys of the questions that have a condition and are in the question subset.

        Why a report to such a question is missing cannot be seen: the device may not have picked
        the question, or its condition may not hold. So it does not reveal the path.
        """
        return tuple(key for key in self.keys_with_condition if self.is_drawn(key))

    def is_drawn(self, key: str) -> bool:
        """Return whether the question is one of those from which each device picks at random.

        Return False for every question if there is no question subset.
        """
        return self.draw is not None and key in self.draw.of


@dataclass(frozen=True)
class ReportFormat:
    """The format of the report to one question, with the key and condition of the question.

    If `when` is None, everyone is asked the question.
    """

    key: str
    report_format: Wire
    when: conditions.Condition | None


@dataclass(frozen=True)
class ResponseFormat(Layout):
    """The reports of a response in the order of the instrument, and the tickets that it needs.

    `sha256` is the hash of the instrument, and `survey` is the slug of the survey. If `tickets` is
    None, anyone with the link can answer.
    """

    sha256: str
    survey: str
    items: tuple[ReportFormat, ...]
    draw: QuestionSubset | None
    nonresponse: bool
    tickets: Tickets | None


def response_format(instrument: Instrument) -> ResponseFormat:
    """Return the format that a response to this instrument must have."""
    content = json.loads(instrument.content)
    questions = content["questions"]
    language = content["language"]
    # The smallest number that can be answered has the code 0.
    smallest_numbers = {
        question["key"]: _smallest_number(question["choices"], language) for question in questions
    }
    return ResponseFormat(
        sha256=instrument.sha256,
        survey=content["survey"],
        items=tuple(_report_format(question, smallest_numbers) for question in questions),
        draw=read_draw(content),
        nonresponse=content.get("nonresponse", False),
        tickets=read_tickets(content),
    )


def _report_format(question: dict[str, Any], smallest_numbers: Mapping[str, int]) -> ReportFormat:
    """Return the report format of one question of an instrument.

    smallest_numbers: the number that has code 0, by the key of each question that asks for one.
    """
    # The report of a background question is the code of its answer.
    report_format: Wire = Integers(len(question["choices"]))
    if question["mechanism"]:
        report_format = wire_of(question["mechanism"])

    condition = None
    if question.get("when"):
        condition = conditions.parse(question["when"], smallest_numbers)
    return ReportFormat(key=question["key"], report_format=report_format, when=condition)


def _smallest_number(choices: Sequence[str | dict[str, str]], language: str) -> int:
    """Return the first choice of a question as a number, if the question asks for a number.

    Return 0 if the choice is not a number. A question whose choices only look like numbers may get
    another result, but it does not matter: conditions use it only for questions with numbers.

    language: the first language of the survey, for choices that are translated.
    """
    if not choices:
        return 0
    first = choices[0]
    label = first if isinstance(first, str) else first[language]
    try:
        return int(label)
    except ValueError:
        return 0


def read_draw(content: dict[str, Any]) -> QuestionSubset | None:
    """Return the question subset in the content of an instrument.

    Return None if everyone is asked every question.
    """
    if "draw" not in content:
        return None
    return QuestionSubset(count=content["draw"]["count"], of=tuple(content["draw"]["of"]))


def read_tickets(content: dict[str, Any]) -> Tickets | None:
    """Return the tickets in the content of an instrument.

    Return None if anyone with the link can answer.
    """
    if "tickets" not in content:
        return None
    tickets = content["tickets"]
    return Tickets(n=tickets.get("n", ""), steps=tickets["steps"])
