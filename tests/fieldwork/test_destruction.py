"""A closed survey is destroyed: nothing of it stays but a line that it was."""

import uuid

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from surveys.authoring.files.survey_file import new_version
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import destroy, erase_responses
from surveys.models import (
    Batch,
    Choice,
    Event,
    Held,
    Instrument,
    Membership,
    Question,
    Removal,
    Response,
    Survey,
)
from surveys.site.errors import Invalid, Refused
from surveys.site.removals import Kind
from surveys.web.respondent.submission import load_published as remembered
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.surveys import (
    create_published,
    create_researcher,
    post_response,
    response_body,
)
from tests.helpers.failing_database import failing_statement
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db
# The key of the inbox belongs to the site, as do the ends of runs.
STAYING = ("surveys_event", "surveys_run", "surveys_inboxkey", "surveys_removal")
OF_A_SURVEY = (Survey, Question, Choice, Instrument, Response, Held, Batch, Membership)


@pytest.fixture
def closed() -> Instrument:
    """With responses in the report, held, and their keys still there."""
    instrument = create_published()
    submit_responses(instrument, 45)
    run_next_timer()
    close_survey(instrument.survey)
    Survey.objects.update(status="open")
    submit_responses(instrument, 7, first=90)
    Survey.objects.update(status="closed")
    run_next_timer()
    instrument.survey.memberships.create(user=create_researcher("grace"), role="editor")
    instrument.survey.webhooks.create(url="https://example.org/", name="ada")
    return Instrument.objects.get()


def test_nothing_stays_but_one_line(closed: Instrument) -> None:
    survey = closed.survey
    survey_key, slug, owner = survey.pk, survey.slug, survey.owner
    assert all(model.objects.exists() for model in OF_A_SURVEY)
    destroy(survey, owner, confirm="A survey")
    assert not [model for model in OF_A_SURVEY if model.objects.exists()]
    line = Event.objects.get()
    assert (line.survey, line.what, line.name, line.detail) == (None, "destroyed", "ada", slug)
    removal = Removal.objects.get()
    assert (removal.kind, removal.removed_id) == (Kind.SURVEY, str(survey_key))
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            if table.startswith("surveys_") and table not in STAYING:
                cursor.execute(f'SELECT count(*) FROM "{table}"')
                assert cursor.fetchone() == (0,), table


@pytest.mark.parametrize("typed", ["", "a survey", "Another"])
def test_another_title_destroys_nothing(closed: Instrument, typed: str) -> None:
    with pytest.raises(Invalid, match="not the title"):
        destroy(closed.survey, confirm=typed)
    assert Batch.objects.exists()


@pytest.mark.parametrize("state", ["open", "paused", "draft"])
def test_only_a_closed_survey_is(closed: Instrument, state: str) -> None:
    Survey.objects.update(status=state)
    with pytest.raises(Refused, match="Only a closed survey"):
        destroy(Survey.objects.get(), confirm="A survey")
    assert Batch.objects.exists()


def test_what_respondents_sent_goes_first_and_alone(closed: Instrument) -> None:
    erase_responses(closed)
    assert not [model for model in (Response, Held, Batch) if model.objects.exists()]
    assert Instrument.objects.get().tally["n"] == 45


def test_what_cannot_be_written_down_is_not_destroyed_by_half(closed: Instrument) -> None:
    """The line of history comes last. What respondents sent is gone by then, and the survey can be destroyed again."""
    with failing_statement('INSERT INTO "surveys_event"'):
        destroy(closed.survey, confirm="A survey")
    assert Survey.objects.get().instrument == closed
    assert not Batch.objects.exists()
    destroy(Survey.objects.get(), confirm="A survey")
    assert not Survey.objects.exists()


def test_an_answer_that_comes_later_finds_no_survey(closed: Instrument) -> None:
    sent = response_body(closed)
    assert post_response(closed, sent).status_code == 403
    remembered(closed.survey.slug)  # as a process does that has taken answers
    destroy(closed.survey, confirm="A survey")
    answer = post_response(closed, sent | {"key": str(uuid.uuid4())})
    assert (answer.status_code, answer.json()["type"].split("/")[-1]) == (404, "no-such-survey")
    assert Client().get(f"/s/{closed.survey.slug}/").status_code == 404


def test_a_later_version_stays(closed: Instrument) -> None:
    later = new_version(closed.survey, closed.survey.owner)
    destroy(closed.survey, confirm="A survey")
    later.refresh_from_db()
    assert (later.predecessor, later.questions.count()) == (None, 3)


def test_the_page_asks_for_the_title(client: Client, closed: Instrument) -> None:
    address = f"/surveys/{closed.survey.slug}/destroy/"
    client.force_login(closed.survey.owner)
    assert address in client.get(f"/surveys/{closed.survey.slug}/settings/").content.decode()
    Form(client.get(address))
    wrong = client.post(address, {"title": "Something"})
    assert wrong.status_code == 422
    assert "This is not the title of the survey" in wrong.content.decode()
    assert 'value="Something"' in wrong.content.decode()
    done = client.post(address, {"title": "A survey"}, follow=True)
    assert "“A survey” is deleted permanently." in done.content.decode()
    assert not Survey.objects.exists()


def test_an_open_survey_has_no_such_page(client: Client) -> None:
    survey = create_published().survey
    client.force_login(survey.owner)
    assert client.get(f"/surveys/{survey.slug}/destroy/").status_code == 409
    assert client.post(f"/surveys/{survey.slug}/destroy/", {"title": "A survey"}).status_code == 409
    assert Survey.objects.exists()


def test_a_program_destroys_too(client: Client, closed: Instrument) -> None:
    client.force_login(closed.survey.owner)
    address = f"/api/v1/surveys/{closed.survey.slug}/destroy/"
    for wrong in ({"title": "Something"}, {}, {"title": "A survey", "sure": True}):
        assert client.post(address, wrong, "application/json").status_code == 422
    assert client.post(address, {"title": "A survey"}, "application/json").status_code == 204
    assert client.post(address, {"title": "A survey"}, "application/json").status_code == 404
    assert not Survey.objects.exists()


def test_a_colleague_may_not(client: Client, closed: Instrument) -> None:
    client.force_login(get_user_model().objects.get(username="grace"))
    for address in (
        f"/surveys/{closed.survey.slug}/destroy/",
        f"/api/v1/surveys/{closed.survey.slug}/destroy/",
    ):
        assert client.post(address, {"title": "A survey"}, "application/json").status_code == 403
    assert Batch.objects.exists()


def test_the_operator_helps_where_an_owner_has_left(capsys) -> None:
    survey = create_published().survey
    ada, grace = survey.owner, create_researcher("grace")
    get_user_model().objects.filter(pk=ada.pk).update(is_active=False)
    submit_responses(survey.instrument, 30)
    call_command("transfer", survey.slug, "grace")
    call_command("close", survey.slug)
    survey.refresh_from_db()
    assert (survey.owner, survey.status) == (grace, "closed")
    assert Instrument.objects.get().tally["n"] == 30
    assert [(event.name, event.what) for event in survey.events.all()][:2] == [
        ("the site", "closed"),
        ("the site", "transferred"),
    ]
    call_command("destroy", survey.slug, "--confirm", survey.title)
    assert f"{survey.slug} is deleted permanently." in capsys.readouterr().out
    assert not Survey.objects.exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("transfer", "nowhere", "ada"), "No survey has the slug"),
        (("transfer", "SLUG", "nobody"), "no active account"),
        (("transfer", "SLUG", "ada"), "ada already owns this survey"),
        (("destroy", "SLUG", "--confirm", "A survey"), "Only a closed survey"),
        (("close", "nowhere"), "No survey has the slug"),
    ],
)
def test_commands_say_what_is_wrong(command: tuple[str, ...], said: str) -> None:
    survey = create_published().survey
    with pytest.raises(CommandError, match=said):
        call_command(*(survey.slug if part == "SLUG" else part for part in command))


def test_an_account_in_a_team_can_be_deleted_once_it_owns_nothing(client: Client) -> None:
    survey = create_published().survey
    ada = survey.owner
    client.force_login(create_researcher("olga", is_staff=True, is_superuser=True))
    address = f"/admin/auth/user/{ada.pk}/delete/"
    assert "Cannot delete user" in client.post(address, {"post": "yes"}).content.decode()
    create_researcher("grace")
    call_command("transfer", survey.slug, "grace")
    client.post(address, {"post": "yes"})
    assert not get_user_model().objects.filter(pk=ada.pk).exists()
    assert Survey.objects.get().owner.username == "grace"
