"""A question whose answers are hashed and memoized: all pages and files of the site."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.export import files as all_files
from tests.definition.test_rappor import LETTERS
from tests.definition.test_written import DRUGS, answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.exports import export_file

pytestmark = pytest.mark.django_db


def test_every_page_and_file_of_it_opens(client: Client, ada: User) -> None:
    survey = surveys.create_draft(ada, title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS, design="rappor", parameters=LETTERS)
    instrument = publish_survey(survey)
    answer(instrument, 500)
    own = f"/surveys/{survey.slug}/"
    for path in (
        "",
        "report/",
        "report/quality/",
        "compare/linked/",
        "report/shares.csv",
        "settings/",
        "ethics/",
    ):
        assert client.get(own + path).status_code == 200, path
    for file in all_files():
        assert len(export_file(instrument, file.name)) > 100, file.name
