"""The right to decline: a background question, or the whole survey.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    count_stored,
    expect_heading,
    expect_ready,
    expect_text,
    fits_window,
    press,
    see_what_was_sent,
    violations,
    visit,
)
from tests.browser.survey_walk import DOCUMENT, FIXED, STATE

MAKE = """
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files.survey_file import new_version
from surveys.authoring.drafts.question_subset import set_draw
from tests.factories.surveys import publish_survey
from tests.factories import surveys
owner = surveys.create_researcher({name!r})
survey = surveys.create_draft(owner, language={language!r}, shared_device={shared}, asks_consent=True,
                      consent="I take part freely.", after_sending="We thank you.", after_declining="That is fine.",
                      help_lines="Help for victims: tel:116-006\\nAdvice: https://help.example/a")
surveys.add_yes_no(survey)
surveys.add_yes_no(survey, "work")
surveys.add_yes_no(survey, "theft")
set_draw(survey=survey, count=2, of=["tax", "work", "theft"])
save_question(survey=survey, text="Where?", key="region", kind="background", choices=["North", "South"])
save_question(survey=survey, text="How old?", key="age", kind="number", minimum="18", maximum="120")
made = survey if {draft} else publish_survey(survey).survey
print(made.slug, publish_survey(new_version(made, by=made.owner)).survey.slug if {again} else "")
"""
EMPTY = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
NOTHING = "[{},{}]"
ANSWERS = {"answered": ("#q-region-0", "33"), "declined": ("#q-region-2", None)}


def made(site: Site, name: str, **more: object) -> list[str]:
    usual = {"language": "en", "shared": False, "draft": False, "again": False}
    return site.shell(MAKE.format(name=name, **(usual | more))).split()


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return made(site, "declining")[0]


def start(page: Page) -> None:
    press(page, "Agree and start")


def sensitive(page: Page, truth: int) -> None:
    """Two questions by lot."""
    for _ in range(2):
        page.locator(f".candor-question:visible input[value='{truth}']").check()
        press(page, "Continue")


def about_oneself(page: Page, way: str) -> None:
    where, age = ANSWERS[way]
    page.check(where)
    press(page, "Continue")
    page.fill("#q-age-number", age) if age else page.check("#q-age-aside")
    press(page, "Continue")
    expect_heading(page, "Check your answers")


def traces(browser: Browser, site: Site, slug: str, way: str, truth: int) -> dict:
    """What anybody but the person could observe, with what chance gives fixed."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(FIXED)
    traffic = Traffic(page)
    visit(page, site, slug)
    loaded = len(traffic.requests)
    start(page)
    sensitive(page, truth)
    about_oneself(page, way)
    state = [page.evaluate(STATE)]
    assert len(traffic.requests) == loaded  # 6. Nothing between load and Send
    page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    state.append(page.evaluate(STATE))
    (body,) = traffic.bodies
    headers = sorted(traffic.posts[0].all_headers().items())
    found = {"state": state, "headers": headers, "body": body, "document": page.evaluate(DOCUMENT)}
    # Programs that come before anything is answered come in any order.
    found["requests"] = sorted((request.method, request.url) for request in traffic.requests)
    assert not context.cookies()
    context.close()
    return found


def test_a_declined_answer_is_sent_as_it_is_in_a_message_of_the_same_length(
    browser: Browser, site: Site, slug: str
) -> None:
    """4, 6, 7, 11. Beside the scrambled reports stand other codes; all else is the same, whatever is true."""
    found = {
        (way, truth): traces(browser, site, slug, way, truth) for way in ANSWERS for truth in (0, 1)
    }
    for way in ANSWERS:
        assert (
            found[way, 0] == found[way, 1]
        )  # the truth behind the scrambled answers shows nowhere
    answered, declined = found["answered", 0], found["declined", 0]
    reports = [json.loads(each["body"])["reports"] for each in (answered, declined)]
    assert [(each["region"], each["age"]) for each in reports] == [(0, 15), (2, 103)]
    assert {**reports[0], "region": 2, "age": 103} == reports[1]
    assert len(answered["body"]) == len(declined["body"])
    for name in ("state", "headers", "requests"):
        assert answered[name] == declined[name]


def test_declining_a_number_and_giving_one_take_each_other_back(
    page: Page, site: Site, slug: str
) -> None:
    visit(page, site, slug)
    start(page)
    sensitive(page, 0)
    page.check("#q-region-2")
    press(page, "Continue")
    press(page, "Continue")
    expect_text(page, "Enter a whole number from 18 to 120")
    page.fill("#q-age-number", "40")
    page.check("#q-age-aside")
    expect(page.locator("#q-age-number")).to_have_value("")
    press(page, "Continue")
    expect(page.locator("#review [data-key=region] [data-answer]")).to_have_text(
        "Prefer not to say"
    )
    expect(page.locator("#review [data-key=age] [data-answer]")).to_have_text("Prefer not to say")
    before = count_stored(site, slug)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert count_stored(site, slug) == before + 1
    expect_text(page, "We thank you.")
    expect_text(page, "Help for victims: 116-006")
    see_what_was_sent(page)
    expect(page.locator("#sent dd[data-key=age]")).to_have_text(
        "Prefer not to say was sent, not scrambled."
    )
    assert not violations(page)


def test_who_does_not_take_part_sends_nothing_and_nothing_is_kept(
    page: Page, site: Site, slug: str
) -> None:
    """3, 6, 16. No request, no storage, no cookie; what was kept before, as the drawn set, goes."""
    visit(page, site, slug)
    start(page)
    assert page.evaluate(EMPTY) != NOTHING  # the drawn set
    page.check(".candor-question:visible input[value='1']")
    page.reload()
    expect_ready(page)
    assert page.evaluate(EMPTY) != NOTHING
    before, traffic, asked = page.evaluate(STATE), Traffic(page), count_stored(site, slug)
    press(page, "Do not take part")
    expect_heading(page, "You are not taking part")
    expect_text(page, "Your answers were not sent, and this page keeps nothing on this device.")
    expect_text(page, "That is fine.")
    expect_text(page, "Help for victims: 116-006")
    assert page.evaluate(STATE) == {**before, "local": "{}"}
    assert page.evaluate(EMPTY) == NOTHING
    expect(page.locator("input, form")).to_have_count(0)
    page.wait_for_timeout(300)
    assert not traffic.requests
    assert not page.context.cookies()
    assert count_stored(site, slug) == asked
    assert not violations(page)
    press(page, "To the start of this page")
    expect_ready(page)
    assert page.evaluate(EMPTY) == NOTHING


def test_an_earlier_version_is_forgotten_too(page: Page, site: Site) -> None:
    first, second = made(site, "declining twice", again=True)
    visit(page, site, first)
    start(page)
    sensitive(page, 0)
    about_oneself(page, "declined")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.goto(f"{site.url}/s/{second}/")
    expect_heading(
        page, "Answers to another version of this survey have been sent from this device"
    )
    press(page, "Read on")
    press(page, "Do not take part")
    expect_heading(page, "You are not taking part")
    assert page.evaluate(EMPTY) == NOTHING


def test_the_next_person_on_a_shared_device_begins_anew(page: Page, site: Site) -> None:
    """16. After somebody who did not take part."""
    slug = made(site, "declining shared", shared=True)[0]
    visit(page, site, slug)
    press(page, "Do not take part")
    expect_heading(page, "You are not taking part")
    with page.expect_navigation():
        press(page, "For the next person")
    expect_ready(page)
    expect(page.locator("#intro")).to_be_visible()
    assert page.evaluate(EMPTY) == NOTHING


def test_quick_exit_works_from_the_end_page(page: Page, site: Site, slug: str) -> None:
    """28. As from any other step."""
    visit(page, site, slug)
    press(page, "Do not take part")
    expect_heading(page, "You are not taking part")
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    page.locator("#exit").click()
    expect(page).to_have_title("Left")


def test_help_lines_are_links_on_a_page_of_their_own(page: Page, site: Site, slug: str) -> None:
    """9, 27. From the respondent's page nobody gets to another site; from that of the help lines without a Referer."""
    visit(page, site, slug)
    expect(page.locator("a[href^='https:']")).to_have_count(0)
    start(page)
    expect(page.locator("a[href]")).to_have_count(0)
    page.reload()
    press(page, "Do not take part")
    expect(page.locator("#declined a[href='tel:116-006']")).to_have_text("116-006")
    traffic = Traffic(page)
    page.get_by_role("link", name="Open this list as links").click()
    expect(page.locator("h1")).to_have_text("Help and advice")
    page.wait_for_load_state()
    assert "referer" not in traffic.requests[0].all_headers()
    assert not page.context.cookies()
    assert page.evaluate(EMPTY) == NOTHING
    assert not violations(page)
    page.set_viewport_size({"width": 320, "height": 640})
    assert fits_window(page)
    expect(page.locator("main a[href='tel:116-006']")).to_have_text("116-006")
    page.route(
        re.compile(r"^https://help\.example/"),
        lambda route: route.fulfill(body="<title>Help</title>"),
    )
    with page.expect_request(re.compile(r"^https://help\.example/a$")) as asked:
        page.locator("main a[href='https://help.example/a']").click()
    assert "referer" not in asked.value.all_headers()
    expect(page).to_have_title("Help")


@pytest.mark.parametrize("language", ["de", "fr", "es", "ar"])
def test_the_end_page_speaks_every_language(page: Page, site: Site, language: str) -> None:
    """27. Without a violation, and without sideways scrolling at 320 px."""
    slug = made(site, f"declining in {language}", language=language)[0]
    page.set_viewport_size({"width": 320, "height": 640})
    visit(page, site, slug)
    assert not violations(page)
    page.locator("[data-do=decline]").click()
    expect(page.locator("#declined h1")).to_be_focused()
    assert not violations(page)
    assert fits_window(page)
    expect(page.locator("#declined")).not_to_contain_text("You are not", use_inner_text=True)
