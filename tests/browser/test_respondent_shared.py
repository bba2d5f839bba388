"""One device, several people: nothing of one is met by the next. Numbers: lines of docs/threat-model.md."""

import re

import pytest
from playwright.sync_api import Page, expect

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
    never_says,
    press,
    see_what_was_sent,
    violations,
    visit,
)

NEXT, DISCARD = "For the next person", "Discard"
MAKE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher("shared"), shared_device=True)
surveys.add_yes_no(survey)
surveys.add_choice(survey, decline=True)
surveys.add_background(survey)
print(surveys.publish_survey(survey).survey.slug)
"""
# What the next person, or whoever looks into the browser, could find: in storage, document, history and form.
MET = """async () => ({
    url: location.href,
    title: document.title,
    history: history.length,
    state: history.state,
    cookie: document.cookie,
    name: window.name,
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    html: document.documentElement.outerHTML,
    controls: [...document.querySelectorAll("input")].map(({ value, checked }) => [value, checked]),
    top: scrollY,
})"""
EMPTY = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """A survey for shared devices with a question of each kind."""
    return site.shell(MAKE)


def to_the_next(page: Page) -> None:
    """The page is loaded anew, and the next person stands before the introduction."""
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(f"^({DISCARD}|{NEXT})$")).click()
    expect_ready(page)


@pytest.mark.parametrize("left", ["introduction", "question", "list", "unsent", "sent"])
def test_nothing_of_one_person_is_met_by_the_next(
    page: Page, site: Site, slug: str, left: str
) -> None:
    """16. In storage, document, history and form, wherever the one before has stopped; nor by the browser's Back."""
    page.goto(f"{site.url}/trust/")
    visit(page, site, slug)
    first = page.evaluate(MET)
    if left == "introduction":
        press(page, "Yes")
    if left == "question":
        begin(page)
        page.check("#q-tax-1")
    if left in {"list", "unsent", "sent"}:
        answer(page, fruit=2)
    if left == "unsent":
        page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    if left in {"unsent", "sent"}:
        press(page, "Send")
    if left == "unsent":
        expect_heading(page, "Not confirmed yet")
    if left == "sent":
        expect_heading(page, "Sent. Thank you.")
        see_what_was_sent(page)
    assert page.evaluate(EMPTY) == "[{},{}]"
    if left in {"question", "list", "unsent"}:
        press(page, NEXT)
        expect(page.locator("h1:visible")).to_contain_text("Not sent yet", use_inner_text=True)
    to_the_next(page)
    assert (
        page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"
    )  # no reload of theirs
    assert page.evaluate(MET) == first
    page.go_back()
    page.wait_for_url("**/trust/")
    page.go_forward()
    expect_ready(page)
    assert page.evaluate(MET) == first


def test_what_is_not_sent_yet_is_not_lost_by_a_slip(page: Page, site: Site, slug: str) -> None:
    """10. The button first says so; the message lives in memory only, and trying again sends the same bytes."""
    visit(page, site, slug)
    answer(page)
    press(page, NEXT)
    expect_heading(page, "Not sent yet: go on or discard")
    assert violations(page) == ""
    press(page, "Go on answering")
    expect_heading(page, "Check your answers")
    before = count_stored(site, slug)
    page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    expect_text(page, "Only this page keeps it: leave it open until the message has been sent.")
    expect(page.get_by_role("button", name="Remove from this device")).to_have_count(0)
    press(page, NEXT)
    expect_heading(page, "Not sent yet: try again or discard")
    expect(page.get_by_role("button", name=NEXT)).to_have_count(0)
    assert violations(page) == ""
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    expect_text(page, "This device keeps nothing of it, not even that something was sent.")
    never_says(page, "What this device keeps")
    assert violations(page) == ""
    assert len(traffic.bodies) == 2
    assert len(set(traffic.bodies)) == 1
    assert count_stored(site, slug) == before + 1


def test_several_people_answer_one_after_the_other(page: Page, site: Site, slug: str) -> None:
    """Each with a key and a draw of their own; no flag holds the second one up."""
    before = count_stored(site, slug)
    visit(page, site, slug)
    traffic = Traffic(page)
    for _ in range(3):
        answer(page)
        press(page, "Send")
        expect_heading(page, "Sent. Thank you.")
        to_the_next(page)
    assert count_stored(site, slug) == before + 3
    assert len(set(traffic.bodies)) == 3


def test_loading_anew_and_leaving_keep_nothing_either(page: Page, site: Site, slug: str) -> None:
    """28. What is not sent is gone with the page."""
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    visit(page, site, slug)
    begin(page)
    choose(page, tax=1)
    page.reload()
    expect_ready(page)
    page.locator("#exit").click()
    expect(page).to_have_title("Left")
    page.goto(address(site, slug))
    expect_ready(page)
    assert page.evaluate(EMPTY) == "[{},{}]"
