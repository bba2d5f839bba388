"""Heavy work takes turns: a second one is told to come again, and one that takes too long is stopped."""

import json
from collections.abc import Iterator

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http.response import HttpResponseBase
from django.test import Client

from surveys.authoring.files.survey_file import FORMAT
from surveys.models import Event, Instrument
from surveys.results.disclosure import kept
from surveys.site import turn
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import create_published

pytestmark = pytest.mark.django_db
SENTENCE = "Another large download or analysis is running. Try again in a minute."
ANALYSES = (
    "report/?where=region:0",
    "report/groups/?by=region",
    "report/model/?outcome=tax:1&explain=region",
    "report/table/?rows=tax&columns=region",
    "report/weighted/?margins=region:0.5,0.5",
    "report/quality/",
)


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(turn, "HEAVY_RESPONSES", 50)
    kept.KEPT.clear()
    yield
    is_free = turn._turn_lock.acquire(blocking=False)
    turn._turn_lock.release()
    assert is_free, "a turn was not given back"


@pytest.fixture
def instrument() -> Instrument:
    made = create_published()
    submit_responses(made, 400)
    run_next_timer()
    return made


@pytest.fixture
def client(instrument: Instrument) -> Client:
    client = Client()
    client.force_login(instrument.survey.owner)
    return client


def at(instrument: Instrument, part: str) -> str:
    return f"/api/v1/surveys/{instrument.survey.slug}/{part}"


def page(instrument: Instrument, part: str) -> str:
    return f"/surveys/{instrument.survey.slug}/{part}"


def gone(response: HttpResponseBase) -> None:
    """As when a reader hangs up; without what Django does then to the connection, which is the test's."""
    request_finished.disconnect(close_old_connections)
    try:
        response.close()
    finally:
        request_finished.connect(close_old_connections)


def test_a_second_download_is_told_to_come_again_until_the_first_is_through(
    client: Client, instrument: Instrument
) -> None:
    first = client.get(page(instrument, "export/responses.csv"))
    assert first.status_code == 200
    again = client.get(page(instrument, "export/everything.zip"))
    assert (again.status_code, again["Retry-After"]) == (409, "60")
    assert SENTENCE in again.content.decode()
    assert "Try again</button>" in again.content.decode()
    by_program = client.get(at(instrument, "export/everything.zip"))
    assert (by_program.status_code, by_program["Retry-After"], by_program.json()["title"]) == (
        409,
        "60",
        SENTENCE,
    )
    assert by_program.json()["type"].endswith("/busy")
    assert (
        Event.objects.filter(what="exported").count() == 1
    )  # what was refused is not in the history
    assert len(b"".join(first.streaming_content).splitlines()) == 381
    last = client.get(at(instrument, "export/everything.zip"))
    assert b"".join(last.streaming_content).startswith(b"PK")


@pytest.mark.parametrize("method", ["get", "head"])
def test_whoever_goes_away_gives_the_turn_back(
    client: Client, instrument: Instrument, method: str
) -> None:
    gone(getattr(client, method)(page(instrument, "export/responses.csv")))
    again = client.get(page(instrument, "export/responses.csv"))
    assert again.status_code == 200
    gone(again)


@pytest.mark.parametrize("part", ANALYSES)
def test_an_analysis_waits_for_nobody_and_is_found_again(
    client: Client, instrument: Instrument, part: str
) -> None:
    """409 while another has the turn; once it was counted it is there for everybody, as long as nothing more comes."""
    download = client.get(page(instrument, "export/responses.csv"))
    busy = client.get(at(instrument, part))
    assert (busy.status_code, busy["Retry-After"]) == (409, "60")
    gone(download)
    first = client.get(at(instrument, part))
    assert first.status_code == 200, first.content
    download = client.get(page(instrument, "export/responses.csv"))
    assert client.get(at(instrument, part)).json() == first.json()
    gone(download)
    submit_responses(instrument, 40, first=1000)
    run_next_timer()
    assert client.get(at(instrument, part)).json() != first.json()


def test_a_page_says_it_with_a_button_that_keeps_what_was_asked(
    client: Client, instrument: Instrument
) -> None:
    download = client.get(page(instrument, "export/responses.csv"))
    answer = client.get(page(instrument, "compare/?by=region&confidence=90"))
    gone(download)
    assert answer.status_code == 409
    assert SENTENCE in answer.content.decode()
    assert '<input type="hidden" name="confidence" value="90">' in answer.content.decode()


@pytest.mark.parametrize("part", ANALYSES)
def test_what_takes_too_long_is_stopped_and_nothing_of_it_is_kept(
    client: Client, instrument: Instrument, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(turn, "LONGEST_TURN", 0.0)
        stopped = client.get(at(instrument, part))
        assert stopped.status_code == 503
        assert "took longer than a minute and was stopped" in json.loads(stopped.content)["title"]
    assert client.get(at(instrument, part)).status_code == 200


def test_few_responses_take_no_turn(
    client: Client, instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    download = client.get(page(instrument, "export/responses.csv"))
    monkeypatch.setattr(turn, "HEAVY_RESPONSES", 10_000)
    for part in ANALYSES:
        assert client.get(at(instrument, part)).status_code == 200, part
    gone(download)


def test_a_body_of_very_many_keys_is_answered_in_few_words(
    client: Client, instrument: Instrument
) -> None:
    body = {"candor": FORMAT} | {f"key{number:05}": 1 for number in range(30_000)}
    for path in ("/api/v1/surveys/", "/api/v1/files/"):
        answer = client.post(path, json.dumps(body), content_type="application/json")
        assert answer.status_code == 422, path
        assert "more fields do not exist here" in answer.content.decode(), path
        assert len(answer.content) < 5_000
