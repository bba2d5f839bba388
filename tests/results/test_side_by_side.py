"""Groups side by side: the numbers of the filters, within their rules, and nothing of a few people by subtraction."""

import csv
import io
import re

import pytest
from django.test import Client

from surveys.definition.parsing import paper
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group, TooSmall
from surveys.results.estimates.intervals import Asked
from surveys.results.estimates.report import report
from surveys.results.report.groups import comparable, side_by_side
from surveys.site.errors import Invalid
from tests.analysed import on_paper
from tests.answered import answered, store
from tests.api.test_reading import client_of
from tests.filed import filling
from tests.filling import fill
from tests.making import background, choice, draft, publish, yes_no

pytestmark = pytest.mark.django_db


def with_regions(*sizes: int, owner: object = None) -> Instrument:
    """As many regions as there are sizes."""
    survey = draft(owner)
    yes_no(survey)
    choice(survey)
    background(survey, labels=[f"Region {number}" for number in range(len(sizes))])
    made = publish(survey)
    answered(made, sum(sizes), region=[v for v, size in enumerate(sizes) for _ in range(size)])
    return made


def shown(instrument: Instrument, **more: object) -> list[tuple[tuple[str, ...], int]]:
    return [(part.labels, part.result.n) for part in side_by_side(ReaderView(instrument), "region", **more).parts]


def test_each_group_is_what_the_filter_shows(settings) -> None:
    settings.SEAL_SLICE = 70
    made = with_regions(200, 100, 150)
    found = side_by_side(ReaderView(made), "region", asked=Asked(0.9))
    for v, part in enumerate(found.parts):
        assert (
            part.result.questions[:2]
            == report(made, 0.9, group=Group((("region", (v,)),)), seen=ReaderView(made)).questions[:2]
        )
    assert (found.left_out, found.note) == (0, "")


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((110, 100, 29), [(("Region 0",), 110), (("Region 1", "Region 2"), 129)]),
        ((100, 90, 20, 15), [(("Region 0",), 100), (("Region 1",), 90), (("Region 2", "Region 3"), 35)]),
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
    with pytest.raises(TooSmall, match="at least two of 30"):
        side_by_side(ReaderView(with_regions(*sizes)), "region")


def test_the_rest_of_those_shown_is_nobody_or_enough(settings) -> None:
    """With missing answers: whoever subtracts all groups from the whole must not be left with a few people."""
    instrument = Instrument.objects.get(survey=filling())
    fill(instrument, 200, missing=0.06)
    frozen = paper(instrument)
    known = {item.key: instrument.tally["answered"][item.key] for item in frozen.items}
    assert 0 < 200 - known["region"] < MINIMUM
    try:
        found = side_by_side(ReaderView(instrument), "region")
    except TooSmall:
        return
    assert found.left_out == 0 or found.left_out >= MINIMUM


def test_missing_answers_take_another_group_out_with_them() -> None:
    from surveys.results.report.groups import _enough

    tallies = [{"n": n, "counts": {}} for n in (200, 100, 50)]
    assert [choices for choices, _ in _enough(tallies, 350, 350)] == [(0,), (1,), (2,)]
    assert [choices for choices, _ in _enough(tallies, 360, 360)] == [(0,), (1,)]  # 10 without an answer
    assert [choices for choices, _ in _enough(tallies, 400, 400)] == [(0,), (1,), (2,)]  # 50 are enough


def test_whoever_is_in_no_group_is_counted_and_their_answers_are_named() -> None:
    """Ten gave no answer, too few to be the rest by themselves: the smallest group stays out with them."""
    region = {"key": "region", "kind": "background", "choices": ["North", "East", "South"], "decline": False}
    made = on_paper({"key": "tax", "kind": "yes-no", "design": "two-coin"}, region)
    sizes = {0: 200, 1: 100, 2: 50, None: 10}
    store(made, [{"tax": 0, "region": place} for place, n in sizes.items() for _ in range(n)])
    result = side_by_side(ReaderView(made), "region")
    assert [(part.labels, part.result.n) for part in result.parts] == [(("North",), 200), (("East",), 100)]
    assert (result.left_out, result.left_out_labels) == (60, ("South",))
    assert "60" in result.note
    assert "(South)" in result.note


def test_a_filter_that_is_refused_is_refused_here_too() -> None:
    survey = draft()
    yes_no(survey)
    background(survey, "region")
    background(survey, "sex", ("Female", "Male"))
    made = publish(survey)
    answered(made, 220, region=[0, 1] * 110, sex=[0] * 200 + [1] * 20)
    with pytest.raises(TooSmall, match="leaves out some responses, but fewer than 30"):
        side_by_side(ReaderView(made), "region", group=Group((("sex", (0,)),)))


def test_only_background_questions_with_few_answers_make_groups() -> None:
    made = with_regions(100, 100)
    assert [item.key for item in comparable(ReaderView(made))] == ["region"]
    for by in ("tax", "fruit", "nobody"):
        with pytest.raises(Invalid, match="region"):
            side_by_side(ReaderView(made), by)


def look(client: Client, made: Instrument, rest: str = "groups/?by=region"):
    client.force_login(made.survey.owner)
    return client.get(f"/surveys/{made.survey.slug}/report/{rest}")


def test_page_and_api_show_the_same_groups(client: Client) -> None:
    made = with_regions(3000, 2000, 1000)
    page = look(client, made).content.decode()
    found = client_of(made.survey.owner).get(f"/api/v1/surveys/{made.survey.slug}/report/groups/?by=region").json()
    assert [group["n"] for group in found["groups"]] == [3000, 2000, 1000]
    for group in found["groups"]:
        tax, fruit = group["questions"]
        assert f"n = {group['n']:,}" in page
        assert f"{100 * min(max(tax['choices'][1]['estimate'], 0), 1):.0f}%" in page
        assert len(fruit["choices"]) == 4
    assert "More in" not in page  # no differences are judged by looking


def test_files_of_both_doors_are_the_same(client: Client) -> None:
    made = with_regions(300, 200, 20)
    program = client_of(made.survey.owner)
    for name in ("groups.csv", "tax/groups.svg", "fruit/groups.png"):
        by_hand = look(client, made, f"{name}?by=region")
        by_program = program.get(f"/api/v1/surveys/{made.survey.slug}/report/{name}?by=region")
        assert by_hand.content == by_program.content
        assert by_hand["Content-Disposition"] == by_program["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(look(client, made, "groups.csv?by=region").content.decode())))
    assert {row["group"] for row in rows} == {"Region 0", "Region 1 and Region 2"}
    assert len(rows) == 2 * (2 + 4)


def test_a_refusal_shows_no_number_of_anybody(client: Client) -> None:
    made = with_regions(100, 29)
    for rest in ("groups/?by=region", "groups.csv?by=region", "tax/groups.svg?by=region"):
        response = look(client, made, rest)
        assert response.status_code == 422
        assert "at least two of 30 responses" in response.content.decode()
        assert not re.search(r"n = \d", response.content.decode())
    answer = client_of(made.survey.owner).get(f"/api/v1/surveys/{made.survey.slug}/report/groups/?by=region")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/group-too-small")


def test_what_makes_no_sense_is_said(client: Client) -> None:
    made = with_regions(100, 100)
    assert look(client, made, "groups/?by=tax").status_code == 422
    assert look(client, made, "region/groups.svg?by=region").status_code == 404
    program = client_of(made.survey.owner)
    for rest in ("groups/", "groups/?by=tax", "groups/?by=region&x=1"):
        assert program.get(f"/api/v1/surveys/{made.survey.slug}/report/{rest}").status_code == 400
    survey = draft(made.survey.owner)
    yes_no(survey)
    alone = publish(survey)
    assert look(client, alone, "groups/").status_code == 404
    assert "Compare groups" not in look(client, alone, "").content.decode()
