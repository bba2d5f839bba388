"""What all tests share. Helper functions for making surveys are in tests/making.py."""

import gc

import pytest
from django.core.management import call_command


@pytest.fixture(scope="session", autouse=True)
def _collected_static_files() -> None:
    """Pages carry hashed addresses of scripts and styles, as in production."""
    call_command("collectstatic", verbosity=0, interactive=False)


def pytest_collection_finish() -> None:
    """Thousands of collected tests live to the end: the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
