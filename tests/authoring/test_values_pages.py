"""Values of answers as an author writes them: behind the choices, in the field of a yes/no question, in a file."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.models import Question, Survey
from tests.factories.surveys import create_researcher
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client: Client) -> Survey:
    survey = create_survey(owner=create_researcher(), title="Values", protection="balanced")
    client.force_login(survey.owner)
    return survey


def address(survey: Survey, key: str) -> str:
    return f"/surveys/{survey.slug}/questions/{key}/"


def add(survey: Survey, **settings: object) -> Question:
    return save_question(survey=survey, key="q", text="Which?", **settings)


def test_values_move_with_their_labels(client: Client, survey: Survey) -> None:
    page = address(survey, "new")
    typed = {"kind": "choice", "text": "Which?", "key": "q"}
    typed["choices"] = "Bus = 7\r\n\r\nBicycle = bike\r\n BMI = 25 =  -1"

    client.post(page, Form(client.get(page)).data | typed)

    question = survey.questions.get()
    assert [choice.label for choice in question.choices.all()] == ["Bus", "Bicycle", "BMI = 25"]
    assert question.values == ["7", "bike", "-1"]
    form = Form(client.get(address(survey, "q")))
    assert form.data["choices"] == "Bus = 7\nBicycle = bike\nBMI = 25 = -1"


def test_a_label_that_ends_like_a_value_is_not_cut(client: Client, survey: Survey) -> None:
    add(survey, kind="background", choices=["BMI = 25", "BMI = 30", "Other"])
    page = address(survey, "q")
    form = Form(client.get(page))
    assert form.data["choices"] == "BMI = 25 =\nBMI = 30 =\nOther"

    client.post(page, form.data)

    question = survey.questions.get()
    assert [choice.label for choice in question.choices.all()] == ["BMI = 25", "BMI = 30", "Other"]
    assert question.values == []


def test_what_is_wrong_stands_at_the_choices(client: Client, survey: Survey) -> None:
    add(survey, kind="scale", choices=["Never", "Often", "Always"])
    page = address(survey, "q")
    typed = Form(client.get(page)).data | {"points": "Never = 1\nOften = 2\nAlways"}

    answer = client.post(page, typed)

    message = "Line 3 has no value. Write a value on every line, or on none."
    assert answer.status_code == 422
    assert Form(answer).errors["id_points"] == message
    assert Form(answer).data["points"] == typed["points"]


def test_yes_and_no_have_one_field(client: Client, survey: Survey) -> None:
    add(survey, kind="yes-no")
    page = address(survey, "q")
    form = Form(client.get(page))
    assert form.values["values"] == "No = 0, Yes = 1"

    client.post(page, form.data)
    assert survey.questions.get().values == []

    client.post(page, Form(client.get(page)).data | {"values": "Yes = 1, No = 2"})
    assert survey.questions.get().values == ["2", "1"]
    assert Form(client.get(page)).values["values"] == "No = 2, Yes = 1"

    answer = client.post(page, Form(client.get(page)).data | {"values": "2 and 1"})
    assert Form(answer).errors["id_values"] == (
        "Write a value for each answer, for example: No = 0, Yes = 1."
    )
    assert survey.questions.get().values == ["2", "1"]

    client.post(page, Form(client.get(page)).data | {"values": ""})
    assert survey.questions.get().values == []


def test_a_list_from_a_file_has_a_column_of_values(client: Client, survey: Survey) -> None:
    page = address(survey, "new")
    rows = "".join(f"{1000 + number},Town {number},Stadt {number}\n" for number in range(200))
    table = SimpleUploadedFile("towns.csv", f"value,label,label::de\n{rows}".encode())
    typed = {"kind": "background", "text": "Where?", "key": "q"}

    client.post(page, Form(client.get(page)).data | typed | {"file": table})

    question = survey.questions.get()
    assert question.values == [str(1000 + number) for number in range(200)]
    # The list is too long for the field: it stays with its values, and comes as a file.
    held = address(survey, "q")
    client.post(held, Form(client.get(held)).data)
    assert survey.questions.get().values == question.values
    lines = client.get(f"{held}choices.txt").content.decode().splitlines()
    assert lines[0] == "Town 0 = 1000"
    assert "<td>1007</td>" in client.get(f"{held}choices/?find=Town 7").content.decode()


def test_a_value_in_a_file_that_is_none_is_named(client: Client, survey: Survey) -> None:
    page = address(survey, "new")
    table = SimpleUploadedFile("towns.csv", b"label,value\nRome,1\nParis,1 000\n")
    typed = {"kind": "background", "text": "Where?", "key": "q", "file": table}

    answer = client.post(page, Form(client.get(page)).data | typed)

    assert Form(answer).errors["id_choices"].startswith("“1 000” on line 3 is not a value.")
