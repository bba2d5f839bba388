"""What the overview says of counts: the last update and the next one, and the same whatever has come since."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.fieldwork.responses.updates import Updates, update_times
from surveys.models import Instrument, Survey
from tests.factories.inbox import submit_responses
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published, create_researcher

pytestmark = pytest.mark.django_db
NOW = datetime(2030, 3, 5, 16, 20, tzinfo=UTC)


@pytest.fixture
def ada(monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return create_researcher("ada")


def said(instrument: Instrument) -> str:
    client = Client()
    client.force_login(instrument.survey.owner)
    page = client.get(f"/surveys/{instrument.survey.slug}/").content.decode()
    return " ".join(
        re.sub(
            r"<[^>]+>",
            "",
            page.partition('<section class="card" aria-label="Responses">')[2].partition(
                "</section>"
            )[0],
        ).split()
    )


def test_before_the_first_results_no_number_is_said_whatever_came(ada: User) -> None:
    instrument = create_published(ada)
    before = said(instrument)
    assert before == (
        "No results yet. Results appear from 40 responses, at the next update today at 17:00. This page does not show "
        "how many people have answered."
    )
    submit_responses(instrument, 39)
    assert said(instrument) == before
    Survey.objects.update(target=100)
    assert said(instrument) == before


def test_with_results_the_last_update_and_the_next_are_said(ada: User) -> None:
    instrument = create_published(ada)
    add_invented_responses(instrument, 240)
    Survey.objects.update(target=1000)
    Instrument.objects.update(looked=NOW.replace(minute=0))
    before = said(instrument)
    assert before.startswith("240 responses, of a target of 1,000")
    assert "Last update today at 16:00. Next update today at 17:00." in before
    submit_responses(instrument, 19)
    assert said(instrument) == before
    Instrument.objects.update(looked=NOW.replace(minute=0) - timedelta(days=1))
    assert "Last update yesterday at 16:00. Next update today at 17:00." in said(instrument)
    Instrument.objects.update(looked=NOW.replace(minute=0) - timedelta(days=3))
    assert "Last update on 2 March 2030 at 16:00." in said(instrument)


def test_there_is_no_next_update_of_what_is_over_or_shown_after_closing(ada: User) -> None:
    instrument = create_published(ada)
    assert update_times(instrument.survey) == Updates(0, None, NOW.replace(hour=17, minute=0))
    Survey.objects.update(results_after_closing=True)
    assert update_times(Survey.objects.get()) == Updates(0, None, None)
    assert said(instrument).startswith("Results appear after closing, from 20 responses.")
    Survey.objects.update(results_after_closing=False, status="closed")
    assert (
        said(instrument)
        == "0 responses are in the report. If fewer than 20 came last, they stay hidden."
    )


def test_the_questions_have_a_page_with_short_names_and_the_hashes(ada: User) -> None:
    instrument, client = create_published(ada), Client()
    client.force_login(ada)
    at = f"/surveys/{instrument.survey.slug}/"
    assert instrument.sha256 not in client.get(at).content.decode()
    page = client.get(f"{at}questions/").content.decode()
    assert instrument.sha256 in page
    assert re.search(r'<h3 class="row__name" dir="auto">\w+</h3>', page)
    assert 'href="/trust/' in page
