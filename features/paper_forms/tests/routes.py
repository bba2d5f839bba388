"""The routes of the printed questionnaire, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, SURVEY, ApiRequest

RULES = {
    f"{SURVEY}sheet/": Right.SEE,
    f"{SURVEY}sheet/entry.csv": Right.SEE,
    f"{SURVEY}sheet/entry.xlsx": Right.SEE,
    f"{API}{SURVEY}sheet/entry.csv": Right.SEE,
    f"{API}{SURVEY}sheet/entry.xlsx": Right.SEE,
}
REQUESTS = [
    ApiRequest("get", "sheet/entry.csv", Right.SEE, "filling"),
    ApiRequest("get", "sheet/entry.xlsx", Right.SEE, "filling"),
]
TWINS = {"entry-csv": "entry-csv", "entry-xlsx": "entry-xlsx"}
NO_TWIN = {"sheet": "a page to print; its questions and chances are in export/codebook.json"}
