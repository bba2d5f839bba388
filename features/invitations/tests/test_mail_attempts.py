"""Mails that cannot be sent for now stop no other mail and tell nobody."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from features.invitations import outbox
from features.invitations.delivery import send_waiting
from surveys.models import Invitee, Mail
from surveys.operation import timers
from tests.factories.surveys import create_researcher
from tests.factories.ticket_surveys import client_for, create_survey_with_tickets
from tests.servers.smtp_server import Mailbox

pytestmark = pytest.mark.django_db


def test_five_full_mailboxes_stop_none_of_400_mails_and_stand_in_no_log(
    box: Mailbox, client: Client, capfd: pytest.CaptureFixture, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = (
        create_survey_with_tickets(400),
        create_survey_with_tickets(5, owner=create_researcher("bob")),
    )
    for person in second.invitees.all():
        Invitee.objects.filter(pk=person.pk).update(email=f"second-{person.email}")
    box.full = {
        "p07@example.org",
        "p100@example.org",
        "p250@example.org",
        "p399@example.org",
        "second-p03@example.org",
    }
    outbox.invite(first)
    outbox.invite(second)

    call_command("deliver")
    call_command("deliver")

    assert len(set(box.recipients)) == len(box.recipients) == 400
    assert not box.full & set(box.recipients)
    output = "".join(capfd.readouterr()) + caplog.text
    assert "400 mails sent, 5 to be tried again, 0 dropped, 0 refused." in output
    assert "@example" not in output
    timers.note("seal")
    assert client.get("/readyz").status_code == 200


def test_page_tells_how_many_mails_are_tried_again_and_names_nobody(box: Mailbox) -> None:
    survey = create_survey_with_tickets(4)
    outbox.invite(survey)
    box.full = {"p01@example.org", "p02@example.org"}
    send_waiting()

    page = (
        client_for(survey.owner)
        .get(reverse("workspace:invite", args=[survey.slug]))
        .content.decode()
    )

    assert "invitations wait to be sent. The mail server refused 2 of them for now" in page
    assert "@example.org" not in page


def test_time_of_the_next_attempt_is_a_multiple_of_five_minutes(box: Mailbox) -> None:
    box.full = {"p01@example.org", "p02@example.org"}
    outbox.invite(create_survey_with_tickets(4))
    send_waiting()

    for mail in Mail.objects.all():
        assert (mail.due.minute % 5, mail.due.second, mail.due.microsecond) == (0, 0, 0)


def test_survey_whose_key_is_lost_stops_no_other_survey(box: Mailbox, settings: object) -> None:
    """Its mails wait until the operator has put the key back."""
    key = settings.TICKET_KEY
    lost = create_survey_with_tickets(3)
    outbox.invite(lost)
    settings.TICKET_KEY = ["another-key-of-more-than-thirty-two-characters"]
    other = create_survey_with_tickets(3, owner=create_researcher("bob"))
    outbox.invite(other)

    assert send_waiting() == {"sent": 3, "later": 3}
    assert outbox.refused_mails(lost).count() == 0
    settings.TICKET_KEY = key
    Mail.objects.update(due=None)
    assert send_waiting() == {"sent": 3}
