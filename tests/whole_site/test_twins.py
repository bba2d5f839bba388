"""Every route of the workspace has its twin in the API, or a reason why it has none: a new route without one fails.

The routes of a feature have theirs in its tests/routes.py.
"""

from collections import defaultdict

from django.urls import URLPattern, get_resolver

from tests.whole_site.route_rules import feature_rules, route_modules

QUESTIONS = "survey"  # PUT or PATCH with the questions in the order in which they shall stand
TWINS = {
    "surveys": "surveys",
    "create": "surveys",
    "survey": ("survey", "protection", "link", "count"),
    "delete": "survey",
    "new-question": QUESTIONS,
    "question": QUESTIONS,
    **dict.fromkeys(
        ("delete-question", "move", "move-up", "move-down", "choices", "choices-text"), QUESTIONS
    ),
    **dict.fromkeys(("new-grid", "grid"), (QUESTIONS, "protection")),
    **dict.fromkeys(("take-out", "delete-grid", "grid-up", "grid-down"), QUESTIONS),
    **dict.fromkeys(("as-rows", "protection"), (QUESTIONS, "protection")),
    "tokens": ("tokens", "token"),
    "import": "files",
    "json": "file",
    "join": "join",
    "questions": "survey",
    "duplicate": "duplicate",
    "new-version": "version",
    "preview": "preview",
    "preview-help": "preview",
    "qr": "qr-svg",
    "qr-png": "qr-png",
    "withdraw": "withdraw",
    "remove": "member",
    "transfer": "transfer",
    "publish": ("publish", "protection"),
    **{step: step for step in ("pause", "close", "reopen", "archive", "unarchive", "destroy")},
    "report": ("report", "tallies", "readings"),
    "report-table": "shares",
    "report-methods": "methods",
    "report-quality": "quality",
    "report-quality-table": "quality",
    "report-question-table": "shares",
    "report-details": ("report", "readings"),
    "compare": ("compare", "groups"),
    "compare-table": ("compare-csv", "groups-table"),
    **{f"compare-{form}": f"groups-{form}" for form in ("svg", "png")},
    **{
        f"report-{name}": name
        for name in ("shares-svg", "shares-png", "likelihood-svg", "likelihood-png")
    },
    "csv": "responses.csv",
    "files": "exports",
    "people": ("team", "invite"),
    "settings": ("schedule", "history"),
    **dict.fromkeys(("welcome", "after", "target", "leave"), "survey"),
}

NO_TWIN = {
    "poster": "a page to print; a program makes its own from link/ and qr.svg",
    **feature_rules("NO_TWIN"),
}


def names(prefix: str) -> set[str]:
    resolver = next(part for part in get_resolver().url_patterns if str(part.pattern) == prefix)
    return {
        pattern.name
        for pattern in resolver.url_patterns
        if isinstance(pattern, URLPattern) and pattern.name
    }


def all_twins() -> dict[str, set[str]]:
    """Return the names in the API by the name of a page. Features may add some to a page of the core."""
    twins: dict[str, set[str]] = defaultdict(set)
    for table in [TWINS, *(getattr(module, "TWINS", {}) for module in route_modules())]:
        for name, in_the_api in table.items():
            twins[name] |= {in_the_api} if isinstance(in_the_api, str) else set(in_the_api)
    return twins


def test_every_route_of_the_workspace_has_a_twin_or_a_reason() -> None:
    workspace, api = names("surveys/"), names("api/v1/")
    twins = all_twins()
    for name in workspace:
        if name.startswith("export-"):
            twins[name] = {name.removeprefix("export-")}
    assert workspace - twins.keys() == set(NO_TWIN)
    assert twins.keys() <= workspace
    assert set().union(*twins.values()) <= api
