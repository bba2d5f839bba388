"""The respondent's page in a real browser. Numbers in docstrings: lines of the list in docs/threat-model.md."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    answer,
    begin,
    choose,
    count_stored,
    expect_closed,
    expect_heading,
    expect_ready,
    fits_window,
    press,
    see_what_was_sent,
    survey,
    unfold,
    visit,
    wire,
)


def test_a_response_is_sent_explained_and_stored(page: Page, site: Site) -> None:
    slug = survey(site, "stored")
    visit(page, site, slug)
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    expect(page.locator("#form, #intro")).to_have_count(0)
    see_what_was_sent(page)
    reports = wire(page)
    expect(page.locator("#sent dd[data-key=tax]")).to_have_text(
        "Yes was sent. That happens 75 times in 100 if you choose Yes, 25 times if you choose No."
        if reports["tax"]
        else "No was sent. That happens 75 times in 100 if you choose No, 25 times if you choose Yes."
    )
    expect(page.locator("#sent dd[data-key=region]")).to_have_text("North was sent, not scrambled.")
    labels = ("Apple", "Pear", "Plum", "Quince", "Prefer not to say")
    marked = [label for label, bit in zip(labels, reports["fruit"], strict=True) if bit == "1"]
    if 0 < len(marked) < len(labels):
        expect(page.locator("#sent dd[data-key=fruit] li")).to_have_text(marked)
    assert count_stored(site, slug) == 1


def test_yes_stands_before_no_and_is_index_1(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    begin(page)
    expect(page.locator("[data-key=tax] label")).to_have_text(["Yes", "No"])
    assert page.locator("[data-key=tax] input").evaluate_all(
        "all => all.map(one => one.value)"
    ) == ["1", "0"]


def test_the_explanation_has_the_numbers_of_the_matrix(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    tax = "If you choose Yes, Yes is sent 75 times in 100. If you choose No, Yes is sent 25 times in 100."
    fruit = "A ticked box is sent as ticked 75 times in 100, an unticked one 25 times."
    expect(page.locator("#q-tax-sent")).to_contain_text(tax)
    expect(page.locator("#q-fruit-sent")).to_contain_text(fruit)
    expect(page.locator("#q-region-sent")).to_contain_text("Not scrambled")
    # ln 3 for tax, 2 ln 3 for fruit: 27/28 together.
    expect(page.locator(".candor-consequence").first).to_contain_text(
        "With one of your scrambled answers: at most 90. With all of them: at most 97."
    )


def test_a_missing_answer_is_named_at_the_top_and_at_its_question(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    begin(page)
    press(page, "Continue")
    expect(page.locator("#errors")).to_be_focused()
    expect(page.locator("#errors button:visible")).to_have_text(["Choose one answer"])
    expect(page.locator(".candor-question:visible .govuk-error-message")).to_be_visible()
    expect(page.locator("#q-tax")).to_have_attribute("aria-describedby", "q-tax-error q-tax-sent")
    page.get_by_role("button", name="Choose one answer").click()
    expect(page.locator("#q-tax-1")).to_be_focused()
    choose(page, tax=1)
    expect(page.locator("#errors")).to_be_hidden()
    press(page, "Back")
    expect(page.locator("#q-tax")).to_have_attribute("aria-describedby", "q-tax-sent")


def test_the_list_shows_what_was_chosen_and_lets_it_be_changed(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    answer(page, tax=0, fruit=1, region=0)
    shown = page.locator("#review [data-answer]")
    expect(shown).to_have_text(["No", "Pear", "North"])
    page.get_by_role("button", name="Change About fruit?").click()
    expect_heading(page, "About fruit?")
    choose(page, fruit=3)
    expect_heading(page, "Check your answers")
    expect(shown).to_have_text(["No", "Quince", "North"])


def test_reload_brings_no_answer_back(page: Page, site: Site) -> None:
    """16. Before Send: nothing is checked after a reload."""
    visit(page, site, survey(site))
    answer(page)
    page.reload()
    expect_ready(page)
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.locator("#review [data-answer]").first).to_have_text("")


def test_after_send_neither_back_nor_reload_brings_answers_back(page: Page, site: Site) -> None:
    """16. After Send: that something was sent is shown again; what was sent, and the answers, are gone."""
    visit(page, site, survey(site))
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.goto(f"{site.url}/")
    page.go_back()
    expect_heading(page, "Answers were sent from this device")
    expect(page.locator("#see")).to_be_hidden()
    page.reload()
    expect_heading(page, "Answers were sent from this device")
    expect(page.locator("#see")).to_be_hidden()
    expect(page.locator("#sent [data-written]")).to_have_count(0)
    expect(page.locator("input:checked")).to_have_count(0)
    expect_closed(page)


def test_the_page_fits_a_telephone(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    visit(page, site, survey(site))
    unfold(page)
    assert fits_window(page)
    answer(page)
    assert fits_window(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    see_what_was_sent(page)
    assert fits_window(page)


def test_texts_of_authors_are_text(page: Page, site: Site) -> None:
    """HTML stays text, Arabic runs from right to left, and a </script> does not end the instrument."""
    slug = site.shell(
        """
from tests.factories import surveys
introduction = "</script><img src=x onerror=alert(1)>"
survey = surveys.create_draft(surveys.create_researcher("texts"), title="<b>bold</b>", introduction=introduction)
labels = ["<i>one</i>", "اثنان", "&amp;"]
question = surveys.add_choice(survey, labels=labels, design="direct", parameters={"epsilon": "1"})
question.text = "ما هو <script>alert(1)</script>"
question.save()
surveys.publish_survey(survey)
print(survey.slug)
"""
    )
    visit(page, site, slug)
    expect(page.locator("h1:visible")).to_have_text("<b>bold</b>")
    expect(page.get_by_text("</script><img src=x onerror=alert(1)>")).to_be_visible()
    expect(page.locator("[data-key=fruit] label")).to_have_text(["<i>one</i>", "اثنان", "&amp;"])
    expect(page.locator(".candor-question__text")).to_have_css("direction", "rtl")
    begin(page)
    choose(page, fruit=0)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    expect(page.locator("main img, main b, main i")).to_have_count(0)
