"""Where responses arrive. Privacy checklist, lines 3, 20, 21 and 22."""

import json
import logging
import uuid
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client

from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.held import count_pending
from surveys.fieldwork.responses.inbox import take_from_inbox
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.models import Response
from tests.factories.surveys import (
    REPORTS,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    post_response,
    publish_survey,
    response_body,
)

pytestmark = pytest.mark.django_db
MARKER = "MARKER-7261"


def test_a_response_is_recorded() -> None:
    instrument = create_published()
    answer = post_response(instrument, response_body(instrument))
    assert (answer.status_code, answer.json()) == (201, {"status": "recorded"})
    _, record = take_from_inbox(instrument, 1)
    assert record == bytes([1, 0b01001000, 0])


def test_trailing_spaces_are_padding() -> None:
    instrument = create_published()
    assert (
        post_response(
            instrument, json.dumps(response_body(instrument)).encode() + b" " * 500
        ).status_code
        == 201
    )


def test_a_retry_is_answered_200_and_stored_once() -> None:
    instrument = create_published()
    sent = response_body(instrument)
    assert [post_response(instrument, sent).status_code for _ in range(3)] == [201, 200, 200]
    assert Response.objects.count() == 1


def test_another_body_under_the_same_key_is_confirmed_and_not_stored() -> None:
    instrument = create_published()
    sent = response_body(instrument)
    post_response(instrument, sent)
    other = sent | {"reports": REPORTS | {"tax": 0}}

    before_sealing = post_response(instrument, other)
    seal_rest(instrument)
    after_sealing = post_response(instrument, other)

    assert (before_sealing.status_code, before_sealing.content) == (200, b'{"status": "recorded"}')
    assert (after_sealing.status_code, after_sealing.content) == (200, b'{"status": "recorded"}')
    assert Response.objects.get().record is None
    assert count_pending(instrument) == 1


def test_a_key_of_another_survey_is_a_conflict() -> None:
    key = str(uuid.uuid4())
    another = create_published(create_researcher("grace"))
    assert post_response(another, response_body(another) | {"key": key}).status_code == 201
    instrument = create_published()

    answer = post_response(instrument, response_body(instrument) | {"key": key})

    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/key-conflict")
    assert not Response.objects.filter(instrument=instrument).exists()


def test_without_the_private_key_of_the_inbox_devices_are_asked_to_try_again(
    settings: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """After a restore on a new machine nobody could ever read what is accepted."""
    instrument = create_published()
    sent = response_body(instrument)
    kept, settings.INBOX_KEYS = settings.INBOX_KEYS, tmp_path

    refused = post_response(instrument, sent)
    settings.INBOX_KEYS = kept
    accepted = post_response(instrument, sent)

    assert (refused.status_code, refused.json()["type"]) == (503, "/problems/try-again")
    assert int(refused["Retry-After"]) > 0
    assert "The private key of the inbox is missing." in caplog.text
    assert "Traceback" not in caplog.text
    assert accepted.status_code == 201


def test_a_node_without_the_folder_accepts_under_the_key_of_the_other_machine(
    settings: object,
) -> None:
    instrument = create_published()
    kept, settings.INBOX_KEYS = settings.INBOX_KEYS, None
    sent = response_body(instrument)

    assert post_response(instrument, sent).status_code == 201
    assert seal_rest(instrument) == 0
    settings.INBOX_KEYS = kept
    assert seal_rest(instrument) == 1


WRONG = {
    "a missing report": lambda b: b | {"reports": {k: v for k, v in REPORTS.items() if k != "tax"}},
    "an extra report": lambda b: b | {"reports": REPORTS | {MARKER: 1}},
    "out of range": lambda b: b | {"reports": REPORTS | {"tax": 2}},
    "below zero": lambda b: b | {"reports": REPORTS | {"region": -1}},
    "too short": lambda b: b | {"reports": REPORTS | {"fruit": "0100"}},
    "too long": lambda b: b | {"reports": REPORTS | {"fruit": "010011"}},
    "other characters": lambda b: b | {"reports": REPORTS | {"fruit": MARKER[:5]}},
    "a string for an integer": lambda b: b | {"reports": REPORTS | {"tax": "1"}},
    "an integer for a string": lambda b: b | {"reports": REPORTS | {"fruit": 1001}},
    "a boolean for an integer": lambda b: b | {"reports": REPORTS | {"tax": True}},
    "null": lambda b: b | {"reports": REPORTS | {"tax": None}},
    "a list of reports": lambda b: b | {"reports": [1, "01001", 0]},
    "a missing key": lambda b: {k: v for k, v in b.items() if k != "key"},
    "an extra key": lambda b: b | {"truth": {"tax": MARKER}},
    "no UUID": lambda b: b | {"key": MARKER},
    "a UUID of version 1": lambda b: b | {"key": str(uuid.uuid1())},
    "a UUID in another form": lambda b: b | {"key": b["key"].upper()},
    "a number as key": lambda b: b | {"key": 5},
    "an instrument of another type": lambda b: b | {"instrument": [b["instrument"]]},
}
WRONG_BYTES = {
    "nothing": b"",
    "invalid JSON": b'{"instrument": MARKER-7261',
    "a list": b"[]",
    "a number": b"7",
    "NaN": b"NaN",
    "invalid UTF-8": b'{"\xff": 1}',
    "UTF-16": json.dumps({"instrument": 1}).encode("utf-16"),
    "a key twice": b'{"instrument": "a", "instrument": "a", "key": "b", "reports": {}}',
    "a thousand levels": b"[" * 20_000 + b"]" * 20_000,
    "one level too many": b'{"instrument": "a", "key": "b", "reports": {"tax": {}}}',
    "a number of thousands of digits": b"[" + b"9" * 30_000 + b"]",
    "over the limit": b'"' + b"a" * 70_000 + b'"',
}


@pytest.mark.parametrize("wrong", [*WRONG, *WRONG_BYTES])
def test_a_wrong_body_is_a_problem_document_with_nothing_stored_or_echoed(wrong: str) -> None:
    """21. Missing, extra, out of range, of the wrong length or type, too large, no JSON."""
    instrument = create_published()
    content = (
        WRONG_BYTES[wrong] if wrong in WRONG_BYTES else WRONG[wrong](response_body(instrument))
    )
    answer = post_response(instrument, content)
    assert 400 <= answer.status_code < 500
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json().keys() <= {"type", "title", "status", "detail"}
    assert answer.json()["status"] == answer.status_code
    assert MARKER not in answer.content.decode()
    assert not Response.objects.exists()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('{"instrument"', '{"instrument": "", "instrument"'),
        ('"tax": 1', '"tax": 0, "tax": 1'),
        ('"tax": 1', '"tax": 1.0'),
        ('"tax": 1', '"tax": NaN'),
    ],
)
def test_what_one_program_may_read_otherwise_than_another_is_refused(
    right: str, wrong: str
) -> None:
    """Of two with one key a reader takes the first or the last."""
    instrument = create_published()
    content = json.dumps(response_body(instrument))
    assert content.count(right) == 1
    assert post_response(instrument, content.replace(right, wrong).encode()).status_code == 400
    assert not Response.objects.exists()
    assert post_response(instrument, content.encode()).status_code == 201


def test_the_status_says_what_kind_of_wrong_it_is() -> None:
    instrument = create_published()
    assert post_response(instrument, b"{").status_code == 400
    assert post_response(instrument, b'"' + b"a" * 70_000 + b'"').status_code == 413
    assert (
        post_response(instrument, response_body(instrument), content_type="text/plain").status_code
        == 415
    )
    assert post_response(instrument, response_body(instrument, reports={})).status_code == 422
    for key in ("x", 7, str(uuid.uuid1()), str(uuid.UUID(int=2**128 - 1, version=4)).upper()):
        assert post_response(instrument, response_body(instrument, key=key)).status_code == 422
    assert (
        post_response(instrument, response_body(instrument) | {"instrument": "0" * 64}).status_code
        == 409
    )


def test_a_closed_survey_takes_nothing() -> None:
    """21. And says so."""
    instrument = create_published()
    close_survey(instrument.survey)
    answer = post_response(instrument, response_body(instrument))
    assert (answer.status_code, answer.json()["type"]) == (403, "/problems/survey-closed")
    assert not Response.objects.exists()


def test_paused_survey_is_not_called_closed() -> None:
    instrument = create_published()
    pause(instrument.survey)
    answer = post_response(instrument, response_body(instrument))
    assert answer.status_code == 403
    assert answer.json()["title"] == "This survey is paused or closed, and takes no answers now."


def test_a_draft_and_an_unknown_survey_do_not_exist() -> None:
    survey = create_draft()
    add_yes_no(survey)
    for slug in (survey.slug, "nowhere"):
        answer = Client().post(
            f"/api/v1/surveys/{slug}/responses/", {}, content_type="application/json"
        )
        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/problem+json"


def test_an_instrument_of_another_survey_is_refused() -> None:
    """21. By its hash."""
    instrument = create_published()
    survey = create_draft(instrument.survey.owner)
    add_yes_no(survey)
    assert post_response(publish_survey(survey), response_body(instrument)).status_code == 409


def test_no_cookie_is_set_and_none_is_needed() -> None:
    """3. And a submission works under a site that checks for forged requests."""
    instrument = create_published()
    answer = post_response(instrument, response_body(instrument), Client(enforce_csrf_checks=True))
    assert answer.status_code == 201
    assert not answer.cookies


def test_a_submission_writes_nothing_to_the_logs(caplog) -> None:
    """20. Neither a good one nor a wrong one leaves address, agent or content."""
    caplog.set_level(logging.DEBUG)
    instrument = create_published()
    seen = {"REMOTE_ADDR": "203.0.113.9", "HTTP_USER_AGENT": MARKER}
    post_response(instrument, response_body(instrument), **seen)
    post_response(instrument, response_body(instrument, key=MARKER), **seen)
    assert "203.0.113.9" not in caplog.text
    assert MARKER not in caplog.text


def test_a_database_that_fails_asks_for_a_retry(monkeypatch) -> None:
    instrument = create_published()

    def fail(*_: object) -> None:
        raise OperationalError("disk full")

    monkeypatch.setattr("surveys.web.respondent.submission.store_response", fail)
    answer = post_response(instrument, response_body(instrument))
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "disk" not in answer.content.decode()


def test_one_query_a_response(django_assert_num_queries) -> None:
    instrument = create_published()
    post_response(instrument, response_body(instrument))
    with django_assert_num_queries(1):
        post_response(instrument, response_body(instrument))
