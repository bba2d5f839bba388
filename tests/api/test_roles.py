"""Who may do what by program: each request in each role, for a stranger and a visitor."""

import json

import pytest
from django.test import Client

from surveys.models import Instrument, Membership, Survey
from tests.api.test_reading import client_of
from tests.making import draft, published, researcher, yes_no

pytestmark = pytest.mark.django_db

SEE, WRITE, REPORT, ROWS, OWN = "see", "write", "report", "rows", "own"
MAY = {
    "owner": {SEE, WRITE, REPORT, ROWS, OWN},
    "editor": {SEE, WRITE, REPORT},
    "analyst": {SEE, REPORT},
    "exporter": {SEE, REPORT, ROWS},
}
# (method, path below the survey, what it takes, whether the survey is published)
REQUESTS = [
    ("get", "", SEE, False),
    ("put", "", WRITE, False),
    ("patch", "", WRITE, False),
    ("delete", "", OWN, False),
    ("post", "publish/", WRITE, False),
    ("post", "duplicate/", SEE, False),
    ("post", "pause/", WRITE, True),
    ("post", "close/", WRITE, True),
    ("get", "report/", REPORT, True),
    ("get", "tallies/", REPORT, True),
    ("get", "responses/", ROWS, True),
    ("get", "export/everything.zip", ROWS, True),
    ("get", "export/codebook.json", REPORT, True),
]
BODIES = {"put": {"title": "Other"}, "patch": {"title": "Other"}}


def survey_with_team(*, is_published: bool) -> Survey:
    survey = published().survey if is_published else draft(researcher())
    if not is_published:
        yes_no(survey)
    for role in ("editor", "analyst", "exporter"):
        Membership.objects.create(survey=survey, user=researcher(role), role=role)
    return survey


def ask(client: Client, survey: Survey, method: str, part: str) -> int:
    path = f"/api/v1/surveys/{survey.slug}/{part}"
    answer = getattr(client, method)(path, json.dumps(BODIES.get(method, {})), content_type="application/json")
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code


def get(client: Client, survey: Survey, part: str) -> int:
    return client.get(f"/api/v1/surveys/{survey.slug}/{part}").status_code


def status(client: Client, survey: Survey, method: str, part: str) -> int:
    return get(client, survey, part) if method == "get" else ask(client, survey, method, part)


@pytest.mark.parametrize("role", MAY)
@pytest.mark.parametrize(("method", "part", "right", "is_published"), REQUESTS)
def test_a_role_may_do_exactly_what_it_says(role: str, method: str, part: str, right: str, is_published: bool) -> None:
    survey = survey_with_team(is_published=is_published)
    person = survey.owner if role == "owner" else survey.memberships.get(role=role).user
    found = status(client_of(person), survey, method, part)
    assert found in (200, 201, 204) if right in MAY[role] else found == 403


@pytest.mark.parametrize(("method", "part", "right", "is_published"), REQUESTS)
def test_for_a_stranger_it_does_not_exist_and_a_visitor_needs_a_token(
    method: str, part: str, right: str, is_published: bool
) -> None:
    survey = survey_with_team(is_published=is_published)
    before = (survey.title, Survey.objects.count(), Survey.objects.get().status, Instrument.objects.count())
    assert status(client_of(researcher("eve")), survey, method, part) == 404
    assert status(Client(), survey, method, part) == 401
    now = Survey.objects.get()
    assert (now.title, Survey.objects.count(), now.status, Instrument.objects.count()) == before


@pytest.mark.parametrize("part", ["planning/", "simulation/", "tokens/"])
def test_what_belongs_to_no_survey_needs_an_account(part: str) -> None:
    assert Client().post(f"/api/v1/{part}", {}, content_type="application/json").status_code == 401
