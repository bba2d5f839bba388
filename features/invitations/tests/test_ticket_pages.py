"""The pages on which invited people take a ticket and answer with it, as the server hands them out."""

import hashlib
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from features.invitations.links import hash_in_short
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import close, pause
from surveys.fieldwork.tickets.invitees import Row, invite
from surveys.models import Event, Fetched, Survey
from tests.factories import surveys
from tests.operation.test_respondent_headers import HEADERS, POLICY, directives

pytestmark = pytest.mark.django_db
GIVEN, GONE = 'id="take"', "No more tickets are given out"


def invited(steps: str = "two", people: int = 20, **more: object) -> Survey:
    """Published, with people who are invited; in two steps it opens tomorrow."""
    opens = timezone.now() + timedelta(days=1) if steps == "two" else None
    survey = surveys.create_draft(title="Only you", **({"tickets": steps, "opens": opens} | more))
    surveys.add_yes_no(survey)
    surveys.add_background(survey)
    surveys.publish_survey(survey)
    invite(survey, [Row(f"p{number}") for number in range(people)])
    return Survey.objects.get(pk=survey.pk)


def get(survey: Survey, where: str = "i") -> str:
    response = Client().get(f"/{where}/{survey.slug}/")
    assert response.status_code == 200
    return response.content.decode()


def test_it_carries_the_key_and_the_hash_and_no_question_before_answers_open() -> None:
    survey = invited()
    frozen = parse_instrument(survey.instrument)
    text = get(survey)
    assert f'data-key="{frozen.tickets.n}"' in text
    assert f'data-sha256="{frozen.sha256}"' in text
    assert hash_in_short(survey) in text  # as letters have it
    assert "About tax?" not in text
    assert 'id="instrument"' not in text
    assert GIVEN in text


def test_the_page_is_sealed_off_as_all_pages_of_respondents_and_the_same_for_everybody() -> None:
    """1, 2, 3 and 4. And looking at it does nothing, so a scanner of mails that does takes no ticket."""
    survey = invited()
    before = (Fetched.objects.count(), Event.objects.count())
    stranger = Client().get(f"/i/{survey.slug}/")
    known = Client(
        headers={"user-agent": "Scanner/1.0", "accept-language": "ar"}, REMOTE_ADDR="203.0.113.9"
    )
    known.force_login(survey.owner)
    again = known.get(f"/i/{survey.slug}/", {"utm": "mail"})
    assert (again.content, again.headers) == (stranger.content, stranger.headers)
    assert (Fetched.objects.count(), Event.objects.count()) == before
    assert {name: stranger[name] for name in HEADERS} == HEADERS
    policy = directives(stranger["Content-Security-Policy"])
    for name in ("script-src", "style-src"):
        assert policy.pop(name).startswith("'sha256-")
    assert policy == POLICY | {"frame-ancestors": "'none'"}
    assert not stranger.cookies
    assert Client().post(f"/i/{survey.slug}/").status_code == 405


def test_there_is_none_where_anybody_can_answer_and_where_nothing_is_published() -> None:
    draft = surveys.create_draft(tickets="one")
    open_to_all = surveys.create_published(draft.owner).survey
    for address in (draft.slug, open_to_all.slug, "nobodyknows", "nobody/knows"):
        response = Client().get(f"/i/{address}/")
        assert response.status_code == 404
        assert {name: response[name] for name in HEADERS} == HEADERS


def test_in_two_steps_tickets_end_when_answers_open() -> None:
    survey = invited("two")
    assert f'<time datetime="{survey.opens:%Y-%m-%dT%H:%MZ}">' in get(survey)
    assert f'href="/i/{survey.slug}/"' in get(survey, "s")  # not open yet: tickets first
    Survey.objects.filter(pk=survey.pk).update(opens=timezone.now() - timedelta(hours=1))
    assert GONE in get(survey)
    assert GIVEN not in get(survey)


def test_in_one_step_tickets_are_given_out_as_long_as_answers_are_taken() -> None:
    survey = invited("one")
    assert GIVEN in get(survey)
    assert "could work out which answers are yours" in get(survey)
    page = get(survey, "s")
    assert "You need a ticket" in page
    assert f'href="/i/{survey.slug}/"' in page
    pause(survey)
    assert GONE in get(survey)
    Survey.objects.filter(pk=survey.pk).update(status=Survey.Status.OPEN)
    close(survey)
    assert GONE in get(survey)


def test_in_one_step_it_says_what_the_operator_could_match_and_so_does_the_page_for_inviting() -> (
    None
):
    matched = "this site’s operator could also match your ticket with your answers until others have answered"
    one = invited("one")
    assert matched in get(one)
    assert matched not in get(invited("two"))
    browser = Client()
    browser.force_login(one.owner)
    page = browser.get(f"/surveys/{one.slug}/invite/").content.decode()
    assert "could match a ticket with its answers until others have answered" in page


def test_a_survey_that_is_open_to_all_says_nothing_of_tickets() -> None:
    text = get(surveys.create_published().survey, "s")
    assert "ticket" not in re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.DOTALL).lower()


def test_the_surveys_page_has_a_sentence_for_each_thing_that_can_be_wrong_with_a_ticket() -> None:
    """And says of none that a repeated message may be counted twice, or that people could answer again."""
    tickets, all_comers = (
        get(invited("one"), "s"),
        get(surveys.create_published(surveys.create_researcher("bob")).survey, "s"),
    )
    for said in (
        "This ticket has been used",
        "If it was not you, someone else used it. Nothing was stored now, and the message was erased here.",
        "We do not know whether your answers arrived",
        "Most likely your answers have arrived, or someone else used your ticket. Nothing is sent again",
        "The server says that the ticket in it is none of this survey",
        "This survey takes no answers now",
    ):
        assert said in tickets
    for said in ("Sending it again could count it twice", "Please answer only once."):
        assert said in all_comers
        assert said not in tickets


def test_a_preview_asks_for_no_ticket() -> None:
    survey = surveys.create_draft(tickets="one")
    surveys.add_yes_no(survey)
    browser = Client()
    browser.force_login(survey.owner)
    text = browser.get(f"/surveys/{survey.slug}/preview/").content.decode()
    assert 'id="intro"' in text
    assert 'id="ticket"' not in text


def test_both_pages_can_be_made_again_by_anybody() -> None:
    """5. From the public questions, with the opening time where the page says it."""
    for steps, more in (("one", {}), ("two", {})):
        survey = invited(steps, **more)
        handed_out = hashlib.sha256(get(survey).encode()).hexdigest()
        out = StringIO()
        call_command("page", survey.slug, stdout=out)
        made = {
            state: sha256
            for sha256, state in (line.split() for line in out.getvalue().splitlines())
        }
        assert made["tickets"] == handed_out
        assert handed_out in Client().get(f"/trust/{survey.slug}/").content.decode()
        Survey.objects.filter(pk=survey.pk).update(status=Survey.Status.PAUSED)
        assert made["no-tickets"] == hashlib.sha256(get(survey).encode()).hexdigest()


@pytest.mark.parametrize("code", ["de", "fr", "es", "ar"])
def test_every_language_of_the_survey_is_there(code: str) -> None:
    survey = surveys.create_draft(title="Only you", tickets="one")
    surveys.add_yes_no(survey)
    surveys.add_translations(survey, code)
    surveys.publish_survey(survey)
    text = get(Survey.objects.get(pk=survey.pk))
    assert f'<template data-language="{code}"' in text
    assert text.count("We see that you took a ticket") == 1
    assert text.count('id="code"') == 2
