"""What programs are told of a model. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from typing import Literal, Self

from features.regression.model.comparisons import Comparison
from features.regression.model.model import Model
from features.regression.model.wording import method, sentences
from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.differences import VERDICTS
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class Term(Result):
    key: str = of("`sex:1`, `age:0-11`, or of a number `age`")
    label: str = of()
    answer: int | None = of("the code of the answer that is compared; null: the mean")
    n: int = of()
    observed: float | None = of("of this group by itself")
    corrected: float | None = of("of this group alone; for a number its mean")
    reference: str | None = of("the group it is compared with")
    difference: float | None = of(
        "of adjusted shares or means; null for the reference and for groups of too few people"
    )
    difference_error: float | None = of()
    interval: Interval | None = of("for this difference alone")
    simultaneous: Interval | None = of("for all terms at once")
    p: float | None = of()
    p_together: float | None = of("for all terms together (Bonferroni)")
    p_holm: float | None = of("adjusted for all terms; decides nothing")
    clear: bool | None = of("whether the page names the higher one")
    verdict: str | None = of(" or ".join(VERDICTS))
    corrected_interval: Interval | None = of("of the estimated share of this group alone")
    coefficient: float | None = of("log odds, or of least squares the difference")
    standard_error: float | None = of("of the coefficient, as standard_errors says")
    robust_error: float | None = of("of the coefficient, by the sandwich")
    odds_ratio: float | None = of()
    odds_interval: Interval | None = of()

    @classmethod
    def tell(cls, row: Comparison) -> Self:
        reference = row.reference.key if row.reference else None
        return cls.like(
            row,
            key=row.level.key,
            label=row.level.label,
            reference=reference,
            simultaneous=row.together,
        )


@dataclass(frozen=True)
class TermTest(Result):
    key: str = of()
    kind: str = of("likelihood ratio or Wald")
    statistic: float = of("chi-square")
    degrees: int = of()
    p_value: float = of()


@dataclass(frozen=True)
class ModelResult(AnalysisResult):
    survey: str = of()
    instrument: str = of()
    n: int = of()
    left_out: int = of("people without an answer to one of the questions")
    outcome: str = of()
    compared: Literal["shares", "means"] = of(
        "what is explained; for means, all numbers have their unit", name="of"
    )
    unit: str = of("of the numbers whose mean is explained")
    explain: tuple[str, ...] = of()
    asked: str = of("the model you requested")
    model: str = of("the model in this answer: logit, shares, all or mean")
    reason: str = of("why it is not the one you requested")
    verdict: str | None = of("about the odds: fine, few or boundary")
    effective_events: float | None = of()
    needed_n: int | None = of("how many responses the verdict “fine” needs")
    standard_errors: str = of()
    log_likelihood: float | None = of()
    confidence: float = of()
    terms: tuple[Term, ...] = of()
    tests: tuple[TermTest, ...] = of()
    sentence: str = of()
    methods: str = of("how it was estimated, for a methods section", name="method")
    references: tuple[str, ...] = of("the literature of the methods")
    note: str = of("what this reader sees of background answers")
    items: tuple[FrozenQuestion, ...] = of(sent=False)

    @classmethod
    def tell(cls, fitted: Model) -> Self:
        items, written = (
            (fitted.outcome.item, *(term.part.item for term in fitted.terms)),
            method(fitted),
        )
        return cls.like(
            fitted,
            survey=fitted.frozen.survey,
            instrument=fitted.frozen.sha256,
            outcome=fitted.outcome.name,
            compared=fitted.measure.of,
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
