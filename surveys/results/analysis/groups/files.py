"""The files of compared groups: a row for each group, and a drawing of shares and differences."""

from mechanisms import holm
from surveys.results.analysis.groups.figure import (
    GroupDifference,
    group_differences,
    question_svg,
)
from surveys.results.analysis.groups.groups import ComparedAnswer
from surveys.results.analysis.groups.page import GroupsPage
from surveys.site.errors import Invalid
from surveys.site.files.lines import write_csv

COMPARED_COLUMNS = (
    "variable",
    "question",
    "answer",
    "by",
    "first",
    "second",
    "difference",
    "standard_error",
    "low",
    "high",
    "confidence",
    "p",
    "p_holm",
    "group",
    "p_together",
    "verdict",
    "comparisons",
    "n",
    "share",
    "share_low",
    "share_high",
    "withheld",
)


def compared_csv(compared: ComparedAnswer | GroupsPage, about: str) -> str:
    """Return a comparison as CSV, with a row for each group against all others.

    The columns low and high hold for all differences of the family together. share_low and
    share_high are of the group's own share or mean, which no page shows if it is withheld.

    about: the people that the comparison is about.
    """
    rows = []
    if isinstance(compared, GroupsPage):
        for answer in compared.answers:
            rows.extend(_csv_rows(answer, about))
    else:
        # Two groups have one difference, so the second one gets no row.
        rows = _csv_rows(compared, about)[: len(compared.differences)]
    return write_csv(COMPARED_COLUMNS, rows)


def _csv_rows(answer: ComparedAnswer, about: str) -> list[dict[str, object]]:
    """Return the rows of all groups for one answer."""
    adjusted = holm([difference.p for difference in answer.differences]).tolist()
    if len(answer.groups) == 2:
        # The second group has the difference of the first, with its sides exchanged.
        adjusted = adjusted * 2
    pairs = zip(group_differences(answer), adjusted, strict=True)
    return [_csv_row(answer, group, p_holm, about) for group, p_holm in pairs]


def _csv_row(
    answer: ComparedAnswer, row: GroupDifference, p_holm: float, about: str
) -> dict[str, object]:
    """Return the row of one group."""
    difference = row.difference
    statement = row.group.statement
    low, high = difference.interval
    share_low, share_high = statement.interval
    return {
        "variable": answer.question.key,
        "question": answer.question.text,
        "answer": answer.answer,
        "by": answer.sides.by.key,
        "first": difference.group,
        "second": difference.versus,
        "difference": difference.estimate,
        "standard_error": difference.standard_error,
        "low": low,
        "high": high,
        "confidence": difference.family.confidence,
        "p": difference.p,
        "p_holm": p_holm,
        "group": about,
        "p_together": difference.p_together,
        "verdict": difference.verdict,
        "comparisons": difference.family.size,
        "n": statement.n,
        "share": statement.estimate,
        "share_low": share_low,
        "share_high": share_high,
        "withheld": statement.is_withheld,
    }


def compared_svg(compared: ComparedAnswer | GroupsPage, about: str = "") -> str:
    """Return an SVG file of the groups' shares and differences.

    Raises Invalid for a page of several questions.
    """
    if isinstance(compared, GroupsPage):
        raise Invalid(
            {"outcome": "Choose a question and one answer for the figure, for example tax:1."}
        )
    return question_svg([compared], compared.sentences, about)
