"""Released are 20 responses or more at a time, or none; at most once an hour, or at a closing."""

import re
import uuid
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses import store_response
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE, count_pending
from surveys.fieldwork.responses.inbox import count_inbox
from surveys.fieldwork.responses.progress import count_received, is_neglected, is_settled
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.responses.release import release, release_due
from surveys.fieldwork.responses.released import iter_batches, read_released
from surveys.fieldwork.responses.sealing import seal, seal_due
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Batch, Instrument, Question, Survey
from surveys.signals import survey_reopened
from tests.factories.inbox import pass_an_hour, released_rows, run_next_timer, submit_responses
from tests.factories.surveys import add_yes_no, create_draft, create_published, publish_survey
from tests.helpers.failing_database import failing_statement

pytestmark = pytest.mark.django_db


def n(instrument: Instrument) -> int:
    return read_released(instrument).tally["n"]


@pytest.mark.parametrize(
    ("sent", "shown"), [(19, 0), (20, 0), (39, 0), (40, 20), (41, 21), (100, 80)]
)
def test_an_open_survey_shows_all_but_twenty_from_forty_on(sent: int, shown: int) -> None:
    instrument = create_published()
    submit_responses(instrument, sent)
    run_next_timer()
    assert n(instrument) == shown


def test_each_step_has_at_least_twenty() -> None:
    """One response after the other, the timer after each, an hour between: the steps never show fewer."""
    instrument, seen = create_published(), [0]
    for number in range(130):
        submit_responses(instrument, 1, first=number)
        run_next_timer()
        seen.append(n(instrument))
    close_survey(instrument.survey)
    seen.append(n(instrument))
    steps = [later - before for before, later in pairwise(seen) if later != before]
    assert steps
    assert min(steps) >= LEAST_IN_A_RELEASE
    assert seen[-1] == 130


@pytest.mark.parametrize(("sent", "shown"), [(0, 0), (1, 0), (19, 0), (20, 20), (39, 39), (57, 57)])
def test_a_closing_shows_all_if_they_are_twenty(sent: int, shown: int) -> None:
    instrument = create_published()
    submit_responses(instrument, sent)
    close_survey(instrument.survey)
    assert n(instrument) == shown
    assert count_pending(instrument) == sent - shown


def test_a_closing_releases_what_is_held_though_the_inbox_is_empty() -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    seal(instrument)
    close_survey(instrument.survey)
    assert n(instrument) == 20


def test_closing_and_reopening_shows_nobody_by_themselves() -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    close_survey(instrument.survey)
    for victim in range(5):
        reopen_survey(instrument.survey)
        submit_responses(instrument, 1, first=100 + victim)
        close_survey(instrument.survey)
        run_next_timer()
        assert n(instrument) == 20
    reopen_survey(instrument.survey)
    submit_responses(instrument, 15, first=200)
    close_survey(instrument.survey)
    assert n(instrument) == 40


def pass_closing_time(survey: Survey) -> None:
    Survey.objects.filter(pk=survey.pk).update(closes=timezone.now() - timedelta(seconds=1))


def test_a_closing_time_set_and_taken_back_shows_nobody_and_is_a_reopening() -> None:
    instrument = create_published()
    submit_responses(instrument, 20)
    pass_closing_time(instrument.survey)
    call_command("seal")
    assert n(instrument) == 20
    for victim in range(3):
        set_schedule(survey=Survey.objects.get(), by=instrument.survey.owner)
        assert Survey.objects.get().state == "open"
        submit_responses(instrument, 1, first=100 + victim)
        pass_closing_time(instrument.survey)
        run_next_timer()
        assert n(instrument) == 20
    assert [event.what for event in instrument.survey.events.all()].count("reopened") == 3


def test_taking_back_a_passed_closing_time_is_told_as_a_reopening() -> None:
    survey = create_published().survey
    reopened: list[Survey] = []

    def note(survey: Survey, **_: object) -> None:
        reopened.append(survey)

    survey_reopened.connect(note)
    pass_closing_time(survey)
    set_schedule(survey=survey)
    assert reopened == [survey]
    set_schedule(survey=survey, target="30")  # open before and after
    close_survey(survey)
    reopen_survey(survey)
    assert reopened == [survey, survey]


def test_one_survey_for_each_person_shows_none() -> None:
    first = create_published()
    for number in range(3):
        survey = create_draft(first.survey.owner, title=f"For one person, {number}")
        add_yes_no(survey)
        instrument = publish_survey(survey)
        store_response(instrument, uuid.uuid4(), encode(parse_instrument(instrument), {"tax": 1}))
        close_survey(survey)
        run_next_timer()
        assert (n(instrument), read_released(instrument).waiting) == (0, 0)


def test_it_happens_once_in_an_hour_of_the_clock() -> None:
    instrument = create_published()
    submit_responses(instrument, 40)
    call_command("seal")
    assert n(instrument) == 20
    submit_responses(instrument, 40, first=50)
    call_command("seal")
    assert n(instrument) == 20
    pass_an_hour()
    call_command("seal")
    assert n(instrument) == 60


def test_the_first_look_after_a_closing_time_is_a_closing_whatever_the_hour() -> None:
    instrument = create_published()
    submit_responses(instrument, 40)
    call_command("seal")
    assert n(instrument) == 20
    pass_closing_time(instrument.survey)
    Instrument.objects.update(looked=timezone.now() - timedelta(seconds=2))
    call_command("seal")
    assert n(instrument) == 40
    assert (
        Instrument.objects.get().looked >= Survey.objects.get().closes
    )  # later where an hour has just begun


def test_survey_closed_by_hand_is_still_settled_after_its_closing_time() -> None:
    instrument = create_published()
    submit_responses(instrument, 40)
    close_survey(instrument.survey)
    last_release = timezone.now() - timedelta(hours=3)
    Instrument.objects.update(looked=last_release)
    Survey.objects.update(closes=last_release + timedelta(hours=1))

    assert not is_settled(Survey.objects.get())
    release_due()

    assert is_settled(Survey.objects.get())
    assert n(instrument) == 40


def test_no_time_is_kept_finer_than_the_hour() -> None:
    instrument = create_published()
    submit_responses(instrument, 40)
    call_command("seal")
    instrument.refresh_from_db()
    assert (instrument.looked.minute, instrument.looked.second, instrument.looked.microsecond) == (
        0,
        0,
        0,
    )


def test_reading_releases_nothing(client) -> None:
    instrument = create_published()
    client.force_login(instrument.survey.owner)
    submit_responses(instrument, 60)
    for page in ("report/", "files/", "", "settings/", "questions/", "report/quality/"):
        assert client.get(f"/surveys/{instrument.survey.slug}/{page}").status_code == 200
    assert n(instrument) == 0


@pytest.mark.parametrize(
    ("sent", "said"), [(0, 0), (19, 0), (20, 20), (39, 20), (40, 20), (59, 20), (61, 20)]
)
def test_what_waits_is_told_in_whole_groups(sent: int, said: int) -> None:
    instrument = create_published()
    submit_responses(instrument, sent)
    run_next_timer()
    assert read_released(instrument).waiting == said


def test_what_waits_is_told_as_of_the_last_release() -> None:
    instrument = create_published()
    run_next_timer()
    for number in range(45):
        submit_responses(instrument, 1, first=number)
        call_command("seal")
        assert count_received(instrument.survey) == {"released": 0, "waiting": 0, "received": 0}
    run_next_timer()
    assert count_received(instrument.survey) == {
        "released": 20,
        "waiting": 20,
        "received": 40,
    }  # five are still in the inbox


def test_a_paused_survey_is_released_like_an_open_one() -> None:
    instrument = create_published()
    submit_responses(instrument, 45)
    pause(instrument.survey)
    run_next_timer()
    assert n(instrument) == 25


def test_with_results_after_closing_only_nothing_shows_before() -> None:
    survey = create_draft(results_after_closing=True)
    add_yes_no(survey)
    instrument = publish_survey(survey)
    for _ in range(60):
        store_response(instrument, uuid.uuid4(), encode(parse_instrument(instrument), {"tax": 1}))
    run_next_timer()
    assert (n(instrument), read_released(instrument).waiting) == (0, 60)
    close_survey(survey)
    assert n(instrument) == 60
    reopen_survey(survey)
    for _ in range(50):
        store_response(instrument, uuid.uuid4(), encode(parse_instrument(instrument), {"tax": 0}))
    run_next_timer()
    assert n(instrument) == 60


def test_what_slips_in_after_a_closing_comes_out_with_twenty_or_never() -> None:
    instrument = create_published()
    submit_responses(instrument, 30)
    close_survey(instrument.survey)
    for first, shown in ((100, 30), (110, 50)):
        Survey.objects.update(status="open")
        submit_responses(instrument, 10, first=first)
        Survey.objects.update(status="closed")
        run_next_timer()
        assert n(instrument) == shown


def test_a_closing_is_released_whole_once_it_is_sealed() -> None:
    """Where others hold a survey too long for sealing, what waits would never be twenty by itself."""
    instrument = create_published()
    submit_responses(instrument, 30)
    seal(instrument)
    submit_responses(instrument, 10, first=100)
    Survey.objects.update(closes=timezone.now())
    assert release_due() == 0
    seal_due()
    assert release_due() == 40


def test_what_was_released_stays_also_below_twenty() -> None:
    """Surveys that were closed before there was this rule."""
    instrument = create_published()
    instrument.tally = {"n": 7, "counts": {"tax": [3, 4], "fruit": [1] * 5, "region": [7, 0]}}
    instrument.save()
    run_next_timer()
    assert n(instrument) == 7


@pytest.mark.parametrize("slice_", [20, 30, 50])
@pytest.mark.parametrize("sent", [40, 59, 60, 75, 110, 131])
def test_very_many_are_released_in_parts_each_of_which_is_large_enough(
    settings, slice_: int, sent: int
) -> None:
    settings.SEAL_SLICE, settings.SEAL_STEP = slice_, 20
    instrument = create_published()
    sent_rows = submit_responses(instrument, sent)
    run_next_timer()
    assert n(instrument) + count_inbox(instrument) == sent - 20
    assert count_pending(instrument) == 20
    close_survey(instrument.survey)
    assert Counter(released_rows(instrument)) == Counter(sent_rows)


def test_batches_are_full_but_one_and_lie_in_no_order(settings) -> None:
    settings.SEAL_SLICE = 50
    instrument = create_published()
    sent = []
    for round_ in range(6):
        sent += submit_responses(instrument, 40, first=40 * round_)
        run_next_timer()
    close_survey(instrument.survey)
    assert sorted(Batch.objects.values_list("n", flat=True)) == [40, 50, 50, 50, 50]
    assert Counter(released_rows(instrument)) == Counter(sent)


def test_batches_lie_in_no_order_of_arrival(settings) -> None:
    """20. Each hour's release is shuffled with what lies there, so that neither rows nor batches tell the hour."""
    settings.SEAL_SLICE = 50
    survey = create_draft()
    Question.objects.create(
        survey=survey, key="turn", kind="number", position=1, text="?", minimum=0, maximum=999
    )
    instrument = publish_survey(survey)
    for turn in range(400):
        store_response(
            instrument, uuid.uuid4(), encode(parse_instrument(instrument), {"turn": turn})
        )
        if turn % 40 == 39:
            run_next_timer()
    close_survey(survey)
    turns = np.concatenate(
        [part["turn"] for part in iter_batches(instrument)]
    )  # as the database gives them
    assert sorted(turns) == list(range(400))
    assert abs(np.corrcoef(turns, np.arange(400))[0, 1]) < 4 / 400**0.5


def test_those_who_run_a_survey_are_told_where_nobody_looks() -> None:
    instrument = create_published()
    survey = instrument.survey
    assert not is_neglected(survey)
    run_next_timer()
    instrument.refresh_from_db()
    assert not is_neglected(Survey.objects.get())
    Instrument.objects.update(looked=timezone.now() - timedelta(hours=2, minutes=1))
    assert is_neglected(Survey.objects.get())
    close_survey(survey)
    assert not is_neglected(Survey.objects.get())


def test_a_release_that_another_has_begun_does_not_begin_again() -> None:
    instrument = create_published()
    submit_responses(instrument, 40)
    seal(instrument)
    assert release(instrument) == 20
    assert release(instrument) == 0


def test_a_release_that_cannot_be_stored_leaves_everything_held() -> None:
    instrument = create_published()
    sent = submit_responses(instrument, 60)
    seal(instrument)
    with failing_statement('INSERT INTO "surveys_batch"'):
        release(instrument)
    assert (count_pending(instrument), n(instrument)) == (60, 0)
    close_survey(instrument.survey)
    assert Counter(released_rows(instrument)) == Counter(sent)


@pytest.mark.parametrize(
    ("switch", "said"),
    [(False, {LEAST_IN_A_RELEASE, 2 * LEAST_IN_A_RELEASE}), (True, {LEAST_IN_A_RELEASE})],
)
def test_respondents_read_the_numbers_of_the_rule(switch: bool, said: set[int]) -> None:
    survey = create_draft(results_after_closing=switch)
    add_yes_no(survey)
    publish_survey(survey)
    page = Client().get(f"/s/{survey.slug}/").content.decode()
    sentence = re.search(r"[^<>]*[Rr]esults appear[^<>.]*from [^<>.]*\.", page)[0]
    assert set(map(int, re.findall(r"\d+", sentence))) == said
    assert (
        f"Someone who sends {LEAST_IN_A_RELEASE - 1} of {LEAST_IN_A_RELEASE} responses knows"
        in page
    )
