"""The documentation of the API: one group open at a time, a search, links to shapes, and never a long way to scroll."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site

HEIGHT = "document.documentElement.scrollHeight"
OPEN = (
    "[...document.querySelectorAll('.api-task[open] > summary h2')].map((each) => each.textContent)"
)
MOST = 30_000  # pixels at a width of 1280


def test_one_group_is_open_at_a_time_and_the_page_stays_short(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site.url}/api/v1/docs/")
    assert page.evaluate(OPEN) == []
    assert page.evaluate(HEIGHT) < 2_000
    headings = page.locator(".api-task > summary h2")
    names = headings.all_inner_texts()
    assert names[:2] == ["Write", "Review before publishing"]
    assert names[-1] == "Shapes"
    for number, name in enumerate(names):
        headings.nth(number).click()
        assert page.evaluate(OPEN) == [name]
        assert page.evaluate(HEIGHT) <= MOST, name
    assert page.evaluate(HEIGHT) <= MOST


def test_a_search_opens_what_has_all_its_words(site: Site, page: Page) -> None:
    page.goto(f"{site.url}/api/v1/docs/")
    page.get_by_role("searchbox").fill("weighted margins")
    page.get_by_role("button", name="Search").click()
    expect(
        page.get_by_text("GET /api/v1/surveys/{slug}/report/weighted/", exact=True)
    ).to_be_visible()
    expect(page.get_by_text("POST /api/v1/surveys/{slug}/publish/")).to_have_count(0)
    page.get_by_role("searchbox").fill("zyzzyva")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No operation has all these words.")).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(page).to_have_url(f"{site.url}/api/v1/docs/")


def test_a_shape_is_one_link_away(site: Site, page: Page) -> None:
    page.goto(f"{site.url}/api/v1/docs/")
    page.get_by_role("heading", name="Read results").click()
    page.get_by_text("GET /api/v1/surveys/{slug}/report/", exact=True).click()
    page.locator("#surveys_report_retrieve").get_by_role("link", name="Report", exact=True).click()
    expect(page.locator("#shape-Report > summary")).to_be_in_viewport()
    assert page.evaluate(OPEN) == ["Shapes"]
