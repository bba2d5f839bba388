"""What a device keeps: nothing of the answers, unless respondents ask for it. Numbers: lines of docs/threat-model.md.

`MIXED` has a number, whose place in the list is not its value; `SERIES` is a survey with a second version.
"""

import json
from uuid import uuid4

import pytest
from playwright.sync_api import BrowserType, Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    address,
    answer,
    begin,
    choose,
    count_stored,
    expect_heading,
    expect_ready,
    expect_text,
    fail,
    never_says,
    open_kept,
    press,
    remove,
    save_copy,
    see_what_was_sent,
    send_unheard,
    survey,
    until,
    violations,
    visit,
    wire,
)

KEPT = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
MIXED = """
from tests.factories import surveys
from surveys.models import Question
owner = surveys.create_researcher({name!r})
survey = surveys.create_draft(owner)
surveys.add_yes_no(survey)
number = surveys._create_question(survey, "age", Question.Kind.NUMBER, minimum=16, maximum=99)
print(surveys.publish_survey(survey).survey.slug)
"""
SERIES = """
from tests.factories import surveys
from surveys.authoring.files.survey_file import new_version
from tests.factories.surveys import publish_survey
owner = surveys.create_researcher({name!r})
first = surveys.create_published(owner).survey
second = new_version(first, by=owner)
publish_survey(second)
print(first.slug, second.slug)
"""


def kept(page: Page) -> list[dict]:
    return [json.loads(text) for text in page.evaluate("Object.values(localStorage)")]


def series(site: Site, name: str) -> tuple[str, str]:
    """The slugs of a first and a second version, both open."""
    first, second = site.shell(SERIES.format(name=name)).split()
    return first, second


def send_and_hold(page: Page) -> list[Route]:
    """Press Send, and keep the message from going on."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(RESPONSES, hold)
    press(page, "Send")
    expect(page.locator("h1:visible")).to_have_text("Sending …", use_inner_text=True)
    page.wait_for_timeout(200)
    return held


def send(page: Page, site: Site, slug: str) -> None:
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")


def test_what_was_sent_is_shown_once_in_words_and_real_values(page: Page, site: Site) -> None:
    """26. 33 where 33 was typed, not its place in the list; and no list of codes."""
    slug = site.shell(MIXED.format(name="mixed"))
    visit(page, site, slug)
    begin(page)
    choose(page, tax=1)
    page.fill("#q-age-number", "33")
    press(page, "Continue")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    see_what_was_sent(page)
    expect(page.locator("#sent dd[data-key=age]")).to_have_text("33 was sent, not scrambled.")
    assert wire(page)["age"] == 17
    expect(page.locator("#sent")).not_to_contain_text("17", use_inner_text=True)
    expect(page.locator("#sent code")).to_have_count(0)


def test_after_send_the_next_user_of_the_phone_learns_that_something_was_sent_and_no_more(
    page: Page, site: Site
) -> None:
    """16. By default a flag, under the name that all versions of the survey share."""
    slug = survey(site)
    send(page, site, slug)
    assert json.loads(page.evaluate(KEPT)) == [
        {f"candor {slug}": json.dumps({"sent": [slug]}, separators=(",", ":"))},
        {},
    ]
    open_kept(page)
    expect_text(page, "This browser remembers only that you sent answers, not what they were.")
    never_says(page, "deleted data")
    page.reload()
    expect_heading(page, "Answers were sent from this device")
    expect(page.locator("#see")).to_be_hidden()
    for words in ("North was sent", "Yes was sent", "No was sent"):
        expect(page.locator("#sent")).not_to_contain_text(words)


def test_a_page_left_after_send_shows_nothing_when_it_comes_back(
    browser_type: BrowserType, browser_type_launch_args: dict, site: Site
) -> None:
    """16. Not even where the browser keeps the whole page: what was sent is taken away before it can be kept."""
    options = browser_type_launch_args | {"ignore_default_args": ["--disable-back-forward-cache"]}
    browser = browser_type.launch(**options)
    page = browser.new_page()
    page.add_init_script(
        'addEventListener("pageshow", () => { sessionStorage.seen = (sessionStorage.seen ?? "") +'
        ' document.querySelectorAll("[data-written]").length; });'
    )
    send(page, site, survey(site))
    expect(page.locator("#sent [data-written]")).to_have_count(3)
    page.get_by_text("How anyone can check this page").click()
    page.get_by_role("link", name="The program of this page, and how to check it").click()
    page.wait_for_url("**/trust/**")
    page.evaluate("history.back()")
    page.wait_for_url("**/s/**")
    expect_heading(page, "Answers were sent from this device")
    until(page, "Boolean(sessionStorage.seen)")
    assert set(page.evaluate("sessionStorage.seen")) == {"0"}
    browser.close()


def test_a_copy_is_the_respondents_choice_and_holds_no_background_answer(
    page: Page, site: Site
) -> None:
    """26. It says who can read it, shows what is scrambled, and can be forgotten."""
    slug = survey(site)
    send(page, site, slug)
    reports = wire(page)
    open_kept(page)
    expect_text(
        page,
        "A copy shows anyone who opens this page here what was sent, without answers marked “Not scrambled”.",
    )
    save_copy(page)
    expect(page.locator("#kept")).to_be_focused()
    expect(page.get_by_role("button", name="Save a copy")).to_have_count(0)
    region = reports.pop("region")
    assert region == 0
    assert kept(page) == [{"sent": [slug], "copy": {"survey": slug, "reports": reports}}]
    page.reload()
    expect_heading(page, "Answers were sent from this device")
    open_kept(page)
    expect_text(page, "This browser keeps a copy of what was sent, because you asked for it.")
    assert violations(page) == ""
    see_what_was_sent(page)
    expect(page.locator("#sent dd[data-key=tax]")).to_contain_text(
        f"{['No', 'Yes'][reports['tax']]} was sent."
    )
    expect(page.locator("#sent dd[data-key=region]")).to_be_hidden()
    remove(page)
    expect_heading(page, "Removed from this device")
    assert kept(page) == []
    expect(page.locator("#sent [data-key=tax]")).not_to_contain_text(
        "was sent", use_inner_text=True
    )


@pytest.mark.parametrize("state", ["sent", "copy", "waiting"])
def test_leaving_forgets_whatever_is_kept(page: Page, site: Site, state: str) -> None:
    """28."""
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    slug = survey(site)
    visit(page, site, slug)
    answer(page)
    if state == "waiting":
        page.route(RESPONSES, fail)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet" if state == "waiting" else "Sent. Thank you.")
    if state == "copy":
        save_copy(page)
        expect(page.locator("#kept")).to_be_focused()
    assert len(kept(page)) == 1
    page.locator("#exit").click()
    expect(page).to_have_title("Left")
    assert json.loads(page.evaluate(KEPT)) == [{}, {}]
    page.unroute(RESPONSES)
    visit(page, site, slug)


def test_leaving_while_it_is_being_sent_leaves_no_flag(page: Page, site: Site) -> None:
    """28. The confirmation that comes a moment later writes nothing."""
    page.add_init_script(
        "fetch = () => new Promise((resolve) => { globalThis.arrive = () =>"
        """ resolve(new Response('{"status":"recorded"}', { status: 201 })); });"""
    )
    page.route(
        "**/leave/", lambda _: None
    )  # the next page takes its time, so that this one can be looked at
    visit(page, site, survey(site))
    answer(page)
    press(page, "Send")
    until(page, "Boolean(globalThis.arrive) && localStorage.length === 1")
    left = page.evaluate(
        """async () => {
            document.querySelector("[data-do=leave]").click();
            globalThis.arrive();
            for (let turn = 0; turn < 5; turn += 1) {
                await new Promise((done) => setTimeout(done));
            }
            return { ...localStorage };
        }"""
    )
    assert left == {}


def test_another_tabs_forgetting_is_final(page: Page, site: Site) -> None:
    """What was forgotten while it was on its way does not come back as a flag."""
    visit(page, site, survey(site))
    answer(page)
    held = send_and_hold(page)
    page.evaluate("localStorage.clear()")
    held[0].continue_()
    expect_heading(page, "Sent. Thank you.")
    assert kept(page) == []
    open_kept(page)
    expect_text(page, "This browser keeps nothing of it.")


def test_a_message_that_waited_is_said_to_be_in_the_browsers_files(page: Page, site: Site) -> None:
    """17. Browsers append: what a failed Send left on disk is not erased by removing it."""
    visit(page, site, survey(site))
    answer(page)
    send_unheard(page)
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    open_kept(page)
    expect_text(page, "This browser’s files can hold deleted data for some time.")


def test_a_new_version_offers_to_send_what_waits_for_the_old_one(page: Page, site: Site) -> None:
    """10. Before it asks, to the old version's address and in its length; then it warns, and can be answered."""
    first, second = series(site, "waiting series")
    visit(page, site, first)
    answer(page)
    traffic = send_unheard(page)
    page.goto(address(site, second))
    expect_heading(page, "Not confirmed yet")
    expect_text(page, "It belongs to another version of this survey.")
    assert violations(page) == ""
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(
        page, "Answers to another version of this survey have been sent from this device"
    )
    assert len(set(traffic.bodies)) == 1
    assert {post.url for post in traffic.posts} == {f"{site.url}/api/v1/surveys/{first}/responses/"}
    assert (count_stored(site, first), count_stored(site, second)) == (1, 0)
    assert kept(page) == [{"sent": [first]}]
    expect_text(page, "Both answers together make it easier to guess yours.")
    press(page, "Read on")
    expect_ready(page)
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert count_stored(site, second) == 1
    assert kept(page) == [{"sent": [first, second]}]
    page.goto(address(site, first))
    expect_heading(page, "Answers were sent from this device")


def test_a_new_version_can_be_answered_once_the_old_message_is_forgotten(
    page: Page, site: Site
) -> None:
    first, second = series(site, "forgotten series")
    visit(page, site, first)
    answer(page)
    send_unheard(page)
    page.goto(address(site, second))
    expect_heading(page, "Not confirmed yet")
    remove(page)
    expect_heading(page, "Removed from this device")
    press(page, "To the start of this page")
    expect_ready(page)
    assert kept(page) == []


def test_a_new_version_warns_where_the_old_one_was_answered(page: Page, site: Site) -> None:
    """25. Before it asks; a copy of the old one stays where it is, and both go together."""
    first, second = series(site, "warned series")
    send(page, site, first)
    save_copy(page)
    expect(page.locator("#kept")).to_be_focused()
    page.goto(address(site, second))
    expect_heading(
        page, "Answers to another version of this survey have been sent from this device"
    )
    expect_text(page, "This browser keeps a copy of what was sent, because you asked for it.")
    assert violations(page) == ""
    press(page, "Read on")
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    open_kept(page)
    expect_text(page, "This browser keeps a copy of what was sent, because you asked for it.")
    assert [list(one) for one in kept(page)] == [["sent", "copy"]]
    remove(page)
    expect_heading(page, "Removed from this device")
    assert kept(page) == []


def test_what_waits_in_another_tab_for_the_old_version_goes_first(page: Page, site: Site) -> None:
    """10. The new version was open already: what was chosen there is not used, and no second message is drawn."""
    first, second = series(site, "tabs of a series")
    visit(page, site, second)
    answer(page)
    other = page.context.new_page()
    visit(other, site, first)
    answer(other)
    other.route(RESPONSES, fail)
    press(other, "Send")
    expect_heading(other, "Not confirmed yet")
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(
        page, "Answers to another version of this survey have been sent from this device"
    )
    expect_text(page, "The answers you have chosen just now were not used and are erased.")
    assert [post.url for post in traffic.posts] == [f"{site.url}/api/v1/surveys/{first}/responses/"]
    assert (count_stored(site, first), count_stored(site, second)) == (1, 0)


def _left(page: Page, site: Site, slug: str, record: dict) -> str:
    """Put a record of an earlier version of the page on the device; returns its name."""
    page.goto(address(site, slug))
    name = f"candor {page.locator('#main').get_attribute('data-sha256')}"
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, json.dumps(record)])
    return name


def test_what_earlier_pages_kept_of_a_response_is_forgotten(page: Page, site: Site) -> None:
    """16. At the next visit, also to another survey of the site; that something was sent stays known."""
    slug, other = survey(site), survey(site, "other")
    name = _left(page, site, slug, {"reports": {"tax": 1, "fruit": "01001", "region": 0}})
    visit(page, site, other)
    assert page.evaluate("({ ...localStorage })") == {name: '{"sent":true}'}
    page.goto(address(site, slug))
    expect_heading(page, "Answers were sent from this device")
    assert page.evaluate("({ ...localStorage })") == {f"candor {slug}": f'{{"sent":["{slug}"]}}'}


def test_what_earlier_pages_left_waiting_is_never_sent_again(page: Page, site: Site) -> None:
    """Nothing says when it was sent first, so that it could count twice; the page says that it does not know."""
    slug = site.shell(MIXED.format(name="left waiting"))
    page.goto(address(site, slug))
    frozen = json.loads(page.locator("#instrument").text_content())
    sha256 = page.locator("#main").get_attribute("data-sha256")
    content = {"instrument": sha256, "key": str(uuid4()), "reports": {"tax": 1, "age": 17}}
    body = json.dumps(content, separators=(",", ":")).ljust(frozen["length"])
    _left(page, site, slug, {"body": body})
    page.reload()
    expect_heading(page, "We do not know whether your answers arrived")
    traffic = Traffic(page)
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    assert page.evaluate("({ ...localStorage })") == {f"candor {slug}": f'{{"unsure":["{slug}"]}}'}
    page.reload()
    expect_heading(page, "We do not know whether your answers arrived")
    assert violations(page) == ""
    remove(page)
    expect_heading(page, "Removed from this device")
    assert kept(page) == []
    assert traffic.posts == []
    assert count_stored(site, slug) == 0
