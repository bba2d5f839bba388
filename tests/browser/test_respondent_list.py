"""Long lists on the respondent’s page: searched by keyboard and touch, nothing asked for, kept or told by it.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from mechanisms import from_spec
from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    Traffic,
    address,
    begin,
    expect_heading,
    expect_ready,
    expect_text,
    fits_window,
    press,
    see_what_was_sent,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import DOCUMENT, FIXED, STATE
from tests.browser.test_respondent_numbers import _asked

# 300 scrambled towns, and 40 that are sent as they are; in Arabic each has a word more.
MAKE = """
from surveys.authoring.drafts import drafts
from tests.factories.surveys import publish_survey
from tests.factories import surveys
towns = ["Łódź am See", "Côte d’Or", "Córdoba", "Neu-Ulm", *(f"Town {number}" for number in range(296))]
survey = surveys.create_draft(surveys.create_researcher("lists"))
drafts.save_question(survey=survey, text="Where?", key="where", kind="choice", choices=towns, design="balanced")
drafts.save_question(survey=survey, text="Born?", key="born", kind="background", choices=towns[:40], decline=True)
print(publish_survey(surveys.add_translations(survey, "ar")).survey.slug)
"""
SOME_DRAWS = with_modules("""async ([truths, draws]) => {
    const { randomize } = await import("/static/mechanisms/index.js");
    const { questions } = JSON.parse(document.getElementById("instrument").textContent);
    return truths.map((truth) => Array.from({ length: draws }, () => randomize(questions[0].mechanism, truth)));
}""")
# Takes from the page every property and method that the oldest browsers lack.
NEWER = Path(__file__).parents[1] / "javascript" / "newer.txt"
OLDEST = """for (const name of NAMES) {
    for (const each of Object.getOwnPropertyNames(globalThis)) {
        delete globalThis[each]?.prototype?.[name];
    }
}"""
WHERE, BORN = "#q-where-list", "#q-born-list"


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return site.shell(MAKE).splitlines()[-1]


def pick(page: Page, field: str, text: str) -> None:
    """The first answer that fits, by keyboard."""
    page.fill(field, text)
    page.press(field, "ArrowDown")
    page.press(field, "Enter")
    expect(page.locator(f"{field}[aria-expanded=false]")).not_to_have_value(text)


def test_an_answer_is_found_by_keyboard_without_its_marks(
    page: Page, site: Site, slug: str
) -> None:
    """Words that start first; what is no answer stops; Escape closes, and then empties."""
    visit(page, site, slug)
    begin(page)
    field, options = page.locator(WHERE), page.locator("#q-where-options [role=option]")
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(options).to_have_count(0)
    field.press_sequentially("town 1")
    expect(options).to_have_count(30)
    expect_text(page, "More answers that fit: 81. Type on to see them.")
    field.fill("ULM")
    expect(options).to_have_text(["Neu-Ulm"])
    field.press("Escape")
    expect(field).to_have_attribute("aria-expanded", "false")
    press(page, "Continue")
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#q-where-error")).to_contain_text("choose one answer from the list")
    field.press("Escape")
    expect(field).to_have_value("")
    field.fill("lodz")
    field.press("ArrowDown")
    active = page.locator("#q-where-options [aria-selected=true]")
    expect(active).to_have_text("Łódź am See")
    expect(field).to_have_attribute("aria-activedescendant", "q-where-list-0")
    field.press("Enter")
    expect(field).to_have_value("Łódź am See")
    expect_text(page, "Chosen: Łódź am See")
    page.locator(".candor-question:visible [data-do=clear]").click()
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    field.fill("cordoba")
    field.press("Escape")
    field.press("Enter")  # written but for its mark, and goes on as in every field
    expect_heading(page, "Born?")


def test_a_list_is_answered_by_keyboard_with_what_the_oldest_browsers_have(
    page: Page, site: Site, slug: str
) -> None:
    """27. From the first answer that fits to the third, and back to the second."""
    page.add_init_script(OLDEST.replace("NAMES", json.dumps(NEWER.read_text().split())))
    visit(page, site, slug)
    assert (
        page.evaluate(
            "['ariaSelected', 'checkVisibility', 'replaceChildren'].some((name) => name in document.body)"
        )
        is False
    )
    begin(page)
    field = page.locator(WHERE)
    field.press_sequentially("town 12")
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):
        field.press(key)
    expect(page.locator("#q-where-options [aria-selected=true]")).to_have_text(["Town 120"])
    field.press("Enter")
    expect(field).to_have_value("Town 120")
    field.press("Enter")
    expect_heading(page, "Born?")


def test_it_is_looked_over_and_sent_without_a_request_before(
    page: Page, site: Site, slug: str
) -> None:
    """6, 7, 16. With “Prefer not to say” beside the list, and what was sent in words."""
    visit(page, site, slug)
    traffic = Traffic(page)
    begin(page)
    pick(page, WHERE, "cord")
    press(page, "Continue")
    pick(page, BORN, "ulm")
    page.check("#q-born-aside")
    expect(page.locator(BORN)).to_have_value("")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    expect_text(page, "Córdoba")
    expect_text(page, "Prefer not to say")
    page.locator('#review [data-key="born"] button').click()
    pick(page, BORN, "ulm")
    expect(page.locator("#q-born-aside")).not_to_be_checked()
    press(page, "Continue")
    expect_text(page, "Neu-Ulm")
    assert not traffic.requests
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.posts) == 1
    see_what_was_sent(page)
    questions = json.loads(page.locator("#instrument").text_content())["questions"]
    assert wire(page)["born"] == 3
    space, report = from_spec(questions[0]["mechanism"]).space, wire(page)["where"]
    inside = [
        place
        for place in range(300)
        if not np.dot(space.vector(place), space.vector(report)) % space.order
    ]
    expect_text(
        page, f"A group of answers was sent, picked at random. Answers in it: {len(inside)}"
    )
    shown = page.locator('#sent [data-key="where"] li')
    expect(shown).to_have_text([questions[0]["choices"][place]["en"] for place in inside[:10]])


def test_going_back_to_the_page_empties_what_was_typed(page: Page, site: Site, slug: str) -> None:
    """15, 16. As loading it again does."""
    visit(page, site, slug)
    begin(page)
    page.fill(WHERE, "ulm")
    page.goto(f"{site.url}/trust/")
    page.go_back()
    expect_ready(page)
    expect(page.locator(WHERE)).to_have_value("")
    expect(page.locator("#q-where-options [role=option]")).to_have_count(0)


def test_it_works_by_touch_in_arabic_on_a_dark_small_screen(
    browser: Browser, site: Site, slug: str
) -> None:
    """27. axe, no sideways scrolling, from right to left."""
    dark = {"color_scheme": "dark", "viewport": {"width": 320, "height": 640}, "has_touch": True}
    page = browser.new_context(locale="ar", **dark).new_page()
    page.goto(address(site, slug))
    expect_ready(page)
    page.locator("#begin").tap()
    page.locator(WHERE).tap()
    options = page.locator("#q-where-options [role=option]")
    expect(options).to_have_count(30)
    assert violations(page) == ""
    assert fits_window(page)
    page.fill(WHERE, "cote")
    options.tap()
    expect(page.locator(WHERE)).to_have_value("Côte d’Or بالعربية")
    assert violations(page) == ""
    assert fits_window(page)
    page.context.close()


def everything(browser: Browser, site: Site, slug: str, word: int, typed: str) -> list:
    """All that could be observed of a visit in which this is typed and chosen."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(f"globalThis.word = {word};{FIXED}")
    traffic = Traffic(page)
    visit(page, site, slug)
    begin(page)
    page.fill(WHERE, typed)
    page.press(WHERE, "Escape")
    press(page, "Continue")
    pick(page, BORN, "ulm")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    page.route(
        "**/responses/", lambda route: route.fulfill(status=201, json={"status": "recorded"})
    )
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    seen = [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies(), *traffic.bodies]
    asked = sorted((_asked(request) for request in traffic.requests), key=repr)
    context.close()
    return [*asked, *seen]


def test_two_answers_with_the_same_report_leave_the_same_traces(
    browser: Browser, page: Page, site: Site, slug: str
) -> None:
    """11. Requests, storage, cookies, address, history, title, document and fields are the same for all of them."""
    visit(page, site, slug)
    question = json.loads(page.locator("#instrument").text_content())["questions"][0]
    mechanism, word = from_spec(question["mechanism"]), 1
    drawn = [mechanism.randomize_one(truth, lambda: word) for truth in range(300)]
    truths = [
        truth
        for truth, report in enumerate(drawn)
        if drawn.count(report) > 2 and report == drawn[-1]
    ]
    typed = [question["choices"][truth]["en"] for truth in (truths[0], truths[-1])]
    one, other = (everything(browser, site, slug, word, text) for text in typed)
    assert typed[0] != typed[1]
    assert one == other
    assert typed[0] not in repr([part for part in one if isinstance(part, str)])


def test_the_browser_draws_groups_with_the_stated_chances(
    page: Page, site: Site, slug: str
) -> None:
    """13. 4,000 draws for each of four answers: how often each of the four is in the group that is sent."""
    draws, answers = 4_000, [0, 3, 7, 299]
    visit(page, site, slug)
    questions = json.loads(page.locator("#instrument").text_content())["questions"]
    mechanism = from_spec(questions[0]["mechanism"])
    assert mechanism.kind == "geometry"
    for truth, reports in zip(answers, page.evaluate(SOME_DRAWS, [answers, draws]), strict=True):
        assert len(reports) == draws
        for answer in answers:
            chance = float(mechanism.p if answer == truth else mechanism.q)
            came = int(mechanism.supports(np.array(reports), answer).sum())
            assert abs(came - draws * chance) < 4.5 * (draws * chance * (1 - chance)) ** 0.5
