"""The tutorial is true word by word."""

import re

from playwright.sync_api import Browser, expect

from tests.browser.conftest import Site
from tests.whole_site.browser.tutorial import PAGE, Deed, deeds, demo_account, follow, names


def test_a_newcomer_who_follows_it_reads_a_number_for_both_questions(
    site: Site, browser: Browser
) -> None:
    pictures: list[str] = []
    page = follow(browser, site.url, demo_account(site), lambda page, name: pictures.append(name))
    expect(page.get_by_role("heading", name="Exams and honesty")).to_be_visible()
    # The invented answers to the second question are about equally common, so the sentence may name two of them.
    for result in (
        re.compile("Copied in an exam: about"),
        re.compile("Highest shares: |Most common answer: "),
    ):
        expect(page.get_by_text(result).first).to_be_visible()
    assert len(pictures) > 5
    assert all((PAGE.parent / "pictures" / name).exists() for name in pictures)


def test_everything_in_bold_is_done_or_read() -> None:
    done = [deed for deed in deeds() if deed.verb not in ("heading", "picture")]
    assert [deed.name for deed in done] == names()
    assert Deed("Write", "Answers", ("First", "Second", "Later")) in done
