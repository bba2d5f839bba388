"""Mails to invited people: what waits holds nothing of them, they reach a real server, and each is sent once."""

import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from features.invitations import mails, outbox, sender_lock
from features.invitations.delivery import PAUSES, send_waiting
from features.invitations.mail_server import Unreachable
from surveys.fieldwork.tickets import codes, invitees
from surveys.fieldwork.tickets.invitees import Row
from surveys.models import Invitee, Mail, Turn
from surveys.site.errors import Refused
from tests.factories.surveys import (
    add_translations,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.factories.ticket_surveys import create_survey_with_tickets, open_now, take_tickets
from tests.servers.smtp_server import Mailbox

pytestmark = pytest.mark.django_db
SITE = "https://survey.example.org"


def pauses_pass() -> None:
    """All that was refused for now is due."""
    Mail.objects.filter(due__isnull=False).update(due=timezone.now())


def test_everybody_gets_the_own_link_and_nothing_waits_after(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    assert outbox.invite(survey, survey.owner) == 25
    assert outbox.invite(survey, survey.owner) == 0  # pressed twice
    assert send_waiting(SITE) == {"sent": 25}
    assert sorted(box.recipients) == sorted(survey.invitees.values_list("email", flat=True))
    for invitee in survey.invitees.all():
        code = codes.format_code(codes.code_of(invitee))
        assert f"{SITE}/i/{survey.slug}/#{code}\n" in box.text(invitee.email)
    assert not Mail.objects.exists()
    assert not Turn.objects.exists()
    assert send_waiting(SITE) == {}
    assert box.recipients != sorted(box.recipients)  # nor does their order tell the list's


def test_what_waits_holds_neither_link_nor_code_nor_text_and_no_time_before_a_refusal(
    box: Mailbox,
) -> None:
    survey = create_survey_with_tickets(3)
    outbox.invite(survey)
    assert {field.name for field in Mail._meta.get_fields()} == {
        *("id", "invitee", "kind", "refused", "attempts", "due", "set_aside"),
    }
    assert set(Mail.objects.values_list("attempts", "due")) == {(0, None)}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM surveys_mail JOIN surveys_invitee ON surveys_invitee.id = invitee_id"
        )
        stored = str(cursor.fetchall())
    for invitee in survey.invitees.all():
        assert codes.code_of(invitee) not in stored
        assert invitee.email in stored
    assert survey.slug not in stored


def test_a_mail_holds_words_and_one_link_in_all_languages_of_the_survey(box: Mailbox) -> None:
    survey = create_draft(tickets="one", title="Work", contact="Institute of examples")
    add_yes_no(survey)
    invitees.invite(add_translations(survey, "de", "fr", "es", "ar"), [Row("Ada", "a@example.org")])
    publish_survey(survey)
    outbox.invite(survey)
    send_waiting(SITE)
    [mail] = box.mails
    said = box.text("a@example.org")
    link = f"{SITE}/i/{survey.slug}/#{codes.format_code(codes.code_of(survey.invitees.get()))}"
    assert said.count(link) == 5
    assert set(re.findall(r"https?://\S+", said)) == {link}
    for words in ("Take your ticket", "Ticket", "استطلاع", "Work auf Deutsch", "Work en français"):
        assert words in said
    assert len(set(said.split("* * *"))) == 5
    assert (mail["From"], mail["Subject"].split(" / ")[0].strip()) == ("survey@example.org", "Work")
    assert mail.get_content_type() == "text/plain"
    assert "Ada" not in said


def test_reminders_reach_only_whom_they_are_for(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    send_waiting(SITE)
    take_tickets(survey, 20)
    box.mails.clear()
    outbox.remind(survey, "reminder", survey.owner)
    with pytest.raises(Refused, match="No one can answer now"):
        outbox.remind(survey, "general")
    assert send_waiting(SITE) == {"sent": 5}
    assert sorted(box.recipients) == [f"p{n}@example.org" for n in range(20, 25)]
    box.mails.clear()
    open_now(survey)
    with pytest.raises(Refused, match="No one can take a ticket any more"):
        outbox.remind(survey, "reminder")
    outbox.remind(survey, "general", survey.owner)
    with pytest.raises(Refused, match="has been sent"):
        outbox.remind(survey, "general", survey.owner)
    assert send_waiting(SITE) == {"sent": 20}
    assert "We cannot see whether you have answered" in box.mails[0].get_content()
    assert f"{SITE}/s/{survey.slug}/" in box.mails[0].get_content()
    told = list(survey.events.values_list("what", "detail"))[:2]
    assert told == [
        ("reminded", "all who have a ticket"),
        ("reminded", "all who have no ticket yet"),
    ]  # no number


def test_what_is_not_so_any_more_is_not_sent(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    take_tickets(survey, 22)
    assert send_waiting(SITE) == {"sent": 3, "dropped": 22}  # who has a ticket needs no invitation
    outbox.remind(survey, "reminder")
    open_now(survey)
    assert send_waiting(SITE) == {"dropped": 3}
    assert len(box.mails) == 3


def test_a_replacement_brings_a_new_link_and_the_old_one_is_dead(box: Mailbox) -> None:
    survey = create_survey_with_tickets(1, steps="one")
    invitee = survey.invitees.get()
    take_tickets(survey, 1)
    old = codes.code_of(invitee)
    assert outbox.send_replacement(invitees.replace(invitee, survey.owner))
    assert send_waiting(SITE) == {"sent": 1}
    said, new = box.mails[0].get_content(), codes.code_of(Invitee.objects.get())
    assert codes.format_code(new) in said
    assert codes.format_code(old) not in said
    assert "Your old link no longer works." in " ".join(said.split())
    outbox.remind(survey, "reminder")
    assert send_waiting(SITE) == {"sent": 1}  # the new one was not used yet


def test_a_refused_address_stays_and_is_named_and_the_others_are_sent(box: Mailbox) -> None:
    survey = create_survey_with_tickets(3)
    box.refused = {"p01@example.org"}
    outbox.invite(survey)
    assert send_waiting(SITE) == {"sent": 2, "refused": 1}
    assert [mail.invitee.email for mail in outbox.refused_mails(survey)] == ["p01@example.org"]
    assert send_waiting(SITE) == {}
    box.refused = set()
    assert outbox.try_again(survey) == 1
    assert send_waiting(SITE) == {"sent": 1}


def test_a_server_that_is_busy_hangs_up_or_is_away_loses_nothing(
    box: Mailbox, settings: object
) -> None:
    survey = create_survey_with_tickets(4)
    outbox.invite(survey)
    box.busy = 1
    box.hang_up_after = 2
    assert send_waiting(SITE) == {"sent": 2, "later": 2}
    assert Mail.objects.count() == 2
    pauses_pass()
    settings.EMAIL_PORT = 1
    with pytest.raises(CommandError, match="The mails wait for the next run"):
        call_command("deliver")
    settings.EMAIL_PORT, box.hang_up_after = int(box.url.rpartition(":")[2]), -1
    call_command("deliver", site=SITE)
    assert len(set(box.recipients)) == len(box.recipients) == 4


def test_full_mailboxes_keep_no_other_mail_waiting(box: Mailbox) -> None:
    first, second = (
        create_survey_with_tickets(45),
        create_survey_with_tickets(20, owner=create_researcher("bob")),
    )
    box.full = {f"p{number:02}@example.org" for number in range(5)}
    for survey in (first, second):
        outbox.invite(survey)
    call_command("deliver", site=SITE)  # and it does not fail
    assert len(box.mails) == 40 + 15
    assert (outbox.count_queued(first), outbox.delayed(first), outbox.delayed(second)) == (5, 5, 5)
    assert send_waiting(SITE) == {}  # not due yet
    box.full = set()
    pauses_pass()
    assert send_waiting(SITE) == {"sent": 10}
    assert not Mail.objects.exists()


def test_mail_is_tried_for_three_days_and_then_its_address_is_listed(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    box.full = {"p01@example.org"}
    outbox.invite(survey)
    assert send_waiting(SITE) == {"sent": 24, "later": 1}
    waited = []
    for _ in PAUSES[1:]:
        before = timezone.now()
        pauses_pass()
        assert send_waiting(SITE) == {"later": 1}
        waited.append(Mail.objects.get().due - before)
    assert list(outbox.refused_mails(survey)) == []
    pauses_pass()
    assert send_waiting(SITE) == {"refused": 1}
    assert [mail.invitee.email for mail in outbox.refused_mails(survey)] == ["p01@example.org"]
    assert all(wait >= pause for wait, pause in zip(waited, PAUSES[1:], strict=True))
    assert sum(PAUSES, timedelta()) == timedelta(days=3)
    box.full = set()
    assert outbox.try_again(survey) == 1
    assert send_waiting(SITE) == {"sent": 1}


def test_list_of_given_up_addresses_says_of_nobody_that_they_have_no_ticket(box: Mailbox) -> None:
    """Whoever took a ticket meanwhile stays in the list, and no mail is tried."""
    survey = create_survey_with_tickets(25)
    box.full = {"p00@example.org", "p24@example.org"}
    outbox.invite(survey)
    send_waiting(SITE)
    take_tickets(survey, 20)
    box.full = set()
    for _ in PAUSES:
        pauses_pass()
        send_waiting(SITE)
    assert box.recipients.count("p24@example.org") == 1
    assert "p00@example.org" not in box.recipients
    assert [mail.invitee.email for mail in outbox.refused_mails(survey)] == ["p00@example.org"]


@pytest.mark.parametrize("status", ["refused", "full"])
def test_reminder_that_is_not_taken_is_neither_counted_nor_listed(
    box: Mailbox, status: str
) -> None:
    survey = create_survey_with_tickets(25)
    outbox.invite(survey)
    send_waiting(SITE)
    take_tickets(survey, 20)
    outbox.remind(survey, "reminder")
    setattr(box, status, {"p24@example.org"})
    for _ in range(len(PAUSES) + 1):
        send_waiting(SITE)
        assert (
            outbox.count_queued(survey),
            outbox.delayed(survey),
            outbox.refused_mails(survey).count(),
        ) == (
            0,
            0,
            0,
        )
        pauses_pass()
    assert not Mail.objects.exists()


def test_server_that_takes_few_mails_a_connection_gets_several_connections(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    box.most = 10
    outbox.invite(survey)
    assert send_waiting(SITE) == {"sent": 25}
    assert box.connections == 3
    assert len(set(box.recipients)) == 25


def test_server_that_takes_nothing_fails_the_run_and_loses_nothing(box: Mailbox) -> None:
    survey = create_survey_with_tickets(25)
    box.most = 0
    outbox.invite(survey)
    with pytest.raises(Unreachable, match="The mail server answered 421"):
        send_waiting(SITE)
    assert (box.mails, Mail.objects.filter(refused=False).count()) == ([], 25)
    assert Mail.objects.filter(attempts=0).count() >= 22


def test_address_of_an_earlier_version_that_no_mail_reaches_stops_no_other(box: Mailbox) -> None:
    survey = create_survey_with_tickets(3)
    addresses = ["k\N{LATIN SMALL LETTER LONG S}@example.org", f"a@{'ü' * 62}.org"]
    for number, address in enumerate(addresses):
        survey.invitees.filter(email=f"p0{number}@example.org").update(email=address)
    outbox.invite(survey)
    assert send_waiting(SITE) == {"sent": 1, "refused": 2}
    assert {mail.invitee.email for mail in outbox.refused_mails(survey)} == set(addresses)


def test_of_two_senders_one_sends(box: Mailbox) -> None:
    survey = create_survey_with_tickets(2)
    outbox.invite(survey)
    with sender_lock.sender_lock("mails") as first:
        assert first is not None
        assert send_waiting(SITE) == {}
    assert send_waiting(SITE) == {"sent": 2}


def test_without_a_mail_server_the_door_says_so() -> None:
    with pytest.raises(Refused, match="EMAIL_URL is not set"):
        outbox.invite(create_survey_with_tickets(1))


def test_a_draft_and_a_survey_without_tickets_send_nothing(box: Mailbox) -> None:
    survey = create_draft(tickets="one")
    with pytest.raises(Refused, match="A draft has no links yet"):
        outbox.invite(survey)
    survey = create_draft(survey.owner)
    add_yes_no(survey)
    publish_survey(survey)
    with pytest.raises(Refused, match="has no tickets"):
        outbox.invite(survey)


def test_of_a_neutral_title_neither_mail_nor_letter_says_more(box: Mailbox) -> None:
    """Subject and first line stand on a locked phone; a letter lies open on a table."""
    survey = create_survey_with_tickets(25, title="Violence at home", neutral_title=True)
    outbox.invite(survey)
    send_waiting(SITE)
    outbox.remind(survey, "reminder")
    send_waiting(SITE)
    take_tickets(survey, 20)
    outbox.send_replacement(invitees.replace(survey.invitees.get(label="Person 24"), survey.owner))
    send_waiting(SITE)
    open_now(survey)
    outbox.remind(survey, "general")
    send_waiting(SITE)
    first = {each.get_content().splitlines()[0] for each in box.mails}
    assert first == {
        "You are invited to a survey.",
        "You are invited to a survey, and have not taken your ticket yet.",
        "Here is a new link for a survey. Your old link no longer works.",
        "You have a ticket for a survey.",
    }
    assert {each["Subject"] for each in box.mails} == {"A survey"}
    assert not [each for each in box.mails if "Violence" in each.get_content()]
    assert "Violence" not in str(mails.printable_letters(survey))
