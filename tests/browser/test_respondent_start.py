"""The first screen: all that a person must know, and Start. Numbers in docstrings: lines of docs/threat-model.md."""

from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    address,
    begin,
    choose,
    expect_heading,
    fits_window,
    modes as of_each_mode,
    press,
    spin,
    unfold,
    violations,
    visit,
)

PHONE, SMALL = {"width": 390, "height": 844}, {"width": 320, "height": 568}
LOWEST = {390: 650, 320: 852}  # where Start ends at most, in pixels
# The mean width of a character in Roboto, the font of most phones, in em, over SAMPLE. Fonts of desks are wider: the
# test spaces their letters, and lines break as on a phone. Arabic is left as it comes, since its letters are joined.
WIDTH, BOLD = 0.437, 0.4455
SAMPLE = (
    "Your device scrambles each sensitive answer before sending it: it mixes in chance. "
    "Ihr Gerät verändert jede heikle Antwort durch Zufall, bevor es sie sendet."
)
AS_ON_A_PHONE = """([sample, ...widths]) => {
    const pen = document.createElement("canvas").getContext("2d");
    const spacing = (weight, width) => {
        pen.font = `${weight} 100px ${getComputedStyle(document.body).fontFamily}`;
        return `letter-spacing: ${width - pen.measureText(sample).width / 100 / sample.length}em`;
    };
    const [thin, bold] = [spacing(400, widths[0]), spacing(700, widths[1])];
    const style = new CSSStyleSheet();
    const main = "html:not(:lang(ar)) main";
    style.replaceSync(`${main} * { ${thin} } ${main} :is(h1, strong, b, #try-name) { ${bold} }`);
    document.adoptedStyleSheets = [style];
}"""
LONGEST = """
from tests.factories import surveys
text = lambda most: ({sentence!r} * 9)[:most - 1] + "."
owner = surveys.create_researcher("longest " + {language!r})
survey = surveys.create_draft(owner, language={language!r}, title=text(60),
                      sender=text(40), introduction=text(90) + " More.", consent=text(160), asks_consent=True,
                      contact="Ada")
surveys.add_yes_no(survey)
surveys.add_yes_no(survey, "work")
surveys.add_background(survey)
surveys.publish_survey(survey)
print(survey.slug)
"""
SENTENCES = {
    "en": "Undeclared work and taxes among people who study here now, and after that ",
    "de": "Nicht angemeldete Arbeit und Steuern bei Menschen, die hier studieren und arbeiten ",
    "fr": "Le travail non déclaré et les impôts chez les personnes qui étudient ici, et ensuite ",
    "es": "El trabajo no declarado y los impuestos entre las personas que estudian aquí y luego ",
    "ar": "العمل غير المصرح به والضرائب بين الأشخاص الذين يدرسون هنا الآن ثم بعد ذلك يعملون ",
}
NUMBERS = {  # of two questions of 75 in 100 each: one answer alone, and both together
    "en": "at most {}",
    "de": "höchstens {}",
    "fr": "au plus {}",
    "es": "como mucho {}",
    "ar": "{} على الأكثر",
}
OPENING = "We want to know how often rules are broken, not who broke them."
MAKE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({introduction!r}[:20] + {language!r}), language={language!r},
                      title="Exams 2026", introduction={introduction!r}, contact="Ada, ada@example.org",
                      consent="I take part.")
surveys.add_yes_no(survey, "tool", design="two-coin")
surveys.add_yes_no(survey, "sick")
surveys.add_background(survey)
surveys.publish_survey(survey)
print(survey.slug)
"""


@cache
def made(site: Site, language: str, introduction: str = OPENING) -> str:
    return site.shell(MAKE.format(language=language, introduction=introduction))


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    return box["y"] + box["height"]


def lowest(page: Page) -> dict[int, float]:
    """Where Start ends, by the width of the screen."""
    page.evaluate(AS_ON_A_PHONE, [SAMPLE, WIDTH, BOLD])
    ends = {}
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)
        ends[size["width"]] = bottom(page, "#begin")
        assert fits_window(page)
    return ends


@pytest.mark.parametrize("language", NUMBERS)
def test_start_is_on_the_first_screen_of_the_longest_survey(
    page: Page, site: Site, language: str
) -> None:
    """24. Title of 60 characters, sender of 40, reason of 90, consent of 160; longer ones are the author's choice."""
    visit(page, site, site.shell(LONGEST.format(language=language, sentence=SENTENCES[language])))
    ends = lowest(page)
    assert {width: end for width, end in ends.items() if end > LOWEST[width]} == {}


@pytest.mark.parametrize("language", NUMBERS)
def test_claim_number_and_start_are_read_without_a_tap(
    page: Page, site: Site, language: str
) -> None:
    """24. In every language; everything else stands one tap away, and nothing is open yet."""
    page.set_viewport_size(PHONE)
    visit(page, site, made(site, language))
    assert bottom(page, "#begin") <= PHONE["height"]
    expect(page.get_by_text(OPENING)).to_be_visible()
    expect(page.locator("#try")).to_be_visible()
    expect(page.locator(".candor-consequence strong")).to_have_text(
        [NUMBERS[language].format(number) for number in (75, 90)]
    )
    expect(page.locator("details[open]")).to_have_count(0)
    expect(page.locator(".candor-exit")).to_be_visible()
    expect(page.locator("main details details")).to_have_count(0)
    assert violations(page) == ""
    page.set_viewport_size({"width": 320, "height": 640})
    unfold(page)
    assert fits_window(page)


TAPPED = "button, a, summary, select, textarea, input:not([type=radio], [type=checkbox]), label"
SMALLER = """(tapped) => [...document.querySelectorAll(tapped)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".govuk-visually-hidden"))
    .filter((each) => !each.matches("#skip, label:not(.govuk-radios__label, .govuk-checkboxes__label)"))
    .map((each) => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
    .filter(([, { width, height }]) => height < 44 || width < 24)
    .map(([html, { width, height }]) => `${width} x ${height}: ${html}`)"""


def test_nothing_to_tap_is_lower_than_44_pixels(page: Page, site: Site) -> None:
    """27. On every step, with every fold open."""
    page.set_viewport_size(SMALL)
    visit(page, site, of_each_mode(site))
    unfold(page)
    small = page.evaluate(SMALLER, TAPPED)
    begin(page)
    small += page.evaluate(SMALLER, TAPPED)
    press(page, "Continue")
    small += page.evaluate(SMALLER, TAPPED)
    choose(page, tool=1)
    spin(page)
    small += page.evaluate(SMALLER, TAPPED)
    choose(page, sick=1)
    small += page.evaluate(SMALLER, TAPPED)
    choose(page, contract=0, region=0)
    small += page.evaluate(SMALLER, TAPPED)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    unfold(page)
    small += page.evaluate(SMALLER, TAPPED)
    assert small == []


def test_a_long_introduction_folds(page: Page, site: Site) -> None:
    """Whole sentences of its first paragraph stay where they are short; the rest waits one tap away."""
    page.set_viewport_size(PHONE)
    visit(page, site, made(site, "en", "A short line.\n\n" + "And a long story follows. " * 60))
    assert bottom(page, "#begin") <= PHONE["height"]
    expect(page.get_by_text("A short line.", exact=True)).to_be_visible()
    story = page.get_by_text("And a long story follows.")
    expect(story).to_be_hidden()
    page.get_by_text("Who is asking, and why").click()
    expect(story).to_be_visible()
    expect(page.get_by_text("Contact: Ada, ada@example.org")).to_be_visible()


def test_the_hash_stands_behind_how_to_check(page: Page, site: Site) -> None:
    visit(page, site, made(site, "en"))
    sha256 = page.locator("main").get_attribute("data-sha256")
    expect(page.get_by_text(sha256)).to_be_hidden()
    page.get_by_text("How anyone can check this page").click()
    expect(page.get_by_text(sha256)).to_be_visible()
    page.get_by_role("link", name="The program of this page, and how to check it").click()
    expect(page.get_by_text(sha256)).to_be_visible()


def test_everything_can_be_read_in_the_dark(browser: Browser, site: Site) -> None:
    """27. axe finds no contrast too low where the browser asks for dark colours."""
    page = browser.new_page(color_scheme="dark", viewport=PHONE)
    visit(page, site, made(site, "en"))
    unfold(page)
    expect(page.locator("body")).to_have_css("background-color", "rgb(14, 21, 24)")
    assert violations(page) == ""
    page.close()


SCHEDULED = """
from datetime import datetime, UTC
from tests.factories import surveys
owner = surveys.create_researcher("scheduled " + {language!r})
survey = surveys.create_draft(owner, title="Soon", language={language!r},
                      opens=datetime(2180, 7, 1, 22, 30, tzinfo=UTC), closes=datetime(2180, 7, 9, 10, 0, tzinfo=UTC))
surveys.add_yes_no(survey)
surveys.publish_survey(survey)
print(survey.slug)
"""


@pytest.mark.parametrize(
    ("language", "zone", "opens", "closes"),
    [
        (
            "en",
            "America/New_York",
            "Saturday, July 1, 2180 at 6:30 PM Eastern Daylight Time",
            "6:00 AM",
        ),
        (
            "de",
            "Europe/Berlin",
            "Sonntag, 2. Juli 2180 um 00:30 Mitteleuropäische Sommerzeit",
            "12:00",
        ),
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
