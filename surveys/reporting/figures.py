"""Figures that leave the report: drawings that stand by themselves, as SVG and as PNG."""

import textwrap
from dataclasses import dataclass
from pathlib import Path

import resvg_py
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from surveys.reporting.curves import curve_plot
from surveys.reporting.drawings import dot_plot
from surveys.reporting.headlines import headline
from surveys.reporting.numbers import count, epsilon, level, percent_range
from surveys.reporting.readings import likelihood
from surveys.reporting.report import QuestionReport, SurveyReport

WIDTH = 800
INSET = 10
CURVE_HEIGHT = 340
FONTS = Path(__file__).parent / "fonts"  # a server may have none, and a figure without its words says nothing
SHARPNESS = 2  # pixels of a PNG for each unit of the drawing
NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF))


@dataclass(frozen=True)
class Part:
    """A drawing with the lines that explain its marks: (mark, text)."""

    drawing: SafeString
    height: int
    legend: list[tuple[str, str]]


def shares_figure(result: SurveyReport, question: QuestionReport, *, about: str = "", by_size: bool = False) -> str:
    """An SVG file of observed and corrected shares. about: whom a filtered report is about."""
    if question.basis is None:
        return _nothing_yet(result, question, about)
    drawing = dot_plot(question, by_size=by_size)
    legend = [
        ("corrected", f"corrected share with its {question.interval_name}"),
        ("observed", "observed share, before the correction"),
    ]
    return _stand_alone(result, question, Part(drawing, _height(drawing), legend), about)


def likelihood_figure(result: SurveyReport, question: QuestionReport, *, about: str = "", **_: object) -> str:
    """An SVG file of the log-likelihood curve of a yes/no question."""
    if question.basis is None:
        return _nothing_yet(result, question, about)
    curve = likelihood(question)
    inner = WIDTH - 2 * INSET
    drawing = curve_plot(curve, question.confidence, width=inner, height=CURVE_HEIGHT)
    at = f"{level(question.confidence)} likelihood interval, {percent_range(curve.interval)}"
    legend = [("curve", "log-likelihood of the true share of Yes"), ("corrected", f"its maximum and the {at}")]
    return _stand_alone(result, question, Part(drawing, CURVE_HEIGHT, legend), about)


FIGURES = {"shares": shares_figure, "likelihood": likelihood_figure}


def png(svg: str) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=SHARPNESS,
        font_dirs=[str(FONTS)],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )


def source(result: SurveyReport, question: QuestionReport, about: str = "") -> str:
    """Where the numbers come from: n, design, epsilon and intervals together."""
    design = f"randomized by “{question.design_title}”" if question.design_title else "sent as it is, not randomized"
    privacy = f", epsilon {epsilon(question.epsilon)}" if question.epsilon is not None else ""
    whom = f" Only {about}." if about else ""
    return (
        f"n = {count(question.n)}; {design}{privacy}.{whom} "
        f"Survey “{result.title}”, instrument {result.instrument[:16]}, analysed with Candor."
    )


def _height(drawing: SafeString) -> int:
    return int(drawing.split('height="', 1)[1].split('"', 1)[0])


def _nothing_yet(result: SurveyReport, question: QuestionReport, about: str) -> str:
    return _stand_alone(result, question, Part(SafeString(""), 0, []), about, "There is no response yet.")


def _stand_alone(
    result: SurveyReport, question: QuestionReport, part: Part, about: str, summary: str | None = None
) -> str:
    page = _Lines(14)
    heading = page.write(question.text, 62, 26)
    page.skip(4)
    said = page.write(headline(question) if summary is None else summary, 92, 22)
    drawing_y = page.skip(14)
    page.skip(part.height + 8)
    legend = [(page.skip(24) - 5, mark, text) for mark, text in part.legend]
    page.skip(8)
    credit = page.write(source(result, question, about), 108, 19)
    context = {
        "width": WIDTH,
        "height": page.y + 16,
        "inset": INSET,
        "inner": WIDTH - 2 * INSET,
        "title": question.text,
        "heading": heading,
        "summary": said,
        "drawing": part.drawing,
        "drawing_y": drawing_y,
        "drawing_height": part.height,
        "legend": legend,
        "source": credit,
    }
    return render_to_string("report/drawings/figure.svg", context).translate(NOT_IN_XML)


class _Lines:
    """Places lines of text from the top down."""

    def __init__(self, top: int) -> None:
        self.y = top

    def skip(self, height: int) -> int:
        self.y += height
        return self.y

    def write(self, text: str, width: int, height: int) -> list[tuple[int, str]]:
        """(y, line) for each line of the text, wrapped."""
        return [(self.skip(height), line) for line in textwrap.wrap(text, width)]
