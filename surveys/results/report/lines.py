"""The lines of the report's tables. Shares are fractions, numbers are in the question's own unit."""

from collections.abc import Iterator
from typing import NamedTuple

from surveys.results.estimates.answer_order import display_order
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.groups import SideBySide
from surveys.site.files.lines import write_csv
from surveys.statements.statement import Statement

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
    """A number that sums up the answers of a question.

    standard_error: None for a quartile.
    """

    answer: str
    statement: Statement
    standard_error: float | None

    @property
    def interval_kind(self) -> str:
        """The kind of a normal interval; "" for the other intervals, of quartiles."""
        if self.standard_error is None:
            return ""
        return self.statement.method


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
        low, high = number.statement.interval
        yield {
            **of_question,
            "answer": number.answer,
            "n": question.n,
            "observed": None,
            "corrected": number.statement.estimate,
            "standard_error": number.standard_error,
            "low": low,
            "high": high,
            "constrained": None,
            "constrained_by": None,
            "interval": number.interval_kind,
            "simultaneous": False,
            "withheld": number.statement.is_withheld,
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
        low, high = number.statement.interval
        yield {
            **of_group,
            "answer": number.answer,
            "n": question.n,
            "corrected": number.statement.estimate,
            "standard_error": number.standard_error,
            "low": low,
            "high": high,
            "interval": number.interval_kind,
            "simultaneous": False,
            "withheld": number.statement.is_withheld,
        }


def _numbers(average: Average | None) -> Iterator[_Number]:
    """Yield the mean, the quartiles, and the shares up to some numbers."""
    if average is None:
        return
    unit = f" ({average.unit})" if average.unit else ""
    yield _Number(
        answer=f"mean{unit}",
        statement=average.statement,
        standard_error=average.mean.standard_error,
    )
    for quartile in average.quartiles:
        yield _Number(answer=f"{quartile.name}{unit}", statement=quartile, standard_error=None)
    for at_most in average.at_most:
        yield _Number(
            answer=f"share up to {at_most.number}{unit}",
            statement=at_most.statement,
            standard_error=at_most.functional.standard_error,
        )
