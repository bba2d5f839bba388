"""Senders of mails that run at once, and one that is killed: one mail at most comes twice, and none is lost."""

import secrets
import signal
import time
from collections import Counter

from tests.faults.conftest import Site
from tests.servers.commands import ForkedProgram
from tests.servers.smtp_server import Mailbox, run_smtp_server

MAILS = 40
QUEUE = """
from features.invitations import outbox
from tests.factories.ticket_surveys import create_survey_with_tickets
print(outbox.invite(create_survey_with_tickets({n}, steps="one")))
"""
FULL = {"p07@example.org", "p21@example.org", "p22@example.org"}
DELAYED = """
from surveys.models import Mail
mails = Mail.objects.all()
print(len(mails), all(mail.attempts for mail in mails))
"""
WHEN_DUE = """
from django.utils import timezone
from surveys.models import Mail
Mail.objects.update(due=timezone.now())
"""
A_MINUTE_LATER = """
from django.utils import timezone
from surveys.models import Turn
Turn.objects.update(until=timezone.now())
"""


def queue(site: Site, box: Mailbox) -> None:
    site.environment |= {
        "EMAIL_URL": box.url,
        "EMAIL_FROM": "a@example.org",
        "TICKET_KEY": secrets.token_urlsafe(50),
    }
    assert site.shell(QUEUE.format(n=MAILS)) == str(MAILS)


def sender(site: Site) -> ForkedProgram:
    return site.commands.start("manage.py", "deliver")


def wait_for(box: Mailbox, n: int) -> None:
    end = time.monotonic() + 60
    while len(box.mails) < n:
        assert time.monotonic() < end, "nothing is sent any more"
        time.sleep(0.005)


def test_a_sender_that_is_killed_repeats_one_mail_at_most_and_loses_none(site: Site) -> None:
    """Of those for full mailboxes too, over several connections."""
    with run_smtp_server() as box:
        queue(site, box)
        box.pause = 0.05  # so that the kill comes while a mail is on its way
        box.full = FULL
        box.most = 7
        process = sender(site)
        wait_for(box, 5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        box.pause = 0
        assert len(box.mails) < MAILS
        before = len(box.mails)
        site.manage("deliver")  # somebody else seems to be sending still
        assert len(box.mails) <= before + 1  # the one that was on its way
        site.shell(A_MINUTE_LATER)
        for process in [sender(site) for _ in range(3)]:
            process.finish()
        assert len(set(box.recipients)) == MAILS - len(FULL)
        assert site.shell(DELAYED) == f"{len(FULL)} True"
        box.full = set()
        site.shell(WHEN_DUE)
        site.manage("deliver")
        times = Counter(box.recipients)
        assert len(times) == MAILS
        assert sorted(times.values(), reverse=True)[:2] in ([1, 1], [2, 1])
