"""What the API says of a wrong request: in plain words, with what to send instead, and nothing of the framework's."""

import json
import re

import pytest
from django.test import Client

from tests.api.test_reading import client_of
from tests.factories.surveys import create_draft, create_researcher

pytestmark = pytest.mark.django_db
THEIRS = re.compile(
    r"This field|Ensure|valid choice|valid string|valid integer|Method \"|Expected a|does not match"
)
WRONG = [
    ("surveys/", {"title": "x" * 201}, "title", "Send at most 200 characters."),
    ("surveys/", {"title": ""}, "title", "This can’t be empty."),
    ("surveys/", {}, "title", "This is required."),
    ("surveys/", {"title": None}, "title", "This can’t be null."),
    (
        "surveys/",
        {"title": "T", "languages": "en"},
        "languages",
        "Send a list, in square brackets.",
    ),
    ("surveys/", {"title": "T", "archived": True}, "archived", "There is no such field here."),
    (
        "surveys/",
        {"title": "T", "langages": ["en"]},
        "langages",
        ("There is no such field here. Did you mean languages?"),
    ),
    (
        "surveys/",
        {"title": "T", "questions": [{"key": "k" * 33}]},
        "questions.0.key",
        "Send at most 32 characters.",
    ),
    (
        "surveys/{}/publish/",
        {"sha256": "0" * 64},
        "sha256",
        "There is no such field here. Fields here: ",
    ),
    (
        "surveys/{}/publish/",
        {"instrument": "0"},
        "instrument",
        "Send the 64 characters of a SHA-256.",
    ),
    (
        "surveys/{}/schedule/",
        {"closes": "soon"},
        "closes",
        "Send a time, for example 2030-11-30T18:00:00Z.",
    ),
    ("surveys/{}/schedule/", [], "body", "Send an object with names and values."),
]


@pytest.mark.parametrize(("path", "body", "place", "said"), WRONG)
def test_a_value_is_refused_with_what_to_send_instead(
    path: str, body: object, place: str, said: str
) -> None:
    expect_refusal(path, body, place, said)


def expect_refusal(path: str, body: object, place: str, said: str) -> None:
    """Send a body with a wrong value, and expect a message at its place that says what to send instead."""
    survey = create_draft(create_researcher())
    client, address = client_of(survey.owner), f"/api/v1/{path.format(survey.slug)}"
    method = "put" if "schedule" in path else "post"
    answer = getattr(client, method)(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["errors"][place].startswith(said)
    assert not THEIRS.search(answer.content.decode())


def test_what_an_address_takes_is_named() -> None:
    client = client_of(create_researcher())
    assert (
        client.put("/api/v1/tokens/").json()["detail"] == "Allowed here: GET, POST, HEAD, OPTIONS."
    )
    answer = client.post("/api/v1/surveys/", "x", content_type="text/plain")
    assert (answer.status_code, answer.json()["detail"]) == (415, "Read here: application/json.")
    for answer in (Client().get("/api/v1/surveys/"), client.get("/api/v1/surveys/nothing/")):
        assert not THEIRS.search(answer.content.decode())
        assert "detail" not in answer.json()  # the title says it
