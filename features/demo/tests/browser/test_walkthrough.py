"""Ten minutes with a fresh clone, as a newcomer spends them: the demo, one answer, a first survey and its report."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from features.demo.tests import demo_server
from tests.web.test_voice import WORDS

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 900}}
AMBER = ".notice--warn, .chip--warn, .question__margin--wide"
MOST_CLICKS = 25
QUESTIONS = (
    "Have you taken office supplies home in the past 12 months?",
    "Have you called in sick without being ill in the past 12 months?",
)
NUMBER = re.compile(r"\d+% \(95% range \d+% to \d+%\)")
WRITTEN = {
    "title": "Twice",
    "questions": [{"kind": "yes-no", "text": "Have you taken office supplies home?"}],
}
CLICKS = """async () => {
  const form = document.querySelector("form[action$='/invented-answers/']");
  const send = () => fetch(form.action, { method: "POST", body: new FormData(form) });
  return (await Promise.all([send(), send(), send()])).map((answer) => answer.status);
}"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with demo_server.running(tmp_path_factory.mktemp("demo")) as printed:
        yield printed


@dataclass
class Newcomer:
    """Clicks and types, counts the clicks, and reads each page on which one is made."""

    page: Page
    clicks: int = 0
    bad: list[str] = field(default_factory=list)

    def click(self, there: Locator) -> None:
        self.read()
        there.click()
        self.clicks += 1

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True).first)

    def write(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def enter(self, label: str, text: str) -> None:
        """Writes a line and ends it."""
        self.write(label, text)
        self.read()
        self.page.get_by_label(label, exact=True).press("Enter")

    def read(self) -> None:
        """No amber line, and no word that has a better one, in anything that the page shows."""
        expect(self.page.locator("main")).to_be_visible()
        expect(self.page.locator(AMBER).locator("visible=true")).to_have_count(0)
        for line in self.page.locator("body").inner_text().splitlines():
            if word := WORDS.search(line):
                self.bad.append(f"“{word[0]}” in “{line.strip()[:120]}” on {self.page.url}")


@pytest.mark.parametrize("size", SIZES)
def test_from_the_demos_first_line_to_a_report_of_ones_own_survey(
    demo: dict[str, str], browser: Browser, size: str
) -> None:
    context = browser.new_context(locale="en-GB", viewport=SIZES[size])
    hand = Newcomer(context.new_page())
    answer_the_demo(hand, demo)
    log_in(hand, demo)
    write_two_questions(hand)
    publish(hand)
    read_the_report(hand)
    assert hand.bad == []
    assert hand.clicks <= MOST_CLICKS
    context.close()


def answer_the_demo(hand: Newcomer, demo: dict[str, str]) -> None:
    page = hand.page
    page.goto(demo["Answer as a respondent"])
    hand.click(page.get_by_role("button", name=re.compile("start$", re.IGNORECASE)))
    send, progress = (
        page.get_by_role("button", name="Send", exact=True),
        page.locator(".candor-progress:visible"),
    )
    expect(progress.or_(send)).to_be_visible()
    while progress.count():
        number = progress.inner_text()
        answer_what_is_shown(hand)
        expect(progress.filter(has_text=re.compile(f"^{number}$"))).to_have_count(0)
        expect(progress.or_(send)).to_be_visible()
    hand.click(send)
    expect(page.get_by_role("heading", name="Sent. Thank you.")).to_be_visible()


def answer_what_is_shown(hand: Newcomer) -> None:
    """One question, or on a wide screen all rows of a grid."""
    inputs = hand.page.locator("main input[name^=q-]:visible")
    if (number := inputs.and_(hand.page.locator("[inputmode]"))).count():
        number.fill("5")
        hand.read()
        number.press("Enter")
        return
    for name in inputs.evaluate_all("inputs => [...new Set(inputs.map((each) => each.name))]"):
        hand.click(hand.page.locator(f"input[name='{name}']:visible").first)
    hand.button("Continue")


def log_in(hand: Newcomer, demo: dict[str, str]) -> None:
    address, name, password = re.fullmatch(r"(\S+) with (\S+) / (\S+)", demo["Log in"]).groups()
    hand.page.goto(address)
    hand.write("Username", name)
    hand.enter("Password", password)
    expect(hand.page.get_by_role("link", name="New survey", exact=True)).to_be_visible()


def write_two_questions(hand: Newcomer) -> None:
    page = hand.page
    hand.link("New survey")
    hand.write("How many responses do you expect? (optional)", "1000")
    hand.enter("Title", "Office life")
    expect(page.get_by_role("link", name="Add your first question")).to_be_visible()
    hand.link("Welcome")
    hand.write("Consent (optional)", "I take part of my own free will.")
    hand.enter("Contact (optional)", "Ida Example, ida@example.org")
    hand.link("Add your first question")
    first, second = QUESTIONS
    hand.write("Question", first)
    hand.button("Save and add another")
    expect(page.get_by_label("Question", exact=True)).to_have_value("")
    hand.write("Question", second)
    hand.button("Save")
    expect(page.locator("[data-order] > li")).to_have_count(2)


def publish(hand: Newcomer) -> None:
    hand.link("Review and publish")
    expect(hand.page.get_by_role("heading", name="Nothing in the way")).to_be_visible()
    hand.button("Publish for everyone with the link")
    expect(hand.page.get_by_role("link", name="/s/")).to_be_visible()


def read_the_report(hand: Newcomer) -> None:
    page = hand.page
    hand.button("Send 1,000 invented answers")
    expect(page.get_by_text("980 are in the report.")).to_be_visible()
    expect(page.get_by_text("Invented answers. A simulation sent")).to_be_visible()
    results = page.locator("section.result")
    expect(results).to_have_count(len(QUESTIONS))
    for result, question in zip(results.all(), QUESTIONS, strict=True):
        expect(result).to_contain_text(f"{question} · 980 responses")
        expect(result).to_contain_text(NUMBER)
    hand.read()


def test_the_report_that_it_names_is_open_to_anyone(demo: dict[str, str], page: Page) -> None:
    assert list(demo) == demo_server.LABELS
    page.goto(demo["See the report"])
    expect(page.get_by_text("14,436 invented responses")).to_be_visible()


def test_clicks_at_once_send_the_answers_once(demo: dict[str, str], page: Page) -> None:
    """Written and published with the token that the demo prints."""
    root = demo["See the report"].removesuffix("sample/")
    made = ask(demo, f"{root}api/v1/surveys/", WRITTEN)
    survey = f"{root}api/v1/surveys/{made['slug']}/"
    ask(demo, f"{survey}publish/", {})
    log_in(Newcomer(page), demo)
    page.goto(f"{root}surveys/{made['slug']}/")
    assert page.evaluate(CLICKS) == [200, 200, 200]
    count = ask(demo, f"{survey}count/")
    assert (count["released"], count["waiting"]) == (980, 20)
    page.reload()
    expect(page.get_by_text("980 responses")).to_be_visible()
    expect(page.get_by_role("button", name="Send 1,000 invented answers")).to_have_count(0)


def ask(demo: dict[str, str], address: str, body: dict | None = None) -> dict:
    headers = {"Authorization": f"Token {demo['API token']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, headers), timeout=demo_server.PATIENCE) as answer:
        return json.load(answer)
