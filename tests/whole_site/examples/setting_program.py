"""What comes of the settings of test_setting.py, in the copy of the program that has them."""

import io
import json
import zipfile

import pytest
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.definition.parsing import parse_instrument
from surveys.definition.text_places import translation_problems
from surveys.models import Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.exports import export_file as exported

pytestmark = pytest.mark.django_db


def test_it_is_asked_for_and_shown_frozen_and_missed_in_a_language() -> None:
    owner, client = create_researcher(), Client()
    client.force_login(owner)
    survey = create_draft(owner, title="Taxes", contact="Ada")
    path = f"/surveys/{survey.slug}/after/"
    page = client.get(path).content.decode()
    assert "Motto (optional)" in page
    assert "One line that people remember." in page
    typed = {"motto": "Pay less", "loud": "1"}
    assert client.post(path, typed).status_code == 302
    survey = Survey.objects.get()
    assert (survey.motto, survey.loud) == ("Pay less", True)
    wrong = client.post(path, typed | {"motto": "x" * 41})
    assert wrong.status_code == 422
    assert "The motto has 41 characters. At most 40 are allowed." in wrong.content.decode()

    schema = json.dumps(client.get("/api/v1/schema/?format=json").json())
    assert (
        schema.count("One line that people remember.") == 4
    )  # to send, to change, to read, and of a copy
    api = client_of(owner)
    at = f"/api/v1/surveys/{survey.slug}/"
    changed = api.patch(
        at, json.dumps({"motto": "Pay more"}), content_type="application/json"
    ).json()
    assert (changed["motto"], changed["loud"]) == ("Pay more", True)
    assert survey.events.first().detail == "motto"

    add_yes_no(survey, note="A word")
    drafts.update_settings(Survey.objects.get(), {"languages": ["en", "de"]}, owner)
    assert "motto" in " ".join(translation_problems(Survey.objects.get()))
    drafts.update_settings(Survey.objects.get(), {"languages": ["en"]}, owner)
    instrument = publish_survey(Survey.objects.get())
    content = json.loads(instrument.content)
    assert (content["motto"], content["loud"], content["questions"][0]["note"]) == (
        "Pay more",
        True,
        "A word",
    )
    assert parse_instrument(instrument).other_settings["motto"] == "Pay more"
    assert "PAY MORE" in Client().get(f"/s/{survey.slug}/").content.decode()
    assert client.get(f"/surveys/{survey.slug}/report/").status_code == 200
    archive = zipfile.ZipFile(io.BytesIO(exported(instrument, "everything.zip")))
    assert b"Pay more" in archive.read("instrument.json")
