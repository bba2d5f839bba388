"""The respondent's page in a real browser: requests, bytes as sent, and how long until it can be used.

    python -m bench.respondent

A site of its own on the loopback address, the page of a survey with a question of each kind, twenty visits with an
empty cache. "Usable" is the moment the page lets people go to the questions, from the start of the navigation.
"""

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium, respondent
from tests.browser.conftest import Site

VISITS = 20
WATCH = """
const note = () => { globalThis.usable = performance.now(); };
new MutationObserver(note).observe(document, { attributeFilter: ["disabled"], subtree: true });
"""


def visit(browser: Browser, address: str) -> tuple[int, int, float]:
    """(requests, bytes of all bodies as sent, milliseconds until usable)."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    traffic = respondent.Traffic(page)
    page.goto(address)
    respondent.ready(page)
    page.wait_for_load_state("networkidle")
    sent = sum(response.request.sizes()["responseBodySize"] for response in traffic.responses)
    found = len(traffic.requests), sent, page.evaluate("globalThis.usable")
    context.close()
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder))
        site.manage("migrate", "--verbosity", "0")
        site.manage("collectstatic", "--verbosity", "0", "--no-input")
        site.start()
        try:
            address = respondent.address(site, respondent.survey(site))
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
            visit(browser, address)  # the first one warms the server, as any earlier visitor does
            found = [visit(browser, address) for _ in range(VISITS)]
            browser.close()
        finally:
            site.stop()
    times = sorted(milliseconds for _, _, milliseconds in found)
    print(f"requests {found[0][0]}, {found[0][1]:,} bytes as sent")
    print(f"usable after {statistics.median(times):.0f} ms (median of {VISITS}), {times[-1]:.0f} ms at most")


if __name__ == "__main__":
    main()
