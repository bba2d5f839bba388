"""What is told, when, and how: against a real receiver on the loopback address."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from features.webhooks import request, signatures, subscriptions
from features.webhooks.deliveries import PAUSES, deliver, deliver_due, forget_old, send_again
from features.webhooks.tests.receiver import Receiver, endless, receiving, trickling
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Delivery, Occasion, Response, Survey, Webhook
from surveys.site.errors import Invalid, Refused
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import (
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    post_response,
    publish_survey,
    response_body,
)
from tests.servers import ports

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("receiver")]
DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "webhooks.md"


@pytest.fixture
def survey() -> Survey:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    return survey


def hook(survey: Survey, url: str, *events: str) -> Webhook:
    return subscriptions.add(
        survey=survey, by=survey.owner, url=url, events=events or Occasion.values
    )


def told(receiver: Receiver) -> list[dict]:
    return [json.loads(sent) for _, sent in receiver.taken]


def wait(longer: timedelta = timedelta()) -> None:
    """Let the next attempt be due."""
    for delivery in Delivery.objects.filter(state="waiting"):
        Delivery.objects.filter(pk=delivery.pk).update(due=timezone.now() - longer)


def is_genuine(*asked: object) -> bool:
    """The function that docs/webhooks.md shows."""
    names: dict = {}
    exec(re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1], names)
    return names["is_genuine"](*asked)


def test_the_way_of_a_survey_is_told(survey: Survey, receiver: Receiver) -> None:
    hook(survey, receiver.url)
    instrument = publish_survey(survey)
    close_survey(survey)
    assert receiver.taken == []  # nothing is sent before somebody asks for it
    assert deliver_due() == {"delivered": 2}
    published, closed = sorted(told(receiver), key=lambda each: each["type"], reverse=True)
    assert (published["type"], closed["type"]) == ("survey.published", "survey.closed")
    assert (
        published["data"]
        == closed["data"]
        == {"survey": survey.slug, "instrument": instrument.sha256}
    )
    assert deliver_due() == {}


def test_a_message_is_signed_as_the_document_says(survey: Survey, receiver: Receiver) -> None:
    webhook = hook(survey, receiver.url)
    subscriptions.ping(webhook=webhook, by=survey.owner)
    ((headers, sent),) = receiver.taken
    assert is_genuine(signatures.secret(webhook), headers, sent)
    assert not is_genuine(signatures.secret(webhook), headers, sent + b" ")
    assert not is_genuine(signatures.secret(Webhook()), headers, sent)
    assert not is_genuine(signatures.secret(webhook), headers | {"webhook-timestamp": "1"}, sent)
    assert headers["content-type"] == "application/json"
    assert headers["host"] == receiver.url.split("/")[2]
    assert headers["webhook-id"] == str(Delivery.objects.get().pk)
    assert "cookie" not in headers


def test_the_database_holds_no_secret(survey: Survey, receiver: Receiver, settings: object) -> None:
    webhook = hook(survey, receiver.url)
    secret = signatures.secret(webhook)
    assert secret.startswith("whsec_")
    assert secret.removeprefix("whsec_") not in str(list(Webhook.objects.values()))
    settings.SECRET_KEY = "another"
    assert signatures.secret(webhook) != secret


def test_a_webhook_is_told_of_what_it_asked_for(survey: Survey, receiver: Receiver) -> None:
    hook(survey, receiver.url, Occasion.CLOSED)
    publish_survey(survey)
    assert not Delivery.objects.exists()
    close_survey(survey)
    assert list(Delivery.objects.values_list("event", flat=True)) == ["survey.closed"]


def test_what_is_rolled_back_is_not_told(survey: Survey, receiver: Receiver) -> None:
    hook(survey, receiver.url)
    with transaction.atomic():
        publish_survey(survey)
        assert Delivery.objects.exists()
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()
    with pytest.raises(Refused):
        close_survey(survey)
    assert not Delivery.objects.exists()


def test_a_target_is_told_once_when_a_release_passes_it(receiver: Receiver) -> None:
    instrument = create_published()
    hook(instrument.survey, receiver.url, Occasion.TARGET)
    set_schedule(survey=instrument.survey, target="30")
    for released in (20, 45, 65):
        submit_responses(instrument, 25 if released > 20 else 40)
        assert Delivery.objects.count() == (1 if released > 45 else 0)
        run_next_timer()
        assert Delivery.objects.count() == (1 if released >= 30 else 0)
    deliver_due()
    (message,) = told(receiver)
    assert message["data"] == {
        "survey": instrument.survey.slug,
        "instrument": instrument.sha256,
        "target": 30,
        "n": 45,
    }
    set_schedule(survey=instrument.survey, target="80")
    submit_responses(instrument, 25)
    run_next_timer()
    assert Delivery.objects.count() == 2


def test_no_message_holds_anything_of_a_response(receiver: Receiver) -> None:
    instrument = create_published()
    hook(instrument.survey, receiver.url)
    set_schedule(survey=instrument.survey, target="20")
    sent = [response_body(instrument) for _ in range(25)]
    for each in sent:
        post_response(instrument, each)
    keys = set(map(str, Response.objects.values_list("pk", flat=True)))
    close_survey(instrument.survey)
    deliver_due()
    assert len(receiver.taken) == 2
    for message in told(receiver):
        assert message.keys() == {"type", "timestamp", "data"}
        assert message["data"].keys() <= {"survey", "instrument", "target", "n"}
    everything = b" ".join(
        json.dumps(headers).encode() + content for headers, content in receiver.taken
    ).decode()
    assert len(keys) == 25
    for word in [
        *keys,
        *(each["key"] for each in sent),
        "A survey",
        "About tax?",
        "Apple",
        '"01001"',
        '"ada"',
    ]:
        assert word not in everything


def test_a_closing_time_that_comes_is_told_once(receiver: Receiver) -> None:
    survey = create_published().survey
    first = hook(survey, receiver.url)
    soon = timezone.now() + timedelta(minutes=5)
    Survey.objects.filter(pk=survey.pk).update(closes=soon)
    assert deliver_due() == {}
    past = timezone.now() - timedelta(minutes=5)
    Survey.objects.filter(pk=survey.pk).update(closes=past)
    late = hook(Survey.objects.get(), f"{receiver.url}2")
    assert deliver_due() == {"delivered": 1}
    assert deliver_due() == {}
    close_survey(Survey.objects.get())  # by hand, afterwards: it was told already
    assert [message["type"] for message in told(receiver)] == ["survey.closed"]
    assert Delivery.objects.get().webhook == first
    assert Webhook.objects.get(pk=late.pk).told_closing == past
    Survey.objects.filter(pk=survey.pk).update(closes=None)
    reopen_survey(Survey.objects.get())
    close_survey(Survey.objects.get())
    assert deliver_due() == {"delivered": 4}  # reopened and closed, to both


def test_what_is_not_taken_comes_again_under_the_same_id(survey: Survey) -> None:
    with receiving(500, 503, 204) as receiver:
        hook(survey, receiver.url, Occasion.PUBLISHED)
        publish_survey(survey)
        assert deliver_due() == {"waiting": 1}
        waiting = Delivery.objects.get()
        assert (waiting.attempts, waiting.outcome) == (1, "500")
        assert timedelta(seconds=50) < waiting.due - timezone.now() <= PAUSES[0]
        assert deliver_due() == {}  # not yet
        wait()
        assert deliver_due() == {"waiting": 1}
        assert timedelta(minutes=4) < Delivery.objects.get().due - timezone.now() <= PAUSES[1]
        wait()
        assert deliver_due() == {"delivered": 1}
        assert len({headers["webhook-id"] for headers, _ in receiver.taken}) == 1
        assert len(receiver.taken) == 3
        assert Delivery.objects.get().outcome == "204"


def test_a_receiver_that_was_away_gets_it_when_it_is_back(survey: Survey) -> None:
    port = ports.find_free_port()
    hook(survey, f"http://127.0.0.1:{port}/hook", Occasion.PUBLISHED)
    publish_survey(survey)
    assert deliver_due() == {"waiting": 1}
    assert Delivery.objects.get().outcome == "no connection"
    with receiving(port=port) as receiver:
        wait()
        assert deliver_due() == {"delivered": 1}
        assert len(receiver.taken) == 1


def test_after_seven_attempts_it_is_given_up_and_can_be_sent_again(survey: Survey) -> None:
    with receiving(500) as receiver:
        hook(survey, receiver.url, Occasion.PUBLISHED)
        publish_survey(survey)
        states = []
        for _ in range(9):
            states.append(dict(deliver_due()))
            wait()
        assert states == [{"waiting": 1}] * 6 + [{"given-up": 1}] + [{}] * 2
        assert len(receiver.taken) == 7
        receiver.statuses = [200]
        send_again(Delivery.objects.get())
        assert (Delivery.objects.get().state, Delivery.objects.get().attempts) == ("delivered", 1)


@pytest.mark.parametrize(
    ("status", "state"),
    [(201, "delivered"), (302, "waiting"), (404, "waiting"), (410, "given-up"), (199, "waiting")],
)
def test_only_a_status_from_200_to_299_takes_it(survey: Survey, status: int, state: str) -> None:
    with receiving(status) as receiver:
        webhook = hook(survey, receiver.url)
        delivery = subscriptions.ping(webhook=webhook, by=survey.owner)
        assert delivery.state == state
        assert len(receiver.taken) == 1  # a redirect is not followed


def test_an_answer_without_end_is_not_read(survey: Survey, receiver: Receiver) -> None:
    receiver.answer = endless
    delivery = subscriptions.ping(webhook=hook(survey, receiver.url), by=survey.owner)
    assert (delivery.state, delivery.outcome) == ("delivered", "200")


def test_a_receiver_that_takes_its_time_is_left(
    survey: Survey, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "TIMEOUT", 0.5)
    receiver.answer = trickling
    delivery = subscriptions.ping(webhook=hook(survey, receiver.url), by=survey.owner)
    assert (delivery.state, delivery.outcome) == ("waiting", "no answer in time")


def test_a_slow_receiver_holds_up_nobody(
    survey: Survey, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "TIMEOUT", 2.0)
    with receiving() as slow:
        slow.answer = trickling
        for number in range(8):
            hook(survey, f"{slow.url}{number}", Occasion.PUBLISHED)
        hook(survey, receiver.url, Occasion.PUBLISHED)
        publish_survey(survey)
        before = timezone.now()
        assert deliver_due() == {"waiting": 8, "delivered": 1}
        assert timezone.now() - before < timedelta(
            seconds=12
        )  # one after the other they would take 16


def test_a_sender_that_died_delays_a_message_and_loses_none(
    survey: Survey, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(survey, receiver.url, Occasion.PUBLISHED)
    publish_survey(survey)

    def die(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("features.webhooks.deliveries.post_all", die)
        with pytest.raises(KeyboardInterrupt):
            deliver_due()
    assert deliver_due() == {}
    wait()
    assert deliver_due() == {"delivered": 1}
    Delivery.objects.update(
        state="waiting", attempts=7, due=timezone.now()
    )  # it died in the last attempt
    assert deliver_due() == {}
    assert Delivery.objects.get().state == "given-up"
    assert len(receiver.taken) == 1


def test_two_who_saw_the_same_message_send_it_once(survey: Survey, receiver: Receiver) -> None:
    from features.webhooks.deliveries import _claim

    hook(survey, receiver.url, Occasion.PUBLISHED)
    publish_survey(survey)
    first, second = Delivery.objects.get(), Delivery.objects.get()
    assert [_claim(first), _claim(second)] == [True, False]
    deliver(Delivery.objects.get())
    assert Delivery.objects.get().attempts == 2


def test_what_is_older_than_thirty_days_is_forgotten(survey: Survey, receiver: Receiver) -> None:
    webhook = hook(survey, receiver.url)
    subscriptions.ping(webhook=webhook, by=survey.owner)
    old = subscriptions.ping(webhook=webhook, by=survey.owner)
    Delivery.objects.filter(pk=old.pk).update(created=timezone.now() - timedelta(days=31))
    assert forget_old() == 1
    assert Delivery.objects.count() == 1


def test_adding_and_removing_stand_in_the_history_without_the_whole_address(
    survey: Survey, receiver: Receiver
) -> None:
    webhook = hook(survey, receiver.url)
    subscriptions.ping(webhook=webhook, by=survey.owner)
    subscriptions.remove(webhook=webhook, by=survey.owner)
    assert not Delivery.objects.exists()
    said = list(survey.events.values_list("name", "what", "detail"))
    assert said == [("ada", "disconnected", "127.0.0.1"), ("ada", "connected", "127.0.0.1")]


def test_a_webhook_needs_an_address_of_its_own_and_something_to_be_told(
    survey: Survey, receiver: Receiver
) -> None:
    hook(survey, receiver.url)
    for url, events, fields in (
        (receiver.url, ["survey.closed"], {"url"}),
        ("nonsense", ["respondent.answered"], {"url", "events"}),
        (f"{receiver.url}2", [], {"events"}),
    ):
        with pytest.raises(Invalid) as wrong:
            subscriptions.add(survey=survey, by=survey.owner, url=url, events=events)
        assert wrong.value.errors.keys() == fields
    for number in range(subscriptions.MOST - 1):
        hook(survey, f"{receiver.url}&n={number}")
    with pytest.raises(Refused):
        hook(survey, f"{receiver.url}&one=more")
    assert survey.webhooks.count() == subscriptions.MOST


def test_trying_is_slowed_down(survey: Survey, receiver: Receiver) -> None:
    webhook = hook(survey, receiver.url)
    for _ in range(subscriptions.TRIES.times):
        subscriptions.ping(webhook=webhook, by=survey.owner)
    with pytest.raises(Refused, match="Wait a minute"):
        subscriptions.ping(webhook=webhook, by=survey.owner)
    assert len(receiver.taken) == subscriptions.TRIES.times
