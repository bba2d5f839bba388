"""The design of a model: a row for each distinct set of background answers, a column for each group but the largest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mechanisms.checks import BoolArray, FloatArray, IntArray
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.predictors import TRUTH, Level, Term, levels
from surveys.site.errors import Invalid
from surveys.site.number_format import join_with_and

MOST_COLUMNS = 40
LEAST_APART = 0.001  # 1 - R² of a column on the others
LEFT = 1e-8  # of the length of a column: what rounding leaves of one that others make up


@dataclass(frozen=True)
class Design:
    """levels: of all terms. columns: the level of each column but the first, which is 1. table: shape (patterns, 1 +
    columns). of_cells: the pattern of each cell. people: in each pattern.
    """

    levels: tuple[Level, ...]
    columns: tuple[Level, ...]
    table: FloatArray
    of_cells: IntArray
    people: IntArray

    @property
    def of_rows(self) -> FloatArray:
        return self.table[self.of_cells]

    def place(self, level: Level) -> int:
        """The column of a group; a truth, which nobody knows, comes after all columns."""
        return self.table.shape[1] if level.term.way == TRUTH else 1 + self.columns.index(level)

    def places(self, term: Term) -> list[int]:
        """The columns of a term."""
        if term.way == TRUTH:
            return [self.table.shape[1]]
        return [1 + place for place, level in enumerate(self.columns) if level.term == term]

    def at(self, level: Level) -> FloatArray:
        """The table with everybody in this group, all else as it is; of a number one unit higher."""
        table = self.table.copy()
        if not level.kinds:
            table[:, self.places(level.term)] += 1
            return table
        table[:, self.places(level.term)] = 0
        if not level.is_reference:
            table[:, self.place(level)] = 1
        return table

    def members(self, level: Level) -> BoolArray:
        """Which patterns are of this group, not the reference; none for a number."""
        if not level.kinds:
            return np.zeros(len(self.table), bool)
        return self.table[:, self.place(level)] > 0

    def reference(self, level: Level) -> FloatArray:
        """The table with everybody in the largest group of its term; for a number as it is."""
        if not level.kinds:
            return self.table
        return self.at(
            next(each for each in self.levels if each.term == level.term and each.is_reference)
        )


def design(cells: Cells, terms: Sequence[Term], field: str = "explain") -> Design:
    """Invalid at `field` for too many columns, a question that all answered alike, and columns that others make up."""
    all_levels = tuple(level for term in terms for level in levels(term, cells))
    for term in terms:
        of_term = [level for level in all_levels if level.term == term]
        if of_term[0].kinds and len(of_term) < 2:
            raise Invalid(
                {
                    field: f"All answered “{term.text}” alike, so nothing can be linked to it. Leave it out."
                }
            )
    columns = tuple(
        level for level in all_levels if not level.is_reference and level.term.way != TRUTH
    )
    if len(columns) >= MOST_COLUMNS:
        raise Invalid(
            {
                field: (
                    f"These questions have {len(columns)} groups to compare. Choose fewer: at most "
                    f"{MOST_COLUMNS - 1}."
                )
            }
        )
    known = [term for term in terms if term.way != TRUTH]
    patterns, of_cells = _patterns(cells, known)
    kinds = {term: patterns[:, place] for place, term in enumerate(known)}
    table = np.column_stack(
        [np.ones(len(patterns)), *(level.column(kinds[level.term]) for level in columns)]
    )
    people = np.bincount(of_cells, cells.counts).astype(np.int64)
    _check_apart(table, columns, field)
    _check_different(table, people, columns, field)
    return Design(all_levels, columns, table, of_cells, people)


def _patterns(cells: Cells, terms: Sequence[Term]) -> tuple[IntArray, IntArray]:
    """The distinct answers to the terms, shape (patterns, terms), and the pattern of each cell."""
    codes = np.zeros(len(cells.counts), np.int64)
    for term in terms:
        codes = codes * term.part.n_report_values + cells.of(term.part)
    _, first, of_cells = np.unique(codes, return_index=True, return_inverse=True)
    columns = [cells.of(term.part)[first] for term in terms]
    return np.stack(columns, axis=1) if columns else np.zeros((len(first), 0), np.int64), of_cells


def _check_apart(table: FloatArray, columns: Sequence[Level], field: str) -> None:
    """Invalid where a group is known from the others: which question it is of, and beside which."""
    kept = np.zeros((len(table), 0))
    for place, column in enumerate(table.T):
        left = column - kept @ (kept.T @ column)
        left = left - kept @ (kept.T @ left)
        length = float(np.linalg.norm(left))
        if length <= LEFT * max(float(np.linalg.norm(column)), 1.0):
            raise Invalid({field: _dependent(columns[place - 1], columns[: place - 1])})
        kept = np.column_stack([kept, left / length])


def _check_different(
    table: FloatArray, people: IntArray, columns: Sequence[Level], field: str
) -> None:
    """Invalid where a column is nearly known from the others: its difference would be one of a handful of people."""
    centred = (table[:, 1:] - people @ table[:, 1:] / people.sum()) * np.sqrt(people)[:, np.newaxis]
    scaled = centred / np.linalg.norm(centred, axis=0)
    correlations = scaled.T @ scaled
    alone = 1 / np.linalg.inv(correlations).diagonal()  # 1 - R² of each column on the others
    place = int(alone.argmin()) if alone.size else 0
    if not alone.size or alone[place] >= LEAST_APART:
        return
    term = columns[place].term
    others = [at for at, level in enumerate(columns) if level.term != term]
    nearest = max(others, key=lambda at: abs(correlations[place, at]), default=place)
    raise Invalid(
        {
            field: f"“{term.text}” and “{columns[nearest].term.text}” are nearly the same. Leave one out."
        }
    )


def _dependent(level: Level, before: Sequence[Level]) -> str:
    others = [
        f"“{text}”"
        for text in dict.fromkeys(each.term.text for each in before)
        if text != level.term.text
    ]
    beside = f"from the answers to {join_with_and(others)}" if others else "already"
    return (
        f"“{level.label}” of “{level.term.text}” follows {beside}. Leave one of these questions out: their links "
        "can’t be separated."
    )
