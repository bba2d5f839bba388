"""Wherever a row of a grid stands alone, its heading stands with it: report, files, analysis, API."""

import json

import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.export.codebook import as_markdown, codebook
from surveys.models import Instrument, Survey
from surveys.results.estimates.report import report
from tests.api.test_reading import client_of
from tests.definition.test_grids import HEADING, ROWS, made
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_draft, publish_survey

WHOLE = f"{HEADING} – {ROWS[0]}"


@pytest.fixture
def instrument(db: None) -> Instrument:
    survey = create_draft()
    made(survey, design="strong")
    return publish_survey(survey)


def test_the_report_names_a_row_with_its_heading(instrument: Instrument) -> None:
    add_invented_responses(instrument, 40)
    found = report(instrument)
    assert [question.text for question in found.questions] == [f"{HEADING} – {row}" for row in ROWS]
    client = Client()
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/report/").content.decode()
    assert WHOLE in page


def test_files_name_it_too(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    variable = codebook(frozen)["variables"][0]
    assert (variable["grid"], variable["question"]) == (HEADING, ROWS[0])
    assert f"\n{HEADING}\n\n**{ROWS[0]}**" in as_markdown(frozen)


def test_the_api_shows_and_takes_the_heading_and_says_what_a_grid_costs(db: None) -> None:
    survey = create_draft()
    made(survey, rows=[f"Row {letter}" for letter in "abcdefgh"])
    client = client_of(survey.owner)
    shown = client.get(f"/api/v1/surveys/{survey.slug}/").json()
    assert {question["grid"] for question in shown["questions"]} == {HEADING}
    fields = ("title", "questions")
    answer = client.post(
        "/api/v1/surveys/", json.dumps({name: shown[name] for name in fields}), "application/json"
    )
    assert answer.status_code == 201
    again = Survey.objects.get(slug=answer.json()["slug"])
    assert set(again.questions.values_list("grid", flat=True)) == {HEADING}


def test_the_api_says_at_its_place_what_cannot_be_a_row(db: None) -> None:
    wrong = {
        "key": "a",
        "kind": "number",
        "text": "A",
        "minimum": 1,
        "maximum": 9,
        "grid": "In a grid",
    }
    client = client_of(create_draft().owner)
    answer = client.post(
        "/api/v1/surveys/", json.dumps({"title": "T", "questions": [wrong]}), "application/json"
    )
    assert answer.status_code == 422
    assert "one of a few answers" in json.dumps(answer.json())
    assert "questions.0.grid" in json.dumps(answer.json())
