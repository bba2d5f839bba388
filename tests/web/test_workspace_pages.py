"""What holds for every page of the workspace: its token, its policy, logging in and out, and pages for mistakes."""

import pytest
from django.http import Http404, HttpRequest
from django.test import Client, RequestFactory

from surveys.accounts.access import Right
from surveys.authoring.drafts.drafts import delete_question
from surveys.models import Delay, Question, Survey
from surveys.web.workspace.access import question_page
from tests.factories.surveys import add_yes_no, create_draft, create_researcher

pytestmark = pytest.mark.django_db


def test_every_form_needs_its_token() -> None:
    client = Client(enforce_csrf_checks=True)
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    client.force_login(survey.owner)
    response = client.post(f"/surveys/{survey.slug}/publish/")
    assert response.status_code == 403
    assert "This page has expired" in response.content.decode()
    assert Survey.objects.get().is_draft


STEPS = ("pause", "version", "duplicate", "archive", "unarchive", "protection")
STEPS += tuple(f"questions/tax/{step}" for step in ("move", "up", "down", "rows"))


@pytest.mark.parametrize("step", STEPS)
def test_a_step_opened_by_its_address_leads_to_the_survey_and_does_nothing(
    client: Client, step: str
) -> None:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_yes_no(survey, "other")
    client.force_login(survey.owner)
    response = client.get(f"/surveys/{survey.slug}/{step}/")
    assert (response.status_code, response.headers["Location"]) == (302, f"/surveys/{survey.slug}/")
    assert list(survey.questions.values_list("key", flat=True)) == ["tax", "other"]
    assert Survey.objects.count() == 1
    assert not survey.events.exists()


def test_what_another_window_deletes_meanwhile_is_not_found(rf: RequestFactory) -> None:
    survey = create_draft(create_researcher())
    question = add_yes_no(survey)

    @question_page(Right.WRITE)
    def late(request: HttpRequest, survey: Survey, question: Question) -> None:
        survey.questions.all().delete()
        delete_question(survey=survey, question=question, by=request.user)

    request = rf.post("/")
    request.user = survey.owner
    with pytest.raises(Http404):
        late(request, slug=survey.slug, key=question.key)


def test_pages_keep_the_workspace_policy(client: Client) -> None:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    client.force_login(survey.owner)
    for rest in ("", "questions/new/"):
        response = client.get(f"/surveys/{survey.slug}/{rest}")
        policy = response["Content-Security-Policy"]
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert response["Referrer-Policy"] == "same-origin"
        assert "private" in response["Cache-Control"]
        page = response.content.decode()
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count('<script type="importmap"') + page.count(
            "integrity="
        )


def test_logging_in_and_out(client: Client) -> None:
    create_researcher()
    assert "You don’t need an account to answer a survey." in client.get("/login/").content.decode()
    wrong = client.post("/login/", {"username": "ada", "password": "x"}).content.decode()
    assert "The username or the password is wrong" in wrong
    assert 'value="ada"' in wrong
    Delay.objects.all().delete()  # a second later
    right = client.post(
        "/login/", {"username": "ada", "password": "correct horse", "next": "/surveys/new/"}
    )
    assert right["Location"] == "/surveys/new/"
    elsewhere = Client().post(
        "/login/", {"username": "ada", "password": "correct horse", "next": "https://evil.example/"}
    )
    assert elsewhere["Location"] == "/surveys/"
    assert client.post("/logout/")["Location"] == "/"
    assert client.get("/surveys/").status_code == 302


@pytest.mark.parametrize("path", ["/", "/login/", "/nowhere/"])
def test_open_pages_ask_for_nothing_and_set_no_session(client: Client, path: str) -> None:
    response = client.get(path)
    # Without a home page people are led to the list of surveys.
    expected = {"/": (200, 302), "/login/": (200,), "/nowhere/": (404,)}
    assert response.status_code in expected[path]
    assert "sessionid" not in response.cookies


def test_far_too_long_a_text_gets_a_page(client: Client) -> None:
    client.force_login(create_researcher())
    response = client.post("/surveys/new/", {"title": "Long", "introduction": "x" * 2_000_000})
    assert response.status_code == 400
    assert "The request was too long or damaged" in response.content.decode()


def test_a_fault_of_ours_gets_a_page_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(create_researcher())
    client.raise_request_exception = False
    monkeypatch.setattr("surveys.web.workspace.survey_list.listing", None)
    response = client.get("/surveys/")
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()
