"""Public results with the logo and the colours of a sender."""

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import fits_window, unfold, violations
from tests.browser.test_respondent_sender import branded

PUBLISH = """
from features.shared_reports.publication import set_public
from surveys.models import Survey
set_public(Survey.objects.get(slug={slug!r}), public=True)
"""


def test_public_results_fit_too_and_axe_finds_nothing(browser: Browser, site: Site) -> None:
    slug = branded(site, "sender-public-results", closed=True)
    site.shell(PUBLISH.format(slug=slug))
    for scheme, width in (("light", 320), ("dark", 1280)):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        said: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.goto(f"{site.url}/r/{slug}/")
        unfold(page)
        assert violations(page) == ""
        assert fits_window(page)
        page.goto(f"{site.url}/r/{slug}/tax.svg")
        expect(page.locator("text.title, .title").first).to_have_css("font-size", "21px")
        refused = [
            text for text in said if "404" not in text
        ]  # a browser looks for an icon of its own
        assert refused == []  # the policy lets the figure's own style in
        page.close()
