"""Pictures of the tutorial and the report for README and docs, as a browser shows them: `make pictures`.

    python -m tests.browser.pictures [folder] [--whole]

Those of the tutorial are taken while it is followed, word by word. The study is invented: its truths are drawn here,
and randomized, released and corrected as real ones are. Of every page of its report the first screen is taken, at three
widths, light and dark; with --whole all of it and the printed report, to look at.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium, tutorial
from tests.browser.conftest import Site
from tests.browser.steps import log_in

FOLDER = Path(__file__).resolve().parents[2] / "docs/pictures"
SIZES = {"1280": (1280, 1000), "390": (390, 1300), "320": (320, 1300)}
SCHEMES = ("light", "dark")
MAKE = """
import numpy as np
from surveys.authoring import drafts
from surveys.ballots.closing import close_survey
from surveys.publishing.lifecycle import publish
from tests.answered import answered
from tests.making import draft, researcher

FACULTIES = {"Engineering": 1226, "Law": 588, "Science": 1104, "Arts": 1234, "Medicine": 642, "Theology": 18}
KINDS = {"None of these": 38, "Used AI without saying so": 25, "Copied homework": 14, "Cheated in an exam": 9,
         "Signed for an absent friend": 7, "Bought an essay": 3, "Invented data": 2, "Something else": 2}
HELP = {"Text from an AI tool, not named": 42, "Answers shared in a group chat": 34, "Notes on a phone": 12,
        "Stimulants without prescription": 6, "An essay service": 3}
COPIED = {"Engineering": 34, "Law": 29, "Science": 27, "Arts": 24, "Medicine": 16, "Theology": 25}

rng, n = np.random.default_rng(2026), sum(FACULTIES.values())
survey = draft(researcher("dean"), title="Student misconduct 2026", limit=99, limit_reason="A study that is invented.")
survey.target = 5000
survey.save()


def ask(key, text, kind, **more):
    drafts.save_question(survey=survey, key=key, text=text, kind=kind, **more)


ask("faculty", "Which faculty are you in?", "background", choices=list(FACULTIES), decline=False)
ask("copied", "In the past 12 months, did you copy from somebody in an exam?", "yes-no", design="two-coin")
ask("invented", "Have you ever invented data for a thesis?", "yes-no", design="warner", parameters={"p": "7/10"})
ask("kind", "Which of these did you do most recently?", "choice", choices=list(KINDS), design="subset",
    parameters={"epsilon": "1"})
ask("help", "Which of these did you use in the past 12 months?", "any", choices=list(HELP), design="unary-any",
    parameters={"epsilon": "1.6"})
ask("days", "On how many days of the past term were you signed in for a class but absent?", "number", minimum="0",
    maximum="30", decline=False)
faculty = rng.permutation(np.repeat(np.arange(6), list(FACULTIES.values())))
made = publish(survey, hardly_protected=True)
shares = np.array(list(KINDS.values())) / 100
answered(
    made,
    n,
    faculty=faculty,
    copied=(rng.random(n) < np.array(list(COPIED.values()))[faculty] / 100).astype(int),
    invented=(rng.random(n) < 0.004).astype(int),
    kind=rng.choice(len(KINDS), n, p=shares),
    help=(rng.random((n, 5)) < np.array(list(HELP.values())) / 100).astype(int),
    days=np.minimum(rng.gamma(1.9, 2.5, n).astype(int), 30),
)
close_survey(made.survey)
print(survey.slug)
"""


def take(browser: Browser, site: Site, folder: Path, *, whole: bool) -> None:
    slug = site.shell(MAKE).splitlines()[-1]
    pages = {"report": f"/surveys/{slug}/report/", "groups": f"/surveys/{slug}/report/groups/?by=faculty"}
    asked = "what=model&outcome=copied:1&explain=faculty&explain=days:number"
    pages["analysis"] = f"/surveys/{slug}/report/analysis/?{asked}#model"
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    log_in(page, site, "dean", "correct horse")
    for name, address in pages.items():
        page.goto(site.url + address)
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                path = folder / f"{name}-{size}-{scheme}.png"
                if name == "analysis" and not whole:  # what was found, without the form above it
                    page.locator(".analysis-found").screenshot(path=path, animations="disabled")
                else:
                    page.screenshot(path=path, full_page=whole, animations="disabled")
    if whole:
        page.goto(site.url + pages["report"])
        page.pdf(path=folder / "report.pdf", prefer_css_page_size=True)


def teach(browser: Browser, site: Site, folder: Path) -> None:
    def picture(page: Page, name: str) -> None:
        page.wait_for_timeout(1000)  # what stands beside a form follows what is typed
        page.screenshot(path=folder / name, animations="disabled", caret="hide")

    _, password = site.researcher("demo")
    tutorial.follow(browser, site.url, password, picture)


def main(folder: Path, *, whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        site = Site(Path(place))
        site.manage("migrate", "--verbosity", "0")
        site.manage("collectstatic", "--verbosity", "0", "--no-input")
        site.start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
            teach(browser, site, folder)
            take(browser, site, folder, whole=whole)
            browser.close()
        finally:
            site.stop()


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if not word.startswith("--")]
    main(Path(given[0]) if given else FOLDER, whole="--whole" in sys.argv)
