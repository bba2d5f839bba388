"""Every route, for the four roles, a stranger and a visitor, in a table that is held against the URLconf: a new route
without a stated rule fails.
"""

import re
import uuid
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from surveys.ballots.closing import close_survey
from surveys.models import Invitation, Membership, Survey
from surveys.people.access import Right
from surveys.people.team import invite
from surveys.publishing.lifecycle import publish
from tests.making import draft, researcher, yes_no

pytestmark = pytest.mark.django_db

EVERYBODY, LOGGED_IN, OPERATORS = "everybody", "everybody who is logged in", "operators"
BY_PROGRAM = "these take no GET; tests/api/test_roles.py says who may"
STEPS = ("publish", "pause", "close", "reopen", "duplicate", "prepare", "version", "rehearsal", "team/invitations")
# Files that can be downloaded, from the workspace as by program: those with responses, and those about them.
WITH_ROWS = ("everything.zip", "responses.csv", "responses-excel.csv", "responses.jsonl", "responses.parquet")
WITHOUT_ROWS = ("codebook.md", "codebook.json", "analysis.R", "import.sps", "import.do")
RULES = {
    "": EVERYBODY,
    "login/": EVERYBODY,
    "logout/": EVERYBODY,
    "account/two-factor/": LOGGED_IN,
    "account/two-factor/code.svg": LOGGED_IN,
    "leave/": EVERYBODY,
    "trust/": EVERYBODY,
    "trust/scripts.sha256": EVERYBODY,
    "trust/<slug:slug>/": EVERYBODY,
    "admin/login/": OPERATORS,
    "admin/": OPERATORS,
    "s/": EVERYBODY,
    "s/<slug:slug>/": EVERYBODY,
    "s/<path:rest>/": EVERYBODY,
    "surveys/": LOGGED_IN,
    "surveys/new/": LOGGED_IN,
    "surveys/<slug:slug>/": Right.SEE,
    "surveys/import/": LOGGED_IN,
    "surveys/ready/": LOGGED_IN,
    "surveys/join/<str:secret>/": LOGGED_IN,
    "surveys/<slug:slug>/survey.json": Right.SEE,
    "surveys/<slug:slug>/duplicate/": Right.SEE,
    "surveys/<slug:slug>/version/": Right.WRITE,
    "surveys/<slug:slug>/rehearsal/": Right.SEE,
    "surveys/<slug:slug>/schedule/": Right.WRITE,
    "surveys/<slug:slug>/poster/": Right.SEE,
    "surveys/<slug:slug>/qr.svg": Right.SEE,
    "surveys/<slug:slug>/count/": Right.SEE,
    "surveys/<slug:slug>/history/": Right.SEE,
    "surveys/<slug:slug>/team/": Right.OWN,
    "surveys/<slug:slug>/team/invitations/<uuid:pk>/withdraw/": Right.OWN,
    "surveys/<slug:slug>/team/<uuid:pk>/remove/": Right.OWN,
    "surveys/<slug:slug>/team/<uuid:pk>/transfer/": Right.OWN,
    "surveys/<slug:slug>/pause/": Right.WRITE,
    "surveys/<slug:slug>/edit/": Right.WRITE,
    "surveys/<slug:slug>/delete/": Right.OWN,
    "surveys/<slug:slug>/questions/new/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/delete/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/duplicate/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/move/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/up/": Right.WRITE,
    "surveys/<slug:slug>/questions/<slug:key>/down/": Right.WRITE,
    "surveys/<slug:slug>/preview/": Right.SEE,
    "surveys/<slug:slug>/prepare/": Right.WRITE,
    "surveys/<slug:slug>/publish/": Right.WRITE,
    "surveys/<slug:slug>/close/": Right.WRITE,
    "surveys/<slug:slug>/reopen/": Right.WRITE,
    "surveys/<slug:slug>/report/": Right.REPORT,
    "surveys/<slug:slug>/report/shares.csv": Right.REPORT,
    "surveys/<slug:slug>/report/methods.txt": Right.REPORT,
    "surveys/<slug:slug>/report/quality/": Right.REPORT,
    "surveys/<slug:slug>/report/quality.csv": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.csv": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.svg": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/shares.png": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/likelihood.svg": Right.REPORT,
    "surveys/<slug:slug>/report/<slug:key>/likelihood.png": Right.REPORT,
    "surveys/<slug:slug>/responses.csv": Right.ROWS,
    "api/v1/surveys/": LOGGED_IN,
    "api/v1/surveys/<slug:slug>/": Right.SEE,
    "api/v1/surveys/<slug:slug>/instrument/": EVERYBODY,
    "api/v1/surveys/<slug:slug>/report/": Right.REPORT,
    "api/v1/surveys/<slug:slug>/responses/": Right.ROWS,
    "api/v1/surveys/<slug:slug>/file/": Right.SEE,
    "api/v1/surveys/<slug:slug>/preview/": Right.SEE,
    "api/v1/surveys/<slug:slug>/budget/": Right.SEE,
    "api/v1/surveys/<slug:slug>/schedule/": Right.SEE,  # to read; to PUT takes Right.WRITE
    "api/v1/surveys/<slug:slug>/link/": Right.SEE,
    "api/v1/surveys/<slug:slug>/qr.svg": Right.SEE,
    "api/v1/surveys/<slug:slug>/count/": Right.SEE,
    "api/v1/surveys/<slug:slug>/history/": Right.SEE,
    "api/v1/surveys/<slug:slug>/team/": Right.OWN,
    "api/v1/surveys/<slug:slug>/team/invitations/<uuid:pk>/": BY_PROGRAM,
    "api/v1/surveys/<slug:slug>/team/<uuid:pk>/": BY_PROGRAM,
    "api/v1/surveys/<slug:slug>/team/<uuid:pk>/transfer/": BY_PROGRAM,
    "api/v1/join/<str:secret>/": LOGGED_IN,
    "api/v1/ready/": LOGGED_IN,
    "api/v1/ready/<slug:key>/": BY_PROGRAM,
    "api/v1/files/": BY_PROGRAM,
    "api/v1/schema/": EVERYBODY,
    "surveys/<slug:slug>/export/": Right.REPORT,
    **{f"surveys/<slug:slug>/export/{name}": Right.ROWS for name in WITH_ROWS},
    **{f"surveys/<slug:slug>/export/{name}": Right.REPORT for name in WITHOUT_ROWS},
    **{f"api/v1/surveys/<slug:slug>/export/{name}": Right.ROWS for name in WITH_ROWS},
    **{f"api/v1/surveys/<slug:slug>/export/{name}": Right.REPORT for name in WITHOUT_ROWS},
    "surveys/tokens/": LOGGED_IN,
    "api/v1/docs/": EVERYBODY,
    "api/v1/surveys/<slug:slug>/tallies/": Right.REPORT,
    **{
        f"api/v1/surveys/<slug:slug>/report/{part}": Right.REPORT
        for part in (
            *("shares.csv", "methods.txt", "quality/", "<slug:key>/shares.svg", "<slug:key>/shares.png"),
            *("<slug:key>/likelihood.svg", "<slug:key>/likelihood.png"),
        )
    },
    "api/v1/instruments/<slug:sha256>/": EVERYBODY,
    "api/v1/<path:rest>": EVERYBODY,
    "api/v1/planning/": BY_PROGRAM,
    "api/v1/xlsform/": BY_PROGRAM,
    "api/v1/simulation/": BY_PROGRAM,
    "api/v1/tokens/": LOGGED_IN,
    "api/v1/tokens/<uuid:pk>/": BY_PROGRAM,
    **{f"api/v1/surveys/<slug:slug>/{step}/": BY_PROGRAM for step in STEPS},
}

# What each may do, written down once more, apart from the code that decides it.
MAY = {
    "owner": {Right.SEE, Right.WRITE, Right.REPORT, Right.ROWS, Right.OWN},
    "editor": {Right.SEE, Right.WRITE, Right.REPORT},
    "analyst": {Right.SEE, Right.REPORT},
    "exporter": {Right.SEE, Right.REPORT, Right.ROWS},
}
OF_A_SURVEY = [route for route, rule in RULES.items() if isinstance(rule, Right)]
OF_A_QUESTION = [route for route in OF_A_SURVEY if "questions/<slug:key>" in route]
OF_PUBLISHED = (
    "report",
    "responses",
    "export/",
    "tallies/",
    "close/",
    "pause/",
    "version/",
    "poster/",
    "qr.svg",
    "count/",
    "link/",
)
OF_FILES = ("prepare/",)  # of surveys that take their responses from files
METHODS = ["get", "post"]
SUBMISSION = "api/v1/surveys/<slug:slug>/responses/"  # anybody may post here: it is where answers arrive


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if route == "admin/" or isinstance(pattern, URLPattern):
            yield route
        else:
            yield from routes(pattern, route)


def state(route: str) -> str:
    last = route.removeprefix("api/v1/").removeprefix("surveys/<slug:slug>/")
    return "closed" if last == "reopen/" else "open" if last.startswith(OF_PUBLISHED) else "draft"


def survey_for(route: str) -> Survey:
    """Ada's survey with the questions "tax" and "other", in the state that the route is for, with a team."""
    survey = draft(researcher(), import_only=route.endswith(OF_FILES))
    yes_no(survey)
    yes_no(survey, "other")
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=researcher(role), role=role)
    invite(survey=survey, by=survey.owner, role="analyst")
    if state(route) != "draft":
        publish(survey)
    if state(route) == "closed":
        close_survey(survey)
    survey.refresh_from_db()
    return survey


def address(route: str, slug: str, key: str = "tax") -> str:
    """The analyst's membership, or the one invitation, stands for every <uuid:pk>."""
    path = "/" + route.replace("<slug:slug>", slug).replace("<slug:key>", key)
    of_team = Invitation if "invitations" in path else Membership.objects.filter(role="analyst")
    found = getattr(of_team, "objects", of_team).first()
    return path.replace("<uuid:pk>", str(found.pk if found else uuid.uuid4()))


def log_in(client: Client, survey: Survey, person: str) -> None:
    client.force_login(survey.owner if person == "owner" else survey.memberships.get(role=person).user)


def untouched(survey: Survey) -> bool:
    now = Survey.objects.get(pk=survey.pk)
    keys = list(now.questions.values_list("key", flat=True))
    same = (now.status, now.owner_id, now.opens) == (survey.status, survey.owner_id, survey.opens)
    team = now.memberships.filter(role="analyst").count(), now.invitations.count()
    return same and keys == ["tax", "other"] and team == (1, 1)


def test_every_route_has_a_rule() -> None:
    assert set(routes(get_resolver())) == set(RULES)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("person", MAY)
@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_a_role_opens_exactly_what_it_may(client: Client, route: str, person: str, method: str) -> None:
    survey = survey_for(route)
    log_in(client, survey, person)
    status = getattr(client, method)(address(route, survey.slug)).status_code
    if (route, method) == (SUBMISSION, "post"):
        assert status == 415
    elif RULES[route] not in MAY[person]:
        assert status == 403 or (method == "post" and status == 405)
        assert untouched(survey)
    elif method == "get":
        assert status in (200, 302, 405)
    else:
        assert status in (200, 302, 405, 422)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_for_a_stranger_the_survey_does_not_exist(client: Client, route: str, method: str) -> None:
    survey = survey_for(route)
    client.force_login(researcher("eve"))
    theirs = getattr(client, method)(address(route, survey.slug))
    nobodys = getattr(client, method)(address(route, "nosuchsurvey"))
    assert untouched(survey)
    if (route, method) != (SUBMISSION, "post"):
        assert theirs.status_code == nobodys.status_code
        assert theirs.status_code == 404 or (method == "post" and theirs.status_code == 405)
        assert without_token(theirs) == without_token(nobodys)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule == LOGGED_IN or route in OF_A_SURVEY])
def test_a_visitor_is_asked_to_log_in(client: Client, route: str, method: str) -> None:
    survey = survey_for(route)
    path = address(route, survey.slug).replace("<str:secret>", "secret")
    if (route, method) == (SUBMISSION, "post"):
        return
    response = getattr(client, method)(path)
    if path.startswith("/api/"):
        assert response.status_code in (401, 403)
    else:
        assert (response.status_code, response["Location"]) == (302, f"/login/?next={path}")
    assert untouched(survey)


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule == LOGGED_IN])
def test_everybody_with_an_account_has_a_list_of_their_own(client: Client, route: str) -> None:
    client.force_login(researcher("eve"))
    secret = invite(survey=draft(researcher("ada")), by=researcher("bob"), role="analyst")
    status = client.get(address(route, "").replace("<str:secret>", secret)).status_code
    assert status == (404 if route.endswith("code.svg") else 200)  # the code is there while it is being set up


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule == EVERYBODY])
def test_what_is_open_to_everybody_asks_nobody_to_log_in(client: Client, route: str) -> None:
    survey = survey_for("surveys/<slug:slug>/report/")
    response = client.get(
        address(route, survey.slug).replace("<path:rest>", "no/such").replace("<slug:sha256>", "0" * 64)
    )
    assert response.status_code in (200, 302, 404, 405)
    assert "/login/" not in response.get("Location", "")


@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_an_operator_who_owns_nothing_reads_reports_and_changes_nothing(client: Client, route: str) -> None:
    survey = survey_for(route)
    client.force_login(researcher("root", is_staff=True, is_superuser=True))
    status = client.get(address(route, survey.slug)).status_code
    assert status == (200 if RULES[route] == Right.REPORT else 404)
    assert client.post(address(route, survey.slug)).status_code in (404, 405, 415)
    assert untouched(survey)


def test_only_operators_get_into_the_administration(client: Client) -> None:
    client.force_login(researcher())
    assert client.get("/admin/").status_code == 302
    client.force_login(researcher("root", is_staff=True, is_superuser=True))
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize("route", OF_A_QUESTION)
def test_a_question_that_is_not_there_is_not_found(client: Client, route: str) -> None:
    survey = survey_for(route)
    client.force_login(survey.owner)
    assert client.get(address(route, survey.slug, "nothing")).status_code == 404
    assert client.post(address(route, survey.slug, "nothing")).status_code == 404


def test_the_list_shows_only_ones_own(client: Client) -> None:
    draft(researcher("eve"), title="Eve’s secret")
    ada = researcher()
    draft(ada, title="Ada’s own")
    client.force_login(ada)
    page = client.get("/surveys/").content.decode()
    assert "Ada’s own" in page
    assert "secret" not in page


def test_every_form_needs_its_token() -> None:
    client = Client(enforce_csrf_checks=True)
    survey = survey_for("")
    client.force_login(survey.owner)
    response = client.post(f"/surveys/{survey.slug}/publish/")
    assert response.status_code == 403
    assert "Please send it again" in response.content.decode()
    assert Survey.objects.get().is_draft


def test_pages_keep_the_workspace_policy(client: Client) -> None:
    survey = survey_for("")
    client.force_login(survey.owner)
    for rest in ("", "questions/new/"):
        response = client.get(f"/surveys/{survey.slug}/{rest}")
        policy = response["Content-Security-Policy"]
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert response["Referrer-Policy"] == "same-origin"
        assert "private" in response["Cache-Control"]
        page = response.content.decode()
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count('<script type="importmap"') + page.count("integrity=")


def test_logging_in_and_out(client: Client) -> None:
    researcher()
    assert "Nobody needs an account to answer" in client.get("/login/").content.decode()
    wrong = client.post("/login/", {"username": "ada", "password": "x"}).content.decode()
    assert "The username or the password is wrong" in wrong
    assert 'value="ada"' in wrong
    right = client.post("/login/", {"username": "ada", "password": "correct horse", "next": "/surveys/new/"})
    assert right["Location"] == "/surveys/new/"
    elsewhere = Client().post(
        "/login/", {"username": "ada", "password": "correct horse", "next": "https://evil.example/"}
    )
    assert elsewhere["Location"] == "/surveys/"
    assert client.post("/logout/")["Location"] == "/"
    assert client.get("/surveys/").status_code == 302


@pytest.mark.parametrize("path", ["/", "/login/", "/nowhere/"])
def test_open_pages_ask_for_nothing_and_set_no_session(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == (404 if path == "/nowhere/" else 200)
    assert "sessionid" not in response.cookies


def test_far_too_long_a_text_gets_a_page(client: Client) -> None:
    client.force_login(researcher())
    response = client.post("/surveys/new/", {"title": "Long", "introduction": "x" * 2_000_000})
    assert response.status_code == 400
    assert "It is too long or damaged" in response.content.decode()


def test_a_fault_of_ours_gets_a_page_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(researcher())
    client.raise_request_exception = False
    monkeypatch.setattr("surveys.workspace.surveys.surveys_of", None)
    response = client.get("/surveys/")
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()


def without_token(response: HttpResponse) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
