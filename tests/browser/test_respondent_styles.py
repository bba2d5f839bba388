"""What a page runs and looks like is under its hash: what somebody put in does nothing, and tells no one the answer.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import Traffic, address, begin, press, visit
from tests.browser.test_respondent_sender import branded

# Sends what is chosen as soon as it is chosen, and lets Yes and No change places on the screen.
SPYING = """
#q-tax-1:checked { background-image: url("/brand/x?tax=YES"); }
#q-tax-0:checked { background-image: url("/brand/x?tax=NO"); }
label[for=q-tax-0], label[for=q-tax-1] { font-size: 0; }
label[for=q-tax-0]::after { content: "Yes"; font-size: 1rem; }
label[for=q-tax-1]::after { content: "No"; font-size: 1rem; }
"""
LISTENING = (
    "document.addEventListener('change', (event) => fetch('/brand/x?tax=' + event.target.value));"
)
CHANGES = {
    "a changed style": ("</style>", f"{SPYING}</style>"),
    "a style put in": ("</head>", f"<style>{SPYING}</style></head>"),
    "a stylesheet put in": (
        "</head>",
        '<link rel="stylesheet" href="/static/css/home.css"></head>',
    ),
    "a script put in": ("</body>", f"<script>{LISTENING}</script></body>"),
}


def changed(old: str, new: str, *, header: bool) -> Callable[[Route], None]:
    """The page comes changed, with the policy of its header or without."""

    def change(route: Route) -> None:
        response = route.fetch()
        dropped = {
            "content-length",
            "content-encoding",
            *([] if header else ["content-security-policy"]),
        }
        headers = {name: value for name, value in response.headers.items() if name not in dropped}
        assert old in response.text()
        route.fulfill(
            status=response.status, headers=headers, body=response.text().replace(old, new, 1)
        )

    return change


@pytest.mark.parametrize("header", [True, False], ids=["with its header", "without its header"])
@pytest.mark.parametrize("what", CHANGES)
def test_what_was_put_in_does_nothing(page: Page, site: Site, what: str, header: bool) -> None:
    """5, 6. No request follows from a choice, and what stands beside an answer is what it is."""
    slug = branded(site, "sender-styles")
    page.route(address(site, slug), changed(*CHANGES[what], header=header))
    visit(page, site, slug)
    begin(page)
    traffic = Traffic(page)
    for value in ("1", "0"):
        page.check(f"#q-tax-{value}")
        label = page.locator(f"label[for=q-tax-{value}]")
        expect(label).not_to_have_css("font-size", "0px")
        assert label.evaluate("(label) => getComputedStyle(label, '::after').content") == "none"
    press(page, "Continue")
    expect(page.locator("#q-fruit-0")).to_be_visible()
    assert traffic.requests == []


def test_the_policy_lets_no_image_load_but_those_that_the_page_holds(
    page: Page, site: Site
) -> None:
    """1. Even where a style that is allowed names one of the site."""
    slug = branded(site, "sender-styles")
    traffic = Traffic(page)
    visit(page, site, slug)
    expect(page.locator(".candor-logo")).to_have_js_property("naturalWidth", 480)
    with page.expect_console_message(
        lambda line: "tax=YES" in line.text and "img-src" in line.text
    ):
        page.evaluate("Object.assign(new Image(), { src: '/brand/x?tax=YES' })")
    assert [one.url for one in traffic.responses] == [address(site, slug)]
