"""Written answers are in no analysis of several questions."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.definition.test_written import answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "asked", ["model/?outcome=drug", "table/?rows=drug&columns=sex", "weighted/"]
)
def test_it_is_refused_where_answers_are_related(client: Client, ada: User, asked: str) -> None:
    survey = surveys.create_draft(ada, title="Both")
    surveys.add_text_question(survey)
    surveys.add_background(survey, "sex", ("a", "b"))
    surveys.add_yes_no(survey)
    answer(publish_survey(survey), 300)
    found = client.get(f"/api/v1/surveys/{survey.slug}/report/{asked}")
    if asked != "weighted/":
        assert found.status_code in (400, 422)
        assert "is a text question" in str(found.json())
    assert client.get(f"/surveys/{survey.slug}/compare/linked/").status_code == 200
