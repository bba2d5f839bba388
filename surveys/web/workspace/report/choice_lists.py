"""The table of a long list on a report's page: searched, and page by page, by the query of its address."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from surveys.results.estimates.question_report import QuestionReport

AT_ONCE = 50  # rows
LONGEST = 200  # letters that are searched for: no choice has more


@dataclass(frozen=True)
class Listed:
    """find, page_name: the names in the query. wanted: what is searched for. kept: all else that the query asks for."""

    find: str
    wanted: str
    page: Page
    page_name: str
    kept: list[tuple[str, str]]
    before: str = ""  # the query of the page before this one, and of the one after it
    after: str = ""
    is_asked: bool = False


def look_through(question: QuestionReport, query: QueryDict) -> Listed:
    """The choices that can be told from 0 come first, the largest first; then all others in their order."""
    find, page_name = f"find-{question.key}", f"page-{question.key}"
    wanted = query.get(find, "").strip()[:LONGEST]
    first = dict.fromkeys(v for v, _ in question.told_apart())
    rows = [
        (v, question.choices[v]) for v in {**first, **dict.fromkeys(range(len(question.choices)))}
    ]
    matching = [(v, choice) for v, choice in rows if wanted.casefold() in choice.label.casefold()]
    page = Paginator(matching, AT_ONCE).get_page(query.get(page_name))
    kept = [
        (name, value)
        for name, values in query.lists()
        for value in values
        if name not in (find, page_name)
    ]

    def to(number: int) -> str:
        changed = query.copy()
        changed[page_name] = str(number)
        return changed.urlencode()

    return Listed(
        find,
        wanted,
        page,
        page_name,
        kept,
        before=to(page.number - 1) if page.has_previous() else "",
        after=to(page.number + 1) if page.has_next() else "",
        is_asked=find in query or page_name in query,
    )
