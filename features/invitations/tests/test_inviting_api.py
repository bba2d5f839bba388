"""Inviting by program: the list, links, mails, replacing and finishing, with the messages that pages give."""

import json

import pytest
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.fieldwork.responses.release import release
from surveys.models import Invitee, Mail, Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import add_yes_no, create_draft, create_researcher
from tests.factories.ticket_surveys import create_survey_with_tickets, open_now, take_tickets

pytestmark = pytest.mark.django_db


def send(
    client: Client, method: str, survey: Survey, part: str, data: object = None
) -> tuple[int, dict]:
    path = f"/api/v1/surveys/{survey.slug}/{part}"
    answer = getattr(client, method)(
        path, json.dumps({} if data is None else data), content_type="application/json"
    )
    return answer.status_code, answer.json() if answer.content else {}


@pytest.fixture
def survey() -> Survey:
    return create_survey_with_tickets(25)


@pytest.fixture
def ada(survey: Survey) -> Client:
    return client_of(survey.owner)


def listed(client: Client, survey: Survey, query: str = "") -> dict:
    return client.get(f"/api/v1/surveys/{survey.slug}/invitees/{query}").json()


def test_the_list_comes_page_by_page_with_three_numbers(ada: Client, survey: Survey) -> None:
    take_tickets(survey, 21)
    assert listed(ada, survey)["fetched"] == 0
    release(survey.instrument)
    found = listed(ada, survey, "?page_size=10")
    assert [each["label"] for each in found["results"]] == [f"Person {n:02}" for n in range(10)]
    assert found["results"][0].keys() == {"id", "label", "email"}  # not who took a ticket
    assert {
        name: found[name]
        for name in (
            "invited",
            "fetched",
            "tickets",
            "answered",
            "waiting",
            "delayed",
            "set_aside",
            "refused",
        )
    } == {
        **{
            "invited": 25,
            "fetched": 20,
            "tickets": 20,
            "answered": 0,
            "waiting": 0,
            "delayed": 0,
            "set_aside": 0,
            "refused": [],
        }
    }
    labels = [each["label"] for each in found["results"]]
    while found["next"]:
        found = ada.get(found["next"]).json()
        labels += [each["label"] for each in found["results"]]
    assert labels == [f"Person {n:02}" for n in range(25)]


def test_people_are_added_all_or_none(ada: Client, survey: Survey) -> None:
    people = [
        {"label": "Zoe", "email": "zoe@example.org"},
        {"email": "p03@example.org"},
        {"label": "", "email": "no@"},
    ]
    status, problem = send(ada, "post", survey, "invitees/", {"people": people})
    assert (status, problem["errors"]) == (422, {"people.2": "“no@” is not an email address."})
    status, problem = send(ada, "post", survey, "invitees/", {"people": people[:2]})
    assert (
        problem["errors"]["people"]
        == "Row 2: p03@example.org is on the list already. No one was added."
    )
    assert survey.invitees.count() == 25
    status, made = send(
        ada, "post", survey, "invitees/", {"people": people[:2], "unnamed": 3, "skip": True}
    )
    assert (status, len(made["added"]), survey.invitees.count()) == (201, 4, 29)
    too_many = {"people": [{"label": f"n{n}"} for n in range(10_001)]}
    assert send(ada, "post", survey, "invitees/", too_many)[0] == 422
    assert send(ada, "post", survey, "invitees/", {})[0] == 422
    assert send(ada, "post", survey, "invitees/", {"person": []})[0] == 422


def test_a_draft_chooses_and_takes_people() -> None:
    survey = create_draft()
    add_yes_no(survey)
    client = client_of(survey.owner)
    assert send(client, "put", survey, "steps/", {"tickets": "three"})[0] == 422
    assert send(client, "put", survey, "steps/", {"tickets": "one"}) == (200, {"tickets": "one"})
    assert send(client, "post", survey, "invitees/", {"unnamed": 30})[0] == 201
    assert client.get(f"/api/v1/surveys/{survey.slug}/steps/").json() == {"tickets": "one"}
    points = client.get(f"/api/v1/surveys/{survey.slug}/protection/").json()["points"]
    assert "Only invited people can answer, once each (one step)." in [
        point["sentence"] for point in points
    ]
    assert client.get(f"/api/v1/surveys/{survey.slug}/invitees/links.csv").status_code == 409
    assert send(client, "post", survey, "publish/")[0] == 200
    assert send(client, "put", survey, "steps/", {"tickets": "two"})[0] == 409
    fresh = send(client, "post", survey, "version/")[1]["slug"]
    assert Survey.objects.get(slug=fresh).tickets == "one"
    assert Survey.objects.get(slug=fresh).invitees.count() == 0  # they were asked once


def test_links_and_replacing(ada: Client, survey: Survey) -> None:
    [*_, last] = (
        ada.get(f"/api/v1/surveys/{survey.slug}/invitees/links.csv").content.decode().splitlines()
    )
    invitee = survey.invitees.get(label="Person 24")
    assert last.startswith("Person 24,p24@example.org,")
    status, made = send(ada, "post", survey, f"invitees/{invitee.pk}/replace/")
    assert (status, made["mailed"]) == (200, False)
    assert made["link"].endswith(f"/i/{survey.slug}/#{made['code']}")
    assert made["code"] not in last
    assert send(ada, "delete", survey, "invitees/")[0] == 409  # of a draft only
    take_tickets(survey, 25)
    open_now(survey)
    status, problem = send(ada, "post", survey, f"invitees/{invitee.pk}/replace/")
    assert (status, "Answers are open" in problem["detail"]) == (409, True)


def test_people_are_taken_off_the_list_alike(ada: Client, survey: Survey) -> None:
    """Whether or not they took a ticket: answers, list, counts and history are the same."""
    take_tickets(survey, 5)
    for label in ("Person 00", "Person 24"):
        invitee = survey.invitees.get(label=label)
        before = listed(ada, survey)
        assert send(ada, "delete", survey, f"invitees/{invitee.pk}/") == (204, {})
        assert send(ada, "delete", survey, f"invitees/{invitee.pk}/")[0] == 404
        assert send(ada, "post", survey, f"invitees/{invitee.pk}/replace/")[0] == 404
        after = listed(ada, survey)
        assert len(after.pop("results")) == len(before.pop("results")) - 1
        assert after == before
    assert (
        label not in ada.get(f"/api/v1/surveys/{survey.slug}/invitees/links.csv").content.decode()
    )
    told = ada.get(f"/api/v1/surveys/{survey.slug}/history/").json()["results"][:2]
    assert {(event["words"], event["detail"]) for event in told} == {
        ("removed people from the invitation list", "1")
    }
    assert not survey.invitees.filter(label__in=["Person 00", "Person 24"]).exists()


def test_the_list_of_a_draft_is_emptied_at_once() -> None:
    survey = create_draft()
    client = client_of(survey.owner)
    send(client, "post", survey, "invitees/", {"unnamed": 30})
    assert send(client, "delete", survey, "invitees/") == (200, {"removed": 30})
    assert not Invitee.objects.exists()


def test_mails_wait_and_reminders_have_two_kinds(
    ada: Client, survey: Survey, settings: object
) -> None:
    status, problem = send(ada, "post", survey, "invitees/mail/")
    assert (status, "EMAIL_URL" in problem["detail"]) == (409, True)
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    assert send(ada, "post", survey, "invitees/mail/") == (202, {"mails": 25})
    assert listed(ada, survey)["waiting"] == 25
    Mail.objects.all().delete()
    take_tickets(survey, 21)
    assert send(ada, "post", survey, "invitees/remind/") == (202, {})
    assert (listed(ada, survey)["waiting"], Mail.objects.count()) == (
        0,
        4,
    )  # reminders are not counted
    assert send(ada, "post", survey, "invitees/remind/", {"kind": "general"})[0] == 409
    assert send(ada, "post", survey, "invitees/remind/", {"kind": "all"})[0] == 422
    open_now(survey)
    assert send(ada, "post", survey, "invitees/remind/", {"kind": "general"}) == (202, {})
    assert Mail.objects.count() == 4 + 21


def test_finishing_asks_for_the_title(ada: Client, survey: Survey) -> None:
    assert send(ada, "post", survey, "finish/", {"confirm": "A survey"})[0] == 409
    Survey.objects.update(status="closed")
    status, problem = send(ada, "post", survey, "finish/", {"confirm": "a survey"})
    assert (status, list(problem["errors"])) == (422, ["confirm"])
    assert send(ada, "post", survey, "finish/", {"confirm": "A survey"})[0] == 204
    assert not Invitee.objects.exists()
    assert listed(ada, survey)["invited"] == 25


def test_a_token_needs_the_scope(survey: Survey) -> None:
    writing = Client(
        headers={"authorization": f"Token {issue_token(survey.owner, 'a', ['reports', 'write'])}"}
    )
    inviting = Client(
        headers={"authorization": f"Token {issue_token(survey.owner, 'b', ['invite'])}"}
    )
    for part in ("invitees/", "invitees/links.csv"):
        assert writing.get(f"/api/v1/surveys/{survey.slug}/{part}").status_code == 403
        assert inviting.get(f"/api/v1/surveys/{survey.slug}/{part}").status_code == 200
    assert send(writing, "post", survey, "invitees/mail/")[0] == 403
    assert send(inviting, "post", survey, "close/")[0] == 403
    assert (
        client_of(create_researcher("eve"))
        .get(f"/api/v1/surveys/{survey.slug}/invitees/")
        .status_code
        == 404
    )
