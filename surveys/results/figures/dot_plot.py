"""Figures as rows of label, plot and value on one scale. The page lays the rows out, a file places them itself."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from django.utils.safestring import SafeString

from surveys.results.estimates.answer_order import choices_in_figure, set_apart
from surveys.results.estimates.question_report import YES, ChoiceReport, QuestionReport
from surveys.results.figures import svg
from surveys.results.figures.axes import Axis, shares_axis
from surveys.site.number_format import format_count, format_percent
from surveys.statements.shares import ShareStatement, share_of


@dataclass(frozen=True)
class Mark:
    """What a row draws. low is None for a count, which has no range; recorded is None where nothing was scrambled.

    truth: where it is known, of invented people. is_few: whether too few answered for what its range suggests.
    """

    share: float
    low: float | None = None
    high: float | None = None
    recorded: float | None = None
    is_pale: bool = False
    truth: float | None = None
    is_few: bool = False
    is_withheld: bool = False  # the range supports no number, so that its middle has no dot

    @property
    def ends(self) -> tuple[float, float]:
        return (0.0, self.share) if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Row:
    """value: the possible number; range: where the true share is; note: of how many. No mark: the note says why."""

    label: str
    value: str = ""
    range: str = ""
    mark: Mark | None = None
    note: str = ""
    is_heading: bool = False


@dataclass(frozen=True)
class Area:
    """Something drawn above the rows on the same scale. draw: the marks for so many pixels, or stretched for None."""

    draw: Callable[[tuple[float, float] | None], str]
    says: str
    height: int = 150


@dataclass(frozen=True)
class Figure:
    """values, ranges: what stands above the numbers. legend: (mark, words) for marks that only this figure has.

    dots: what a dot with its band is, where that is no estimate with the range beside it.
    """

    rows: tuple[Row, ...]
    axis: Axis
    values: str = "estimate"
    ranges: str = "95% range"
    area: Area | None = None
    legend: tuple[tuple[str, str], ...] = ()
    dots: str = ""

    @cached_property
    def drawn(self) -> list[tuple[Row, SafeString | str]]:
        """Each row with its plot as an <svg>, which says nothing that does not stand beside it. It is made of what the
        page defines once: surveys.results.figures.svg.shared.
        """
        under, plots = ground_in_short(self.axis), []
        for row in self.rows:
            plots.append(
                (row, svg.plot(under, marks_in_short(row.mark, self.axis)) if row.mark else "")
            )
            if (
                row.mark and "<line" in under
            ):  # a ground that only this figure has is drawn by its first row
                name = f"{crc32(repr((self.axis, self.rows)).encode()):x}"
                plots[-1] = (
                    row,
                    svg.plot(svg.define(name, under), marks_in_short(row.mark, self.axis)),
                )
                under = svg.use(name)
        return plots

    @property
    def over(self) -> SafeString | str:
        """What is drawn above the rows, as an <svg>."""
        if self.area is None:
            return ""
        return svg.drawing(
            self.area.draw(None), label=self.area.says, width="100%", height=self.area.height
        )

    @cached_property
    def scale(self) -> SafeString:
        """The labels below the plots as an <svg>."""
        return scale(self.axis)

    def marks(self, row: Row) -> str:
        """In the order: hatching, grid, zero line, band, caps, dot."""
        return self._ground + svg.middle(*marks(row.mark, self.axis)) if row.mark else ""

    @cached_property
    def _ground(self) -> str:
        return "".join(ground(self.axis))

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The legend: (mark, words), for what is in the figure."""
        entries = []
        if self.has_dots:
            entries.append(("estimate", self.dots or f"estimate and {self.ranges}"))
        elif self.has_ranges:
            entries.append(("range", self.ranges or "range"))
        return entries + self.own_keys

    @property
    def own_keys(self) -> list[tuple[str, str]]:
        """The same without the mark that all figures of a report have."""
        entries = [("ring", "not possible: below 0% or above 100%")] if self.has_impossible else []
        return [*entries, *self.legend]

    @property
    def has_ranges(self) -> bool:
        return any(row.mark and row.mark.low is not None for row in self.rows)

    @property
    def has_dots(self) -> bool:
        """True if some row has an estimate that is not withheld."""
        return any(
            row.mark and row.mark.low is not None and not row.mark.is_withheld for row in self.rows
        )

    @property
    def has_impossible(self) -> bool:
        """Whether some range or estimate leaves the possible, and the figure has hatching."""
        return self.axis.is_share and (self.axis.low < 0 or self.axis.high > 1)

    @property
    def has_recorded(self) -> bool:
        return any(row.mark and row.mark.recorded is not None for row in self.rows)

    @property
    def starts_at(self) -> str:
        """Where a zoomed scale begins; empty where it begins at 0."""
        return (
            format_percent(self.axis.low, 0 if self.axis.step >= 0.01 else 1)
            if self.axis.is_zoomed
            else ""
        )


def scale(axis: Axis) -> SafeString:
    """The labels of an axis as an <svg>."""
    return svg.plot(labels(axis), class_="plot plot--axis", width="100%", height=18)


def labels(axis: Axis) -> str:
    return "".join(
        svg.tick(
            x,
            words,
            anchor=anchor,
            class_="plot__tick plot__tick--second" if spare else "plot__tick",
        )
        for x, words, anchor, spare in axis.ticks
    )


def ground(axis: Axis, *, hatched: bool = True) -> list[str]:
    """What lies under the marks: hatching where no share can be, the grid, the zero line.

    hatched: whether a range enters what cannot be, where rows of several questions share a scale.
    """
    under = []
    if hatched and axis.is_share and axis.low < 0:
        under.append(_hatched("0%", axis.css_position(0)))
    if hatched and axis.is_share and axis.high > 1:
        under.append(_hatched(axis.css_position(1), "100%"))
    under += [svg.upright("plot__grid", axis.css_position(value)) for value in axis.marks]
    line = "plot__zero" if axis.is_from_zero else "plot__same"
    return under + [svg.upright(line, axis.css_position(end)) for end in axis.zeros]


def ground_in_short(axis: Axis, *, hatched: bool = True) -> str:
    """The same for a page."""
    steps, full = len(axis.marks) - 1, "".join(ground(axis, hatched=hatched))
    if steps not in svg.STEPS:
        return full
    if full == svg.grid(steps):
        return svg.use(f"g{steps}")
    return svg.use(f"z{steps}") if full == svg.grid(steps, is_zoomed=True) else full


def _hatched(low: str, high: str) -> str:
    width = f"{float(high[:-1]) - float(low[:-1]):.3f}%"
    return svg.tag(
        "rect", class_="plot__beyond", x=low, width=width, y=0, height="100%", fill="url(#hatch)"
    )


def marks(mark: Mark, axis: Axis) -> list[str]:
    """The marks of a row around its middle."""
    if mark.low is None or mark.high is None:
        return [
            _bar(
                mark.share,
                axis,
                class_="plot__count plot__count--pale" if mark.is_pale else "plot__count",
            )
        ]
    low, high = (
        (mark.low, mark.high) if not axis.is_share else (max(mark.low, 0.0), min(mark.high, 1.0))
    )
    shapes = [] if mark.truth is None else [_bar(mark.truth, axis, height=2 * svg.BAND)]
    if mark.recorded is not None and axis.contains(mark.recorded):
        x = axis.css_position(mark.recorded)
        shapes.append(svg.tag("line", class_="plot__recorded", x1=x, x2=x, y1=-9, y2=9))
    shapes += [
        svg.dotted(axis.css_position(a), axis.css_position(b)) for a, b in _cut_off(mark, low, high)
    ]
    caps = [axis.css_position(end) for end in (mark.low, mark.high) if low <= end <= high]
    kind = f"plot__band{' plot__band--few' if mark.is_few else ' plot__band--pale' if mark.is_pale else ''}"
    if low <= high:
        shapes += svg.interval(
            axis.css_position(low), axis.css_position(high), caps=caps, class_=kind
        )
    if mark.is_withheld:
        return shapes
    return [
        *shapes,
        svg.dot(
            axis.css_position(mark.share), is_possible=not axis.is_share or 0 <= mark.share <= 1
        ),
    ]


def marks_in_short(mark: Mark, axis: Axis, y: float = 0) -> str:
    """The same for a page, y pixels below the middle. Marks of whole ranges are of what the page defines once."""
    is_whole = (
        mark.low is not None
        and mark.high is not None
        and axis.low <= mark.low <= mark.high <= axis.high
    )
    if (
        not is_whole
        or mark.truth is not None
        or (axis.is_share and (mark.low < 0 or mark.high > 1))
    ):
        return svg.middle(*marks(mark, axis), y=y)
    low, width = (
        _near(axis, mark.low),
        f"{100 * (axis.position(mark.high) - axis.position(mark.low)):.4g}%",
    )
    drawn = [svg.tag("svg", svg.use("p" if mark.is_pale else "b"), x=low, y="50%", width=width)]
    if mark.recorded is not None and axis.contains(mark.recorded):
        drawn.insert(
            0, svg.use("r", class_="plot__recorded", x=_near(axis, mark.recorded), y="50%")
        )
    if not mark.is_withheld:
        drawn.append(svg.use("d", x=_near(axis, mark.share), y="50%"))
    return svg.tag("g", *drawn, transform=f"translate(0 {y})") if y else "".join(drawn)


def _near(axis: Axis, value: float) -> str:
    """A place to a tenth of a pixel."""
    return f"{100 * axis.position(value):.4g}%"


def _cut_off(mark: Mark, low: float, high: float) -> list[tuple[float, float]]:
    """The impossible parts of a range."""
    below = (mark.low, min(mark.high, low))
    above = (max(mark.low, high), mark.high)
    return [(a, b) for a, b in (below, above) if a < b]


def _bar(share: float, axis: Axis, height: int = svg.BAND, class_: str = "plot__count") -> str:
    """A plain bar from 0: what was counted is known."""
    width = f"{100 * (axis.position(share) - axis.position(0)):.3f}%"
    return svg.tag(
        "rect", class_=class_, x=axis.css_position(0), width=width, y=-height / 2, height=height
    )


def shares_figure(
    question: QuestionReport, *, by_size: bool = True, is_pale: bool = False, recorded: bool = True
) -> Figure:
    """Return the figure of a question with at least one response.

    A yes/no question with two answers has one row. An answer that was not scrambled is a count.

    by_size: True to list answers without an order of their own by size.
    is_pale: True if the key result says how little is known.
    recorded: True if rows have the received share too, for pages that show it on request.
    """
    choices = choices_in_figure(question, by_size=by_size)
    if question.is_yes_no and len(choices) == 2:
        choices = [(YES, question.choices[YES])]
    codes_without_rank = set_apart(question)
    rows = [
        choice_row(
            question,
            choice,
            is_pale=is_pale,
            is_grey=code in codes_without_rank,
            recorded=recorded,
        )
        for code, choice in choices
    ]
    if question.design is None:
        return figure_of(rows, values="share", ranges="responses")
    return figure_of(rows, **_ranges(question))


def _ranges(question: QuestionReport) -> dict[str, str]:
    """What the ranges are, and of a list that they hold together."""
    ranges = f"{question.level_name} range"
    return {"ranges": ranges} | (
        {"dots": f"estimate and {ranges}, all together"} if question.is_list else {}
    )


def figure_of(rows: Iterable[Row], **head: str) -> Figure:
    rows = tuple(rows)
    drawn = [each.mark for each in rows if each.mark]
    return Figure(rows, shares_axis([_extent(mark) for mark in drawn]), **head)


def _extent(mark: Mark) -> tuple[float, float]:
    low, high = mark.ends
    return min(low, mark.share), max(high, mark.share)


def choice_row(
    question: QuestionReport,
    choice: ChoiceReport,
    *,
    label: str | None = None,
    is_pale: bool = False,
    is_grey: bool = False,
    recorded: bool = True,
) -> Row:
    """Return the row of an answer to a question.

    label: the label of the row, if it is not that of the answer.
    is_pale, is_grey: as of `share_row`.
    recorded: True if the row has the received share too.
    """
    label = choice.label if label is None else label
    if choice.estimate is None:
        return Row(label, note="no one was asked")
    share = question.statement(choice)
    if share.is_counted:
        people = format_count(round(choice.observed * question.n))
        return Row(label, share.number, people, Mark(share.estimate, is_pale=is_grey))
    received = choice.observed if recorded else None
    return share_row(share, label=label, recorded=received, is_pale=is_pale, is_grey=is_grey)


def share_row(
    share: ShareStatement,
    *,
    label: str,
    note: str = "",
    recorded: float | None = None,
    is_pale: bool = False,
    is_grey: bool = False,
) -> Row:
    """Return the row of a share that has a range.

    An impossible estimate is drawn as a ring at its own place.

    recorded: the received share, if the row has it too.
    is_pale: True if the whole figure shows how little is known, so that no row has a number.
    is_grey: True for an answer that has no rank among the others.
    """
    low, high = share.interval
    is_withheld = share.is_withheld or (is_pale and not share.is_impossible)
    mark = Mark(
        share.estimate,
        low,
        high,
        recorded=recorded,
        is_pale=is_pale or is_grey or share.is_withheld,
        is_withheld=is_withheld,
    )
    return Row(
        label=label,
        value="" if is_pale else share.number,
        range=share.range or "no possible share",
        mark=mark,
        note=note,
    )


def row(choice: ChoiceReport, *, note: str = "", recorded: bool = True) -> Row:
    """Return the row of a share with a range, outside of the report of a question."""
    share = share_of(choice.estimate, choice.interval, answer=choice.label)
    received = choice.observed if recorded else None
    return share_row(share, label=choice.label, note=note, recorded=received)
