"""The routes of report links and public results, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, EVERYBODY, LOGGED_IN, SURVEY, ApiRequest

LINKS = f"{SURVEY}report/links/"
RULES = {
    "r/link/<str:secret>/": EVERYBODY,  # who knows the secret: features/shared_reports/tests/test_report_links.py
    "r/link/<path:rest>": EVERYBODY,
    "r/<slug:slug>/": EVERYBODY,
    "r/<slug:slug>/results.json": EVERYBODY,
    "r/<slug:slug>/<slug:key>.svg": EVERYBODY,
    f"{SURVEY}public/": LOGGED_IN,  # an old address: tests/whole_site/test_old_addresses.py
    LINKS: Right.SEE,
    f"{API}{SURVEY}public/": Right.SEE,  # to PUT takes Right.WRITE
    f"{API}{LINKS}": Right.SEE,
    f"{API}{LINKS}<uuid:pk>/": BY_PROGRAM,
    f"{API}{LINKS}<uuid:pk>/renew/": BY_PROGRAM,
}
POSTED = {LINKS: Right.WRITE, f"{API}{LINKS}": Right.WRITE}
REQUESTS = [
    ApiRequest("get", "public/", Right.SEE, "closed"),
    ApiRequest("put", "public/", Right.WRITE, "closed", body={"public": False}),
    ApiRequest("get", "report/links/", Right.SEE, "closed"),
    ApiRequest("post", "report/links/", Right.WRITE, "closed"),
    ApiRequest("delete", "report/links/<link>/", Right.WRITE, "closed"),
    ApiRequest("post", "report/links/<link>/renew/", Right.WRITE, "closed"),
]
TWINS = {
    "settings": "public",
    "share-links": ("report-links", "report-link", "renew-report-link"),
}
