"""Neither the browser's history nor its disk brings an answer back.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserType, Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    answer,
    begin,
    choose,
    expect_heading,
    expect_ready,
    press,
    survey,
    until,
    visit,
)
from tests.browser.workspace_steps import publish


def test_going_elsewhere_and_coming_back_brings_no_answer_back(page: Page, site: Site) -> None:
    """15. Where no page is kept whole, Back loads it anew."""
    visit(page, site, survey(site))
    answer(page)
    page.goto(page.url.replace("/s/", "/trust/"))
    page.go_back()
    expect_ready(page)
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.locator("#review [data-answer]").first).to_have_text("")


KEPT = """addEventListener("pageshow", (event) => {
    const seen = JSON.parse(sessionStorage.seen ?? "[]");
    seen.push([event.persisted, document.querySelectorAll("input:checked").length]);
    sessionStorage.seen = JSON.stringify(seen);
});"""
LOADED, KEPT_AND_EMPTY = [False, 0], [True, 0]


@pytest.mark.parametrize("is_storable", [True, False])
def test_a_page_kept_whole_by_the_browser_forgets_too(
    browser_type: BrowserType, browser_type_launch_args: dict, site: Site, is_storable: bool
) -> None:
    """15. With the browser's cache of whole pages, which Playwright turns off elsewhere: empty when it is shown again,
    and loaded anew at once. Newer Chromiums keep a page in spite of no-store, so without it the same must hold.
    """
    options = browser_type_launch_args | {"ignore_default_args": ["--disable-back-forward-cache"]}
    browser = browser_type.launch(**options)
    page = browser.new_page()
    if is_storable:
        page.route(re.compile(r"/(s|trust)/[^/]+/$"), _storable)
    page.add_init_script(KEPT)
    visit(page, site, survey(site))
    begin(page)
    page.check("#q-tax-1")
    page.goto(page.url.replace("/s/", "/trust/"))
    page.evaluate("history.back()")
    page.wait_for_url("**/s/**")
    until(page, "JSON.parse(sessionStorage.seen).slice(2).some(([kept]) => !kept)")
    expect_ready(page)
    expect(page.locator("input:checked")).to_have_count(0)
    seen = json.loads(page.evaluate("sessionStorage.seen"))
    assert seen in ([LOADED] * 3, [LOADED, LOADED, KEPT_AND_EMPTY, LOADED])
    assert KEPT_AND_EMPTY in seen or not is_storable, (
        "this Chromium kept nothing, so the test would prove nothing"
    )
    browser.close()


def _storable(route: Route) -> None:
    response = route.fetch()
    dropped = ("cache-control", "content-encoding", "content-length")
    headers = {name: value for name, value in response.headers.items() if name not in dropped}
    route.fulfill(response=response, headers=headers)


def test_leaving_resets_what_was_chosen_at_once(page: Page, site: Site) -> None:
    """15. The moment the page is hidden for good, before any cache can keep it."""
    visit(page, site, survey(site))
    answer(page)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    expect(page.locator("input:checked")).to_have_count(0)


MARKER = "Zanzibarmarker"


def test_the_profile_on_disk_holds_no_trace_of_a_choice(
    browser_type: BrowserType, browser_type_launch_args: dict, site: Site, tmp_path: Path
) -> None:
    """17. After the browser has closed: neither the chosen label, nor the control, nor the page itself.

    Nor the message: where Send works at once it is gone before the browser writes to disk.
    """
    questions = [
        {
            "kind": "yes-no",
            "text": "Tax?",
            "key": "tax",
            "design": "warner",
            "parameters": {"p": "3/4"},
        },
        {
            "kind": "choice",
            "text": "Where?",
            "key": "place",
            "choices": [MARKER, "Elsewhere"],
            "design": "two-coin",
        },
    ]
    slug = publish(site, questions, title="Marked")
    context = browser_type.launch_persistent_context(tmp_path, **browser_type_launch_args)
    page = context.new_page()
    visit(page, site, slug)
    begin(page)
    choose(page, tax=1, place=0)
    expect(page.locator("#review")).to_contain_text(MARKER)
    page.goto("about:blank")
    visit(page, site, slug)
    begin(page)
    choose(page, tax=1, place=0)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    context.close()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(slug.encode() in path.read_bytes() for path in files), (
        "the profile was not written at all"
    )
    for needle in (MARKER, "q-place", '"reports"', '\\"reports\\"'):
        found = [
            path
            for path in files
            for form in (needle.encode(), needle.encode("utf-16-le"))
            if form in path.read_bytes()
        ]
        assert not found, (needle, found)
    cached = [
        path
        for path in files
        if "Cache" in str(path) and f"/s/{slug}/".encode() in path.read_bytes()
    ]
    assert not cached
