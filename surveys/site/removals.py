"""The journal of removals, so that what was removed does not return when a backup is restored.

Whatever removes something calls `record_removal` in the same transaction, which stores a row. On
the machine of the timers the rows move to the file VAR/removals.jsonl, a line for each. A row alone
would be lost with a restore. The journal has kinds, ids and days: no names and no times.
"""

import fcntl
import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import Error, connection, models, transaction
from django.db.transaction import TransactionManagementError

from surveys.models import Removal
from surveys.site import clock
from surveys.site.postgres_tables import note_rewriting

JOURNAL_NAME = "removals.jsonl"
# Rows of one statement.
ROWS_PER_STATEMENT = 1_000


class Kind(models.TextChoices):
    """What is removed. surveys.operation.repeated_removals says what the ids of a kind are."""

    SURVEY = "survey"
    RESPONSES = "responses"
    TICKETS = "tickets"
    INVITEE = "invitee"
    ACCOUNT = "account"
    TOKEN = "token"  # noqa: S105 (a kind)
    REPORT_LINK = "report-link"
    INVITATION = "invitation"


class JournalLine(NamedTuple):
    """A line of the journal: the day of a removal, its kind, and the id of what was removed."""

    day: date
    kind: str
    removed_id: str


def record_removal(kind: Kind, removed_id: object) -> None:
    """Store that something is removed, in the transaction that removes it."""
    record_removals(kind, [removed_id])


def record_removals(kind: Kind, removed_ids: Iterable[object]) -> None:
    """Store that several things of one kind are removed, in the transaction that removes them.

    Once it is committed, a process that has the journal writes them there, before anybody is told
    that they are removed. Raise TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("A removal is recorded in the transaction that removes.")
    # The names of backups are of the same clock, right or wrong.
    day = clock.clock_now().date()
    rows = [Removal(kind=kind, removed_id=str(key), day=day) for key in removed_ids]
    if not rows:
        return
    Removal.objects.bulk_create(rows, batch_size=ROWS_PER_STATEMENT)
    transaction.on_commit(_move_rows_at_once)


def _move_rows_at_once() -> None:
    """Move the rows to the journal if this process can; otherwise the next timer does."""
    with suppress(OSError, Error):
        move_rows_to_journal()


def has_machine_folder() -> bool:
    """Return whether this process shares the folder VAR with the timers.

    Web nodes without timers do not: they have INBOX_KEYS=elsewhere.
    """
    return settings.INBOX_KEYS is not None


def journal_file() -> Path:
    """Return the path of the journal of this machine."""
    return Path(settings.VAR) / JOURNAL_NAME


def move_rows_to_journal() -> None:
    """Append the rows to the journal, sync it, and delete them.

    Raise OSError if the journal is not writable. If this is stopped in between, the rows are
    appended once more, which does no harm. Do nothing on a machine without the folder of the
    timers.
    """
    if not has_machine_folder() or not Removal.objects.exists():
        return
    with machine_lock():
        while rows := list(Removal.objects.order_by("pk")[:ROWS_PER_STATEMENT]):
            lines = [JournalLine(row.day, row.kind, row.removed_id) for row in rows]
            _append(journal_file(), lines)
            with transaction.atomic():
                Removal.objects.filter(pk__in=[row.pk for row in rows]).delete()
                note_rewriting(Removal)


@contextmanager
def machine_lock() -> Iterator[None]:
    """Hold the lock on the journal and the restore mark, waiting for other processes.

    Raise OSError if the folder VAR is not writable. It is created if it is missing.
    """
    folder = Path(settings.VAR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder / "restore.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _append(file: Path, lines: Iterable[JournalLine]) -> None:
    """Append lines to a journal, and sync it. The caller holds the lock."""
    is_new = not file.exists()
    with os.fdopen(os.open(file, os.O_CREAT | os.O_RDWR, 0o600), "r+b") as journal:
        end = journal.seek(0, os.SEEK_END)
        if end:
            # A process that was killed may have left half a line.
            journal.seek(end - 1)
            if journal.read(1) != b"\n":
                journal.write(b"\n")
        journal.write(_as_bytes(lines))
        journal.flush()
        os.fsync(journal.fileno())
    if is_new:
        sync_folder(file.parent)


def _as_bytes(lines: Iterable[JournalLine]) -> bytes:
    """Return lines as a journal has them."""
    texts = []
    for line in lines:
        content = {"day": line.day.isoformat(), "removed": line.kind, "id": line.removed_id}
        texts.append(f"{json.dumps(content)}\n")
    return "".join(texts).encode()


def sync_folder(folder: Path) -> None:
    """Make the names of the files in a folder last, so that none is lost with the power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(file: Path, content: bytes) -> None:
    """Write a file that only this account can read, in one step that is complete or not done."""
    partial = file.with_name(f"{file.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    partial.rename(file)
    sync_folder(file.parent)


def read_journal(file: Path) -> list[JournalLine]:
    """Return the lines of a journal without repetitions, or [] if there is no such file.

    What is no line of a journal is left out, such as half a line of a process that was killed. Its
    row is still there, and the next process has appended it again.
    """
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return []
    lines: dict[JournalLine, None] = {}
    for text in content.splitlines():
        with suppress(ValueError, TypeError, KeyError):
            values = json.loads(text)
            day = date.fromisoformat(values["day"])
            lines[JournalLine(day, str(values["removed"]), str(values["id"]))] = None
    return list(lines)


def add_to_journal(lines: Collection[JournalLine]) -> None:
    """Append those lines of another journal that the journal of this machine does not have."""
    with machine_lock():
        known = set(read_journal(journal_file()))
        missing = [line for line in lines if line not in known]
        if missing:
            _append(journal_file(), missing)


def copy_journal(folder: Path, oldest: date | None) -> None:
    """Copy the journal to a folder of backups. The copy keeps lines that only it has.

    oldest: the day of the oldest backup. Earlier lines are dropped, here and there, because each
        backup was made after these removals. None drops nothing.
    """
    if not has_machine_folder():
        return
    move_rows_to_journal()
    with machine_lock():
        lines = read_journal(journal_file())
        kept_lines = _since(lines, oldest)
        if kept_lines != lines:
            write_file(journal_file(), _as_bytes(kept_lines))
        copy = folder / JOURNAL_NAME
        former_lines = _since(read_journal(copy), oldest)
        copied_lines = list(dict.fromkeys([*former_lines, *kept_lines]))
        if copied_lines or copy.exists():
            write_file(copy, _as_bytes(copied_lines))


def _since(lines: list[JournalLine], oldest: date | None) -> list[JournalLine]:
    """Return the lines from this day on, or all of them if it is None."""
    if oldest is None:
        return lines
    return [line for line in lines if line.day >= oldest]
