"""Languages, consent, declining, a condition, pages, a lot, a sender, data protection and help lines in one survey.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    address,
    expect_ready,
    fits_window,
    unfold,
    violations,
)
from tests.browser.survey_walk import FIXED, STATE

# sex, which may be declined, and times are sent as they are; care follows from sex; two of three are drawn. Some Arabic
# texts are many times as long.
MAKE = """
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.drafts.question_subset import set_draw
from tests.factories.surveys import publish_survey
from tests.factories import surveys
from tests.factories import images
owner = surveys.create_researcher("together")
survey = surveys.create_draft(owner, title="Über die Arbeit", language="de", asks_consent=True,
                      section_pages=True, introduction="Worum es geht.", consent="Ich nehme freiwillig teil.",
                      after_sending="Vielen Dank.", after_declining="Das ist in Ordnung.", contact="Ada",
                      help_lines="Hilfe: tel:116-006\\nRat: https://help.example/a")
question = surveys.add_background(survey, "sex", ("Frau", "Mann", "Keine Angabe"))
question.decline = True
question.save()
surveys.add_yes_no(survey, "care", when={"of": "sex", "in": ["Frau"]}, section="Pflege", help="Im letzten Jahr.")
surveys.add_background(survey, "times", ("Einmal", "Oft"))
for key in ("tax", "work", "theft"):
    surveys.add_yes_no(survey, key)
set_draw(survey=survey, count=2, of=["tax", "work", "theft"])
brand = {"sender": "Institut", "accent": "#7a1f3d", "logo": images.create_png((480, 160))}
told = dict.fromkeys(("controller", "officer", "purpose", "legal_basis", "rights"), "Nach dem Gesetz")
survey = update_settings(survey, brand | told | {"delete_on": "2099-01-31"})
survey = surveys.add_translations(survey, "ar")
survey.translations["ar"] = {name: text * 9 if name in ("introduction", "consent") else text
                             for name, text in survey.translations["ar"].items()}
survey.save()
print(publish_survey(survey).survey.slug)
"""
WOMAN, MAN, SILENT = 0, 1, 2  # answers to sex
DRAWN = {"tax", "work"}  # what the lot takes where all that chance gives is 0


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return site.shell(MAKE).splitlines()[-1]


@dataclass(frozen=True)
class Visit:
    """What one visit left: the bytes of the page, the body sent, what the browser keeps, and all that was asked for."""

    page: str
    body: str
    kept: str
    requests: tuple[tuple[str, str], ...]


def opened(browser: Browser, site: Site, slug: str, code: str, **more: object) -> Page:
    page = browser.new_context(locale=code, **more).new_page()
    page.add_init_script(FIXED)
    page.goto(address(site, slug))
    expect_ready(page)
    expect(page.locator("html")).to_have_attribute("lang", code)
    return page


def go_on(page: Page) -> None:
    page.locator("main section:visible [type=submit]").last.click()


def through(page: Page, sex: int, truth: int) -> None:
    """To the list of answers, every sensitive answer the same."""
    page.locator("#begin").click()
    page.check(f"#q-sex-{sex}")
    while not page.locator("#review").is_visible():
        for each in page.locator(".candor-question:visible").all():
            key = each.get_attribute("data-key")
            if key != "sex":
                each.locator(f"input[value='{0 if key == 'times' else truth}']").check()
        go_on(page)


def visited(page: Page, sex: int, truth: int) -> Visit:
    content = page.request.get(page.url).text()
    page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    traffic = Traffic(page)
    states = [page.evaluate(STATE)]
    through(page, sex, truth)
    states.append(page.evaluate(STATE))
    assert traffic.requests == []  # 6
    go_on(page)
    expect(page.locator("#sent h1")).to_be_focused()
    states.append(page.evaluate(STATE))
    (body,) = traffic.bodies  # 7
    expect(page.locator(":checked")).to_have_count(0)
    assert not {"cookie", "referer", "authorization"} & {*traffic.posts[0].all_headers()}  # 8
    assert not page.context.cookies()
    found = Visit(
        content,
        body,
        json.dumps(states),
        tuple(sorted((one.method, one.url) for one in traffic.requests)),
    )
    page.context.close()
    return found


def test_neither_language_nor_truth_nor_way_shows_beside_what_is_sent(
    browser: Browser, site: Site, slug: str
) -> None:
    """4, 6, 7, 8, 11. Whatever language, text length and truth: all is the same. On other ways: the same length."""
    woman = visited(opened(browser, site, slug, "de"), WOMAN, 0)
    assert visited(opened(browser, site, slug, "ar"), WOMAN, 1) == woman
    man, silent = (
        visited(opened(browser, site, slug, "ar"), MAN, 1),
        visited(opened(browser, site, slug, "de"), SILENT, 0),
    )
    assert {each.page for each in (man, silent)} == {woman.page}
    assert len({len(each.body) for each in (woman, man, silent)}) == 1
    assert {(each.kept, each.requests) for each in (man, silent)} == {(woman.kept, woman.requests)}
    reports = [json.loads(each.body)["reports"] for each in (woman, man, silent)]
    assert [one["sex"] for one in reports] == [WOMAN, MAN, SILENT]
    assert [one["care"] is None for one in reports] == [False, True, True]
    assert [
        {key for key in ("tax", "work", "theft") if one[key] is not None} for one in reports
    ] == [DRAWN] * 3


@pytest.mark.parametrize("code", ["de", "ar"])
def test_whoever_does_not_take_part_leaves_nothing(
    browser: Browser, site: Site, slug: str, code: str
) -> None:
    """3, 6, 16. In either language, after a start: no request, no storage, no cookie."""
    page = opened(browser, site, slug, code)
    before, traffic = page.evaluate(STATE), Traffic(page)
    page.locator("#begin").click()
    page.check("#q-sex-0")
    page.reload()
    expect_ready(page)
    loaded = len(traffic.requests)
    page.locator("[data-do=decline]").click()
    expect(page.locator("#declined h1")).to_be_focused()
    assert page.evaluate(STATE) == before
    assert (len(traffic.requests), traffic.posts, page.context.cookies()) == (loaded, [], [])
    expect(page.locator("input, form, #languages, template[data-language]")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize(("code", "scheme"), [("de", "dark"), ("ar", "light")])
def test_axe_finds_nothing_on_any_step_at_320_px(
    browser: Browser, site: Site, slug: str, code: str, scheme: str
) -> None:
    """27. The introduction with all open, each page of questions, the list of answers, both ends, the help lines."""
    page = opened(
        browser, site, slug, code, color_scheme=scheme, viewport={"width": 320, "height": 640}
    )

    def fine() -> None:
        assert violations(page) == ""
        assert fits_window(page)

    expect(page.locator("#sender")).to_have_text(
        "Institut" if code == "de" else "Institut بالعربية"
    )
    unfold(page)
    fine()
    page.locator("[data-do=decline]").click()
    fine()
    page.locator("#declined a[href^='/help']").click()
    expect(page.locator("main a[href='tel:116-006']").first).to_be_visible()
    fine()
    page.goto(address(site, slug))
    expect_ready(page)
    page.locator("#begin").click()
    page.check("#q-sex-0")
    fine()
    go_on(page)
    fine()
    go_on(page)  # nothing is chosen: what is wrong is said
    expect(page.locator("#errors")).to_be_focused()
    fine()
    page.goto(address(site, slug))
    expect_ready(page)
    through(page, WOMAN, 1)
    fine()
    page.route(
        RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"})
    )  # its key is fixed
    go_on(page)
    expect(page.locator("#sent h1")).to_be_focused()
    unfold(page)
    fine()
    page.context.close()
