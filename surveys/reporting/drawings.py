"""The drawing of a question's result: for each choice the observed share beside the corrected one and its interval.

Horizontal places are percentages of the figure's width, so that the text keeps its size from a phone to a poster.
"""

import math
import textwrap
from dataclasses import dataclass

from django.utils.safestring import SafeString

from surveys.reporting import svg
from surveys.reporting.numbers import percent, percent_range
from surveys.reporting.report import ChoiceReport, QuestionReport

ROW = 58  # pixels: a line of text and the marks under it
LINE = 18  # one more line of a long label
LABEL_WIDTH = 36  # characters that fit on the narrowest phone
AXIS = 34
MARGIN = 4  # per cent kept free left and right, so that marks at the ends stay whole
FULL_PER_CENT = 0.01  # steps from here on are written without decimals
STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1)


@dataclass(frozen=True)
class Scale:
    """Shares from low to high, in steps, laid out between the margins."""

    low: float
    high: float
    step: float

    def place(self, share: float) -> str:
        along = (share - self.low) / (self.high - self.low)
        return f"{MARGIN + (100 - 2 * MARGIN) * along:.3f}%"

    @property
    def marks(self) -> list[tuple[float, str]]:
        """(share, text) for each step."""
        steps = round((self.high - self.low) / self.step)
        digits = 0 if self.step >= FULL_PER_CENT else 1
        return [
            (share, percent(share, digits)) for share in (self.low + number * self.step for number in range(steps + 1))
        ]

    @property
    def ticks(self) -> list[tuple[str, str]]:
        return [(self.place(share), text) for share, text in self.marks]


def scale(shares: list[float]) -> Scale:
    """The smallest round scale that shows zero and all shares with at most six steps."""
    return scale_between(min(0.0, *shares), max(*shares, 0.05))


def scale_between(low: float, high: float, most: int = 5) -> Scale:
    step = next((step for step in STEPS if (high - low) / step <= most), None) or math.ceil((high - low) / most)
    return Scale(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, step)


def dot_plot(question: QuestionReport, *, by_size: bool = False) -> SafeString:
    """An <svg> for one question with at least one response."""
    axis = scale([share for choice in question.choices for share in (choice.observed, *choice.interval)])
    rows, bottom = [], 4
    for _, choice in question.ordered(by_size=by_size):
        row, bottom = _row(choice, axis, bottom)
        rows.append(row)
    grid = [_upright("candor-plot__grid", place, bottom) + _tick(place, bottom, text) for place, text in axis.ticks]
    bounds = [_upright("candor-plot__bound", axis.place(share), bottom) for share in (0, 1) if share <= axis.high]
    label = f"{question.text}: corrected and observed shares. The same numbers stand in the table."
    return svg.drawing(*grid, *bounds, *rows, height=bottom + AXIS, label=label)


def _upright(kind: str, place: str, bottom: int) -> str:
    return svg.tag("line", class_=kind, x1=place, x2=place, y1=0, y2=bottom)


def _tick(place: str, bottom: int, text: str) -> str:
    return svg.tag("text", svg.text(text), class_="candor-plot__tick", x=place, y=bottom + 20, text_anchor="middle")


def _row(choice: ChoiceReport, axis: Scale, top: int) -> tuple[str, int]:
    """The marks of one choice and where they end."""
    lines = textwrap.wrap(choice.label, LABEL_WIDTH, max_lines=3, placeholder=" …") or [""]
    label_end = top + LINE * len(lines)
    corrected, observed = label_end + 12, label_end + 26
    low, high = map(axis.place, choice.interval)
    said = (
        f"{choice.label}: corrected {percent(choice.estimate)}, {percent_range(choice.interval)}; "
        f"observed {percent(choice.observed)}"
    )
    marks = [
        svg.tag("title", svg.text(said)),
        *(
            svg.tag("text", svg.text(line), class_="candor-plot__label", x=f"{MARGIN}%", dx=7, y=top + LINE * number)
            for number, line in enumerate(lines, 1)
        ),
        svg.tag("line", class_="candor-plot__interval", x1=low, x2=high, y1=corrected, y2=corrected),
        svg.tag("circle", class_="candor-plot__estimate", cx=axis.place(choice.estimate), cy=corrected, r=5),
        svg.tag("circle", class_="candor-plot__observed", cx=axis.place(choice.observed), cy=observed, r=4),
    ]
    return svg.tag("g", *marks), label_end + ROW - LINE
