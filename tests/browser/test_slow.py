"""What a person sees while moving between pages: half a second after a click that it was heard, and the current tab."""

import time

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.workspace_steps import log_in, publish

QUESTIONS = [
    {"kind": "yes-no", "text": "Tax?", "key": "tax", "design": "warner", "parameters": {"p": "3/4"}}
]
KEEP = """new MutationObserver(() => {
  const waits = document.querySelector(".waits");
  if (waits) {
    sessionStorage.setItem("seen", `${waits.innerText.trim()} ${waits.querySelectorAll(".waits__bar").length}`);
  }
}).observe(document, { childList: true, subtree: true })"""


def test_grey_bars_and_a_sentence_until_the_page_is_there(site: Site, page: Page) -> None:
    name, password = site.researcher("slow")
    slug = publish(site, QUESTIONS, owner=name)
    log_in(page, site, name, password)
    page.add_init_script(KEEP)

    def later(route: Route) -> None:
        time.sleep(2)
        route.continue_()

    page.route("**/report/", later)
    page.goto(f"{site.url}/surveys/{slug}/")
    tabs = page.get_by_role("navigation", name="Survey")
    tabs.get_by_role("link", name="Questions").click()
    expect(page.get_by_role("heading", name="Anyone can check")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('seen')") is None
    tabs.get_by_role("link", name="Report").click()
    page.wait_for_url("**/report/")
    seen = page.evaluate("sessionStorage.getItem('seen')")
    assert seen == "Working on it. Large surveys take some seconds. 3"
    expect(page.locator(".waits")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("heading", name="Anyone can check")).to_be_visible()
    expect(page.locator(".waits")).to_have_count(0)


def test_the_current_tab_is_in_view_on_a_narrow_screen(site: Site, page: Page) -> None:
    name, password = site.researcher("narrow")
    slug = publish(site, QUESTIONS, owner=name)
    page.set_viewport_size({"width": 320, "height": 640})
    log_in(page, site, name, password)
    for tab in ("overview", "settings"):
        page.goto(f"{site.url}/surveys/{slug}/{'' if tab == 'overview' else 'settings/'}")
        expect(page.get_by_role("link", name=tab.capitalize(), exact=True)).to_be_in_viewport(
            ratio=1
        )
