"""Cells: the distinct combinations of answers, and how many people have each.

An analysis looks at nothing else. For readers with row access they are added up from the released
batches, of which one is in memory at a time. For all others they are made of the report groups,
which hold how often each report was counted in each joint group: enough for one scrambled question,
and for one answer if its reports are bits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from mechanisms.checks import IntArray
from surveys.fieldwork.responses.records import has_report
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooMuch
from surveys.results.disclosure.access import GroupedView, NotAReportGroup, ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, NEARLY_ALL, Group, TooSmall
from surveys.results.estimates.report import EVERYBODY

# The most cells in memory.
MOST = 2_000_000
# Up to so many combinations are counted in an array with a place for each.
DENSE = 2**22
# The codes of combinations have to fit into signed numbers of 64 bits.
MOST_COMBINATIONS = 2**62
MANY = "Choose one answer, or fewer questions. There are too many combinations of answers."
ONE_SCRAMBLED = "Choose only one scrambled question. Two together need row access."
ONE_ANSWER = "Choose one of its answers. All of them together need row access."


@dataclass(frozen=True)
class Cells:
    """The combinations of the kinds of several variables.

    parts: the variables.
    kinds: the kind of each cell for each variable, shape (cells, parts).
    counts: the people in each cell, shape (cells,).
    left_out: the people who were not asked a question, have no report to it, or declined to give a
        number.
    """

    parts: tuple[SurveyVariable, ...]
    kinds: IntArray
    counts: IntArray
    left_out: int

    @property
    def n(self) -> int:
        """The number of people in all cells."""
        return int(self.counts.sum())

    def of(self, part: SurveyVariable) -> IntArray:
        """Return the kinds of one variable, shape (cells,)."""
        return self.kinds[:, self.parts.index(part)]

    def reports(self, part: SurveyVariable) -> np.ndarray:
        """Return the reports of one variable as its mechanism takes them."""
        return part.reports(self.of(part))


class CombinationCounts(NamedTuple):
    """Combinations as one whole number each, and how many people have each of them."""

    codes: IntArray
    counts: IntArray


def cells(seen: ReaderView, parts: Sequence[SurveyVariable], group: Group = EVERYBODY) -> Cells:
    """Return the cells of these variables, of everybody or of a group.

    Raises TooSmall and NotAReportGroup as a report does, and TooMuch for more than MOST cells. With
    row access, TooSmall is also raised if all others with answers to all variables are fewer than
    MINIMUM.
    """
    distinct_parts = tuple(dict.fromkeys(parts))
    n_combinations = prod(part.n_report_values for part in distinct_parts)
    is_too_wide = any(part.is_too_wide for part in distinct_parts)
    if is_too_wide or n_combinations >= MOST_COMBINATIONS:
        raise TooMuch(MANY)
    if isinstance(seen, GroupedView):
        return _cells_of_groups(seen, distinct_parts, group)
    members = _cells_of_rows(seen, distinct_parts, group)
    if group:
        everybody = _cells_of_rows(seen, distinct_parts, EVERYBODY)
        if 0 < everybody.n - members.n < MINIMUM:
            raise TooSmall(NEARLY_ALL)
    return members


def _cells_of_rows(view: ReaderView, parts: tuple[SurveyVariable, ...], group: Group) -> Cells:
    """Return the cells of the released rows."""
    sizes = [part.n_report_values for part in parts]

    def count() -> tuple[IntArray, IntArray, int]:
        counter = _DenseCounter(prod(sizes)) if prod(sizes) <= DENSE else _SparseCounter()
        n_people = 0
        for rows in view.rows(group):
            n_people += len(rows)
            counter.add(_combination_codes(view, parts, rows))
        codes, counts = counter.total()
        return codes, counts, n_people

    variables = ((part.name, part.as_number) for part in parts)
    codes, counts, n_people = view.cached_count(("cells", group, *variables), count)
    kinds = _kinds_of_codes(codes, sizes)
    return Cells(parts=parts, kinds=kinds, counts=counts, left_out=n_people - int(counts.sum()))


def _combination_codes(
    view: ReaderView, parts: tuple[SurveyVariable, ...], rows: np.ndarray
) -> IntArray:
    """Return one whole number for each row that has a report to every variable."""
    codes = np.zeros(len(rows), np.int64)
    mask = np.ones(len(rows), bool)
    for part in parts:
        kinds, part_mask = part.read(rows[part.item.key])
        codes = codes * part.n_report_values + kinds
        mask &= has_report(view.paper, rows, part.item.key)
        if part_mask is not None:
            mask &= part_mask
    # Most often all rows are counted, and then nothing is copied.
    return codes if mask.all() else codes[mask]


def _kinds_of_codes(codes: IntArray, sizes: list[int]) -> IntArray:
    """Return the kinds that each code combines, shape (codes, variables).

    sizes: the number of kinds of each variable.
    """
    if not sizes:
        return np.zeros((len(codes), 0), np.int64)
    columns = []
    for size in reversed(sizes):
        codes, kinds = np.divmod(codes, size)
        columns.append(kinds)
    return np.stack(columns[::-1], axis=1)


class _DenseCounter:
    """Counts combinations in an array that has a place for each of them."""

    def __init__(self, size: int) -> None:
        self.counts = np.zeros(size, np.int64)

    def add(self, codes: IntArray) -> None:
        """Count the codes of some rows."""
        self.counts += np.bincount(codes, minlength=self.counts.size)

    def total(self) -> CombinationCounts:
        """Return the combinations that occurred."""
        codes = np.flatnonzero(self.counts)
        return CombinationCounts(codes, self.counts[codes])


class _SparseCounter:
    """Counts combinations of which few occur.

    They are merged now and then, so that memory holds distinct combinations and not all rows.
    """

    def __init__(self) -> None:
        self.merged = CombinationCounts(np.zeros(0, np.int64), np.zeros(0, np.int64))
        self.new: list[CombinationCounts] = []

    def add(self, codes: IntArray) -> None:
        """Count the codes of some rows."""
        self.new.append(CombinationCounts(*np.unique(codes, return_counts=True)))
        n_new = sum(batch.codes.size for batch in self.new)
        if n_new > max(self.merged.codes.size, DENSE // 16):
            self.total()

    def total(self) -> CombinationCounts:
        """Return the combinations that occurred. Raises TooMuch for more than MOST."""
        self.merged = _merge([self.merged, *self.new])
        self.new = []
        if self.merged.codes.size > MOST:
            raise TooMuch(MANY)
        return self.merged


def _merge(batches: Sequence[CombinationCounts]) -> CombinationCounts:
    """Return the sums of several counts."""
    codes = np.concatenate([batch.codes for batch in batches])
    counts = np.concatenate([batch.counts for batch in batches])
    order = np.argsort(codes, kind="stable")
    codes, counts = codes[order], counts[order]
    # The index at which each distinct code begins.
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    if not starts.size:
        return CombinationCounts(codes, counts)
    return CombinationCounts(codes[starts], np.add.reduceat(counts, starts))


def _cells_of_groups(view: GroupedView, parts: tuple[SurveyVariable, ...], group: Group) -> Cells:
    """Return the cells of the report groups.

    Raises NotAReportGroup for questions whose answers are not shown, for two scrambled questions,
    and for a scrambled question of which only a single answer can be counted.
    """
    background = [part for part in parts if not part.is_scrambled]
    scrambled = [part for part in parts if part.is_scrambled]
    for part in background:
        if part.item.key not in view.answer_groups:
            reason = f"{view.visibility_note(part.item.key)} {view.note}"
            raise NotAReportGroup(reason.strip())
    if len(scrambled) > 1:
        raise NotAReportGroup(ONE_SCRAMBLED)

    people_by_kinds: dict[tuple[int, ...], int] = {}
    n_people = 0
    for group_codes, tally in view.cells(group):
        n_people += tally["n"]
        if any(_has_no_answer(view, part, group_codes) for part in background):
            continue
        for scrambled_kind, people in _counts_of_kinds(scrambled, tally):
            kinds = []
            for part in parts:
                if part.is_scrambled:
                    kinds.append(scrambled_kind)
                else:
                    kinds.append(_background_kind(part, group_codes[part.item.key]))
            key = tuple(kinds)
            people_by_kinds[key] = people_by_kinds.get(key, 0) + people

    keys = [key for key, people in people_by_kinds.items() if people]
    counts = np.array([people_by_kinds[key] for key in keys], np.int64)
    return Cells(
        parts=parts,
        kinds=np.array(keys, np.int64).reshape(len(keys), len(parts)),
        counts=counts,
        left_out=n_people - int(counts.sum()),
    )


def _has_no_answer(view: GroupedView, part: SurveyVariable, group_codes: dict) -> bool:
    """Return whether the people of a joint group have no answer to a background question."""
    key = part.item.key
    return group_codes[key] in view.groups_without_answer(key)


def _background_kind(part: SurveyVariable, code: int) -> int:
    """Return the kind of a background answer."""
    return code if part.choice is None else int(code == part.choice)


def _counts_of_kinds(scrambled: list[SurveyVariable], tally: dict) -> Iterable[tuple[int, int]]:
    """Return pairs of a kind of the scrambled variable and the people who have it.

    If no variable is scrambled, all people have the kind 0.
    """
    if not scrambled:
        return [(0, tally["n"])]
    (part,) = scrambled
    n = tally.get("answered", {}).get(part.item.key, tally["n"])
    counts = part.counted(tally["counts"][part.item.key], n)
    if counts is None:
        raise NotAReportGroup(ONE_ANSWER)
    return enumerate(counts)
