"""The definition of a survey: its instrument, parsed from canonical JSON.

The page of respondents, the code that stores responses, and the report all read definitions.
"""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from mechanisms import Mechanism
from mechanisms.designs.wire import Integers, Wire
from mechanisms.planning.privacy import total_epsilon
from surveys.definition.frozen_settings import InstrumentSettings
from surveys.definition.kinds import Traits, kind_of
from surveys.definition.response_format import Layout, QuestionSubset, Tickets
from surveys.definition.routing import conditions
from surveys.definition.routing.paths import ALL_ASKED
from surveys.definition.sender import Picture
from surveys.definition.texts import in_language
from surveys.definition.values import NO_VALUES, AnswerValues
from surveys.models import Question, Survey

# The most choices of a question by which people can be selected and grouped, and which can be
# analysed.
MOST_IN_GROUPS = 100
# The most choices that a page shows below each other. Longer lists are searched by typing.
MOST_AT_ONCE = 25
# The length of a response's key, which is a UUID as text.
KEY_LENGTH = 36
# The length of a ticket, which replaces the key if people are invited: see
# surveys.fieldwork.tickets.protocol.
TICKET_LENGTH = 384
# The length of a SHA-256 hash as hexadecimal digits.
HASH_LENGTH = 64


@dataclass(frozen=True)
class QuestionDefinition(InstrumentSettings):
    """A question of a published survey, with the mechanism that randomizes its answers.

    It is called an item, and is parsed from an instrument. Texts are in all languages of the survey
    (texts.Text); as a str they are in the first one.

    key: the variable name.
    kind: the key of the question's type: see surveys.definition.kinds.
    mechanism: None for a background question, whose answer is sent as it is.
    """

    key: str
    kind: str
    text: str
    help: str
    choices: tuple[str, ...]
    mechanism: Mechanism | None
    # Who randomizes the answer: see surveys.definition.designs.modes.
    mode: str = "automatic"
    # The harmless question of an unrelated question that is answered by hand.
    harmless: str = ""
    # For Warner's design: what is true of people who answer Yes, and of people who answer No.
    statement: str = ""
    opposite: str = ""
    # The heading of the section that starts with this question.
    section: str = ""
    # The true share of Yes, if it is known; reports are tested against it.
    anchor: float | None = None
    # The step between two numbers that can be answered, and the unit of the numbers.
    step: int = 1
    unit: str = ""
    # True if the last answer is “Prefer not to say” and is separate from the other answers.
    aside: bool = False
    # The heading of the grid in which this question is a row; "" outside of grids.
    grid: str = ""
    # The condition that decides who is asked the question, and its text; None and "" for everyone.
    when: conditions.Condition | None = None
    condition_text: str = ""
    # The name in reports. It is not part of the hash: see surveys.definition.short_names.
    short: str = ""
    # The code of the answer that means none of the others. It is not part of the hash either: see
    # surveys.definition.none_of_these.
    none: int | None = None
    # What stands for the answers in files. It is not part of the hash either: see
    # surveys.definition.values.
    values: AnswerValues = NO_VALUES

    @property
    def traits(self) -> Traits:
        """The traits that all questions of this kind share, such as how they are answered."""
        return kind_of(self)

    @property
    def full_text(self) -> str:
        """The text of the question outside of its grid: “heading – text” for a row of a grid."""
        if self.grid:
            return f"{self.grid} – {self.text}"
        return self.text

    @property
    def decline_code(self) -> int | None:
        """The code of “Prefer not to say” if it is separate from the other answers, else None."""
        if not self.aside:
            return None
        # It is always the last answer, and codes are counted from 0.
        return self.size - 1

    @property
    def size(self) -> int:
        """The number of answers, “Prefer not to say” included; 0 for a text question."""
        return len(self.choices)

    @property
    def is_ordered(self) -> bool:
        """True if the answers are sensitive numbers or points of a scale, which have a mean."""
        return self.traits.is_ordered

    @property
    def is_written(self) -> bool:
        """True if people answer with a short text; the question then has no choices."""
        # Text answers are always sensitive. Only their mechanisms randomize texts, not codes.
        return self.mechanism is not None and self.mechanism.truths == "text"

    @property
    def has_permanent_step(self) -> bool:
        """True if the device may store a randomized answer, from which it makes all later reports.

        RAPPOR has such a permanent step, which is followed by a new step for each report.
        """
        return self.mechanism is not None and self.mechanism.lasts

    @property
    def answer_values(self) -> range:
        """The numbers that the answers stand for, from which a mean is computed.

        The numbers that people type go from the smallest to the largest one in steps of `step`. The
        points of a scale are 1, 2, ..., or its written values if these are in equal steps. A
        separate “Prefer not to say” stands for no number, so it is left out.
        """
        n_values = self.size - 1 if self.aside else self.size
        if not self.traits.is_number:
            return self.values.scale_points(n_values)
        first = int(self.choices[0])
        end = first + self.step * n_values
        return range(first, end, self.step)

    @property
    def report_labels(self) -> tuple[str, ...]:
        """A label for each code that a report can have; empty for text answers.

        Where a report names one of the answers, its labels are the choices. With other designs a
        report is a number that names no answer, and its labels are "0", "1", "2" and so on.
        """
        if self.is_written:
            return ()
        n_codes = self.report_format.size
        # A report of a design for the mean names no answer, even if it has as many codes.
        if self.tells_shares and n_codes == self.size:
            return self.choices
        return tuple(str(code) for code in range(n_codes))

    @property
    def has_own_numbers(self) -> bool:
        """True if a report is a whole number that does not stand for an answer."""
        if self.is_string:
            return False
        return self.is_written or self.report_labels != self.choices

    @property
    def tells_shares(self) -> bool:
        """True if the share of each answer can be estimated; some designs give only the mean."""
        return self.mechanism is None or self.mechanism.tells_shares

    @property
    def is_list(self) -> bool:
        """True if there are too many choices to show on a page, so people search them by typing."""
        return self.traits.may_be_long and self.size > MOST_AT_ONCE

    @property
    def makes_groups(self) -> bool:
        """True if people can be selected and grouped by their answers, and answers be analysed.

        It is False only for a list of more than MOST_IN_GROUPS choices, since too few people choose
        each of them.
        """
        return not (self.traits.may_be_long and self.size > MOST_IN_GROUPS)

    @property
    def epsilon(self) -> float | None:
        """The privacy loss of this question; None if its answer is not randomized."""
        if not self.mechanism:
            return None
        return self.mechanism.epsilon

    @property
    def report_format(self) -> Wire:
        """The format of a report: how it is sent and stored."""
        if not self.mechanism:
            return Integers(self.size)
        return self.mechanism.wire

    @property
    def is_string(self) -> bool:
        """True if a report is a string with a character for each option, not an integer."""
        return self.report_format.option_count is not None

    def in_language(self, code: str) -> "QuestionDefinition":
        """Return the question with its texts in one language only, as respondents read them."""
        choices = tuple(in_language(choice, code) for choice in self.choices)
        texts = self.texts_in(Question, code)
        return replace(self, **texts, choices=choices)


def expected_share_asked(key: str, subset: QuestionSubset | None) -> Fraction:
    """Return the expected share of respondents who are asked the question with this key.

    Conditions are not taken into account, only the question `subset`. The share is 1 for a question
    that is not in it, and for every question if it is None.
    """
    if subset and key in subset.of:
        return subset.share_asked
    return Fraction(1)


def largest_losses(
    losses: Iterable[tuple[str, float]],
    subset: QuestionSubset | None,
    paths: Iterable[frozenset[str]] = ALL_ASKED,
) -> list[tuple[str, float]]:
    """Return the privacy losses that add up in the worst case for one respondent.

    A respondent is on one of the paths. The path does not depend on a randomized answer, so the
    worst case is the path with the largest total. Of a question subset, the questions with the
    largest losses count: mechanisms.planning.privacy.survey_epsilon says why.

    losses: the key and the privacy loss of each question. The result is a part of them.
    subset: the questions from which each device picks, or None if everyone gets every question.
    paths: the keys that each path leaves out: see definition.routing.paths.skipped_by_path.
    """
    losses = list(losses)
    losses_by_path = [_losses_on_path(losses, subset, skipped) for skipped in paths]
    return max(losses_by_path, key=lambda pairs: sum(loss for _, loss in pairs), default=[])


def _losses_on_path(
    losses: list[tuple[str, float]], subset: QuestionSubset | None, skipped: frozenset[str]
) -> list[tuple[str, float]]:
    """Return the privacy losses that add up for a respondent on one path, in the worst case.

    The device picks `subset.count` questions of the subset. In the worst case these are the ones
    with the largest losses, so the other questions of the subset are left out.

    losses: the key and the privacy loss of each question.
    subset: the questions from which each device picks, or None if everyone gets every question.
    skipped: the keys of the questions that are not asked on the path.
    """
    on_path = [(key, loss) for key, loss in losses if key not in skipped]
    if subset is None:
        return on_path

    in_subset = [(key, loss) for key, loss in on_path if key in subset.of]
    largest = heapq.nlargest(subset.count, in_subset, key=lambda pair: pair[1])
    unpicked_keys = {key for key, _ in in_subset} - {key for key, _ in largest}
    return [(key, loss) for key, loss in on_path if key not in unpicked_keys]


def total_loss(
    losses: Iterable[tuple[str, float]],
    subset: QuestionSubset | None,
    paths: Iterable[frozenset[str]] = ALL_ASKED,
) -> float:
    """Return the total privacy loss of one respondent in the worst case, never rounded down.

    The parameters are those of `largest_losses`.
    """
    return total_epsilon(loss for _, loss in largest_losses(losses, subset, paths))


@dataclass(frozen=True)
class SurveyDefinition(Layout, InstrumentSettings):
    """The questions and settings of a published survey, or of a draft as it would be published.

    sha256: the hash of `content`.
    survey: the slug of the survey.
    items: the questions in their order.
    length: the number of bytes to which every response is padded.
    content: the canonical JSON of the instrument.
    """

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
    # True if responses come from files; a report may then prove a truth.
    import_only: bool = False
    # True if a respondent may lack reports, as in files from a survey that was run elsewhere.
    nonresponse: bool = False
    # True for some old surveys, whose page asked if the explanation was understood. The page
    # ignores it today.
    comprehension: bool = False
    # The slug of the first version of this survey.
    series: str = ""
    # True if the browser's history names the page “Survey” only.
    neutral_title: bool = False
    # True if several people answer on one device, one after the other.
    shared_device: bool = False
    # True if no result is visible before the survey closes.
    results_after_closing: bool = False
    # True if the questions of a section are on one page.
    section_pages: bool = False
    # The keys of the background questions that make report groups: see
    # surveys.fieldwork.responses.background_groups.
    cut: tuple[str, ...] = ()
    # The question subset; None if everyone is asked all questions.
    draw: QuestionSubset | None = None
    # True if people agree, or do not take part, before they start.
    asks_consent: bool = False
    after_sending: str = ""
    after_declining: str = ""
    # The help lines as one text, which surveys.definition.help_lines splits.
    help_lines: str = ""
    # Who runs the survey. The name and the logo are at the top of the page.
    sender: str = ""
    logo: Picture | None = None
    # The colours of links and buttons on light and on dark screens; None for those of the site.
    colours: tuple[str, str] | None = None
    # What data protection law requires people to be told.
    controller: str = ""
    officer: str = ""
    legal_basis: str = ""
    purpose: str = ""
    rights: str = ""
    # The day on which the responses are deleted; None if the survey names no day.
    delete_on: date | None = None
    # The keys that each path leaves out: see surveys.definition.routing.paths.skipped_by_path.
    paths: tuple[frozenset[str], ...] = ALL_ASKED
    # The codes of the languages after the first one.
    further: tuple[str, ...] = ()
    # The tickets that are needed to answer; None if everyone who has the link can answer.
    tickets: Tickets | None = None
    # True if a simulation sent some of the answers. It is not part of the hash: see
    # surveys.definition.parsing.
    invented: bool = False

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of all languages in which the survey can be answered, the first one first."""
        return (self.language, *self.further)

    @property
    def has_data_protection_text(self) -> bool:
        """True if the survey has any text about data protection, or a day of deletion."""
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
        """Return the survey with its texts in one of its languages only, as respondents read it."""
        items = tuple(item.in_language(code) for item in self.items)
        texts = self.texts_in(Survey, code)
        return replace(self, **texts, items=items, language=code, further=())

    @property
    def epsilon(self) -> float:
        """The largest total privacy loss that one respondent can have, never rounded down.

        It is the sum over the sensitive questions that one respondent is asked.
        """
        losses = [(item.key, item.epsilon) for item in self.items if item.epsilon is not None]
        return total_loss(losses, self.draw, self.paths)

    @property
    def max_questions_per_person(self) -> int:
        """The largest number of questions that one respondent is asked.

        Conditions and the question subset are taken into account: it is the number of questions on
        the longest path, of which at most `draw.count` are from the subset.
        """
        largest_number = 0
        for skipped in self.paths:
            keys_on_path = [item.key for item in self.items if item.key not in skipped]
            keys_in_subset = [key for key in keys_on_path if self.is_drawn(key)]
            n_questions = len(keys_on_path) - len(keys_in_subset)
            if self.draw:
                n_questions += min(self.draw.count, len(keys_in_subset))
            largest_number = max(largest_number, n_questions)
        return largest_number

    def expected_share_asked(self, key: str) -> Fraction:
        """Return the expected share of respondents who are asked this question.

        Conditions are not taken into account, only the question subset. The share is 1 for a
        question that is not in it.
        """
        return expected_share_asked(key, self.draw)


def body_length(
    items: tuple[QuestionDefinition, ...],
    subset: QuestionSubset | None = None,
    *,
    tickets: bool = False,
) -> int:
    """Return the number of bytes of the longest response that a respondent's page can send.

    Every response is padded to this length, so that its length does not reveal what was asked. A
    response is JSON without spaces:

        {"instrument":"(hash)","key":"(UUID)","reports":{"tax":1,"occupation":"01001"}}

    items: all questions of the survey.
    subset: the question subset, or None if everyone gets every question.
    tickets: True if a ticket is sent with the response in place of a random key.
    """
    # A question that a respondent is not asked has the report `null`.
    keys_with_null = {item.key for item in items if item.when}
    if subset:
        keys_with_null.update(subset.of)

    # There is a comma between two reports.
    reports_length = max(len(items) - 1, 0)
    for item in items:
        longest_report = item.report_format.longest
        if item.key in keys_with_null:
            longest_report = max(longest_report, len("null"))
        reports_length += len('"":') + len(item.key) + longest_report

    key_length = len('"key":""') + KEY_LENGTH
    if tickets:
        key_length = len('"ticket":""') + TICKET_LENGTH
    return len('{"instrument":"",,"reports":{}}') + HASH_LENGTH + key_length + reports_length
