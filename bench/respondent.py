"""The respondent's page in a real browser: requests, bytes as sent, and how long until it can be used.

    python -m bench.respondent

A site of its own on the loopback address, twenty visits with an empty cache to each of four pages: a survey with a
question of each kind, one of 30 questions with 10 conditions, in one language and in five, these two in turns, and a
question with a list of 20,000 choices: how heavy, and how long until the field has answered to a key.
"Usable" is the moment the page lets people go to the questions, from the start of the navigation.
"""

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium, respondent_steps
from tests.browser.conftest import Site

VISITS = 20
MOST_BYTES = 100_000  # of the large page, compressed
MOST_TIMES = 1.5  # as long until usable as in one language
WATCH = """
const note = () => { globalThis.usable = performance.now(); };
new MutationObserver(note).observe(document, { attributeFilter: ["disabled"], subtree: true });
"""
# Texts as long as people write them: 13 words a question, help of ten at each sensitive yes/no question, answers of two
# words, an introduction and a consent of 40. The words are drawn, in each language from 500 of its own, so that no text
# is like another and compression finds little in them.
LARGE = """
from random import Random
from surveys.definition import fields
from tests.factories import surveys
from surveys.models import Choice
from surveys.fieldwork.lifecycle import publish

LETTERS = {{"ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"}}

def text(code, count, chance):
    letters = LETTERS.get(code, "abcdefghijklmnoprstuvwz")
    words = Random(code)
    known = ["".join(words.choices(letters, k=words.randint(2, 9))) for _ in range(500)]
    return " ".join(chance.choices(known, k=count))

survey = surveys.create_draft(surveys.create_researcher({name!r}), introduction="x", consent="x", contact="x",
                      asks_consent=True)
for number in range(5):
    surveys.add_background(survey, f"about_{{number}}", ("Never", "Rarely", "Often"))
for number in range(10):
    surveys.add_yes_no(survey, f"yes_{{number}}", help="x", section="x" if number == 5 else "")
for number in range(15):
    surveys.add_choice(survey, f"which_{{number}}")
chance = Random(1)
LENGTHS = {{"introduction": 40, "consent": 40, "text": 13, "help": 10, "label": 2}}
for row in [survey, *survey.questions.all(), *Choice.objects.filter(question__survey=survey)]:
    for code in ("en", *{further!r}):
        filled = [each for each in fields.texts(type(row)) if getattr(row, each)]
        texts = {{each: text(code, LENGTHS.get(each, 4), chance) for each in filled}}
        if code == "en":
            for each, said in texts.items():
                setattr(row, each, said)
            row.translations = {{}}
        else:
            row.translations[code] = texts
    row.save()
for number, question in enumerate(survey.questions.filter(kind="yes-no")):
    parent = survey.questions.get(key=f"about_{{number % 5}}")
    question.when = {{"of": parent.key, "in": [parent.choices.last().label]}}
    question.save()
survey.further_languages = list({further!r})
survey.save()
publish(survey, reason="A measurement, which nobody answers.")
print(survey.slug)
"""
# 20,000 names of two to five syllables, as towns have them, each another one.
LIST = """
from random import Random
from surveys.authoring.drafts import drafts
from surveys.fieldwork.lifecycle import publish
from tests.factories import surveys

chance, names = Random(1), set()
parts = [first + last for first in "bdfgklmnprstvw" for last in "aeiou"]
parts += ["burg", "dorf", "heim", "stadt", "ville", "ton"]
while len(names) < 20_000:
    names.add("".join(chance.choices(parts, k=chance.randint(2, 5))).capitalize())
survey = surveys.create_draft(surveys.create_researcher("a long list"))
drafts.save_question(survey=survey, text="Where?", key="where", kind="choice", choices=sorted(names), design="balanced")
print(publish(survey).survey.slug)
"""
MOST_OF_A_LIST = 250_000  # bytes of the page, compressed
MOST_UNTIL_USABLE, MOST_UNTIL_ANSWERED = 1_000, 50  # milliseconds
# Milliseconds from a key until the answers that fit stand in the page, measured: a letter, a word, nothing that fits.
TYPE = """() => {
    const field = document.getElementById("q-where-list");
    const begun = performance.now();
    field.focus();
    const first = performance.now() - begun;
    const times = ["b", "ba", "bada", "dorf", "", "zzz", "Ton"].map((text) => {
        const begun = performance.now();
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.getBoundingClientRect();
        return performance.now() - begun;
    });
    return [first, ...times];
}"""
FURTHER = ("de", "fr", "es", "ar")


def visit(browser: Browser, address: str) -> tuple[int, int, float, int]:
    """(requests, bytes of all bodies as sent, milliseconds until usable, bytes of the page alone as sent)."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    traffic = respondent_steps.Traffic(page)
    page.goto(address)
    respondent_steps.expect_ready(page)
    page.wait_for_load_state("networkidle")
    sent = [response.request.sizes()["responseBodySize"] for response in traffic.responses]
    found = len(traffic.requests), sum(sent), page.evaluate("globalThis.usable"), sent[0]
    context.close()
    return found


def say(name: str, found: list[tuple[int, int, float, int]]) -> float:
    """Prints what the visits took; returns the median of milliseconds until usable."""
    requests, sent, _, page = found[0]
    times = sorted(milliseconds for _, _, milliseconds, _ in found)
    middle = statistics.median(times)
    print(f"{name}: requests {requests}, {sent:,} bytes as sent, {page:,} of them the page")
    print(f"  usable after {middle:.0f} ms (median of {len(times)}), {times[-1]:.0f} ms at most")
    return middle


def large(browser: Browser, site: Site) -> None:
    """The survey of 30 questions in one language and in five, in turns, so that both find the same machine."""
    codes = {"one language": (), "five languages": FURTHER}
    slugs = {
        name: site.shell(LARGE.format(name=name, further=further))
        for name, further in codes.items()
    }
    found: dict[str, list] = {name: [] for name in codes}
    for turn in range(VISITS + 1):
        for name, slug in slugs.items():
            figures = visit(browser, respondent_steps.address(site, slug))
            found[name] += (
                [figures] if turn else []
            )  # the first one warms the server, as any earlier visitor does
    one, five = (say(f"30 questions, 10 conditions, {name}", each) for name, each in found.items())
    sent = found["five languages"][0][3]
    print(
        f"  {sent:,} of at most {MOST_BYTES:,} bytes; {five / one:.2f} times one language, at most {MOST_TIMES}"
    )


def long_list(browser: Browser, site: Site) -> None:
    address = respondent_steps.address(site, site.shell(LIST).splitlines()[-1])
    visit(browser, address)
    visits = [visit(browser, address) for _ in range(VISITS)]
    say("20,000 choices", visits)
    print(f"  of at most {MOST_OF_A_LIST:,} bytes, and {MOST_UNTIL_USABLE} ms")
    times = [time for _ in range(5) for time in _typed(browser, address)]
    print(
        f"  a key is answered after {statistics.median(times):.0f} ms, {max(times):.0f} ms at most"
    )
    print(f"  of at most {MOST_UNTIL_ANSWERED} ms")


def _typed(browser: Browser, address: str) -> list[float]:
    page = browser.new_page()
    page.goto(address)
    respondent_steps.expect_ready(page)
    respondent_steps.begin(page)
    page.locator("#q-where-list").wait_for()
    times: list[float] = page.evaluate(TYPE)
    page.close()
    return times


@contextmanager
def served() -> Iterator[Site]:
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        site.manage("migrate", "--verbosity", "0")
        site.manage("collectstatic", "--verbosity", "0", "--no-input")
        site.start()
        try:
            yield site
        finally:
            site.stop()


def main() -> None:
    with served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        address = respondent_steps.address(site, respondent_steps.survey(site))
        visit(browser, address)
        say("a question of each kind", [visit(browser, address) for _ in range(VISITS)])
        large(browser, site)
        long_list(browser, site)
        browser.close()


if __name__ == "__main__":
    main()
