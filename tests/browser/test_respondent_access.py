"""For everybody: axe, keyboard, narrow screens, languages. Numbers: lines of the list in docs/threat-model.md."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    address,
    begin,
    choose,
    expect_heading,
    fits_window,
    modes,
    press,
    remove,
    spin,
    unfold,
    violations,
    visit,
)


@pytest.fixture
def slug(site: Site) -> str:
    """A survey with a question in each mode."""
    return modes(site)


def test_axe_finds_nothing_on_any_step(page: Page, site: Site, slug: str) -> None:
    """27. wcag2a to wcag22aa: introduction with everything open, each question, an error, the list, what was sent."""
    visit(page, site, slug)
    unfold(page)
    found = {"intro": violations(page)}
    begin(page)
    press(page, "Continue")
    found["error"] = violations(page)
    choose(page, tool=1)
    spin(page)
    found["spinner"] = violations(page)
    choose(page, sick=1)
    found["by hand"] = violations(page)
    choose(page, contract=0)
    found["background"] = violations(page)
    choose(page, region=0)
    found["list"] = violations(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.get_by_text("See what was sent").click()
    found["sent"] = violations(page)
    remove(page)
    found["forgotten"] = violations(page)
    page.goto(f"{site.url}/trust/{slug}/")
    found["trust"] = violations(page)
    page.goto(address(site, "nobodyknows"))
    found["missing"] = violations(page)
    assert found == dict.fromkeys(found, "")


def test_by_keyboard_alone(page: Page, site: Site, slug: str) -> None:
    """27. From the first Tab to what was sent."""

    def reach(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if name in page.evaluate(
                "document.activeElement.textContent + (document.activeElement.id ?? '')"
            ):
                return
        raise AssertionError(f"Tab never reaches {name}")

    visit(page, site, slug)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    expect(page).to_have_url(address(site, slug))
    reach("Start")
    page.keyboard.press("Enter")
    expect_heading(page, "About tool?")
    reach("q-tool-1")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect_heading(page, "About sick?")
    reach("Spin")
    page.keyboard.press("Enter")
    expect(page.locator(".candor-question:visible .candor-landed")).to_be_focused()
    reach("q-sick-1")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#q-sick-0")).to_be_checked()
    reach("Continue")
    page.keyboard.press("Enter")
    expect_heading(page, "About contract?")
    reach("q-contract-1")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect_heading(page, "About region?")
    reach("q-region-0")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect_heading(page, "Check your answers")
    reach("Send")
    page.keyboard.press("Enter")
    expect_heading(page, "Sent. Thank you.")


def test_reduced_motion_and_forced_colours_are_respected(page: Page, site: Site, slug: str) -> None:
    """27. No turning hand; and parts, icons and buttons keep an edge when the colours are forced."""
    page.emulate_media(reduced_motion="reduce", forced_colors="active")
    visit(page, site, slug)
    begin(page)
    choose(page, tool=1)
    spin(page)
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(".candor-question:visible .govuk-button").first).to_have_css(
        "border-top-style", "solid"
    )
    expect(page.locator(".candor-spinner__part:visible").first).not_to_have_css("stroke", "none")


@pytest.mark.parametrize("width", [320, 1280])
def test_no_step_scrolls_sideways(page: Page, site: Site, slug: str, width: int) -> None:
    """27. In a telephone's width and a desk's."""
    page.set_viewport_size({"width": width, "height": 640})

    visit(page, site, slug)
    unfold(page)
    assert fits_window(page)
    begin(page)
    assert fits_window(page)
    choose(page, tool=1)
    spin(page)
    assert fits_window(page)
    choose(page, sick=1)
    assert fits_window(page)
    choose(page, contract=0, region=0)
    assert fits_window(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.get_by_text("See what was sent").click()
    assert fits_window(page)
    page.goto(f"{site.url}/trust/{slug}/")
    assert fits_window(page)


@pytest.mark.parametrize(
    ("language", "start", "done", "first"),
    [
        pytest.param("de", "Beginnen", "Gesendet. Danke.", "Ja", marks=pytest.mark.long),
        pytest.param("fr", "Commencer", "Envoyé. Merci.", "Oui", marks=pytest.mark.long),
        pytest.param("es", "Empezar", "Enviado. Gracias.", "Sí", marks=pytest.mark.long),
        ("ar", "ابدأ", "أُرسلت. شكرًا لك.", "نعم"),
    ],
)
def test_the_whole_way_in_another_language(  # noqa: PLR0917
    page: Page, site: Site, language: str, start: str, done: str, first: str
) -> None:
    slug = modes(site, language)
    page.set_viewport_size({"width": 320, "height": 640})
    visit(page, site, slug)
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
    unfold(page)
    found = [violations(page)]
    press(page, start)
    expect(page.locator("[data-key=tool] label").first).to_have_text(first)
    for key in ("tool", "sick", "contract", "region"):
        if key == "sick":
            spin(page)
        page.check(f"#q-{key}-1")
        assert fits_window(page)
        page.locator("section:visible [type=submit]").click()
    found.append(violations(page))
    page.locator("section:visible [type=submit]").click()
    expect_heading(page, done)
    page.locator("#see summary").click()
    found.append(violations(page))
    assert found == ["", "", ""]
    assert fits_window(page)
