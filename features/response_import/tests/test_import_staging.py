"""A file comes in parts: all of it or nothing, once, whatever is sent twice, missing, or left off midway."""

import tracemalloc
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from features.response_import import staging
from features.response_import.staging import OutOfTurn, Wrong
from features.response_import.tests.import_files import GOOD, HEADER, csv, problems, send, tally
from surveys.authoring.drafts.drafts import create_survey
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.records import decode
from surveys.models import Batch, Event, Import, Instrument, Part, Piece, Run, Survey
from surveys.results.estimates.report import report
from surveys.site.errors import Refused
from tests.factories.import_surveys import add_import_questions, create_import_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file
from tests.helpers.failing_database import failing_statement
from tests.helpers.report_api import report_json

pytestmark = pytest.mark.django_db
LABELS = {"questions": {"age": {"as": "labels"}}}


def rows(n: int, **wrong: str) -> bytes:
    """n rows; wrong: as r5="x" for an age that is none in row 5 of the file."""
    lines = [f"{number % 2},010,South,{18 + number % 82}" for number in range(n)]
    for name, age in wrong.items():
        lines[int(name[1:]) - 2] = f"1,010,South,{age}"
    return csv(*lines)


def nothing_is_stored(survey: Survey) -> bool:
    held = any(bytes(file.held) for file in Import.objects.all())
    return (
        tally(survey) == {}
        and not Batch.objects.exists()
        and not Piece.objects.exists()
        and not held
    )


@pytest.mark.skipif(connection.vendor != "postgresql", reason="about dead rows of PostgreSQL")
@pytest.mark.parametrize("end", ["finished", "cancelled", "forgotten"])
def test_tables_of_an_import_are_rewritten_when_it_ends(end: str) -> None:
    """Their dead rows hold records and cells of the file."""
    survey = create_import_survey()
    if end == "finished":
        send(survey, csv())
    else:
        file = staging.add(staging.begin(survey, survey.owner), 1, csv())
        if end == "cancelled":
            staging.cancel(file)
        else:
            Import.objects.update(day=timezone.now().date() - timedelta(days=2))
            staging.forget_imports()

    noted = Run.objects.filter(command__startswith="rewrite").values_list("command", flat=True)
    assert set(noted) == {"rewrite import", "rewrite part", "rewrite piece"}


def test_what_we_export_comes_back_the_same_by_its_codebook() -> None:
    survey = create_import_survey()
    asked = add_import_questions(create_survey(owner=survey.owner, title="Here"))
    source = publish_survey(asked)
    add_invented_responses(source, 25_000)
    file = send(survey, csv_of(source).encode(), {"version": 3}, size=100_000)
    assert (file.state, file.rows) == ("done", 25_000)
    here, there = Instrument.objects.get(pk=source.pk), Instrument.objects.get(survey=survey)
    assert there.tally == here.tally | {"answered": dict.fromkeys(here.tally["counts"], 25_000)}
    assert sorted(there.batches.values_list("n", flat=True)) == [5000, 10_000, 10_000]
    one, other = report_json(report(here)), report_json(report(there))
    assert one["questions"] == other["questions"]


@pytest.mark.parametrize("name", ["responses.csv", "responses-excel.csv"])
def test_both_of_our_files_come_back(name: str) -> None:
    survey = create_import_survey()
    source = publish_survey(add_import_questions(create_survey(owner=survey.owner, title="Here")))
    add_invented_responses(source, 1000)
    data = export_file(source, name)
    send(survey, data, LABELS if "excel" in name else {"version": 3})
    there = Instrument.objects.get(pk=source.pk).tally
    assert tally(survey) == there | {"answered": dict.fromkeys(there["counts"], 1000)}


def test_the_order_of_the_file_is_not_kept() -> None:
    survey = create_import_survey()
    send(
        survey,
        csv(*[f"Yes,010,{('North', 'South')[number // 500]},18" for number in range(1000)]),
        LABELS,
    )
    regions = decode(parse_instrument(survey.instrument), bytes(Batch.objects.get().records))[
        "region"
    ]
    assert 200 < int(regions[:500].sum()) < 300  # 250 on average, 11 to either side
    assert int(regions.sum()) == 500


def test_cut_anywhere_it_is_the_same_file() -> None:
    survey, data = create_import_survey(), csv()
    whole = [send(survey, data).rows, tally(survey)]
    for size in range(len(HEADER) + 2, len(data)):
        Batch.objects.all().delete()
        Instrument.objects.update(tally={})
        assert [send(survey, data, LABELS, size).rows, tally(survey)] == whole


def test_nothing_is_left_of_a_finished_import_but_its_number_of_rows() -> None:
    survey = create_import_survey()
    file = send(survey, csv(), size=50)
    file.refresh_from_db()
    assert (file.state, file.rows, bytes(file.rest), bytes(file.held)) == ("done", 3, b"", b"")
    assert not Part.objects.exists()
    assert not Piece.objects.exists()
    event = Event.objects.filter(survey=survey).first()
    assert (event.what, event.detail, event.user) == ("imported", "3 responses", survey.owner)


def test_an_end_that_cannot_be_written_down_stores_nothing_and_may_come_again() -> None:
    survey = create_import_survey()
    file = staging.add(staging.begin(survey, survey.owner, LABELS), 1, csv())
    with failing_statement('INSERT INTO "surveys_event"'):
        staging.finish(file, 1, survey.owner)
    assert (tally(survey), Batch.objects.count(), Import.objects.get().state) == ({}, 0, "taking")
    assert staging.finish(file, 1, survey.owner).state == "done"
    assert tally(survey)["n"] == 3


def test_problems_that_cannot_be_written_down_leave_the_import_as_it_was(settings) -> None:
    settings.SEAL_SLICE = 20
    survey = create_import_survey()
    file = staging.add(staging.begin(survey, survey.owner, LABELS), 1, rows(100) + b"1,010,South,x")
    before = Import.objects.values().get(), Piece.objects.count()
    assert before[1] == 5
    with failing_statement('UPDATE "surveys_import"'):
        staging.finish(file, 1, survey.owner)
    assert (Import.objects.values().get(), Piece.objects.count()) == before
    with pytest.raises(Wrong):
        staging.finish(file, 1, survey.owner)
    assert nothing_is_stored(survey)


def test_several_imports_add_up() -> None:
    survey = create_import_survey()
    for _ in range(3):
        send(survey, csv())
    assert (tally(survey)["n"], Batch.objects.count()) == (9, 1)


def test_before_the_end_no_reading_sees_anything_of_it() -> None:
    survey = create_import_survey()
    file = staging.begin(survey, survey.owner)
    staging.add(file, 1, csv())
    assert report(survey.instrument).n == 0
    assert csv_of(survey.instrument).splitlines() == [
        HEADER.replace("fruit", "fruit_1,fruit_2,fruit_3")
    ]


def test_a_part_that_comes_twice_counts_once() -> None:
    survey = create_import_survey()
    file, data = staging.begin(survey, survey.owner, LABELS), csv()
    for number, start in enumerate(range(0, len(data), 40), 1):
        for _ in range(2):
            after = staging.add(file, number, data[start : start + 40])
            assert after.parts == number
    assert staging.finish(file, after.parts, survey.owner).rows == 3


def test_another_part_under_the_same_number_is_refused() -> None:
    survey = create_import_survey()
    file = staging.begin(survey, survey.owner)
    staging.add(file, 1, csv())
    with pytest.raises(OutOfTurn, match="A different part 1 was sent before"):
        staging.add(file, 1, csv("0,000,North,18"))


@pytest.mark.parametrize("number", [2, 7])
def test_a_part_that_is_missing_is_named(number: int) -> None:
    survey = create_import_survey()
    file = staging.begin(survey, survey.owner)
    with pytest.raises(OutOfTurn, match="Part 1 is missing") as raised:
        staging.add(file, number, csv())
    assert raised.value.next == 1
    staging.add(file, 1, csv())
    with pytest.raises(OutOfTurn, match="1 parts have been sent, not 2"):
        staging.finish(file, 2, survey.owner)
    assert (tally(survey), Part.objects.count()) == ({}, 1)


def test_finishing_twice_does_no_more_than_once() -> None:
    survey = create_import_survey()
    file = send(survey, csv())
    assert staging.finish(file, 1, survey.owner).rows == 3
    assert tally(survey)["n"] == 3
    assert Event.objects.filter(survey=survey, what="imported").count() == 1
    with pytest.raises(Refused, match="finished"):
        staging.add(file, 2, b"1,010,North,30\n")
    with pytest.raises(Refused, match="can’t be removed"):
        staging.cancel(file)


def test_one_bad_cell_in_a_hundred_thousand_rows_stores_nothing() -> None:
    survey = create_import_survey()
    data = rows(100_000, r77777="17")
    assert problems(survey, data, LABELS, 200_000) == [
        (77_777, "age", "“17” is not a whole number from 18 to 99.")
    ]
    assert nothing_is_stored(survey)


@pytest.mark.long
def test_one_bad_cell_in_a_million_rows_stores_nothing_and_memory_does_not_grow() -> None:
    survey = create_import_survey()
    file, bad = staging.begin(survey, survey.owner, LABELS), 987_654
    tracemalloc.start()
    for number in range(1, 51):
        lines = [
            f"{row % 2},010,South,{17 if row == bad else 18 + row % 82}"
            for row in range(20_000 * number)[-20_000:]
        ]
        data = "\n".join(([HEADER] if number == 1 else []) + lines) + "\n"
        if number == 2:
            tracemalloc.reset_peak()
        file = staging.add(file, number, data.encode())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with pytest.raises(Wrong):
        staging.finish(file, 50, survey.owner)
    assert file.lines == 1_000_001
    assert [(each["row"], each["column"]) for each in file.problems] == [(bad + 2, "age")]
    assert nothing_is_stored(survey)
    assert peak < 30_000_000  # the text of one part several times over; the file has 14 MB


def test_checking_goes_on_after_a_problem_until_there_are_fifty() -> None:
    survey = create_import_survey()
    found = problems(survey, rows(1000, r3="x", r900="y"), LABELS, 500)
    assert [row for row, _, _ in found] == [3, 900]
    file = staging.begin(survey, survey.owner, LABELS)
    file = staging.add(file, 1, csv(*["1,010,North,x"] * 60))
    assert (len(file.problems), file.found) == (50, 60)
    with pytest.raises(Wrong):
        staging.add(file, 2, b"1,010,North,30\n")


def test_an_empty_row_is_a_problem_only_if_a_row_follows_even_in_another_part() -> None:
    survey, data = create_import_survey(), csv() + b"\r\n\r\n"
    assert send(survey, data, size=len(data) - 1).state == "done"
    file = staging.begin(survey, survey.owner, LABELS)
    for number, part in enumerate((data, b"\r\n", b"1,010,North,30\r\n"), 1):
        file = staging.add(file, number, part)
    assert [each["row"] for each in file.problems] == [5]


def test_after_what_cannot_be_read_nothing_more_is_taken() -> None:
    survey = create_import_survey()
    file = staging.begin(survey, survey.owner)
    file = staging.add(file, 1, csv() + b'1,0"1"0,0,30\n')
    assert [each["row"] for each in file.problems] == [5]
    with pytest.raises(Wrong):
        staging.add(file, 2, csv())
    with pytest.raises(Wrong):
        staging.finish(file, 1, survey.owner)
    staging.cancel(file)
    assert not Import.objects.exists()
    with pytest.raises(Refused, match="was cancelled"):
        staging.add(file, 2, csv())


def test_more_than_a_million_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "MOST_ROWS", 5)
    survey = create_import_survey()
    assert send(survey, rows(5), LABELS).rows == 5
    assert "more than 5 responses" in problems(survey, rows(6), LABELS)[0][2]


@pytest.mark.parametrize("size", [60, 10**6])
def test_a_survey_that_closes_meanwhile_takes_nothing_and_goes_on_when_it_is_opened_again(
    size: int,
) -> None:
    survey, data = create_import_survey(), csv()
    file = staging.begin(survey, survey.owner, LABELS)
    parts = [data[start : start + size] for start in range(0, len(data), size)]
    staging.add(file, 1, parts[0])
    close_survey(survey)
    for step in (
        lambda: staging.add(file, 2, b"x"),
        lambda: staging.finish(file, 1, survey.owner),
        lambda: staging.begin(Survey.objects.get(pk=survey.pk), survey.owner),
    ):
        with pytest.raises(Refused, match="closed"):
            step()
    reopen_survey(survey)
    for number, part in enumerate(parts[1:], 2):
        staging.add(file, number, part)
    assert staging.finish(file, len(parts), survey.owner).rows == 3


def test_only_a_survey_made_for_files_takes_files() -> None:
    draft = add_import_questions(
        create_survey(owner=create_import_survey().owner, title="x", import_only=True)
    )
    asking = add_import_questions(create_survey(owner=draft.owner, title="y"))
    publish_survey(asking)
    for survey, words in (
        (draft, "Prepare the survey for import"),
        (asking, "Only an import-only survey"),
    ):
        with pytest.raises(Refused, match=words):
            staging.begin(Survey.objects.get(pk=survey.pk), survey.owner)


def test_there_are_at_most_ten_unfinished_imports_of_a_survey() -> None:
    survey = create_import_survey()
    for _ in range(10):
        file = staging.begin(survey, survey.owner)
    with pytest.raises(Refused, match="unfinished"):
        staging.begin(survey, survey.owner)
    staging.cancel(file)
    staging.begin(survey, survey.owner)


def test_what_nobody_goes_on_with_is_deleted_after_a_day(capsys: pytest.CaptureFixture) -> None:
    survey = create_import_survey()
    old, new = staging.begin(survey, survey.owner), staging.begin(survey, survey.owner)
    staging.add(old, 1, csv(*GOOD))
    Import.objects.filter(pk=old.pk).update(day=new.day - timedelta(days=2))
    call_command("seal")
    assert "1 old imports deleted" in capsys.readouterr().out
    assert list(Import.objects.all()) == [new]
    assert not Part.objects.exists()


def test_nothing_of_a_file_is_kept_beyond_what_this_list_says() -> None:
    kept = {field.name for field in Import._meta.get_fields()} - {
        "id",
        "survey",
        "user",
        "state",
        "day",
        "come",
        "pieces",
    }
    counted = {
        "codes",
        "parts",
        "total_parts",
        "rows",
        "left_out",
        "lines",
        "blank",
        "missing",
        "found",
        "tally",
    }
    assert kept == {"mapping", "header", "rest", "held", "problems", *counted}
    assert {field.name for field in Part._meta.get_fields()} == {"id", "file", "number", "sha256"}
    assert {field.name for field in Piece._meta.get_fields()} == {"id", "file", "n", "records"}
