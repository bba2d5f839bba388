"""The routes of regression models and cross tables, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import LOGGED_IN, SURVEY, analysis_rules, analysis_twins

RULES = {
    f"{SURVEY}compare/linked/": Right.REPORT,
    f"{SURVEY}report/analysis/": LOGGED_IN,  # an old address: tests/whole_site/test_old_addresses.py
    **analysis_rules("model", "table"),
}
TWINS = {"compare-linked": ("model", "table"), **analysis_twins("model", "table")}
