"""What other windows and planted service workers can read of a respondent's page.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect

from tests.browser import firefox, old_chromium
from tests.browser.conftest import Site
from tests.browser.respondent_steps import address, begin, expect_ready, survey

# What a page of the same site does to read a survey in another window, and to hide from it.
OPEN_SURVEY = "(url) => { window.survey = window.open(url); window.survey.opener = null; }"
READ_ANSWERS = """() => {
    try {
        return [...window.survey.document.querySelectorAll("input:checked")].map((input) => input.id);
    } catch (error) {
        return []; // the handle leads to no document, or to one of another group of windows
    }
}"""
PLANTED = ["/worker.js", "/s/worker.js", "/static/deep/worker.js"]
# Serves a page of its own in place of the survey, as a worker does that reads answers.
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
    if (event.request.mode === "navigate") {
        const headers = { "Content-Type": "text/html" };
        event.respondWith(new Response("<title>planted</title>", { headers }));
    }
});
"""
PLANT = """async (script) => {
    await navigator.serviceWorker.register(script, { scope: "/" });
    await navigator.serviceWorker.ready;
}"""
CHOOSE_IN_FIREFOX = """async () => {
    const wait = () => new Promise((done) => setTimeout(done, 20));
    while (document.querySelector("#begin")?.disabled !== false) {
        await wait();
    }
    document.querySelector("#begin").click();
    document.querySelector("#q-tax-1").click();
    return "";
}"""
COUNT_WORKERS = "async () => (await navigator.serviceWorker.getRegistrations()).length"


class TakenOverSite:
    """A proxy before the site that serves what an attacker wants, until it is `honest`."""

    def __init__(self, site: Site) -> None:
        self.honest = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._answer(self, site)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def _answer(self, handler: BaseHTTPRequestHandler, site: Site) -> None:
        if self.honest:
            answer = httpx.get(
                f"{site.url}{handler.path}", headers={**handler.headers, "Accept-Encoding": ""}
            )
            status, headers, body = answer.status_code, dict(answer.headers), answer.content
        elif handler.path in PLANTED:
            headers = {"content-type": "text/javascript", "service-worker-allowed": "/"}
            status, body = 200, WORKER.encode()
        else:
            status, headers, body = 200, {"content-type": "text/html"}, b"<title>taken over</title>"
        handler.send_response(status)
        for name, value in headers.items():
            if name not in ("connection", "content-length", "date", "server", "transfer-encoding"):
                handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def taken_over(site: Site) -> Iterator[TakenOverSite]:
    front = TakenOverSite(site)
    yield front
    front.stop()


def test_window_that_opened_a_survey_reads_no_answer(
    page: Page, context: BrowserContext, site: Site
) -> None:
    """2. A page of the same site opens the survey, takes away its opener and asks what is chosen."""
    page.goto(f"{site.url}/login/")
    with context.expect_page() as opened:
        page.evaluate(OPEN_SURVEY, address(site, survey(site)))
    respondent = opened.value
    expect_ready(respondent)
    begin(respondent)
    respondent.check("#q-tax-1")

    assert page.evaluate(READ_ANSWERS) == []
    assert page.evaluate("() => window.survey.closed")
    assert respondent.evaluate("() => [window.opener, window.name]") == [None, ""]


def test_window_that_a_survey_followed_reads_no_answer(
    page: Page, context: BrowserContext, site: Site
) -> None:
    """2. A small window stays open while the large one, which opened it, goes on to the survey."""
    page.goto(f"{site.url}/login/")
    with context.expect_page() as opened:
        page.evaluate("(url) => { window.open(url); }", f"{site.url}/")
    small = opened.value
    small.wait_for_load_state()
    assert small.evaluate(
        "() => window.opener !== null"
    )  # without the survey the two windows are joined
    page.goto(address(site, survey(site)))
    expect_ready(page)
    begin(page)
    page.check("#q-tax-1")

    small.evaluate("() => { window.survey = window.opener; }")
    assert small.evaluate("() => window.survey === null || window.survey.closed")
    assert small.evaluate(READ_ANSWERS) == []


@pytest.mark.parametrize("script", PLANTED)
def test_planted_worker_is_gone_after_one_visit_to_the_honest_site(
    page: Page, site: Site, taken_over: TakenOverSite, script: str
) -> None:
    """2. The worker is served from any path, and its scope is the whole site."""
    page.goto(f"{taken_over.url}/")
    page.evaluate(PLANT, script)
    page.goto(f"{taken_over.url}/s/{survey(site)}/")
    expect(page).to_have_title("planted")

    taken_over.honest = True
    page.goto(
        f"{taken_over.url}/s/{survey(site)}/"
    )  # the worker answers this one for the last time
    expect_ready(page)  # the page is loaded again, from the site
    assert page.evaluate(COUNT_WORKERS) == 0
    page.reload()
    expect_ready(page)


@pytest.fixture
def old_page(playwright: Playwright) -> Iterator[Page]:
    """A page of a Chromium that does not know the value of the header."""
    if old_chromium.find() is None:
        pytest.skip(old_chromium.MISSING)
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    browser = playwright.chromium.launch(executable_path=old_chromium.find(), args=options)
    yield browser.new_page()
    browser.close()


@pytest.mark.long
def test_page_of_another_site_reads_nothing_in_an_old_engine(old_page: Page, site: Site) -> None:
    """2. It keeps a handle of the window, by which it can lead it elsewhere, and reads no answer."""
    old_page.goto(f"http://survey.localhost:{site.port}/healthz")
    with old_page.context.expect_page() as opened:
        old_page.evaluate(
            "(url) => { window.survey = window.open(url); }", address(site, survey(site))
        )
    respondent = opened.value
    expect_ready(respondent)
    begin(respondent)
    respondent.check("#q-tax-1")

    assert not old_page.evaluate("() => window.survey.closed")
    assert old_page.evaluate(READ_ANSWERS) == []
    old_page.evaluate("(url) => { window.survey.location = url; }", f"{site.url}/login/")
    respondent.wait_for_url("**/login/")


@pytest.mark.long
@pytest.mark.skipif(
    firefox.find() is None, reason="there is no Firefox here: install the package firefox-esr"
)
def test_window_that_opened_a_survey_reads_no_answer_in_firefox(site: Site, tmp_path: Path) -> None:
    """2. As above, in another engine."""
    with firefox.tab(tmp_path / "profile") as tab:
        tab.goto(f"{site.url}/login/")
        respondent = tab.open_window(address(site, survey(site)), "window.survey.opener = null;")
        respondent.evaluate(CHOOSE_IN_FIREFOX)
        assert (
            respondent.evaluate("() => String(document.querySelectorAll('input:checked').length)")
            == "1"
        )
        assert tab.evaluate(f"() => JSON.stringify(({READ_ANSWERS})())") == "[]"


@pytest.mark.long
@pytest.mark.skipif(
    firefox.find() is None, reason="there is no Firefox here: install the package firefox-esr"
)
def test_planted_worker_is_gone_in_firefox(
    site: Site, taken_over: TakenOverSite, tmp_path: Path
) -> None:
    """2. As above, in another engine."""
    with firefox.tab(tmp_path / "profile") as tab:
        tab.goto(f"{taken_over.url}/")
        tab.evaluate(PLANT, PLANTED[1])
        tab.goto(f"{taken_over.url}/s/{survey(site)}/")
        assert tab.evaluate("() => document.title") == "planted"

        taken_over.honest = True
        tab.goto(f"{taken_over.url}/s/{survey(site)}/")
        assert tab.evaluate_until(f"async () => String(await ({COUNT_WORKERS})())", "0")
        assert tab.evaluate_until("() => String(document.title !== 'planted')", "true")
