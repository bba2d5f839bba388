"""The first minute on a site where no study was loaded: from the home page to an answer and to the sample report."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import Traffic, fits_window, violations


def test_a_visitor_answers_the_demo_and_reads_its_report(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto(site.url)
    page.get_by_role("link", name="Try the demo as a respondent").click()
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Nothing is stored or sent.")
    page.get_by_role("button", name="Agree and start").click()
    expect(page.get_by_text("Question 1").locator("visible=true")).to_have_count(
        1
    )  # the lot says which one it is
    page.goto(site.url)
    page.get_by_role("link", name="See a sample report").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Student misconduct 2026")
    received = page.get_by_text("received, before the correction").first
    expect(received).to_be_hidden()
    page.get_by_label("Show what was received").check()
    expect(received).to_be_visible()
    assert set(sent) == {"GET"}


def test_a_tap_is_one_of_the_answers_that_arrive(site: Site, page: Page) -> None:
    """The ringed dot is what the try says that the device would send; nothing is sent or kept."""
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(site.url)
    expect(page.get_by_text("Try it: do you like chocolate?")).to_be_visible()
    traffic = Traffic(page)
    own = page.get_by_text("Your device would send").locator("visible=true").locator("strong")
    dots = {answer: page.locator(f".home-own--{answer.lower()}") for answer in ("Yes", "No")}
    for dot in dots.values():
        expect(dot).to_be_hidden()
    sent = set()
    while len(sent) < 2:
        page.get_by_role("button", name="Yes", exact=True).click()
        expect(own).to_have_count(1)
        sent.add(answer := own.inner_text())
        for name, dot in dots.items():
            expect(dot).to_be_visible(visible=name == answer)
    expect(page.get_by_text("The ringed dot is your tap")).to_be_visible()
    expect(page.get_by_text("With your tap among the answers it is still")).to_be_visible()
    expect(page.locator(".home-people")).to_be_hidden()
    assert fits_window(page)
    assert violations(page) == ""
    assert traffic.requests == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_without_a_script_there_is_no_try_and_the_rest_reads_on(
    site: Site, browser: Browser
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(site.url)
    expect(page.locator(".home-people")).to_be_visible()
    expect(
        page.get_by_text("The true answers to sensitive questions never leave the device.")
    ).to_be_visible()
    for text in (
        "Try it: do you like chocolate?",
        "The ringed dot is your tap",
        "With your tap among the answers",
    ):
        expect(page.get_by_text(text)).to_be_hidden()
    page.close()
