"""The workspace in a real browser: with and without scripts, by keyboard, on a telephone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent import accessible, fits, until

TELEPHONE = {"width": 320, "height": 640}
MEANT = ("status of 409", "status of 422")  # refusals that a browser notes in its console


@pytest.fixture(scope="session")
def author(site: Site) -> tuple[str, str]:
    return site.researcher("grace")


@pytest.fixture
def quiet(page: Page) -> Iterator[None]:
    """Fails on anything a browser complains of: a blocked script or style, a fault in a script."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield
    assert not [text for text in complaints if not any(meant in text for meant in MEANT)]


def log_in(page: Page, site: Site, author: tuple[str, str]) -> None:
    page.goto(f"{site.url}/surveys/")
    page.get_by_label("Username").fill(author[0])
    page.get_by_label("Password").fill(author[1])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your surveys")


def new_survey(page: Page, title: str) -> None:
    page.get_by_role("link", name="New survey").click()
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


def add_yes_no(page: Page, text: str, name: str = "") -> None:
    page.get_by_role("link", name="Add a question").click()
    page.get_by_label("Question", exact=True).fill(text)
    if name:
        page.get_by_text("More settings").click()
        page.get_by_label("Variable name (optional)").fill(name)
    page.get_by_role("button", name="Save question").click()
    expect(page.locator(".workspace-question__text").last).to_have_text(text)


def lists(page: Page, *questions: str) -> None:
    """These questions, in this order."""
    expect(page.locator(".workspace-question__text")).to_have_text(list(questions))


@pytest.mark.usefixtures("quiet")
def test_the_link_and_the_text_for_a_mail_are_copied(site: Site, page: Page, author: tuple[str, str]) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    log_in(page, site, author)
    new_survey(page, "A survey to share")
    add_yes_no(page, "Did you ever share a password?")
    page.get_by_role("link", name="Publish").click()
    page.get_by_role("button", name="Publish and open").click()
    page.get_by_role("button", name="Copy the link").click()
    until(page, "navigator.clipboard.readText().then((text) => text.startsWith('http'))")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site.url}/s/\w+/", link)
    page.get_by_text("Text for a mail").click()
    page.get_by_role("button", name="Copy the text").click()
    until(page, "navigator.clipboard.readText().then((text) => text.startsWith('Please take part in our survey'))")
    assert f"\n\n{link}\n\n" in page.evaluate("navigator.clipboard.readText()").replace("\r\n", "\n")


@pytest.mark.usefixtures("quiet")
def test_the_focus_stays_where_the_work_is(site: Site, page: Page, author: tuple[str, str]) -> None:
    """By keyboard alone: three questions, moved, mended and deleted, and nobody is thrown back to the top."""
    log_in(page, site, author)
    new_survey(page, "Focus")
    for text in ("First?", "Second?", "Third?"):
        add_yes_no(page, text)
    page.get_by_role("button", name="Move up question Third?").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move up question Third?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move down question Third?")).to_be_focused()  # it is the first now
    lists(page, "Third?", "First?", "Second?")
    page.get_by_text("More on question First?").click()
    page.get_by_role("link", name="Delete question First?").click()
    page.get_by_role("button", name="Delete the question").click()
    expect(page.get_by_role("link", name="Second?", exact=True)).to_be_focused()
    page.get_by_text("More on question Second?").click()
    page.get_by_role("link", name="Delete question Second?").click()
    page.get_by_role("button", name="Delete the question").click()
    expect(page.get_by_role("link", name="Add a question")).to_be_focused()


@pytest.mark.usefixtures("quiet")
def test_a_survey_is_written_ordered_previewed_and_published(site: Site, page: Page, author: tuple[str, str]) -> None:
    log_in(page, site, author)
    new_survey(page, "Rules at work")
    add_yes_no(page, "Did you ever take a tool home?")
    add_yes_no(page, "Did you ever call in sick when you were well?")
    page.get_by_role("button", name="Move up").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Done")).to_contain_text("is moved up")
    lists(page, "Did you ever call in sick when you were well?", "Did you ever take a tool home?")
    address = page.url
    page.get_by_role("link", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules at work")
    page.goto(address)
    page.get_by_role("link", name="Publish").click()
    expect(page.locator("body")).to_contain_text("All answers together: at most 90.")
    page.get_by_role("button", name="Publish and open").click()
    expect(page.get_by_role("link", name="/s/")).to_be_visible()


@pytest.mark.usefixtures("quiet")
def test_a_mistake_takes_the_focus_and_leads_to_its_field(site: Site, page: Page, author: tuple[str, str]) -> None:
    log_in(page, site, author)
    new_survey(page, "Mistakes")
    page.get_by_role("link", name="Add a question").click()
    page.get_by_label("Question", exact=True).fill("Kept?")
    page.locator("summary", has_text="Method").click()
    page.get_by_label("Warner’s spinner").check()
    field = page.locator("#id_warner-p")
    field.fill("0,75")
    page.get_by_role("button", name="Save question").click()
    expect(page).to_have_title("Error: Add a question – Candor")
    expect(page.locator(":focus")).to_contain_text("There is a problem")
    page.get_by_role("link", name="Write 0.75").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("0,75")
    expect(field).to_have_accessible_description(re.compile(r"Error:\s+p: Write 0\.75"))
    page.keyboard.press("Control+A")
    page.keyboard.type("3/4")
    expect(page.locator("#panel")).to_contain_text("Warner's spinner (p = 3/4).")
    page.get_by_role("button", name="Save question").click()
    lists(page, "Kept?")


def test_only_what_the_kind_and_design_ask_for_is_shown(site: Site, page: Page, author: tuple[str, str]) -> None:
    log_in(page, site, author)
    new_survey(page, "Kinds")
    page.get_by_role("link", name="Add a question").click()
    choices, decline = page.get_by_label("Choices", exact=True), page.get_by_label("Offer “Prefer not to say”")
    expect(choices).to_be_hidden()
    page.get_by_label("Sensitive question with one choice").check()
    expect(choices).to_be_visible()
    page.locator("summary", has_text="Method").click()
    expect(page.get_by_label("p", exact=True)).to_have_count(5)
    expect(page.get_by_label("p", exact=True).locator("visible=true")).to_have_count(0)
    page.get_by_text("More designs").click()
    page.get_by_label("Unary: one scrambled bit").check()
    expect(page.locator("#id_unary-p")).to_be_visible()
    expect(page.locator("#id_warner-p")).to_be_hidden()
    page.get_by_label("Background question").check()
    expect(choices).to_be_visible()
    expect(decline).to_be_hidden()


def test_everything_works_without_scripts(site: Site, browser: Browser, author: tuple[str, str]) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, site, author)
    new_survey(page, "Plain")
    page.get_by_role("link", name="Add a question").click()
    page.get_by_label("Sensitive question with one choice").check()
    page.get_by_label("Question", exact=True).fill("Which fruit?")
    page.get_by_label("Choices", exact=True).fill("Apple\nPear\nApple")
    page.locator("summary", has_text="Method").click()
    page.get_by_text("More designs").click()
    page.get_by_label("Unary: one scrambled bit").check()
    page.locator("#id_unary-p").fill("0.75")
    page.get_by_role("button", name="Save question").click()
    page.get_by_role("link", name="“Apple” is there twice, on lines 1 and 3").click()
    expect(page.get_by_label("Choices", exact=True)).to_be_focused()
    expect(page.get_by_label("Choices", exact=True)).to_have_value("Apple\nPear\nApple")
    expect(page.locator("#id_unary-p")).to_have_value("0.75")
    page.get_by_label("Choices", exact=True).fill("Apple\nPear\nPlum")
    page.get_by_role("button", name="Show what this means").click()
    meaning = page.get_by_role("region", name="What this question means")
    expect(meaning).to_be_focused()
    expect(meaning).to_contain_text("Privacy loss ε = 2.20")
    expect(meaning.get_by_role("img", name="The question as respondents will see it")).to_be_visible()
    page.get_by_role("button", name="Save question").click()
    add_yes_no(page, "Do you like it?")
    page.get_by_role("button", name="Move up").click()
    lists(page, "Do you like it?", "Which fruit?")
    page.get_by_role("link", name="Publish").click()
    page.get_by_label("Reason").fill("It stays on this computer.")  # one answer at 9 to 1 is guessed 90 times in 100
    page.get_by_role("button", name="Publish and open").click()
    page.get_by_role("link", name="Close", exact=True).click()
    page.get_by_role("button", name="Close the survey").click()
    expect(page.locator("main")).to_contain_text("takes no more answers")
    page.context.close()


def test_what_no_address_alone_leads_to_fits_a_telephone_and_is_accessible(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    """Pages for visitors, refusals, and a survey in other states; tests/browser/test_every_page.py has all others."""
    page.set_viewport_size(TELEPHONE)

    def look(path: str) -> None:
        page.goto(site.url + path)
        assert fits(page), path
        accessible(page)

    for path in ("/", "/nowhere/", "/trusted-server/?n=0", "/login/"):
        look(path)
    log_in(page, site, author)
    new_survey(page, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen")
    add_yes_no(page, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen?", "q1")
    add_yes_no(page, "And again?")
    own = page.url.removeprefix(site.url).partition("?")[0]
    look("/surveys/join/nobody/")
    for rest in ("close/", "rehearsal/?n=500", "rehearsal/?n=0"):
        look(own + rest)
    page.goto(f"{site.url}{own}publish/")
    page.get_by_role("button", name="Publish and open").click()
    expect(page.get_by_role("link", name="/s/")).to_be_visible()
    for rest in ("", "edit/"):
        look(own + rest)
    page.goto(f"{site.url}{own}close/")
    page.get_by_role("button", name="Close the survey").click()
    expect(page.locator("main")).to_contain_text("takes no more answers")
    look(own)
