"""Logging in through an organization, at a real provider of another site, under the policy that our pages have."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, prepared
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.workspace_steps import log_in, set_password
from tests.provider.program import CLIENT, SECRET, Provider

WATCH = "addEventListener('securitypolicyviolation', (event) => console.error('refused', event.effectiveDirective))"
THROUGH = "Log in through Example University"


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that knows a provider, and the provider: localhost is another site than 127.0.0.1."""
    site = prepared(tmp_path_factory.mktemp("organized"))
    provider = Provider(f"{site.url}/login/provider/back/")
    site.environment |= {
        "DEBUG": "1",
        "OIDC_ISSUER": provider.issuer,
        "OIDC_NAME": "Example University",
    }
    site.environment |= {"OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET}
    site.start()
    yield site
    site.stop()
    provider.stop()


def looked_at(page: Page, heading: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect_accessible(page)
    assert fits_window(page)


def test_connect_log_out_and_in_and_back_to_a_password(site: Site, page: Page) -> None:
    name, password = site.researcher("ada")
    page.set_viewport_size({"width": 320, "height": 640})
    refused: list[str] = []
    page.add_init_script(WATCH)
    page.on(
        "console",
        lambda message: refused.append(message.text) if "refused" in message.text else None,
    )

    log_in(page, site, name, password)
    page.goto(f"{site.url}/account/")
    page.get_by_role("link", name=f"{THROUGH} instead").click()
    looked_at(page, THROUGH)
    page.get_by_label("Your password").fill(password)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Go to Example University").click()
    page.get_by_placeholder("Enter any login").fill("ada")
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("From now on you log in through Example University.")).to_be_visible()
    looked_at(page, "Your account")
    expect(page.get_by_role("link", name="password")).to_have_count(0)

    page.get_by_role("button", name="Log out").click()
    expect(
        page.get_by_text("You are logged out here. Example University may still know this browser.")
    ).to_be_visible()
    looked_at(page, "Log in")
    page.go_back()
    expect(page).to_have_url(f"{site.url}/login/?next=/account/")
    expect(page.get_by_text(name, exact=True)).to_have_count(0)
    page.get_by_role(
        "link", name=THROUGH
    ).click()  # one click: the provider still knows this browser
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    expect(page).to_have_url(f"{site.url}/account/")

    page.get_by_role("button", name="Log out").click()
    page.goto(
        site.url + re.search(r"/account/set-password/\S+", site.manage("researcher", name))[0]
    )
    expect(page.get_by_text("Or use no password here.")).to_be_visible()
    looked_at(page, re.compile("Set the password of"))
    page.goto(f"{site.url}/login/provider/back/?code=a&state=b")
    looked_at(page, "You are not logged in")
    page.get_by_role("link", name="Back to login").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("With a password")

    set_password(page, site, name, "battery staple 7")
    log_in(page, site, name, "battery staple 7")
    page.goto(f"{site.url}/account/")
    expect(page.get_by_text("By password")).to_be_visible()
    assert refused == []
