"""What an import would add, question by question, before it counts: for the person who sent the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mechanisms.checks import IntArray
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses import packed_counts
from surveys.site.shape import ApiResult, api_field

# The column in which REDCap names the form of a row that a person can fill in several times.
REDCAP_COLUMN = "redcap_repeat_instrument"
LISTED = 30  # answers: longer lists leave out those that no row has, and the page shows no more


@dataclass(frozen=True)
class AnswerCount(ApiResult):
    answer: str
    n: int = api_field("how many rows have it, as received; for several marks, how many mark it")
    picked: int | None = api_field(
        "in how many rows chance picked it, where only some marks are reported"
    )


@dataclass(frozen=True)
class QuestionPreview(ApiResult):
    key: str
    n: int = api_field("reports")
    missing: int = api_field("rows without one")
    answers: tuple[AnswerCount, ...] = api_field(
        f"in their order; above {LISTED} only those that occur, the most frequent first. Empty for texts; for numbers "
        "only “Prefer not to say”"
    )
    least: int | None = api_field("of numbers; else null")
    mean: float | None = api_field("of numbers, as received; else null")
    largest: int | None = api_field("of numbers; else null")

    @property
    def first(self) -> tuple[AnswerCount, ...]:
        return self.answers[:LISTED]

    @property
    def more(self) -> int:
        return len(self.answers) - len(self.first)


@dataclass(frozen=True)
class ImportPreview(ApiResult):
    n: int = api_field("how many responses would be added")
    left_out: int = api_field("rows without an answer to any question, which are left out")
    left_out_message: str = api_field("the same as a sentence; empty if there are none")
    can_count: bool = api_field("whether these rows can count as people who gave no answer")
    questions: tuple[QuestionPreview, ...]


def summary(
    frozen: SurveyDefinition,
    tally: dict[str, Any],
    *,
    left_out: int = 0,
    message: str = "",
    can_count: bool = False,
) -> ImportPreview:
    """Return what an import would add.

    tally: of the import's own rows, none of those that the survey has.
    left_out: the number of rows without an answer to any question.
    message: the sentence about them.
    can_count: whether a response may lack all reports.
    """
    return ImportPreview(
        n=tally["n"],
        left_out=left_out,
        left_out_message=message,
        can_count=can_count,
        questions=tuple(_question(item, tally) for item in frozen.items),
    )


def left_out_message(left_out: int, header: Sequence[str]) -> str:
    """Return what is said of rows without an answer to any question, or "" if there are none.

    left_out: their number.
    header: the names of all columns.
    """
    if not left_out:
        return ""
    is_redcap = REDCAP_COLUMN in header
    if left_out == 1:
        message = "1 row has no answer to any question. It is left out."
        redcap = "It is a repeated instrument of REDCap."
    else:
        message = f"{left_out:,} rows have no answer to any question. They are left out."
        redcap = "They are repeated instruments of REDCap."
    return f"{message} {redcap}" if is_redcap else message


def _question(item: QuestionDefinition, tally: dict[str, Any]) -> QuestionPreview:
    counts = packed_counts.unpack(tally["counts"][item.key])
    n = tally.get("answered", {}).get(item.key, tally["n"])
    missing = tally["n"] - n
    if item.traits.is_number and not item.has_own_numbers:
        size = len(item.answer_values)
        answers = _answers(item.choices[size:], counts[size:])
        least, mean, largest = _range(item, counts[:size])
    else:
        labels = item.choices if item.is_string else item.report_labels
        answers = _answers(labels, counts)
        least, mean, largest = None, None, None
    return QuestionPreview(
        key=item.key,
        n=n,
        missing=missing,
        answers=answers,
        least=least,
        mean=mean,
        largest=largest,
    )


def _range(
    item: QuestionDefinition, counts: IntArray
) -> tuple[int | None, float | None, int | None]:
    """The least number that occurs, the mean, and the largest one."""
    places = np.flatnonzero(counts)
    if not len(places):
        return None, None, None
    numbers = np.array(item.answer_values)
    mean = float(numbers @ counts / counts.sum())
    return int(numbers[places[0]]), mean, int(numbers[places[-1]])


def _answers(labels: tuple[str, ...], counts: IntArray) -> tuple[AnswerCount, ...]:
    """Of texts there are no counts. Where chance picks the marks, how often it did so follows the counts of marks."""
    size = len(labels)
    picked = counts[size:].tolist() or [None] * size
    answers = [
        AnswerCount(answer=label, n=n, picked=times)
        for label, n, times in zip(labels, counts[:size].tolist(), picked, strict=False)
        if n or times or size <= LISTED
    ]
    return tuple(answers if size <= LISTED else sorted(answers, key=lambda each: -each.n))
