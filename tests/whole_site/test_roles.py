"""Who may do what by program: each request in each role, for a stranger and a visitor."""

import json

import pytest
from django.db import transaction
from django.test import Client

from features.response_import import staging
from features.shared_reports import links
from features.webhooks.announcements import queue_ping
from surveys.accounts.access import Right
from surveys.accounts.team import invite
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Delivery, Instrument, Membership, Survey, Webhook
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import add_yes_no, create_draft, create_published, create_researcher
from tests.factories.ticket_surveys import add_tickets
from tests.whole_site.route_rules import MAY, ApiRequest, feature_requests

# Whether a request is let in is decided after the same few statements each time; what each writes has tests of its own.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

FILE = b"tax\n1\n0\n"
CORE_REQUESTS = [
    ApiRequest("get", "", Right.SEE),
    ApiRequest("put", "", Right.WRITE, body={"title": "Other"}),
    ApiRequest("patch", "", Right.WRITE, body={"title": "Other"}),
    ApiRequest("delete", "", Right.MANAGE),
    ApiRequest("post", "publish/", Right.WRITE),
    ApiRequest("post", "duplicate/", Right.SEE),
    ApiRequest("get", "file/", Right.SEE),
    ApiRequest("get", "preview/", Right.SEE),
    ApiRequest("get", "protection/", Right.SEE),
    ApiRequest("get", "history/", Right.SEE),
    ApiRequest("get", "schedule/", Right.SEE),
    ApiRequest("put", "schedule/", Right.WRITE, body={"target": 400}),
    ApiRequest("get", "team/", Right.MANAGE),
    ApiRequest("post", "team/invitations/", Right.MANAGE, body={"role": "analyst"}),
    ApiRequest("delete", "team/invitations/<invitation>/", Right.MANAGE),
    ApiRequest("delete", "team/<member>/", Right.MANAGE),
    ApiRequest("post", "team/<member>/transfer/", Right.MANAGE),
    ApiRequest("post", "version/", Right.WRITE, "open"),
    ApiRequest("get", "link/", Right.SEE, "open"),
    ApiRequest("get", "qr.svg", Right.SEE, "open"),
    ApiRequest("get", "qr.png", Right.SEE, "open"),
    ApiRequest("get", "count/", Right.SEE, "open"),
    ApiRequest("get", "report/quality/", Right.REPORT, "open"),
    ApiRequest("get", "report/methods.txt", Right.REPORT, "open"),
    ApiRequest("get", "report/tax/readings/", Right.REPORT, "open"),
    ApiRequest("get", "report/shares.csv", Right.REPORT, "open"),
    ApiRequest("get", "report/tax/shares.svg", Right.REPORT, "open"),
    ApiRequest("get", "report/tax/likelihood.png", Right.REPORT, "open"),
    ApiRequest("post", "pause/", Right.WRITE, "open"),
    ApiRequest("post", "unarchive/", Right.MANAGE, "open"),
    ApiRequest("post", "archive/", Right.MANAGE, "closed"),
    ApiRequest("post", "close/", Right.WRITE, "open"),
    ApiRequest("get", "report/", Right.REPORT, "open"),
    ApiRequest("get", "tallies/", Right.REPORT, "open"),
    ApiRequest("get", "responses/", Right.ROWS, "open"),
    ApiRequest("get", "export/", Right.REPORT, "open"),
    ApiRequest("get", "export/everything.zip", Right.ROWS, "open"),
    ApiRequest("get", "export/codebook.json", Right.REPORT, "open"),
]
REQUESTS = [*CORE_REQUESTS, *feature_requests()]


@pytest.fixture(autouse=True)
def _sends_mail(settings: object) -> None:
    """Nothing is sent; without a server the site would not even let mails wait."""
    settings.EMAIL_URL = "smtp://127.0.0.1:1"


def survey_with_team(state: str) -> Survey:
    """Return Ada's survey in a state of an ApiRequest, with one of each thing that requests are about."""
    if state == "filling":
        survey = with_a_file(create_draft(create_researcher(), import_only=True))
    elif state == "draft":
        survey = create_draft(create_researcher())
        add_yes_no(survey)
    else:
        survey = create_published().survey
    if state.startswith("invited"):
        add_tickets(survey)
    if state.endswith("closed"):
        Survey.objects.update(status="closed")
        survey.refresh_from_db()
    if state == "closed":
        add_invented_responses(survey.instrument, 45)
        links.create(survey=survey, by=survey.owner)
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=create_researcher(role), role=role)
    invite(survey=survey, by=survey.owner, role="analyst")
    queue_ping(Webhook.objects.create(survey=survey, url="https://127.0.0.1/"))
    return survey


def with_a_file(survey: Survey) -> Survey:
    """It takes files and has a sheet, and one file has come but is not finished."""
    add_yes_no(survey, mode="by-hand")
    lock_questions(survey)
    survey.refresh_from_db()
    staging.add(staging.begin(survey, survey.owner), 1, FILE)
    return survey


def address(survey: Survey, part: str) -> str:
    part = part.replace("<member>", str(survey.memberships.order_by("pk").last().pk))
    part = part.replace("<webhook>", str(survey.webhooks.get().pk)).replace(
        "<delivery>", str(Delivery.objects.get().pk)
    )
    if "<import>" in part:
        part = part.replace("<import>", str(survey.imports.get().pk))
    if "<link>" in part:
        part = part.replace("<link>", str(survey.report_links.get().pk))
    if "<invitee>" in part:
        part = part.replace("<invitee>", str(survey.invitees.get().pk))
    part = part.replace("<invitation>", str(survey.invitations.get().pk)) if "<" in part else part
    return f"/api/v1/surveys/{survey.slug}/{part}"


def send(client: Client, survey: Survey, request: ApiRequest) -> int:
    """Send a request, and return the status of the answer."""
    path = address(survey, request.part)
    if request.method == "get":
        return client.get(path).status_code
    body, kind = json.dumps(request.body), "application/json"
    if "/parts/" in request.part:
        body, kind = FILE.decode(), "text/csv"
    answer = getattr(client, request.method)(path, body, content_type=kind)
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_each_may_do_exactly_what_it_says(request_: ApiRequest) -> None:
    """In each role; for a stranger it does not exist, a visitor needs a token. What each did is undone."""
    survey = survey_with_team(request_.state)
    clients = {
        role: client_of(survey.memberships.get(role=role).user) for role in MAY if role != "owner"
    }
    clients |= {
        "owner": client_of(survey.owner),
        "stranger": client_of(create_researcher("eve")),
        "visitor": Client(),
    }
    wrong, before = [], trace()
    for person, client in clients.items():
        with transaction.atomic():
            answer = send(client, survey, request_)
            is_untouched = answer in (200, 201, 202, 204) or trace() == before
            transaction.set_rollback(True)
        refusal = {"stranger": 404, "visitor": 401}.get(person, 403)
        allowed = (200, 201, 202, 204) if request_.right in MAY.get(person, ()) else (refusal,)
        if answer not in allowed or not is_untouched:
            wrong.append(f"{person}: {answer}, not {allowed}; untouched: {is_untouched}")
    assert not wrong, "\n".join(wrong)


def trace() -> list[object]:
    """What a request that is refused must not change."""
    survey = Survey.objects.get()
    return [
        *(survey.title, survey.status, survey.owner_id, survey.target, Instrument.objects.count()),
        *(
            set(survey.memberships.values_list("pk", "role")),
            survey.invitations.count(),
            survey.events.count(),
        ),
        *(survey.imports.values_list("state", "parts").first(), survey.imports.count()),
        *(set(survey.invitees.values_list("digest", flat=True)), survey.tickets),
        set(survey.report_links.values_list("sha256", flat=True)),
        *(survey.webhooks.count(), Delivery.objects.filter(attempts=0).count()),
    ]


OF_NO_SURVEY = (
    "planning/",
    "simulation/",
    "trusted-server/",
    "tokens/",
    "ready/tax/",
    "files/",
    "join/secret/",
)


@pytest.mark.parametrize("part", OF_NO_SURVEY)
def test_what_belongs_to_no_survey_needs_an_account(part: str) -> None:
    assert Client().post(f"/api/v1/{part}", {}, content_type="application/json").status_code == 401
