"""Between Start and Send the page holds no link that a header could have a browser fetch by what is chosen."""

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    address,
    begin,
    choose,
    expect_heading,
    press,
    survey,
    visit,
)

LINKS = "document.querySelectorAll('a[href], area[href]').length"


def test_no_link_has_an_address_between_start_and_send(page: Page, site: Site) -> None:
    """6. In every step, an error and a change among them; before Start and after Send links lead on as ever."""
    visit(page, site, survey(site))
    before = page.evaluate(LINKS)
    assert before
    begin(page)
    counts = [page.evaluate(LINKS)]
    press(page, "Continue")
    counts.append(page.evaluate(LINKS))
    page.locator("#errors button:visible").click()
    choose(page, tax=1, fruit=4, region=0)
    expect_heading(page, "Check your answers")
    counts.append(page.evaluate(LINKS))
    page.get_by_role("button", name="Change About tax?").click()
    counts.append(page.evaluate(LINKS))
    choose(page, tax=0)
    assert counts == [0] * 4
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert page.evaluate(LINKS)
    page.get_by_text("How anyone can check this page").click()
    page.get_by_role("link", name="The program of this page, and how to check it").click()
    page.wait_for_url("**/trust/**")


def test_leaving_and_skipping_work_by_keyboard_where_they_are_no_links(
    page: Page, site: Site
) -> None:
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    visit(page, site, survey(site))
    begin(page)
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    expect(page).to_have_url(address(site, survey(site)))
    page.locator("#exit").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_title("Left")


def test_a_header_that_would_fetch_links_by_what_is_chosen_fetches_none(
    page: Page, site: Site
) -> None:
    """6. Rules as a site could send them: any link of the page, as soon as the Yes of a question is chosen."""
    asked: list[str] = []
    rules = '{"prefetch": [{"where": {"selector_matches": "body:has(#q-tax-1:checked) a"}, "eagerness": "immediate"}]}'

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if route.request.url.endswith("/rules.json"):
            route.fulfill(body=rules, headers={"Content-Type": "application/speculationrules+json"})
        else:
            response = route.fetch()
            route.fulfill(
                response=response, headers=response.headers | {"speculation-rules": '"/rules.json"'}
            )

    page.context.route("**/*", answer)
    visit(page, site, survey(site))
    begin(page)
    asked.clear()
    page.check("#q-tax-1")
    page.wait_for_timeout(300)
    assert asked == []
