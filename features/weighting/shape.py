"""What programs are told of weighted shares, beside the unweighted ones. Shares are fractions."""

from dataclasses import dataclass
from typing import ClassVar, Self

from features.weighting.result import Weighed, WeighedMean, WeighedQuestion, Weighted
from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.site.shape import Result, of

ASSUMPTIONS = (
    "The estimates assume that respondents answered truthfully under this protection, and that each person responded "
    "once. Within the groups of the weights, those who responded are assumed to be like those who did not."
)


@dataclass(frozen=True)
class Known(Result):
    label: str = of()
    here: float = of("share of the respondents")
    known: float = of("share of the population")


@dataclass(frozen=True)
class MarginResult(Result):
    key: str = of()
    groups: tuple[Known, ...] = of()


@dataclass(frozen=True)
class Plain(Result):
    share: float = of()
    standard_error: float = of()
    interval: Interval = of()


@dataclass(frozen=True)
class WeighedChoice(Result):
    share: float = of()
    standard_error: float = of()
    interval: Interval = of()
    label: str = of()
    n: int = of()
    effective_n: float = of()
    design_effect: float = of()
    unweighted: Plain = of()

    @classmethod
    def tell(cls, choice: Weighed) -> Self:
        unweighted = Plain.like(choice.plain, share=choice.plain.estimate)
        return cls.like(choice.weighted, label=choice.label, unweighted=unweighted)


@dataclass(frozen=True)
class PlainMean(Result):
    value: float = of()
    standard_error: float = of()
    interval: Interval = of()


@dataclass(frozen=True)
class WeighedMeanResult(Result):
    value: float = of()
    standard_error: float = of()
    interval: Interval = of()
    unit: str = of("of the numbers; a scale starts at 1")
    n: int = of()
    effective_n: float = of()
    design_effect: float = of()
    unweighted: PlainMean = of()

    @classmethod
    def tell(cls, average: WeighedMean) -> Self:
        unweighted, weighted = PlainMean.like(average.plain.mean), average.weighted
        return cls.like(weighted, value=weighted.share, unit=average.unit, unweighted=unweighted)


@dataclass(frozen=True)
class WeighedQuestionResult(Result):
    key: str = of()
    n: int = of()
    refused: str | None = of("why there are no shares and no mean")
    choices: tuple[WeighedChoice, ...] = of("empty for a question that measures a mean")
    mean: WeighedMeanResult | None = of("for such a question")

    @classmethod
    def tell(cls, question: WeighedQuestion) -> Self:
        mean = WeighedMeanResult.tell(question.mean) if question.mean else None
        choices = tuple(map(WeighedChoice.tell, question.answers))
        return cls(question.item.key, question.n, question.refused or None, choices, mean)


@dataclass(frozen=True)
class WeightedResult(AnalysisResult):
    n: int = of()
    left_out: int = of("people whose group is not known")
    effective_n: float = of("Kish's")
    design_effect: float = of()
    times_apart: float = of("the largest weight over the smallest")
    confidence: float = of()
    margins: tuple[MarginResult, ...] = of()
    questions: tuple[WeighedQuestionResult, ...] = of()
    sentence: str = of("as the page says it")
    methods: str = of("for a paper")
    references: tuple[str, ...] = of("the literature of the methods")
    note: str = of("what this reader sees of background answers")
    items: tuple[FrozenQuestion, ...] = of(sent=False)
    assumes: ClassVar[str] = ASSUMPTIONS

    @classmethod
    def tell(cls, result: Weighted) -> Self:
        items = tuple(question.item for question in result.questions if question.answers)
        return cls.like(
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
