"""A simulation of a whole survey by program: the same as on its page."""

import pytest
from django.test import Client

from surveys.models import Survey
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    REASON,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
)
from tests.helpers.api_requests import send_json, survey_api_path


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


def test_a_rehearsal_is_a_report_of_nobody(ada: Client, survey: Survey) -> None:
    asked = {"n": 20_000, "shares": {"tax": [0.9, 0.1]}, "seed": 1}
    status, report = send_json(ada, "post", survey_api_path(survey, "rehearsal/"), asked)
    assert (status, report["n"], report["simulated"]) == (200, 20_000, True)
    assert report["questions"][0]["choices"][1]["estimate"] == pytest.approx(0.1, abs=0.03)
    assert all(
        choice["estimate"] == pytest.approx(0.2, abs=0.05)
        for choice in report["questions"][1]["choices"]
    )
    assert send_json(ada, "post", survey_api_path(survey, "rehearsal/"), asked)[1] == report
    send_json(ada, "post", survey_api_path(survey, "publish/"), {"reason": REASON})
    send_json(ada, "post", survey_api_path(survey, "rehearsal/"), asked)
    assert ada.get(survey_api_path(survey, "report/")).json()["n"] == 0


def test_a_rehearsed_difference_is_analysed_as_the_page_does(ada: Client, survey: Survey) -> None:
    add_background(survey, "coast", ("No", "Yes"))
    suppose = {"outcome": "tax:1", "group": "coast:1", "difference": 0.3}
    asked = {
        "n": 20_000,
        "shares": {"tax": [0.7, 0.3], "coast": [0.6, 0.4]},
        "seed": 1,
        "suppose": suppose,
    }
    status, report = send_json(ada, "post", survey_api_path(survey, "rehearsal/"), asked)
    found = report["supposed"]
    assert status == 200
    assert found["sentence"].startswith("Assumed: 48.0% of “Yes” and 18.0")
    assert found["model"]["sentence"].startswith("Tax: ")
    assert found["report_refused"] is None
    assert found["report_sentences"]
    # Yes of one question, and five answers of another, between two groups.
    assert found["family"] == {"size": 6, "confidence": 0.95}
    assert (found["method"], found["printed"]["unit"]) == ("normal", "of 100 surveys")
    assert found["model"]["terms"][1]["difference"] == pytest.approx(0.3, abs=0.05)
    assert 0 < found["needed_n"] < 2000
    assert send_json(
        ada, "post", survey_api_path(survey, "rehearsal/"), {"n": 99, "suppose": suppose}
    )[1]["supposed"]["refused"]


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"outcome": "coast:1"}, "suppose.outcome"),
        ({"group": "tax:1"}, "suppose.group"),
        ({"difference": 0}, "suppose.difference"),
        ({"difference": 0.99}, "suppose.difference"),
        ({"difference": 7}, "suppose.difference"),
        ({"more": 1}, "suppose.more"),
    ],
)
def test_an_impossible_difference_gets_a_message_at_its_place(
    ada: Client, survey: Survey, wrong: dict, place: str
) -> None:
    add_background(survey, "coast", ("No", "Yes"))
    suppose = {"outcome": "tax:1", "group": "coast:1", "difference": 0.3} | wrong
    status, problem = send_json(
        ada,
        "post",
        survey_api_path(survey, "rehearsal/"),
        {"shares": {"tax": [0.7, 0.3]}, "suppose": suppose},
    )
    assert (status, list(problem["errors"])) == (422, [place])


@pytest.mark.parametrize(
    ("shares", "place"),
    [
        ({"tax": [0.5]}, "shares.tax"),
        ({"tax": [0.5, 0.6]}, "shares.tax"),
        ({"tax": [0, 0]}, "shares.tax"),
        ({"tax": [1.5, -0.5]}, "shares.tax.0"),
        ({"colour": [1]}, "shares.colour"),
    ],
)
def test_impossible_shares_get_a_message_at_their_question(
    ada: Client, survey: Survey, shares: dict, place: str
) -> None:
    status, problem = send_json(
        ada, "post", survey_api_path(survey, "rehearsal/"), {"shares": shares}
    )
    assert status == 422
    assert place in problem["errors"]
