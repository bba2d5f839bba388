"""With a spinner and by hand. Numbers in docstrings: lines of the list in docs/threat-model.md."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    address,
    begin,
    choose,
    expect_heading,
    expect_ready,
    expect_text,
    modes,
    never_says,
    press,
    spin,
    until,
    visit,
    wire,
)
from tests.browser.workspace_steps import publish

SPUN = [
    {
        "kind": "yes-no",
        "text": "Sick?",
        "key": "sick",
        "design": "warner",
        "parameters": {"p": "3/4"},
        "mode": "spinner",
    },
    {
        "kind": "yes-no",
        "text": "Unrelated?",
        "key": "unrelated",
        "design": "unrelated-question",
        "parameters": {"p": "7/10", "prevalence": "1/2"},
        "mode": "spinner",
    },
]


@pytest.fixture
def slug(site: Site) -> str:
    """A survey with a question in each mode."""
    return modes(site)


def test_a_spinner_lands_once_and_its_answer_is_sent(page: Page, site: Site, slug: str) -> None:
    """The draw is kept through Back and the list, and erased at Send; the answer is the report."""
    visit(page, site, slug)
    begin(page)
    choose(page, tool=0)
    expect(page.locator("#q-sick-1")).to_be_hidden()
    press(page, "Continue")
    expect(page.locator("#errors")).to_contain_text("Spin, then choose one answer")
    landed = spin(page)
    expect(page.locator(".candor-question:visible [data-do=spin]")).to_be_hidden()
    assert landed in (
        "True or false? “My true answer is Yes.”",
        "True or false? “My true answer is No.”",
    )
    expect(page.locator(".candor-question:visible .govuk-radios label")).to_have_text(
        ["True", "False"], use_inner_text=True
    )
    choose(page, sick=0)
    press(page, "Back")
    expect(page.locator(".candor-question:visible .candor-landed p:visible")).to_have_text(
        landed, use_inner_text=True
    )
    press(page, "Continue")
    choose(page, contract=1, region=1)
    expect(page.locator("#review [data-key=sick] [data-answer]")).to_contain_text("False")
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    reports = wire(page)
    assert (reports["sick"], reports["contract"], reports["region"]) == (0, 1, 1)
    page.get_by_text("See what was sent").click()
    expect(page.locator("#sent dd[data-key=sick]")).to_have_text(
        "False was sent. That happens 75 times in 100 if the true answer is No, 25 times if it is Yes."
    )
    until(page, "!document.querySelector('main').outerHTML.includes('landed')")


def test_a_spinner_lands_as_often_as_the_matrix_says(page: Page, site: Site) -> None:
    """13. The parts of every classical design, in the page and on the server alike; and where 4,000 spins land."""
    slug = publish(site, SPUN)
    visit(page, site, slug)
    parts = page.evaluate(
        with_modules("""async () => {
            const { spinnerSectors } = await import("/static/respondent/odds.js");
            const { questions } = JSON.parse(document.getElementById("instrument").textContent);
            return questions.filter(({ mode }) => mode === "spinner").map(({ mechanism }) => spinnerSectors(mechanism));
        }""")
    )
    assert parts == [
        [["statement", 3], ["opposite", 1]],
        [["truth", 14], ["harmless-yes", 3], ["harmless-no", 3]],
    ]
    expect(page.locator("[data-key=unrelated] .candor-spinner li")).to_have_text(
        [re.compile(rf"\({number} of 20 parts\)\s*$") for number in (14, 3, 3)]
    )
    drawn = page.evaluate(
        with_modules("""async () => {
            const { spinnerSectors } = await import("/static/respondent/odds.js");
            const { cryptoUint32, uniform } = await import("/static/mechanisms/index.js");
            const { questions } = JSON.parse(document.getElementById("instrument").textContent);
            const { mechanism } = questions.find(({ key }) => key === "unrelated");
            const counts = {};
            for (let spin = 0; spin < 4000; spin += 1) {
                let rest = uniform(mechanism.den, cryptoUint32);
                const [act] = spinnerSectors(mechanism).find(([, weight]) => (rest -= weight) < 0);
                counts[act] = (counts[act] ?? 0) + 1;
            }
            return counts;
        }""")
    )
    for act, chance in (("truth", 0.7), ("harmless-yes", 0.15), ("harmless-no", 0.15)):
        assert abs(drawn[act] - 4000 * chance) < 4 * (4000 * chance * (1 - chance)) ** 0.5


def test_the_page_says_to_spin_once_and_what_to_do_after_loading_it_anew(
    page: Page, site: Site, slug: str
) -> None:
    """Where a spinner has landed is kept nowhere, so a page that is loaded anew cannot hold to it; people can."""

    def to_the_spinner() -> None:
        expect_ready(page)
        begin(page)
        choose(page, tool=0)
        expect_text(page, "Spin once. Spinning again protects you less.")

    visit(page, site, slug)
    to_the_spinner()
    never_says(page, "This page has been loaded again.")
    spin(page)
    never_says(page, "This page has been loaded again.")
    assert (
        page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])") == "[{},{}]"
    )
    page.reload()
    to_the_spinner()
    expect_text(
        page,
        "If you have spun before, spin once more, but answer as the spinner said the first time.",
    )
    spin(page)
    expect_text(page, "answer as the spinner said the first time.")


def test_where_the_hand_points_is_what_is_said(page: Page, site: Site, slug: str) -> None:
    """The largest number drawn lands in the last part, and the hand stands there."""
    page.emulate_media(reduced_motion="reduce")
    visit(page, site, slug)
    begin(page)
    choose(page, tool=0)
    page.evaluate("void (crypto.getRandomValues = (words) => words.fill(3))")
    assert "My true answer is No" in spin(page)
    hand = page.locator(".candor-question:visible .candor-spinner__hand")
    expect(hand).to_have_attribute("transform", "rotate(315)")


def test_the_sheet_to_print_is_readable_without_scripts(
    browser: Browser, site: Site, slug: str
) -> None:
    """18. Who trusts no page can read what to do by hand, and what is scrambled how."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(site, slug))
    page.get_by_text("To print: the questions answered by hand").click()
    sheet = page.locator(".candor-sheet")
    expect(sheet).to_be_visible()
    expect(sheet.locator("tbody tr :is(th, td)")).to_have_text(
        [
            *("1 to 4", "Answer truthfully."),
            *("5", "Answer Yes, whatever is true."),
            *("6", "Answer No, whatever is true."),
        ]
    )
    expect(sheet).to_contain_text("You need: a die.")
    context.close()
