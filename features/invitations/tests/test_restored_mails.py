"""What a restore does to mails that wait: invitations wait for a decision, and reminders can be sent again."""

import re
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from features.invitations import outbox
from features.invitations.delivery import send_waiting
from features.invitations.tests.test_inviting_api import listed, send
from surveys.models import DatabaseIdentity, Event, Mail, Survey
from surveys.site.database_identity import current_identity
from surveys.site.errors import Refused
from tests.api.test_reading import client_of
from tests.factories.ticket_surveys import (
    client_for,
    create_survey_with_tickets,
    open_now,
    take_tickets,
)
from tests.servers.smtp_server import Mailbox, run_smtp_server

pytestmark = pytest.mark.django_db
SITE = "https://survey.example.org"


@pytest.fixture
def box(settings: object) -> Iterator[Mailbox]:
    with run_smtp_server() as box:
        host, port = box.url.removeprefix("smtp://").split(":")
        settings.EMAIL_URL, settings.EMAIL_HOST, settings.EMAIL_PORT = box.url, host, int(port)
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.DEFAULT_FROM_EMAIL = "survey@example.org"
        yield box


def restore() -> None:
    """Let the database be one that came from elsewhere."""
    DatabaseIdentity.objects.update(identity="another")


def page_text(client: Client, survey: Survey) -> str:
    content = client.get(reverse("workspace:invite", args=[survey.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", content).split())


def decide(client: Client, survey: Survey, decision: str) -> None:
    client.post(reverse("workspace:invite-mail", args=[survey.slug]), {"set_aside": decision})


def test_people_page_asks_about_mails_of_a_restored_site_and_sends_them(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    client = client_for(survey.owner)
    outbox.invite(survey)
    assert "Send them again?" not in page_text(client, survey)
    restore()

    assert send_waiting(SITE) == {}
    text = page_text(client, survey)
    assert (
        "25 invitations wait for your decision. These invitations may have been sent before the "
        "site was restored. Send them again?"
    ) in text
    assert "wait to be sent" not in text

    decide(client, survey, "send")
    assert send_waiting(SITE) == {"sent": 25}
    assert len(box.mails) == 25
    assert "Send them again?" not in page_text(client, survey)


def test_discarded_mails_are_not_sent_and_their_people_can_be_reminded(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    restore()
    send_waiting(SITE)

    decide(client_for(survey.owner), survey, "discard")
    assert not Mail.objects.exists()
    assert outbox.invite(survey) == 0

    outbox.remind(survey, Mail.Kind.REMINDER)
    assert send_waiting(SITE) == {"sent": 25}


def test_program_sends_or_discards_mails_of_a_restored_site(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    client = client_of(survey.owner)
    outbox.invite(survey)
    restore()
    send_waiting(SITE)

    assert (listed(client, survey)["waiting"], listed(client, survey)["set_aside"]) == (0, 25)
    assert send(client, "post", survey, "invitees/mail/") == (
        202,
        {"mails": 0},
    )  # no decision, so nothing changes
    assert send(client, "post", survey, "invitees/mail/", {"set_aside": "yes"})[0] == 422
    assert send(client, "post", survey, "invitees/mail/", {"set_aside": "send"}) == (
        202,
        {"mails": 25},
    )
    assert (listed(client, survey)["waiting"], listed(client, survey)["set_aside"]) == (25, 0)

    restore()
    send_waiting(SITE)
    assert send(client, "post", survey, "invitees/mail/", {"set_aside": "discard"}) == (
        202,
        {"mails": 0},
    )
    assert listed(client, survey)["set_aside"] == 0


def test_general_reminder_of_a_restored_site_is_deleted_and_can_be_sent_again(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    take_tickets(survey, 21)
    open_now(survey)
    outbox.remind(survey, Mail.Kind.GENERAL)
    with pytest.raises(Refused):
        outbox.remind(survey, Mail.Kind.GENERAL)
    restore()

    assert send_waiting(SITE) == {}
    assert not Mail.objects.exists()
    assert "reminders that were waiting have been deleted" in page_text(
        client_for(survey.owner), survey
    )

    outbox.remind(survey, Mail.Kind.GENERAL)
    assert send_waiting(SITE) == {"sent": 21}
    assert "This site may have been restored" not in page_text(client_for(survey.owner), survey)


def test_history_notes_a_restore_whether_reminders_waited_or_not(box: Mailbox) -> None:
    first, second = create_survey_with_tickets(25), create_survey_with_tickets(25)
    outbox.invite(first)
    send_waiting(SITE)
    outbox.remind(first, Mail.Kind.REMINDER)
    restore()
    send_waiting(SITE)

    for survey in (first, second):
        assert survey.events.filter(what=Event.What.RESTORED).count() == 1


def test_mails_of_a_backup_of_an_earlier_version_are_set_aside(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    DatabaseIdentity.objects.all().delete()

    assert send_waiting(SITE) == {}
    assert outbox.set_aside(survey) == 25


def test_page_asks_about_a_single_mail(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    Mail.objects.exclude(pk=Mail.objects.first().pk).delete()
    restore()
    send_waiting(SITE)

    text = page_text(client_for(survey.owner), survey)

    assert (
        "1 invitation waits for your decision. This invitation may have been sent before the site "
        "was restored. Send it again?"
    ) in text


def test_mails_that_someone_sends_after_the_command_are_not_set_aside_again(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    restore()
    call_command("restored")

    decide(client_for(survey.owner), survey, "send")

    assert send_waiting(SITE) == {"sent": 25}


def test_command_sets_mails_aside_after_a_restore_that_nothing_shows(
    box: Mailbox, capsys: pytest.CaptureFixture
) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)

    call_command("restored")
    assert "25 mails were set aside" in capsys.readouterr().out
    assert send_waiting(SITE) == {}
    assert outbox.set_aside(survey) == 25


def test_identity_needs_no_right_that_an_account_may_lack() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("Only PostgreSQL has accounts.")
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE of_a_site")
        cursor.execute("SET LOCAL ROLE of_a_site")
        assert int(current_identity().partition("/")[0]) > 0

        cursor.execute("RESET ROLE")
        cursor.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC")
        cursor.execute("SET LOCAL ROLE of_a_site")
        assert current_identity().startswith("0/")
