"""docs/tutorial.md, done word by word: what is bold in its numbered steps is pressed, chosen or written into.

The page is read, not repeated here, so that it cannot say what is not so: a button of another name is not found.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site

PAGE = Path(__file__).resolve().parents[3] / "docs/tutorial.md"
SIZE, PHONE = {"width": 1180, "height": 860}, {"width": 390, "height": 780}
ON_A_PHONE = "## Answer it on a phone"
# A heading; a picture; what is pressed, opened, chosen or written into; what can be read then.
VERB = r"(?P<verb>Press|Open|Choose|Write|and the password|You read)"
TYPED = r"(?P<typed>(?:`[^`]+`(?:, | and )?)*)"
DEED = re.compile(
    r"^(?P<heading>## .*)$|!\[[^]]*\]\(pictures/(?P<picture>[\w-]+\.png)\)"
    rf"|{VERB} {TYPED}[^*`]*?\*\*(?P<name>[^*]+)\*\*",
    re.MULTILINE,
)
Taken = Callable[[Page, str], object]


@dataclass(frozen=True)
class Deed:
    """verb: "heading", "picture", or the word of the page. typed: one text for each line."""

    verb: str
    name: str
    typed: tuple[str, ...] = ()


def deeds() -> list[Deed]:
    return [_deed(found) for found in DEED.finditer(_text())]


def _text() -> str:
    """The tutorial after its first paragraph, with each paragraph on one line."""
    _, _, text = PAGE.read_text().partition("\n## ")
    return re.sub(r"\n +(?=\S)", " ", re.sub(r"(?<=\S)\n(?=[^\s#\d])", " ", f"## {text}"))


def _deed(found: re.Match[str]) -> Deed:
    for kind in ("heading", "picture"):
        if found[kind]:
            return Deed(kind, found[kind])
    return Deed(found["verb"], found["name"], tuple(re.findall("`([^`]+)`", found["typed"])))


def demo_account(site: Site) -> str:
    """The account of `make demo`, as that makes it: only its surveys take invented answers. Returns its password."""
    return site.shell(
        "from features.demo.management.commands.demo import demo_access; print(demo_access()['password'])"
    )


def names() -> list[str]:
    """Everything that stands in bold."""
    return re.findall(r"\*\*([^*]+)\*\*", _text())


def follow(
    browser: Browser, url: str, password: str, picture: Taken = lambda page, name: None
) -> Page:
    """From the login to the report. `picture` is given the page at each picture of the tutorial. Returns the page."""
    desk = browser.new_context(locale="en-GB", viewport=SIZE, color_scheme="light").new_page()
    desk.goto(f"{url}/login/")
    page = desk
    for deed in deeds():
        if deed.verb == "heading":
            page = _phone(browser, desk) if deed.name == ON_A_PHONE else desk
        elif deed.verb == "picture":
            expect(page.locator("h1:visible").first).to_be_visible()
            picture(page, deed.name)
        else:
            _do(page, deed, password)
    return desk


def _phone(browser: Browser, desk: Page) -> Page:
    context = browser.new_context(
        locale="en-GB", viewport=PHONE, device_scale_factor=2, color_scheme="light"
    )
    phone = context.new_page()
    phone.goto(
        desk.get_by_role("region", name="Invite people")
        .get_by_role("link")
        .first.get_attribute("href")
    )
    return phone


def _do(page: Page, deed: Deed, password: str) -> None:
    if deed.verb == "Press":
        _pressable(page, deed.name).click()
    elif deed.verb == "Choose":
        field = _seen(page.get_by_label(deed.name, exact=True).or_(_label(page, deed.name)))
        if page.get_by_role("checkbox", name=deed.name, exact=True).count():
            expect(
                field
            ).not_to_be_checked()  # a click would clear a box that is selected in advance
        field.check()
    elif deed.verb == "Open":
        _seen(page.locator("summary", has_text=deed.name)).click()
    elif deed.verb == "You read":
        expect(_seen(page.get_by_text(deed.name))).to_be_visible()
    else:
        page.get_by_label(deed.name, exact=True).fill("\n".join(deed.typed) or password)


def _label(page: Page, name: str) -> Locator:
    """Whose name stands in it before a sentence on what it means."""
    return page.locator("label", has=page.get_by_text(name, exact=True))


def _seen(places: Locator) -> Locator:
    return places.locator("visible=true").first


def _pressable(page: Page, name: str) -> Locator:
    """On the page itself: its head has a link to log in too."""
    place = page.locator("main")
    button, link = (place.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
    return _seen(button.or_(link))
