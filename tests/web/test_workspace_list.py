"""The list of surveys: how each stands, found, filtered, sorted, versions together; and the archive."""

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from mechanisms.planning import half_width
from mechanisms.planning.channels import Channel
from surveys.authoring.files import survey_file
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import archive, pause, unarchive
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Event, Instrument, Membership, Question, Survey
from surveys.site.errors import Refused
from surveys.templatetags.listing import spoken
from surveys.web.workspace.survey_rows import listing, with_margins
from tests.api.test_reading import client_of
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    post_response,
    publish_survey,
    response_body,
)

pytestmark = pytest.mark.django_db


def asked(owner: User, title: str, **more: object) -> Survey:
    """Published, with one sensitive question."""
    survey = create_draft(owner, title=title, **more)
    add_yes_no(survey)
    publish_survey(survey)
    survey.refresh_from_db()
    return survey


def titles(client: Client, **sent: str) -> list[str]:
    """Of the rows on the page, in their order; older versions are not rows."""
    page = client.get("/surveys/", sent).content.decode()
    return re.findall(r'workspace-surveys__title" href="[^"]*"><bdi>([^<]*)<', page)


def counts(client: Client, **sent: str) -> dict[str, int]:
    page = client.get("/surveys/", sent).content.decode()
    return {
        name: int(n)
        for name, n in re.findall(r">(Active|Open|Drafts|Closed|Archive) (\d+)</a>", page)
    }


def words(page: str) -> str:
    return " ".join(
        re.sub(r"<[^>]*>", " ", re.sub(r"</?(strong|bdi|span)[^>]*>", "", page)).split()
    )


def test_the_list_says_how_each_survey_stands(client: Client, ada: User) -> None:
    survey = create_draft(ada, title="First", project="Taxes", target=400)
    add_yes_no(survey)
    instrument = create_published(ada)
    Survey.objects.filter(pk=instrument.survey_id).update(target=4000)
    add_invented_responses(instrument, 1000)
    Instrument.objects.update(waiting=40)
    said = words(client.get("/surveys/").content.decode())
    assert "First 1 question · project Taxes Draft Target 400, not yet open" in said
    assert "A survey 3 questions Open Almost no protection 1,000 of 4,000 " in said
    assert "Today Owner" in said


def test_the_margin_is_that_of_the_sensitive_question_that_shows_least(ada: User) -> None:
    instrument = create_published(ada)
    Survey.objects.update(target=4000)
    add_invented_responses(instrument, 1000)
    (row,) = with_margins(listing(ada).rows)
    channels = [
        Channel.of(item.mechanism) for item in parse_instrument(instrument).items if item.mechanism
    ]
    assert len(channels) == 2
    assert row.now == pytest.approx(max(float(half_width(channel, 1000)) for channel in channels))
    assert row.at_target == pytest.approx(
        max(float(half_width(channel, 4000)) for channel in channels)
    )


@pytest.mark.parametrize(
    ("target", "n", "message"),
    [
        (None, 0, "Open 0 Today"),
        (4000, 0, "±3.1 at the target"),
        (None, 1000, "±6.2 now"),
        (4000, 1000, "±6.2 now, ±3.1 at the target"),
        (1000, 4000, "±3.1 now, target reached"),
        (None, 10, "nothing known now"),
    ],
)
def test_what_is_known_is_said_now_and_at_the_target(
    client: Client, ada: User, target: int | None, n: int, message: str
) -> None:
    survey = asked(ada, "Taxes", target=target)
    add_invented_responses(survey.instrument, n)
    assert message in words(client.get("/surveys/").content.decode())


def test_of_a_closed_survey_what_was_reached_is_said(client: Client, ada: User) -> None:
    survey = asked(ada, "Taxes", target=4000)
    add_invented_responses(survey.instrument, 1000)
    close_survey(survey)
    assert "1,000 of 4,000 ±6.2 reached" in words(client.get("/surveys/").content.decode())


def test_a_survey_of_background_questions_has_no_margin(ada: User) -> None:
    survey = create_draft(ada, target=400)
    add_background(survey)
    add_invented_responses(publish_survey(survey), 100)
    (row,) = with_margins(listing(ada).rows)
    assert (row.released, row.now, row.at_target) == (100, None, None)


def test_nothing_is_said_of_what_waits_and_of_a_release_the_day(client: Client, ada: User) -> None:
    """Answers between two releases are not counted, however many there are."""
    instrument = create_published(ada)
    for _ in range(25):
        assert post_response(instrument, response_body(instrument)).status_code == 201
    (row,) = listing(ada).rows
    assert (row.released, instrument.released_on) == (0, None)
    before = words(client.get("/surveys/").content.decode())
    assert "Open Almost no protection 0" in before
    Instrument.objects.update(waiting=20)
    assert words(client.get("/surveys/").content.decode()) == before
    close_survey(instrument.survey)
    assert listing(ada).rows[0].released == 25
    assert Instrument.objects.get().released_on == timezone.now().date()


def test_the_bar_ends_at_the_target(ada: User) -> None:
    survey = asked(ada, "Taxes", target=100)
    add_invented_responses(survey.instrument, 50)
    Instrument.objects.update(waiting=200)
    assert listing(ada).rows[0].progress == 50
    add_invented_responses(Instrument.objects.get(), 100)
    assert listing(ada).rows[0].progress == 100


def test_the_day_is_that_of_the_last_release_or_edit(ada: User) -> None:
    survey = create_draft(ada)
    (row,) = listing(ada).rows
    assert row.changed is None  # made by hand, without history
    add_yes_no(survey)
    publish_survey(survey, ada)
    assert listing(ada).rows[0].changed == timezone.localdate()
    later = timezone.localdate() + timedelta(days=3)
    Instrument.objects.update(released_on=later)
    assert listing(ada).rows[0].changed == later


def test_a_download_is_no_edit(ada: User) -> None:
    Event.objects.create(survey=create_draft(ada), name="ada", what=Event.What.EXPORTED)
    assert listing(ada).rows[0].changed is None


def test_days_are_spoken() -> None:
    today = timezone.localdate()
    assert [spoken(today), spoken(today - timedelta(days=1))] == ["Today", "Yesterday"]
    assert spoken(date(2001, 7, 2)) == "2 July 2001"
    assert (
        not spoken(today - timedelta(days=2)).endswith(str(today.year))
        or today.timetuple().tm_yday < 3
    )


def test_the_list_is_searched_in_titles_and_questions(client: Client, ada: User) -> None:
    question = add_yes_no(create_draft(ada, title="Income"))
    Question.objects.filter(pk=question.pk).update(text="Did you ever <cheat>?")
    create_draft(ada, title="Bribery")
    create_draft(create_researcher("eve"), title="Bribery of Eve")
    assert titles(client, search="brib") == ["Bribery"]
    assert titles(client, search=" EVER <cheat> ") == ["Income"]
    assert counts(client, search="brib")["Drafts"] == 1
    page = client.get("/surveys/", {"search": "<nothing>"}).content.decode()
    assert "No survey has “<bdi>&lt;nothing&gt;</bdi>”" in page
    assert 'value="&lt;nothing&gt;"' in page
    assert (
        client.get(
            "/surveys/", {"search": "a\x00b" * 200, "page": "x", "sort": "x", "state": "x"}
        ).status_code
        == 200
    )


def test_the_list_is_filtered_by_state_with_counts(client: Client, ada: User) -> None:
    create_draft(ada, title="Draft")
    asked(ada, "Open")
    pause(asked(ada, "Paused"))
    closed, archived = asked(ada, "Closed"), asked(ada, "Archived")
    for survey in (closed, archived):
        close_survey(survey)
    archive(archived, ada)
    assert counts(client) == {"Active": 4, "Open": 2, "Drafts": 1, "Closed": 1, "Archive": 1}
    assert set(titles(client)) == {"Draft", "Open", "Paused", "Closed"}
    assert set(titles(client, state="open")) == {"Open", "Paused"}
    assert titles(client, state="closed") == ["Closed"]
    assert titles(client, state="archive") == ["Archived"]
    reopen_survey(closed)
    assert "No surveys here." in client.get("/surveys/", {"state": "closed"}).content.decode()


def test_the_list_is_sorted_by_links(client: Client, ada: User) -> None:
    for title, n in (("beta", 20), ("Alpha", 60), ("gamma", 40)):
        add_invented_responses(asked(ada, title).instrument, n)
    assert titles(client, sort="title") == ["Alpha", "beta", "gamma"]
    assert titles(client, sort="-title") == ["gamma", "beta", "Alpha"]
    assert titles(client, sort="-responses") == ["Alpha", "gamma", "beta"]
    page = client.get(
        "/surveys/", {"sort": "title", "state": "open", "search": "a"}
    ).content.decode()
    assert re.search(
        r'href="\?sort=-title&amp;state=open&amp;search=a" aria-current="true">Survey', page
    )
    assert page.count("aria-sort") == 1
    for sort in ("state", "changed", "role", "-role"):
        assert len(titles(client, sort=sort)) == 3


def test_versions_of_one_series_stand_together(client: Client, ada: User) -> None:
    first = asked(ada, "Taxes")
    asked(ada, "Bribes")
    second = survey_file.new_version(first, ada)
    assert titles(client, sort="title") == ["Bribes", "Taxes"]
    page = client.get("/surveys/").content.decode()
    assert "version 2 of 2" in words(page)
    assert "1 older version of Taxes" in words(page)
    assert page.index(f"/surveys/{second.slug}/") < page.index(f"/surveys/{first.slug}/")
    assert counts(client) == {"Active": 3, "Open": 2, "Drafts": 1, "Closed": 0, "Archive": 0}
    assert "version 1 of 2" in words(client.get("/surveys/", {"state": "open"}).content.decode())


def test_a_version_that_is_not_theirs_to_see_is_not_given_away(client: Client) -> None:
    eve, grace = create_researcher("eve"), create_researcher("grace")
    first = asked(eve, "Eve’s secret")
    second = survey_file.new_version(first, eve)
    Survey.objects.filter(pk=second.pk).update(title="Shared")
    Membership.objects.create(survey=second, user=grace, role="analyst")
    client.force_login(grace)
    page = client.get("/surveys/").content.decode()
    assert "secret" not in page
    assert "version" not in words(page)
    assert "Analyst" in page


def test_long_lists_have_pages(client: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surveys.web.workspace.survey_list.A_PAGE", 2)
    for number in range(5):
        create_draft(ada, title=f"Survey {number}")
    assert titles(client, sort="title", page="2") == ["Survey 2", "Survey 3"]
    page = client.get("/surveys/", {"sort": "title", "page": "2"}).content.decode()
    assert "3 to 4 of 5 surveys" in page
    assert 'rel="next" href="?sort=title&amp;page=3"' in page
    assert titles(client, sort="title", page="99") == ["Survey 4"]


def test_a_closed_survey_goes_into_the_archive_and_comes_back(client: Client, ada: User) -> None:
    survey = asked(ada, "Taxes")
    at = f"/surveys/{survey.slug}/"
    assert client.post(f"{at}archive/").status_code == 409
    assert "Only a closed survey can be archived" in client.post(f"{at}archive/").content.decode()
    close_survey(survey)
    assert f'action="{at}archive/"' in client.get(f"{at}settings/").content.decode()
    for _ in range(2):  # once more changes nothing
        assert client.post(f"{at}archive/").status_code == 302
    page = client.get(f"{at}settings/").content.decode()
    assert '<span class="chip">Archive</span>' in page
    assert f'action="{at}unarchive/"' in page
    client.get(f"{at}unarchive/")
    survey.refresh_from_db()
    assert survey.archived
    client.post(f"{at}unarchive/")
    client.post(f"{at}unarchive/")
    survey.refresh_from_db()
    assert not survey.archived
    said = list(survey.events.order_by("pk").values_list("what", flat=True))
    assert said[-2:] == ["archived", "unarchived"]
    assert said.count("archived") == 1


def test_what_takes_responses_again_leaves_the_archive(ada: User) -> None:
    survey = asked(ada, "Taxes")
    close_survey(survey)
    archive(survey)
    reopen_survey(survey)
    assert not Survey.objects.get().archived
    past = timezone.now().replace(second=0, microsecond=0) - timedelta(days=1)
    Survey.objects.update(closes=past, archived=True)
    set_schedule(survey=survey, target="400", closes=f"{past:%Y-%m-%dT%H:%M}")
    assert Survey.objects.get().archived  # it is over all the same
    set_schedule(survey=survey)
    assert not Survey.objects.get().archived
    with pytest.raises(Refused):
        archive(survey)


def test_programs_archive_and_ask_for_what_is_archived(ada: User) -> None:
    program, survey = client_of(ada), asked(ada, "Taxes")
    asked(ada, "Bribes")
    at = f"/api/v1/surveys/{survey.slug}/"
    assert program.post(f"{at}archive/").status_code == 409
    close_survey(survey)
    assert program.post(f"{at}archive/").json()["archived"] is True
    assert program.post(f"{at}archive/").status_code == 200

    def found(asked: str) -> list[str]:
        return [
            each["title"] for each in program.get(f"/api/v1/surveys/?{asked}").json()["results"]
        ]

    assert (found("archived=true"), found("archived=false")) == (["Taxes"], ["Bribes"])
    assert found("search=about%20tax") == ["Bribes", "Taxes"]
    assert program.get("/api/v1/surveys/?archived=1").status_code == 400
    assert program.post(f"{at}unarchive/").json()["archived"] is False
    unarchive(survey)
    assert Event.objects.filter(what="unarchived").count() == 1
