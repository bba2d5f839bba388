"""A choose-all question of which the device picks a mark. Numbers in docstrings: lines of docs/threat-model.md."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from scipy.stats import chisquare

from mechanisms import from_spec
from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    Traffic,
    begin,
    expect_heading,
    expect_text,
    never_says,
    press,
    see_what_was_sent,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import DOCUMENT, STATE
from tests.browser.workspace_steps import publish
from tests.mechanisms.enumeration import distribution

DRUGS = ["Cannabis", "Cocaine", "Ecstasy", "Heroin"]
QUESTION = {"kind": "any", "text": "Which?", "key": "drugs", "choices": DRUGS}
# Chance is what the test says, once it says it: what picks, what turns, and which.
PLAYED = """
globalThis.words = [];
crypto.getRandomValues = (words) => words.fill(globalThis.words.shift() ?? 0);
"""
ONE_KEY = 'crypto.randomUUID = () => "6e1f6b0c-6d9a-4c4f-8d6e-0f2b7f0f9a11";'
DRAWS = with_modules(
    """async ({ truth, draws }) => {
    const { randomize } = await import("/static/mechanisms/index.js");
    const { questions } = JSON.parse(document.getElementById("instrument").textContent);
    return questions.map(({ mechanism }) => {
        const counts = {};
        for (let draw = 0; draw < draws; draw += 1) {
            const report = randomize(mechanism, truth);
            counts[report] = (counts[report] ?? 0) + 1;
        }
        return counts;
    });
}"""
)


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return publish(site, [QUESTION | {"design": "balanced"}])


@pytest.fixture(scope="module")
def both(site: Site) -> str:
    """Of a choose-all question one mark is picked, of the other two."""
    light = QUESTION | {"design": "light", "key": "more"}
    return publish(site, [QUESTION | {"design": "balanced"}, light], title="Two of them")


def tick(page: Page, *labels: str) -> None:
    for label in labels or ("None of these",):
        page.get_by_role("group", name="Which?").get_by_label(label, exact=True).check()
    press(page, "Continue")


def send(page: Page) -> None:
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    see_what_was_sent(page)


def test_the_question_says_what_is_picked_and_scrambled(page: Page, site: Site, both: str) -> None:
    visit(page, site, both)
    assert violations(page) == ""
    begin(page)
    expect_text(
        page,
        "Your device picks 1 of the 4 boxes at random and sends only these. A ticked box is sent as ticked 75 times in "
        "100, an unticked one 25 times.",
    )
    tick(page, "Cocaine")
    expect_text(page, "Your device picks 2 of the 4 boxes at random and sends only these.")
    assert violations(page) == ""


def test_only_what_was_picked_is_sent_and_said(page: Page, site: Site, both: str) -> None:
    """26. One mark of four, and two of four; nothing is said of the others."""
    page.add_init_script(PLAYED)
    visit(page, site, both)
    begin(page)
    tick(page, "Cocaine", "Heroin")
    tick(page, "Cocaine")
    # The second one is picked and kept; then the second and the fourth, of which none is turned.
    page.evaluate("globalThis.words = [1, 0, 1, 2, 0]")
    send(page)
    assert wire(page) == {"drugs": "-1--", "more": "-1-0"}
    drugs, more = page.locator("#sent dd[data-key=drugs]"), page.locator("#sent dd[data-key=more]")
    expect(drugs).to_contain_text(
        "Picked at random, and sent as ticked:Cocaine", use_inner_text=False
    )
    expect(drugs).not_to_contain_text("not ticked")
    expect(drugs).to_contain_text("Nothing was sent about the others.")
    expect(more.locator("ul")).to_have_text(["Cocaine", "Heroin"])
    expect(more).to_contain_text("Picked at random, and sent as not ticked:")
    for answer in (drugs, more):
        expect(answer).not_to_contain_text(re.compile("Cannabis|Ecstasy"))


def test_a_mark_that_was_turned_is_said_as_it_was_sent(page: Page, site: Site, slug: str) -> None:
    page.add_init_script(PLAYED)
    visit(page, site, slug)
    begin(page)
    tick(page, "Ecstasy")
    page.evaluate("globalThis.words = [2, 3, 0]")
    send(page)
    assert wire(page) == {"drugs": "--0-"}
    expect(page.locator("#sent dd[data-key=drugs]")).to_contain_text(
        "Picked at random, and sent as not ticked:"
    )
    never_says(page, "sent as ticked:")


def traces(
    browser: Browser, site: Site, slug: str, labels: tuple[str, ...], words: list[int]
) -> list:
    """Everything that anyone but the person could observe of a visit, its message included."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(PLAYED + ONE_KEY)
    traffic = Traffic(page)
    visit(page, site, slug)
    begin(page)
    tick(page, *labels)
    seen = [page.evaluate(STATE)]
    page.evaluate("words => { globalThis.words = words; }", words)
    page.route(
        "**/responses/", lambda route: route.fulfill(status=201, json={"status": "recorded"})
    )
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    seen += [page.evaluate(STATE), page.evaluate(DOCUMENT), context.cookies()]
    asked = [
        (one.method, one.url, one.post_data, sorted(one.all_headers().items()))
        for one in traffic.requests
    ]
    context.close()
    return [*sorted(asked, key=repr), *seen]


def test_truths_with_the_same_report_leave_the_same_traces(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. The last mark is picked and sent as 0: nobody sees whether it was, nor any other mark."""
    one = traces(browser, site, slug, (), [3, 0])
    assert [
        json.loads(each[2])["reports"]
        for each in one
        if isinstance(each, tuple) and each[0] == "POST"
    ] == [{"drugs": "---0"}]
    for labels, words in (
        (("Heroin",), [3, 3]),
        (("Cannabis", "Ecstasy"), [3, 0]),
        (tuple(DRUGS), [3, 3]),
    ):
        assert traces(browser, site, slug, labels, words) == one


def test_the_browser_draws_whole_reports_with_the_chances_of_the_design(
    page: Page, site: Site, both: str
) -> None:
    """13. 8,000 draws for each truth from the browser's own generator, against the enumeration of every report."""
    visit(page, site, both)
    questions = json.loads(page.locator("#instrument").text_content())["questions"]
    for truth in ([], [1], [0, 3]):
        for question, found in zip(
            questions, page.evaluate(DRAWS, {"truth": truth, "draws": 8_000}), strict=True
        ):
            law = distribution(from_spec(question["mechanism"]), set(truth))
            chances = {
                "".join("-" if bit is None else str(bit) for bit in one): p
                for one, p in law.items()
            }
            assert found.keys() <= chances.keys()
            cells = [found.get(report, 0) for report in chances]
            assert chisquare(cells, [8_000 * float(p) for p in chances.values()]).pvalue > 1e-5, (
                truth,
                found,
            )


def test_no_box_and_none_of_these_take_each_other_back(page: Page, site: Site, slug: str) -> None:
    """Without “None of these” an empty question would mean both “none” and “not read yet”."""
    visit(page, site, slug)
    begin(page)
    press(page, "Continue")
    expect_text(page, "Mark what applies, or None of these.")
    none = page.get_by_label("None of these", exact=True)
    boxes = page.locator("[data-key=drugs] input:not([data-none])")
    boxes.nth(1).check()
    none.check()
    expect(boxes.nth(1)).not_to_be_checked()
    boxes.nth(2).check()
    expect(none).not_to_be_checked()
    none.check()
    assert violations(page) == ""
    press(page, "Continue")
    expect(page.locator("#review [data-key=drugs] [data-answer]")).to_have_text("None of these")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert re.fullmatch("-*[01]-*", wire(page)["drugs"])
