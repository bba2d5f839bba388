"""The report in a real browser: read, chosen, filtered, downloaded and printed."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.workspace_steps import log_in

MAKE = """
from tests.factories import surveys
from tests.factories.responses import add_responses
from tests.factories.surveys import publish_survey
survey = surveys.create_draft(surveys.create_researcher({name!r}), title="Taxes and fruit")
surveys.add_yes_no(survey)
survey.questions.filter(key="tax").update(anchor=0.25)
surveys.add_choice(survey, decline=True)
surveys.add_background(survey, labels=("North", "South", "East"))
made = publish_survey(survey)
add_responses(made, 600, tax=[1] * 150 + [0] * 450, region=[0] * 400 + [1] * 180 + [2] * 20)
print(survey.slug)
"""
TELEPHONE = {"width": 320, "height": 640}
PHONE = {"width": 390, "height": 844}
PAGE_NUMBERS = """[...document.styleSheets].flatMap(each => [...each.cssRules]).some(
    rule => rule.cssText.includes("@bottom-right") && rule.cssText.includes("counter(pages)"))"""


@cache
def survey(site: Site, name: str) -> str:
    """600 answers: 400 in the north, 180 in the south, 20 in the east."""
    return site.shell(MAKE.format(name=name))


@pytest.fixture
def report(page: Page, site: Site) -> Iterator[Page]:
    """The report's page. Fails on anything the browser complains of but a meant refusal."""
    slug = survey(site, "rosalind")
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    log_in(page, site, "rosalind", "correct horse")
    page.goto(f"{site.url}/surveys/{slug}/report/")
    yield page
    assert not [text for text in complaints if "status of 422" not in text]


def section(page: Page, key: str):
    return page.locator(f"section[aria-labelledby='{key}']")


def only(page: Page, region: str):
    """The tick that filters by a region."""
    return page.get_by_role("group", name="About region?").get_by_label(region)


def unfold(page: Page) -> None:
    page.wait_for_load_state()  # with the script that loads what is folded
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    expect(page.locator(".folds a[href*='/details/']")).to_have_count(0)


def fold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = false })")


def test_a_result_is_a_sentence_a_figure_and_a_table_on_request(report: Page) -> None:
    tax = section(report, "tax")
    expect(tax.get_by_role("heading", level=2)).to_contain_text(re.compile(r"^Tax: "))
    expect(tax.locator(".figure__row").first).to_contain_text(re.compile(r"Yes.*\d+%.*\d+ to \d+%"))
    expect(tax.get_by_role("table")).to_be_hidden()
    tax.locator("summary", has_text="Numbers").click()
    expect(tax.locator("tbody th")).to_have_text(["Yes", "No"])
    tax.locator("summary", has_text="Method").click()
    expect(tax).to_contain_text(
        "n = 600. Scrambled by the method “Warner's spinner”, privacy loss ε = 1.10."
    )
    expect(tax).to_contain_text("Known share: passed.")


def test_confidence_and_order_are_chosen_and_stay(report: Page) -> None:
    unfold(report)
    before = section(report, "tax").locator("tbody td").nth(1).inner_text()
    fold(report)
    report.get_by_text("Options", exact=True).click()
    report.get_by_label("Confidence level").select_option("99")
    report.get_by_label("Kind of interval").select_option("exact")
    report.get_by_role("button", name="Show the report").click()
    expect(report.get_by_label("Confidence level")).to_have_value("99")
    expect(report.get_by_label("Kind of interval")).to_have_value("exact")
    unfold(report)
    expect(section(report, "tax").locator("thead")).to_contain_text("99% Clopper–Pearson interval")
    expect(section(report, "tax").locator("tbody td").nth(1)).not_to_have_text(before)
    expect_accessible(report)


def test_a_share_is_tested_and_choices_add_up_without_losing_each_other(report: Page) -> None:
    unfold(report)
    report.get_by_label("Test a share of Yes, in %").fill("12.5")
    section(report, "tax").get_by_role("button", name="Test").click()
    expect(section(report, "tax")).to_contain_text("Could the true share of Yes be 12.50%?")
    expect(report).to_have_url(re.compile("#tax$"))
    unfold(report)
    sums = section(report, "fruit").get_by_role("group", name="Add up the shares of these answers")
    sums.get_by_label("Pear").check()
    sums.get_by_label("Plum").check()
    section(report, "fruit").get_by_role("button", name="Add up").click()
    expect(section(report, "fruit")).to_contain_text(re.compile(r"Pear \+ Plum:\s+together"))
    expect(section(report, "tax")).to_contain_text("Could the true share of Yes be 12.50%?")
    expect_accessible(report)


def test_a_wrong_share_takes_the_focus_and_leads_to_its_field(report: Page) -> None:
    unfold(report)
    field = report.get_by_label("Test a share of Yes, in %")
    field.fill("12,5")
    section(report, "tax").get_by_role("button", name="Test").click()
    expect(report).to_have_title("Error: Report: Taxes and fruit – Candor")
    report.get_by_role("link", name="Write 12.5, with a point and no comma.").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("12,5")
    expect_accessible(report)


def test_the_filter_shows_large_groups_and_refuses_small_ones(report: Page) -> None:
    report.get_by_text("Options", exact=True).click()
    only(report, "South").check()
    report.get_by_role("button", name="Show the report").click()
    expect(report.locator("main")).to_contain_text("This report is filtered.")
    unfold(report)
    expect(section(report, "tax")).to_contain_text(
        "n = 180, only respondents where “About region?” is “South”."
    )
    expect(section(report, "tax")).not_to_contain_text("Known share")  # it is that of all
    only(report, "South").uncheck()
    only(report, "East").check()
    report.get_by_role("button", name="Show the report").click()
    expect(report.get_by_role("alert")).to_contain_text(
        "Fewer than 30 responses match this filter."
    )
    expect(only(report, "East")).to_be_checked()
    expect(section(report, "tax")).to_have_count(0)
    only(report, "East").uncheck()
    only(report, "North").check()
    only(report, "South").check()
    report.get_by_role("button", name="Show the report").click()
    expect(report.get_by_role("alert")).to_contain_text(
        "leaves out some responses, but fewer than 30"
    )
    expect_accessible(report)


def test_everything_works_without_scripts(site: Site, browser: Browser) -> None:
    slug = survey(site, "rosalind")
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, site, "rosalind", "correct horse")
    page.goto(f"{site.url}/surveys/{slug}/report/")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Order of the answers").select_option("asked")
    only(page, "North").check()
    page.get_by_role("button", name="Show the report").click()
    expect(page.locator("main")).to_contain_text("400 responses")
    page.context.close()


def test_pages_fit_a_telephone_and_are_accessible(report: Page) -> None:
    report.set_viewport_size(TELEPHONE)
    unfold(report)
    assert fits_window(report)
    expect_accessible(report)
    address = report.url
    report.goto(f"{address}?test-tax=x&confidence=1&only-region=2")
    assert fits_window(report)
    expect_accessible(report)
    report.goto(f"{address}quality/")
    expect(report.locator("main")).to_contain_text("Everything looks as it should")
    assert fits_window(report)
    expect_accessible(report)


def test_on_a_phone_the_result_of_every_question_comes_before_anything_recorded(
    report: Page,
) -> None:
    """The estimate and its range are whole on the screen; recorded shares are nowhere until they are asked for."""
    report.set_viewport_size(PHONE)
    glance = report.locator(".glance__line")
    expect(glance).to_have_count(2)
    for key, line in zip(("tax", "fruit"), glance.all(), strict=True):
        expect(line.locator(".glance__sentence")).to_be_visible()
        rows = section(report, key).locator("> .figure .figure__row")
        expect(rows).not_to_have_count(0)
        for row in rows.all():
            for part in (
                row.locator(".figure__label"),
                row.locator(".figure__value"),
                row.locator(".figure__range"),
            ):
                expect(part).to_be_visible()
                expect(part).to_have_text(re.compile(r"\S"))
                box = part.bounding_box()
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= PHONE["width"]
    expect(report.locator(".result .plot__recorded")).to_have_count(0)
    expect(report.locator("main")).not_to_contain_text("Received", use_inner_text=True)
    assert fits_window(report)


def test_what_was_received_is_shown_on_request_without_scripts(
    site: Site, browser: Browser
) -> None:
    slug = survey(site, "rosalind")
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, site, "rosalind", "correct horse")
    page.goto(f"{site.url}/surveys/{slug}/report/")
    ticks = section(page, "fruit").locator(".figure__plot .plot__recorded")
    expect(ticks).to_have_count(0)
    page.get_by_text("Options", exact=True).click()
    page.get_by_role("link", name="Show what was received").click()
    expect(ticks).to_have_count(5)
    expect(ticks.first).to_have_css("display", "inline")
    expect(page.locator(".glance")).to_contain_text("received, before the correction")
    page.context.close()


def test_a_fold_without_scripts_leads_to_a_page_with_the_same(site: Site, browser: Browser) -> None:
    slug = survey(site, "rosalind")
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, site, "rosalind", "correct horse")
    page.goto(f"{site.url}/surveys/{slug}/report/?confidence=99")
    section(page, "tax").locator("summary", has_text="Method").click()
    section(page, "tax").get_by_role("link", name="Method").click()
    expect(page.get_by_role("navigation", name="Breadcrumb")).to_contain_text("Tax")
    expect(page.locator("thead")).to_contain_text("99% Wilson interval")
    page.get_by_label("Test a share of Yes, in %").fill("12.5")
    page.get_by_role("button", name="Test").click()
    expect(page.locator("main")).to_contain_text("Could the true share of Yes be 12.50%?")
    expect(page.locator("thead")).to_contain_text("99% Wilson interval")
    page.context.close()


def test_a_table_is_copied_for_a_document(report: Page) -> None:
    report.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tax = section(report, "tax")
    tax.locator("summary", has_text="Download").click()
    tax.get_by_role("button", name="Copy for Word or Excel").click()
    expect(tax.get_by_role("status")).to_have_text("Copied")
    html, plain = report.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            return Promise.all(["text/html", "text/plain"].map(async (type) => (await item.getType(type)).text()));
        }"""
    )
    assert "<table" in html
    assert "data-label" not in html
    lines = [line.split("\t") for line in plain.splitlines() if "\t" in line]
    assert [line[0] for line in lines] == ["Answer", "Yes", "No"]
    tax.locator("summary", has_text="Numbers").click()
    expect(tax.locator("tbody td").first).to_have_text(lines[1][1])


def test_numbers_are_cards_on_a_phone_with_the_estimate_first(report: Page) -> None:
    report.set_viewport_size(PHONE)
    fruit = section(report, "fruit")
    fruit.locator("summary", has_text="Numbers").click()
    card = fruit.locator("tbody tr").first
    cells = [cell.bounding_box() for cell in card.locator("td").all()]
    assert [cell["y"] for cell in cells] == sorted(cell["y"] for cell in cells)
    expect(card.locator("td").first).to_have_attribute("data-label", "Estimate")
    expect(card.locator("td").last).to_have_attribute("data-label", "Received")
    assert fits_window(report)


def test_pages_of_the_report_are_accessible_in_both_schemes(report: Page) -> None:
    """With everything open; that they are on a phone is seen elsewhere."""
    start = report.url
    for rest in ("?received=yes", "tax/details/", "quality/", "../compare/?by=region"):
        report.goto(start + rest)
        unfold(report)
        for scheme in ("light", "dark"):
            report.emulate_media(color_scheme=scheme)
            expect_accessible(report)


def test_nothing_is_lost_from_right_to_left(report: Page) -> None:
    report.evaluate("document.documentElement.dir = 'rtl'")
    for size in (TELEPHONE, {"width": 1280, "height": 800}):
        report.set_viewport_size(size)
        assert fits_window(report)
        row = section(report, "fruit").locator(".figure__row").first
        label, value = (
            row.locator(name).bounding_box() for name in (".figure__label", ".figure__value")
        )
        assert label["x"] > value["x"]  # swapped; the plot itself goes on from left to right
        scale = section(report, "fruit").locator("> .figure .figure__scale")
        for words in ("0", re.compile(r"\d+%")):
            box = scale.get_by_text(words, exact=True).last.bounding_box()
            assert 0 <= box["x"] < box["x"] + box["width"] <= size["width"]


def test_groups_are_compared_on_one_page(report: Page) -> None:
    report.get_by_role("link", name="Compare", exact=True).click()
    report.get_by_label("Compare by").select_option("Region")
    report.get_by_role("button", name="Compare").click()
    expect(report).to_have_url(re.compile(r"/compare/\?by=region$"))
    unfold(report)
    rows = report.locator("#tax .compare__row, section[aria-labelledby=tax] .compare__row").filter(
        has_text="n = "
    )
    expect(rows.last).to_contain_text("Other")  # the 20 in the east, with the smaller of the others
    expect(rows.last).to_contain_text("n = 200")
    expect(rows).to_have_count(2)
    expect(report.get_by_role("button", name="Print")).to_be_visible()
    for width in (320, 390, 1280):
        report.set_viewport_size({"width": width, "height": 800})
        assert fits_window(report)
    expect_accessible(report)


def test_every_download_opens(report: Page, tmp_path: Path) -> None:
    unfold(report)

    def fetch(place, *words: str) -> Path:
        with report.expect_download() as started:
            place.get_by_role("link", name=re.compile(r"\W+".join(words))).first.click()
        file = tmp_path / started.value.suggested_filename
        started.value.save_as(file)
        return file

    tax = section(report, "tax")
    for figure in (("SVG", "Tax"), ("SVG", "likelihood", "Tax")):
        root = ET.parse(fetch(tax, *figure)).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "About tax?" in "".join(root.itertext())
    for figure in (("PNG", "Tax"), ("PNG", "likelihood", "Tax")):
        file = fetch(tax, *figure)
        assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
        assert ink(report, file) > 0.005
    table = list(csv.DictReader(io.StringIO(fetch(tax, "CSV").read_text())))
    assert [row["answer"] for row in table] == ["Yes", "No"]
    shown = tax.locator("tbody td").first.inner_text()
    # The page has as many decimals as the range supports; the file has them all.
    assert f"{100 * float(table[0]['corrected']):.0f}%" == shown
    everything = list(csv.DictReader(io.StringIO(fetch(report, "All tables as CSV").read_text())))
    assert len(everything) == 2 + 5 + 3
    assert "Warner, S. L. (1965)" in fetch(report, "Methods as text").read_text()


def ink(page: Page, file: Path) -> float:
    """The part of a PNG's pixels that are dark, as a browser decodes it."""
    return page.evaluate(
        """async (bytes) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
            const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
            canvas.drawImage(image, 0, 0);
            const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
            let dark = 0;
            for (let at = 0; at < pixels.length; at += 4) dark += pixels[at] < 128;
            return dark / (pixels.length / 4);
        }""",
        list(file.read_bytes()),
    )


FOURTEEN = """
from tests.factories import surveys
from tests.factories.responses import add_responses
survey = surveys.create_draft(surveys.create_researcher({name!r}), title="Fourteen", sender="The Institute")
for number in range(14):
    surveys.add_yes_no(survey, f"q{{number}}")
made = surveys.publish_survey(survey, reason="A test, which no one answers.")
add_responses(made, 600)
print(survey.slug)
"""


def sheets(pdf: bytes) -> int:
    assert pdf.startswith(b"%PDF-")
    return len(re.findall(rb"/Type /Page[\s/>]", pdf))


def test_the_printed_report_is_one_page_of_up_to_fourteen_questions(page: Page, site: Site) -> None:
    slug = site.shell(FOURTEEN.format(name="mary"))
    log_in(page, site, "mary", "correct horse")
    page.goto(f"{site.url}/surveys/{slug}/report/")
    assert sheets(page.pdf(prefer_css_page_size=True)) == 1
    page.emulate_media(media="print")
    expect(page.get_by_text("The Institute", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Fourteen")).to_be_visible()
    expect(page.locator(".glance__line:visible")).to_have_count(14)
    expect(page.get_by_text("The estimate corrects for the noise")).to_be_visible()
    expect(page.get_by_text("Respondents read:")).to_be_visible()
    expect(page.locator(".quiet .candor-code")).to_be_visible()
    expect(page.locator(".result:visible")).to_have_count(0)
    expect(page.locator(":is(button, input, select, nav):visible")).to_have_count(0)


def test_everything_is_printed_on_request(report: Page) -> None:
    report.get_by_text("Options", exact=True).click()
    report.get_by_role("link", name="Print everything").click()
    expect(report).to_have_url(
        re.compile(r"\?everything=yes$")
    )  # without #print: it is printed once
    report.goto(f"{report.url}&confidence=95")
    assert sheets(report.pdf(prefer_css_page_size=True)) >= 3
    report.emulate_media(media="print")
    fruit = section(report, "fruit")
    expect(fruit.get_by_text("If some answers were fake.")).to_be_visible()
    expect(section(report, "tax").get_by_role("img", name="Log-likelihood")).to_be_visible()
    expect(
        report.get_by_text("The survey “Taxes and fruit” (Candor, instrument SHA-256")
    ).to_be_visible()
    assert report.evaluate(PAGE_NUMBERS)
    expect(report.locator(":is(button, input, select, .folds__links):visible")).to_have_count(0)
