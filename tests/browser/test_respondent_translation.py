"""A translation service in the browser: it gets no answer, and the page goes on working with changed texts.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import address, expect_ready

# As translators do: from loading on, each text that is on the page or comes to it is sent away and replaced, unless an
# element around it says that it is not to be translated. `received` is what the service got, in order.
TRANSLATOR = """
globalThis.received = [];
const mark = "¿";
const untouched = 'OUTSIDE, script, style, noscript, template, textarea';
function translate(node) {
    const isSpared = !node.parentElement || node.parentElement.closest(untouched);
    if (!isSpared && node.data.trim() && !node.data.startsWith(mark)) {
        received.push(node.data.trim());
        node.data = mark + node.data;
    }
}
function translateIn(root) {
    if (root.nodeType === Node.TEXT_NODE) {
        translate(root);
        return;
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        found.push(texts.currentNode);
    }
    found.forEach(translate);
}
addEventListener("load", () => {
    document.documentElement.lang = "xx"; // Google's writes the language of its translation
    translateIn(document.body);
    new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
            (type === "childList" ? [...addedNodes] : [target]).filter((node) => node.isConnected).forEach(translateIn);
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
});
"""
HONEST = TRANSLATOR.replace("OUTSIDE", '[translate="no"]')
GREEDY = TRANSLATOR.replace(
    "OUTSIDE, ", ""
)  # one that spares nothing, to show that it would have found answers
MAKE = """
from surveys.authoring.drafts import drafts
from tests.factories.surveys import publish_survey
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher("translated"))
surveys.add_yes_no(survey)
surveys.add_choice(survey, labels=("Apple", "Pear", "Plum"), design="direct", parameters={"epsilon": "1"})
surveys.add_background(survey)
towns = [f"Town {number}" for number in range(300)]
drafts.save_question(survey=survey, text="Born?", key="born", kind="background", choices=towns, decline=True)
drafts.save_question(survey=survey, text="Hours?", key="hours", kind="number", minimum="0", maximum="60", decline=False)
print(publish_survey(surveys.add_translations(survey, "de")).survey.slug)
"""
FIRST = {"tax": 0, "fruit": 0, "region": 0, "town": "Town 17", "hours": "12"}
SECOND = {"tax": 1, "fruit": 2, "region": 1, "town": "Town 28", "hours": "31"}


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return site.shell(MAKE).splitlines()[-1]


def opened(browser: Browser, site: Site, slug: str, translator: str) -> Page:
    context = browser.new_context()
    context.add_init_script(translator)
    page = context.new_page()
    page.goto(address(site, slug))
    expect_ready(page)
    expect(page.locator("h1:visible")).to_contain_text("¿")  # the translator has been at work
    return page


def answer_all(page: Page, answers: dict) -> None:
    """From the introduction to the list of answers, by the keys of a person who reads translated texts."""
    page.locator("#begin").click()
    for key in ("tax", "fruit", "region"):
        page.check(f"#q-{key}-{answers[key]}")
        page.locator("section:visible button[type=submit]").click()
    page.fill("#q-born-list", answers["town"])
    page.locator("#q-born-options [role=option]").first.click()
    page.locator("section:visible button[type=submit]").click()
    page.locator("input[name=q-hours]").first.fill(answers["hours"])
    page.locator("section:visible button[type=submit]").click()
    expect(page.locator("#review")).to_be_visible()


def send(page: Page) -> None:
    page.locator("#review button[type=submit]").click()
    expect(page.locator("#sent")).to_be_visible()


def test_translator_receives_the_same_whatever_is_answered(
    browser: Browser, site: Site, slug: str
) -> None:
    """6. At no step, also in the list to look over and in what was sent."""
    received = []
    for answers in (FIRST, SECOND):
        page = opened(browser, site, slug, HONEST)
        answer_all(page, answers)
        expect(page.locator("#review [data-key=tax] [data-answer]")).to_have_text(
            re.compile("^¿(Yes|No)$")
        )
        send(page)
        received.append(page.evaluate("received"))
    assert received[0] == received[1]
    assert len(received[0]) > 100


def test_translator_that_spares_nothing_would_receive_answers(
    browser: Browser, site: Site, slug: str
) -> None:
    """6. So the comparison above finds what there is to find."""
    received = []
    for answers in (FIRST, SECOND):
        page = opened(browser, site, slug, GREEDY)
        answer_all(page, answers)
        received.append(page.evaluate("received"))
    assert received[0] != received[1]
    assert "Town 17" in received[0]
    assert "Town 28" in received[1]


def test_answers_of_a_long_list_are_chosen_though_their_texts_were_changed(
    browser: Browser, site: Site, slug: str
) -> None:
    """By mouse and by keyboard, with a translator that changes the lines of the list too."""
    page = opened(browser, site, slug, GREEDY)
    answer_all(page, FIRST)
    expect(page.locator("#q-born-list")).to_have_value("Town 17")
    page.locator("#review [data-key=born] [data-do=change]").click()
    page.fill("#q-born-list", "Town 28")
    page.press("#q-born-list", "ArrowDown")
    page.press("#q-born-list", "Enter")
    expect(page.locator("#q-born-list")).to_have_value("Town 28")
    page.locator("section:visible button[type=submit]").click()
    expect(page.locator("#review [data-key=born] [data-answer]")).to_contain_text("Town 28")


def test_language_can_be_changed_after_a_translation(
    browser: Browser, site: Site, slug: str
) -> None:
    """5. The page compares its texts before a translator can change them, and does not call itself changed later."""
    page = opened(browser, site, slug, HONEST)
    languages = page.locator("#languages select")
    for code in ("de", "en", "de"):
        languages.select_option(code)
        expect(languages).to_have_value(code)
        expect(page.locator("#begin")).to_be_enabled()
    expect(page.locator("#notice [data-when~=changed]")).to_be_hidden()
    page.locator("#begin").click()
    expect(page.locator("#q-tax-1")).to_be_visible()
