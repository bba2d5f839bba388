"""The first minute on a site where no study was loaded: from the home page to an answer and to the sample report."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site


def test_a_visitor_answers_the_demo_and_reads_its_report(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(site.url)
    page.get_by_role("link", name="Try the demo as a respondent").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Nothing is stored or sent.")
    page.get_by_role("button", name="Agree and start").click()
    expect(page.get_by_text("Question 1").locator("visible=true")).to_have_count(1)  # the lot says which one it is
    page.goto(site.url)
    page.get_by_role("link", name="See a sample report").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Student misconduct 2026")
    received = page.get_by_text("received, before the correction").first
    expect(received).to_be_hidden()
    page.get_by_label("Show what was received").check()
    expect(received).to_be_visible()
    assert set(sent) == {"GET"}
