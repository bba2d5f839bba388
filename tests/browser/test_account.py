"""The second factor as a person sets it up, its recovery codes, and the pages that are there only with it."""

import base64
import re

from django_otp.oath import totp
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.workspace_steps import log_in


def looked_at(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect_accessible(page)
    assert fits_window(page)


def test_a_recovery_code_lets_in_where_the_telephone_is_lost(site: Site, page: Page) -> None:
    name, password = site.researcher("forgetful-ada")
    page.set_viewport_size({"width": 320, "height": 640})
    log_in(page, site, name, password)
    page.get_by_role("link", name=name).click()
    page.get_by_role("link", name="Turn it on").click()
    secret = re.search(r"Key: (\w+)", page.locator("main", has_text="Key: ").inner_text())[1]
    page.get_by_label("Code").fill(f"{totp(base64.b32decode(secret)):06d}")
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name="Ask me for a code").click()
    shown = page.locator("main li code")
    expect(shown).to_have_count(10)
    codes = shown.all_inner_texts()
    looked_at(page, "Your recovery codes")
    page.get_by_role("link", name="I have them").click()
    page.get_by_role("link", name="Turn it off").click()
    looked_at(page, "Turn off the second factor?")
    page.get_by_role("link", name="Keep it").click()
    page.get_by_role("link", name="Get new recovery codes").click()
    looked_at(page, "New recovery codes")
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)
    page.goto(f"{site.url}/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_label("Code").fill(codes[3].upper())
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site.url}/surveys/")
    page.goto(f"{site.url}/account/")
    expect(page.get_by_text("On, with 9 unused recovery codes")).to_be_visible()
