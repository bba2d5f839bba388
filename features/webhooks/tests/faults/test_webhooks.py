"""Senders of webhooks that run at once, and senders that are killed: nothing is sent twice, nothing is lost."""

import json
import signal
import time
from collections import Counter

from features.webhooks.tests.receiver import Receiver, receiving
from tests.faults.conftest import Site
from tests.faults.test_busy import A_WHILE, locked
from tests.servers.commands import ForkedProgram

MESSAGES = 60
QUEUE = """
from surveys.models import Survey, Webhook
from features.webhooks.announcements import queue_ping
survey = Survey.objects.get(slug={slug!r})
webhook = Webhook.objects.create(survey=survey, url={url!r}, events=[])
for _ in range({n}):
    queue_ping(webhook)
"""
DUE_NOW = """
from django.utils import timezone
from surveys.models import Delivery
Delivery.objects.filter(state="waiting").update(due=timezone.now())
"""
STATES = """
import json
from surveys.models import Delivery
print(json.dumps(list(Delivery.objects.values_list("state", "attempts"))))
"""


def queue(site: Site, receiver: Receiver) -> None:
    site.environment["WEBHOOKS_TO_PRIVATE_NETWORKS"] = "1"
    site.shell(QUEUE.format(slug=site.survey().slug, url=receiver.url, n=MESSAGES))


def sender(site: Site) -> ForkedProgram:
    return site.commands.start("manage.py", "deliver")


def times_taken(receiver: Receiver) -> Counter[str]:
    with receiver.lock:
        return Counter(headers["webhook-id"] for headers, _ in receiver.taken)


def wait_for(receiver: Receiver, n: int) -> None:
    end = time.monotonic() + 60
    while len(times_taken(receiver)) < n:
        assert time.monotonic() < end, "nothing is sent any more"
        time.sleep(0.005)


def test_senders_at_once_send_every_message_once(site: Site) -> None:
    with receiving() as receiver:
        queue(site, receiver)
        for process in [sender(site) for _ in range(3)]:
            process.finish()
        assert sorted(times_taken(receiver).values()) == [1] * MESSAGES
        assert json.loads(site.shell(STATES)) == [["delivered", 1]] * MESSAGES


def test_a_sender_that_is_killed_delays_messages_and_loses_none(site: Site) -> None:
    with receiving() as receiver:
        receiver.pause = 0.2  # so that the kill comes while messages are on their way
        queue(site, receiver)
        process = sender(site)
        wait_for(receiver, 5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        receiver.pause = 0
        site.manage("deliver")
        site.shell(DUE_NOW)  # as a minute later
        site.manage("deliver")
        assert len(times_taken(receiver)) == MESSAGES
        assert {state for state, _ in json.loads(site.shell(STATES))} == {"delivered"}
        assert (
            max(times_taken(receiver).values()) <= 2
        )  # whose answer the dead sender could not write down


def test_what_is_held_for_a_while_is_delivered_in_the_same_run(site: Site) -> None:
    with receiving() as receiver:
        queue(site, receiver)
        with locked(site, "LOCK TABLE surveys_delivery IN EXCLUSIVE MODE"):
            process = sender(site)
            time.sleep(A_WHILE)
        process.finish()
        assert sorted(times_taken(receiver).values()) == [1] * MESSAGES
