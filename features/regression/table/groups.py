"""A background question in a table: its groups follow the rule of groups side by side, for readers of rows too."""

from collections.abc import Callable, Set
from itertools import chain
from typing import NamedTuple

import numpy as np

from features.regression.table.conditionals import labels
from mechanisms import Matrix, Mechanism, PairTally, Tally
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, TooSmall
from surveys.results.report.groups import TOO_FEW, group_rows, other_place, row_name

Axis = tuple[Mechanism, tuple[str, ...]]  # what decodes the reports of a side, and its answers
Groups = list[tuple[int, ...]]  # the answers that make each group
Kept = tuple[
    Set[int] | None, Set[int] | None
]  # the answers of each side whose people are in the table; None for all
EVERY_ANSWER: Kept = (None, None)


class MergedTable(NamedTuple):
    """A table with its small groups together or left out.

    row_groups, column_groups: the answers that make each group, or None where each answer is a row
    or a column.
    """

    tally: PairTally
    rows: Axis
    columns: Axis
    row_groups: Groups | None
    column_groups: Groups | None

    @property
    def kept_answers(self) -> Kept:
        return _answers(self.row_groups), _answers(self.column_groups)


def merge_small_groups(
    seen: ReaderView,
    first: SurveyVariable,
    second: SurveyVariable,
    count: Callable[[Kept], PairTally],
) -> MergedTable:
    """Return the table with its small groups together or left out.

    Raises TooSmall where fewer than two groups are left.

    count: counts it again where people are left out, since only their rows tell which marks come together.
    """
    counted = count(EVERY_ANSWER)
    rows = _groups(seen, first, counted.first)
    if _leaves_out(rows, counted.first):
        counted = count((_answers(rows), None))
    columns = _groups(seen, second, counted.second)
    if _leaves_out(columns, counted.second):
        counted = count((_answers(rows), _answers(columns)))
    one, other = _sums(rows, counted.first), _sums(columns, counted.second)
    tallies = _together(rows, one, counted.first), _together(columns, other, counted.second)
    if rows and (tallies[0].counts < MINIMUM).any():  # those who are left by the columns
        raise TooSmall(TOO_FEW)
    return MergedTable(
        tally=PairTally(counted.n, one @ counted.counts @ other.T, *tallies),
        rows=_axis(first, rows),
        columns=_axis(second, columns),
        row_groups=rows,
        column_groups=columns,
    )


def group_codes(reports: np.ndarray, groups: Groups | None) -> np.ndarray:
    """Return the code of the group of each report, or the reports where each answer is a group.

    reports: of people whose answers are kept; codes of answers where there are groups.
    """
    if groups is None:
        return reports
    codes = np.empty_like(reports)
    for code, answers in enumerate(groups):
        codes[np.isin(reports, answers)] = code
    return codes


def _groups(seen: ReaderView, part: SurveyVariable, tally: Tally) -> Groups | None:
    """None where each answer is a row: it is scrambled, or a report group, which is large enough already."""
    if part.is_scrambled or not seen.has_rows:
        return None
    declined = set() if part.choice is not None else seen.codes_without_answer(part.item.key)
    groups = group_rows(tally.counts.tolist(), tally.n, declined, other_place(labels(part)))
    if not groups:
        raise TooSmall(TOO_FEW)
    return groups


def _answers(groups: Groups | None) -> Set[int] | None:
    return None if groups is None else frozenset(chain.from_iterable(groups))


def _leaves_out(groups: Groups | None, tally: Tally) -> bool:
    return groups is not None and tally.counts[[*_answers(groups)]].sum() < tally.n


def _sums(groups: Groups | None, tally: Tally) -> np.ndarray:
    """What adds the counts of answers up to those of groups, shape (groups, answers)."""
    each = [(place,) for place in range(tally.counts.size)] if groups is None else groups
    return np.array([[int(place in group) for place in range(tally.counts.size)] for group in each])


def _together(groups: Groups | None, sums: np.ndarray, tally: Tally) -> Tally:
    """That of bits stays, with its pairs."""
    return tally if groups is None else Tally(tally.n, sums @ tally.counts)


def _axis(part: SurveyVariable, groups: Groups | None) -> Axis:
    names = labels(part)
    if groups is None:
        return part.mechanism, names
    return Matrix.identity(len(groups)), tuple(
        row_name([names[place] for place in group]) for group in groups
    )
