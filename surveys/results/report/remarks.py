"""Two sentences that keep readers from taking a report for more than it is: who may have denied, which ranges miss."""

from dataclasses import dataclass

from django.conf import settings

from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import (
    decimals_excluding_zero,
    format_count,
    format_level,
    format_percent,
)
from surveys.site.shape import ApiResult, api_field

DENIED = 0.2  # of those concerned, who answer No to be safe


@dataclass(frozen=True)
class IfDenied(ApiResult):
    """The share of Yes if some of the people concerned answered No all the same."""

    share: float = api_field()
    interval: tuple[float, float] = api_field()
    instead: Said = api_field(sent=False)

    @property
    def sentence(self) -> str:
        low, high = (format_percent(end, self._digits) for end in self.interval)
        share = format_percent(self.share, self._digits)
        return (
            f"If 2 in 10 of the people concerned answered No all the same, it would be {share} ({low} to {high}) "
            f"instead of {format_percent(self.instead.estimate, self._digits)}."
        )

    @property
    def _digits(self) -> int:
        """The decimals that tell the two shares apart, and the lower end from 0."""
        low, high = self.interval
        digits = decimals_excluding_zero((100 * low, 100 * high), self.instead.digits)
        while format_percent(self.share, digits) == format_percent(self.instead.estimate, digits):
            digits += 1
        return digits


def if_denied(question: QuestionReport) -> IfDenied | None:
    """Return what it would be for a scrambled yes/no question that shows a number; else None.

    None too where it would be impossible: if 2 in 10 of the people concerned deny, at most 80% can show.
    """
    if not (question.design and question.is_yes_no and question.basis):
        return None
    yes = question.choices[YES]
    share = Said(yes.estimate, *yes.interval)
    if question.fewest < max(settings.FEW_RESPONSES, 1) or share.is_wide or share.low <= 0:
        return None
    if share.high > 1 - DENIED:
        return None
    low = share.low / (1 - DENIED)
    high = share.high / (1 - DENIED)
    return IfDenied(share=share.estimate / (1 - DENIED), interval=(low, high), instead=share)


def misses(report: SurveyReport) -> str:
    """At the report's foot: of how many ranges how many may be expected to miss; empty of one, and of ranges that hold
    together.
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
