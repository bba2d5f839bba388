"""Cells: the distinct combinations of answers, and how many people have each; all that an analysis looks at.

For whoever has the right to rows they are added up from the released batches, of which one is in memory at a time. For
everybody else they are made of the stored cut (results.disclosure.access), which holds how often each report was
counted in each joint cell of groups: enough for one scrambled question, and of those whose reports are marks for one
answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from mechanisms.checks import IntArray
from surveys.fieldwork.responses.records import has_report
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooMuch
from surveys.results.disclosure.access import GroupedView, NotAReportGroup, ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, NEARLY_ALL, Group, TooSmall
from surveys.results.estimates.report import EVERYBODY

MOST = 2_000_000  # cells in memory
DENSE = 2**22  # combinations that are counted each in its place
MANY = "Choose one answer, or fewer questions. There are too many combinations of answers."
ONE_SCRAMBLED = "Choose only one scrambled question. Two together need row access."
ONE_ANSWER = "Choose one of its answers. All of them together need row access."


@dataclass(frozen=True)
class Cells:
    """parts: what was asked for. kinds: the kind of answer of each cell to each part, shape (cells, parts). counts: the
    people in each cell, shape (cells,). left_out: people who were not asked, have no report to, or declined to give the
    number of, one of the parts.
    """

    parts: tuple[SurveyVariable, ...]
    kinds: IntArray
    counts: IntArray
    left_out: int

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    def of(self, part: SurveyVariable) -> IntArray:
        """The kinds of one part, shape (cells,)."""
        return self.kinds[:, self.parts.index(part)]

    def reports(self, part: SurveyVariable) -> np.ndarray:
        """The same as `part.mechanism` takes them."""
        return part.reports(self.of(part))


def cells(seen: ReaderView, parts: Sequence[SurveyVariable], group: Group = EVERYBODY) -> Cells:
    """The cells of these parts, of everybody or of a group.

    With row access a group is refused where all others with answers to all parts are fewer than MINIMUM.

    Raises TooSmall and NotAReportGroup as a report does, and TooMuch for more than MOST cells.
    """
    distinct = tuple(dict.fromkeys(parts))
    if (
        any(part.is_too_wide for part in distinct)
        or prod(part.n_report_values for part in distinct) >= 2**62
    ):
        raise TooMuch(MANY)
    if isinstance(seen, GroupedView):
        return _from_cut(seen, distinct, group)
    members = _from_rows(seen, distinct, group)
    if group and 0 < _from_rows(seen, distinct, EVERYBODY).n - members.n < MINIMUM:
        raise TooSmall(NEARLY_ALL)
    return members


def _from_rows(seen: ReaderView, parts: tuple[SurveyVariable, ...], group: Group) -> Cells:
    sizes = [part.n_report_values for part in parts]

    def count() -> tuple[IntArray, IntArray, int]:
        added, everybody = _Dense(prod(sizes)) if prod(sizes) <= DENSE else _Sparse(), 0
        for rows in seen.rows(group):
            everybody += len(rows)
            added.add(_combined(seen, parts, rows))
        return *added.counted(), everybody

    asked = ("cells", group, *((part.name, part.as_number) for part in parts))
    codes, counts, everybody = seen.cached_count(asked, count)
    return Cells(parts, _apart(codes, sizes), counts, everybody - int(counts.sum()))


def _combined(seen: ReaderView, parts: tuple[SurveyVariable, ...], rows: np.ndarray) -> IntArray:
    """One whole number for each row that has a report to every part."""
    codes, there = np.zeros(len(rows), np.int64), np.ones(len(rows), bool)
    for part in parts:
        kinds, asked = part.read(rows[part.item.key])
        codes = codes * part.n_report_values + kinds
        there &= has_report(seen.paper, rows, part.item.key)
        there &= True if asked is None else asked
    return codes if there.all() else codes[there]


def _apart(codes: IntArray, sizes: list[int]) -> IntArray:
    columns = []
    for size in reversed(sizes):
        codes, kind = np.divmod(codes, size)
        columns.append(kind)
    return np.stack(columns[::-1], axis=1) if columns else np.zeros((len(codes), 0), np.int64)


class _Dense:
    def __init__(self, size: int) -> None:
        self.counts = np.zeros(size, np.int64)

    def add(self, codes: IntArray) -> None:
        self.counts += np.bincount(codes, minlength=self.counts.size)

    def counted(self) -> tuple[IntArray, IntArray]:
        codes = np.flatnonzero(self.counts)
        return codes, self.counts[codes]


class _Sparse:
    """Sorted now and then, so that memory holds what differs and not what came."""

    def __init__(self) -> None:
        self.whole: tuple[IntArray, IntArray] = (np.zeros(0, np.int64), np.zeros(0, np.int64))
        self.new: list[tuple[IntArray, IntArray]] = []

    def add(self, codes: IntArray) -> None:
        self.new.append(np.unique(codes, return_counts=True))
        if sum(each.size for each, _ in self.new) > max(self.whole[0].size, DENSE // 16):
            self.counted()

    def counted(self) -> tuple[IntArray, IntArray]:
        self.whole, self.new = _merged([self.whole, *self.new]), []
        if self.whole[0].size > MOST:
            raise TooMuch(MANY)
        return self.whole


def _merged(several: Iterable[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    codes, counts = (np.concatenate(each) for each in zip(*several, strict=True))
    order = np.argsort(codes, kind="stable")
    codes, counts = codes[order], counts[order]
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    return codes[first], np.add.reduceat(counts, first) if first.size else counts


def _from_cut(seen: GroupedView, parts: tuple[SurveyVariable, ...], group: Group) -> Cells:
    background = [part for part in parts if not part.is_scrambled]
    scrambled = [part for part in parts if part.is_scrambled]
    for part in background:
        if part.item.key not in seen.answer_groups:
            raise NotAReportGroup(f"{seen.visibility_note(part.item.key)} {seen.note}".strip())
    if len(scrambled) > 1:
        raise NotAReportGroup(ONE_SCRAMBLED)
    totals: dict[tuple[int, ...], int] = {}
    everybody = 0
    for places, tally in seen.cells(group):
        everybody += tally["n"]
        if any(
            places[part.item.key] in seen.groups_without_answer(part.item.key)
            for part in background
        ):
            continue
        for kind, people in _counted(scrambled, tally):
            at = tuple(
                kind if part.is_scrambled else _kind(part, places[part.item.key]) for part in parts
            )
            totals[at] = totals.get(at, 0) + people
    places = [at for at, people in totals.items() if people]
    kinds = np.array(places, np.int64).reshape(len(places), len(parts))
    counts = np.array([totals[at] for at in places], np.int64)
    return Cells(parts, kinds, counts, everybody - int(counts.sum()))


def _kind(part: SurveyVariable, place: int) -> int:
    return place if part.choice is None else int(place == part.choice)


def _counted(scrambled: list[SurveyVariable], tally: dict) -> Iterable[tuple[int, int]]:
    """(kind, people) of the scrambled part, if there is one."""
    if not scrambled:
        return [(0, tally["n"])]
    (part,) = scrambled
    n = tally.get("answered", {}).get(part.item.key, tally["n"])
    counted = part.counted(tally["counts"][part.item.key], n)
    if counted is None:
        raise NotAReportGroup(ONE_ANSWER)
    return enumerate(counted)
