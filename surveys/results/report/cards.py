"""Four numbers that sum up a background number."""

from dataclasses import dataclass

from django.conf import settings

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures.histogram import Distribution, distribution
from surveys.site.number_format import format_percent


@dataclass(frozen=True)
class Card:
    label: str
    value: str


def cards(question: QuestionReport) -> tuple[Card, ...]:
    """Average, median, middle half and, where 0 could be answered, the share of 0. None of other questions, and of
    fewer answers than support a statement.
    """
    if not question.is_number or question.basis is None or question.all_declined:
        return ()
    numbers = distribution(question)
    if numbers.n < settings.FEW_RESPONSES:
        return ()
    low, median, high = (str(each).replace("-", "−") for each in numbers.quartiles)
    three = [
        Card("Average", _average(numbers)),
        Card("Median", median),
        Card("Middle half (25% to 75%)", f"{low} to {high}"),
    ]
    zero = (numbers.values == 0).nonzero()[0]
    return (
        *three,
        *(Card("Share of 0", format_percent(float(numbers.shares[place]), 0)) for place in zero),
    )


def _average(numbers: Distribution) -> str:
    return "too uncertain" if numbers.is_wide else numbers.number
