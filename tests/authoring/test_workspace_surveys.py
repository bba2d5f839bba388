"""Pages to write and delete surveys, and the overview of one."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from surveys.definition import fields
from surveys.definition.parsing import parse_instrument
from surveys.models import Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)
from tests.helpers.html_forms import Form, errors
from tests.helpers.html_text import text

pytestmark = pytest.mark.django_db

TYPED = {
    "title": "Tax & <you>",
    "introduction": "\r\nWhy.\r\n\r\n And how.",
    "contact": "  ada@example.org",
}


def at(survey: Survey, rest: str = "") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def test_a_survey_is_created_and_shown(client: Client, ada: User) -> None:
    response = client.post("/surveys/new/", TYPED, follow=True)
    survey = Survey.objects.get()
    assert response.redirect_chain == [(at(survey), 302)]
    assert survey.owner == ada
    assert survey.title == "Tax & <you>"
    page = response.content.decode()
    assert "Tax &amp; &lt;you&gt;" in page
    assert "No questions yet." in page


def test_the_texts_of_a_draft_are_changed(client: Client, ada: User) -> None:
    survey = create_draft(ada, introduction="Before")
    assert Form(client.get(at(survey, "welcome/"))).values["introduction"] == "Before"
    assert client.post(at(survey, "welcome/"), TYPED).status_code == 302
    survey.refresh_from_db()
    assert (survey.title, survey.introduction, survey.contact) == (
        "Tax & <you>",
        "Why.\n\n And how.",
        "ada@example.org",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        ("title", "", "The title is empty"),
        ("title", "  \u200b ", "The title is empty"),
        ("title", "x" * 201, "The title has 201 characters. At most 200"),
        ("title", "a\x00b", "character 2 is an invisible control character"),
        ("introduction", "x" * 5001, "The introduction has 5,001 characters. At most 5,000"),
        ("introduction", "a\x00", "invisible control character"),
        ("contact", "x" * 201, "The contact has 201 characters. At most 200"),
    ],
)
def test_a_wrong_text_gets_its_message_and_nothing_typed_is_lost(
    client: Client, ada: User, wrong: tuple[str, str, str]
) -> None:
    field, typed, message = wrong
    sent = TYPED | {field: typed}
    pages = {at(create_draft(ada), "welcome/"): TYPED.keys()} | (
        {"/surveys/new/": {"title"}} if field == "title" else {}
    )
    for address, names in pages.items():
        response = client.post(address, sent)
        found = errors(response)
        assert list(found) == [field]
        assert message in found[field]
        values = Form(response).values
        assert {name: values[name] for name in names} == {name: sent[name] for name in names}
    assert list(Survey.objects.values_list("title", flat=True)) == ["A survey"]


def test_the_language_is_saved(client: Client, ada: User) -> None:
    client.post("/surveys/new/", TYPED | {"language": "ar"})
    survey = Survey.objects.get()
    assert survey.language == "ar"
    page = client.get(at(survey, "welcome/"))
    assert "comprehension" not in page.content.decode()  # the question that “Try it” has replaced
    assert Form(page).data["language"] == ["ar"]
    assert errors(client.post(at(survey, "welcome/"), TYPED | {"language": "tlh"})) == {
        "language": "Choose one of these languages."
    }


SWITCHES = fields.names(Survey, part="survey", is_switch=True)


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_is_saved_shown_and_taken_back(client: Client, ada: User, switch: str) -> None:
    survey = create_draft(ada)
    client.post(at(survey, "welcome/"), TYPED | {switch: "1", "consent": "I agree."})
    survey.refresh_from_db()
    assert [name for name in SWITCHES if getattr(survey, name)] == [switch]
    assert f'name="{switch}" value="1"' in client.get(at(survey, "welcome/")).content.decode()
    client.post(at(survey, "welcome/"), TYPED)
    survey.refresh_from_db()
    assert not getattr(survey, switch)


def test_an_empty_post_is_refused_too(client: Client, ada: User) -> None:
    assert list(errors(client.post("/surveys/new/", {}))) == ["title"]


def test_a_draft_is_deleted_after_a_question(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    assert "cannot be undone" in client.get(at(survey, "delete/")).content.decode()
    assert Survey.objects.exists()
    response = client.post(at(survey, "delete/"), follow=True)
    assert "The draft “A survey” is deleted." in response.content.decode()
    assert not Survey.objects.exists()


def test_an_overview_of_a_draft_says_what_each_question_costs(client: Client, ada: User) -> None:
    survey = create_draft(ada, introduction="Line one\n<b>", contact="ada@example.org")
    add_yes_no(survey, design="two-coin", help="Think of last year.")
    add_choice(survey, decline=True)
    add_background(survey)
    page = client.get(at(survey)).content.decode()
    assert page.count('<span class="chip chip--teal">Scrambled</span>') == 2
    assert '<span class="chip">Not scrambled</span>' in page
    assert at(survey, "publish/") in page
    assert "Line one<br>&lt;b&gt;" in client.get(at(survey, "publish/")).content.decode()
    assert "/s/" + survey.slug not in page


def test_a_draft_that_cannot_be_published_says_why(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey, parameters={"p": "1"})
    page = client.get(at(survey)).content.decode()
    assert "could prove the true one" in page
    assert "Question 1 is not ready" in client.get(at(survey, "publish/")).content.decode()


def test_a_survey_of_background_questions_scrambles_nothing_and_says_so(
    client: Client, ada: User
) -> None:
    survey = create_draft(ada)
    add_background(survey)
    assert (
        "Nothing in this survey is scrambled. Your answers could"
        in client.get(at(survey)).content.decode()
    )


def test_a_survey_without_a_question_says_nothing_about_scrambling(
    client: Client, ada: User
) -> None:
    survey = create_draft(ada)
    page = client.get(at(survey)).content.decode()
    assert "phone__screen" in page
    assert "is scrambled" not in page
    told = client_of(ada).get(f"/api/v1/surveys/{survey.slug}/protection/").json()
    assert told["sentences"] == []


def test_a_confirmation_page_without_a_form_has_only_the_words_of_its_buttons(
    client: Client, ada: User
) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    asked = client.get(at(survey, "delete/")).content.decode()
    publish_survey(survey)
    closes = client.get(at(survey, "close/")).content.decode()
    for page, buttons in (
        (asked, "Delete the draft Keep it"),
        (closes, "Close survey Keep it open"),
    ):
        form = re.search(r'<form method="post".*?</form>', page[page.index("<h1") :], re.DOTALL)[0]
        assert text(form) == buttons


def test_the_form_of_a_grid_does_not_say_that_every_grid_is_scrambled(
    client: Client, ada: User
) -> None:
    page = client.get(at(create_draft(ada), "grids/new/")).content.decode()
    assert "In a scrambled grid, the device scrambles each row by itself." in page
    assert page.count("scrambles each row") == 1


def test_an_overview_of_a_published_survey_comes_from_its_instrument(
    client: Client, ada: User
) -> None:
    instrument = create_published(ada)
    survey = instrument.survey
    survey.questions.update(text="Changed behind the back")
    asked = client.get(at(survey, "questions/")).content.decode()
    assert parse_instrument(instrument).items[0].text in asked
    assert "Changed behind" not in asked
    assert instrument.sha256 in asked
    page = client.get(at(survey)).content.decode()
    assert f"http://testserver/s/{survey.slug}/" in page
    for rest in ("report/", "files/", "preview/", "close/"):
        assert at(survey, rest) in page
    for rest in ("welcome/", "publish/", "delete/", "questions/new/", "reopen/"):
        assert at(survey, rest) not in page


@pytest.mark.parametrize("rows", [1, 30])
def test_the_number_of_queries_does_not_grow(
    client: Client, ada: User, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    survey = create_draft(ada)
    for number in range(rows):
        add_choice(survey, f"q{number}")
        other = create_draft(ada)
        add_yes_no(other)
        publish_survey(other)
    # session, user, their zone, surveys, instruments
    with django_assert_num_queries(5):
        client.get("/surveys/")
    # session, user, their zone, survey, questions, choices, versions, what belongs together
    with django_assert_num_queries(9):
        client.get(at(survey))
