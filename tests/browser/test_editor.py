"""The page of one question in a real browser: the panel beside the form, the cards, copies, one after another."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.test_workspace import (
    add_question,
    add_yes_no,
    choose_type,
    lists,
    log_in,
    menu,
    new_survey,
    save,
)

WIDE, TELEPHONE = {"width": 1280, "height": 900}, {"width": 320, "height": 640}


@pytest.fixture(scope="session")
def writer(site: Site) -> tuple[str, str]:
    return site.researcher("writer")


@pytest.fixture
def editor(site: Site, page: Page, writer: tuple[str, str]) -> Page:
    """The page of a new question."""
    page.set_viewport_size(WIDE)
    log_in(page, site, writer)
    new_survey(page, "Edited")
    add_question(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("New question")
    page.wait_for_load_state()  # before its stylesheet has come nothing stands beside anything
    return page


def test_beside_the_form_stands_what_the_question_means_and_it_stays_in_sight(editor: Page) -> None:
    form, panel = editor.locator(".editor-form"), editor.locator(".editor-side")
    assert panel.bounding_box()["x"] > form.bounding_box()["x"] + form.bounding_box()["width"]
    editor.get_by_label("Question", exact=True).fill("Did you cheat?")
    picture = editor.get_by_role("img", name="The question as respondents will see it")
    expect(picture).to_contain_text("Did you cheat?")
    editor.mouse.wheel(0, 400)
    expect(picture).to_be_in_viewport()
    expect(editor.get_by_role("heading", name="What it will show")).to_be_in_viewport()
    expect(editor.locator(".editor-phone__screen")).to_have_attribute("inert", "")
    expect(editor.locator("#panel")).to_contain_text(
        "Strong ±9.3 · Balanced (chosen) ±6.2 · Light ±5.2"
    )


def test_what_was_typed_before_its_script_was_there_counts(
    site: Site, page: Page, writer: tuple[str, str]
) -> None:
    """The panel speaks of it, and leaving asks first."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    log_in(page, site, writer)
    new_survey(page, "On a slow line")
    page.route(re.compile(r"/workspace/(question_panel|unsaved)[^/]*\.js$"), hold)
    with (
        page.expect_request("**/workspace/question_panel*.js"),
        page.expect_request("**/workspace/unsaved*.js"),
    ):
        page.get_by_role("link", name="Add your first question").click()
    field = page.get_by_label("Question", exact=True)
    field.fill("Did you ever not pay and never say so?")
    for script in held:
        script.continue_()
    expect(page.locator("#advice")).to_contain_text("Two negatives (“not” and “never”)")
    page.wait_for_load_state()
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Cancel").click()
    expect(field).to_have_value("Did you ever not pay and never say so?")


def test_the_panel_follows_the_kind_and_the_choices(editor: Page) -> None:
    expect(editor.locator("#panel")).to_contain_text("Strong ±9.3")
    choose_type(editor, "Multiple choice")
    editor.get_by_label("Answers", exact=True).fill("One\nTwo\nThree\nFour\nFive")
    expect(editor.locator("#panel")).to_contain_text("no number")
    expect(editor.locator("#panel")).to_contain_text("one yes/no question for each choice")


def test_only_designs_that_fit_are_offered_three_of_them_at_first(editor: Page) -> None:
    editor.locator("summary", has_text="Method, variable name").click()
    first, rest = (
        editor.locator("[data-designs=first] [data-fits]"),
        editor.locator("[data-designs=rest] [data-fits]"),
    )
    expect(first).to_have_count(3)
    expect(editor.locator("[data-designs=first] [data-fits=two]")).to_have_count(3)
    expect(rest.first).to_be_hidden()
    editor.get_by_text("Help text, section").click()
    editor.locator("#id_decline").check()
    editor.get_by_text("More methods").click()
    shown = editor.locator("[data-designs] [data-fits]:visible")
    expect(shown.and_(editor.locator("[data-fits=one], [data-fits=both]"))).not_to_have_count(0)
    expect(shown.and_(editor.locator(":not([data-fits=one], [data-fits=both])"))).to_have_count(0)
    choose_type(editor, "Multiple choice")
    expect(first).to_have_count(2)
    expect(editor.get_by_text("More methods")).to_be_hidden()
    chosen = editor.get_by_role("radio", name="One scrambled bit per choice, for several")
    chosen.check()
    choose_type(editor, "Yes/no")
    expect(chosen).to_be_visible()  # what is chosen is always seen


def test_the_protection_is_chosen_by_keyboard_on_the_draft(editor: Page) -> None:
    editor.get_by_role("link", name="Cancel").click()
    balanced, light = (
        editor.get_by_role("button", name=re.compile(name)) for name in ("^Balanced", "^Light")
    )
    expect(balanced).to_have_attribute("aria-pressed", "true")
    light.focus()
    expect(light).to_have_css("outline-style", "solid")
    editor.keyboard.press("Enter")
    expect(light).to_have_attribute("aria-pressed", "true")
    expect(light).to_be_focused()
    expect(balanced).to_have_attribute("aria-pressed", "false")


def test_one_question_after_another_by_keyboard_alone(editor: Page) -> None:
    editor.get_by_label("Question", exact=True).focus()
    editor.keyboard.type("Did you cheat?")
    editor.get_by_text("Help text, section").click()
    editor.locator("#id_decline").check()
    editor.get_by_role("button", name="Save and add another").press("Enter")
    field = editor.get_by_label("Question", exact=True)
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    expect(editor.locator("#id_decline")).to_be_checked()
    editor.keyboard.type("Did you copy?")
    editor.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(editor.get_by_role("link", name="Did you copy?", exact=True)).to_be_focused()
    lists(editor, "Did you cheat?", "Did you copy?")


def test_a_copy_that_is_not_saved_is_not_there(editor: Page) -> None:
    editor.get_by_role("link", name="Cancel").click()
    add_yes_no(editor, "Did you cheat?")
    add_yes_no(editor, "Did you copy?")
    duplicate = editor.locator("#question-cheat").get_by_role("link", name="Duplicate")
    menu(editor, "Did you cheat?").click()
    duplicate.click()
    expect(editor.get_by_label("Question", exact=True)).to_have_value("Did you cheat?")
    editor.get_by_role("link", name="Cancel").click()
    lists(editor, "Did you cheat?", "Did you copy?")
    menu(editor, "Did you cheat?").click()
    duplicate.click()
    editor.get_by_label("Question", exact=True).fill("Did you pay?")
    save(editor)
    lists(editor, "Did you cheat?", "Did you pay?", "Did you copy?")


def test_the_name_follows_the_question_until_one_is_typed(editor: Page) -> None:
    editor.locator("summary", has_text="Method, variable name").click()
    editor.get_by_label("Question", exact=True).fill("Have you ever copied in an exam?")
    expect(editor.locator("#made-name")).to_have_text("copied_exam")
    expect(editor.locator("#made-short")).to_have_text("Copied in an exam")


def test_every_state_of_it_is_accessible_and_fits(
    site: Site, page: Page, writer: tuple[str, str]
) -> None:
    page.set_viewport_size(TELEPHONE)
    log_in(page, site, writer)
    new_survey(page, "Looked at")
    add_question(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("New question")
    page.wait_for_load_state()  # with its scripts: on a telephone one of them folds what stands beside the form
    side = page.locator(".editor-side")
    expect(page.locator("#panel")).to_be_hidden()  # folded, with its sum in one line
    expect(side.locator("summary").first).to_contain_text("points with 1,000 responses")
    side.locator("summary").first.click()
    for text in (
        "Help text",
        "Condition: ask",
        "Method, variable",
        "More methods",
        "The numbers behind it",
    ):
        page.locator("summary", has_text=text).click()
    for size, scheme in (
        (TELEPHONE, "light"),
        (TELEPHONE, "dark"),
        (WIDE, "light"),
        (WIDE, "dark"),
    ):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert fits_window(page)
        expect_accessible(page)
