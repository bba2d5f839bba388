"""After Send every question says what was sent of it, whatever kind it is."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    begin,
    expect_heading,
    fits_window,
    press,
    see_what_was_sent,
    visit,
    wire,
)

MAKE = """
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher("all-kinds"))
surveys.add_yes_no(survey)
surveys.add_choice(survey)
surveys.add_choice(survey, "tree", design="direct", parameters={"epsilon": "1"})
herbs = [f"Herb {n}" for n in range(12)]
surveys.add_choice(survey, "herb", labels=herbs, design="subset", parameters={"epsilon": "1"})
towns = [f"Town {n}" for n in range(300)]
surveys.add_choice(survey, "town", labels=towns, design="geometry", parameters={"epsilon": "1"})
surveys.add_choice(survey, "drugs", kind="any", design="marks", parameters={"epsilon": "2"})
surveys.add_quantity(survey)
surveys.add_scale(survey)
surveys.add_text_question(survey)
rappor = {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"}
surveys.add_text_question(survey, "text", design="rappor", parameters=rappor)
surveys.add_background(survey)
print(surveys.publish_survey(survey).survey.slug)
"""


@pytest.fixture(scope="module")
def kinds(site: Site) -> str:
    return site.shell(MAKE)


def test_every_question_says_what_was_sent(page: Page, site: Site, kinds: str) -> None:
    """26. No cell is empty, and none has a sentence without the answer, the number or the bits that it speaks of."""
    page.set_viewport_size({"width": 320, "height": 700})
    visit(page, site, kinds)
    begin(page)
    for key in ("tax", "fruit", "tree", "herb"):
        page.check(f"#q-{key}-0")
        press(page, "Continue")
    page.locator("#q-town input").fill("Town 120")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    press(page, "Continue")
    page.check("#q-drugs-0")
    press(page, "Continue")
    page.locator("#q-hours input").fill("3")
    press(page, "Continue")
    page.check("#q-agrees-0")
    press(page, "Continue")
    for key in ("drug", "text"):
        page.locator(f"#q-{key} input").fill("lsd")
        press(page, "Continue")
    page.check("#q-region-0")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    sent = wire(page)
    see_what_was_sent(page)
    expect(page.locator("#see [data-key]")).to_have_count(len(sent))
    for key in sent:
        cell = page.locator(f"#see [data-key={key}]")
        expect(cell.locator("[data-written]")).to_be_visible()
        for place in cell.locator("[data-answers]").all():
            expect(place).not_to_be_empty()
    set_bits = sent["text"].partition(":")[2].count("1")
    expect(page.locator("#see [data-key=text]")).to_contain_text(
        f"A row of 128 marks was sent. Set: {set_bits}."
    )
    assert fits_window(page)
