"""The document for an ethics board on paper, of the study of the demo."""

from playwright.sync_api import Page

from features.ethics_document.tests.browser.test_ethics import expect_two_sheets
from tests.browser.conftest import Site
from tests.browser.workspace_steps import log_in

MAKE = """
from features.demo.survey import misconduct
from surveys.authoring.files import survey_file
from tests.factories import surveys
surveys.publish_survey(survey_file.read(misconduct.document(), owner=surveys.create_researcher("dean", {password!r})))
"""


def test_it_is_two_sheets_and_an_open_appendix_more(site: Site, page: Page) -> None:
    site.shell(MAKE.format(password="a long pass phrase"))
    log_in(page, site, "dean", "a long pass phrase")
    expect_two_sheets(page, "Student misconduct", 12)
