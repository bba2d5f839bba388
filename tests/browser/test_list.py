"""The list of surveys, the archive and people who are invented in a real browser, wide and on a telephone."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.workspace_steps import log_in

MAKE = """
from django.contrib.auth import get_user_model
from surveys.authoring.files import survey_file
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Survey
from tests.factories.surveys import publish_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_draft, add_yes_no
owner = get_user_model().objects.get(username={name!r})
first = create_draft(owner, title="Taxes and undeclared work", target=5000)
add_yes_no(first)
add_invented_responses(publish_survey(first, owner), 3140)
Instrument.objects.filter(survey=first).update(waiting=260)
second = create_draft(owner, title="Doping in sport")
add_yes_no(second, "supplement")
publish_survey(second, owner)
close_survey(Survey.objects.get(pk=second.pk), owner)
survey_file.new_version(second, owner)
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_surveys_are_found_sorted_and_archived(site: Site, page: Page, width: int) -> None:
    name, password = site.researcher(f"list{width}")
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page, site, name, password)
    for way in ("Write your own", "Start from a template", "Import a file"):
        expect(page.get_by_role("link", name=way)).to_be_visible()
    site.shell(MAKE.format(name=name))
    page.reload()
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(3)  # the heads, and two surveys: the older version is folded
    tax = rows.filter(has_text="Taxes and undeclared work")
    expect(tax.get_by_role("cell").first).to_contain_text("3,140 of 5,000")
    expect(tax.get_by_role("cell").first).to_contain_text(
        re.compile(r"±\d\.\d now, ±\d\.\d at the target")
    )
    assert fits_window(page)
    expect_accessible(page)

    sort = page.get_by_text("Filter and sort")
    sort.click()
    page.get_by_role("link", name="Survey", exact=True).click()
    expect(page.get_by_role("columnheader", name="Survey")).to_have_attribute(
        "aria-sort", "ascending"
    )
    expect(rows.nth(1)).to_contain_text("Doping in sport")
    page.get_by_role("searchbox").fill("supplement")  # in a question
    page.keyboard.press("Enter")
    expect(rows).to_have_count(2)
    sort.click()
    page.get_by_role("link", name="Closed 1").click()
    expect(page).to_have_url(re.compile("state=closed"))
    expect(page.get_by_role("searchbox")).to_have_value("supplement")
    page.get_by_role("row", name="Doping in sport").get_by_role(
        "link", name="Doping in sport", exact=True
    ).click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Archive").click()
    expect(page.locator(".head .chip")).to_have_text(["Closed", "Archive"])
    page.goto(f"{site.url}/surveys/")
    page.get_by_role("link", name="Archive 1").click()
    expect(rows.filter(has_text="Doping in sport")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_survey_is_simulated_with_shares_of_ones_own(site: Site, page: Page, width: int) -> None:
    name, password = site.researcher(f"simulated{width}")
    page.set_viewport_size({"width": width, "height": 900})
    site.shell(MAKE.format(name=name))
    log_in(page, site, name, password)
    own = page.get_by_role("link", name="Taxes and undeclared work", exact=True).get_attribute(
        "href"
    )
    page.goto(f"{site.url}{own}simulation/")
    expect(page.get_by_role("heading", name="Report of 5,000 invented people")).to_be_visible()
    page.get_by_text("What a trusted server would have shown").first.click()
    expect(
        page.get_by_text("The same invented people, had they told their true answers").first
    ).to_be_visible()
    assert fits_window(page)
    expect_accessible(page)
    fields = page.get_by_role("group", name="About tax?").get_by_label("Yes")
    fields.fill("x")
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_role("alert")).to_contain_text("a number from 0 to 100")
    expect_accessible(page)
    page.get_by_role("alert").get_by_role("link").click()
    expect(fields).to_be_focused()
    expect(fields).to_have_value("x")
    fields.fill("40")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Report of 5,000 invented people")).to_be_focused()
    expect(fields).to_have_value("40")


@pytest.mark.parametrize("width", [320, 1280])
def test_anybody_reads_what_a_trusted_server_would_have_shown(
    site: Site, browser: Browser, width: int
) -> None:
    """Without an account, and without any script."""
    page = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": 900}
    ).new_page()
    page.goto(f"{site.url}/trusted-server/")
    expect(page.get_by_role("heading", name=re.compile("^ε = "))).to_have_text(
        ["ε = 0.1", "ε = 1", "ε = 5"]
    )
    page.get_by_label("How many people").fill("200")
    page.get_by_label("Never").fill("60")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("alert")).to_contain_text("must sum to 100, not to 120")
    page.get_by_label("Never", exact=True).fill("")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="200 invented people")).to_be_visible()
    drawn = page.get_by_text("At epsilon 0.1").inner_text()
    page.get_by_role("link", name="Repeat with new chance").click()
    expect(page.get_by_label("Seed")).to_have_value("2")
    expect(page.get_by_text("At epsilon 0.1")).not_to_have_text(drawn)
    page.go_back()
    expect(page.get_by_text("At epsilon 0.1")).to_have_text(drawn)
    page.context.close()
