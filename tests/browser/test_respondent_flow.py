"""What people read and do before and after the questions. Numbers in docstrings: lines of docs/threat-model.md."""

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import children
from tests.browser.conftest import ROOT, Site
from tests.browser.respondent import (
    Traffic,
    answer,
    begin,
    modes,
    press,
    ready,
    see,
    survey,
    to_the_list,
    unfold,
    visit,
)


@pytest.fixture
def slug(site: Site) -> str:
    """A survey with a question in each mode."""
    return modes(site)


def test_the_introduction_says_the_consequence_first(page: Page, site: Site, slug: str) -> None:
    """24. Promise and consequence; unfolded, who can see what, the odds, process, practice, limits: in this order."""
    visit(page, site, slug)
    unfold(page)
    text = page.locator("#intro").inner_text()
    order = [
        "Each sensitive answer is scrambled by chance before it is sent.",
        "A Yes that arrives may be yours, or may be chance.",
        "By pure chance, a guess between two answers is right 50 times in 100.",
        "Number of questions: 4",
        "Who asks: Ada, ada@example.org",
        "Who can see what",
        "results appear from 40 responses on",
        "Of 100 people who choose Yes, 75 will have Yes recorded; of 100 who choose No, 25 will.",
        "When you press Send, your device scrambles each sensitive answer once",
        "Try it out on a harmless question",
        "Is it clear?",
        "The whole survey",
        "What it does not protect against",
        "You can switch to flight mode",
        "“Leave”, at the top",
        "To print: the questions answered by hand",
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    for word in (" lie", " lying", "fake", "flip", "anonymous", "Nobody could", "nobody could", "honest"):
        expect(page.locator("body")).not_to_contain_text(word, use_inner_text=True)


def test_what_people_must_know_stands_there(page: Page, site: Site, slug: str) -> None:
    """25. What a recorded Yes means, the whole survey's protection, what is sent as it is, what a second time costs."""
    visit(page, site, slug)
    unfold(page)
    intro = page.locator("#intro")
    for words in (
        "A Yes that arrives may be yours, or may be chance.",
        "Answers marked “Not scrambled” could identify you.",
        "Answering again reveals more.",
        "The whole survey",
    ):
        expect(intro).to_contain_text(words)


def test_icon_arrays_are_drawn_from_the_matrix(page: Page, site: Site, slug: str) -> None:
    """23. As many squares as the matrix has, of 100, each pair with its text."""
    visit(page, site, slug)
    unfold(page)
    figures = page.locator("#intro .candor-icons").first.locator("figure")
    expect(figures).to_have_text(["Answer Yes: 75 of 100 have Yes recorded", "Answer No: 25 of 100 have Yes recorded"])
    count = """figure => [...figure.querySelectorAll("path")].map((path) => {
        const lines = [...path.getAttribute("d").matchAll(/M(\\d+) \\d+H(\\d+)/g)];
        return lines.reduce((sum, [, from, to]) => sum + (to - from) / 10, 0);
    })"""
    for place, counts in enumerate(([75, 25], [25, 75])):
        assert figures.nth(place).evaluate(count) == counts


def test_practice_is_real_repeatable_and_never_sent(page: Page, site: Site, slug: str) -> None:
    """26. The same randomizer on a harmless item, as often as wished."""
    visit(page, site, slug)
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    page.get_by_text("How sure is this? Try it out").click()
    press(page, "Scramble it")
    expect(page.get_by_text("Choose Yes or No first.")).to_be_visible()
    page.check("#practice-1")
    for _ in range(60):
        press(page, "Scramble it")
    expect(page.locator("#tries")).to_have_text("60")
    matches = int(page.locator("#matches").text_content())
    assert 25 <= matches <= 59  # 45 on average, more than 3 standard deviations and more
    expect(page.locator("#practice")).to_contain_text("Nothing was sent.")
    assert traffic.requests == []
    assert page.evaluate("JSON.stringify(localStorage)") == "{}"


def test_the_comprehension_question_answers_back_and_holds_nobody_up(page: Page, site: Site, slug: str) -> None:
    visit(page, site, slug)
    page.wait_for_load_state("networkidle")
    traffic = Traffic(page)
    page.get_by_text("How sure is this? Try it out").click()
    page.get_by_label("Yes, for certain").check()
    expect(page.locator("#comprehension [role=status]")).to_contain_text("Not quite.")
    page.get_by_label("No, chance may have put it there").check()
    expect(page.locator("#comprehension [role=status] p:visible")).to_have_count(1)
    expect(page.locator("#comprehension [role=status]")).to_contain_text("Exactly.")
    page.reload()
    ready(page)
    begin(page)
    see(page, "About tool?")
    assert [one.method for one in traffic.requests if "comprehension" in one.url or one.method != "GET"] == []


def test_quick_exit_erases_and_leaves_no_way_back(page: Page, site: Site, slug: str) -> None:
    """28. By /leave/ in the place of this page in the history, and from there to another site."""
    page.route("https://www.wikipedia.org/**", lambda route: route.fulfill(body="<title>Elsewhere</title>"))
    page.goto(f"{site.url}/")
    visit(page, site, slug)
    begin(page)
    page.check("#q-tool-1")
    length = page.evaluate("history.length")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#exit").click()
    page.wait_for_url("https://www.wikipedia.org/")
    assert asked[0] == f"{site.url}/leave/"
    assert page.evaluate("history.length") <= length + 1
    page.go_back()
    expect(page).to_have_url(f"{site.url}/")


@pytest.mark.parametrize("step", ["intro", "question", "list"])
def test_quick_exit_is_at_hand_on_every_step(page: Page, site: Site, slug: str, step: str) -> None:
    """28. And resets the form before it goes."""
    page.route("**/leave/", lambda route: route.fulfill(body="<title>Left</title>"))
    visit(page, site, slug)
    if step == "question":
        begin(page)
    if step == "list":
        to_the_list(page)
    page.locator("#exit").click()
    expect(page).to_have_title("Left")


def test_the_closed_page_knows_that_something_was_sent(page: Page, site: Site) -> None:
    """Already answered: on the closed page too, where this device remembers."""
    slug = survey(site, "closed after")
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    see(page, "Your response has been sent")
    site.shell(
        "from surveys.fieldwork import lifecycle; from surveys.models import Survey;"
        f"lifecycle.close(Survey.objects.get(slug={slug!r}))"
    )
    page.reload()
    see(page, "A response has been sent from this device")
    expect(page.locator("#see")).to_be_hidden()
    expect(page).to_have_title(re.compile("^Closed"))
    press(page, "Forget this on this device")
    page.reload()
    expect(page.locator("h1:visible")).to_have_text("This survey is closed")


# What a connection adds: docs/checking.md names them.
CONNECTION = ("date", "server", "via", "connection", "keep-alive", "content-length", "transfer-encoding")


def test_the_commands_on_the_trust_page_work(page: Page, site: Site, slug: str, tmp_path: Path) -> None:
    """5. As copied from the page: what is made again is what is handed out: page, headers, program, questions."""
    page.goto(f"{site.url}/trust/{slug}/")
    again, handed_out, headers, piece, questions = page.locator("pre").all_inner_texts()

    def run(command: str) -> str:
        command = command.replace("instrument.json", f"{tmp_path}/instrument.json").replace("page.html", "/dev/null")
        return children.run(
            ["bash", "-c", command.replace("make", "make -s -o .venv/runtime")], cwd=ROOT, env=site.environment
        ).stdout

    made = run(again)
    assert f"{run(handed_out).split()[0]}  open" in made.splitlines()
    came = {line for line in run(headers).splitlines()[1:] if line and line.split(":")[0].lower() not in CONNECTION}
    assert came == set(run("make page INSTRUMENT=instrument.json HEADERS=1").splitlines())
    listed = page.locator("main").inner_text()
    assert hashlib.sha256(run(piece).encode()).hexdigest() in listed
    hashed = run(questions).split()[0]
    assert hashed in listed
    visit(page, site, slug)
    expect(page.locator("footer")).to_contain_text(hashed)
    assert page.evaluate("document.querySelector('body > script:not([type])').textContent") == run(piece)
