"""How little a person has to look at and to do: what can be acted on a page, and the whole way from log in to CSV."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible
from tests.browser.workspace_steps import log_in

# What can be acted on in the main part of a page, head and tabs included, folds closed, with the script at work. Radio
# buttons of one name are one field.
STOPS = """() => {
  for (const fold of document.querySelectorAll("main details")) fold.open = false;
  const names = new Set();
  return [...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")]
    .filter((each) => each.type !== "hidden" && each.checkVisibility() && !each.closest("[inert]"))
    .filter((each) => each.type !== "radio" || (!names.has(each.name) && names.add(each.name)))
    .map((each) => `${each.localName} ${(each.innerText || each.name || "").trim().slice(0, 60)}`);
}"""
MAKE = """
from django.contrib.auth import get_user_model
from features.demo.survey import misconduct
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Survey
from tests.factories.surveys import add_background, add_choice, create_draft, add_yes_no
owner = get_user_model().objects.get(username="dean")
survey = create_draft(owner, target=1_000, contact="ada@example.org", consent="I agree.")
add_yes_no(survey)
add_choice(survey)
add_background(survey)
sheet = create_draft(owner, import_only=True, further_languages=["de"])
add_yes_no(sheet, mode="by-hand")
lock_questions(sheet)
study = misconduct.load(owner)
Survey.objects.filter(pk=study.pk).update(slug="studied")  # the start page of this site is that of one without a demo
print(survey.slug, "studied", sheet.slug)
"""
CLOSE = """
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Survey
survey = Survey.objects.get(slug={slug!r})
close_survey(survey, survey.owner)
from features.shared_reports import links
links.create(survey=survey, by=survey.owner, note="Dean")
"""
NEXT = """
from surveys.authoring.files.survey_file import new_version
from surveys.models import Survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import publish_survey
survey = Survey.objects.get(slug={slug!r})
fresh = new_version(survey, survey.owner)
publish_survey(fresh)
add_invented_responses(fresh.instrument, 1_500)
print(fresh.slug)
"""
SEND = """
from surveys.models import Survey
from tests.factories.many_responses import add_invented_responses
add_invented_responses(Survey.objects.get(slug={slug!r}).instrument, 45)
"""


def test_every_page_asks_little(site: Site, page: Page) -> None:
    """The most of each page: of a draft with three questions, and of the demo's study with twelve."""
    log_in(page, site, *site.researcher("dean"))
    slugs = site.shell(MAKE).splitlines()[-1].split()
    draft, study, sheet = (f"/surveys/{slug}/" for slug in slugs)
    most = {
        "/": 7 + 2,  # and the two answers of the try
        "/surveys/": 4 + 3 + 1,  # a survey each, and what the demo brings
        "/surveys/new/": 7,
        draft: 19 + 2 * 3,
        f"{draft}welcome/": 9 + 18,
        f"{draft}after/": 9 + 3,
        f"{draft}questions/new/": 20,
        f"{draft}questions/fruit/": 20,
        f"{draft}simulation/": 11
        + 7,  # three folds of the result, and the number of people besides
        f"{draft}publish/": 4 + 6,
        f"{draft}people/": 10 + 1,
        f"{draft}files/": 22,
        f"{draft}settings/": 22,
        study: 20,
        f"{study}questions/": 12 + 12,
        f"{study}report/": 17 + 3 * 12,
        f"{study}report/quality/": 10,
        f"{study}people/": 10 + 1,
        f"{study}files/": 22,
        f"{study}settings/": 22,
        f"{sheet}sheet/": 4,
        f"{sheet}files/": 22,
        f"{study}compare/?by=faculty": 14
        + 3 * 1
        + 1 * 5,  # one question with a clear difference, five others
    }
    seen = {path: _stops(page, site, path) for path in most}
    site.shell(CLOSE.format(slug=slugs[1]))
    most |= {f"{study}?": 15, f"{study}report/links/": 10 + 2}
    seen |= {path: _stops(page, site, path) for path in most if path not in seen}
    later = site.shell(NEXT.format(slug=slugs[1])).splitlines()[-1].strip()
    most |= {f"/surveys/{later}/compare/earlier/": 14}  # nothing to act on in its sections
    seen |= {path: _stops(page, site, path) for path in most if path not in seen}
    wrong = [
        f"{path} has {len(has)} of {most[path]}: {has}"
        for path, has in seen.items()
        if len(has) > most[path]
    ]
    assert not wrong, "\n".join(wrong)


def _stops(page: Page, site: Site, path: str) -> list[str]:
    page.goto(site.url + path)
    return page.evaluate(STOPS)


@dataclass
class Keyboard:
    """Does everything with keys alone, and counts: presses stand for clicks, texts for fields."""

    page: Page
    clicks: int = 0
    fields: int = 0

    def press(self, there: Locator) -> None:
        self._reach(there)
        if there.get_attribute("type") == "radio":
            for _ in range(20):
                if there.is_checked():
                    break
                self.page.keyboard.press("ArrowDown")
            expect(there).to_be_checked()
        else:
            self.page.keyboard.press(
                "Space" if there.get_attribute("type") == "checkbox" else "Enter"
            )
        self.clicks += 1

    def write(self, label: str, text: str) -> None:
        field = self.page.get_by_label(label, exact=True)
        self._reach(field)
        self.page.keyboard.press("Control+a")  # a new scale has points already
        self.page.keyboard.insert_text(text)
        self.fields += 1

    def _reach(self, there: Locator) -> None:
        is_there = "e => e === document.activeElement || (e.type === 'radio' && e.name === document.activeElement.name)"
        for _ in range(120):
            if there.evaluate(is_there):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{there} is not reached with the Tab key")

    def link(self, name: str) -> None:
        with self.page.expect_navigation():
            self.press(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str) -> None:
        with self.page.expect_navigation():
            self.press(self.page.get_by_role("button", name=name, exact=True))

    def radio(self, name: str) -> None:
        self.press(self.page.get_by_role("radio", name=name))


def test_from_log_in_to_csv_with_keys_alone(site: Site, page: Page) -> None:
    """Target, contact, consent, a report group, five questions of five types, one with a condition, simulation,
    publish, answers by program, close, CSV: at most 30 clicks and 20 fields, and no amber line."""
    name, password = site.researcher("ida")
    hand = Keyboard(page)
    page.goto(f"{site.url}/login/")
    _write(hand, name, password)
    draft = page.url.partition("?")[0]
    expect(page.locator("[data-order] > li")).to_have_count(5)
    expect(page.locator(".notice--warn, .chip--warn, .question__margin--wide")).to_have_count(0)
    expect_accessible(page)
    hand.link("Simulation")
    expect(page.get_by_role("heading", name="Report of 10,000 invented people")).to_be_visible()
    expect_accessible(page)
    hand.link("Review and publish")
    expect(page.get_by_role("heading", name="Nothing in the way")).to_be_visible()
    expect(page.locator(".notice--warn, .chip--warn")).to_have_count(0)
    expect_accessible(page)
    hand.button("Publish for everyone with the link")
    expect(page.get_by_role("link", name="/s/")).to_be_focused()
    expect_accessible(page)
    site.shell(SEND.format(slug=draft.rstrip("/").rpartition("/")[2]))

    hand.link("Close survey")
    hand.button("Close survey")
    hand.link("Files")
    expect_accessible(page)
    hand.press(page.locator("summary", has_text="All 9 formats"))
    with page.expect_download() as download:
        hand.press(page.get_by_role("link", name="responses.csv", exact=True))
    assert len(download.value.path().read_text().splitlines()) == 46
    assert hand.clicks <= 30
    assert hand.fields <= 20


def _write(hand: Keyboard, name: str, password: str) -> None:
    page = hand.page
    hand.write("Username", name)
    hand.write("Password", password)
    hand.button("Log in")
    hand.link("New survey")
    hand.write("Title", "Work and health")
    hand.write("How many responses do you expect? (optional)", "10000")
    hand.button("Create survey")
    hand.link("Welcome")
    hand.write("Contact (optional)", "Ida Example, ida@example.org")
    hand.write("Consent (optional)", "I take part of my own free will.")
    hand.button("Save")

    hand.link("Add your first question")
    hand.radio("Not scrambled")
    hand.write("Question", "Which department do you work in?")
    hand.write("Answers", "Sales\nResearch\nService")
    hand.press(page.get_by_role("checkbox", name="Use for groups in the report"))
    hand.button("Save and add another")
    hand.radio("Scrambled For anything")
    hand.radio("Yes/no")
    hand.write("Question", "Have you called in sick without being ill?")
    hand.press(page.locator("summary", has_text="Condition"))
    hand.press(page.get_by_role("checkbox", name="Research"))
    hand.button("Save and add another")
    for kind, text, fields in (
        (
            "Multiple choice",
            "Which of these have you taken home?",
            {"Answers": "Paper\nTools\nFood"},
        ),
        ("Rating scale", "I trust my manager.", {"Scale points": "Disagree\nNeither\nAgree"}),
        ("Number", "How many hours did you do nothing last week?", {"From": "0", "To": "40"}),
    ):
        hand.radio(kind)
        hand.write("Question", text)
        for label, value in fields.items():
            hand.write(label, value)
        hand.button("Save" if kind == "Number" else "Save and add another")
        expect(page.get_by_role("alert")).to_have_count(0)
