"""Conditions on background answers in files."""

import pytest

from features.response_import.tests.import_files import csv, part
from surveys.definition.freezing import build_definition
from tests.definition.test_routing import some

pytestmark = pytest.mark.django_db


def test_a_file_has_nothing_where_its_background_answers_do_not_ask() -> None:
    frozen = build_definition(some(import_only=True))
    assert frozen.keys_with_missing == (
        "age",
        "sex",
        "tax",
        "young",
        "care",
    )  # in a file anything may be missing
    rows = [
        "20,Female,1,0,1",
        "20,Male,0,1,",
        "40,Female,1,,",
        "40,Female,1,1,",
        "20,,1,0,1",
        "20,Male,,,",
    ]
    care = {"questions": {"care": {"as": "codes"}}}
    found = part(csv(*rows, header="age,sex,tax,young,care"), care, frozen.items, nonresponse=True)
    young = "“Age?” is 18 to 25"
    assert [(each.row, each.message) for each in found.problems] == [
        (5, f"Leave young empty in this row. It is asked only if {young}."),
        (
            6,
            f"Leave care empty in this row. It is asked only if {young} and “About sex?” is “Female”.",
        ),
    ]
