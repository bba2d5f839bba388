"""The restore mark, by which the machine of the timers notices that its database was restored.

A row of the database and the file VAR/restore-mark have the same random mark, and each backup
changes it. So a backup has a mark that the file no longer has. The file gets the new mark beside
the old one before the row changes, and loses the old one afterwards: whenever a process is killed,
the mark of the row is in the file.
"""

import secrets
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from surveys.models import Removal, Run
from surveys.operation.health import Check
from surveys.site.postgres_tables import NO_TIME
from surveys.site.removals import has_machine_folder, machine_lock, write_file

# The beginning of the command of the row of Run that has the mark.
ROW_PREFIX = "mark "
MARK_LENGTH = 15
RESTORED = "This database was restored. Run candor restored."
REMEDY = (
    "Run it after manage.py migrate. It keeps what was deleted since the backup from returning."
)
UNMARKED = (
    "VAR has no restore mark, so a restore would not be noticed. The next backup writes one. After "
    "a restore, run candor restored."
)


def mark_file() -> Path:
    """Return the path of the file with the marks, one on each line."""
    return Path(settings.VAR) / "restore-mark"


def is_restored() -> bool:
    """Return whether the mark of the database is none of the marks in the file.

    Without a file nothing is compared, and this is False.
    """
    marks = _marks_in_file()
    return bool(marks) and _mark_in_row() not in marks


def restored_message() -> str:
    """Return a message that the database was restored, or ""."""
    if has_machine_folder() and is_restored():
        return RESTORED
    return ""


def change_mark() -> str:
    """Give the database and the file a new mark after a backup, and return "".

    Return a message and change nothing if the database was restored, because a new mark would hide
    this, or if the file cannot be written. A database of an earlier version has no mark to change.
    """
    if not has_machine_folder() or not _is_migrated():
        return ""
    try:
        with machine_lock():
            if is_restored():
                return RESTORED
            _write_new_mark()
    except OSError as error:
        return f"A restore of this backup would not be noticed: {error}."
    return ""


def accept_restore() -> None:
    """Give the database and the file a new mark, so that the database counts as restored no more.

    Raise OSError if the file cannot be written.
    """
    with machine_lock():
        _write_new_mark()


def complete_change() -> None:
    """Complete a change of the mark that was stopped: only the mark of the database stays.

    Otherwise the backup before that change could be restored without being noticed. Raise OSError
    if the file cannot be written.
    """
    if not has_machine_folder() or len(_marks_in_file()) < 2:
        return
    with machine_lock():
        if not is_restored():
            _write_marks([_mark_in_row()])


def _write_new_mark() -> None:
    """Change the mark in the row and in the file. The caller holds the lock."""
    if not _mark_in_row():
        Run.objects.create(command=_row_command(_random_mark()), finished=NO_TIME)
    former_marks = _marks_in_file()
    if not former_marks:
        former_marks = [_mark_in_row()]
    new_mark = _random_mark()
    _write_marks([*former_marks, new_mark])
    _rows().update(command=_row_command(new_mark))
    _write_marks([new_mark])


def _random_mark() -> str:
    return secrets.token_hex(MARK_LENGTH)[:MARK_LENGTH]


def _row_command(mark: str) -> str:
    """Return the `Run.command` of the row that has this mark. The time of the row means nothing."""
    return f"{ROW_PREFIX}{mark}"


def _rows() -> QuerySet[Run]:
    """Return the row with the mark of the database; it may be missing."""
    return Run.objects.filter(command__startswith=ROW_PREFIX)


def _mark_in_row() -> str:
    """Return the mark of the database, or "" if it has none."""
    row = _rows().first()
    if row is None:
        return ""
    return row.command.removeprefix(ROW_PREFIX)


def _marks_in_file() -> list[str]:
    """Return the marks in the file, or [] if there is no such file."""
    try:
        return mark_file().read_text().split()
    except FileNotFoundError:
        return []


def _write_marks(marks: list[str]) -> None:
    write_file(mark_file(), "".join(f"{mark}\n" for mark in marks).encode())


def _is_migrated() -> bool:
    """Return whether the database is of this version. A backup may precede the migration."""
    return Removal._meta.db_table in connection.introspection.table_names()


def check_restore() -> Iterator[Check]:
    """Check on the machine of the timers that the database is not one that was restored."""
    if not has_machine_folder():
        return
    if not _marks_in_file():
        yield Check("restore", True, UNMARKED)
        return
    if is_restored():
        yield Check("restore", False, RESTORED, REMEDY)
        return
    yield Check("restore", True, "The restore marks of the database and of VAR agree.")
