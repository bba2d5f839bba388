"""The comparison of groups among the analyses."""

from surveys.results.analysis import selection
from surveys.results.analysis.analysis import Analysis, AnalysisRequest, Parameter
from surveys.results.analysis.groups.files import compared_csv, compared_svg
from surveys.results.analysis.groups.groups import ComparedAnswer, can_compare, compare_by_address
from surveys.results.analysis.groups.page import GroupsPage, page_of
from surveys.results.analysis.groups.shape import ComparedResult
from surveys.results.disclosure.access import ReaderView
from surveys.results.report.groups import groupable_questions, side_by_side


def _find(looking: AnalysisRequest, outcome: str, by: str) -> ComparedAnswer | GroupsPage:
    """Return the comparison of one answer, or of all that the page has if none is named."""
    if not outcome:
        return page_of(side_by_side(looking.seen, by, asked=looking.asked, group=looking.group))
    return compare_by_address(looking.seen, by, outcome, asked=looking.asked, group=looking.group)


def _outcomes(seen: ReaderView) -> list[tuple[str, str]]:
    options = []
    for item in selection.outcome_questions(seen):
        options.extend(selection.named_answers(seen, item))
    return options


def _groups(seen: ReaderView) -> list[tuple[str, str]]:
    return [(item.key, item.full_text) for item in groupable_questions(seen)]


COMPARE = Analysis(
    name="compare",
    title="Compare groups",
    summary="Compare groups, each with all others: for every question, or for one answer, then in pairs too",
    parameters=(
        Parameter(
            "outcome",
            "a question and one of its answers, for example `tax:1`, or a number, for example `hours`, to compare "
            "its mean; by default all that the page compares",
            "Question and answer",
            _outcomes,
            required=False,
        ),
        Parameter(
            "by", "the background question whose answers make the groups", "Groups by", _groups
        ),
    ),
    level=("confidence", "interval", "simultaneous", "sampling", "where"),
    offer=can_compare,
    find=_find,
    result=ComparedResult,
    csv=compared_csv,
    svg=compared_svg,
)
