"""Times are shown and typed in the zone of the account, which is named beside them; files and programs have UTC."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client

from surveys.accounts.team import invite
from surveys.accounts.time_zones import choose_zone
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Survey
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey
from tests.helpers.html_forms import Form, errors
from tests.helpers.source_files import template_files

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def survey(client: Client) -> Survey:
    """Ada's survey, who lives in Berlin and is logged in."""
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    choose_zone(survey.owner, "Europe/Berlin")
    client.force_login(survey.owner)
    return survey


def at(survey: Survey, part: str = "") -> str:
    return f"/surveys/{survey.slug}/{part}"


def stored(survey: Survey) -> str:
    survey.refresh_from_db()
    return f"{survey.opens.astimezone(UTC):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("typed", "utc"), [("2030-01-15T14:30", "13:30"), ("2030-07-15T14:30", "12:30")]
)
def test_a_time_is_typed_and_comes_back_in_the_own_zone(
    client: Client, survey: Survey, typed: str, utc: str
) -> None:
    assert (
        client.post(at(survey, "settings/"), {"part": "dates", "opens": typed}).status_code == 302
    )
    assert stored(survey) == f"{typed[:10]} {utc}"
    page = client.get(at(survey, "settings/"))
    assert Form(page).values["opens"] == typed
    assert page.content.decode().count("Europe/Berlin") >= 3  # at both fields, and beside them
    shown = f"opens {typed[:10]} {utc} UTC"
    assert (
        shown in client.get(at(survey, "settings/")).content.decode()
    )  # what is kept is the same for everybody
    assert (
        client.post(at(survey, "settings/"), {"part": "dates", "opens": typed}).status_code == 302
    )
    assert survey.events.filter(what="scheduled").count() == 1


def test_an_hour_that_is_left_out_is_named(client: Client, survey: Survey) -> None:
    response = client.post(at(survey, "settings/"), {"part": "dates", "opens": "2030-03-31T02:30"})
    assert errors(response)["opens"].startswith(
        "No clock in Europe/Berlin shows 02:30 on 2030-03-31"
    )
    assert Form(response).values["opens"] == "2030-03-31T02:30"
    survey.refresh_from_db()
    assert survey.opens is None


def test_an_hour_that_comes_twice_is_named(client: Client, survey: Survey) -> None:
    response = client.post(at(survey, "settings/"), {"part": "dates", "closes": "2030-10-27T02:30"})
    assert errors(response)["closes"].startswith(
        "Clocks in Europe/Berlin show 02:30 twice on 2030-10-27"
    )


@pytest.mark.parametrize("hour", [0, 1])
def test_such_a_time_from_a_program_stays_and_is_told_apart(
    client: Client, survey: Survey, hour: int
) -> None:
    set_schedule(survey=survey, opens=f"2030-10-27T0{hour}:30")
    publish_survey(survey)
    typed = Form(client.get(at(survey, "settings/"))).values
    assert typed["opens"] == "2030-10-27T02:30"
    sent = {"opens": typed["opens"], "target": "9"}
    assert client.post(at(survey, "settings/"), sent | {"part": "dates"}).status_code == 302
    assert stored(survey) == f"2030-10-27 0{hour}:30"
    offset = "+0200" if hour == 0 else "+0100"
    assert f"02:30 Europe/Berlin (UTC{offset})" in client.get(at(survey)).content.decode()


def test_a_time_in_the_past_is_said_in_the_own_zone(client: Client, survey: Survey) -> None:
    response = client.post(at(survey, "settings/"), {"part": "dates", "opens": "2020-01-01T10:00"})
    assert "2020-01-01 10:00 is in the past" in errors(response)["opens"]
    assert (
        "in Europe/Berlin"
        in errors(
            client.post(at(survey, "settings/"), {"part": "dates", "opens": "2030-01-01T10:00Z"})
        )["opens"]
    )


def test_pages_name_the_zone_at_each_time(client: Client, survey: Survey) -> None:
    set_schedule(survey=survey, opens="2030-01-01T10:00", closes="2030-07-01T10:00")
    publish_survey(survey)
    invite(survey=survey, by=survey.owner, role="analyst")
    page = client.get(at(survey)).content.decode()
    assert "1 January 2030, 11:00 Europe/Berlin" in page
    assert "1 July 2030, 12:00 Europe/Berlin" in page
    assert 'datetime="2030-07-01T10:00Z"' in page
    assert "1 July 2030, 12:00 Europe/Berlin" in client.get(at(survey, "poster/")).content.decode()
    for part in ("settings/", "people/"):
        shown = client.get(at(survey, part)).content.decode()
        times = re.findall(r"<time [^>]*>[^<]*\d\d:\d\d([^<]*)</time>", shown)
        assert times
        assert set(times) == {" Europe/Berlin"}


def test_each_person_has_a_zone_of_their_own(client: Client, survey: Survey) -> None:
    set_schedule(survey=survey, opens="2030-01-01T10:00")
    grace, other = create_researcher("grace"), Client()
    survey.memberships.create(user=grace, role="editor")
    other.force_login(grace)
    assert Form(other.get(at(survey, "settings/"))).values["opens"] == "2030-01-01T10:00"
    choose_zone(grace, "America/New_York")
    assert Form(other.get(at(survey, "settings/"))).values["opens"] == "2030-01-01T05:00"
    assert Form(client.get(at(survey, "settings/"))).values["opens"] == "2030-01-01T11:00"


def test_programs_have_utc_by_token_and_by_session(client: Client, survey: Survey) -> None:
    set_schedule(survey=survey, opens="2030-01-01T10:00")
    path = f"/api/v1/surveys/{survey.slug}/schedule/"
    program = Client(headers={"Authorization": f"Token {issue_token(survey.owner, 'laptop')}"})
    for each in (client, program):
        assert each.get(path).json()["opens"] == "2030-01-01T10:00:00Z"
    history = client.get(f"/api/v1/surveys/{survey.slug}/history/").json()["results"]
    assert all(event["when"].endswith("Z") for event in history)


def test_respondents_get_the_same_bytes_whoever_asks(client: Client, survey: Survey) -> None:
    opens = datetime.now(UTC) + timedelta(days=1)
    set_schedule(survey=survey, opens=f"{opens:%Y-%m-%dT%H:%M}")
    publish_survey(survey)
    for path in (f"/s/{survey.slug}/", f"/trust/{survey.slug}/"):
        assert client.get(path).content == Client().get(path).content
    assert "Berlin" not in client.get(f"/s/{survey.slug}/").content.decode()


def test_no_page_shows_a_time_without_its_zone() -> None:
    """Respondents' pages have a tag of their own; a day alone may stand as it is."""
    bare = re.compile(r"\|(?:date|time)(?::[\"'][^\"']*[GH]:i|\s*}})")
    others = {"respondent", "admin", "api", "public"}
    pages = [file for file in template_files() if others.isdisjoint(file.parts)]
    found = [file.name for file in pages if bare.search(file.read_text())]
    assert not found
