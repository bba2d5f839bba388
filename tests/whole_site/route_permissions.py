"""Who may open what: a new route of the core needs a line in CORE_RULES, or test_workspace_access.py fails.

The routes of a feature have their lines in its tests/routes.py.
"""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver

from surveys.accounts.access import Right
from surveys.web.workspace.old_addresses import MOVED
from tests.whole_site.route_rules import (
    BY_PROGRAM,
    EVERYBODY,
    LOGGED_IN,
    OPERATORS,
    export_rules,
    feature_rules,
)

WATCHING = "programs that watch the site; tests/operation/test_probes.py says who may see what"
THROUGH_A_PROVIDER = "404 without OIDC_ISSUER; tests/accounts/test_sign_in.py says who may"
STEPS = (
    "publish",
    "pause",
    "close",
    "reopen",
    "archive",
    "unarchive",
    "destroy",
    "duplicate",
    "prepare",
    "version",
    "team/invitations",
)
# Files that there were once. Whoever may read the report is answered 410.
GONE = ("responses-compact.csv", "responses.jsonl")
# Files that can be downloaded, from the workspace as by program: those with responses, and those about them.
WITH_ROWS = (
    "everything.zip",
    "responses.csv",
    "responses-excel.csv",
    "responses.xlsx",
)
WITHOUT_ROWS = (
    *("README.txt", "codebook.md", "codebook.json"),
    *GONE,
)
GRID_PARTS = ("", "delete/", "up/", "down/")
# The files of the comparison of groups, by program.
COMPARE = ("compare.csv", "compare.svg", "compare.png", "compare.txt")
CORE_RULES = {
    "": EVERYBODY,
    "healthz": WATCHING,
    "readyz": WATCHING,
    "metrics": WATCHING,
    "problems/": EVERYBODY,
    "problems/<slug:name>": EVERYBODY,
    "login/": EVERYBODY,
    "login/provider/": THROUGH_A_PROVIDER,
    "login/provider/back/": THROUGH_A_PROVIDER,
    "account/provider/": THROUGH_A_PROVIDER,
    "logout/": EVERYBODY,
    "account/": LOGGED_IN,
    "account/name/": LOGGED_IN,
    "account/password/": LOGGED_IN,
    "account/set-password/<str:uidb64>/<str:token>/": EVERYBODY,
    "account/time-zone/": LOGGED_IN,
    "account/sessions/": LOGGED_IN,
    "account/two-factor/": LOGGED_IN,
    "account/two-factor/codes/": LOGGED_IN,
    "account/two-factor/code.svg": LOGGED_IN,
    "brand/<slug:sha256>.png": EVERYBODY,
    "leave/": EVERYBODY,
    "help/<slug:slug>/": EVERYBODY,
    "trust/": EVERYBODY,
    "trust/<slug:slug>/": EVERYBODY,
    "admin/login/": OPERATORS,
    "admin/": OPERATORS,
    "i/<slug:slug>/": EVERYBODY,
    "i/<path:rest>/": EVERYBODY,
    "s/": EVERYBODY,
    "s/<slug:slug>/": EVERYBODY,
    "s/<path:rest>/": EVERYBODY,
    "surveys/": LOGGED_IN,
    "surveys/new/": LOGGED_IN,
    "surveys/<slug:slug>/": Right.SEE,
    "surveys/import/": LOGGED_IN,
    "surveys/join/<str:secret>/": LOGGED_IN,
    "surveys/<slug:slug>/survey.json": Right.SEE,
    "surveys/<slug:slug>/duplicate/": Right.SEE,
    "surveys/<slug:slug>/version/": Right.WRITE,
    "surveys/<slug:slug>/poster/": Right.SEE,
    "surveys/<slug:slug>/qr.svg": Right.SEE,
    "surveys/<slug:slug>/qr.png": Right.SEE,
    "surveys/<slug:slug>/people/": Right.SEE,  # to invite takes Right.MANAGE
    "surveys/<slug:slug>/settings/": Right.SEE,  # to save takes Right.WRITE
    "surveys/<slug:slug>/welcome/": Right.WRITE,
    "surveys/<slug:slug>/after/": Right.WRITE,
    "surveys/<slug:slug>/target/": Right.WRITE,
    "surveys/<slug:slug>/team/invitations/<uuid:pk>/withdraw/": Right.MANAGE,
    "surveys/<slug:slug>/team/<uuid:pk>/remove/": Right.MANAGE,
    "surveys/<slug:slug>/team/<uuid:pk>/transfer/": Right.MANAGE,
    "surveys/<slug:slug>/pause/": Right.WRITE,
    "surveys/<slug:slug>/delete/": Right.MANAGE,
    "surveys/<slug:slug>/questions/": Right.SEE,
    "surveys/<slug:slug>/questions/new/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/choices/": Right.SEE,
    "surveys/<slug:slug>/questions/<slug:key>/choices.txt": Right.SEE,
    "surveys/<slug:slug>/questions/<slug:key>/delete/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/move/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/up/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/down/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/rows/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/leave/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/take-out/": Right.WRITE,
    "surveys/<slug:slug>/grids/new/": Right.WRITE,
    **{f"surveys/<slug:slug>/grids/<slug:key>/{part}": Right.WRITE for part in GRID_PARTS},
    "surveys/<slug:slug>/protection/": Right.WRITE,
    "surveys/<slug:slug>/preview/": Right.SEE,
    "surveys/<slug:slug>/preview/help/": Right.SEE,
    "surveys/<slug:slug>/publish/": Right.WRITE,
    "surveys/<slug:slug>/close/": Right.WRITE,
    "surveys/<slug:slug>/reopen/": Right.WRITE,
    "surveys/<slug:slug>/archive/": Right.MANAGE,
    "surveys/<slug:slug>/unarchive/": Right.MANAGE,
    "surveys/<slug:slug>/destroy/": Right.MANAGE,
    "surveys/<slug:slug>/report/": Right.REPORT,
    "surveys/<slug:slug>/report/shares.csv": Right.REPORT,
    "surveys/<slug:slug>/report/methods.txt": Right.REPORT,
    "surveys/<slug:slug>/report/quality/": Right.REPORT,
    "surveys/<slug:slug>/report/quality.csv": Right.REPORT,
    "surveys/<slug:slug>/compare/": Right.REPORT,
    "surveys/<slug:slug>/compare/compare.csv": Right.REPORT,
    "surveys/<slug:slug>/compare/<slug:key>.svg": Right.REPORT,
    "surveys/<slug:slug>/compare/<slug:key>.png": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/details/": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.csv": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.svg": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.png": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/likelihood.svg": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/likelihood.png": Right.REPORT,
    "surveys/<slug:slug>/responses.csv": Right.ROWS,
    "api/v1/surveys/": LOGGED_IN,
    "api/v1/surveys/<slug:slug>/": Right.SEE,
    "api/v1/surveys/<slug:slug>/instrument/": EVERYBODY,
    "api/v1/surveys/<slug:slug>/report/": Right.REPORT,
    "api/v1/surveys/<slug:slug>/report/compare/": Right.REPORT,
    "api/v1/surveys/<slug:slug>/responses/": Right.ROWS,
    "api/v1/surveys/<slug:slug>/file/": Right.SEE,
    "api/v1/surveys/<slug:slug>/preview/": Right.SEE,
    "api/v1/surveys/<slug:slug>/protection/": Right.SEE,
    "api/v1/surveys/<slug:slug>/schedule/": Right.SEE,  # to read; to PUT takes Right.WRITE
    "api/v1/surveys/<slug:slug>/link/": Right.SEE,
    "api/v1/surveys/<slug:slug>/qr.svg": Right.SEE,
    "api/v1/surveys/<slug:slug>/qr.png": Right.SEE,
    "api/v1/surveys/<slug:slug>/count/": Right.SEE,
    "api/v1/surveys/<slug:slug>/history/": Right.SEE,
    "api/v1/surveys/<slug:slug>/team/": Right.MANAGE,
    "api/v1/surveys/<slug:slug>/team/invitations/<uuid:pk>/": BY_PROGRAM,
    "api/v1/surveys/<slug:slug>/team/<uuid:pk>/": BY_PROGRAM,
    "api/v1/surveys/<slug:slug>/team/<uuid:pk>/transfer/": BY_PROGRAM,
    "api/v1/surveys/<slug:slug>/tickets/": BY_PROGRAM,
    "api/v1/join/<str:secret>/": LOGGED_IN,
    "api/v1/designs/": LOGGED_IN,
    "api/v1/files/": BY_PROGRAM,
    "api/v1/schema/": EVERYBODY,
    "surveys/<slug:slug>/files/": Right.SEE,
    **{
        f"surveys/<slug:slug>/{address}": LOGGED_IN for address in MOVED
    },  # tests/web/test_old_addresses.py
    "api/v1/surveys/<slug:slug>/export/": Right.REPORT,
    **export_rules(WITH_ROWS, Right.ROWS),
    **export_rules(WITHOUT_ROWS, Right.REPORT),
    "surveys/tokens/": LOGGED_IN,
    "api/v1/docs/": EVERYBODY,
    "api/v1/surveys/<slug:slug>/tallies/": Right.REPORT,
    **{
        f"api/v1/surveys/<slug:slug>/report/{part}": Right.REPORT
        for part in (
            *(
                "shares.csv",
                "methods.txt",
                "quality/",
                "groups/",
                "groups.csv",
                "<slug:key>/readings/",
            ),
            *("<slug:key>/groups.svg", "<slug:key>/groups.png", *COMPARE),
            *(
                f"<slug:key>/{drawing}.{form}"
                for drawing in ("shares", "likelihood")
                for form in ("svg", "png")
            ),
        )
    },
    "api/v1/instruments/<slug:sha256>/": EVERYBODY,
    "api/v1/<path:rest>": EVERYBODY,
    "api/v1/tokens/": LOGGED_IN,
    "api/v1/tokens/<uuid:pk>/": BY_PROGRAM,
    **{f"api/v1/surveys/<slug:slug>/{step}/": BY_PROGRAM for step in STEPS},
}
RULES = CORE_RULES | feature_rules("RULES")
# Where more is needed to post than to read.
POSTED = {
    "surveys/<slug:slug>/people/": Right.MANAGE,
    "surveys/<slug:slug>/settings/": Right.WRITE,
    **feature_rules("POSTED"),
}

OF_A_SURVEY = [route for route, rule in RULES.items() if isinstance(rule, Right)]
OF_A_QUESTION = [route for route in OF_A_SURVEY if "questions/<slug:key>" in route]
OF_PUBLISHED = (
    "help/",
    "report",
    "compare",
    "responses",
    "export/",
    "tallies/",
    "count/",
    "invented-answers/",
    "close/",
    "pause/",
    "version/",
    "poster/",
    "qr.svg",
    "qr.png",
    "link/",
)
OF_TICKETS = ("invite/", "invitees/", "finish/")  # of surveys that ask invited people
OF_CLOSED = (
    "invite/finish/",
    "finish/",
    "public/",
    "reopen/",
    "archive/",
    "unarchive/",
    "destroy/",
)
OF_SHEETS = ("sheet/", "sheet/entry.csv", "sheet/entry.xlsx")
OF_FILES = (
    "prepare/",
    "slug>/import/",
    *OF_SHEETS,
)  # of surveys that take their responses from files


def patterns(
    resolver: URLResolver, before: str = ""
) -> Iterator[tuple[str, URLPattern | URLResolver]]:
    """Yield each route with its pattern. The administration is one of them."""
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if route == "admin/" or isinstance(pattern, URLPattern):
            yield route, pattern
        else:
            yield from patterns(pattern, route)


def routes(resolver: URLResolver) -> Iterator[str]:
    for route, _ in patterns(resolver):
        yield route


def module_of(pattern: URLPattern) -> str:
    """Return the name of the module that has the view."""
    view = pattern.callback
    view = getattr(view, "cls", getattr(view, "view_class", view))
    return view.__module__


def is_gone(route: str) -> bool:
    """Return whether the route is that of a file that is no longer written."""
    return route.rpartition("/")[2] in GONE


def state(route: str) -> str:
    last = route.removeprefix("api/v1/").removeprefix("surveys/<slug:slug>/")
    if route.startswith("r/"):
        return "closed"
    if last in ("import/", *OF_SHEETS):
        return "filling"
    if last == "invite/clear/":
        return "draft"
    if last in OF_CLOSED:
        return "closed"
    return "open" if last.startswith((*OF_PUBLISHED, *OF_TICKETS)) else "draft"


def asks_invited(route: str) -> bool:
    return route.removeprefix("api/v1/").removeprefix("surveys/<slug:slug>/").startswith(OF_TICKETS)
