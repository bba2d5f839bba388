"""What is handed out of a published survey: its link, a code and a poster that lead to it, and a text for a mail."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Survey
from surveys.publishing.lifecycle import publish
from surveys.publishing.sharing import mail
from tests.making import background, draft, yes_no

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = draft(ada)
    yes_no(survey)
    return survey


def test_the_qr_code_and_the_poster_lead_to_the_survey(client: Client, survey: Survey) -> None:
    assert client.get(f"/surveys/{survey.slug}/poster/").status_code == 409
    publish(survey)
    code = client.get(f"/surveys/{survey.slug}/qr.svg")
    assert code["Content-Type"] == "image/svg+xml"
    assert code.content.startswith(b"<svg")
    assert b"style=" not in code.content
    assert f"http://testserver/s/{survey.slug}/" in client.get(f"/surveys/{survey.slug}/poster/").content.decode()
    picture = client.get(f"/surveys/{survey.slug}/qr.png")
    assert (picture["Content-Type"], picture.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ((yes_no,), (True, False)),
        ((background,), (False, False)),
        ((yes_no, background), (True, True)),
    ],
)
def test_a_mail_promises_what_the_questions_hold(kinds: tuple, said: tuple[bool, bool]) -> None:
    survey = draft(title="Fruit & theft", contact="Ada Lovelace, ada@example.org")
    for kind in kinds:
        kind(survey)
    publish(survey)
    written = mail(survey, "https://example.org/s/x/")
    assert written.subject == "Fruit & theft"
    assert "https://example.org/s/x/" in written.text.splitlines()
    assert ("before they leave your device" in written.text, "are sent as they are" in written.text) == said
    assert written.text.endswith("\n\nAda Lovelace, ada@example.org\n")


def test_a_mail_speaks_the_surveys_language() -> None:
    survey = draft(language="de")
    yes_no(survey)
    publish(survey)
    assert "durch Zufall verändert" in mail(survey, "https://example.org/s/x/").text


def test_the_surveys_page_has_the_link_and_the_text_to_share(client: Client, survey: Survey) -> None:
    publish(survey)
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert page.count(f'href="http://testserver/s/{survey.slug}/"') == 1
    assert "We ask you to take part in a survey" in page
