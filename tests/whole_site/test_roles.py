"""Who may do what by program: each request in each role, for a stranger and a visitor."""

import json

import pytest
from django.db import transaction
from django.test import Client

from features.response_import import staging
from features.shared_reports import links
from features.webhooks.announcements import queue_ping
from surveys.accounts.team import invite
from surveys.fieldwork.lifecycle import prepare
from surveys.models import Delivery, Instrument, Membership, Survey, Webhook
from tests.api.test_reading import client_of
from tests.factories.many_responses import fill
from tests.factories.surveys import draft, published, researcher, yes_no
from tests.factories.ticket_surveys import with_tickets

# Whether a request is let in is decided after the same few statements each time; what each writes has tests of its own.
pytestmark = [pytest.mark.django_db, pytest.mark.once]

SEE, WRITE, INVITE, REPORT, ROWS, OWN = "see", "write", "invite", "report", "rows", "own"
MAY = {
    "owner": {SEE, WRITE, INVITE, REPORT, ROWS, OWN},
    "editor": {SEE, WRITE, INVITE, REPORT},
    "analyst": {SEE, REPORT},
    "exporter": {SEE, REPORT, ROWS},
}
FILE = b"tax\n1\n0\n"
# (method, path below the survey, what it takes, whether the survey is published or takes files)
REQUESTS = [
    ("get", "", SEE, False),
    ("put", "", WRITE, False),
    ("patch", "", WRITE, False),
    ("delete", "", OWN, False),
    ("post", "publish/", WRITE, False),
    ("post", "duplicate/", SEE, False),
    ("get", "file/", SEE, False),
    ("get", "preview/", SEE, False),
    ("get", "languages/", SEE, False),
    ("put", "languages/", WRITE, False),
    ("patch", "languages/", WRITE, False),
    ("get", "texts.csv", SEE, False),
    ("get", "xlsform/", SEE, False),
    ("get", "protection/", SEE, False),
    ("post", "rehearsal/", SEE, False),
    ("get", "history/", SEE, False),
    ("get", "schedule/", SEE, False),
    ("put", "schedule/", WRITE, False),
    ("get", "ethics/", SEE, False),
    ("get", "public/", SEE, "closed"),
    ("put", "public/", WRITE, "closed"),
    ("get", "team/", OWN, False),
    ("post", "team/invitations/", OWN, False),
    ("delete", "team/invitations/<invitation>/", OWN, False),
    ("delete", "team/<member>/", OWN, False),
    ("post", "team/<member>/transfer/", OWN, False),
    ("get", "webhooks/", WRITE, False),
    ("post", "webhooks/", WRITE, False),
    ("get", "webhooks/<webhook>/", WRITE, False),
    ("delete", "webhooks/<webhook>/", WRITE, False),
    ("post", "webhooks/<webhook>/ping/", WRITE, False),
    ("get", "webhooks/<webhook>/deliveries/", WRITE, False),
    ("post", "webhooks/<webhook>/deliveries/<delivery>/again/", WRITE, False),
    ("get", "steps/", SEE, False),
    ("put", "steps/", WRITE, False),
    ("get", "invitees/", INVITE, "invited"),
    ("post", "invitees/", INVITE, "invited"),
    ("delete", "invitees/", INVITE, False),
    ("delete", "invitees/<invitee>/", INVITE, "invited"),
    ("get", "invitees/links.csv", INVITE, "invited"),
    ("post", "invitees/mail/", INVITE, "invited"),
    ("post", "invitees/remind/", INVITE, "invited"),
    ("post", "invitees/<invitee>/replace/", INVITE, "invited"),
    ("post", "finish/", INVITE, "invited and closed"),
    ("post", "version/", WRITE, True),
    ("get", "link/", SEE, True),
    ("get", "qr.svg", SEE, True),
    ("get", "qr.png", SEE, True),
    ("get", "count/", SEE, True),
    ("get", "report/links/", SEE, "closed"),
    ("post", "report/links/", WRITE, "closed"),
    ("delete", "report/links/<link>/", WRITE, "closed"),
    ("post", "report/links/<link>/renew/", WRITE, "closed"),
    ("get", "report/quality/", REPORT, True),
    ("get", "report/methods.txt", REPORT, True),
    ("get", "report/tax/readings/", REPORT, True),
    ("get", "report/tax/candidates/", REPORT, True),
    ("get", "report/tax/candidates.csv", REPORT, True),
    ("get", "report/shares.csv", REPORT, True),
    ("get", "report/tax/shares.svg", REPORT, True),
    ("get", "report/tax/likelihood.png", REPORT, True),
    ("get", "sheet/entry.csv", SEE, "filling"),
    ("get", "sheet/entry.xlsx", SEE, "filling"),
    ("get", "imports/", WRITE, "filling"),
    ("post", "imports/", WRITE, "filling"),
    ("get", "imports/<import>/", WRITE, "filling"),
    ("put", "imports/<import>/parts/1/", WRITE, "filling"),
    ("post", "imports/<import>/finish/", WRITE, "filling"),
    ("delete", "imports/<import>/", WRITE, "filling"),
    ("post", "pause/", WRITE, True),
    ("post", "unarchive/", OWN, True),
    ("post", "archive/", OWN, "closed"),
    ("post", "close/", WRITE, True),
    ("get", "report/", REPORT, True),
    ("get", "tallies/", REPORT, True),
    ("get", "responses/", ROWS, True),
    ("get", "export/", REPORT, True),
    ("get", "export/everything.zip", ROWS, True),
    ("get", "export/codebook.json", REPORT, True),
]
BODIES = {
    ("post", "imports/<import>/finish/"): {"parts": 1},
    ("put", ""): {"title": "Other"},
    ("patch", ""): {"title": "Other"},
    ("put", "schedule/"): {"target": 400},
    ("put", "public/"): {"public": False},
    ("put", "languages/"): {"languages": ["en", "de"]},
    ("patch", "languages/"): {"texts": []},
    ("post", "team/invitations/"): {"role": "analyst"},
    ("put", "steps/"): {"tickets": "one"},
    ("post", "invitees/"): {"people": [{"label": "Zoe"}]},
    ("post", "finish/"): {"confirm": "A survey"},
    ("post", "webhooks/"): {"url": "https://example.org/", "events": ["survey.closed"]},
}


@pytest.fixture(autouse=True)
def _sends_mail(settings: object) -> None:
    """Nothing is sent; without a server the site would not even let mails wait."""
    settings.EMAIL_URL = "smtp://127.0.0.1:1"


def survey_with_team(*, is_published: bool | str) -> Survey:
    if is_published == "filling":
        survey = with_a_file(draft(researcher(), import_only=True))
    else:
        survey = published().survey if is_published else draft(researcher())
    if str(is_published).startswith("invited"):
        with_tickets(survey)
    if str(is_published).endswith("closed"):
        Survey.objects.update(status="closed")
        survey.refresh_from_db()
    if is_published == "closed":
        fill(survey.instrument, 45)
        links.create(survey=survey, by=survey.owner)
    if not is_published:
        yes_no(survey)
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=researcher(role), role=role)
    invite(survey=survey, by=survey.owner, role="analyst")
    queue_ping(Webhook.objects.create(survey=survey, url="https://127.0.0.1/"))
    return survey


def with_a_file(survey: Survey) -> Survey:
    """It takes files and has a sheet, and one file has come but is not finished."""
    yes_no(survey, mode="by-hand")
    prepare(survey)
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


def ask(client: Client, survey: Survey, method: str, part: str) -> int:
    body, kind = json.dumps(BODIES.get((method, part), {})), "application/json"
    if "/parts/" in part:
        body, kind = FILE.decode(), "text/csv"
    answer = getattr(client, method)(address(survey, part), body, content_type=kind)
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code


def get(client: Client, survey: Survey, part: str) -> int:
    return client.get(address(survey, part)).status_code


def status(client: Client, survey: Survey, method: str, part: str) -> int:
    return get(client, survey, part) if method == "get" else ask(client, survey, method, part)


@pytest.mark.parametrize(("method", "part", "right", "is_published"), REQUESTS)
def test_each_may_do_exactly_what_it_says(method: str, part: str, right: str, is_published: bool | str) -> None:
    """In each role; for a stranger it does not exist, a visitor needs a token. What each did is undone."""
    survey = survey_with_team(is_published=is_published)
    clients = {role: client_of(survey.memberships.get(role=role).user) for role in MAY if role != "owner"}
    clients |= {"owner": client_of(survey.owner), "stranger": client_of(researcher("eve")), "visitor": Client()}
    wrong, before = [], trace()
    for person, client in clients.items():
        with transaction.atomic():
            answer = status(client, survey, method, part)
            is_untouched = answer in (200, 201, 202, 204) or trace() == before
            transaction.set_rollback(True)
        refusal = {"stranger": 404, "visitor": 401}.get(person, 403)
        allowed = (200, 201, 202, 204) if right in MAY.get(person, ()) else (refusal,)
        if answer not in allowed or not is_untouched:
            wrong.append(f"{person}: {answer}, not {allowed}; untouched: {is_untouched}")
    assert not wrong, "\n".join(wrong)


def trace() -> list[object]:
    """What a request that is refused must not change."""
    survey = Survey.objects.get()
    return [
        *(survey.title, survey.status, survey.owner_id, survey.target, Instrument.objects.count()),
        *(set(survey.memberships.values_list("pk", "role")), survey.invitations.count(), survey.events.count()),
        *(survey.imports.values_list("state", "parts").first(), survey.imports.count()),
        *(set(survey.invitees.values_list("digest", flat=True)), survey.tickets),
        set(survey.report_links.values_list("sha256", flat=True)),
        *(survey.webhooks.count(), Delivery.objects.filter(attempts=0).count()),
    ]


OF_NO_SURVEY = ("planning/", "simulation/", "trusted-server/", "tokens/", "ready/tax/", "files/", "join/secret/")


@pytest.mark.parametrize("part", OF_NO_SURVEY)
def test_what_belongs_to_no_survey_needs_an_account(part: str) -> None:
    assert Client().post(f"/api/v1/{part}", {}, content_type="application/json").status_code == 401
