"""The teaching page of RAPPOR draws with the modules that scramble answers in surveys."""

import json
import re

from playwright.sync_api import Page, expect

from mechanisms import Rappor
from tests.browser.conftest import Site
from tests.browser.respondent_steps import fits_window, violations


def test_one_answer_goes_through_its_life(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.url}/learn/rappor/")
    expect(page.locator("#life")).to_be_visible()
    assert fits_window(page)
    loaded = len(asked)
    expect(page.locator("#form-of-text")).to_have_text("dark chocolate")
    page.get_by_label("A text").fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Write 1 to 100 characters.")).to_be_visible()
    expect(page.get_by_label("A text")).to_be_focused()
    page.keyboard.type("  Café  au LAIT ")
    page.keyboard.press("Enter")
    expect(page.locator("#form-of-text")).to_have_text("café au lait")
    expect(page.get_by_text("Write 1 to 100 characters.")).to_be_hidden()
    mechanism = Rappor(32, 2, 8)
    spec = (
        page.locator("#life").get_attribute("data-mechanism") or ""
    )  # the same from the first byte of the page on
    assert json.loads(spec) == mechanism.spec()
    cohort = int(page.locator("#cohort").inner_text())
    squares = page.locator("#bloom rect").evaluate_all(
        "all => all.map(each => Number(each.matches('.learn-bit--1')))"
    )
    drawn = "".join(map(str, squares))
    assert drawn == mechanism.filter("café au lait", cohort)
    kept = page.locator("#permanent svg").get_attribute("aria-label") or ""
    for _ in range(7):
        page.get_by_role("button", name="One more report").click()
    expect(page.locator("#said")).to_contain_text("8 reports so far")
    expect(page.locator("#reports svg")).to_have_count(5)
    expect(page.locator("#permanent svg")).to_have_attribute("aria-label", kept)
    expect(page.locator("#reports svg").last).to_have_attribute(
        "aria-label", re.compile(r"^Report 8\. Bits that are 1: ")
    )
    expect(page.locator("#once")).to_have_text("at most 75 times in 100 (epsilon 1.07)")
    expect(page.locator("#ever")).to_have_text("at most 99 times in 100 (epsilon 4.39)")
    expect(page.locator("#own")).to_have_text("69")
    assert asked[loaded:] == []
    assert violations(page) == ""
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
