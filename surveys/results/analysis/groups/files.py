"""What leaves groups compared: a line for each group against all others, and a drawing of the groups' shares."""

from surveys.results.analysis.groups.differences import Difference
from surveys.results.analysis.groups.figure import of_each_group, question_svg
from surveys.results.analysis.groups.groups import Comparison
from surveys.results.analysis.groups.page import GroupsPage
from surveys.results.analysis.groups.values import Value
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


def compared_csv(compared: Comparison | GroupsPage, about: str) -> str:
    """Return a comparison as CSV, with a row for each group against all others. about: the people it is about.

    The columns low and high hold for all differences of the family together. share_low and share_high are of the
    group's own share or mean, which no page shows where it is withheld.
    """
    rows = []
    if isinstance(compared, GroupsPage):
        for answer in compared.answers:
            for value, difference in of_each_group(answer):
                rows.append(_csv_row(answer, value, difference, about))
    else:
        # Two groups have one difference, so the second one gets no row.
        for value, difference in of_each_group(compared)[: len(compared.differences)]:
            rows.append(_csv_row(compared, value, difference, about))
    return write_csv(COMPARED_COLUMNS, rows)


def _csv_row(
    answer: Comparison, value: Value, difference: Difference, about: str
) -> dict[str, object]:
    """Return the row of one group. value: the share or mean of the group itself."""
    low, high = difference.simultaneous
    share_low, share_high = value.interval
    return {
        "variable": answer.question.key,
        "question": answer.question.text,
        "answer": answer.answer,
        "by": answer.sides.by.key,
        "first": difference.group,
        "second": difference.versus,
        "difference": difference.difference,
        "standard_error": difference.standard_error,
        "low": low,
        "high": high,
        "confidence": answer.confidence,
        "p": difference.p,
        "p_holm": difference.p_holm,
        "group": about,
        "p_together": difference.p_together,
        "verdict": difference.verdict,
        "comparisons": answer.comparisons or answer.own_comparisons,
        "n": value.n,
        "share": value.value,
        "share_low": share_low,
        "share_high": share_high,
        "withheld": value.is_withheld,
    }


def compared_svg(compared: Comparison | GroupsPage, about: str = "") -> str:
    """An SVG file of the groups' shares and differences. Invalid for a page of several questions."""
    if isinstance(compared, GroupsPage):
        raise Invalid(
            {"outcome": "Choose a question and one answer for the figure, for example tax:1."}
        )
    return question_svg([compared], compared.sentences, about)
