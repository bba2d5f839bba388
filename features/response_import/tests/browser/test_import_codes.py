"""The table that asks what the codes in a file mean: its buttons, with the keyboard, and what is typed around it."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from features.response_import.tests.browser.test_importing import Bringing
from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window


class Coding(Bringing):
    """Somebody whose file has codes for the questions tax (Yes, No) and region (North, South)."""

    def choose_coded(self, path: Path, *rows: str) -> None:
        path.write_text("\n".join(["tax,fruit,region,age", *rows]) + "\n")
        self.page.get_by_label("File").set_input_files(path)
        expect(self.meaning("region", "1")).to_be_visible()

    def expect_meanings(self, key: str, codes: str, values: list[str]) -> None:
        """Expect that the lists beside these codes show these values."""
        for code, value in zip(codes, values, strict=True):
            expect(self.meaning(key, code)).to_have_value(value)

    def meaning(self, key: str, code: str) -> Locator:
        """The list beside a code."""
        return self.page.locator(f"#line-{key}").get_by_label(f"Meaning of {code}", exact=True)

    def fill(self, key: str, name: str) -> None:
        self.page.locator(f"#line-{key}").get_by_role("button", name=name).click()

    def use(self) -> None:
        self.page.get_by_role("button", name="Use these meanings").click()


def test_codes_are_given_a_meaning_in_a_table_before_anything_is_added(
    site: Site, page: Page, tmp_path: Path
) -> None:
    coding = Coding(site, page, "coding")
    coding.choose_coded(tmp_path / "codes.csv", *["1,010,1,30", "2,010,2,40"] * 100, "2,010,0,50")
    table = page.locator("#line-region table")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.get_by_role("row").nth(1).locator("th, td.num")).to_have_text(["0", "1"])
    expect(table.get_by_role("row").nth(2).locator("th, td.num")).to_have_text(["1", "100"])
    expect(page.locator("#line-region")).to_contain_text("What do the codes in “region” mean?")
    expect(page.get_by_role("button", name="Preview import")).to_be_hidden()
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 800})
        assert fits_window(page)
        expect_accessible(page)
    coding.holds(0, 0, 0)

    coding.fill("tax", "1, 2, 3, …")
    coding.fill("region", "0, 1, 2, …")
    coding.expect_meanings("region", "012", ["0", "1", ""])
    coding.fill("region", "1, 2, 3, …")
    coding.expect_meanings("region", "012", ["", "0", "1"])
    expect(page.locator("#line-region").get_by_role("status")).to_have_text(
        "2 of 3 codes have a meaning."
    )
    page.get_by_label("Texts and codes").fill("NA, -7")
    coding.use()

    expect(page.locator("#line-region")).to_contain_text("Choose what “0” means.")
    expect(coding.meaning("region", "0")).to_be_focused()
    expect(coding.meaning("region", "0")).to_have_attribute("aria-invalid", "true")
    coding.expect_meanings("region", "012", ["", "0", "1"])
    expect(page.get_by_label("Texts and codes")).to_have_value("NA, -7")
    expect_accessible(page)
    coding.holds(0, 0, 0)

    coding.meaning("region", "0").select_option("No answer")
    coding.use()
    expect(page.get_by_text("Every question has its column.")).to_be_visible()
    coding.take()
    expect(page.get_by_role("row", name="region")).to_contain_text("North: 100")
    expect(page.get_by_role("row", name="region")).to_contain_text("South: 100")
    coding.add("201")
    coding.holds(201, 0, 0)
    assert coding.said == []


def test_a_button_of_the_table_keeps_no_answer_and_takes_the_meanings_of_the_other_button(
    site: Site, page: Page, tmp_path: Path
) -> None:
    coding = Coding(site, page, "buttons")
    coding.choose_coded(tmp_path / "codes.csv", "0,010,0,30", "1,010,1,40", "1,010,9,40")
    coding.meaning("region", "9").select_option("No answer")
    coding.fill("region", "0, 1, 2, …")
    coding.expect_meanings("region", "019", ["0", "1", "missing"])
    coding.fill("region", "1, 2, 3, …")
    coding.expect_meanings("region", "019", ["", "0", "missing"])


def test_the_table_is_filled_with_the_keyboard(site: Site, page: Page, tmp_path: Path) -> None:
    coding = Coding(site, page, "keyboard")
    coding.choose_coded(tmp_path / "codes.csv", "1,010,1,30", "0,010,2,40", "0,010,9,40")
    page.locator("#line-region").get_by_role("button", name="0, 1, 2, …").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(coding.meaning("region", "2")).to_have_value("1")
    for code in "129":
        page.keyboard.press("Tab")
        expect(coding.meaning("region", code)).to_be_focused()
    page.keyboard.press("End")
    expect(coding.meaning("region", "9")).to_have_value("missing")
    page.get_by_role("button", name="Use these meanings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Every question has its column.")).to_be_visible()
    page.get_by_label("Row with the column names").press("Enter")  # goes on, and fills nothing
    expect(page.locator("#line-region #meaning-region-9")).to_have_value("missing")


def test_a_code_behind_the_start_of_a_long_file_is_asked_for_and_nothing_chosen_is_lost(
    site: Site, page: Page, tmp_path: Path
) -> None:
    coding = Coding(site, page, "later")
    note = "n" * 480
    rows = [f"{number % 2},010,{1 + number % 2},30,{note}" for number in range(3000)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["tax,fruit,region,age,notes", *rows, f"2,010,9,40,{note}"]) + "\n")
    page.get_by_label("File").set_input_files(path)
    expect(page.locator("#line-region")).to_contain_text(
        "Only the start of the file has been read."
    )
    coding.fill("region", "1, 2, 3, …")
    coding.use()
    expect(page.get_by_text("Every question has its column.")).to_be_visible()
    coding.take()

    expect(page.get_by_text("The file has more codes further on.")).to_be_visible()
    expect(coding.meaning("region", "9")).to_be_visible()
    coding.expect_meanings("region", "129", ["0", "1", ""])
    expect(page.locator("#line-tax table").get_by_role("row")).to_have_count(4)
    coding.holds(0, 0, 0)
    coding.meaning("region", "9").select_option("No answer")
    for code, answer in {"0": "No", "1": "Yes", "2": "No answer"}.items():
        coding.meaning("tax", code).select_option(answer)
    coding.use()
    expect(page.get_by_text("Every question has its column.")).to_be_visible()
    coding.take()
    coding.add("3,001")
    coding.holds(3001, 0, 0)
    assert coding.said == []
