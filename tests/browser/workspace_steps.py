"""The steps a person takes on the site, as functions over a Playwright page."""

import json
import re

from playwright.sync_api import Page

MAKE = """
import json
import re
from django.contrib.auth import get_user_model
from surveys.authoring.drafts import drafts
from tests.factories import surveys
owner, _ = get_user_model().objects.get_or_create(username={owner!r})
survey = drafts.create_survey(owner=owner, title={title!r})
for question in json.loads({questions!r}):
    drafts.save_question(survey=survey, **question)
surveys.publish_survey(survey)
print(survey.slug)
"""


def publish(site, questions: list[dict], owner: str = "maker", title: str = "A survey") -> str:
    """A published survey, made by the services behind the workspace; returns its slug."""
    return site.shell(MAKE.format(owner=owner, title=title, questions=json.dumps(questions)))


def set_password(page: Page, site, name: str, password: str) -> None:
    """As whoever gets the link of a new account."""
    page.goto(
        site.url + re.search(r"/account/set-password/\S+", site.manage("researcher", name))[0]
    )
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("The new password again").fill(password)
    page.get_by_role("button", name="Set the password").click()
    page.wait_for_url(f"{site.url}/login/")


def log_in(page: Page, site, name: str, password: str) -> None:
    page.goto(f"{site.url}/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{site.url}/surveys/")


def answer(page: Page, question: str, label: str) -> None:
    """Answer the next question, from the introduction or from the question before."""
    start = page.get_by_role("button", name="Start")
    if start.is_visible():
        start.click()
    page.get_by_role("group", name=question).get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Continue").click()


def send(page: Page) -> None:
    page.get_by_role("button", name="Send").click()
    page.get_by_role("heading", name="Sent. Thank you.").wait_for()
