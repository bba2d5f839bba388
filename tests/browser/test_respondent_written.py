"""Written answers on the respondent’s page: entry, what is sent, and that no text leaves a trace."""

import json

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from mechanisms import Written, from_spec
from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    Traffic,
    begin,
    expect_heading,
    expect_text,
    fits_window,
    press,
    see_what_was_sent,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import FIXED
from tests.browser.test_respondent_silence import DOCUMENT, RESPONSES, STATE
from tests.browser.workspace_steps import publish

FIELD = "#q-drug-written"
QUESTIONS = [
    {
        "kind": "written",
        "text": "Which drug?",
        "key": "drug",
        "design": "balanced",
        "choices": ["Heroin"],
    }
]
# The words that are drawn, one after the other; the first one only shows that there are random numbers.
DRAWN = "const words = [0, ...%s]; crypto.getRandomValues = (all) => { all.set([words.shift()]); return all; };"


LETTERS = {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"}
RAPPOR = [QUESTIONS[0] | {"design": "rappor", "parameters": LETTERS, "choices": []}]
LAW = with_modules(
    """async ([draws, text]) => {
    const { randomize } = await import("/static/mechanisms/index.js");
    const { questions } = JSON.parse(document.getElementById("instrument").textContent);
    return Array.from({ length: draws }, () => randomize(questions[0].mechanism, text));
}"""
)


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return publish(site, QUESTIONS)


@pytest.fixture(scope="module")
def rappor(site: Site) -> str:
    return publish(site, RAPPOR, title="A row of marks")


def test_nothing_and_too_much_are_no_answer_and_stay_as_they_were_typed(
    page: Page, site: Site, slug: str
) -> None:
    visit(page, site, slug)
    begin(page)
    expect_text(page, "You may also write that you prefer not to say.")
    expect_text(page, "hides nothing by itself")
    field = page.locator(FIELD)
    for name, value in (
        ("autocomplete", "off"),
        ("spellcheck", "false"),
        ("autocapitalize", "none"),
    ):
        expect(field).to_have_attribute(name, value)
    for wrong in ("", "   ", "x" * 101):
        field.fill(wrong)
        press(page, "Continue")
        expect(page.locator("#errors")).to_contain_text(
            "Write a short text, at most 100 characters"
        )
        expect(field).to_have_value(wrong)
    assert violations(page) == ""
    page.set_viewport_size({"width": 320, "height": 640})
    assert fits_window(page)
    field.fill("Crack")
    field.press("Enter")
    expect_heading(page, "Check your answers")
    expect(page.locator('#review [data-key="drug"] [data-answer]')).to_have_text("Crack")
    assert violations(page) == ""


def test_a_number_is_sent_and_no_text(page: Page, site: Site, slug: str) -> None:
    """6, 7. No request before Send, and then one with a number in it."""
    traffic = Traffic(page)
    visit(page, site, slug)
    before = len(traffic.requests)
    begin(page)
    page.fill(FIELD, "Zebrafish")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    assert len(traffic.requests) == before
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.requests) == before + 1
    see_what_was_sent(page)
    report, spec = (
        wire(page)["drug"],
        json.loads(page.locator("#instrument").text_content())["questions"][0],
    )
    assert 0 <= report < from_spec(spec["mechanism"]).wire.size
    expect_text(page, f"The number {report} was sent, and no text.")
    held = page.content()  # what was sent is shown: see_what_was_sent waited for it
    assert "zebrafish" not in held.lower() + str(traffic.bodies).lower()
    page.go_back()
    expect(page.locator("body")).not_to_contain_text("Zebrafish")


def words_for(mechanism: Written, text: str, report: int) -> list[int]:
    """What has to be drawn for this text to be sent as this report."""
    space = mechanism.space
    chosen, wanted = (space.vector(point) for point in (mechanism.point(text), report))
    product = sum(a * b for a, b in zip(chosen, wanted, strict=True)) % space.order
    pivot = chosen.index(1)
    free = [number for place, number in enumerate(wanted) if place != pivot]
    found = [
        0 if product == 0 else mechanism.points.keep,
        *free,
        *([] if product == 0 else [product - 1]),
    ]
    rest = iter(found)
    assert mechanism.randomize_one(text, lambda: next(rest)) == report
    return found


def traces(browser: Browser, site: Site, slug: str, text: str, report: int) -> list:
    """All that could be observed of a visit with one failed attempt to send."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    traffic = Traffic(page)
    visit(page, site, slug)
    spec = json.loads(page.locator("#instrument").text_content())["questions"][0]["mechanism"]
    context.clear_cookies()
    page.add_init_script(FIXED + DRAWN % json.dumps(words_for(from_spec(spec), text, report)))
    traffic.requests.clear()
    visit(page, site, slug)
    begin(page)
    page.fill(FIELD, text)
    press(page, "Continue")
    page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    seen = [page.evaluate(STATE), page.evaluate(DOCUMENT)]
    page.unroute(RESPONSES)
    page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies(), *traffic.bodies]
    asked = sorted((_asked(request) for request in traffic.requests), key=repr)
    context.close()
    return [*asked, *seen]


def _asked(request: Request) -> tuple:
    return request.method, request.url, request.post_data, sorted(request.all_headers().items())


def test_two_texts_with_the_same_report_leave_the_same_traces(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Requests, storage, cookies, address, history, title, document and controls."""
    first = traces(browser, site, slug, "heroin", 123_456)
    assert '"drug":123456' in str(first)
    assert traces(browser, site, slug, "I would rather not say", 123_456) == first


def test_of_a_row_of_marks_nothing_is_kept(page: Page, site: Site, rappor: str) -> None:
    """16, 28. Both steps are drawn for this response alone: no later one can be joined with it."""
    visit(page, site, rappor)
    begin(page)
    page.fill(FIELD, "Magic  MUSHROOMS")
    press(page, "Continue")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    (record,) = [json.loads(text) for text in page.evaluate("Object.values(localStorage)")]
    assert record.keys() == {"sent"}
    assert page.evaluate("sessionStorage.length") == 0
    see_what_was_sent(page)
    set_bits = wire(page)["drug"].partition(":")[2].count("1")
    expect_text(page, f"A row of 128 marks was sent. Set: {set_bits}. They do not spell your text.")


def test_the_browser_draws_with_the_chances_of_both_steps(
    page: Page, site: Site, rappor: str
) -> None:
    """13. Bits that the text sets and others, each within 4 standard errors."""
    visit(page, site, rappor)
    spec = json.loads(page.locator("#instrument").text_content())["questions"][0]["mechanism"]
    mechanism, counts = from_spec(spec), {"0": [0, 0], "1": [0, 0]}
    for report in page.evaluate(LAW, [4_000, "Heroin"]):
        cohort, bits = mechanism.wire.parts(report)
        for own, sent in zip(mechanism.filter("heroin", cohort), bits, strict=True):
            counts[own][int(sent)] += 1
    for own, (zeros, ones) in counts.items():
        chance = float(mechanism.set_probabilities[int(own)])
        n = zeros + ones
        assert abs(ones - n * chance) < 4 * (n * chance * (1 - chance)) ** 0.5


def test_leaving_forgets_the_text(page: Page, site: Site, slug: str) -> None:
    page.route(
        "**/leave/", lambda route: route.fulfill(body="<title>Left</title>")
    )  # which itself leads on, elsewhere
    visit(page, site, slug)
    begin(page)
    page.fill(FIELD, "Zebrafish")
    page.locator("#exit").click()
    page.wait_for_url("**/leave/")
    visit(page, site, slug)
    begin(page)
    expect(page.locator(FIELD)).to_have_value("")
