"""Open and close times, targets, pause, new versions, copies and files."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.files import survey_file
from surveys.definition.freezing import build_definition
from surveys.models import Batch, Response, Survey
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    post_response,
    publish_survey,
    response_body,
)
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def survey(client: Client) -> Survey:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    client.force_login(survey.owner)
    return survey


def typed(days: float) -> str:
    return f"{timezone.now() + timedelta(days=days):%Y-%m-%dT%H:%M}"


def problem(response: object) -> str:
    return json.loads(response.content)["type"].split("/")[-1]


def test_answers_are_taken_between_the_times_only() -> None:
    instrument = create_published()
    now = timezone.now()
    mine = Survey.objects.filter(pk=instrument.survey_id)
    mine.update(opens=now + HOUR)
    early = post_response(instrument, response_body(instrument))
    assert (early.status_code, problem(early)) == (403, "survey-not-open")
    mine.update(opens=now - HOUR, closes=now + HOUR)
    assert post_response(instrument, response_body(instrument)).status_code == 201
    mine.update(closes=now - timedelta(minutes=1))
    late = post_response(instrument, response_body(instrument))
    assert (late.status_code, problem(late)) == (403, "survey-closed")
    assert Response.objects.count() == 1


def test_a_retry_after_the_closing_time_is_known() -> None:
    instrument = create_published()
    same = response_body(instrument)
    assert post_response(instrument, same).status_code == 201
    Survey.objects.update(closes=timezone.now() - HOUR)
    assert post_response(instrument, same).status_code == 200


def test_a_paused_survey_takes_no_answers_until_it_is_opened_again(client: Client) -> None:
    instrument = create_published()
    address = f"/surveys/{instrument.survey.slug}"
    client.force_login(instrument.survey.owner)
    post_response(instrument, response_body(instrument))
    assert client.post(f"{address}/pause/").status_code == 302
    assert post_response(instrument, response_body(instrument)).status_code == 403
    assert (
        not Batch.objects.exists()
    )  # what waits goes on waiting: a batch of one would show an answer
    assert client.post(f"{address}/pause/").status_code == 409
    client.post(f"{address}/reopen/")
    assert post_response(instrument, response_body(instrument)).status_code == 201


def test_the_respondents_page_says_what_state_the_survey_is_in() -> None:
    instrument = create_published()
    address = f"/s/{instrument.survey.slug}/"
    Survey.objects.update(opens=timezone.now() + HOUR)
    assert "This survey is not open yet" in Client().get(address).content.decode()
    Survey.objects.update(opens=None, closes=timezone.now() - HOUR)
    assert "This survey is closed" in Client().get(address).content.decode()


def test_times_and_target_are_saved_and_come_back(client: Client, survey: Survey) -> None:
    sent = {"opens": typed(1), "closes": typed(2), "target": "1,000"}
    assert (
        client.post(f"/surveys/{survey.slug}/settings/", sent | {"part": "dates"}).status_code
        == 302
    )
    values = Form(client.get(f"/surveys/{survey.slug}/settings/")).values
    assert {name: values[name] for name in sent} == sent | {"target": "1000"}
    publish_survey(survey)
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert "No results yet." in page
    assert "Scheduled" in page


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"opens": "2020-01-01T10:00"}, "opens", "is in the past"),
        ({"closes": "2020-01-01T10:00"}, "closes", "is in the past"),
        (
            {"opens": "2150-01-02T10:00", "closes": "2150-01-01T10:00"},
            "closes",
            "after the opening time",
        ),
        (
            {"opens": "2150-01-02T10:00", "closes": "2150-01-02T10:00"},
            "closes",
            "after the opening time",
        ),
        ({"opens": "tomorrow"}, "opens", "Write date and time like"),
        ({"opens": "9999-12-31T23:59"}, "opens", "Write date and time like"),
        ({"opens": "2150-01-01T10:00+02:00"}, "opens", "in UTC"),
        ({"target": "0"}, "target", "Enter a target from 1"),
        ({"target": "many"}, "target", "Enter a target from 1"),
        ({"target": "9" * 30}, "target", "Enter a target from 1"),
    ],
)
def test_wrong_times_get_their_message(
    client: Client, survey: Survey, sent: dict[str, str], field: str, message: str
) -> None:
    response = client.post(f"/surveys/{survey.slug}/settings/", sent | {"part": "dates"})
    assert message in errors(response)[field]
    assert Form(response).values[field] == sent[field]
    survey.refresh_from_db()
    assert (survey.opens, survey.closes, survey.target) == (None, None, None)


def test_a_survey_whose_closing_time_is_past_is_not_published(
    client: Client, survey: Survey
) -> None:
    Survey.objects.update(closes=timezone.now() - HOUR)
    response = client.post(f"/surveys/{survey.slug}/publish/")
    assert response.status_code == 409
    assert "Change or remove the closing time" in response.content.decode()


def everything(owner: object) -> Survey:
    survey = create_draft(
        owner, introduction="Hello\n\n<b>you</b>", contact="Ada", consent="I agree.", language="de"
    )
    add_yes_no(survey, help="Really?", section="Work", anchor=0.246)
    add_choice(survey, decline=True)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    add_background(survey)
    survey.questions.create(
        key="age", position=9, kind="number", text="How old?", minimum=-5, maximum=99
    )
    return survey


def frozen(survey: Survey) -> dict:
    content = json.loads(build_definition(survey).content)
    del content["survey"]
    return content


def test_a_survey_survives_the_way_through_a_file(client: Client) -> None:
    ada = create_researcher()
    client.force_login(ada)
    survey = everything(ada)
    text = client.get(f"/surveys/{survey.slug}/survey.json").content.decode()
    assert client.post("/surveys/import/", {"text": text}).status_code == 302
    back = Survey.objects.exclude(pk=survey.pk).get()
    assert frozen(back) == frozen(survey)
    assert survey_file.write(back) == survey_file.write(survey)
    assert back.slug != survey.slug


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1, column 1: this is not valid JSON"),
        ('{"candor": 1,\n "title": }', "Line 2, column 11: this is not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "This is not a survey file"),
        ('{"candor": 7}', "This is not a survey file"),
        ('{"candor": 1}', "The survey, title: The title is empty"),
        ('{"candor": 1, "title": "A", "colour": "red"}', "“colour” is not a known field"),
        ('{"candor": 1, "title": 5}', "The survey, title: must be text"),
        ('{"candor": 1, "title": "A", "questions": {}}', "must be a list"),
        ('{"candor": 1, "title": "A", "questions": [5]}', "Question 1: must be an object"),
        (
            '{"candor": 1, "title": "A", "questions": [{"kind": "essay", "text": "?"}]}',
            "Question 1, kind: Choose",
        ),
        (
            '{"candor": 1, "title": "A", "questions": [{"kind": "yes-no", "text": "?", "design": "x"}]}',
            "1, design",
        ),
        (
            '{"candor": 1, "title": "A", "questions": [{"choices": "ab"}]}',
            "choices: must be a list",
        ),
    ],
)
def test_a_file_that_is_no_survey_is_named_line_by_line(
    client: Client, text: str, message: str
) -> None:
    client.force_login(create_researcher())
    response = client.post("/surveys/import/", {"text": text})
    assert response.status_code == 422
    assert message in response.content.decode()
    assert not Survey.objects.exists()


def test_every_wrong_question_of_a_file_is_named(client: Client) -> None:
    client.force_login(create_researcher())
    wrong = {"kind": "yes-no", "design": "balanced", "text": ""}
    text = json.dumps(
        {"candor": 1, "title": "A", "questions": [wrong, wrong | {"text": "Good?"}, wrong]}
    )
    page = client.post("/surveys/import/", {"text": text}).content.decode()
    assert "Question 1, text" in page
    assert "Question 3, text" in page
    assert "Question 2" not in page


def test_a_new_version_names_its_predecessor_and_keeps_the_team(
    client: Client, survey: Survey
) -> None:
    survey.memberships.create(user=create_researcher("grace"), role="editor")
    assert client.post(f"/surveys/{survey.slug}/version/").status_code == 409
    publish_survey(survey)
    client.post(f"/surveys/{survey.slug}/version/")
    fresh = Survey.objects.get(predecessor=survey)
    assert fresh.is_draft
    assert fresh.slug != survey.slug
    assert fresh.memberships.get().user.username == "grace"
    assert frozen(fresh) == frozen(survey) | {"series": survey.slug}
    page = client.get(f"/surveys/{fresh.slug}/").content.decode()
    assert "ε = 2.20" in page  # of both versions together
    assert "Then one answer alone: guessed right at most 90 times in 100." in page
    assert "1 other version of it" in page


def test_a_copy_is_ones_own_and_belongs_to_nothing(client: Client, survey: Survey) -> None:
    client.post(f"/surveys/{survey.slug}/duplicate/")
    copy = Survey.objects.get(title="A survey (copy)")
    assert (copy.owner, copy.predecessor, copy.questions.count()) == (survey.owner, None, 1)
