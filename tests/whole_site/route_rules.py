"""The words of the tables of routes, and what the tables of the features say together.

Each feature states the routes of its own pages in its tests/routes.py:

* RULES: a route and who may open it, which is a right or one of the words below.
* POSTED: a route and the right that posting there takes, if it takes another right than reading.
* REQUESTS: requests to the API about a survey, and the right that each one takes.
* TWINS: the URL name of a page, and the URL names in the API by which a program does the same.
* NO_TWIN: the URL name of a page, and why the API has nothing in its place.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any

from django.conf import settings

from surveys.accounts.access import Right

EVERYBODY, LOGGED_IN, OPERATORS = "everybody", "everybody who is logged in", "operators"
BY_PROGRAM = "these take no GET; tests/whole_site/test_roles.py says who may"
SURVEY = "surveys/<slug:slug>/"
API = "api/v1/"
# What each role may do, written down once more, apart from the code that decides it.
MAY = {
    "owner": {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT, Right.ROWS, Right.MANAGE},
    "editor": {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT},
    "analyst": {Right.SEE, Right.REPORT},
    "exporter": {Right.SEE, Right.REPORT, Right.ROWS},
}


@dataclass(frozen=True)
class ApiRequest:
    """A request to the API about a survey.

    part: the address below that of the survey.
    right: the right that the request takes.
    state: the state that the survey is in: "draft", "open", "closed", "filling", "invited" or "invited and closed".
    """

    method: str
    part: str
    right: Right
    state: str = "draft"
    body: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.part or 'the survey itself'}"


def export_rules(names: Iterable[str], right: Right) -> dict[str, Right]:
    """Return the rules of files of responses, from the workspace as by program."""
    return {f"{start}{SURVEY}export/{name}": right for start in ("", API) for name in names}


def analysis_rules(*names: str) -> dict[str, Right]:
    """Return the rules of the results of analyses in the API, and of their files."""
    rules = {}
    for name in names:
        rules[f"{API}{SURVEY}report/{name}/"] = Right.REPORT
        for form in ("csv", "svg", "png", "txt"):
            for start in ("", API):
                rules[f"{start}{SURVEY}report/{name}.{form}"] = Right.REPORT
    return rules


def analysis_twins(*names: str) -> dict[str, str]:
    """Return the twins of the files of analyses."""
    return {
        f"report-{name}-{form}": f"{name}-{form}"
        for name in names
        for form in ("csv", "svg", "png", "txt")
    }


def route_modules() -> Iterator[ModuleType]:
    """Yield the tests/routes.py of each feature."""
    for feature in settings.FEATURES:
        yield import_module(f"{feature}.tests.routes")


def feature_rules(name: str) -> dict[str, Any]:
    """Return the tables of all features with a name, such as "RULES", as one table. No two say the same key."""
    table: dict[str, Any] = {}
    for module in route_modules():
        rules = getattr(module, name, {})
        assert table.keys().isdisjoint(rules), (
            f"{module.__name__} repeats {sorted(table.keys() & rules.keys())}"
        )
        table |= rules
    return table


def feature_requests() -> list[ApiRequest]:
    """Return the requests to the API that the features state."""
    return [request for module in route_modules() for request in getattr(module, "REQUESTS", ())]
