"""Every file that leaves says the same, opens where researchers work, and is harmless in a spreadsheet."""

import csv
import hashlib
import io
import json
import time
import zipfile
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from mechanisms import Mangat, Matrix
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.export import codebook, files as all_files, find_file
from surveys.export.codebook import as_markdown
from surveys.export.codebook_lines import line
from surveys.export.columns import all_columns, fitting, one_line
from surveys.export.text import csv_cell
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Question
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.report import report
from surveys.site.files.formulas import escape_formulas, unescape_formulas
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of, export_file, json_rows

pytestmark = pytest.mark.django_db


def every_kind() -> Instrument:
    """An open survey with a question of each form of report."""
    survey = surveys.create_draft(title="Työ & “elämä”")
    surveys.add_yes_no(survey, "warner")
    surveys.add_yes_no(survey, "coins", design="two-coin")
    surveys.add_yes_no(
        survey, "forced", "forced-response", parameters={"truth": "2/3", "yes": "1/6", "no": "1/6"}
    )
    surveys.add_yes_no(
        survey, "harmless", "unrelated-question", parameters={"p": "2/3", "prevalence": "1/12"}
    )
    surveys.add_yes_no(survey, "general", "generalized", parameters={"p": "0.9", "q": "0.7"})
    surveys.add_choice(survey, "direct", design="direct", parameters={"epsilon": "2"}, decline=True)
    surveys.add_choice(survey, "unary")
    surveys.add_choice(
        survey, "subset", list("ABCDEFGHIJK"), design="subset", parameters={"epsilon": "1"}
    )
    several = surveys.add_choice(survey, "several", design="unary-any", parameters={"epsilon": "4"})
    Question.objects.filter(pk=several.pk).update(kind=Question.Kind.ANY)
    surveys.add_background(
        survey, "region", ("=cmd|' /C calc'!A0", "+49", 'Say "no", please', "-5")
    )
    return publish_survey(survey)


@pytest.fixture
def filled() -> Instrument:
    instrument = every_kind()
    add_invented_responses(instrument, 700)
    add_invented_responses(instrument, 500, seed=2)
    return instrument


def test_csv_and_json_say_the_same(filled: Instrument) -> None:
    rows = list(csv.DictReader(io.StringIO(export_file(filled, "responses.csv").decode())))
    objects = json_rows(filled)
    assert len(rows) == 1200
    assert [{key: str(value) for key, value in one.items()} for one in objects] == rows


def test_pandas_reads_the_csv_and_its_shares_are_the_reports(filled: Instrument) -> None:
    frame = pd.read_csv(io.BytesIO(export_file(filled, "responses.csv")))
    found = {
        question.key: question for question in report(filled, seen=ReaderView(filled)).questions
    }
    assert frame["warner"].mean() == pytest.approx(found["warner"].choices[1].observed)
    assert frame["unary_3"].mean() == pytest.approx(found["unary"].choices[2].observed)


def test_a_spreadsheet_gets_labels_a_mark_of_utf8_and_no_formula(filled: Instrument) -> None:
    content = export_file(filled, "responses-excel.csv")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert {row["region"] for row in rows} == {
        "'=cmd|' /C calc'!A0",
        "'+49",
        'Say "no", please',
        "'-5",
    }
    assert {row["warner"] for row in rows} == {"No", "Yes"}


@pytest.mark.parametrize(
    "text", ["=1+1", "+a", "-a", "@SUM(A1)", "\tx", "\rx", "＝1", "-5+cmd|x", "+2", "-3"]
)
def test_what_a_spreadsheet_would_run_is_defused(text: str) -> None:
    (cell,) = next(csv.reader(io.StringIO(csv_cell(text), newline="")))
    assert cell == "'" + text


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("No;=1+1", "No;'=1+1"),
        ('a;=HYPERLINK("http://evil")', 'a;\'=HYPERLINK("http://evil")'),
        ("a\t@x", "a\t'@x"),
        ("-5\n=1", "'-5\n'=1"),
        ("a; -1", "a; '-1"),
    ],
)
def test_nothing_runs_where_a_spreadsheet_cuts_at_semicolons(text: str, cell: str) -> None:
    """As with German, French or Spanish settings, where numbers have a comma."""
    assert escape_formulas(text) == cell
    assert unescape_formulas(cell) == text
    assert next(csv.reader(io.StringIO(csv_cell(text), newline=""))) == [cell]


@pytest.mark.parametrize("text", ["5", "3.5", "Apple", "a=b", "naïve, “x”", 'a "b"'])
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert next(csv.reader(io.StringIO(csv_cell(text)))) == [text]


def test_a_survey_without_responses_gives_whole_files() -> None:
    instrument = every_kind()
    assert len(csv_of(instrument).splitlines()) == 1
    assert zipfile.ZipFile(io.BytesIO(export_file(instrument, "everything.zip"))).testzip() is None


def test_the_zip_holds_every_file_and_all_agree(filled: Instrument) -> None:
    archive = zipfile.ZipFile(io.BytesIO(export_file(filled, "everything.zip")))
    assert archive.testzip() is None
    for file in all_files():
        # Beside the rows, the codebook for archives has received counts too.
        if file.is_packed and file.name != "codebook.xml":
            assert archive.read(file.name) == export_file(filled, file.name), file.name
    assert hashlib.sha256(archive.read("instrument.json")).hexdigest() == filled.sha256
    assert json.loads(archive.read("report.json"))["n"] == 1200


def test_the_zip_of_a_closed_survey_is_the_same_byte_for_byte(filled: Instrument) -> None:
    close_survey(filled.survey)
    assert export_file(filled, "everything.zip") == export_file(filled, "everything.zip")


def test_responses_sealed_while_the_zip_is_written_are_in_none_of_its_files(
    filled: Instrument,
) -> None:
    pieces = find_file("everything.zip").stream(filled)
    started = [next(pieces)]
    add_invented_responses(filled, 400, seed=3)
    archive = zipfile.ZipFile(io.BytesIO(b"".join([*started, *pieces])))
    rows = archive.read("responses.csv").count(b"\n") - 1
    assert rows == json.loads(archive.read("codebook.json"))["n"]
    assert json.loads(archive.read("report.json"))["n"] == rows


def test_the_number_of_queries_does_not_grow_with_the_rows(django_assert_num_queries) -> None:
    instrument = every_kind()
    add_invented_responses(instrument, 50)
    with django_assert_num_queries(1):
        export_file(instrument, "responses.csv")
    for seed in range(5):
        add_invented_responses(instrument, 50, seed)
    with django_assert_num_queries(1):
        export_file(instrument, "responses.csv")


def test_the_codebook_says_how_to_correct(filled: Instrument) -> None:
    book = json.loads(export_file(filled, "codebook.json"))
    variables = {variable["name"]: variable for variable in book["variables"]}
    assert (book["n"], book["epsilon"]) == (1200, pytest.approx(parse_instrument(filled).epsilon))
    assert [variables["coins"]["choices"][1][letter] for letter in "cd"] == [0.5, 0.25]
    result = {
        question.key: question for question in report(filled, seen=ReaderView(filled)).questions
    }
    for name, variable in variables.items():
        for choice, reported in zip(variable["choices"], result[name].choices, strict=True):
            assert (reported.observed - choice["d"]) / choice["c"] == pytest.approx(
                reported.estimate
            ), name
    text = export_file(filled, "README.txt").decode()
    assert "1,200 responses" in text
    assert "| 1 | Yes | 1/2 | 1/4 |" in text
    assert "Not randomized" in text


def made(item: QuestionDefinition) -> SurveyDefinition:
    return SurveyDefinition(
        "0" * 64, "slug", "Title", "", "", "en", items=(item,), length=0, content="{}"
    )


def test_an_infinite_epsilon_is_marked_and_is_valid_json() -> None:
    frozen = made(QuestionDefinition("card", "yes-no", "?", "", ("No", "Yes"), Mangat("1/2")))
    book = codebook(frozen)
    assert (book["epsilon"], book["epsilon_is_infinite"]) == (None, True)
    assert "NaN" not in json.dumps(book, allow_nan=False)
    assert "infinite" in as_markdown(frozen)


GENERAL = Matrix([[6, 3, 1], [2, 6, 2], [1, 1, 8]], 10)


def test_a_general_matrix_has_no_line_and_says_so() -> None:
    item = QuestionDefinition("card", "choice", "?", "", ("A", "B", "C"), GENERAL)
    assert line(item) is None
    assert codebook(made(item))["variables"][0]["choices"][0]["c"] is None
    assert "M^-1" in as_markdown(made(item))


def test_the_command_writes_the_same_bytes(filled: Instrument, tmp_path: Path) -> None:
    target = tmp_path / "out"
    call_command(
        "export", parse_instrument(filled).survey, "responses.csv", output=str(target), verbosity=0
    )
    assert target.read_bytes() == export_file(filled, "responses.csv")
    call_command(
        "export",
        parse_instrument(filled).survey,
        "responses.csv",
        output=str(target),
        form="labels",
        verbosity=0,
    )
    assert target.read_bytes() == export_file(filled, "responses-excel.csv")


def test_a_workbook_is_offered_up_to_its_limit(
    filled: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbook = find_file("responses.xlsx")
    assert (workbook.limit, workbook.most_cells, workbook.most_columns) == (
        100_000,
        5_000_000,
        16_384,
    )
    slug, client = parse_instrument(filled).survey, Client()
    client.force_login(filled.survey.owner)
    width = len(all_columns(parse_instrument(filled)))
    for name, most, lack in (
        ("limit", 1199, "1,199 responses, and there are 1,200."),
        ("most_columns", width - 1, f"{width - 1} columns, and there are {width}."),
        (
            "most_cells",
            1200 * width - 1,
            f"{1200 * width - 1:,} cells, and there are {1200 * width:,}.",
        ),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(workbook, name, most)
            page = client.get(f"/surveys/{slug}/files/").content.decode()
            assert f"responses.xlsx holds at most {lack} Use " in page
            assert "/export/responses.xlsx" not in page
            assert client.get(f"/surveys/{slug}/export/responses.xlsx").status_code == 409
            refused = client.get(f"/api/v1/surveys/{slug}/export/responses.xlsx")
            assert refused.json()["detail"].startswith(f"responses.xlsx holds at most {lack}")
            with pytest.raises(CommandError, match=f"holds at most {lack}"):
                call_command("export", slug, "responses.xlsx")
    assert (
        '/export/responses.xlsx" download' in client.get(f"/surveys/{slug}/files/").content.decode()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "No published survey has the slug 'nothing'"),
        (
            ["{slug}", "x.doc"],
            "There is no file 'x.doc'. Choose one of everything.zip, responses.csv",
        ),
        (
            ["{slug}", "responses.csv", "--marks", "packed"],
            "There is no file 'responses.csv' in the form 'packed'",
        ),
        (["{slug}", "README.txt", "-o", "/nowhere/at/all"], "can’t be written"),
        (["{slug}", "responses.jsonl"], "is no longer written. Use responses.csv."),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    slug = parse_instrument(surveys.create_published()).survey
    with pytest.raises(CommandError, match=message):
        call_command("export", *(argument.format(slug=slug) for argument in arguments))


@pytest.mark.parametrize("name", ["responses.xlsx", "everything.zip"])
def test_a_part_of_a_zip_may_be_of_any_size(
    filled: Instrument, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What is written piece by piece has no size to tell beforehand, so its header must have room for any."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1000)
    with zipfile.ZipFile(io.BytesIO(export_file(filled, name))) as archive:
        assert archive.testzip() is None


def test_declining_is_no_point_above_the_others_of_a_scale() -> None:
    survey = surveys.create_draft()
    surveys.add_scale(survey, "agrees")
    surveys.add_scale(
        survey, "declines", design="direct", parameters={"epsilon": "2"}, decline=True
    )
    surveys.add_scale(survey, "tells", design="direct", parameters={"epsilon": "2"})
    frozen = parse_instrument(publish_survey(survey))
    assert {column.name: column.level for column in all_columns(frozen)} == {
        "agrees": "scale",
        "declines": "nominal",
        "tells": "ordinal",
    }


def test_no_text_makes_a_workbook_unreadable() -> None:
    survey = surveys.create_draft()
    surveys.add_choice(survey, "fruit", ["a\ufffe\x01b", "c\uffffd"])
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 20)
    header = next(
        openpyxl.load_workbook(io.BytesIO(export_file(instrument, "responses.xlsx")))[
            "responses"
        ].values
    )
    assert header == ("fruit: ab", "fruit: cd")
    assert one_line("a\ud800b\ufffec") == "abc"


def test_a_workbook_is_the_same_byte_for_byte(filled: Instrument) -> None:
    close_survey(filled.survey)
    first = export_file(filled, "responses.xlsx")
    time.sleep(1.1)  # its format holds the time to the second
    assert export_file(filled, "responses.xlsx") == first


def test_a_label_that_is_too_long_keeps_its_end() -> None:
    text = fitting("ß" * 300, ": Apple", 255, lambda part: len(part.encode()))
    assert text.endswith("ß…: Apple")
    assert 250 < len(text.encode()) <= 255
    assert fitting("a\n b\x07\u2028c", "", 0) == "a b c"


def test_values_beside_texts_have_no_apostrophe_in_csv() -> None:
    survey = surveys.create_draft()
    labels, values = ("Bus", "Bicycle"), ["bus", "bike"]
    surveys.add_background(survey, "way", labels, values=values, decline=True)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, 300)

    (variable,) = [each for each in codebook_of(instrument) if each["name"] == "way"]

    rows = csv.DictReader(io.StringIO(csv_of(instrument)))
    found = {row["way"] for row in rows} - {""}
    assert found == {"bus", "bike", "-99"}
    assert found == {choice["value"] for choice in variable["choices"]}


def codebook_of(instrument: Instrument) -> list[dict]:
    """Return the variables of the codebook that can be downloaded."""
    return json.loads(export_file(instrument, "codebook.json"))["variables"]
