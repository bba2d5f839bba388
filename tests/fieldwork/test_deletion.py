"""The day on which a survey said that its responses are deleted, kept by the timer."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from surveys.accounts.history import What
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.files.survey_file import new_version
from surveys.export import decoded
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses import deletion
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.deletion import delete_due, delete_responses
from surveys.fieldwork.responses.released import iter_batches
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Batch, Cut, Held, Import, Instrument, Part, Piece, Response, Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import report
from surveys.results.report.data_quality import inspect
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    post_response,
    publish_survey,
    response_body,
)
from tests.helpers.html_forms import errors

pytestmark = pytest.mark.django_db


@pytest.fixture
def instrument() -> Instrument:
    """An open survey of Ada's whose responses go tomorrow, grouped by region."""
    survey = create_draft(
        purpose="To know.", delete_on=datetime.now(UTC).date() + timedelta(days=1)
    )
    add_yes_no(survey)
    add_background(survey, cut=True)
    return publish_survey(survey)


def comes(instrument: Instrument) -> Instrument:
    """The day of the deletion is today."""
    Survey.objects.filter(pk=instrument.survey_id).update(delete_on=datetime.now(UTC).date())
    return Instrument.objects.select_related("survey").get(pk=instrument.pk)


def answer(instrument: Instrument, times: int) -> None:
    for _ in range(times):
        assert (
            post_response(
                instrument, response_body(instrument, reports={"tax": 1, "region": 0})
            ).status_code
            == 201
        )


def left(instrument: Instrument) -> int:
    return sum(
        each.objects.filter(instrument=instrument).count() for each in (Response, Held, Batch)
    )


def test_before_the_day_nothing_is_deleted(instrument: Instrument) -> None:
    add_responses(instrument, 120, region=[0, 1] * 60)
    delete_due()
    instrument.refresh_from_db()
    assert (instrument.deleted_on, left(instrument) > 0, instrument.survey.status) == (
        None,
        True,
        "open",
    )


def test_on_the_day_it_is_closed_and_released_and_then_all_responses_go(
    instrument: Instrument,
) -> None:
    add_responses(instrument, 100, region=[0, 1] * 50)
    answer(instrument, 25)
    call_command("seal")  # what waits is held
    answer(instrument, 3)
    instrument = comes(instrument)
    call_command("seal")
    instrument.refresh_from_db()
    assert (instrument.survey.status, instrument.deleted_on) == ("closed", datetime.now(UTC).date())
    assert left(instrument) == 0
    assert instrument.tally["n"] == 128  # 28 that waited were 20 or more
    assert sum(cell["n"] for cell in Cut.objects.get().cells.values()) == 128
    happened = list(instrument.survey.events.values_list("what", "name"))
    assert happened[:2] == [(What.DELETED, "the site"), (What.CLOSED, "the site")]


def test_fewer_than_twenty_that_wait_are_deleted_unread(instrument: Instrument) -> None:
    add_responses(instrument, 100, region=[0, 1] * 50)
    answer(instrument, 19)
    instrument = comes(instrument)
    delete_due()
    instrument.refresh_from_db()
    assert (left(instrument), instrument.tally["n"], instrument.waiting) == (0, 100, 0)


def test_what_was_computed_at_an_earlier_closing_stays(instrument: Instrument) -> None:
    add_responses(instrument, 120, region=[0, 1] * 60)
    close_survey(instrument.survey)
    Instrument.objects.update(likeliest={"n": 120, "shares": {"tax": [0.5, 0.5]}})
    instrument.refresh_from_db()
    before = [instrument.tally, instrument.likeliest, Cut.objects.get().cells, report(instrument)]
    instrument = comes(instrument)
    call_command("seal")
    instrument.refresh_from_db()
    assert [
        instrument.tally,
        instrument.likeliest,
        Cut.objects.get().cells,
        report(instrument),
    ] == before
    assert left(instrument) == 0


class Killed(Exception):
    pass


@pytest.mark.parametrize(
    "step", ["close_survey", "seal_rest", "release", "_mark_deleted", "erase_responses"]
)
@pytest.mark.parametrize("late", [False, True])
def test_killed_between_two_steps_the_next_run_goes_on(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch, step: str, late: bool
) -> None:
    add_responses(instrument, 100, region=[0, 1] * 50)
    answer(instrument, 20)
    instrument = comes(instrument)
    right = getattr(deletion, step)

    def stop(*given: object, **more: object) -> None:
        if late:
            right(*given, **more)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(deletion, step, stop)
        with pytest.raises(Killed):
            delete_due()
    delete_due()
    delete_due()
    instrument.refresh_from_db()
    assert (left(instrument), instrument.tally["n"], Cut.objects.get().n) == (0, 120, 120)
    assert instrument.survey.events.filter(what=What.DELETED).count() == 1
    assert instrument.survey.events.filter(what=What.CLOSED).count() == 1


def test_killed_while_they_go_nobody_counts_those_that_are_left(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_responses(instrument, 120, region=[0, 1] * 60)
    instrument = comes(instrument)
    with monkeypatch.context() as patched:
        patched.setattr(deletion, "erase_responses", lambda each: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            delete_due()
    assert left(instrument) > 0
    with pytest.raises(Refused, match="were deleted on"):
        list(iter_batches(instrument))


def test_a_survey_whose_closing_time_has_passed_cannot_be_opened_by_taking_that_back(
    instrument: Instrument,
) -> None:
    add_responses(instrument, 120, region=[0, 1] * 60)
    Survey.objects.update(closes=timezone.now() - timedelta(hours=1))
    instrument = comes(instrument)
    delete_due()
    survey = Survey.objects.get()
    assert survey.status == "closed"
    with pytest.raises(Refused, match="can’t reopen this survey"):
        reopen_survey(Survey.objects.get())
    with pytest.raises(Invalid, match="can’t reopen this survey"):
        set_schedule(survey=survey, closes="")
    new_version(survey, survey.owner)  # the way that is left


def test_before_the_timer_has_run_a_closed_survey_is_not_opened_either(
    instrument: Instrument,
) -> None:
    close_survey(instrument.survey)
    survey = comes(instrument).survey
    with pytest.raises(Refused, match="can’t reopen this survey"):
        reopen_survey(survey)


@pytest.mark.parametrize(
    ("closes", "problem"),
    [(timedelta(hours=50), "Close the survey before"), (timedelta(hours=1), "")],
)
def test_a_survey_does_not_close_after_its_responses_go(closes: timedelta, problem: str) -> None:
    survey = create_draft(
        delete_on=datetime.now(UTC).date() + timedelta(days=2), closes=timezone.now() + closes
    )
    add_yes_no(survey)
    if problem:
        with pytest.raises(Refused, match=problem):
            publish_survey(survey)
        return
    publish_survey(survey)
    survey.refresh_from_db()
    with pytest.raises(Invalid, match="Close the survey before"):
        set_schedule(survey=survey, closes=f"{timezone.now() + timedelta(days=9):%Y-%m-%dT%H:%M}")
    assert Survey.objects.get().closes == survey.closes


def test_a_day_that_is_past_is_refused_at_publishing() -> None:
    survey = create_draft(delete_on=datetime.now(UTC).date())
    add_yes_no(survey)
    with pytest.raises(Refused, match="is past"):
        publish_survey(survey)


@pytest.mark.parametrize("day", ["31.1.2030", "9999-01-01", "tomorrow"])
def test_a_day_that_makes_no_sense_is_named_at_its_place(day: str) -> None:
    survey = create_draft()
    with pytest.raises(Invalid) as wrong:
        update_settings(survey, {"delete_on": day, "purpose": "To know."})
    assert set(wrong.value.errors) == {"delete_on"}
    assert Survey.objects.get().purpose == ""


def test_whoever_writes_a_day_that_is_past_is_told_at_once() -> None:
    """On the page and by program; a copy of an old survey has one, which publishing refuses."""
    survey, page = create_draft(), Client()
    page.force_login(survey.owner)
    typed = {"title": survey.title, "delete_on": "2020-01-01", "purpose": "To know."}
    answer = page.post(f"/surveys/{survey.slug}/welcome/", typed)
    assert errors(answer) == {
        "delete_on": "2020-01-01 is not in the future. The earliest day is tomorrow."
    }
    program, at = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/"
    sent = program.patch(at, json.dumps(typed), content_type="application/json")
    assert (sent.status_code, [*sent.json()["errors"]]) == (422, ["delete_on"])
    assert Survey.objects.get().purpose == ""


@pytest.fixture
def gone(instrument: Instrument) -> Instrument:
    add_responses(instrument, 120, region=[0] * 70 + [1] * 50)
    delete_responses(comes(instrument))
    return Instrument.objects.select_related("survey").get()


def test_the_report_says_so_and_shows_the_counts_to_whoever_had_the_rows(gone: Instrument) -> None:
    client = Client()
    client.force_login(gone.survey.owner)
    page = client.get(f"/surveys/{gone.survey.slug}/report/").content.decode()
    assert "The responses were deleted on" in page
    assert "North" in page
    told = client.get(f"/api/v1/surveys/{gone.survey.slug}/report/").json()
    assert told["deleted_on"] == gone.deleted_on.isoformat()
    assert told["n"] == 120
    found = view_for_reader(gone, has_rows=True).tally(Group())
    assert found["counts"]["region"] == [70, 50]
    assert inspect(gone, rows=True)
    quality = client.get(f"/surveys/{gone.survey.slug}/report/quality/").content.decode()
    assert "Only their counts are checked here." in quality


def test_groups_of_the_closing_can_still_be_asked_for(gone: Instrument) -> None:
    client = client_of(gone.survey.owner)
    found = client.get(f"/api/v1/surveys/{gone.survey.slug}/report/?where=region:0").json()
    assert found["n"] == 70
    page = Client()
    page.force_login(gone.survey.owner)
    for part in ("compare/?by=region", "files/", "", "settings/"):
        assert page.get(f"/surveys/{gone.survey.slug}/{part}").status_code == 200


def test_a_survey_without_a_cut_keeps_its_background_counts() -> None:
    survey = create_draft(delete_on=datetime.now(UTC).date() + timedelta(days=1))
    add_yes_no(survey)
    add_background(survey)
    instrument = publish_survey(survey)
    add_responses(instrument, 60, region=[0] * 45 + [1] * 15)
    delete_responses(comes(instrument))
    instrument.refresh_from_db()
    assert view_for_reader(instrument, has_rows=True).tally(Group())["counts"]["region"] == [45, 15]
    assert view_for_reader(instrument, has_rows=False).tally(Group())["counts"]["region"] == [0, 0]


@pytest.mark.parametrize(
    "part", ["responses.csv", "export/everything.zip", "export/responses.parquet"]
)
def test_downloads_of_rows_say_so(gone: Instrument, part: str) -> None:
    client = Client()
    client.force_login(gone.survey.owner)
    before = gone.survey.events.count()
    answer = client.get(f"/surveys/{gone.survey.slug}/{part}")
    assert answer.status_code == 409
    assert "were deleted on" in answer.content.decode()
    by_program = client_of(gone.survey.owner)
    for path in ("responses/", "export/everything.zip"):
        told = by_program.get(f"/api/v1/surveys/{gone.survey.slug}/{path}")
        assert (told.status_code, "were deleted on" in told.json()["detail"]) == (409, True)
    assert gone.survey.events.count() == before
    with pytest.raises(CommandError, match="were deleted on"):
        call_command("export", gone.survey.slug, "responses.csv", output="-")
    with pytest.raises(Refused, match="were deleted on"):
        list(decoded(gone))


def test_the_codebook_can_still_be_had(gone: Instrument) -> None:
    answer = client_of(gone.survey.owner).get(
        f"/api/v1/surveys/{gone.survey.slug}/export/codebook.json"
    )
    assert b"".join(answer.streaming_content)


def test_files_that_came_in_part_go_too() -> None:
    survey = create_draft(import_only=True, delete_on=datetime.now(UTC).date() + timedelta(days=1))
    add_yes_no(survey)
    instrument = lock_questions(survey)
    survey.refresh_from_db()
    file = Import.objects.create(
        survey=survey, user=survey.owner, day=timezone.now().date(), parts=1, rows=2
    )
    Part.objects.create(file=file, number=1, sha256="0" * 64)
    Piece.objects.create(file=file, n=2, records=b"\x01\x00")
    delete_responses(comes(instrument))
    assert [model.objects.count() for model in (Import, Part, Piece)] == [0, 0, 0]
    assert Survey.objects.get().status == "closed"
