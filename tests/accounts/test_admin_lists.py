"""The administration's lists read what they show, and show no response; a survey's page has the report's sentences."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
from surveys.results.estimates.report import report
from surveys.results.report.headlines import finding
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", ["response", "held", "batch"])
def test_what_respondents_sent_has_no_list(operator: Client, model: str) -> None:
    submit_responses(create_published(), 1)
    assert operator.get(f"/admin/surveys/{model}/").status_code == 404


def test_the_list_of_instruments_reads_none(operator: Client) -> None:
    create_published()
    with CaptureQueriesContext(connection) as queries:
        assert operator.get("/admin/surveys/instrument/").status_code == 200
    assert not any('"content"' in query["sql"] or '"tally"' in query["sql"] for query in queries)


def page(operator: Client, survey: Survey) -> str:
    answer = operator.get(f"/admin/surveys/survey/{survey.pk}/change/")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_a_survey_has_its_estimates_in_the_words_of_the_report(operator: Client) -> None:
    instrument = create_published()
    submit_responses(instrument, 400)
    close_survey(instrument.survey)
    run_next_timer()
    instrument.refresh_from_db()
    content = page(operator, instrument.survey)
    tax, fruit, _ = report(instrument).questions
    for question in (tax, fruit):
        assert question.text in content
        assert finding(question).headline in content
    assert "<td>400</td>" in content
    assert finding(tax).range in content
    assert "privacy loss ε = 1.10" in content
    assert f'href="/surveys/{instrument.survey.slug}/report/"' in content


def test_it_has_nothing_unreleased_and_no_background_answers(operator: Client) -> None:
    """Also once groups exist, and for an operator who could see rows as the owner of the survey."""
    instrument = create_published(User.objects.get(username="olga"))
    before = page(operator, instrument.survey)
    submit_responses(instrument, 39)
    assert without_tokens(page(operator, instrument.survey)) == without_tokens(before)
    submit_responses(instrument, 361, first=39)
    close_survey(instrument.survey)
    run_next_timer()
    content = page(operator, instrument.survey)
    assert "<td>400</td>" in content
    assert "About region?" not in content
    assert "North" not in content


def without_tokens(content: str) -> str:
    return re.sub(r'(name="csrfmiddlewaretoken" value=|nonce=)"[^"]*"', "", content)


def test_a_draft_and_a_survey_without_sensitive_questions_have_none(operator: Client) -> None:
    survey = create_draft()
    add_yes_no(survey)
    assert "Key result" not in page(operator, survey)
    plain = create_draft(survey.owner)
    add_background(plain)
    publish_survey(plain)
    assert "Key result" not in page(operator, plain)


def test_staff_without_the_permission_get_neither_list_nor_page(client: Client) -> None:
    survey = create_published().survey
    client.force_login(create_researcher("stan", is_staff=True))
    assert client.get("/admin/surveys/survey/").status_code == 403
    assert client.get(f"/admin/surveys/survey/{survey.pk}/change/").status_code == 403
    assert client.get(f"/surveys/{survey.slug}/report/").status_code == 404


def test_the_list_of_surveys_makes_no_estimate_and_asks_as_often_for_ten_as_for_one(
    operator: Client,
) -> None:
    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            answer = operator.get("/admin/surveys/survey/")
        assert answer.status_code == 200
        return [query["sql"] for query in captured]

    owner = create_published().survey.owner
    queries()  # the session and the content types are read once
    one = queries()
    for _ in range(9):
        create_published(owner)
    ten = queries()
    assert len(ten) == len(one)
    assert not any("tally" in sql for sql in ten)
