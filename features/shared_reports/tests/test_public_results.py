"""Results for everybody: after the closing, if the author wants it, the same bytes for all."""

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from features.shared_reports import links, publication
from features.shared_reports.publication import set_public
from surveys.accounts.history import What
from surveys.authoring.drafts.drafts import update_settings
from surveys.fieldwork.lifecycle import pause
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.deletion import delete_responses
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.release import release_due
from surveys.fieldwork.responses.sealing import seal_due
from surveys.fieldwork.schedule import set_schedule
from surveys.models import Instrument, Membership, Survey
from surveys.site.errors import Refused
from tests.api.test_reading import client_of
from tests.factories import images
from tests.factories.inbox import run_next_timer, submit_responses
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    create_published,
    create_researcher,
    post_response,
    publish_survey,
    response_body,
)

pytestmark = pytest.mark.django_db
VISITORS = (
    {},
    {"cookie": "sessionid=1; a=b"},
    {"accept-language": "ar"},
    {"user-agent": "other"},
    {"accept-encoding": "gzip"},
    {"referer": "https://example.org/"},
)


def survey_with(n: int = 120) -> Survey:
    """An open survey of Ada's, with n responses of two regions."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_quantity(survey)
    add_background(survey, labels=("North", "Middle", "South"), cut=True)
    add_background(survey, "hidden", labels=("Secret here", "Secret there"))
    instrument = publish_survey(survey)
    if n:
        add_responses(instrument, n, region=([0] * (n // 2) + [1] * (n - n // 2 - 5) + [2] * 5)[:n])
    return Survey.objects.get(pk=survey.pk)


@pytest.fixture
def survey() -> Survey:
    """Closed, and its results are public."""
    survey = survey_with()
    close_survey(survey, survey.owner)
    return set_public(survey, survey.owner, public=True)


def paths(survey: Survey) -> list[str]:
    at = f"/r/{survey.slug}/"
    return [
        at,
        f"{at}results.json",
        *(f"{at}{key}.svg" for key in ("tax", "fruit", "hours", "region")),
    ]


def statuses(survey: Survey) -> set[int]:
    return {Client().get(path).status_code for path in paths(survey)}


def test_nothing_is_there_before_it_is_closed_and_wanted() -> None:
    survey = survey_with()
    missing = Client().get("/r/nobodyknows/").content
    assert statuses(survey) == {404}
    with pytest.raises(Refused, match="Close the survey first"):
        set_public(survey, public=True)
    pause(survey)
    with pytest.raises(Refused, match="Close the survey first"):
        set_public(survey, public=True)
    close_survey(survey)
    assert statuses(survey) == {404}
    assert Client().get(f"/r/{survey.slug}/").content == missing
    assert Client().get(f"/r/{survey.slug}/")["Cache-Control"] == "no-store"
    Survey.objects.update(public_results=True, status="open")  # as no step leaves it
    assert statuses(survey) == {404}


def test_a_draft_has_no_results() -> None:
    with pytest.raises(Refused, match="Close the survey first"):
        set_public(create_draft(), public=True)


def test_without_a_response_there_is_nothing_to_show() -> None:
    survey = survey_with(0)
    close_survey(survey)
    with pytest.raises(Refused, match="no responses in the report"):
        set_public(Survey.objects.get(), public=True)


def test_where_a_closing_time_has_passed_it_waits_for_the_last_release() -> None:
    survey = create_draft()
    add_yes_no(survey)
    instrument = publish_survey(survey)
    add_responses(instrument, 60)
    for _ in range(20):
        assert (
            post_response(instrument, response_body(instrument, reports={"tax": 1})).status_code
            == 201
        )
    Survey.objects.update(closes=timezone.now())
    survey = Survey.objects.get()
    with pytest.raises(Refused, match="within an hour"):
        set_public(survey, public=True)
    seal_due()
    with pytest.raises(Refused, match="within an hour"):
        set_public(survey, public=True)
    release_due()
    set_public(survey, public=True)
    assert Client().get(f"/r/{survey.slug}/results.json").json()["n"] == 80


def test_everybody_gets_the_same_bytes_without_a_cookie_and_may_keep_them(survey: Survey) -> None:
    logged_in = Client()
    logged_in.force_login(survey.owner)
    for path in paths(survey):
        first = Client().get(path)
        assert first.status_code == 200
        for client, headers in [*((Client(), headers) for headers in VISITORS), (logged_in, {})]:
            other = client.get(path, headers=headers)
            assert other.content == first.content
            assert dict(other.headers) == dict(first.headers)
            assert not other.cookies
        assert first["Cache-Control"] == "public, no-cache"
        assert "Vary" not in first
        again = Client().get(path, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert Client().get(path, headers={"if-none-match": '"other"'}).status_code == 200
        assert Client().post(path).status_code == 405


def test_a_query_changes_nothing(survey: Survey) -> None:
    plain = Client().get(f"/r/{survey.slug}/results.json").content
    assert (
        Client().get(f"/r/{survey.slug}/results.json?where=region:0&confidence=0.6").content
        == plain
    )


def test_it_shows_exactly_what_a_reader_without_rows_sees(survey: Survey) -> None:
    analyst = create_researcher("bob")
    Membership.objects.create(survey=survey, user=analyst, role="analyst")
    seen = client_of(analyst).get(f"/api/v1/surveys/{survey.slug}/report/").json()
    told = Client().get(f"/r/{survey.slug}/results.json").json()
    assert {key: told[key] for key in seen} == seen
    assert told.keys() - seen.keys() == {"title", "days", "methods"}
    by_key = {question["key"]: question for question in told["questions"]}
    assert by_key["hidden"]["n"] == 0
    assert [choice["label"] for choice in by_key["region"]["choices"]] == [
        "North",
        "Middle or South",
    ]


def test_the_page_says_n_intervals_epsilon_and_method(survey: Survey) -> None:
    page = Client().get(f"/r/{survey.slug}/").content.decode()
    for said in (
        "<strong>120</strong> responses",
        "n = 120",
        "Wilson",
        "epsilon",
        "guessed right at most",
        "Methods",
        "closed",
    ):
        assert said in page, said
    assert "Secret there" not in re.sub(r"(?s)<script.*", "", page)
    assert "hoped for" not in page
    assert "Middle or South" in page


def _pages_without_account(survey: Survey) -> list[str]:
    """The public page and the one under a link."""
    _, secret = links.create(survey=survey, by=survey.owner)
    addresses = (f"/r/{survey.slug}/", f"/r/link/{secret}/")
    return [Client().get(address).content.decode() for address in addresses]


def test_pages_for_everybody_begin_with_the_glance(survey: Survey) -> None:
    for page in _pages_without_account(survey):
        assert 0 < page.index('id="glance"') < page.index('<section class="result"')
        glance = page[page.index('<section class="glance"') : page.index('<section class="result"')]
        assert re.findall(r'<p class="small" dir="auto">(\d) ·', glance) == ["1", "2", "3"]
        assert "Some questions are not scrambled." in glance  # as many people are from each region


def test_pages_for_everybody_leave_out_what_only_the_team_sees() -> None:
    """Neither a question nor the rows of a grid are announced, and the others keep their numbers."""
    survey = create_draft()
    add_background(survey, "hidden", labels=("Secret here", "Secret there"))
    add_yes_no(survey)
    for number in range(3):
        add_background(
            survey, f"statement{number}", labels=("Agree", "Disagree"), grid="What do you think?"
        )
    add_background(survey, labels=("North", "Middle", "South"), cut=True)
    instrument = publish_survey(survey)
    add_responses(instrument, 120, region=[0] * 80 + [1] * 40)
    close_survey(survey, survey.owner)
    survey = set_public(Survey.objects.get(), public=True)
    for page in _pages_without_account(survey):
        for text in (
            "About hidden?",
            "Secret",
            "statement",
            "What do you think?",
            "row access",
            "team member",
        ):
            assert text not in page, text
        assert re.findall(
            r'<section class="result" aria-labelledby="(\w+)">\s*<p class="small" dir="auto">(\d)',
            page,
        ) == [
            ("tax", "2"),
            ("region", "6"),
        ]
        assert "Who answered</strong> (not scrambled): 67% North." in page


def test_figures_stand_alone_and_may_be_shown_elsewhere(survey: Survey) -> None:
    for path in paths(survey)[2:]:
        answer = Client().get(path)
        assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert answer["Access-Control-Allow-Origin"] == "*"
        root = ElementTree.fromstring(answer.content)
        assert not [
            each for each in root.iter() if each.tag.endswith(("script", "image", "foreignObject"))
        ]
        policy = answer["Content-Security-Policy"]
        assert re.search(r"style-src 'sha256-[\w+/=]+'", policy)
        assert "script-src 'none'" in policy
    assert Client().get(f"/r/{survey.slug}/nokey.svg").status_code == 404
    assert (
        Client().get(f"/r/{survey.slug}/hidden.svg").status_code == 404
    )  # only the team sees its results


def test_the_policy_of_the_page_runs_nothing_and_loads_nothing_from_elsewhere(
    survey: Survey,
) -> None:
    policy = Client().get(f"/r/{survey.slug}/")["Content-Security-Policy"]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert (parts["default-src"], parts["script-src"], parts["form-action"]) == ("'none'",) * 3
    assert (parts["style-src"], parts["img-src"], parts["frame-ancestors"]) == (
        "'self'",
        "'self'",
        "'none'",
    )
    page = Client().get(f"/r/{survey.slug}/").content.decode()
    assert "<script" not in page
    assert " style=" not in page


def test_it_can_be_taken_back_and_the_history_says_both(survey: Survey) -> None:
    etag = Client().get(f"/r/{survey.slug}/")["ETag"]
    set_public(survey, survey.owner, public=True)  # once more
    set_public(survey, survey.owner, public=False)
    set_public(survey, survey.owner, public=False)
    assert statuses(survey) == {404}
    assert Client().get(f"/r/{survey.slug}/", headers={"if-none-match": etag}).status_code == 404
    assert list(survey.events.values_list("what", "name"))[:2] == [
        (What.HIDDEN, "ada"),
        (What.SHOWN, "ada"),
    ]
    assert survey.events.filter(what=What.SHOWN).count() == 1
    set_public(survey, survey.owner, public=True)
    assert Client().get(f"/r/{survey.slug}/")["ETag"] == etag


def test_opening_the_survey_again_takes_it_back_for_good(survey: Survey) -> None:
    reopen_survey(survey, survey.owner)
    assert statuses(survey) == {404}
    assert survey.events.filter(what=What.HIDDEN).count() == 1
    close_survey(Survey.objects.get(), survey.owner)
    assert statuses(survey) == {404}


def test_the_history_says_first_what_was_taken_back(survey: Survey) -> None:
    links.create(survey=survey, by=survey.owner)
    reopen_survey(survey, survey.owner)
    latest = survey.events.values_list("what", "name")[:3]
    assert list(latest) == [(What.REOPENED, "ada"), (What.UNLINKED, "ada"), (What.HIDDEN, "ada")]


def test_the_overview_suggests_it_once_the_report_can_be_read() -> None:
    survey = survey_with()
    client = Client()
    client.force_login(survey.owner)

    def steps() -> list[str]:
        return re.findall(
            r'<h3 class="row__name">(.*?)</h3>',
            client.get(f"/surveys/{survey.slug}/").content.decode(),
        )

    assert "Publish the results" not in steps()
    close_survey(survey, survey.owner)
    assert steps()[:3] == ["Read the report", "Publish the results", "Download the responses"]
    set_public(survey, survey.owner, public=True)
    assert steps()[:3] == ["Read the report", "Download the responses", "Ask again"]


@pytest.mark.parametrize("unread", [1, 19, 20, 41])
def test_how_many_responses_came_last_is_not_told_by_what_is_refused(unread: int) -> None:
    """After the closing time the next release run alone decides it."""
    instrument = create_published()
    submit_responses(instrument, 60)
    run_next_timer()
    submit_responses(instrument, unread, first=100)
    Survey.objects.update(closes=timezone.now())
    with pytest.raises(Refused, match=publication.NOT_YET):
        set_public(Survey.objects.get(), public=True)
    run_next_timer()
    assert set_public(Survey.objects.get(), public=True).public_results


def test_taking_a_passed_closing_time_back_takes_it_back_too() -> None:
    survey = survey_with()
    Survey.objects.update(closes=timezone.now())
    release_due()
    survey = set_public(Survey.objects.get(), public=True)
    set_schedule(survey=survey, closes=f"{timezone.now() + timedelta(days=1):%Y-%m-%dT%H:%M}")
    assert (Survey.objects.get().public_results, statuses(survey)) == (False, {404})


def test_results_stay_when_the_responses_go(survey: Survey) -> None:
    before = Client().get(f"/r/{survey.slug}/results.json").json()
    Survey.objects.update(delete_on="2020-01-01")
    delete_responses(Instrument.objects.select_related("survey").get())
    after = Client().get(f"/r/{survey.slug}/results.json").json()
    assert after["questions"] == before["questions"]
    assert after["deleted_on"] is not None


def test_a_destroyed_survey_has_none(survey: Survey) -> None:
    destroy(survey, survey.owner, confirm=survey.title)
    assert statuses(survey) == {404}


def test_other_responses_make_another_page(survey: Survey) -> None:
    """After a second closing: nothing of the first is found again in memory."""
    etag = Client().get(f"/r/{survey.slug}/")["ETag"]
    reopen_survey(survey)
    add_responses(survey.instrument, 40, seed=2)
    close_survey(Survey.objects.get())
    set_public(Survey.objects.get(), public=True)
    answer = Client().get(f"/r/{survey.slug}/")
    assert "<strong>160</strong> responses" in answer.content.decode()
    assert answer["ETag"] != etag


def test_many_readers_cost_one_rendering(survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    right = publication.report
    monkeypatch.setattr(
        publication, "report", lambda *given, **more: made.append(1) or right(*given, **more)
    )
    for _ in range(5):
        Client().get(f"/r/{survey.slug}/results.json")
    assert len(made) == 1


def test_the_sender_stands_above_it() -> None:
    survey = create_draft(title="<b>A & B</b>")
    add_yes_no(survey)
    publish_survey(update_settings(survey, {"sender": "Institute", "logo": images.create_png()}))
    add_responses(survey.instrument, 60)
    close_survey(survey)
    set_public(Survey.objects.get(), public=True)
    page = Client().get(f"/r/{survey.slug}/").content.decode()
    assert "Institute" in page
    assert "&lt;b&gt;A &amp; B&lt;/b&gt;" in page
    (src,) = re.findall(r'class="report-logo" src="([^"]+)"', page)
    assert Client().get(src).status_code == 200


def test_an_author_does_it_on_a_page_and_a_program_too(client: Client) -> None:
    survey = survey_with()
    client.force_login(survey.owner)
    at, path = f"/surveys/{survey.slug}/settings/", f"/api/v1/surveys/{survey.slug}/public/"
    program = client_of(survey.owner)
    as_json = {"content_type": "application/json"}
    assert "You can make the results public after closing." in client.get(at).content.decode()
    assert client.post(at, {"part": "results", "public": "yes"}).status_code == 409
    assert program.put(path, json.dumps({"public": True}), **as_json).status_code == 409
    close_survey(survey)
    assert "Make the results public" in client.get(at).content.decode()
    assert client.post(at, {"part": "results", "public": "yes"}).status_code == 302
    address = f"http://testserver/r/{survey.slug}/"
    assert f"{address}tax.svg" in client.get(at).content.decode()
    assert program.get(path).json() == {"public": True, "address": address}
    assert program.put(path, json.dumps({"public": False}), **as_json).json() == {
        "public": False,
        "address": None,
    }
    assert program.put(path, json.dumps({"public": True}), **as_json).json() == {
        "public": True,
        "address": address,
    }
    assert client.post(at, {"part": "results", "public": "no"}).status_code == 302
    assert statuses(survey) == {404}
