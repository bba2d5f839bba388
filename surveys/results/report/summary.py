"""The report at a glance: a line for each sensitive question, with its bars on one scale for all, and who answered."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from surveys.definition.instrument import SurveyDefinition
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis, shares_axis
from surveys.results.figures.dot_plot import Mark, ground_in_short, marks_in_short, scale
from surveys.results.report.headlines import Bar, Finding, Verdict
from surveys.site.number_format import format_percent
from surveys.statements.sentences import MORE_RESPONSES

APART = 8  # pixels from the middle, where two bars stand in one line


@dataclass(frozen=True)
class Line:
    """number: the place of the question in the survey. ends: of a scale of its own, in words."""

    number: int
    question: QuestionReport
    finding: Finding
    plot: SafeString | str
    ends: tuple[str, str] | None = None


@dataclass(frozen=True)
class Glance:
    """people: what background answers say of those who answered. first: the key of the first such question."""

    lines: tuple[Line, ...]
    scale: SafeString
    people: str = ""
    first: str = ""

    @property
    def advice(self) -> str:
        """What to do if some range is too wide for a number; "" if none is."""
        is_wide = any(line.finding.verdict == Verdict.WIDE for line in self.lines)
        return MORE_RESPONSES if is_wide else ""


def statements_of(survey: SurveyDefinition) -> set[str]:
    """Return the keys of the rows of grids, which say what people think and not who they are."""
    return {question.key for question in survey.items if question.grid}


def glance(
    results: Iterable[tuple[int, QuestionReport, Finding]], statements: Container[str] = ()
) -> Glance:
    """Return what stands first in a report.

    A survey without a sensitive question has a line for each question.

    results: of each question its place in the survey, its report and its key result.
    statements: the keys of questions that do not say who answered.
    """
    numbered = list(results)
    lines = [result for result in numbered if _is_sensitive(result[1])] or numbered
    background = [result for result in numbered if result not in lines]
    people = [
        _person(question, finding)
        for _, question, finding in background
        if question.key not in statements
    ]
    shares = [bar for _, _, finding in lines if not finding.scale for bar in finding.bars]
    whole = shares_axis(
        [(min(bar.low, bar.estimate), max(bar.high, bar.estimate)) for bar in shares]
    )
    axis = whole if not whole.is_zoomed else shares_axis([(0.0, whole.high)])
    return Glance(
        tuple(_line(number, question, finding, axis) for number, question, finding in lines),
        scale(axis),
        ", ".join(filter(None, people)),
        background[0][1].key if background else "",
    )


def _is_sensitive(question: QuestionReport) -> bool:
    return question.design is not None or question.is_written


def _person(question: QuestionReport, finding: Finding) -> str:
    """ "25% Engineering", "7.0 hours of paid work a week", "Age: 34.2 on average"; nothing where nothing is shown."""
    if not finding.number:
        return ""
    if not question.is_number:
        words = f"{finding.number} {finding.bars[0].label}"
        largest = max(question.choices, key=lambda choice: choice.observed)
        is_larger = largest.observed > finding.bars[0].estimate
        return (
            f"{format_percent(largest.observed, 0)} {largest.label}, {words}"
            if is_larger
            else words
        )
    counts = question.text.startswith("How many ")
    name = question.short[:1].lower() + question.short[1:]
    return (
        f"{finding.number} {name}" if counts else f"{question.short}: {finding.number} on average"
    )


def _line(number: int, question: QuestionReport, finding: Finding, axis: Axis) -> Line:
    if not finding.bars:
        return Line(number, question, finding, "")
    if finding.scale is None:
        return Line(number, question, finding, _plot(question, finding, axis))
    own = numbers_axis(*finding.scale)
    ends = (f"{own.low:g}", f"{own.high:g}")
    return Line(number, question, finding, _plot(question, finding, own), ends)


def _plot(question: QuestionReport, finding: Finding, axis: Axis) -> SafeString:
    drawn, several = [], len(finding.bars) > 1
    for place, bar in enumerate(finding.bars):
        y = 0 if not several else APART * (2 * place - 1)
        drawn.append(marks_in_short(_mark(question, finding, bar), axis, y))
    enters = any(bar.low < 0 or bar.high > 1 for bar in finding.bars)
    return svg.plot(ground_in_short(axis, hatched=enters), *drawn)


def _mark(question: QuestionReport, finding: Finding, bar: Bar) -> Mark:
    if question.design is None and not question.is_number:
        return Mark(bar.estimate)
    return Mark(
        bar.estimate,
        bar.low,
        bar.high,
        is_pale=finding.is_pale or bar.is_withheld,
        is_withheld=finding.is_withheld or bar.is_withheld,
    )
