"""Figures that leave the report: drawings that stand by themselves, as SVG and as PNG."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import resvg_py
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.figures import svg
from surveys.results.figures.dot_plot import Figure, Row, labels, shares_figure
from surveys.results.figures.histogram import number_figure
from surveys.results.figures.likelihood import likelihood_figure
from surveys.results.figures.means import mean_figure
from surveys.results.report.grids import GridReport, grid_sections
from surveys.results.report.headlines import Finding, finding
from surveys.site.number_format import count_of, epsilon, format_count

WIDTH, SIDE = 800, 20
PLOT, PLOT_WIDTH = 262, 330  # where the plots begin, and how wide they are
VALUE, RANGE = 672, 682  # where values end, and ranges begin
ROW, LINE = 30, 18  # pixels of a row, and of one more line of its label
LABEL = 27  # characters of a line of a label
FONTS = (
    Path(__file__).parent / "fonts"
)  # a server may have none, and a figure without its words says nothing
SHARPNESS = 2  # pixels of a PNG for each unit of the drawing
NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF))
FONT = 'font-family: "DejaVu Sans", Verdana, "Helvetica Neue", Arial, sans-serif'
TEXTS = f"""
text {{ {FONT}; fill: var(--ink); font-size: 14px; }}
.title {{ font-size: 21px; }}
.head, .source, .note, .plot__tick {{ fill: var(--ink-3); font-size: 12px; }}
.detail, .range {{ fill: var(--ink-2); }}
.value, .heading {{ font-weight: bold; }}
"""


@dataclass(frozen=True)
class Words:
    """What stands around a figure in a file."""

    question: str
    sentence: str
    detail: str
    source: str


def has_drawing(question: QuestionReport) -> bool:
    """Whether a page draws it: a background number has cards, and its histogram in files alone."""
    return question.has_figure and not question.is_number


def question_figure(
    question: QuestionReport,
    known: Finding | None = None,
    *,
    by_size: bool = True,
    recorded: bool = True,
) -> Figure:
    """The figure of a question with at least one response: shares, or of a number how often each was given.

    known: its key result, where it is there already.
    """
    if question.is_number:
        return number_figure(question)
    if not question.choices:
        return mean_figure(question)
    return shares_figure(
        question, by_size=by_size, is_pale=(known or finding(question)).is_pale, recorded=recorded
    )


def shares_file(
    result: SurveyReport, question: QuestionReport, *, about: str = "", by_size: bool = True
) -> str:
    """An SVG file of corrected shares with their ranges; of a row of a grid that is not scrambled that of the grid.

    about: whom a filtered report is about.
    """
    key_result = finding(question)
    if (grid := _grid(result, question)) is not None:
        words = Words(grid.heading, grid.sentence, grid.detail, source(result, question, about))
        return stand_alone(grid.figure, words)
    drawn = (
        question_figure(question, key_result, by_size=by_size, recorded=False)
        if question.has_figure
        else None
    )
    return stand_alone(
        drawn,
        Words(
            question.text, key_result.sentence, key_result.detail, source(result, question, about)
        ),
    )


def _grid(result: SurveyReport, question: QuestionReport) -> GridReport | None:
    if not question.grid or question.design:
        return None
    sections = grid_sections(result.questions).values()
    return next((each for each in sections if each and question in each.questions), None)


def likelihood_file(
    result: SurveyReport, question: QuestionReport, *, about: str = "", **_: object
) -> str:
    """An SVG file of the log-likelihood curve of a yes/no question."""
    said, detail, drawn = finding(question).sentence, "", None
    if question.basis:
        drawn = likelihood_figure(question)
        interval = drawn.rows[0].range
        said = f"Log-likelihood of the share of {question.choices[1].label}"
        detail = f"The {question.level_name} likelihood interval is {interval}."
    return stand_alone(drawn, Words(question.text, said, detail, source(result, question, about)))


FIGURES = {"shares": shares_file, "likelihood": likelihood_file}


def png(file: str) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=file,
        zoom=SHARPNESS,
        font_dirs=[str(FONTS)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )


def _without_report(question: QuestionReport) -> str:
    """Return how many responses have no report to the question, and why."""
    if question.whom:
        return f"{count_of(question.missing, 'response', 'responses')} did not get the question"
    if question.drawn:
        return f"{count_of(question.missing, 'response', 'responses')} did not get the question, by chance"
    return count_of(question.missing, "response has no report", "responses have no report")


def source(result: SurveyReport, question: QuestionReport, about: str = "") -> str:
    """Where the numbers come from: n, design, epsilon, intervals and instrument together."""
    design = (
        f"randomized by “{question.design_title}”" if question.design_title else "not randomized"
    )
    privacy = f", epsilon {epsilon(question.epsilon)}" if question.epsilon is not None else ""
    whom = f" Only {about}." if about else ""
    missing = f" ({_without_report(question)})" if question.missing else ""
    whom += f" Asked only if {question.whom}." if question.whom else ""
    ranges = f" Ranges: {question.told_apart_name}." if question.design_title else ""
    return (
        f"n = {format_count(question.n)}{missing}; {design}{privacy}.{ranges}{whom} "
        f"Survey “{result.title}”, instrument {result.instrument[:16]}, analysed with Candor."
    )


def _sheet(name: str) -> str:
    return (Path(settings.BASE_DIR) / "static/css" / name).read_text()


@cache
def _colours() -> dict[str, str]:
    """Those of light pages, by name: a figure goes onto paper."""
    light, _, _ = _sheet("tokens.css").partition("@media")
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", light))


@cache
def _style() -> str:
    rules = re.sub(r"/\*.*?\*/", "", TEXTS + _sheet("plots.css"))
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda match: _colours()[match[1]], rules)


def stand_alone(figure: Figure | None, words: Words, also: Sequence[Figure] = ()) -> SafeString:
    """A whole file: words, figure, legend and source, on white. also: more figures, each with a scale of its own."""
    page = _Page()
    page.write(words.question, 100, 17, "detail")
    page.skip(8)
    page.write(words.sentence, 62, 27, "title")
    page.skip(4)
    page.write(words.detail, 100, 20, "detail")
    for each in ([] if figure is None else [figure]) + [*also]:
        page.draw(each)
    page.skip(12)
    page.write(words.source, 118, 17, "source")
    return page.whole(words.question)


class _Page:
    """Places words and plots from the top down."""

    def __init__(self) -> None:
        self.y = 16
        self.parts: list[str] = []

    def skip(self, height: float) -> float:
        self.y += height
        return self.y

    def put(
        self, words: str, x: float, class_: str, y: float | None = None, anchor: str = "start"
    ) -> None:
        at = {"x": x, "y": self.y if y is None else y, "text_anchor": anchor}
        self.parts.append(svg.tag("text", svg.text(words), class_=class_, **at))

    def write(self, words: str, width: int, height: int, class_: str) -> None:
        for line in textwrap.wrap(words, width):
            self.skip(height)
            self.put(line, SIDE, class_)

    def plot(self, content: str, height: float) -> None:
        """Something on the figure's scale, in the column of the plots."""
        place = {
            "x": PLOT,
            "y": self.y,
            "width": PLOT_WIDTH,
            "height": height,
            "overflow": "visible",
        }
        self.parts.append(svg.tag("svg", content, **place))

    def draw(self, figure: Figure) -> None:
        self.skip(34)
        self.put(figure.values, VALUE, "head", anchor="end")
        self.put(figure.ranges, RANGE, "head")
        self.skip(8)
        if figure.area:
            self.plot(figure.area.draw((PLOT_WIDTH, figure.area.height)), figure.area.height)
            self.skip(figure.area.height)
        for row in figure.rows:
            self.row(figure, row)
        self.plot(svg.tag("g", labels(figure.axis), text_anchor="middle"), 18)
        self.skip(24)
        for mark, words in figure.keys:
            self.key(mark, words)
        if figure.starts_at:
            self.skip(22)
            self.put(f"The scale starts at {figure.starts_at}, not at 0.", SIDE, "note")

    def row(self, figure: Figure, row: Row) -> None:
        if row.is_heading:
            self.skip(26)
            self.put(row.label, SIDE, "heading")
            self.skip(6)
            return
        lines = textwrap.wrap(row.label, LABEL, max_lines=3, placeholder=" …") or [""]
        height = max(ROW, LINE * (len(lines) + bool(row.note)) + 10)
        first = self.y + height / 2 + 5 - LINE * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            self.put(line, SIDE, "label", first + LINE * number)
        self.put(row.value, VALUE, "value", self.y + height / 2 + 5, "end")
        self.put(row.range, RANGE, "range", self.y + height / 2 + 5)
        self.put(row.note, RANGE, "note", self.y + height / 2 + (20 if row.mark else 5))
        self.plot(figure.marks(row), height)
        self.skip(height)

    def key(self, mark: str, words: str) -> None:
        self.skip(22)
        place = {"x": SIDE, "y": self.y - 14, "width": 34, "height": 18, "overflow": "visible"}
        self.parts.append(svg.tag("svg", svg.KEYS[mark], **place))
        self.put(words, SIDE + 44, "note")

    def whole(self, title: str) -> SafeString:
        height = self.skip(16)
        size = {"width": WIDTH, "height": height, "viewBox": f"0 0 {WIDTH} {height}"}
        head = [svg.tag("title", svg.text(title)), svg.tag("style", _style()), svg.HATCH]
        white = svg.tag("rect", width=WIDTH, height=height, fill=_colours()["paper"])
        file = svg.tag("svg", *head, white, *self.parts, xmlns="http://www.w3.org/2000/svg", **size)
        return mark_safe(file.translate(NOT_IN_XML))  # noqa: S308  # all is escaped by tag
