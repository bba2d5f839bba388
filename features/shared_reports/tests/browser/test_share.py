"""A closed survey's report for people without an account: the link is made, opened elsewhere, and switched off."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible
from tests.browser.workspace_steps import log_in

MAKE = """
from django.contrib.auth import get_user_model
from surveys.fieldwork.responses.closing import close_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published
instrument = create_published(get_user_model().objects.get(username="sharer"))
add_invented_responses(instrument, 45)
close_survey(instrument.survey, instrument.survey.owner)
print(instrument.survey.slug)
"""

MAKE_LINK = """
from surveys.models import Survey
from features.shared_reports import links
survey = Survey.objects.get(owner__username={name!r})
print("/r/link/" + links.create(survey=survey, by=survey.owner)[1] + "/")
"""


def test_a_link_is_made_opened_elsewhere_and_switched_off(
    site: Site, page: Page, browser: Browser
) -> None:
    log_in(page, site, *site.researcher("sharer"))
    slug = site.shell(MAKE).split()[-1]
    page.goto(f"{site.url}/surveys/{slug}/report/")
    page.get_by_role("link", name="Share", exact=True).click()
    expect(page.get_by_role("link", name="Report", exact=True)).to_have_attribute(
        "aria-current", "true"
    )
    page.get_by_label("Note (optional)").fill("Dean’s office")
    page.get_by_role("button", name="Create link").click()
    address = page.locator("#report-link").inner_text()
    assert re.fullmatch(re.escape(site.url) + r"/r/link/[\w-]{22}/", address)
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    expect_accessible(page)
    visitor = browser.new_context(viewport={"width": 320, "height": 800})
    reader = visitor.new_page()
    errors: list[str] = []
    reader.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    reader.goto(address)
    expect(reader.get_by_text("Read-only link, until")).to_be_visible()
    assert reader.evaluate("document.documentElement.scrollWidth") <= 320
    assert not errors
    expect_accessible(reader)
    assert visitor.cookies() == []
    page.goto(f"{site.url}/surveys/{slug}/report/links/")
    expect(page.locator("body")).not_to_contain_text(address)
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_text("No link yet.")).to_be_visible()
    reader.reload()
    expect(reader.get_by_role("heading", name="This link has ended.")).to_be_visible()
    expect_accessible(reader)
    visitor.close()


def test_printed_link_leaves_closed_folds_closed(site: Site, page: Page) -> None:
    """What a reader has opened is printed with the report."""
    site.researcher("printer")
    site.shell(MAKE.replace("sharer", "printer"))
    address = site.shell(MAKE_LINK.format(name="printer")).split()[-1]
    page.goto(f"{site.url}{address}")
    numbers = page.locator(".result .fold", has_text="Numbers").first
    numbers.locator("summary").click()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="At a glance")).to_be_visible()
    expect(numbers.get_by_role("table")).to_be_visible()
    expect(page.locator(".fold:not([open])").first).to_be_attached()
    for fold in page.locator(".fold:not([open])").all():
        expect(fold).to_be_hidden()
