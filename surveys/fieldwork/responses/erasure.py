"""A database does not give up at once what was deleted. For PostgreSQL see surveys.site.postgres_tables.

With SQLite, pieces stay in free parts of its file and in its write-ahead log. Until a response is sealed, it lies there
in the order of arrival. `PRAGMA secure_delete` (config/settings.py) overwrites what is deleted; this module empties the
log, and writes the whole file anew when a survey has closed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection
from django.db.models import Q

from surveys.models import Instrument, Survey
from surveys.site import clock
from surveys.site.postgres_tables import rewrite_tables

LARGEST = (
    500_000_000  # bytes; nobody can write meanwhile, for about a second in each hundred million
)
PATIENCE = 100  # milliseconds; who waits here for readers keeps everybody from writing


def wipe_closed(largest: float = LARGEST) -> str:
    """Remove what is left of deleted rows, and return in a sentence what is left to the next run, or "". Never fails.

    With SQLite, write the file anew if a survey closed since the last time, and empty the log. With PostgreSQL, rewrite
    the tables that are due.
    """
    return _wipe(lambda: _rewrite(largest) or _empty_log(), largest)


def wipe_destroyed(largest: float = LARGEST) -> str:
    """Write the file anew after a survey was destroyed, and empty the log; as wipe_closed."""
    return _wipe(lambda: _vacuum(largest) or _empty_log(), largest)


def empty_log() -> str:
    """Empty SQLite's log alone; as wipe_closed."""
    if connection.vendor != "sqlite":
        return ""
    return _wipe(_empty_log, LARGEST)


def _wipe(work: Callable[[], str], largest: float) -> str:
    """Do the work with SQLite, or rewrite PostgreSQL's tables, and return in a sentence what is left."""
    if connection.in_atomic_block:
        return ""
    try:
        if connection.vendor == "postgresql":
            return rewrite_tables(largest)
        with _impatient():
            return work()
    except DatabaseError as error:
        return f"The database may still contain traces of deleted surveys: {error}."


def _rewrite(largest: float) -> str:
    closed = Q(survey__status=Survey.Status.CLOSED) | Q(survey__closes__lte=clock.now())
    due = [*Instrument.objects.filter(closed, wiped=False).values_list("pk", flat=True)]
    if not due:
        return ""
    if left := _vacuum(largest):
        return left
    Instrument.objects.filter(pk__in=due).update(wiped=True)
    return ""


def _vacuum(largest: float) -> str:
    if (size := _size()) > largest:
        return (
            f"A survey has ended, and the database file of {size / 1e6:,.0f} MB needs rewriting. Run “manage.py seal "
            "--rewrite” at a quiet hour: no one can send an answer meanwhile."
        )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    return ""


def _size() -> int:
    """Bytes of the database file."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return cursor.fetchone()[0]


def _empty_log() -> str:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy = cursor.fetchone()[0]
    return "The database’s log could not be emptied because someone was reading." if is_busy else ""


@contextmanager
def _impatient() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        before = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
