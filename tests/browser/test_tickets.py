"""Taking a ticket and answering with it, in the browser and on the real server.

Numbers in docstrings: lines of the list in docs/threat-model.md.
"""

import json
import re
from functools import cache
from itertools import count

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.respondent_steps import (
    Traffic,
    begin,
    choose,
    count_stored,
    expect_heading,
    expect_ready,
    expect_text,
    press,
    remove,
    violations,
)

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from surveys.fieldwork.tickets import codes
from surveys.fieldwork.tickets.invitees import Row, invite
from tests.factories import surveys
made = {}
owner = surveys.create_researcher("inviting")
for name, more in {
    "one": {"tickets": "one"},
    "other": {"tickets": "one"},
    "two": {"tickets": "two", "opens": timezone.now() + timedelta(days=1)},
    "shared": {"tickets": "one", "shared_device": True},
    "arabic": {"tickets": "one", "language": "ar"},
}.items():
    survey = surveys.create_draft(owner, title=f"Only you, {name}", **more)
    surveys.add_yes_no(survey)
    surveys.add_background(survey)
    if name == "arabic":
        surveys.add_translations(survey, "en")
    surveys.publish_survey(survey)
    made[name] = [survey.slug, *(codes.code_of(each) for each in invite(survey, [Row()] * 25))]
print(json.dumps(made))
"""


@cache
def made(site: Site) -> dict[str, list[str]]:
    return json.loads(site.shell(MAKE))


class Invited:
    """A survey and, at each call, the code of somebody else who is invited to it."""

    def __init__(self, site: Site, name: str = "one") -> None:
        self.site, (self.slug, *self.codes) = site, made(site)[name]
        self.address = f"{site.url}/i/{self.slug}/"

    def code(self) -> str:
        return self.codes[next(_used)]

    def come(self, page: Page, code: str = "") -> None:
        page.goto(f"{self.address}#{code}" if code else self.address)
        expect(page.locator("#code")).to_be_enabled()

    def take(self, page: Page, code: str = "") -> str:
        """Returns the ticket."""
        self.come(page, code or self.code())
        press(page, "Take the ticket")
        expect_heading(page, "You have a ticket")
        return page.locator("#ticket-text").input_value()

    def go_on(self, page: Page) -> None:
        page.goto(f"{self.site.url}/s/{self.slug}/")
        expect(page.locator("#notice")).to_be_hidden()

    def kept(self, page: Page) -> dict | None:
        return json.loads(
            page.evaluate(f"localStorage.getItem('candor ticket {self.slug}')") or "null"
        )


_used = count()


def answer(page: Page, region: int = 0) -> None:
    expect_ready(page)
    begin(page)
    choose(page, tax=1, region=region)
    press(page, "Send")


def see_first(page: Page, heading: str) -> None:
    expect(page.locator("h1:visible")).to_have_text(heading)


def grouped(code: str) -> str:
    return "-".join(re.findall("....", code))


def test_the_code_goes_into_one_post_only(page: Page, site: Site) -> None:
    """6, 8, 9 and 32. It leaves the address at once, and stands in no other request, header, storage or log."""
    survey = Invited(site)
    code = survey.code()
    traffic = Traffic(page)
    survey.come(page, code)
    expect(page).to_have_url(survey.address)
    expect(page.locator("#code")).to_have_value(grouped(code))
    assert violations(page) == ""
    loaded = len(traffic.requests)
    press(page, "Take the ticket")
    expect_heading(page, "You have a ticket")
    assert violations(page) == ""
    assert len(traffic.requests) - loaded == len(traffic.posts) == 1
    (post,) = traffic.posts
    sent = json.loads(post.post_data)
    assert (sent.keys(), sent["code"], len(sent["blinded"])) == ({"code", "blinded"}, code, 342)
    assert not {"cookie", "referer", "authorization"} & post.all_headers().keys()
    said = [request.url + json.dumps(request.all_headers()) for request in traffic.requests]
    shown = page.content()
    here = page.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.cookie])"
    )
    log = (site.folder / "server.log").read_text()
    for written in (code, grouped(code)):
        assert not any(written in each for each in (*said, here, shown, log))
    assert all(request.url.startswith(site.url) for request in traffic.requests)
    assert survey.kept(page).keys() == {"ticket", "instrument"}


def test_a_ticket_answers_once(page: Page, site: Site) -> None:
    """6, 7 and 30. From the survey's page to the ticket and back; the message holds it in the place of a random key."""
    survey = Invited(site, "one")
    before = count_stored(site, survey.slug)
    survey.go_on(page)
    expect_text(page, "You need a ticket")
    expect(page.locator("#begin")).to_be_disabled()
    page.get_by_role("link", name="Take the ticket").click()
    expect(page.locator("#code")).to_be_enabled()
    page.fill("#code", grouped(survey.code()).upper())
    press(page, "Take the ticket")
    expect_heading(page, "You have a ticket")
    ticket = survey.kept(page)["ticket"]
    page.get_by_role("link", name="To the survey").click()
    expect_ready(page)
    page.wait_for_load_state()
    traffic = Traffic(page)
    answer(page)
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.requests) == len(traffic.posts) == 1
    body = json.loads(traffic.bodies[0])
    assert (body.keys(), body["ticket"]) == ({"instrument", "reports", "ticket"}, ticket)
    length = page.evaluate("JSON.parse(document.getElementById('instrument').textContent).length")
    assert len(traffic.bodies[0]) == length
    assert survey.kept(page) is None
    assert count_stored(site, survey.slug) == before + 1


def test_a_wrong_signature_makes_no_ticket(page: Page, site: Site) -> None:
    """33. Nor does a malformed key draw one. What was sent is sent again as it is, until the answer is right."""
    survey = Invited(site)
    traffic = Traffic(page)
    wrong = json.dumps({"signed": "A" * 342})
    page.route(
        "**/tickets/", lambda route: route.fulfill(body=wrong, content_type="application/json")
    )
    survey.come(page, survey.code())
    press(page, "Take the ticket")
    expect_text(page, "is not a valid signature, so you have no ticket")
    assert survey.kept(page).keys() == {"blinded", "nonce", "back", "code"}
    page.unroute("**/tickets/")
    press(page, "Take the ticket")
    expect_heading(page, "You have a ticket")
    assert traffic.bodies[0] == traffic.bodies[1]

    def malformed(route: Route) -> None:
        response = route.fetch()
        text = re.sub(r'data-key="[^"]+"', f'data-key="{"A" * 342}"', response.text())
        route.fulfill(
            response=response,
            body=text,
            headers=response.headers | {"content-encoding": "identity"},
        )

    page.evaluate("localStorage.clear()")
    page.route(survey.address, malformed)
    page.goto(survey.address)
    expect_text(page, "The key on this page can sign no tickets")
    expect(page.locator("#code")).to_be_disabled()
    assert len(traffic.posts) == 2


def test_what_was_asked_for_is_asked_for_again(page: Page, site: Site) -> None:
    """The answer of the server is lost, the browser closed: the same code sends the same bytes, and another waits."""
    survey = Invited(site)
    code, other = survey.code(), survey.code()
    traffic = Traffic(page)

    def lost(route: Route) -> None:
        route.fetch()  # it has arrived, and a ticket is signed
        route.abort()

    page.route("**/tickets/", lost)
    survey.come(page, code)
    press(page, "Take the ticket")
    expect_text(page, "Your ticket may be on its way")
    page.unroute("**/tickets/")
    survey.come(page)
    expect_text(page, "Enter the same code again")
    page.fill("#code", other)
    press(page, "Take the ticket")
    expect_text(page, "With another code a ticket was asked for in this browser")
    page.fill("#code", code)
    press(page, "Take the ticket")
    expect_heading(page, "You have a ticket")
    assert len(traffic.posts) == 2
    assert traffic.bodies[0] == traffic.bodies[1]
    assert code not in json.dumps(survey.kept(page))


def test_why_there_is_no_ticket_stands_at_the_code(page: Page, site: Site) -> None:
    """Each in words of its own; what is mistyped is named before anything is sent."""
    survey, other = Invited(site), Invited(site, "other")
    fetched = survey.code()
    survey.take(page, fetched)
    page.get_by_text("Copy the ticket to another device").click()
    press(page, "Remove from this device")
    expect_heading(page, "Removed from this device")
    assert survey.kept(page) is None
    survey.come(page)
    traffic = Traffic(page)
    swapped = fetched[:14] + ("b" if fetched[14] != "b" else "c") + fetched[15]
    for typed, said in (
        ("", "A code has 16 letters and digits"),
        (fetched[:9], "A code has 16 letters and digits"),
        ("l" + fetched[1:], "without i, l and o"),
        (swapped, "A letter is wrong, or two are swapped"),
    ):
        page.fill("#code", typed)
        press(page, "Take the ticket")
        expect_text(page, said)
        expect(page.locator("#code")).to_be_focused()
    assert violations(page) == ""
    assert traffic.posts == []
    for typed, said in (
        (fetched, "A ticket was taken with this code already"),
        (other.code(), "This code is for another survey"),
        ("a" * 16, "No one is invited with this code."),
    ):
        page.fill("#code", typed)
        press(page, "Take the ticket")
        expect_text(page, said)
        assert survey.kept(page) is None


def test_a_ticket_goes_to_another_device_and_is_spent_there(
    page: Page, site: Site, browser: Browser
) -> None:
    """The one that comes second is told that nothing of it was stored."""
    survey = Invited(site)
    ticket = survey.take(page)
    there = browser.new_context().new_page()
    survey.go_on(there)
    there.get_by_text("Paste a ticket that you have copied").click()
    for wrong, said in (
        (ticket[:-1], "A ticket has 384 letters"),
        ("A" * 384, "This is not a ticket of this survey"),
    ):
        there.fill("#pasted", wrong)
        press(there, "Use this ticket")
        expect_text(there, said)
        expect(there.locator("#begin")).to_be_disabled()
    there.fill("#pasted", f"{ticket[:200]}\n {ticket[200:]}\n")
    press(there, "Use this ticket")
    expect_text(there, "You have a ticket")
    answer(there)
    expect_heading(there, "Sent. Thank you.")
    there.context.close()
    survey.go_on(page)
    traffic = Traffic(page)
    answer(page, region=1)
    expect_heading(page, "This ticket has been used")
    expect_text(
        page,
        "If it was not you, someone else used it. Nothing was stored now, and the message was erased here.",
    )
    nothing_is_kept(page)
    assert traffic.statuses == [409]


def nothing_is_kept(page: Page) -> None:
    """Of message and ticket; nor is anything left to press that sends."""
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    slug = page.url.split("/")[-2]
    assert page.evaluate("[{ ...localStorage }, { ...sessionStorage }]") == [
        {f"candor {slug}": json.dumps({"unsure": [slug]}, separators=(",", ":"))},
        {},
    ]
    page.reload()
    expect_heading(page, "We do not know whether your answers arrived")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    remove(page)
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_after_a_lost_reply_a_spent_ticket_ends_the_message(page: Page, site: Site) -> None:
    """30. The message arrived and the reply was lost: the next attempt is the last, and keeps nothing."""
    survey = Invited(site)
    before = count_stored(site, survey.slug)
    survey.take(page)
    survey.go_on(page)

    def lose(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort()

    page.route("**/responses/", lose)
    traffic = Traffic(page)
    answer(page)
    expect_heading(page, "Not confirmed yet")
    page.reload()
    expect_heading(page, "Not confirmed yet")
    page.unroute("**/responses/")
    press(page, "Try again")
    expect_heading(page, "We do not know whether your answers arrived")
    expect_text(
        page,
        "Most likely your answers have arrived, or someone else used your ticket. Nothing is sent again",
    )
    nothing_is_kept(page)
    assert traffic.statuses == [409]
    assert len(set(traffic.bodies)) == 1
    assert count_stored(site, survey.slug) == before + 1


def test_quick_exit_removes_an_unspent_ticket_and_says_so_before(page: Page, site: Site) -> None:
    """28. On the page that gave it and on the survey's page."""
    survey = Invited(site)
    page.route("https://www.wikipedia.org/**", lambda route: route.fulfill(body="elsewhere"))
    for address in (survey.address, f"{site.url}/s/{survey.slug}/"):
        survey.take(page)
        page.goto(address)
        page.locator("#copying summary, #ready").locator("visible=true").first.click()
        expect_text(page, "“Exit”, at the top, removes the ticket from this device")
        page.locator("#exit").click()
        page.wait_for_url("https://www.wikipedia.org/")
        page.goto(survey.address)
        expect(page.locator("#ask")).to_be_visible()
        assert survey.kept(page) is None


def test_a_ticket_for_other_questions_is_not_sent(page: Page, site: Site) -> None:
    """Given out before the questions could be read, for other ones than those that are asked now."""
    survey = Invited(site)
    survey.take(page)
    other = json.dumps(survey.kept(page) | {"instrument": "f" * 64})
    page.evaluate(
        "([name, record]) => localStorage.setItem(name, record)",
        [f"candor ticket {survey.slug}", other],
    )
    survey.go_on(page)
    expect_text(page, "is for other questions, not for those on this page")
    expect(page.locator("#begin")).to_be_disabled()


def test_a_shared_device_keeps_no_ticket(page: Page, site: Site) -> None:
    """16. It lives in the page alone; the survey's page has a place for it, and forgets it too."""
    survey = Invited(site, "shared")
    ticket = survey.take(page)
    expect_text(page, "This device keeps no ticket")
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    survey.go_on(page)
    expect_text(page, "You need a ticket")
    page.fill("#pasted", ticket)
    press(page, "Use this ticket")
    expect_text(page, "You have a ticket")
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    page.reload()
    expect_text(page, "You need a ticket")
    page.fill("#pasted", ticket)
    press(page, "Use this ticket")
    answer(page)
    expect_heading(page, "Sent. Thank you.")
    press(page, "For the next person")
    expect_text(page, "You need a ticket")


def test_without_a_program_the_page_says_what_is_needed(browser: Browser, site: Site) -> None:
    """18. Nothing can be sent."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(Invited(site).address)
    expect_text(page, "Switch JavaScript on for this page, or use another browser or device")
    expect(page.locator("#take :enabled")).to_have_count(0)
    page.context.close()


def test_in_another_language_and_with_the_keyboard_alone(page: Page, site: Site) -> None:
    """27. What was typed before stays."""
    survey = Invited(site, "arabic")
    page.set_viewport_size({"width": 320, "height": 640})
    survey.come(page)
    expect_text(page, "Take your ticket, then answer with it.")  # the browser's language
    page.locator("#code").focus()
    page.keyboard.type(survey.code())
    page.get_by_role("combobox").select_option("ar")
    see_first(page, "Only you, arabic")
    page.locator("#code").focus()
    page.keyboard.press("Enter")
    expect_heading(page, "لديك تذكرة")
    assert violations(page) == ""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
