"""What programs are told of a report: with what was found in the words and numbers of the page. Shares are fractions,
numbers are in the question's own unit; a scale has its values, or counts from 1.
"""

from collections.abc import Container
from dataclasses import dataclass
from datetime import date
from typing import Literal, Self

from django.conf import settings

from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.tickets.invitees import Counts
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.shape import CutResult
from surveys.results.estimates.heavy_hitters import Found
from surveys.results.estimates.numeric import AtMost, Average
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.figures.histogram import distribution
from surveys.results.report import headlines
from surveys.results.report.correction import correction
from surveys.results.report.remarks import IfDenied, if_denied
from surveys.results.report.tickets import in_words
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field
from surveys.statements.means import QuartileStatement
from surveys.statements.results import StatementFields, statement_fields

Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class ChoiceReportResult(StatementFields):
    code: int = api_field("its place among the choices, by which filters and addresses name it")
    value: str | None = api_field("its value in files; null for a group of several answers")
    label: str = api_field()
    n: int = api_field(
        "number of reports about this choice: those of the question, unless devices picked what to report; with 0, "
        "all numbers are null"
    )
    observed: float | None = api_field("share received, before the correction")
    estimate: float | None = api_field("unbiased; can be below 0 or above 1")
    standard_error: float | None = api_field()
    interval: Interval | None = api_field(
        "low and high; its kind is in confidence, simultaneous and interval_kind"
    )
    constrained: float | None = api_field("adjusted: the nearest share from 0 to 1")
    withheld: bool = api_field("whether the interval is too wide to show a number")

    @classmethod
    def tell(cls, code: int, question: QuestionReport) -> Self:
        """Return the share of an answer to a question for programs."""
        choice = question.choices[code]
        value = question.values[code] if question.values else None
        share = None if choice.estimate is None else question.statement(choice)
        withheld = share is not None and share.has_no_number
        own = {"code": code, "value": value or None, "withheld": withheld}
        return cls.from_object(choice, **own, **statement_fields(share))


@dataclass(frozen=True)
class Bar(ApiResult):
    label: str = api_field()
    estimate: float = api_field("unbiased; for a background number its mean")
    interval: Interval = api_field()


@dataclass(frozen=True)
class Finding(ApiResult):
    verdict: headlines.Verdict = api_field(
        "whether the result supports a statement, and if not, why"
    )
    sentence: str = api_field("the key result in words, true at the report’s confidence")
    detail: str = api_field()
    number: str | None = api_field("the number in large print; null where no number is supported")
    range: str | None = api_field("next to the number: its range, or out of how many")
    bars: tuple[Bar, ...] = api_field("what the sentence is about, as the page draws it")
    scale: tuple[float, ...] | None = api_field(
        "of bars that are numbers; null where they are shares"
    )

    @classmethod
    def tell(cls, finding: headlines.Finding) -> Self:
        bars = tuple(Bar(each.label, each.estimate, (each.low, each.high)) for each in finding.bars)
        number, range_ = finding.number or None, finding.range or None
        return cls(
            finding.verdict, finding.sentence, finding.detail, number, range_, bars, finding.scale
        )


@dataclass(frozen=True)
class AtMostResult(StatementFields):
    number: int = api_field()
    share: float = api_field(
        "share of the answers up to this number; unbiased, can be below 0 or above 1"
    )
    standard_error: float = api_field()
    interval: Interval = api_field(
        "at most 20 points long; shares with longer intervals are left out"
    )

    @classmethod
    def tell(cls, at_most: AtMost) -> Self:
        return cls(
            **statement_fields(at_most.statement),
            number=at_most.number,
            share=at_most.functional.value,
            standard_error=at_most.functional.standard_error,
            interval=at_most.functional.interval,
        )


@dataclass(frozen=True)
class Curve(ApiResult):
    number: int = api_field()
    share: float = api_field("share of the answers up to this number in the likeliest distribution")


@dataclass(frozen=True)
class QuartileResult(StatementFields):
    """At least a quarter, half or three quarters of the answers are at most `number`."""

    at: float = api_field("at least this share of the answers are at most this number")
    number: int = api_field()
    interval: tuple[int, int] = api_field("both ends are numbers that can be answered")
    withheld: bool = api_field("whether the page leaves it out, because its interval is too wide")

    @classmethod
    def tell(cls, quartile: QuartileStatement) -> Self:
        return cls(
            **statement_fields(quartile),
            at=quartile.share,
            number=quartile.estimate,
            interval=quartile.interval,
            withheld=quartile.is_withheld,
        )


@dataclass(frozen=True)
class AverageResult(StatementFields):
    first: int = api_field("the smallest number that can be answered", name="from")
    last: int = api_field("the largest number that can be answered", name="to")
    step: int = api_field()
    unit: str | None = api_field()
    mean: float = api_field("unbiased; of those who gave a number")
    standard_error: float = api_field()
    interval: Interval = api_field()
    withheld: bool = api_field("whether the interval is too wide to show the mean")
    quartiles: tuple[QuartileResult, ...] = api_field(
        "empty for fewer than 200 reports, and where there are choices"
    )
    at_most: tuple[AtMostResult, ...] = api_field()
    curve: tuple[Curve, ...] = api_field("only the overall shape is reliable")

    @classmethod
    def from_numbers(cls, question: QuestionReport) -> Self | None:
        """Return the mean of a background number; None if too few people gave a number."""
        if not question.is_number or question.basis is None or question.all_declined:
            return None
        numbers = distribution(question)
        if numbers.n < settings.FEW_RESPONSES:
            return None
        return cls(
            **statement_fields(numbers.statement),
            first=int(numbers.values[0]),
            last=int(numbers.values[-1]),
            step=1,
            unit=None,
            mean=numbers.mean.value,
            standard_error=numbers.mean.standard_error,
            interval=numbers.mean.interval,
            withheld=numbers.statement.is_withheld,
            quartiles=(),
            at_most=(),
            curve=(),
        )

    @classmethod
    def tell(cls, average: Average) -> Self:
        curve = []
        for number, share in average.curve:
            curve.append(Curve(number=number, share=share))
        return cls(
            **statement_fields(average.statement),
            first=average.numbers[0],
            last=average.numbers[-1],
            step=average.numbers.step,
            unit=average.unit or None,
            mean=average.mean.value,
            standard_error=average.mean.standard_error,
            interval=average.mean.interval,
            withheld=average.statement.is_withheld,
            quartiles=tuple(map(QuartileResult.tell, average.quartiles)),
            at_most=tuple(map(AtMostResult.tell, average.at_most)),
            curve=tuple(curve),
        )


@dataclass(frozen=True)
class QuestionReportResult(ApiResult):
    key: str = api_field()
    text: str = api_field()
    design: str | None = api_field("null for a background question")
    epsilon: float | None = api_field("null where nothing is randomized")
    asked_of: str | None = api_field(
        "who got the question, in words; null: everyone, or people picked at random"
    )
    on_path: int | None = api_field(
        "how many people meet `asked_of`, where devices pick among such questions; null elsewhere, and where you "
        "can’t see it"
    )
    n: int = api_field(
        "reports to this question, on which its shares are based; 0 where you can’t see it"
    )
    interval_kind: Literal["wilson", "wald", "exact", "likelihood"] = api_field(
        "of the intervals of this question"
    )
    constrained_by: str | None = api_field("how the adjusted shares were computed")
    finding: Finding = api_field("the result in words, as the page says it")
    choices: tuple[ChoiceReportResult, ...] = api_field(
        "empty for a number or scale that measures a mean"
    )
    told_apart: Found | None = api_field(
        "of a scrambled list of more than 25 choices", name="found"
    )
    correction: str | None = api_field(
        "the arithmetic from the received share to the estimate, in one line; null where one line can’t say it"
    )
    if_denied: IfDenied | None = api_field(
        "for a scrambled yes/no question: if 2 in 10 of the people concerned answered No all the same"
    )
    number: AverageResult | None = api_field(
        "the mean of a number or scale; a scale has its values, or starts at 1; null for a background number with few "
        "answers"
    )

    @classmethod
    def tell(cls, question: QuestionReport, *, filtered: bool = False) -> Self:
        """filtered: whether the report is about respondents picked by this question."""
        number = AverageResult.from_numbers(question)
        if question.average:
            number = AverageResult.tell(question.average)
        return cls.from_object(
            question,
            epsilon=finite_or_none(question.epsilon),
            asked_of=question.whom or None,
            finding=Finding.tell(headlines.finding(question, filtered=filtered)),
            choices=tuple(
                ChoiceReportResult.tell(code, question) for code in range(len(question.choices))
            ),
            told_apart=question.found,
            correction=correction(question) or None,
            if_denied=if_denied(question),
            number=number,
        )


@dataclass(frozen=True)
class InvitedCounts(ApiResult):
    invited: int = api_field()
    fetched: int = api_field("people who took a ticket")
    tickets: int = api_field("tickets taken")
    duplicates: int = api_field("upper bound of second answers by the same person")
    words: str = api_field()

    @classmethod
    def tell(cls, counts: Counts) -> Self:
        return cls(*counts, counts.duplicates, in_words(counts))


@dataclass(frozen=True)
class Drawn(ApiResult):
    count: int = api_field("how many of these questions each person gets")
    keys: tuple[str, ...] = api_field("keys of sensitive questions", name="of")

    @classmethod
    def tell(cls, frozen: SurveyDefinition | SurveyReport) -> Self | None:
        return cls(frozen.draw.count, tuple(frozen.draw.of)) if frozen.draw else None


@dataclass(frozen=True)
class ReportResult(ApiResult):
    survey: str = api_field()
    instrument: str = api_field()
    n: int = api_field("responses in the report")
    invented: bool = api_field(
        "whether a simulation sent some or all of the answers, as it can in a demo"
    )
    waiting: int = api_field("not yet in the report: a multiple of 20, as of the last update")
    deleted_on: date | None = api_field(
        "when the responses were deleted; counts, report groups and results stay"
    )
    epsilon: float | None = api_field("total privacy loss per respondent")
    confidence: float = api_field("of the intervals")
    simultaneous: bool = api_field(
        "whether the intervals of a question hold together at that confidence, not each alone"
    )
    sampling: bool = api_field(
        "whether errors and intervals include the sampling, not only the randomization"
    )
    invited: InvitedCounts | None = api_field("null where anyone with the link could answer")
    cut: CutResult | None = api_field("null for readers with row access")
    draw: Drawn | None = api_field(
        "each respondent got `count` of these, picked at random; null: all of them"
    )
    questions: tuple[QuestionReportResult, ...] = api_field()

    @classmethod
    def tell(
        cls, report: SurveyReport, filtered: Container[str] = (), seen: ReaderView | None = None
    ) -> Self:
        """filtered: keys of the questions that the respondents of this report were picked by. seen: what its reader
        may see; a reader with the right to rows has no cut.
        """
        return cls.from_object(
            report,
            deleted_on=seen.instrument.deleted_on if seen else None,
            epsilon=finite_or_none(report.epsilon),
            invited=InvitedCounts.tell(report.invited) if report.invited else None,
            cut=seen.report_groups_result() if seen else None,
            draw=Drawn.tell(report),
            questions=tuple(
                QuestionReportResult.tell(question, filtered=question.key in filtered)
                for question in report.questions
            ),
        )
