"""The head of every page about one survey: its title, its state, the tabs, and the one or two steps that come next."""

from surveys import extensions
from surveys.accounts.access import Right
from surveys.extensions import DRAFT, OVER, RUNNING, Action, Tab
from surveys.models import Survey
from surveys.results.analysis.analyses import COMPARE, analyses

PHASES = {"draft": DRAFT, "closed": OVER}


def analysed() -> dict[str, str]:
    """Pages of analyses: URL name -> the title of the first one there. Groups have a page of their own."""
    pages: dict[str, str] = {}
    for each in analyses():
        if each is not COMPARE:
            pages.setdefault(f"compare-{each.place}", each.title)
    return pages


GROUPS = "compare"  # the URL name of the page that compares groups
PUBLISHED = (RUNNING, OVER)
REPORT_PAGES = ("report-details", "report-quality")
TABS = (
    Tab("Overview", "survey", phases=PUBLISHED),
    Tab("Questions", "survey", phases=(DRAFT,), pages=("questions",)),
    Tab("Questions", "questions", phases=PUBLISHED, pages=("choices",)),
    Tab("Report", "report", Right.REPORT, phases=PUBLISHED, pages=REPORT_PAGES),
    Tab("Compare", GROUPS, Right.REPORT, phases=PUBLISHED, pages=()),
    Tab("People", "people"),
    Tab("Files", "files"),
    Tab("Settings", "settings"),
)
OPEN = ("scheduled", "open")
ACTIONS = (
    Action("Preview", "preview", ("draft", *OPEN, "paused"), files=False),
    Action("Review and publish", "publish", ("draft",), Right.WRITE, is_main=True, files=False),
    Action("Close survey", "close", OPEN, Right.WRITE),
    Action("Reopen", "reopen", ("paused",), Right.WRITE, is_main=True),
    Action("New version", "new-version", ("closed",), Right.WRITE, is_post=True),
)
OUT = (*OPEN, "paused", "filling", "closed")  # published
PRINT = Action("Print", "", OUT)
OWN_ACTIONS = {  # URL name of a page -> its buttons, in place of those of the state
    "questions": (
        Action("Preview", "preview", OUT, files=False),
        Action("New version", "new-version", OUT, Right.WRITE, is_post=True),
    ),
    "report": (PRINT, Action("Download", "files", OUT)),
    "report-details": (PRINT,),
    "report-quality": (),
    GROUPS: (PRINT, Action("Download", "compare-table", OUT, keeps_query=True)),
}


def phase(survey: Survey) -> str:
    return PHASES.get(survey.state, RUNNING)


def all_tabs() -> list[Tab]:
    """A feature's tab stands behind the tab that it names."""
    every = list(TABS)
    for tab in extensions.tabs:
        place = max(number for number, each in enumerate(every) if each.url == tab.after)
        every.insert(place + 1, tab)
    return every


def tabs(survey: Survey, rights: set[Right], page: str) -> list[tuple[Tab, bool]]:
    """Those that the reader may open, and whether the page of this URL name is under it."""
    shown = [tab for tab in all_tabs() if phase(survey) in tab.phases and tab.right in rights]
    under = dict.fromkeys(analysed(), GROUPS) | {each.url: each.tab for each in extensions.pages}
    current = next((tab for tab in shown if page == tab.url or page in tab.pages or under.get(page) == tab.url), None)
    return [(tab, tab is current) for tab in shown]


def compare_pages() -> list[tuple[str, str]]:
    """The pages under Compare, as (title, URL name)."""
    added = [(each.title, each.url) for each in extensions.pages if each.tab == GROUPS and each.title]
    return [("Groups", GROUPS), *added, *((title, url) for url, title in analysed().items())]


def actions(survey: Survey, rights: set[Right], page: str) -> list[Action]:
    added = {each.url: each.actions for each in extensions.pages if each.actions is not None}
    by_state = [*ACTIONS, *(each for each in extensions.actions if not each.page)]
    offered = (OWN_ACTIONS | dict.fromkeys(analysed(), ()) | added).get(page, by_state)
    offered = [*offered, *(each for each in extensions.actions if each.page == page)]
    shown = [each for each in offered if survey.state in each.states and each.right in rights]
    return [each for each in shown if each.files in (None, survey.import_only)]
