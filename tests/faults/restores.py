"""Restores of a backup, as docs/deployment.md says."""

import shutil
from pathlib import Path

import pytest

from tests.faults.conftest import Site
from tests.servers import subprocesses


def restore(site: Site, backup: Path, request: pytest.FixtureRequest) -> None:
    """Restore as documented: into a new database of PostgreSQL, or in place of SQLite's file."""
    if backup.suffix == ".sqlite3":
        for path in site.folder.glob("site.sqlite3*"):
            path.unlink()
        shutil.copyfile(backup, site.folder / "site.sqlite3")
    else:
        server = request.getfixturevalue("postgres")
        address = server.fresh_database()
        options = ["--exit-on-error", "--single-transaction", "--no-owner", "--dbname", address]
        subprocesses.run([server.bin / "pg_restore", *options, backup])
        site.environment["DATABASE_URL"] = address
    site.manage("migrate", "--verbosity", "0")
