"""The routes of the document for an ethics board, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, SURVEY, ApiRequest

RULES = {f"{SURVEY}ethics/": Right.SEE, f"{API}{SURVEY}ethics/": Right.SEE}
REQUESTS = [ApiRequest("get", "ethics/", Right.SEE)]
TWINS = {"ethics": "ethics"}
