"""The routes of counts of candidate texts, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, EVERYBODY, SURVEY, ApiRequest

CANDIDATES = f"{SURVEY}report/<slug:key>/candidates"
RULES = {
    "learn/rappor/": EVERYBODY,
    f"{CANDIDATES}/": Right.REPORT,
    f"{CANDIDATES}.csv": Right.REPORT,
    f"{API}{CANDIDATES}/": Right.REPORT,
    f"{API}{CANDIDATES}.csv": Right.REPORT,
}
POSTED = {f"{CANDIDATES}/": Right.WRITE, f"{API}{CANDIDATES}/": Right.WRITE}
REQUESTS = [
    ApiRequest("get", "report/tax/candidates/", Right.REPORT, "open"),
    ApiRequest("get", "report/tax/candidates.csv", Right.REPORT, "open"),
]
TWINS = {"report-candidates": "candidates", "report-candidates-table": "candidates-table"}
