"""The printed sheet in the browser: pages of paper, right to left, and nothing printed that is for the screen alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.workspace_steps import log_in

MAKE = """
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Question
from tests.factories import surveys
owner = surveys.create_researcher("nurse", {password!r})
text = "We want to know how often people in this district are threatened, so that help goes where it is needed."
survey = surveys.create_draft(owner, title="Safety at home and in the village", introduction=text, import_only=True,
                      contact="Aid Network, +49 30 1234", sender="Aid Network")
for key in ("threat", "paid", "leave"):
    surveys.add_yes_no(survey, key, design="two-coin", mode="by-hand")
surveys.add_background(survey, "village", ("Ambe", "Bodi", "Kasanga", "Luro"))
surveys.add_translations(survey, "ar")
text = "In the past 12 months, were you threatened by someone with a weapon, or did you have to leave your home?"
Question.objects.filter(survey=survey, key="threat").update(text=text)
lock_questions(survey)
print(survey.slug)
"""
PASSWORD = "a long pass phrase"


@pytest.fixture(scope="module")
def address(site: Site) -> str:
    return f"{site.url}/surveys/{site.shell(MAKE.format(password=PASSWORD)).splitlines()[-1]}/"


@pytest.mark.parametrize("form", ["A4", "Letter"])
def test_four_questions_are_a_sheet_and_the_page_of_who_leads(
    site: Site, page: Page, address: str, form: str
) -> None:
    log_in(page, site, "nurse", PASSWORD)
    page.goto(f"{address}files/")
    page.get_by_role("link", name="Open the printed sheet").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    expect(page.get_by_role("article").get_by_role("group")).to_have_count(4)
    pdf = page.pdf(format=form, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2
    page.emulate_media(media="print")
    expect(page.get_by_text("Do not hand out")).to_be_visible()
    expect(
        page.locator(":is(button, select, .btn, .crumbs, .candor-header):visible")
    ).to_have_count(0)


def test_in_arabic_it_reads_from_right_to_left(site: Site, page: Page, address: str) -> None:
    log_in(page, site, "nurse", PASSWORD)
    page.goto(f"{address}sheet/")
    page.get_by_label("Language of the sheet").select_option(label="العربية")
    page.get_by_role("button", name="Show").click()
    sheet = page.get_by_role("article")
    expect(sheet).to_have_css("direction", "rtl")
    expect(sheet.get_by_role("heading", name="أ. أجب بقطعة نقد")).to_be_visible()
    boxes = [sheet.get_by_text(word, exact=True).first.bounding_box() for word in ("نعم", "لا")]
    first, second = boxes
    assert first["x"] > second["x"]
    expect(page.get_by_role("heading", name="For the person who leads the session")).to_have_css(
        "direction", "ltr"
    )
