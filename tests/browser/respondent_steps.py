"""Doing what a respondent does, for the browser tests. Surveys are made inside the site's own process."""

import json
import re
from functools import cache
from weakref import WeakKeyDictionary

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Page, Request, Response, Route, expect

from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules

RESPONSES = re.compile(r"/responses/$")
# tax: Warner with p = 3/4. fruit: unary over five answers, the last is "Prefer not to say". region: sent as it is.
MAKE = """
from tests.factories import surveys
owner = surveys.create_researcher({name!r})
print(surveys.create_published(owner).survey.slug)
"""


@cache
def survey(site: Site, name: str = "respondent") -> str:
    """The slug of an open survey with a question of each kind, one per name."""
    return site.shell(MAKE.format(name=name))


def address(site: Site, slug: str) -> str:
    return f"{site.url}/s/{slug}/"


def visit(page: Page, site: Site, slug: str) -> None:
    page.on(
        "request",
        lambda request: (
            _sent.update({page: request.post_data}) if request.method == "POST" else None
        ),
    )
    page.goto(address(site, slug))
    expect_ready(page)


_sent: WeakKeyDictionary[Page, str] = WeakKeyDictionary()


def wire(page: Page) -> dict:
    """The reports in the last message that this page has sent since visit()."""
    return json.loads(_sent[page])["reports"]


def expect_ready(page: Page) -> None:
    """Wait until the introduction is shown and can be left."""
    expect(page.locator("#begin")).to_be_enabled()


def until(page: Page, expression: str) -> None:
    """Wait until it is true. `wait_for_function` asks again by eval, which the pages' policy forbids."""
    met: Error | None = None
    for _ in range(1000):
        try:
            if page.evaluate(expression):
                return
        except Error as error:  # the page was just being left
            met = error
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {expression}") from met


def expect_closed(page: Page) -> None:
    """Check that nothing can be chosen or sent."""
    expect(page.locator(":is(#all input, #all button, #begin):enabled")).to_have_count(0)


def begin(page: Page) -> None:
    press(page, "Start")


def unfold(page: Page) -> None:
    """Open everything that stands one tap away."""
    page.wait_for_load_state()
    folded = page.locator("details:not([open]) > summary:visible")
    folded.evaluate_all("all => all.forEach((each) => each.click())")
    expect(folded).to_have_count(0)


def choose(page: Page, **answers: int) -> None:
    """Answer the question that is shown, and the next ones, and go on from each."""
    for key, index in answers.items():
        page.check(f"#q-{key}-{index}")
        press(page, "Continue")


def answer(page: Page, tax: int = 1, fruit: int = 0, region: int = 0) -> None:
    """From the introduction to the list of answers."""
    begin(page)
    choose(page, tax=tax, fruit=fruit, region=region)
    expect_heading(page, "Check your answers")


def fail(route: Route) -> None:
    route.abort("internetdisconnected")


def send_unheard(page: Page) -> "Traffic":
    """Send once while no answer gets through; the way stays closed until RESPONSES is unrouted."""
    page.route(RESPONSES, fail)
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    return traffic


def see_what_was_sent(page: Page) -> None:
    page.get_by_text("See what was sent", exact=True).click()


def open_kept(page: Page) -> None:
    """What this device keeps, in the step that is shown."""
    fold = page.locator("main section:visible details > summary", has_text="What this device keeps")
    if not fold.evaluate("(each) => each.parentElement.open"):
        fold.click()


def remove(page: Page) -> None:
    open_kept(page)
    press(page, "Remove from this device")


def save_copy(page: Page) -> None:
    open_kept(page)
    press(page, "Save a copy")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def expect_heading(page: Page, heading: str) -> None:
    """Check that this heading is shown and has the focus."""
    expect(page.locator("h1:visible")).to_have_text(heading, use_inner_text=True)
    expect(page.locator("h1:visible")).to_be_focused()


def expect_text(page: Page, words: str) -> None:
    """Check that the current step shows this text."""
    expect(page.locator("main section:visible")).to_contain_text(words, use_inner_text=True)


def never_says(page: Page, words: str) -> None:
    expect(page.locator("main section:visible")).not_to_contain_text(words, use_inner_text=True)


# One question in each mode, for the device, the spinner and the hand.
MODES = """
from tests.factories import surveys
from tests.factories.surveys import publish_survey
owner = surveys.create_researcher({name!r})
survey = surveys.create_draft(owner, language={language!r}, contact="Ada, ada@example.org")
surveys.add_yes_no(survey, "tool", design="two-coin")
surveys.add_yes_no(survey, "sick", mode="spinner", help="Think of last year.")
surveys.add_yes_no(survey, "contract", design="forced-response", mode="by-hand",
              parameters={{"truth": "2/3", "yes": "1/6", "no": "1/6"}})
surveys.add_background(survey)
publish_survey(survey)
print(survey.slug)
"""


@cache
def modes(site: Site, language: str = "en") -> str:
    """The slug of an open survey with a question in each mode, one per language."""
    return site.shell(MODES.format(name=f"modes in {language}", language=language))


def spin(page: Page) -> str:
    """Spins; returns what it landed on."""
    page.locator(".candor-question:visible [data-do=spin]").click()
    landed = page.locator(".candor-question:visible .candor-landed p:visible")
    expect(landed).to_have_count(1)
    return landed.inner_text()


def to_the_list(page: Page) -> None:
    """Through the questions of modes()."""
    begin(page)
    choose(page, tool=1)
    spin(page)
    choose(page, sick=1, contract=0, region=0)


# How often each truth of each question gives each report, drawn by the browser's own generator.
DRAWS = with_modules(
    """async (draws) => {
    const { randomize } = await import("/static/mechanisms/index.js");
    const { questions } = JSON.parse(document.getElementById("instrument").textContent);
    return questions.map(({ mechanism, choices }) =>
        choices.map((_, truth) => {
            const counts = {};
            for (let draw = 0; draw < draws; draw += 1) {
                const report = randomize(mechanism, truth);
                counts[report] = (counts[report] ?? 0) + 1;
            }
            return counts;
        }),
    );
}"""
)


def fits_window(page: Page) -> bool:
    """Return whether nothing is wider than the window."""
    page.wait_for_load_state()
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def expect_accessible(page: Page) -> None:
    """Check the page with all rules of axe."""
    page.wait_for_load_state()
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page: Page) -> str:
    """What axe complains of; empty where all is well."""
    page.wait_for_load_state()
    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return "; ".join(f"{one['id']}: {one['nodes'][0]['html']}" for one in found)


def count_stored(site: Site, slug: str) -> int:
    """Return how many responses the site holds."""
    found = f"Response.objects.filter(instrument__survey__slug={slug!r})"
    return int(site.shell(f"from surveys.models import Response; print({found}.count())"))


class Traffic:
    """Everything a page asks of the network, in order."""

    def __init__(self, page: Page) -> None:
        self.requests: list[Request] = []
        self.responses: list[Response] = []
        page.on("request", self._asked)
        page.on("response", self._answered)

    def _asked(self, request: Request) -> None:
        self.requests.append(request)

    def _answered(self, response: Response) -> None:
        self.responses.append(response)

    @property
    def posts(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]

    @property
    def bodies(self) -> list[str]:
        return [request.post_data for request in self.posts]

    @property
    def statuses(self) -> list[int]:
        return [response.status for response in self.responses if response.request.method == "POST"]
