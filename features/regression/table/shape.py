"""What programs are told of a table of two questions. Shares are fractions."""

from dataclasses import dataclass
from typing import Literal, Self

from features.regression.table.conditionals import OfThose
from features.regression.table.result import CrossTabulation
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.site.shape import ApiResult, api_field
from surveys.statements.associations import AssociationState
from surveys.statements.results import StatementFields, statement_fields


@dataclass(frozen=True)
class Side(ApiResult):
    name: str = api_field("as requested")
    labels: tuple[str, ...] = api_field()


@dataclass(frozen=True, kw_only=True)
class CellResult(StatementFields):
    share: float = api_field(
        "of all people who got both questions; unbiased, can be below 0 or above 1"
    )
    standard_error: float = api_field()
    interval: Interval = api_field()
    constrained: float = api_field("adjusted: the nearest share from 0 to 1")

    @classmethod
    def from_table(cls, crossed: CrossTabulation, row: int, column: int) -> Self:
        """Return the share of the people with two answers."""
        share = crossed.shares[row][column]
        return cls(
            share=share.estimate,
            standard_error=float(crossed.table.standard_errors[row, column]),
            interval=share.interval,
            constrained=float(crossed.table.constrained[row, column]),
            **statement_fields(share),
        )


@dataclass(frozen=True)
class IndependenceResult(ApiResult):
    """The test of whether the answers are unrelated."""

    statistic: float = api_field("chi-square")
    degrees: int = api_field()
    p_value: float = api_field()
    method: Literal["chi-square", "permutation"] = api_field(
        "what the p value comes from: the chi-square distribution or, where few reports of a kind "
        "are expected, random permutations"
    )
    draws: int = api_field("number of permutations; 0 for chi-square")


@dataclass(frozen=True)
class AssociationResult(ApiResult):
    value: float = api_field()
    standard_error: float = api_field()
    interval: Interval = api_field()


@dataclass(frozen=True)
class Phi(ApiResult):
    value: float | None = api_field(
        "null where only the nearer end of the interval can be computed"
    )
    standard_error: float = api_field()
    interval: Interval = api_field()


@dataclass(frozen=True)
class CrossedResult(AnalysisResult):
    n: int = api_field("people in the table")
    left_out: int = api_field("people who did not get both questions, or are in no group")
    rows: Side = api_field()
    columns: Side = api_field()
    cells: tuple[tuple[CellResult, ...], ...] = api_field()
    of_rows: tuple[tuple[OfThose, ...], ...] = api_field("of people with the answer of the row")
    of_columns: tuple[tuple[OfThose, ...], ...] = api_field(
        "of people with the answer of the column"
    )
    constrained_by: str = api_field()
    state: AssociationState = api_field("whether the page says that both are associated")
    independence: IndependenceResult | None = api_field()
    phi: Phi | None = api_field("for a table of two by two answers")
    odds_ratio: AssociationResult | None = api_field()
    reason: str = api_field("why one of these is null")
    confidence: float = api_field()
    sentence: str = api_field("as the page says it")
    methods: str = api_field("for a paper")
    references: tuple[str, ...] = api_field("the literature of the methods")
    note: str = api_field("what this reader sees of background answers")
    items: tuple[QuestionDefinition, ...] = api_field(sent=False)

    @classmethod
    def from_result(cls, crossed: CrossTabulation) -> Self:
        """Return a table for programs."""
        items = (crossed.first.item, crossed.second.item)
        phi, odds_ratio = crossed.phi, crossed.odds_ratio
        cells = []
        for row in range(len(crossed.rows)):
            columns = range(len(crossed.columns))
            cells.append(tuple(CellResult.from_table(crossed, row, column) for column in columns))
        independence = None
        if crossed.independence is not None:
            independence = IndependenceResult.from_object(crossed.independence)
        strength = None
        if phi is not None:
            strength = Phi(
                value=None if crossed.association.is_strong else phi.value,
                standard_error=phi.standard_error,
                interval=phi.interval,
            )
        return cls.from_object(
            crossed,
            rows=Side(name=crossed.first.name, labels=crossed.rows),
            columns=Side(name=crossed.second.name, labels=crossed.columns),
            cells=tuple(cells),
            of_rows=crossed.results_of_rows,
            of_columns=crossed.results_of_columns,
            constrained_by=crossed.table.constrained_by,
            state=crossed.association.state,
            independence=independence,
            phi=strength,
            odds_ratio=AssociationResult.from_object(odds_ratio) if odds_ratio else None,
            reason=crossed.missing_reason,
            sentence=" ".join(crossed.sentences),
            references=references(crossed.methods, items),
            note=crossed.seen,
            items=items,
        )
