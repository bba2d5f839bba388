"""The head of every page about one survey: its title, its state, the tabs, and the one or two steps that come next."""

from surveys import extensions
from surveys.accounts.access import Right
from surveys.extensions import DRAFT, OVER, RUNNING, Action, Tab
from surveys.models import Survey
from surveys.results.analysis.analyses import COMPARE, analyses

PHASES = {"draft": DRAFT, "closed": OVER}


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
    """Return the phase of a survey: DRAFT, RUNNING or OVER."""
    return PHASES.get(survey.state, RUNNING)


def analysis_pages() -> dict[str, str]:
    """Return the title of the first analysis on each page, by the URL name of the page.

    The comparison of groups is left out, because it has the page GROUPS.
    """
    title_by_url: dict[str, str] = {}
    for analysis in analyses():
        if analysis is not COMPARE:
            title_by_url.setdefault(f"compare-{analysis.page_slug}", analysis.title)
    return title_by_url


def all_tabs() -> list[Tab]:
    """Return the tabs of the core and of the features. A feature's tab stands behind the tab that it names."""
    every_tab = list(TABS)
    for tab in extensions.tabs:
        position = max(index for index, other in enumerate(every_tab) if other.url == tab.after)
        every_tab.insert(position + 1, tab)
    return every_tab


def tabs(survey: Survey, rights: set[Right], page: str) -> list[tuple[Tab, bool]]:
    """Return the tabs that the reader may open, each with True if the page of this URL name is under it."""
    tab_by_page = dict.fromkeys(analysis_pages(), GROUPS)
    for added_page in extensions.pages:
        tab_by_page[added_page.url] = added_page.tab

    current = None
    visible = [tab for tab in all_tabs() if phase(survey) in tab.phases and tab.right in rights]
    for tab in visible:
        is_above = page == tab.url or page in tab.pages or tab_by_page.get(page) == tab.url
        if is_above and current is None:
            current = tab
    return [(tab, tab is current) for tab in visible]


def compare_pages() -> list[tuple[str, str]]:
    """Return the pages under Compare, as (title, URL name)."""
    listed = [("Groups", GROUPS)]
    for page in extensions.pages:
        if page.tab == GROUPS and page.title:
            listed.append((page.title, page.url))
    for url, title in analysis_pages().items():
        listed.append((title, url))
    return listed


def actions(survey: Survey, rights: set[Right], page: str) -> list[Action]:
    """Return the buttons in the head of the page of this URL name that the reader may use."""
    offered = [
        *buttons_of_page(page),
        *(action for action in extensions.actions if action.page == page),
    ]
    visible = [
        action for action in offered if survey.state in action.states and action.right in rights
    ]
    return [action for action in visible if action.files in (None, survey.import_only)]


def buttons_of_page(page: str) -> list[Action]:
    """Return the buttons of a page, which are those of the survey's state unless the page has its own."""
    for added_page in extensions.pages:
        if added_page.url == page and added_page.actions is not None:
            return list(added_page.actions)
    if page in analysis_pages():
        return []
    if page in OWN_ACTIONS:
        return list(OWN_ACTIONS[page])
    return [*ACTIONS, *(action for action in extensions.actions if not action.page)]
