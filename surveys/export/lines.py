"""Rows as text, whatever a cell looks like.

Reports of one question take few different values, so each is written once and then only looked up; of a report of many
marks every few neighbours together.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.columns import Column, columns
from surveys.fieldwork.responses.records import fill_missing

Texts = Callable[[np.ndarray], list[str]]  # the reports to one question -> a text for each row
AT_ONCE = 2000  # rows
MOST = 256  # texts in one table of neighbours


class Cells(ABC):
    """How cells are written. between: what stands between two of them. within: between the marks of one report."""

    between = ""
    within: str | None = None

    @abstractmethod
    def cell(self, column: Column, value: int | str | None) -> str:
        """One cell; None: there is nothing in it."""

    def written_columns(
        self, item: QuestionDefinition, own: tuple[Column, ...]
    ) -> tuple[Column, ...]:
        """Return which columns of a question are written."""
        return own

    def report(self, own: tuple[Column, ...], code: int) -> str:
        """The cells of a report that is a whole number."""
        return self.between.join(self.cell(column, column.value(code)) for column in own)

    def empty_cells(self, own: tuple[Column, ...]) -> str:
        """Return the cells of a question without a report."""
        return self.between.join(self.cell(column, None) for column in own)

    def marks(self, own: tuple[Column, ...]) -> str:
        """What stands before the marks of a report."""
        return ""


class Lines:
    """Rows of one survey as texts, cell by cell. alone: what an empty cell is where it is the only one of its row."""

    def __init__(self, frozen: SurveyDefinition, cells: Cells, alone: str = "") -> None:
        self._frozen, self._cells = frozen, cells
        self.columns = [
            (item, cells.written_columns(item, own))
            for item, own in zip(frozen.items, columns(frozen).values(), strict=True)
        ]
        is_alone = len([column for _, own in self.columns for column in own]) == 1
        self._nothing = {
            item.key: (cells.empty_cells(own) or (alone if is_alone else ""))
            for item, own in self.columns
        }
        self._texts = {item.key: self._of(item, own) for item, own in self.columns}

    def iter_text_rows(self, rows: np.ndarray) -> Iterator[Iterator[str]]:
        """Yield the rows as text, some at a time."""
        return (self._some(rows[start : start + AT_ONCE]) for start in range(0, len(rows), AT_ONCE))

    def _some(self, rows: np.ndarray) -> Iterator[str]:
        parts = (
            fill_missing(self._frozen, rows, key, texts(rows[key]), self._nothing[key])
            for key, texts in self._texts.items()
        )
        return map(self._cells.between.join, zip(*parts, strict=True))

    def _of(self, item: QuestionDefinition, own: tuple[Column, ...]) -> Texts:
        if item.is_string:
            return self._marks(item)
        if item.has_permanent_step:
            return lambda reports: [
                self._several(own, values) for values in item.report_format.spread(reports).tolist()
            ]
        if item.is_written:
            return lambda reports: [self._cells.report(own, code) for code in reports.tolist()]
        table = _table([self._cells.report(own, code) for code in range(item.report_format.size)])
        return lambda reports: table[reports].tolist()

    def _several(self, own: tuple[Column, ...], values: list[int]) -> str:
        return self._cells.between.join(map(self._cells.cell, own, values))

    def _marks(self, item: QuestionDefinition) -> Texts:
        cells, own, values = (
            self._cells,
            columns(self._frozen)[item.key],
            (None, 0, 1) if item.report_format.spreads else (0, 1),
        )
        within = cells.between if cells.within is None else cells.within
        at_once = int(np.log(MOST) / np.log(len(values)))
        tables = [
            _table(
                [
                    within.join(map(cells.cell, some, each))
                    for each in product(values, repeat=len(some))
                ]
            )
            for some in (own[start : start + at_once] for start in range(0, item.size, at_once))
        ]
        before = cells.marks(own)

        def texts(reports: np.ndarray) -> list[str]:
            places = item.report_format.spread(reports).astype(np.intp) + (len(values) - 2)
            parts = []
            for number, table in enumerate(tables):
                some = places[:, number * at_once : (number + 1) * at_once]
                parts.append(table[some @ len(values) ** np.arange(some.shape[1])[::-1]].tolist())
            joined = (
                parts[0] if len(parts) == 1 else list(map(within.join, zip(*parts, strict=True)))
            )
            return [before + text for text in joined] if before else joined

        return texts


def _table(texts: list[str]) -> np.ndarray:
    return np.array(texts, dtype=object)
