"""What each address of the API is for: the groups in which its schema and its documentation list them."""

from typing import Any

from django.urls import URLPattern

WRITE = "Write"
CHECK = "Review before publishing"
PUBLISH = "Publish and close"
INVITE = "Invite"
RESULTS = "Read results"
DOWNLOAD = "Download"
IMPORT = "Import"
TEAM = "Team and tokens"
WEBHOOKS = "Webhooks"
SITE = "Site"
TASKS = (WRITE, CHECK, PUBLISH, INVITE, RESULTS, DOWNLOAD, IMPORT, TEAM, WEBHOOKS, SITE)
# The route as Django writes it -> its task. This one stands in config.urls, beside the respondents' door.
_task_of = {"surveys/<slug:slug>/responses/": DOWNLOAD}


def task(name: str, *routes: URLPattern) -> tuple[URLPattern, ...]:
    _task_of.update({str(route.pattern): name for route in routes})
    return routes


def task_of(path: str) -> str:
    """path: as drf-spectacular has it, with the prefix of the API. KeyError for one of no task."""
    return _task_of[path.removeprefix("api/v1/")]


def listed(result: dict[str, Any], generator: object, **_: object) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: the tasks in their order."""
    return result | {"tags": [{"name": name} for name in TASKS]}
