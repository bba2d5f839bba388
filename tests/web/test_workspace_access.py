"""Every route, for the four roles, a stranger and a visitor, in a table that is held against the URLconf: a new route
without a stated rule fails.
"""

import re
import uuid
from urllib.parse import quote

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver

from surveys.accounts.access import Right
from surveys.accounts.team import invite
from surveys.fieldwork.lifecycle import prepare, publish
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.models import Delivery, Invitation, Invitee, Membership, Survey, Webhook
from surveys.webhooks.announcements import queue_ping
from tests.answered import answered
from tests.invited import with_tickets
from tests.making import background, draft, researcher, yes_no
from tests.routes import (
    EVERYBODY,
    LOGGED_IN,
    OF_A_QUESTION,
    OF_A_SURVEY,
    OF_FILES,
    RULES,
    asks_invited,
    routes,
    state,
)

# The statements are the same for all: whether a page is opened to somebody is decided after them.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

# What each may do, written down once more, apart from the code that decides it.
MAY = {
    "owner": {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT, Right.ROWS, Right.OWN},
    "editor": {Right.SEE, Right.WRITE, Right.INVITE, Right.REPORT},
    "analyst": {Right.SEE, Right.REPORT},
    "exporter": {Right.SEE, Right.REPORT, Right.ROWS},
}
METHODS = ["get", "post"]
# Where more is needed to post than to read. The surveys here have no written answers: 409.
POSTED = {route: Right.WRITE for route in RULES if route.endswith("/candidates/")}
# What is asked for where a route is about background answers.
OF_GROUPS = {
    "/groups": "by=region",
    "/model": "outcome=tax:1&explain=region",
    "/table": "rows=tax&columns=region",
    "/compare": "outcome=tax:1&by=region",
    "api/v1/surveys/<slug:slug>/report/weighted": "margins=region:0.5,0.5",
    "/weighted": "region-0=50&region-1=50",
}
SUBMISSION = "api/v1/surveys/<slug:slug>/responses/"  # anybody may post here: it is where answers arrive


@pytest.fixture(autouse=True)
def _sends_mail(settings: object) -> None:
    """Nothing is sent; without a server the site would not even let mails wait."""
    settings.EMAIL_URL = "smtp://127.0.0.1:1"


def query(route: str) -> str:
    return next((asked for part, asked in OF_GROUPS.items() if part in route), "")


def survey_for(route: str) -> Survey:
    """Ada's survey with the questions "tax" and "other", in the state that the route is for, with a team.

    With groups to compare, by "region", where the route is about these; it was closed, and is open again.
    """
    survey = draft(researcher(), import_only=route.endswith(OF_FILES))
    yes_no(survey)
    yes_no(survey, "other")
    if query(route):
        background(survey, cut=True)
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=researcher(role), role=role)
    invite(survey=survey, by=survey.owner, role="analyst")
    webhook = Webhook.objects.create(survey=survey, url="https://127.0.0.1/")
    queue_ping(webhook)
    if state(route) == "filling":
        prepare(survey)
    elif state(route) != "draft":
        publish(survey)
    if query(route):
        answered(survey.instrument, 120, region=[0, 1] * 60)
        close_survey(survey)
        reopen_survey(survey)
    if asks_invited(route):
        with_tickets(survey)
    if state(route) == "closed":
        close_survey(survey)
    survey.refresh_from_db()
    return survey


def address(route: str, slug: str, key: str = "tax") -> str:
    """The analyst's membership, the one invitation, or the one invitee, stands for every <uuid:pk>."""
    path = "/" + route.replace("<slug:slug>", slug).replace("<slug:key>", key)
    for name, model in (("<uuid:webhook>", Webhook), ("<uuid:delivery>", Delivery)):
        path = path.replace(name, str(getattr(model.objects.first(), "pk", uuid.uuid4())))
    of_team = Invitation if "invitations" in path else Membership.objects.filter(role="analyst")
    of_team = Invitee if asks_invited(route) else of_team
    found = getattr(of_team, "objects", of_team).first()
    path = path.replace("<uuid:pk>", str(found.pk if found else uuid.uuid4()))
    return f"{path}?{asked}" if (asked := query(route)) else path


def log_in(client: Client, survey: Survey, person: str) -> None:
    client.force_login(survey.owner if person == "owner" else survey.memberships.get(role=person).user)


def untouched(survey: Survey) -> bool:
    now = Survey.objects.get(pk=survey.pk)
    keys = list(now.questions.values_list("key", flat=True))
    same = (now.status, now.owner_id, now.opens) == (survey.status, survey.owner_id, survey.opens)
    team = now.memberships.filter(role="analyst").count(), now.invitations.count()
    told = now.webhooks.count(), Delivery.objects.filter(attempts=0).count()
    asked = keys in (["tax", "other"], ["tax", "other", "region"])
    return same and asked and team == (1, 1) and told == (1, 1)


def without_token(response: HttpResponse) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


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
    elif (POSTED.get(route) if method == "post" and route in POSTED else RULES[route]) not in MAY[person]:
        assert status == 403 or (method == "post" and status == 405)
        assert untouched(survey)
    elif method == "get":
        assert status in (200, 302, 405)
    else:
        assert status in (200, 302, 405, 409 if route in POSTED else 405, 415, 422)


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
        assert (response.status_code, response["Location"]) == (302, f"/login/?next={quote(path)}")
    assert untouched(survey)


@pytest.mark.parametrize("route", [route for route, rule in RULES.items() if rule == LOGGED_IN])
def test_everybody_with_an_account_has_a_list_of_their_own(client: Client, route: str) -> None:
    client.force_login(researcher("eve"))
    secret = invite(survey=draft(researcher("ada")), by=researcher("bob"), role="analyst")
    status = client.get(address(route, "").replace("<str:secret>", secret)).status_code
    # The code is there while it is being set up, recovery codes once it is; the greeting stands on the list.
    assert status == (404 if route.endswith("code.svg") else 302 if route.endswith(("codes/", "greeting/")) else 200)


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
