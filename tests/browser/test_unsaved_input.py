"""What an author typed and did not save: it comes back into its own fields, or is forgotten, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.test_workspace import add_question, log_in, new_survey, save

# Of each question type, the fields that are typed. The list of answers is too short, so that saving is refused.
TYPED = {
    "Multiple choice": {"Answers": "Only one"},
    "Number": {"From": "10", "To": "5", "In steps of": "2", "Unit": "hours"},
    "Rating scale": {"Scale points": "Only one"},
}
QUESTION = "What did you do at work?"
NOTICE = "This tab still has what you typed here and has not been saved."

# All values by name, as the form would send them; what belongs to one page load stays out.
VALUES = """() => Object.fromEntries(
    [...new FormData(document.querySelector("[data-keep]"))].filter(([name]) => name !== "csrfmiddlewaretoken")
)"""


@pytest.fixture(scope="session")
def author(site: Site) -> tuple[str, str]:
    return site.researcher("unsaved")


def type_question(page: Page, kind: str) -> dict[str, str]:
    """Type a question that cannot be saved, and return all values of its form."""
    add_question(page, kind)
    page.get_by_label("Question", exact=True).fill(QUESTION)
    for label, text in TYPED[kind].items():
        field = page.get_by_label(label, exact=True).or_(
            page.get_by_label(f"{label} (optional)", exact=True)
        )
        field.fill(text)
    return page.evaluate(VALUES)


def open_new_question(page: Page) -> None:
    page.get_by_role("link", name="Add your first question").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New question")
    page.wait_for_load_state()


def log_in_again(page: Page, author: tuple[str, str]) -> None:
    page.get_by_label("Username").fill(author[0])
    page.get_by_label("Password").fill(author[1])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New question")


def expect_typed(page: Page, values: dict[str, str], kind: str) -> None:
    """Expect all values in their fields, the fields of the question type visible, and the method unchanged."""
    expect(page.get_by_label("Question", exact=True)).to_have_value(QUESTION)
    expect(
        page.get_by_role("radio", name=kind, exact=True).and_(page.locator(":visible"))
    ).to_be_checked()
    for label, text in TYPED[kind].items():
        field = page.get_by_label(label, exact=True).or_(
            page.get_by_label(f"{label} (optional)", exact=True)
        )
        expect(field).to_have_value(text)
        expect(field).to_be_visible()
    assert page.evaluate(VALUES) == values
    assert values["design"] == ""


@pytest.mark.parametrize("kind", TYPED)
def test_a_refused_question_comes_back_into_its_own_fields(
    site: Site, page: Page, author: tuple[str, str], kind: str
) -> None:
    log_in(page, site, author)
    new_survey(page, f"Refused: {kind}")
    values = type_question(page, kind)
    save(page)
    expect(page.locator("[aria-invalid]").first).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Cancel").click()
    open_new_question(page)
    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect_typed(page, values, kind)
    save(page)
    expect(page.locator("[aria-invalid]").first).to_be_visible()
    expect(page.get_by_text("doesn’t fit this question type")).to_have_count(0)


def test_put_it_back_fills_in_the_fields_of_the_question_type(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    log_in(page, site, author)
    new_survey(page, "Put back")
    values = type_question(page, "Number")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Cancel").click()
    open_new_question(page)
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    expect_typed(page, values, "Number")


@pytest.mark.parametrize("kind", TYPED)
def test_an_expired_session_brings_a_question_back_and_forget_it_empties_the_fields(
    site: Site, page: Page, author: tuple[str, str], kind: str
) -> None:
    log_in(page, site, author)
    new_survey(page, f"Expired: {kind}")
    open_new_question(page)
    empty = page.evaluate(VALUES)
    page.get_by_role("link", name="Cancel").click()
    values = type_question(page, kind)
    page.context.clear_cookies(name="sessionid")
    save(page)
    log_in_again(page, author)
    expect_typed(page, values, kind)
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    expect(page.get_by_label("Question", exact=True)).to_have_value("")
    assert page.evaluate(VALUES) == empty
    expect(page.get_by_role("radio", name="Yes/no", exact=True)).to_be_visible()
    expect(page.locator("#panel")).to_contain_text(
        "±6.2"
    )  # the panel speaks of the empty form again
    page.get_by_role("link", name="Cancel").click()  # asks nothing, as nothing is unsaved
    open_new_question(page)
    expect(page.get_by_text(NOTICE)).to_be_hidden()
    expect(page.get_by_label("Question", exact=True)).to_have_value("")


def test_forget_it_leaves_what_was_typed_since(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    log_in(page, site, author)
    new_survey(page, "Typed since")
    type_question(page, "Number")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Cancel").click()
    open_new_question(page)
    page.get_by_label("Question", exact=True).fill("Something newer?")
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("Something newer?")
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("Something newer?")


def test_what_an_earlier_version_of_the_page_kept_is_not_put_into_fields(
    site: Site, page: Page, author: tuple[str, str]
) -> None:
    """Values without names cannot be told apart."""
    log_in(page, site, author)
    new_survey(page, "Earlier")
    type_question(page, "Number")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("link", name="Cancel").click()
    page.evaluate("""() => {
        const key = Object.keys(sessionStorage).find((name) => name.startsWith("candor draft "));
        sessionStorage.setItem(key, JSON.stringify(Array(60).fill("3/4")));
    }""")
    open_new_question(page)
    expect(page.get_by_text(NOTICE)).to_be_hidden()
