"""Exit empties the page at once, also without a network.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import begin, survey, visit

# Presses Exit, and says what was on the page at the moment of the first request, and right after the press.
PRESS = """() => {
    const look = () => [document.title, document.body.innerHTML];
    let asked = null;
    globalThis.fetch = () => {
        asked = asked ?? look();
        return new Promise(() => {});
    };
    document.querySelector("#exit").click();
    return [look(), asked ?? look()];
}"""
MAKE_TICKETS = """
from tests.helpers.ticket_device import survey_with_tickets
from surveys.definition.parsing import parse_instrument
print(parse_instrument(survey_with_tickets("one", 3)[0]).survey)
"""
EMPTY = ["…", ""]


@pytest.fixture(scope="module")
def ticket_page(site: Site) -> str:
    return f"{site.url}/i/{site.shell(MAKE_TICKETS)}/"


def test_exit_empties_content_header_and_title_before_any_request(page: Page, site: Site) -> None:
    """28. The network may be slow, and someone may be looking on."""
    visit(page, site, survey(site))
    begin(page)
    page.check("#q-tax-1")
    assert page.evaluate(PRESS) == [EMPTY, EMPTY]


def test_exit_of_the_ticket_page_empties_it_too(page: Page, ticket_page: str) -> None:
    """28."""
    page.goto(ticket_page)
    expect(page.locator("#code")).to_be_enabled()
    assert page.evaluate(PRESS) == [EMPTY, EMPTY]


def test_exit_without_a_network_ends_on_an_empty_page(
    page: Page, context: BrowserContext, site: Site
) -> None:
    """28. The browser's own error page would stand under the address of this site."""
    page.goto(f"{site.url}/")
    visit(page, site, survey(site))
    begin(page)
    context.set_offline(True)
    page.locator("#exit").click()
    page.wait_for_url("about:blank")
    expect(page).to_have_title("")
    context.set_offline(False)
    page.go_back()
    expect(page).to_have_url(f"{site.url}/")  # the survey has left the history


def test_exit_whose_request_fails_ends_on_an_empty_page(page: Page, site: Site) -> None:
    """28. As where a network leads nowhere, which the browser does not know."""
    page.route("**/leave/", lambda route: route.abort())
    visit(page, site, survey(site))
    page.locator("#exit").click()
    page.wait_for_url("about:blank")
