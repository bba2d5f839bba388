"""Four numbers that sum up a background number."""

from dataclasses import dataclass

from django.conf import settings

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures.histogram import Distribution, distribution
from surveys.site.number_format import format_percent
from surveys.statements.means import number_text


@dataclass(frozen=True)
class Card:
    """A number with its label."""

    label: str
    value: str


def cards(question: QuestionReport) -> tuple[Card, ...]:
    """Return the average, the median, the middle half and, where 0 is an answer, the share of 0.

    There are none for other questions, and for fewer answers than support a statement.
    """
    if not question.is_number or question.basis is None or question.all_declined:
        return ()
    numbers = distribution(question)
    if numbers.n < settings.FEW_RESPONSES:
        return ()
    average = "too uncertain"
    if numbers.statement.is_shown:
        average = numbers.statement.number
    result = [
        Card("Average", average),
        Card("Median", number_text(numbers.median.estimate)),
        Card("Middle half (25% to 75%)", numbers.middle_half),
    ]
    return (*result, *_share_of_zero(numbers))


def _share_of_zero(numbers: Distribution) -> tuple[Card, ...]:
    """Return a card with the share of the answer 0, if it can be answered."""
    for value, share in zip(numbers.values.tolist(), numbers.shares.tolist(), strict=True):
        if value == 0:
            return (Card("Share of 0", format_percent(share, 0)),)
    return ()
