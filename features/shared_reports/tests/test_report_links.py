"""Links to the report of a closed survey: who makes them, what they show, and that nothing is left when they end."""

import hashlib
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.apps import apps
from django.core import serializers
from django.test import Client
from django.utils import timezone

from features.shared_reports import links
from features.shared_reports.publication import set_public
from features.shared_reports.tests.test_public_results import survey_with
from surveys.accounts.tokens import today
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.release import release_due
from surveys.fieldwork.responses.sealing import seal_due
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Event, Membership, Removal, ReportLink, Survey
from surveys.operation.repeated_removals import remove_again
from surveys.site.errors import Invalid, Refused
from surveys.site.headers import RESPONDENT_HEADERS, policy_without_page
from surveys.site.removals import JournalLine
from tests.api.test_reading import client_of
from tests.factories.surveys import create_researcher

pytestmark = pytest.mark.django_db
FORGED = "/r/link/AAAAAAAAAAAAAAAAAAAAAA/"


@pytest.fixture
def survey() -> Survey:
    survey = survey_with()
    close_survey(survey, survey.owner)
    return Survey.objects.get(pk=survey.pk)


def create(survey: Survey, **about: str) -> tuple[ReportLink, str]:
    link, secret = links.create(survey=survey, by=survey.owner, **about)
    return link, f"/r/link/{secret}/"


def page_of(survey: Survey, person: object = None) -> tuple[Client, str]:
    client = Client()
    client.force_login(person or survey.owner)
    return client, f"/surveys/{survey.slug}/report/links/"


def has_ended(path: str) -> bool:
    """Whether it is answered as an address that never was, byte for byte and header for header."""
    visitor = Client()
    answer, forged = visitor.get(path), visitor.get(FORGED)
    assert forged.status_code == 404
    return (answer.status_code, answer.content, answer.headers) == (
        404,
        forged.content,
        forged.headers,
    )


def test_it_can_only_be_made_after_closing() -> None:
    survey = survey_with()
    with pytest.raises(Invalid, match=r"^Close the survey first\. Then you can make links\.$"):
        create(survey)
    client, path = page_of(survey)
    page = client.get(path).content.decode()
    assert "Close the survey first. Then you can make links." in page
    assert "Create link" not in page
    assert path not in client.get(f"/surveys/{survey.slug}/report/").content.decode()
    refused = client.post(path, {"note": "Dean"})
    assert refused.status_code == 422
    assert "Close the survey first. Then you can make links." in refused.content.decode()
    assert not ReportLink.objects.exists()


def test_after_a_closing_time_it_waits_for_the_last_release() -> None:
    survey = survey_with()
    Survey.objects.update(closes=timezone.now() - timedelta(minutes=1))
    survey.refresh_from_db()
    with pytest.raises(Refused, match="within an hour"):
        create(survey)
    seal_due()
    release_due()
    assert Client().get(create(survey)[1]).status_code == 200


def test_without_a_response_there_is_nothing_to_link_to() -> None:
    survey = survey_with(0)
    close_survey(survey, survey.owner)
    with pytest.raises(Refused, match="no responses in the report"):
        create(survey)


def test_it_shows_what_public_results_show_and_no_address_of_theirs(survey: Survey) -> None:
    link, path = create(survey)
    page = Client().get(path).content.decode()
    day = link.until
    assert f"Read-only link, until {day.day} {day:%B %Y}." in page
    assert f"/r/{survey.slug}/" not in page
    set_public(survey, survey.owner, public=True)
    public = Client().get(f"/r/{survey.slug}/").content.decode()
    sections = r'<section class="result".*?</h2>'
    assert re.findall(sections, page, re.DOTALL) == re.findall(sections, public, re.DOTALL) != []
    assert (
        re.findall(r"<svg.*?</svg>", page, re.DOTALL)
        == re.findall(r"<svg.*?</svg>", public, re.DOTALL)
        != []
    )
    assert "Secret here" not in page  # a background question outside of the cut
    assert "<form" not in page
    assert "Read-only link" not in public
    assert Client().get(f"{path}?region=0").content.decode() == page


def test_the_headers_are_exactly_these(survey: Survey) -> None:
    """Of a link that works and of one that does not: sealed off, and kept by nobody."""
    sealed = RESPONDENT_HEADERS | {
        "X-Robots-Tag": "noindex",
        "Content-Security-Policy": policy_without_page(),
    }
    assert (sealed["Cache-Control"], sealed["Referrer-Policy"]) == ("no-store", "no-referrer")
    path = create(survey)[1]
    for each, status in (
        (path, 200),
        (FORGED, 404),
        ("/r/link/a/b.svg", 404),
        (path.rstrip("/"), 404),
    ):
        answer = Client().get(
            each, headers={"cookie": "sessionid=1", "if-none-match": "*", "origin": "https://a.org"}
        )
        own = {
            name: value
            for name, value in answer.headers.items()
            if name not in ("Content-Type", "Content-Length")
        }
        assert (answer.status_code, own) == (status, sealed), each
        assert not answer.cookies
    assert "script-src 'none'" in policy_without_page()
    assert Client().post(path).status_code == 405


def test_everyone_gets_the_same_bytes(survey: Survey) -> None:
    path = create(survey)[1]
    owner, _ = page_of(survey)
    assert owner.get(path).content == Client().get(path).content == Client().get(path).content


def test_a_day_and_a_note_have_limits(survey: Survey) -> None:
    assert create(survey)[0].until == today() + timedelta(days=14)
    assert create(survey, until=str(today() + timedelta(days=90)))[0].until == today() + timedelta(
        days=90
    )
    assert create(survey, until=str(today()), note=" Dean’s\n office ")[0].note == "Dean’s office"
    for wrong in (
        str(today() + timedelta(days=91)),
        str(today() - timedelta(days=1)),
        "tomorrow",
        "2030-13-01",
    ):
        with pytest.raises(Invalid) as error:
            create(survey, until=wrong)
        assert list(error.value.errors) == ["until"]
    assert create(survey, note="n" * 80)[0].note == "n" * 80
    with pytest.raises(Invalid) as error:
        create(survey, note="n" * 81)
    assert error.value.errors == {"note": "Write at most 80 characters."}


def test_a_survey_has_at_most_twenty_that_work(survey: Survey) -> None:
    made = [create(survey)[0] for _ in range(20)]
    with pytest.raises(Invalid, match="at most 20 at a time"):
        create(survey)
    links.renew(link=made[0], by=survey.owner)
    assert survey.report_links.count() == 20
    ReportLink.objects.filter(pk=made[1].pk).update(until=today() - timedelta(days=1))
    create(survey)
    assert survey.report_links.count() == 20  # what has ended by its day is no longer kept


def test_switched_off_and_renewed_it_is_gone(survey: Survey) -> None:
    link, path = create(survey, note="Dean")
    assert Client().get(path).status_code == 200
    _, secret = links.renew(link=link, by=survey.owner)
    assert has_ended(path)
    renewed = ReportLink.objects.get()
    assert (renewed.note, renewed.until) == ("Dean", link.until)
    assert Client().get(f"/r/link/{secret}/").status_code == 200
    links.switch_off(link=renewed, by=survey.owner)
    assert has_ended(f"/r/link/{secret}/")
    assert has_ended(f"/r/link/{secret}/more/")
    with pytest.raises(Refused, match="already ended"):
        links.renew(link=ReportLink(pk=link.pk, survey=survey), by=survey.owner)


def test_it_works_to_the_end_of_its_last_day(
    survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, path = create(survey)
    last = datetime.combine(link.until, datetime.max.time(), UTC)
    monkeypatch.setattr(timezone, "now", lambda: last)
    assert Client().get(path).status_code == 200
    monkeypatch.setattr(timezone, "now", lambda: last + timedelta(seconds=1))
    assert has_ended(path)
    client, page = page_of(survey)
    assert "No link yet." in client.get(page).content.decode()


def test_reopening_ends_all_for_good(survey: Survey) -> None:
    paths = [create(survey)[1] for _ in range(2)]
    client, _ = page_of(survey)
    assert (
        "All links to the report end."
        in client.get(f"/surveys/{survey.slug}/reopen/").content.decode()
    )
    reopen_survey(survey, survey.owner)
    assert all(map(has_ended, paths))
    close_survey(Survey.objects.get(), survey.owner)
    assert all(map(has_ended, paths))
    assert Event.objects.filter(what="unlinked").count() == 2


def test_a_closing_time_taken_back_ends_all(survey: Survey) -> None:
    Survey.objects.update(status="open", closes=timezone.now() - timedelta(minutes=1))
    seal_due()
    release_due()
    path = create(Survey.objects.get())[1]
    set_schedule(survey=Survey.objects.get(), by=survey.owner)
    assert not Survey.objects.get().is_over
    assert has_ended(path)
    assert not ReportLink.objects.exists()


def test_a_survey_that_is_deleted_takes_its_links_with_it(survey: Survey) -> None:
    path = create(survey)[1]
    destroy(survey, survey.owner, confirm=survey.title)
    assert has_ended(path)
    assert not ReportLink.objects.exists()


def test_the_secret_is_shown_once_and_stands_nowhere(survey: Survey) -> None:
    client, page = page_of(survey)
    made = client.post(page, {"note": "Ethics board", "until": ""})
    assert "no-store" in made["Cache-Control"]
    address = re.search(r"http://testserver(/r/link/([\w-]{22})/)", made.content.decode())
    assert address
    assert Client().get(address[1]).status_code == 200
    again = client.get(page).content.decode()
    assert "Ethics board" in again
    assert address[2] not in again
    assert ReportLink.objects.get().sha256 == hashlib.sha256(address[2].encode()).hexdigest()
    tables = [model._base_manager.all() for model in apps.get_models()]
    stored = "".join(serializers.serialize("json", table) for table in tables)
    assert ReportLink.objects.get().sha256 in stored
    assert address[2] not in stored
    kept = {each.name for each in ReportLink._meta.get_fields()}
    assert kept == {"id", "survey", "note", "until", "sha256", "by", "created"}


def test_the_history_names_making_and_ending(survey: Survey) -> None:
    link, _ = create(survey, note="Dean")
    links.switch_off(link=link, by=survey.owner)
    made, ended = Event.objects.filter(what__in=("linked", "unlinked")).order_by("pk")
    assert (made.name, made.what, made.detail) == ("ada", "linked", f"Dean, until {link.until}")
    assert (ended.name, ended.what, ended.detail) == ("ada", "unlinked", "Dean")
    client, _ = page_of(survey)
    page = client.get(f"/surveys/{survey.slug}/settings/").content.decode()
    assert "made a link to the report:" in page
    assert "ended a link to the report:" in page


def test_the_page_switches_off_and_renews(survey: Survey) -> None:
    path = create(survey)[1]
    client, page = page_of(survey)
    renewed = client.post(page, {"renew": str(ReportLink.objects.get().pk)})
    assert "no-store" in renewed["Cache-Control"]
    assert "/r/link/" in renewed.content.decode()
    assert has_ended(path)
    assert client.post(page, {"switch_off": str(ReportLink.objects.get().pk)}).status_code == 302
    assert not ReportLink.objects.exists()
    assert client.post(page, {"switch_off": "x"}).status_code == 400
    assert client.post(page, {"until": "never"}).status_code == 422


def test_editors_make_and_end_them_and_the_team_sees_them(survey: Survey) -> None:
    link, _ = create(survey, note="Dean")
    for role, may in (("editor", True), ("analyst", False), ("exporter", False)):
        person = create_researcher(role)
        Membership.objects.create(survey=survey, user=person, role=role)
        client, page = page_of(survey, person)
        shown = client.get(page).content.decode()
        assert "Dean" in shown
        assert ("Switch off" in shown) is ("Create link" in shown) is may
        head = client.get(f"/surveys/{survey.slug}/report/").content.decode()
        assert (f'href="{page}">Share</a>' in head) is may
        assert client.post(page, {"switch_off": str(link.pk)}).status_code == (302 if may else 403)
        link, _ = create(survey, note="Dean") if may else (link, "")


def test_the_link_of_another_survey_is_out_of_reach(survey: Survey) -> None:
    link, path = create(survey)
    other = survey_with()
    Survey.objects.filter(pk=other.pk).update(owner=create_researcher("eve"), status="closed")
    client, page = page_of(other, create_researcher("eve"))
    assert client.post(page, {"switch_off": str(link.pk)}).status_code == 404
    assert Client().get(path).status_code == 200


def test_a_program_makes_renews_and_ends_them(survey: Survey) -> None:
    ada, path = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/report/links/"
    made = ada.post(path, {"note": "Dean"}, content_type="application/json")
    assert (made.status_code, "no-store" in made["Cache-Control"]) == (201, True)
    told = made.json()
    address = told.pop("link").removeprefix("http://testserver")
    assert told.keys() == {"id", "note", "until", "by", "created"}
    assert (told["note"], told["by"], told["until"]) == (
        "Dean",
        "ada",
        str(today() + timedelta(days=14)),
    )
    assert ada.get(path).json() == {"links": [told]}
    assert Client().get(address).status_code == 200
    renewed = ada.post(f"{path}{told['id']}/renew/", {}, content_type="application/json")
    assert renewed.status_code == 201
    assert has_ended(address)
    again = renewed.json()
    assert ada.delete(f"{path}{again['id']}/").status_code == 204
    assert has_ended(again["link"].removeprefix("http://testserver"))
    assert ada.delete(f"{path}{again['id']}/").status_code == 404
    assert ada.get(path).json() == {"links": []}
    far = ada.post(
        path, {"until": str(today() + timedelta(days=91))}, content_type="application/json"
    )
    assert (far.status_code, list(far.json()["errors"])) == (422, ["until"])
    reopen_survey(survey, survey.owner)
    refused = ada.post(path, {}, content_type="application/json")
    assert refused.status_code == 422
    assert refused.json()["errors"] == {
        "survey": "Close the survey first. Then you can make links."
    }


def test_settings_count_them_once_closed(survey: Survey) -> None:
    client, page = page_of(survey)
    settings = f"/surveys/{survey.slug}/settings/"
    assert "No read-only link." in client.get(settings).content.decode()
    link, _ = create(survey, until=str(today()))
    assert (
        f"1 read-only link, until {link.until.day} {link.until:%B %Y}."
        in client.get(settings).content.decode()
    )
    create(survey)
    shown = client.get(settings).content.decode()
    assert "2 read-only links, until" in shown
    assert f'href="{page}">Manage links</a>' in shown
    reopen_survey(survey, survey.owner)
    assert "Manage links" not in client.get(settings).content.decode()


def test_link_that_returned_with_a_backup_ends_again(survey: Survey) -> None:
    ended, path = create(survey)
    _, other_path = create(survey)
    backup = serializers.serialize("json", [ended])
    links.switch_off(link=ended, by=survey.owner)
    removal = Removal.objects.get()
    for returned in serializers.deserialize("json", backup):
        returned.save()
    assert not has_ended(path)

    line = JournalLine(removal.day, removal.kind, removal.removed_id)
    removed = remove_again([line])
    repeated = remove_again([line])

    assert (removed["report-link"], removed.total(), repeated.total()) == (1, 1, 0)
    assert has_ended(path)
    assert not has_ended(other_path)
