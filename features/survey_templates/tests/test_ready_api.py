"""Ready-made surveys by program: the same as on their pages."""

import pytest
from django.test import Client

from surveys.models import Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import add_choice, add_yes_no, create_draft, create_researcher
from tests.helpers.api_requests import send_json


@pytest.fixture
def survey(db: None) -> Survey:
    """Ada's draft with two questions."""
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_choice(survey, decline=True)
    return survey


@pytest.fixture
def ada(survey: Survey) -> Client:
    return client_of(survey.owner)


def test_a_draft_starts_from_a_ready_instrument(ada: Client, survey: Survey) -> None:
    ready = {each["key"]: each for each in ada.get("/api/v1/ready/").json()}
    seen = ada.get("/api/v1/ready/tax/").json()
    assert ready["tax"].items() <= seen.items()
    assert Survey.objects.count() == 1  # to look stores nothing
    status, made = send_json(ada, "post", "/api/v1/ready/tax/")
    assert (status, made["title"]["en"], made["status"]) == (201, ready["tax"]["title"], "draft")
    assert [question["text"]["en"] for question in made["questions"]] == ready["tax"]["questions"]
    told = ada.get(f"/api/v1/surveys/{made['slug']}/protection/").json()
    assert told["together"]["epsilon"] == seen["epsilon"]
    assert seen["to_fill"] in [point["sentence"] for point in told["points"]]
    assert ada.get(f"/api/v1/surveys/{made['slug']}/file/").json() == seen["file"]
    assert (
        send_json(ada, "post", "/api/v1/ready/none/")[0]
        == ada.get("/api/v1/ready/none/").status_code
        == 404
    )
