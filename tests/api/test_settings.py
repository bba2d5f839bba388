"""Logo, colours, tickets, day of deletion and target in a survey's object: sent, left out, wrong, refused."""

import base64
import json
from typing import Any

import pytest
from django.test import Client

from surveys.accounts.tokens import issue_token
from surveys.authoring.drafts.drafts import create_survey, save_question, update_settings
from surveys.authoring.drafts.logo import LARGEST
from surveys.authoring.files.survey_file import duplicate
from surveys.definition import fields
from surveys.fieldwork.schedule import set_schedule
from surveys.fieldwork.tickets.invitees import Row, invite
from surveys.models import Event, Logo, Membership, Survey
from tests.api.test_reading import client_of
from tests.factories import images
from tests.factories.surveys import create_researcher, publish_survey
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db
LIST = "/api/v1/surveys/"
BESIDE = ("logo", "accent", "accent_dark", "delete_on", "tickets", "target")
NONE = {
    "logo": None,
    "accent": "",
    "accent_dark": "",
    "delete_on": None,
    "tickets": "",
    "target": None,
}


@pytest.fixture
def survey() -> Survey:
    survey = create_survey(owner=create_researcher(), title="Work")
    save_question(
        survey=survey,
        kind="yes-no",
        text="Tax?",
        key="tax",
        design="warner",
        parameters={"p": "3/4"},
    )
    colours = {"accent": "#7a1f3d", "accent_dark": "#ff9fb8"}
    update_settings(survey, {"sender": "Institute", "logo": images.create_png(), **colours})
    update_settings(survey, {"delete_on": "2099-01-31"})
    update_settings(survey, {"tickets": "one"})
    return set_schedule(survey=survey, target="321")


def send(
    client: Client, method: str, path: str, data: object, **headers: str
) -> tuple[int, dict[str, Any]]:
    answer = getattr(client, method)(
        path, json.dumps(data), content_type="application/json", headers=headers
    )
    return answer.status_code, answer.json()


def at(survey: Survey) -> str:
    return f"{LIST}{survey.slug}/"


def beside(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: shown[name] for name in BESIDE}


def coded(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


def test_one_survey_shows_them_and_lists_never_hold_the_logo(survey: Survey) -> None:
    client = client_of(survey.owner)
    assert beside(client.get(at(survey)).json()) == {
        "logo": coded(Logo.objects.get().png),
        "accent": "#7a1f3d",
        "accent_dark": "#ff9fb8",
        "delete_on": "2099-01-31",
        "tickets": "one",
        "target": 321,
    }
    assert client.head(at(survey)).content == b""
    assert "logo" not in client.get(LIST).json()["results"][0]
    blank = create_survey(owner=survey.owner, title="Blank")
    assert beside(client.get(at(blank)).json()) == NONE


def test_what_is_not_sent_stays_and_what_is_sent_empty_goes(survey: Survey) -> None:
    client = client_of(survey.owner)
    before = beside(client.get(at(survey)).json())
    for method in ("put", "patch"):
        status, shown = send(client, method, at(survey), {"title": "Other"})
        assert (status, beside(shown)) == (200, before)
    status, shown = send(client, "patch", at(survey), NONE)
    assert (status, beside(shown)) == (200, NONE)
    assert not Logo.objects.exists()


def test_put_starts_anew_but_for_what_stays_and_patch_leaves_the_rest(survey: Survey) -> None:
    """By the rows: what a PUT does not send is as a new survey has it, unless its row says that it stays."""
    client = client_of(survey.owner)
    blank = client.get(at(create_survey(owner=survey.owner, title="Blank"))).json()
    texts = {
        "consent": "Yes",
        "help_lines": "Help",
        "project": "P",
        "purpose": "To know.",
        "comprehension": True,
    }
    status, before = send(client, "patch", at(survey), texts)
    assert (status, {name: before[name] for name in texts}) == (200, texts)
    status, after = send(client, "put", at(survey), {"title": "Work"})
    stays = fields.names(Survey, stays=True)
    assert (status, "sender" in stays) == (200, True)
    assert {name: after[name] for name in stays} == {name: before[name] for name in stays}
    others = {*fields.names(Survey)} - {*stays, "title"}
    assert {name: after[name] for name in others} == {name: blank[name] for name in others}


def test_of_a_text_patch_changes_the_languages_that_it_sends(survey: Survey) -> None:
    client = client_of(survey.owner)
    both = {"languages": ["en", "de"], "title": {"en": "Work", "de": "Arbeit"}}
    assert send(client, "put", at(survey), both)[0] == 200
    for sent, title in (
        ({"de": "Beruf"}, {"en": "Work", "de": "Beruf"}),
        ({"en": "Jobs"}, {"en": "Jobs", "de": "Beruf"}),
        ("Labour", {"en": "Labour", "de": "Beruf"}),
    ):
        status, shown = send(client, "patch", at(survey), {"title": sent})
        assert (status, shown["title"], shown["languages"]) == (200, title, ["en", "de"])
    status, problem = send(client, "put", at(survey), both | {"title": {"de": "Arbeit"}})
    assert (status, [*problem["errors"]]) == (422, ["title"])
    assert "lacks the first language" in problem["errors"]["title"]


def test_the_history_names_what_changed_and_nothing_where_nothing_did(survey: Survey) -> None:
    client = client_of(survey.owner)
    shown = client.get(at(survey)).json()
    known = list(Event.objects.values_list("pk", flat=True))
    whole = {name: shown[name] for name in ("title", "sender", *BESIDE)}
    status, again = send(client, "put", at(survey), whole)
    assert (status, again["edition"]) == (200, shown["edition"] + 1)
    assert [event.detail for event in Event.objects.exclude(pk__in=known)] == ["nothing"]
    changes = {"tickets": "two", "accent_dark": "#ffffff", "target": 400, "delete_on": "2098-01-31"}
    assert send(client, "put", at(survey), whole | changes)[0] == 200
    details = ", ".join(event.detail for event in Event.objects.exclude(pk__in=known)).split(", ")
    assert {*details} == {
        "nothing",
        "who can answer",
        "colour of links and buttons on dark screens",
        "responses wanted",
        "day on which all responses are deleted",
    }


WRONG = [
    ({"logo": "%%%"}, "logo", "base64"),
    ({"logo": 5}, "logo", "Send text"),
    ({"logo": coded(images.SVG)}, "logo", "This is an SVG"),
    (
        {"logo": coded(b"\0" * (LARGEST + 1))},
        "logo",
        "too large: it can have at most 1,000,000 bytes",
    ),
    ({"logo": coded(images.create_png()), "sender": ""}, "sender", "Add the name of the sender"),
    ({"accent": "#fc0"}, "accent", "nearest colour"),
    ({"accent": "a light kind of blue"}, "accent", "six digits"),
    ({"accent": "", "accent_dark": "#ff9fb8"}, "accent_dark", "light screens too"),
    ({"tickets": "three"}, "tickets", "is not one of"),
    ({"tickets": None}, "tickets", "null"),
    ({"delete_on": "soon"}, "delete_on", "Send a day"),
    ({"delete_on": "9999-01-01"}, "delete_on", "too far away"),
    ({"target": 0}, "target", "at least 1"),
    ({"target": 10_000_001}, "target", "at most 10000000"),
    ({"target": "321"}, "target", "whole number"),
]


@pytest.mark.parametrize(("wrong", "place", "said"), WRONG)
def test_what_is_wrong_is_named_at_its_field_and_nothing_is_stored(
    wrong: dict, place: str, said: str
) -> None:
    owner = create_researcher()
    client, data = client_of(owner), {"title": "Work", "sender": "We", "tickets": "one"} | wrong
    draft = create_survey(owner=owner, title="There before")
    stored = Survey.objects.values().get()
    for method, path in (("post", LIST), ("put", at(draft)), ("patch", at(draft))):
        status, problem = send(client, method, path, data)
        assert (status, problem["type"]) == (422, "/problems/invalid")
        assert [*problem["errors"]] == [place]
        assert said in problem["errors"][place]
        assert Survey.objects.values().get() == stored
        assert not Logo.objects.exists()


def test_a_logo_and_a_colour_are_refused_in_the_words_of_the_page(survey: Survey) -> None:
    page = Client()
    page.force_login(survey.owner)
    file = images.encode_image(images.Image.new("1", (4_001, 1)))
    typed = {
        "title": survey.title,
        "sender": "We",
        "accent": "#fc0",
        "logo": images.io.BytesIO(file),
    }
    said = Form(page.post(f"/surveys/{survey.slug}/welcome/", typed)).errors
    status, problem = send(
        client_of(survey.owner), "patch", at(survey), {"accent": "#fc0", "logo": coded(file)}
    )
    assert status == 422
    assert problem["errors"]["accent"] == said["id_accent"]
    assert said["id_logo"].startswith(
        problem["errors"]["logo"]
    )  # the page also asks for the file again


def test_a_name_cannot_go_from_beside_a_logo(survey: Survey) -> None:
    status, problem = send(client_of(survey.owner), "patch", at(survey), {"sender": ""})
    assert (status, [*problem["errors"]]) == (422, ["sender"])
    status, shown = send(client_of(survey.owner), "patch", at(survey), {"sender": "", "logo": None})
    assert (status, shown["sender"], shown["logo"]) == (200, "", None)


def test_tickets_are_for_whoever_may_write_a_draft_that_asks_people(survey: Survey) -> None:
    analyst = create_researcher("bob")
    Membership.objects.create(survey=survey, user=analyst, role="analyst")
    assert send(client_of(analyst), "patch", at(survey), {"tickets": ""})[0] == 403
    reader = Client(
        headers={"authorization": f"Token {issue_token(survey.owner, 'reads', ['reports'])}"}
    )
    assert send(reader, "patch", at(survey), {"tickets": ""})[0] == 403
    assert send(client_of(create_researcher("eve")), "patch", at(survey), {"tickets": ""})[0] == 404
    status, problem = send(
        client_of(survey.owner),
        "post",
        LIST,
        {"title": "Paper", "import_only": True, "tickets": "one"},
    )
    assert (status, [*problem["errors"]]) == (422, ["tickets"])
    publish_survey(survey)
    assert send(client_of(survey.owner), "patch", at(survey), {"tickets": ""})[0] == 409
    assert Survey.objects.get().tickets == "one"


def test_who_is_invited_stays_so(survey: Survey) -> None:
    """As on the page: with people on the list nobody opens the survey to all."""
    invite(survey, [Row()])
    for method in ("put", "patch"):
        status, problem = send(
            client_of(survey.owner), method, at(survey), {"title": "Work", "tickets": ""}
        )
        assert (status, [*problem["errors"]]) == (422, ["tickets"])


def test_a_day_that_is_past_is_taken_and_publishing_waits(survey: Survey) -> None:
    Survey.objects.update(delete_on="2020-01-01")
    client = client_of(survey.owner)
    assert duplicate(Survey.objects.get(), survey.owner).delete_on.year == 2020
    got = client.get(at(survey)).json()
    sent = {
        name: got[name]
        for name in got
        if name not in ("slug", "status", "created", "edition", "instrument")
    }
    status, made = send(client, "post", LIST, sent)
    assert (status, made["delete_on"]) == (201, "2020-01-01")
    status, problem = send(client, "post", f"{LIST}{made['slug']}/publish/", {})
    assert status == 409
    assert "2020-01-01 is past" in problem["detail"]


def test_whoever_read_an_older_version_is_told(survey: Survey) -> None:
    client = client_of(survey.owner)
    etag = client.get(at(survey))["ETag"]
    assert send(client, "patch", at(survey), {"tickets": "two"}, if_match=etag)[0] == 200
    assert send(client, "patch", at(survey), {"tickets": "one"}, if_match=etag)[0] == 412
    edition = client.get(at(survey)).json()["edition"]
    assert send(client, "patch", at(survey), {"tickets": "one", "edition": edition - 1})[0] == 409
    assert Survey.objects.get().tickets == "two"
