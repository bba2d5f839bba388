"""From an empty account to a published survey, with panel and simulation; and every kind of question answered."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.test_workspace import (
    add_question,
    add_yes_no,
    lists,
    log_in,
    new_survey,
    publish,
    save,
)

KINDS = """
import json
from django.contrib.auth import get_user_model
from surveys.authoring.files import survey_file
from tests.factories import surveys
owner, _ = get_user_model().objects.get_or_create(username="kinds")
any = {"key": "many", "kind": "any", "text": "Which of these?", "design": "unary-any", "parameters": {"epsilon": "3"},
       "choices": ["Red", "Green", "Blue"], "section": "Colours"}
age = {"key": "age", "kind": "number", "text": "How old are you?", "minimum": -3, "maximum": 99}
data = {"candor": 1, "title": "Kinds", "consent": "I take part freely.", "questions": [any, age]}
survey = survey_file.read(data, owner=owner)
surveys.publish_survey(survey)
print(survey.slug)
"""


@pytest.fixture(scope="session")
def novice(site: Site) -> tuple[str, str]:
    return site.researcher("novice")


def test_from_an_empty_account_to_a_published_survey(
    site: Site, page: Page, novice: tuple[str, str]
) -> None:
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    log_in(page, site, novice)
    expect(page.locator("main")).to_contain_text("No surveys yet.")
    new_survey(page, "First steps")
    add_question(page)
    page.get_by_label("Question", exact=True).fill("Did you ever not pay and never say so?")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("4,265 respondents")
    expect(page.locator("#advice")).to_contain_text("Two negatives (“not” and “never”)")
    expect(panel).to_contain_text("Privacy loss ε = 1.10")
    panel.get_by_text("The numbers behind it").click()
    expect(panel.locator("svg.workspace-curve")).to_be_visible()
    save(page)
    page.get_by_role("link", name="Simulation").click()
    page.get_by_label("How many people answer?").fill("5000")
    page.get_by_role("button", name="Simulate").click()
    expect(page.get_by_role("heading", name="Report of 5,000 invented people")).to_be_visible()
    page.go_back()
    page.go_back()
    publish(page)
    page.get_by_role("link", name="Poster to print").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    expect(page.get_by_role("img")).not_to_have_js_property("naturalWidth", 0)
    assert not complaints


def test_what_was_typed_survives_a_lost_session(
    site: Site, page: Page, novice: tuple[str, str]
) -> None:
    log_in(page, site, novice)
    new_survey(page, "Lost and found")
    add_question(page)
    page.get_by_label("Question", exact=True).fill("Did you keep it?")
    page.get_by_text("Help text, section").click()
    page.locator("#id_decline").check()
    page.context.clear_cookies(name="sessionid")
    save(page)
    page.get_by_label("Username").fill(novice[0])
    page.get_by_label("Password").fill(novice[1])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("Did you keep it?")
    expect(page.locator("#id_decline")).to_be_checked()
    save(page)
    expect(page.locator("main")).to_contain_text("The question is saved.")
    add_question(page)
    expect(page.get_by_text("This tab still has what you typed")).to_be_hidden()


def test_several_choices_and_a_number_are_sent(site: Site, page: Page) -> None:
    slug = site.shell(KINDS)
    bodies: list[str] = []
    page.on(
        "request",
        lambda request: bodies.append(request.post_data) if request.method == "POST" else None,
    )
    page.goto(f"{site.url}/s/{slug}/")
    expect(page.locator("main")).to_contain_text("I take part freely.")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Colours", exact=True)).to_be_visible()
    page.get_by_label("Red").check()
    page.get_by_label("Blue").check()
    page.get_by_role("button", name="Continue").click()
    age = page.get_by_label("A whole number from -3 to 99")
    age.fill("100")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#errors")).to_be_visible()
    age.fill("41")
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("#review")).to_contain_text("Red, Blue")
    expect(page.locator("#review")).to_contain_text("41")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#sent")).to_be_visible()
    (body,) = bodies
    reports = json.loads(body)["reports"]
    assert reports["age"] == 44
    assert len(reports["many"]) == 3
    assert set(reports["many"]) <= {"0", "1"}


def test_leaving_with_something_unsaved_asks_first_and_keeps_it(
    site: Site, page: Page, novice: tuple[str, str]
) -> None:
    log_in(page, site, novice)
    new_survey(page, "Unsaved")
    add_question(page)
    page.wait_for_url("**/questions/new/")
    address = page.url
    page.get_by_label("Question", exact=True).fill("Half a question")
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:
        page.get_by_role("link", name="Cancel").click()
    assert asked.value.type == "beforeunload"
    expect(page.get_by_label("Question", exact=True)).to_have_value("Half a question")
    expect(page).to_have_url(address)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Cancel").click()
    page.wait_for_url(address.removesuffix("questions/new/"))
    page.goto(address)
    expect(page.get_by_label("Question", exact=True)).to_have_value("")
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("Half a question")


def test_questions_are_dragged_to_another_place(
    site: Site, page: Page, novice: tuple[str, str]
) -> None:
    log_in(page, site, novice)
    new_survey(page, "Dragged")
    for text in ("First?", "Second?", "Third?"):
        add_yes_no(page, text)
    page.wait_for_load_state()  # with the script that puts the handles there
    page.set_viewport_size({"width": 1280, "height": 2000})  # a drop outside the window is none
    page.locator(".grip").first.hover()
    page.mouse.down()
    page.locator("#question-second").hover()
    page.locator("#question-third").hover()
    page.locator("#question-third").hover()
    page.mouse.up()
    expect(page.get_by_role("region", name="Done")).to_contain_text("is moved down")
    lists(page, "Second?", "Third?", "First?")
