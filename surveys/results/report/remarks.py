"""Two remarks that keep readers from overrating a report: who may have denied, which ranges miss."""

from dataclasses import dataclass, replace

from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.site.number_format import format_count, format_level
from surveys.site.shape import ApiResult, api_field
from surveys.statements.shares import ShareStatement
from surveys.statements.statement import State

# The part of the people concerned who answer No to be safe.
DENIED = 0.2


@dataclass(frozen=True)
class IfDenied(ApiResult):
    """The share of Yes if some of the people concerned answered No all the same."""

    share: float = api_field()
    interval: tuple[float, float] = api_field()
    corrected: ShareStatement = api_field(sent=False)
    shown: ShareStatement = api_field(sent=False)

    @property
    def sentence(self) -> str:
        """The share that would be true, beside the one that the report shows."""
        return (
            "If 2 in 10 of the people concerned answered No all the same, it would be "
            f"{self.corrected.estimate_text} ({self.corrected.range_in_words}) instead of "
            f"{self.shown.estimate_text}."
        )


def if_denied(question: QuestionReport) -> IfDenied | None:
    """Return the share of Yes if some people denied, for a scrambled yes/no question with a number.

    Return None if the question shows a bound or no number, and if the result supports no number
    either. If 2 in 10 of the people concerned deny, at most 80% can show, and the range gets longer.
    """
    if not (question.design and question.is_yes_no and question.basis):
        return None
    shown = question.statement(question.choices[YES])
    low, high = shown.interval
    if shown.state != State.NUMBER:
        return None
    share = shown.estimate / (1 - DENIED)
    interval = (low / (1 - DENIED), high / (1 - DENIED))
    # The corrected range is longer, but the two numbers are read side by side.
    corrected = replace(
        shown, estimate=share, interval=interval, least_decimals=shown.rounding.decimals
    )
    if corrected.state != State.NUMBER:
        return None
    return IfDenied(share=share, interval=interval, corrected=corrected, shown=shown)


def misses(report: SurveyReport) -> str:
    """Return how many of the ranges of a report are expected to miss, in words.

    Return "" for a single range, and for ranges that hold together.
    """
    ranges = sum(
        _ranges(question) for question in report.questions if question.design and question.basis
    )
    if ranges < 2 or report.simultaneous:
        return ""
    expected = round((1 - report.confidence) * ranges)
    number = f"about {format_count(expected)}" if expected else "fewer than 1"
    right = f"each right in {format_level(report.confidence)} of surveys"
    return f"{format_count(ranges)} ranges are here, {right}: expect {number} to miss."


def _ranges(question: QuestionReport) -> int:
    """Those that are free of each other. A list’s hold together."""
    if question.found or not question.basis:
        return 0
    return question.basis.mechanism.free_shares if question.choices else 1
