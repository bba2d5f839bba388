"""Files of responses by program: sent in parts, each mistake by its place."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator

from features.response_import import staging
from features.response_import.api import MAPPING_SHAPE
from features.response_import.tests.import_files import csv, tally
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Batch, Import, Membership
from tests.api.test_reading import client_of
from tests.factories.import_surveys import create_import_survey
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
NUMBERS = {"questions": {"age": {"as": "labels"}}}


class Sender:
    """Somebody with a token, and a survey that takes files."""

    def __init__(self) -> None:
        self.survey = create_import_survey(create_researcher())
        self.client = client_of(self.survey.owner)
        self.address = f"/api/v1/surveys/{self.survey.slug}/imports/"

    def begin(self, mapping: Any = None) -> str:
        answer = self.client.post(
            self.address, {"mapping": mapping}, content_type="application/json"
        )
        assert answer.status_code == 201, answer.json()
        return f"{self.address}{answer.json()['id']}/"

    def put(self, file: str, number: int, data: bytes, kind: str = "text/csv") -> HttpResponse:
        return self.client.put(f"{file}parts/{number}/", data, content_type=kind)

    def finish(self, file: str, parts: int) -> HttpResponse:
        return self.client.post(f"{file}finish/", {"parts": parts}, content_type="application/json")


@pytest.fixture
def sender() -> Sender:
    return Sender()


@pytest.mark.parametrize("kind", ["text/csv", "application/octet-stream"])
def test_a_file_comes_in_parts(sender: Sender, kind: str) -> None:
    file, data = sender.begin(NUMBERS), csv()
    first = sender.put(file, 1, data[:45], kind).json()
    assert (first["state"], first["parts"], first["rows"]) == ("taking", 1, 1)
    assert first["mapping"]["questions"]["age"] == {"column": "age", "as": "labels"}
    assert sender.put(file, 2, data[45:], kind).json()["parts"] == 2
    assert [each["state"] for each in sender.client.get(sender.address).json()] == ["taking"]
    done = sender.finish(file, 2)
    assert (done.status_code, done.json()["state"], done.json()["rows"]) == (200, "done", 3)
    assert sender.client.get(file).json() == done.json() | {"preview": None}
    assert tally(sender.survey)["n"] == 3


def test_what_a_file_would_add_is_shown_before_it_counts(sender: Sender) -> None:
    file, data = sender.begin(NUMBERS), csv().rstrip()
    assert sender.client.get(file).json()["preview"] is None
    sender.put(file, 1, data[:53])
    assert sender.client.get(file).json()["preview"]["n"] == 2
    sender.put(file, 2, data[53:])
    shown = sender.client.get(file).json()
    assert (shown["state"], shown["preview"]["n"]) == ("taking", 3)
    by_key = {each["key"]: each for each in shown["preview"]["questions"]}
    assert by_key["tax"]["answers"] == [
        {"answer": "No", "n": 2, "picked": None},
        {"answer": "Yes", "n": 1, "picked": None},
    ]
    assert [by_key["age"][name] for name in ("n", "missing", "least", "mean", "largest")] == [
        3,
        0,
        18,
        49.0,
        99,
    ]
    assert tally(sender.survey) == {}
    sender.finish(file, 2)
    assert tally(sender.survey)["counts"]["tax"] == [2, 1]


def test_a_number_of_parts_that_is_announced_is_waited_for(sender: Sender) -> None:
    answer = sender.client.post(
        sender.address, {"mapping": NUMBERS, "parts": 2}, content_type="application/json"
    )
    file, data = f"{sender.address}{answer.json()['id']}/", csv()
    sender.put(file, 1, data[:-12])
    assert sender.client.get(file).json()["preview"] is None
    sender.put(file, 2, data[-12:])
    assert sender.client.get(file).json()["preview"]["n"] == 3
    assert sender.put(file, 3, b"1,010,North,30").status_code == 409
    refused = sender.client.post(sender.address, {"parts": 0}, content_type="application/json")
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["parts"])


def test_no_one_else_is_shown_what_a_file_would_add(sender: Sender) -> None:
    file = sender.begin(NUMBERS)
    sender.put(file, 1, csv())
    editor = User.objects.create_user("grace")
    Membership.objects.create(survey=sender.survey, user=editor, role="editor")
    shown = client_of(editor).get(file).json()
    assert (shown["rows"], shown["preview"]) == (3, None)


def test_wrong_cells_are_problems_by_row_and_column(sender: Sender) -> None:
    file = sender.begin(NUMBERS)
    answer = sender.put(file, 1, csv("0,010,North,99", "x,010,North,17", "1"))
    assert (answer.status_code, answer.json()["state"], answer.json()["found"]) == (200, "wrong", 3)
    assert answer.json()["problems"][0] == {
        "row": 3,
        "column": "tax",
        "message": "“x” is not one of No, Yes, or a code.",
    }
    end = sender.finish(file, 1)
    assert (end.status_code, end["Content-Type"]) == (422, "application/problem+json")
    assert list(end.json()["errors"]) == ["row 3, column tax", "row 3, column age", "row 4"]
    assert end.json()["found"] == 3
    assert not Batch.objects.exists()
    assert sender.client.delete(file).status_code == 204
    assert sender.client.get(file).status_code == 404
    assert sender.put(file, 2, b"").status_code == 404


def test_what_the_columns_leave_open_is_a_problem_and_can_be_said_then(sender: Sender) -> None:
    file = sender.begin()
    answer = sender.put(file, 1, csv("1,010,North,30", header="Q1,fruit,region,age"))
    assert answer.status_code == 422
    assert set(answer.json()["errors"]) == {"questions.tax.column"}
    again = sender.begin({"questions": {"tax": {"column": "Q1", "as": "codes"}}})
    assert (
        sender.put(again, 1, csv("1,010,North,30", header="Q1,fruit,region,age")).json()["rows"]
        == 1
    )


def test_parts_come_in_order(sender: Sender) -> None:
    file = sender.begin()
    early = sender.put(file, 2, csv())
    assert (early.status_code, early.json()["type"], early.json()["next"]) == (
        409,
        "/problems/out-of-turn",
        1,
    )
    assert sender.put(file, 0, csv()).status_code == 409
    assert [sender.put(file, 1, csv()).status_code for _ in range(2)] == [200, 200]
    assert sender.put(file, 1, csv("1,000,North,99")).status_code == 409
    assert sender.finish(file, 2).status_code == 409
    assert [sender.finish(file, 1).json()["state"] for _ in range(2)] == ["done", "done"]
    assert tally(sender.survey)["n"] == 3
    assert sender.client.delete(file).status_code == 409


def test_a_part_that_is_too_large_or_something_else_is_refused(sender: Sender) -> None:
    file = sender.begin()
    assert sender.put(file, 1, b"x" * (staging.PART + 1)).status_code == 413
    assert sender.put(file, 1, csv(), "application/x-www-form-urlencoded").status_code == 415
    assert Import.objects.get().parts == 0


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"mapping": {"questions": {"tax": {"as": "words"}}}}, "questions.tax.as"),
        ({"mapping": []}, "mapping"),
        ({"maping": {}}, "maping"),
    ],
)
def test_a_wrong_mapping_is_refused_at_its_place(sender: Sender, body: dict, place: str) -> None:
    answer = sender.client.post(sender.address, body, content_type="application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (422, [place])
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("version", "fits"), [(1, True), (2, True), (3, True), (4, False), ("2", False)]
)
def test_the_schema_and_the_site_agree_on_the_version_of_a_codebook(
    sender: Sender, version: Any, fits: bool
) -> None:
    mapping = {"version": version}
    assert Draft202012Validator(MAPPING_SHAPE).is_valid(mapping) == fits
    answer = sender.client.post(
        sender.address, {"mapping": mapping}, content_type="application/json"
    )
    assert answer.status_code == (201 if fits else 422)


def test_a_closed_survey_takes_no_file(sender: Sender) -> None:
    file = sender.begin()
    close_survey(sender.survey)
    for answer in (
        sender.put(file, 1, csv()),
        sender.finish(file, 0),
        sender.client.post(sender.address, {}, content_type="application/json"),
    ):
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/refused")


def test_a_token_for_reading_sends_no_file(sender: Sender) -> None:
    token = issue_token(sender.survey.owner, "reads", ["reports", "rows"])
    reader = Client(headers={"Authorization": f"Token {token}"})
    assert reader.get(sender.address).status_code == 403
    assert reader.post(sender.address, {}, content_type="application/json").status_code == 403


def test_the_import_of_another_survey_is_not_found(sender: Sender) -> None:
    other = create_import_survey(sender.survey.owner)
    file = staging.begin(other, other.owner)
    assert sender.client.get(f"{sender.address}{file.pk}/").status_code == 404


def test_codes_are_listed_while_a_file_comes_and_asked_for_at_its_end(sender: Sender) -> None:
    coded = csv("1,010,1,30", "0,010,2,40", "0,010,2,40")
    file = sender.begin(NUMBERS)
    assert sender.put(file, 1, coded).json()["codes"] == {"region": {"1": 1, "2": 2}}
    assert sender.client.get(file).json()["preview"] is None
    asked = sender.finish(file, 1)
    assert (asked.status_code, asked["Content-Type"]) == (422, "application/problem+json")
    assert asked.json()["codes"] == {"region": {"1": 1, "2": 2}}
    assert asked.json()["errors"] == {
        "questions.region.texts": "Choose what each of these codes means: “1” (1 row), “2” (2 rows). The answers are "
        "1 = North, 2 = South. Under “texts”, give each code its answer, counted from 0 in this order, and under "
        "“missing” the codes that mean no answer."
    }
    assert not Batch.objects.exists()
    again = sender.begin({"questions": {"region": {"texts": {"1": 0, "2": 1}}}})
    assert sender.put(again, 1, coded).json()["codes"] == {}
    assert sender.finish(again, 1).json()["state"] == "done"
    assert tally(sender.survey)["counts"]["region"] == [1, 2]


def test_a_file_of_which_the_last_part_is_known_is_asked_about_at_once(sender: Sender) -> None:
    begun = sender.client.post(sender.address, {"parts": 1}, content_type="application/json").json()
    answer = sender.put(f"{sender.address}{begun['id']}/", 1, csv("1,010,0,30", "0,010,1,40"))
    assert (answer.status_code, answer.json()["codes"]) == (422, {"region": {"0": 1, "1": 1}})
