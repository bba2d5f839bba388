"""Where tickets are fetched, and responses with a ticket arrive: each thing that is wrong has its own document."""

import json
import logging

import pytest
from django.test import Client

from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.sealing import seal_rest
from surveys.fieldwork.tickets import blind_signature
from surveys.fieldwork.tickets.codes import code_of
from surveys.fieldwork.tickets.invitees import replace
from surveys.models import LEAST_TICKETS, Fetched, Instrument, Invitee, Response, Survey
from surveys.site.problems import KINDS
from surveys.site.rate_limits import Limit
from surveys.web.respondent import rate_limit
from tests.factories.surveys import (
    REPORTS,
    add_yes_no,
    create_draft,
    create_published,
    post_response,
    response_body,
)
from tests.helpers.ticket_device import (
    blinded_ticket_for,
    fetch_ticket,
    open_survey_now,
    request_signature,
    survey_with_tickets,
    ticket_response_body,
)

pytestmark = pytest.mark.django_db
ADDRESS = "203.0.113.88"


def said(answer) -> tuple[int, str]:
    """Status, and the name of the problem."""
    found = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert found["status"] == answer.status_code
    name = found["type"].removeprefix("/problems/")
    assert name in KINDS
    return answer.status_code, name


def test_a_ticket_is_fetched_and_a_response_recorded_with_it() -> None:
    instrument, (code,) = survey_with_tickets()
    drawn = blinded_ticket_for(instrument)
    answer = request_signature(instrument, code, drawn)
    assert (answer.status_code, list(answer.json())) == (200, ["signed"])
    assert len(answer.json()["signed"]) == 342
    recorded = post_response(
        instrument, ticket_response_body(instrument, drawn.ticket(answer.json()["signed"]))
    )
    assert (recorded.status_code, recorded.json()) == (201, {"status": "recorded"})
    assert Response.objects.get().key.version == 4


def test_the_same_is_signed_again_and_takes_no_second_ticket() -> None:
    instrument, (code,) = survey_with_tickets()
    drawn = blinded_ticket_for(instrument)
    first, again = (request_signature(instrument, code, drawn).content for _ in range(2))
    assert first == again
    assert Fetched.objects.count() == 1


def test_someone_who_has_the_codes_finds_out_who_took_a_ticket() -> None:
    """A stated limit: each code takes a ticket or is refused. The pages about links and tickets say it."""
    instrument, codes = survey_with_tickets("one", 6)
    for code in codes[:3]:
        fetch_ticket(instrument, code)
    refused = [
        request_signature(instrument, code, blinded_ticket_for(instrument)).status_code == 409
        for code in codes
    ]
    assert refused == [True] * 3 + [False] * 3
    page = Client().get(f"/i/{parse_instrument(instrument).survey}/").content.decode()
    assert "Anyone who has your link or code can find out whether you took your ticket." in page


def test_another_ticket_with_the_same_code_is_refused() -> None:
    instrument, (code,) = survey_with_tickets()
    fetch_ticket(instrument, code)
    answer = request_signature(instrument, code, blinded_ticket_for(instrument))
    assert said(answer) == (409, "ticket-fetched")
    assert "signed" not in answer.json()
    assert Fetched.objects.count() == 1


def test_a_replaced_code_fetches_one_more_and_the_old_one_none() -> None:
    instrument, (old,) = survey_with_tickets()
    fetch_ticket(instrument, old)
    new = code_of(replace(Invitee.objects.get()))
    assert said(request_signature(instrument, old, blinded_ticket_for(instrument))) == (
        404,
        "no-such-code",
    )
    fetch_ticket(instrument, new)
    assert said(request_signature(instrument, new, blinded_ticket_for(instrument))) == (
        409,
        "ticket-fetched",
    )
    assert sorted(Fetched.objects.values_list("number", flat=True)) == [0, 1]


def test_who_lost_the_letter_before_fetching_has_one_ticket_and_no_second() -> None:
    instrument, _ = survey_with_tickets()
    new = code_of(replace(Invitee.objects.get()))
    fetch_ticket(instrument, new)
    assert said(request_signature(instrument, new, blinded_ticket_for(instrument))) == (
        409,
        "ticket-fetched",
    )


def test_a_code_that_is_not_there_and_one_for_another_survey() -> None:
    instrument, _ = survey_with_tickets()
    _, (foreign,) = survey_with_tickets()
    assert said(request_signature(instrument, "a" * 16, blinded_ticket_for(instrument))) == (
        404,
        "no-such-code",
    )
    assert said(request_signature(instrument, foreign, blinded_ticket_for(instrument))) == (
        404,
        "foreign-code",
    )
    assert not Fetched.objects.exists()


def test_a_closed_a_paused_and_a_finished_survey_give_out_no_ticket() -> None:
    instrument, (code,) = survey_with_tickets()
    pause(instrument.survey)
    assert said(request_signature(instrument, code, blinded_ticket_for(instrument))) == (
        403,
        "fetching-paused",
    )
    reopen_survey(instrument.survey)
    close_survey(instrument.survey)
    assert said(request_signature(instrument, code, blinded_ticket_for(instrument))) == (
        403,
        "fetching-over",
    )


def test_a_survey_without_tickets_has_no_such_address() -> None:
    instrument, (code,) = survey_with_tickets()
    open_to_all = create_published()
    answer = Client().post(
        f"/api/v1/surveys/{parse_instrument(open_to_all).survey}/tickets/",
        {"code": code, "blinded": blinded_ticket_for(instrument).blinded},
        content_type="application/json",
    )
    assert said(answer) == (404, "no-such-survey")


WRONG = {
    "no object": [],
    "nothing": {},
    "one too many": {"code": "a" * 16, "blinded": "A" * 342, "name": "ada"},
    "no text": {"code": 5, "blinded": "A" * 342},
    "a short code": {"code": "abc", "blinded": "A" * 342},
    "a code as it is shown": {"code": "abcd-efgh-jkmn-pqrs", "blinded": "A" * 342},
    "a letter that no code has": {"code": "l" * 16, "blinded": "A" * 342},
    "too little to sign": {"code": "a" * 16, "blinded": "A" * 341},
    "too much to sign": {"code": "a" * 16, "blinded": "A" * 343},
    "padding": {"code": "a" * 16, "blinded": "A" * 342 + "=="},
    "zero": {"code": "a" * 16, "blinded": "A" * 342},
    "over the key": {"code": "a" * 16, "blinded": "_" * 341 + "w"},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_request_takes_no_ticket(wrong: str) -> None:
    instrument, (code,) = survey_with_tickets()
    content = json.dumps(WRONG[wrong]).replace("a" * 16, code)
    path = f"/api/v1/surveys/{parse_instrument(instrument).survey}/tickets/"
    answer = Client().post(path, content, content_type="application/json")
    assert said(answer) == (422, "invalid")
    assert code not in answer.content.decode()
    assert not Fetched.objects.exists()


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch", "head", "options"])
def test_whoever_only_looks_fetches_nothing(method: str) -> None:
    instrument, _ = survey_with_tickets()
    client = Client(enforce_csrf_checks=True)
    answer = getattr(client, method)(
        f"/api/v1/surveys/{parse_instrument(instrument).survey}/tickets/"
    )
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_no_cookie_is_set_and_the_answer_is_sealed_off() -> None:
    """2 and 3. As respondents' pages are."""
    instrument, (code,) = survey_with_tickets()
    answer = request_signature(
        instrument, code, blinded_ticket_for(instrument), Client(enforce_csrf_checks=True)
    )
    assert answer.status_code == 200
    assert not answer.cookies
    assert (answer["Cache-Control"], answer["Referrer-Policy"]) == ("no-store", "no-referrer")


def test_a_faulty_signature_is_not_sent_and_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """36. The computer's mistake costs nobody the ticket."""
    instrument, (code,) = survey_with_tickets()
    drawn, right = blinded_ticket_for(instrument), blind_signature._root
    with monkeypatch.context() as patched:
        patched.setattr(blind_signature, "_root", lambda numbers, value: right(numbers, value) ^ 1)
        assert said(request_signature(instrument, code, drawn)) == (503, "try-again")
    assert request_signature(instrument, code, drawn).status_code == 200


def test_twenty_wrong_codes_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right ones are not counted; nothing of the address is kept."""
    monkeypatch.setattr(rate_limit, "WRONG_CODE_LIMIT", Limit(20, 60))
    instrument, (code,) = survey_with_tickets()
    drawn = blinded_ticket_for(instrument)
    tries = [
        request_signature(instrument, "a" * 16, drawn, REMOTE_ADDR=ADDRESS).status_code
        for _ in range(20)
    ]
    assert tries == [404] * 20
    answer = request_signature(instrument, code, drawn, REMOTE_ADDR=ADDRESS)
    assert said(answer) == (429, "throttled")
    assert 0 < int(answer["Retry-After"]) <= 60
    assert request_signature(instrument, code, drawn, REMOTE_ADDR="203.0.113.89").status_code == 200
    assert ADDRESS not in repr(vars(rate_limit.WRONG_CODE_LIMIT))


def test_behind_a_proxy_wrong_codes_of_others_keep_nobody_from_a_ticket(
    monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    """The proxy's address stands for everybody, so it is not counted."""
    monkeypatch.setattr(rate_limit, "WRONG_CODE_LIMIT", Limit(20, 60))
    settings.BEHIND_PROXY = True
    instrument, (code,) = survey_with_tickets()
    drawn = blinded_ticket_for(instrument)
    tries = [
        request_signature(instrument, "a" * 16, drawn, REMOTE_ADDR="10.0.0.5").status_code
        for _ in range(21)
    ]
    assert tries == [404] * 21
    assert request_signature(instrument, code, drawn, REMOTE_ADDR="10.0.0.5").status_code == 200


def test_publishing_by_program_may_be_asked_again_with_the_hash_that_was_read(
    client: Client,
) -> None:
    """The key is drawn while publishing, so what is published has another one."""
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    client.force_login(survey.owner)
    read = {"instrument": build_definition(survey).sha256}
    path = f"/api/v1/surveys/{survey.slug}/publish/"
    first, again = (client.post(path, read, content_type="application/json") for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["instrument"] == again.json()["instrument"] != read["instrument"]


# --- Responses


SPENT = (
    "Answers with this ticket have already arrived: yours, or those of someone else who used your ticket. Nothing was "
    "stored now."
)


@pytest.mark.parametrize("steps", ["one", "two"])
def test_every_message_after_the_first_gets_one_answer_byte_for_byte(steps: str) -> None:
    """30. The same bytes or others, before and after sealing, while open, paused and closed: a copy of a ticket tells
    nothing of what was sent with it.
    """
    instrument, codes = survey_with_tickets(steps, LEAST_TICKETS)
    tickets = [fetch_ticket(instrument, code) for code in codes]
    if steps == "two":
        open_survey_now(instrument)
    sent = ticket_response_body(instrument, tickets[0])
    assert post_response(instrument, sent).status_code == 201
    answers = []

    def try_both() -> None:
        for again in (sent, sent | {"reports": REPORTS | {"tax": 0}}):
            answer = post_response(instrument, again)
            assert said(answer) == (409, "ticket-spent")
            answers.append((answer.content, answer.headers))

    survey = Survey.objects.filter(pk=instrument.survey_id)
    for seal in (list, lambda: seal_rest(instrument)):
        seal()
        for status in (Survey.Status.OPEN, Survey.Status.PAUSED, Survey.Status.CLOSED):
            survey.update(status=status)
            try_both()
    assert all(answer == answers[0] for answer in answers)
    assert json.loads(answers[0][0])["detail"] == SPENT
    assert SPENT in Client().get("/problems/ticket-spent").content.decode()
    assert list(Response.objects.values_list("record", "sealed_on")) == [(None, None)]


def test_without_tickets_a_retry_is_answered_200_as_ever() -> None:
    instrument = create_published()
    sent = response_body(instrument)
    assert [post_response(instrument, sent).status_code for _ in range(3)] == [201, 200, 200]


def test_a_forged_and_a_foreign_ticket() -> None:
    instrument, (code,) = survey_with_tickets()
    other, (foreign,) = survey_with_tickets()
    good = fetch_ticket(instrument, code)
    forged = ("B" if good[0] == "A" else "A") + good[1:]
    for wrong in (forged, "A" * 384, fetch_ticket(other, foreign)):
        assert said(post_response(instrument, ticket_response_body(instrument, wrong))) == (
            403,
            "ticket-forged",
        )
    assert not Response.objects.exists()


@pytest.mark.parametrize("wrong", ["", "A" * 383, "A" * 385, "!" * 384, 5, None, ["A" * 384]])
def test_a_ticket_that_is_written_wrong(wrong: object) -> None:
    instrument, _ = survey_with_tickets()
    answer = post_response(instrument, ticket_response_body(instrument, wrong))
    assert said(answer) == (422, "invalid-response")


def test_a_survey_takes_what_it_asks_for_a_ticket_or_a_key() -> None:
    instrument, (code,) = survey_with_tickets()
    found = fetch_ticket(instrument, code)
    open_to_all = create_published()
    assert said(post_response(instrument, response_body(instrument))) == (422, "invalid-response")
    assert said(post_response(instrument, response_body(instrument) | {"ticket": found})) == (
        422,
        "invalid-response",
    )
    assert said(post_response(open_to_all, ticket_response_body(open_to_all, found))) == (
        422,
        "invalid-response",
    )


def test_a_closed_survey_takes_no_ticket() -> None:
    instrument, (code,) = survey_with_tickets()
    sent = ticket_response_body(instrument, fetch_ticket(instrument, code))
    close_survey(instrument.survey)
    assert said(post_response(instrument, sent)) == (403, "survey-closed")


def test_every_body_fits_the_length_that_is_frozen() -> None:
    """7. The ticket stands in the place of a key."""
    instrument, (code,) = survey_with_tickets()
    sent = json.dumps(
        ticket_response_body(instrument, fetch_ticket(instrument, code)), separators=(",", ":")
    )
    assert len(sent) == parse_instrument(instrument).length


def test_nothing_of_code_or_ticket_is_written_to_a_log(caplog: pytest.LogCaptureFixture) -> None:
    """20. Neither of what is right nor of what is wrong."""
    caplog.set_level(logging.DEBUG)
    instrument, (code,) = survey_with_tickets()
    found = fetch_ticket(instrument, code)
    request_signature(instrument, code, blinded_ticket_for(instrument))
    request_signature(instrument, "a" * 16, blinded_ticket_for(instrument), REMOTE_ADDR=ADDRESS)
    post_response(instrument, ticket_response_body(instrument, found))
    post_response(instrument, ticket_response_body(instrument, "A" * 384))
    logged = " ".join(
        record.getMessage() for record in caplog.records if record.name != "django.db.backends"
    )
    assert not [word for word in (code, "aaaa", found, found[:30], ADDRESS) if word in logged]


# --- Two steps


def test_no_ticket_once_answers_open() -> None:
    """34. Neither a first one nor the same again, and no answer before."""
    instrument, codes = survey_with_tickets("two", 21)
    drawn = blinded_ticket_for(instrument)
    tickets = [fetch_ticket(instrument, code) for code in codes[:20]]
    assert said(post_response(instrument, ticket_response_body(instrument, tickets[0]))) == (
        403,
        "survey-not-open",
    )
    assert request_signature(instrument, codes[20], drawn).status_code == 200
    open_survey_now(instrument)
    for code in codes[0], codes[20]:
        assert said(request_signature(instrument, code, drawn)) == (403, "fetching-over")
    assert [
        post_response(instrument, ticket_response_body(instrument, each)).status_code
        for each in tickets
    ] == [201] * 20


def test_answers_do_not_open_below_twenty_tickets() -> None:
    """34. The page says so too, and a later opening time lets more people fetch one."""
    instrument, codes = survey_with_tickets("two", 21)
    tickets = [fetch_ticket(instrument, code) for code in codes[:19]]
    open_survey_now(instrument)
    assert said(post_response(instrument, ticket_response_body(instrument, tickets[0]))) == (
        403,
        "too-few-tickets",
    )
    assert Instrument.objects.get().survey.state == "scheduled"
    assert (
        Client()
        .get(f"/api/v1/surveys/{parse_instrument(instrument).survey}/instrument/")
        .status_code
        == 404
    )
