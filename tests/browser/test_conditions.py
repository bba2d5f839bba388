"""Whom a question is asked, written by hand in a real browser: with its script and without."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import fits_window, violations
from tests.browser.test_workspace import add_question, log_in, menu, new_survey, save


@pytest.fixture(scope="session")
def brancher(site: Site) -> tuple[str, str]:
    return site.researcher("brancher")


def add_parents(page: Page) -> None:
    """sex and age, sent as they are."""
    add_question(page, "Single choice", scrambled=False)
    page.get_by_label("Question", exact=True).fill("Sex?")
    page.get_by_label("Answers", exact=True).fill("Female\nMale")
    save(page)
    add_question(page, "Number", scrambled=False)
    page.get_by_label("Question", exact=True).fill("Age?")
    page.get_by_label("Smallest number").fill("18")
    page.get_by_label("Largest number").fill("99")
    save(page)


def write(page: Page) -> None:
    """A question for women from 18 to 25."""
    add_question(page)
    page.get_by_label("Question", exact=True).fill("Did you ever need help?")
    page.get_by_text("Condition: ask only some people").click()
    page.get_by_label("Female").check()
    page.get_by_label("to", exact=True).fill("25")


SAID = "“Sex?” is “Female” and “Age?” is 18 to 25"


def test_a_condition_is_written_by_picking_answers(
    page: Page, site: Site, brancher: tuple[str, str]
) -> None:
    log_in(page, site, brancher)
    new_survey(page, "Branching")
    add_parents(page)
    write(page)
    expect(page.locator("#whom")).to_have_text(f"Asked only if {SAID}.")  # while it is typed
    assert violations(page) == ""
    page.set_viewport_size({"width": 320, "height": 640})
    assert fits_window(page)
    save(page)
    expect(page.get_by_text(f"Asked only if {SAID}")).to_be_visible()
    menu(page, "Age?").click()
    page.get_by_role("button", name="Move down").click()
    expect(page.get_by_text("Question 2 (“Did you ever need help?”), condition")).to_be_visible()
    page.get_by_role("link", name="Review and publish").click()
    expect(
        page.get_by_text("which is asked after it. Move that question before this one.").first
    ).to_be_visible()


def test_without_a_script_it_is_the_same(
    browser: Browser, site: Site, brancher: tuple[str, str]
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, site, brancher)
    new_survey(page, "Branching by hand")
    add_parents(page)
    write(page)
    save(page)
    expect(page.get_by_text(f"Asked only if {SAID}")).to_be_visible()
    context.close()
