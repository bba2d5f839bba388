"""The workspace in a real browser: with and without scripts, by keyboard, on a telephone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window, until

TELEPHONE = {"width": 320, "height": 640}
MEANT = ("status of 409", "status of 422")  # refusals that a browser notes in its console


@pytest.fixture(scope="session")
def author(site: Site) -> tuple[str, str]:
    return site.researcher("grace")


@pytest.fixture
def quiet(page: Page) -> Iterator[None]:
    """Fails on anything a browser complains of: a blocked script or style, a fault in a script."""
    complaints: list[str] = []
    page.on(
        "console",
        lambda message: complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield
    assert not [text for text in complaints if not any(meant in text for meant in MEANT)]


def log_in(page: Page, site: Site, author: tuple[str, str]) -> None:
    page.goto(f"{site.url}/surveys/")
    page.get_by_label("Username").fill(author[0])
    page.get_by_label("Password").fill(author[1])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Surveys")


def new_survey(page: Page, title: str) -> None:
    page.get_by_role("link", name="New survey").click()
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_role("button", name="Create survey").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


def add_question(page: Page, kind: str = "Yes/no", *, scrambled: bool = True) -> None:
    """Open the page of a new question, and choose its type."""
    page.get_by_role("link", name=re.compile("^Add (a|your first) question$")).click()
    choose_type(page, kind, scrambled=scrambled)


def choose_type(page: Page, kind: str, *, scrambled: bool = True) -> None:
    page.get_by_role(
        "radio", name=re.compile("^Scrambled" if scrambled else "^Not scrambled")
    ).check()
    radio = page.get_by_role("radio", name=kind, exact=True)
    # Two question types are called “Number”; the script of the page hides the one that does not fit.
    expect(radio).to_have_count(1)
    radio.check()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()


def add_yes_no(page: Page, text: str, name: str = "") -> None:
    add_question(page)
    page.get_by_label("Question", exact=True).fill(text)
    if name:
        page.get_by_text("Method, variable name").click()
        page.get_by_label("Variable name (optional)").fill(name)
    save(page)
    expect(page.locator(".question .row__name").last).to_have_text(text)


def lists(page: Page, *questions: str) -> None:
    """These questions, in this order."""
    expect(page.locator(".question .row__name")).to_have_text(list(questions))


def menu(page: Page, text: str) -> Locator:
    """What opens the menu of a question."""
    return page.locator("summary", has_text=f"Move, copy or delete question {text}")


def publish(page: Page) -> None:
    page.get_by_role("link", name="Review and publish").click()
    page.get_by_role("button", name="Publish for everyone with the link").click()


def close(page: Page) -> None:
    """On the page that asks whether to close the survey."""
    page.get_by_role("button", name="Close survey").click()
    expect(page.locator(".head .chip")).to_have_text("Closed")


@pytest.mark.usefixtures("quiet")
def test_the_link_and_the_text_for_a_mail_are_copied(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    log_in(page, site, author)
    new_survey(page, "A survey to share")
    add_yes_no(page, "Did you ever share a password?")
    publish(page)
    page.get_by_role("button", name="Copy link").click()
    until(page, "navigator.clipboard.readText().then((text) => text.startsWith('http'))")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{site.url}/s/\w+/", link)
    page.get_by_text("Email text", exact=True).click()
    page.get_by_role("button", name="Copy email text").click()
    until(
        page,
        "navigator.clipboard.readText().then((text) => text.startsWith('Please take part in our survey'))",
    )
    assert f"\n\n{link}\n\n" in page.evaluate("navigator.clipboard.readText()").replace(
        "\r\n", "\n"
    )


@pytest.mark.usefixtures("quiet")
def test_the_focus_stays_where_the_work_is(site: Site, page: Page, author: tuple[str, str]) -> None:
    """By keyboard alone: three questions, moved, mended and deleted, and nobody is thrown back to the top."""
    log_in(page, site, author)
    new_survey(page, "Focus")
    for text in ("First?", "Second?", "Third?"):
        add_yes_no(page, text)
    up = page.locator("#question-third").get_by_role("button", name="Move up")
    menu(page, "Third?").focus()
    for order in (("First?", "Third?", "Second?"), ("Third?", "First?", "Second?")):
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(up).to_be_focused()
        page.keyboard.press("Enter")
        lists(page, *order)
        expect(menu(page, "Third?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(up).to_have_count(0)  # it is the first now
    page.keyboard.press("Alt+ArrowDown")  # the way without the menu
    lists(page, "First?", "Third?", "Second?")
    expect(menu(page, "Third?")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    lists(page, "Third?", "First?", "Second?")
    for text in ("First?", "Second?"):
        menu(page, text).click()
        page.get_by_role("link", name="Delete").click()
        page.get_by_role("button", name="Delete the question").click()
        after = page.get_by_role(
            "link", name="Second?" if text == "First?" else "Add a question", exact=True
        )
        expect(after).to_be_focused()


@pytest.mark.usefixtures("quiet")
def test_a_survey_is_written_ordered_previewed_and_published(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    log_in(page, site, author)
    new_survey(page, "Rules at work")
    add_yes_no(page, "Did you ever take a tool home?")
    add_yes_no(page, "Did you ever call in sick when you were well?")
    menu(page, "Did you ever call in sick when you were well?").click()
    page.get_by_role("button", name="Move up").press("Enter")
    expect(page.get_by_role("region", name="Done")).to_contain_text("is moved up")
    lists(page, "Did you ever call in sick when you were well?", "Did you ever take a tool home?")
    address = page.url
    page.get_by_role("link", name="Preview").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules at work")
    page.goto(address)
    page.get_by_role("link", name="Review and publish").click()
    expect(page.locator("main")).to_contain_text("All answers together: at most 90.")
    page.get_by_role("button", name="Publish for everyone with the link").click()
    expect(page.get_by_role("link", name="/s/")).to_be_visible()


@pytest.mark.usefixtures("quiet")
def test_a_mistake_takes_the_focus_and_leads_to_its_field(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    log_in(page, site, author)
    new_survey(page, "Mistakes")
    add_question(page)
    page.get_by_label("Question", exact=True).fill("Kept?")
    page.locator("summary", has_text="Method, variable name").click()
    page.get_by_label("Warner’s spinner").check()
    field = page.locator("#id_warner-p")
    field.fill("0,75")
    save(page)
    expect(page).to_have_title("Error: New question: Mistakes – Candor")
    expect(page.locator(":focus")).to_contain_text("There is a problem")
    page.get_by_role("link", name="Write 0.75").click()
    expect(field).to_be_focused()
    expect(field).to_have_value("0,75")
    expect(field).to_have_accessible_description(re.compile(r"Error:\s+p: Write 0\.75"))
    page.keyboard.press("Control+A")
    page.keyboard.type("3/4")
    expect(page.locator("#panel")).to_contain_text("Warner's spinner (p = 3/4).")
    save(page)
    lists(page, "Kept?")


def test_only_what_the_kind_and_design_ask_for_is_shown(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    log_in(page, site, author)
    new_survey(page, "Kinds")
    add_question(page)
    choices, decline = page.get_by_label("Answers", exact=True), page.locator("#id_decline")
    page.locator("summary", has_text="Help text").click()
    expect(choices).to_be_hidden()
    expect(decline).to_be_visible()
    choose_type(page, "Single choice")
    expect(choices).to_be_visible()
    page.locator("summary", has_text="Method, variable name").click()
    expect(page.get_by_label("p", exact=True)).to_have_count(5)
    expect(page.get_by_label("p", exact=True).locator("visible=true")).to_have_count(0)
    page.get_by_text("More methods").click()
    page.get_by_label("Unary: one scrambled bit").check()
    expect(page.locator("#id_unary-p")).to_be_visible()
    expect(page.locator("#id_warner-p")).to_be_hidden()
    types = page.get_by_role("radio").and_(page.locator("[name=kind]"))
    expect(types).to_have_count(6)
    page.get_by_role("radio", name=re.compile("^Not scrambled")).check()
    expect(types).to_have_count(2)
    expect(
        page.get_by_role("radio", name="Single choice")
    ).to_be_checked()  # of the same name as before
    expect(page.get_by_role("radio", name="Single choice")).to_have_value("background")
    expect(choices).to_be_visible()
    expect(decline).to_be_hidden()
    expect(page.locator("#id_unary-p")).to_be_hidden()


def test_everything_works_without_scripts(
    site: Site, browser: Browser, author: tuple[str, str]
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, site, author)
    new_survey(page, "Plain")
    add_question(page, "Single choice")
    page.get_by_label("Question", exact=True).fill("Which fruit?")
    page.get_by_label("Answers", exact=True).fill("Apple\nPear\nApple")
    page.locator("summary", has_text="Method, variable name").click()
    page.get_by_text("More methods").click()
    page.get_by_label("Unary: one scrambled bit").check()
    page.locator("#id_unary-p").fill("0.75")
    save(page)
    page.get_by_role("link", name="“Apple” appears twice, on lines 1 and 3").click()
    expect(page.get_by_label("Answers", exact=True)).to_be_focused()
    expect(page.get_by_label("Answers", exact=True)).to_have_value("Apple\nPear\nApple")
    expect(page.locator("#id_unary-p")).to_have_value("0.75")
    page.get_by_label("Answers", exact=True).fill("Apple\nPear\nPlum")
    page.get_by_role("button", name="Update preview").click()
    meaning = page.get_by_role("region", name="What this question means")
    expect(meaning).to_be_focused()
    expect(meaning).to_contain_text("Privacy loss ε = 2.20")
    expect(
        meaning.get_by_role("img", name="The question as respondents will see it")
    ).to_be_visible()
    save(page)
    add_yes_no(page, "Do you like it?")
    menu(page, "Do you like it?").click()
    page.get_by_role("button", name="Move up").click()
    lists(page, "Do you like it?", "Which fruit?")
    page.get_by_role("link", name="Review and publish").click()
    page.get_by_label("Reason").fill(
        "It stays on this computer."
    )  # one answer at 9 to 1 is guessed 90 times in 100
    page.get_by_role("button", name="Publish for everyone with the link").click()
    page.get_by_role("link", name="Close survey").click()
    close(page)
    page.context.close()


def test_what_no_address_alone_leads_to_fits_a_telephone_and_is_accessible(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    """Pages for visitors, refusals, and a survey in other states; test_every_page.py has all others."""
    page.set_viewport_size(TELEPHONE)

    def look(path: str) -> None:
        page.goto(site.url + path)
        assert fits_window(page), path
        expect_accessible(page)

    for path in ("/", "/nowhere/", "/trusted-server/?n=0", "/login/"):
        look(path)
    log_in(page, site, author)
    new_survey(page, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen")
    add_yes_no(page, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen?", "q1")
    add_yes_no(page, "And again?")
    own = page.url.removeprefix(site.url).partition("?")[0]
    look("/surveys/join/nobody/")
    for rest in ("close/", "simulation/?n=500", "simulation/?n=0"):
        look(own + rest)
    page.goto(site.url + own)
    publish(page)
    expect(page.get_by_role("link", name="/s/")).to_be_visible()
    for rest in ("", "welcome/"):
        look(own + rest)
    page.goto(f"{site.url}{own}close/")
    close(page)
    look(own)
