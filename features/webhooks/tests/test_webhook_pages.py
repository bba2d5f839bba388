"""The pages of a survey's webhooks."""

import pytest
from django.test import Client

from features.webhooks import subscriptions
from features.webhooks.deliveries import deliver_due
from features.webhooks.signatures import secret
from features.webhooks.tests.receiver import Receiver, receiving
from surveys.models import Delivery, Survey, Webhook
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.html_forms import Form, errors

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("receiver")]


@pytest.fixture
def survey(client: Client) -> Survey:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    client.force_login(survey.owner)
    return survey


def at(survey: Survey, part: str = "") -> str:
    return f"/surveys/{survey.slug}/webhooks/{part}"


def settings(survey: Survey) -> str:
    return f"/surveys/{survey.slug}/settings/"


def added(client: Client, survey: Survey, url: str) -> Webhook:
    answer = client.post(
        settings(survey),
        {"part": "webhooks", "url": url, "events": ["survey.published", "survey.closed"]},
    )
    webhook = survey.webhooks.get()
    assert answer["Location"] == at(survey, f"{webhook.pk}/")
    return webhook


def page(client: Client, webhook: Webhook) -> str:
    return client.get(at(webhook.survey, f"{webhook.pk}/")).content.decode()


def test_a_webhook_is_added_pinged_and_removed(
    client: Client, survey: Survey, receiver: Receiver
) -> None:
    assert ">Add a webhook<" in client.get(settings(survey)).content.decode()
    webhook = added(client, survey, receiver.url)
    assert webhook.events == ["survey.published", "survey.closed"]
    assert "127.0.0.1" in client.get(settings(survey)).content.decode()
    assert "Nothing has been sent" in page(client, webhook)
    said = client.post(at(survey, f"{webhook.pk}/ping/"), follow=True).content.decode()
    assert "It arrived: the receiver answered 204." in said
    assert "Delivered (204)" in said
    assert len(receiver.taken) == 1
    said = client.post(at(survey, f"{webhook.pk}/remove/"), follow=True).content.decode()
    assert "The webhook to 127.0.0.1 is removed." in said
    assert not Webhook.objects.exists()


def test_the_page_of_a_webhook_has_its_secret_and_is_kept_by_no_browser(
    client: Client, survey: Survey, receiver: Receiver
) -> None:
    webhook = added(client, survey, receiver.url)
    answer = client.get(at(survey, f"{webhook.pk}/"))
    assert secret(webhook) in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert secret(webhook) not in client.get(settings(survey)).content.decode()


def test_what_was_not_taken_says_so_and_can_be_sent_again(client: Client, survey: Survey) -> None:
    with receiving(500) as receiver:
        webhook = added(client, survey, receiver.url)
        publish_survey(survey)
        deliver_due()
        shown = page(client, webhook)
        assert "Waiting (500), next after" in shown
        delivery = Delivery.objects.get()
        Delivery.objects.update(state="given-up", attempts=7)
        assert "Given up (500), after 7 attempts" in page(client, webhook)
        again = at(survey, f"{webhook.pk}/deliveries/{delivery.pk}/again/")
        said = client.post(again, follow=True).content.decode()
        assert "It did not arrive: the receiver answered 500." in said
        assert "notice--good" not in said
        receiver.statuses = [200]
        assert (
            "It arrived: the receiver answered 200."
            in client.post(again, follow=True).content.decode()
        )


def test_what_was_typed_wrong_stays_with_its_message(client: Client, survey: Survey) -> None:
    answer = client.post(settings(survey), {"part": "webhooks", "url": "example.org/hook"})
    assert errors(answer) == {
        "url": "Write a full address that starts with https://, for example https://example.org/hook.",
        "events": "Choose at least one event for the webhook.",
    }
    assert Form(answer).values["url"] == "example.org/hook"
    assert not survey.webhooks.exists()


def test_a_full_list_and_too_many_tries_are_refused(
    client: Client, survey: Survey, receiver: Receiver
) -> None:
    webhook = added(client, survey, receiver.url)
    for _ in range(subscriptions.TRIES.times):
        client.post(at(survey, f"{webhook.pk}/ping/"))
    answer = client.post(at(survey, f"{webhook.pk}/ping/"))
    assert (answer.status_code, len(receiver.taken)) == (409, subscriptions.TRIES.times)
    for number in range(subscriptions.MOST - 1):
        Webhook.objects.create(survey=survey, url=f"https://example.org/{number}")
    one_more = {"part": "webhooks", "url": "https://8.8.8.8/", "events": ["survey.closed"]}
    assert client.post(settings(survey), one_more).status_code == 409


def test_steps_are_taken_by_post_only(client: Client, survey: Survey, receiver: Receiver) -> None:
    webhook = added(client, survey, receiver.url)
    for part in ("ping/", "remove/"):
        assert client.get(at(survey, f"{webhook.pk}/{part}")).status_code == 405
    assert receiver.taken == []


def test_another_surveys_webhook_is_not_found(
    client: Client, survey: Survey, receiver: Receiver
) -> None:
    eve = create_draft(create_researcher("eve"))
    theirs = subscriptions.add(survey=eve, by=eve.owner, url=receiver.url, events=["survey.closed"])
    delivery = subscriptions.ping(webhook=theirs, by=eve.owner)
    assert client.get(at(survey, f"{theirs.pk}/")).status_code == 404
    for part in ("ping/", "remove/", f"deliveries/{delivery.pk}/again/"):
        assert client.post(at(survey, f"{theirs.pk}/{part}")).status_code == 404
    assert Webhook.objects.filter(pk=theirs.pk).exists()
