"""The cut: how groups are merged, what people without the right to rows see of it at every door, and nothing else."""

import csv
import io
import re
from datetime import timedelta

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from surveys.accounts.tokens import issue_token
from surveys.definition.freezing import LEAST_IN_A_CELL, build_definition
from surveys.definition.parsing import parse_instrument
from surveys.definition.routing.paths import condition_boundaries
from surveys.fieldwork.lifecycle import lock_questions
from surveys.fieldwork.responses.background_groups import (
    merge_small_groups,
    update_all_report_groups,
)
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.models import Cut, Instrument, Membership, Question, Survey
from surveys.results.disclosure.access import NotAReportGroup, view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.site.errors import Refused
from tests.factories.inbox import run_next_timer
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGIONS = ("North", "East", "South")


def number(survey: Survey, key: str = "age", minimum: int = 18, maximum: int = 79) -> Question:
    found = add_background(survey, key, ())
    Question.objects.filter(pk=found.pk).update(kind="number", minimum=minimum, maximum=maximum)
    return found


def asked(*cut: str, **ends: int) -> Instrument:
    """tax (Warner), region, age; and colour, which is never of the cut."""
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, "region", REGIONS)
    number(survey, **ends)
    add_background(survey, "colour", ("Red", "Blue"))
    survey.questions.filter(key__in=cut).update(cut=True)
    return publish_survey(survey)


def closed(n: int = 600, *cut: str, **truths: object) -> Instrument:
    made = asked(*(cut or ("region", "age")))
    add_responses(made, n, **truths)
    close_survey(made.survey)
    return Instrument.objects.get(pk=made.pk)


def colleague(instrument: Instrument, role: str = "analyst") -> Client:
    client, person = Client(), create_researcher(role)
    Membership.objects.create(survey=instrument.survey, user=person, role=role)
    client.force_login(person)
    return client


def get(client: Client, instrument: Instrument, rest: str = "report/", **headers: str):
    return client.get(f"/api/v1/surveys/{instrument.survey.slug}/{rest}", headers=headers)


def page(client: Client, instrument: Instrument, rest: str = "") -> str:
    return client.get(f"/surveys/{instrument.survey.slug}/report/{rest}").content.decode()


def test_who_has_no_right_to_rows_cannot_tell_two_single_people_apart_by_nested_filters() -> None:
    """A background number, groups 0 to k, each of 30 people or more inside and outside: subtracted, single rows."""
    survey = create_draft()
    add_yes_no(survey)
    number(survey, "num", 0, 999)
    made = publish_survey(survey)
    numbers = np.sort(np.random.default_rng(3).choice(1000, 100, replace=False))
    add_responses(made, 100, num=numbers)
    for client in (colleague(made, "analyst"), colleague(made, "editor")):
        for end in numbers[40:55]:
            answer = get(client, made, f"report/?where=num:{','.join(map(str, range(end + 1)))}")
            assert answer.status_code == 422, answer.content
        counted = get(client, made).json()["questions"][1]
        assert {choice["observed"] for choice in counted["choices"]} == {None}


@given(arrays(np.int64, (4, 3, 5), elements=st.integers(0, 90)))
def test_every_occupied_joint_cell_has_thirty_people_or_all_are_one(joint: np.ndarray) -> None:
    if not joint.sum():
        return
    starts = merge_small_groups(joint.copy(), [list(range(size)) for size in joint.shape])
    cells = joint
    for axis, each in enumerate(starts):
        assert each[0] == 0
        assert each == sorted(set(each))
        cells = np.add.reduceat(cells, each, axis=axis)
    assert cells.sum() == joint.sum()
    assert cells.size == 1 or cells[cells > 0].min() >= LEAST_IN_A_CELL
    assert merge_small_groups(joint.copy(), [list(range(size)) for size in joint.shape]) == starts


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        ([[30, 30], [30, 30]], [[0, 1], [0, 1]]),
        ([[30, 29], [30, 31]], [[0], [0, 1]]),  # of the smallest cell, the group with fewest people
        ([[100, 100, 100], [10, 100, 100]], [[0, 1], [0, 2]]),
        ([[100, 0, 100], [100, 0, 100]], [[0, 1], [0, 2]]),  # nobody is there: with a neighbour
        ([[10, 5], [5, 5]], [[0], [0]]),
    ],
)
def test_the_smaller_neighbour_takes_in_what_is_too_small(
    joint: list, expected: list[list[int]]
) -> None:
    found = merge_small_groups(
        np.array(joint), [list(range(size)) for size in np.array(joint).shape]
    )
    assert found == expected


def test_numbers_begin_as_bands_that_begin_at_round_ones() -> None:
    made = closed(12_000, "age")
    assert parse_instrument(made).cut == ("age",)
    assert list(view_for_reader(made, has_rows=False).answer_groups["age"].names) == [
        *("18 to 19", "20 to 29", "30 to 39", "40 to 49", "50 to 59", "60 to 69", "70 to 79")
    ]


def test_a_condition_on_the_first_and_the_last_answer_has_boundaries_only_between_answers() -> None:
    survey = create_draft()
    add_background(survey, "region", REGIONS)
    add_yes_no(survey, when={"of": "region", "in": ["North", "South"]})
    definition = build_definition(survey)

    boundaries = condition_boundaries(definition.items, definition.items[0])

    assert boundaries == {1, 2}


def test_a_survey_keeps_its_text_where_no_question_is_of_the_cut() -> None:
    assert '"cut"' not in asked().content
    assert '"cut":["region","age"]' in published_with(("region", "age")).content


def published_with(cut: tuple[str, ...]) -> Instrument:
    survey = create_draft(create_researcher("grace"))
    add_yes_no(survey)
    for key in ("region", "age", "sex", "town"):
        add_background(survey, key)
    survey.questions.filter(key__in=cut).update(cut=True)
    return publish_survey(survey)


def test_four_questions_are_too_many() -> None:
    with pytest.raises(Refused, match="at most 3 questions"):
        published_with(("region", "age", "sex", "town"))


def test_while_it_is_open_nothing_of_background_answers_is_shown() -> None:
    made = asked("region", "age")
    add_responses(made, 600)
    client = colleague(made)
    told = get(client, made).json()
    for question in told["questions"][1:]:
        assert {choice["observed"] for choice in question["choices"]} == {None}
        assert question["n"] == 0
        assert question["finding"]["verdict"] == "not shown"
    assert (
        told["questions"][1]["finding"]["sentence"]
        == "Available after closing, for groups of 30 or more."
    )
    assert told["cut"]["as_of"] is None
    assert told["cut"]["note"].startswith("Background answers are available after closing")
    assert get(client, made, "report/?where=region:0").json()["type"] == "/problems/not-of-the-cut"
    assert (
        get(client, made, "report/groups/?by=region").json()["type"] == "/problems/not-of-the-cut"
    )
    assert list(get(client, made, "tallies/").json()["counts"]) == ["tax"]
    shown = page(client, made)
    assert "Available after closing, for groups of 30 or more." in shown
    assert "only-region" not in shown
    assert "group-region" not in shown
    assert "Compare groups" not in shown


def test_without_groups_no_row_and_no_cell_is_read() -> None:
    """Whatever asks, and whether or not it looked first at what is shown."""
    made = asked("region", "age")
    add_responses(made, 600)
    seen = view_for_reader(made, has_rows=False)
    for read in (seen.rows, seen.cells, lambda group: seen.tallies_by(group, "region")):
        with pytest.raises(NotAReportGroup, match="Background answers are available after closing"):
            read(Group())
    close_survey(made.survey)
    with pytest.raises(NotAReportGroup, match="They never become finer"):
        view_for_reader(made, has_rows=False).rows(Group())


def test_without_background_questions_no_row_is_read() -> None:
    survey = create_draft()
    add_yes_no(survey)
    with pytest.raises(NotAReportGroup, match="Team members with row access can filter freely"):
        view_for_reader(publish_survey(survey), has_rows=False).rows(Group())


def test_from_the_closing_on_it_is_the_groups_with_their_date() -> None:
    made = closed(600, region=[0] * 300 + [1] * 20 + [2] * 280)
    client, today = colleague(made), timezone.now().date()
    told = get(client, made).json()
    _, region, age, colour = told["questions"]
    assert [choice["label"] for choice in region["choices"]] == ["North", "East or South"]
    assert [round(choice["observed"] * 600) for choice in region["choices"]] == [300, 300]
    assert all(re.fullmatch(r"\d\d to \d\d", choice["label"]) for choice in age["choices"])
    assert min(choice["observed"] for choice in age["choices"]) * 600 >= 30
    assert f"As of the closing of {today.day} {today:%B %Y}" in region["finding"]["detail"]
    assert colour["finding"]["sentence"] == "Only team members with row access see this."
    assert told["cut"]["as_of"] == today.isoformat()
    assert told["cut"]["questions"][0]["groups"][1] == {"label": "East or South", "codes": [1, 2]}
    whole = get(client, made, "report/?where=region:1-2").json()
    assert whole["n"] == 300
    refused = get(client, made, "report/?where=region:1")
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/not-of-the-cut")
    assert "region: 0 (North), 1-2 (East or South)." in refused.json()["detail"]


def test_the_groups_of_the_cut_are_the_rows_that_match() -> None:
    made = closed(900)
    owner, analyst = Client(), colleague(made)
    owner.force_login(made.survey.owner)
    groups = get(analyst, made).json()["cut"]["questions"]
    for question in groups:
        for group in question["groups"]:
            where = f"report/?where={question['key']}:{','.join(map(str, group['codes']))}"
            seen, all_rows = get(analyst, made, where).json(), get(owner, made, where).json()
            assert (seen["n"], seen["questions"][0]) == (all_rows["n"], all_rows["questions"][0])
    ends = [
        (each["key"], each["groups"][0]["codes"][0], each["groups"][0]["codes"][-1])
        for each in groups
    ]
    both = "report/?where=" + ";".join(f"{key}:{first}-{last}" for key, first, last in ends)
    assert (
        get(analyst, made, both).json()["questions"][0]
        == get(owner, made, both).json()["questions"][0]
    )


def test_whoever_has_the_right_to_rows_filters_as_before() -> None:
    made = closed(600)
    program = Client(headers={"Authorization": f"Token {issue_token(made.survey.owner, 'all')}"})
    for client in (colleague(made, "exporter"), program):
        told = get(client, made).json()
        assert told["cut"] is None
        assert len(told["questions"][2]["choices"]) == 62
        assert get(client, made, "report/?where=age:0-30,40").status_code == 200
        assert get(client, made, "tallies/").json()["counts"].keys() == {
            "tax",
            "region",
            "age",
            "colour",
        }


def test_a_token_that_may_not_use_rows_sees_groups() -> None:
    made = closed(600)
    program = Client(
        headers={"Authorization": f"Token {issue_token(made.survey.owner, 'reports', ['reports'])}"}
    )
    assert get(program, made).json()["cut"]["as_of"]
    assert get(program, made, "report/?where=age:0").status_code == 422


def test_an_operator_sees_groups() -> None:
    made = closed(600)
    operator = Client()
    operator.force_login(create_researcher("root", is_staff=True, is_superuser=True))
    assert "As of the closing of" in page(operator, made)
    assert "only-region" not in page(operator, made)


def test_the_page_offers_the_groups_and_says_as_of_when(client: Client) -> None:
    made = closed(600, region=[0] * 300 + [1] * 20 + [2] * 280)
    analyst = colleague(made)
    shown = page(analyst, made)
    assert 'name="group-region" value="1"' in shown
    assert "East or South" in shown
    assert 'name="only-region"' not in shown
    filtered = page(analyst, made, "?group-region=1")
    assert "“About region?” is “East or South”. As of the closing of" in filtered
    rows = list(csv.DictReader(io.StringIO(page(analyst, made, "shares.csv?group-region=1"))))
    assert {row["group"][:37] for row in rows} == {"“About region?” is “East or South”. A"}
    assert {row["answer"] for row in rows if row["variable"] == "region"} == {
        "North",
        "East or South",
    }
    assert not [row for row in rows if row["variable"] == "colour"]
    told = get(analyst, made).json()["cut"]["note"]
    assert told in shown
    compared = analyst.get(f"/surveys/{made.survey.slug}/compare/?by=age").content.decode()
    assert "They never become finer." in compared
    answer = get(analyst, made, "report/groups/?by=age").json()
    assert sum(group["n"] for group in answer["groups"]) == 600
    assert min(group["n"] for group in answer["groups"]) >= LEAST_IN_A_CELL


def test_an_address_with_another_persons_filter_is_refused_and_not_answered_for_everybody() -> None:
    made = closed(600)
    owner, analyst = Client(), colleague(made)
    owner.force_login(made.survey.owner)
    for client, query in (
        (analyst, "?only-region=0"),
        (analyst, "?from-age=3"),
        (owner, "?group-region=0"),
    ):
        answer = client.get(f"/surveys/{made.survey.slug}/report/{query}")
        assert answer.status_code == 422
        assert "has a filter that your report doesn’t have" in answer.content.decode()
    assert analyst.get(f"/surveys/{made.survey.slug}/report/?from-age=&to-age=").status_code == 200


def test_too_few_people_make_no_groups() -> None:
    made = closed(50)
    told = get(colleague(made), made).json()
    assert told["cut"]["note"].startswith("No groups are shown: too few people answered")
    assert (
        told["questions"][1]["finding"]["sentence"] == "Too few people for groups by this question."
    )
    assert told["questions"][1]["n"] == 0


def test_a_survey_that_was_published_without_a_cut_shows_no_groups() -> None:
    made = asked()
    add_responses(made, 600)
    close_survey(made.survey)
    told = get(colleague(made), made).json()
    assert told["cut"]["note"].startswith("No groups are shown: the survey has no questions")
    assert {question["n"] for question in told["questions"][1:]} == {0}
    assert not Cut.objects.exists()


def test_a_closing_time_makes_the_cut_too_with_the_release() -> None:
    made = asked("region")
    add_responses(made, 200)
    Survey.objects.update(closes=timezone.now() - timedelta(minutes=1))
    client = colleague(made)
    assert "within an hour after closing" in get(client, made).json()["cut"]["note"]
    run_next_timer()
    assert get(client, made).json()["cut"]["as_of"]


def test_a_cut_that_a_crash_prevented_is_made_by_the_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    made = asked("region")
    add_responses(made, 200)
    with monkeypatch.context() as crash:
        crash.setattr(
            "surveys.fieldwork.responses.release.update_report_groups", lambda instrument: None
        )
        close_survey(made.survey)
    assert not Cut.objects.exists()
    call_command("seal")
    assert Cut.objects.get().n == 200
    update_all_report_groups()
    assert Cut.objects.get().n == 200


def test_what_is_stored_holds_no_background_answer_finer_than_its_groups() -> None:
    closed(600)
    stored = Cut.objects.get()
    assert {key for cell in stored.cells.values() for key in cell["counts"]} == {"tax"}
    assert min(cell["n"] for cell in stored.cells.values()) >= LEAST_IN_A_CELL


def test_the_cut_goes_with_the_survey() -> None:
    made = closed(600)
    destroy(Survey.objects.get(), made.survey.owner, confirm=made.survey.title)
    assert not Cut.objects.exists()


def test_a_reopened_survey_shows_the_groups_of_its_closing() -> None:
    made = closed(600)
    before = get(colleague(made), made, "report/?where=region:0").json()
    reopen_survey(Survey.objects.get())
    add_responses(made, 300, seed=2)
    assert get(colleague(made, "editor"), made, "report/?where=region:0").json() == before


def test_an_answer_has_another_etag_when_the_cut_is_made() -> None:
    made = asked("region")
    add_responses(made, 200)
    client = colleague(made)
    before = get(client, made)["ETag"]
    close_survey(made.survey)
    assert get(client, made, **{"If-None-Match": before}).status_code == 200


def test_every_address_of_a_question_that_is_not_shown_answers(client: Client) -> None:
    made = asked("region", "age")
    add_responses(made, 600)
    for finish in (lambda: None, lambda: close_survey(made.survey)):
        finish()
        analyst = colleague(made, "analyst" if Survey.objects.get().status == "open" else "editor")
        for key in ("region", "age", "colour"):
            for rest in ("shares.svg", "shares.png", "readings/"):
                assert get(analyst, made, f"report/{key}/{rest}").status_code == 200, (key, rest)
            for rest in ("shares.csv", "shares.svg"):
                assert (
                    analyst.get(f"/surveys/{made.survey.slug}/report/{key}/{rest}").status_code
                    == 200
                )
        assert get(analyst, made, "report/methods.txt").status_code == 200


def test_who_gave_no_answer_is_in_a_group_too() -> None:
    survey = create_draft(import_only=True)
    add_yes_no(survey)
    add_background(survey, "region", REGIONS, cut=True)
    made = lock_questions(survey)
    add_invented_responses(made, 900, missing=0.2)
    close_survey(survey)
    found = view_for_reader(Instrument.objects.get(), has_rows=False)
    assert found.answer_groups["region"].names == (*REGIONS, "no answer")
    analyst = colleague(made)
    told = get(analyst, made).json()
    assert (told["questions"][1]["n"], told["n"]) == (900, 900)
    (question,) = told["cut"]["questions"]
    numbers = [
        get(analyst, made, f"report/?where=region:{group['codes'][0]}").json()["n"]
        for group in question["groups"]
    ]
    assert sum(numbers) == 900
    assert min(numbers) > 100
    assert "“About region?” is “no answer”" in page(analyst, made, "?group-region=3")
