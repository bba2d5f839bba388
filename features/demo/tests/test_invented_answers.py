"""A demo's surveys can be sent invented answers: as respondents send theirs, once, and never unmarked."""

import json
import re
import threading
import zipfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from uuid import uuid4

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import connection
from django.test import Client

from features.demo import invented, misconduct, survey as demo
from features.demo.management.commands.demo import NAME, demo_user
from features.shared_reports.publication import Publication, set_public
from surveys.authoring.files import survey_file
from surveys.definition.parsing import INVENTED_TITLE, parse_instrument
from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses import release as releasing, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE as LEAST, count_pending
from surveys.fieldwork.responses.records import encode
from surveys.models import DemoAccount, Event, Instrument, Response, Survey
from surveys.results.estimates.report import report
from surveys.site.errors import Refused
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_text_question,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    publish_survey,
)
from tests.factories.ticket_surveys import add_tickets

pytestmark = pytest.mark.django_db
SHOWN = invented.N - LEAST
CHIP = f'<span class="chip">{INVENTED_TITLE}</span>'
NOTICE = f"<strong>{INVENTED_TITLE}.</strong>"


@pytest.fixture
def owner(db: None) -> User:
    return demo_owner()


def demo_owner() -> User:
    owner = create_researcher("visitor")
    DemoAccount.objects.create(user=owner)
    return owner


@pytest.fixture
def survey(owner: User) -> Survey:
    """Open to anyone with the link, with one yes/no question that everyone gets and one that is not scrambled."""
    survey = create_draft(owner)
    add_yes_no(survey, design="two-coin")
    add_background(survey)
    return publish_survey(survey).survey


def page_of(survey: Survey, path: str = "") -> str:
    client = Client()
    client.force_login(survey.owner)
    return client.get(f"/surveys/{survey.slug}/{path}").content.decode()


def stored(survey: Survey) -> tuple[int, int, int]:
    """Responses in the report, held, and in the inbox."""
    instrument = Instrument.objects.get(survey=survey)
    unread = Response.objects.filter(instrument=instrument, record__isnull=False).count()
    return instrument.tally.get("n", 0), count_pending(instrument), unread


def test_980_of_1000_are_in_the_report_at_once_and_its_margin_is_that_of_980(
    survey: Survey,
) -> None:
    assert invented.send(survey, survey.owner)
    assert stored(survey) == (SHOWN, LEAST, 0) == (980, 20, 0)
    tax, _ = report(Instrument.objects.get(survey=survey)).questions
    yes = tax.choices[1]
    assert (
        abs(yes.estimate - 0.2) < 4 * yes.standard_error
    )  # what a simulation assumes where nobody says otherwise
    assert (
        yes.interval[1] - yes.interval[0]
    ) / 2 < 0.063  # 6.2 points with 1,000 people at a share of 50%
    event = Event.objects.filter(survey=survey).first()
    assert (event.name, event.get_what_display(), event.detail) == (
        "visitor",
        "sent invented answers",
        "1,000",
    )


def test_the_hour_does_not_matter_but_the_rule_does(survey: Survey) -> None:
    instrument = survey.instrument
    releasing.release(instrument)  # this hour's
    assert invented.send(survey)
    assert stored(survey) == (SHOWN, LEAST, 0)
    assert releasing.release(instrument) == 0  # the next is as far away as ever
    close_survey(Survey.objects.get(pk=survey.pk))
    assert stored(survey) == (
        invented.N,
        0,
        0,
    )  # the last 20 are enough for a step once it is closed


def test_what_people_answered_before_comes_along_and_20_stay_hidden(
    survey: Survey, settings: object
) -> None:
    # One step seals all. Otherwise the last three would wait for seventeen more.
    settings.SEAL_STEP = 3_000
    instrument = survey.instrument
    for _ in range(3):
        store_response(
            instrument, uuid4(), encode(parse_instrument(instrument), {"tax": 1, "region": 0})
        )
    invented.send(survey)
    assert stored(survey) == (SHOWN + 3, LEAST, 0)


def test_where_nothing_is_shown_before_closing_nothing_is(owner: User) -> None:
    survey = create_draft(owner, results_after_closing=True)
    add_yes_no(survey)
    publish_survey(survey)
    invented.send(survey)
    assert stored(survey) == (0, invented.N, 0)


def test_a_second_click_sends_nothing(survey: Survey) -> None:
    client = Client()
    client.force_login(survey.owner)
    for said in ("1,000 invented answers are sent. 980 are in the report.", ""):
        answer = client.post(f"/surveys/{survey.slug}/invented-answers/", follow=True)
        assert answer.redirect_chain == [(f"/surveys/{survey.slug}/report/", 302)]
        assert said in answer.content.decode()
        assert stored(survey) == (SHOWN, LEAST, 0)
    assert Event.objects.filter(survey=survey, what=Event.What.INVENTED).count() == 1
    assert "invented answers are sent" not in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_send_them_once() -> None:
    survey = create_draft(demo_owner())
    add_yes_no(survey)
    publish_survey(survey)
    if connection.vendor == "sqlite":
        pytest.skip(
            "in memory there is one connection; browser/test_walkthrough.py does it on a file"
        )
    ended: list[bool] = []

    def click() -> None:
        with closing(connection):
            ended.append(invented.send(Survey.objects.get(pk=survey.pk)))

    threads = [threading.Thread(target=click) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ended) == [False, True]
    assert stored(survey) == (SHOWN, LEAST, 0)


class Killed(BaseException):
    """What no code catches."""


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        (invented, "store_response", 500),
        (invented, "seal", 1),
        (invented, "release", 1),
        (releasing, "_note_unreleased", 1),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_ended_in_the_middle_nothing_is_sent_and_it_can_be_sent_again(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, at: int
) -> None:
    survey = create_draft(demo_owner())
    add_yes_no(survey)
    publish_survey(survey)
    real: Callable[..., object] = getattr(module, name)
    calls = []

    def ends(*arguments: object, **options: object) -> object:
        calls.append(1)
        if len(calls) == at:
            raise Killed
        return real(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(module, name, ends)
        with pytest.raises(Killed):
            invented.send(survey)
    assert len(calls) == at
    survey.refresh_from_db()
    assert (survey.invented, stored(survey)) == (False, (0, 0, 0))
    assert not Event.objects.filter(survey=survey, what=Event.What.INVENTED).exists()
    assert invented.send(survey)
    assert stored(survey) == (SHOWN, LEAST, 0)


def test_paths_the_draw_and_every_kind_take_them(owner: User) -> None:
    """The study has paths, a draw and all kinds but text, which is sent too."""
    study = survey_file.read(misconduct.document(), owner=owner)
    mixed = create_draft(owner)
    for add in (add_yes_no, add_choice, add_quantity, add_scale, add_text_question, add_background):
        add(mixed)
    for each in (study, mixed):
        publish_survey(each)
        invented.send(each)
        assert stored(each) == (SHOWN, LEAST, 0)


# Where it exists.


def test_no_survey_of_another_account_ever_has_any(client: Client, survey: Survey) -> None:
    """Whatever its owner is called: only the mark counts, which the demo's command makes."""
    others = create_published(create_researcher("demo")).survey
    path = f"/surveys/{others.slug}/invented-answers/"
    client.force_login(others.owner)
    assert [client.get(path).status_code, client.post(path).status_code] == [404, 404]
    with pytest.raises(Refused):
        invented.send(others, others.owner)
    assert "invented" not in page_of(others).lower()
    assert stored(others) == (0, 0, 0)
    invented.send(survey)
    assert stored(others) == (0, 0, 0)
    assert not Survey.objects.get(pk=others.pk).invented
    client.force_login(survey.owner)
    assert client.post(path).status_code == 404  # of somebody else, for the demo's account too


def test_a_survey_that_the_demo_gave_away_takes_none(survey: Survey) -> None:
    survey.owner = create_researcher("grace")
    survey.save(update_fields=["owner"])
    with pytest.raises(Refused):
        invented.send(survey)
    assert "invented" not in page_of(survey)


def test_the_button_is_on_the_overview_of_an_open_survey_until_it_was_pressed(
    survey: Survey, client: Client
) -> None:
    client.force_login(survey.owner)
    assert ">Send 1,000 invented answers</button>" in page_of(survey)
    pause(survey, survey.owner)
    assert "1,000 invented answers" not in page_of(survey)
    assert client.post(f"/surveys/{survey.slug}/invented-answers/").status_code == 409
    Survey.objects.filter(pk=survey.pk).update(status="open")
    invented.send(survey)
    assert "1,000 invented answers" not in re.sub("(?s)<h2>History.*", "", page_of(survey))
    assert client.get(f"/surveys/{survey.slug}/invented-answers/").status_code == 302


@pytest.mark.parametrize("state", ["draft", "tickets", "closed"])
def test_only_a_survey_that_is_open_to_anyone_takes_them(owner: User, state: str) -> None:
    survey = create_draft(owner)
    add_yes_no(survey)
    if state != "draft":
        publish_survey(survey)
    if state == "tickets":
        add_tickets(survey)
    if state == "closed":
        close_survey(survey)
    survey.refresh_from_db()
    assert not invented.takes_some(survey)
    with pytest.raises(Refused, match="open to anyone"):
        invented.send(survey)
    assert not Survey.objects.get(pk=survey.pk).invented


# Where an honest reader needs it.


def test_it_says_so_on_every_page_of_it(survey: Survey) -> None:
    assert CHIP not in page_of(survey)
    invented.send(survey)
    pages = (
        "questions/",
        "report/",
        "report/quality/",
        "compare/",
        "people/",
        "files/",
        "settings/",
        "ethics/",
    )
    for path in ("", *pages):
        assert CHIP in page_of(survey, path), path
    assert NOTICE in page_of(survey, "report/")
    client = Client()
    client.force_login(survey.owner)
    assert CHIP in client.get("/surveys/").content.decode()  # the list


def test_public_results_and_what_leaves_them_say_so(survey: Survey) -> None:
    invented.send(survey)
    close_survey(survey)
    set_public(Survey.objects.get(pk=survey.pk), public=True)
    root = f"/r/{survey.slug}/"
    assert NOTICE in Client().get(root).content.decode()
    told = Client().get(f"{root}results.json").json()
    assert told["invented"] is True
    assert told["title"] == "Invented answers: A survey"
    assert "a simulation sent them" in told["methods"]
    drawn = re.sub(r"<[^>]*>", " ", Client().get(f"{root}tax.svg").content.decode())
    assert "Survey “Invented answers: A survey”" in " ".join(drawn.split())
    before = Publication(Survey.objects.get(pk=survey.pk)).tag
    Survey.objects.update(invented=False)
    assert Publication(Survey.objects.get(pk=survey.pk)).tag != before
    assert NOTICE not in Client().get(root).content.decode()


def test_every_file_that_describes_the_responses_says_so(survey: Survey) -> None:
    invented.send(survey)
    client = Client()
    client.force_login(survey.owner)
    root = f"/surveys/{survey.slug}/"

    def text(path: str) -> str:
        answer = client.get(root + path)
        return (
            b"".join(answer.streaming_content).decode()
            if answer.streaming
            else answer.content.decode()
        )

    for name in (
        "codebook.md",
        "codebook.json",
        "codebook.xml",
        "analysis.R",
        "import.R",
        "import.sps",
        "import.do",
    ):
        assert "Invented answers: A survey" in text(f"export/{name}"), name
    assert "Invented answers: A survey" in text("export/import_responses.py")
    assert "a simulation sent them" in " ".join(text("report/methods.txt").split())
    everything = b"".join(client.get(f"{root}export/everything.zip").streaming_content)
    with zipfile.ZipFile(BytesIO(everything)) as archive:
        assert archive.read("README.txt").decode().startswith("Invented answers: A survey\n")
        assert json.loads(archive.read("report.json"))["invented"] is True
        assert (
            archive.read("instrument.json").decode() == survey.instrument.content
        )  # what was asked stays what it was
    for name in ("responses.sav", "responses.dta"):
        assert b"Invented answers" in b"".join(
            client.get(f"{root}export/{name}").streaming_content
        ), name
    workbook = b"".join(client.get(f"{root}export/responses.xlsx").streaming_content)
    assert (
        openpyxl.load_workbook(BytesIO(workbook)).properties.title == "Invented answers: A survey"
    )
    assert "a simulation sent them" in text(
        "report/model.txt?outcome=tax:1&explain=region"
    ).replace("\n", " ")


def test_the_api_says_so(survey: Survey) -> None:
    client = Client()
    client.force_login(survey.owner)
    root = f"/api/v1/surveys/{survey.slug}/"
    for is_sent in (False, True):
        if is_sent:
            invented.send(survey)
        (row,) = client.get("/api/v1/surveys/").json()["results"]
        told = row, client.get(root).json(), client.get(f"{root}report/").json()
        assert [each["invented"] for each in told] == [is_sent] * 3
    assert "simulation sent them" in client.get(f"{root}ethics/").content.decode()
    # The object of a survey can be sent back, as clients of 0.1 do; nobody can say so of another survey.
    copy = {
        name: value
        for name, value in told[1].items()
        if name not in ("slug", "status", "created", "instrument")
    }
    made = client.post(
        "/api/v1/surveys/", json.dumps(copy | {"edition": 0}), content_type="application/json"
    )
    assert made.json()["invented"] is False


def test_it_does_not_travel(survey: Survey) -> None:
    content = survey.instrument.content
    invented.send(survey)
    survey.refresh_from_db()
    assert "invented" not in json.dumps(survey_file.write(survey)).lower()
    close_survey(survey)
    for made in (
        survey_file.duplicate(survey, survey.owner),
        survey_file.new_version(survey, survey.owner),
    ):
        assert not made.invented
        assert INVENTED_TITLE not in made.title
    assert Survey.objects.get(pk=survey.pk).instrument.content == content


# The demo's account and studies.


def test_the_demo_marks_its_account_and_the_studies_it_brings() -> None:
    user = demo_user("")
    assert demo_user("") == user
    assert DemoAccount.objects.get().user == user
    study = demo.load(user)
    assert study.invented
    assert set(Survey.objects.filter(invented=True).values_list("title", flat=True)) == {
        "Student misconduct 2026",
        "Occupations (demo)",
    }
    assert Event.objects.filter(survey=study, what=Event.What.INVENTED).get().detail == "14,436"
    Survey.objects.update(invented=False)  # as a demo of an earlier version has them
    assert demo.load(user).invented
    assert Survey.objects.filter(invented=True).count() == 2


def test_the_demo_takes_over_no_account_of_its_name() -> None:
    theirs = create_researcher(NAME, "correct horse")
    with pytest.raises(CommandError, match="no demo made"):
        demo_user("")
    assert not DemoAccount.objects.exists()
    assert (
        demo_user("correct horse") == theirs
    )  # a demo of an earlier version, whose password its file has
    assert DemoAccount.objects.exists()
