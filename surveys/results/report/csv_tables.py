"""Tables that leave the report as CSV. Shares are fractions; no text is one that a spreadsheet would calculate."""

import csv
import io
import math
from collections.abc import Iterable

from surveys.results.disclosure.subgroups import MINIMUM
from surveys.results.estimates.numeric import Average
from surveys.results.estimates.report import ChoiceReport, QuestionReport, SurveyReport
from surveys.results.report.candidate_rounds import SEARCHED, RoundResult
from surveys.results.report.groups import SideBySide
from surveys.results.report.numeric_results import Written
from surveys.results.report.quality import Check
from surveys.site.files.formulas import defused

SHARES = (
    *("variable", "question", "answer", "n", "observed", "corrected", "standard_error", "low", "high", "constrained"),
    *("constrained_by", "confidence", "interval", "simultaneous", "design", "epsilon", "group", "errors_hold"),
    *("withheld",),
)
GROUPS = (
    *("variable", "question", "by", "group", "answer", "n", "corrected", "standard_error", "low", "high"),
    *("confidence", "interval", "simultaneous"),
)
CANDIDATES = (
    *("variable", "round", "level", "candidate", "n", "reports", "corrected", "standard_error", "low", "high"),
    *("found", "significance", "possible", "point", "note"),
)
QUARTILES = {0.25: "lower quartile", 0.5: "median", 0.75: "upper quartile"}
QUALITY = ("variable", "question", "check", "finding", "p_value", "verdict", "advice")


def shares_csv(result: SurveyReport, only: str | None = None, *, about: str = "") -> str:
    """One row for each answer of all questions, or of one, as asked. about: whom a filtered report is about."""
    shown = [question for question in result.questions if question.basis is not None or not question.told]
    chosen = [question for question in shown if only in (None, question.key)]
    return as_csv(SHARES, (row for question in chosen for row in _shares(question, about)))


def _shares(question: QuestionReport, about: str) -> Iterable[tuple]:
    for _, choice in question.ordered():
        low, high = choice.interval or (None, None)
        yield (
            *(question.key, question.text, choice.label, choice.n, choice.observed, choice.estimate),
            *(choice.standard_error, low, high, choice.constrained, question.constrained_by),
            *(question.confidence, question.interval_kind, "yes" if question.simultaneous else "no"),
            *(question.design, question.epsilon, about or "everybody", _hold(question)),
            "yes" if question.withholds(choice) else "no",
        )
    for answer, value, error, (low, high) in _of_numbers(question.average):
        yield (
            *(question.key, question.text, answer, question.n, None, value, error, low, high, None, None),
            *(question.confidence, "" if error is None else "wald", "no"),
            *(question.design, question.epsilon, about or "everybody", _hold(question)),
            "yes" if answer.startswith("mean") and Written(question.average).is_wide else "no",
        )


def _hold(question: QuestionReport) -> str:
    return "sampling and randomization" if question.sampling else "randomization"


def _of_numbers(found: Average | None) -> Iterable[tuple[str, float, float | None, tuple[float, float]]]:
    """(answer, value, standard error, interval): the mean and what else there is, in the question's own unit."""
    if found is None:
        return
    unit = f" ({found.unit})" if found.unit else ""
    yield f"mean{unit}", found.mean.value, found.mean.standard_error, found.mean.interval
    for each in found.quartiles:
        yield f"{QUARTILES[each.at]}{unit}", each.number, None, each.interval
    for cut in found.at_most:
        yield f"share up to {cut.number}{unit}", cut.found.value, cut.found.standard_error, cut.found.interval


def candidates_csv(key: str, found: Iterable[RoundResult]) -> str:
    """One row for each candidate of all rounds, and one for none of them. The note says when no interval holds."""
    return as_csv(CANDIDATES, (row for each in found for row in _candidates(key, each)))


def _candidates(key: str, each: RoundResult) -> Iterable[tuple]:
    about = (key, each.number, each.level)
    if each.found is None:
        for text in each.texts:
            yield (*about, text, 0, *[None] * 9, SEARCHED)
        return
    for row in each.rows:
        numbers = (row.count, row.share, row.standard_error, *row.interval, "yes" if row.is_found else "no")
        yield (*about, row.text, each.n, *numbers, row.significance, row.possible, row.point, SEARCHED)
    none = each.found.none
    yield (*about, "(none of these)", each.n, None, none.share, none.standard_error, *[None] * 6, SEARCHED)


def groups_csv(found: SideBySide) -> str:
    """One row for each group and answer of every scrambled question."""
    rows = (
        (*(question.key, question.text, found.by.key, part.name), *numbers)
        for part in found.parts
        for question in part.result.questions
        if question.design and question.basis is not None and question.n >= MINIMUM
        for numbers in (
            *(_numbers(question, choice) for _, choice in question.ordered()),
            *_means(question),
        )
    )
    return as_csv(GROUPS, rows)


def _means(question: QuestionReport) -> Iterable[tuple]:
    for answer, value, error, (low, high) in _of_numbers(question.average):
        kind = "" if error is None else "wald"
        yield answer, question.n, value, error, low, high, question.confidence, kind, "no"


def _numbers(question: QuestionReport, choice: ChoiceReport) -> tuple:
    low, high = choice.interval or (None, None)
    return (
        *(choice.label, choice.n, choice.estimate, choice.standard_error, low, high),
        *(question.confidence, question.interval_kind, "yes" if question.simultaneous else "no"),
    )


def quality_csv(checks: list[Check]) -> str:
    rows = ((check.key, check.text, check.name, check.finding, check.p_value, check.verdict) for check in checks)
    return as_csv(QUALITY, ((*row, check.advice) for row, check in zip(rows, checks, strict=True)))


def as_csv(head: Iterable[str], rows: Iterable[tuple]) -> str:
    """No text in a cell is one that a spreadsheet would calculate."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A label may begin like a formula; an apostrophe makes spreadsheets show it as text. Numbers stay numbers."""
    if isinstance(value, str):
        return defused(value)
    if value == math.inf:
        return "infinite"
    return "" if value is None else value
