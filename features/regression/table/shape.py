"""What programs are told of a table of two questions. Shares are fractions."""

from dataclasses import dataclass
from typing import Self

from features.regression.table.conditionals import OfThose
from features.regression.table.result import Crossed
from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.shape import SignificanceResult
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class Side(Result):
    name: str = of("as requested")
    labels: tuple[str, ...] = of()


@dataclass(frozen=True)
class Cell(Result):
    share: float = of("of all people who got both questions; unbiased, can be below 0 or above 1")
    standard_error: float = of()
    interval: Interval = of()
    constrained: float = of("adjusted: the nearest share from 0 to 1")


@dataclass(frozen=True)
class AssociationResult(Result):
    value: float = of()
    standard_error: float = of()
    interval: Interval = of()


@dataclass(frozen=True)
class Phi(Result):
    value: float | None = of("null where only the nearer end of the interval can be computed")
    standard_error: float = of()
    interval: Interval = of()


@dataclass(frozen=True)
class CrossedResult(AnalysisResult):
    n: int = of("people in the table")
    left_out: int = of("people who did not get both questions, or are in no group")
    rows: Side = of()
    columns: Side = of()
    cells: tuple[tuple[Cell, ...], ...] = of()
    of_rows: tuple[tuple[OfThose, ...], ...] = of("of people with the answer of the row")
    of_columns: tuple[tuple[OfThose, ...], ...] = of("of people with the answer of the column")
    constrained_by: str = of()
    independence: SignificanceResult | None = of()
    phi: Phi | None = of("for a table of two by two answers")
    odds_ratio: AssociationResult | None = of()
    reason: str = of("why one of these is null")
    confidence: float = of()
    sentence: str = of("as the page says it")
    methods: str = of("for a paper")
    references: tuple[str, ...] = of("the literature of the methods")
    note: str = of("what this reader sees of background answers")
    items: tuple[FrozenQuestion, ...] = of(sent=False)

    @classmethod
    def tell(cls, crossed: Crossed) -> Self:
        items, table, phi, odds = (
            (crossed.first.item, crossed.second.item),
            crossed.table,
            crossed.phi,
            crossed.odds_ratio,
        )
        numbers = table.shares, table.standard_errors, table.intervals, table.constrained
        cells = zip(*(each.tolist() for each in numbers), strict=True)
        return cls.like(
            crossed,
            rows=Side(crossed.first.name, crossed.rows),
            columns=Side(crossed.second.name, crossed.columns),
            cells=tuple(tuple(Cell(*cell) for cell in zip(*row, strict=True)) for row in cells),
            constrained_by=table.constrained_by,
            independence=SignificanceResult.tell(crossed.independence),
            phi=Phi(None if crossed.is_strong else phi.value, phi.standard_error, phi.interval)
            if phi
            else None,
            odds_ratio=AssociationResult(*odds) if odds else None,
            reason=crossed.why,
            sentence=" ".join(crossed.sentences),
            references=references(crossed.methods, items),
            note=crossed.seen,
            items=items,
        )
