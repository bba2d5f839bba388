"""A few people with unusual numbers decide no slope: what page, API and files say of it."""

import csv
import html
import io

import numpy as np
import pytest
from django.test import Client

from features.regression.tests.test_model import api, owner, page, released
from surveys.models import Instrument, Question
from tests.factories.analysis_surveys import get_analysis_page
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ASKED = "outcome=tax:1&explain=income&model=shares"
TOO_FEW = (
    "Too few answers for a statement about Income: a few people with unusual numbers decide it."
)


def publish_with_one_far_out() -> Instrument:
    """Return a survey of 400 people, of whom one has 25 times the income of all others and a Yes."""
    survey = create_draft()
    add_yes_no(survey, design="warner", parameters={"p": "19/20"})
    income = add_background(survey, "income", ())
    Question.objects.filter(pk=income.pk).update(kind="number", minimum=0, maximum=500)
    incomes = np.arange(400) % 20
    reports = np.arange(400) % 20 == 0
    incomes[7], reports[7] = 500, True
    return released(publish_survey(survey), tax=reports, income=incomes)


@pytest.fixture
def instrument() -> Instrument:
    return publish_with_one_far_out()


@pytest.fixture
def client(instrument: Instrument) -> Client:
    return owner(instrument)


def test_page_says_why_there_is_no_statement(instrument: Instrument, client: Client) -> None:
    shown = html.unescape(get_analysis_page(client, instrument, f"linked/?{ASKED}").text)

    assert TOO_FEW in shown
    assert shown.count(TOO_FEW) == 1
    assert "more in Income" not in shown
    assert 'data-label="Verdict">Too few answers</td>' in shown
    assert "the 10 most influential people are enumerated" in shown


def test_programs_read_the_same_verdict_and_sentence(
    instrument: Instrument, client: Client
) -> None:
    found = api(client, instrument, f"model/?{ASKED}").json()
    (term,) = found["terms"]
    low, high = term["simultaneous"]

    assert (term["verdict"], term["clear"]) == ("too_few_answers", False)
    assert low > 0
    assert high > low
    assert term["p"] > 0.05
    assert TOO_FEW in found["sentence"]


def test_files_have_the_verdict_and_no_direction(instrument: Instrument, client: Client) -> None:
    rows = csv.DictReader(
        io.StringIO(page(client, instrument, f"model.csv?{ASKED}").content.decode())
    )
    figure = page(client, instrument, f"model.svg?{ASKED}").content.decode()

    assert [row["verdict"] for row in rows] == ["too_few_answers"]
    assert TOO_FEW in html.unescape(figure)
    assert "Higher" not in figure
