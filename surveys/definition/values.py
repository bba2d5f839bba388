"""The values of answers: what stands for each answer in files, such as 1 for Yes.

A value is a text, usually a whole number. Respondents' devices, reports that they send and stored
records have codes from 0 instead, so a value changes neither what is asked nor what is sent.

An author may write values; otherwise answers have default ones. Surveys that were published before
there were values keep their codes, so that two downloads of the same survey do not differ.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

from surveys.definition.kinds import HasKind, Traits, kind_of
from surveys.models import Instrument, Question, Survey
from surveys.site.files.formulas import escape_formulas

# The numbers that the type “long” of Stata can hold.
SMALLEST_NUMBER = -2_147_483_647
LARGEST_NUMBER = 2_147_483_620
# The most characters of a value.
LONGEST_VALUE = 32
# The value of “Prefer not to say”, if no other answer has it.
DECLINE_NUMBER = -99
# The answers of a yes/no question and their default values, in the order of their codes.
YES_NO_NAMES = ("No", "Yes")
YES_NO_VALUES = ("0", "1")
# What stands between an answer and its value in the box of choices.
SIGN = " = "
WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
# What programs may read as a number, such as 007 and 1.0. If it is not written as WHOLE_NUMBER, a
# program writes it in another way than the author did.
LIKE_A_NUMBER = re.compile(r"[-+−]?[\d.]*\d[\d.]*")
FORBIDDEN = re.compile(r"[\s,;|\"'`´“”„‟‘’‚‛«»‹›]")
# The values that are stored with an instrument, by question key, without those of “Prefer not to
# say”. A question that is missing, or has an empty list, has default values. A question with None
# has its codes from 0. So have all questions if there is None in place of the mapping.
StoredValues = Mapping[str, Sequence[str] | None]


def is_value(text: str) -> bool:
    """Return whether a text can be the value of an answer.

    A value is a whole number without leading zeros, or a text of at most LONGEST_VALUE characters
    without spaces, commas, semicolons, vertical bars and quotation marks, in which a spreadsheet
    sees no formula. An equals sign alone is no value, because a line that ends in it says that its
    answer has none.
    """
    if WHOLE_NUMBER.fullmatch(text):
        # No number within the limits is as long as this, and int() is slow for very long ones.
        return len(text) < LONGEST_VALUE and SMALLEST_NUMBER <= int(text) <= LARGEST_NUMBER
    if text in ("", "=") or len(text) > LONGEST_VALUE or not text.isprintable():
        return False
    if FORBIDDEN.search(text) or LIKE_A_NUMBER.fullmatch(text):
        return False
    # A spreadsheet would run it, so files would have an apostrophe before it.
    return escape_formulas(text) == text


def clean_value(typed: str) -> str:
    """Return a value without the spaces around it, and with a hyphen in place of a minus sign."""
    value = typed.strip()
    return f"-{value[1:]}" if value.startswith("−") else value


def split_value(line: str) -> tuple[str, str]:
    """Return the answer and the value in a line of the box of choices, such as “Yes = 1”.

    The value is "" if the line has none, or if it ends in “ =”.
    """
    line = " ".join(line.split())
    if line.endswith(SIGN.rstrip()):
        return line.removesuffix(SIGN.rstrip()), ""
    label, sign, value = line.rpartition(SIGN)
    value = clean_value(value)
    if sign and is_value(value):
        return label, value
    return line, ""


def with_value(label: str, value: str = "") -> str:
    """Return the line of the box of choices for an answer: the reverse of `split_value`.

    value: "" if the answer has none.
    """
    if value:
        return f"{label}{SIGN}{value}"
    if split_value(label) != (label, ""):
        return f"{label}{SIGN.rstrip()}"
    return label


def yes_no_line(values: Sequence[str] = ()) -> str:
    """Return the values of a yes/no question on one line: “No = 0, Yes = 1”.

    values: those of No and Yes; the default ones if this is empty.
    """
    return ", ".join(map(with_value, YES_NO_NAMES, values or YES_NO_VALUES))


def split_yes_no_line(line: str) -> list[str]:
    """Return the values of No and Yes in a line such as “Yes = 1, No = 0”.

    Raise ValueError if the line does not name both answers once.
    """
    parts = line.split(",")
    value_by_name = {}
    for part in parts:
        name, _, value = part.partition("=")
        value_by_name[name.strip().casefold()] = clean_value(value)
    names = [name.casefold() for name in YES_NO_NAMES]
    if len(parts) != len(names) or value_by_name.keys() != {*names}:
        raise ValueError(f"Write a value for each answer, for example: {yes_no_line()}.")
    return [value_by_name[name] for name in names]


@dataclass(frozen=True)
class AnswerValues:
    """The values of all answers to a question, in the order of the codes of the answers.

    texts: the values, “Prefer not to say” included; empty for text answers.
    are_written: True if the author wrote them.
    are_codes: True if they are the codes from 0, of a survey from before there were values.
    declines: True if the last answer is “Prefer not to say”, whose value nobody wrote.
    """

    texts: tuple[str, ...] = ()
    are_written: bool = False
    are_codes: bool = False
    declines: bool = False

    @cached_property
    def code_by_value(self) -> dict[str, int]:
        """The code of the answer that has a value, by the value in lower case."""
        return {value.casefold(): code for code, value in enumerate(self.texts)}

    @cached_property
    def numbers(self) -> tuple[int, ...] | None:
        """The values as numbers; None if any of them is a text."""
        if not all(WHOLE_NUMBER.fullmatch(value) for value in self.texts):
            return None
        return tuple(int(value) for value in self.texts)

    def for_groups(self, groups: Iterable[Sequence[int]]) -> "AnswerValues":
        """Return the values of groups of answers: that of a single answer, and "" for several.

        groups: the codes of the answers in each group. People without an answer are a group whose
            code is behind those of the answers.
        """
        values = []
        for codes in groups:
            is_one_answer = len(codes) == 1 and codes[0] < len(self.texts)
            values.append(self.texts[codes[0]] if is_one_answer else "")
        return AnswerValues(tuple(values))

    def scale_points(self, n_points: int) -> range:
        """Return the numbers of the points of a rating scale, from which its mean is computed.

        These are the written values if they are whole numbers that ascend in equal steps, and
        1, 2, 3, … otherwise.

        n_points: the number of points, without “Prefer not to say”.
        """
        usual = range(1, n_points + 1)
        points = self.texts[:n_points]
        # The scale of a draft may have a single point so far.
        has_steps = self.are_written and len(points) > 1
        if not has_steps or not all(WHOLE_NUMBER.fullmatch(point) for point in points):
            return usual
        numbers = [int(point) for point in points]
        step = numbers[1] - numbers[0]
        if step <= 0:
            return usual
        in_steps = range(numbers[0], numbers[0] + step * n_points, step)
        return in_steps if list(in_steps) == numbers else usual


# The values of a text question, and of a question whose values nobody needs.
NO_VALUES = AnswerValues()


class HasAnswers(HasKind, Protocol):
    """A question of an instrument: surveys.definition.instrument.QuestionDefinition."""

    @property
    def key(self) -> str:
        """The variable name."""

    @property
    def choices(self) -> tuple[str, ...]:
        """All answers in the order of their codes, “Prefer not to say” included."""

    @property
    def decline_code(self) -> int | None:
        """The code of “Prefer not to say” if it is separate from the other answers, else None."""


def draft_values(question: Question, answers: Sequence[str]) -> AnswerValues:
    """Return the values of the answers to a question of a draft.

    answers: all answers, “Prefer not to say” included.
    """
    return _answer_values(kind_of(question), answers, question.values, declines=question.decline)


def number_step(question: Question) -> int:
    """Return the step between two numbers, or two points of a scale, of a question of a draft."""
    if kind_of(question).is_number:
        return question.step or 1
    values = AnswerValues(tuple(question.values), are_written=bool(question.values))
    return values.scale_points(len(values.texts)).step


def published_values(item: HasAnswers, stored: StoredValues | None) -> AnswerValues:
    """Return the values of the answers to a question of an instrument.

    stored: the values that are stored with the instrument.
    """
    traits = kind_of(item)
    n_answers = len(item.choices)
    written = None if stored is None else stored.get(item.key, ())
    if written is None and not traits.is_number:
        return AnswerValues(_count_from(0, n_answers), are_codes=True)

    # No instrument says which sensitive questions have “Prefer not to say” as one more choice. But
    # the stored list then has fewer values than the question has answers.
    is_listed = stored is not None and item.key in stored
    has_third_answer = traits.has_yes and n_answers > len(traits.fixed)
    lacks_a_value = is_listed and len(written or ()) < n_answers
    declines = item.decline_code is not None or has_third_answer or lacks_a_value
    return _answer_values(traits, item.choices, written or (), declines=declines)


def _answer_values(
    traits: Traits, answers: Sequence[str], written: Sequence[str], *, declines: bool
) -> AnswerValues:
    """Return the written values of answers or, if there are none, the default ones.

    written: the values that the author wrote, without one for “Prefer not to say”.
    declines: True if the last answer is “Prefer not to say”.
    """
    if traits.is_written:
        return NO_VALUES
    n_own = len(answers) - 1 if declines else len(answers)
    if traits.is_number:
        values = tuple(str(number) for number in answers[:n_own])
    elif written:
        values = tuple(written)
    elif traits.has_yes:
        values = _count_from(0, n_own)
    else:
        values = _count_from(1, n_own)
    if declines:
        values = (*values, _decline_value(values))
    return AnswerValues(values, are_written=bool(written), declines=declines)


@lru_cache(maxsize=64)
def _count_from(first: int, n_values: int) -> tuple[str, ...]:
    """Return whole numbers from `first` on as texts. Lists of the same length share them."""
    return tuple(str(number) for number in range(first, first + n_values))


def _decline_value(values: Sequence[str]) -> str:
    """Return the value of “Prefer not to say”, which none of the other `values` is.

    It is DECLINE_NUMBER, or the next number below that is free.
    """
    used_values = set(values)
    number = DECLINE_NUMBER
    while str(number) in used_values:
        number -= 1
    return str(number)


def values_to_store(survey: Survey, questions: Iterable[Question]) -> dict[str, list[str] | None]:
    """Return the values to store with an instrument, by question key.

    Most questions with default values are left out. A question that can be declined has an empty
    list, and in a new version of a survey with codes from 0, a question without written values has
    None, since it keeps these codes.
    """
    keeps_codes = keeps_codes_from_zero(survey)
    values_by_key: dict[str, list[str] | None] = {}
    for question in questions:
        if not kind_of(question).has_setting("values"):
            continue
        if question.values:
            values_by_key[question.key] = list(question.values)
        elif keeps_codes:
            values_by_key[question.key] = None
        elif question.decline:
            values_by_key[question.key] = []
    return values_by_key


def keeps_codes_from_zero(survey: Survey) -> bool:
    """Return whether a survey is a new version of one that has the codes from 0 as values.

    So files of both versions can be put together.
    """
    if survey.predecessor_id is None:
        return False
    published = Instrument.objects.filter(survey=survey.predecessor_id).only("values").first()
    return published is not None and _has_codes_from_zero(published)


def first_default_value(survey: Survey) -> int:
    """Return the value of the first choice of a question without written values: 1, or 0.

    It is 0 in surveys from before there were values, and in their new versions.
    """
    instrument = getattr(survey, "instrument", None)
    if instrument is None:
        return 0 if keeps_codes_from_zero(survey) else 1
    return 0 if _has_codes_from_zero(instrument) else 1


def _has_codes_from_zero(instrument: Instrument) -> bool:
    """Return whether all questions without written values have the codes from 0 as values."""
    return instrument.values is None or None in instrument.values.values()
