"""A grid: its rows stand together where there is room, and one at a time on a phone; nothing of that is sent or kept.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    begin,
    choose,
    count_stored,
    expect_heading,
    expect_ready,
    expect_text,
    fits_window,
    never_says,
    press,
    see_what_was_sent,
    until,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import FIXED
from tests.browser.test_respondent_silence import DOCUMENT, STATE

WIDE, PHONE, NARROW = (
    {"width": 1280, "height": 900},
    {"width": 390, "height": 844},
    {"width": 320, "height": 640},
)
HEADING = "In the last year, how often did you …"
MAKE = """
from surveys.authoring.drafts.grids import save_grid
from surveys.authoring.drafts.question_subset import set_draw
from tests.factories.surveys import publish_survey
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({name!r}), language={language!r}, shared_device={shared})
surveys.add_yes_no(survey, "tax")
rows = save_grid(survey=survey, heading={heading!r}, help="Count every time, however small.", section="Work",
    rows=["pay without a receipt?", "leave out a side job?", "round up a claim?", "work while off sick?"],
    kind="choice", choices=["Never", "Once or twice", "More often"], design="strong")
save_grid(survey=survey, heading="Do you have …", rows=["a car?", "a bicycle?"], kind="background",
    choices=["Yes", "No"])
surveys.add_background(survey)
if {asked}:
    set_draw(survey=survey, count={asked}, of=[row.key for row in rows])
print(publish_survey(survey).survey.slug)
"""
KEYS = ("pay_without_receipt", "leave_out_side_job", "round_up_claim", "work_while_off_sick")


def made(
    site: Site, name: str, *, asked: int = 0, language: str = "en", shared: bool = False
) -> str:
    code = MAKE.format(name=name, asked=asked, language=language, shared=shared, heading=HEADING)
    return site.shell(code)


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """tax; a grid of four sensitive rows with three answers; one of two background rows; region."""
    return made(site, "grid")


def mark(page: Page, *keys: str, index: int = 1) -> None:
    for key in keys:
        page.check(f"#q-{key}-{index}")


def to_the_grid(page: Page) -> None:
    begin(page)
    choose(page, tax=1)


def is_wide(page: Page) -> bool:
    return page.viewport_size["width"] >= WIDE["width"]


def answer_all(page: Page, index: int = 1) -> None:
    """Whatever stands together, up to the list."""
    to_the_grid(page)
    if is_wide(page):
        mark(page, *KEYS, index=index)
        press(page, "Continue")
        mark(page, "car", "bicycle", index=0)
        press(page, "Continue")
    else:
        choose(page, **dict.fromkeys(KEYS, index), car=0, bicycle=0)
    choose(page, region=0)
    expect_heading(page, "Check your answers")


def test_on_a_wide_screen_the_rows_are_a_table_with_headed_columns(
    page: Page, site: Site, slug: str
) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, slug)
    to_the_grid(page)
    expect_heading(page, HEADING)
    table = page.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Never", "Once or twice", "More often"])
    expect(table.get_by_role("rowheader")).to_have_count(4)
    expect(
        page.get_by_role("radio", name="leave out a side job? Once or twice", exact=True)
    ).to_be_visible()
    expect(page.get_by_role("group", name=HEADING)).to_be_visible()
    for once in ("Count every time", "Scrambled by your device"):
        expect(
            page.locator("main section:visible").get_by_text(once).locator("visible=true")
        ).to_have_count(1)
    for cell in table.locator("td:has(input)").all():
        box = cell.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    cell = table.locator("tbody tr").nth(2).locator("td").nth(1).bounding_box()
    page.mouse.click(
        cell["x"] + 6, cell["y"] + cell["height"] / 2
    )  # beside the control, in its cell
    expect(page.locator("#q-round_up_claim-1")).to_be_checked()
    assert not violations(page)


def test_on_a_phone_each_row_has_a_step_of_its_own_under_the_heading(
    page: Page, site: Site, slug: str
) -> None:
    page.set_viewport_size(NARROW)
    visit(page, site, slug)
    to_the_grid(page)
    for place, key in enumerate(KEYS):
        shown = page.locator("main section:visible")
        expect(shown).to_have_attribute("data-key", key)
        expect_text(page, HEADING)
        expect_text(page, "Scrambled by your device")
        for words in ("Your answer is sent", "Count every time"):
            (never_says if place else expect_text)(page, words)
        assert not violations(page)
        assert fits_window(page)
        choose(page, **{key: 1})
    expect_text(page, "Not scrambled")
    expect_text(page, "could identify you")
    choose(page, car=1)
    expect_text(page, "Not scrambled")
    never_says(page, "could identify you")


def test_a_row_without_an_answer_is_named_at_the_top_and_at_its_place(
    page: Page, site: Site, slug: str
) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, slug)
    to_the_grid(page)
    mark(page, KEYS[0], KEYS[3])
    press(page, "Continue")
    summary = page.locator("#errors")
    expect(summary).to_be_focused()
    expect(summary.locator("li:visible")).to_have_text(
        ["leave out a side job? – Choose one answer", "round up a claim? – Choose one answer"]
    )
    expect(page.locator("tr:has(.govuk-error-message:visible) .candor-grid__row")).to_have_text(
        ["leave out a side job?", "round up a claim?"]
    )
    assert not violations(page)
    summary.get_by_role("button", name="Choose one answer").nth(1).click()
    expect(page.locator("#q-round_up_claim-0")).to_be_focused()
    expect(page.locator("#q-round_up_claim-0")).to_have_accessible_description(
        re.compile("Choose one answer")
    )
    mark(page, KEYS[1], KEYS[2])
    press(page, "Continue")
    expect_heading(page, "Do you have …")
    expect(page.locator(".govuk-error-message:visible")).to_have_count(0)


def test_the_list_shows_rows_under_their_heading_and_leads_back_to_them(
    page: Page, site: Site, slug: str
) -> None:
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        visit(page, site, slug)
        answer_all(page)
        under = page.locator("#review .candor-rows").first
        expect(under.locator("dt").first).to_have_text(HEADING)
        expect(under.locator("[data-answer]")).to_have_text(["Once or twice"] * 4)
        assert not violations(page)
        page.get_by_role("button", name="Change round up a claim?").click()
        mark(page, "round_up_claim", index=2)
        press(page, "Continue")
        expect_heading(page, "Check your answers")
        expect(under.locator("[data-answer]").nth(2)).to_have_text("More often")


def test_turning_the_device_loses_nothing_that_was_chosen(
    page: Page, site: Site, slug: str
) -> None:
    page.set_viewport_size(PHONE)
    visit(page, site, slug)
    to_the_grid(page)
    choose(page, pay_without_receipt=2)
    page.set_viewport_size(WIDE)
    expect_heading(page, HEADING)
    expect(page.locator("#q-pay_without_receipt-2")).to_be_checked()
    mark(page, KEYS[1], KEYS[2], index=0)
    page.set_viewport_size(PHONE)
    until(page, "document.querySelector('.candor-question:not([hidden])') !== null")
    expect(page.locator("main section:visible")).to_have_attribute(
        "data-key", KEYS[3]
    )  # the first one left
    choose(page, work_while_off_sick=1, car=0, bicycle=1, region=1)
    expect_heading(page, "Check your answers")
    page.set_viewport_size(WIDE)
    expect(page.locator("#review .candor-rows").first.locator("[data-answer]")).to_have_text(
        ["More often", "Never", "Never", "Once or twice"]
    )
    expect_heading(page, "Check your answers")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.set_viewport_size(PHONE)
    expect_heading(page, "Sent. Thank you.")
    assert set(wire(page)) == {"tax", *KEYS, "car", "bicycle", "region"}
    assert (wire(page)["car"], wire(page)["bicycle"], wire(page)["region"]) == (0, 1, 1)


def test_by_keyboard_alone_a_grid_is_filled_row_by_row(page: Page, site: Site, slug: str) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, slug)
    to_the_grid(page)
    for key in KEYS:
        page.keyboard.press("Tab")
        expect(page.locator(f"#q-{key}-0")).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(page.locator(f"#q-{key}-1")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_heading(page, "Do you have …")


def test_the_layout_asks_nothing_of_the_network_and_sends_nothing(
    browser: Browser, site: Site, slug: str
) -> None:
    """6, 7. One POST with the same keys and the same length, whatever the width."""
    lengths, asked = set(), []
    for size in (WIDE, PHONE):
        page = browser.new_page(viewport=size)
        visit(page, site, slug)
        traffic = Traffic(page)
        answer_all(page)
        page.set_viewport_size(PHONE if size is WIDE else WIDE)
        assert traffic.requests == []
        press(page, "Send")
        expect_heading(page, "Sent. Thank you.")
        [body] = traffic.bodies
        lengths.add(len(body))
        asked.append(list(json.loads(body)["reports"]))
        assert len(traffic.requests) == 1
        page.close()
    assert len(lengths) == 1
    assert asked[0] == asked[1]


def traces(browser: Browser, site: Site, slug: str, size: dict, index: int) -> list:
    """What anybody but the person could observe of a visit, where chance makes the same reports of all answers."""
    context = browser.new_context(viewport=size)
    page = context.new_page()
    page.add_init_script(FIXED)
    traffic = Traffic(page)
    visit(page, site, slug)
    answer_all(page, index=index)
    seen = [page.evaluate(STATE), traffic.bodies]
    # Its key is fixed, and the site may hold another response under it.
    page.route(
        "**/responses/", lambda route: route.fulfill(status=201, json={"status": "recorded"})
    )
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies(), traffic.bodies]
    context.close()
    return seen


def test_neither_truths_nor_widths_leave_other_traces(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Storage, cookies, address, history, title, document and message are equal after two truths on two widths."""
    found = [traces(browser, site, slug, size, index) for size in (WIDE, PHONE) for index in (0, 2)]
    assert found[0][-1]  # something was sent
    assert all(each == found[0] for each in found)


def test_whoever_is_asked_one_row_gets_it_as_a_question_of_its_own(page: Page, site: Site) -> None:
    page.set_viewport_size(WIDE)
    slug = made(site, "one of four", asked=1)
    visit(page, site, slug)
    to_the_grid(page)
    expect_text(page, HEADING)
    expect(page.locator("main table:visible")).to_have_count(0)
    expect_text(page, "Count every time")
    expect_text(page, "Work")
    key = page.locator("main section:visible").get_attribute("data-key")
    choose(page, **{key: 1})
    mark(page, "car", "bicycle")
    press(page, "Continue")
    choose(page, region=0)
    expect(page.locator("#review .candor-rows").first.locator("[data-key]")).to_have_count(1)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert sum(wire(page)[each] is not None for each in KEYS) == 1
    see_what_was_sent(page)
    assert count_stored(site, slug) == 1


def test_two_rows_of_four_are_a_table_of_two(page: Page, site: Site) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, made(site, "two of four", asked=2))
    to_the_grid(page)
    expect(page.get_by_role("table").get_by_role("rowheader")).to_have_count(2)
    expect_text(page, "Work")
    expect_text(page, "Question 2 of 6")


def test_leaving_and_coming_back_finds_nothing_chosen(page: Page, site: Site, slug: str) -> None:
    """15. Also what was chosen in a table."""
    page.set_viewport_size(WIDE)
    visit(page, site, slug)
    to_the_grid(page)
    mark(page, *KEYS)
    page.goto(f"{site.url}/trust/")
    page.go_back()
    expect_ready(page)
    expect(page.locator("main input:checked")).to_have_count(0)


def test_in_a_language_written_from_the_right_the_table_turns_round(page: Page, site: Site) -> None:
    page.set_viewport_size(WIDE)
    visit(page, site, made(site, "arabic grid", language="ar"))
    page.locator("#begin").click()
    page.check("#q-tax-1")
    page.locator(".candor-question:visible [type=submit]").click()
    heads = page.get_by_role("table").locator("th[scope=col]")
    expect(heads).to_have_count(3)
    assert heads.nth(0).bounding_box()["x"] > heads.nth(2).bounding_box()["x"]
    assert not violations(page)


def test_a_heading_that_is_not_the_published_one_stops_the_page(
    page: Page, site: Site, slug: str
) -> None:
    def change(route) -> None:
        response = route.fetch()
        route.fulfill(
            response=response,
            body=response.text().replace(f">{HEADING}</h1>", ">Never did you …</h1>", 1),
        )

    page.route("**/s/**", change)
    page.set_viewport_size(WIDE)
    page.goto(f"{site.url}/s/{slug}/")
    expect(page.locator("#notice [data-when=changed]")).to_be_visible()
    expect(page.locator("#begin")).to_be_disabled()
