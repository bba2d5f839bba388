"""A survey in several languages: people pick on the page, and nothing that leaves or stays on the device tells which.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re
from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    address,
    expect_heading,
    expect_ready,
    fits_window,
    press,
    until,
    violations,
)

MAKE = """
from tests.factories import surveys
from tests.factories.surveys import publish_survey
survey = surveys.create_draft(surveys.create_researcher({name!r}), introduction="About your work.", contact="Ada",
                       consent="You agree.", shared_device={shared!r})
surveys.add_yes_no(survey, help="Any tax.", section="Money")
surveys.add_choice(survey, decline=True)
surveys.add_quantity(survey, parameters={{"epsilon": "0.8"}})
surveys.add_background(survey)
publish_survey(surveys.add_translations(survey, *{further!r}))
print(survey.slug)
"""
WORDS = {  # language: (start, sent, of the last question)
    "en": ("Start", "Sent. Thank you.", "North was"),
    "de": ("Beginnen", "Gesendet. Danke.", "North auf Deutsch"),
    "ar": ("ابدأ", "أُرسلت. شكرًا لك.", "North بالعربية"),
}
# Every draw the same, so that the reports differ only where the answers do.
SAME = (
    "crypto.getRandomValues = (array) => array.fill(7);"
    "crypto.randomUUID = () => '5f0c0c1e-7f4f-4b3e-9d5e-0123456789ab';"
)
KEPT = """() => JSON.stringify([
    location.href, history.length, document.title, {...localStorage}, {...sessionStorage}, document.cookie, name])"""


@cache
def survey(site: Site, *further: str, shared: bool = False) -> str:
    name = f"languages {' '.join(further)} {shared}"
    return site.shell(MAKE.format(name=name, further=further, shared=shared))


def opened(browser: Browser, site: Site, slug: str, *spoken: str) -> Page:
    """The page in a browser whose person reads these languages."""
    context = browser.new_context()
    script = (
        f"Object.defineProperty(navigator, 'languages', {{ get: () => {json.dumps(spoken)} }});"
    )
    context.add_init_script(script)
    page = context.new_page()
    page.goto(address(site, slug))
    expect_ready(page)
    return page


def pick(page: Page, code: str) -> None:
    page.get_by_role("combobox").select_option(code)
    expect_ready(page)


def through(page: Page) -> None:
    """Answer all questions and send, in whatever language."""
    page.locator("#begin").click()
    for key in ("tax-1", "fruit-0"):
        page.check(f"#q-{key}")
        page.locator("section:visible button[type=submit]").click()
    page.fill("#q-hours-number", "12")
    page.locator("section:visible button[type=submit]").click()
    page.check("#q-region-0")
    page.locator("section:visible button[type=submit]").click()
    page.locator("#review button[type=submit]").click()
    expect(page.locator("#sent")).to_be_visible()


@pytest.mark.parametrize(
    ("spoken", "code", "side"),
    [(("de-AT", "en"), "de", "ltr"), (("tr", "ar"), "ar", "rtl"), (("tr",), "en", "ltr")],
)
def test_the_page_begins_in_a_language_that_the_person_reads(
    browser: Browser, site: Site, spoken: tuple[str, ...], code: str, side: str
) -> None:
    page = opened(browser, site, survey(site, "de", "ar"), *spoken)
    expect(page.locator(f"html[lang={code}][dir={side}]")).to_have_count(1)
    expect(page.locator("#begin")).to_have_text(WORDS[code][0])
    expect(page.get_by_role("combobox")).to_have_value(code)
    expect(page.locator("#languages option")).to_have_text(["English", "Deutsch", "العربية"])
    expect(page.locator("#languages option[value=ar][lang=ar]")).to_have_count(1)
    assert page.locator("#languages select").bounding_box()["width"] >= 44
    page.context.close()


def test_a_person_picks_and_changes_until_the_start(browser: Browser, site: Site) -> None:
    page = opened(browser, site, survey(site, "de", "ar"), "en")
    traffic = Traffic(page)
    for code in ("de", "ar", "en", "de"):
        pick(page, code)
        expect(page.locator("#begin")).to_have_text(WORDS[code][0])
        expect(page.get_by_role("combobox")).to_be_focused()
        expect(page.locator("#begin")).to_have_count(1)
    expect(page.locator("h1:visible")).to_have_text("A survey auf Deutsch")
    expect(page.locator("#exit")).to_contain_text("Verlassen")
    page.locator("#begin").click()
    expect(page.locator("#languages, template[data-language]")).to_have_count(0)
    shown = "[...document.querySelector('main').children].filter(({ id }) => id !== 'instrument')"
    until(page, f"{shown}.every(({{ outerHTML }}) => !outerHTML.includes('بالعربية'))")
    expect(page.locator("h1:visible")).to_have_text("About tax? auf Deutsch")
    assert traffic.requests == []
    page.context.close()


def test_every_language_is_gone_through_to_the_end(browser: Browser, site: Site) -> None:
    """6, 7. No request before Send, one at it, with what every other language sends too."""
    slug = survey(site, "de", "ar")
    for code, (_, sent, said) in WORDS.items():
        page = opened(browser, site, slug, code)
        traffic = Traffic(page)
        through(page)
        expect_heading(page, sent)
        assert len(traffic.requests) == len(traffic.posts) == 1
        body = json.loads(traffic.bodies[0])
        assert set(body) == {"instrument", "key", "reports"}
        assert set(body["reports"]) == {"tax", "fruit", "hours", "region"}
        page.locator("#see summary").click()
        expect(page.locator("#sent dd[data-key=region]")).to_contain_text(said)
        page.context.close()


def left(
    browser: Browser, site: Site, slug: str, picked: str, spoken: str
) -> tuple[str, str, tuple[str, ...]]:
    """What a visit leaves: body, everything that is kept and shown to the browser, and every address asked for."""
    page = opened(browser, site, slug, spoken)
    traffic = Traffic(page)
    page.evaluate(SAME)
    pick(page, picked)
    through(page)
    kept = page.evaluate(KEPT)
    addresses = tuple(request.url for request in traffic.requests)
    body = traffic.bodies[0]
    page.context.close()
    return body, kept, addresses


def test_nothing_tells_the_language(browser: Browser, site: Site) -> None:
    """11. Over languages, and over texts of other lengths: same reports, same body, same storage, address, history."""
    slug = survey(site, "de", "ar")
    seen = {left(browser, site, slug, *way) for way in (("en", "en"), ("de", "en"), ("ar", "de"))}
    assert len(seen) == 1


def test_the_title_in_the_history_is_that_of_the_first_language(
    browser: Browser, site: Site
) -> None:
    page = opened(browser, site, survey(site, "de", "ar"), "de")
    expect(page).to_have_title("A survey")
    page.context.close()


def test_a_text_that_was_changed_in_one_language_stops_it_there(
    browser: Browser, site: Site
) -> None:
    """5. What a person reads is what the hash names, in the language that is read."""
    context = browser.new_context()
    page = context.new_page()
    slug = survey(site, "de", "ar")

    def forge(route) -> None:
        response = route.fetch()
        route.fulfill(
            response=response,
            body=re.sub(r"(?<=>)About tax\? auf Deutsch(?=</h1>)", "Alles?", response.text()),
        )

    page.route(re.compile(r"/s/[^/]+/$"), forge)
    page.goto(address(site, slug))
    expect_ready(page)
    page.get_by_role("combobox").select_option("de")
    expect(page.locator("#notice")).to_contain_text(
        "passen nicht zur veröffentlichten Umfrage", use_inner_text=True
    )
    expect(page.locator("#begin")).to_be_disabled()
    pick(page, "ar")
    context.close()


@pytest.mark.parametrize("code", ["en", "ar"])
def test_axe_finds_nothing_wrong_with_the_picker(browser: Browser, site: Site, code: str) -> None:
    page = opened(browser, site, survey(site, "de", "ar"), code)
    assert violations(page) == ""
    page.set_viewport_size({"width": 320, "height": 640})
    assert fits_window(page)
    page.context.close()


def test_a_response_that_waits_is_told_of_in_the_picked_language(
    browser: Browser, site: Site
) -> None:
    page = opened(browser, site, survey(site, "de", "ar"), "de")
    began = page.evaluate("Math.floor(Date.now() / 60000)")
    page.evaluate(
        """([name, body]) => localStorage.setItem(name, JSON.stringify(body))""",
        [
            f"candor {survey(site, 'de', 'ar')}",
            {"body": "{}", "survey": survey(site, "de", "ar"), "began": began},
        ],
    )
    page.reload()
    until(page, "!document.getElementById('delivery').hidden")
    expect_heading(page, "Noch nicht bestätigt")
    page.get_by_role("combobox").select_option("en")
    expect(page.locator("h1:visible")).to_have_text("Not confirmed yet", use_inner_text=True)
    page.context.close()


def test_on_a_closed_survey_the_notice_is_in_the_language_of_the_person(
    browser: Browser, site: Site
) -> None:
    slug = site.shell(
        MAKE.format(name="closed in languages", further=("de",), shared=True).replace(
            "print(",
            "survey.refresh_from_db()\n"
            "from surveys.fieldwork.responses.closing import close_survey\nclose_survey(survey, survey.owner)\nprint(",
        )
    )
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(address(site, slug))
    expect(page.locator("h1:visible")).to_have_text("Diese Umfrage ist geschlossen")
    page.get_by_role("combobox").select_option("en")
    expect(page.locator("h1:visible")).to_have_text("This survey is closed")
    context.close()


def test_on_a_shared_device_the_next_person_picks_anew(browser: Browser, site: Site) -> None:
    page = opened(browser, site, survey(site, "de", shared=True), "en")
    pick(page, "de")
    through(page)
    press(page, "Für die nächste Person")
    expect_ready(page)
    expect(page.locator("#begin")).to_have_text("Start")
    page.context.close()
