"""Identify the database, so that a database that was restored from a backup is recognized."""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from surveys.models import DatabaseIdentity

SQLITE_IDENTITY = "the file of a site"
_MAY_READ_CLUSTER = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"
_DATABASE = "SELECT oid FROM pg_database WHERE datname = current_database()"


def current_identity() -> str:
    """Return the identity of the database that is open.

    With PostgreSQL it consists of the numbers of the cluster and of the database. A backup is
    restored into a new database, which has another number. Copies of SQLite's file have the same
    identity, so it is removed from backups instead: see `remove_from_copy`.

    If the role may not read the number of the cluster, 0 stands in its place.
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
    """Remove the identity from a copy of SQLite's file, if its version of the site has one."""
    table = DatabaseIdentity._meta.db_table
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        # With the journal in memory, no journal stays beside the copy if the process is killed.
        copy.execute("PRAGMA journal_mode = MEMORY")
        tables = copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table])
        if tables.fetchone():
            copy.execute(f"UPDATE {table} SET identity = ''")  # noqa: S608
