"""The table on the page that asks what the codes in a column mean, as it works without a script."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from features.response_import.coding import proposed_meanings
from features.response_import.tests.import_files import csv
from features.response_import.tests.response_uploads import ImportForm
from features.response_import.tests.test_workspace_importing import (
    Author,
    author,
    mapping,
    selected,
    text,
)
from surveys.definition.parsing import parse_instrument
from tests.factories.import_surveys import create_one_question_survey

pytestmark = pytest.mark.django_db
__all__ = ["author"]
CODED = csv(
    "1,2,010,South,30", "2,9,010,South,40", "2,1,010,South,40", header="tax,later,fruit,region,age"
)


def typed(answer: HttpResponse, **changed: str) -> dict[str, str]:
    """The form of a page as a browser sends it, with these fields changed. A name has “_” for each “-”."""
    form = ImportForm(answer.content.decode()).typed
    return form | {name.replace("_", "-"): value for name, value in changed.items()}


def test_codes_are_asked_for_in_a_table_and_their_meanings_stay_to_be_changed(
    author: Author,
) -> None:
    first = author.post(CODED)
    assert "Choose what each code means." in text(first)
    assert "What do the codes in “ tax ” mean?" in text(first)
    assert "1 1 Meaning of 1 Choose Yes No No answer 2 2 Meaning of 2" in text(first)
    assert 'id="mapping"' not in first.content.decode()

    half = author.post(CODED, **typed(first, meaning_tax_1="0"))
    page = half.content.decode()
    assert "Choose what “2” means." in text(half)
    assert re.search(
        r'id="meaning-tax-2"[^>]* aria-invalid="true" aria-describedby="error-tax"', page
    )
    assert page.count('aria-invalid="true"') == 1
    assert selected(half, "meaning-tax-1") == "0"

    whole = author.post(CODED, **typed(half, meaning_tax_2="missing"))
    assert mapping(whole)["questions"]["tax"] == {
        "column": "tax",
        "texts": {"1": 0},
        "missing": ["2"],
    }
    assert [selected(whole, f"meaning-tax-{code}") for code in (1, 2)] == ["0", "missing"]

    other = author.post(CODED, **typed(whole, meaning_tax_2="1"))
    assert mapping(other)["questions"]["tax"] == {"column": "tax", "texts": {"1": 0, "2": 1}}


def test_a_table_proposes_default_values_and_says_what_is_left(author: Author) -> None:
    first = author.post(CODED)
    assert [selected(first, f"meaning-tax-{code}") for code in (1, 2)] == ["1", ""]
    again = author.post(CODED, **typed(first))
    assert "Choose what “2” means." in text(again)
    assert again.content.decode().count('aria-invalid="true"') == 1


def test_a_table_proposes_nothing_for_a_code_that_two_answers_have() -> None:
    children = {"kind": "background", "key": "children", "choices": ["0", "1", "2"]}
    item = parse_instrument(create_one_question_survey(**children).instrument).items[0]
    assert proposed_meanings(item) == {"3": "2"}


def test_a_table_left_empty_says_what_is_left(author: Author) -> None:
    again = author.post(CODED, **typed(author.post(CODED), meaning_tax_1=""))
    assert "Choose what these codes mean: “1”, “2”." in text(again)
    assert again.content.decode().count('aria-invalid="true"') == 2


def test_meanings_of_one_column_are_not_taken_for_those_of_another(author: Author) -> None:
    first = author.post(CODED)
    chosen = {"meaning_tax_1": "1", "meaning_tax_2": "0", "column_tax": "later"}
    other = author.post(CODED, **typed(first, **chosen))
    assert "Choose what each code means." in text(other)
    assert [selected(other, f"meaning-tax-{code}") for code in (1, 2, 9)] == ["1", "", ""]
    assert 'id="mapping"' not in other.content.decode()


def test_codes_that_are_named_as_missing_are_not_in_the_table(author: Author) -> None:
    answer = author.post(CODED, **typed(author.post(CODED), missing_tax="2"))
    assert 'id="meaning-tax-1"' in answer.content.decode()
    assert 'id="meaning-tax-2"' not in answer.content.decode()


def test_1_and_0_of_a_yes_no_question_are_read_until_another_code_joins_them(
    author: Author,
) -> None:
    data = csv(
        "0,1,010,South,30",
        "1,0,010,South,40",
        "1,99,010,South,40",
        header="tax,later,fruit,region,age",
    )
    first = author.post(data)
    assert "What the file shows: codes, 0 for No, 1 for Yes" in text(first)
    assert 'id="meaning-tax-0"' not in first.content.decode()
    asked = author.post(data, **typed(first, column_tax="later"))
    assert [f'id="meaning-tax-{code}"' in asked.content.decode() for code in (0, 1, 99)] == [
        True
    ] * 3
    said = author.post(data, **typed(asked, meaning_tax_99="missing"))
    assert mapping(said)["questions"]["tax"] == {
        "column": "later",
        "texts": {"0": 0, "1": 1},
        "missing": ["99"],
    }
    assert [selected(said, f"meaning-tax-{code}") for code in (0, 1, 99)] == ["0", "1", "missing"]


def test_codes_written_as_something_else_go_on_in_the_table(author: Author) -> None:
    """Whoever wrote what stands for Yes and No, and forgot a code, finds what was written beside the code."""
    own = {"as_tax": "own", "text_tax_0": "2", "column_tax": "later"}
    answer = author.post(CODED, **typed(author.post(CODED), **own))
    assert selected(answer, "as-tax") == ""
    assert [selected(answer, f"meaning-tax-{code}") for code in (1, 2, 9)] == ["1", "0", ""]
    assert "Choose what each code means." in text(answer)


def test_a_table_survives_a_page_without_the_file(author: Author) -> None:
    half = author.post(CODED, **typed(author.post(CODED), meaning_tax_1="1"))
    again = author.post(None, "preview", **typed(half))
    assert "Choose the file again." in text(again)
    assert [selected(again, f"meaning-tax-{code}") for code in (1, 2)] == ["1", ""]
    assert "1 1 Meaning of 1" in text(again)
    whole = author.post(CODED, **typed(again, meaning_tax_2="0"))
    assert mapping(whole)["questions"]["tax"]["texts"] == {"1": 1, "2": 0}


@pytest.mark.parametrize(
    "codes",
    [
        "",
        "[",
        "{}",
        "[1]",
        '[{"key": "tax"}]',
        '[{"key": "tax", "column": "tax", "rows": {"x": 1}}]',
        "[" * 10_000,
    ],
)
def test_odd_tables_do_no_harm(author: Author, codes: str) -> None:
    answer = author.post(CODED, **typed(author.post(CODED), codes=codes, meaning_tax_1="0"))
    assert answer.status_code == 200
    assert "Choose what each code means." in text(answer)


def test_very_many_codes_make_no_very_long_page() -> None:
    survey = create_one_question_survey(
        kind="background", choices=[f"Village {number}" for number in range(1, 301)], decline=False
    )
    client = Client()
    client.force_login(survey.owner)
    data = csv(*[str(1 + number % 300) for number in range(600)], header="q")
    address = f"/surveys/{survey.slug}/import/"
    file = SimpleUploadedFile("villages.csv", data)
    page = client.post(address, {"do": "look", "file": file}).content.decode()
    assert len(page) < 100_000
    assert "There are too many codes to list here." in page
    file = SimpleUploadedFile("villages.csv", data)
    said = client.post(
        address, ImportForm(page).typed | {"do": "look", "file": file, "as-q": "codes-from-1"}
    )
    assert mapping(said)["questions"]["q"] == {"column": "q", "as": "codes-from-1"}
    assert selected(said, "as-q") == "codes-from-1"
