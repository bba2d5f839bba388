"""The planned page has the groups and comparisons of the page that the survey will have."""

from fractions import Fraction

import numpy as np
import pytest

from features.simulation import simulation
from features.simulation.assumed_difference import read
from features.simulation.planned_page import PlannedPage, shares_asked
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.models import Survey
from surveys.results.analysis.groups.page import groups_page
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_yes_no,
    create_draft,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGIONS = ("North", "East", "South", "West")


@pytest.fixture
def survey() -> Survey:
    survey = create_draft()
    add_background(survey, labels=REGIONS)
    add_background(survey, "coast", ("No", "Yes"))
    add_yes_no(survey)
    add_choice(survey)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    add_scale(survey)
    add_quantity(survey)
    return survey


def assumed_shares(definition: SurveyDefinition, regions: list[float]) -> dict[str, list[float]]:
    shares = {item.key: [1 / item.size] * item.size for item in definition.items}
    return shares | {"region": regions}


def planned_page(
    definition: SurveyDefinition, shares: dict[str, list[float]], n: int
) -> PlannedPage:
    (by,) = (item for item in definition.items if item.key == "region")
    asked = shares_asked(definition, by, shares)
    return PlannedPage(definition=definition, by=by, shares=shares, n=n, asked_by_key=asked)


def expect_plan_equals_page(
    definition: SurveyDefinition, shares: dict[str, list[float]], n: int
) -> int:
    """Return the number of comparisons, after both families are found to be the same."""
    difference = read(definition.items, "tax:1", "region:0", 0.01)
    supposed = simulation.rehearse(definition, shares, n, 3, difference, with_people=False).supposed
    page = groups_page(supposed.view, "region")

    plan = planned_page(definition, shares, n)

    assert plan.family == page.family
    return plan.family.size


@pytest.mark.parametrize(
    ("regions", "groups"),
    [
        # All groups are large.
        ([0.25, 0.25, 0.25, 0.25], 4),
        # One group falls below 30, and is put together with the smallest large one.
        ([0.42, 0.36, 0.2, 0.02], 3),
        # Two groups fall below 30, and make a group together.
        ([0.48, 0.46, 0.03, 0.03], 3),
        # Nearly everyone is in two groups, which are compared once.
        ([0.6, 0.4, 0.0, 0.0], 2),
    ],
)
def test_the_plan_has_as_many_comparisons_as_the_page(
    survey: Survey, regions: list[float], groups: int
) -> None:
    definition = build_definition(survey)

    size = expect_plan_equals_page(definition, assumed_shares(definition, regions), 800)

    # Yes, four fruits, four choices, and the means of a scale and of a number.
    comparisons = 1 if groups == 2 else groups
    assert size == (1 + 4 + 4 + 1 + 1) * comparisons


def test_questions_that_few_are_asked_have_smaller_groups() -> None:
    """Each person is asked two of five questions, so 60 people in a group give 24 reports."""
    survey = create_draft(protection="balanced")
    add_background(survey, labels=REGIONS)
    for key in ("tax", "work", "copied", "drove", "stole"):
        add_yes_no(survey, key, design="", parameters={})
    definition = build_definition(survey)

    size = expect_plan_equals_page(
        definition, assumed_shares(definition, [0.4, 0.3, 0.2, 0.1]), 600
    )

    # The smallest group of each question is put together with the next one.
    assert definition.expected_share_asked("tax") == Fraction(2, 5)
    assert size == 5 * 3


def test_a_condition_on_the_groups_leaves_whole_groups_out(survey: Survey) -> None:
    when = {"of": "region", "in": ["North", "East"]}
    survey.questions.filter(key="fruit").update(when=when)
    definition = build_definition(survey)
    shares = assumed_shares(definition, [0.25, 0.25, 0.25, 0.25])
    plan = planned_page(definition, shares, 1_000)
    items = {item.key: item for item in definition.items}

    size = expect_plan_equals_page(definition, shares, 1_000)

    assert [group.codes for group in plan.groups(items["fruit"])] == [(0,), (1,)]
    assert len(plan.groups(items["tax"])) == 4
    # The four fruits are compared between two groups, and so once.
    assert size == 4 + (1 + 4 + 1 + 1) * 4


def test_the_people_on_a_path_follow_assumed_answers(survey: Survey) -> None:
    survey.questions.filter(key="fruit").update(when={"of": "coast", "in": ["Yes"]})
    definition = build_definition(survey)
    shares = assumed_shares(definition, [0.25] * 4) | {"coast": [0.9, 0.1]}

    plan = planned_page(definition, shares, 2_000)
    smaller_plan = planned_page(definition, shares, 800)

    np.testing.assert_allclose(plan.asked_by_key["fruit"], 0.1, atol=0.01)
    assert plan.family.size == (4 + 1 + 4 + 1 + 1) * 4
    # Groups of 20 people are not compared.
    assert smaller_plan.family.size == (1 + 4 + 1 + 1) * 4
