"""What a database means by an error: it is full, others hold what was needed, or it takes no connection just now."""

import sqlite3

from django.db import Error, OperationalError

FULL = "53100"  # PostgreSQL's names
HELD = ("40", "55P03", "57014")  # for too long, or crosswise


def is_full(error: Error) -> bool:
    return _sqlite(error) == sqlite3.SQLITE_FULL or _state(error) == FULL


def is_held(error: Error) -> bool:
    """By others: rows of PostgreSQL, beside which other rows can be written, or the file of SQLite."""
    return holds_rows(error) or _sqlite(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def holds_rows(error: Error) -> bool:
    return _state(error).startswith(HELD)


def is_temporary(error: Error) -> bool:
    """Return whether trying again soon may succeed."""
    return is_held(error) or (
        isinstance(error, OperationalError) and not _sqlite(error) and not is_full(error)
    )


def _sqlite(error: Error) -> int:
    """SQLite's code without its refinements; 0 where there is none."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF


def _state(error: Error) -> str:
    """PostgreSQL's code; empty where there was no connection."""
    return getattr(error.__cause__, "sqlstate", None) or ""
