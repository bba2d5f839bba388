"""Every page of the workspace for its owner, for another researcher, and for a visitor."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from surveys.models import Survey
from surveys.publishing import publish
from surveys.workspace.report_urls import routes as report_routes
from surveys.workspace.urls import urlpatterns
from tests.making import draft, researcher, yes_no

pytestmark = pytest.mark.django_db

ROUTES = [pattern.name for pattern in urlpatterns]
OF_A_SURVEY = [pattern.name for pattern in urlpatterns if "slug" in str(pattern.pattern)]
OF_A_QUESTION = [pattern.name for pattern in urlpatterns if "key" in str(pattern.pattern)]
OF_REPORT = {pattern.name for pattern in report_routes}  # they only read
OF_PUBLISHED = OF_REPORT | {"csv", "close"}
OF_CLOSED = {"reopen"}
METHODS = ["get", "post"]


def address(route: str, slug: str, key: str = "tax") -> str:
    arguments = [slug] if route in OF_A_SURVEY else []
    return reverse(f"workspace:{route}", args=[*arguments, *([key] if route in OF_A_QUESTION else [])])


def survey_for(route: str) -> Survey:
    """Ada's survey with the question "tax", in the state that the route is for."""
    survey = draft(researcher())
    yes_no(survey)
    yes_no(survey, "other")
    if route in OF_PUBLISHED | OF_CLOSED:
        publish(survey)
    if route in OF_CLOSED:
        Survey.objects.update(status="closed")
    return survey


@pytest.mark.parametrize("route", ROUTES)
def test_the_owner_gets_in(client: Client, route: str) -> None:
    survey = survey_for(route)
    client.force_login(survey.owner)
    status = client.get(address(route, survey.slug)).status_code
    assert status == (302 if route.startswith("move-") else 200)  # moving is a POST; a visit leads back


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_for_a_stranger_the_survey_does_not_exist(client: Client, route: str, method: str) -> None:
    survey = survey_for(route)
    client.force_login(researcher("eve"))
    before = list(survey.questions.values_list("key", flat=True))
    theirs = getattr(client, method)(address(route, survey.slug))
    nobodys = getattr(client, method)(address(route, "nosuchsurvey"))
    assert theirs.status_code == nobodys.status_code == (405 if _reads_only(route) and method == "post" else 404)
    assert without_token(theirs) == without_token(nobodys)
    assert Survey.objects.get().status == survey_status(route)
    assert list(survey.questions.values_list("key", flat=True)) == before


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("route", ROUTES)
def test_a_visitor_is_asked_to_log_in(client: Client, route: str, method: str) -> None:
    survey = survey_for(route)
    path = address(route, survey.slug)
    response = getattr(client, method)(path)
    assert response.status_code == 302
    assert response["Location"] == f"/login/?next={path}"
    assert Survey.objects.get().status == survey_status(route)
    assert survey.questions.count() == 2


@pytest.mark.parametrize("route", OF_A_SURVEY)
def test_an_operator_who_owns_nothing_changes_nothing(client: Client, route: str) -> None:
    survey = survey_for(route)
    client.force_login(researcher("root", is_staff=True, is_superuser=True))
    status = client.post(address(route, survey.slug)).status_code
    assert status in (404, 405)
    assert Survey.objects.get().status == survey_status(route)


@pytest.mark.parametrize("route", OF_A_QUESTION)
def test_a_question_that_is_not_there_is_not_found(client: Client, route: str) -> None:
    survey = survey_for(route)
    client.force_login(survey.owner)
    assert client.get(address(route, survey.slug, "nothing")).status_code == 404
    assert client.post(address(route, survey.slug, "nothing")).status_code == (405 if _reads_only(route) else 404)


def test_the_list_shows_only_ones_own(client: Client) -> None:
    draft(researcher("eve"), title="Eve’s secret")
    ada = researcher()
    draft(ada, title="Ada’s own")
    client.force_login(ada)
    page = client.get("/surveys/").content.decode()
    assert "Ada’s own" in page
    assert "secret" not in page


def test_every_form_needs_its_token() -> None:
    client = Client(enforce_csrf_checks=True)
    survey = survey_for("publish")
    client.force_login(survey.owner)
    response = client.post(address("publish", survey.slug))
    assert response.status_code == 403
    assert "Please send it again" in response.content.decode()
    assert Survey.objects.get().is_draft


def test_pages_keep_the_workspace_policy(client: Client) -> None:
    survey = survey_for("survey")
    client.force_login(survey.owner)
    for route in ("survey", "new-question"):
        response = client.get(address(route, survey.slug))
        policy = response["Content-Security-Policy"]
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert response["Referrer-Policy"] == "same-origin"
        assert "private" in response["Cache-Control"]
        page = response.content.decode()
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count('<script type="importmap"') + page.count("integrity=")


def test_logging_in_and_out(client: Client) -> None:
    researcher()
    assert "Nobody needs an account to answer" in client.get("/login/").content.decode()
    wrong = client.post("/login/", {"username": "ada", "password": "x"}).content.decode()
    assert "The username or the password is wrong" in wrong
    assert 'value="ada"' in wrong
    right = client.post("/login/", {"username": "ada", "password": "correct horse", "next": "/surveys/new/"})
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
    assert response.status_code == (404 if path == "/nowhere/" else 200)
    assert "sessionid" not in response.cookies


def test_far_too_long_a_text_gets_a_page(client: Client) -> None:
    client.force_login(researcher())
    response = client.post("/surveys/new/", {"title": "Long", "introduction": "x" * 2_000_000})
    assert response.status_code == 400
    assert "It is too long or damaged" in response.content.decode()


def test_a_fault_of_ours_gets_a_page_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(researcher())
    client.raise_request_exception = False
    monkeypatch.setattr("surveys.workspace.surveys.surveys_of", None)
    response = client.get("/surveys/")
    assert response.status_code == 500
    assert "Something went wrong" in response.content.decode()


def without_token(response: HttpResponse) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def survey_status(route: str) -> str:
    return "closed" if route in OF_CLOSED else "open" if route in OF_PUBLISHED else "draft"


def _reads_only(route: str) -> bool:
    return route in OF_REPORT | {"csv"}
