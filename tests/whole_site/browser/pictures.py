"""Pictures of the tutorial, the try and the report for README and docs, as a browser shows them: `make pictures`.

    python -m tests.whole_site.browser.pictures [folder] [--whole]

Those of the tutorial are taken while it is followed, word by word. The study of the others is that of `make demo`. Of
every page of its report the first screen is taken as README and docs show it; with --whole all of it, at three widths,
light and dark, and the printed report, to look at.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import Site
from tests.browser.workspace_steps import log_in
from tests.whole_site.browser import tutorial

FOLDER = Path(__file__).resolve().parents[3] / "docs/pictures"
SIZES = {"1280": (1280, 1000), "390": (390, 1300), "320": (320, 1300)}
SCHEMES = ("light", "dark")
SHOWN = {
    "report-1280-light",
    "report-1280-dark",
    "report-390-light",
    "groups-1280-light",
    "analysis-1280-light",
}
STREAM = """
let state = 4;
crypto.getRandomValues = (words) => words.map((_, at) => {
  state = (state + 0x9e3779b9) | 0;
  const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  return (words[at] = (mixed ^ (mixed >>> 15)) >>> 0);
});
"""
MAKE = """
from features.demo.survey import misconduct
from tests.factories.surveys import create_researcher

print(misconduct.load(create_researcher("dean")).slug)
"""


def take(browser: Browser, site: Site, folder: Path, *, whole: bool) -> None:
    slug = site.shell(MAKE).splitlines()[-1]
    pages = {"report": f"/surveys/{slug}/report/", "groups": f"/surveys/{slug}/compare/?by=faculty"}
    asked = "outcome=copied:1&explain=faculty&explain=work:number"
    pages["analysis"] = f"/surveys/{slug}/compare/linked/?{asked}"
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    log_in(page, site, "dean", "correct horse")
    for name, address in pages.items():
        page.goto(site.url + address)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                path = folder / f"{name}-{size}-{scheme}.png"
                if not whole and path.stem not in SHOWN:
                    continue
                page.emulate_media(color_scheme=scheme)
                if name == "analysis" and not whole:  # what was found, without the form above it
                    page.locator(".analysis > .report").screenshot(path=path, animations="disabled")
                else:
                    page.screenshot(path=path, full_page=whole, animations="disabled")
    if whole:
        page.goto(site.url + pages["report"])
        page.pdf(path=folder / "report.pdf", prefer_css_page_size=True)


def take_try(browser: Browser, site: Site, folder: Path) -> None:
    """The respondents’ try after a tap on Yes, on a phone, from a fixed stream: else each run made another picture."""
    page = browser.new_page(viewport={"width": 390, "height": 1300})
    page.add_init_script(STREAM)
    page.goto(f"{site.url}/s/misconduct/")
    page.get_by_role("button", name="Yes", exact=True).click()
    page.mouse.move(0, 0)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.locator(".candor-card", has=page.locator("#try")).screenshot(
            path=folder / f"try-{scheme}.png", animations="disabled"
        )
    page.close()


def teach(browser: Browser, site: Site, folder: Path) -> None:
    def picture(page: Page, name: str) -> None:
        page.wait_for_timeout(1000)  # what stands beside a form follows what is typed
        page.screenshot(path=folder / name, animations="disabled", caret="hide")

    tutorial.follow(browser, site.url, tutorial.demo_account(site), picture)


def main(folder: Path, *, whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = Site(Path(place))
        site.manage("migrate", "--verbosity", "0")
        site.manage("collectstatic", "--verbosity", "0", "--no-input")
        site.start()
        try:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=["--no-sandbox"]
            )
            teach(browser, site, folder)
            take(browser, site, folder, whole=whole)
            take_try(browser, site, folder)
            browser.close()
        finally:
            site.stop()


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    main(Path(given[0]) if given else FOLDER, whole="--whole" in sys.argv)
