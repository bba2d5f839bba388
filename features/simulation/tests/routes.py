"""The routes of simulations, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, EVERYBODY, LOGGED_IN, SURVEY, ApiRequest

RULES = {
    "trusted-server/": EVERYBODY,
    f"{SURVEY}simulation/": Right.SEE,
    f"{SURVEY}rehearsal/": LOGGED_IN,  # an old address: tests/whole_site/test_old_addresses.py
    f"{API}{SURVEY}rehearsal/": BY_PROGRAM,
    f"{API}planning/": BY_PROGRAM,
    f"{API}simulation/": BY_PROGRAM,
    f"{API}trusted-server/": BY_PROGRAM,
}
REQUESTS = [ApiRequest("post", "rehearsal/", Right.SEE)]
TWINS = {
    "simulation": "rehearsal",
    "new-question": "planning",
    "question": "planning",
}
