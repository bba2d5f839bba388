"""docs/xlsform.md says what is so: its example is taken, and its designs are those that there are."""

import re
from pathlib import Path

import pytest
from django.test import Client

from features.xlsform.question_types import designs
from features.xlsform.reader import bring
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.freezing import build_definition
from tests.factories.surveys import create_researcher

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "xlsform.md").read_text()


@pytest.mark.django_db
def test_the_example_is_taken_as_it_stands() -> None:
    example = re.search(r"```csv\n(.*?)```", TEXT, re.DOTALL)
    survey, notes = bring(example[1].encode(), create_researcher(), name="form.csv")
    assert notes == []
    assert survey.title == "Work and money"
    assert [(question.key, question.kind) for question in survey.questions.all()] == [
        ("tax", "yes-no"),
        ("cash", "choice"),
        ("drugs", "any"),
        ("region", "background"),
        ("age", "number"),
    ]
    assert build_definition(survey).epsilon > 0


def test_the_designs_are_those_of_the_catalogue() -> None:
    rows = re.findall(
        r"^\| (`.*?) \| (.*?) \| .*? \|$", TEXT.partition("## How answers")[2], re.MULTILINE
    )
    told = {
        key: re.findall(r"`(rr::\w+)`", numbers)
        for keys, numbers in rows
        for key in re.findall(r"`([\w-]+)`", keys)
    }
    assert told == dict(designs())
    assert {*told} == {*DESIGNS, AUTOMATIC, *EPSILONS}


@pytest.mark.django_db
def test_the_page_says_the_designs_too(client: Client) -> None:
    client.force_login(create_researcher())
    page = client.get("/surveys/import/").content.decode()
    for key, columns in designs():
        assert f">{key}</td><td>{', '.join(columns) or 'none'}</td>" in page
