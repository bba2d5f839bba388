"""The head of every page about one survey: its title, its state, the tabs, and the one or two steps that come next."""

from dataclasses import dataclass

from surveys.accounts.access import Right
from surveys.models import Survey
from surveys.results.analysis.analyses import ANALYSES, COMPARE

DRAFT, RUNNING, OVER = "draft", "running", "over"  # what a survey's people can do with it
PHASES = {"draft": DRAFT, "closed": OVER}


@dataclass(frozen=True)
class Tab:
    """A page in the row of tabs. pages: URL names of the pages under it, in whose head it is the current one."""

    name: str
    url: str
    right: Right = Right.SEE
    pages: tuple[str, ...] = ()
    phases: tuple[str, ...] = (DRAFT, RUNNING, OVER)


@dataclass(frozen=True)
class Action:
    """A button of the head. states: of the survey. url: of one that prints the page, nothing. keeps_query: whether it
    is about what the page shows."""

    name: str
    url: str
    states: tuple[str, ...]
    right: Right = Right.SEE
    is_main: bool = False
    is_post: bool = False
    files: bool | None = None  # for surveys that take files alone, for all others alone, or for both
    keeps_query: bool = False


def _analysed() -> dict[str, str]:
    """Pages of analyses: URL name -> the title of the first one there. Groups have a page of their own."""
    pages: dict[str, str] = {}
    for each in ANALYSES:
        if each is not COMPARE:
            pages.setdefault(f"compare-{each.place}", each.title)
    return pages


GROUPS = "compare"  # the URL name of the page that compares groups
ANALYSED = _analysed()
PUBLISHED = (RUNNING, OVER)
REPORT_PAGES = ("report-details", "report-quality", "report-candidates", "share-links")
TABS = (
    Tab("Overview", "survey", phases=PUBLISHED),
    Tab("Questions", "survey", phases=(DRAFT,), pages=("questions",)),
    Tab("Questions", "questions", phases=PUBLISHED, pages=("choices",)),
    Tab("Simulation", "simulation", phases=(DRAFT,)),
    Tab("Report", "report", Right.REPORT, phases=PUBLISHED, pages=REPORT_PAGES),
    Tab("Compare", GROUPS, Right.REPORT, phases=PUBLISHED, pages=("compare-earlier", *ANALYSED)),
    Tab("People", "people", pages=("tickets", "invite", "letters", "letter")),
    Tab("Files", "files", pages=("import-responses", "ethics")),
    Tab("Settings", "settings", pages=("webhook",)),
)
OPEN = ("scheduled", "open")
PILLS = (  # the pages under Compare
    ("Groups", GROUPS),
    ("Earlier version", "compare-earlier"),
    *((name, url) for url, name in ANALYSED.items()),
)
ACTIONS = (
    Action("Preview", "preview", ("draft", *OPEN, "paused"), files=False),
    Action("Review and publish", "publish", ("draft",), Right.WRITE, is_main=True, files=False),
    Action("Prepare for import", "prepare", ("draft",), Right.WRITE, is_main=True, files=True),
    Action("Close survey", "close", OPEN, Right.WRITE),
    Action("Reopen", "reopen", ("paused",), Right.WRITE, is_main=True),
    Action("Import responses", "import-responses", ("filling",), Right.WRITE, is_main=True),
    Action("New version", "new-version", ("closed",), Right.WRITE, is_post=True),
)
OUT = (*OPEN, "paused", "filling", "closed")  # published
PRINT = Action("Print", "", OUT)
OWN_ACTIONS = {  # URL name of a page -> its buttons, in place of those of the state
    "questions": (
        Action("Preview", "preview", OUT, files=False),
        Action("New version", "new-version", OUT, Right.WRITE, is_post=True),
    ),
    "report": (PRINT, Action("Download", "files", OUT), Action("Share", "share-links", ("closed",), Right.WRITE)),
    "report-details": (PRINT,),
    "report-quality": (),
    "share-links": (),
    **dict.fromkeys(ANALYSED, ()),
    GROUPS: (PRINT, Action("Download", "compare-table", OUT, keeps_query=True)),
    "compare-earlier": (PRINT,),
}


def phase(survey: Survey) -> str:
    return PHASES.get(survey.state, RUNNING)


def tabs(survey: Survey, rights: set[Right], page: str) -> list[tuple[Tab, bool]]:
    """Those that the reader may open, and whether the page of this URL name is under it."""
    shown = [tab for tab in TABS if phase(survey) in tab.phases and tab.right in rights]
    current = next((tab for tab in shown if page == tab.url or page in tab.pages), None)
    return [(tab, tab is current) for tab in shown]


def actions(survey: Survey, rights: set[Right], page: str) -> list[Action]:
    offered = OWN_ACTIONS.get(page, ACTIONS)
    shown = [each for each in offered if survey.state in each.states and each.right in rights]
    return [each for each in shown if each.files in (None, survey.import_only)]
