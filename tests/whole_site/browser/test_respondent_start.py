"""The first screen of the respondents’ page, for the surveys that come with the program."""

import json

from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.respondent_steps import visit
from tests.browser.test_respondent_start import LOWEST, lowest

MOST_WORDS = 180  # before the first question
EVERY = """
import json
from features.survey_templates import catalogue as ready
from features.demo.survey import misconduct
from surveys.authoring.files import survey_file
from tests.factories import surveys
from features.survey_templates.tests.test_ready_instruments import filled_in
owner, slugs = surveys.create_researcher("first screens"), {}
for key, instrument in ready.READY.items():
    slugs[key] = surveys.publish_survey(filled_in(ready.start(instrument, owner))).survey.slug
slugs["demo"] = surveys.publish_survey(survey_file.read(misconduct.document(), owner=owner)).survey.slug
print(json.dumps(slugs))
"""


def test_start_is_on_the_first_screen_of_the_demo_and_of_every_ready_instrument(
    page: Page, site: Site
) -> None:
    """24. In each of their languages; and nobody reads more than a minute before the first question."""
    late, words = {}, {}
    for key, slug in json.loads(site.shell(EVERY)).items():
        visit(page, site, slug)
        for code in page.locator("#languages option").evaluate_all(
            "all => all.map(({ value }) => value)"
        ):
            page.get_by_role("combobox").select_option(code)
            ends = lowest(page)
            late |= {(key, code, width): end for width, end in ends.items() if end > LOWEST[width]}
            names = page.locator("#intro .candor-folds").inner_text()  # of what stands one tap away
            words[key, code] = len(page.locator("#intro").inner_text().removesuffix(names).split())
    assert late == {}
    assert {way: n for way, n in words.items() if n > MOST_WORDS} == {}
    assert len(words) == 22
