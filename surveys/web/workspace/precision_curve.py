"""The margin of error of one question against the number of respondents, as numbers and as a drawing."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from mechanisms import Mechanism
from mechanisms.planning import half_width, sample_size, sample_size_of_groups, worst_share
from mechanisms.planning.channels import Channel
from surveys.authoring.planning.precision import EVERYBODY, respondents_needed

POINTS = 0.03  # the margin that the panel gives a number of respondents for
DIFFERENCES = (0.05, 0.1, 0.2)  # between two groups, in shares
STEPS = (100, 300, 1_000, 3_000, 10_000, 30_000)
FIRST, LAST = 60, 50_000  # respondents at the two ends of the drawing
TOPS = (0.05, 0.1, 0.2, 0.5, 1.0)
LEFT, WIDE = 14, 82  # per cent of the width: where the curve starts, and how far it goes
HEIGHT = 180  # pixels
DIRECT = Channel(1.0, 0.0)  # everybody is asked directly and tells the truth


@dataclass(frozen=True)
class Plan:
    """What a question costs in respondents. Half-widths are fractions: 0.03 is 3 points to either side, at 95%.

    All are for the true share at which the margin is widest. `rows` holds (n, half-width, half-width asked directly),
    `groups` how many respondents in each of two groups show a difference: (difference, two-sided, one-sided).
    """

    needed: int
    needed_directly: int
    rows: list[tuple[int, float, float]]
    groups: list[tuple[float, int, int]]
    drawing: SafeString

    @property
    def times(self) -> float:
        return self.needed / self.needed_directly


def plan(mechanism: Mechanism, part: Fraction = EVERYBODY) -> Plan:
    """part: of the respondents, those who are asked. Asked directly, all are."""
    channel = Channel.of(mechanism)
    steps = np.array(STEPS)
    widths, directly = half_width(channel, steps * float(part)), half_width(DIRECT, steps)
    return Plan(
        needed=respondents_needed(int(sample_size(channel, POINTS)), part),
        needed_directly=int(sample_size(DIRECT, POINTS)),
        rows=[
            (int(n), float(a), float(b)) for n, a, b in zip(steps, widths, directly, strict=True)
        ],
        groups=_groups(channel, part),
        drawing=_drawing(channel, float(part)),
    )


def _groups(channel: Channel, part: Fraction) -> list[tuple[float, int, int]]:
    """With a power of 80% at 5%, for shares around the one at which it takes most, as far as they are shares."""
    differences = np.array(DIFFERENCES)
    middle = np.clip(worst_share(channel), differences / 2, 1 - differences / 2)
    shares = middle - differences / 2, middle + differences / 2
    both, one = (sample_size_of_groups(channel, *shares, sided=sided) for sided in (2, 1))
    return [
        (float(d), respondents_needed(int(a), part), respondents_needed(int(b), part))
        for d, a, b in zip(differences, both, one, strict=True)
    ]


def _drawing(channel: Channel, part: float) -> SafeString:
    """Respondents along, on a logarithmic scale; the margin upwards, cut off where it says nothing any more."""
    n = np.geomspace(FIRST, LAST, 80)
    expected = float(half_width(channel, np.array([1_000 * part]))[0])
    top = next((top for top in TOPS if top >= 1.2 * expected), 1.0)
    context = {
        "left": LEFT,
        "right": LEFT + WIDE,
        "wide": WIDE,
        "height": HEIGHT,
        "whole": HEIGHT + 62,
        "below": HEIGHT + 28,
        "title": HEIGHT + 52,
        "curve": _path(n, half_width(channel, n * part), top),
        "direct": _path(n, half_width(DIRECT, n), top),
        "across": [(f"{LEFT + WIDE * _along(step):.2f}%", f"{step:,}") for step in STEPS],
        "up": [
            (f"{10 + HEIGHT * (1 - part / 5):.1f}", f"±{100 * top * part / 5:.0f}")
            for part in range(6)
        ],
        "goal": f"{10 + HEIGHT * (1 - POINTS / top):.1f}",
    }
    return render_to_string("workspace/parts/curve.svg", context)


def _along(n: float | np.ndarray) -> float | np.ndarray:
    return np.log(n / FIRST) / np.log(LAST / FIRST)


def _path(n: np.ndarray, widths: np.ndarray, top: float) -> str:
    """In a box of 100 by 100; what lies above it is cut off by the box."""
    y = 100 * (1 - widths / top)
    return " ".join(f"{100 * a:.2f},{b:.2f}" for a, b in zip(_along(n), y, strict=True))
