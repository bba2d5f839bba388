"""Identify the database, so that a database that was restored from a backup is recognized."""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from surveys.models import DatabaseIdentity

# Every database of SQLite has this identity.
SQLITE_IDENTITY = "the file of a site"

# The number of a PostgreSQL cluster is unique, but a role needs a privilege to read it. The number
# of a database is unique in its cluster.
_MAY_READ_CLUSTER = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"
_DATABASE = "SELECT oid FROM pg_database WHERE datname = current_database()"


def current_identity() -> str:
    """Return the identity of the database that is open, such as "7301234567890123456/16384".

    With PostgreSQL these are the numbers of the cluster and of the database, with 0 for the cluster
    if the role may not read its number. A backup is restored into a new database, which has another
    number. All files of SQLite have the same identity, so the stored one is removed from backups
    instead: see `remove_from_copy`.
    """
    if connection.vendor == "sqlite":
        return SQLITE_IDENTITY

    with connection.cursor() as cursor:
        cursor.execute(_MAY_READ_CLUSTER)
        (may_read_cluster,) = cursor.fetchone()
        cluster = 0
        if may_read_cluster:
            cursor.execute(_CLUSTER)
            (cluster,) = cursor.fetchone()
        cursor.execute(_DATABASE)
        (database,) = cursor.fetchone()
    return f"{cluster}/{database}"


def remove_from_copy(file: Path) -> None:
    """Remove the stored identity from a copy of SQLite's file, so that the copy is recognized.

    Nothing happens if the copy is of an earlier version of the site, without a stored identity.

    file: the copy, such as a backup.
    """
    table = DatabaseIdentity._meta.db_table
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        # With the journal in memory, no journal stays beside the copy if the process is killed.
        copy.execute("PRAGMA journal_mode = MEMORY")
        tables = copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table])
        if tables.fetchone():
            copy.execute(f"UPDATE {table} SET identity = ''")  # noqa: S608
