"""Preview, publish, close and reopen; and what the state of a survey refuses, by page and by direct POST."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from surveys.definition.freezing import build_definition
from surveys.models import Batch, Instrument, Response, Survey
from tests.factories.inbox import submit_responses
from tests.factories.surveys import (
    add_yes_no,
    create_draft,
    create_published,
    post_response,
    publish_survey,
    response_body,
)
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db


def at(survey: Survey, rest: str = "") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def status(survey: Survey) -> str:
    return Survey.objects.get(pk=survey.pk).status


def test_publishing_shows_everything_and_asks_once(client: Client, ada: User) -> None:
    survey = create_draft(ada, introduction="Why we ask.", contact="ada@example.org")
    add_yes_no(survey, help="Last year.")
    response = client.get(at(survey, "publish/"))
    for shown in (
        "Why we ask.",
        "ada@example.org",
        "About tax?",
        "Last year.",
        "privacy loss ε = 1.10",
        "Everything that becomes final",
        "They read this first.",
    ):
        assert shown in response.content.decode()
    assert status(survey) == "draft"
    read = Form(response).values["instrument"]
    page = client.post(at(survey, "publish/"), {"instrument": read}, follow=True).content.decode()
    assert "The survey is published." in page
    assert re.search(r'id="share-link" href="[^"]+" autofocus', page)
    assert "Try it on another device" in page
    assert " autofocus" not in client.get(at(survey)).content.decode()
    assert status(survey) == "open"
    assert Instrument.objects.get().sha256 == read


def test_publishing_works_without_the_page_as_well(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    assert client.post(at(survey, "publish/")).status_code == 302
    assert status(survey) == "open"


def test_what_was_changed_after_reading_is_not_published(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    read = Form(client.get(at(survey, "publish/"))).values["instrument"]
    survey.questions.update(text="Changed in another window?")
    response = client.post(at(survey, "publish/"), {"instrument": read})
    assert response.status_code == 409
    assert "has changed since you opened this page" in response.content.decode()
    assert status(survey) == "draft"


def test_an_empty_survey_is_not_published(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    assert waits(client.get(at(survey, "publish/"))).startswith("Add at least one question")
    response = client.post(at(survey, "publish/"))
    assert response.status_code == 409
    assert "Add at least one question" in response.content.decode()
    assert status(survey) == "draft"


def waits(response: HttpResponse) -> str:
    """Why the button that publishes cannot be pressed; empty where it can."""
    page = response.content.decode()
    found = re.search(
        r"<strong>Not ready:</strong> (.*?)</p>.*?<button[^>]* disabled[^>]*>Publish",
        page,
        re.DOTALL,
    )
    assert (found is None) == ('name="instrument"' in page)
    return found[1] if found else ""


def test_the_button_is_always_there_and_says_what_it_waits_for(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    assert waits(client.get(at(survey, "publish/"))) == ""
    add_yes_no(survey, "other")
    Survey.objects.update(closes=timezone.now() - timedelta(hours=1))
    assert "Change or remove the closing time" in waits(client.get(at(survey, "publish/")))
    Survey.objects.update(closes=None)
    survey.questions.filter(key="other").update(parameters={"p": "1"})
    assert "could prove the true one" in waits(client.get(at(survey, "publish/")))


def test_a_survey_with_a_wrong_design_is_not_published(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey, parameters={"p": "1"})
    response = client.post(at(survey, "publish/"))
    assert response.status_code == 409
    assert "Question 1 (“About tax?”)" in response.content.decode()
    assert not Instrument.objects.exists()


FORBIDDEN_AFTER_PUBLISHING = [
    ("welcome/", {"title": "Other"}),
    ("after/", {"after_sending": "Other"}),
    ("target/", {"target": "9"}),
    ("delete/", {}),
    ("questions/new/", {"kind": "yes-no", "text": "More?", "design": "two-coin"}),
    ("questions/new/", {"show": "epsilon"}),
    ("questions/tax/", {"kind": "yes-no", "text": "Other?", "design": "two-coin"}),
    ("questions/tax/delete/", {}),
    ("questions/tax/up/", {}),
    ("questions/tax/down/", {}),
    ("publish/", {}),
]


@pytest.mark.parametrize("state", ["open", "closed"])
@pytest.mark.parametrize(("rest", "sent"), FORBIDDEN_AFTER_PUBLISHING)
def test_a_published_survey_is_never_changed(
    client: Client, ada: User, rest: str, sent: dict[str, str], state: str
) -> None:
    instrument = create_published(ada)
    survey = instrument.survey
    Survey.objects.update(status=state)
    before = build_definition(survey).content
    response = client.post(at(survey, rest), sent)
    page = response.content.decode()
    assert response.status_code == 409
    assert "Not possible right now" in page
    assert at(survey) in page
    assert f"is {state}. You can" in page
    if not rest.endswith(("up/", "down/", "target/")):
        assert client.get(at(survey, rest)).status_code == 409
    survey.refresh_from_db()
    assert (survey.title, survey.status) == ("A survey", state)
    assert build_definition(survey).content == before == Instrument.objects.get().content


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "step",
    [
        ("draft", "close/", "Only an open survey can be closed."),
        ("closed", "close/", "Only an open survey can be closed."),
        ("draft", "reopen/", "Only a paused or closed survey can be reopened."),
        ("open", "reopen/", "Only a paused or closed survey can be reopened."),
    ],
)
def test_a_step_out_of_turn_is_refused(
    client: Client, ada: User, method: str, step: tuple[str, str, str]
) -> None:
    state, rest, reason = step
    survey = create_draft(ada)
    add_yes_no(survey)
    if state != "draft":
        publish_survey(survey)
        Survey.objects.update(status=state)
    response = getattr(client, method)(at(survey, rest))
    assert response.status_code == 409
    assert reason in response.content.decode()
    assert status(survey) == state


def test_closing_ends_the_answers_and_brings_what_waits_into_the_report(
    client: Client, ada: User
) -> None:
    instrument = create_published(ada)
    survey = instrument.survey
    submit_responses(instrument, 30)
    assert (
        "No results yet. Results appear from 40 responses"
        in client.get(at(survey)).content.decode()
    )
    assert "Close “A survey”?" in client.get(at(survey, "close/")).content.decode()
    page = client.post(at(survey, "close/"), follow=True).content.decode()
    assert "The survey is closed." in page
    said = " ".join(page.split())
    assert (
        "<strong>30 responses are in the report.</strong> If fewer than 20 came last, they stay hidden."
        in said
    )
    assert at(survey, "reopen/") in client.get(at(survey, "settings/")).content.decode()
    assert (status(survey), Batch.objects.get().n) == ("closed", 30)
    assert post_response(instrument, response_body(instrument)).status_code == 403


def test_of_few_that_a_closing_leaves_no_number_is_said(client: Client, ada: User) -> None:
    """Or closing and opening again and again would count each as it comes."""
    instrument = create_published(ada)
    pages = set()
    for number in (1, 18):
        submit_responses(instrument, number)
        client.post(at(instrument.survey, "close/"), follow=True)
        page = client.get(at(instrument.survey)).content.decode()
        said = "<strong>0 responses are in the report.</strong> If fewer than 20 came last, they stay hidden."
        assert said in " ".join(page.split())
        pages.add(re.sub(r'csrfmiddlewaretoken" value="[^"]*"', "", page))
        client.post(at(instrument.survey, "reopen/"), follow=True)
    assert len(pages) == 1


def test_those_who_run_a_survey_are_told_that_the_timer_stands_still(
    client: Client, ada: User
) -> None:
    instrument = create_published(ada)
    for page in (at(instrument.survey), at(instrument.survey, "report/")):
        Instrument.objects.update(looked=timezone.now() - timedelta(minutes=50))
        assert "does not seem to run" not in client.get(page).content.decode()
        Instrument.objects.update(looked=timezone.now() - timedelta(hours=3))
        assert "does not seem to run" in client.get(page).content.decode()


def test_a_closed_survey_is_reopened(client: Client, ada: User) -> None:
    instrument = create_published(ada)
    survey = instrument.survey
    client.post(at(survey, "close/"))
    assert "Reopen “A survey”?" in client.get(at(survey, "reopen/")).content.decode()
    client.post(at(survey, "reopen/"))
    assert status(survey) == "open"
    assert post_response(instrument, response_body(instrument)).status_code == 201


def test_a_preview_is_the_respondents_page_and_stores_nothing(client: Client, ada: User) -> None:
    survey = create_draft(ada, title="Fresh title")
    add_yes_no(survey)
    response = client.get(at(survey, "preview/"))
    page = response.content.decode()
    assert "Fresh title" in page
    assert "Nothing is stored or sent." in page
    assert "form-action 'none'" in response["Content-Security-Policy"]
    assert not Instrument.objects.exists()
    assert not Response.objects.exists()


def test_a_preview_of_a_published_survey_comes_from_its_instrument(
    client: Client, ada: User
) -> None:
    instrument = create_published(ada)
    instrument.survey.questions.update(text="Changed behind the back")
    page = client.get(at(instrument.survey, "preview/")).content.decode()
    assert instrument.sha256 in page
    assert "Changed behind" not in page


def test_a_preview_that_cannot_be_frozen_says_why(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    response = client.get(at(survey, "preview/"))
    assert response.status_code == 409
    assert "Add at least one" in response.content.decode()
