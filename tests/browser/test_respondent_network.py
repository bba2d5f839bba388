"""What the respondent's page asks of the network, and what it sends.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re
import uuid

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    address,
    answer,
    begin,
    choose,
    expect_closed,
    expect_heading,
    press,
    survey,
    unfold,
    visit,
)


def test_nothing_is_asked_of_the_network_before_send(page: Page, site: Site) -> None:
    """6. Trying it, answering, changing answers, leaving one out and being told so, back and forth: no request."""
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    length = page.evaluate("history.length")
    unfold(page)
    for tried in ("Yes", "No", "No"):
        press(page, tried)
    begin(page)
    choose(page, tax=1)
    press(page, "Continue")
    expect(page.locator("#errors")).to_be_focused()
    page.locator("#errors button:visible").click()
    expect(page.locator("#q-fruit-0")).to_be_focused()
    choose(page, fruit=2)
    press(page, "Back")
    press(page, "Back")
    choose(page, tax=0, fruit=4, region=1)
    page.get_by_role("button", name="Change About tax?").click()
    choose(page, tax=1)
    expect_heading(page, "Check your answers")
    page.wait_for_timeout(300)
    assert traffic.requests == []
    expect(page).to_have_url(address(site, survey(site)))
    assert page.evaluate("history.length") == length


def test_send_is_one_post_of_one_length_with_the_declared_keys(
    browser: Browser, site: Site
) -> None:
    """7. For every truth: one POST, these keys only, values in range, padded to the same length."""
    slug = survey(site)
    bodies = []
    for tax, fruit, region in ((0, 0, 0), (1, 4, 1), (1, 2, 0)):
        page = browser.new_page()
        visit(page, site, slug)
        declared = json.loads(page.locator("#instrument").text_content())
        traffic = Traffic(page)
        answer(page, tax, fruit, region)
        press(page, "Send")
        expect_heading(page, "Sent. Thank you.")
        assert [(one.method, one.url) for one in traffic.requests] == [
            ("POST", f"{site.url}/api/v1/surveys/{slug}/responses/")
        ]
        bodies += traffic.bodies
        content = json.loads(traffic.bodies[0])
        assert list(content) == ["instrument", "key", "reports"]
        assert uuid.UUID(content["key"]).version == 4
        assert list(content["reports"]) == ["tax", "fruit", "region"]
        assert content["reports"]["tax"] in (0, 1)
        assert re.fullmatch("[01]{5}", content["reports"]["fruit"])
        assert content["reports"]["region"] == region
        page.close()
    assert {len(body.encode()) for body in bodies} == {declared["length"]}


def test_the_post_carries_nothing_that_names_anybody(
    page: Page, context: BrowserContext, site: Site
) -> None:
    """8. No Cookie, Referer or Authorization, although this browser has a cookie for the site."""
    context.add_cookies([{"name": "sessionid", "value": "a-researcher", "url": site.url}])
    traffic = Traffic(page)
    visit(page, site, survey(site))
    assert "cookie" in traffic.requests[0].all_headers()
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    sent = traffic.posts[0].all_headers()
    assert not {"cookie", "referer", "authorization"} & set(sent)
    assert sent["content-type"] == "application/json"


def test_without_javascript_nothing_can_be_answered(browser: Browser, site: Site) -> None:
    """18. The page explains why, and no request carries an answer."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    traffic = Traffic(page)
    page.goto(address(site, survey(site)))
    notice = page.locator("#notice p:visible")
    expect(notice).to_have_count(1)
    expect(notice).to_have_text(
        re.compile(r"^\s*JavaScript is off in this browser"), use_inner_text=True
    )
    expect_closed(page)
    expect(page.locator("#q-tax-1")).to_be_hidden()
    expect(page.locator(".candor-consequence")).to_be_visible()
    expect(page.locator("#try")).to_be_hidden()
    page.get_by_text("Who can see what").click()
    expect(page.locator(".candor-who")).to_be_visible()
    page.get_by_role("button", name="Start").click(force=True)
    page.keyboard.press("Enter")
    assert {one.method for one in traffic.requests} == {"GET"}
    assert not [one.url for one in traffic.requests if "?" in one.url]
    expect(page).to_have_url(address(site, survey(site)))
    context.close()


def test_few_requests_and_little_to_load(page: Page, site: Site) -> None:
    """Page, program and style are one document of at most 40 kB."""
    traffic = Traffic(page)
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    sizes = {one.url: one.request.sizes()["responseBodySize"] for one in traffic.responses}
    assert len(traffic.requests) == 1, [one.url for one in traffic.requests]
    assert sum(sizes.values()) <= 40_000, sizes
