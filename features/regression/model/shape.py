"""What programs are told of a model. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from typing import Literal, Self

from features.regression.model.comparisons import ModelRow
from features.regression.model.model import Model
from features.regression.model.wording import method, sentences
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.site.shape import ApiResult, api_field
from surveys.statements.comparisons import VERDICTS
from surveys.statements.results import StatementFields, statement_fields


@dataclass(frozen=True, kw_only=True)
class Term(StatementFields):
    key: str = api_field("`sex:1`, `age:0-11`, or of a number `age`")
    label: str = api_field()
    answer: int | None = api_field("the code of the answer that is compared; null: the mean")
    n: int = api_field()
    observed: float | None = api_field("of this group by itself")
    corrected: float | None = api_field("of this group alone; for a number its mean")
    reference: str | None = api_field("the group it is compared with")
    difference: float | None = api_field(
        "of adjusted shares or means; null for the reference and for groups of too few people"
    )
    difference_error: float | None = api_field()
    interval: Interval | None = api_field("for this difference alone")
    simultaneous: Interval | None = api_field("for all terms at once")
    p: float | None = api_field()
    p_together: float | None = api_field("for all terms together (Bonferroni)")
    p_holm: float | None = api_field("adjusted for all terms; decides nothing")
    clear: bool | None = api_field("whether the page names the higher one")
    verdict: str | None = api_field(" or ".join(VERDICTS))
    corrected_interval: Interval | None = api_field(
        "of the estimated share or mean of this group alone"
    )
    coefficient: float | None = api_field("log odds, or of least squares the difference")
    standard_error: float | None = api_field("of the coefficient, as standard_errors says")
    robust_error: float | None = api_field("of the coefficient, by the sandwich")
    odds_ratio: float | None = api_field()
    odds_interval: Interval | None = api_field()

    @classmethod
    def tell(cls, row: ModelRow) -> Self:
        """Return a row for programs. State to printed are those of the difference."""
        reference = row.reference.key if row.reference else None
        return cls.from_object(
            row,
            key=row.level.key,
            label=row.level.label,
            reference=reference,
            simultaneous=row.together,
            **statement_fields(row.statement),
        )


@dataclass(frozen=True)
class TermTest(ApiResult):
    key: str = api_field()
    kind: str = api_field("likelihood ratio or Wald")
    statistic: float = api_field("chi-square")
    degrees: int = api_field()
    p_value: float = api_field()


@dataclass(frozen=True)
class ModelResult(AnalysisResult):
    survey: str = api_field()
    instrument: str = api_field()
    n: int = api_field()
    left_out: int = api_field("people without an answer to one of the questions")
    outcome: str = api_field()
    compared: Literal["shares", "means"] = api_field(
        "what is explained; for means, all numbers have their unit", name="of"
    )
    unit: str = api_field("of the numbers whose mean is explained")
    explain: tuple[str, ...] = api_field()
    asked: str = api_field("the model you requested")
    model: str = api_field("the model in this answer: logit, shares, all or mean")
    reason: str = api_field("why it is not the one you requested")
    verdict: str | None = api_field("about the odds: fine, few or boundary")
    effective_events: float | None = api_field()
    needed_n: int | None = api_field("how many responses the verdict “fine” needs")
    standard_errors: str = api_field()
    log_likelihood: float | None = api_field()
    confidence: float = api_field()
    terms: tuple[Term, ...] = api_field()
    tests: tuple[TermTest, ...] = api_field()
    sentence: str = api_field()
    methods: str = api_field("how it was estimated, for a methods section", name="method")
    references: tuple[str, ...] = api_field("the literature of the methods")
    note: str = api_field("what this reader sees of background answers")
    items: tuple[QuestionDefinition, ...] = api_field(sent=False)

    @classmethod
    def from_result(cls, fitted: Model) -> Self:
        items, written = (
            (fitted.outcome.item, *(term.part.item for term in fitted.terms)),
            method(fitted),
        )
        return cls.from_object(
            fitted,
            survey=fitted.frozen.survey,
            instrument=fitted.frozen.sha256,
            outcome=fitted.outcome.name,
            compared=fitted.compared,
            unit=fitted.outcome.item.unit if fitted.outcome.is_mean else "",
            explain=tuple(term.name for term in fitted.terms),
            model=fitted.kind,
            standard_errors=fitted.errors,
            terms=tuple(map(Term.tell, fitted.comparisons)),
            tests=tuple(
                TermTest(each.term.key, each.kind, each.statistic, each.degrees, each.p_value)
                for each in fitted.tests
            ),
            sentence=" ".join(sentences(fitted)),
            methods=written,
            references=references(written, items),
            note=fitted.seen,
            items=items,
        )
