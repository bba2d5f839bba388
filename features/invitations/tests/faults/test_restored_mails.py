"""Mails that waited when a backup was made: a restored site sends none of them a second time, and loses none."""

import secrets
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.faults.conftest import Site
from tests.faults.restores import restore
from tests.servers.smtp_server import Mailbox, run_smtp_server

MAILS = 100
QUEUE = """
from features.invitations import outbox
from tests.factories.ticket_surveys import create_survey_with_tickets
survey = create_survey_with_tickets({n}, steps="one")
print(outbox.invite(survey))
"""
STATE = """
from features.invitations import outbox
from surveys.models import Survey
survey = Survey.objects.get()
print(outbox.count_queued(survey), outbox.set_aside(survey))
"""
SEND = """
from features.invitations import outbox
from surveys.models import Survey
print(outbox.send_set_aside(Survey.objects.get()))
"""
INVITE_ONE_MORE = """
from features.invitations import outbox
from surveys.fieldwork.tickets import invitees
from surveys.fieldwork.tickets.invitees import Row
from surveys.models import Survey
survey = Survey.objects.get()
invitees.invite(survey, [Row("", "late@example.org")])
print(outbox.invite(survey))
"""
KILL_BEFORE_STATEMENT = """
import os, signal
from django.db import connection
from features.invitations.restored_mails import set_aside_after_restore
statements = []
def kill(execute, sql, *arguments):
    statements.append(sql)
    if len(statements) == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *arguments)
with connection.execute_wrapper(kill):
    set_aside_after_restore()
"""


REFUSAL = (
    "CommandError: This database was restored. Run candor restored. Until then nothing is sent.\n"
)


def lose_folder(site: Site) -> None:
    """Let the site be on a new machine, whose folder VAR has no restore mark to compare."""
    (site.folder / "restore-mark").unlink()


def queue(site: Site, box: Mailbox, n: int) -> None:
    site.environment |= {
        "EMAIL_URL": box.url,
        "EMAIL_FROM": "a@example.org",
        "TICKET_KEY": secrets.token_urlsafe(50),
    }
    assert site.shell(QUEUE.format(n=n)) == str(n)


def back_up(site: Site) -> Path:
    folder = site.folder / "backups"
    folder.mkdir(exist_ok=True)
    site.manage("backup", str(folder))
    (backup,) = folder.iterdir()
    return backup


def test_restored_site_sends_no_mail_twice_unless_someone_says_so(
    site: Site, request: pytest.FixtureRequest
) -> None:
    with run_smtp_server() as box:
        queue(site, box, MAILS)
        backup = back_up(site)
        assert site.shell(STATE) == f"{MAILS} 0"  # a backup stops no mail of the site that runs
        site.manage("deliver")
        assert len(box.mails) == MAILS

        restore(site, backup, request)
        for _ in range(2):
            code, _, complained = site.commands.run_unchecked("deliver")
            assert (code, complained) == (1, REFUSAL)
        assert len(box.mails) == MAILS
        assert f"{MAILS} mails were set aside" in site.manage("restored")
        site.manage("deliver")
        assert len(box.mails) == MAILS
        assert set(Counter(box.recipients).values()) == {1}
        assert site.shell(STATE) == f"0 {MAILS}"

        assert site.shell(SEND) == str(MAILS)
        assert site.shell(STATE) == f"{MAILS} 0"


def test_invitation_after_a_restore_is_sent_while_the_earlier_ones_are_set_aside(
    site: Site, request: pytest.FixtureRequest
) -> None:
    with run_smtp_server() as box:
        queue(site, box, 20)
        restore(site, back_up(site), request)

        lose_folder(site)

        assert site.shell(INVITE_ONE_MORE) == "1"  # before the timer has noticed anything
        site.manage("deliver")

        assert box.recipients == ["late@example.org"]
        assert site.shell(STATE) == "0 20"


def test_site_that_lost_its_folder_sends_no_mail_twice(
    site: Site, request: pytest.FixtureRequest
) -> None:
    with run_smtp_server() as box:
        queue(site, box, 20)
        restore(site, back_up(site), request)
        lose_folder(site)

        assert "This database may have been restored." in site.manage("deliver")
        assert "restored" not in site.manage("deliver")

        assert box.mails == []
        assert site.shell(STATE) == "0 20"


def test_restore_that_is_completed_twice_sends_only_what_someone_says(
    site: Site, request: pytest.FixtureRequest
) -> None:
    with run_smtp_server() as box:
        queue(site, box, 20)
        restore(site, back_up(site), request)
        for _ in range(2):
            site.manage("restored")
        site.manage("deliver")
        assert box.mails == []

        assert site.shell(SEND) == "20"
        site.manage("deliver")

        assert set(Counter(box.recipients).values()) == {1}
        assert len(box.mails) == 20


def test_kill_while_mails_are_set_aside_sends_and_loses_none(
    site: Site, request: pytest.FixtureRequest
) -> None:
    with run_smtp_server() as box:
        queue(site, box, 20)
        restore(site, back_up(site), request)
        lose_folder(site)

        number = 0
        code = -signal.SIGKILL
        while code == -signal.SIGKILL:
            number += 1
            killed = site.commands.start(
                "manage.py",
                "shell",
                "--no-imports",
                "-c",
                KILL_BEFORE_STATEMENT.format(number=number),
            )
            code = killed.wait()
        assert code == 0
        assert number > 5
        site.manage("deliver")

        assert box.mails == []
        assert site.shell(STATE) == "0 20"
