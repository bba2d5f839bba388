"""Which database this is, so that one that was restored from a backup is recognized by what it holds."""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from surveys.models import DatabaseIdentity

SQLITE = "the file of a site"
_MAY_READ_CLUSTER = "SELECT has_function_privilege('pg_control_system()', 'EXECUTE')"
_CLUSTER = "SELECT system_identifier FROM pg_control_system()"
_DATABASE = "SELECT oid FROM pg_database WHERE datname = current_database()"


def current_identity() -> str:
    """Return the identity of the database that is open.

    With PostgreSQL these are the numbers of the cluster and of the database. A backup is restored into a new database,
    which has another number. Copies of SQLite's file have no number of their own: backups lose their identity instead.
    """
    if connection.vendor == "sqlite":
        return SQLITE
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
    """Remove the identity from a copy of SQLite's file, if the copy is of a version that has one."""
    table = DatabaseIdentity._meta.db_table
    with closing(sqlite3.connect(file, isolation_level=None)) as copy:
        copy.execute("PRAGMA journal_mode = MEMORY")  # A kill leaves no journal beside the copy.
        if copy.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
            copy.execute(f"UPDATE {table} SET identity = ''")  # noqa: S608
