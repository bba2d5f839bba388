"""A choose-all question whose device picks a mark, planned and simulated by program and on the page."""

import json

import pytest
from django.test import Client

from mechanisms import OptionSampling
from mechanisms.planning import half_width
from mechanisms.planning.channels import Channel
from tests.api.test_reading import client_of
from tests.definition.test_marks import asked
from tests.factories import surveys

pytestmark = pytest.mark.django_db


class TestBeforeThereAreAnswers:
    def test_the_planning_of_programs(self) -> None:
        client = client_of(surveys.create_researcher("plans"))
        plan = {"kind": "any", "size": 10, "design": "balanced", "n": 1000, "half_width": 0.05}
        found = client.post(
            "/api/v1/planning/", json.dumps(plan), content_type="application/json"
        ).json()
        channel = Channel.of(OptionSampling(10, 1.0987, den="survey"))
        assert (found["design"], found["mechanism"]["kind"]) == ("marks", "marks")
        assert found["at_n"]["half_width"] == pytest.approx(float(half_width(channel, 1000)))
        assert float(half_width(channel, found["n_needed"]["for_half_width"])) <= 0.05
        assert (
            found["n_needed"]["for_half_width"]
            > 9 * found["n_needed"]["for_half_width_asked_directly"]
        )
        assert found["designs"].keys() == {"marks", "unary symmetric"}
        assert found["designs"]["marks"] < found["designs"]["unary symmetric"] / 2.5

    def test_a_rehearsal_of_a_few_says_where_nobody_was_asked(self, client: Client) -> None:
        survey = surveys.create_draft()
        asked(survey, tuple(f"Choice {number}" for number in range(60)))
        client.force_login(survey.owner)
        page = client.get(f"/surveys/{survey.slug}/simulation/?n=20")
        assert page.status_code == 200
        assert "no one was asked" in page.content.decode()

    def test_a_simulation_of_a_few_has_null_where_nobody_was_asked(self) -> None:
        client = client_of(surveys.create_researcher("plans"))
        asked = {
            "kind": "any",
            "size": 60,
            "design": "balanced",
            "n": 5,
            "seed": 1,
            "shares": [0.2] * 60,
        }
        found = client.post(
            "/api/v1/simulation/", json.dumps(asked), content_type="application/json"
        )
        assert found.status_code == 200
        assert sum(choice["estimate"] is None for choice in found.json()["choices"]) >= 55
