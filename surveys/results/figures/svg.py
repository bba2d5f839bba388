"""SVG elements as text, and the marks of every figure. A page has hundreds of them; for these templates are too slow.

One grammar: a dark dot is what we know, a pale band with caps is how well we know it, hatching is what cannot be.
Horizontal places are percentages, so that marks and words keep their size on every screen. Vertical places are pixels
around the middle of a row.
"""

from collections.abc import Iterable
from functools import cache
from html import escape

from django.utils.safestring import SafeString, mark_safe

DOT = 6  # radius in pixels
CAP = 7  # half the height of the line at an end of a band
BAND = 10  # height of a band
HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line class="plot__hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>'
)
STEPS = range(2, 7)  # of the grids that a page defines once for all its figures


def tag(name: str, *content: str, **attributes: object) -> str:
    """<name ...>content</name>. content: elements, or text passed through `text`. class_ stands for class."""
    given = "".join([f' {_name(key)}="{escape(str(value))}"' for key, value in attributes.items()])
    return f"<{name}{given}>{''.join(content)}</{name}>" if content else f"<{name}{given}/>"


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def text(words: str) -> str:
    return escape(words)


def drawing(
    *content: str, class_: str = "plot", label: str = "", **attributes: object
) -> SafeString:
    """A whole <svg>: one image with this label, or, where the words stand beside it, one that is not read aloud."""
    read = (
        {"role": "img", "aria_label": label}
        if label
        else {"aria_hidden": "true", "focusable": "false"}
    )
    about = {"class_": class_, "xmlns": "http://www.w3.org/2000/svg", **attributes, **read}
    return mark_safe(tag("svg", *content, **about))  # noqa: S308  # all is escaped by tag


def plot(*content: str, class_: str = "plot", **attributes: object) -> SafeString:
    """An <svg> in a page that is not read aloud: the words stand beside it."""
    return mark_safe(tag("svg", *content, class_=class_, **attributes, aria_hidden="true"))  # noqa: S308  # as `drawing`


def middle(*content: str, y: float = 0) -> str:
    """Marks around the middle of a row, y pixels below it."""
    inner = tag("g", *content, transform=f"translate(0 {y})") if y else "".join(content)
    return tag("svg", inner, y="50%", width="100%", overflow="visible")


def upright(class_: str, x: str) -> str:
    """A line through the whole height."""
    return tag("line", class_=class_, x1=x, x2=x, y1=0, y2="100%")


def interval(low: str, high: str, *, caps: Iterable[str], class_: str = "plot__band") -> list[str]:
    """A band with its caps; an end that was cut has none."""
    width = f"{max(float(high[:-1]) - float(low[:-1]), 0):.3f}%"
    band = tag("rect", class_=class_, x=low, width=width, y=-BAND / 2, height=BAND)
    return [band, *(tag("line", class_="plot__cap", x1=x, x2=x, y1=-CAP, y2=CAP) for x in caps)]


def dotted(low: str, high: str) -> str:
    return tag("line", class_="plot__impossible", x1=low, x2=high, y1=0, y2=0)


def dot(x: str, *, is_possible: bool = True) -> str:
    """Filled where the estimate is a possible share, a ring where it is not."""
    return tag("circle", class_="plot__dot" if is_possible else "plot__ring", cx=x, cy=0, r=DOT)


def tick(x: str, words: str, *, anchor: str = "middle", class_: str = "plot__tick") -> str:
    turned = {} if anchor == "middle" else {"text_anchor": anchor}  # else that of its <svg>
    return tag("text", text(words), class_=class_, x=x, y=14, **turned)


def line(
    class_: str, points: Iterable[tuple[float, float]], box: tuple[float, float] | None = None
) -> str:
    """A polyline of points from 0 to 1, x to the right and y downwards.

    box: the pixels it fills; unless given it stretches with its parent, and keeps its stroke.
    """
    width, height = box or (100, 100)
    drawn = " ".join(f"{width * x:.2f},{height * y:.2f}" for x, y in points)
    stretched = {} if box else {"vector_effect": "non-scaling-stroke"}
    polyline = tag("polyline", class_=class_, points=drawn, **stretched)
    view = {"viewBox": f"0 0 {width} {height}", "preserveAspectRatio": "none"}
    return tag("svg", polyline, width="100%", height="100%", **view)


def use(name: str, **attributes: object) -> str:
    """Something that the page defines once: see `shared`."""
    return tag("use", href=f"#p-{name}", **attributes)


def define(name: str, *content: str) -> str:
    """What `use` draws by its name."""
    return tag("g", *content, id=f"p-{name}")


def grid(steps: int, *, is_zoomed: bool = False) -> str:
    """A grid of so many steps, from a zero line at the left unless it is zoomed."""
    places = [f"{100 * step / steps:.3f}%" for step in range(steps + 1)]
    zero = [] if is_zoomed else [upright("plot__zero", places[0])]
    return "".join([*(upright("plot__grid", place) for place in places), *zero])


@cache
def shared() -> SafeString:
    """What the figures of a page have in common, defined once: a page of 60 questions has hundreds of rows."""
    caps = [tag("line", class_="plot__cap", x1=x, x2=x, y1=-CAP, y2=CAP) for x in ("0%", "100%")]
    band = {"width": "100%", "y": -BAND / 2, "height": BAND}
    parts = {
        "d": tag("circle", class_="plot__dot", r=DOT),
        "r": tag("line", y1=-9, y2=9),  # hidden or shown where it is used, hence without its class
        "b": "".join([tag("rect", class_="plot__band", **band), *caps]),
        "p": "".join([tag("rect", class_="plot__band plot__band--pale", **band), *caps]),
        **{f"g{steps}": grid(steps) for steps in STEPS},
        **{f"z{steps}": grid(steps, is_zoomed=True) for steps in STEPS},
    }
    defined = "".join(define(name, content) for name, content in parts.items())
    return drawing(HATCH, tag("defs", defined), class_="plot-defs", width=0, height=0)


PARTS = {  # of a stacked bar
    f"part-{shade}": middle(
        tag(
            "rect",
            class_=f"plot__part plot__part--{shade}",
            x="6%",
            width="88%",
            y=-BAND / 2,
            height=BAND,
        )
    )
    for shade in range(1, 6)
}
KEYS = {  # the marks of a legend, 34 by 18 pixels
    "estimate": middle(*interval("6%", "94%", caps=("6%", "94%")), dot("50%")),
    "range": middle(
        *interval("6%", "94%", caps=("6%", "94%"), class_="plot__band plot__band--pale")
    ),
    "ring": middle(dotted("0%", "50%"), dot("50%", is_possible=False)),
    "recorded": middle(tag("line", class_="plot__recorded", x1="50%", x2="50%", y1=-9, y2=9)),
    "count": middle(
        tag("rect", class_="plot__count", x="6%", width="88%", y=-BAND / 2, height=BAND)
    ),
    "median": upright("plot__median", "50%"),
    "curve": middle(tag("line", class_="plot__curve", x1="6%", x2="94%", y1=0, y2=0)),
    **PARTS,
}
