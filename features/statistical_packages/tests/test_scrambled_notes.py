"""Every file says that answers are scrambled, and marks the scrambled variables and no others."""

import io
import json
import zipfile
from fractions import Fraction
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from django.test import Client

from features.statistical_packages.stata_spss import wrapped
from surveys.definition.parsing import parse_instrument
from surveys.export import files as all_files, find_file
from surveys.export.columns import all_columns
from surveys.export.scrambled import MARK, NOTE, note_lines
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Instrument
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import export_file

pytestmark = pytest.mark.django_db

LONG_TEXT = "Wie oft haben Sie in den letzten zwölf Monaten " + "übermäßig " * 40 + "getrunken?"
SCRIPTS = ("import.R", "analysis.R", "import_responses.py", "import.sps", "import.do")


def create_survey(*, has_sensitive: bool = True) -> Instrument:
    survey = surveys.create_draft(title="Scrambled", import_only=True)
    if has_sensitive:
        surveys.add_yes_no(survey, "owns_land", design="two-coin")
        surveys.add_choice(survey, "fruit", design="unary", parameters={"p": "3/4", "q": "1/4"})
        surveys.add_choice(
            survey, "direct", ["A", "B", "C"], design="direct", parameters={"epsilon": "2"}
        )
        survey.questions.filter(key="fruit").update(text=LONG_TEXT)
    surveys.add_background(survey, "region", ("North", "South"))
    lock_questions(survey)
    instrument = Instrument.objects.get(survey=survey)
    add_invented_responses(instrument, 50)
    return Instrument.objects.get(pk=instrument.pk)


@pytest.fixture
def instrument() -> Instrument:
    return create_survey()


@pytest.fixture
def is_scrambled(instrument: Instrument) -> dict[str, bool]:
    """Return whether each column is scrambled, by its name."""
    columns = all_columns(parse_instrument(instrument))
    return {column.name: column.item.key != "region" for column in columns}


def test_the_note_has_a_line_for_each_scrambled_variable(instrument: Instrument) -> None:
    lines = note_lines(parse_instrument(instrument))

    assert lines[0] == NOTE
    assert lines[1] == "owns_land: received share = 1/2 × true share + 1/4."
    assert lines[2] == "fruit: received share = 1/2 × true share + 1/4."
    assert len(lines) == 4


def test_spss_documents_and_labels_say_it(
    instrument: Instrument, is_scrambled: dict[str, bool], tmp_path: Path
) -> None:
    path = tmp_path / "a.sav"
    path.write_bytes(export_file(instrument, "responses.sav"))

    _, about = pyreadstat.read_sav(path)

    assert max(len(line.encode()) for line in about.notes) <= 80
    assert " ".join(about.notes).startswith(NOTE)
    assert "owns_land: received share = 1/2 × true share + 1/4." in " ".join(about.notes)
    labels = about.column_names_to_labels
    assert {name: label.endswith(MARK) for name, label in labels.items()} == is_scrambled
    assert max(len(label.encode()) for label in labels.values()) <= 255
    # Rows are compressed, in the form that every program reads.
    content = path.read_bytes()
    assert content.startswith(b"$FL2")
    assert int.from_bytes(content[72:76], "little") == 1


def test_stata_notes_and_labels_say_it(
    instrument: Instrument, is_scrambled: dict[str, bool], tmp_path: Path
) -> None:
    path = tmp_path / "a.dta"
    path.write_bytes(export_file(instrument, "responses.dta"))

    frame, about = pyreadstat.read_dta(path)
    with pd.read_stata(path, iterator=True) as reader:
        labels = reader.variable_labels()
        assert len(reader.read(convert_categoricals=False)) == len(frame) == 50

    assert about.notes[0] == NOTE
    assert about.notes[1:] == note_lines(parse_instrument(instrument))[1:]
    assert {name: label.endswith(MARK) for name, label in labels.items()} == is_scrambled
    assert max(map(len, labels.values())) <= 80


def test_the_workbook_says_it_on_its_first_sheet(
    instrument: Instrument, is_scrambled: dict[str, bool]
) -> None:
    book = openpyxl.load_workbook(io.BytesIO(export_file(instrument, "responses.xlsx")))

    assert book.sheetnames == ["Read me", "responses", "codebook"]
    lines = [row[0] for row in book["Read me"].values]
    assert lines[:3] == ["Scrambled", "n = 50", NOTE]
    assert any(instrument.sha256 in line for line in lines)
    header, *rows = book["codebook"].values
    described = {row[1]: dict(zip(header, row, strict=True)) for row in rows}
    assert {name: row["scrambled"] == "yes" for name, row in described.items()} == is_scrambled
    expected = json.loads(export_file(instrument, "codebook.json"))
    choice = expected["variables"][0]["choices"][1]
    assert float(Fraction(described["owns_land"]["c"])) == choice["c"]
    assert float(Fraction(described["owns_land"]["d"])) == choice["d"]


def test_parquet_says_it_in_its_metadata(
    instrument: Instrument, is_scrambled: dict[str, bool]
) -> None:
    schema = pq.read_schema(io.BytesIO(export_file(instrument, "responses.parquet")))

    assert schema.metadata[b"candor.note"].decode() == NOTE
    assert {field.name: field.metadata[b"scrambled"] == b"true" for field in schema} == is_scrambled
    assert schema.field("owns_land").metadata[b"label"].decode() != ""


@pytest.mark.parametrize("name", ["README.txt", "codebook.md", "codebook.json", *SCRIPTS])
def test_texts_about_the_files_say_it_at_the_top(instrument: Instrument, name: str) -> None:
    top = export_file(instrument, name).decode()[:1500]
    words = " ".join(top.replace("#", " ").replace("*", " ").replace(" .\n", "\n").split())

    assert NOTE in words


def test_codebooks_mark_the_scrambled_variables(instrument: Instrument) -> None:
    variables = json.loads(export_file(instrument, "codebook.json"))["variables"]

    marks = {variable["name"]: variable["scrambled"] for variable in variables}
    assert marks == {"owns_land": True, "fruit": True, "direct": True, "region": False}


def test_the_page_says_it_beside_the_downloads(instrument: Instrument) -> None:
    client = Client()
    client.force_login(instrument.survey.owner)

    page = client.get(f"/surveys/{instrument.survey.slug}/files/").content.decode()

    assert NOTE.replace("'", "&#x27;") in page


def test_where_nothing_is_scrambled_no_file_says_it() -> None:
    instrument = create_survey(has_sensitive=False)

    for file in all_files():
        content = export_file(instrument, file.name)
        assert MARK.encode() not in content, file.name
        assert b"changed at random" not in content, file.name


def test_documents_are_cut_by_bytes_and_between_words() -> None:
    text = "für " * 30 + "ü" * 100

    lines = wrapped([text])

    assert max(len(line.encode()) for line in lines) <= 80
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


class TestFewerFormats:
    @pytest.mark.parametrize("name", ["responses-compact.csv", "responses.jsonl"])
    def test_files_that_are_gone_name_the_csv(self, instrument: Instrument, name: str) -> None:
        client = Client()
        client.force_login(instrument.survey.owner)
        slug = instrument.survey.slug

        page = client.get(f"/surveys/{slug}/export/{name}")
        answer = client.get(f"/api/v1/surveys/{slug}/export/{name}")

        assert (page.status_code, answer.status_code) == (410, 410)
        sentence = f"{name} is no longer written. Use responses.csv."
        assert sentence in page.content.decode()
        assert answer.json()["detail"] == sentence

    def test_the_address_of_the_codebook_answers_with_the_readme(
        self, instrument: Instrument
    ) -> None:
        readme = export_file(instrument, "README.txt")

        assert export_file(instrument, "codebook.md") == readme
        assert "\n# Codebook\n" in readme.decode()

    def test_the_list_has_five_files_of_responses(self) -> None:
        names = {file.name for file in all_files() if file.has_rows}

        expected = {"csv", "xlsx", "sav", "dta", "parquet"}
        assert names == {"everything.zip"} | {f"responses.{ending}" for ending in expected}

    def test_the_zip_leaves_out_what_has_too_many_rows(
        self, instrument: Instrument, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def names() -> set[str]:
            content = io.BytesIO(export_file(instrument, "everything.zip"))
            return set(zipfile.ZipFile(content).namelist())

        small = names()
        monkeypatch.setattr(find_file("responses.sav"), "limit", 49)

        assert {"responses.sav", "responses.dta", "responses.parquet", "survey.json"} <= small
        assert small - names() == {"responses.sav"}
