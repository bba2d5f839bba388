"""The routes of the table of texts, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, SURVEY, ApiRequest

RULES = {
    f"{SURVEY}languages/": Right.WRITE,
    f"{SURVEY}texts.csv": Right.SEE,
    f"{API}{SURVEY}languages/": Right.SEE,  # to read; to change takes Right.WRITE
    f"{API}{SURVEY}texts.csv": Right.SEE,
}
REQUESTS = [
    ApiRequest("get", "languages/", Right.SEE),
    ApiRequest("put", "languages/", Right.WRITE, body={"languages": ["en", "de"]}),
    ApiRequest("patch", "languages/", Right.WRITE, body={"texts": []}),
    ApiRequest("get", "texts.csv", Right.SEE),
]
TWINS = {"languages": "languages", "texts-table": "texts-table"}
