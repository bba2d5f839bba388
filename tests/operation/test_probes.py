"""What programs that watch the site are told: everybody only whether it is well, nobody what is not released."""

import json
import re
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from surveys.models import Delivery, Run, Webhook
from surveys.operation import timers
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import create_published, create_researcher

TOKEN = "a-token-of-more-than-twenty-characters"
WITH = {"Authorization": f"Bearer {TOKEN}"}
# The checks of a site without webhooks, just after its installation.
EXPECTED = {"database": True, "migrations": True, "inbox": True, "seal": True, "clock": True}
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _token(settings: object) -> None:
    settings.METRICS_TOKEN = TOKEN


def checks(client: Client, query: str = "") -> dict[str, bool]:
    return {
        check["name"]: check["ok"]
        for check in client.get(f"/readyz{query}", headers=WITH).json()["checks"]
    }


def values(client: Client) -> dict[str, float]:
    lines = client.get("/metrics", headers=WITH).content.decode().splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")
    }


def test_alive_touches_nothing(client: Client, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        answer = client.get(
            "/healthz", secure=False, headers={"Host": "10.0.0.7:8000", "Cookie": "sessionid=x"}
        )
    assert (answer.status_code, answer.content, answer["Cache-Control"]) == (
        200,
        b"ok\n",
        "no-store",
    )
    assert "Vary" not in answer


def test_probes_only_answer_to_get(client: Client) -> None:
    assert {client.post(f"/{name}").status_code for name in ("healthz", "readyz", "metrics")} == {
        405
    }


def test_ready_once_the_timer_has_run(client: Client) -> None:
    assert (client.get("/readyz").status_code, client.get("/readyz").content) == (503, b"not ok\n")
    call_command("seal")
    assert (client.get("/readyz").status_code, client.get("/readyz").content) == (200, b"ok\n")
    assert checks(client) == EXPECTED


def test_who_asks_often_fills_no_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """Neither that the site is not ready, nor that somebody may not read, is the log's affair."""
    assert (client.get("/readyz").status_code, client.get("/metrics").status_code) == (503, 403)
    assert caplog.records == []


def test_missing_private_key_of_the_inbox_is_seen(
    client: Client, settings: object, tmp_path: Path
) -> None:
    """A node without the folder takes responses all the same: it does not need the private key."""
    call_command("seal")

    settings.INBOX_KEYS = tmp_path
    assert client.get("/readyz").status_code == 503
    assert checks(client) == EXPECTED | {"inbox": False}
    details = client.get("/readyz", headers=WITH).json()["checks"]
    (check,) = [check for check in details if check["name"] == "inbox"]
    assert check["said"].startswith("The private key of the inbox is missing. After a restore,")

    settings.INBOX_KEYS = None
    assert checks(client) == EXPECTED


def test_a_timer_that_stopped_is_seen_and_can_be_left_out(client: Client) -> None:
    call_command("seal")
    Run.objects.update(finished=timezone.now() - timedelta(hours=1, seconds=1))
    assert client.get("/readyz").status_code == 503
    assert checks(client) == EXPECTED | {"seal": False}
    assert client.get("/readyz?exclude=seal&exclude=deliver").status_code == 200


def test_a_backup_that_is_missed_twice_is_seen(client: Client) -> None:
    call_command("seal")
    call_command("backup", elsewhere=True)
    assert checks(client)["backup"] is True
    Run.objects.filter(command="backup").update(
        finished=timezone.now() - timedelta(days=2, seconds=1)
    )
    assert checks(client)["backup"] is False
    assert client.get("/readyz?exclude=backup").status_code == 200


def test_webhooks_need_their_timer(client: Client) -> None:
    call_command("seal")
    webhook = Webhook.objects.create(survey=create_published().survey, url="https://example.org/")
    assert checks(client)["deliver"] is False
    call_command("deliver")
    assert checks(client)["deliver"] is True
    Run.objects.filter(command="deliver").update(finished=timezone.now() - timedelta(minutes=16))
    assert checks(client)["deliver"] is False
    webhook.delete()
    assert "deliver" not in checks(client)


def test_a_command_that_fails_is_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("surveys.management.commands.seal.compute_due", fail)
    with pytest.raises(RuntimeError):
        call_command("seal")
    assert timers.finished() == {}


def test_a_migration_that_is_missing_is_named(client: Client) -> None:
    call_command("seal")
    MigrationRecorder(connection).record_unapplied("surveys", "0001_initial")
    answer = client.get("/readyz", headers=WITH)
    assert (answer.status_code, client.get("/readyz").status_code) == (503, 503)
    assert "surveys.0001_initial" in answer.json()["checks"][1]["said"]
    assert values(client)["candor_migrations_waiting"] == 1


def test_a_database_that_is_newer_is_ready(client: Client) -> None:
    """As for the nodes that wait for their turn in an update."""
    call_command("seal")
    MigrationRecorder(connection).record_applied("surveys", "9999_of_the_next_version")
    assert client.get("/readyz").status_code == 200


def test_numbers_are_of_all_surveys_together(client: Client) -> None:
    first, second = (
        create_published(create_researcher("ada")),
        create_published(create_researcher("bob")),
    )
    for instrument, n in ((first, 60), (second, 79)):
        submit_responses(instrument, n)
    hook = Webhook.objects.create(survey=first.survey, url="https://example.org/")
    for state in ("waiting", "waiting", "delivered", "given-up"):
        Delivery.objects.create(webhook=hook, event="x", body="{}", state=state)
    run_next_timer()
    found = values(client)
    assert found["candor_responses_released"] == 40 + 59
    assert found['candor_webhook_messages{state="waiting"}'] == 2
    assert found['candor_webhook_messages{state="given-up"}'] == 1
    assert found['candor_command_finished_timestamp_seconds{command="deliver"}'] == 0
    assert (
        timezone.now().timestamp()
        - found['candor_command_finished_timestamp_seconds{command="seal"}']
        < 600
    )
    assert found["candor_ready"] == 0  # webhooks, and no timer for them
    text = client.get("/metrics", headers=WITH).content.decode()
    assert not [
        word
        for word in (first.survey.slug, second.survey.slug, first.survey.title, "ada")
        if word in text
    ]


def test_numbers_count_no_request(client: Client) -> None:
    """20. Whoever reads them every second learns nothing of who came."""
    instrument = create_published(create_researcher("ada"))
    submit_responses(instrument, 60)
    run_next_timer()
    before = values(client)
    submit_responses(instrument, 19, first=100)
    client.get(f"/s/{instrument.survey.slug}/")
    client.post(f"/api/v1/surveys/{instrument.survey.slug}/responses/", b"{", "application/json")
    assert values(client) == before


def test_the_text_is_what_prometheus_reads(client: Client) -> None:
    answer = client.get("/metrics", headers=WITH)
    assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    *lines, last = answer.content.decode().split("\n")
    assert last == ""
    sample = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"\})? [0-9.e+]+')
    assert not [
        line
        for line in lines
        if not re.fullmatch(r"# (HELP|TYPE) [a-z_]+ .+", line) and not sample.fullmatch(line)
    ]
    described = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(described) == len({*described}) == 8


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", f"Token {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xe9"]
)
def test_without_the_token_nothing_is_told(client: Client, given: str) -> None:
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 403
    assert client.get("/readyz", headers={"Authorization": given}).content == b"not ok\n"


def test_no_token_is_set_by_default(client: Client, settings: object) -> None:
    settings.METRICS_TOKEN = ""
    client.force_login(create_researcher(is_staff=True, is_superuser=True))
    for given in ("Bearer ", "Bearer"):
        assert client.get("/metrics", headers={"Authorization": given}).status_code == 403


@pytest.mark.parametrize(
    ("address", "forwarded", "status"),
    [
        ("10.1.2.3", {}, 200),
        ("::ffff:10.1.2.3", {}, 200),
        ("192.0.2.1", {}, 403),
        ("", {}, 403),
        ("10.1.2.3", {"X-Forwarded-Proto": "https"}, 403),
        ("192.0.2.1", {"X-Forwarded-For": "10.1.2.3"}, 403),
    ],
)
def test_a_listed_address_counts_where_no_proxy_stands_between(
    client: Client, settings: object, address: str, forwarded: dict, status: int
) -> None:
    settings.METRICS_ADDRESSES = [ip_network("10.0.0.0/8")]
    assert client.get("/metrics", headers=forwarded, REMOTE_ADDR=address).status_code == status
    details = client.get("/readyz", headers=forwarded, REMOTE_ADDR=address)
    assert details["Content-Type"].startswith("application/json" if status == 200 else "text/plain")
    if status == 200:
        assert json.loads(details.content)["ready"] is False
