"""Questions that follow from answers sent as they are: who is asked them, and that the way taken leaves no trace.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    begin,
    choose,
    expect_heading,
    expect_text,
    press,
    save_copy,
    see_what_was_sent,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import DOCUMENT, FIXED, STATE

MAKE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({name!r}), language={language!r}, section_pages={pages})
surveys.add_background(survey, "sex", ("Female", "Male"))
surveys.add_yes_no(survey, "care", when={{"of": "sex", "in": ["Female"]}}, section="Care")
surveys.add_background(survey, "times", ("Once", "Often"))
survey.questions.filter(key="times").update(when={{"of": "sex", "in": ["Female"]}})
surveys.add_yes_no(survey, "more", when={{"of": "times", "in": ["Often"]}})
surveys.add_yes_no(survey, "tax", section="Money")
print(surveys.publish_survey(survey).survey.slug)
"""
WOMAN, MAN = {"sex": 0, "care": 1, "times": 1, "more": 0, "tax": 1}, {"sex": 1, "tax": 1}


def made(site: Site, name: str, *, language: str = "en", pages: bool = False) -> str:
    return site.shell(MAKE.format(name=name, language=language, pages=pages))


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """sex and tax of everybody; care and times of women; more of those who say Often."""
    return made(site, "on paths")


@pytest.fixture(scope="module")
def paged(site: Site) -> str:
    """The same, a page for each section."""
    return made(site, "on pages", pages=True)


def progress(page: Page, said: str | re.Pattern[str]) -> None:
    expect(page.locator(".candor-progress:visible")).to_have_text(said)


def test_what_follows_is_asked_of_those_alone_and_numbered_as_it_comes(
    page: Page, site: Site, slug: str
) -> None:
    visit(page, site, slug)
    expect_text(page, "At most 5 questions.")
    page.get_by_text("Which questions you get").click()
    expect_text(
        page,
        "Some questions appear only for certain groups. What you send shows whether you were asked.",
    )
    begin(page)
    expect_heading(page, "About sex?")
    progress(page, "Question 1")
    choose(page, sex=1)
    expect_heading(page, "About tax?")
    progress(page, "Question 2")
    choose(page, tax=1)
    expect_heading(page, "Check your answers")
    expect(page.locator("#review [data-key]:visible")).to_have_count(2)
    press(page, "Back")
    expect_heading(page, "About tax?")
    press(page, "Back")
    expect_heading(page, "About sex?")
    choose(page, sex=0)
    expect_heading(page, "About care?")
    expect(page.locator(".govuk-caption-l:visible")).to_have_text("Care")


def test_null_is_sent_for_what_was_not_asked(page: Page, site: Site, slug: str) -> None:
    """7. One body of one length, whichever way was taken; what was sent names only what was asked."""
    bodies = []
    for answers in (WOMAN, MAN, WOMAN | {"times": 0}):
        given = {
            key: index
            for key, index in answers.items()
            if not (key == "more" and answers.get("times") == 0)
        }
        context = page.context.browser.new_context()
        one = context.new_page()
        traffic = Traffic(one)
        visit(one, site, slug)
        begin(one)
        choose(one, **given)
        press(one, "Send")
        expect_heading(one, "Sent. Thank you.")
        assert {key for key, report in wire(one).items() if report is not None} == {*given}
        see_what_was_sent(one)
        expect(one.locator("#sent dt:visible")).to_have_count(len(given))
        expect_text(one, "What was sent also shows which questions you were not asked.")
        bodies += traffic.bodies
        context.close()
    assert len({len(body) for body in bodies}) == 1


def test_a_changed_answer_drops_what_followed_from_it(page: Page, site: Site, slug: str) -> None:
    visit(page, site, slug)
    begin(page)
    choose(page, **WOMAN)
    expect_heading(page, "Check your answers")
    page.locator('#review [data-key="sex"] button').click()
    expect_heading(page, "About sex?")
    page.check("#q-sex-1")
    forgotten = page.locator(
        "#q-care-0:checked, #q-care-1:checked, #q-times-1:checked, #q-more-0:checked"
    )
    expect(forgotten).to_have_count(0)
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    expect(page.locator("#review [data-key]:visible")).to_have_count(2)
    page.locator('#review [data-key="sex"] button').click()
    choose(page, sex=0)
    expect_heading(page, "About care?")  # it leads to what is open now, not back to the list
    choose(page, care=0, times=0)
    expect_heading(page, "Check your answers")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert wire(page)["more"] is None
    assert wire(page)["times"] == 0


def test_nothing_is_asked_of_the_network_on_any_path(page: Page, site: Site, slug: str) -> None:
    """6. Zero requests between load and Send, on the way there and back and over to another path."""
    visit(page, site, slug)
    traffic = Traffic(page)
    begin(page)
    choose(page, **WOMAN)
    page.locator('#review [data-key="sex"] button').click()
    choose(page, sex=1)
    expect_heading(page, "Check your answers")
    assert not traffic.requests


def traces(browser: Browser, site: Site, slug: str, *ways: dict[str, int]) -> tuple[list, list]:
    """What can be seen of a visit that goes one way after the other, changing the first answer: the bodies that were
    sent and all else, with a copy kept at the end.
    """
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(FIXED)
    page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    traffic = Traffic(page)
    visit(page, site, slug)
    begin(page)
    for number, way in enumerate(ways):
        if number:
            page.locator('#review [data-key="sex"] button').click()
        choose(
            page,
            **(way if not number else {key: index for key, index in way.items() if key != "tax"}),
        )
        expect_heading(page, "Check your answers")
    before = page.evaluate(STATE)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    save_copy(page)
    seen = [before, page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies()]
    asked = sorted((request.method, request.url) for request in traffic.requests)
    context.close()
    return traffic.bodies, [*asked, *seen]


def test_two_truths_leave_the_same_traces_on_either_path(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Where the reports are the same, so is all else, on each path."""
    for first, other in (
        (WOMAN, WOMAN | {"care": 0, "more": 1, "tax": 0}),
        (MAN, MAN | {"tax": 0}),
    ):
        assert traces(browser, site, slug, first) == traces(browser, site, slug, other)


def test_a_path_that_was_left_leaves_no_trace(browser: Browser, site: Site, slug: str) -> None:
    """11. Whoever went the other way first, and answered everything there, sends and leaves the same."""
    assert traces(browser, site, slug, WOMAN, MAN) == traces(browser, site, slug, MAN)
    assert traces(browser, site, slug, MAN, WOMAN) == traces(browser, site, slug, WOMAN)


def test_nothing_that_is_kept_tells_the_paths_apart(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Storage, history, title, address and requests are those of the other path; the copy has no way in it."""
    kept = [traces(browser, site, slug, way) for way in (WOMAN, MAN)]
    bodies, seen = zip(*kept, strict=True)
    assert json.loads(bodies[0][0])["reports"]["care"] is not None
    assert len({len(each[0]) for each in bodies}) == 1
    without = [
        [each for each in one if not (isinstance(each, dict) and "html" in each)] for one in seen
    ]
    assert without[0] == without[1]
    (copied,) = {json.loads(one[-2]["local"]).popitem()[1] for one in without}
    assert json.loads(copied)["copy"]["reports"] == {"tax": 0}


def test_the_browsers_back_erases_a_path(page: Page, site: Site, slug: str) -> None:
    """15. Nothing is checked afterwards, and the next visit begins at the beginning."""
    visit(page, site, slug)
    begin(page)
    choose(page, sex=0, care=1)
    page.goto(f"{site.url}/trust/")
    page.go_back()
    expect(page.locator("#begin")).to_be_enabled()
    expect(page.locator(":checked")).to_have_count(0)
    begin(page)
    expect_heading(page, "About sex?")
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def together(shown: Locator, *keys: str) -> None:
    expect(shown).to_have_count(len(keys))
    for place, key in enumerate(keys):
        expect(shown.nth(place)).to_have_attribute("data-key", key)


def test_the_questions_of_a_section_stand_on_one_page(page: Page, site: Site, paged: str) -> None:
    visit(page, site, paged)
    begin(page)
    choose(page, sex=0)
    shown = page.locator(".candor-question:visible")
    together(shown, "care", "times")
    expect(page.get_by_role("button", name="Continue", exact=True)).to_have_count(1)
    page.check("#q-times-1")  # what follows from it comes in its place
    together(shown, "care", "times", "more")
    assert not violations(page)
    press(page, "Continue")
    expect(page.locator("#errors li:visible")).to_have_count(2)
    expect(page.locator("#errors")).to_be_focused()
    page.check("#q-care-1")
    page.check("#q-more-1")
    press(page, "Continue")
    choose(page, tax=0)
    expect_heading(page, "Check your answers")
    page.locator('#review [data-key="more"] button').click()
    expect(page.locator('[data-key="more"] h1')).to_be_focused()
    page.check("#q-times-0")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert wire(page)["more"] is None


@pytest.mark.parametrize("language", ["de", "fr", "es", "ar"])
def test_paths_are_told_in_every_language(page: Page, site: Site, language: str) -> None:
    visit(page, site, made(site, f"paths in {language}", language=language))
    expect(page.locator("#intro")).not_to_contain_text("Some questions", use_inner_text=True)
    assert not violations(page)
    page.locator("#begin").click()
    progress(page, re.compile(r"^\D+ 1$"))
    expect(page.locator("progress")).to_have_count(0)
