"""A page with a sender: what it loads, how it looks, and that nothing more leaves it. Numbers: lines of the list."""

import re
from functools import cache

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    address,
    answer,
    expect_heading,
    fits_window,
    press,
    unfold,
    violations,
    visit,
)

MAKE = """
from surveys.authoring.drafts.drafts import update_settings
from surveys.fieldwork.responses.closing import close_survey
from tests.factories.surveys import publish_survey
from tests.factories import surveys
from tests.factories.responses import add_responses
from tests.factories import images
survey = surveys.create_draft(surveys.create_researcher({name!r}), language={language!r})
surveys.add_yes_no(survey)
surveys.add_choice(survey, decline=True)
surveys.add_background(survey, cut=True)
brand = {{"sender": "Institute of long examples and further studies", "accent": "#7a1f3d",
         "logo": images.create_png((480, 160))}}
told = dict.fromkeys(("controller", "officer", "purpose", "legal_basis", "rights"), "As the law has it")
survey = update_settings(survey, brand | told | {{"delete_on": "2099-01-31"}})
instrument = publish_survey(survey)
if {closed}:
    add_responses(instrument, 120)
    close_survey(instrument.survey)
print(survey.slug)
"""


@cache
def branded(site: Site, name: str, *, language: str = "en", closed: bool = False) -> str:
    return site.shell(MAKE.format(name=name, language=language, closed=closed)).splitlines()[-1]


def test_what_it_loads_comes_from_its_own_site_before_anything_is_answered(
    page: Page, site: Site
) -> None:
    """6, 9. Logo and colours stand in the page; then nothing until Send, which is one POST."""
    loaded = Traffic(page)
    visit(page, site, slug := branded(site, "sender-loads"))
    page.wait_for_load_state("networkidle")
    assert [one.url for one in loaded.requests] == [address(site, slug)]
    expect(page.locator(".candor-logo")).to_have_js_property("naturalWidth", 480)
    traffic = Traffic(page)
    unfold(page)
    answer(page, 1, 2, 0)
    assert traffic.requests == []
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert [one.method for one in traffic.requests] == ["POST"]


SITES_OWN = re.compile(r"rgb\((15, 88, 102|127, 208, 220)\)")


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(122, 31, 61)"), ("dark", None)])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_axe_finds_nothing_and_it_fits(
    browser: Browser, site: Site, scheme: str, colour: str | None, width: int
) -> None:
    """27. With everything open, in light and dark, as narrow as a small phone."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    visit(page, site, branded(site, "sender-axe"))
    unfold(page)
    assert violations(page) == ""
    assert fits_window(page)
    expect(page.locator("#begin")).not_to_have_css("background-color", SITES_OWN)
    if colour:
        expect(page.locator("#begin")).to_have_css("background-color", colour)
    expect(page.get_by_text("As the law has it").first).to_be_visible()
    page.close()


def test_a_closed_survey_shows_its_sender(page: Page, site: Site) -> None:
    page.goto(address(site, branded(site, "sender-results", closed=True)))
    expect(page.locator(".candor-logo")).to_be_visible()
    expect(page.locator(".candor-header__name")).to_have_text(
        "Institute of long examples and further studies"
    )
