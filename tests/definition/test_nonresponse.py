"""“Prefer not to say” at a background question: one more code at the end, which every later room knows."""

import json

import numpy as np
import pytest
from django.test import Client

from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files import survey_file
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse, parse_instrument
from surveys.fieldwork.responses.background_groups import update_report_groups
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import InvalidReports, decode, encode
from surveys.models import Instrument, Question, Survey
from surveys.results.disclosure.access import view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import report
from surveys.results.figures.histogram import distribution
from surveys.results.report.headlines import finding
from tests.api.test_reading import client_of
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db
DECLINE = "Prefer not to say"


def about_age(survey: Survey, **more: object) -> Question:
    asked = {
        "kind": "number",
        "text": "How old?",
        "key": "age",
        "minimum": "18",
        "maximum": "97",
        "cut": True,
    }
    return save_question(survey=survey, **(asked | more))


def about_region(survey: Survey, **more: object) -> Question:
    asked = {
        "kind": "background",
        "text": "Where?",
        "key": "region",
        "choices": ["North", "South"],
        "cut": True,
    }
    return save_question(survey=survey, **(asked | more))


@pytest.fixture
def survey() -> Survey:
    """tax, and two background questions that may be declined."""
    survey = surveys.create_draft()
    surveys.add_yes_no(survey)
    about_region(survey)
    about_age(survey)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish_survey(survey)


def test_a_new_background_question_offers_it_and_an_old_one_stays_as_it_is(survey: Survey) -> None:
    region = survey.questions.get(key="region")
    assert region.decline
    assert not about_region(survey, question=region, decline=False).decline
    assert not about_region(survey, question=region).decline
    asked = {"key": "region", "text": "Where?", "kind": "yes-no", "design": "two-coin"}
    assert not save_question(
        survey=survey, question=region, **asked
    ).decline  # to be chosen at a sensitive one
    assert about_region(survey, question=region).decline


def test_it_is_the_last_code_and_named_in_the_instrument_only_where_it_is_used(
    survey: Survey,
) -> None:
    frozen = build_definition(survey)
    region, age = frozen.items[1:]
    assert region.choices == ("North", "South", DECLINE)
    assert (age.choices[0], age.choices[-2:], age.size) == ("18", ("97", DECLINE), 81)
    assert [item.decline_code for item in frozen.items] == [None, 2, 80]
    assert age.answer_values == range(18, 98)
    assert [question.get("aside") for question in json.loads(frozen.content)["questions"]] == [
        None,
        True,
        True,
    ]
    survey.questions.update(decline=False)
    without = build_definition(survey)
    assert [item.decline_code for item in without.items] == [None, None, None]
    assert '"aside"' not in without.content
    assert parse(frozen.sha256, frozen.content) == frozen


def test_it_speaks_the_language_of_the_survey() -> None:
    survey = surveys.create_draft(language="de")
    assert freeze_one(survey, about_region(survey)).choices[-1] == "Keine Angabe"


def freeze_one(survey: Survey, question: Question):
    return next(item for item in build_definition(survey).items if item.key == question.key)


def test_typing_it_as_well_is_told() -> None:
    with pytest.raises(ValueError, match="added automatically"):
        about_region(surveys.create_draft(), choices=["North", "South", "prefer not to say"])


def test_the_record_holds_the_code_and_nothing_beyond_it(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    record = encode(frozen, {"tax": 1, "region": 2, "age": 80})
    assert tuple(decode(frozen, record)[0]) == (1, 2, 80)
    for wrong in ({"tax": 1, "region": 3, "age": 80}, {"tax": 1, "region": 2, "age": 81}):
        with pytest.raises(InvalidReports):
            encode(frozen, wrong)


def given(instrument: Instrument, n: int = 300) -> None:
    """A third declines to say where; 60 decline to say how old, all others are 20, 40 or 60."""
    rng = np.random.default_rng(4)
    ages = np.resize([2, 22, 42, 2, 80], n)
    add_responses(
        instrument,
        n,
        tax=rng.integers(0, 2, n).tolist(),
        region=np.resize([0, 1, 2], n).tolist(),
        age=ages.tolist(),
    )


def test_the_report_counts_who_declined_and_makes_no_number_of_them(instrument: Instrument) -> None:
    given(instrument)
    seen = view_for_reader(instrument, has_rows=True)
    _, region, age = report(instrument, seen=seen).questions
    assert [choice.label for choice in region.choices] == ["North", "South", DECLINE]
    assert [choice.observed for choice in region.choices] == pytest.approx([1 / 3] * 3)
    assert "100 of 300 preferred not to say (33%)." in finding(region).detail
    found = distribution(age)
    assert (found.n, found.mean.value, found.quartiles[1]) == (240, pytest.approx(35), 20)
    assert "60 of 300 preferred not to say" in finding(age).detail
    assert finding(age).sentence == "Old: 35.0 on average (95% range 32.9 to 37.1)."


def test_a_number_that_nobody_gave_is_said_so(client: Client, instrument: Instrument) -> None:
    add_responses(instrument, 100, tax=[0] * 100, region=[0] * 100, age=[80] * 100)
    age = report(instrument, seen=view_for_reader(instrument, has_rows=True)).questions[2]
    assert finding(age).sentence == "No one gave a number."
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/report/")
    assert page.status_code == 200
    assert "No one gave a number." in page.content.decode()
    assert client.get(f"/surveys/{instrument.survey.slug}/report/age/shares.svg").status_code == 200


def test_who_declined_can_be_picked_and_is_a_group_of_the_cut(instrument: Instrument) -> None:
    given(instrument)
    rows = view_for_reader(instrument, has_rows=True)
    assert report(instrument, group=Group((("region", (2,)),)), seen=rows).n == 100
    assert rows.describe_group(Group((("age", (80,)),))).endswith(f"“{DECLINE}”")
    close_survey(instrument.survey)
    update_report_groups(instrument)
    groups = view_for_reader(instrument, has_rows=False)
    assert DECLINE in groups.answer_groups["region"].names
    assert groups.answer_groups["age"].names[-1].endswith(DECLINE)
    declined = groups.answer_groups["age"].codes[-1]
    assert declined[-1] == 80


@pytest.mark.parametrize(
    ("asked", "n"),
    [
        ({"from-age": "22"}, 120),
        ({"to-age": "22"}, 180),
        ({"from-age": "80"}, 60),
        ({"from-age": "2", "to-age": "22"}, 180),
    ],
)
def test_a_range_of_numbers_picks_nobody_who_declined(
    client: Client, instrument: Instrument, asked: dict[str, str], n: int
) -> None:
    given(instrument)
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/report/", asked)
    assert page.context["report"].n == n


def test_a_file_of_a_survey_keeps_it(survey: Survey) -> None:
    about_region(survey, key="town", decline=False)
    copy = survey_file.duplicate(survey, survey.owner)
    assert [question.decline for question in copy.questions.all()] == [False, True, True, False]
    assert build_definition(copy).items == build_definition(survey).items


def test_programs_get_and_set_it(survey: Survey) -> None:
    ada = client_of(survey.owner)
    asked = {"kind": "background", "text": "Where?", "choices": ["A", "B"]}
    questions = [
        asked | {"key": "a"},
        asked | {"key": "b", "decline": False},
        asked | {"key": "c", "decline": None},
    ]
    made = ada.post(
        "/api/v1/surveys/",
        {"title": "New", "questions": questions},
        content_type="application/json",
    ).json()
    assert [each["decline"] for each in made["questions"]] == [True, False, True]


def test_invented_people_decline_too(instrument: Instrument) -> None:
    add_invented_responses(instrument, 2000)
    region = report(instrument, seen=view_for_reader(instrument, has_rows=True)).questions[1]
    assert 0.05 < region.share_declined < 0.15


def test_the_editor_offers_it_ticked_and_takes_the_tick_away(
    client: Client, survey: Survey
) -> None:
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/questions/new/")
    assert page.context["form"].initial["declinable"]
    typed = {"kind": "background", "text": "Town?", "key": "town", "choices": "A\nB"}
    client.post(f"/surveys/{survey.slug}/questions/new/", typed | {"declinable": "1"})
    assert survey.questions.get(key="town").decline
    client.post(f"/surveys/{survey.slug}/questions/town/", typed)
    assert not survey.questions.get(key="town").decline
    assert (
        not client.get(f"/surveys/{survey.slug}/questions/town/")
        .context["form"]
        .initial["declinable"]
    )
    lines = {line.key: line.kind_short for line in survey_overview(survey).lines}
    assert lines == {
        "tax": "Yes/no",
        "region": "Single choice, 2",
        "age": "Number, 18 to 97",
        "town": "Single choice, 2",
    }
