"""A rehearsal with an assumed difference: the analysis of invented people, and how many of them it takes."""

import html

import pytest
from django.http import HttpResponse
from django.test import Client

from features.simulation import simulation
from features.simulation.assumed_difference import read
from features.simulation.power import planned_power
from mechanisms.planning.channels import Channel
from surveys.authoring.drafts.drafts import save_question
from surveys.definition.freezing import build_definition
from surveys.models import Survey
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.site.errors import Invalid
from surveys.statements.family import Family
from surveys.statements.plans import PlannedShare, people_for_shares, power_of_shares
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    create_researcher,
)
from tests.helpers.html_forms import errors

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGIONS = ("North", "East", "South")


@pytest.fixture
def survey(client: Client) -> Survey:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_choice(survey)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    add_background(survey, labels=REGIONS)
    survey.questions.create(
        key="age", position=9, kind="number", text="How old?", minimum=18, maximum=57
    )
    client.force_login(survey.owner)
    return survey


def look(client: Client, survey: Survey, **typed: str) -> HttpResponse:
    return client.get(
        f"/surveys/{survey.slug}/simulation/",
        {name.replace("__", "-"): of for name, of in typed.items()},
    )


def typed(shown: HttpResponse) -> tuple[str, ...]:
    form = shown.context["form"]
    return tuple(form[name].value() for name in ("outcome", "group", "difference"))


def even(survey: Survey, **shares: list[float]) -> dict[str, list[float]]:
    return {
        item.key: [1 / item.size] * item.size for item in build_definition(survey).items
    } | shares


def rehearsed(
    survey: Survey, outcome: str, group: str, size: float, n: int = 40_000, **shares: list[float]
):
    frozen = build_definition(survey)
    difference = read(frozen.items, outcome, group, size)
    return simulation.rehearse(frozen, even(survey, **shares), n, 4, difference)


def test_the_page_shows_what_compare_says_of_a_usual_difference_at_once(
    client: Client, survey: Survey
) -> None:
    shown = look(client, survey, n="20000")
    text = html.unescape(shown.content.decode())
    section = text[text.index('id="supposed"') :]
    supposed = shown.context["supposed"]
    comparison = compare_by_address(supposed.view, "region", "tax:1")

    assert typed(shown) == ("tax:1", "region:0", "10")
    assert 'value="tax:1" selected' in text
    assert "Assumed: 26.7% of “North” and 16.7% of all others" in text
    assert "<summary>What the report would say" in section
    assert comparison.sentences
    assert all(sentence in section for sentence in comparison.sentences)
    assert "the report will call this difference clear in about 99 of 100 surveys." in section
    assert f"The report makes {comparison.family.size} comparisons" in section


def test_the_number_of_people_is_computed_on_request(client: Client, survey: Survey) -> None:
    before = html.unescape(look(client, survey).content.decode())
    after = html.unescape(look(client, survey, people="1").content.decode())

    assert "For 80 of 100 you need about" not in before
    assert "How many people for 80 of 100?</button>" in before
    assert "For 80 of 100 you need about" in after
    assert "How many people for 80 of 100?" not in after


def test_what_was_chosen_comes_back_and_may_be_left_out(client: Client, survey: Survey) -> None:
    shown = look(client, survey, outcome="any:2", group="age", difference="-2,5", n="5000")
    assert typed(shown) == ("any:2", "age", "-2,5")
    assert '<option value="any:2" selected>' in shown.content.decode()
    assert "for each 10 more in “How old?” 2.5 percentage points fewer" in html.unescape(
        shown.content.decode()
    )
    without = look(client, survey, group="", difference="x")
    assert without.status_code == 200
    assert 'id="supposed"' not in without.content.decode()


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"difference": "x"}, "difference", "for example 10 or −5"),
        ({"difference": "0"}, "difference", "not 0"),
        ({"difference": "300"}, "difference", "from −100 to 100"),
        ({"difference": "90"}, "difference", "at most 60.0 percentage points more are possible"),
        (
            {"tax__1": "1", "difference": "-10"},
            "difference",
            "at most 1.5 percentage points less are possible",
        ),
        ({"outcome": "region:0"}, "outcome", "is not one of these: tax:1, tax:0"),
        ({"group": "tax:1"}, "group", "is not one of these: region:0"),
        ({"group": "region:9"}, "group", "is not one of these"),
        ({"region__0": "0", "group": "region:0"}, "group", "This one has no one in it"),
    ],
)
def test_what_cannot_be_assumed_is_said_at_its_field(
    client: Client, survey: Survey, sent: dict[str, str], field: str, message: str
) -> None:
    shown = look(client, survey, **sent)
    found = errors(shown)
    assert list(found) == [field]
    assert message in found[field]
    kept = {
        name: shown.context["form"][name].value()
        for name in (each.replace("__", "-") for each in sent)
    }
    assert list(kept.values()) == list(sent.values())
    assert "invented people</h2>" not in shown.content.decode()


def test_the_usual_difference_is_one_that_is_possible(client: Client, survey: Survey) -> None:
    assert typed(look(client, survey, tax__1="1"))[2] == "3"
    assert look(client, survey, region__0="0").context["supposed"].difference.group == 1
    survey.questions.filter(kind="background").delete()
    assert typed(look(client, survey))[1] == "age"


def test_without_background_questions_nothing_is_asked_about_groups(client: Client) -> None:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_quantity(survey)
    client.force_login(survey.owner)
    shown = look(client, survey)
    assert "A difference between groups" not in shown.content.decode()


def test_too_few_people_are_refused_as_the_report_refuses_them(
    client: Client, survey: Survey
) -> None:
    groups = html.unescape(look(client, survey, n="50").content.decode())
    number = html.unescape(look(client, survey, n="50", group="age").content.decode())

    assert "With 50 respondents in 3 groups of equal size, the report will be unable" in groups
    assert 'class="notice notice--warn">These groups can’t be compared' in groups
    assert "A model needs 100 or more" in number


@pytest.mark.parametrize(
    ("outcome", "group", "size", "shares"),
    [
        ("tax:1", "region:1", 0.2, {"tax": [0.7, 0.3], "region": [0.5, 0.2, 0.3]}),
        ("tax:0", "region:0", -0.15, {}),
        ("fruit:2", "region:2", 0.3, {"fruit": [0.1, 0.2, 0.3, 0.4]}),
        ("any:0", "region:0", 0.25, {"any": [0.3, 0.9, 0.1, 0.5]}),
        ("tax:1", "age", 0.1, {"tax": [0.6, 0.4]}),
    ],
)
def test_invented_people_differ_as_assumed(
    survey: Survey, outcome: str, group: str, size: float, shares: dict[str, list[float]]
) -> None:
    """And the shares of all of them stay what was assumed, also those of the answers that do not differ."""
    found = rehearsed(survey, outcome, group, size, **shares)
    given = even(survey, **shares)
    for question in found.report.questions:
        for each, truth in zip(question.choices, given[question.key], strict=True):
            assert abs(each.estimate - truth) < 5 * each.standard_error + 0.012
    model, code = found.supposed.model.result, int(group.partition(":")[2] or -1)
    rows = {row.level.kinds: row for row in model.comparisons}
    if code < 0:
        assert rows[()].difference == pytest.approx(size, abs=5 * rows[()].difference_error)
        return
    shared = [row for row in model.comparisons if row.difference is not None]
    for row in shared:
        expected = (
            size if row.level.kinds == (code,) else -size if row.reference.kinds == (code,) else 0
        )
        assert row.difference == pytest.approx(expected, abs=5 * row.difference_error)


def test_the_chance_is_that_of_the_group_against_all_others(survey: Survey) -> None:
    shares = {"tax": [0.7, 0.3], "region": [0.5, 0.2, 0.3]}
    tax = Channel.of(build_definition(survey).items[0].mechanism)
    plan = rehearsed(survey, "tax:1", "region:1", 0.2, n=1_000, **shares).supposed.plan

    # Yes of the first question, four fruits and four choices, each in three groups.
    family = Family(size=(1 + 4 + 4) * 3)
    power = power_of_shares(tax, PlannedShare(0.46, 200), PlannedShare(0.26, 800), family)
    assert plan.family == family
    assert plan.power == power
    assert plan.people_for_target == pytest.approx(
        people_for_shares(tax, 0.46, 0.26, 0.2, family), rel=0.02
    )


def test_planned_people_give_the_planned_chance(survey: Survey) -> None:
    shares = {"tax": [0.7, 0.3], "region": [0.5, 0.2, 0.3]}
    people = rehearsed(
        survey, "tax:1", "region:1", 0.2, n=1_000, **shares
    ).supposed.plan.people_for_target

    plan = rehearsed(survey, "tax:1", "region:1", 0.2, n=people, **shares).supposed.plan

    assert plan.power.chance == pytest.approx(0.8, abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize(
    ("outcome", "group", "size"),
    [("tax:1", "region:1", 0.15), ("tax:1", "age", 0.08), ("hours", "region:1", 0.2)],
)
def test_so_many_people_find_it_so_often(
    survey: Survey, outcome: str, group: str, size: float
) -> None:
    add_quantity(survey, "hours")
    frozen, shares = build_definition(survey), even(survey, tax=[0.7, 0.3])
    difference = read(frozen.items, outcome, group, size)
    people = planned_power(frozen, difference, shares, 100).people_for_target

    clear = 0
    for seed in range(400):
        supposed = simulation.rehearse(
            frozen, shares, people, seed, difference, with_people=False
        ).supposed
        if group == "age":
            (row,) = supposed.model.result.comparisons
            clear += row.verdict == "higher"
        else:
            rows = compare_by_address(supposed.view, "region", outcome).differences
            clear += [row.verdict for row in rows if row.quantity.group == "East"] == ["higher"]

    assert clear / 400 == pytest.approx(0.8, abs=0.07)


def test_an_impossible_difference_is_invalid_for_programs_too(survey: Survey) -> None:
    with pytest.raises(Invalid, match="possible"):
        rehearsed(survey, "tax:1", "region:0", 1.0)


def test_groups_are_planned_without_people_who_decline() -> None:
    survey = create_draft()
    add_yes_no(survey, design="two-coin")
    save_question(
        survey=survey, key="year", text="Year?", kind="background", choices=["One", "Two", "Three"]
    )
    frozen = build_definition(survey)
    difference = read(frozen.items, "tax:1", "year:0", 0.2)
    mean = 0.45 + 0.2 * 0.3
    shares = {"tax": [1 - mean, mean], "year": [0.3, 0.3, 0.3, 0.1]}
    uneven = {"year": [0.45, 0.27, 0.18, 0.1], "tax": [0.46, 0.54]}

    plan = planned_power(frozen, difference, shares, 1_000)
    other_plan = planned_power(frozen, difference, uneven, 1_000, with_people=False)

    two_coins = Channel.of(frozen.items[0].mechanism)
    group, others = PlannedShare(0.65, 300), PlannedShare(0.45, 600)
    assert plan.power == power_of_shares(two_coins, group, others, Family(size=3))
    assert "With 1,000 respondents in 3 groups of equal size, the report" in plan.sentence
    assert "in 3 groups (50%, 30% and 20%)" in other_plan.sentence
    with pytest.raises(Invalid):
        read(frozen.items, "tax:1", "year:3", 0.2)
