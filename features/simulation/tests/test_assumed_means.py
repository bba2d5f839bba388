"""A simulated difference of means: what people answer, what Compare says, and its chance."""

import numpy as np
import pytest

from features.simulation import simulation
from features.simulation.assumed_difference import outcomes, read
from features.simulation.planned_means import PlannedSide, planned_mean
from features.simulation.power import planned_power
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.analysis.outcome import SurveyVariable
from surveys.site.errors import Invalid
from tests.factories.surveys import add_background, add_quantity, add_yes_no, create_draft

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def definition_with_hours(**more: object) -> SurveyDefinition:
    """Return a draft that asks for hours from 0 to 10, in two groups."""
    survey = create_draft()
    add_background(survey)
    add_quantity(survey, minimum=0, maximum=10, parameters={"epsilon": "2.1973"}, **more)
    add_yes_no(survey)
    return build_definition(survey)


def shares_of(definition: SurveyDefinition) -> dict[str, list[float]]:
    shares = {item.key: [1 / item.size] * item.size for item in definition.items}
    return shares | {"region": [0.6, 0.4]}


def test_a_number_can_differ_by_its_mean() -> None:
    definition = definition_with_hours()
    (hours,) = (item for item in definition.items if item.key == "hours")

    assert ("hours", f"Mean · {hours.text}") in outcomes(definition.items)


def test_the_means_differ_as_assumed_and_all_shares_stay() -> None:
    definition = definition_with_hours()
    shares = shares_of(definition)
    difference = read(definition.items, "hours", "region:0", 0.2)

    values = difference.values(shares)
    answer_shares = difference.answer_shares(shares)

    # A fifth of the range from 0 to 10.
    assert values[0] - values[1] == pytest.approx(2)
    assert 0.6 * values[0] + 0.4 * values[1] == pytest.approx(5)
    np.testing.assert_allclose(np.array([0.6, 0.4]) @ answer_shares, shares["hours"])
    assert "the true mean of “" in difference.in_words(shares)
    assert "is 5.8 for “North” and 3.8 for all others" in difference.in_words(shares)


def test_people_who_decline_stay_as_many_in_each_group() -> None:
    definition = definition_with_hours(decline=True)
    shares = shares_of(definition)
    difference = read(definition.items, "hours", "region:0", 0.1)

    answer_shares = difference.answer_shares(shares)
    values = difference.values(shares)

    np.testing.assert_allclose(answer_shares[:, -1], 1 / 12)
    assert values[0] - values[1] == pytest.approx(1)


def test_a_mean_cannot_leave_what_is_possible() -> None:
    definition = definition_with_hours()
    shares = shares_of(definition)

    with pytest.raises(Invalid) as refusal:
        read(definition.items, "hours", "region:0", 0.9).answer_shares(shares)

    assert "more are possible" in refusal.value.errors["difference"]


def test_the_simulation_says_what_compare_says_of_the_mean() -> None:
    definition = definition_with_hours()
    shares = shares_of(definition)
    difference = read(definition.items, "hours", "region:0", 0.2)

    supposed = simulation.rehearse(definition, shares, 4_000, 2, difference).supposed

    comparison = compare_by_address(supposed.view, "region", "hours")
    (row,) = comparison.differences
    assert supposed.sentences == comparison.sentences
    assert row.verdict == "higher"
    assert row.estimate == pytest.approx(2, abs=5 * row.standard_error)
    # The means of a number and the share of Yes are compared once.
    assert supposed.plan.family == comparison.family
    assert supposed.plan.family.size == 2
    assert supposed.plan.power.chance > 0.99


@pytest.mark.parametrize("decline", [False, True])
def test_the_planned_error_is_that_of_reports_that_come_as_expected(decline: bool) -> None:
    definition = definition_with_hours(decline=decline)
    (hours,) = (item for item in definition.items if item.key == "hours")
    shares = np.full(hours.size, 1 / hours.size)
    rng = np.random.default_rng(5)
    truths = rng.choice(hours.size, 200_000, p=shares)
    reports = hours.mechanism.randomize(truths, rng)
    weights = hours.mechanism.unbiased_weights(
        np.append(hours.answer_values, 0.0) if decline else np.array(hours.answer_values, float)
    )

    planned = planned_mean(SurveyVariable(hours), PlannedSide(shares, 500))

    assert planned.mean == pytest.approx(5, abs=0.01)
    assert planned.n == 500
    if not decline:
        assert planned.variance == pytest.approx(weights[reports].var(), rel=0.02)
    assert planned.variance > 10


def test_a_smaller_difference_needs_more_people() -> None:
    definition = definition_with_hours()
    shares = shares_of(definition)
    large, small = (read(definition.items, "hours", "region:0", size) for size in (0.2, 0.1))

    large_plan = planned_power(definition, large, shares, 400)
    small_plan = planned_power(definition, small, shares, 400)

    assert large_plan.power.chance > small_plan.power.chance
    # Half the difference needs four times as many people.
    assert small_plan.people_for_target == pytest.approx(4 * large_plan.people_for_target, rel=0.1)
