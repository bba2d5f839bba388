"""Backups: one file that holds everything, taken while the site runs, and looked through before it counts."""

import json
import os
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.core.management.base import CommandError
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader

from surveys.fieldwork.responses.inbox_encryption import Unreadable
from surveys.fieldwork.responses.inbox_keys import replace_due_key
from surveys.fieldwork.responses.sealing import seal_due
from surveys.fieldwork.responses.shuffling import mix_due
from surveys.models import InboxKey, Survey
from surveys.operation import restore_mark
from surveys.site import clock, database_identity

# What the numbers of a backup are checked by: tables and their columns. Early versions lack
# `deleted_on`.
COLUMNS = {
    "surveys_survey": ("id",),
    "surveys_instrument": ("id", "tally", "deleted_on"),
    "surveys_batch": ("instrument_id", "n"),
    "django_migrations": ("app", "name"),
}
ENDINGS = {"sqlite": ".sqlite3", "postgresql": ".dump"}
NAME_FORMAT = "candor-%Y-%m-%d-%H%M%S"
# The age of the last backup from which on an hourly run makes one although no survey is open.
DAILY = timedelta(hours=23)


def take(folder: Path) -> str:
    """Make a backup in a folder, and return its path and what it holds.

    The file gets its name when it is complete and checked, so nothing broken ever has such a name.
    Raise CommandError if no backup was made.
    """
    if not folder.is_dir():
        raise CommandError(f"There is no folder {folder}. Create it first, or name another one.")
    partial = folder / f"partial{ENDINGS[connection.vendor]}"
    copy = _copy_file if connection.vendor == "sqlite" else _dump
    try:
        # A run that was killed may have left this file.
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL, 0o600))
        _empty_inbox()
        # A backup is kept, so the names of those who wait must not be in order of arrival.
        mix_due()
        copy(partial)
        contents = check(partial)
        # Before the backup has its name: restoring one with the present mark would not be noticed.
        problem = restore_mark.change_mark()
        backup = partial.rename(_unused_file(folder))
        return f"{backup} {contents} {problem}".strip()
    except (OSError, sqlite3.Error, Error) as error:
        raise CommandError(f"No backup was made: {error}.") from None
    finally:
        partial.unlink(missing_ok=True)


def _unused_file(folder: Path) -> Path:
    """Return a file in the folder that is named by the time and does not exist yet.

    The name is a second later for each backup that another run has made in the same second.
    """
    time = clock.clock_now()
    while True:
        file = folder / f"{time:{NAME_FORMAT}}{ENDINGS[connection.vendor]}"
        if not file.exists():
            return file
        time += timedelta(seconds=1)


def _empty_inbox() -> None:
    """Seal what is due, so that few responses are in the inbox of the backup, and replace its key.

    Do nothing if the database is of a version without keys: it is backed up before it is migrated. Records that cannot
    be read are left to “manage.py seal”, which says so.
    """
    if InboxKey._meta.db_table not in connection.introspection.table_names():
        return
    with suppress(Unreadable):
        seal_due()
    replace_due_key()


def backup_times(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the times and files of all backups in a folder, the oldest first."""
    times = []
    ending = ENDINGS[connection.vendor]
    for file in folder.glob(f"candor-*{ending}"):
        try:
            time = datetime.strptime(file.name, f"{NAME_FORMAT}{ending}").replace(tzinfo=UTC)
        except ValueError:
            # Somebody has given a name of their own to this file.
            continue
        times.append((time, file))
    return sorted(times)


def is_due(folder: Path) -> bool:
    """Return whether an hourly run makes a backup: the last one is a day old, or a survey is open.

    A backup from the future was named by a clock that was ahead, and counts as old.
    """
    age_limit = clock.clock_now() - DAILY
    times = [time for time, _ in backup_times(folder) if time <= clock.clock_now()]
    if not times or times[-1] <= age_limit:
        return True
    published = Survey.objects.filter(status=Survey.Status.OPEN)
    return any(survey.state == Survey.Status.OPEN for survey in published)


def forget(folder: Path, keep: int, hourly: int = 0) -> int:
    """Delete old backups, and return how many were deleted.

    keep: the number of the newest backups that stay. With `hourly` it is the number of the newest
        days of which the last backup stays.
    hourly: the number of the newest backups that stay besides.
    """
    files = [file for _, file in backup_times(folder)]
    if hourly:
        last_file_by_day = {time.date(): file for time, file in backup_times(folder)}
        kept = {*files[-hourly:], *list(last_file_by_day.values())[-keep:]}
    else:
        kept = set(files[-keep:])
    old = [file for file in files if file not in kept]
    for file in old:
        file.unlink()
    return len(old)


def check(file: Path) -> str:
    """Read a backup from beginning to end; says what it holds. CommandError where it is damaged or of no use here."""
    rows = list(_of_sqlite(file) if _is_sqlite(file) else _of_postgres(file))
    rows_by_table = {table: [row for name, row in rows if name == table] for table in COLUMNS}
    if not rows_by_table["django_migrations"]:
        raise CommandError(f"{file} is not a database of Candor.")
    disk = MigrationLoader(None).disk_migrations
    if unknown := [
        name
        for app, name in rows_by_table["django_migrations"]
        if app == "surveys" and (app, name) not in disk
    ]:
        raise CommandError(
            f"{file} is from a newer version of Candor, with {unknown[0]}. This version can’t open it."
        )
    stored = Counter()
    for instrument, n in rows_by_table["surveys_batch"]:
        stored[instrument] += int(n)
    for instrument, tally, deleted_on in rows_by_table["surveys_instrument"]:
        # On the day of deletion the responses go, and the tally stays.
        if deleted_on is None and json.loads(tally).get("n", 0) != stored[instrument]:
            raise CommandError(f"{file} is incomplete: responses of a report are missing.")
    surveys = len(rows_by_table["surveys_survey"])
    return f"is complete. Surveys: {surveys:,}; responses in their reports: {stored.total():,}."


def _copy_file(target: Path) -> None:
    """A connection of its own, which only reads: whoever writes meanwhile is not kept waiting."""
    source = Path(connection.settings_dict["NAME"]).absolute().as_uri()
    with closing(sqlite3.connect(f"{source}?mode=ro", uri=True)) as reader:
        reader.execute("VACUUM INTO ?", [str(target)])
    database_identity.remove_from_copy(target)


def _dump(target: Path) -> None:
    """pg_dump with the site's own connection, told as `manage.py dbshell` tells it psql: options, password and all."""
    options = ["--format", "custom", "--file", str(target)]
    (_, *arguments), environment = connection.client.settings_to_cmd_args_env(
        connection.settings_dict, options
    )
    _postgres("pg_dump", arguments, environment or {})


def _postgres(program: str, arguments: list[str], environment: dict[str, str]) -> None:
    try:
        run = subprocess.run(  # noqa: S603
            [program, *arguments],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise CommandError(
            f"{program} is not installed. It comes with postgresql-client."
        ) from None
    if run.returncode:
        raise CommandError(f"{program} failed. {' '.join(run.stderr.split())}")


def _is_sqlite(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise CommandError(str(error)) from None


def _of_sqlite(file: Path) -> Iterator[tuple[str, tuple]]:
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        ) as reader:
            (said,) = reader.execute("PRAGMA integrity_check(1)").fetchone()
            if said != "ok":
                raise CommandError(f"{file} is damaged: {said}.")
            for table, columns in COLUMNS.items():
                names = reader.execute("SELECT name FROM pragma_table_info(?)", [table])
                known = {name for (name,) in names}
                chosen = [name if name in known else "NULL" for name in columns]
                query = f"SELECT {', '.join(chosen)} FROM {table}"  # noqa: S608
                for row in reader.execute(query):
                    yield table, row
    except sqlite3.Error as error:
        raise CommandError(f"{file} can’t be read: {error}.") from None


def _dumped_value(cells: list[bytes], places: dict[str, int], column: str) -> str | None:
    """Return the value of a column in a line of a dump, or None if it has none."""
    if column not in places or cells[places[column]] == b"\\N":
        return None
    return cells[places[column]].decode().replace("\\\\", "\\")


def _of_postgres(file: Path) -> Iterator[tuple[str, tuple]]:
    """pg_restore writes it all out as text, in which each table is a block of lines."""
    command = ["pg_restore", "--file", "-", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:  # noqa: S603
        table, places = "", {}
        for line in run.stdout:
            if line.startswith(b"COPY public."):
                name, _, rest = line.decode().removeprefix("COPY public.").partition(" (")
                names = rest.partition(")")[0].split(", ")
                table = name if name in COLUMNS else ""
                places = {column: place for place, column in enumerate(names)}
            elif line == b"\\.\n":
                table = ""
            elif table:
                cells = line.rstrip(b"\n").split(b"\t")
                yield table, tuple(_dumped_value(cells, places, name) for name in COLUMNS[table])
        complaint = run.stderr.read().decode()
    if run.returncode:
        raise CommandError(f"{file} can’t be read. {' '.join(complaint.split())}")
