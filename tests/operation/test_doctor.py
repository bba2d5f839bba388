"""manage.py doctor: a deployment that is well, and each thing that can be wrong with one, with what to do about it."""

import os
import re
import secrets
import shutil
import smtplib
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings as given
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from surveys.fieldwork.responses.inbox_keys import replace_inbox_key
from surveys.models import Issuer, Run
from surveys.operation import deployment, machine, restarts
from surveys.operation.health import Check, readiness
from tests.accounts.forged_provider import forging
from tests.factories.inbox import submit_responses
from tests.factories.surveys import create_published
from tests.helpers.ticket_device import survey_with_tickets
from tests.servers import subprocesses
from tests.servers.commands import Commands

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def well(settings: object, tmp_path: Path, db: None) -> object:
    """The settings of a deployment that lacks nothing."""
    settings.VAR = tmp_path
    settings.INBOX_KEYS = tmp_path / "inbox-keys"
    replace_inbox_key()
    settings.SECRET_KEY = secrets.token_urlsafe(50)
    settings.ALLOWED_HOSTS = ["survey.example.org"]
    settings.HTTPS = settings.BEHIND_PROXY = True
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = settings.SECURE_SSL_REDIRECT = (
        True
    )
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    settings.SECURE_HSTS_SECONDS = 31_536_000
    call_command("seal")
    return settings


@pytest.fixture
def said(capsys: pytest.CaptureFixture):
    """What doctor prints, and that it fails exactly where something is to mend."""

    def ask() -> str:
        capsys.readouterr()
        code = 0
        try:
            call_command("doctor")
        except SystemExit as end:
            code = end.code
        text = capsys.readouterr().out
        failures = text.count("FAIL")
        assert text.count("      Fix: ") == failures
        assert text.endswith(f"{failures} to fix.\n" if failures else "No problems.\n")
        assert code == (1 if failures else 0)
        return text

    return ask


def test_a_site_as_it_should_be(well: object, said) -> None:
    text = said()
    assert text.startswith("ok    version: Candor ")
    assert text.endswith("No problems.\n")
    assert ("SQLite" if connection.vendor == "sqlite" else "In PostgreSQL 1") in text


SETTINGS = [
    ({"SECRET_KEY": "short"}, "SECRET_KEY has less than 50", "into SECRET_KEY"),
    ({"DEBUG": True}, "DEBUG set to True", "Remove DEBUG"),
    ({"ALLOWED_HOSTS": ["localhost"]}, "only to this machine’s own names", "Set ALLOWED_HOSTS"),
    ({"ALLOWED_HOSTS": ["*"]}, "The site answers to any name", "Set ALLOWED_HOSTS"),
    (
        {"CSRF_TRUSTED_ORIGINS": ["http://a.example"]},
        "The site accepts forms from http://a.example",
        "with https://",
    ),
    ({"HTTPS": False, "SECURE_SSL_REDIRECT": False}, "plain http", "Remove HTTPS=0"),
    ({"BEHIND_PROXY": False}, "doesn’t trust a web server", "Set BEHIND_PROXY=1"),
]


@pytest.mark.parametrize(("change", "fault", "mend"), SETTINGS)
def test_a_setting_that_is_wrong(well: object, said, change: dict, fault: str, mend: str) -> None:
    for name, value in change.items():
        setattr(well, name, value)
    text = said()
    assert fault in text
    assert mend in text
    assert text.count("FAIL") == 1


def test_a_ticket_key_that_is_missing_or_no_secret_of_its_own(well: object, said) -> None:
    assert "ok    tickets: TICKET_KEY is set." in said()
    survey_with_tickets()
    well.TICKET_KEY = [secrets.token_urlsafe(50), *well.TICKET_KEY]
    assert "FAIL" not in said()
    well.TICKET_KEY = well.TICKET_KEY[:1]
    assert "FAIL  tickets: The keys of 1 surveys" in said()
    well.TICKET_KEY = []
    assert "FAIL  tickets: The keys of 1 surveys" in said()
    Issuer.objects.update(private=None)
    assert "No survey can have tickets" in said()
    well.TICKET_KEY = [well.SECRET_KEY]
    assert "FAIL  tickets: TICKET_KEY is the same as SECRET_KEY" in said()


def test_timers_that_stopped(well: object, said) -> None:
    Run.objects.update(finished=timezone.now() - timedelta(days=1))
    assert "FAIL  seal: manage.py seal last finished 8640" in said()
    Run.objects.all().delete()
    installed = MigrationRecorder.Migration.objects.filter(app="surveys")
    installed.update(applied=timezone.now() - timedelta(hours=1, seconds=1))
    assert "FAIL  seal: manage.py seal has never finished." in said()


def test_right_after_the_installation_nothing_has_to_have_run(well: object, said) -> None:
    """Whoever asks /readyz still learns that it has not."""
    Run.objects.all().delete()
    text = said()
    assert "ok    seal: manage.py seal has not finished yet." in text
    assert "FAIL" not in text
    assert not all(check.ok for check in readiness())


def test_a_timer_that_was_never_enabled(well: object, said, monkeypatch, tmp_path: Path) -> None:
    """The units are those of the documentation. A command that finishes is started somewhere, as on another node."""
    units = tmp_path / "units"
    (units / "timers.target.wants").mkdir(parents=True)
    for name in ("seal", "backup"):
        file = f"candor-{name}.timer"
        shutil.copy(ROOT / "docs/deploy" / file, units / file)
    monkeypatch.setattr(machine, "UNITS", units)
    text = said()
    assert (
        "FAIL  timers: candor-backup.timer is not enabled, and manage.py backup has never finished."
        in text
    )
    assert "Fix: systemctl enable --now candor-backup.timer" in text
    assert text.count("FAIL") == 1
    link = units / "timers.target.wants/candor-backup.timer"
    link.symlink_to(units / "candor-backup.timer")
    assert "FAIL" not in said()
    link.unlink()
    call_command("backup", elsewhere=True)
    assert "FAIL" not in said()


@pytest.mark.usefixtures("well")
@pytest.mark.parametrize(("version", "is_too_old"), [("9.6.24", True), ("99.1", False)])
def test_a_pg_dump_that_is_older_than_the_server(
    said, monkeypatch, tmp_path: Path, version: str, is_too_old: bool
) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite needs no pg_dump.")
    program = tmp_path / "bin/pg_dump"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    program.write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version} (Debian {version}-1)'\n")
    program.chmod(0o755)
    assert ("FAIL  backup program: pg_dump 9 is too old for PostgreSQL" in said()) == is_too_old


def test_a_folder_of_a_read_only_container(well: object, said, monkeypatch) -> None:
    """Where the data is in PostgreSQL. The file system itself is not remounted; what it says of itself is changed."""
    well.INBOX_KEYS = None
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    text = said()
    assert f"ok    folders: {well.VAR} is read-only." in text
    assert f"ok    starts: Starts are not counted, because {well.VAR} is read-only." in text
    assert "FAIL" not in text
    monkeypatch.setattr(machine, "_database", lambda: well.VAR / "candor.sqlite3")
    text = said()
    assert f"FAIL  folders: {well.VAR} cannot be written to.\n      Fix: Mount {well.VAR}" in text


def test_a_backup_that_is_old_or_never_came(
    well: object, said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an installation or update there are two nights' time for the first. The clock stands still meanwhile."""
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    assert " backup: " not in said()
    installed = MigrationRecorder.Migration.objects.filter(app="surveys")
    installed.update(applied=moment - timedelta(days=2, seconds=1))
    assert "FAIL  backup: manage.py backup has never finished." in said()
    call_command("backup", elsewhere=True)
    assert "ok    backup: manage.py backup last finished 0 seconds ago." in said()
    Run.objects.filter(command="backup").update(finished=moment - timedelta(days=2, seconds=1))
    assert "FAIL  backup: manage.py backup last finished 172801 seconds ago." in said()


def test_processes_that_start_again_and_again(well: object, said) -> None:
    """As where memory is too short for a worker: between two deaths it looks well."""
    assert "ok    starts: Processes of the site were started 0 times" in said()
    for _ in range(restarts.MANY):
        restarts.note()
    assert (
        "FAIL  starts: Processes of the site were started 5 times within the last hour." in said()
    )
    file = well.VAR / "starts"
    file.write_text("".join(f"{timezone.now() - timedelta(hours=2)}\n" for _ in range(9)))
    assert "FAIL" not in said()
    file.write_text("2026-11-")  # the machine went off while it was written
    assert "FAIL" not in said()


def test_static_files_of_another_version(well: object, said, monkeypatch, tmp_path: Path) -> None:
    """As after an update without collectstatic: a script of this version differs from the one that is served."""
    from django.contrib.staticfiles import finders

    changed = tmp_path / "page.js"
    changed.write_text("'another'")
    find = finders.find
    monkeypatch.setattr(
        finders, "find", lambda path: changed if path == "respondent/page.js" else find(path)
    )
    text = said()
    assert "1 are missing or of another version, as respondent/page.js" in text
    assert "Fix: Run manage.py collectstatic" in text


def test_a_file_that_is_missing_from_the_static_files(well: object, said) -> None:
    from django.contrib.staticfiles.storage import staticfiles_storage

    place = Path(given.STATIC_ROOT) / staticfiles_storage.stored_name("respondent/page.js")
    away = place.with_suffix(".away")
    place.rename(away)
    try:
        assert "1 are missing" in said()
    finally:
        away.rename(place)


def test_others_who_may_read(well: object, said, tmp_path: Path, monkeypatch) -> None:
    key, environment = tmp_path / "secret-key", tmp_path / "environment"
    for file in (key, environment):
        file.write_text("x")
    key.chmod(0o644)
    environment.chmod(0o640)
    monkeypatch.setattr(machine, "ENVIRONMENT", environment)
    assert f"chmod 600 {key}" in said()
    key.chmod(0o600)
    environment.chmod(0o644)
    assert f"Fix: chmod 640 {environment}" in said()
    environment.chmod(0o640)
    assert "FAIL" not in said()


def test_private_key_of_the_inbox_that_is_missing_or_readable_by_others(well: object, said) -> None:
    assert "ok    inbox: Each key of the inbox has its private key." in said()
    (file,) = well.INBOX_KEYS.glob("?" * 32)
    file.chmod(0o640)
    assert f"Fix: chmod 600 {file}" in said()
    file.unlink()
    text = said()
    missing = "The private key of the inbox is missing. After a restore, run candor restored."
    assert f"FAIL  inbox: {missing}" in text
    assert text.count("FAIL") == 1
    well.INBOX_KEYS = None
    assert "ok    inbox: This node has no private keys of the inbox" in said()


def test_private_key_that_waiting_responses_need_is_missing(well: object, said) -> None:
    instrument = create_published()
    submit_responses(instrument, 3)
    (file,) = well.INBOX_KEYS.glob("?" * 32)
    file.unlink()
    replace_inbox_key()
    text = said()
    assert "FAIL  inbox: About 20 responses in the inbox can’t be read" in text
    assert "run candor seal --drop-unreadable" in text


def test_write_ahead_log_that_is_kept(well: object, said, monkeypatch) -> None:
    if connection.vendor == "sqlite":
        assert "write-ahead" not in said()
        return
    assert said().count("ok    write-ahead log: ") == 2
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL wal_recycle = on")
    monkeypatch.setattr(deployment, "LONGEST_LOG_FILE", 600)
    text = said()
    assert "FAIL  write-ahead log: Old files of the write-ahead log are kept for use" in text
    assert "Fix: As superuser: ALTER SYSTEM SET wal_recycle = off" in text
    assert "FAIL  write-ahead log: A new file of the write-ahead log is begun after 3600" in text
    assert "Fix: As superuser: ALTER SYSTEM SET archive_timeout = '1h'" in text


def test_little_room(well: object, said, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=machine.ROOM - 1))
    assert "Fix: Free some space: 0.5 GB should be free." in said()


def test_root_is_told_to_look_as_the_service(
    well: object, said, monkeypatch, tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(tmp_path, 65534, 65534)
    assert "FAIL  account: This runs as root" in said()


def test_mail_is_looked_at_where_it_is_set(well: object, said, monkeypatch) -> None:
    class Away(smtplib.SMTP):
        def __init__(self, *_: object, **__: object) -> None:
            raise ConnectionRefusedError(111, "Connection refused")

    assert "e-mail" not in said()
    well.EMAIL_HOST, well.EMAIL_BACKEND = (
        "mail.example.org",
        "django.core.mail.backends.smtp.EmailBackend",
    )
    monkeypatch.setattr(smtplib, "SMTP", Away)
    assert "FAIL  e-mail: mail.example.org:" in said()


def test_logins_through_an_organization_are_looked_at_where_they_are_set(
    well: object, said
) -> None:
    assert not [*deployment.logins()]
    with forging() as forged:
        well.OIDC_ISSUER = forged.issuer
        assert f"ok    logins: {forged.issuer} answers; its clock and this machine’s are" in said()
        for forged.ahead, apart in ((57, ""), (-57, ""), (90, "(89|90)"), (-90, "(90|91)")):
            (check,) = deployment.logins()
            assert (check.ok, check.mend.startswith("Set this machine’s time")) == (not apart, True)
            assert re.search(f"are {apart or '[0-9]+'} seconds apart", check.said), check.said
        forged.ahead, forged.about = 0, {"issuer": "https://login.example.org"}
        (check,) = deployment.logins()
        assert "openid-configuration names the issuer 'https://login.example.org'." in check.said
        assert "Its “issuer” must be OIDC_ISSUER, letter by letter." in check.mend
        forged.broken = {"/.well-known/openid-configuration": (404, {}, b"")}
        assert next(deployment.logins()).said.endswith("openid-configuration answered 404.")
    assert "openid-configuration: ConnectError.\n      Fix: Open http" in said()


def test_doctor_says_whether_a_second_copy_confirms_each_answer(well: object, said) -> None:
    line = "ok    second copy: A second copy confirms each answer: "
    if connection.vendor == "sqlite":
        assert f"{line}no: SQLite keeps one copy.\n" in said()
        return
    assert f"{line}no.\n" in said()


def test_standby_confirms_answers_if_commits_wait_for_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has no standby.")
    # Only a superuser of a whole cluster can name a standby, and then no commit would ever end.
    for names, commit, answer in (
        ("ANY 1 (*)", "on", "yes"),
        ("ANY 1 (*)", "remote_apply", "yes"),
        ("ANY 1 (*)", "local", "no"),
        ("ANY 1 (*)", "off", "no"),
        ("", "on", "no"),
    ):
        settings = {"synchronous_standby_names": names, "synchronous_commit": commit}

        def answer_show(run, sql: str, *arguments: object, settings=settings) -> object:
            return run(f"SELECT '{settings[sql.removeprefix('SHOW ')]}'", *arguments)

        with connection.execute_wrapper(answer_show):
            (check,) = deployment.second_copy()
        assert check.said == f"A second copy confirms each answer: {answer}."


def test_clocks_that_differ(well: object, said, monkeypatch) -> None:
    if connection.vendor == "sqlite":
        assert "the database’s" not in said()  # it is one machine
        return
    monkeypatch.setattr(deployment, "APART", -1)
    assert "FAIL  clock: This machine’s clock and the database’s are 0.0 seconds apart." in said()


def test_a_database_that_is_away_hides_nothing_else(well: object, said, monkeypatch) -> None:
    def away() -> list[Check]:
        raise OperationalError("connection refused\nIs the server running?")

    monkeypatch.setattr("surveys.operation.health.database", away)
    text = said()
    assert "FAIL  database: It does not answer: connection refused\n      Fix: Start it" in text
    assert "ok    static files" in text


def test_on_a_real_site(tmp_path: Path) -> None:
    """The command as an operator runs it."""
    file = tmp_path / "site.sqlite3"
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "HTTPS": "1",
        "BEHIND_PROXY": "1",
        "ALLOWED_HOSTS": "survey.example.org",
        "DATABASE_URL": f"sqlite:///{file}",
        "VAR": str(tmp_path),
        "STATIC_ROOT": str(given.STATIC_ROOT),  # collected for this run already
    }
    commands = Commands(environment)
    for step in (("migrate", "--verbosity", "0"), ("seal",)):
        commands.run(*step)
    command = [sys.executable, "manage.py", "doctor"]
    done = subprocesses.run(command, cwd=ROOT, env=environment)
    assert "FAIL" not in done.stdout
    assert str(file) in done.stdout
