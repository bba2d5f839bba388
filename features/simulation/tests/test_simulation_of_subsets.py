"""Simulations of surveys in which each person is asked some of the questions."""

import json

import numpy as np
import pytest

from features.simulation.simulation import rehearse
from surveys.authoring.files import survey_file
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from tests.api.test_reading import client_of
from tests.factories.surveys import create_researcher
from tests.results.test_question_subset import asking
from tests.results.test_question_subset_on_paths import OF, mixed

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_a_rehearsal_asks_each_person_what_the_lot_says() -> None:
    frozen = parse_instrument(asking(2))
    shares = {"tax": [0.8, 0.2], "work": [0.8, 0.2], "fruit": [0.25] * 4, "region": [0.5, 0.5]}
    found = rehearse(frozen, shares, 3000, seed=1).report
    assert sum(question.n for question in found.questions[:3]) == 6000
    assert all(1900 < question.n < 2100 for question in found.questions[:3])


@pytest.mark.long
def test_estimates_of_a_lot_are_unbiased_and_their_intervals_hold() -> None:
    """A thousand surveys of 1,500 people, of whom each is asked 2 of 3 questions."""
    frozen = parse_instrument(asking(2))
    shares = {
        "tax": [0.8, 0.2],
        "work": [0.98, 0.02],
        "fruit": [0.4, 0.3, 0.2, 0.1],
        "region": [0.5, 0.5],
    }
    held, estimates = {}, {}
    for seed in range(1000):
        for question in rehearse(frozen, shares, 1500, seed).report.questions[:3]:
            for index, choice in enumerate(question.choices):
                at, (low, high) = (question.key, index), choice.interval
                held[at] = held.get(at, 0) + (low <= shares[question.key][index] <= high)
                estimates.setdefault(at, []).append(choice.estimate)
    for (key, index), times in held.items():
        found = np.array(estimates[key, index])
        assert 0.93 <= times / 1000 <= 0.97, (key, index)
        assert abs(found.mean() - shares[key][index]) < 4 * found.std() / np.sqrt(1000), (
            key,
            index,
        )


SHARES = {"tax": 0.2, "spun": 0.5, "care": 0.05, "far": 0.3}


def simulated(surveys: int) -> dict[str, np.ndarray]:
    """From a survey file to the report, of 3,000 people each: estimates, and whether intervals hold"""
    file = survey_file.parse(survey_file.as_text(mixed()))
    frozen = build_definition(survey_file.read(file, owner=create_researcher("bea")))
    assert frozen.conditional_draws == ("care", "far")
    shares = {"sex": [0.6, 0.4], "area": [0.5, 0.5]} | {
        key: [1 - share, share] for key, share in SHARES.items()
    }
    results: dict[str, list] = {key: [] for key in OF}
    for seed in range(surveys):
        for question in rehearse(frozen, shares, 3000, seed).report.questions[2:]:
            yes = question.choices[1]
            results[question.key].append(
                (yes.estimate, yes.interval[0] <= SHARES[question.key] <= yes.interval[1])
            )
    return {key: np.array(each, float) for key, each in results.items()}


def test_random_surveys_give_the_shares_that_they_were_made_of() -> None:
    for key, each in simulated(20).items():
        estimates, holds = each.T
        assert abs(estimates.mean() - SHARES[key]) < 5 * estimates.std() / np.sqrt(20), key
        assert holds.sum() >= 15, key


@pytest.mark.long
def test_four_hundred_random_surveys_are_unbiased_and_their_intervals_hold() -> None:
    for key, each in simulated(400).items():
        estimates, holds = each.T
        assert abs(estimates.mean() - SHARES[key]) < 4 * estimates.std() / np.sqrt(400), key
        assert 0.92 <= holds.mean() <= 0.98, key


def test_planning_reckons_with_those_who_are_asked() -> None:
    client = client_of(create_researcher())

    def planned(**more: object) -> dict:
        asked = {"design": "two-coin", "half_width": 0.03, "n": 3000} | more
        answer = client.post(
            "/api/v1/planning/", json.dumps(asked), content_type="application/json"
        )
        return answer.json()

    whole, part = planned(n=1000), planned(count=2, of=6)
    assert (part["at_n"]["n"], part["at_n"]["asked"]) == (3000, 1000)
    assert part["at_n"]["half_width"] == whole["at_n"]["half_width"]
    assert part["n_needed"]["for_half_width"] == 3 * whole["n_needed"]["for_half_width"]
    assert (
        part["n_needed"]["for_half_width_asked_directly"]
        == (planned()["n_needed"]["for_half_width_asked_directly"])
    )
    assert "count" in planned(count=3, of=2)["errors"]
