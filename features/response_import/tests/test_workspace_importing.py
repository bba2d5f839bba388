"""The page that takes a file of responses, as it works without a script."""

import hashlib
import html
import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from features.response_import import staging
from features.response_import.tests.import_files import GOOD, csv, tally
from features.response_import.tests.response_uploads import ImportForm
from surveys.definition.freezing import canonical_json
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Batch, Import, Instrument, Membership
from tests.factories.import_surveys import create_import_survey

pytestmark = pytest.mark.django_db
OWN = csv(
    "1;ja;x;;;North;30", "2;nein;;x;x;South;45", header="id;Q1;Apfel;Birne;Pflaume;region;Age"
)
TYPED = {
    "mapped": "1",
    "separator": ";",
    "column-tax": "Q1",
    "as-tax": "own",
    "text-tax-0": "nein",
    "text-tax-1": "ja",
    "form-fruit": "each",
    "column-fruit-0": "Apfel",
    "column-fruit-1": "Birne",
    "column-fruit-2": "Pflaume",
    "as-fruit": "own",
    "marked-fruit": "x",
    "unmarked-fruit": "",
    "column-region": "region",
    "as-region": "",
    "column-age": "Age",
    "as-age": "labels",
}


class Author:
    def __init__(self) -> None:
        self.survey = create_import_survey()
        self.client = Client()
        self.client.force_login(self.survey.owner)
        self.address = f"/surveys/{self.survey.slug}/import/"

    def post(self, data: bytes | None, do: str = "look", **typed: str) -> HttpResponse:
        file = {} if data is None else {"file": SimpleUploadedFile("responses.csv", data)}
        return self.client.post(self.address, {"do": do, **typed, **file})

    def step(self, preview: HttpResponse | str, do: str) -> HttpResponse:
        """What a button of the preview does. preview: its address, or the answer that leads there."""
        address = preview if isinstance(preview, str) else preview["Location"]
        return self.client.post(self.address, {"do": do, "file": address.split("file=")[1]})

    def add(self, preview: HttpResponse | str) -> HttpResponse:
        return self.step(preview, "add")


@pytest.fixture
def author() -> Author:
    return Author()


def text(answer: HttpResponse) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode())))


def mapping(answer: HttpResponse) -> dict:
    found = re.search(r'id="mapping" value="([^"]*)"', answer.content.decode())
    return json.loads(html.unescape(found.group(1)))


def test_a_file_that_speaks_for_itself_is_shown_as_it_is_read(author: Author) -> None:
    answer = author.post(csv())
    assert answer.status_code == 200
    assert "Every question has its column." in text(answer)
    assert "Yes Pear North 30 No Apple, Pear, Plum South 99 No no mark South 18" in text(answer)
    assert mapping(answer)["questions"]["age"] == {"column": "age", "as": "labels"}
    assert not Import.objects.exists()


def test_what_is_not_clear_is_asked_and_what_was_typed_stays(author: Author) -> None:
    first = author.post(OWN)
    assert text(first).count("not clear yet") == 3  # two questions, and the sentence above them
    assert 'id="mapping"' not in first.content.decode()
    assert '<option value=";" selected>' in first.content.decode()
    half = author.post(OWN, **TYPED | {"marked-fruit": "", "text-tax-0": "ja"})
    page = text(half)
    assert "Use a different text for each answer." in page
    assert "Write what the cell of a marked choice contains." in page
    assert '<option value="Birne" selected>Birne</option>' in half.content.decode()
    assert 'name="text-tax-1" value="ja"' in half.content.decode()
    whole = author.post(OWN, **TYPED)
    assert "Yes Apple North 30 No Pear, Plum South 45" in text(whole)


def selected(answer: HttpResponse, name: str) -> str:
    """What a list of the form shows."""
    page = answer.content.decode()
    chosen = re.search(rf'<select[^>]* name="{name}".*?</select>', page, re.DOTALL).group(0)
    found = re.search(r'<option value="([^"]*)" selected>', chosen)
    return html.unescape(found.group(1)) if found else ""


def test_how_a_file_is_written_is_shown_and_can_be_said(author: Author) -> None:
    data = "Befragung 2024\r\nid;tax;fruit;region;age;Größe\r\n1;y;010;South;30;ü\r\n2;NA;010;;-99;ö\r\n"
    answer = author.post(data.encode("windows-1252"))
    assert (selected(answer, "encoding"), selected(answer, "separator")) == ("windows-1252", ";")
    page = text(answer)
    assert "The column names are in row 2. The rows above it are left out." in page
    assert "The file is not in UTF-8, most likely in Windows-1252." in page
    assert (
        'name="missing" value="NA, N/A, #N/A, &lt;NA&gt;, NaN, ., NULL"' in answer.content.decode()
    )
    assert (
        "Row 4, column age: “-99” is not a whole number from 18 to 99. If it means “no report”"
        in page
    )
    typed = {"laid": "1", "encoding": "windows-1252", "separator": ";", "header": "2", "empty": "1"}
    typed |= {"mapped": "1", "as-age": "labels"}
    said = author.post(data.encode("windows-1252"), **typed, missing="NA, -99")
    assert "Without an answer among the 2 rows that were checked: tax 1, region 1, age 1." in text(
        said
    )
    assert "Yes Pear South 30 no report Pear no report no report" in text(said)
    assert mapping(said)["missing"] == ["", "NA", "-99"]
    assert "most likely" not in text(said)
    author.add(author.post(data.encode("windows-1252"), "preview", **typed, missing="NA, -99"))
    assert tally(author.survey)["answered"] == {"tax": 1, "fruit": 2, "region": 1, "age": 1}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({}, "The cells could be separated by comma and semicolon."),
        ({"separator": ",", "header": "x"}, "This must be the number of the row with the names"),
        (
            {"separator": ",", "header": "9" * 5000},
            "This must be the number of the row with the names",
        ),
        ({"separator": ",", "header": "1", "first": "9" * 5000}, "the row where the data begin"),
        ({"separator": ",", "header": "7"}, "Row 7 is not among the first 2 rows"),
        ({"separator": ",", "encoding": "morse"}, "This must be one of utf-8"),
    ],
)
def test_what_must_be_said_of_the_whole_file_is_asked_beside_its_field(
    author: Author, typed: dict[str, str], words: str
) -> None:
    answer = author.post(b"a,b;c,d\n1,2;3,4\n", laid="1", **typed)
    assert words in text(answer)
    assert 'id="mapping"' not in answer.content.decode()


def test_a_file_that_cannot_be_read_can_be_said_to_be_in_another_encoding(author: Author) -> None:
    data = (
        csv("1,010,South,30").decode().replace("tax", "täx").encode("windows-1251", "replace")
        + b"\x81\n"
    )
    assert selected(author.post(data), "encoding") == "windows-1252"
    assert "The file cannot be read" in text(author.post(data))


def test_an_older_survey_is_not_asked_for_what_it_cannot_take(author: Author) -> None:
    older = json.loads(author.survey.instrument.content)
    del older["nonresponse"]
    content = canonical_json(older)
    changed = {"content": content, "sha256": hashlib.sha256(content.encode()).hexdigest()}
    Instrument.objects.filter(survey=author.survey).update(**changed)
    answer = author.post(csv("0,010,South,99", "NA,010,South,30"))
    assert 'name="missing"' not in answer.content.decode()
    assert "Make a new version of this survey and prepare that." in text(answer)


def test_very_many_columns_make_no_very_long_page(author: Author) -> None:
    header = ",".join(f"column{number}" for number in range(4000))
    answer = author.post(
        f"{header}\n{'1,' * 3999}1\n".encode(), mapped="1", **{"column-tax": "column7"}
    )
    page = answer.content.decode()
    assert page.count("<option") < 4100
    assert 'name="column-tax" value="column7" list="columns"' in page


def test_a_small_file_is_previewed_and_added_by_the_form(author: Author) -> None:
    preview = author.post(OWN, "preview", **TYPED)
    assert preview["Location"].startswith(f"{author.address}?file=")
    page = text(author.client.get(preview["Location"]))
    assert (
        "tax 2 0 No : 1 Yes : 1 fruit 2 0 Apple : 1 Pear : 1 Plum : 1 region 2 0 North : 1 South : 1"
        in page
    )
    assert "age 2 0 Least 30, mean 37.5, largest 45" in page
    assert "Add 2 responses" in page
    assert tally(author.survey) == {}
    added = author.add(preview)
    assert added["Location"] == preview["Location"]
    assert "Responses added 2 responses" in text(author.client.get(added["Location"]))
    assert tally(author.survey)["counts"]["fruit"] == [1, 1, 1]


def test_a_preview_adds_once_however_often_it_is_opened_and_clicked(author: Author) -> None:
    preview = author.post(OWN, "preview", **TYPED)["Location"]
    for _ in range(2):  # a reload, a second tab
        assert "Add 2 responses" in text(author.client.get(preview))
    assert f'href="{preview}">Preview</a>' in author.client.get(author.address).content.decode()
    for _ in range(2):  # a double click, the back button
        assert author.add(preview)["Location"] == preview
    assert tally(author.survey)["n"] == 2
    page = text(author.client.get(preview))
    assert "Responses added 2 responses" in page
    assert "Add 2 responses" not in page
    assert (
        author.step(preview, "cancel").status_code == 409
    )  # in a tab that still shows the preview
    assert tally(author.survey)["n"] == 2


def test_a_cancelled_preview_leaves_nothing_and_its_buttons_do_nothing(author: Author) -> None:
    preview = author.post(OWN, "preview", **TYPED)
    page = text(author.client.get(author.step(preview, "cancel")["Location"]))
    assert "The import is cancelled, and its data are deleted." in page
    for _ in range(2):
        assert author.step(preview, "cancel")["Location"] == author.address
        assert author.add(preview)["Location"] == author.address
    assert "Choose the file again. The import is incomplete" in text(
        author.client.get(preview["Location"], follow=True)
    )
    assert not Import.objects.exists()
    assert tally(author.survey) == {}


def test_a_preview_without_rows_says_what_to_do_and_has_no_button_to_add(author: Author) -> None:
    labels = {"mapped": "1", "as-age": "labels", "as-tax": "labels", "as-region": "labels"}
    preview = author.post(b"tax,fruit,region,age\n", "preview", **labels)
    page = text(author.client.get(preview["Location"]))
    assert "Cancel this import, then choose a file with a row for each response." in page
    assert 'value="add"' not in author.client.get(preview["Location"]).content.decode()
    author.add(preview)
    assert tally(author.survey) == {}
    assert author.step(preview, "cancel").status_code == 302


def test_a_preview_is_shown_to_the_person_who_sent_the_file_and_to_no_one_else(
    author: Author,
) -> None:
    preview = author.post(OWN, "preview", **TYPED)
    other = Client()
    editor = User.objects.create_user("grace", password="correct horse")
    Membership.objects.create(survey=author.survey, user=editor, role="editor")
    other.force_login(editor)
    assert other.get(preview["Location"])["Location"] == author.address
    page = other.get(author.address)
    assert "2 rows checked, begun by ada" in text(page)
    assert "?file=" not in page.content.decode()
    other.post(author.address, {"do": "add", "file": preview["Location"].split("file=")[1]})
    assert tally(author.survey) == {}
    author.add(preview)
    assert tally(author.survey)["n"] == 2


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            ["1,010,North,30", "1,010,South,17"],
            "1 problem in the file. Correct the file, then choose it again. ",
        ),
        (
            ["1,010,North,30", "2,010,North,30"],
            "Choose what each of these codes means: “1” (1 row), “2” (1 row).",
        ),
    ],
)
def test_a_file_by_program_that_cannot_be_added_says_why(
    author: Author, rows: list[str], words: str
) -> None:
    file, data = staging.begin(author.survey, author.survey.owner, total_parts=2), csv(*rows)
    for number, part in enumerate((data[:40], data[40:]), 1):
        file = staging.add(file, number, part)
    preview = f"{author.address}?file={file.pk}"
    for page in (author.client.get(preview), author.client.get(author.add(preview)["Location"])):
        assert page.status_code == 200
        assert words in text(page)
        assert 'value="add"' not in page.content.decode()
        assert 'value="cancel"' in page.content.decode()
    assert tally(author.survey) == {}


def test_a_file_that_stopped_midway_cannot_be_added(author: Author) -> None:
    file = staging.begin(author.survey, author.survey.owner, total_parts=2)
    staging.add(file, 1, csv())
    preview = f"{author.address}?file={file.pk}"
    assert author.client.get(preview)["Location"] == author.address
    assert "?file=" not in author.client.get(author.address).content.decode()
    author.add(preview)
    assert tally(author.survey) == {}


def test_wrong_cells_are_listed_and_nothing_is_left(author: Author) -> None:
    answer = author.post(csv(*GOOD, "maybe,010,North,30", "1,010,North"), "preview")
    assert answer.status_code == 422
    page = text(answer)
    assert (
        "Nothing was imported 2 problems in the file. Correct the file, then choose it again, or say"
        in page
    )
    assert "5 tax “maybe” is not one of No, Yes, or a code. 6 The row has 3 cells;" in page
    assert not Import.objects.exists()
    assert not Batch.objects.exists()


def test_a_mistake_in_a_last_row_without_a_line_end_is_listed_before_the_preview(
    author: Author,
) -> None:
    answer = author.post(csv(*GOOD, "maybe,010,North,30").rstrip(), "preview")
    assert answer.status_code == 422
    assert "5 tax “maybe” is not one of No, Yes, or a code." in text(answer)
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The submitted file is empty"),
        (b"tax\n\x81\n", "Row 2: This row is not text in Windows-1252"),
        (b"\xd0\xcf\x11\xe0", "This is a workbook, but it can’t be read to the end."),
        (b"x" * (staging.PART + 1), "The file is too large: it can have at most 1,048,576 bytes."),
    ],
)
def test_what_is_no_csv_says_so(author: Author, data: bytes, words: str) -> None:
    answer = author.post(data)
    assert answer.status_code == 422
    assert words in text(answer) or (not data and "The file is empty" in text(answer))


def test_without_the_file_nothing_typed_is_lost(author: Author) -> None:
    names = json.dumps(["id", "Q1", "Apfel", "Birne", "Pflaume", "region", "Age"])
    answer = author.post(None, "preview", names=names, **TYPED)
    assert answer.status_code == 422
    assert "Choose the file again." in text(answer)
    assert 'name="text-tax-1" value="ja"' in answer.content.decode()
    assert '<option value="Birne" selected>Birne</option>' in answer.content.decode()


@pytest.mark.parametrize("names", ["", "[", "{}", "[1]", '["a"]', "[" * 10_000])
def test_odd_names_do_no_harm(author: Author, names: str) -> None:
    assert author.post(None, names=names, mapped="1").status_code == 422


def test_an_import_that_was_left_off_is_listed_and_can_be_cancelled(author: Author) -> None:
    file = staging.begin(author.survey, author.survey.owner)
    staging.add(file, 1, csv())
    page = text(author.client.get(author.address))
    assert "3 rows checked, begun by ada, last part on" in page
    author.client.post(author.address, {"do": "cancel", "file": str(file.pk)})
    assert not Import.objects.exists()
    assert author.client.post(author.address, {"do": "cancel", "file": "x"}).status_code == 302


def test_a_closed_survey_says_what_to_do(author: Author) -> None:
    close_survey(author.survey)
    answer = author.client.get(author.address)
    assert answer.status_code == 409
    assert "Reopen the survey first." in text(answer)


def test_the_page_says_which_program_wrote_the_file_and_where_data_start(author: Author) -> None:
    rows = [
        "tax,age",
        "Taxes?,How old?",
        '"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"',
        "1,30",
    ]

    answer = author.post("\r\n".join(rows).encode())

    assert "This looks like a Qualtrics export. Data start in row 4." in text(answer)
    page = answer.content.decode()
    assert 'name="first" inputmode="numeric" value="4"' in page
    assert '<option value="age" selected>age: How old?</option>' in page


def test_another_row_with_the_names_moves_the_start_of_the_data(author: Author) -> None:
    data = b"A study,,,\r\nof taxes,,,\r\ntax,fruit,region,age\r\n1,010,North,30\r\n"

    answer = author.post(data, laid="1", header="3", first="2", empty="1")

    assert 'name="first" inputmode="numeric" value="4"' in answer.content.decode()


def test_numbered_columns_are_proposed_and_taken_once_the_author_goes_on(author: Author) -> None:
    data = b"tax,fruit_1,fruit_2,fruit_3,region,age\r\n1,0,1,0,North,30\r\n0,1,1,0,South,40\r\n"

    first = author.post(data)
    assert "“fruit_1”, “fruit_2”, “fruit_3”: choose which column is which answer." in text(first)
    assert selected(first, "column-fruit-1") == "fruit_2"

    second = author.post(data, **(ImportForm(first.content.decode()).typed | {"do": "look"}))
    assert mapping(second)["questions"]["fruit"]["columns"] == ["fruit_1", "fruit_2", "fruit_3"]
    assert "Yes Pear North 30 No Apple, Pear South 40" in text(second)
