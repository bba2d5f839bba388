"""The tutorial is true word by word."""

from playwright.sync_api import Browser, expect

from tests.browser.tutorial import PAGE, Deed, deeds, follow, names


def test_whoever_follows_it_has_a_survey_that_was_answered(site, browser: Browser) -> None:
    _, password = site.researcher("demo")
    pictures: list[str] = []
    page = follow(browser, site.url, password, lambda page, name: pictures.append(name))
    expect(page.get_by_role("heading", name="Exams and honesty")).to_be_visible()
    assert len(pictures) > 5
    assert all((PAGE.parent / "pictures" / name).exists() for name in pictures)


def test_everything_in_bold_is_done_or_read() -> None:
    done = [deed for deed in deeds() if deed.verb not in ("heading", "picture")]
    assert [deed.name for deed in done] == names()
    assert Deed("Write", "Answers", ("First", "Second", "Later")) in done
