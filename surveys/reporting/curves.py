"""The drawing of a log-likelihood curve, in pixels, with the interval that it implies."""

from django.utils.safestring import SafeString

from surveys.reporting import svg
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

    drawn = [(across(x), down(y)) for x, y in zip(curve.shares, curve.values, strict=True) if -y <= depth]
    low, high = map(across, curve.interval)
    marks = [
        *(_upright("candor-plot__grid", across(share), bottom) for share, _ in axis.marks),
        *(_tick(across(share), bottom, words) for share, words in axis.marks),
        *(_upright("candor-plot__bound", across(end), bottom) for end in (0, 1) if axis.low <= end <= axis.high),
        svg.tag("polyline", class_="candor-plot__curve", points=" ".join(f"{x},{y}" for x, y in drawn)),
        svg.tag(
            "line", class_="candor-plot__interval", x1=low, x2=high, y1=down(curve.threshold), y2=down(curve.threshold)
        ),
        svg.tag("circle", class_="candor-plot__estimate", cx=across(curve.best), cy=TOP, r=5),
    ]
    interval = f"The {level(confidence)} interval that it implies is {percent_range(curve.interval)}."
    label = f"Log-likelihood of the share of Yes. {interval}"
    return svg.drawing(*marks, width=width, height=height, label=label)


def _upright(kind: str, x: float, bottom: int) -> str:
    return svg.tag("line", class_=kind, x1=x, x2=x, y1=TOP, y2=bottom)


def _tick(x: float, bottom: int, words: str) -> str:
    return svg.tag("text", svg.text(words), class_="candor-plot__tick", x=x, y=bottom + 20, text_anchor="middle")
