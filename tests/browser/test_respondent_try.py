"""“Try it” on the first screen: the page's own randomizer on a question that harms nobody."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import Traffic, press, survey, violations, visit
from tests.browser.workspace_steps import publish

YES_NO = {
    "kind": "yes-no",
    "text": "Sick?",
    "key": "sick",
    "design": "warner",
    "parameters": {"p": "4/5"},
}
CHOICE = {
    "kind": "choice",
    "text": "Which?",
    "key": "which",
    "choices": ["A", "B", "C"],
    "design": "balanced",
}
SPUN = YES_NO | {"key": "spun", "mode": "spinner"}
BACKGROUND = {"kind": "background", "text": "Where?", "key": "where", "choices": ["A", "B"]}
SHAPES = """(svg) => [".candor-try__yes", ".candor-try__no"].map((name) =>
    svg.querySelector(name).getAttribute("d").split("M").length - 1)"""
SAID = re.compile(
    r"Your device would send (Yes|No)\. Yes would come from (\d+) of 100 people who like it, and from (\d+) of 100 who "
    r"do not\. On average: (\d+) and (\d+)\. In the survey chance decides once\."
)


def tap(page: Page, answer: str) -> tuple[str, ...]:
    """What is said after it: what this device would send, both counts and both averages."""
    press(page, answer)
    text = " ".join(page.locator("#try [role=status]").inner_text().split())
    return SAID.search(text).groups()


def test_what_is_drawn_is_what_is_said_and_nothing_leaves_or_stays(page: Page, site: Site) -> None:
    """23, 26. The pictures, the counts and the exact chances beside them; no request, nothing kept."""
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    seen = set()
    for answer in ("Yes", "No") * 10:
        sent, yes, other, *average = tap(page, answer)
        pictures = [
            page.locator(f"#try [data-people='{truth}']").evaluate(SHAPES) for truth in (1, 0)
        ]
        assert pictures == [[int(yes), 100 - int(yes)], [int(other), 100 - int(other)]]
        assert average == ["75", "25"]
        assert 53 <= int(yes) <= 97  # 5 standard deviations
        assert 3 <= int(other) <= 47
        expect(page.get_by_role("button", name=answer, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
        seen.add((sent, yes, other))
    assert len(seen) > 5  # every tap draws anew
    assert violations(page) == ""
    assert traffic.requests == []
    assert page.evaluate("[{ ...localStorage }, { ...sessionStorage }]") == [{}, {}]


def test_the_same_stream_of_chance_makes_the_same_taps(browser: Browser, site: Site) -> None:
    """So nothing else decides them: neither the time nor who looks."""
    stream = """let turn = 0;
        crypto.getRandomValues = (words) => words.map((_, at) => (words[at] = turn += 2654435761));"""
    taps = []
    for _ in range(2):
        page = browser.new_page()
        page.add_init_script(stream)
        visit(page, site, survey(site))
        taps.append([tap(page, answer) for answer in ("Yes", "No", "Yes")])
        page.close()
    assert taps[0] == taps[1]


@pytest.mark.parametrize(
    ("questions", "average", "others"),
    [
        ([YES_NO, BACKGROUND], ["80", "20"], False),
        ([CHOICE, YES_NO], ["80", "20"], True),
        (
            [CHOICE],
            ["75", "25"],
            False,
        ),  # as telling as that question: a guess is right at most 75 times in 100
    ],
)
def test_its_chances_are_those_of_the_survey(
    page: Page, site: Site, questions: list[dict], average: list[str], others: bool
) -> None:
    visit(page, site, publish(site, questions))
    assert [*tap(page, "Yes")[3:]] == average
    expect(
        page.locator("#try").get_by_text("Other questions have their own chances.")
    ).to_have_count(1)
    expect(
        page.locator("#try").get_by_text("Other questions have their own chances.")
    ).to_be_visible(visible=others)


@pytest.mark.parametrize("questions", [[SPUN], [BACKGROUND]])
def test_where_the_device_draws_nothing_there_is_nothing_to_try(
    page: Page, site: Site, questions: list[dict]
) -> None:
    visit(page, site, publish(site, questions))
    expect(page.locator("#try")).to_be_hidden()
