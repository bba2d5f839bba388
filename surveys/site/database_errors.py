"""Classify the errors of a database: it is full, something is locked, or it cannot be reached.

Django raises its own errors in place of those of the driver (sqlite3 or psycopg). The error of the
driver, which has the code, is then the cause of Django's error.
"""

import sqlite3

from django.db import Error, OperationalError

# The code of PostgreSQL for a full disk.
DISK_FULL_CODE = "53100"

# The codes of PostgreSQL, or their beginnings, for rows that other transactions lock: a rolled back
# transaction ("40", with deadlocks), a lock that was not available, and a cancelled statement.
LOCKED_CODES = ("40", "55P03", "57014")


def is_full(error: Error) -> bool:
    """Return whether an error means that the disk of the database is full."""
    return _sqlite_code(error) == sqlite3.SQLITE_FULL or _postgres_code(error) == DISK_FULL_CODE


def is_locked(error: Error) -> bool:
    """Return whether an error means that others lock some rows, or the whole file of SQLite."""
    is_file_locked = _sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return are_rows_locked(error) or is_file_locked


def are_rows_locked(error: Error) -> bool:
    """Return whether an error means that others lock some rows, and that other rows can be written.

    This is only so with PostgreSQL, because SQLite locks its whole file.
    """
    return _postgres_code(error).startswith(LOCKED_CODES)


def is_temporary(error: Error) -> bool:
    """Return whether trying again soon may succeed, after an error of the database.

    This is so if something is locked, or if PostgreSQL has an operational error, such as no
    connection. A full disk stays full.
    """
    if is_locked(error):
        return True
    # No error of SQLite goes away by itself, apart from locks.
    is_postgres_error = not _sqlite_code(error)
    return isinstance(error, OperationalError) and is_postgres_error and not is_full(error)


def _sqlite_code(error: Error) -> int:
    """Return the primary error code of SQLite, or 0 if the error has none, as with PostgreSQL."""
    # The lowest byte of a code is the primary code. The higher bytes only add details.
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF


def _postgres_code(error: Error) -> str:
    """Return the error code of PostgreSQL, or "" without a connection and with SQLite."""
    return getattr(error.__cause__, "sqlstate", None) or ""
