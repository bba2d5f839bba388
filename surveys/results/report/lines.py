"""The lines of the report's tables. Shares are fractions, numbers are in the question's own unit."""

from collections.abc import Iterator
from typing import NamedTuple

from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.groups import SideBySide
from surveys.results.report.numeric_results import Written, shown_quartiles
from surveys.site.files.lines import write_csv

QUARTILES = {0.25: "lower quartile", 0.5: "median", 0.75: "upper quartile"}
SHARE_COLUMNS = (
    "variable",
    "question",
    "answer",
    "n",
    "observed",
    "corrected",
    "standard_error",
    "low",
    "high",
    "constrained",
    "constrained_by",
    "confidence",
    "interval",
    "simultaneous",
    "design",
    "epsilon",
    "group",
    "errors_hold",
    "withheld",
)
GROUP_COLUMNS = (
    "variable",
    "question",
    "by",
    "group",
    "answer",
    "n",
    "corrected",
    "standard_error",
    "low",
    "high",
    "confidence",
    "interval",
    "simultaneous",
    "withheld",
)


class _Number(NamedTuple):
    """A number that sums up the answers of a question. standard_error: None of a quartile."""

    answer: str
    value: float
    standard_error: float | None
    interval: tuple[float, float]

    @property
    def interval_kind(self) -> str:
        return "" if self.standard_error is None else "wald"


def shares_csv(report: SurveyReport, only: str | None = None, about: str = "") -> str:
    """Return a report as CSV, with a row for each answer, and for each number that sums up the answers of a question.

    only: the key of a question, if the table is of this one alone. about: the people whom a filtered report is about.
    """
    rows: list[dict[str, object]] = []
    for question in report.questions:
        if only in (None, question.key) and (question.basis is not None or not question.told):
            rows += _share_rows(question, about or "everybody")
    return write_csv(SHARE_COLUMNS, rows)


def _share_rows(question: QuestionReport, about: str) -> Iterator[dict[str, object]]:
    of_question = {
        "variable": question.key,
        "question": question.text,
        "confidence": question.confidence,
        "design": question.design,
        "epsilon": question.epsilon,
        "group": about,
        "errors_hold": "sampling and randomization" if question.sampling else "randomization",
    }
    for _, choice in display_order(question):
        low, high = choice.interval or (None, None)
        yield {
            **of_question,
            "answer": choice.label,
            "n": choice.n,
            "observed": choice.observed,
            "corrected": choice.estimate,
            "standard_error": choice.standard_error,
            "low": low,
            "high": high,
            "constrained": choice.constrained,
            "constrained_by": question.constrained_by,
            "interval": question.interval_kind,
            "simultaneous": question.simultaneous,
            "withheld": question.withholds(choice),
        }
    for number in _numbers(question.average):
        low, high = number.interval
        yield {
            **of_question,
            "answer": number.answer,
            "n": question.n,
            "observed": None,
            "corrected": number.value,
            "standard_error": number.standard_error,
            "low": low,
            "high": high,
            "constrained": None,
            "constrained_by": None,
            "interval": number.interval_kind,
            "simultaneous": False,
            "withheld": number.answer in _withheld_answers(question.average),
        }


def groups_csv(sides: SideBySide) -> str:
    """Return groups side by side as CSV, with a row for each answer to a scrambled question in each group.

    Numbers that sum up the answers of a group have rows too.
    """
    rows: list[dict[str, object]] = []
    for _, groups in sides.questions:
        for group in groups:
            if group.report.basis is not None:
                rows += _group_rows(group.report, sides.by.key, group.name)
    return write_csv(GROUP_COLUMNS, rows)


def _group_rows(question: QuestionReport, by: str, group: str) -> Iterator[dict[str, object]]:
    of_group = {
        "variable": question.key,
        "question": question.text,
        "by": by,
        "group": group,
        "confidence": question.confidence,
    }
    for _, choice in display_order(question):
        low, high = choice.interval or (None, None)
        yield {
            **of_group,
            "answer": choice.label,
            "n": choice.n,
            "corrected": choice.estimate,
            "standard_error": choice.standard_error,
            "low": low,
            "high": high,
            "interval": question.interval_kind,
            "simultaneous": question.simultaneous,
            "withheld": question.withholds(choice),
        }
    for number in _numbers(question.average):
        low, high = number.interval
        yield {
            **of_group,
            "answer": number.answer,
            "n": question.n,
            "corrected": number.value,
            "standard_error": number.standard_error,
            "low": low,
            "high": high,
            "interval": number.interval_kind,
            "simultaneous": False,
            "withheld": number.answer in _withheld_answers(question.average),
        }


def _withheld_answers(average: Average) -> set[str]:
    """Return the names of the mean and of the quartiles that no page shows."""
    unit = f" ({average.unit})" if average.unit else ""
    shown = shown_quartiles(average)
    names = {
        f"{QUARTILES[quartile.at]}{unit}" for quartile in average.quartiles if quartile not in shown
    }
    if Written(average).is_wide:
        names.add(f"mean{unit}")
    return names


def _numbers(average: Average | None) -> Iterator[_Number]:
    """Yield the mean, the quartiles, and the shares up to some numbers."""
    if average is None:
        return
    unit = f" ({average.unit})" if average.unit else ""
    mean = average.mean
    yield _Number(
        answer=f"mean{unit}",
        value=mean.value,
        standard_error=mean.standard_error,
        interval=mean.interval,
    )
    for quartile in average.quartiles:
        name = f"{QUARTILES[quartile.at]}{unit}"
        yield _Number(
            answer=name, value=quartile.number, standard_error=None, interval=quartile.interval
        )
    for cut in average.at_most:
        share = cut.found
        yield _Number(
            answer=f"share up to {cut.number}{unit}",
            value=share.value,
            standard_error=share.standard_error,
            interval=share.interval,
        )
