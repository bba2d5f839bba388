"""Taking leftovers out of SQLite's files: its log keeps what was overwritten until somebody empties it.

The settings let SQLite overwrite what is deleted. PostgreSQL cleans up by itself, in its own time.
"""

from functools import partial

from django.conf import settings
from django.db import OperationalError, connection, transaction

PATIENCE = 100  # milliseconds to wait for others; writers wait for us meanwhile


def tidy(*, thoroughly: bool = False) -> None:
    """Empty the write-ahead log, once the transaction has ended. Thoroughly: write the whole file anew as well."""
    if connection.vendor == "sqlite":
        transaction.on_commit(partial(_tidy, thoroughly))


def _tidy(thoroughly: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
        try:
            if thoroughly:
                cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except OperationalError:
            pass  # somebody writes, or the disk is nearly full: the next sealing tries again
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {1000 * settings.DATABASE_PATIENCE}")
