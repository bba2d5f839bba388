"""The ethics board's page on paper: two sheets of A4, and more only where an appendix was opened."""

import re
from functools import cache

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.workspace_steps import log_in

MAKE = """
from surveys.authoring.drafts.drafts import update_settings
from surveys.models import Question
from tests.factories import surveys
owner = surveys.create_researcher("board", {password!r})
survey = surveys.create_draft(owner, title="Twenty questions", protection="balanced", introduction="We ask why. " * 20,
                      consent="You agree to take part. " * 5, contact="Ada, ada@example.org", asks_consent=True,
                      help_lines="Advice: tel:116006", tickets="one")
for number in range(14):
    surveys.add_yes_no(survey, "work%d" % number, design="", parameters={{}})
for number in range(6):
    surveys.add_background(survey, "region%d" % number, ("North", "South", "East", "West", "Abroad", "Elsewhere"))
text = "In the past 12 months, have you told anyone something about your work that you knew was not true?"
Question.objects.filter(survey=survey).update(text=text)
law = dict.fromkeys(("controller", "officer", "purpose", "legal_basis", "rights"), "A sentence about the data. " * 3)
update_settings(survey, law | {{"delete_on": "2099-01-31"}})
surveys.publish_survey(survey)
"""


@cache
def password(site: Site) -> str:
    secret = "a long pass phrase"
    site.shell(MAKE.format(password=secret))
    return secret


def sheets(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4", prefer_css_page_size=True)))


def test_it_is_two_sheets_and_an_open_appendix_more(site: Site, page: Page) -> None:
    log_in(page, site, "board", password(site))
    expect_two_sheets(page, "Twenty questions", 20)


def expect_two_sheets(page: Page, title: str, questions: int) -> None:
    """Open the document of a survey from the list of surveys, and print it with and without its appendix."""
    page.get_by_role("link", name=title).first.click()
    page.get_by_role("link", name="Files", exact=True).click()
    page.get_by_role("link", name="Open the page for the ethics board").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(questions + 1)
    assert sheets(page) == 2
    page.get_by_text("Appendix: the chances of each question").click()
    assert sheets(page) > 2
    page.emulate_media(media="print")
    expect(page.get_by_text("Appendix: everything respondents read")).to_be_hidden()
    expect(page.locator(":is(button, .btn, .tabs, .crumbs):visible")).to_have_count(0)


def test_the_button_prints(site: Site, page: Page) -> None:
    log_in(page, site, "board", password(site))
    page.goto(
        page.get_by_role("link", name="Twenty questions").first.evaluate("(link) => link.href")
        + "ethics/"
    )
    page.evaluate(
        "addEventListener('beforeprint', () => { document.body.dataset.printed = 'yes'; })"
    )
    page.get_by_role("button", name="Print").click()
    expect(page.locator("body[data-printed=yes]")).to_have_count(1)
