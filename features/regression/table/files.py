"""What leaves a table of two questions: a line for each cell, and a drawing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from features.regression.table.conditionals import OfThose
from features.regression.table.result import Crossed
from surveys.results.analysis.drawing import drawn
from surveys.site.files.lines import Line


@dataclass(frozen=True)
class CrossedLine(Line):
    """A cell. Shares are fractions."""

    rows: str
    columns: str
    row: str
    column: str
    n: int
    share: float
    standard_error: float
    low: float
    high: float
    constrained: float
    of_row: float | None
    of_row_low: float | None
    of_row_high: float | None
    of_column: float | None
    of_column_low: float | None
    of_column_high: float | None
    confidence: float
    group: str
    of_row_reason: str
    of_column_reason: str

    @classmethod
    def lines(cls, crossed: Crossed, about: str) -> Iterator[Self]:
        table = crossed.table
        for u, row in enumerate(crossed.rows):
            for v, column in enumerate(crossed.columns):
                yield cls(
                    *(crossed.first.name, crossed.second.name, row, column, crossed.n, float(table.shares[u, v])),
                    *(float(table.standard_errors[u, v]), *map(float, table.intervals[u, v])),
                    *(float(table.constrained[u, v]), *_of(crossed.of_rows[u][v]), *_of(crossed.of_columns[u][v])),
                    *(crossed.confidence, about),
                    of_row_reason=crossed.of_rows[u][v].reason,
                    of_column_reason=crossed.of_columns[u][v].reason,
                )


def _of(cell: OfThose) -> tuple[float | None, float | None, float | None]:
    low, high = cell.interval or (None, None)
    return cell.share, low, high


def crossed_svg(crossed: Crossed, about: str = "") -> str:
    """An SVG file of the shares of the second question among those with each answer of the first."""
    items = [part.item for part in (crossed.first, crossed.second)]
    sentences = [*crossed.sentences, crossed.in_figure]
    return drawn([crossed.figure], crossed.second.item.whole, crossed.headline, sentences, items, crossed.n, about)
