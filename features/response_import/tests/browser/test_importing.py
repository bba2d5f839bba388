"""A real file of several parts, sent by the page: progress, a failure in the middle, going on, what is wrong in it."""

import json
import re
import secrets
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import expect_accessible, fits_window
from tests.browser.workspace_steps import log_in

MAKE = """
from django.contrib.auth import get_user_model
from tests.factories.import_surveys import create_import_survey
print(create_import_survey(get_user_model().objects.get(username={name!r})).slug)
"""
# Only this survey counts, because other tests of the same site may leave an import of their own.
COUNT = """
import json
from surveys.models import Import, Instrument, Piece
instrument = Instrument.objects.get(survey__slug={slug!r})
imports = Import.objects.filter(survey=instrument.survey)
unfinished = imports.exclude(state="done").count()
pieces = Piece.objects.filter(file__in=imports).count()
print(json.dumps([instrument.tally.get("n", 0), unfinished, pieces]))
"""
ROWS, NOTE = 5_000, "n" * 480
WATCH = "addEventListener('securitypolicyviolation', (event) => console.error('refused', event.effectiveDirective))"


def write(folder: Path, **wrong: str) -> Path:
    """A file of about 2.5 MB, three parts. wrong: as r5="x" for an age that is none in row 5."""
    lines = ["tax,fruit,region,age,notes"] + [
        f"{n % 2},01{n % 2},South,{18 + n % 82},{NOTE}" for n in range(ROWS)
    ]
    for name, age in wrong.items():
        lines[int(name[1:]) - 1] = f"1,010,South,{age},{NOTE}"
    path = folder / "responses.csv"
    path.write_text("\n".join(lines))
    return path


class Bringing:
    """Somebody on the page, with a survey that takes files."""

    def __init__(self, site: Site, page: Page, name: str) -> None:
        self.site, self.page, self.said = site, page, []
        page.add_init_script(WATCH)
        page.on(
            "console",
            lambda message: self.said.append(message.text) if "refused" in message.text else None,
        )
        page.on("pageerror", lambda error: self.said.append(str(error)))
        log_in(page, site, *site.researcher(name))
        self.slug = site.shell(MAKE.format(name=name))
        page.goto(f"{site.url}/surveys/{self.slug}/import/")

    def choose(self, path: Path) -> None:
        self.page.get_by_label("File").set_input_files(path)
        self.page.get_by_text("The first rows, as Candor reads them").first.wait_for()

    def take(self) -> None:
        """On to what the file would add."""
        self.page.get_by_role("button", name="Preview import").click()

    def add(self, n: str) -> None:
        self.page.get_by_role("button", name=f"Add {n} responses").click()
        expect(self.page.get_by_role("heading", name="Responses added")).to_be_visible()

    def holds(self, *expected: int) -> None:
        """Responses in the survey, unfinished imports, pieces put aside; the last may go while the page says so."""
        for _ in range(50):
            found = json.loads(self.site.shell(COUNT.format(slug=self.slug)))[: len(expected)]
            if found == [*expected]:
                return
            self.page.wait_for_timeout(100)
        assert found == [*expected]


def test_a_file_of_several_parts_fails_in_the_middle_and_goes_on(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "bringer")
    page.set_viewport_size({"width": 320, "height": 640})
    bringing.choose(write(tmp_path))
    expect_accessible(page)
    sent: list[int] = []

    def second_fails(route: Route) -> None:
        sent.append(int(route.request.url.split("/")[-2]))
        if sent.count(2) == 1 and sent[-1] == 2:
            route.abort()
        else:
            route.continue_()

    page.route("**/parts/*/", second_fails)
    bringing.take()
    expect(
        page.get_by_role("status").filter(has_text="The site did not answer. Nothing is lost")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    assert 0 < page.locator("#bar").evaluate("bar => bar.value / bar.max") < 0.6
    expect_accessible(page)
    assert fits_window(page)
    bringing.holds(0, 1)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Add 5,000 responses")).to_be_visible()
    bringing.holds(0, 1)
    assert sent == [1, 2, 2, 3]
    expect_accessible(page)
    assert fits_window(page)
    page.go_back()
    expect(page.get_by_label("File")).to_be_visible()
    page.go_forward()
    bringing.add("5,000")
    page.go_back()
    page.reload()
    bringing.holds(ROWS, 0, 0)
    expect_accessible(page)
    assert bringing.said == []


def test_an_answer_that_got_lost_counts_once(site: Site, page: Page, tmp_path: Path) -> None:
    bringing = Bringing(site, page, "loser")
    bringing.choose(write(tmp_path))
    lost: list[str] = []

    def loses_one(route: Route) -> None:
        answer = route.fetch()
        if "/parts/2/" in route.request.url and not lost:
            lost.append(route.request.url)
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/imports/**", loses_one)
    bringing.take()
    page.get_by_role("button", name="Try again").click()
    bringing.add("5,000")
    assert lost
    bringing.holds(ROWS, 0, 0)


def test_whoever_is_logged_out_midway_logs_in_elsewhere_and_goes_on(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "away")
    bringing.choose(write(tmp_path))
    page.context.clear_cookies(name="sessionid")
    bringing.take()
    expect(page.get_by_text("Perhaps you are logged out: log in, then look again.")).to_be_visible()
    other = page.context.new_page()
    password = site.shell(
        "from django.contrib.auth.models import User; user = User.objects.get(username='away');"
        "user.set_password('right horse battery'); user.save(); print('right horse battery')"
    )
    log_in(other, site, "away", password)
    page.route("**/parts/2/", lambda route: route.abort(), times=1)
    bringing.take()
    page.get_by_role("button", name="Try again").wait_for()
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Try again").click()
    expect(
        page.get_by_text("You are logged out. Log in again in another tab, then try again here.")
    ).to_be_visible()
    log_in(other, site, "away", password)
    page.get_by_role("button", name="Try again").click()
    bringing.add("5,000")


def test_what_is_wrong_is_listed_by_row_and_column_and_nothing_stays(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "erring")
    page.set_viewport_size({"width": 320, "height": 640})
    bringing.choose(write(tmp_path, r3751="17", r4999="old"))
    bringing.take()
    expect(page.get_by_role("heading", name="Nothing was imported")).to_be_focused()
    expect(
        page.get_by_text("2 problems in the file. Correct the file, then choose it again, or say")
    ).to_be_visible()
    rows = page.locator("#wrong-rows tr")
    expect(rows).to_have_count(2)
    expect(rows.first.locator("td")).to_have_text(
        ["3751", "age", "“17” is not a whole number from 18 to 99."]
    )
    expect(rows.last.locator("td")).to_have_text(["4999", "age", re.compile("“old”")])
    bringing.holds(0, 0, 0)
    expect_accessible(page)
    assert fits_window(page)
    bringing.choose(write(tmp_path))
    bringing.take()
    bringing.add("5,000")
    assert bringing.said == []


def test_it_can_be_cancelled_midway(site: Site, page: Page, tmp_path: Path) -> None:
    bringing = Bringing(site, page, "stopper")
    bringing.choose(write(tmp_path))
    page.route("**/parts/2/", lambda route: None)  # never answered
    bringing.take()
    expect(page.get_by_text("responses checked.")).to_be_visible()
    page.get_by_role("button", name="Stop upload").click()
    expect(page.get_by_text("The upload is stopped. Nothing was imported.")).to_be_visible()
    bringing.holds(0, 0, 0)


def test_a_tab_that_is_closed_midway_leaves_an_import_to_cancel(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "leaver")
    bringing.choose(write(tmp_path))
    page.route("**/parts/2/", lambda route: None)
    bringing.take()
    expect(page.get_by_text("responses checked.")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{site.url}/surveys/{bringing.slug}/import/")
    bringing.holds(0, 1)
    page.get_by_role("button", name="Cancel it").click()
    page.get_by_text("The import is cancelled, and its data are deleted.").wait_for()
    bringing.holds(0, 0, 0)


def test_columns_of_other_names_and_texts_are_said_in_the_form(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "mapper")
    path = tmp_path / "own.csv"
    path.write_text(
        "Q1;A;B;C;Where?;Age\nja;x;;;North;30\nnein;;x;x;South;45\n", encoding="utf-8-sig"
    )
    page.get_by_label("File").set_input_files(path)
    page.get_by_text("Some questions are not clear yet.").wait_for()
    expect_accessible(page)
    for name, column in {"tax": "Q1", "fruit-0": "A", "fruit-1": "B", "fruit-2": "C"}.items():
        if name == "fruit-0":
            page.locator("#form-fruit").select_option("each")
        page.locator(f"#column-{name}").select_option(column)
    page.locator("#as-tax").select_option("own")
    page.get_by_label("“No” is written as").fill("nein")
    page.get_by_label("“Yes” is written as").fill("ja")
    page.locator("#as-fruit").select_option("own")
    page.get_by_label("What means “marked”?").fill("x")
    page.get_by_role("button", name="Continue").click()
    # The column “Where?” was recognized by the question's text.
    page.get_by_role("cell", name="Pear, Plum").wait_for()
    page.route("**/imports/", lambda route: route.abort(), times=1)
    bringing.take()
    page.get_by_role(
        "button", name="Try again"
    ).click()  # what was said is not lost where even the start failed
    bringing.add("2")
    bringing.holds(2, 0, 0)


def test_a_file_with_holes_is_shown_as_it_is_read_and_corrected_on_the_page(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "holes")
    path = tmp_path / "holes.csv"
    rows = [
        "Umfrage;;;",
        "tax;fruit;region;age",
        "TRUE;010;Süd;30",
        "NA;010;South;-99",
        "y;;North;99",
    ]
    path.write_text("\r\n".join(rows), encoding="windows-1252")
    page.get_by_label("File").set_input_files(path)
    page.get_by_text("most likely in Windows-1252").wait_for()
    page.get_by_text("The column names are in row 2.").wait_for()
    expect_accessible(page)
    page.get_by_text(
        "“-99” is not a whole number from 18 to 99. If it means “no report”"
    ).wait_for()
    page.get_by_label("Texts and codes").fill("NA, -99, Süd")
    page.get_by_role("button", name="Look again").click()
    page.get_by_text(
        "Without an answer among the 3 rows that were checked: tax 1, fruit 1, region 1, age 1."
    ).wait_for()
    expect_accessible(page)
    bringing.take()
    bringing.add("3")
    page.get_by_role("link", name="Report", exact=True).last.click()
    page.locator("summary", has_text="Method").first.click()
    page.get_by_text("n = 2. 1 response has no answer to this question.").first.wait_for()
    assert bringing.said == []


def test_a_workbook_is_looked_at_as_a_whole_and_imported(
    site: Site, page: Page, tmp_path: Path
) -> None:
    bringing = Bringing(site, page, "excel")
    path = tmp_path / "answers.xlsx"
    rows = [
        [n % 2, "010", "South" if n % 3 else None, 18 + n % 82, secrets.token_urlsafe(120)]
        for n in range(ROWS)
    ]  # what is noted at random takes room in a workbook too
    pd.DataFrame(rows, columns=["tax", "fruit", "region", "age", "notes"]).to_excel(
        path, index=False
    )
    assert path.stat().st_size > 262_144  # more than is looked at of other files
    bringing.choose(path)
    expect(page.locator("#encoding")).to_have_value("xlsx")
    expect(page.get_by_text("Without an answer among the 5,000 rows")).to_be_visible()
    bringing.take()
    bringing.add("5,000")
    bringing.holds(ROWS, 0, 0)


@pytest.mark.parametrize("content", [b"tax\n\x81\n", b"PK\x03\x04"])
def test_a_file_that_cannot_be_read_says_why_at_once(
    site: Site, page: Page, tmp_path: Path, content: bytes
) -> None:
    bringing = Bringing(site, page, f"reader{len(content)}")
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    page.get_by_label("File").set_input_files(path)
    expect(page.get_by_role("heading", name="The file cannot be read")).to_be_visible()
    expect(page.get_by_role("button", name="Preview import")).to_be_hidden()
    assert bringing.said == []
