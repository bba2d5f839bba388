"""What people read and do before and after the questions. Numbers in docstrings: lines of docs/threat-model.md."""

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT, Site
from tests.browser.respondent_steps import (
    answer,
    begin,
    expect_heading,
    modes,
    press,
    remove,
    survey,
    to_the_list,
    unfold,
    visit,
)
from tests.servers import subprocesses


@pytest.fixture
def slug(site: Site) -> str:
    """A survey with a question in each mode."""
    return modes(site)


def test_the_introduction_says_the_consequence_first(page: Page, site: Site, slug: str) -> None:
    """24. Claim and consequence; unfolded, who asks, who can see what, what is kept, odds, limits: in this order."""
    visit(page, site, slug)
    unfold(page)
    text = page.locator("#intro").inner_text()
    order = [
        "Each sensitive answer is scrambled by chance before it is sent.",
        "A Yes that arrives may be yours, or may be chance.",
        "Try it: do you like chocolate?",
        "By pure chance, a guess between two answers is right 50 times in 100.",
        "4 questions.",
        "Who is asking, and why",
        "Ada, ada@example.org",
        "Who can see what",
        "Results appear from 40 responses while the survey is open",
        "What this device keeps",
        "How it works, in numbers",
        "If you choose Yes, Yes is sent 75 times in 100. If you choose No, Yes is sent 25 times in 100.",
        "When you press Send, your device scrambles each sensitive answer once",
        "The whole survey",
        "Limits",
        "Scrambling does not protect against:",
        "You can answer in flight mode",
        "“Exit”, at the top",
        "To print: the questions answered by hand",
    ]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    for word in (
        " lie",
        " lying",
        "fake",
        "flip",
        "anonymous",
        "Nobody could",
        "nobody could",
        "honest",
    ):
        expect(page.locator("body")).not_to_contain_text(word, use_inner_text=True)


def test_what_people_must_know_stands_there(page: Page, site: Site, slug: str) -> None:
    """25. What a recorded Yes means, the whole survey's protection, what is sent as it is, what a second time costs."""
    visit(page, site, slug)
    unfold(page)
    intro = page.locator("#intro")
    for words in (
        "A Yes that arrives may be yours, or may be chance.",
        "Answers marked “Not scrambled” could identify you.",
        "Answering again makes it easier to guess your answers.",
        "The whole survey",
    ):
        expect(intro).to_contain_text(words)


def test_quick_exit_erases_and_leaves_no_way_back(page: Page, site: Site, slug: str) -> None:
    """28. By /leave/ in the place of this page in the history, and from there to another site."""
    page.route(
        "https://www.wikipedia.org/**", lambda route: route.fulfill(body="<title>Elsewhere</title>")
    )
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
    expect_heading(page, "Sent. Thank you.")
    site.shell(
        "from surveys.fieldwork import lifecycle; from surveys.models import Survey;"
        f"lifecycle.close(Survey.objects.get(slug={slug!r}))"
    )
    page.reload()
    expect_heading(page, "Answers were sent from this device")
    expect(page.locator("#see")).to_be_hidden()
    expect(page).to_have_title(re.compile("^Closed"))
    remove(page)
    page.reload()
    expect(page.locator("h1:visible")).to_have_text("This survey is closed")


# What a connection adds: docs/checking.md names them.
CONNECTION = (
    "date",
    "server",
    "via",
    "connection",
    "keep-alive",
    "content-length",
    "transfer-encoding",
)


def test_the_commands_on_the_trust_page_work(
    page: Page, site: Site, slug: str, tmp_path: Path
) -> None:
    """5. As copied from the page: what is made again is what is handed out: page, headers, program, questions."""
    page.goto(f"{site.url}/trust/{slug}/")
    again, handed_out, headers, piece, questions = page.locator("pre").all_inner_texts()

    def run(command: str) -> str:
        command = command.replace("instrument.json", f"{tmp_path}/instrument.json").replace(
            "page.html", "/dev/null"
        )
        return subprocesses.run(
            ["bash", "-c", command.replace("make", "make -s -o .venv/runtime")],
            cwd=ROOT,
            env=site.environment,
        ).stdout

    made = run(again)
    assert f"{run(handed_out).split()[0]}  open" in made.splitlines()
    came = {
        line
        for line in run(headers).splitlines()[1:]
        if line and line.split(":")[0].lower() not in CONNECTION
    }
    assert came == set(run("make page INSTRUMENT=instrument.json HEADERS=1").splitlines())
    listed = page.locator("main").inner_text()
    assert hashlib.sha256(run(piece).encode()).hexdigest() in listed
    hashed = run(questions).split()[0]
    assert hashed in listed
    visit(page, site, slug)
    expect(page.locator("footer")).to_contain_text(hashed)
    assert page.evaluate("document.querySelector('body > script:not([type])').textContent") == run(
        piece
    )
