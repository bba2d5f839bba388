"""Groups side by side: the numbers of the filters, within their rules, and nothing of a few people by subtraction."""

import csv
import io
import re

import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group, TooSmall
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.estimates.report import report
from surveys.results.report.groups import group_rows, groupable_questions, side_by_side
from surveys.site.errors import Invalid
from tests.api.test_reading import client_of
from tests.factories.analysis_surveys import publish_import_survey
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def with_regions(*sizes: int, owner: object = None) -> Instrument:
    """As many regions as there are sizes."""
    survey = create_draft(owner)
    add_yes_no(survey)
    add_choice(survey)
    add_background(survey, labels=[f"Region {number}" for number in range(len(sizes))])
    made = publish_survey(survey)
    add_responses(made, sum(sizes), region=[v for v, size in enumerate(sizes) for _ in range(size)])
    return made


def shown(instrument: Instrument, **more: object) -> list[tuple[tuple[str, ...], int]]:
    return list(side_by_side(ReaderView(instrument), "region", **more).groups)


def test_each_group_is_what_the_filter_shows(settings) -> None:
    settings.SEAL_SLICE = 70
    made = with_regions(200, 100, 150)
    found = side_by_side(ReaderView(made), "region", asked=IntervalOptions(0.9))
    for v in range(3):
        group = report(made, 0.9, group=Group((("region", (v,)),)), seen=ReaderView(made))
        assert tuple(rows[v].report for _, rows in found.questions) == group.questions[:2]
    assert found.note == ""


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((110, 100, 29), [(("Region 0",), 110), (("Region 1", "Region 2"), 129)]),
        (
            (100, 90, 20, 15),
            [(("Region 0",), 100), (("Region 1",), 90), (("Region 2", "Region 3"), 35)],
        ),
        ((100, 90, 20, 5), [(("Region 0",), 100), (("Region 1", "Region 2", "Region 3"), 115)]),
        ((100, 100, 0), [(("Region 0",), 100), (("Region 1",), 100)]),
        ((30, 30), [(("Region 0",), 30), (("Region 1",), 30)]),
    ],
)
def test_small_groups_are_put_together_until_they_are_enough(
    sizes: tuple[int, ...], expected: list[tuple[tuple[str, ...], int]]
) -> None:
    made = with_regions(*sizes)
    found = shown(made)
    assert sorted(found) == sorted(expected)
    everybody = sum(sizes)
    for _, n in found:
        assert n >= MINIMUM
        assert everybody - n >= MINIMUM


@pytest.mark.parametrize("sizes", [(100, 29), (100,) + (0,) * 2, (20, 20), (200, 10, 10)])
def test_where_less_than_two_groups_are_left_nothing_is_shown(sizes: tuple[int, ...]) -> None:
    with pytest.raises(TooSmall, match="At least two need 30"):
        side_by_side(ReaderView(with_regions(*sizes)), "region")


@pytest.mark.parametrize(
    ("sizes", "total", "expected"),
    [
        ((200, 100, 50), 350, [(0,), (1,), (2,)]),
        ((200, 100, 50), 360, [(0,), (1,)]),  # 10 without an answer take the smallest with them
        ((200, 100, 50), 400, [(0,), (1,), (2,)]),  # 50 are enough by themselves
        ((200, 20, 15), 235, [(0,), (1, 2)]),
        ((200, 20, 15), 245, []),
        ((200, 100, 20, 15), 345, [(0,), (1,)]),  # Other is the smallest
        ((200, 100, 20, 5), 365, [(0,), (1,)]),  # 25 and 40 who declined
        ((200, 100, 20, 5), 325, [(0,), (1, 2, 3)]),
    ],
)
def test_rows_leave_out_no_one_or_enough(
    sizes: tuple[int, ...], total: int, expected: list[tuple[int, ...]]
) -> None:
    assert group_rows(sizes, total, set(), None) == expected


def test_those_who_declined_are_in_no_row_and_a_choice_called_other_takes_small_groups() -> None:
    assert group_rows((100, 90, 20, 15, 60), 285, {4}, None) == [(0,), (1,), (2, 3)]
    assert group_rows((100, 90, 20, 50), 260, set(), 3) == [(0,), (1,), (2, 3)]
    assert group_rows((100, 20, 15, 40), 175, {3}, None) == [(0,), (1, 2)]


def test_no_number_of_a_group_without_a_row_is_anywhere(client: Client) -> None:
    """Ten gave no answer and 45 declined; North, East and South have 200, 100 and 17."""
    region = {"key": "region", "kind": "background", "choices": ["North", "East", "South"]}
    made = publish_import_survey({"key": "tax", "kind": "yes-no", "design": "two-coin"}, region)
    item = parse_instrument(made).items[1]
    sizes = {0: 200, 1: 100, 2: 17, item.decline_code: 45, None: 10}
    release_reports(
        made, [{"tax": 0, "region": place} for place, n in sizes.items() for _ in range(n)]
    )
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/compare/").content.decode()
    program = client_of(made.survey.owner)
    at = f"/api/v1/surveys/{made.survey.slug}/report"
    told = [
        program.get(f"{at}/{name}?by=region").content.decode()
        for name in ("groups/", "compare/", "compare.csv")
    ]
    assert re.findall(r"n = (\d+)", page) == ["200", "100"]
    assert "Small groups of “Region”, and people who preferred not to say, are in no row." in page
    for text in told:
        assert "South" not in text
        assert {"200", "100"} >= {
            n for n in re.findall(r'"n":(\d+)', text) if n != "372"
        }  # 372 are all responses
    assert {row["n"] for row in csv.DictReader(io.StringIO(told[2]))} == {"200", "100"}


def test_a_filter_that_is_refused_is_refused_here_too() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "region")
    add_background(survey, "sex", ("Female", "Male"))
    made = publish_survey(survey)
    add_responses(made, 220, region=[0, 1] * 110, sex=[0] * 200 + [1] * 20)
    with pytest.raises(TooSmall, match="leaves out some responses, but fewer than 30"):
        side_by_side(ReaderView(made), "region", group=Group((("sex", (0,)),)))


def test_only_background_questions_with_few_answers_make_groups() -> None:
    made = with_regions(100, 100)
    assert [item.key for item in groupable_questions(ReaderView(made))] == ["region"]
    for by in ("tax", "fruit", "nobody"):
        with pytest.raises(Invalid, match="region"):
            side_by_side(ReaderView(made), by)


def look(client: Client, made: Instrument, rest: str = "?by=region"):
    client.force_login(made.survey.owner)
    return client.get(f"/surveys/{made.survey.slug}/compare/{rest}")


def test_page_and_api_show_the_same_groups(client: Client) -> None:
    made = with_regions(3000, 2000, 1000)
    page = look(client, made).content.decode()
    found = (
        client_of(made.survey.owner)
        .get(f"/api/v1/surveys/{made.survey.slug}/report/groups/?by=region")
        .json()
    )
    assert [group["n"] for group in found["groups"]] == [3000, 2000, 1000]
    for group in found["groups"]:
        tax, fruit = group["questions"]
        assert f"n = {group['n']:,}" in page
        assert f"{100 * min(max(tax['choices'][1]['estimate'], 0), 1):.0f}%" in page
        assert len(fruit["choices"]) == 4
    assert found["left_out"] is None


def test_files_of_both_doors_are_the_same(client: Client) -> None:
    made = with_regions(300, 200, 20)
    program = client_of(made.survey.owner)
    pairs = {
        "compare.csv": "compare.csv",
        "tax.svg": "tax/groups.svg",
        "fruit.png": "fruit/groups.png",
    }
    for by_hand, by_program in pairs.items():
        answer = look(client, made, f"{by_hand}?by=region")
        assert (
            answer.content
            == program.get(
                f"/api/v1/surveys/{made.survey.slug}/report/{by_program}?by=region"
            ).content
        )
    table = program.get(
        f"/api/v1/surveys/{made.survey.slug}/report/groups.csv?by=region"
    ).content.decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    assert {row["group"] for row in rows} == {"Region 0", "Other"}
    assert len(rows) == 2 * (2 + 4)


def test_too_few_show_no_number_and_how_many_it_takes(client: Client) -> None:
    made = with_regions(100, 29)
    page = look(client, made)
    assert (page.status_code, "Too few responses to compare groups" in page.content.decode()) == (
        200,
        True,
    )
    assert re.search(
        r"15 points between two groups of equal size, you need about [\d,]+ responses",
        page.content.decode(),
    )
    assert not re.search(r"n = \d", page.content.decode())
    answer = client_of(made.survey.owner).get(
        f"/api/v1/surveys/{made.survey.slug}/report/groups/?by=region"
    )
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/group-too-small")


def test_what_makes_no_sense_is_said(client: Client) -> None:
    made = with_regions(100, 100)
    assert look(client, made, "?by=tax").status_code == 422
    assert look(client, made, "region.svg?by=region").status_code == 404
    program = client_of(made.survey.owner)
    for rest in ("groups/", "groups/?by=tax", "groups/?by=region&x=1"):
        assert program.get(f"/api/v1/surveys/{made.survey.slug}/report/{rest}").status_code == 400
    survey = create_draft(made.survey.owner)
    add_yes_no(survey)
    alone = look(client, publish_survey(survey), "")
    assert (alone.status_code, "has no background question" in alone.content.decode()) == (
        200,
        True,
    )
