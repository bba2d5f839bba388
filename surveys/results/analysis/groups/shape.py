"""What programs are told of groups side by side, and compared. Shares are fractions, means in their own unit."""

from dataclasses import dataclass
from typing import Literal, Self

from surveys.definition.instrument import FrozenQuestion
from surveys.results.analysis.analysis import AnalysisResult, Interval, references
from surveys.results.analysis.groups.differences import Difference, Verdict
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.table.shape import SignificanceResult
from surveys.results.disclosure.subgroups import MINIMUM
from surveys.results.report.groups import Part, SideBySide
from surveys.results.report.shape import QuestionReportResult
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class Outcome(Result):
    key: str = of()
    choice: int | None = of("null where the mean is compared")
    label: str = of()


@dataclass(frozen=True)
class Pair(Result):
    first: str = of()
    second: str = of()
    difference: float = of("of the shares or means, the first less the second")
    standard_error: float = of()
    interval: Interval = of("holds for all pairs together")
    p: float = of("of this pair by itself")
    p_holm: float = of("adjusted for all pairs: family-wise, Holm")
    p_bh: float = of("adjusted for all pairs: false discovery rate, Benjamini and Hochberg")
    p_together: float = of("for all pairs together (Bonferroni)")
    clear: bool = of("whether it is said which is higher")
    verdict: Verdict = of()

    @classmethod
    def tell(cls, pair: Difference) -> Self:
        return cls.like(pair, first=pair.group, second=pair.versus, interval=pair.simultaneous)


@dataclass(frozen=True)
class ComparedResult(AnalysisResult):
    outcome: Outcome = of()
    compared: Literal["shares", "means"] = of(
        "what is compared; differences of means are in the unit of the numbers", name="of"
    )
    n: int = of()
    test: SignificanceResult | None = of("of one common share (likelihood ratio) or mean (Cochran)")
    differences: tuple[Difference, ...] = of(
        "each group against the pooled reports of all others; of two groups one against the other"
    )
    pairs: tuple[Pair, ...] = of("a family of comparisons of their own")
    sentence: str = of("as the page says it")
    methods: str = of("for a paper")
    references: tuple[str, ...] = of("the literature of the methods")
    items: tuple[FrozenQuestion, ...] = of(sent=False)

    @classmethod
    def tell(cls, result: Compared) -> Self:
        return cls.like(
            result,
            outcome=Outcome(result.question.key, result.choice, result.answer),
            compared=result.measure.of,
            test=SignificanceResult.tell(result.test),
            pairs=tuple(map(Pair.tell, result.pairs)),
            sentence=" ".join(result.sentences),
            references=references(result.methods, [result.item]),
            items=(result.item,),
        )


@dataclass(frozen=True)
class GroupResult(Result):
    labels: tuple[str, ...] = of("more than one where put together")
    n: int = of()
    questions: tuple[QuestionReportResult, ...] = of("those that are scrambled, with 30 reports or more")

    @classmethod
    def tell(cls, part: Part) -> Self:
        shown = (each for each in part.result.questions if each.design and each.n >= MINIMUM)
        return cls(part.labels, part.result.n, tuple(map(QuestionReportResult.tell, shown)))


@dataclass(frozen=True)
class Groups(Result):
    survey: str = of()
    instrument: str = of()
    by: str = of("the background question")
    left_out: int = of("people in no group that is shown")
    note: str = of("why there are fewer groups than answers")
    confidence: float = of()
    groups: tuple[GroupResult, ...] = of()
    comparison: ComparedResult | None = of("of the outcome; null where none is given")

    @classmethod
    def tell(cls, sides: SideBySide, comparison: ComparedResult | None = None) -> Self:
        first = sides.parts[0].result
        about = first.survey, first.instrument, sides.by.key, sides.left_out, sides.note, first.confidence
        return cls(*about, tuple(map(GroupResult.tell, sides.parts)), comparison)
