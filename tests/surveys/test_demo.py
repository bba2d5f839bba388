"""The demo survey holds real input and its report lands near the truth."""

import numpy as np
import pytest

from surveys import demo
from surveys.models import Response, Survey
from surveys.reporting.numbers import epsilon
from surveys.reporting.report import report
from tests.making import researcher

pytestmark = pytest.mark.django_db


def test_the_truths_are_the_published_counts() -> None:
    truths = demo.truths()
    assert len(truths["sales"]) == len(truths["occupation"]) == 32_561
    assert truths["sales"].sum() == 3650
    assert np.bincount(truths["occupation"]).tolist() == [*demo.OCCUPATIONS.values(), demo.UNKNOWN]


def test_the_report_lands_near_the_truth() -> None:
    survey = demo.load(researcher())
    result = report(survey.instrument)
    sales, occupation = result.questions
    yes = sales.choices[1]
    assert result.n == 32_561
    assert abs(yes.estimate - 3650 / 32_561) < 4 * yes.standard_error
    for choice, count in zip(occupation.choices, [*demo.OCCUPATIONS.values(), demo.UNKNOWN], strict=True):
        assert abs(choice.estimate - count / 32_561) < 4 * choice.standard_error, choice.label
    assert [epsilon(value) for value in (sales.epsilon, occupation.epsilon, result.epsilon)] == [
        "1.0987",
        "2.1973",
        "3.2959",
    ]


def test_loading_again_changes_nothing() -> None:
    user = researcher()
    first = demo.load(user)
    assert demo.load(user) == first
    assert Survey.objects.count() == 1
    assert not Response.objects.exists()
