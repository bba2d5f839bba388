"""What leaves groups compared: a line for each group against all others, and a drawing of the groups' shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from surveys.results.analysis.drawing import drawn
from surveys.results.analysis.groups.groups import Compared
from surveys.site.files.lines import Line


@dataclass(frozen=True)
class ComparedLine(Line):
    """A group against all others; low and high hold for all these differences together."""

    variable: str
    question: str
    answer: str
    by: str
    first: str
    second: str
    difference: float
    standard_error: float
    low: float
    high: float
    confidence: float
    p: float
    p_holm: float
    group: str
    p_together: float
    verdict: str

    @classmethod
    def lines(cls, found: Compared, about: str) -> Iterator[Self]:
        of = found.question.key, found.question.text, found.answer, found.found.by.key
        for each in found.differences:
            yield cls(
                *(*of, each.group, each.versus, each.difference, each.standard_error, *each.simultaneous),
                *(found.confidence, each.p, each.p_holm, about, each.p_together, each.verdict),
            )


def compared_svg(found: Compared, about: str = "") -> str:
    """An SVG file of the groups' shares."""
    return drawn([found.figure], found.question.text, found.headline, found.sentences, [found.item], found.n, about)
