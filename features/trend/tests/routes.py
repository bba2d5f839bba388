"""The routes of the comparison with an earlier version, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, SURVEY

EARLIER = f"{SURVEY}compare/earlier/"
REPORT = f"{API}{SURVEY}report/"
RULES = {
    EARLIER: Right.REPORT,
    f"{EARLIER}changes.csv": Right.REPORT,
    f"{EARLIER}changes.svg": Right.REPORT,
    f"{REPORT}trend/": Right.REPORT,
    f"{REPORT}trend.csv": Right.REPORT,
    f"{REPORT}trend.svg": Right.REPORT,
}
TWINS = {
    "compare-earlier": "trend",
    "compare-earlier-csv": "trend-csv",
    "compare-earlier-svg": "trend-svg",
}
