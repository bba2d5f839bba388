"""Each person is asked only some questions: drawn on the device, kept until Send, and telling nothing of any answer.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
from collections import Counter
from itertools import combinations
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from scipy.stats import chisquare

from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    address,
    begin,
    choose,
    count_stored,
    expect_heading,
    expect_ready,
    expect_text,
    press,
    see_what_was_sent,
    unfold,
    violations,
    visit,
    wire,
)
from tests.browser.survey_walk import FIXED
from tests.browser.test_respondent_silence import traces

MAKE = """
from surveys.authoring.drafts.question_subset import set_draw
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher({name!r}), shared_device={shared}, language={language!r})
surveys.add_background(survey)
surveys.add_yes_no(survey, "tax")
surveys.add_choice(survey, "tree", ("Ash", "Beech", "Cedar"), "direct", parameters={{"epsilon": "1"}}, section="Wood")
surveys.add_yes_no(survey, "work")
surveys.add_choice(survey, "fruit")
set_draw(survey=survey, count=2, of=["tax", "tree", "work", "fruit"])
print(surveys.publish_survey(survey).survey.slug)
"""
LOT = ("tax", "tree", "work", "fruit")
SETS = list(combinations(LOT, 2))
DRAWN = """() => JSON.stringify([localStorage, sessionStorage].map((storage) =>
    Object.entries({ ...storage }).filter(([name]) => name.startsWith("candor drawn"))))"""
NOTHING = [[], []]
ASKED = (
    """() => [...document.querySelectorAll(".candor-question")].map(({ dataset }) => dataset.key)"""
)


def made(site: Site, name: str, *, shared: bool = False, language: str = "en") -> str:
    return site.shell(MAKE.format(name=name, shared=shared, language=language))


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    """region of everybody; of tax, tree, work and fruit two."""
    return made(site, "drawing")


@pytest.fixture(scope="module")
def shared(site: Site) -> str:
    """The same for a device that is handed round."""
    return made(site, "drawing together", shared=True)


def drawn(page: Page) -> tuple[str, ...]:
    """What this person is asked of the lot, after Start."""
    return tuple(key for key in page.evaluate(ASKED) if key in LOT)


def kept(page: Page) -> list[list]:
    """What the browser has of the selection, and what the tab has: names and texts."""
    return json.loads(page.evaluate(DRAWN))


def picked(page: Page) -> list[str]:
    """The keys that the browser keeps."""
    ((_, text),) = kept(page)[0]
    return json.loads(text)["keys"]


def answer(page: Page) -> tuple[str, ...]:
    """From the introduction to the list; returns what was asked of the lot."""
    begin(page)
    lot = drawn(page)
    choose(page, region=0, **dict.fromkeys(lot, 0))
    expect_heading(page, "Check your answers")
    return lot


def test_before_the_start_no_text_of_a_question_that_is_picked_is_there(
    page: Page, site: Site, slug: str
) -> None:
    """24. Who has read them all might load the page again for others; they are in two folds of the review."""
    visit(page, site, slug)
    unfold(page)
    first = page.locator("#intro").text_content()
    texts = {
        each["key"]: each["text"]
        for each in json.loads(page.locator("#instrument").text_content())["questions"]
    }
    assert [key for key in LOT if texts[key] in first] == []
    expect_text(page, "For one question fewer than 20 may be added at a time.")
    answer(page)
    unfold(page)
    for key in LOT:
        expect_text(page, texts[key])


def test_only_what_is_drawn_is_asked_counted_listed_and_sent(
    page: Page, site: Site, slug: str
) -> None:
    visit(page, site, slug)
    expect_text(page, "You get 2 of the 4 sensitive questions. Your device picks them at random.")
    assert kept(page) == NOTHING
    assert violations(page) == ""
    begin(page)
    lot = drawn(page)
    assert len(lot) == 2
    for number, key in enumerate(["region", *lot], 1):
        expect(page.locator(".candor-progress:visible")).to_have_text(f"Question {number} of 3")
        press(page, "Continue")
        expect(page.locator("#errors button:visible")).to_have_count(1)
        page.check(f"#q-{key}-1")
        press(page, "Continue")
    expect_heading(page, "Check your answers")
    expect(page.locator("#review [data-key]:visible")).to_have_count(3)
    assert violations(page) == ""
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    reports = wire(page)
    assert [*reports] == ["region", *LOT]
    assert {key for key, report in reports.items() if report is None} == set(LOT) - set(lot)
    see_what_was_sent(page)
    expect(page.locator("#sent .govuk-summary-list__row:visible")).to_have_count(3)
    expect_text(page, "What was sent also shows which questions your device picked.")
    assert count_stored(site, slug) >= 1


# Words for chance, and what is drawn with them.
WORDS = {0: ("tax", "tree"), 2: ("work", "fruit"), 11: ("tax", "fruit")}


def _with_word(context: BrowserContext, site: Site, slug: str, word: int) -> Page:
    """A page for which chance gives this word, and 0 once there is no other."""
    page = context.new_page()
    # A key of its own: other tests may have sent another response under the fixed one.
    page.add_init_script(
        FIXED + f"globalThis.word = {word}; crypto.randomUUID = () => '{uuid4()}';"
    )
    visit(page, site, slug)
    return page


def test_the_heading_of_a_section_stands_over_what_is_left_of_it(
    context: BrowserContext, site: Site, slug: str
) -> None:
    """The section starts with tree; work and fruit belong to it."""
    for word, first in ((2, "work"), (11, "fruit")):
        page = _with_word(context, site, slug, word)
        page.evaluate("localStorage.clear()")  # what the page before it picked
        begin(page)
        assert drawn(page) == WORDS[word]
        expect(page.locator(f".candor-question[data-key={first}] .govuk-caption-l")).to_have_text(
            "Wood"
        )
        expect(page.locator(".candor-question .govuk-caption-l")).to_have_count(1)


def test_loading_the_page_again_asks_the_same_until_send(page: Page, site: Site, slug: str) -> None:
    visit(page, site, slug)
    begin(page)
    first = drawn(page)
    for _ in range(3):
        page.reload()
        expect_ready(page)
        begin(page)
        assert drawn(page) == first
    press(page, "Back")
    begin(page)
    assert drawn(page) == first
    assert sorted(picked(page)) == sorted(first)
    assert kept(page)[1] == []
    choose(page, region=0, **dict.fromkeys(first, 0))
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert kept(page) == NOTHING


def test_a_message_that_waits_has_no_lot_beside_it(page: Page, site: Site, slug: str) -> None:
    """Erased at Send, whether it arrives or not; the message is what it was."""
    visit(page, site, slug)
    answer(page)
    page.route(RESPONSES, lambda route: route.abort("internetdisconnected"))
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    assert kept(page) == NOTHING
    page.reload()
    expect_heading(page, "Not confirmed yet")
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert len(set(traffic.bodies)) == 1


def test_what_was_kept_is_not_believed(page: Page, site: Site, slug: str) -> None:
    """Something else under the name, as three keys, unknown ones, or those of other questions, is drawn anew."""
    visit(page, site, slug)
    begin(page)
    ((name, text),) = kept(page)[0]
    good = json.loads(text)
    assert name == f"candor drawn {slug}"
    keys = (["tax", "tree", "work"], ["tax", "region"], ["tax", "tax"], "tax", None)
    wrong = [json.dumps(good | {"keys": each}) for each in keys]
    for text in ["null", "x", "[]", *wrong, json.dumps(good | {"instrument": "0" * 64})]:
        page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, text])
        page.reload()
        expect_ready(page)
        begin(page)
        assert len(drawn(page)) == 2, text
        assert sorted(picked(page)) == sorted(drawn(page))
        assert json.loads(kept(page)[0][0][1])["instrument"] == good["instrument"]


def test_quick_exit_forgets_the_lot(page: Page, site: Site, slug: str) -> None:
    """28. Nothing is left in the tab."""
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    visit(page, site, slug)
    begin(page)
    assert kept(page) != NOTHING
    page.locator("#exit").click()
    expect(page).to_have_title("Left")
    page.goto(address(site, slug))
    expect_ready(page)
    assert kept(page) == NOTHING


def test_the_next_person_at_a_shared_device_draws_anew(page: Page, site: Site, shared: str) -> None:
    """16. Nothing of the lot is met by the next one, wherever the one before has stopped."""
    page.add_init_script("crypto.getRandomValues = (words) => words.fill(Number(window.name));")
    visit(page, site, shared)
    for word, lot in WORDS.items():
        page.evaluate("(word) => { window.name = word; }", str(word))
        begin(page)
        assert drawn(page) == lot
        browsers, tabs = kept(page)
        assert not browsers
        assert len(tabs) == 1
        if word:
            press(page, "For the next person")
            with page.expect_navigation():
                press(page, "Discard")
        else:
            choose(page, region=0, **dict.fromkeys(lot, 0))
            press(page, "Send")
            expect_heading(page, "Sent. Thank you.")
            press(page, "For the next person")
        expect_ready(page)
        assert kept(page) == NOTHING


def test_a_second_tab_asks_the_same(context: BrowserContext, site: Site, slug: str) -> None:
    """Until one has sent; then the other says so, and the browser keeps no lot."""
    first, second = (_with_word(context, site, slug, word) for word in (0, 2))
    for tab in (first, second):
        begin(tab)
    assert drawn(first) == drawn(second) == WORDS[0]
    choose(first, region=0, tax=0, tree=0)
    press(first, "Send")
    expect_heading(first, "Sent. Thank you.")
    second.reload()
    expect_heading(second, "Answers were sent from this device")
    assert kept(second) == NOTHING


def test_forbidden_storage_draws_all_the_same(page: Page, site: Site, slug: str) -> None:
    page.add_init_script(
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error(); } });"
    )
    visit(page, site, slug)
    lot = answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert {key for key, report in wire(page).items() if report is not None} == {"region", *lot}


DRAWS = with_modules(
    """async (times) => {
    const { createQuestionSubset } = await import("/static/respondent/question_subset.js");
    const instrument = JSON.parse(document.getElementById("instrument").textContent);
    const counts = {};
    for (let time = 0; time < times; time += 1) {
        const keys = createQuestionSubset(instrument, "none", "0", false).questions().map(({ key }) => key);
        counts[keys] = (counts[keys] ?? 0) + 1;
    }
    return counts;
}"""
)


def test_every_set_is_drawn_equally_often(page: Page, site: Site, slug: str) -> None:
    """13. 30,000 draws from the browser's own generator; chi-square."""
    visit(page, site, slug)
    found = Counter(page.evaluate(DRAWS, 30_000))
    assert set(found) == {",".join(("region", *lot)) for lot in SETS}
    assert chisquare(list(found.values())).pvalue > 1e-5


def test_two_truths_with_the_same_lot_and_report_leave_the_same_traces(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Requests, storage, cookies, address, history, title, document and controls, at each step and after Send."""
    no = traces(browser, site, slug, {"region": 0, "tax": 0, "tree": 0})
    bodies = [one[2] for one in no if isinstance(one, tuple) and one[0] == "POST"]
    expected = {"region": 0, "tax": 0, "tree": 0, "work": None, "fruit": None}
    assert [json.loads(body)["reports"] for body in bodies] == 2 * [expected]
    assert traces(browser, site, slug, {"region": 0, "tax": 1, "tree": 2}) == no


def test_every_set_makes_the_same_requests_of_the_same_length(
    browser: Browser, site: Site, slug: str
) -> None:
    """11. Only the content of the message differs, which nobody on the way reads."""
    seen = []
    for word, lot in WORDS.items():
        context = browser.new_context(base_url=site.url)
        page = _with_word(context, site, slug, word)
        traffic = Traffic(page)
        page.route(RESPONSES, lambda route: route.fulfill(status=201, json={"status": "recorded"}))
        assert answer(page) == lot
        press(page, "Send")
        expect_heading(page, "Sent. Thank you.")
        asked = [
            (one.method, one.url, sorted(one.all_headers().items())) for one in traffic.requests
        ]
        seen.append([*asked, *map(len, traffic.bodies)])
        context.close()
    assert seen[0] == seen[1] == seen[2]


def test_other_languages_say_it_too(page: Page, site: Site) -> None:
    visit(page, site, made(site, "drawing in Arabic", language="ar"))
    expect_text(page, "الأسئلة الحساسة")
    assert violations(page) == ""


def test_without_the_program_nothing_is_asked(browser: Browser, site: Site, slug: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(site, slug))
    expect(page.locator("#begin")).to_be_disabled()
    expect(page.get_by_text("You get 2 of the 4 sensitive questions.").first).to_be_visible()
    context.close()


# --- Some of the questions that are picked are on a path.

ON_PATHS = """
from surveys.authoring.drafts.question_subset import set_draw
from tests.factories import surveys
north = {"of": "region", "in": ["North"]}
survey = surveys.create_draft(surveys.create_researcher("drawing on paths"))
surveys.add_background(survey)
surveys.add_yes_no(survey, "tax")
surveys.add_yes_no(survey, "tree", when=north)
surveys.add_yes_no(survey, "work", mode="spinner")
surveys.add_yes_no(survey, "fruit", design="two-coin", mode="by-hand")
set_draw(survey=survey, count=2, of=["tax", "tree", "work", "fruit"])
print(surveys.publish_survey(survey).survey.slug)
"""
PATHS = with_modules(
    """async (times) => {
    const { createQuestionSubset } = await import("/static/respondent/question_subset.js");
    const { questionsAskedOf } = await import("/static/respondent/paths.js");
    const instrument = JSON.parse(document.getElementById("instrument").textContent);
    return [0, 1].map((region) => {
        const counts = {};
        for (let time = 0; time < times; time += 1) {
            const possible = createQuestionSubset(instrument, "none", "0", false).questions();
            const keys = questionsAskedOf(possible, () => region).map(({ key }) => key);
            counts[keys] = (counts[keys] ?? 0) + 1;
        }
        return counts;
    });
}"""
)


@pytest.fixture(scope="module")
def on_paths(site: Site) -> str:
    """tree is asked in the North only; work has a spinner, fruit is answered by hand."""
    return site.shell(ON_PATHS)


def test_on_each_path_every_set_is_asked_as_often_as_its_law_says(
    page: Page, site: Site, on_paths: str
) -> None:
    """13. Without replacement: in the South tree is dropped, and no other takes its place."""
    visit(page, site, on_paths)
    expect_text(
        page, "You get at most 2 of the 4 sensitive questions. Your device picks them at random."
    )
    north, south = page.evaluate(PATHS, 15_000)
    assert set(north) == {",".join(("region", *each)) for each in SETS}
    dropped = {",".join(("region", *(key for key in each if key != "tree"))) for each in SETS}
    assert set(south) == dropped
    assert len(dropped) == 6
    for counts in (north, south):
        assert chisquare(list(counts.values())).pvalue > 1e-5


def test_on_each_path_two_truths_with_the_same_report_leave_the_same_traces(
    browser: Browser, site: Site, on_paths: str
) -> None:
    """11. tax and tree are picked. In the South tree is dropped, and the message is as long."""
    lengths = set()
    for region, asked in ((0, ("tax", "tree")), (1, ("tax",))):
        answers = {"region": region} | dict.fromkeys(asked, 0)
        no = traces(browser, site, on_paths, answers)
        bodies = [one[2] for one in no if isinstance(one, tuple) and one[0] == "POST"]
        assert [json.loads(body)["reports"] for body in bodies] == 2 * [
            dict.fromkeys(["region", *LOT]) | answers
        ]
        assert traces(browser, site, on_paths, answers | dict.fromkeys(asked, 1)) == no
        lengths |= {len(body) for body in bodies}
    assert len(lengths) == 1


def test_a_person_answers_fewer_where_a_picked_question_is_dropped(
    context: BrowserContext, site: Site, on_paths: str
) -> None:
    """From the page to the database, with a changed first answer on the way."""
    before = count_stored(site, on_paths)
    page = _with_word(context, site, on_paths, 0)
    begin(page)
    choose(page, region=0, tax=1, tree=1)
    expect_heading(page, "Check your answers")
    page.locator('#review [data-key="region"] button').click()
    choose(page, region=1)
    expect_heading(page, "Check your answers")
    expect(page.locator("#review [data-key]:visible")).to_have_count(2)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert [wire(page)[key] is None for key in LOT] == [False, True, True, True]
    assert count_stored(site, on_paths) == before + 1
