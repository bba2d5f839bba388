"""The whole way with tickets in two steps: invite, fetch, wait, open, answer, remind, finish, report."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site, prepared
from tests.browser.page_scripts import with_modules
from tests.browser.respondent_steps import (
    begin,
    choose,
    expect_heading,
    expect_ready,
    expect_text,
    press,
)
from tests.browser.test_workspace import close
from tests.browser.workspace_steps import log_in
from tests.servers.smtp_server import Mailbox, run_smtp_server

MAKE = """
from datetime import timedelta
from django.contrib.auth import get_user_model
from django.utils import timezone
from tests.factories.surveys import publish_survey
from tests.factories import surveys
owner = get_user_model().objects.get(username="inga")
survey = surveys.create_draft(owner, title="Staff", tickets="two", opens=timezone.now() + timedelta(days=2))
surveys.add_yes_no(survey)
publish_survey(survey)
print(survey.slug)
"""
OPEN = """
from datetime import timedelta
from django.utils import timezone
from surveys.models import Survey
Survey.objects.filter(slug={slug!r}).update(opens=timezone.now() - timedelta(minutes=1))
"""
# What other people's browsers do, by the modules that their pages run: take a ticket, and answer with it.
FETCH = with_modules(
    """async (codes) => {
  const { completeTicket, drawTicket, normalizeCode } = await import("/static/tickets/ticket.js");
  const { survey, key } = document.getElementById("main").dataset;
  const tickets = [];
  for (const code of codes) {
    const drawn = await drawTicket(survey, key);
    const body = JSON.stringify({ code: normalizeCode(code), blinded: drawn.blinded });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`/api/v1/surveys/${survey}/tickets/`, { method: "POST", headers, body });
    tickets.push(await completeTicket(survey, key, drawn, (await answer.json()).signed));
  }
  return tickets;
}"""
)
ANSWER = with_modules(
    """async (tickets) => {
  const { buildMessage, postBody, scramble } = await import("/static/respondent/sending.js");
  const instrument = JSON.parse(document.getElementById("instrument").textContent);
  const { sha256 } = document.getElementById("main").dataset;
  const outcomes = [];
  for (const ticket of tickets) {
    const reports = scramble(instrument.questions, new Map([["tax", outcomes.length % 2]]));
    const body = buildMessage(instrument, sha256, ticket, reports);
    outcomes.push(await postBody(`/api/v1/surveys/${instrument.survey}/responses/`, body));
  }
  return outcomes;
}"""
)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with run_smtp_server() as box:
        yield box


@pytest.fixture
def mailing(tmp_path_factory: pytest.TempPathFactory, box: Mailbox) -> Iterator[Site]:
    """A site that has a mail server."""
    site = prepared(tmp_path_factory.mktemp("mailing"))
    site.environment |= {"EMAIL_URL": box.url, "EMAIL_FROM": "survey@example.org"}
    site.start()
    yield site
    site.stop()


def close_and_finish(page: Page, workspace: str) -> None:
    page.goto(f"{workspace}close/")
    close(page)
    page.goto(f"{workspace}invite/finish/")
    page.get_by_label("Type the survey’s title").fill("Staff")
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url(lambda url: "finish" not in url)


def test_from_the_list_of_invited_people_to_the_report(
    mailing: Site, box: Mailbox, page: Page, browser: Browser
) -> None:
    name, password = mailing.researcher("inga")
    slug = mailing.shell(MAKE)
    workspace = f"{mailing.url}/surveys/{slug}/"
    log_in(page, mailing, name, password)

    page.goto(f"{workspace}invite/")
    page.get_by_label("Paste a list").fill(
        "\n".join(f"Person {n:02}, p{n:02}@example.org" for n in range(25))
    )
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".workspace-counts")).to_contain_text("25")
    page.get_by_role("button", name="Send 25 invitations by mail").click()
    expect(page.locator("main")).to_contain_text("wait to be sent")
    mailing.manage("deliver", "--site", mailing.url)
    links = [
        re.search(r"http\S+/i/\S+#\S+", box.text(f"p{n:02}@example.org"))[0] for n in range(25)
    ]

    phone = browser.new_context().new_page()
    phone.goto(links[0])
    press(phone, "Take the ticket")
    expect_heading(phone, "You have a ticket")
    tickets = phone.evaluate(
        FETCH, [link.partition("#")[2] for link in links[1:24]]
    )  # the 25th does not
    expect_text(phone, "Answers open on")
    phone.goto(f"{mailing.url}/s/{slug}/")
    expect(phone.locator("main")).to_contain_text("This survey is not open yet")

    page.reload()
    page.get_by_role("button", name="Remind all who have no ticket yet").click()
    expect(page.locator("main")).to_contain_text(
        "who has no ticket yet gets a mail within a few minutes"
    )
    mailing.manage("deliver", "--site", mailing.url)
    assert box.recipients[25:] == ["p24@example.org"]

    mailing.shell(OPEN.format(slug=slug))
    phone.goto(links[24])
    expect(phone.locator("main")).to_contain_text("No more tickets are given out")
    phone.goto(f"{mailing.url}/s/{slug}/")
    expect_ready(phone)
    assert phone.evaluate(ANSWER, tickets[:21]) == ["recorded"] * 21
    begin(phone)
    choose(phone, tax=1)
    press(phone, "Send")
    expect_heading(phone, "Sent. Thank you.")
    expect_text(phone, "Your ticket is used up")
    phone.context.close()

    page.goto(f"{workspace}invite/")
    page.get_by_role("button", name="Remind all who have a ticket, once").click()
    expect(page.locator("main")).to_contain_text(
        "who has a ticket gets a mail within a few minutes"
    )
    mailing.manage("deliver", "--site", mailing.url)
    assert len(box.recipients) == 25 + 1 + 24  # who has answered is known to nobody

    close_and_finish(page, workspace)
    page.goto(f"{workspace}report/")
    expect(page.locator("main")).to_contain_text("22 responses")
    expect(page.locator("main")).to_contain_text("25 people were invited, and 24 took a ticket")
