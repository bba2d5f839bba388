"""Filtering by background answers: what is in the group, who is refused, and nothing by scrambled answers."""

import numpy as np
import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import count_reports, decode
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import (
    NEARLY_ALL,
    Group,
    TooSmall,
    count_group,
    iter_group_rows,
)
from surveys.results.estimates.report import report
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)
from tests.helpers.html_forms import errors

pytestmark = pytest.mark.django_db
NORTH, SOUTH = 0, 1
GROUPS = "groups/?by=sex"


@pytest.fixture
def instrument(settings) -> Instrument:
    """400 in the north, 100 in the south, in batches of at most 70."""
    settings.SEAL_SLICE = 70
    made = create_published()
    add_responses(made, 500, region=[NORTH] * 400 + [SOUTH] * 100)
    return made


def test_a_group_is_exactly_the_rows_that_match(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    rows = decode(frozen, b"".join(bytes(batch.records) for batch in instrument.batches.all()))
    assert instrument.batches.count() > 5
    expected = count_reports(frozen, rows[rows["region"] == SOUTH])
    assert count_group(instrument, Group((("region", (SOUTH,)),))) == {"n": 100, "counts": expected}


def test_groups_add_up_to_everybody(instrument: Instrument) -> None:
    parts = [count_group(instrument, Group((("region", (v,)),))) for v in (NORTH, SOUTH)]
    whole = Instrument.objects.get(pk=instrument.pk).tally
    assert sum(part["n"] for part in parts) == whole["n"]
    for key, expected in whole["counts"].items():
        assert np.sum([part["counts"][key] for part in parts], axis=0).tolist() == expected


def test_the_filtered_report_is_the_librarys_for_that_group(instrument: Instrument) -> None:
    group = Group((("region", (SOUTH,)),))
    tax = report(instrument, group=group, seen=ReaderView(instrument)).questions[0]
    tally = count_group(instrument, group)
    assert tax.n == 100
    assert tax.choices[1].estimate == pytest.approx((tally["counts"]["tax"][1] / 100 - 0.25) / 0.5)


def by_tally(instrument: Instrument, group: Group) -> int:
    return count_group(instrument, group)["n"]


def by_rows(instrument: Instrument, group: Group) -> int:
    return sum(len(rows) for rows in iter_group_rows(instrument, group))


@pytest.mark.parametrize(("south", "refused"), [(1, True), (29, True), (30, False)])
@pytest.mark.parametrize("picked", [NORTH, SOUTH])
@pytest.mark.parametrize("size", [by_tally, by_rows])
def test_small_groups_and_small_remainders_are_refused(
    settings, size, south: int, refused: bool, picked: int
) -> None:
    settings.SEAL_SLICE = 3  # more batches than are counted at once
    made = create_published()
    add_responses(made, 100 + south, region=[NORTH] * 100 + [SOUTH] * south)
    group = Group((("region", (picked,)),))
    if refused:
        with pytest.raises(TooSmall, match="Fewer than 30" if picked == SOUTH else "fewer than 30"):
            size(made, group)
    else:
        assert size(made, group) == (100 if picked == NORTH else south)


def test_everybody_is_no_small_group() -> None:
    made = create_published()
    add_responses(made, 30)
    assert by_rows(made, Group()) == 30
    for size in (by_tally, by_rows):
        assert size(made, Group((("region", (NORTH, SOUTH)),))) == 30


def test_conditions_on_two_questions_hold_together() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "region")
    add_background(survey, "age", [str(age) for age in range(18, 98)])
    made = publish_survey(survey)
    add_responses(made, 400, region=[0, 1] * 200, age=[v for v in range(80) for _ in range(5)])
    group = Group((("region", (1,)), ("age", tuple(range(40)))))
    assert count_group(made, group)["n"] == 100
    assert (
        group.in_words(parse_instrument(made))
        == "“About region?” is “South” and “About age?” is “18” to “57”"
    )


@pytest.mark.parametrize(
    "condition",
    [("tax", (1,)), ("fruit", (0,)), ("nobody", (0,)), ("region", (7,)), ("region", ())],
)
def test_nothing_but_choices_of_background_questions_is_a_condition(
    instrument: Instrument, condition: tuple
) -> None:
    with pytest.raises(ValueError, match="background"):
        count_group(instrument, Group((condition,)))


def look(client: Client, instrument: Instrument, query: str, rest: str = "report/"):
    client.force_login(instrument.survey.owner)
    return client.get(f"/surveys/{instrument.survey.slug}/{rest}{query}")


def test_the_page_says_what_it_is_filtered_by(client: Client, instrument: Instrument) -> None:
    page = look(client, instrument, "?only-region=1&everything=yes").content.decode()
    assert "This report is filtered." in page
    assert page.count("“About region?” is “South”") >= 5  # on top, at each question, in the methods
    assert "n = 100" in page
    assert "n = 500" not in page
    assert "filtered" not in look(client, instrument, "").content.decode()


def test_all_ticked_is_everybody(client: Client, instrument: Instrument) -> None:
    assert (
        "filtered" not in look(client, instrument, "?only-region=0&only-region=1").content.decode()
    )


@pytest.mark.parametrize("south", [1, 29])
@pytest.mark.parametrize(
    "rest", ["report/", "report/shares.csv", "report/tax/shares.svg", "report/methods.txt"]
)
def test_a_refused_filter_shows_no_number_of_anybody(client: Client, rest: str, south: int) -> None:
    made = create_published()
    add_responses(made, 100 + south, region=[NORTH] * 100 + [SOUTH] * south)
    for picked, words in (
        (SOUTH, "Fewer than 30 responses match this filter."),
        (NORTH, "fewer than 30"),
    ):
        response = look(client, made, f"?only-region={picked}", rest)
        assert response.status_code == 422
        assert words in errors(response)["only-region"]
        assert "Estimate" not in response.content.decode()
        assert "unbiased estimate" not in response.content.decode()


@pytest.mark.parametrize("left_out", [1, 29])
def test_a_comparison_refuses_the_same_filters(client: Client, left_out: int) -> None:
    expect_filter_of_nearly_all_refused(client, GROUPS, left_out)


def expect_filter_of_nearly_all_refused(client: Client, asked: str, left_out: int) -> None:
    """Everybody but a few, whether it counts rows or tallies."""
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey)
    add_background(survey, "sex", ("Female", "Male"))
    made = publish_survey(survey)
    add_responses(made, 300 + left_out, region=[NORTH] * 300 + [SOUTH] * left_out)
    client.force_login(survey.owner)
    address = f"/api/v1/surveys/{survey.slug}/report/{asked}"
    assert client.get(address).status_code == 200
    refused = client.get(f"{address}&where=region:{NORTH}")
    assert (refused.status_code, refused.json()["detail"]) == (422, NEARLY_ALL)


def test_a_long_list_is_filtered_by_its_ends(client: Client) -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "age", [str(age) for age in range(18, 98)])
    made = publish_survey(survey)
    add_responses(made, 400, age=[v for v in range(80) for _ in range(5)])
    page = look(client, made, "?from-age=0&to-age=39").content.decode()
    assert "“About age?” is “18” to “57”" in page
    assert "n = 200" in page
    assert "n = 100" in look(client, made, "?from-age=60").content.decode()
    wrong = look(client, made, "?from-age=9&to-age=3")
    assert errors(wrong) == {"to-age": "Choose a later end. It comes before the beginning."}
    assert errors(look(client, made, "?from-age=79&to-age=3")).keys() == {
        "to-age"
    }  # and not that 79 alone is small
    assert look(client, made, "?from-age=800").status_code == 422


def test_scrambled_answers_are_no_filter(client: Client, instrument: Instrument) -> None:
    page = look(client, instrument, "?only-tax=1&only-fruit=0").content.decode()
    assert 'name="only-tax"' not in page
    assert "filtered" not in page
