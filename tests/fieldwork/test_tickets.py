"""Tickets of a survey from publishing to their end: the key, the codes, one step and two, sealing, finishing."""

import json
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from surveys.definition import ticket_key
from surveys.definition.freezing import build_definition, hash_without_ticket_key
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses import shuffling, ticket_completion
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.deletion import delete_due
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE
from surveys.fieldwork.responses.sealing import seal
from surveys.fieldwork.responses.ticket_completion import finish, finish_due
from surveys.fieldwork.schedule import set_schedule
from surveys.fieldwork.tickets import codes, invitees
from surveys.fieldwork.tickets.codes import code_of
from surveys.fieldwork.tickets.invitees import Counts, Row, counts, invite, replace, withdraw
from surveys.models import (
    LEAST_TICKETS,
    Event,
    Fetched,
    Instrument,
    Invitee,
    Issuer,
    Response,
    Survey,
)
from surveys.site.errors import Invalid, Refused
from tests.factories.inbox import run_next_timer
from tests.factories.surveys import (
    add_yes_no,
    create_draft,
    create_published,
    post_response,
    publish_survey,
)
from tests.helpers.failing_database import failing_statement
from tests.helpers.ticket_device import (
    blinded_ticket_for,
    fetch_ticket,
    open_survey_now,
    request_signature,
    survey_with_tickets,
    ticket_response_body,
)

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def later(hours: int = 1) -> str:
    return f"{timezone.now() + hours * HOUR:%Y-%m-%dT%H:%M}"


# --- The key


def test_publishing_draws_a_key_that_stands_in_the_instrument() -> None:
    instrument, _ = survey_with_tickets("two")
    content = json.loads(instrument.content)
    assert content["tickets"] == {"type": 2, "steps": "two", "n": Issuer.objects.get().modulus}
    assert len(content["tickets"]["n"]) == 342
    assert parse_instrument(instrument).tickets.steps == "two"
    key = ticket_key.load_private_key(Issuer.objects.get())
    assert (
        ticket_key.to_base64url(key.public_key().public_numbers().n.to_bytes(256))
        == content["tickets"]["n"]
    )


def test_a_survey_without_tickets_has_neither_key_nor_word_of_them() -> None:
    """Old hashes stay what they were."""
    instrument = create_published()
    assert "tickets" not in json.loads(instrument.content)
    assert not Issuer.objects.exists()


def test_what_an_author_read_is_what_is_published_but_for_the_key() -> None:
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    read = build_definition(survey).sha256
    instrument = publish_survey(survey, read=read)
    assert instrument.sha256 != read == hash_without_ticket_key(parse_instrument(instrument))


def test_a_new_version_gets_a_key_of_its_own() -> None:
    from surveys.authoring.files.survey_file import new_version

    first, _ = survey_with_tickets()
    survey = new_version(first.survey, first.survey.owner)
    survey.tickets = "one"
    survey.save()
    second = publish_survey(survey)
    assert parse_instrument(first).tickets.n != parse_instrument(second).tickets.n


def test_the_database_signs_no_ticket(settings: object) -> None:
    """35. Whoever has all tables, and not TICKET_KEY, opens no key and derives no code."""
    _, (code,) = survey_with_tickets()
    row = Issuer.objects.get()
    with pytest.raises(ValueError, match="Could not deserialize"):
        load_der_private_key(bytes(row.private), None)
    everything = " ".join(
        str(row) for model in (Issuer, Invitee, Fetched) for row in model.objects.values_list()
    )
    assert code not in everything
    assert codes.digest(code) in everything
    settings.TICKET_KEY = ["another that is just as long as the one before"]
    for attempt in (
        lambda: ticket_key.load_private_key(row),
        lambda: code_of(Invitee.objects.get()),
    ):
        with pytest.raises(Refused, match="no longer set on this site"):
            attempt()
    settings.TICKET_KEY = []
    with pytest.raises(Refused, match="TICKET_KEY is not set"):
        ticket_key.load_private_key(row)


def test_an_old_ticket_key_opens_what_is_old(settings: object) -> None:
    instrument, (code,) = survey_with_tickets()
    settings.TICKET_KEY = ["a new one that is just as long as the one before", *settings.TICKET_KEY]
    assert code_of(Invitee.objects.get()) == code
    fetch_ticket(instrument, code)
    assert code_of(invite(instrument.survey, [Row()])[0]) != code


# --- Codes


def test_a_code_is_sixteen_letters_and_the_last_tells_what_was_mistyped() -> None:
    _, found = survey_with_tickets(people=20)
    for code in found:
        assert codes.is_code(code)
        assert codes.normalize_code(f" {codes.format_code(code).upper()} ") == code
        for place in range(codes.CODE_LENGTH):
            other = "b" if code[place] == "a" else "a"
            assert not codes.is_code(code[:place] + other + code[place + 1 :])
        for place in range(codes.CODE_LENGTH - 1):
            left, right = code[place : place + 2]
            assert left == right or not codes.is_code(
                code[:place] + right + left + code[place + 2 :]
            )
    assert len(set(found)) == 20
    assert not any(codes.is_code(wrong) for wrong in ("", "a" * 15, "l" * 16, "ä" * 16))


# --- What is refused before publishing


def refused(survey: Survey) -> str:
    with pytest.raises(Refused) as error:
        publish_survey(survey)
    return str(error.value)


def test_two_steps_need_an_opening_time_that_is_to_come() -> None:
    survey = create_draft(tickets="two")
    add_yes_no(survey)
    assert "Set an opening time" in refused(survey)
    survey.opens = timezone.now() - HOUR
    survey.save()
    assert "that time is past" in refused(survey)
    assert not Issuer.objects.exists()


def test_a_survey_that_takes_files_has_no_tickets() -> None:
    survey = create_draft(tickets="one", import_only=True)
    add_yes_no(survey)
    with pytest.raises(Refused, match="Switch tickets off"):
        lock_questions(survey)


def test_a_site_without_a_key_publishes_no_tickets(settings: object) -> None:
    settings.TICKET_KEY = []
    survey = create_draft(tickets="one")
    add_yes_no(survey)
    assert "TICKET_KEY is not set" in refused(survey)


# --- Two steps


def test_in_two_steps_the_opening_only_moves_later() -> None:
    """34. And the one that is there may be said again."""
    instrument, _ = survey_with_tickets("two")
    survey = instrument.survey
    set_schedule(survey=survey, opens=later(3))
    for sooner in (later(2), ""):
        with pytest.raises(Invalid, match="can only move later"):
            set_schedule(survey=survey, opens=sooner)
    survey.refresh_from_db()
    set_schedule(survey=survey, opens=f"{survey.opens:%Y-%m-%dT%H:%M}", target="50")


def test_once_answers_are_open_the_opening_stays_and_nobody_is_invited() -> None:
    """34. Whoever took a ticket then would be known by the time."""
    instrument, found = survey_with_tickets("two", LEAST_TICKETS)
    for code in found:
        fetch_ticket(instrument, code)
    open_survey_now(instrument)
    survey = Survey.objects.get()
    with pytest.raises(Invalid, match="Answers are open"):
        set_schedule(survey=survey, opens=later())
    for attempt in (lambda: invite(survey, [Row()]), lambda: replace(Invitee.objects.first())):
        with pytest.raises(Refused, match="Answers are open"):
            attempt()


def test_with_too_few_tickets_the_opening_can_move_later_once_more() -> None:
    instrument, found = survey_with_tickets("two", LEAST_TICKETS)
    open_survey_now(instrument)
    assert Survey.objects.get().state == "scheduled"
    assert Client().get(f"/s/{parse_instrument(instrument).survey}/").status_code == 200
    set_schedule(survey=Survey.objects.get(), opens=later())
    for code in found:
        fetch_ticket(instrument, code)
    open_survey_now(instrument)
    assert Survey.objects.get().state == "open"


def test_as_many_are_needed_as_are_sealed_together() -> None:
    assert LEAST_TICKETS == LEAST_IN_A_RELEASE


# --- People


def test_counts_are_of_people_of_those_with_a_ticket_and_of_tickets() -> None:
    instrument, found = survey_with_tickets(people=5)
    for code in found[:3]:
        fetch_ticket(instrument, code)
    lost = Invitee.objects.get(digest=codes.digest(found[0]))
    fetch_ticket(instrument, code_of(replace(lost)))
    assert counts(instrument.survey) == Counts(
        invited=5, fetched=0, tickets=1
    )  # at most, until it is closed
    close_survey(instrument.survey)
    assert counts(instrument.survey) == Counts(invited=5, fetched=3, tickets=4)
    assert counts(instrument.survey).duplicates == 1
    assert Event.objects.filter(what="replaced").get().detail == ""


def test_a_replacement_that_cannot_be_written_down_leaves_the_old_code_good() -> None:
    instrument, (code,) = survey_with_tickets(people=1)
    with failing_statement('INSERT INTO "surveys_event"'):
        replace(Invitee.objects.get())
    assert code_of(Invitee.objects.get()) == code
    assert fetch_ticket(instrument, code)


def test_too_many_people_are_refused_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitees, "MOST_AT_ONCE", 5)
    monkeypatch.setattr(invitees, "MOST_INVITEES", 6)
    instrument, _ = survey_with_tickets(people=3)
    for rows in ([Row()] * 6, [Row()] * 4):
        with pytest.raises(Invalid):
            invite(instrument.survey, rows)
    assert Invitee.objects.count() == 3


def test_ten_thousand_at_once_fit_into_statements() -> None:
    """PostgreSQL takes 65,535 parameters in one, and these are 80,000."""
    survey = create_draft(tickets="one")
    invite(survey, [Row()] * 10_000)
    assert survey.invitees.count() == 10_000


def test_taking_a_person_off_leaves_the_same_row_whether_or_not_a_ticket_was_taken() -> None:
    """And neither code takes a ticket any more; the one that was taken answers."""
    instrument, letters = survey_with_tickets(people=2)
    taken = fetch_ticket(instrument, letters[0])
    for code in letters:
        withdraw(Invitee.objects.get(digest=codes.digest(code)))
    rows = list(
        Invitee.objects.values_list(
            "label", "email", "generation", "allowed", "mailed", "withdrawn"
        )
    )
    assert rows == [("", "", 0, 1, False, True)] * 2
    assert not Invitee.objects.filter(digest__in=map(codes.digest, letters)).exists()
    for code in letters:
        assert (
            request_signature(instrument, code, blinded_ticket_for(instrument)).status_code == 404
        )
    assert counts(instrument.survey).invited == 2
    assert post_response(instrument, ticket_response_body(instrument, taken)).status_code == 201


def test_how_many_have_a_ticket_advances_with_the_release_runs_in_whole_groups() -> None:
    """Polled after each person it says nothing; reopened it goes on in whole groups from the exact number."""
    instrument, letters = survey_with_tickets(people=90)
    shown = []
    for number, code in enumerate(letters[:67], start=1):
        fetch_ticket(instrument, code)
        if number in (10, 19, 20, 39, 41, 67):
            run_next_timer()
        shown.append(counts(instrument.survey).fetched)
    assert sorted(set(shown)) == [0, 20, 40, 60]
    close_survey(instrument.survey)
    assert counts(instrument.survey).fetched == 67
    reopen_survey(instrument.survey)
    for code in letters[67:86]:
        fetch_ticket(instrument, code)
    run_next_timer()
    assert counts(instrument.survey).fetched == 67
    fetch_ticket(instrument, letters[86])
    run_next_timer()
    assert counts(instrument.survey).fetched == 87


def test_a_closed_survey_invites_nobody() -> None:
    instrument, _ = survey_with_tickets()
    close_survey(instrument.survey)
    with pytest.raises(Refused, match="closed"):
        invite(instrument.survey, [Row()])
    with pytest.raises(Refused, match="no tickets"):
        invite(create_published().survey, [Row()])


# --- Sealing


def answered(people: int = LEAST_IN_A_RELEASE) -> tuple[Instrument, list[str]]:
    """With one ticket more than answers."""
    instrument, found = survey_with_tickets(people=people + 1)
    tickets = [fetch_ticket(instrument, code) for code in found]
    for each in tickets[:people]:
        assert post_response(instrument, ticket_response_body(instrument, each)).status_code == 201
    return instrument, tickets


def test_a_ticket_is_spent_once() -> None:
    """30. Over retries, other answers, sealing and the timer of a later day; and a ticket more is still good."""
    instrument, tickets = answered()
    spent = ticket_response_body(instrument, tickets[0])
    assert post_response(instrument, spent).status_code == 409
    assert seal(instrument) == LEAST_IN_A_RELEASE
    Response.objects.filter(sealed_on__isnull=False).update(sealed_on="2020-01-01")
    for _ in range(2):
        call_command("seal")
    assert Response.objects.count() == LEAST_IN_A_RELEASE
    for again in (spent, spent | {"reports": {"tax": 0, "fruit": "10000", "region": 1}}):
        assert post_response(instrument, again).status_code == 409
    assert Response.objects.count() == LEAST_IN_A_RELEASE
    assert (
        post_response(instrument, ticket_response_body(instrument, tickets[-1])).status_code == 201
    )
    reopened_elsewhere = Survey.objects.get()
    close_survey(reopened_elsewhere)
    reopen_survey(Survey.objects.get())
    assert post_response(instrument, spent).status_code == 409


def test_what_was_fetched_is_written_anew_only_if_anybody_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """31. And in steps, of which each is a random part."""
    instrument, _ = answered()
    monkeypatch.setattr(shuffling.settings, "SEAL_STEP", 8)
    before = set(Fetched.objects.values_list("pk", flat=True))
    seal(instrument)
    after = set(Fetched.objects.values_list("pk", flat=True))
    assert len(after) == LEAST_IN_A_RELEASE + 1
    assert not before & after
    shuffling.mix_fetched(instrument.survey_id)
    assert set(Fetched.objects.values_list("pk", flat=True)) == after
    for code in [code_of(each) for each in invite(instrument.survey, [Row()])]:
        fetch_ticket(instrument, code)
    shuffling.mix_fetched(instrument.survey_id)
    assert not after & set(Fetched.objects.values_list("pk", flat=True))


def test_one_who_goes_while_another_comes_is_noticed() -> None:
    """31. Their number stays the same. And a run of the timer mixes where nothing waits to be sealed."""
    instrument, found = survey_with_tickets(people=4)
    for code in found[:3]:
        fetch_ticket(instrument, code)
    call_command("seal")
    before = set(Fetched.objects.values_list("pk", flat=True))
    call_command("seal")
    assert set(Fetched.objects.values_list("pk", flat=True)) == before
    Invitee.objects.filter(fetched__isnull=False).first().delete()
    fetch_ticket(instrument, found[3])
    call_command("seal")
    after = set(Fetched.objects.values_list("pk", flat=True))
    assert len(after) == len(before)
    assert not before & after


# --- The end


def finished(people: int = 3) -> Instrument:
    instrument, _ = answered(people)
    close_survey(instrument.survey)
    finish(Survey.objects.get(), instrument.survey.owner)
    return instrument


def nothing_is_left(survey: Survey) -> bool:
    left = (Invitee.objects.filter(survey=survey), Fetched.objects.filter(invitee__survey=survey))
    return not any(
        each.exists() for each in (*left, Response.objects.filter(instrument__survey=survey))
    )


def test_finishing_leaves_three_numbers_and_the_public_key() -> None:
    instrument = finished()
    assert nothing_is_left(instrument.survey)
    row = Issuer.objects.get()
    assert (row.private, row.modulus) == (None, parse_instrument(instrument).tickets.n)
    assert counts(instrument.survey) == Counts(4, 4, 4)
    assert Event.objects.first().what == "finished"
    finish(Survey.objects.get())  # once more does nothing
    assert Event.objects.filter(what="finished").count() == 1
    with pytest.raises(Refused, match="are finished"):
        reopen_survey(Survey.objects.get())


def test_a_closing_time_cannot_be_taken_back_once_finished() -> None:
    instrument, _ = survey_with_tickets()
    survey = instrument.survey
    Survey.objects.filter(pk=survey.pk).update(closes=timezone.now() - HOUR)
    survey.refresh_from_db()
    finish(survey)
    with pytest.raises(Invalid, match="are finished"):
        set_schedule(survey=Survey.objects.get(), closes=later())


def test_only_a_closed_survey_with_tickets_is_finished() -> None:
    instrument, _ = survey_with_tickets()
    with pytest.raises(Refused, match="Close the survey first"):
        finish(instrument.survey)
    with pytest.raises(Refused, match="no tickets"):
        finish(create_published().survey)
    assert Invitee.objects.count() == 1


def test_the_timer_goes_on_where_finishing_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    instrument, _ = answered(3)
    waiting, _ = survey_with_tickets()  # another, which it leaves alone
    draft_ = create_draft(tickets="one")
    invite(draft_, [Row()])
    close_survey(instrument.survey)
    survey = Survey.objects.get(pk=instrument.survey_id)
    with monkeypatch.context() as patched:
        patched.setattr(
            ticket_completion, "_erase", lambda survey: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            finish(survey)
    assert not nothing_is_left(instrument.survey)
    finish_due()
    assert nothing_is_left(instrument.survey)
    assert (waiting.survey.invitees.count(), draft_.invitees.count()) == (1, 1)


def test_the_day_of_the_deletion_finishes_tickets_too() -> None:
    instrument, _ = answered(3)
    Survey.objects.filter(pk=instrument.survey_id).update(delete_on=timezone.now().date())
    delete_due()
    assert nothing_is_left(instrument.survey)
    assert Issuer.objects.get().is_finished
    assert Survey.objects.get().status == Survey.Status.CLOSED
    delete_due()


def test_destroying_leaves_nothing_of_anybody() -> None:
    instrument, _ = answered(3)
    close_survey(instrument.survey)
    survey = Survey.objects.get()
    destroy(survey, survey.owner, confirm=survey.title)
    assert not any(model.objects.exists() for model in (Survey, Issuer, Invitee, Fetched, Response))


# --- What nobody can tell


def test_every_ticket_fits_every_signing() -> None:
    """29. Given all tables, every message and the key: for each ticket and each signing there is a factor that leads
    from one to the other, so that each is as likely as the other.
    """
    from surveys.fieldwork.tickets import protocol
    from tests.helpers.ticket_device import blinded_ticket_for, request_signature

    instrument, found = survey_with_tickets(people=6)
    drawn = [blinded_ticket_for(instrument) for _ in found]
    answers = [
        request_signature(instrument, code, each).json()["signed"]
        for code, each in zip(found, drawn, strict=True)
    ]
    tickets = [each.ticket(signed) for each, signed in zip(drawn, answers, strict=True)]
    key = ticket_key.load_private_key(Issuer.objects.get()).private_numbers()
    n, e = key.public_numbers.n, key.public_numbers.e
    fitting = 0
    for each, signed in zip(drawn, answers, strict=True):
        sent, root = (
            int.from_bytes(protocol.decode_base64url(text, 342)) for text in (each.blinded, signed)
        )
        for whole in tickets:
            signature = int.from_bytes(
                protocol.decode_base64url(whole, 384)[protocol.NONCE_BYTES :]
            )
            factor = root * pow(signature, -1, n) % n
            encoded = pow(
                signature, e, n
            )  # what was blinded, as anybody who has the ticket can tell
            fitting += encoded * pow(factor, e, n) % n == sent
    assert fitting == 36
    rows = Fetched.objects.count(), Response.objects.count()
    assert rows == (6, 0)
