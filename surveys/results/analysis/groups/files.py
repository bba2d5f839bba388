"""What leaves groups compared: a line for each group against all others, and a drawing of the groups' shares."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from surveys.results.analysis.groups.figure import of_each_group, question_svg
from surveys.results.analysis.groups.groups import Compared
from surveys.results.analysis.groups.page import GroupsPage
from surveys.site.errors import Invalid
from surveys.site.files.lines import Line


@dataclass(frozen=True)
class ComparedLine(Line):
    """A group against all others; low and high hold for all differences of the family together. share_low and
    share_high are of the group's own share or mean, which no page shows where it is withheld.
    """

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
    comparisons: int
    n: int
    share: float
    share_low: float
    share_high: float
    withheld: bool

    @classmethod
    def lines(cls, compared: Compared | GroupsPage, about: str) -> Iterator[Self]:
        is_page = isinstance(compared, GroupsPage)
        for answer in compared.answers if is_page else [compared]:
            of = answer.question.key, answer.question.text, answer.answer, answer.sides.by.key
            for value, each in of_each_group(answer)[: None if is_page else len(answer.differences)]:
                yield cls(
                    *(*of, each.group, each.versus, each.difference, each.standard_error, *each.simultaneous),
                    *(answer.confidence, each.p, each.p_holm, about, each.p_together, each.verdict),
                    *(answer.comparisons or answer.own_comparisons, value.n, value.value, *value.interval),
                    value.is_withheld,
                )


def compared_svg(compared: Compared | GroupsPage, about: str = "") -> str:
    """An SVG file of the groups' shares and differences. Invalid for a page of several questions."""
    if isinstance(compared, GroupsPage):
        raise Invalid({"outcome": "Choose a question and one answer for the figure, for example tax:1."})
    return question_svg([compared], compared.sentences, about)
