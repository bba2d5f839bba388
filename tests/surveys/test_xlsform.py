"""XLSForm workbooks: what is supported arrives, what is not is listed, and no file brings the site down."""

import contextlib
import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from openpyxl import Workbook

from surveys.authoring import workbooks
from surveys.authoring.xlsform import bring, read
from surveys.errors import Unreadable
from surveys.models import Question, Survey
from surveys.publishing.freezing import freeze
from tests.making import researcher

pytestmark = pytest.mark.django_db
CHOICES = [
    ["list_name", "name", "label::English (en)", "label::Deutsch (de)"],
    ["yn", "yes", "Yes", "Ja"],
    ["yn", "no", "No", "Nein"],
    ["drug", "a", "Cannabis", "Cannabis"],
    ["drug", "b", "Cocaine", "Kokain"],
    ["region", 1, "North", "Norden"],
    ["region", 2, "South", "Süden"],
]
SURVEY = [
    ["type", "name", *CHOICES[0][2:], "hint", "constraint", "rr::design", "rr::p", "rr::epsilon"],
    ["note", "hello", "Welcome.", "Willkommen.", None, None, None, None, None],
    ["begin_group", "g", "Your money", "Ihr Geld", None, None, None, None, None],
    ["select_one yn", "tax", "Evaded taxes?", "Steuern?", "Last year", None, "warner", "3/4", None],
    ["end_group", None, None, None, None, None, None, None, None],
    ["select_one drug", "drug", "Which most?", "Welche?", None, None, None, None, 1],
    ["select_multiple drug", "drugs", "Which?", "Welche?", None, None, None, None, 2.0],
    ["select_one region", "Region", "Where?", "Wo?", None, None, None, None, None],
    ["integer", "age", "How old?", "Wie alt?", None, ". >= 18 and . < 100", None, None, None],
]  # fmt: skip


def workbook(survey: list = SURVEY, choices: list = CHOICES, settings: list | None = None) -> bytes:
    book = Workbook()
    book.active.title = "survey"
    sheets = {"survey": survey, "choices": choices, "settings": settings or []}
    for name, rows in sheets.items():
        sheet = book.active if name == "survey" else book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_what_is_supported_arrives_and_can_be_published() -> None:
    survey, notes = bring(workbook(settings=[["form_title"], ["Money"]]), researcher())
    assert (survey.title, survey.language, survey.introduction) == ("Money", "en", "Welcome.")
    found = {question.key: question for question in survey.questions.prefetch_related("choices")}
    assert [(key, question.kind) for key, question in found.items()] == [
        ("tax", "yes-no"),
        ("drug", "choice"),
        ("drugs", "any"),
        ("region", "background"),
        ("age", "number"),
    ]
    assert (found["tax"].design, found["tax"].parameters, found["tax"].help) == ("warner", {"p": "3/4"}, "Last year")
    assert found["tax"].section == "Your money"
    assert found["drug"].section == ""
    assert [choice.label for choice in found["region"].choices.all()] == ["North", "South"]
    assert (found["age"].minimum, found["age"].maximum) == (18, 99)
    assert freeze(survey).epsilon == pytest.approx(1.0986 + 1 + 2, abs=0.05)
    assert len(notes) == 2, notes


def test_the_forms_own_language_is_taken() -> None:
    form = read(workbook(settings=[["form_title", "default_language"], ["Money", "Deutsch (de)"]]))
    assert (form.language, form.questions[0]["text"]) == ("de", "Steuern?")
    assert any("“label::english (en)” are left out" in note for note in form.notes)


UNSUPPORTED = [
    (["type", "name", "label"], ["text", "why", "Why?"], "row 2: The type “text” is left out"),
    (["type", "name", "label"], ["begin_repeat", "r", "R"], "row 2: The type “begin_repeat” is left out"),
    (["type", "name", "label"], ["deviceid", "d", None], "row 2: “deviceid” is left out: nothing about respondents"),
    (["type", "name", "label"], ["select_one lost", "x", "X"], "row 2: The list “lost” is not on the sheet choices"),
    (["type", "name", "label"], ["select_multiple drug", "x", "X"], "row 2: Several choices at once"),
    (["type", "name", "label"], ["integer", "x", "X"], "row 2: A number needs both bounds"),
    (["type", "name", "label", "constraint"], ["integer", "x", "X", ". > 1 or . < 5"], "row 2: A number needs both"),
    (["type", "name", "label", "rr::epsilon"], ["integer", "x", "X", "1"], "row 2: A number cannot be randomized"),
    (["type", "name", "label", "relevant"], ["select_one drug", "x", "X", "${a}=1"], "row 2: “relevant” (${a}=1)"),
    (["type", "name", "label", "required"], ["select_one drug", "x", "X", "no"], "row 2: “required” is no"),
    (["type", "name", "label"], ["select_one drug", "Ä", "X"], "row 2: The name “Ä” has become “q__”"),
]


@pytest.mark.parametrize(("headings", "row", "note"), UNSUPPORTED)
def test_what_is_not_supported_is_listed_at_its_row(headings: list, row: list, note: str) -> None:
    form = read(workbook([headings, row]))
    assert any(note in found for found in form.notes), form.notes


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["select_one yn", "x", "X", "warner", "2"], "Sheet survey, row 2, p: A probability lies between 0 and 1"),
        (["select_one yn", "x", "X", "magic", None], "Sheet survey, row 2, design: Choose a design"),
        (["select_one yn", "x", "X" * 600, "two-coin", None], "Sheet survey, row 2, text: "),
    ],
)
def test_a_mistake_stops_the_import_and_nothing_is_half_there(row: list, message: str) -> None:
    good = ["select_one yn", "good", "Good?", "two-coin", None]
    with pytest.raises(Unreadable) as wrong:
        bring(workbook([["type", "name", "label", "rr::design", "rr::p"], row, good]), researcher())
    assert any(message in line for line in wrong.value.lines), wrong.value.lines
    assert not Survey.objects.exists()
    assert not Question.objects.exists()


def packed(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


GOOD = workbook()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "This is no workbook"),
        (b"type,name,label\n", "This is no workbook"),
        (b"PK\x03\x04" + b"\0" * 100, "This is no workbook"),
        (GOOD[: len(GOOD) // 2], "This is no workbook"),
        (packed({"hello.txt": b"hello"}), "damaged"),
        (packed({"bomb.xml": b"\0" * (workbooks.UNPACKED + 1)}), "Unpacked the workbook would have more than"),
        (packed({f"{n}.xml": b"" for n in range(workbooks.PARTS + 1)}), "Unpacked the workbook would have more than"),
        (packed({"xl/workbook.xml": b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'}), "entities of its own"),
        (packed({"x.xml": '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'.encode("utf-16")}), "entities of its own"),
        (b"x" * (workbooks.LARGEST + 1), "has more than"),
        (workbook([["a", "b"], [1, 2]]), "This is no XLSForm"),
        (workbook([["type"], *([["note"]] * (workbooks.ROWS + 1))]), "more than 5,000 rows"),
    ],
    ids=range(12),
)
def test_a_file_that_is_no_workbook_or_a_trap_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read(content)


def test_a_workbook_damaged_anywhere_is_refused_or_read_but_never_an_error() -> None:
    for place in range(0, len(GOOD), len(GOOD) // 60):
        damaged = bytearray(GOOD)
        damaged[place] ^= 0xFF
        with contextlib.suppress(Unreadable):
            assert read(bytes(damaged)).questions is not None


def test_the_command_says_what_it_left_out(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    researcher()
    file = tmp_path / "form.xlsx"
    file.write_bytes(workbook())
    call_command("import_xlsform", str(file), owner="ada", title="Mine")
    said = capsys.readouterr().out
    assert "The draft “Mine” has 5 questions" in said
    assert "has become “region”" in said


@pytest.mark.parametrize(
    ("owner", "content", "message"), [("eve", GOOD, "no account named eve"), ("ada", b"x", "Nothing")]
)
def test_the_command_refuses_in_words(tmp_path: Path, owner: str, content: bytes, message: str) -> None:
    researcher()
    file = tmp_path / "form.xlsx"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=message):
        call_command("import_xlsform", str(file), owner=owner)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_xlsform", str(tmp_path / "nothing.xlsx"), owner="ada")


def test_the_workspace_takes_a_workbook_and_says_what_it_left_out() -> None:
    client = Client()
    client.force_login(researcher())
    page = client.post("/surveys/import/", {"file": SimpleUploadedFile("Form.XLSX", GOOD)})
    survey = Survey.objects.get()
    assert page.status_code == 200
    assert "has become “region”" in page.content.decode()
    assert f'href="/surveys/{survey.slug}/"' in page.content.decode()
    wrong = client.post("/surveys/import/", {"file": SimpleUploadedFile("form.xlsx", b"no workbook")})
    assert wrong.status_code == 422
    assert "This is no workbook in the form .xlsx" in wrong.content.decode()
    assert Survey.objects.count() == 1
