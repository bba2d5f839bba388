"""What programs are told of a report: with what was found in the words and numbers of the page. Shares are fractions,
numbers are in the question's own unit; a scale counts from 1.
"""

from collections.abc import Container
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, Self

from surveys.definition.instrument import FrozenSurvey
from surveys.fieldwork.tickets.invitees import Counts
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.shape import CutResult
from surveys.results.estimates.heavy_hitters import Found
from surveys.results.estimates.numeric import Average, Quartile
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report import headlines
from surveys.results.report.correction import correction
from surveys.results.report.numeric_results import Written, shown_quartiles
from surveys.results.report.remarks import IfDenied, if_denied
from surveys.results.report.tickets import in_words
from surveys.site.number_format import finite
from surveys.site.shape import Result, of

Interval = tuple[float, float]


@dataclass(frozen=True)
class ChoiceReportResult(Result):
    label: str = of()
    n: int = of(
        "number of reports about this choice: those of the question, unless devices picked what to report; with 0, "
        "all numbers are null"
    )
    observed: float | None = of("share received, before the correction")
    estimate: float | None = of("unbiased; can be below 0 or above 1")
    standard_error: float | None = of()
    interval: Interval | None = of(
        "low and high; its kind is in confidence, simultaneous and interval_kind"
    )
    constrained: float | None = of("adjusted: the nearest share from 0 to 1")
    withheld: bool = of("whether the interval is too wide to show a number")

    @classmethod
    def tell(cls, choice: ChoiceReport, *, withheld: bool) -> Self:
        return cls.like(choice, withheld=withheld)


@dataclass(frozen=True)
class Bar(Result):
    label: str = of()
    estimate: float = of("unbiased; for a background number its mean")
    interval: Interval = of()


@dataclass(frozen=True)
class Finding(Result):
    verdict: headlines.Verdict = of("whether the result supports a statement, and if not, why")
    sentence: str = of("the key result in words, true at the report’s confidence")
    detail: str = of()
    number: str | None = of("the number in large print; null where no number is supported")
    range: str | None = of("next to the number: its range, or out of how many")
    bars: tuple[Bar, ...] = of("what the sentence is about, as the page draws it")
    scale: tuple[float, ...] | None = of("of bars that are numbers; null where they are shares")

    @classmethod
    def tell(cls, finding: headlines.Finding) -> Self:
        bars = tuple(Bar(each.label, each.estimate, (each.low, each.high)) for each in finding.bars)
        number, range_ = finding.number or None, finding.range or None
        return cls(
            finding.verdict, finding.sentence, finding.detail, number, range_, bars, finding.scale
        )


@dataclass(frozen=True)
class AtMost(Result):
    number: int = of()
    share: float = of("share of the answers up to this number; unbiased, can be below 0 or above 1")
    standard_error: float = of("at most 0.05; shares with larger errors are left out")
    interval: Interval = of()


@dataclass(frozen=True)
class Curve(Result):
    number: int = of()
    share: float = of("share of the answers up to this number in the likeliest distribution")


def _quartiles(average: Average) -> tuple[Quartile, ...]:
    shown = shown_quartiles(average)
    return tuple(
        replace(quartile, withheld=quartile not in shown) for quartile in average.quartiles
    )


@dataclass(frozen=True)
class AverageResult(Result):
    first: int = of("the smallest number that can be answered", name="from")
    last: int = of("the largest number that can be answered", name="to")
    step: int = of()
    unit: str | None = of()
    mean: float = of("unbiased; of those who gave a number")
    standard_error: float = of()
    interval: Interval = of()
    withheld: bool = of("whether the interval is too wide to show the mean")
    quartiles: tuple[Quartile, ...] = of(
        "empty for fewer than 200 reports, and where there are choices"
    )
    at_most: tuple[AtMost, ...] = of()
    curve: tuple[Curve, ...] = of("only the overall shape is reliable")

    @classmethod
    def tell(cls, average: Average) -> Self:
        numbers, mean = average.numbers, average.mean
        return cls(
            *(numbers[0], numbers[-1], numbers.step, average.unit or None),
            *(
                mean.value,
                mean.standard_error,
                mean.interval,
                Written(average).is_wide,
                _quartiles(average),
            ),
            tuple(AtMost(each.number, *each.found) for each in average.at_most),
            tuple(Curve(*each) for each in average.curve),
        )


@dataclass(frozen=True)
class QuestionReportResult(Result):
    key: str = of()
    text: str = of()
    design: str | None = of("null for a background question")
    epsilon: float | None = of("null where nothing is randomized")
    asked_of: str | None = of(
        "who got the question, in words; null: everyone, or people picked at random"
    )
    on_path: int | None = of(
        "how many people meet `asked_of`, where devices pick among such questions; null elsewhere, and where you "
        "can’t see it"
    )
    n: int = of("reports to this question, on which its shares are based; 0 where you can’t see it")
    interval_kind: Literal["wilson", "wald", "exact", "likelihood"] = of(
        "of the intervals of this question"
    )
    constrained_by: str | None = of("how the adjusted shares were computed")
    finding: Finding = of("the result in words, as the page says it")
    choices: tuple[ChoiceReportResult, ...] = of("empty for a number or scale that measures a mean")
    told_apart: Found | None = of("of a scrambled list of more than 25 choices", name="found")
    correction: str | None = of(
        "the arithmetic from the received share to the estimate, in one line; null where one line can’t say it"
    )
    if_denied: IfDenied | None = of(
        "for a scrambled yes/no question: if 2 in 10 of the people concerned answered No all the same"
    )
    number: AverageResult | None = of("for a sensitive number or scale; a scale starts at 1")

    @classmethod
    def tell(cls, question: QuestionReport, *, filtered: bool = False) -> Self:
        """filtered: whether the report is about respondents picked by this question."""
        return cls.like(
            question,
            epsilon=finite(question.epsilon),
            asked_of=question.whom or None,
            finding=Finding.tell(headlines.finding(question, filtered=filtered)),
            choices=tuple(
                ChoiceReportResult.tell(choice, withheld=question.withholds(choice))
                for choice in question.choices
            ),
            told_apart=question.found,
            correction=correction(question) or None,
            if_denied=if_denied(question),
            number=AverageResult.tell(question.average) if question.average else None,
        )


@dataclass(frozen=True)
class InvitedCounts(Result):
    invited: int = of()
    fetched: int = of("people who took a ticket")
    tickets: int = of("tickets taken")
    duplicates: int = of("upper bound of second answers by the same person")
    words: str = of()

    @classmethod
    def tell(cls, counts: Counts) -> Self:
        return cls(*counts, counts.duplicates, in_words(counts))


@dataclass(frozen=True)
class Drawn(Result):
    count: int = of("how many of these questions each person gets")
    keys: tuple[str, ...] = of("keys of sensitive questions", name="of")

    @classmethod
    def tell(cls, frozen: FrozenSurvey | SurveyReport) -> Self | None:
        return cls(frozen.draw.count, tuple(frozen.draw.of)) if frozen.draw else None


@dataclass(frozen=True)
class ReportResult(Result):
    survey: str = of()
    instrument: str = of()
    n: int = of("responses in the report")
    invented: bool = of("whether a simulation sent some or all of the answers, as it can in a demo")
    waiting: int = of("not yet in the report: a multiple of 20, as of the last update")
    deleted_on: date | None = of(
        "when the responses were deleted; counts, report groups and results stay"
    )
    epsilon: float | None = of("total privacy loss per respondent")
    confidence: float = of("of the intervals")
    simultaneous: bool = of(
        "whether the intervals of a question hold together at that confidence, not each alone"
    )
    sampling: bool = of(
        "whether errors and intervals include the sampling, not only the randomization"
    )
    invited: InvitedCounts | None = of("null where anyone with the link could answer")
    cut: CutResult | None = of("null for readers with row access")
    draw: Drawn | None = of(
        "each respondent got `count` of these, picked at random; null: all of them"
    )
    questions: tuple[QuestionReportResult, ...] = of()

    @classmethod
    def tell(
        cls, report: SurveyReport, filtered: Container[str] = (), seen: ReaderView | None = None
    ) -> Self:
        """filtered: keys of the questions that the respondents of this report were picked by. seen: what its reader
        may see; a reader with the right to rows has no cut.
        """
        return cls.like(
            report,
            deleted_on=seen.instrument.deleted_on if seen else None,
            epsilon=finite(report.epsilon),
            invited=InvitedCounts.tell(report.invited) if report.invited else None,
            cut=seen.bound() if seen else None,
            draw=Drawn.tell(report),
            questions=tuple(
                QuestionReportResult.tell(question, filtered=question.key in filtered)
                for question in report.questions
            ),
        )
