"""What a device keeps of a written answer, if its owner says so, and what later versions make of it."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from mechanisms import from_spec
from tests.browser.conftest import Site
from tests.browser.modules import with_modules
from tests.browser.respondent import (
    Traffic,
    address,
    begin,
    never_says,
    press,
    ready,
    says,
    see,
    stored,
    violations,
    visit,
    wire,
)
from tests.browser.test_respondent_silence import DOCUMENT, STATE
from tests.browser.walk import FIXED

LAW = with_modules(
    """async ([draws, text]) => {
    const { randomize } = await import("/static/mechanisms/index.js");
    const { questions } = JSON.parse(document.getElementById("instrument").textContent);
    return Array.from({ length: draws }, () => randomize(questions[0].mechanism, text));
}"""
)
SERIES = """
from tests import making
from surveys.authoring.files.survey_file import new_version
from tests.making import publish
owner = making.researcher({name!r})
first = making.draft(owner, title="Drugs")
making.written(first, design="rappor", parameters={{"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"}})
if {more}:
    making.yes_no(first)
publish(first)
second = new_version(first, by=owner)
publish(second)
print(first.slug, second.slug)
"""


@pytest.fixture(scope="module")
def versions(site: Site) -> list[str]:
    return series(site, "imprints")


def series(site: Site, name: str, *, more: bool = False) -> list[str]:
    return site.shell(SERIES.format(name=name, more=more)).split()


def kept(page: Page) -> list[dict]:
    return [json.loads(text) for text in page.evaluate("Object.values(localStorage)")]


def write(page: Page, text: str) -> None:
    begin(page)
    page.locator("#q-drug input").fill(text)
    page.keyboard.press("Enter")


def test_a_later_version_sends_a_new_report_without_asking(site: Site, page: Page, versions: list[str]) -> None:
    """16, 28. The device keeps the scrambled bits only when told so; then the very same question is not asked again."""
    page.set_viewport_size({"width": 320, "height": 700})
    first, second = versions
    visit(page, site, first)
    write(page, "Magic  MUSHROOMS")
    see(page, "Look over your answers")
    press(page, "Send")
    see(page, "Your response has been sent")
    report = wire(page)["drug"]
    assert kept(page) == [{"sent": [first]}]
    says(page, "What is kept is as revealing as all later reports together")
    says(page, "right at most 90 times in 100")
    assert violations(page) == ""
    press(page, "Keep it for later versions")
    expect(page.locator("#kept")).to_be_focused()
    says(page, "because you asked for it")
    expect(page.get_by_role("button", name="Keep it for later versions")).to_be_hidden()
    (record,) = kept(page)
    (imprint,) = record.pop("imprints").values()
    assert record == {"sent": [first]}
    assert imprint != report
    assert imprint.partition(":")[0] == report.partition(":")[0]
    assert "mushroom" not in page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])").lower()

    page.goto(address(site, second))
    see(page, "Answers to another version of this survey have been sent from this device")
    says(page, "you are not asked again")
    never_says(page, "whoever has both answers to a question knows more about you")
    assert violations(page) == ""
    press(page, "Read on")
    ready(page)
    begin(page)
    see(page, "Look over your answers")
    says(page, "Your device makes a new report from it")
    press(page, "Send")
    see(page, "Your response has been sent")
    again = wire(page)["drug"]
    assert again != report
    assert again.partition(":")[0] == report.partition(":")[0]
    assert stored(site, second) == 1
    (record,) = kept(page)
    assert list(record.pop("imprints").values()) == [imprint]
    assert record == {"sent": [first, second]}
    press(page, "Forget this on this device")
    see(page, "Forgotten on this device")
    assert kept(page) == []


def test_where_other_questions_are_asked_the_warning_stays(site: Site, page: Page) -> None:
    """25. And leaving forgets what is kept; then everything is asked again."""
    first, second = series(site, "imprints and more", more=True)
    visit(page, site, first)
    write(page, "lsd")
    page.check("#q-tax-1")
    press(page, "Continue")
    press(page, "Send")
    press(page, "Keep it for later versions")
    expect(page.locator("#kept")).to_be_focused()
    page.goto(address(site, second))
    says(page, "whoever has both answers to a question knows more about you")
    says(page, "you are not asked again")
    press(page, "Read on")
    begin(page)
    expect(page.locator("#q-tax-1")).to_be_visible()
    press(page, "Back")
    outside = "<title>Left</title>"
    page.route("https://www.wikipedia.org/**", lambda route: route.fulfill(body=outside, content_type="text/html"))
    page.locator("#exit").click()
    expect(page).to_have_title("Left")
    page.goto(address(site, second))
    ready(page)
    assert kept(page) == []
    begin(page)
    expect(page.locator("#q-drug input")).to_be_visible()


def traces(browser: Browser, site: Site, slug: str, text: str) -> list:
    """All that could be observed of a visit in which chance gives the same whatever is written, and all is kept."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(FIXED)
    page.route("**/responses/", lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    traffic = Traffic(page)
    visit(page, site, slug)
    write(page, text)
    see(page, "Look over your answers")
    before = len(traffic.requests)
    press(page, "Send")
    see(page, "Your response has been sent")
    assert len(traffic.requests) == before + 1
    press(page, "Keep it for later versions")
    expect(page.locator("#kept")).to_be_focused()
    seen = [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies(), *traffic.bodies]
    asked = [(each.method, each.url, each.post_data, sorted(each.all_headers().items())) for each in traffic.posts]
    context.close()
    return [*asked, *seen]


def test_two_texts_with_one_report_leave_the_same_traces(browser: Browser, site: Site, versions: list[str]) -> None:
    """6, 7, 11. Requests, storage, cookies, address, history, title, document and controls; the imprint is kept."""
    first = traces(browser, site, versions[0], "heroin")
    assert f'"drug":"0:{128 * "0"}"' in str(first)
    assert traces(browser, site, versions[0], "I would rather not say") == first


def test_the_browser_draws_with_the_chances_of_both_steps(page: Page, site: Site, versions: list[str]) -> None:
    """13. Bits that the text sets and others, each within 4 standard errors."""
    visit(page, site, versions[0])
    spec = json.loads(page.locator("#instrument").text_content())["questions"][0]["mechanism"]
    mechanism, found = from_spec(spec), {"0": [0, 0], "1": [0, 0]}
    for report in page.evaluate(LAW, [4_000, "Heroin"]):
        cohort, bits = mechanism.wire.parts(report)
        for own, sent in zip(mechanism.filter("heroin", cohort), bits, strict=True):
            found[own][int(sent)] += 1
    for own, (zeros, ones) in found.items():
        chance = float(mechanism.set_chances[int(own)])
        n = zeros + ones
        assert abs(ones - n * chance) < 4 * (n * chance * (1 - chance)) ** 0.5
