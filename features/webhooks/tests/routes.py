"""The routes of webhooks, and who may open them."""

from surveys.accounts.access import Right
from tests.whole_site.route_rules import API, BY_PROGRAM, LOGGED_IN, SURVEY, ApiRequest

WEBHOOK = f"{SURVEY}webhooks/<uuid:webhook>/"
RULES = {
    f"{SURVEY}webhooks/": LOGGED_IN,  # an old address: tests/whole_site/test_old_addresses.py
    WEBHOOK: Right.WRITE,
    f"{WEBHOOK}ping/": Right.WRITE,
    f"{WEBHOOK}remove/": Right.WRITE,
    f"{WEBHOOK}deliveries/<uuid:delivery>/again/": Right.WRITE,
    f"{API}{SURVEY}webhooks/": Right.WRITE,
    f"{API}{WEBHOOK}": Right.WRITE,
    f"{API}{WEBHOOK}ping/": BY_PROGRAM,
    f"{API}{WEBHOOK}deliveries/": Right.WRITE,
    f"{API}{WEBHOOK}deliveries/<uuid:delivery>/again/": BY_PROGRAM,
}
REQUESTS = [
    ApiRequest("get", "webhooks/", Right.WRITE),
    ApiRequest(
        "post",
        "webhooks/",
        Right.WRITE,
        body={"url": "https://example.org/", "events": ["survey.closed"]},
    ),
    ApiRequest("get", "webhooks/<webhook>/", Right.WRITE),
    ApiRequest("delete", "webhooks/<webhook>/", Right.WRITE),
    ApiRequest("post", "webhooks/<webhook>/ping/", Right.WRITE),
    ApiRequest("get", "webhooks/<webhook>/deliveries/", Right.WRITE),
    ApiRequest("post", "webhooks/<webhook>/deliveries/<delivery>/again/", Right.WRITE),
]
TWINS = {
    "settings": "webhooks",
    "webhook": ("webhook", "deliveries"),
    "ping-webhook": "ping",
    "remove-webhook": "webhook",
    "send-again": "again",
}
