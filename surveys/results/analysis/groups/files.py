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
    def lines(cls, compared: Compared, about: str) -> Iterator[Self]:
        of = compared.question.key, compared.question.text, compared.answer, compared.found.by.key
        for each in compared.differences:
            yield cls(
                *(*of, each.group, each.versus, each.difference, each.standard_error, *each.simultaneous),
                *(compared.confidence, each.p, each.p_holm, about, each.p_together, each.verdict),
            )


def compared_svg(compared: Compared, about: str = "") -> str:
    """An SVG file of the groups' shares."""
    return drawn(
        [compared.figure],
        compared.question.text,
        compared.headline,
        compared.sentences,
        [compared.item],
        compared.n,
        about,
    )
