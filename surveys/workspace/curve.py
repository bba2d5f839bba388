"""The margin of error of one question against the number of respondents, as numbers and as a drawing."""

from dataclasses import dataclass

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from mechanisms import Mechanism
from mechanisms.planning import half_width, sample_size
from mechanisms.planning.channels import Channel

POINTS = 0.03  # the margin that the panel gives a number of respondents for
STEPS = (100, 300, 1_000, 3_000, 10_000, 30_000)
FIRST, LAST = 60, 50_000  # respondents at the two ends of the drawing
TOPS = (0.05, 0.1, 0.2, 0.5, 1.0)
LEFT, WIDE = 14, 82  # per cent of the width: where the curve starts, and how far it goes
HEIGHT = 180  # pixels
DIRECT = Channel(1.0, 0.0)  # everybody is asked directly and tells the truth


@dataclass(frozen=True)
class Plan:
    """What a question costs in respondents. Half-widths are fractions: 0.03 is 3 points to either side, at 95 %.

    All are for the true share at which the margin is widest. `rows` holds (n, half-width, half-width asked directly).
    """

    needed: int
    needed_directly: int
    rows: list[tuple[int, float, float]]
    drawing: SafeString

    @property
    def times(self) -> float:
        return self.needed / self.needed_directly


def plan(mechanism: Mechanism) -> Plan:
    channel = Channel.of(mechanism)
    steps = np.array(STEPS)
    widths, directly = half_width(channel, steps), half_width(DIRECT, steps)
    return Plan(
        needed=int(sample_size(channel, POINTS)),
        needed_directly=int(sample_size(DIRECT, POINTS)),
        rows=[(int(n), float(a), float(b)) for n, a, b in zip(steps, widths, directly, strict=True)],
        drawing=_drawing(channel),
    )


def _drawing(channel: Channel) -> SafeString:
    """Respondents along, on a logarithmic scale; the margin upwards, cut off where it says nothing any more."""
    n = np.geomspace(FIRST, LAST, 80)
    expected = float(half_width(channel, np.array([1_000]))[0])
    top = next((top for top in TOPS if top >= 1.2 * expected), 1.0)
    context = {
        "left": LEFT,
        "right": LEFT + WIDE,
        "wide": WIDE,
        "height": HEIGHT,
        "whole": HEIGHT + 62,
        "below": HEIGHT + 28,
        "title": HEIGHT + 52,
        "curve": _path(n, half_width(channel, n), top),
        "direct": _path(n, half_width(DIRECT, n), top),
        "across": [(f"{LEFT + WIDE * _along(step):.2f}%", f"{step:,}") for step in STEPS],
        "up": [(f"{10 + HEIGHT * (1 - part / 5):.1f}", f"±{100 * top * part / 5:.0f}") for part in range(6)],
        "goal": f"{10 + HEIGHT * (1 - POINTS / top):.1f}",
    }
    return render_to_string("workspace/parts/curve.svg", context)


def _along(n: float | np.ndarray) -> float | np.ndarray:
    return np.log(n / FIRST) / np.log(LAST / FIRST)


def _path(n: np.ndarray, widths: np.ndarray, top: float) -> str:
    """In a box of 100 by 100; what lies above it is cut off by the box."""
    y = 100 * (1 - widths / top)
    return " ".join(f"{100 * a:.2f},{b:.2f}" for a, b in zip(_along(n), y, strict=True))
