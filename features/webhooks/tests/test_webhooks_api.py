"""Webhooks by program: the same as on the pages."""

from uuid import uuid4

import pytest
from django.test import Client

from features.webhooks import subscriptions
from features.webhooks.deliveries import deliver_due
from features.webhooks.signatures import secret
from features.webhooks.tests.receiver import Receiver
from surveys.accounts.tokens import issue_token
from surveys.models import Survey, Webhook
from tests.api.test_reading import client_of
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.api_requests import send_json, survey_api_path

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("receiver")]


@pytest.fixture
def survey() -> Survey:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    return survey


@pytest.fixture
def ada(survey: Survey) -> Client:
    return client_of(survey.owner)


def test_a_webhook_is_added_tried_told_and_removed(
    ada: Client, survey: Survey, receiver: Receiver
) -> None:
    status, made = send_json(
        ada,
        "post",
        survey_api_path(survey, "webhooks/"),
        {"url": receiver.url, "events": ["survey.published"]},
    )
    webhook = Webhook.objects.get()
    assert (status, made["secret"], made["name"]) == (201, secret(webhook), "ada")
    one = survey_api_path(survey, f"webhooks/{made['id']}/")
    assert ada.get(one).json() == made
    (listed,) = ada.get(survey_api_path(survey, "webhooks/")).json()
    assert listed.keys() == made.keys() - {"secret"}
    status, ping = send_json(ada, "post", f"{one}ping/")
    assert (status, ping["event"], ping["state"], ping["outcome"]) == (
        200,
        "ping",
        "delivered",
        "204",
    )
    publish_survey(survey)
    deliver_due()
    found = ada.get(f"{one}deliveries/").json()
    assert [each["event"] for each in found] == ["survey.published", "ping"]
    status, again = send_json(ada, "post", f"{one}deliveries/{found[0]['id']}/again/")
    assert (status, again["state"]) == (200, "delivered")
    assert [headers["webhook-id"] for headers, _ in receiver.taken] == [
        ping["id"],
        found[0]["id"],
        found[0]["id"],
    ]
    assert send_json(ada, "delete", one)[0] == 204
    assert send_json(ada, "delete", one)[0] == 404
    assert set(survey.events.values_list("what", flat=True)) >= {"connected", "disconnected"}


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({}, {"url", "events"}),
        ({"url": "https://127.0.0.1/", "events": ["survey.answered"]}, {"events.0"}),
        ({"url": "https://8.8.8.8/", "events": []}, {"events"}),
        ({"url": "ftp://example.org/", "events": ["survey.closed"]}, {"url"}),
        ({"url": "https://8.8.8.8/", "events": ["survey.closed"], "secret": "mine"}, {"secret"}),
        ({"url": "https://8.8.8.8/\x00", "events": ["survey.closed"]}, {"url"}),
    ],
)
def test_a_wrong_webhook_gets_a_message_at_its_field(
    ada: Client, survey: Survey, asked: dict, fields: set[str]
) -> None:
    status, problem = send_json(ada, "post", survey_api_path(survey, "webhooks/"), asked)
    assert (status, set(problem["errors"])) == (422, fields)
    assert not survey.webhooks.exists()


def test_an_address_inside_is_refused(ada: Client, survey: Survey, settings: object) -> None:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = False
    asked = {"url": "https://169.254.169.254/latest/", "events": ["survey.closed"]}
    status, problem = send_json(ada, "post", survey_api_path(survey, "webhooks/"), asked)
    assert (status, problem["errors"]["url"]) == (
        422,
        "Choose a public address. This one is in a private network, where no webhooks are sent.",
    )


def test_a_token_that_reads_sees_no_secret(survey: Survey, receiver: Receiver) -> None:
    webhook = subscriptions.add(
        survey=survey, by=survey.owner, url=receiver.url, events=["survey.closed"]
    )
    token = issue_token(survey.owner, "reader", ["reports", "rows"])
    reader = Client(headers={"authorization": f"Token {token}"})
    for part in ("webhooks/", f"webhooks/{webhook.pk}/", f"webhooks/{webhook.pk}/deliveries/"):
        assert reader.get(survey_api_path(survey, part)).status_code == 403


def test_another_surveys_webhook_is_not_found(
    ada: Client, survey: Survey, receiver: Receiver
) -> None:
    eve = create_draft(create_researcher("eve"))
    theirs = subscriptions.add(survey=eve, by=eve.owner, url=receiver.url, events=["survey.closed"])
    delivery = subscriptions.ping(webhook=theirs, by=eve.owner)
    assert ada.get(survey_api_path(survey, f"webhooks/{theirs.pk}/")).status_code == 404
    for method, part in (
        ("delete", f"webhooks/{theirs.pk}/"),
        ("post", f"webhooks/{theirs.pk}/ping/"),
        ("post", f"webhooks/{theirs.pk}/deliveries/{delivery.pk}/again/"),
        ("post", f"webhooks/{uuid4()}/ping/"),
    ):
        assert send_json(ada, method, survey_api_path(survey, part))[0] == 404
    assert len(receiver.taken) == 1
