"""Groups side by side: the answers of each group that one background question makes, question by question.

A row needs MINIMUM people who were asked the question, and outside of it as many. Smaller groups are together in
“Other”, never with those who declined. In no row are none of those asked, or MINIMUM of them and more: rows subtracted
from the whole must not leave a few people.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from mechanisms.designs.wire import PickedOptions
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.fieldwork.responses.records import add_tallies
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, NEARLY_ALL, Group, TooSmall
from surveys.results.estimates import intervals
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import EVERYBODY, summarize_question
from surveys.site.errors import Invalid

MOST_GROUPS = 12
OTHER = "Other"
DECLINED = "People who preferred not to say are in no row."
TOO_FEW = (
    f"These groups can’t be compared. At least two need {MINIMUM} responses or more, with no one left over, or "
    f"{MINIMUM} people or more."
)


@dataclass(frozen=True)
class GroupRow:
    """A group of which enough were asked a question. labels: more than one where small groups are together."""

    labels: tuple[str, ...]
    report: QuestionReport
    tally: dict = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        return row_name(self.labels)


@dataclass(frozen=True)
class SideBySide:
    """parts: the tally of each choice of `by`; whole: of everyone who is looked at, whatever they answered to it;
    declined: the places of those whose answer no one knows.
    """

    by: QuestionDefinition
    frozen: SurveyDefinition
    asked: intervals.IntervalOptions
    parts: tuple[dict, ...] = field(repr=False)
    whole: dict = field(repr=False)
    declined: frozenset[int]
    reader_note: str = ""  # what its reader may see of background answers

    @cached_property
    def groups(self) -> tuple[tuple[tuple[str, ...], int], ...]:
        """(labels, responses) of each group that is large enough by itself."""
        sizes = [part.get("n", 0) for part in self.parts]
        rows = group_rows(sizes, self.whole["n"], self.declined, self._other)
        return tuple((self._labels(places), sum(sizes[v] for v in places)) for places in rows)

    @cached_property
    def questions(self) -> tuple[tuple[QuestionDefinition, tuple[GroupRow, ...]], ...]:
        """Each scrambled question of which two groups or more have rows."""
        rows = ((item, self.rows(item)) for item in self.frozen.items if item.mechanism)
        return tuple((item, each) for item, each in rows if each)

    def rows(self, item: QuestionDefinition) -> tuple[GroupRow, ...]:
        """Return the rows of a question in the order of the choices, “Other” last.

        There are none if fewer than two groups are large enough.
        """
        return tuple(self._row(item, codes) for codes in self.row_codes(item))

    def row_codes(self, item: QuestionDefinition) -> list[tuple[int, ...]]:
        """Return the choices that make each row of a question, from the numbers of people alone."""
        sizes = [_asked(part, item) for part in self.parts]
        return group_rows(sizes, _asked(self.whole, item), self.declined, self._other)

    def row_sizes(self, item: QuestionDefinition, answer: int | None) -> list[int]:
        """Return the number of reports in each row of a question that are about an answer.

        They are known before any answer is read. Where devices pick the options that they report
        on, each option has a number of its own.

        answer: the code of the answer; None for the mean, which is made of all reports.
        """
        sizes = []
        for codes in self.row_codes(item):
            parts = [self.parts[code] for code in codes]
            sizes.append(sum(_reports_about(part, item, answer) for part in parts))
        return sizes

    def _row(self, item: QuestionDefinition, places: Sequence[int]) -> GroupRow:
        tally = _together([self.parts[v] for v in places])
        report = summarize_question(item, tally, self.asked)
        report = replace(report, drawn=self.frozen.is_drawn(item.key), whom=item.condition_text)
        return GroupRow(self._labels(places), report, tally)

    @property
    def _other(self) -> int | None:
        return other_place(self.by.choices)

    def _labels(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.by.choices[v] for v in places)

    @property
    def name(self) -> str:
        """Of the background question."""
        return self.by.short or self.by.full_text

    @property
    def note(self) -> str:
        """Who is in no row, without a number; empty where everyone is in one."""
        rows = self._labels_of_rows or [labels for labels, _ in self.groups]
        small, declined = f"Small groups of “{self.name}”", self.by.decline_code is not None
        if any(len(labels) > 1 for labels in rows):
            note = f"{small} are merged into “{OTHER}”. {DECLINED if declined else ''}".strip()
        elif {label for labels in rows for label in labels} >= {*self._answers}:
            note = DECLINED if declined else ""
        else:
            note = f"{small}{', and people who preferred not to say,' if declined else ''} are in no row."
        return f"{note} {self.reader_note}".strip()

    @property
    def has_rows(self) -> bool:
        """True if two groups or more have rows of some scrambled question."""
        return bool(self._labels_of_rows)

    @property
    def _labels_of_rows(self) -> list[tuple[str, ...]]:
        """The labels of all rows of all scrambled questions."""
        labels = []
        for item in self.frozen.items:
            if item.mechanism is not None:
                labels.extend(self._labels(codes) for codes in self.row_codes(item))
        return labels

    @property
    def _answers(self) -> list[str]:
        return [label for v, label in enumerate(self.by.choices) if v not in self.declined]


def row_name(labels: Sequence[str]) -> str:
    return OTHER if len(labels) > 1 else labels[0]


def other_place(labels: Sequence[str]) -> int | None:
    """The place of the choice that is called as small groups together are."""
    folded = [label.strip().casefold() for label in labels]
    return folded.index(OTHER.casefold()) if OTHER.casefold() in folded else None


def group_rows(
    sizes: Sequence[int], total: int, declined: Set[int], other: int | None
) -> list[tuple[int, ...]]:
    """The places of each row; none where these would be fewer than two. sizes: of each choice how many were asked;
    total: how many in all, those without an answer to the background question too; declined: choices that are never in
    a row; other: the choice that is called as small groups together are.
    """
    there = [v for v, n in enumerate(sizes) if n and v not in declined]
    small = [v for v in there if sizes[v] < MINIMUM]
    alone = [v for v in there if sizes[v] >= MINIMUM]
    left = total - sum(sizes[v] for v in alone)
    if small and alone and (other in alone or (0 < left < MINIMUM)):
        least = other if other in alone else min(alone, key=lambda v: sizes[v])
        alone.remove(least)
        small.append(least)
    rows = [(v,) for v in alone]
    if sum(sizes[v] for v in small) >= MINIMUM:
        rows.append(tuple(sorted(small)))
    if rows and 0 < total - sum(_size(sizes, row) for row in rows) < MINIMUM:
        rows.remove(min(rows, key=lambda row: _size(sizes, row)))
    return rows if len(rows) > 1 else []


def _size(sizes: Sequence[int], row: Sequence[int]) -> int:
    return sum(sizes[v] for v in row)


def _asked(tally: dict, item: QuestionDefinition) -> int:
    """How many people were asked a question."""
    n: int = tally.get("answered", {}).get(item.key, tally.get("n", 0))
    return n


def _reports_about(tally: dict, item: QuestionDefinition, answer: int | None) -> int:
    """Return how many reports to a question are about an answer; of the mean, all of them."""
    report_format = item.report_format
    if answer is None or not isinstance(report_format, PickedOptions):
        return _asked(tally, item)
    if not tally.get("n"):
        return 0
    # The counts of an option as it was set are followed by the counts of how often it was picked.
    counts = unpack(tally["counts"][item.key])
    return int(counts[report_format.size + answer])


def _together(tallies: Sequence[dict]) -> dict:
    total: dict = {}
    for tally in tallies:
        total = add_tallies(total, tally) if tally.get("n") else total
    return total


def groupable_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the background questions with few enough answers to make groups."""
    return [
        item
        for item in seen.filter_questions
        if not item.traits.is_background_number and item.size <= MOST_GROUPS
    ]


def side_by_side(
    seen: ReaderView,
    by: str,
    *,
    asked: intervals.IntervalOptions | None = None,
    group: Group = EVERYBODY,
) -> SideBySide:
    """As `all_groups`. TooSmall too where fewer than two groups may be shown."""
    sides = all_groups(seen, by, asked=asked, group=group)
    if len(sides.groups) < 2 and not sides.has_rows:
        raise TooSmall(TOO_FEW)
    return sides


def all_groups(
    seen: ReaderView,
    by: str,
    *,
    asked: intervals.IntervalOptions | None = None,
    group: Group = EVERYBODY,
) -> SideBySide:
    """The groups that a background question makes of everyone, or of a group.

    Invalid for a question that is not comparable, or a kind of interval that a design does not have; TooSmall where
    `group` leaves a few people out.
    """
    frozen, asked = seen.definition, asked or intervals.IntervalOptions()
    items = {item.key: item for item in groupable_questions(seen)}
    if by not in items:
        allowed = ", ".join(items) or "there is none in this survey"
        why = f"Choose a background question with at most {MOST_GROUPS} answers: {allowed}. {seen.note}"
        raise Invalid({"by": why.strip()})
    intervals.validate_options(frozen, asked)
    everyone, inside, parts = seen.tallies_by(group, by)
    if 0 < everyone - inside < MINIMUM:
        raise TooSmall(NEARLY_ALL)  # the groups add up to the filter, which is refused
    total = sum(part.get("n", 0) for part in parts)
    whole = _together(parts) if inside == total else seen.tally(group)
    return SideBySide(
        items[by],
        frozen,
        asked,
        tuple(parts),
        whole or {"n": 0},
        frozenset(seen.codes_without_answer(by)),
        seen.note,
    )
