"""The served sites of tests/faults, on each database."""

from tests.faults.conftest import postgres, site

__all__ = ["postgres", "site"]
