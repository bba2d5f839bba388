"""The drawing of a question's result: for each choice the observed share beside the corrected one and its interval.

Horizontal places are percentages of the figure's width, so that the text keeps its size from a phone to a poster.
"""

import math
import textwrap
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from surveys.reporting.numbers import percent
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
    shares = [share for choice in question.choices for share in (choice.observed, *choice.interval)]
    axis = scale(shares)
    rows, height = [], 4
    for _, choice in question.ordered(by_size=by_size):
        rows.append(_row(choice, axis, height))
        height = rows[-1]["bottom"]
    context = {
        "rows": rows,
        "scale": axis,
        "zero": axis.place(0),
        "one": axis.place(1) if axis.high > 1 else None,
        "bottom": height,
        "height": height + AXIS,
        "tick_label": height + 20,
        "question": question,
    }
    return render_to_string("report/drawings/dot_plot.svg", context)


def _row(choice: ChoiceReport, axis: Scale, top: float) -> dict:
    lines = textwrap.wrap(choice.label, LABEL_WIDTH, max_lines=3, placeholder=" …") or [""]
    label_end = top + LINE * len(lines)
    low, high = choice.interval
    return {
        "lines": [(top + LINE * number, line) for number, line in enumerate(lines, 1)],
        "corrected_y": label_end + 12,
        "observed_y": label_end + 26,
        "low": axis.place(low),
        "high": axis.place(high),
        "estimate": axis.place(choice.estimate),
        "observed": axis.place(choice.observed),
        "choice": choice,
        "bottom": label_end + ROW - LINE,
    }
