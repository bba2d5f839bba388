"""The report at a glance: a line for each question, with its bars on one scale for all."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from surveys.results.estimates.report import QuestionReport
from surveys.results.estimates.share_wording import WIDE
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, numbers_axis, shares_axis
from surveys.results.figures.dot_plot import Mark, ground, marks, scale
from surveys.results.report.headlines import Bar, Finding

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
    lines: tuple[Line, ...]
    scale: SafeString


def glance(found: Iterable[tuple[QuestionReport, Finding]]) -> Glance:
    found = list(found)
    shares = [bar for _, finding in found if not finding.scale for bar in finding.bars]
    whole = shares_axis([(min(bar.low, bar.estimate), max(bar.high, bar.estimate)) for bar in shares])
    axis = whole if not whole.is_zoomed else shares_axis([(0.0, whole.high)])
    lines = tuple(_line(number, *each, axis) for number, each in enumerate(found, 1))
    return Glance(lines, scale(axis))


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
        drawn.append(svg.middle(*marks(_mark(question, finding, bar), axis), y=y))
    enters = any(bar.low < 0 or bar.high > 1 for bar in finding.bars)
    return svg.drawing(*ground(axis, hatched=enters), *drawn, width="100%", height="100%")


def _mark(question: QuestionReport, finding: Finding, bar: Bar) -> Mark:
    if question.design is None and not question.is_number:
        return Mark(bar.estimate)
    if finding.scale:
        return Mark(bar.estimate, bar.low, bar.high, is_pale=finding.is_pale)
    return Mark(bar.estimate, bar.low, bar.high, is_pale=finding.is_pale or bar.high - bar.low > WIDE)
