"""Erasure of what SQLite keeps of deleted rows. For PostgreSQL see surveys.site.postgres_tables.

A database does not overwrite at once what was deleted. With SQLite, pieces stay in free parts of
its file and in its write-ahead log. Until a response is sealed, these files have it in the order of
arrival. `PRAGMA secure_delete` (config/settings.py) overwrites what is deleted. This module empties
the log, and rewrites the whole file when a survey has closed.

“What remains to be done” is a sentence for the log of “manage.py seal”, or "" if all was done.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection
from django.db.models import Q

from surveys.models import Instrument, Survey
from surveys.site import clock
from surveys.site.postgres_tables import rewrite_tables

# Bytes of the largest file that is rewritten. Nobody can write meanwhile, for about a second in
# each hundred million bytes.
LARGEST_REWRITTEN = 500_000_000
# Milliseconds to wait for readers. Nobody can write meanwhile.
BUSY_TIMEOUT = 100


def wipe_closed(largest: float = LARGEST_REWRITTEN) -> str:
    """Remove what is left of deleted rows, and return a sentence about what remains to be done.

    Return "" if nothing remains. Something remains if the file is too large, or if somebody is
    reading; the next run of “manage.py seal” tries again. A database error is not raised but named
    in the sentence. Do nothing in a transaction.

    With SQLite, rewrite the file if a survey closed since the last time, and empty the log. With
    PostgreSQL, rewrite the tables that are due.

    largest: the size in bytes of the largest file or table that is rewritten.
    """

    def rewrite_and_empty_log() -> str:
        """Rewrite the file of SQLite if due, empty the log, and return what remains to be done."""
        # The log is emptied last, because a rewriting writes the whole file to it.
        remaining = _rewrite_if_due(largest)
        if remaining:
            return remaining
        return _empty_log()

    return _wipe(rewrite_and_empty_log, largest)


def wipe_destroyed(largest: float = LARGEST_REWRITTEN) -> str:
    """Remove what is left of a destroyed survey, and return what remains to be done.

    With SQLite, always rewrite the file, whether or not a survey has closed; everything else is as
    in `wipe_closed`.

    largest: the size in bytes of the largest file or table that is rewritten.
    """

    def vacuum_and_empty_log() -> str:
        """Rewrite the file of SQLite, empty the log, and return what remains to be done."""
        # The log is emptied last, because a rewriting writes the whole file to it.
        remaining = _vacuum(largest)
        if remaining:
            return remaining
        return _empty_log()

    return _wipe(vacuum_and_empty_log, largest)


def empty_log() -> str:
    """Empty the write-ahead log of SQLite, and return why this failed, or "" if it did not.

    Return "" without doing anything with PostgreSQL or in a transaction.
    """
    if connection.vendor != "sqlite":
        return ""
    # The largest size is a limit for PostgreSQL, and means nothing here.
    return _wipe(_empty_log, LARGEST_REWRITTEN)


def _wipe(work: Callable[[], str], largest: float) -> str:
    """Call `work` with SQLite, or rewrite the tables of PostgreSQL; return what remains to be done.

    Return "" in a transaction, in which neither is possible. Return a sentence instead of raising
    a database error.

    work: what is done with SQLite. It returns what remains to be done.
    largest: the size in bytes of the largest table of PostgreSQL that is rewritten. For SQLite,
        `work` has its own limit.
    """
    if connection.in_atomic_block:
        return ""
    try:
        if connection.vendor == "postgresql":
            return rewrite_tables(largest)
        with _short_busy_timeout():
            return work()
    except DatabaseError as error:
        return f"The database may still contain traces of deleted surveys: {error}."


def _rewrite_if_due(largest: float) -> str:
    """Rewrite the file of SQLite if a survey has closed, and return what remains to be done.

    The column `wiped` of an instrument says whether the file was rewritten since its survey closed.
    Releases and deletions set it to False again, because they leave traces too.

    largest: the size in bytes of the largest file that is rewritten.
    """
    is_closed = Q(survey__status=Survey.Status.CLOSED) | Q(survey__closes__lte=clock.now())
    due = Instrument.objects.filter(is_closed, wiped=False)
    due_keys = list(due.values_list("pk", flat=True))
    if not due_keys:
        return ""
    remaining = _vacuum(largest)
    if remaining:
        return remaining
    Instrument.objects.filter(pk__in=due_keys).update(wiped=True)
    return ""


def _vacuum(largest: float) -> str:
    """Rewrite the file of SQLite and return "", or do nothing and return that it is too large.

    largest: the size in bytes of the largest file that is rewritten.
    """
    size = _database_size()
    if size > largest:
        return (
            f"A survey has ended, and the database file of {size / 1e6:,.0f} MB needs rewriting. "
            "Run “manage.py seal --rewrite” at a quiet hour: no one can send an answer meanwhile."
        )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    return ""


def _database_size() -> int:
    """Return the size of the file of SQLite, in bytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        return cursor.fetchone()[0]


def _empty_log() -> str:
    """Empty the log of SQLite and return "", or return a sentence if a reader prevents it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        # The first column is 1 if readers or writers prevented it.
        is_busy = cursor.fetchone()[0]
    if is_busy:
        return "The database’s log could not be emptied because someone was reading."
    return ""


@contextmanager
def _short_busy_timeout() -> Iterator[None]:
    """Let SQLite wait at most BUSY_TIMEOUT milliseconds for other connections in this context.

    Afterwards restore the usual timeout, also after an error. The caller has checked that the
    database is SQLite.
    """
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        usual_timeout = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {usual_timeout}")
