"""Filtering by background answers: the tally of a group, added up from the released batches one after the other.

Reports are never filtered by: a randomized report says next to nothing about the person who sent it, and a group made
by it would be a group of nobody. Groups of few people, and groups that leave few out, are refused: the difference of
two reports would be a report of those few. That stops the plainest comparison, not every one that can be made with
several filters; what protects a respondent is that their reports are scrambled.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.packed_counts import Counts, pack
from surveys.fieldwork.responses.records import add_tallies, count_responses, has_report
from surveys.models import Instrument
from surveys.results.disclosure.kept import cached_count
from surveys.site.number_format import join_with_and
from surveys.statements.family import LEAST_IN_GROUP

TOGETHER = 30  # batches that are counted at once: a third of a megabyte for each byte of a record
# Responses in a group, and outside of it.
MINIMUM = LEAST_IN_GROUP
FEW = (
    f"Fewer than {MINIMUM} responses match this filter. That is too few to report. Choose more answers or fewer "
    "conditions."
)
NEARLY_ALL = (
    f"This filter leaves out some responses, but fewer than {MINIMUM}. Remove the filter, or leave out more. "
    "Otherwise a comparison with the whole report would show what these few sent."
)


class TooSmall(ValueError):
    """The group or its complement is too small to be reported; the message says which."""


@dataclass(frozen=True)
class Group:
    """Respondents whose background answers are among these: (question key, indices of choices) for each condition."""

    conditions: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.conditions)

    def in_words(self, frozen: SurveyDefinition) -> str:
        """ "“Where do you live?” is “North” or “South”"."""
        items = {item.key: item for item in frozen.items}
        return " and ".join(_condition(items[key], picked) for key, picked in self.conditions)


def _condition(item: QuestionDefinition, picked: tuple[int, ...]) -> str:
    labels = [f"“{item.choices[v]}”" for v in picked]
    consecutive = list(picked) == list(range(picked[0], picked[-1] + 1))
    if len(labels) > 3 and consecutive:
        return f"“{item.full_text}” is {labels[0]} to {labels[-1]}"
    return f"“{item.full_text}” is {join_with_and(labels, 'or')}"


def background_questions(frozen: SurveyDefinition) -> list[QuestionDefinition]:
    """Return the background questions."""
    return [item for item in frozen.items if item.mechanism is None]


def count_group(instrument: Instrument, group: Group) -> dict:
    """Return the tally of a group. Raises TooSmall.

    It holds nothing of a question with a condition that fewer than MINIMUM in the group, or of all others, were asked.

    TooSmall for a group, or all others, under MINIMUM; ValueError for a question that is not a background question or
    an index that is no choice.
    """
    frozen = parse_instrument(instrument)
    wanted = _selected_codes(frozen, group)

    def count() -> tuple[int, dict]:
        everybody, total = 0, {"n": 0}
        for rows in released.iter_batches(instrument, together=TOGETHER):
            everybody += len(rows)
            total = add_tallies(
                total if total["n"] else {},
                count_responses(frozen, rows[_members(frozen, rows, wanted)]),
            )
        return everybody, total

    everybody, total = cached_count(instrument, ("group", group), count)
    n = total["n"]
    if n < MINIMUM:
        raise TooSmall(FEW)
    if 0 < everybody - n < MINIMUM:
        raise TooSmall(NEARLY_ALL)
    return _without_few(frozen, total, released.read_released(instrument).tally)


def _without_few(frozen: SurveyDefinition, part: dict, whole: dict) -> dict:
    few = [
        item
        for item in frozen.items
        if item.when
        and item.mechanism is not None
        and not is_enough(on_path(part, item.key), on_path(whole, item.key))
    ]
    return part | {
        "counts": part["counts"] | {item.key: no_reports(item) for item in few},
        **{
            name: part[name] | {item.key: 0 for item in few if item.key in part[name]}
            for name in ("answered", "on_path")
            if name in part
        },
    }


def is_enough(n: int, everybody: int) -> bool:
    """Whether a group of n among all who were asked a question is large enough for it, and so are all others."""
    return n >= MINIMUM and (n == everybody or everybody - n >= MINIMUM)


def on_path(counted: dict, key: str) -> int:
    """How many of a tally were asked a question; where devices pick, how many were on its path."""
    number: int = (counted.get("answered", {}) | counted.get("on_path", {})).get(key, counted["n"])
    return number


def no_reports(item: QuestionDefinition) -> Counts:
    """The counts of a question that nobody was asked."""
    return pack(item.report_format.counts(np.zeros(0, item.report_format.field)))


def iter_group_rows(instrument: Instrument, group: Group) -> Iterator[np.ndarray]:
    """The rows of a group, batch by batch. TooSmall after the last one, so nothing made of them may be shown before;
    ValueError as for `tally_of`.
    """
    frozen = parse_instrument(instrument)
    wanted, everybody, inside = _selected_codes(frozen, group), 0, 0
    for rows in released.iter_batches(instrument, together=TOGETHER):
        members = rows[_members(frozen, rows, wanted)] if wanted else rows
        everybody, inside = everybody + len(rows), inside + len(members)
        yield members
    if wanted and inside < MINIMUM:
        raise TooSmall(FEW)
    if 0 < everybody - inside < MINIMUM:
        raise TooSmall(NEARLY_ALL)


def count_by_answer(instrument: Instrument, group: Group, key: str) -> tuple[int, int, list[dict]]:
    """How many responses there are, how many are in a group, and the tally of each of its parts: one part for each
    choice of a background question. In one pass; nothing of it may be shown before it is known to be enough.

    ValueError as for `tally_of`.
    """
    frozen = parse_instrument(instrument)
    wanted, (item,) = (
        _selected_codes(frozen, group),
        [item for item in background_questions(frozen) if item.key == key],
    )

    def count() -> tuple[int, int, list[dict]]:
        everybody, inside = 0, 0
        parts: list[dict] = [{}] * item.size
        for rows in released.iter_batches(instrument, together=TOGETHER):
            everybody += len(rows)
            members = rows[_members(frozen, rows, wanted)]
            inside += len(members)
            known = has_report(frozen, members, key)
            parts = [
                add_tallies(
                    total, count_responses(frozen, members[known & (members[key] == choice)])
                )
                for choice, total in enumerate(parts)
            ]
        return everybody, inside, parts

    return cached_count(instrument, ("groups", group, key), count)


def _members(
    frozen: SurveyDefinition, rows: np.ndarray, wanted: dict[str, np.ndarray]
) -> np.ndarray:
    """Which rows meet all conditions; bool, shape (n,)."""
    members = np.ones(len(rows), dtype=bool)
    for key, chosen in wanted.items():
        members &= chosen[rows[key]] & has_report(frozen, rows, key)
    return members


def _selected_codes(frozen: SurveyDefinition, group: Group) -> dict[str, np.ndarray]:
    """Return, by question, which codes a filter selects."""
    sizes = {item.key: item.size for item in background_questions(frozen)}
    wanted = {}
    for key, picked in group.conditions:
        if key not in sizes or not picked or not all(0 <= v < sizes[key] for v in picked):
            raise ValueError(
                f"conditions has {key!r}: {picked}; allowed are choices of a background question"
            )
        wanted[key] = np.isin(np.arange(sizes[key]), picked)
    return wanted
