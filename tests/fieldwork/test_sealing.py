"""Records leave the inbox for what is held: none lost, none twice, none in order of arrival. Nothing shows of it."""

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import close, reopen
from surveys.fieldwork.responses import Outcome, sealing, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.held import count_pending
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.responses.sealing import forget_keys, seal, seal_due, seal_rest
from surveys.models import Batch, Held, Response
from surveys.operation import timers
from tests.factories.inbox import released_rows, submit_responses
from tests.factories.surveys import create_published, create_researcher

pytestmark = pytest.mark.django_db


def test_nothing_is_sealed_below_the_minimum() -> None:
    instrument = create_published()
    submit_responses(instrument, 19)
    assert seal(instrument) == 0
    assert count_inbox(instrument) == 19
    submit_responses(instrument, 1)
    assert seal(instrument) == 20
    assert (count_inbox(instrument), count_pending(instrument)) == (0, 20)


def test_what_is_sealed_does_not_show() -> None:
    instrument = create_published()
    submit_responses(instrument, 57)
    seal(instrument)
    instrument.refresh_from_db()
    assert (instrument.tally, instrument.waiting, released_rows(instrument)) == ({}, 0, [])
    assert not Batch.objects.exists()


def test_sealing_keeps_every_row_once_and_a_release_counts_them() -> None:
    instrument = create_published()
    rows = submit_responses(instrument, 57)
    seal(instrument)
    rows += submit_responses(instrument, 31, first=100)
    seal(instrument)
    close_survey(instrument.survey)
    instrument.refresh_from_db()
    assert Counter(released_rows(instrument)) == Counter(rows)
    assert instrument.tally["n"] == 88
    assert instrument.tally["counts"]["tax"] == [sum(r[0] == v for r in rows) for v in (0, 1)]
    assert instrument.tally["counts"]["fruit"] == [
        sum(r[1][v] == "1" for r in rows) for v in range(5)
    ]


def test_the_order_of_arrival_is_gone() -> None:
    """20. What is held is shuffled, and batches are."""
    instrument = create_published()
    rows = submit_responses(instrument, 60)
    seal(instrument)
    frozen = parse_instrument(instrument)
    sent = b"".join(
        encode(frozen, dict(zip(("tax", "fruit", "region"), row, strict=True))) for row in rows
    )
    assert bytes(Held.objects.get().records) != sent
    close_survey(instrument.survey)
    assert released_rows(instrument) != rows


def test_what_is_held_is_merged_into_few_rows(settings) -> None:
    settings.SEAL_SLICE = 50
    instrument = create_published()
    for round_ in range(5):
        submit_responses(instrument, 20, first=20 * round_)
        seal(instrument)
    assert sorted(Held.objects.values_list("n", flat=True)) == [20, 40, 40]


def test_one_call_seals_at_most_one_slice(settings) -> None:
    settings.SEAL_SLICE = 25
    instrument = create_published()
    submit_responses(instrument, 40)
    assert seal(instrument) == 25
    assert count_inbox(instrument) == 15
    assert seal_rest(instrument) == 15


def test_a_slice_moves_in_short_steps(settings) -> None:
    settings.SEAL_STEP = 25
    instrument = create_published()
    submit_responses(instrument, 70)
    assert seal(instrument) == 70
    assert count_inbox(instrument) == 0
    assert Held.objects.get().n == 70


def test_a_step_smaller_than_the_minimum_moves_nothing_too_early(settings) -> None:
    settings.SEAL_STEP = 5
    instrument = create_published()
    submit_responses(instrument, 19)
    assert seal(instrument) == 0
    submit_responses(instrument, 10)
    assert seal(instrument) == 10
    assert count_inbox(instrument) == 19


def test_where_nothing_waits_sealing_only_looks(django_assert_num_queries) -> None:
    instrument = create_published()
    with django_assert_num_queries(1):
        assert seal(instrument) == 0


def test_closing_seals_the_rest_and_reopening_takes_more() -> None:
    instrument = create_published()
    submit_responses(instrument, 3)
    close_survey(instrument.survey)
    assert (count_inbox(instrument), count_pending(instrument)) == (0, 3)
    assert store_response(instrument, uuid.uuid4(), b"xx") is Outcome.NOT_OPEN
    reopen(instrument.survey)
    submit_responses(instrument, 1)


def test_a_sealed_row_keeps_its_bare_key_for_a_day() -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    seal(instrument)
    assert set(Response.objects.values_list("record", flat=True)) == {None}
    timers.note("seal")
    assert forget_keys() == 0
    Response.objects.update(sealed_on=timezone.now().date() - timedelta(days=2))
    assert forget_keys() == 20


def test_a_clock_that_jumps_ahead_once_forgets_nothing_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither in the run that sees it, nor in the next one that sees the right time again."""
    instrument = create_published()
    submit_responses(instrument, 40)
    call_command("seal")
    ahead = timezone.now() + timedelta(days=300)
    with monkeypatch.context() as jumped:
        jumped.setattr(timezone, "now", lambda: ahead)
        submit_responses(instrument, 20)
        with pytest.raises(CommandError):
            call_command("seal")
    call_command("seal")
    assert Response.objects.count() == 60


def test_old_keys_are_forgotten_in_short_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    instrument = create_published()
    submit_responses(instrument, 47)
    seal(instrument)
    Response.objects.update(sealed_on=timezone.now().date() - timedelta(days=2))
    timers.note("seal")
    monkeypatch.setattr(sealing, "KEYS_PER_STEP", 20)
    assert forget_keys() == 47
    assert not Response.objects.exists()


def test_a_waiting_response_is_never_forgotten() -> None:
    instrument = create_published()
    submit_responses(instrument, 5)
    forget_keys()
    assert count_inbox(instrument) == 5


def test_the_command_seals_open_surveys_in_groups_and_closed_ones_whole() -> None:
    instrument = create_published()
    submit_responses(instrument, 19)
    assert seal_due() == 0
    instrument.survey.status = "closed"  # as if a response had slipped in while it closed
    instrument.survey.save()
    call_command("seal")
    assert (count_inbox(instrument), count_pending(instrument)) == (0, 19)


def test_the_command_says_no_number_of_responses(capsys) -> None:
    """What it prints stands in a log beside its time."""
    instrument, said = create_published(), set()
    for n in (0, 25, 1):
        submit_responses(instrument, n)
        call_command("seal")
        said.add(capsys.readouterr().out)
    assert len(said) == 1


def test_an_answer_that_slips_in_while_the_survey_closes_is_sealed_at_the_next_reading() -> None:
    instrument = create_published()
    submit_responses(instrument, 1)
    close(instrument.survey)  # the state alone, before the rest is sealed
    assert seal(instrument) == 1


def test_a_known_key_of_the_survey_is_a_retry_whatever_is_sent_under_it() -> None:
    """The record that waits is encrypted, so there is nothing to compare with."""
    instrument, key = create_published(), uuid.uuid4()
    assert store_response(instrument, key, b"ab") is Outcome.RECORDED
    stored = Response.objects.get()

    assert store_response(instrument, key, b"ab") is Outcome.REPEATED
    assert store_response(instrument, key, b"zz") is Outcome.REPEATED
    assert Response.objects.get().record == stored.record


def test_a_key_of_another_survey_is_a_conflict() -> None:
    key = uuid.uuid4()
    store_response(create_published(create_researcher("grace")), key, b"ab")

    assert store_response(create_published(), key, b"ab") is Outcome.CONFLICT
    assert Response.objects.count() == 1


def test_a_retry_after_sealing_or_closing_is_known_and_stores_nothing() -> None:
    instrument, key = create_published(), uuid.uuid4()
    record = encode(parse_instrument(instrument), {"tax": 1, "fruit": "01001", "region": 0})
    store_response(instrument, key, record)
    seal_rest(instrument)
    assert store_response(instrument, key, record) is Outcome.REPEATED
    assert store_response(instrument, key, b"zz") is Outcome.REPEATED
    close_survey(instrument.survey)
    assert store_response(instrument, key, record) is Outcome.REPEATED
    assert count_inbox(instrument) == 0


def test_accepting_is_one_statement(django_assert_num_queries) -> None:
    """The public key of the inbox is read once a minute."""
    instrument = create_published()
    store_response(instrument, uuid.uuid4(), b"ab")
    with django_assert_num_queries(1):
        store_response(instrument, uuid.uuid4(), b"ab")


def test_the_stored_fields_name_no_respondent() -> None:
    """20. An allow-list of everything kept about a response."""
    assert {field.name for field in Response._meta.get_fields()} == {
        "key",
        "instrument",
        "record",
        "inbox_key",
        "sealed_on",
    }
    for model in (Held, Batch):
        assert {field.name for field in model._meta.get_fields()} == {
            "id",
            "instrument",
            "n",
            "records",
        }
