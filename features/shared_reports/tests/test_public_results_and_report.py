"""Public results say what the report says to readers without row access, and no more."""

import json
import re

import pytest
from django.test import Client

from features.shared_reports.publication import set_public
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from tests.api.test_reading import client_of
from tests.factories.responses import add_responses
from tests.factories.surveys import add_choice, create_draft, publish_survey
from tests.factories.ticket_surveys import client_for
from tests.helpers.html_text import text
from tests.results.test_key_sentences import ANSWERS
from tests.results.test_question_subset_on_paths import closed, questions

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_a_path_that_splits_a_cell_is_not_public() -> None:
    instrument = closed()
    everybody, all_of_it = (
        questions(instrument, has_rows=False),
        questions(instrument, has_rows=True),
    )
    women, north = (instrument.tally["on_path"][key] for key in ("care", "far"))
    set_public(instrument.survey, instrument.survey.owner, public=True)

    address = f"/r/{instrument.survey.slug}/"
    page, data = (
        Client().get(address).content.decode(),
        Client().get(f"{address}results.json").content.decode(),
    )

    assert f"n = {everybody['care'].n:,}" in page
    assert f'"on_path": {women}' in json.dumps(json.loads(data))
    for content in (page, data):
        assert not re.search(
            rf"(?<![0-9a-f.])({north}|{north:,}|{all_of_it['far'].n:,})(?![0-9a-f])", content
        )


def test_page_shared_page_api_and_picture_say_the_same_of_a_marked_answer() -> None:
    survey = create_draft()
    add_choice(survey, labels=ANSWERS, none="None of these")
    instrument = publish_survey(survey)
    add_responses(instrument, 4000, fruit=[0] * 2000 + [1] * 1500 + [2] * 300 + [3] * 200)
    survey = Survey.objects.get()
    close_survey(survey, survey.owner)
    set_public(survey, survey.owner, public=True)
    client = client_for(survey.owner)
    told = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/report/").json()
    sentence = told["questions"][0]["finding"]["sentence"]

    assert re.fullmatch(
        r"\d+% chose “None of these”\. Of the other answers, the most common is “Used AI”, \d+%\.",
        sentence,
    )
    assert (
        Client().get(f"/r/{survey.slug}/results.json").json()["questions"][0]["finding"]["sentence"]
        == sentence
    )
    for page in (client.get(f"/surveys/{survey.slug}/report/"), Client().get(f"/r/{survey.slug}/")):
        assert sentence in text(page.text)
    for figure in (
        client.get(f"/surveys/{survey.slug}/report/fruit/shares.svg"),
        Client().get(f"/r/{survey.slug}/fruit.svg"),
    ):
        titles = re.findall(r'<text class="title"[^>]*>(.*?)</text>', figure.content.decode())
        assert " ".join(titles) == sentence
