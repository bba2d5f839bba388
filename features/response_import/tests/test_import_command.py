"""manage.py import_responses."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from features.response_import import staging
from features.response_import.tests.import_files import GOOD, csv, tally
from surveys.models import Event, Import
from tests.factories.import_surveys import create_import_survey

pytestmark = pytest.mark.django_db


def run(slug: str, path: Path, **options: str) -> str:
    out = io.StringIO()
    call_command("import_responses", slug, str(path), stdout=out, **options)
    return out.getvalue()


def write(folder: Path, data: bytes, name: str = "responses.csv") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_file_is_imported_and_the_history_says_by_whom(tmp_path: Path) -> None:
    survey = create_import_survey()
    assert run(survey.slug, write(tmp_path, csv()), by="ada") == (
        "Read as UTF-8, separated by comma, names in row 1.\n3 responses imported into “On paper”.\n"
    )
    run(survey.slug, write(tmp_path, csv()))
    assert tally(survey)["n"] == 6
    assert [event.name for event in Event.objects.filter(what="imported")] == ["the site", "ada"]


def test_how_a_file_was_read_is_said(tmp_path: Path) -> None:
    survey = create_import_survey()
    data = "Umfrage 2024\r\nGröße;tax;fruit;region;age\r\n1;NA;010;North;99\r\n2;NA;010;.;18\r\n".encode(
        "windows-1252"
    )
    assert run(survey.slug, write(tmp_path, data)) == (
        "Read as Windows-1252, Western European, separated by semicolon, names in row 2.\n"
        "Without a report to tax: 2.\nWithout a report to region: 1.\n2 responses imported into “On paper”.\n"
    )


def test_a_mapping_comes_from_a_file(tmp_path: Path) -> None:
    survey = create_import_survey()
    asked = {"questions": {"tax": {"column": "Q1"}, "age": {"as": "labels"}}}
    mapping = write(tmp_path, json.dumps(asked).encode(), "mapping.json")
    run(
        survey.slug,
        write(tmp_path, csv("Yes,010,South,30", header="Q1,fruit,region,age")),
        mapping=str(mapping),
    )
    assert tally(survey)["n"] == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            csv(*GOOD, "x,010,North,99"),
            "Nothing was imported.\nrow 5, column tax: “x” is not one of No, Yes, or a",
        ),
        (
            csv(*GOOD, "1,010"),
            "Nothing was imported.\nrow 5: The row has 2 cells; the first row of the file has 4.",
        ),
        (
            csv("1,010,South,30"),
            "Nothing was imported.\nquestions.tax.texts: Choose what each of these codes means: “1” (1 row). The",
        ),
        (
            csv("1,010,South,30"),
            '\nPut it into a file for --mapping, such as {"questions": {"tax": {"texts": {"CODE": 0}, "missing": ',
        ),
        (csv(*GOOD, *["x,010,North,30"] * 60), "... and 10 more."),
        (
            b"\xd0\xcf\x11\xe0",
            "Nothing was imported.\nThis is a workbook, but it can’t be read to the end.",
        ),
        (b"", "Nothing was imported.\nThe file is empty."),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_left(
    tmp_path: Path, data: bytes, message: str
) -> None:
    survey = create_import_survey()
    with pytest.raises(CommandError) as raised:
        run(survey.slug, write(tmp_path, data))
    assert message in str(raised.value)
    assert tally(survey) == {}
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("slug", "name", "options", "message"),
    [
        ("nothing", "responses.csv", {}, "No survey has the slug 'nothing'."),
        (None, "nothing.csv", {}, "can’t be read: No such file or directory."),
        (None, "responses.csv", {"by": "eve"}, "There is no account named eve."),
        (None, "responses.csv", {"mapping": "responses.csv"}, "is not JSON"),
        (None, "responses.csv", {"mapping": "nothing.json"}, "can’t be read"),
    ],
)
def test_what_is_not_there_is_said(
    tmp_path: Path, slug: str | None, name: str, options: dict, message: str
) -> None:
    survey = create_import_survey()
    write(tmp_path, csv())
    paths = {
        key: str(tmp_path / value) if key == "mapping" else value for key, value in options.items()
    }
    with pytest.raises(CommandError, match=message):
        run(slug or survey.slug, tmp_path / name, **paths)


def test_a_file_of_many_parts_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "PART", 1000)
    survey = create_import_survey()
    run(survey.slug, write(tmp_path, csv(*[f"Yes,010,North,{18 + n % 82}" for n in range(2000)])))
    assert tally(survey)["n"] == 2000
