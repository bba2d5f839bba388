"""Every route, for the four roles, a stranger and a visitor, in a table that is held against the URLconf: a new route
without a stated rule fails.
"""

import re
import uuid
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver

from features.webhooks.announcements import queue_ping
from surveys.accounts.access import Right
from surveys.accounts.team import invite
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.models import Delivery, DemoAccount, Invitation, Invitee, Membership, Survey, Webhook
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.factories.ticket_surveys import add_tickets
from tests.whole_site.route_permissions import (
    CORE_RULES,
    EVERYBODY,
    LOGGED_IN,
    OF_A_QUESTION,
    OF_A_SURVEY,
    OF_FILES,
    OF_SHEETS,
    POSTED,
    RULES,
    asks_invited,
    is_gone,
    module_of,
    patterns,
    routes,
    state,
)
from tests.whole_site.route_rules import MAY, route_modules

# The statements are the same for all: whether a page is opened to somebody is decided after them.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

METHODS = ["get", "post"]
TOKEN = r'name="csrfmiddlewaretoken" value="\w+"'
# What is asked for where a route is about background answers.
OF_GROUPS = {
    "/compare/linked": "",
    "/groups": "by=region",
    "/model": "outcome=tax:1&explain=region",
    "/table": "rows=tax&columns=region",
    "/compare": "outcome=tax:1&by=region",
    "api/v1/surveys/<slug:slug>/report/weighted": "margins=region:0.5,0.5",
    "/weighted": "region-0=50&region-1=50",
}
OF_VERSIONS = ("/compare/earlier", "/report/trend")
SUBMISSION = (
    "api/v1/surveys/<slug:slug>/responses/"  # anybody may post here: it is where answers arrive
)


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
    survey = create_draft(create_researcher(), import_only=route.endswith(OF_FILES))
    mode = "by-hand" if route.endswith(OF_SHEETS) else "automatic"
    add_yes_no(survey, mode=mode)
    add_yes_no(survey, "other", mode=mode)
    if route.endswith("/invented-answers/"):  # which no other account's surveys have
        DemoAccount.objects.create(user=survey.owner)
    if query(route):
        add_background(survey, cut=True)
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=create_researcher(role), role=role)
    invite(survey=survey, by=survey.owner, role="analyst")
    webhook = Webhook.objects.create(survey=survey, url="https://127.0.0.1/")
    queue_ping(webhook)
    if state(route) == "filling":
        lock_questions(survey)
    elif state(route) != "draft":
        publish_survey(survey)
    if query(route):
        add_responses(survey.instrument, 120, region=[0, 1] * 60)
        close_survey(survey)
        reopen_survey(survey)
    if any(part in route for part in OF_VERSIONS):
        with_an_earlier_version(survey)
    if asks_invited(route):
        add_tickets(survey)
    if state(route) == "closed":
        close_survey(survey)
    survey.refresh_from_db()
    return survey


def with_an_earlier_version(survey: Survey) -> None:
    """Of the same team and questions; both have responses."""
    first = create_draft(survey.owner)
    add_yes_no(first)
    for each in survey.memberships.all():
        Membership.objects.create(survey=first, user=each.user, role=each.role)
    publish_survey(first)
    for version in (first, survey):
        add_responses(version.instrument, 40)
    Survey.objects.filter(pk=survey.pk).update(predecessor=first)


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
    client.force_login(
        survey.owner if person == "owner" else survey.memberships.get(role=person).user
    )


def untouched(survey: Survey) -> bool:
    now = Survey.objects.filter(pk=survey.pk).first()
    if now is None:
        return False
    keys = list(now.questions.values_list("key", flat=True))
    same = (now.status, now.owner_id, now.opens) == (survey.status, survey.owner_id, survey.opens)
    team = now.memberships.filter(role="analyst").count(), now.invitations.count()
    told = now.webhooks.count(), Delivery.objects.filter(attempts=0).count()
    asked = keys in (["tax", "other"], ["tax", "other", "region"])
    return same and asked and team == (1, 1) and told == (1, 1)


def test_every_route_has_a_rule() -> None:
    assert set(routes(get_resolver())) == set(RULES)


def test_each_feature_states_the_routes_of_its_own_pages() -> None:
    stated = {module.__name__.split(".")[1]: module.RULES for module in route_modules()}
    wrong = []
    for route, pattern in patterns(get_resolver()):
        if isinstance(pattern, URLPattern) and module_of(pattern).startswith("features."):
            feature = module_of(pattern).split(".")[1]
            if route not in stated[feature] and route not in CORE_RULES:
                wrong.append(f"{route} is not in features/{feature}/tests/routes.py")
    assert not wrong, "\n".join(wrong)


@dataclass(frozen=True)
class Answer:
    """What one person was answered, and whether the survey is as it was. Whatever it did is undone."""

    status: int
    location: str
    text: str
    is_untouched: bool


def ask(client: Client, method: str, path: str, survey: Survey) -> Answer:
    with transaction.atomic():
        response = getattr(client, method)(path)
        text = (
            ""
            if response.streaming
            else re.sub(TOKEN, "", response.content.decode(errors="replace"))
        )
        answer = Answer(response.status_code, response.get("Location", ""), text, untouched(survey))
        response.close()
        transaction.set_rollback(True)
    return answer


def of_a_role(route: str, person: str, method: str, answer: Answer) -> bool:
    if (route, method) == (SUBMISSION, "post"):
        return answer.status == 415
    needed = POSTED.get(route, RULES[route]) if method == "post" else RULES[route]
    if needed not in MAY[person]:
        return (
            answer.status == 403 or (method == "post" and answer.status == 405)
        ) and answer.is_untouched
    if method == "get" and is_gone(route):
        return answer.status == 410
    if method == "get":
        return answer.status in (200, 302, 405)
    return answer.status in (200, 302, 405, 415, 422, *((400, 409) if route in POSTED else ()))


def of_a_stranger(answer: Answer, of_none: Answer, method: str) -> bool:
    """For whom the survey does not exist: the answer is the one for a survey that there is not."""
    is_hidden = answer.status == 404 or (method == "post" and answer.status == 405)
    return (
        is_hidden
        and answer.is_untouched
        and (answer.status, answer.text) == (of_none.status, of_none.text)
    )


def of_a_visitor(path: str, answer: Answer) -> bool:
    if path.startswith("/api/"):
        return answer.status in (401, 403) and answer.is_untouched
    return (answer.status, answer.location) == (
        302,
        f"/login/?next={quote(path)}",
    ) and answer.is_untouched


def of_an_operator(route: str, method: str, answer: Answer) -> bool:
    """Who owns nothing, reads reports and changes nothing."""
    reading = 200 if RULES[route] == Right.REPORT else 404
    if is_gone(route):
        reading = 410
    allowed = (404, 405, 415) if method == "post" else (reading,)
    return answer.status in allowed and answer.is_untouched


@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_a_route_of_a_survey_opens_to_exactly_those_who_may(route: str) -> None:
    """The four roles, a stranger, a visitor and an operator, reading and posting; all that is wrong is listed."""
    survey = survey_for(route)
    people = {name: Client() for name in (*MAY, "stranger", "visitor", "operator")}
    for person in MAY:
        log_in(people[person], survey, person)
    people["stranger"].force_login(create_researcher("eve"))
    people["operator"].force_login(create_researcher("root", is_staff=True, is_superuser=True))
    path, wrong = address(route, survey.slug), []
    for method in METHODS:
        answers = {person: ask(client, method, path, survey) for person, client in people.items()}
        of_none = ask(people["stranger"], method, address(route, "nosuchsurvey"), survey)
        right = {person: of_a_role(route, person, method, answers[person]) for person in MAY}
        right["operator"] = of_an_operator(route, method, answers["operator"])
        if (route, method) != (SUBMISSION, "post"):
            right["stranger"] = of_a_stranger(answers["stranger"], of_none, method)
            right["visitor"] = of_a_visitor(path, answers["visitor"])
        if route in OF_A_QUESTION:
            missing = ask(people["owner"], method, address(route, survey.slug, "nothing"), survey)
            right["owner, of a question that is not there"] = missing.status == 404
            answers["owner, of a question that is not there"] = missing
        wrong += [
            f"{method} as {name}: {answers[name]}"[:300]
            for name, is_right in right.items()
            if not is_right
        ]
    assert not wrong, "\n".join(wrong)


def test_a_visitor_is_asked_to_log_in() -> None:
    survey, wrong = survey_for("surveys/<slug:slug>/report/"), []
    for route in (route for route, rule in RULES.items() if rule == LOGGED_IN):
        path = address(route, survey.slug).replace("<str:secret>", "secret")
        for method in METHODS:
            if not of_a_visitor(path, answer := ask(Client(), method, path, survey)):
                wrong.append(f"{method} {path}: {answer}"[:300])
    assert not wrong, "\n".join(wrong)


def test_everybody_with_an_account_has_a_list_of_their_own(client: Client) -> None:
    client.force_login(create_researcher("eve"))
    secret = invite(
        survey=create_draft(create_researcher("ada")), by=create_researcher("bob"), role="analyst"
    )
    wrong = []
    for route in (route for route, rule in RULES.items() if rule == LOGGED_IN):
        with transaction.atomic():
            status = client.get(address(route, "").replace("<str:secret>", secret)).status_code
            transaction.set_rollback(True)
        # The code is there while it is being set up, recovery codes once it is. Old addresses lead strangers nowhere.
        is_missing = "<slug:slug>" in route or route.endswith("code.svg")
        if status != (404 if is_missing else 302 if route.endswith("codes/") else 200):
            wrong.append(f"{route}: {status}")
    assert not wrong, "\n".join(wrong)


def test_what_is_open_to_everybody_asks_nobody_to_log_in(client: Client) -> None:
    survey, wrong = survey_for("surveys/<slug:slug>/report/"), []
    for route in (route for route, rule in RULES.items() if rule == EVERYBODY):
        path = (
            address(route, survey.slug)
            .replace("<path:rest>", "no/such")
            .replace("<slug:sha256>", "0" * 64)
        )
        response = client.get(path)
        if response.status_code not in (200, 302, 404, 405) or "/login/" in response.get(
            "Location", ""
        ):
            wrong.append(f"{path}: {response.status_code}")
    assert not wrong, "\n".join(wrong)


def test_only_operators_get_into_the_administration(client: Client) -> None:
    client.force_login(create_researcher())
    assert client.get("/admin/").status_code == 302
    client.force_login(create_researcher("root", is_staff=True, is_superuser=True))
    assert client.get("/admin/").status_code == 200


def test_the_list_shows_only_ones_own(client: Client) -> None:
    create_draft(create_researcher("eve"), title="Eve’s secret")
    ada = create_researcher()
    create_draft(ada, title="Ada’s own")
    client.force_login(ada)
    page = client.get("/surveys/").content.decode()
    assert "Ada’s own" in page
    assert "secret" not in page
