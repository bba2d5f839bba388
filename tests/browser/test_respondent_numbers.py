"""Sensitive numbers and scales on the respondent’s page: entry, bounds, what is sent, and that no truth shows."""

import json

import pytest
from playwright.sync_api import Browser, Page, Request, expect
from scipy.stats import chisquare

from mechanisms import Window, from_spec
from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    DRAWS,
    Traffic,
    begin,
    expect_heading,
    expect_text,
    press,
    see_what_was_sent,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import FIXED
from tests.browser.test_respondent_silence import DOCUMENT, RESPONSES, STATE
from tests.browser.workspace_steps import publish

POINTS = ["Never", "Rarely", "Sometimes", "Often", "Always"]
QUESTIONS = [
    {
        "kind": "quantity",
        "text": "Hours?",
        "key": "hours",
        "minimum": 0,
        "maximum": 50,
        "step": 5,
        "unit": "hours",
    },
    {"kind": "scale", "text": "Agree?", "key": "agree", "choices": POINTS},
    {
        "kind": "quantity",
        "text": "Drinks?",
        "key": "drinks",
        "minimum": 0,
        "maximum": 9,
        "decline": True,
    },
]
UNREADABLE = ("3,0", "3.0", "1,000", "1 000", "five", "5h", "+5")


@pytest.fixture(scope="module")
def secret(site: Site) -> str:
    return publish(site, [question | {"design": "balanced"} for question in QUESTIONS])


def answer(page: Page, hours: str, agree: int, drinks: str) -> None:
    page.fill("#q-hours-number", hours)
    press(page, "Continue")
    page.check(f"#q-agree-{agree}")
    press(page, "Continue")
    page.fill("#q-drinks-number", drinks)
    press(page, "Continue")


def test_a_number_outside_stops_with_its_range_and_is_never_changed(
    page: Page, site: Site, secret: str
) -> None:
    visit(page, site, secret)
    begin(page)
    expect_text(page, "A whole number from 0 to 50, in steps of 5")
    expect_text(page, "Your device sends a range of answers.")
    for wrong in ("", "55", "-5", "7", "2.5"):
        page.fill("#q-hours-number", wrong)
        press(page, "Continue")
        expect(page.locator("#errors")).to_contain_text(
            "Enter a whole number from 0 to 50, in steps of 5"
        )
        expect(page.locator("#q-hours-number")).to_have_value(wrong)
        expect(page.locator("#q-hours-error")).to_be_visible()
    assert violations(page) == ""
    page.fill("#q-hours-number", "50")
    press(page, "Continue")
    expect_text(page, "Agree?")


def test_what_is_no_whole_number_is_refused_in_words_and_never_read_as_another(
    page: Page, site: Site, secret: str
) -> None:
    visit(page, site, secret)
    begin(page)
    field, error = page.locator("#q-hours-number"), page.locator("#q-hours-error")
    for wrong in UNREADABLE:
        field.fill("")
        field.press_sequentially(wrong)
        press(page, "Continue")
        expect(page.locator("#errors")).to_be_focused()
        expect(field).to_have_value(wrong)
        expect(error).to_contain_text(
            "Write only digits. No commas, points, spaces or words.", use_inner_text=True
        )
    assert violations(page) == ""
    field.fill("55")
    press(page, "Continue")
    expect(error).to_contain_text(
        "Enter a whole number from 0 to 50, in steps of 5", use_inner_text=True
    )
    expect(error).not_to_contain_text("Write only digits", use_inner_text=True)


@pytest.fixture(scope="module")
def below_zero(site: Site) -> str:
    """Sent as it is: a number of either sign."""
    question = {
        "kind": "number",
        "text": "Balance?",
        "key": "balance",
        "minimum": -100,
        "maximum": 100,
    }
    return publish(site, [QUESTIONS[2] | {"design": "balanced"}, question])


@pytest.mark.parametrize(
    ("typed", "read"),
    [("٣", "3"), ("۳", "3"), ("३", "3"), ("৩", "3"), ("３", "3"), ("03", "3")],
    ids=ascii,
)
def test_digits_of_every_script_are_typed_and_count(
    page: Page, site: Site, below_zero: str, typed: str, read: str
) -> None:
    """Key by key, for the number that is scrambled and for the one that is not, which may be below zero."""
    visit(page, site, below_zero)
    begin(page)
    page.locator("#q-drinks-number").press_sequentially(typed)
    press(page, "Continue")
    expect(page.locator("#q-balance-number")).to_have_attribute(
        "inputmode", "text"
    )  # has a minus sign on every phone
    page.locator("#q-balance-number").press_sequentially(f"−{typed}")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    expect(page.locator("#review [data-key=drinks] [data-answer]")).to_have_text(read)
    expect(page.locator("#review [data-key=balance] [data-answer]")).to_have_text(f"-{read}")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert wire(page)["balance"] == 97


def test_neither_the_mouse_wheel_nor_an_arrow_changes_a_number(
    page: Page, site: Site, secret: str
) -> None:
    visit(page, site, secret)
    page.evaluate("addEventListener('wheel', () => {})")
    begin(page)
    field = page.locator("#q-hours-number")
    field.fill("25")
    field.hover()
    for _ in range(3):
        page.mouse.wheel(0, 100)
    expect(field).to_have_value("25")
    field.press("ArrowUp")
    expect(field).to_have_value("25")


def test_a_number_and_declining_take_each_other_back(page: Page, site: Site, secret: str) -> None:
    visit(page, site, secret)
    begin(page)
    answer(page, "5", 2, "3")
    page.locator('#review [data-key="drinks"] button').click()
    page.check("#q-drinks-aside")
    expect(page.locator("#q-drinks-number")).to_have_value("")
    page.fill("#q-drinks-number", "7")
    expect(page.locator("#q-drinks-aside")).not_to_be_checked()
    page.check("#q-drinks-aside")
    press(page, "Continue")
    expect_heading(page, "Check your answers")
    expect_text(page, "5 hours")
    expect_text(page, "Sometimes")
    expect_text(page, "Prefer not to say")
    assert violations(page) == ""


def test_what_was_sent_is_said_and_is_a_possible_report(
    page: Page, site: Site, secret: str
) -> None:
    visit(page, site, secret)
    begin(page)
    answer(page, "45", 4, "9")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    see_what_was_sent(page)
    specs = [
        question["mechanism"]
        for question in json.loads(page.locator("#instrument").text_content())["questions"]
    ]
    for (key, report), spec in zip(wire(page).items(), specs, strict=True):
        chances = [row[report] for row in from_spec(spec).probabilities()]  # larger in the range
        cell = page.locator(f"#see [data-key={key}]")
        inside = [place for place, chance in enumerate(chances) if chance == max(chances)]
        if len(inside) == len(chances):
            expect(cell).to_contain_text("It fits every answer alike.")
        else:
            expect(cell).to_contain_text(
                "times as often for an" if len(inside) > 1 else "times as often for that"
            )
        assert key in ("hours", "agree", "drinks")


def everything(
    browser: Browser, site: Site, slug: str, word: int, truth: tuple[str, int, str]
) -> list:
    """All that could be observed of a visit with one failed attempt to send."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(f"globalThis.word = {word};{FIXED}")
    traffic = Traffic(page)
    visit(page, site, slug)
    begin(page)
    answer(page, *truth)
    page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    seen = [page.evaluate(STATE), page.evaluate(DOCUMENT)]
    page.evaluate("globalThis.word = 1")
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


def outside(mechanisms: list[Window]) -> int:
    """A word at which every truth above the least sends 0: it falls on the first number outside of the window."""
    return next(
        word
        for word in range(10**6)
        if all(0 <= word % each.den - each.width * each.high < each.low for each in mechanisms)
    )


def test_two_numbers_with_the_same_report_leave_the_same_traces(
    browser: Browser, page: Page, site: Site, secret: str
) -> None:
    visit(page, site, secret)
    questions = json.loads(page.locator("#instrument").text_content())["questions"]
    word = outside([from_spec(question["mechanism"]) for question in questions])
    first = everything(browser, site, secret, word, ("5", 1, "1"))
    bodies = [one[2] for one in first if isinstance(one, tuple) and one[0] == "POST"]
    assert [json.loads(body)["reports"] for body in bodies] == 2 * [
        {"hours": 0, "agree": 0, "drinks": 0}
    ]
    for truth in (("50", 1, "1"), ("5", 4, "9"), ("35", 2, "7")):
        assert everything(browser, site, secret, word, truth) == first


def test_the_browser_draws_with_the_stated_chances(page: Page, site: Site, secret: str) -> None:
    """4,000 draws per truth from the browser's own generator, a number, a scale and an answer aside; chi-square."""
    draws = 4_000
    visit(page, site, secret)
    questions = json.loads(page.locator("#instrument").text_content())["questions"]
    for question, found in zip(questions, page.evaluate(DRAWS, draws), strict=True):
        rows = from_spec(question["mechanism"]).probabilities()
        assert len(rows) == len(found)
        for counts, row in zip(found, rows, strict=True):
            cells = [counts.get(str(report), 0) for report in range(len(row))]
            assert sum(cells) == draws
            assert chisquare(cells, [float(draws * chance) for chance in row]).pvalue > 1e-6
