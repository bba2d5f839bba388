"""What a page looks like is under its hash too: a changed stylesheet is not applied, and tells nobody what was chosen.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent import Traffic, address, begin, press, visit
from tests.browser.test_respondent_sender import branded

# Sends what is chosen as soon as it is chosen, and lets Yes and No change places on the screen.
SPYING = """
#q-tax-1:checked { background-image: url("/brand/x?tax=YES"); }
#q-tax-0:checked { background-image: url("/brand/x?tax=NO"); }
label[for=q-tax-0], label[for=q-tax-1] { font-size: 0; }
label[for=q-tax-0]::after { content: "Yes"; font-size: 1rem; }
label[for=q-tax-1]::after { content: "No"; font-size: 1rem; }
"""
SHEETS = {"of the site": r"/static/css/respondent\.[0-9a-f]+\.css$", "of the sender": r"/brand/[^/]+\.css$"}


def spy(page: Page, sheet: str) -> None:
    """The stylesheet comes changed, from the same address."""

    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text() + SPYING)

    page.route(re.compile(SHEETS[sheet]), change)


def chosen(page: Page) -> list[str]:
    """Yes, then No, then on: what was asked of the network meanwhile, by its address."""
    begin(page)
    traffic = Traffic(page)
    for value in ("1", "0"):
        page.check(f"#q-tax-{value}")
        expect(page.locator(f"#q-tax-{value}")).to_be_checked()
    press(page, "Continue")
    expect(page.locator("#q-fruit-0")).to_be_visible()
    return [one.url for one in traffic.requests]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_changed_stylesheet_tells_nobody_what_is_chosen(page: Page, site: Site, sheet: str) -> None:
    """5, 6. Not applied, so no request follows from a choice."""
    spy(page, sheet)
    visit(page, site, branded(site, "sender-styles"))
    assert chosen(page) == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_changed_stylesheet_swaps_no_answers(page: Page, site: Site, sheet: str) -> None:
    """5. What stands beside an answer is what it is."""
    spy(page, sheet)
    visit(page, site, branded(site, "sender-styles"))
    begin(page)
    for value in ("0", "1"):
        label = page.locator(f"label[for=q-tax-{value}]")
        expect(label).to_be_visible()
        expect(label).not_to_have_css("font-size", "0px")
        assert label.evaluate("(label) => getComputedStyle(label, '::after').content") == "none"


def test_the_policy_lets_no_image_load_but_the_icon_and_the_logo(page: Page, site: Site) -> None:
    """1. Even where a stylesheet names another one of the site."""

    def unguarded(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=re.sub(r' integrity="[^"]+">', ">", response.text()))

    slug = branded(site, "sender-styles")
    page.route(address(site, slug), unguarded)
    spy(page, "of the site")
    traffic = Traffic(page)
    visit(page, site, slug)
    expect(page.locator(".candor-logo")).to_have_js_property("naturalWidth", 480)
    begin(page)
    with page.expect_console_message(lambda line: "tax=YES" in line.text and "img-src" in line.text):
        page.check("#q-tax-1")
    press(page, "Continue")
    expect(page.locator("#q-fruit-0")).to_be_visible()
    assert not [one.url for one in traffic.responses if "tax=" in one.url]
