"""What is sealed stays nowhere else in SQLite's files: a real database file, read byte by byte."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from tests.servers import subprocesses
from tests.servers.inbox_keys import draw_inbox_key

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's files")

# Four questions of a hundred choices: 52 random bytes a response, which occur nowhere by chance.
MAKE = """
import secrets, sqlite3, uuid
from datetime import timedelta
from pathlib import Path
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.destruction import destroy
from surveys.fieldwork.responses.inbox import Outcome, store_response, count_inbox
from surveys.fieldwork.responses.sealing import seal, seal_rest
from surveys.fieldwork.responses.erasure import empty_log, wipe_closed
from surveys.models import Instrument, Response, Survey
from surveys.fieldwork import lifecycle
from tests.factories import surveys

path = Path(connection.settings_dict["NAME"])
survey = surveys.create_draft()
for number in range(4):
    surveys.add_choice(survey, f"many{number}", map(str, range(100)), parameters={"p": "3/4", "q": "1/4"})
instrument = surveys.publish_survey(survey)
records = [secrets.token_bytes(12) + b"\\xf0" for _ in range(4 * 400)]
records = [b"".join(records[number : number + 4]) for number in range(0, len(records), 4)]
keys = [uuid.uuid4() for _ in records]
for start in range(0, len(records), 40):
    with transaction.atomic():  # quicker than one by one
        for key, record in zip(keys[start : start + 40], records[start:]):
            assert store_response(instrument, key, record) is Outcome.RECORDED

def files():
    return b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))

def in_the_inbox():
    \"\"\"How many rows of the inbox stand in the files: the key, then the encrypted record.\"\"\"
    content = files()
    return sum(key.hex.encode() + record in content for key, record in encrypted.items())

def order():
    \"\"\"The numbers of the responses in the order in which their records stand in the files.\"\"\"
    content = files()
    places = [(content.find(record), number) for number, record in enumerate(records) if record in content]
    assert all(content.count(record) < 2 for record in records)
    return [number for _, number in sorted(places)]

def read_encrypted():
    rows = Response.objects.filter(record__isnull=False)
    return {row.pk: bytes(row.record) for row in rows}

encrypted = read_encrypted()
assert in_the_inbox() == len(records)
assert order() == []
"""


def manage(database: Path, *arguments: str) -> str:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": f"sqlite:///{database}",
        "DATABASE_PATIENCE": "2",
        "INBOX_KEYS": str(database.parent / "inbox-keys"),
    }
    command = [sys.executable, "manage.py", *arguments]
    done = subprocesses.run(command, cwd=settings.BASE_DIR, env=environment)
    return done.stdout


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("migrated") / "site.sqlite3"
    manage(database, "migrate", "--verbosity", "0")
    return database


@pytest.fixture
def run(migrated: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs code in a process of its own on a database file of its own; returns what it prints."""
    database = Path(shutil.copy(migrated, tmp_path))
    draw_inbox_key(f"sqlite:///{database}", tmp_path / "inbox-keys")
    return lambda code: manage(database, "shell", "--no-imports", "-c", MAKE + code)


def test_closing_leaves_no_row_of_the_inbox_in_the_files(run: Callable[[str], str]) -> None:
    run("""
close_survey(survey)
assert in_the_inbox() == 0
found = order()
assert len(found) > 380, len(found)  # a few are cut in two by the end of a page
assert found != sorted(found)
assert Instrument.objects.get().wiped
assert not path.with_name(path.name + "-wal").stat().st_size
""")


def test_nor_does_sealing_an_open_survey_once_the_command_has_run(
    run: Callable[[str], str],
) -> None:
    run("""
call_command("seal")
assert count_inbox(instrument) == 0
assert in_the_inbox() == 0
assert not Instrument.objects.get().wiped  # it may take more
""")


def test_nor_does_a_reading_that_seals(run: Callable[[str], str]) -> None:
    run("""
assert seal(instrument) == len(records)
assert in_the_inbox() == 0
assert not path.with_name(path.name + "-wal").stat().st_size
""")


def test_nobody_else_on_the_machine_reads_the_files(migrated: Path, tmp_path: Path) -> None:
    database = Path(shutil.copy(migrated, tmp_path))
    database.chmod(0o644)  # as an earlier version left it
    manage(
        database,
        "shell",
        "--no-imports",
        "-c",
        "from surveys.models import Survey; Survey.objects.count()",
    )
    for file in (migrated, database):
        assert file.stat().st_mode & 0o077 == 0, file


def test_a_survey_past_its_closing_time_is_wiped_by_the_command(run: Callable[[str], str]) -> None:
    run("""
seal(instrument)
Response.objects.all().delete()
Survey.objects.update(closes=timezone.now() - timedelta(minutes=1))
with connection.cursor() as cursor:  # whatever else was deleted: pages that are free
    cursor.execute("CREATE TABLE scrap AS SELECT randomblob(100000)")
    cursor.execute("DROP TABLE scrap")
free = lambda: connection.cursor().execute("PRAGMA freelist_count").fetchone()[0]
before = free()
assert before >= 20
call_command("seal")
assert free() < 20  # a few come anew, when the report's possible shares are stored after that
assert in_the_inbox() == 0
assert Instrument.objects.get().wiped
""")


def test_a_busy_database_fails_no_closing_and_is_wiped_later(run: Callable[[str], str]) -> None:
    output = run("""
lifecycle.close(survey)
seal_rest(instrument)
other = sqlite3.connect(path, isolation_level=None)
other.execute("BEGIN IMMEDIATE")
assert "may still contain traces of deleted surveys: database is locked" in wipe_closed()
assert not Instrument.objects.get().wiped
other.execute("ROLLBACK")
call_command("seal")
assert in_the_inbox() == 0
assert Instrument.objects.get().wiped
""")
    assert "traces" not in output


def test_a_reader_keeps_the_log_but_not_the_closing_nor_the_writers(
    run: Callable[[str], str],
) -> None:
    run("""
other = sqlite3.connect(path, isolation_level=None)
other.execute("BEGIN")
other.execute("SELECT count(*) FROM surveys_response").fetchone()
close_survey(survey)
assert Instrument.objects.get().wiped
assert "someone was reading" in wipe_closed()
assert in_the_inbox()  # whoever read before may go on reading what was there
other.execute("ROLLBACK")
assert wipe_closed() == ""
assert in_the_inbox() == 0
""")


def test_a_destroyed_survey_leaves_no_record_and_says_what_a_reader_keeps(
    run: Callable[[str], str],
) -> None:
    run("""
lifecycle.close(survey)
seal_rest(instrument)
other = sqlite3.connect(path, isolation_level=None)
other.execute("BEGIN")
other.execute("SELECT count(*) FROM surveys_response").fetchone()
assert "someone was reading" in destroy(Survey.objects.get(), confirm=survey.title)
other.execute("ROLLBACK")
assert empty_log() == ""
assert order() == []
""")


def test_a_large_file_is_left_for_a_quiet_hour(run: Callable[[str], str]) -> None:
    output = run("""
lifecycle.close(survey)
seal_rest(instrument)
assert "seal --rewrite" in wipe_closed(largest=1000)
assert not Instrument.objects.get().wiped
call_command("seal", "--rewrite")
assert Instrument.objects.get().wiped
""")
    assert "quiet hour" not in output


def test_what_slips_in_after_the_closing_is_wiped_too(run: Callable[[str], str]) -> None:
    run("""
close_survey(survey)
Survey.objects.update(status="open")
keys[0] = uuid.uuid4()
assert store_response(instrument, keys[0], records[0]) is Outcome.RECORDED
Survey.objects.update(status="closed")
encrypted = read_encrypted()
assert in_the_inbox() == 1
call_command("seal")
assert in_the_inbox() == 0
assert Instrument.objects.get().wiped
""")
