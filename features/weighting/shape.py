"""Weighted shares and means for programs, beside the unweighted ones. Shares are fractions."""

from dataclasses import dataclass
from typing import ClassVar, Self

from features.weighting.result import WeighedMean, WeighedQuestion, WeightedChoice, WeightingResult
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.site.shape import ApiResult, api_field
from surveys.statements.results import StatementFields, statement_fields

ASSUMPTIONS = (
    "The estimates assume that respondents answered truthfully under this protection, and that each person responded "
    "once. Within the groups of the weights, those who responded are assumed to be like those who did not."
)


@dataclass(frozen=True)
class Known(ApiResult):
    label: str = api_field()
    here: float = api_field("share of the respondents")
    known: float = api_field("share of the population")


@dataclass(frozen=True)
class MarginResult(ApiResult):
    key: str = api_field()
    groups: tuple[Known, ...] = api_field()


@dataclass(frozen=True)
class Plain(StatementFields):
    share: float = api_field()
    standard_error: float = api_field()
    interval: Interval = api_field()


@dataclass(frozen=True)
class WeighedChoice(StatementFields):
    share: float = api_field()
    standard_error: float = api_field()
    interval: Interval = api_field()
    label: str = api_field()
    n: int = api_field()
    effective_n: float = api_field()
    design_effect: float = api_field()
    unweighted: Plain = api_field()

    @classmethod
    def tell(cls, choice: WeightedChoice) -> Self:
        weighted = choice.weighted
        unweighted = Plain.from_object(
            choice.plain,
            **statement_fields(choice.plain_statement),
            share=choice.plain.estimate,
        )
        return cls.from_object(
            weighted,
            **statement_fields(choice.statement),
            label=choice.label,
            unweighted=unweighted,
        )


@dataclass(frozen=True)
class PlainMean(StatementFields):
    value: float = api_field()
    standard_error: float = api_field()
    interval: Interval = api_field()


@dataclass(frozen=True)
class WeighedMeanResult(StatementFields):
    value: float = api_field()
    standard_error: float = api_field()
    interval: Interval = api_field()
    unit: str = api_field("of the numbers; a scale starts at 1")
    n: int = api_field()
    effective_n: float = api_field()
    design_effect: float = api_field()
    unweighted: PlainMean = api_field()

    @classmethod
    def tell(cls, mean: WeighedMean) -> Self:
        weighted = mean.weighted
        unweighted = PlainMean.from_object(
            mean.plain.mean, **statement_fields(mean.plain_statement)
        )
        return cls.from_object(
            weighted,
            **statement_fields(mean.statement),
            value=weighted.share,
            unit=mean.plain.unit,
            unweighted=unweighted,
        )


@dataclass(frozen=True)
class WeighedQuestionResult(ApiResult):
    key: str = api_field()
    n: int = api_field()
    refused: str | None = api_field("why there are no shares and no mean")
    choices: tuple[WeighedChoice, ...] = api_field("empty for a question that measures a mean")
    mean: WeighedMeanResult | None = api_field("for such a question")

    @classmethod
    def tell(cls, question: WeighedQuestion) -> Self:
        mean = WeighedMeanResult.tell(question.mean) if question.mean else None
        choices = tuple(map(WeighedChoice.tell, question.answers))
        return cls(question.item.key, question.n, question.refused or None, choices, mean)


@dataclass(frozen=True)
class WeightedResult(AnalysisResult):
    n: int = api_field()
    left_out: int = api_field("people whose group is not known")
    effective_n: float = api_field("Kish's")
    design_effect: float = api_field()
    times_apart: float = api_field("the largest weight over the smallest")
    confidence: float = api_field()
    margins: tuple[MarginResult, ...] = api_field()
    questions: tuple[WeighedQuestionResult, ...] = api_field()
    sentence: str = api_field("as the page says it")
    methods: str = api_field("for a paper")
    references: tuple[str, ...] = api_field("the literature of the methods")
    note: str = api_field("what this reader sees of background answers")
    items: tuple[QuestionDefinition, ...] = api_field(sent=False)
    assumes: ClassVar[str] = ASSUMPTIONS

    @classmethod
    def from_result(cls, result: WeightingResult) -> Self:
        items = tuple(question.item for question in result.questions if question.answers)
        return cls.from_object(
            result,
            left_out=result.strata.left_out,
            margins=tuple(
                MarginResult(margin.key, tuple(Known(*group) for group in groups))
                for margin, groups in result.groups
            ),
            questions=tuple(map(WeighedQuestionResult.tell, result.questions)),
            sentence=" ".join(result.sentences),
            references=references(result.methods, items),
            note=result.seen,
            items=items,
        )
