"""The first screen: all that a person must know, and Start. Numbers in docstrings: lines of docs/threat-model.md."""

from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent import address, fits, unfold, violations, visit

PHONE = {"width": 390, "height": 800}
OPENING = {
    "en": "We want to know how often rules are broken, not who broke them.",
    "de": "Wir wollen wissen, wie oft Regeln gebrochen werden, nicht, wer sie bricht.",
    "fr": "Nous voulons savoir combien de fois les règles sont enfreintes, et non par qui.",
    "es": "Queremos saber cuántas veces se incumplen las reglas, no quién las incumple.",
    "ar": "نريد أن نعرف كم مرة تُخالَف القواعد، لا من خالفها.",
}
NUMBERS = {  # of two questions of 75 in 100 each: one answer alone, and both together
    "en": "at most {}",
    "de": "höchstens {}",
    "fr": "au plus {}",
    "es": "como mucho {}",
    "ar": "{} على الأكثر",
}
MAKE = """
from tests import making
survey = making.draft(making.researcher({introduction!r}[:20]), language={language!r}, title="Exams 2026",
                      introduction={introduction!r}, contact="Ada, ada@example.org", consent="I take part.")
making.yes_no(survey, "tool", design="two-coin")
making.yes_no(survey, "sick")
making.background(survey)
making.publish(survey)
print(survey.slug)
"""


@cache
def made(site: Site, language: str, introduction: str) -> str:
    return site.shell(MAKE.format(language=language, introduction=introduction))


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize("language", OPENING)
def test_the_promise_the_picture_the_number_and_start_fit_a_phones_first_screen(
    page: Page, site: Site, language: str
) -> None:
    """24. In every language, without scrolling; everything else stands one tap away, and nothing is open yet."""
    page.set_viewport_size(PHONE)
    visit(page, site, made(site, language, OPENING[language]))
    assert bottom(page, "#begin") <= PHONE["height"]
    expect(page.get_by_text(OPENING[language])).to_be_visible()
    expect(page.locator(".candor-way")).to_be_visible()
    expect(page.locator(".candor-consequence strong")).to_have_text(
        [NUMBERS[language].format(number) for number in (75, 90)]
    )
    expect(page.locator("details[open]")).to_have_count(0)
    expect(page.locator(".candor-exit")).to_be_visible()
    expect(page.locator("main details details")).to_have_count(0)
    assert violations(page) == ""
    page.set_viewport_size({"width": 320, "height": 640})
    unfold(page)
    assert fits(page)


def test_a_long_introduction_folds(page: Page, site: Site) -> None:
    """Its first line stays where it is short; what is longer waits under “Who asks, and what for”."""
    page.set_viewport_size(PHONE)
    visit(page, site, made(site, "en", "A short line.\n\n" + "And a long story follows. " * 60))
    assert bottom(page, "#begin") <= PHONE["height"]
    expect(page.get_by_text("A short line.", exact=True)).to_be_visible()
    story = page.get_by_text("And a long story follows.")
    expect(story).to_be_hidden()
    page.get_by_text("Who asks, and what for").click()
    expect(story).to_be_visible()
    expect(page.get_by_text("Who asks: Ada, ada@example.org")).to_be_visible()


def test_the_hash_stands_behind_how_to_check(page: Page, site: Site) -> None:
    visit(page, site, made(site, "en", OPENING["en"]))
    sha256 = page.locator("main").get_attribute("data-sha256")
    expect(page.get_by_text(sha256)).to_be_hidden()
    page.get_by_text("How anyone can check this page").click()
    expect(page.get_by_text(sha256)).to_be_visible()
    page.get_by_role("link", name="The program of this page, and how to check it").click()
    expect(page.get_by_text(sha256)).to_be_visible()


def test_everything_can_be_read_in_the_dark(browser: Browser, site: Site) -> None:
    """27. axe finds no contrast too low where the browser asks for dark colours."""
    page = browser.new_page(color_scheme="dark", viewport=PHONE)
    visit(page, site, made(site, "en", OPENING["en"]))
    unfold(page)
    expect(page.locator("body")).to_have_css("background-color", "rgb(14, 21, 24)")
    assert violations(page) == ""
    page.close()


SCHEDULED = """
from datetime import datetime, UTC
from tests import making
survey = making.draft(making.researcher("scheduled " + {language!r}), title="Soon", language={language!r},
                      opens=datetime(2180, 7, 1, 22, 30, tzinfo=UTC), closes=datetime(2180, 7, 9, 10, 0, tzinfo=UTC))
making.yes_no(survey)
making.publish(survey)
print(survey.slug)
"""


@pytest.mark.parametrize(
    ("language", "zone", "opens", "closes"),
    [
        ("en", "America/New_York", "Saturday, July 1, 2180 at 6:30 PM Eastern Daylight Time", "6:00 AM"),
        ("de", "Europe/Berlin", "Sonntag, 2. Juli 2180 um 00:30 Mitteleuropäische Sommerzeit", "12:00"),
    ],
)
def test_times_are_those_of_the_reader(  # noqa: PLR0917
    browser: Browser, site: Site, language: str, zone: str, opens: str, closes: str
) -> None:
    """The page is the same for everybody; its own script writes the time in the zone and the language of the reader."""
    slug = site.shell(SCHEDULED.format(language=language))
    context = browser.new_context(timezone_id=zone)
    page = context.new_page()
    page.goto(address(site, slug))
    times = page.locator("time")
    expect(times.first).to_have_text(opens)
    expect(times.last).to_contain_text(closes)
    assert violations(page) == ""
    context.close()


def test_without_scripts_times_are_those_of_utc(browser: Browser, site: Site) -> None:
    slug = site.shell(SCHEDULED.format(language="fr"))
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(site, slug))
    expect(page.locator("time")).to_have_text(["2180-07-01 22:30 UTC", "2180-07-09 10:00 UTC"])
    context.close()
