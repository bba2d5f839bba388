"""What all tests share. Helper functions for making surveys are in tests/making.py."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from tests.receiver import Receiver, receiving

BROWSER = Path(__file__).resolve().parent / "browser"


@pytest.fixture(scope="session", autouse=True)
def _collected_static_files() -> None:
    """Pages carry hashed addresses of scripts and styles, as in production."""
    call_command("collectstatic", verbosity=0, interactive=False)


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has tried webhooks just now: tests share a process, and people of different tests their number."""
    from surveys.limits import Limit
    from surveys.webhooks import managing

    monkeypatch.setattr(managing, "TRIES", Limit(managing.TRIES.times, 60))


@pytest.fixture
def connection_stays_open() -> Iterator[None]:
    """Each request of a real server may end with its connection closed, and the test's data gone with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def receiver(settings: object) -> Iterator[Receiver]:
    """What webhooks are sent to, on the loopback address."""
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    with receiving() as found:
        yield found


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers last: from its first page on, Playwright leaves an event loop beside which Django uses no database."""
    items.sort(key=lambda item: item.path.is_relative_to(BROWSER))


def pytest_collection_finish() -> None:
    """Thousands of collected tests live to the end: the garbage collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
