"""What goes wrong inside the site: programs get a problem document, and nothing of the inside."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from surveys.models import Instrument
from surveys.web.respondent import submission
from tests.api.test_reading import client_of
from tests.factories.surveys import create_published

pytestmark = pytest.mark.django_db
INSIDE = "INSIDE-4711"


@pytest.fixture
def broken() -> Instrument:
    """An instrument that no longer says what was frozen, so that every reading of it really fails."""
    instrument = create_published()
    Instrument.objects.update(content='{"questions": "' + INSIDE)
    submission.PUBLISHED_CACHE.clear()
    return instrument


def of_program(instrument: Instrument) -> Client:
    client = client_of(instrument.survey.owner)
    client.raise_request_exception = False
    return client


def is_problem(answer: HttpResponse, status: int, name: str) -> bool:
    told = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert told.keys() <= {"type", "title", "status", "detail"}
    assert INSIDE not in answer.content.decode()
    assert not {"Traceback", "Error", ".py"} & set(answer.content.decode().split())
    return (answer.status_code, told["status"], told["type"]) == (
        status,
        status,
        f"/problems/{name}",
    )


READ: list[Callable[[Client, str], HttpResponse]] = [
    lambda client, slug: client.get(f"/api/v1/surveys/{slug}/report/"),
    lambda client, slug: client.get(f"/api/v1/surveys/{slug}/export/codebook.json"),
    lambda client, slug: client.get(f"/api/v1/surveys/{slug}/export/codebook.md"),
]


@pytest.mark.parametrize("read", READ)
def test_a_failure_is_a_problem_document(
    broken: Instrument, read: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    answer = read(of_program(broken), broken.survey.slug)
    assert is_problem(answer, 500, "failed")
    assert "Traceback" in caplog.text  # whoever runs the site learns what it was


def test_a_submission_that_fails_is_one_too(broken: Instrument) -> None:
    answer = Client(raise_request_exception=False).post(
        f"/api/v1/surveys/{broken.survey.slug}/responses/", {}, content_type="application/json"
    )
    assert is_problem(answer, 500, "failed")
    assert "form-action 'none'" in answer["Content-Security-Policy"]


def test_a_page_that_fails_is_a_page(broken: Instrument) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(broken.survey.owner)
    answer = client.get(f"/surveys/{broken.survey.slug}/report/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "text/html; charset=utf-8")
    assert "Something went wrong on our side" in answer.content.decode()
    assert INSIDE not in answer.content.decode()


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v2/", "/api/v1", "/api/x.json", "/api/v1/surveys/a/b/c/"]
)
def test_what_is_not_there_is_a_problem_document(path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        assert is_problem(Client().generic(method, path), 404, "not-found")


def test_what_is_not_there_outside_the_api_is_a_page() -> None:
    assert Client().get("/nothing/")["Content-Type"].startswith("text/html")


def test_a_request_that_cannot_be_read_is_a_problem_document() -> None:
    """Here one for a host that is not this site's."""
    client = Client(raise_request_exception=False)
    answer = client.get("/api/v1/docs/", headers={"host": "evil.example"})
    assert is_problem(answer, 400, "bad-request")
    assert "evil" not in answer.content.decode()


def test_the_framework_finds_nothing_wrong() -> None:
    """Among other things that it can call the handlers of errors."""
    call_command("check")
