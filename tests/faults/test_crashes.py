"""Processes that end without warning: nothing acknowledged is lost, nothing is counted twice."""

import random
import signal
import threading
import time

import httpx
import pytest

from tests.faults.conftest import PATIENCE, Clients, Site, Survey
from tests.servers.commands import ForkedProgram


def assert_whole(survey: Survey, expected: int) -> None:
    """Every response exactly once, and what is counted is what is stored."""
    found = survey.count()
    assert found["waiting"] + found["held"] + found["batches"] == expected
    assert found["rows"] == found["batches"] == found["tally"]
    assert found["counted"] == found["tallied"]


def kill_server_rounds(site: Site, rounds: int) -> None:
    survey = site.survey()
    site.start()
    with Clients(survey) as clients:
        for _ in range(rounds):
            clients.wait_for(20)
            site.kill()
            site.start()
        clients.wait_for(20)
    assert_whole(survey, clients.acknowledged)


def test_the_server_is_killed_under_load(site: Site) -> None:
    kill_server_rounds(site, 3)


@pytest.mark.long
def test_the_server_is_killed_under_load_twenty_times(site: Site) -> None:
    kill_server_rounds(site, 20)


def sealer(site: Site) -> ForkedProgram:
    return site.commands.start("manage.py", "seal")


FILL = """
import uuid
from surveys.models import Instrument, Response
instrument = Instrument.objects.get(survey__slug={slug!r})
Response.objects.bulk_create(
    [Response(key=uuid.uuid4(), instrument=instrument, record=bytes([n % 2, 72, 0])) for n in range({n})],
    batch_size=1000,
)
"""


def kill_sealer_rounds(site: Site, rounds: int) -> None:
    survey = site.survey()
    for round_ in range(rounds):
        site.shell(FILL.format(slug=survey.slug, n=25_000))
        process = sealer(site)
        time.sleep(random.uniform(0.05, 0.6))  # sealing takes it about half a second
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert_whole(survey, 25_000 * (round_ + 1))
    site.manage("seal")
    assert survey.count()["waiting"] == 0
    assert_whole(survey, 25_000 * rounds)


def test_a_sealer_is_killed(site: Site) -> None:
    kill_sealer_rounds(site, 2)


@pytest.mark.long
def test_a_sealer_is_killed_twenty_times(site: Site) -> None:
    kill_sealer_rounds(site, 20)


def test_two_sealers_at_once(site: Site) -> None:
    survey = site.survey()
    site.shell(FILL.format(slug=survey.slug, n=45_000))
    for process in [sealer(site), sealer(site)]:
        process.finish()
    assert_whole(survey, 45_000)
    assert survey.count()["waiting"] == 0


CLOSED = """
from tests.factories.surveys import publish_survey
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Cut
from tests.factories.responses import add_responses
from tests.factories.surveys import add_background, create_draft, create_researcher, add_yes_no
survey = create_draft(create_researcher("cut"))
add_yes_no(survey)
add_background(survey, cut=True)
add_responses(publish_survey(survey), 100)
close_survey(survey)
print(Cut.objects.get().n)
"""


def test_a_closing_makes_the_groups_where_no_transaction_is_around_it(site: Site) -> None:
    """A row is held within a transaction only, which the tests of the cut are in anyway."""
    assert site.shell(CLOSED) == "100"


def test_sealing_while_answers_arrive_and_come_again(site: Site) -> None:
    """Every body is sent twice, so that many a retry finds its row waiting, just being sealed, or sealed."""
    survey = site.survey()
    site.start()
    stop = threading.Event()

    def seal_on() -> None:
        while not stop.is_set():
            site.manage("seal")

    def twice() -> None:
        for _ in range(60):
            body = survey.body()
            assert survey.send(body)[0] == 201
            assert survey.send(body)[0] == 200

    sealing = threading.Thread(target=seal_on)
    sealing.start()
    clients = [threading.Thread(target=twice) for _ in range(4)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    stop.set()
    sealing.join()
    assert_whole(survey, 240)


TOKEN = """
from surveys.models import Instrument
from surveys.accounts.tokens import issue_token
print(issue_token(Instrument.objects.get(survey__slug={slug!r}).survey.owner, "reading"))
"""


def test_sealing_while_a_report_is_read_and_an_export_runs(site: Site) -> None:
    """And while answers arrive. An export between two readings of the report holds no fewer rows than the first and no
    more than the second, and what a report counts is what it says it counts.
    """
    survey = site.survey()
    site.shell(FILL.format(slug=survey.slug, n=60_000))
    headers = {"Authorization": f"Token {site.shell(TOKEN.format(slug=survey.slug))}"}
    site.start()
    with httpx.Client(
        base_url=f"http://127.0.0.1:{site.port}", headers=headers, timeout=PATIENCE
    ) as program:

        def report() -> dict:
            return program.get(f"/api/v1/surveys/{survey.slug}/tallies/").raise_for_status().json()

        found, before, process, ended = [], report(), sealer(site), False
        with Clients(survey, number=4) as clients:
            while not ended:
                ended = process.poll() is not None
                rows = (
                    program.get(f"{survey.path}?format=csv").raise_for_status().text.count("\n") - 1
                )
                found.append((before, rows, report()))
                before = found[-1][2]
    process.finish()
    assert all(before["n"] <= rows <= after["n"] for before, rows, after in found), found
    assert all(
        sum(seen["counts"]["tax"]) == seen["n"]
        for before, _, after in found
        for seen in (before, after)
    )
    assert any(before["n"] < after["n"] for before, _, after in found), (
        "nothing was read while it was sealed"
    )
    assert_whole(survey, 60_000 + clients.acknowledged)


def test_killing_takes_the_whole_process_group(site: Site) -> None:
    """The tests above prove something only if no worker survives its master."""
    site.start()
    site.kill()
    with pytest.raises(OSError, match="refused"):
        site.post("/", b"")
