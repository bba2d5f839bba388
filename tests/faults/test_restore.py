"""Restores of real backups: nothing that was removed returns, and each restore is noticed."""

import json
import secrets
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.faults.conftest import Site
from tests.faults.restores import restore
from tests.servers import subprocesses

RESTORED = "This database was restored. Run candor restored."

# What is removed later, each with a neighbour that stays.
CREATE = """
import json
from datetime import timedelta
from django.utils import timezone
from surveys.accounts import account, team, tokens
from surveys.fieldwork.tickets import invitees
from surveys.models import AccessToken, Invitation, Role, Survey
from tests.factories.inbox import submit_responses
from tests.factories.surveys import add_yes_no, create_draft, create_published, create_researcher
from tests.factories.ticket_surveys import create_survey_with_tickets, make_invitee_rows, take_tickets

ada = create_researcher("ada")
for name in ("destroyed", "emptied", "stays"):
    instrument = create_published(ada)
    Survey.objects.filter(pk=instrument.survey_id).update(title=name)
    submit_responses(instrument, 30)
create_draft(ada, title="deleted draft")
survey = create_survey_with_tickets(22, "one", ada, title="finished")
take_tickets(survey, 21)
create_survey_with_tickets(22, "one", ada, title="withdrawn one")
for title in ("draft without list", "published later"):
    draft = create_draft(ada, title=title, tickets="one")
    add_yes_no(draft)
    invitees.invite(draft, make_invitee_rows(22))
kim = create_researcher("kim")
lee = create_researcher("lee")
create_draft(lee, title="of lee")
stays = Survey.objects.get(title="stays")
for user in (ada, kim):
    for name in ("one", "two"):
        tokens.issue_token(user, name)
for role in (Role.EDITOR, Role.ANALYST, Role.EXPORTER):
    team.invite(survey=stays, by=ada, role=role)
"""
REMOVE = """
from surveys.accounts import account, team, tokens
from surveys.authoring.drafts.drafts import delete_survey
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.deletion import delete_responses
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.fieldwork.tickets import invitees
from surveys.models import AccessToken, Invitation, Invitee, Survey
from django.contrib.auth.models import User
from tests.factories.surveys import publish_survey

ada, kim, lee = (User.objects.get(username=name) for name in ("ada", "kim", "lee"))

def survey(title):
    return Survey.objects.get(title=title)

publish_survey(survey("published later"), ada)
for title in ("destroyed", "finished", "published later"):
    close_survey(survey(title), ada)
destroy(survey("destroyed"), ada, confirm="destroyed")
delete_responses(survey("emptied").instrument)
delete_survey(survey=survey("deleted draft"))
finish(survey("finished"), ada)
finish(survey("published later"), ada)
invitees.withdraw(survey("withdrawn one").invitees.get(label="Person 03"))
invitees.delete_invitees(survey("draft without list").invitees.all())
tokens.revoke(ada, AccessToken.objects.get(user=ada, name="one").pk)
tokens.revoke_all(kim)
first, second, _ = Invitation.objects.order_by("role")
team.revoke_invitation(invitation=first, by=ada)
team.join(invitation=second, user=kim)
account.delete_account(kim)
lees = Survey.objects.get(title="of lee")
Survey.objects.filter(pk=lees.pk).update(owner=ada)
account.delete_account(lee)
"""
STATE = """
import json
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from surveys.models import AccessToken, Batch, Fetched, Held, Invitation, Invitee, Issuer, Response, Survey
surveys = {}
for survey in Survey.objects.all():
    records = 0
    if hasattr(survey, "instrument"):
        instrument = survey.instrument
        records += sum(batch.n for batch in instrument.batches.all())
        records += sum(row.n for row in instrument.held.all())
        records += Response.objects.filter(instrument=instrument).count()
    people = survey.invitees.exclude(email="").count()
    surveys[survey.title] = [records, people]
print(json.dumps(dict(
    surveys=surveys,
    users=sorted(User.objects.filter(is_active=True).values_list("username", flat=True)),
    tokens=sorted(AccessToken.objects.values_list("user__username", "name")),
    invitations=sorted(Invitation.objects.values_list("role", flat=True)),
    private_keys=sorted(Issuer.objects.exclude(private=None).values_list("survey__title", flat=True)),
    sessions=Session.objects.count(),
)))
"""
# A draft that was restored can be published again: the journal is about the survey that was lost.
PUBLISH_AGAIN = """
from surveys.models import Survey
from surveys.fieldwork.tickets import invitees
from tests.factories.surveys import publish_survey
from tests.factories.ticket_surveys import make_invitee_rows
survey = Survey.objects.get(title="published later")
invitees.invite(survey, make_invitee_rows(22))
publish_survey(survey, survey.owner)
"""
# A new account gets the number of the one that was deleted, as its number is free after a restore.
JOIN = """
from django.contrib.auth.models import User
from surveys.accounts import account
from tests.factories.surveys import create_researcher
from django.db import connection
user = create_researcher("mel")
{rest}
print(user.pk)
"""
LOG_IN = """
from django.contrib.auth.models import User
from tests.factories.ticket_surveys import client_for
client_for(User.objects.get(username="ada"))
"""
SUBMIT = """
from surveys.models import Instrument
from tests.factories.inbox import submit_responses
submit_responses(Instrument.objects.get(survey__slug={slug!r}), {n})
"""
# A step is a statement, a file that is opened, or one that gets its name.
KILL_BEFORE_STEP = """
import os, signal, sys
from django.db import connection
from surveys.operation import restore_mark
steps = 0
def count_step():
    global steps
    steps += 1
    if steps == {number}:
        os.kill(os.getpid(), signal.SIGKILL)
def watch(event, arguments):
    if event in ("open", "os.rename", "os.remove") and "restore" in str(arguments[0]):
        count_step()
def execute(run, sql, *arguments):
    count_step()
    return run(sql, *arguments)
connection.ensure_connection()
sys.addaudithook(watch)
with connection.execute_wrapper(execute):
    restore_mark.{function}()
"""
# Whether the timers believe the database, before and after a run of them, and how many marks the file has then.
DELIVER = """
import io
from django.core.management import CommandError, call_command
from surveys.operation import restore_mark
print(restore_mark.is_restored())
try:
    call_command("deliver", stdout=io.StringIO())
except CommandError as error:
    print(error)
print(restore_mark.is_restored(), len(restore_mark.mark_file().read_text().split()))
"""


def back_up(site: Site, *options: str) -> Path:
    folder = site.folder / "backups"
    folder.mkdir(exist_ok=True)
    former = set(folder.glob("candor-*"))
    site.manage("backup", str(folder), *options)
    (backup,) = set(folder.glob("candor-*")) - former
    return backup


def state(site: Site) -> dict:
    return json.loads(site.shell(STATE))


def complaint(site: Site, *arguments: str) -> str:
    code, _, complained = site.commands.run_unchecked(*arguments)
    assert code == 1
    return complained.strip()


def marks_in_file(site: Site) -> list[str]:
    return (site.folder / "restore-mark").read_text().split()


def mark_in_backup(backup: Path, request: pytest.FixtureRequest) -> str:
    """Return the mark that a backup has, or "" if it has none."""
    if backup.suffix == ".sqlite3":
        with closing(sqlite3.connect(backup)) as database:
            (mark,) = database.execute(
                "SELECT max(command) FROM surveys_run WHERE command LIKE 'mark %'"
            ).fetchone()
        return (mark or "").removeprefix("mark ")
    server = request.getfixturevalue("postgres")
    options = ["--data-only", "--table", "surveys_run", "--file", "-"]
    text = subprocesses.run([server.bin / "pg_restore", *options, backup]).stdout
    marks = [line.split("\t")[0] for line in text.splitlines() if line.startswith("mark ")]
    return "".join(marks).removeprefix("mark ")


@pytest.fixture
def ticket_site(site: Site) -> Site:
    site.environment["TICKET_KEY"] = secrets.token_urlsafe(50)
    return site


def test_nothing_that_was_removed_returns_with_a_backup(
    ticket_site: Site, request: pytest.FixtureRequest
) -> None:
    site = ticket_site
    site.shell(CREATE)
    site.manage("seal")
    backup = back_up(site)
    before = state(site)
    site.shell(REMOVE)
    removed = state(site)
    assert removed != before

    restore(site, backup, request)
    site.shell(LOG_IN)
    assert state(site) == before | {"sessions": 1}
    assert RESTORED in complaint(site, "deliver")
    assert RESTORED in site.manage("seal")
    said = site.manage("restored")
    after = state(site)

    assert "The backup is of " in said
    assert "1 sessions were ended." in said
    for words in (
        "2 surveys",
        "1 survey’s responses",
        "1 survey’s tickets",
        "45 invited people",
        "2 accounts",
        "2 invitations to teams",
    ):
        assert words in said
    assert after["surveys"].keys() == removed["surveys"].keys()
    for title, (records, people) in removed["surveys"].items():
        assert after["surveys"][title] == [records, people], title
    for part in ("users", "tokens", "invitations"):
        assert after[part] == removed[part]
    # The later publication is lost with its key. The draft is back, and its list is not.
    assert after["private_keys"] == removed["private_keys"] == ["withdrawn one"]
    assert after["sessions"] == 0
    site.manage("deliver")

    assert "Nothing that was removed since the backup has returned." in site.manage("restored")
    assert state(site) == after


def test_inbox_of_a_backup_is_dropped_and_new_responses_are_taken(
    site: Site, request: pytest.FixtureRequest
) -> None:
    survey = site.survey()
    site.shell(SUBMIT.format(slug=survey.slug, n=50))
    site.manage("seal")
    site.shell(SUBMIT.format(slug=survey.slug, n=7))
    backup = back_up(site)
    before = survey.count()
    assert (before["waiting"], before["held"], before["tally"]) == (7, 20, 30)
    site.shell(SUBMIT.format(slug=survey.slug, n=20))
    site.manage("seal")

    restore(site, backup, request)
    assert "The private key of the inbox is missing." in complaint(site, "seal")
    said = site.manage("restored")

    assert "The inbox has a new key. Unreadable responses deleted: 7." in said
    assert survey.count() == before | {"waiting": 0}
    site.start()
    assert survey.send()[0] == 201
    site.manage("seal")
    assert survey.count() == before | {"waiting": 1}


def test_restored_draft_can_be_published_again(
    ticket_site: Site, request: pytest.FixtureRequest
) -> None:
    """Completing the restore again, as after a second one, leaves the new publication alone."""
    site = ticket_site
    site.shell(CREATE)
    backup = back_up(site)
    site.shell(REMOVE)
    restore(site, backup, request)
    site.manage("restored")
    site.shell(PUBLISH_AGAIN)
    published = state(site)
    assert published["surveys"]["published later"] == [0, 22]

    site.manage("restored")

    assert state(site) == published
    assert "published later" in published["private_keys"]


def test_account_with_the_number_of_a_deleted_one_stays(
    site: Site, request: pytest.FixtureRequest
) -> None:
    backup = back_up(site)
    deleted = site.shell(JOIN.format(rest="print(user.pk); account.delete_account(user)"))
    restore(site, backup, request)
    site.manage("restored")

    number = site.shell(JOIN.format(rest=""))
    assert number == deleted.split()[0]
    site.manage("restored")

    assert state(site)["users"] == ["mel"]


def test_journal_beside_the_backups_completes_a_restore_on_a_new_machine(
    ticket_site: Site, request: pytest.FixtureRequest
) -> None:
    site = ticket_site
    site.shell(CREATE)
    backup = back_up(site)
    site.shell(REMOVE)
    removed = state(site)
    back_up(site, "--keep", "14")
    kept = site.folder / "kept.jsonl"
    shutil.copy(backup.parent / "removals.jsonl", kept)
    for name in ("removals.jsonl", "restore-mark"):
        (site.folder / name).unlink()

    restore(site, backup, request)
    assert "There is no journal of removals in " in site.manage("restored")
    assert state(site) != removed
    assert "2 surveys" in site.manage("restored", "--journal", str(kept))

    assert state(site)["users"] == removed["users"]
    assert state(site)["surveys"].keys() == removed["surveys"].keys()
    lines = (site.folder / "removals.jsonl").read_text().splitlines()
    assert set(kept.read_text().splitlines()) <= set(lines)


def test_backups_of_the_same_second_all_stay(site: Site) -> None:
    folder = site.folder / "backups"
    folder.mkdir()
    site.shell(f"""
from datetime import UTC, datetime
from django.core.management import call_command
from django.utils import timezone
timezone.now = lambda: datetime(2030, 1, 1, 3, tzinfo=UTC)
for number in range(3):
    call_command("backup", {str(folder)!r})
""")
    names = {file.stem for file in folder.glob("candor-*")}
    assert names == {f"candor-2030-01-01-03000{second}" for second in range(3)}


def test_killed_backup_stops_no_mail_and_hides_no_restore(
    site: Site, request: pytest.FixtureRequest
) -> None:
    first = back_up(site)
    number = 0
    code = -signal.SIGKILL
    while code == -signal.SIGKILL:
        number += 1
        script = KILL_BEFORE_STEP.format(number=number, function="change_mark")
        killed = site.commands.start("manage.py", "shell", "--no-imports", "-c", script)
        code = killed.wait()

        assert site.shell(DELIVER) == "False\nFalse 1"
    assert code == 0
    assert number > 8

    second = back_up(site)
    third = back_up_and_kill(site)
    for backup in (first, second, *third):
        assert mark_in_backup(backup, request) not in marks_in_file(site)
    restore(site, second, request)
    assert RESTORED in complaint(site, "deliver")


def back_up_and_kill(site: Site) -> list[Path]:
    """Kill a backup just before it gets its name, and return the files that look like backups."""
    folder = site.folder / "killed"
    folder.mkdir()
    script = f"""
import os, signal, sys
from pathlib import Path
from surveys.operation.backups import take
def watch(event, arguments):
    if event == "os.rename" and "candor-" in str(arguments[1]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(watch)
take(Path({str(folder)!r}))
"""
    killed = site.commands.start("manage.py", "shell", "--no-imports", "-c", script)
    killed.wait()
    subprocesses.expect_exit_code(
        killed.args, killed.returncode, -signal.SIGKILL, **killed.streams()
    )
    assert [file.stem for file in folder.iterdir()] == ["partial"]
    site.manage("backup", str(folder))
    return [file for file in folder.iterdir() if file.name.startswith("candor-")]


def test_killed_completion_of_a_restore_can_be_repeated(
    site: Site, request: pytest.FixtureRequest
) -> None:
    backup = back_up(site)
    restore(site, backup, request)
    number = 0
    code = -signal.SIGKILL
    while code == -signal.SIGKILL:
        number += 1
        script = KILL_BEFORE_STEP.format(number=number, function="accept_restore")
        killed = site.commands.start("manage.py", "shell", "--no-imports", "-c", script)
        code = killed.wait()
        said = site.shell(DELIVER)
        if said != "False\nFalse 1":
            assert said.startswith(f"True\n{RESTORED} Until then nothing is sent.\nTrue ")
    assert code == 0
    assert number > 5
    site.manage("restored")
    site.manage("deliver")
    assert mark_in_backup(backup, request) not in marks_in_file(site)


def test_backup_of_another_program_is_noticed_too(
    site: Site, request: pytest.FixtureRequest
) -> None:
    site.manage("backup", "--elsewhere")
    dump = back_up(site)
    site.manage("backup", "--elsewhere")
    site.manage("deliver")

    restore(site, dump, request)

    assert RESTORED in complaint(site, "deliver")
    # A backup of what was restored makes nothing undone.
    assert RESTORED in site.manage("backup", "--elsewhere")
    assert RESTORED in complaint(site, "deliver")
    site.manage("restored")
    site.manage("deliver")


def test_doctor_says_what_is_known_of_a_restore(site: Site, request: pytest.FixtureRequest) -> None:
    backup = back_up(site)
    restore(site, backup, request)
    _, said, _ = site.commands.run_unchecked("doctor")
    assert f"FAIL  restore: {RESTORED}\n      Fix: Run it after manage.py migrate." in said

    # Without the file nothing is compared.
    (site.folder / "restore-mark").unlink()
    site.manage("deliver")
    _, said, _ = site.commands.run_unchecked("doctor")
    assert "ok    restore: VAR has no restore mark, so a restore would not be noticed." in said
    back_up(site)
    site.manage("deliver")
    _, said, _ = site.commands.run_unchecked("doctor")
    assert "ok    restore: The restore marks of the database and of VAR agree." in said
