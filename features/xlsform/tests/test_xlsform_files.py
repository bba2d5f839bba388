"""The files that an XLSForm comes in, at every door: mostly read as the site reads them, in a child process."""

import contextlib
import io
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from openpyxl import Workbook
from openpyxl.styles import Font

from features.xlsform.reader import bring, read
from features.xlsform.tests.test_xlsform import CHOICES, GOOD, SURVEY, in_this_process, workbook
from surveys.models import Survey
from surveys.site.errors import Unreadable
from tests.factories import malicious_workbooks
from tests.factories.malicious_workbooks import build_zip
from tests.factories.surveys import create_researcher
from tests.factories.xls import build_xls
from tests.factories.xlsx import build_xlsx

# A child process reads the files, and it has no database; test_xlsform.py stores what was read on both.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
__all__ = ["in_this_process"]
TABLES = {
    "survey": [
        ["type", "name", "label", "rr::design"],
        ["select_one yn", "tax", "Steuern; hinterzogen?", "two-coin"],
    ],
    "choices": [["list_name", "name", "label"], ["yn", "1", "Ja, „einmal“"], ["yn", "0", "Nein"]],
}


def csv(between: str, start: str = "") -> bytes:
    lines = []
    for name, rows in TABLES.items():
        lines += [[name], *(["", *row] for row in rows)]
    return (
        start
        + "\r\n".join(between.join(f'"{cell}"' if cell else "" for cell in row) for row in lines)
    ).encode()


def markdown() -> bytes:
    lines = []
    for name, rows in TABLES.items():
        lines += [f"| {name} |", *(f"| | {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize(
    "content",
    [
        build_xlsx(TABLES),
        build_xls(TABLES),
        build_xls(TABLES, build_zip({"embedded.xml": "<a/>"})),
        csv(","),
        csv(";", "\ufeff"),
        markdown(),
        b"\xef\xbb\xbf" + markdown(),
    ],
    ids=[
        "xlsx",
        "xls",
        "xls with a packed file",
        "csv",
        "csv of Excel in Germany",
        "Markdown",
        "Markdown with a mark",
    ],
)
def test_a_form_is_the_same_in_every_kind_of_file(content: bytes) -> None:
    survey, notes = bring(content, create_researcher())
    question = survey.questions.get()
    assert (question.key, question.text, question.kind) == (
        "tax",
        "Steuern; hinterzogen?",
        "choice",
    )
    assert [choice.label for choice in question.choices.all()] == ["Ja, „einmal“", "Nein"]
    assert notes == []


def test_empty_rows_with_a_format_are_no_rows() -> None:
    book = Workbook()
    book.active.title = "survey"
    for row in TABLES["survey"]:
        book.active.append(row)
    book.active.cell(1_048_576, 1).font = Font(bold=True)
    choices = book.create_sheet("choices")
    for row in TABLES["choices"]:
        choices.append(row)
    file = io.BytesIO()
    book.save(file)
    assert len(read(file.getvalue()).questions) == 1


def test_what_a_sheet_says_of_its_size_is_not_believed() -> None:
    file = io.BytesIO(GOOD)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    assert b'<dimension ref="A1:I9"' in parts[name]
    for claim in (b"A1", b"A1:XFD1048576"):
        lie = parts | {name: parts[name].replace(b"A1:I9", claim)}
        assert len(read(build_zip(lie)).questions) == 5


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "This is neither a workbook"),
        (b"\x00\x01\x02", "This is neither a workbook"),
        ("Größe".encode("latin-1"), "save it as UTF-8"),
        (b"type,name,label\ntext,x,X\n", "the first column names the sheet"),
        (b"| a | b |\n| | c |\n| | d | e | f |\n", "more cells than the sheet has headings"),
        (b'{"title": "x"}', "This is JSON"),
        (b"PK\x03\x04" + b"\0" * 100, "This is neither a workbook"),
        (GOOD[: len(GOOD) // 2], "This is neither a workbook"),
        (build_zip({"hello.txt": b"hello"}), "damaged"),
        (build_xls(TABLES)[:600], "damaged"),
        (build_xls(TABLES) + "EncryptedPackage".encode("utf-16-le"), "locked with a password"),
        (
            build_zip(
                {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, zipfile.ZIP_STORED
            ),
            "Save it as .xlsx",
        ),
        (build_xlsx({"other": [["a"]], "survei": [["b"]]}), "It has “other”, “survei”"),
        (workbook([["a", "b"], [1, 2]]), "no sheet “survey” with the columns type"),
        (workbook([["type", 5], ["note", "x"]]), "Sheet survey, cell B1: a heading is text, not 5"),
        (
            workbook([["type", "type"], ["note", "x"]]),
            "the heading “type” appears twice, in cells A1 and B1.",
        ),
        (workbook([["type"], *([["note"]] * 21_001)]), "more than 21,000 rows"),
        (workbook([["type", *(f"c{n}" for n in range(200))], ["note"]]), "more than 200 columns"),
        (
            workbook([["type", "name"], ["note", *[None] * 310, "x"]]),
            ("Sheet survey, row 2: there is a cell far to the right"),
        ),
    ],
    ids=range(19),
)
@pytest.mark.usefixtures("in_this_process")
def test_a_file_that_is_no_form_is_refused_in_words(content: bytes, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read(content)


def test_a_stray_cell_far_right_is_noted_and_refuses_nothing() -> None:
    survey = [*SURVEY[:2], [*SURVEY[1], *[None] * (255 - len(SURVEY[1])), "stray"], *SURVEY[2:]]
    notes = read(workbook(survey)).notes
    assert (
        "Sheet survey, cell IV3: “stray” is in a column without a heading; it is left out." in notes
    )


@pytest.mark.parametrize(
    "name",
    [
        "a million cells in a row",
        "one long text shared by many cells",
        "a sheet as wide and long as can be",
    ],
)
def test_a_hostile_workbook_is_refused(name: str) -> None:
    with pytest.raises(Unreadable):
        bring(malicious_workbooks.hostile_workbooks()[name], create_researcher())
    assert not Survey.objects.exists()


@pytest.mark.usefixtures("in_this_process")
def test_a_workbook_damaged_anywhere_is_refused_or_read_but_never_an_error() -> None:
    for good in (GOOD, build_xls({"survey": SURVEY, "choices": CHOICES})):
        for place in range(0, len(good), len(good) // 40):
            damaged = bytearray(good)
            damaged[place] ^= 0xFF
            with contextlib.suppress(Unreadable):
                assert read(bytes(damaged)).questions is not None


def test_a_form_may_be_pasted_as_tables_of_markdown() -> None:
    client = Client()
    client.force_login(create_researcher())
    text = markdown().decode().replace("\n", "\r\n")
    assert client.post("/surveys/import/", {"text": text}).status_code == 302
    assert Survey.objects.get().questions.get().key == "tax"


def test_the_command_says_what_it_left_out(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    create_researcher()
    file = tmp_path / "form.xlsx"
    file.write_bytes(workbook())
    call_command("import_xlsform", str(file), owner="ada", title="Mine")
    said = capsys.readouterr().out
    assert "The draft “Mine” has 5 questions" in said
    assert "was changed to “region”" in said


@pytest.mark.parametrize(
    ("owner", "content", "message"),
    [("eve", GOOD, "no account named eve"), ("ada", b"x", "Nothing")],
)
def test_the_command_refuses_in_words(
    tmp_path: Path, owner: str, content: bytes, message: str
) -> None:
    create_researcher()
    file = tmp_path / "form.xlsx"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=message):
        call_command("import_xlsform", str(file), owner=owner)
    with pytest.raises(CommandError, match="can’t be read"):
        call_command("import_xlsform", str(tmp_path / "nothing.xlsx"), owner="ada")


def test_the_workspace_takes_a_workbook_and_says_what_it_left_out() -> None:
    client = Client()
    client.force_login(create_researcher())
    page = client.post("/surveys/import/", {"file": SimpleUploadedFile("Form.XLSX", GOOD)})
    survey = Survey.objects.get()
    assert page.status_code == 200
    assert "was changed to “region”" in page.content.decode()
    assert f'href="/surveys/{survey.slug}/"' in page.content.decode()
    wrong = client.post(
        "/surveys/import/", {"file": SimpleUploadedFile("form.xlsx", b"no workbook")}
    )
    assert wrong.status_code == 422
    assert "This is neither a workbook" in wrong.content.decode()
    assert Survey.objects.count() == 1
