"""The lines of the report's tables. Shares are fractions, numbers are in the question's own unit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from surveys.results.estimates.answer_order import ordered
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.groups import SideBySide
from surveys.results.report.numeric_results import Written, shown_quartiles
from surveys.site.files.lines import Line

QUARTILES = {0.25: "lower quartile", 0.5: "median", 0.75: "upper quartile"}
NONE = (None, None)


@dataclass(frozen=True)
class ShareLine(Line):
    """An answer to a question, or a number that sums up its answers."""

    variable: str
    question: str
    answer: str
    n: int
    observed: float | None
    corrected: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    constrained: float | None
    constrained_by: str | None
    confidence: float
    interval: str
    simultaneous: bool
    design: str | None
    epsilon: float | None
    group: str
    errors_hold: str
    withheld: bool

    @classmethod
    def lines(cls, result: SurveyReport, only: str | None = None, about: str = "") -> Iterator[Self]:
        """Of all questions, or of one, as asked. about: whom a filtered report is about."""
        for question in result.questions:
            if only in (None, question.key) and (question.basis is not None or not question.told):
                yield from cls._of(question, about or "everybody")

    @classmethod
    def _of(cls, question: QuestionReport, about: str) -> Iterator[Self]:
        errors_hold = "sampling and randomization" if question.sampling else "randomization"
        rest = question.design, question.epsilon, about, errors_hold
        for _, choice in ordered(question):
            yield cls(
                *(question.key, question.text, choice.label, choice.n, choice.observed, choice.estimate),
                *(choice.standard_error, *(choice.interval or NONE), choice.constrained, question.constrained_by),
                *(question.confidence, question.interval_kind, question.simultaneous, *rest),
                question.withholds(choice),
            )
        for answer, value, error, ends in _of_numbers(question.average):
            kind = "" if error is None else "wald"
            withheld = answer in _withheld_answers(question.average)
            numbers = question.n, None, value, error, *ends, None, None, question.confidence, kind, False
            yield cls(question.key, question.text, answer, *numbers, *rest, withheld)


@dataclass(frozen=True)
class GroupLine(Line):
    """An answer to a scrambled question in a group, or a number that sums up the group's answers."""

    variable: str
    question: str
    by: str
    group: str
    answer: str
    n: int
    corrected: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    confidence: float
    interval: str
    simultaneous: bool
    withheld: bool

    @classmethod
    def lines(cls, sides: SideBySide) -> Iterator[Self]:
        for _, rows in sides.questions:
            for row in rows:
                if row.report.basis is not None:
                    yield from cls._of(row.report, sides.by.key, row.name)

    @classmethod
    def _of(cls, question: QuestionReport, by: str, group: str) -> Iterator[Self]:
        about = question.key, question.text, by, group
        for _, choice in ordered(question):
            yield cls(
                *(*about, choice.label, choice.n, choice.estimate, choice.standard_error),
                *(*(choice.interval or NONE), question.confidence, question.interval_kind, question.simultaneous),
                question.withholds(choice),
            )
        for answer, value, error, ends in _of_numbers(question.average):
            kind = "" if error is None else "wald"
            withheld = answer in _withheld_answers(question.average)
            yield cls(*about, answer, question.n, value, error, *ends, question.confidence, kind, False, withheld)


def _withheld_answers(average: Average) -> set[str]:
    """Return the names of the mean and of the quartiles that no page shows."""
    unit = f" ({average.unit})" if average.unit else ""
    shown = shown_quartiles(average)
    names = {f"{QUARTILES[quartile.at]}{unit}" for quartile in average.quartiles if quartile not in shown}
    if Written(average).is_wide:
        names.add(f"mean{unit}")
    return names


def _of_numbers(average: Average | None) -> Iterable[tuple[str, float, float | None, tuple[float, float]]]:
    """(answer, value, standard error, interval): the mean and what else there is."""
    if average is None:
        return
    unit = f" ({average.unit})" if average.unit else ""
    yield f"mean{unit}", average.mean.value, average.mean.standard_error, average.mean.interval
    for each in average.quartiles:
        yield f"{QUARTILES[each.at]}{unit}", each.number, None, each.interval
    for cut in average.at_most:
        yield f"share up to {cut.number}{unit}", cut.found.value, cut.found.standard_error, cut.found.interval
