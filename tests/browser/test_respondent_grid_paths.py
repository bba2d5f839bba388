"""Grids beside paths and pages of sections: a table comes and goes as a whole, and stands where its rows would."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    begin,
    choose,
    expect_heading,
    expect_text,
    press,
    violations,
    visit,
    wire,
)
from tests.browser.test_respondent_grid import NARROW, WIDE, mark

ROWS = ("heavy_lifting", "night_work")
MAKE = """
from surveys.authoring.drafts.grids import save_grid
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({name!r}), section_pages={pages})
surveys.add_background(survey, "sex", ("Female", "Male"))
surveys.add_yes_no(survey, "tax", section="Work")
save_grid(survey=survey, heading="How often is there …", rows=["heavy lifting?", "night work?"], kind="choice",
    choices=["Never", "Sometimes", "Often"], design="strong", when={{"of": "sex", "in": ["Female"]}})
surveys.add_yes_no(survey, "bribe")
print(surveys.publish_survey(survey).survey.slug)
"""


def made(site: Site, name: str, *, pages: bool = False) -> str:
    return site.shell(MAKE.format(name=name, pages=pages))


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """sex, tax, two rows that are asked of women only, bribe."""
    return made(site, "a grid on a path")


@pytest.fixture(scope="module")
def paged(site: Site) -> str:
    """The same, where the questions of a section share a page."""
    return made(site, "a grid on a page", pages=True)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_grid_is_asked_of_some_people_as_a_whole(
    page: Page, site: Site, slug: str, size: dict
) -> None:
    page.set_viewport_size(size)
    visit(page, site, slug)
    expect_text(page, "At most 5 questions. You can change answers until you send.")
    begin(page)
    choose(page, sex=1, tax=1)
    expect_heading(page, "About bribe?")
    expect_text(page, "Question 3")
    press(page, "Back")
    press(page, "Back")
    choose(page, sex=0, tax=1)
    expect_text(page, "How often is there …")
    if size == WIDE:
        expect(page.locator("main table:visible")).to_have_count(1)
        mark(page, *ROWS)
        press(page, "Continue")
    else:
        choose(page, **dict.fromkeys(ROWS, 1))
    expect_text(page, "Question 5")
    choose(page, bribe=0)
    expect_heading(page, "Check your answers")
    expect(page.locator("#review .candor-rows")).to_be_visible()
    page.locator("#review [data-key=sex] button").click()
    choose(page, sex=1)
    expect_heading(page, "Check your answers")
    expect(page.locator("#review .candor-rows")).to_be_hidden()
    expect(page.locator(", ".join(f"#q-{key}-1:checked" for key in ROWS))).to_have_count(0)
    assert not violations(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    reports = wire(page)
    assert [key for key in reports if reports[key] is None] == [*ROWS]


def test_a_changed_row_leads_back_to_the_table(page: Page, site: Site, slug: str) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, slug)
    begin(page)
    choose(page, sex=0, tax=1)
    mark(page, *ROWS)
    press(page, "Continue")
    choose(page, bribe=0)
    page.locator("#review [data-key=night_work] button").click()
    expect(page.locator("main table:visible")).to_have_count(1)
    mark(page, "night_work", index=2)
    press(page, "Continue")
    expect(page.locator("#review [data-key=night_work] [data-answer]")).to_have_text("Often")


def test_on_the_page_of_a_section_a_grid_stands_among_its_questions(
    page: Page, site: Site, paged: str
) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, paged)
    begin(page)
    choose(page, sex=0)
    shown = page.locator("main section:visible")
    expect(shown).to_have_count(3)
    expect(shown.nth(1)).to_have_class("candor-grid govuk-form-group")
    expect(page.get_by_role("button", name="Continue")).to_have_count(1)
    mark(page, "tax", "heavy_lifting", "bribe")
    press(page, "Continue")
    expect(page.locator("#errors li:visible")).to_have_text(["night work? – Choose one answer"])
    assert not violations(page)
    page.set_viewport_size(NARROW)
    expect(shown).to_have_count(4)
    expect(page.locator("#q-heavy_lifting-1")).to_be_checked()
    mark(page, "night_work")
    page.set_viewport_size(WIDE)
    expect(shown).to_have_count(3)
    press(page, "Continue")
    expect_heading(page, "Check your answers")
