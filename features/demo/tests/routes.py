"""The routes of the demo, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import EVERYBODY, SURVEY

RULES = {
    "sample/": EVERYBODY,
    "s/misconduct/": EVERYBODY,
    "help/misconduct/": EVERYBODY,
    f"{SURVEY}invented-answers/": Right.WRITE,
}
NO_TWIN = {
    "invented-answers": "only in a demo; a program gets the report of invented people from rehearsal/"
}
