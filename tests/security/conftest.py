"""The served sites of tests/faults, on each database."""

import os

from tests.faults.conftest import postgres, site

__all__ = ["postgres", "site"]

# What brings databases of its own, or needs none, is not repeated when everything else runs once more on PostgreSQL.
OWN = [
    *("test_audit.py", "test_logs.py", "test_nginx.py", "test_stolen.py"),
    "test_postgres_traces.py",
    "test_unsealed_tickets.py",
]
collect_ignore = OWN if os.environ.get("DATABASE_URL", "").startswith("postgres") else []
