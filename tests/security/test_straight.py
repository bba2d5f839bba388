"""Respondents' requests meet neither session nor account, even if the browser is logged in."""

import pytest
from django.test import Client

from tests.factories.surveys import (
    create_published,
    create_researcher,
    post_response,
    response_body,
)

pytestmark = pytest.mark.django_db


def logged_in() -> Client:
    client = Client()
    client.force_login(create_researcher("eve"))
    return client


def test_a_page_is_read_without_looking_at_the_session(django_assert_num_queries) -> None:
    instrument = create_published()
    client = logged_in()
    with django_assert_num_queries(1):
        page = client.get(f"/s/{instrument.survey.slug}/")
    assert page.status_code == 200
    assert "Cookie" not in page.get("Vary", "")
    assert not hasattr(page.wsgi_request, "session")
    assert not hasattr(page.wsgi_request, "user")


def test_a_submission_is_taken_without_looking_at_the_session(django_assert_num_queries) -> None:
    instrument = create_published()
    client = logged_in()
    post_response(instrument, response_body(instrument))
    with django_assert_num_queries(1):
        answer = post_response(instrument, response_body(instrument), client)
    assert answer.status_code == 201
    assert not hasattr(answer.wsgi_request, "session")


@pytest.mark.parametrize(
    "path", ["/s/nowhere/", "/s/nowhere", "/s/", "/leave/", "/trust/", "/trust/nowhere/"]
)
def test_every_answer_there_carries_the_strict_headers(path: str) -> None:
    answer = logged_in().get(path)
    assert "form-action 'none'" in answer["Content-Security-Policy"]
    assert answer["Referrer-Policy"] == "no-referrer"
    assert not answer.cookies


def test_a_page_that_fails_carries_them_too(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("surveys.web.respondent.pages.build_page", fail)
    answer = Client(raise_request_exception=False).get("/s/nowhere/")
    assert answer.status_code == 500
    assert "form-action 'none'" in answer["Content-Security-Policy"]
    assert answer["Cache-Control"] == "no-store"
