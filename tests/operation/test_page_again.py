"""The respondents' page made again from repository and instrument, and the list of what it is made of."""

import hashlib
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.template import Template
from django.test import Client
from django.test.signals import template_rendered
from django.utils import timezone

from surveys.fieldwork.lifecycle import close
from surveys.fieldwork.page import PAGES
from surveys.models import Instrument, Survey
from surveys.site import page_sources
from surveys.site.version import VERSION
from tests.factories import surveys


def hashes(*arguments: str) -> dict[str, str]:
    out = StringIO()
    call_command("page", *arguments, stdout=out)
    return {
        state: sha256 for sha256, state in (line.split() for line in out.getvalue().splitlines())
    }


def handed_out(survey: Survey) -> str:
    return hashlib.sha256(Client().get(f"/s/{survey.slug}/").content).hexdigest()


@pytest.fixture
def instrument(db: None, tmp_path: Path) -> tuple[Instrument, str]:
    """One in two languages with a sender, and the file that anybody can load."""
    survey = surveys.create_draft(sender="The sender")
    surveys.add_yes_no(survey)
    surveys.add_yes_no(survey, "by_hand", design="two-coin", mode="by-hand")
    surveys.add_background(survey)
    surveys.add_translations(survey, "de")
    found = surveys.publish_survey(survey)
    file = tmp_path / "instrument.json"
    file.write_bytes(Client().get(f"/api/v1/surveys/{survey.slug}/instrument/").content)
    return found, str(file)


def test_the_page_made_again_is_the_one_that_is_handed_out(
    instrument: tuple[Instrument, str],
) -> None:
    """In each state, from the public file and on the site itself, and the site states the same."""
    survey, file = instrument[0].survey, instrument[1]
    opens, closes = timezone.now() + timedelta(days=1), timezone.now() + timedelta(days=2)
    found = {"open": handed_out(survey)}
    Survey.objects.filter(pk=survey.pk).update(opens=opens, closes=closes)
    found["early"] = handed_out(survey)
    times = ("--opens", f"{opens:%Y-%m-%dT%H:%MZ}", "--closes", f"{closes:%Y-%m-%dT%H:%MZ}")
    assert hashes(file, *times)["early"] == hashes(survey.slug)["early"] == found["early"]
    stated = Client().get(f"/trust/{survey.slug}/").content.decode()
    assert f"OPENS={times[1]} CLOSES={times[3]}</code>" in stated
    Survey.objects.filter(pk=survey.pk).update(opens=None, closes=None)
    close(Survey.objects.get(pk=survey.pk))
    found["closed"] = handed_out(survey)
    assert (
        hashes(file) == hashes(survey.slug) == {state: found[state] for state in ("open", "closed")}
    )
    browser = Client()
    browser.force_login(survey.owner)
    for answer in (
        Client().get(f"/trust/{survey.slug}/"),
        browser.get(f"/surveys/{survey.slug}/questions/"),
    ):
        assert all(found[state] in answer.content.decode() for state in ("open", "closed"))
    assert len(set(found.values())) == 3


def test_the_page_itself_is_written_on_request(
    instrument: tuple[Instrument, str], capfdbinary: pytest.CaptureFixture
) -> None:
    call_command("page", instrument[1], "--state", "open")
    assert capfdbinary.readouterr().out == Client().get(f"/s/{instrument[0].survey.slug}/").content
    with pytest.raises(CommandError, match="Add --opens"):
        call_command("page", instrument[1], "--state", "early")


def test_one_character_of_the_instrument_makes_another_page(
    instrument: tuple[Instrument, str],
) -> None:
    file = Path(instrument[1])
    before = hashes(str(file))
    file.write_text(file.read_text().replace("The sender", "The Sender"))
    assert not set(before.values()) & set(hashes(str(file)).values())


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff", b'{"format": 4}', b'{"format": 99, "questions": []}']
)
def test_a_file_that_is_no_instrument_is_named(db: None, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    with pytest.raises(CommandError, match="is not the instrument of a survey"):
        call_command("page", str(file))


def test_neither_file_nor_survey(db: None) -> None:
    for slug in ("nobodyknows", surveys.create_draft().slug):
        with pytest.raises(CommandError, match="nor a published survey"):
            call_command("page", slug)
    with pytest.raises(CommandError, match="write for example 2027-03-01T08:00Z"):
        call_command("page", "nobodyknows", "--opens", "tomorrow")


def test_every_template_of_the_page_is_in_the_list(instrument: tuple[Instrument, str]) -> None:
    """In each state: what is rendered while it is made stands there."""
    rendered: set[str] = set()

    def note(template: Template, **_: object) -> None:
        rendered.add(f"templates/{template.name}")

    PAGES.clear()
    template_rendered.connect(note)
    hashes(instrument[1], "--opens", "2027-03-01T08:00Z")
    template_rendered.disconnect(note)
    assert {
        "templates/respondent/survey.html",
        "templates/respondent/parts/act.html",
        "templates/respondent/early.html",
    } <= rendered
    assert rendered <= {line.split()[1] for line in page_sources.sources_list().splitlines()}


def test_version_and_build_are_stated(instrument: tuple[Instrument, str]) -> None:
    stated = Client().get(f"/trust/{instrument[0].survey.slug}/").content.decode()
    assert f"version {VERSION} of Candor, build" in stated
    assert page_sources.sources_sha256() in stated


CHANGES = [
    pytest.param(
        "</head>", "<script type=module src=/static/evil.js></script></head>", id="script"
    ),
    pytest.param("<b>75</b>", "<b>55</b>", id="odds"),
    pytest.param("<strong>at most 75</strong>", "<strong>at most 51</strong>", id="consequence"),
    pytest.param("Answer Yes, whatever is true.", "Answer truthfully.", id="table by hand"),
    pytest.param('value="1"', 'value="0"', id="value"),
    pytest.param(">Yes</label>", ">No</label>", id="label"),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_whatever_was_changed_changes_what_is_compared(
    instrument: tuple[Instrument, str], old: str, new: str
) -> None:
    whole = Client().get(f"/s/{instrument[0].survey.slug}/").content.decode()
    stated = Client().get(f"/trust/{instrument[0].survey.slug}/").content.decode()
    assert old in whole
    changed = whole.replace(old, new, 1).encode()
    assert hashlib.sha256(whole.encode()).hexdigest() in stated
    assert hashlib.sha256(changed).hexdigest() not in stated
