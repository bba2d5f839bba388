"""Stacked bars: for each row the shares of its answers side by side, the lowest answer first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString

from surveys.results.figures import svg
from surveys.results.figures.axes import Axis
from surveys.results.figures.dot_plot import Figure, Mark, Row, ground
from surveys.site.number_format import format_percent, join_with_and

HEIGHT = 20  # pixels of a bar
WHOLE = Axis(0.0, 1.0, 0.2)


@dataclass(frozen=True)
class Stack(Row):
    """shares: of each answer, as a fraction of all answers. low: words on the left of the bar. people: how many."""

    shares: tuple[float, ...] = ()
    low: str = ""
    people: str = ""


@dataclass(frozen=True)
class Stacked(Figure):
    """answers: the labels of the shares, the lowest first."""

    answers: tuple[str, ...] = ()

    @cached_property
    def drawn(self) -> list[tuple[Row, SafeString | str]]:
        """Each row with its bar, whose alternative text says every part of it."""
        return [
            (
                row,
                svg.drawing(
                    _bar(_shares(row)), label=self.alternative(row), width="100%", height="100%"
                ),
            )
            if row.mark
            else (row, "")
            for row in self.rows
        ]

    def alternative(self, row: Row) -> str:
        """ "I know what I have to quote: Disagree 9%, Neither 28% and Agree 63%." """
        shares = _shares(row)
        parts = [
            f"{label} {share}" for label, share in zip(self.answers, _printed(shares), strict=True)
        ]
        return f"{row.label}: {join_with_and(parts)}."

    def marks(self, row: Row) -> str:
        """In a file, which has a scale below the bars."""
        return "".join(ground(self.axis)) + _bar(_shares(row)) if row.mark else ""

    @property
    def keys(self) -> list[tuple[str, str]]:
        size = len(self.answers)
        return [(f"part-{tone(place, size)}", label) for place, label in enumerate(self.answers)]


def stacked(rows: Sequence[Stack], answers: Sequence[str], *, ranges: str) -> Stacked:
    marked = [row if not row.shares else _marked(row) for row in rows]
    return Stacked(tuple(marked), WHOLE, values="", ranges=ranges, answers=tuple(answers))


def _marked(row: Stack) -> Stack:
    return Stack(
        row.label, row.value, row.range, Mark(1.0), row.note, False, row.shares, row.low, row.people
    )


def tone(place: int, size: int) -> int:
    """Of five, from dark grey over light grey to the colour of estimates."""
    return 1 + round(4 * place / (size - 1)) if size > 1 else 5


def _shares(row: Row) -> tuple[float, ...]:
    return row.shares if isinstance(row, Stack) else ()


def _printed(shares: Sequence[float]) -> list[str]:
    """All with one decimal where whole per cents do not add up to 100."""
    digits = 0 if sum(round(100 * share) for share in shares) == 100 else 1
    return [format_percent(share, digits) for share in shares]


def _bar(shares: Sequence[float]) -> str:
    at, parts = 0.0, []
    for place, share in enumerate(shares):
        if share > 0:
            parts.append(_part(tone(place, len(shares)), 100 * at, 100 * share))
        at += share
    return svg.middle(*parts)


def _part(shade: int, at: float, width: float) -> str:
    class_ = f"plot__part plot__part--{shade}"
    return svg.tag(
        "rect", class_=class_, x=f"{at:.3f}%", width=f"{width:.3f}%", y=-HEIGHT / 2, height=HEIGHT
    )
