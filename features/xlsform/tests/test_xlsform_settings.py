"""What an XLSForm keeps of the settings of a survey, and which of them it refuses."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from features.xlsform import reader
from features.xlsform.writer import as_xlsx
from surveys.definition.freezing import build_definition
from surveys.models import Choice, Question, Survey
from surveys.site.errors import Unreadable
from tests.api.test_protection import MIXED, OWN, YES_NO, post
from tests.api.test_reading import client_of
from tests.definition.test_grid_conditions import WOMEN, conditional, made
from tests.definition.test_settings import for_a_level, for_people, settings
from tests.factories.surveys import add_background, create_draft

pytestmark = pytest.mark.django_db


def test_a_form_has_the_level_in_its_settings(ada: User) -> None:
    survey = post(client_of(ada), YES_NO | {"everyone": True}, *MIXED[1:], OWN, protection="2.5")
    again, notes = reader.bring(as_xlsx(survey), ada)
    assert notes == []
    assert again.protection == "2.5"
    first, second = (json.loads(build_definition(each).content) for each in (survey, again))
    assert first["draw"] == second["draw"]
    assert [each["mechanism"] for each in first["questions"]] == [
        each["mechanism"] for each in second["questions"]
    ]


@pytest.mark.parametrize(
    ("settings", "row", "wrong"),
    [
        ("rr::protection", "weak", "rr::protection: Choose strong"),
        ("rr::draw", "1", "Enter a number"),
    ],
)
def test_a_form_that_asks_for_something_else_is_refused(
    ada: User, settings: str, row: str, wrong: str
) -> None:
    form = f"""
| survey |
|        | type             | name | label    | rr::design |
|        | select_one yesno | tax  | Did you? | automatic  |
| choices |
|         | list_name | name | label |
|         | yesno     | no   | No    |
|         | yesno     | yes  | Yes   |
| settings |
|          | {settings} |
|          | {row} |
"""
    with pytest.raises(Unreadable, match=wrong):
        reader.bring(form.encode(), ada)
    assert not Survey.objects.exists()


# What an XLSForm has a place for. The condition of a section becomes that of each question in it.
IN_A_FORM = {
    Survey: {"title", "introduction", "language", "further_languages", "draw", "protection"},
    Question: {
        "key",
        "position",
        "kind",
        "text",
        "help",
        "short",
        "none",
        "section",
        "grid",
        "minimum",
        "maximum",
        "decline",
    }
    | {"design", "parameters", "drawn", "everyone", "when", "translations"},
    Choice: {"position", "label", "translations"},
}


def for_a_form(owner: User) -> Survey:
    """With everything for which an XLSForm has a place, and nothing else."""
    survey = for_people(owner)
    survey.questions.filter(
        key__in=("hours", "agrees")
    ).delete()  # steps have no column, and scales arrive as choices
    for place, question in enumerate(survey.questions.all(), 1):
        question.position = place
        question.translations = {
            code: {
                name: text
                for name, text in texts.items()
                if name in ("text", "help", "section", "grid")
            }
            for code, texts in question.translations.items()
        }
        question.save()
    return survey


def dialled(owner: User) -> Survey:
    """As for_a_level(), without what a form has no place for."""
    survey = for_a_level(owner)
    survey.questions.filter(key="agrees").delete()
    for place, question in enumerate(survey.questions.all(), 1):
        question.position = place
        question.save()
    return survey


@pytest.mark.parametrize("make", [for_a_form, dialled])
def test_an_xlsform_keeps_what_it_has_a_place_for(make: Any, ada: User) -> None:
    survey = make(ada)
    again, notes = reader.bring(as_xlsx(survey), ada)
    assert notes == []
    before, after = settings(survey, IN_A_FORM), settings(again, IN_A_FORM)
    assert {
        place: (value, before.get(place))
        for place, value in after.items()
        if value != before.get(place)
    } == {}
    assert after.keys() == before.keys()


def test_a_text_that_is_not_scrambled_is_left_out_of_a_workbook(ada: User) -> None:
    form = "| survey | | | |\n| | type | name | label |\n| | text | drug | Which? |\n| | integer | age | Age? |\n"
    with pytest.raises(Unreadable, match="“text” is left out"):
        reader.bring(form.encode(), ada, name="form.md")


def test_a_form_of_odk_brings_it(ada: User) -> None:
    form = """| survey | | | | | |
| | type | name | label | constraint | rr::decline |
| | select_one place | region | Where? | | |
| | select_one sex | sex | Sex? | | |
| | select_one sex | again | Sex? | | yes |
| | integer | age | How old? | . >= 18 and . <= 99 | yes |
| | integer | years | Years? | . >= 1 and . <= 9 | perhaps |
| choices | | | | | |
| | list_name | name | label | | |
| | place | n | North | | |
| | place | s | South | | |
| | place | x | Prefer not to say | | |
| | sex | f | Female | | |
| | sex | m | Male | | |
"""
    answer = client_of(ada).post(
        "/api/v1/xlsform/", form.encode(), content_type="application/octet-stream"
    )
    assert answer.status_code == 201, answer.content
    made = Survey.objects.get()
    found = {
        question.key: (question.decline, question.choices.count())
        for question in made.questions.all()
    }
    assert found == {
        "region": (True, 2),
        "sex": (False, 2),
        "again": (True, 2),
        "age": (True, 0),
        "years": (False, 0),
    }
    assert "“rr::decline” is “perhaps”" in answer.content.decode()


@pytest.mark.parametrize("section", ["", "Health"])
def test_a_condition_comes_back_from_a_form(ada: User, section: str) -> None:
    survey = create_draft(ada)
    add_background(survey, "sex", ("Female", "Male"))
    keys = [
        row.key for row in made(survey, when=WOMEN, section=section, when_section=bool(section))
    ]
    brought, _ = reader.bring(as_xlsx(survey), ada)
    assert conditional(brought) == keys
    assert [question.grid for question in brought.questions.all()] == ["", *["How often …"] * 3]
