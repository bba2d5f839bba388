"""The report object: exactly what the mechanisms estimate, and nothing where nothing can be said."""

import json

import numpy as np
import pytest

from mechanisms import Tally, Warner
from surveys.definition.parsing import parse_instrument
from surveys.results.estimates.report import summarize
from tests.factories.surveys import create_published
from tests.helpers.report_api import report_json

pytestmark = pytest.mark.django_db


def tally(n: int, tax: int) -> dict:
    fruit = [n // 4] * 5
    return {
        "n": n,
        "counts": {"tax": [n - tax, tax], "fruit": fruit, "region": [n - n // 5, n // 5]},
    }


def test_the_published_example_of_warners_design() -> None:
    """160 Yes of 400 at p = 3/4: estimate .3, standard error .0489897948557, Wilson interval to nine digits."""
    yes = summarize(parse_instrument(create_published()), tally(400, 160)).questions[0].choices[1]
    assert yes.observed == 0.4
    assert yes.estimate == pytest.approx(0.3, abs=1e-12)
    assert yes.standard_error == pytest.approx(0.0489897948557, abs=1e-12)
    assert yes.interval == pytest.approx((0.2063230578, 0.3974818599), abs=1e-9)


def test_an_estimate_outside_the_possible_is_shown_with_the_constrained_one_beside_it() -> None:
    question = summarize(parse_instrument(create_published()), tally(1000, 150)).questions[0]
    yes = question.choices[1]
    assert yes.estimate == pytest.approx(-0.2)
    assert yes.constrained == 0
    assert yes.is_outside


def test_a_background_choice_is_its_observed_share() -> None:
    south = (
        summarize(parse_instrument(create_published()), tally(1000, 400)).questions[2].choices[1]
    )
    assert south.observed == south.estimate == south.constrained == 0.2
    assert south.standard_error == pytest.approx((0.2 * 0.8 / 1000) ** 0.5)
    z, n, share = 1.959963984540054, 1000, 0.2  # Wilson 1927, equation for the ends
    middle, half = share + z**2 / (2 * n), z * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    assert south.interval == pytest.approx(
        [(middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)]
    )


def test_numbers_are_those_of_the_mechanism() -> None:
    result = summarize(parse_instrument(create_published()), tally(400, 160))
    expected = Warner("3/4").estimate(Tally(400, np.array([240, 160])))
    assert [
        choice.estimate for choice in result.questions[0].choices
    ] == expected.proportions.tolist()
    assert result.epsilon == pytest.approx(np.log(3) + 2 * np.log(3))


def test_the_report_is_valid_json_without_nan() -> None:
    frozen = parse_instrument(create_published())
    for given in (tally(400, 160), {"n": 0, "counts": {}}, tally(1, 1)):
        json.dumps(report_json(summarize(frozen, given)), allow_nan=False)


def test_few_responses_are_flagged() -> None:
    frozen = parse_instrument(create_published())
    assert summarize(frozen, tally(29, 10)).is_small
    assert not summarize(frozen, tally(30, 10)).is_small
