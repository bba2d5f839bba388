"""What ends a message, what the browser lets the page keep, and what is said of both. Numbers: docs/threat-model.md."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from tests.browser.conftest import Site
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
    press,
    send_unheard,
    survey,
    violations,
    visit,
)

DISCREET = """
from tests.factories import surveys
owner = surveys.create_researcher("discreet")
more = {{"neutral_title": {{"neutral_title": True}}, "help_lines": {{"help_lines": "Help: 116 006"}}}}
survey = surveys.create_draft(owner, **more.get({name!r}, {{}}))
surveys.add_yes_no(survey)
print(surveys.publish_survey(survey).survey.slug)
"""
REFUSING = """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };"""
CLOCK = (
    "const now = Date.now; Date.now = () => now() + 3_600_000 * Number(sessionStorage.later ?? 0);"
)


def waiting(page: Page, site: Site, slug: str) -> Traffic:
    """A message that was sent once and not confirmed."""
    visit(page, site, slug)
    answer(page)
    traffic = send_unheard(page)
    page.unroute(RESPONSES)
    return traffic


@pytest.mark.parametrize(
    ("name", "asks"), [("plain", True), ("neutral_title", False), ("help_lines", False)]
)
def test_a_reload_asks_before_it_erases_but_not_where_someone_may_look_on(
    page: Page, site: Site, name: str, asks: bool
) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", stay)
    visit(page, site, site.shell(DISCREET.format(name=name)))
    begin(page)
    page.reload()  # nothing is chosen yet
    expect_ready(page)
    says_reloaded(page)
    begin(page)
    page.check("#q-tax-1")
    page.reload()
    expect_ready(page)
    assert asked == (["beforeunload"] if asks else [])
    begin(page)
    choose(page, tax=1)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    page.reload()
    assert len(asked) == int(asks)


def says_reloaded(page: Page) -> None:
    expect(
        page.get_by_text("This page was reloaded. Answers that were not sent are gone.")
    ).to_be_visible()


def test_staying_keeps_what_was_chosen(page: Page, site: Site) -> None:
    page.on("dialog", Dialog.dismiss)
    visit(page, site, survey(site))
    begin(page)
    page.check("#q-tax-1")
    page.evaluate("setTimeout(() => location.reload())")
    page.wait_for_timeout(500)
    expect(page.locator("#q-tax-1")).to_be_checked()


@pytest.mark.parametrize(("hours", "is_sent"), [(19, True), (21, False), (-1, False)])
def test_a_message_without_a_ticket_is_sent_for_20_hours(
    page: Page, site: Site, hours: int, is_sent: bool
) -> None:
    """10. The server knows it again for 24, so the same bytes count once; nor after a clock was put back."""
    slug = survey(site, f"within {hours} hours")
    page.add_init_script(CLOCK)
    traffic = waiting(page, site, slug)
    page.evaluate("(hours) => { sessionStorage.later = hours; }", hours)
    if is_sent:
        press(page, "Try again")
        expect_heading(page, "Sent. Thank you.")
        assert len(set(traffic.bodies)) == 1
        assert (len(traffic.bodies), count_stored(site, slug)) == (2, 1)
        return
    press(page, "Try again")
    expect_heading(page, "We do not know whether your answers arrived")
    expect_text(page, "Please do not answer again.")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    assert violations(page) == ""
    assert json.loads(page.evaluate(f"localStorage['candor {slug}']")) == {"unsure": [slug]}
    page.reload()
    expect_heading(page, "We do not know whether your answers arrived")
    expect_closed(page)
    assert (len(traffic.bodies), count_stored(site, slug)) == (1, 0)


def test_at_a_later_visit_it_is_erased_before_anything_is_shown(page: Page, site: Site) -> None:
    """10. Also where an earlier page did not write down when it was sent first."""
    slug = survey(site, "a day later")
    traffic = waiting(page, site, slug)
    page.evaluate(
        """(name) => {
            const { began, ...record } = JSON.parse(localStorage[name]);
            localStorage[name] = JSON.stringify(record);
        }""",
        f"candor {slug}",
    )
    page.reload()
    expect_heading(page, "We do not know whether your answers arrived")
    assert json.loads(page.evaluate(f"localStorage['candor {slug}']")) == {"unsure": [slug]}
    assert len(traffic.bodies) == 1


def test_once_online_the_same_bytes_go_without_a_tap(page: Page, site: Site) -> None:
    slug = survey(site, "online again")
    visit(page, site, slug)
    answer(page)
    page.context.set_offline(True)
    traffic = Traffic(page)
    press(page, "Send")
    expect_heading(page, "Not confirmed yet")
    page.context.set_offline(False)
    expect_heading(page, "Sent. Thank you.")
    assert len(traffic.bodies) == 2
    assert len(set(traffic.bodies)) == 1
    assert count_stored(site, slug) == 1


def changing(change: Callable[[str, dict], tuple[str, dict]]) -> Callable[[Route], None]:
    """A site that hands out another page, or other headers, than the one it states."""

    def hand_out(route: Route) -> None:
        response = route.fetch()
        text, headers = change(response.text(), response.headers)
        headers.pop("content-encoding", None)
        headers.pop("content-length", None)
        route.fulfill(response=response, body=text, headers=headers)

    return hand_out


def test_another_series_draws_no_second_message(page: Page, site: Site) -> None:
    """10. A page that names another series at each visit meets the message all the same."""
    slug = survey(site, "another series")
    traffic = waiting(page, site, slug)
    first = traffic.bodies[0]
    page.evaluate(
        """([name, other]) => {
            localStorage[other] = localStorage[name];
            delete localStorage[name];
        }""",
        [f"candor {slug}", "candor elsewhere"],
    )
    page.reload()
    expect_heading(page, "Not confirmed yet")
    press(page, "Try again")
    expect_heading(page, "Sent. Thank you.")
    assert traffic.bodies == [first, first]
    assert count_stored(site, slug) == 1


def test_a_page_for_another_address_does_not_start(page: Page, site: Site) -> None:
    slug, other = survey(site), survey(site, "other")
    content = page.request.get(address(site, other)).text()
    page.route(address(site, slug), changing(lambda _, headers: (content, headers)))
    page.goto(address(site, slug))
    expect(page.get_by_text("do not match the published survey")).to_be_visible()
    expect_closed(page)


def test_a_sandbox_that_would_forget_what_was_sent_does_not_start(page: Page, site: Site) -> None:
    """10. There a site could make the page forget at each load, and get the truth drawn anew."""
    sandbox = {"content-security-policy": "sandbox allow-scripts allow-forms"}
    page.route(
        address(site, survey(site)), changing(lambda text, headers: (text, headers | sandbox))
    )
    page.goto(address(site, survey(site)))
    expect(page.get_by_text("stops it from remembering what it sends")).to_be_visible()
    expect_closed(page)


def test_storage_that_the_browser_refuses_is_said_before_the_start(page: Page, site: Site) -> None:
    """The person's own settings, or a full disk: the page goes on in memory and sends."""
    slug = survey(site, "refused storage")
    visit(page, site, slug)
    expect(page.locator("#unkept")).to_be_hidden()
    page.add_init_script(REFUSING)
    page.reload()
    expect_ready(page)
    expect_text(page, "This browser does not let the page keep anything.")
    answer(page)
    press(page, "Send")
    expect_heading(page, "Sent. Thank you.")
    assert count_stored(site, slug) == 1


def test_no_report_of_a_policy_leaves_between_start_and_send(page: Page, site: Site) -> None:
    """6. A second policy that would report whatever the page does is asked for nothing."""
    reports = {"content-security-policy-report-only": "default-src 'none'; report-uri /r"}
    asked: list[str] = []
    page.route(
        address(site, survey(site)), changing(lambda text, headers: (text, headers | reports))
    )
    visit(page, site, survey(site))
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.on("request", lambda request: asked.append(request.url))
    answer(page)
    page.wait_for_timeout(300)
    assert asked == []
