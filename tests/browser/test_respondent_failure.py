"""The respondent's page when things go wrong: one response, the same bytes, a clear message."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import Site, prepared
from tests.browser.respondent_steps import (
    RESPONSES,
    Traffic,
    address,
    answer,
    begin,
    choose,
    count_stored,
    expect_closed,
    expect_heading,
    expect_ready,
    expect_text,
    fail,
    never_says,
    open_kept,
    press,
    remove,
    send_unheard,
    survey,
    visit,
)

NO_STORAGE = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("denied", "SecurityError"); },
});"""
NO_LOCKS = 'Object.defineProperty(Navigator.prototype, "locks", { value: undefined });'


def kept(page: Page) -> list[str]:
    return page.evaluate("Object.values(localStorage)")


def test_retries_send_the_same_bytes(page: Page, site: Site) -> None:
    """10 in part. Three failures and a success: four identical bodies, one response."""
    slug = survey(site, "retries")
    visit(page, site, slug)
    traffic = Traffic(page)
    answer(page)
    page.route(RESPONSES, fail)
    press(page, "Send")
    for _ in range(2):
        expect_heading(page, "Not confirmed yet")
        press(page, "Try again")
    expect_heading(page, "Not confirmed yet")
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.bodies) == 4
    assert len(set(traffic.bodies)) == 1
    assert count_stored(site, slug) == 1


def test_a_reload_sends_the_same_bytes_on_a_click(page: Page, site: Site) -> None:
    """After a failure the scrambled message waits on the device; loading the page sends nothing."""
    visit(page, site, survey(site))
    answer(page)
    traffic = send_unheard(page)
    page.reload()
    expect_heading(page, "Not confirmed yet")
    assert len(traffic.posts) == 1
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert len(set(traffic.bodies)) == 1
    assert len(traffic.bodies) == 2


def test_a_lost_answer_makes_no_second_response(page: Page, site: Site) -> None:
    """The first attempt arrives but its answer is lost; the second is recognized."""
    slug = survey(site, "lost")
    visit(page, site, slug)
    answer(page)

    def lose(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort()

    page.route(RESPONSES, lose)
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert traffic.statuses == [200]
    assert count_stored(site, slug) == 1


def test_the_key_leaves_the_device_and_the_truth_never_stays(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    answer(page)
    send_unheard(page)
    assert len(kept(page)) == 1
    assert '\\"key\\"' in kept(page)[0]
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert json.loads(kept(page)[0]) == {"sent": [survey(site)]}
    remove(page)
    expect_heading(page, "Removed from this device")
    assert kept(page) == []
    visit(page, site, survey(site))


def test_a_double_click_makes_one_response(page: Page, site: Site) -> None:
    slug = survey(site, "double")
    visit(page, site, slug)
    answer(page)
    traffic = Traffic(page)
    page.get_by_role("button", name="Send").dblclick()
    expect_heading(page, "Sent. Thank you.")
    assert traffic.statuses == [201]
    assert count_stored(site, slug) == 1


@pytest.mark.parametrize("script", ["", NO_LOCKS])
def test_two_tabs_make_one_response(context: BrowserContext, site: Site, script: str) -> None:
    """Both tabs are filled in differently and sent; the second finds what the first has kept."""
    slug = survey(site, "tabs without locks" if script else "tabs")
    context.add_init_script(script)
    first, second = context.new_page(), context.new_page()
    traffic = Traffic(first), Traffic(second)
    visit(first, site, slug)
    visit(second, site, slug)
    first.bring_to_front()  # a tab behind another draws, and so takes clicks, once a second
    answer(first, tax=1, region=0)
    second.bring_to_front()
    answer(second, tax=0, region=1)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    first.route(RESPONSES, hold)
    first.bring_to_front()
    press(first, "Send")
    expect(first.locator("h1:visible")).to_have_text("Sending …", use_inner_text=True)
    first.wait_for_timeout(200)
    second.bring_to_front()
    press(second, "Send")
    second.wait_for_timeout(300)
    held[0].continue_()
    expect_heading(first, "Sent. Thank you.")
    expect_heading(second, "Answers were sent from this device")
    expect_text(second, "What you chose just now was not used and is erased.")
    assert len({*traffic[0].bodies, *traffic[1].bodies}) == 1
    assert count_stored(site, slug) == 1


def test_storage_forbidden_still_sends_once(page: Page, site: Site) -> None:
    page.add_init_script(NO_STORAGE)
    slug = survey(site, "memory")
    visit(page, site, slug)
    answer(page)
    traffic = send_unheard(page)
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    open_kept(page)
    expect(page.get_by_text("This browser keeps nothing of it.")).to_be_visible()
    expect(page.get_by_role("button", name="device")).to_have_count(0)
    assert len(set(traffic.bodies)) == 1
    assert count_stored(site, slug) == 1


def test_a_survey_closed_meanwhile_says_so_and_stores_nothing(page: Page, site: Site) -> None:
    slug = survey(site, "closing")
    visit(page, site, slug)
    set_open(site, slug, "close")
    answer(page)
    press(page, "Send")
    expect_heading(page, "This survey takes no answers now")
    assert count_stored(site, slug) == 0
    page.goto(address(site, slug))
    expect_heading(page, "Not confirmed yet")
    press(page, "Try again")
    expect_heading(page, "This survey takes no answers now")
    expect_text(page, "If the survey opens again, you can send it from here.")
    set_open(site, slug, "reopen")
    page.reload()
    expect_heading(page, "Not confirmed yet")
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert count_stored(site, slug) == 1


def set_open(site: Site, slug: str, verb: str) -> None:
    site.shell(
        "from surveys.fieldwork import lifecycle; from surveys.models import Survey;"
        f"lifecycle.{verb}(Survey.objects.get(slug={slug!r}))"
    )


REFUSED = "The response was not accepted"
BUSY = "Not confirmed yet"


SAID = [
    (409, "instrument-mismatch", "The questions have been replaced"),
    (409, "key-conflict", REFUSED),
    (422, "invalid-response", REFUSED),
    (404, "no-such-survey", REFUSED),
    (413, "too-large", REFUSED),
    (403, "survey-closed", "This survey takes no answers now"),
    (403, "survey-not-open", "This survey takes no answers now"),
    (429, "throttled", BUSY),
    (503, "try-again", BUSY),
    (403, None, BUSY),  # a firewall
    (404, None, BUSY),
    (422, None, BUSY),
    (200, None, "Not confirmed yet"),  # a hotel's login page
]


def test_whatever_the_server_says_the_same_bytes_are_sent_again(page: Page, site: Site) -> None:
    """10. The server refuses, or something on the way does: the message stays, also after loading anew, and is the only
    one until it is confirmed. A server that lies in its answers gets no second draw of the same truth.
    """
    visit(page, site, survey(site))
    traffic = Traffic(page)
    answer(page)
    for number, (status, name, heading) in enumerate(SAID):
        page.unroute(RESPONSES)
        page.route(RESPONSES, _says(status, name))
        press(page, "Try again" if number else "Send")
        expect_heading(page, heading)
        never_says(page, "is now deleted here")
        never_says(page, "Reload")
        is_final = heading in (REFUSED, "The questions have been replaced")
        (expect_text if is_final else never_says)(page, "Please do not answer again")
        assert len(kept(page)) == 1
    page.reload()
    expect_heading(page, "Not confirmed yet")
    expect(page.locator("#begin")).to_be_hidden()
    page.unroute(RESPONSES)
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.bodies) == len(SAID) + 1
    assert len(set(traffic.bodies)) == 1


def _says(status: int, name: str | None) -> Callable[[Route], None]:
    """A server, or something on the way to it, that always says this."""
    if name is None:
        return lambda route: route.fulfill(
            status=status, body="<h1>Forbidden</h1>", content_type="text/html"
        )
    problem = json.dumps(
        {"type": f"/problems/{name}", "title": "Said by the server", "status": status}
    )
    return lambda route: route.fulfill(
        status=status, body=problem, content_type="application/problem+json"
    )


def test_only_the_person_ends_a_message_that_was_not_confirmed(page: Page, site: Site) -> None:
    """10. By Remove; and the page says what that means, also of the browser's files."""
    visit(page, site, survey(site))
    answer(page)
    page.route(RESPONSES, _says(409, "instrument-mismatch"))
    press(page, "Send")
    expect_heading(page, "The questions have been replaced")
    remove(page)
    expect_heading(page, "Removed from this device")
    expect_text(page, "This browser’s files can hold deleted data for some time.")
    assert kept(page) == []
    press(page, "To the start of this page")
    expect_ready(page)


def test_what_is_said_of_a_lost_answer_is_true(page: Page, site: Site) -> None:
    """What a server that failed has stored is not known, and after a day it knows no message again."""
    visit(page, site, survey(site))
    answer(page)
    page.route(RESPONSES, lambda route: route.fulfill(status=502, body="Bad gateway"))
    press(page, "Send")
    expect_heading(page, BUSY)
    expect_text(page, "may or may not have been stored")
    expect_text(page, "This works for 20 hours after you pressed Send.")
    open_kept(page)
    never_says(page, "never")
    expect_text(page, "Answers marked “Not scrambled” can be read in it.")
    expect_text(page, "This browser’s files can hold deleted data for some time.")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "void (crypto.getRandomValues = () => { throw new Error(); })",
            "no secure random numbers",
        ),
        (
            'Object.defineProperty(window, "isSecureContext", { value: false })',
            "not loaded over a secure connection",
        ),
    ],
)
def test_a_device_that_cannot_scramble_may_not_answer(
    page: Page, site: Site, script: str, words: str
) -> None:
    page.add_init_script(script)
    page.goto(address(site, survey(site)))
    expect(page.locator("#notice")).to_contain_text(words)
    expect(page.locator("#notice p:visible")).to_have_count(1)
    expect_closed(page)


def test_a_blocked_program_leaves_the_form_disabled(page: Page, site: Site) -> None:
    def block(route: Route) -> None:
        response = route.fetch()
        policy = re.sub(
            "script-src [^;]+", "script-src 'none'", response.headers["content-security-policy"]
        )
        route.fulfill(
            response=response, headers=response.headers | {"content-security-policy": policy}
        )

    page.route(address(site, slug := survey(site)), block)
    page.goto(address(site, slug))
    expect(page.locator(".candor-late")).to_be_visible()
    expect(page.locator(".candor-late")).to_contain_text(
        "too old for this survey, or blocks it", use_inner_text=True
    )
    expect_closed(page)


def test_a_slow_network_is_waited_for(page: Page, site: Site) -> None:
    """The page says that it is sending, takes no second click, and sends once."""
    slug = survey(site, "slow")
    visit(page, site, slug)
    answer(page)
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 1500, "downloadThroughput": 5_000, "uploadThroughput": 5_000},
    )
    traffic = Traffic(page)
    press(page, "Send")
    expect(page.locator("h1:visible")).to_have_text("Sending …", use_inner_text=True)
    expect(page.locator("#delivery button:visible")).to_have_count(0)
    expect_heading(page, "Sent. Thank you.")
    assert traffic.statuses == [201]
    assert count_stored(site, slug) == 1


def test_a_server_that_goes_down_and_comes_back_gets_one_response(
    page: Page, tmp_path: Path
) -> None:
    """A site of its own, really stopped after loading and started again after a failed attempt."""
    site = prepared(tmp_path)
    site.start()
    try:
        slug = survey(site, "down")
        visit(page, site, slug)
        site.stop()
        answer(page)
        traffic = Traffic(page)
        press(page, "Send")
        expect_heading(page, "Not confirmed yet")
        site.start()
        press(page, "Try again")
        expect_heading(page, "Sent. Thank you.")
        assert len(traffic.bodies) == 2
        assert len(set(traffic.bodies)) == 1
        assert count_stored(site, slug) == 1
    finally:
        site.stop()


def test_random_numbers_that_fail_at_send_send_nothing(page: Page, site: Site) -> None:
    visit(page, site, survey(site))
    answer(page)
    traffic = Traffic(page)
    page.evaluate("void (crypto.getRandomValues = () => { throw new Error(); })")
    press(page, "Send")
    expect_heading(page, "The response was not accepted")
    expect_text(page, "nothing was sent")
    assert traffic.requests == []
    assert kept(page) == []


def test_a_preview_sends_and_keeps_nothing(browser: Browser, site: Site) -> None:
    name, password = site.researcher("previewer")
    slug = site.shell(
        "from tests.factories import surveys; from django.contrib.auth.models import User;"
        f"survey = surveys.create_draft(User.objects.get(username={name!r})); "
        "surveys.add_yes_no(survey); print(survey.slug)"
    )
    page = browser.new_page()
    page.goto(f"{site.url}/login/")
    page.get_by_label("User name").or_(page.get_by_label("Username")).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site.url}/surveys/")
    page.goto(f"{site.url}/surveys/{slug}/preview/")
    expect(page.get_by_role("region", name="Preview")).to_contain_text("Nothing is stored or sent.")
    begin(page)
    choose(page, tax=1)
    traffic = Traffic(page)
    press(page, "Show what would be sent")
    expect_heading(page, "This is what would be sent")
    page.get_by_text("See what would be sent", exact=True).click()
    expect(page.locator("#sent dd[data-key=tax]")).to_have_text(
        re.compile("^(Yes|No) was sent. That happens 75 times")
    )
    page.wait_for_timeout(300)
    assert traffic.requests == []
    assert kept(page) == []
    press(page, "Answer again")
    expect_ready(page)
    page.goto(address(site, slug))
    expect(page.locator("h1")).to_have_text("There is no survey at this address")
    page.close()
