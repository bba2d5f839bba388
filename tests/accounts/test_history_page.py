"""The history as people read it: day by day, in words, with the earlier version where it may be seen."""

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts import history
from surveys.accounts.history import What
from surveys.accounts.history_wording import history_lines
from surveys.authoring.drafts import drafts
from surveys.authoring.files import survey_file
from surveys.models import Event, Membership, Survey
from tests.factories.surveys import add_yes_no, create_draft, create_researcher, publish_survey

pytestmark = pytest.mark.django_db


def read(client: Client, survey: Survey, **sent: str) -> str:
    return client.get(f"/surveys/{survey.slug}/settings/", sent).content.decode()


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_changes_are_said_in_words(ada: User) -> None:
    survey = drafts.create_survey(owner=ada, title="Taxes")
    asked = {"kind": "yes-no", "design": "balanced", "by": ada}
    first = drafts.save_question(survey=survey, text="One?", key="a", **asked)
    drafts.save_question(survey=survey, text="Two?", key="b", **asked)
    drafts.save_question(survey=survey, question=first, text="One?", key="a", **asked)
    drafts.save_question(
        survey=survey, question=first, text="Other?", key="a", help="Think.", **asked
    )
    drafts.move_question(survey=survey, question=first, steps=1, by=ada)
    history.record(
        survey, ada, What.CHANGED, "question a duplicated as q1"
    )  # as earlier versions of the site wrote
    drafts.delete_question(survey=survey, question=first, by=ada)
    drafts.update_settings(survey, {"title": "Taxes"}, ada)
    drafts.update_settings(survey, {"title": "Bribes", "contact": "Ada"}, ada)
    assert [line.words for line in history_lines(survey.events.order_by("pk"), ada)] == [
        "wrote the draft",
        "added question a",
        "added question b",
        "saved question a without a change",
        "changed question a: question, help text",
        "moved question a from place 1 to 2",
        "duplicated question a as q1",
        "deleted question a",
        "saved the texts without a change",
        "changed the draft: title, contact",
    ]
    assert {line.name for line in history_lines(survey.events.all(), ada)} == {"ada"}


def test_other_steps_keep_their_detail(ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    instrument = publish_survey(survey, ada)
    (line,) = history_lines(survey.events.all(), ada)
    assert (line.words, line.detail) == ("published it:", instrument.sha256)


def test_the_history_is_told_day_by_day_newest_first(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = create_draft(ada)
    for day, what in ((1, What.PUBLISHED), (2, What.PAUSED), (2, What.CLOSED)):
        when = datetime(2026, 11, day, 12, tzinfo=UTC)
        monkeypatch.setattr("django.utils.timezone.now", lambda when=when: when)
        Event.objects.create(survey=survey, name="ada <b>", what=what)
    monkeypatch.undo()
    page = read(client, survey)
    assert re.findall("<caption>(.*?)</caption>", page) == [
        "Monday, 2 November 2026",
        "Sunday, 1 November 2026",
    ]
    assert page.count("<table") == page.count("</table>") == 2
    assert re.search(
        "12:00 UTC ada &lt;b&gt; closed it 12:00 UTC ada &lt;b&gt; paused it Sunday", words(page)
    )


def test_a_long_history_has_pages(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surveys.web.workspace.settings.EVENTS", 2)
    survey = create_draft(ada)
    for number in range(5):
        Event.objects.create(
            survey=survey, name="ada", what=What.IMPORTED, detail=f"{number} responses"
        )
    latest, every = read(client, survey).split("All 5 entries")
    assert (
        re.findall(r"\d responses", latest)
        == re.findall(r"\d responses", every)
        == ["4 responses", "3 responses"]
    )
    page = read(client, survey, page="3")
    assert re.findall(r"\d responses", page) == ["0 responses"]
    assert "5 to 5 of 5 lines" in page
    assert 'href="?page=2#history"' in page
    assert "Nothing yet." in read(client, create_draft(ada))


def test_the_earlier_version_is_linked_for_whoever_may_see_it(client: Client, ada: User) -> None:
    first = create_draft(ada, title="The first <one>")
    add_yes_no(first)
    publish_survey(first)
    second = survey_file.new_version(first, ada)
    Survey.objects.filter(pk=second.pk).update(title="Second")
    link = f'<a href="/surveys/{first.slug}/"><bdi>The first &lt;one&gt;</bdi></a>'
    at = f"/surveys/{second.slug}/"
    assert link in read(client, second)
    assert link in client.get(at).content.decode()
    publish_survey(second)
    assert link in client.get(at).content.decode()
    grace = create_researcher("grace")
    Membership.objects.create(survey=second, user=grace, role="analyst")
    client.force_login(grace)
    for page in (read(client, second), client.get(at).content.decode()):
        assert "The first" not in page
        assert first.slug in page
        assert f"/surveys/{first.slug}/" not in page
