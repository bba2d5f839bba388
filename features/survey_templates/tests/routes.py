"""The routes of ready-made surveys, and who may open them."""

from tests.whole_site.route_rules import API, LOGGED_IN

RULES = {
    "surveys/ready/": LOGGED_IN,
    "surveys/ready/<slug:key>/": LOGGED_IN,
    "surveys/ready/<slug:key>/preview/": LOGGED_IN,
    "surveys/ready/<slug:key>/preview/help/": LOGGED_IN,
    f"{API}ready/": LOGGED_IN,
    f"{API}ready/<slug:key>/": LOGGED_IN,
}
TWINS = {
    "ready": ("ready", "ready-instrument"),
    "ready-look": "ready-instrument",
    "ready-preview": "ready-instrument",
    "ready-preview-help": "ready-instrument",
}
