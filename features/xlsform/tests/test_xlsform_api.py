"""Workbooks by program."""

import pytest

from features.xlsform.api import KINDS
from features.xlsform.tests.test_xlsform import GOOD
from surveys.models import Survey
from surveys.site.files.workbook import WORKBOOK_TYPE
from tests.api.test_reading import client_of
from tests.factories.surveys import create_researcher

# What is read is stored as in features/xlsform/tests/test_xlsform.py, which runs on both databases.
pytestmark = [pytest.mark.django_db, pytest.mark.once]
ADDRESS = "/api/v1/xlsform/"


def test_a_workbook_becomes_a_draft_with_notes() -> None:
    answer = client_of(create_researcher()).post(ADDRESS, GOOD, content_type=WORKBOOK_TYPE)
    assert answer.status_code == 201
    made = answer.json()
    assert [question["key"] for question in made["survey"]["questions"]] == [
        "tax",
        "drug",
        "drugs",
        "region",
        "age",
    ]
    assert made["notes"] == ["Sheet survey, row 8: The name “Region” was changed to “region”."]
    assert made["survey"]["languages"] == ["en", "de"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_form_says_itself_what_it_is(kind: str) -> None:
    form = b"| survey |\n| | type | name | label | rr::design |\n| | select_one l | x | X | two-coin |\n"
    form += b"| choices |\n| | list_name | name | label |\n| | l | a | A |\n| | l | b | B |\n"
    answer = client_of(create_researcher()).post(ADDRESS, form, content_type=kind)
    assert (answer.status_code, answer.json()["notes"]) == (201, [])


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [(b"x", WORKBOOK_TYPE, 422), (b"", WORKBOOK_TYPE, 422), (GOOD, "application/json", 415)],
)
def test_what_is_no_workbook_is_a_problem(content: bytes, kind: str, status: int) -> None:
    answer = client_of(create_researcher()).post(ADDRESS, content, content_type=kind)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert not Survey.objects.exists()
