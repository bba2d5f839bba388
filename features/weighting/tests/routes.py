"""The routes of weighting, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import SURVEY, analysis_rules, analysis_twins

RULES = {f"{SURVEY}compare/weighting/": Right.REPORT, **analysis_rules("weighted")}
TWINS = {"compare-weighting": "weighted", **analysis_twins("weighted")}
