"""A translation service that works in the browser is handed no answer. It is played: it hears each text of the page
that is not kept from it, at first, when it is added and when it is shown, and puts another one in its place.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent import address, ready
from tests.browser.steps import publish

TRANSLATOR = """
globalThis.heard = [];
const translated = new WeakSet();
function isKept(node) {
    const marked = node.parentElement?.closest("[translate]");
    return node.parentElement?.closest("script, style") || marked?.getAttribute("translate") === "no";
}
function translate(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
        const isText = node.nodeType === Node.TEXT_NODE && node.data.trim() && !isKept(node);
        if (isText && node.parentElement.checkVisibility()) {
            heard.push(node.data.trim());
            if (!translated.has(node)) {
                translated.add(node);
                node.data = `«${node.data}»`;
            }
        }
    }
}
addEventListener("load", () => {
    translate(document.body);
    const texts = { subtree: true, childList: true, characterData: true };
    const watcher = new MutationObserver((changes) => {
        changes.forEach(({ target, addedNodes }) => [target, ...addedNodes].forEach(translate));
        watcher.takeRecords();
    });
    watcher.observe(document.body, { ...texts, attributes: true, attributeFilter: ["hidden"] });
});
"""
TOWNS = ["Akrabad", "Belisande", *(f"Town {number}" for number in range(60))]
QUESTIONS = [
    {"kind": "choice", "text": "Fruit?", "key": "fruit", "choices": ["Apple", "Pear", "Plum"], "design": "balanced"},
    {"kind": "choice", "text": "Where?", "key": "where", "choices": TOWNS, "design": "balanced"},
    {"kind": "background", "text": "Born?", "key": "born", "choices": TOWNS},
]


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return publish(site, QUESTIONS, title="Translated")


def hear_from(page: Page, step: str, heard: dict[str, str]) -> None:
    heard[step] = " ".join(page.evaluate("heard.splice(0)"))


def test_a_translation_service_gets_no_answer_at_any_step(page: Page, site: Site, slug: str) -> None:
    heard: dict[str, str] = {}
    page.add_init_script(TRANSLATOR)
    page.goto(address(site, slug))
    ready(page)
    expect(page.locator("#begin")).to_have_text("«Start»")
    page.locator("#begin").click()
    page.locator("label[for=q-fruit-1]").click()
    page.locator("section:visible [type=submit]").click()
    hear_from(page, "start", heard)
    for key in ("where", "born"):
        field = page.locator(f"#q-{key}-list")
        field.fill("akra" if key == "where" else "beli")
        field.press("ArrowDown")
        field.press("Enter")
        expect(field).to_have_value("Akrabad" if key == "where" else "Belisande")
        page.locator("section:visible [type=submit]").click()
    expect(page.locator("#review")).to_be_visible()
    hear_from(page, "lists and review", heard)
    expect(page.locator("#review [data-key=where] [data-answer]")).to_have_text("Akrabad")
    page.locator("#review [type=submit]").click()
    expect(page.locator("#sent")).to_be_visible()
    page.locator("#see summary").click()
    expect(page.locator("#sent [data-key=born]")).to_contain_text("Belisande")
    hear_from(page, "sent", heard)
    assert "Pear" in heard["start"]  # with all answers of the question, whichever is chosen
    for step in ("lists and review", "sent"):
        assert heard[step]
        for answer in ("Pear", "Akrabad", "Belisande", "Chosen"):
            assert answer not in heard[step], (step, answer)
