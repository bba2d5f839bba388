"""The drawing of a log-likelihood curve, in pixels, with the interval that it implies."""

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from surveys.reporting.drawings import scale_between
from surveys.reporting.numbers import level, percent_range
from surveys.reporting.readings import Curve

WIDTH = 280  # fits the narrowest phone; figures to download are wider
HEIGHT = 170
SIDE, TOP, AXIS = 20, 8, 30


def curve_plot(curve: Curve, confidence: float, *, width: int = WIDTH, height: int = HEIGHT) -> SafeString:
    """An <svg>: up is more likely, the line crosses the curve at the ends of the likelihood interval."""
    axis = scale_between(curve.shares[0], curve.shares[-1], most=3)  # more numbers would not fit side by side
    bottom = height - AXIS
    depth = max(-curve.threshold * 2, 1e-9)  # below twice the threshold the curve says nothing more

    def across(share: float) -> float:
        return round(SIDE + (width - 2 * SIDE) * (share - axis.low) / (axis.high - axis.low), 2)

    def down(value: float) -> float:
        return round(TOP + (bottom - TOP) * min(-value / depth, 1), 2)

    drawn = [(x, y) for x, y in zip(curve.shares, curve.values, strict=True) if -y <= depth]
    context = {
        "width": width,
        "height": height,
        "top": TOP,
        "bottom": bottom,
        "tick_label": bottom + 20,
        "ticks": [(across(share), text) for share, text in axis.marks],
        "bounds": [across(bound) for bound in (0, 1) if axis.low <= bound <= axis.high],
        "points": " ".join(f"{across(x)},{down(y)}" for x, y in drawn),
        "best": across(curve.best),
        "low": across(curve.interval[0]),
        "high": across(curve.interval[1]),
        "cut": down(curve.threshold),
        "label": f"Log-likelihood of the share of Yes. The {level(confidence)} interval that it implies is "
        f"{percent_range(curve.interval)}.",
    }
    return render_to_string("report/drawings/curve.svg", context)
