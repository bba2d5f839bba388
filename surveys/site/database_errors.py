"""Classify the errors of a database: it is full, something is locked, or it cannot be reached."""

import sqlite3

from django.db import Error, OperationalError

# The code of PostgreSQL for a full disk.
FULL = "53100"

# The codes of PostgreSQL, or their beginnings, for rows that other transactions lock: for too long,
# or in a deadlock.
LOCKED = ("40", "55P03", "57014")


def is_full(error: Error) -> bool:
    """Return whether the disk of the database is full."""
    return _sqlite_code(error) == sqlite3.SQLITE_FULL or _postgres_code(error) == FULL


def is_locked(error: Error) -> bool:
    """Return whether others lock some rows of PostgreSQL, or the whole file of SQLite."""
    is_file_locked = _sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return are_rows_locked(error) or is_file_locked


def are_rows_locked(error: Error) -> bool:
    """Return whether others lock some rows of PostgreSQL, so that other rows can be written."""
    return _postgres_code(error).startswith(LOCKED)


def is_temporary(error: Error) -> bool:
    """Return whether trying again soon may succeed.

    This is so if something is locked, or if there is no connection to PostgreSQL.
    """
    if is_locked(error):
        return True
    return isinstance(error, OperationalError) and not _sqlite_code(error) and not is_full(error)


def _sqlite_code(error: Error) -> int:
    """Return the primary error code of SQLite, or 0 if the error has none."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF


def _postgres_code(error: Error) -> str:
    """Return the error code of PostgreSQL, or "" if there was no connection."""
    return getattr(error.__cause__, "sqlstate", None) or ""
