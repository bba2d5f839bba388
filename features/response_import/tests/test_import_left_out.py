"""Rows without an answer to any question are left out, and the preview says so before they count."""

import io
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from features.response_import import staging
from features.response_import.summary import left_out_message
from features.response_import.tests.import_files import (
    ITEMS,
    added_up,
    counting_all_rows,
    csv,
    part,
    tally,
)
from features.response_import.tests.import_questions import yes_no
from surveys.accounts.tokens import issue_token
from surveys.models import Import, Survey
from tests.factories.import_surveys import create_import_survey

FILES = Path(__file__).parent / "files"
SMOKES = (yes_no("smokes"),)
BOTH = (yes_no("smokes"), yes_no("skips"))
# The second and the last row have nothing, and the third has only what no question asks for.
ROWS = csv(
    "1,010,North,30,a", ",,,,", ",,,,b", "0,111,South,99,", ",,,,", header="tax,fruit,region,age,id"
)


def send_part(survey: Survey, data: bytes, mapping: dict | None = None) -> Import:
    file = staging.begin(survey, survey.owner, mapping, 1)
    return staging.add(file, 1, data)


@pytest.mark.parametrize(
    ("name", "items", "n", "left_out"),
    [("rows_without_answers.csv", BOTH, 40, 2), ("redcap_repeats.csv", SMOKES, 2, 4)],
)
def test_rows_without_answers_are_left_out_and_counted(
    name: str, items: tuple, n: int, left_out: int
) -> None:
    taken = part((FILES / name).read_bytes(), items=items, nonresponse=True, leaves_out=True)

    assert (taken.n, taken.left_out, taken.problems, taken.missing) == (n, left_out, [], {})


def test_a_mapping_can_count_them() -> None:
    data = (FILES / "rows_without_answers.csv").read_bytes()

    taken = part(data, counting_all_rows(None), BOTH, nonresponse=True)

    assert (taken.n, taken.left_out, taken.missing) == (42, 0, {"smokes": 2, "skips": 2})


def test_a_row_with_one_answer_counts() -> None:
    taken = part(
        csv("yes,", ",", "NA,no", header="smokes,skips"),
        None,
        BOTH,
        nonresponse=True,
        leaves_out=True,
    )

    assert (taken.n, taken.left_out, taken.missing) == (2, 1, {"smokes": 1, "skips": 1})
    assert added_up(taken, BOTH, nonresponse=True)["counts"] == {"smokes": [0, 1], "skips": [1, 0]}


def test_a_wrong_cell_is_an_answer() -> None:
    taken = part(
        csv("maybe,", header="smokes,skips"), None, BOTH, nonresponse=True, leaves_out=True
    )

    assert [each.column for each in taken.problems] == ["smokes"]


def test_a_survey_that_needs_every_report_leaves_no_row_out() -> None:
    taken = part(csv("1,010,North,30", "NA,,,"), items=ITEMS, leaves_out=True)

    assert taken.left_out == 0
    assert taken.problems != []


@pytest.mark.parametrize(
    ("left_out", "header", "message"),
    [
        (0, ["tax"], ""),
        (1, ["tax"], "1 row has no answer to any question. It is left out."),
        (4, ["tax"], "4 rows have no answer to any question. They are left out."),
        (
            4,
            ["tax", "redcap_repeat_instrument"],
            "4 rows have no answer to any question. They are left out. They are repeated instruments "
            "of REDCap.",
        ),
    ],
)
def test_the_sentence_names_the_number_and_redcap(
    left_out: int, header: list[str], message: str
) -> None:
    assert left_out_message(left_out, header) == message


@pytest.mark.django_db
class TestWaysIn:
    def test_the_page_says_it_before_they_count_and_offers_to_count_them(self) -> None:
        survey, client = create_import_survey(), Client()
        client.force_login(survey.owner)
        address = f"/surveys/{survey.slug}/import/"
        file = send_part(survey, ROWS)

        page = client.get(f"{address}?file={file.pk}").content.decode()
        assert "3 rows have no answer to any question. They are left out." in page
        assert "Count them as people who gave no answer" in page

        client.post(address, {"do": "add", "count": "1", "file": str(file.pk)})
        assert (tally(survey)["n"], tally(survey)["answered"]["tax"]) == (5, 2)
        file.refresh_from_db()
        assert (file.rows, file.left_out, file.missing["tax"]) == (5, 0, 3)

    def test_they_are_left_out_if_nobody_says_anything(self) -> None:
        survey = create_import_survey()
        file = send_part(survey, ROWS)

        file = staging.finish(file, 1, survey.owner)

        assert (tally(survey)["n"], file.rows, file.left_out, file.missing) == (2, 2, 3, {})

    @pytest.mark.parametrize("size", [30, 31, 33, 40])
    def test_they_are_counted_wherever_the_file_is_cut(self, size: int) -> None:
        survey = create_import_survey()
        file = staging.begin(survey, survey.owner)
        parts = range(0, len(ROWS), size)
        for number, start in enumerate(parts, start=1):
            file = staging.add(file, number, ROWS[start : start + size])

        file = staging.finish(file, len(parts), survey.owner)

        assert (file.rows, file.left_out) == (2, 3)

    def test_the_api_says_it_and_takes_the_choice(self) -> None:
        survey = create_import_survey()
        client = Client(headers={"Authorization": f"Token {issue_token(survey.owner, 'laptop')}"})
        address = f"/api/v1/surveys/{survey.slug}/imports/"
        numbers = []
        for mapping in ({}, {"rows_without_answers": "count"}):
            begun = client.post(
                address, {"mapping": mapping}, content_type="application/json"
            ).json()
            file = f"{address}{begun['id']}/"
            client.put(f"{file}parts/1/", ROWS, content_type="text/csv")
            shown = client.get(file).json()
            numbers.append((shown["preview"]["n"], shown["preview"]["left_out"], shown["left_out"]))

        assert numbers == [(2, 3, 3), (5, 0, 0)]

    def test_the_command_says_it(self, tmp_path: Path) -> None:
        survey, path, output = create_import_survey(), tmp_path / "a.csv", io.StringIO()
        path.write_bytes(ROWS)

        call_command("import_responses", survey.slug, str(path), stdout=output)

        assert "3 rows have no answer to any question. They are left out." in output.getvalue()


@pytest.mark.django_db
def test_a_wrong_word_for_the_choice_is_refused() -> None:
    survey, client = create_import_survey(), Client()
    client.force_login(survey.owner)
    file = SimpleUploadedFile("a.csv", ROWS)
    assert (
        client.post(f"/surveys/{survey.slug}/import/", {"do": "look", "file": file}).status_code
        == 200
    )

    answer = Client(headers={"Authorization": f"Token {issue_token(survey.owner, 'laptop')}"}).post(
        f"/api/v1/surveys/{survey.slug}/imports/",
        {"mapping": {"rows_without_answers": "yes"}},
        content_type="application/json",
    )

    assert answer.status_code == 422
    assert "rows_without_answers" in str(answer.json()["errors"])
